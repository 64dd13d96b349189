"""One loader per bundled table; its docstring and ``tables/README.md`` name the source."""

from __future__ import annotations

from importlib import resources
from typing import Literal, TypeAlias

import pandas as pd

from podium.checks import check_call, check_choice, check_flag
from podium.results import Results, read

UlasMeasure: TypeAlias = Literal["accuracy", "training time", "space"]

_TABLES = resources.files("podium.examples") / "tables"
_ULAS_TABLES: dict[UlasMeasure, tuple[str, str]] = {  # file and units
    "accuracy": ("ulas2008_accuracy.csv", "%"),
    "training time": ("ulas2008_training_time.csv", "% of the slowest"),
    "space": ("ulas2008_space.csv", "% of the largest"),
}
_ULAS_ORDER = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")  # as in the tables of the report


@check_call
def load_ulas2008(measure: UlasMeasure = "accuracy") -> Results:
    """Load eight algorithms on 38 data sets, by 5×2 cross-validation (Ulaş, Yıldız & Alpaydın 2008).

    Parameters
    ----------
    measure : {"accuracy", "training time", "space"}
        Accuracy in per cent for each of the 5 × 2 folds (tables A.1–A.8 of the report), or the average training
        time or space of each algorithm on each data set, normalised within the data set (tables A.9, A.10).

    Returns
    -------
    Results
        38 data sets × 10 replications (repeat and fold kept) × 8 algorithms for accuracy; one replication for
        the costs. The algorithms are a C4.5-like tree (c45), a multivariate decision tree (mdt), a multilayer
        perceptron (mlp), a linear perceptron (lnp), support vector machines with linear, quadratic and radial kernel
        (svl, sv2, svr) and five nearest neighbours (5nn).

    Notes
    -----
    In tables A.1–A.8 of the report the row names ``iris`` and ``ionosphere`` are swapped, as the fold sizes show;
    this is corrected here.

    References
    ----------
    M. A. Ulaş, O. T. Yıldız, E. Alpaydın (2008). Cost-conscious comparison of supervised learning algorithms over
    multiple data sets. Technical report FBE/CMPE-01/2008-04, Boğaziçi University.

    Examples
    --------
    >>> import podium
    >>> podium.examples.load_ulas2008().shape
    (38, 10, 8, 1)
    """
    check_choice(measure, _ULAS_TABLES, "measure")
    file, units = _ULAS_TABLES[measure]
    results = _results(file, measure=measure, units=units)
    origin = "Ulaş, Yıldız & Alpaydın (2008), technical report FBE/CMPE-01/2008-04"
    return results.select(algorithms=_ULAS_ORDER).replace(origin=origin)


@check_call
def load_demsar2006() -> Results:
    """Load the AUC of four variants of C4.5 on 14 data sets (Demšar 2006, table 6).

    Returns
    -------
    Results
        14 data sets × 1 replication × 4 algorithms. The variants tune nothing (C4.5), the minimal number of
        examples in a leaf (m), the confidence of pruning (cf), or both.

    Notes
    -----
    In the row ``voting`` two values are printed as 0.975; the published ranks (2 and 3) come from unrounded values.
    From the printed table their ranks are 2.5 each, and the average ranks differ a little from the published ones.

    References
    ----------
    J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1–30.

    Examples
    --------
    >>> import podium
    >>> podium.examples.load_demsar2006().ranks().values[:, 0, :, 0].mean(axis=0).round(3)
    array([3.143, 2.   , 2.929, 1.929])
    """
    results = _results("demsar2006_auc.csv", measure="AUC")
    return results.replace(origin="Demšar (2006), Journal of Machine Learning Research 7, table 6")


@check_call
def load_uci_chains() -> dict[str, str]:
    """Load the 21 published preference chains of the UCI domain (Eugster 2011, table 4.1).

    Returns
    -------
    dict of str to str
        For each data set, in the order of the table, its chain of six algorithms: ``<`` means better,
        ``~`` means no significant difference.

    Notes
    -----
    For ``Circle`` and ``titanic`` the table prints the order of the means: their pairwise tests give relations that
    are not weak orders and cannot be written as a chain.

    References
    ----------
    M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms.
    Dissertation, Ludwig-Maximilians-Universität München.

    Examples
    --------
    >>> import podium
    >>> podium.examples.load_uci_chains()["monks3"]
    'rpart ~ svm < rf < nnet < knn ~ lda'
    """
    table = _table("eugster2011_uci_chains.csv")
    return dict(zip(table["dataset"], table["chain"], strict=True))


@check_call
def load_pima() -> Results:
    """Load four algorithms on 200 bootstrap samples of Pima Indians Diabetes, the experiment of Eugster's section 6.2.

    Returns
    -------
    Results
        1 data set × 200 replications × 4 algorithms, misclassification of out-of-bag examples. The algorithms are
        linear discriminant analysis (lda), support vector machines with radial kernel and nearly the same cost (svm1: C
        = 1.00, svm2: C = 1.01), and a random forest of 100 trees (rf), all of scikit-learn.

    Notes
    -----
    The design is that of the dissertation; learning samples and implementations differ, so the figures are not those
    printed there. ``benchmarks/pima.py`` in the repository runs it.

    References
    ----------
    M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms.
    Dissertation, Ludwig-Maximilians-Universität München, section 6.2. — The data: J. W. Smith, J. E. Everhart, W. C.
    Dickson, W. C. Knowler, R. S. Johannes (1988), UCI Machine Learning Repository.

    Examples
    --------
    >>> import podium
    >>> podium.examples.load_pima().shape
    (1, 200, 4, 1)
    """
    return _results("pima.csv").select(algorithms=("lda", "svm1", "svm2", "rf"))


@check_call
def load_cars(*, modern: bool = True) -> pd.DataFrame:
    """Load speed and stopping distance of cars of the 1920s, and of one modern car.

    Parameters
    ----------
    modern : bool, default True
        Append the modern car of the dissertation's chapter 3: 30 mph, 8 ft.

    Returns
    -------
    DataFrame
        Columns ``speed`` (miles per hour) and ``dist`` (feet); 51 rows, the modern car last, or 50 without it.

    References
    ----------
    M. Ezekiel (1930). Methods of Correlation Analysis. Wiley. — D. R. McNeil (1977). Interactive Data Analysis.
    Wiley. — M. J. A. Eugster (2011), chapter 3, for the modern car.

    Examples
    --------
    >>> import podium
    >>> podium.examples.load_cars().tail(2)
        speed  dist
    49     25    85
    50     30     8
    """
    check_flag(modern, "modern")
    cars = _table("cars.csv")
    if modern:
        cars = pd.concat([cars, pd.DataFrame({"speed": [30], "dist": [8]})], ignore_index=True)
    return cars


def _results(name: str, **options: str) -> Results:
    with resources.as_file(_TABLES / name) as path:
        return read(path, **options)  # type: ignore[arg-type]  # the keywords of `read` that take text


def _table(name: str) -> pd.DataFrame:
    with resources.as_file(_TABLES / name) as path:
        frame: pd.DataFrame = pd.read_csv(path)
    return frame
