"""Bad input is refused by errors that name it."""

from __future__ import annotations

import itertools
import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError

import podium
from podium.errors import CellValueError, InputError, LabelError, MissingCellsError, PodiumError

X = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=["a", "b", "c"])


def refused(message: str, error: type[PodiumError] = InputError):
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def test_the_estimator_passes_the_checks_of_scikit_learn() -> None:
    from sklearn.utils.estimator_checks import check_estimator  # slow to import

    check_estimator(podium.ArchetypalAnalysis(restarts=1, max_iter=20), on_skip=None)


def test_more_archetypes_than_different_rows() -> None:
    same = pd.concat([X.head(2)] * 5)
    with refused(
        "`n_archetypes` must not exceed the number of different rows; got 3, and `X` has 2 different rows. Ask for fewer."
    ):
        podium.ArchetypalAnalysis(3).fit(same)
    with refused(
        "`k` must not exceed the number of different rows; got 30, and `X` has 20 different rows. Ask for fewer."
    ):
        podium.archetypes(X, k=[2, 30])


def test_constant_columns() -> None:
    with refused(
        "`X`: 2 columns are constant: 'd', 'e'. Such a column cannot be standardised; leave it out, or use "
        "`scaling='none'`."
    ):
        podium.ArchetypalAnalysis().fit(X.assign(d=1.0, e=5))
    podium.ArchetypalAnalysis(scaling="none", restarts=1).fit(X.assign(d=1.0))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            np.r_[-1.0, np.ones(18), -2],
            "must not be negative; rows 0, 19 have a negative weight. A weight of 0 leaves a row out.",
        ),
        (
            np.r_[-1.0, np.ones(19)],
            "must not be negative; row 0 has a negative weight. A weight of 0 leaves a row out.",
        ),
        (np.zeros(20), "must not be zero for all rows; give at least one row a positive weight."),
        (np.ones(3), "must have one value for each of the 20 rows of `X`; got an array of shape (3,)."),
        (np.r_[np.inf, np.ones(19)], "must hold finite numbers; row 0 has a weight that is not."),
        (["a"] * 20, "must be numbers; got a list."),
    ],
)
def test_weights(weights, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"`sample_weight` {message}")):
        podium.ArchetypalAnalysis().fit(X, sample_weight=weights)


def test_infinite_values() -> None:
    with refused(
        "`X` must hold finite numbers; 1 cell (row, column) is inf: (4, 'b'). Correct such values, or leave out their "
        "rows.",
        CellValueError,
    ):
        podium.ArchetypalAnalysis().fit(X.mask((X.index == 4)[:, None] & (X.columns == "b"), np.inf))


def test_missing_values() -> None:
    holes = X.mask((X.index == 4)[:, None] & (X.columns == "b"))
    with refused(
        "`X`: 1 cell (row, column) is missing (NaN): (4, 'b'). Leave such rows out with X.dropna(), or leave the cells "
        "out of the loss with `missing='available'`.",
        MissingCellsError,
    ):
        podium.archetypes(holes)
    with pytest.raises(MissingCellsError, match=re.escape("1 column without any value: 'b'")):
        podium.ArchetypalAnalysis(missing="available").fit(X.assign(b=np.nan))
    with pytest.raises(MissingCellsError, match=re.escape("2 columns without any value: 'a', 'b'. Leave them out.")):
        podium.ArchetypalAnalysis(missing="available").fit(X.assign(a=np.nan, b=np.nan))


@pytest.mark.parametrize(
    "fit", [podium.ArchetypalAnalysis(missing="available").fit, lambda Y: podium.archetypes(Y, missing="available")]
)
def test_no_row_is_complete(fit: Any) -> None:
    with refused(
        "`X` must have rows without missing cells, because archetypes are combinations of such rows; every row has a "
        "missing cell. Leave out the columns with the most missing cells, or fill them in.",
        MissingCellsError,
    ):
        fit(pd.DataFrame({"a": [1, np.nan, 2, np.nan], "b": [np.nan, 1, np.nan, 3.0]}))


def test_new_rows_with_missing_cells_are_taken_one_by_one() -> None:
    holes = X.mask((X.index == 4)[:, None] & (X.columns == "b"))
    model = podium.ArchetypalAnalysis(missing="available", restarts=1).fit(holes)
    every = model.transform(holes)
    assert model.transform(holes.loc[[4]]) == pytest.approx(every[[4]])
    assert np.isfinite(model.score(holes.loc[[4]]))


def test_numbers_and_pairs_as_column_names_are_kept() -> None:
    years = podium.ArchetypalAnalysis(2, restarts=1).fit(X.set_axis([2001, 2002, 2003], axis=1))
    assert list(years.solution_.frame()) == ["2001", "2002", "2003"]
    pairs = X.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]), axis=1)
    assert list(podium.ArchetypalAnalysis(2, restarts=1).fit(pairs).solution_.frame()) == ["a 1", "a 2", "b 1"]


def test_rows_of_weight_zero_are_no_part_of_the_table() -> None:
    two = [1, 1] + [0] * 18
    message = "`n_archetypes` must not exceed the number of different rows; got 4, and `X` has "
    with refused(f"{message}2 different rows with a positive weight. Ask for fewer."):
        podium.ArchetypalAnalysis(4).fit(X, sample_weight=two)
    with refused(f"{message}3 different rows after its rows were moved by their weights. Ask for fewer."):
        podium.ArchetypalAnalysis(4, family="weighted").fit(X, sample_weight=two)
    with refused(
        "`X`: 1 column is constant in the rows with a positive weight: 'a'. Such a column cannot be standardised; leave "
        "it out, or use `scaling='none'`."
    ):
        podium.ArchetypalAnalysis(1).fit(X.assign(a=[1, 1] + [0] * 18), sample_weight=two)


@pytest.mark.parametrize("scaling", [None, "none"])
def test_outliers_beside_which_all_differences_are_lost(scaling: Any) -> None:
    far = pd.concat([X, X.iloc[:1] * 0 + 1e12], ignore_index=True)
    with refused(
        "`X`: some values of 'a', 'b', 'c' are so far out that beside them the differences of the others are lost in "
        "rounding. Use `scaling='robust'`, or leave out their rows.",
        CellValueError,
    ):
        podium.ArchetypalAnalysis(family="robust", scaling=scaling, restarts=1).fit(far)
    found = podium.ArchetypalAnalysis(family="robust", scaling="robust", restarts=2).fit(far)
    assert found.robust_weights_[20] == 0 and np.abs(found.archetypes_).max() < 10


def test_text_columns() -> None:
    with refused("`X` must hold numbers; 1 column holds something else: 'sex'. Leave out or encode it."):
        podium.ArchetypalAnalysis().fit(X.assign(sex="f"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_archetypes": 0}, "`n_archetypes` must be a whole number of at least 1; got 0."),
        ({"restarts": 0}, "`restarts` must be a whole number of at least 1; got 0."),
        (
            {"family": "robst"},
            "`family` must be one of 'classical', 'weighted', 'robust'; got 'robst'. Did you mean 'robust'?",
        ),
        (
            {"family": 3},
            "`family` must be one of 'classical', 'weighted', 'robust', or a podium.archetypal.Family; got an int.",
        ),
        ({"loss": "huber"}, "`loss='huber'` needs family='robust'; otherwise leave it out."),
        (
            {"start": "kmeans"},
            "`start` must be one of 'furthest-sum', 'hull', 'inner', 'random'; got 'kmeans'.",
        ),
        ({"scaling": "sd"}, "`scaling` must be one of 'standard', 'robust', 'none'; got 'sd'."),
        ({"missing": "drop"}, "`missing` must be one of 'raise', 'available'; got 'drop'."),
        ({"tol": 0}, "`tol` must be a number between 0 and 1; got 0."),
        ({"workers": -1}, "`workers` must be a whole number of at least 1; got -1."),
        ({"seed": -1}, "`seed` must be a whole number of at least 0; got -1."),
    ],
)
def test_options(options, message: str) -> None:
    with refused(message):
        podium.ArchetypalAnalysis(**options).fit(X)


def test_numbers_of_archetypes() -> None:
    with refused("`k` must be a whole number of at least 1; got 'three'."):
        podium.archetypes(X, k="three")
    with refused("`k` must hold at least one number of archetypes; got none."):
        podium.archetypes(X, k=[])
    path = podium.archetypes(X, k=[1, 2], restarts=1)
    with refused("There is no solution with 3 archetypes; there are solutions with 1, 2.", LabelError):
        path[3]
    assert path.elbow is None


def test_a_model_that_is_not_fitted() -> None:
    model = podium.ArchetypalAnalysis(3)
    for draw in (podium.plot.archetype_plane, podium.plot.archetype_residuals, podium.figures.archetype_simplex):
        with refused("`archetypes` is an ArchetypalAnalysis that is not fitted; call fit(X) first."):
            draw(model)


def test_names_of_options_from_other_packages() -> None:
    for make in (podium.ArchetypalAnalysis, lambda **options: podium.archetypes(X, **options)):
        with pytest.raises(LabelError, match=r" Did you mean 'seed'\?$"):
            make(random_state=1)
    with pytest.raises(LabelError, match=r" Did you mean 'n_archetypes'\?$"):
        podium.ArchetypalAnalysis(n_components=2)
    with pytest.raises(LabelError, match=r" Did you mean 'k'\?$"):
        podium.archetypes(X, n_components=2)


def test_the_number_of_archetypes_has_two_names() -> None:
    """As in scikit-learn a model has n_archetypes; a function has k, which may be several numbers."""
    with pytest.raises(LabelError, match=r" Did you mean 'n_archetypes'\?$"):
        podium.ArchetypalAnalysis(k=2)
    for make in (podium.archetypes, podium.archetypal.prototype_stability):
        with pytest.raises(LabelError, match=r" Did you mean 'k'\?$"):
            make(X, n_archetypes=2)


def test_coefficients_of_the_wrong_width() -> None:
    aa = podium.ArchetypalAnalysis(2, restarts=1).fit(X)
    with refused("`X` must have one column for each of the 2 archetypes; got an array of shape (1, 3)."):
        aa.inverse_transform([[0.2, 0.3, 0.5]])


def test_user_defined_families_and_losses() -> None:
    loss = podium.archetypal.Loss(
        "trim", rho=lambda u: np.minimum(u, 1) ** 2 / 2, weight=lambda u: (u < 1).astype(float)
    )
    family = podium.archetypal.Family(name="trimmed", loss=loss, start=lambda data, k, generator: np.arange(k))
    aa = podium.ArchetypalAnalysis(2, family=family).fit(X)
    assert set(aa.robust_weights_) <= {0.0, 1.0}
    wrong = podium.archetypal.Family(name="wrong", start=lambda data, k, generator: np.arange(k + 1))
    with pytest.raises(InputError, match=re.escape("`start` must return the positions of 2 rows")):
        podium.ArchetypalAnalysis(2, family=wrong).fit(X)
    broken = podium.archetypal.Loss("broken", rho=lambda u: u, weight=lambda u: u[:1])
    with pytest.raises(InputError, match="`weight` must return one number for each length"):
        podium.ArchetypalAnalysis(2, family=podium.archetypal.Family(name="b", loss=broken)).fit(X)


def test_frames_keep_names() -> None:
    named = X.set_axis([f"row {i}" for i in range(20)])
    aa = podium.ArchetypalAnalysis(2, restarts=1).fit(named)
    assert list(aa.solution_.frame().columns) == ["a", "b", "c"] and list(aa.solution_.frame().index) == ["A1", "A2"]
    assert list(aa.solution_.contributions().index)[:2] == ["row 0", "row 1"]
    out = podium.ArchetypalAnalysis(2, restarts=1).set_output(transform="pandas").fit_transform(named)
    assert list(out.columns) == ["A1", "A2"] and out.index[0] == "row 0"
    assert aa.score(named) == pytest.approx(aa.explained_)
    assert np.allclose(aa.inverse_transform(np.eye(2)), aa.archetypes_)


def test_input_that_is_not_a_table() -> None:
    with refused("`X` must have a different name for each column; repeated: 'a'.", LabelError):
        podium.ArchetypalAnalysis().fit(X.set_axis(["a", "a", "b"], axis=1))
    with refused("`X` must hold numbers; 1 column holds something else: 't'. Leave out or encode it."):
        podium.ArchetypalAnalysis().fit(X.assign(t=pd.date_range("2020", periods=20)))
    with refused("`X` must hold numbers; 1 column holds something else: 1. Leave out or encode it."):
        podium.ArchetypalAnalysis(2).fit([[1, "a"], [2, "b"], [3, "c"]])
    with pytest.raises(MissingCellsError, match=re.escape("1 cell (row, column) is missing (NaN): (4, 'b')")):
        podium.ArchetypalAnalysis().fit(X.astype("Float64").mask((X.index == 4)[:, None] & (X.columns == "b")))
    for nothing in ([1, 2, 3], np.empty((0, 3)), X.to_numpy() + 1j):
        with pytest.raises(InputError, match=r"^`X`: "):
            podium.archetypes(nothing)
    for factor, scaling in itertools.product((1e300, 1e-160, 1e-300), ("standard", "none")):
        with pytest.raises(CellValueError, match="too large or too small for squares in double precision"):
            podium.ArchetypalAnalysis(scaling=scaling).fit(X * factor)


@pytest.mark.parametrize("scaling", ["standard", "robust", "none"])
@pytest.mark.parametrize("family", ["classical", "weighted", "robust"])
def test_values_near_the_end_of_double_precision(scaling: str, family: str) -> None:
    """No table, no weights and no new observations lead to an overflow; pytest turns its warning into an error."""
    aa = podium.ArchetypalAnalysis(2, family=family, scaling=scaling, restarts=1)
    for table in ([[1.7e308, 1], [-1.7e308, 2], [0, 3]], np.vstack([X.to_numpy(), [[1.7e308, 0, 0]]])):
        with refused(
            "`X`: values of 'x1' are too large or too small for squares in double precision. Give them in other units.",
            CellValueError,
        ):
            aa.fit(table)
    for weight in (1e200, 1e-200):
        with refused(
            f"`sample_weight` must have its largest value between 1e-100 and 1e+100; got {weight:g}. Divide all "
            "weights by it."
        ):
            aa.fit(X, sample_weight=np.full(20, weight))
    aa.fit(X)
    for read in (aa.transform, aa.score):
        with refused(
            "`X`: values of 'b' are too far from those of `fit` for squares in double precision. Give them in the "
            "same units, or leave out their rows.",
            CellValueError,
        ):
            read(X.assign(b=1.7e308))
    if family == "weighted" and scaling == "none":
        with refused(
            "`sample_weight` as a matrix W must leave W X small enough for squares in double precision. Divide it by "
            "its largest value."
        ):
            aa.fit(1e100 * X, sample_weight=1e99 * np.eye(20))


@cache
def odd_tables() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    base = rng.dirichlet([0.5] * 3, 20) @ np.array([[0, 0, 1], [4, 0, 2], [0, 4, 7.0]])
    frame = pd.DataFrame(base, columns=["a", "b", "c"])
    return {
        "one column": base[:, :1],
        "two rows": base[:2],
        "duplicates": np.repeat(base[:3], 5, axis=0),
        "one row that differs much": np.vstack([np.repeat(base[:2], 9, axis=0), [[1e6, 1e6, 1e6]]]),
        "large": 1e140 * base,
        "small": 1e-140 * base,
        "several scales": base * [1e-80, 1, 1e80],
        "far from the origin": base + 1e9,
        "collinear": np.column_stack([base, 2 * base[:, 0], base[:, 1] - base[:, 0]]),
        "on a line": np.outer(np.arange(20.0), [1, 2, 3]),
        "more columns than rows": rng.normal(size=(5, 20)),
        "binary": rng.random((20, 4)) < 0.3,
        "sparse": np.where(rng.random((20, 5)) < 0.2, rng.normal(size=(20, 5)), 0),
        "integers": (10 * frame).astype("int8"),
        "float32": frame.astype("float32"),
        "nullable": (10 * frame).astype(int).astype("Int64"),
        "index with duplicates": frame.set_axis([1, 1, 2, 2] * 5),
    }


STORED = ("integers", "float32", "nullable", "index with duplicates")
SHAPES = ("one column", "collinear", "on a line", "more columns than rows", "binary", "sparse")


@pytest.mark.parametrize("name", odd_tables())
def test_every_family_fits_odd_tables(name: str) -> None:
    table = odd_tables()[name]
    n = len(table)
    weights = np.random.default_rng(1).uniform(0.2, 1, n)
    holes = np.array(pd.DataFrame(table).astype(float))
    holes[n - n // 3 :, -1] = np.nan
    fits = (
        ({}, table, None),
        ({}, table, np.full(n, 0.3)),
        ({"family": "weighted"}, table, weights),
        ({"family": "weighted"}, table, 0.7 * np.eye(n) + 0.3 / n),
        ({"family": "robust"}, table, weights),
        ({"family": "robust", "loss": "huber"}, table, None),
        ({"family": "robust", "loss": "welsch", "scaling": "none"}, table, None),
        ({"missing": "available"}, holes, None),
        ({"missing": "available", "family": "robust"}, holes, None),
        ({"missing": "available", "family": "weighted"}, holes, weights),
    )
    if name in STORED:  # all families read numbers in the same way
        fits = fits[::4]
    elif name in SHAPES:  # every family meets three of these shapes
        fits = fits[SHAPES.index(name) % 2 :: 2]
    for options, data, given in fits:
        aa = podium.ArchetypalAnalysis(2, restarts=1, max_iter=10, **options).fit(data, sample_weight=given)
        for shares, axis in ((aa.coefficients_, 1), (aa.data_weights_, 0)):
            assert shares.min() >= 0 and np.abs(shares.sum(axis=axis) - 1).max() < 1e-12
        values = np.array(pd.DataFrame(data).astype(float))
        low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
        slack = 1e-9 * np.maximum(np.abs(low), np.abs(high))
        assert ((aa.archetypes_ >= low - slack) & (aa.archetypes_ <= high + slack)).all()
        assert np.isfinite([aa.rss_, aa.criterion_, aa.spectral_rss_]).all() and 0 <= aa.explained_ <= 1
        assert (np.diff(aa.history_) <= 0).all() and ((aa.robust_weights_ >= 0) & (aa.robust_weights_ <= 1)).all()
        assert aa.score(data) <= 1 and len(aa.solution_.contributions()) == n


READERS = {
    "archetypes": podium.archetypes,
    "fit": lambda X: podium.ArchetypalAnalysis(2).fit(X),
    "transform": lambda X: podium.ArchetypalAnalysis(2, restarts=1).fit(np.eye(4)).transform(X),
    "prototypes": podium.archetypal.prototypes,
    "stability": podium.archetypal.prototype_stability,
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
def test_objects_that_are_no_table_of_numbers(read) -> None:
    table = "`X` must be a table of numbers with a row for each observation, such as a DataFrame; got "
    with refused(f"{table}a Results. Use podium.archetypal.domain_archetypes(results) for the archetypes of Results."):
        read(podium.datasets.load_ulas2008())
    for thing, kind in (
        (object(), "an object"),
        ({}, "a dict"),
        ({1, 2}, "a set"),
        (None, "None"),
        (3, "an int"),
        ("scores.csv", "'scores.csv'"),
        ([object()], "a list"),
        ([{"a": 1}], "a list"),
    ):
        with refused(f"{table}{kind}."):
            read(thing)
    with refused(
        "`X`: the argument must be a string or a number in each cell; 1 cell (row, column) holds something else: "
        "(0, 1).",
        CellValueError,
    ):
        read([[1, {"a": 1}], [2, 3], [4, 5]])
    with pytest.raises(InputError, match=r"^`X`: Sparse data was passed"):
        read(csr_matrix(np.eye(4)))
    with refused("`X` must hold numbers; 1 column holds something else: 'a'. Leave out or encode it."):
        read(pd.DataFrame({"a": [{"b": 1}, 2, 3], "b": [1, 2, 4]}))


def test_functions_that_return_something_else() -> None:
    def fitted(**parts):
        return podium.ArchetypalAnalysis(2, family=podium.archetypal.Family(name="own", **parts)).fit(X)

    with refused("`start`: <lambda> raised ZeroDivisionError: division by zero"):
        fitted(start=lambda data, k, generator: 1 / 0)
    for wrong in (["a", "b"], [0.5, 1.0], [0, 20], [0, -1]):
        with pytest.raises(
            InputError, match=r"`start` must return the positions of 2 rows, whole numbers from 0 to 19; "
        ):
            fitted(start=lambda data, k, generator, wrong=wrong: wrong)
    for rho in (lambda u: u[:2], lambda u: u * np.nan, lambda u: u.astype(str)):
        with refused("`loss`: `rho` must return one finite number for each length."):
            fitted(loss=podium.archetypal.Loss("own", rho=rho, weight=np.ones_like))
    for weight in (lambda u: u[:2], lambda u: u.astype(str)):
        with refused("`loss`: `weight` must return one number for each length."):
            fitted(loss=podium.archetypal.Loss("own", rho=np.square, weight=weight))
    for value in (-1.0, np.nan, np.inf, 1.5):
        with pytest.raises(
            InputError,
            match=rf"^`loss`: `weight` must return numbers from 0 to 1; that of 'own' returned {value} for the length ",
        ):
            fitted(
                loss=podium.archetypal.Loss("own", rho=np.square, weight=lambda u, value=value: np.full(len(u), value))
            )


def test_prototypes_and_stability() -> None:
    holes = X.mask((X.index == 4)[:, None] & (X.columns == "b"))
    for function in (podium.archetypal.prototypes, podium.archetypal.prototype_stability):
        with refused(
            "`X`: 1 cell (row, column) is missing (NaN): (4, 'b'). Leave such rows out with X.dropna().",
            MissingCellsError,
        ):
            function(holes)
    with refused("`method` must name at least one method; got none."):
        podium.archetypal.prototypes(X, method=[])
    with refused("`k` must hold at least one number of archetypes; got none."):
        podium.archetypal.prototype_stability(X, [])
    with refused(
        "None of 3 bootstrap samples of the 4 rows of `X` has 4 different rows and no constant column. Ask for fewer "
        "prototypes, or for more bootstrap samples."
    ):
        podium.archetypal.prototype_stability(X.head(4), 4, resamples=3)


def test_the_largest_number_of_iterations_is_kept() -> None:
    for family in ("classical", "robust"):
        aa = podium.ArchetypalAnalysis(3, family=family, max_iter=2, restarts=2).fit(X)
        assert aa.n_iter_ <= 2 and not aa.solution_.converged


def test_numbers_and_thresholds_of_other_types() -> None:
    assert podium.archetypes(X, np.array([1, 2]), restarts=1).k == (1, 2)
    assert podium.archetypes(X, (k for k in (2, 1)), restarts=1).k == (1, 2)
    with refused("`below` must be a number of at least 0; got 'x'."):
        podium.ArchetypalAnalysis(2, restarts=1).fit(X).outliers("x")


def test_a_fit_that_failed_leaves_nothing_to_use() -> None:
    analysis = podium.ArchetypalAnalysis()
    with pytest.raises(InputError, match="2 columns are constant"):
        analysis.fit(np.ones((2, 2)))
    with pytest.raises(NotFittedError):
        analysis.transform(np.ones((3, 2)))
