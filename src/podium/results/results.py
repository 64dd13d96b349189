"""`Results`: everything a benchmark experiment measured, labelled and immutable."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np
import pandas as pd

from podium.checks import check_call, check_path, expect, new_file
from podium.results.aggregation import Aggregation, aggregate
from podium.results.combination import Conflict, combine
from podium.results.cube import REASON_NAMES, STRUCTURE_FIELDS, Cube
from podium.results.display import as_html, as_text
from podium.results.formats import file_format
from podium.results.forms.array import LabelledArray, to_array, to_xarray
from podium.results.forms.document import to_document
from podium.results.forms.long import to_long
from podium.results.forms.nested import to_nested
from podium.results.forms.trials import to_trials
from podium.results.forms.wide import to_wide
from podium.results.labels import Axis
from podium.results.missing import MissingReport, resolve_missing
from podium.results.ranks import Ties, rank_cube
from podium.results.selection import (
    AxisArguments,
    axis_labels,
    by_axis,
    canonical,
    complete,
    drop,
    rename,
    select,
    takes_axis_arguments,
)


@check_call
class Results(Cube):
    """The M × B × K × J cube: data sets × replications × algorithms × measures.

    Usually made by `podium.read` or by a run. Nothing in it can be changed; every method returns a new one.

    Attributes
    ----------
    values : ndarray of float, shape (M, B, K, J)
        The numbers, NaN where a cell is missing. Read-only.
    datasets, algorithms : tuple of str
        Labels of the first and third axis.
    replications : tuple of int or str
        Labels of the second axis.
    measures : tuple of MeasureInfo
        Name, direction, units and scale of each measure.
    design : ndarray of bool, shape (M, B)
        Which replications each data set has. Cells outside it do not count as missing.
    reasons : ndarray of uint8, shape (M, B, K, J)
        0 where measured, else the position of the reason in ``("", "absent", "failed", "timeout", "skipped",
        "crashed", "stopped")``; ``"stopped"`` cells were never run because a stopping rule had decided.
    structure : mapping of str to ndarray, shape (M, B)
        Repeat, fold, and the sizes of learning and test samples, as far as known; -1 where not. ``"independent"`` is
        1 where the samples were drawn afresh and share no example with those of other replications. ``"planned"`` is
        the number of replications that was planned for a data set that a stopping rule has ended early.
    origin : str
        What `podium.read` recognised, and how it read it.
    form : str
        Its form: ``"long table"``, ``"table of trials"``, ``"wide table"``, ``"array"``, ``"nested dict"``, ``"podium
        document"``, or the tool that wrote it, such as ``"trials of optuna"``.
    reports : tuple of MissingReport
        What the policies for missing cells did to produce these results.
    warehouse : str
        Path or URL of the warehouse that they were read from; empty if there is none, or if it was in memory.

    Examples
    --------
    >>> import podium
    >>> results = podium.read({"svm": [0.9, 0.8], "knn": [0.7, 0.8]}, levels="algorithm", measure="accuracy")
    >>> results.shape
    (1, 2, 2, 1)
    >>> results.ranks().values[0, :, :, 0]
    array([[2. , 1. ],
           [1.5, 1.5]])
    """

    _made_from: ClassVar = (
        (str | Path, "Use podium.read({thing})."),
        (
            pd.DataFrame | pd.Series,
            "Use podium.read(frame); it needs measure='...' if the table does not say what was measured.",
        ),
        (object, "Create one with podium.read or podium.run."),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for report in self.reports:
            expect(report, MissingReport, "reports")

    @takes_axis_arguments
    def select(self, **labels: Unpack[AxisArguments]) -> Self:
        """Take the named data sets, algorithms, replications and measures, in the order they are named.

        Each argument takes one label or several; the singular and the plural name of an axis mean the same. The
        outcome is a `Results` again, with all four axes.

        Examples
        --------
        >>> import podium
        >>> results = podium.examples.load_demsar2006()
        >>> results.select(dataset="iris", algorithms=["C4.5", "C4.5+m"]).shape
        (1, 1, 2, 1)
        """
        return select(self, by_axis(labels, "select"))

    @takes_axis_arguments
    def drop(self, **labels: Unpack[AxisArguments]) -> Self:
        """Take everything except the named labels; arguments as in `select`.

        Examples
        --------
        >>> import podium
        >>> podium.examples.load_demsar2006().drop(algorithms="C4.5", datasets=["iris", "wine"]).shape
        (12, 1, 3, 1)
        """
        return drop(self, by_axis(labels, "drop"))

    @takes_axis_arguments
    def rename(self, **names: Unpack[AxisArguments]) -> Self:
        """Give labels new names; each argument is a mapping from old to new. Two labels cannot become one.

        The singular and the plural name of an axis mean the same.

        Examples
        --------
        >>> import podium
        >>> podium.examples.load_demsar2006().rename(algorithms={"C4.5": "plain", "C4.5+m+cf": "tuned"}).algorithms
        ('plain', 'C4.5+m', 'C4.5+cf', 'tuned')
        """
        return rename(self, by_axis(names, "rename"))

    def combine(self, other: Results, *, on_conflict: Conflict = "raise") -> Self:
        """Combine with other results, which add labels on any axis or values for missing cells.

        Parameters
        ----------
        other : Results
            Its labels are appended to these.
        on_conflict : {"raise", "first", "second"}
            What to do with cells that both measured with different values: raise a `ConflictError`, whose
            `report` is a frame of them all, or keep the value of the first or of the second.

        Examples
        --------
        >>> import podium
        >>> whole = podium.examples.load_demsar2006()
        >>> whole.select(algorithm="C4.5").combine(whole.drop(algorithms="C4.5")) == whole
        True
        """
        return combine(self, expect(other, Results, "other"), on_conflict)[0]

    def conflicts(self, other: Results) -> pd.DataFrame:
        """List the cells that both results measured with different values."""
        return combine(self, expect(other, Results, "other"), "first")[1]

    def complete(
        self,
        *,
        datasets: Any = None,
        algorithms: Any = None,
        replications: Any = None,
    ) -> Self:
        """Complete the grid: every algorithm and every replication on every data set.

        Cells that were not in the table become missing cells with the reason ``"absent"``; labels named here
        are added if they are new.

        Examples
        --------
        >>> import podium
        >>> results = podium.examples.load_demsar2006().complete(algorithms="C5.0")
        >>> results.shape, results.missing_frame()["reason"].unique().tolist()
        ((14, 1, 5, 1), ['absent'])
        """
        return complete(self, {"dataset": datasets, "algorithm": algorithms, "replication": replications})

    def resolve_missing(self, missing: str = "raise") -> Self:
        """Apply a policy for missing cells; `reports` of the outcome says what it did.

        Parameters
        ----------
        missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
            See the page *Data shapes*. A block is one replication of one data set.
        """
        cube, report = resolve_missing(self, missing)
        return cube._with_reports((*self.reports, report))

    def aggregate(
        self, statistic: Aggregation = "mean", *, quantile: float | None = None, missing: str = "raise"
    ) -> Self:
        """Reduce the replications of each data set to one value.

        Parameters
        ----------
        statistic : {"mean", "median", "min", "max", "sd", "quantile"} or callable
            A function takes the values of one algorithm on one data set and returns a number. The direction of the
            measure stays, except with ``"sd"``: less spread is better, whatever is measured.
        quantile : float, optional
            Which quantile, with ``statistic="quantile"``.
        missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
            Policy for missing cells; ``"available"`` uses the replications that all algorithms with a value on a data
            set share, so that these can be compared. An algorithm's own mean is that of
            ``results.select(algorithm=name)``.

        Examples
        --------
        >>> import podium
        >>> podium.examples.load_ulas2008("accuracy").aggregate("median").shape
        (38, 1, 8, 1)
        """
        cube, report = aggregate(self, statistic, quantile, missing)
        return cube._with_reports((*self.reports, report))

    def ranks(self, *, ties: Ties = "average", seed: int = 0, missing: str = "raise") -> Self:
        """Rank the algorithms within each block (data set and replication); rank 1 is the best.

        Parameters
        ----------
        ties : {"average", "min", "max", "random"}
            Rank of equal values; two values that differ by rounding alone (1.4e-14 of the larger one) count as
            equal. How ``"random"`` breaks a tie depends only on the seed and on the names of the cells, not on
            the order of rows or columns or on the other cells.
        seed : int, default 0
            Seed for random ties.
        missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value"}
            Policy for missing cells; ``"worst-rank"`` ranks them last.

        Returns
        -------
        Results
            The same cube with ranks for values; lower is better.

        Examples
        --------
        >>> import podium
        >>> ranks = podium.examples.load_demsar2006().ranks()
        >>> ranks.select(dataset="iris").values.ravel()
        array([1. , 2.5, 4. , 2.5])
        >>> print(ranks.measures[0])
        AUC (lower is better, rank)
        """
        cube, report = rank_cube(self, ties, seed, missing)
        return cube._with_reports((*self.reports, report))

    @property
    def directions(self) -> dict[str, str]:
        """Direction of each measure: ``"lower"`` or ``"higher"`` is better."""
        return {info.name: info.direction for info in self.measures}

    def replication_frame(self) -> pd.DataFrame:
        """One row per replication of each data set, with repeat, fold and sample sizes as far as known."""
        m, b = np.nonzero(self.design)
        frame = pd.DataFrame(
            {"dataset": [self.datasets[i] for i in m], "replication": [self.replications[i] for i in b]}
        )
        for name in STRUCTURE_FIELDS:
            column = self.structure[name][m, b] if name in self.structure else np.full(len(m), -1)
            frame[name] = pd.array(column, dtype="Int64")
            frame[name] = frame[name].mask(frame[name] < 0)
        return frame

    def missing_frame(self) -> pd.DataFrame:
        """One row per missing cell, with its reason."""
        m, b, k, j = np.nonzero(self.missing)
        return pd.DataFrame(
            {
                "dataset": [self.datasets[i] for i in m],
                "algorithm": [self.algorithms[i] for i in k],
                "replication": [self.replications[i] for i in b],
                "measure": [self.measures[i].name for i in j],
                "reason": [REASON_NAMES[code] for code in self.reasons[m, b, k, j]],
            }
        )

    def to_long(self) -> pd.DataFrame:
        """One row per value: dataset, algorithm, replication, measure, value, and reason where cells are missing."""
        return to_long(self)

    def to_trials(self) -> pd.DataFrame:
        """One row per trial (data set, replication, algorithm), one column per measure."""
        return to_trials(self)

    def to_wide(self, measure: str | None = None) -> pd.DataFrame:
        """One row per data set and replication, one column per algorithm, of one measure."""
        return to_wide(self if measure is None else self.select(measure=measure))

    def to_array(self) -> LabelledArray:
        """Return the values as a new array, and the labels of its four axes."""
        return to_array(self)

    def to_xarray(self) -> Any:
        """Return the values as an xarray ``DataArray``."""
        return to_xarray(self)

    def to_nested(self) -> dict[str, dict[str, dict[str, dict[Any, float]]]]:
        """Return ``{dataset: {algorithm: {measure: {replication: value}}}}``."""
        return to_nested(self)

    def to_json(self) -> str:
        """Write everything as one JSON document."""
        return json.dumps(to_document(self), allow_nan=False)

    def write(self, path: str | PathLike[str]) -> Path:
        """Write to a ``.csv``, ``.parquet`` or ``.json`` file that `podium.read` reads back as equal results.

        A text file may be compressed: ``scores.csv.gz``.
        """
        path = check_path(path)
        format = file_format(path, "write")
        assert format.write is not None
        with new_file(path) as part:
            format.write(self, part)
        return path

    def __eq__(self, other: object) -> bool:
        """Return whether two results hold the same cells, measures and reasons; the order of labels does not matter."""
        if not isinstance(other, Cube):
            return NotImplemented
        axes: tuple[Axis, ...] = ("dataset", "replication", "algorithm")
        if any(set(axis_labels(self, axis)) != set(axis_labels(other, axis)) for axis in axes):
            return False
        if set(self.measures) != set(other.measures) or set(self.structure) != set(other.structure):
            return False
        one, two = canonical(self), canonical(other)
        return (
            np.array_equal(one.values, two.values, equal_nan=True)
            and np.array_equal(one.reasons, two.reasons)
            and np.array_equal(one.design, two.design)
            and all(np.array_equal(one.structure[name], two.structure[name]) for name in one.structure)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)
