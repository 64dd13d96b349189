"""`PairedComparisons`: which object won against which, one row per subject (a data set, a replication, a match)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from scipy.stats import binom

from podium.analysis.blocks import one_measure
from podium.analysis.relation.estimates import check_algorithms
from podium.arrays import FloatArray, IntArray
from podium.checks import (
    as_numbers,
    check_epsilon,
    check_probability,
    expect,
    is_number,
    record,
    shown,
)
from podium.errors import AmbiguousInputError, InputError, LabelError, join_names, plural
from podium.results import Results
from podium.results.ranks import ROUNDING
from podium.typesetting.html import described

WIN, LOSS, TIE = 0, 1, 2  # of the first object of a pair


@record(eq=False, repr=False, kw_only=True)
class PairedComparisons:
    """Outcomes of comparisons of two objects, grouped by subject.

    Attributes
    ----------
    objects : tuple of str
        What is compared: algorithms, players, models.
    first, second : ndarray of int
        The pairs, by position in `objects`; the order matters only for an effect of order.
    row, pair, outcome : ndarray of int
        One entry per comparison: its subject, its pair, and which won (0 the first, 1 the second, 2 neither).
    weight : ndarray of float
        How often the comparison counts.
    rows : int
        Number of subjects.
    ties : bool
        Whether a tie is a possible outcome.
    dataset : tuple of str
        The data set of each subject, where known; empty otherwise.
    subjects : tuple
        Labels of the subjects; empty if they have none.

    Examples
    --------
    >>> import podium
    >>> errors = podium.examples.load_demsar2006()
    >>> podium.PairedComparisons.from_results(errors).totals().loc["C4.5+m+cf", "wins"]
    np.float64(26.0)
    """

    _made_from: ClassVar = (
        (Results, "Use podium.PairedComparisons.from_results(results)."),
        (pd.DataFrame, "Use podium.PairedComparisons.from_frame(frame), or from_duels(frame)."),
        (object, "Create one with podium.PairedComparisons.from_results, from_frame or from_duels."),
    )

    objects: tuple[str, ...]
    first: IntArray
    second: IntArray
    row: IntArray
    pair: IntArray
    outcome: IntArray
    weight: FloatArray
    rows: int
    ties: bool
    dataset: tuple[str, ...] = ()
    subjects: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        check_algorithms(self.objects)
        if len(self.objects) < 2:
            raise InputError(f"A comparison needs two objects; there is only {join_names(self.objects)}.")
        if len(self.outcome) == 0:
            raise InputError("There is no comparison at all: every cell is missing.")
        sizes = {len(self.row), len(self.pair), len(self.outcome), len(self.weight)}
        if len(sizes) > 1:
            raise InputError("`row`, `pair`, `outcome` and `weight` must have one entry per comparison.")

    # How they are made

    @classmethod
    def from_results(
        cls, results: Results, measure: str | None = None, *, epsilon: float = 0.0, missing: str = "available"
    ) -> Self:
        """Compare each pair of algorithms on each replication of each data set.

        Parameters
        ----------
        results : Results
        measure : str, optional
            The measure, where there are several.
        epsilon : float, default 0
            Values that differ by no more than this are ties, in the units of the measure.
        missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-value"}
            Policy for missing cells; with ``"available"`` they are comparisons that were not made.
        """
        epsilon = check_epsilon(epsilon)
        one = one_measure(expect(results, Results, "results"), measure).resolve_missing(missing)
        if one.reports[-1].absent:
            one = one.drop(algorithms=[name for name, _ in one.reports[-1].absent])
        m, b = np.nonzero(one.design)
        costs = one.values[m, b, :, 0] * one.measures[0].sign
        first, second = pair_positions(len(one.algorithms))
        gap = costs[:, second] - costs[:, first]
        slack = epsilon + ROUNDING * np.maximum(np.abs(costs[:, first]), np.abs(costs[:, second]))
        outcome = np.where(gap > slack, WIN, np.where(gap < -slack, LOSS, TIE))
        row, pair = np.nonzero(~np.isnan(gap))
        known = outcome[row, pair]
        return cls(
            objects=one.algorithms,
            first=first,
            second=second,
            row=row,
            pair=pair,
            outcome=known,
            weight=np.ones(len(row)),
            rows=len(m),
            ties=bool((known == TIE).any()),
            dataset=tuple(one.datasets[i] for i in m),
            subjects=tuple((one.datasets[i], one.replications[j]) for i, j in zip(m, b, strict=True)),
        )

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, *, separator: str = ":") -> Self:
        """Read one row per subject and one column ``"a:b"`` per pair.

        The values are 1 where a is better, -1 where b is, 0 for a tie, and missing where they were not compared.
        Columns without the separator are ignored; they may be covariates.

        Parameters
        ----------
        frame : DataFrame
        separator : str, default ":"
            What stands between the two names.
        """
        expect(frame, pd.DataFrame, "frame")
        if not isinstance(separator, str) or not separator:
            raise InputError(f"`separator` must be the text between two names, such as ':'; got {shown(separator)}.")
        columns = [name for name in frame.columns if isinstance(name, str) and name.count(separator) == 1]
        if not columns:
            raise InputError(
                f"`frame` must have a column 'a{separator}b' for each pair; its columns are "
                f"{join_names([str(name) for name in frame.columns], most=8)}. For one row per comparison use "
                "from_duels."
            )
        sides = [tuple(side.strip() for side in name.split(separator)) for name in columns]
        objects = tuple(dict.fromkeys(side for both in sides for side in both))
        seen: dict[frozenset[str], str] = {}
        for name, both in zip(columns, sides, strict=True):
            if both[0] == both[1] or not all(both):
                raise InputError(f"Column {name!r} must name two different objects.")
            if frozenset(both) in seen:
                raise LabelError(f"Columns {seen[frozenset(both)]!r} and {name!r} compare the same two objects.")
            seen[frozenset(both)] = name
        try:
            values = as_numbers(frame[columns].to_numpy(dtype=float, na_value=np.nan), "frame")
        except (TypeError, ValueError, OverflowError):
            values = None
        if values is None or any(pd.api.types.is_bool_dtype(frame[name].dtype) for name in columns):
            raise InputError(
                "`frame` must hold 1 (the first is better), -1 (the second is), 0 (a tie) or nothing in the columns "
                f"{join_names(columns, most=6)}; some hold text or booleans."
            )
        odd = np.unique(values[~np.isnan(values) & ~np.isin(values, (-1.0, 0.0, 1.0))])
        if len(odd):
            raise InputError(
                "`frame` must hold 1 (the first is better), -1 (the second is), 0 (a tie) or nothing; got "
                f"{join_names([f'{value:g}' for value in odd], quote=False)}."
            )
        row, pair = np.nonzero(~np.isnan(values))
        code = {1.0: WIN, -1.0: LOSS, 0.0: TIE}
        outcome = np.array([code[value] for value in values[row, pair].tolist()], np.intp)
        place = {name: i for i, name in enumerate(objects)}
        return cls(
            objects=objects,
            first=np.array([place[a] for a, _ in sides]),
            second=np.array([place[b] for _, b in sides]),
            row=row,
            pair=pair,
            outcome=outcome,
            weight=np.ones(len(row)),
            rows=len(frame),
            ties=bool((outcome == TIE).any()),
            subjects=tuple(frame.index.tolist()),
        )

    @classmethod
    def from_duels(
        cls,
        frame: pd.DataFrame,
        *,
        a: str = "a",
        b: str = "b",
        outcome: str = "outcome",
        weights: str | None = None,
        cluster: str | None = None,
        outcomes: Mapping[Any, int] | None = None,
    ) -> Self:
        """Read one row per comparison: two names, and which won.

        Each row is a separate subject, unless `cluster` says who judged it.

        Parameters
        ----------
        frame : DataFrame
        a, b : str
            Columns of the two names.
        outcome : str, default "outcome"
            Column of the outcome: 1 (or ``"a"``, ``"win"``) if a won, -1 (``"b"``, ``"loss"``) if b did, 0 (``"tie"``,
            ``"draw"``) for a tie; or the name of the winner, or of its column. Missing: not decided, and left out.
        weights : str, optional
            Column of how often each row counts.
        cluster : str, optional
            Column of who judged. All comparisons of one user are one subject then, and `BradleyTerry.compare` does not
            treat them as independent: users have preferences of their own.
        outcomes : mapping, optional
            Other words for the outcomes, to 1, -1 or 0.

        Examples
        --------
        >>> import pandas as pd
        >>> import podium
        >>> duels = pd.DataFrame({"a": ["x", "y", "x"], "b": ["y", "z", "z"], "outcome": ["x", "tie", "x"]})
        >>> podium.PairedComparisons.from_duels(duels).totals()["wins"].to_dict()
        {'x': 2.0, 'y': 0.0, 'z': 0.0}
        """
        expect(frame, pd.DataFrame, "frame")
        named_columns: dict[str, Any] = {
            "a": a,
            "b": b,
            "outcome": outcome,
            **({} if weights is None else {"weights": weights}),
            **({} if cluster is None else {"cluster": cluster}),
        }
        for argument, column in named_columns.items():
            if not isinstance(column, str | int) or isinstance(column, bool):
                raise InputError(f"`{argument}` must be the name of a column; got {shown(column)}.")
            if sum(name == column for name in frame.columns) > 1:
                raise LabelError(f"`frame` has the column {shown(column)} twice. Rename or remove one of them.")
            if column not in frame.columns:
                raise LabelError(
                    f"`{argument}` names the column {shown(column)}; the columns are "
                    f"{join_names([str(name) for name in frame.columns], most=12)}."
                )
        if not len(frame):
            raise InputError("There is no comparison at all: `frame` has no rows.")
        one, two, names = _named_sides(frame[a], frame[b])
        same = np.flatnonzero(one == two)
        if len(same):
            raise InputError(f"Row {same[0]} compares {names[one[same[0]]]!r} with itself.")
        found = _outcomes(frame[outcome], one, two, names, {**_WORDS, a: WIN, b: LOSS}, outcomes)
        weight = np.ones(len(frame)) if weights is None else as_numbers(frame[weights].to_numpy(), "weights")
        if not (np.isfinite(weight) & (weight >= 0)).all():
            raise InputError("`weights` must be finite numbers of at least 0.")
        subjects: tuple[Any, ...] = tuple(frame.index.tolist()) if len(frame) <= 100_000 else ()
        subject, rows = np.arange(len(frame)), len(frame)
        if cluster is not None:
            subject, judges = pd.factorize(frame[cluster])
            if (subject < 0).any():
                raise InputError(
                    f"`cluster`: column {cluster!r} must say who judged in every row; row {int(np.argmin(subject))} "
                    "has no value."
                )
            subjects, rows = tuple(judges.tolist()), len(judges)
        there = found >= 0
        keys, pair = _distinct(one[there] * len(names) + two[there], len(names) ** 2)
        return cls(
            objects=names,
            first=keys // len(names),
            second=keys % len(names),
            row=subject[there],
            pair=pair,
            outcome=found[there],
            weight=weight[there],
            rows=rows,
            ties=bool((found == TIE).any()),
            subjects=subjects,
        )

    @classmethod
    def from_predictions(cls, frame: pd.DataFrame, *, alpha: float = 0.05) -> Self:
        """Compare each pair of algorithms by a test on each test sample; what is not significant is a tie.

        On each observation, one of the two may be nearer to the truth: it is right where the other is wrong, or its
        number is closer. The exact sign test of these observations, without those where the two are equal, decides; for
        classes it is McNemar's test.

        Parameters
        ----------
        frame : DataFrame
            What `Warehouse.predictions` returns: columns ``dataset``, ``replication``, ``algorithm``, ``row``,
            ``truth`` and ``prediction``.
        alpha : float, default 0.05
            Level of each test.

        References
        ----------
        Q. McNemar (1947). Note on the sampling error of the difference between correlated proportions or percentages.
        Psychometrika 12, 153–157.

        Examples
        --------
        >>> import podium
        >>> experiment = podium.Experiment(
        ...     "iris", ["lda", "constant"], podium.Bootstrap(replications=3), "misclassification", keep="predictions"
        ... )
        >>> with podium.Warehouse(":memory:") as warehouse:
        ...     _ = podium.run(experiment, warehouse, executor="threads", workers=1, progress="quiet")
        ...     table = warehouse.predictions()
        >>> podium.PairedComparisons.from_predictions(table).totals().loc["lda", "wins"]
        np.float64(3.0)
        """
        expect(frame, pd.DataFrame, "frame")
        check_probability(alpha, "alpha")
        needed = ("dataset", "replication", "algorithm", "row", "truth", "prediction")
        lacking = [name for name in needed if name not in frame.columns]
        if lacking:
            raise LabelError(
                f"`frame` must have the columns that Warehouse.predictions has; it lacks {join_names(lacking)}."
            )
        keys = ["dataset", "replication", "row"]
        if frame.duplicated([*keys, "algorithm"]).any():  # observations that a sample has several times
            copy = frame.groupby([*keys, "algorithm"], sort=False).cumcount()
            frame, keys = frame.assign(copy=copy), [*keys, "copy"]
        if all(pd.api.types.is_numeric_dtype(frame[name].dtype) for name in ("truth", "prediction")):
            loss = (frame["truth"] - frame["prediction"]).abs().astype(float)
        else:
            loss = (frame["truth"].astype(str) != frame["prediction"].astype(str)).astype(float)
        table = frame.assign(loss=loss).pivot(index=keys, columns="algorithm", values="loss")
        objects = tuple(str(name) for name in dict.fromkeys(frame["algorithm"]))
        values = table[list(dict.fromkeys(frame["algorithm"]))].to_numpy()
        samples = list(zip(table.index.get_level_values(0), table.index.get_level_values(1), strict=True))
        place, subjects = pd.factorize(pd.Series(samples, dtype=object))
        first, second = pair_positions(len(objects))
        n = len(subjects)
        gap = values[:, second] - values[:, first]
        wins, losses, met = (
            np.stack([np.bincount(place, column, n) for column in part.astype(float).T], axis=1)
            for part in (gap > 0, gap < 0, ~np.isnan(gap))
        )
        pvalue = np.minimum(1.0, 2 * binom.cdf(np.minimum(wins, losses), wins + losses, 0.5))
        outcome = np.where(pvalue > alpha, TIE, np.where(wins > losses, WIN, LOSS))
        row, pair = np.nonzero(met > 0)
        return cls(
            objects=objects,
            first=first,
            second=second,
            row=row,
            pair=pair,
            outcome=outcome[row, pair],
            weight=np.ones(len(row)),
            rows=n,
            ties=bool((outcome[row, pair] == TIE).any()),
            dataset=tuple(str(name) for name, _ in subjects),
            subjects=tuple(subjects),
        )

    # What they say

    @cached_property
    def counts(self) -> FloatArray:
        """How often each pair had each outcome, as a pairs × 3 array: first, second, tie."""
        flat = np.bincount(self.pair * 3 + self.outcome, self.weight, minlength=3 * len(self.first))
        return flat.reshape(-1, 3).astype(np.float64)

    def unordered(self) -> Self:
        """Return the same comparisons with (a, b) and (b, a) as one pair, where both occur."""
        k = len(self.objects)
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        keys, place = np.unique(low * k + high, return_inverse=True)
        if len(keys) == len(self.first):
            return self
        turned = (self.first > self.second)[self.pair]
        outcome = np.where(turned, np.array([LOSS, WIN, TIE])[self.outcome], self.outcome)
        return replace(self, first=keys // k, second=keys % k, pair=place[self.pair], outcome=outcome)

    def totals(self) -> pd.DataFrame:
        """Wins, losses, ties and comparisons of each object."""
        k = len(self.objects)
        count = self.counts
        wins = np.bincount(self.first, count[:, 0], k) + np.bincount(self.second, count[:, 1], k)
        losses = np.bincount(self.first, count[:, 1], k) + np.bincount(self.second, count[:, 0], k)
        ties = np.bincount(self.first, count[:, 2], k) + np.bincount(self.second, count[:, 2], k)
        frame = pd.DataFrame({"wins": wins, "losses": losses, "ties": ties}, index=list(self.objects))
        return frame.assign(comparisons=frame.sum(axis=1))

    def take(self, rows: Sequence[int] | IntArray) -> Self:
        """Keep some of the subjects, by position, in the order given."""
        try:
            given = np.asarray(rows)
        except ValueError:  # lists of different lengths
            given = np.asarray(None)
        if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
            raise InputError(f"`rows` must be positions of subjects; got {shown(rows)}.")
        rows = given.astype(np.intp)
        if not set(rows.tolist()) <= set(range(self.rows)) or len(set(rows.tolist())) < len(rows):
            raise InputError(
                f"`rows` must be different positions from 0 to {self.rows - 1}; got {shown(rows.tolist())}."
            )
        place = np.full(self.rows, -1)
        place[rows] = np.arange(len(rows))
        kept = place[self.row] >= 0
        return replace(
            self,
            row=place[self.row[kept]],
            pair=self.pair[kept],
            outcome=self.outcome[kept],
            weight=self.weight[kept],
            rows=len(rows),
            dataset=tuple(self.dataset[i] for i in rows) if self.dataset else (),
            subjects=tuple(self.subjects[i] for i in rows) if self.subjects else (),
        )

    def frame(self) -> pd.DataFrame:
        """One row per subject, one column per pair: 1, -1, 0 or missing; the reverse of `from_frame`."""
        if len(np.unique(self.row * len(self.first) + self.pair)) < len(self.row):
            raise InputError(
                "A frame has one value for each subject and pair; a subject compared a pair several times."
            )
        values = np.full((self.rows, len(self.first)), np.nan)
        values[self.row, self.pair] = np.array([1.0, -1.0, 0.0])[self.outcome]
        names = [f"{self.objects[i]}:{self.objects[j]}" for i, j in zip(self.first, self.second, strict=True)]
        index = pd.RangeIndex(self.rows)
        return pd.DataFrame(values, columns=names, index=index)

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        tied = self.counts[:, 2].sum() / self.counts.sum()
        return (
            f"<PairedComparisons of {len(self.objects)} objects: {plural(self.rows, 'subject')}, "
            f"{plural(len(self.outcome), 'comparison')}, {tied:.0%} ties>"
        )

    def _repr_html_(self) -> str:
        won, lost, tied = (int(count) for count in self.counts.sum(axis=0))
        facts = [("objects", ", ".join(self.objects)), ("subjects", f"{self.rows:,}")]
        facts += [
            ("comparisons", f"{len(self.outcome):,}"),
            ("ties", f"{tied / max(won + lost + tied, 1):.0%}"),
        ]
        return described("Paired comparisons", facts)


def pair_positions(k: int) -> tuple[IntArray, IntArray]:
    """All pairs of k objects, in the order (0, 1), (0, 2), (1, 2), (0, 3), ..."""
    second, first = np.tril_indices(k, -1)
    return first, second


def _distinct(keys: IntArray, most: int) -> tuple[IntArray, IntArray]:
    """Return the different keys in order, and the place of each key among them; without sorting where they are few."""
    if most > max(4 * len(keys), 10**7):
        found, place = np.unique(keys, return_inverse=True)
        return found, place
    occurs = np.zeros(most, bool)
    occurs[keys] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[keys]


_WORDS = {"a": WIN, "win": WIN, "b": LOSS, "loss": LOSS, "tie": TIE, "draw": TIE}


def _named_sides(a: pd.Series[Any], b: pd.Series[Any]) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Positions of the names of both sides among all names, which are sorted."""
    places, labels = [], []
    for side in (a, b):
        codes, unique = pd.factorize(side)
        if (codes < 0).any():
            raise InputError(
                f"Column {side.name!r} must name an object in every row; row {int(np.argmin(codes))} has none."
            )
        places.append(codes)
        labels.append([str(name) for name in unique])
    names = sorted({name for known in labels for name in known})
    place = {name: i for i, name in enumerate(names)}
    one, two = (np.array([place[name] for name in known])[codes] for known, codes in zip(labels, places, strict=True))
    return one, two, tuple(names)


def _outcomes(
    column: pd.Series[Any],
    one: IntArray,
    two: IntArray,
    names: Sequence[str],
    words: Mapping[str, int],
    given: Mapping[Any, int] | None,
) -> IntArray:
    """Outcome of each duel; -1 where it is missing."""
    signs = {1: WIN, -1: LOSS, 0: TIE}
    by_word, by_name = np.full(len(column), -2), np.full(len(column), -2)
    values, lost = column.to_numpy(), pd.isna(column).to_numpy()
    if given is not None:
        if not isinstance(given, Mapping):
            raise InputError(
                f"`outcomes` must be a mapping from words to 1, -1 or 0, such as {{'home': 1}}; got {shown(given)}."
            )
        wrong = [word for word, sign in given.items() if not is_number(sign) or sign not in signs]
        if wrong:
            raise InputError(f"`outcomes` must map to 1, -1 or 0; {join_names(wrong)} does not.")
        words = {str(word): signs[sign] for word, sign in given.items()}
    text = None
    if given is None and np.issubdtype(values.dtype, np.number) and np.isin(values[~lost], tuple(signs)).all():
        for sign, code in signs.items():
            by_word[values == sign] = code
    elif given is None and np.issubdtype(values.dtype, np.number):  # names that are numbers
        text = np.array([f"{value:.17g}" for value in values], object)
    else:
        text = column.astype(str).to_numpy()
        if given is None:
            words = {**words, "1": WIN, "-1": LOSS, "0": TIE}
        for word, code in words.items():
            by_word[text == word] = code
    if given is None and text is not None:
        known = np.array(names, object)
        by_name[text == known[one]] = WIN
        by_name[text == known[two]] = LOSS
        unclear = np.flatnonzero((by_word >= 0) & (by_name >= 0) & (by_word != by_name) & ~lost)
        if len(unclear):
            at = unclear[0]
            raise AmbiguousInputError(
                f"Row {at} compares {known[one[at]]!r} with {known[two[at]]!r}, and its outcome {shown(values[at])} "
                "may be a name or a word for the side that won. Rename the object."
            )
    found = np.where(by_name >= 0, by_name, by_word)
    found[lost] = -1
    unknown = sorted({str(value) for value in values[found == -2]})
    if unknown:
        raise InputError(
            f"`outcome` has the values {join_names(unknown, most=6)}; expected 1, -1, 0, 'a', 'b', 'tie', or the name "
            "of the winner. Other words: outcomes={'word': 1, ...}."
        )
    return found
