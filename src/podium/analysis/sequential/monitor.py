"""`monitor`: a test on accumulating replications, and the number of replications after which its outcome stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
import pandas as pd

from podium.analysis.adjustment import adjust_pvalues, adjustment_name
from podium.analysis.blocks import VALUE_POLICIES, Blocks, one_dataset, one_measure, to_blocks
from podium.analysis.compare import compare, procedures
from podium.analysis.methods.global_test import GLOBAL_TESTS, GlobalTest
from podium.analysis.methods.pairwise_test import (
    PAIRWISE_TESTS,
    STRUCTURE,
    PairwiseTest,
    Structure,
    per_value,
    tail_of,
)
from podium.analysis.methods.rank_test import refuse_control_test
from podium.analysis.notes import Note, enumerated, format_p
from podium.analysis.omnibus import capitalised
from podium.analysis.pairs import Alternative
from podium.analysis.procedure import Procedure
from podium.analysis.sequential.cumulative_pvalues import accumulating_pvalues, is_updated, point_of_significance
from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import (
    as_list,
    check_alpha,
    check_call,
    check_choice,
    check_count,
    check_keys,
    did_you_mean,
    position,
    random_generator,
    record,
    shown,
)
from podium.errors import InputError, join_names
from podium.results import Results
from podium.results.labels import Label
from podium.results.missing import parse_policy
from podium.typesetting.html import described

_NEED_ALL = ("5x2cv t", "5x2cv F")  # tests that have no outcome on some of their replications
BURN_IN = 3  # replications before the first test, as in section 6.2 of Eugster (2011)
MARGINAL = 0.1  # share of the replications: what holds for less than the last tenth of them is marginal


@record(kw_only=True, eq=False)
class Monitor:
    """P-values of a test on the first b replications of one data set, for every b.

    Attributes
    ----------
    method : str
        Name of the test, as in a sentence of a paper.
    procedure : str
        Its name in the registry.
    pairs : tuple of (str, str)
        The pairs (a, b) that were tested; empty for the global hypothesis.
    algorithms : tuple of str
    dataset, measure : str
    alternative : {"two-sided", "better", "worse"}
        Of a against b.
    adjust : str
        How p-values are adjusted for the number of pairs, at every b.
    alpha : float
    burn_in : int
        Number of replications before the first test.
    labels : tuple
        The replications, in their order.
    series : ndarray of float, shape (P, B)
        P-value of each pair, or of the global hypothesis, after each replication; NaN during the burn-in.
    points : ndarray of float, shape (P,)
        Π, the number of replications from which all p-values are at most alpha; infinite if there is none.
    rearranged : ndarray of float, shape (R, P), or None
        Π in random orders of the replications.
    notes : tuple of Note
    """

    method: str
    procedure: str
    pairs: tuple[tuple[str, str], ...]
    algorithms: tuple[str, ...]
    dataset: str
    measure: str
    alternative: Alternative
    adjust: str
    alpha: float
    burn_in: int
    labels: tuple[Label, ...]
    series: FloatArray
    points: FloatArray
    rearranged: FloatArray | None = None
    notes: tuple[Note, ...] = ()

    @property
    def n(self) -> int:
        """Number of replications."""
        return int(self.series.shape[1])

    @property
    def pvalues(self) -> pd.Series[float] | pd.DataFrame:
        """P-values by number of replications: one series, or one column (a, b) for each of several pairs."""
        index = pd.RangeIndex(1, self.n + 1, name="replications")
        if len(self.series) == 1:
            return pd.Series(self.series[0], index=index, name="pvalue")
        columns = pd.MultiIndex.from_tuples(self.pairs, names=["a", "b"])
        return pd.DataFrame(self.series.T, index=index, columns=columns)

    @property
    def point(self) -> float | pd.Series[float]:
        """Π of the one pair, or of the global hypothesis; of several pairs a series. Infinite where there is none."""
        if len(self.series) == 1:
            return float(self.points[0])
        index = pd.MultiIndex.from_tuples(self.pairs, names=["a", "b"])
        return pd.Series(self.points, index=index, name="point")

    @property
    def significant(self) -> BoolArray:
        """Which are significant after the last replication."""
        return np.isfinite(self.points)

    @property
    def marginal(self) -> BoolArray:
        """Which outcomes changed within the last tenth of the replications: more are needed to rely on them."""
        recent = self.series[:, -max(2, int(np.ceil(MARGINAL * self.n))) :]
        with np.errstate(invalid="ignore"):
            below = recent <= self.alpha
        return np.asarray(below.any(axis=1) & ~below.all(axis=1))

    def frame(self) -> pd.DataFrame:
        """One row per pair: a, b, point, pvalue (the last one), significant, marginal.

        With rearrangements also the quartiles of the point over them, and the share in which there is one.
        """
        a, b = zip(*self.pairs, strict=True) if self.pairs else (("all",), ("all",))
        frame = pd.DataFrame(
            {
                "a": list(a),
                "b": list(b),
                "point": self.points,
                "pvalue": self.series[:, -1],
                "significant": self.significant,
                "marginal": self.marginal,
            }
        )
        if self.rearranged is not None:
            ordered = np.sort(self.rearranged, axis=0)
            for share, name in ((0.25, "point_q1"), (0.5, "point_median"), (0.75, "point_q3")):
                frame[name] = ordered[int(np.ceil(share * len(ordered))) - 1]
        return frame

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        return " ".join(_sentences(self))

    def __str__(self) -> str:
        what = "all algorithms" if not self.pairs else _pair_names(self.pairs)
        found = ", ".join(map(_written, self.points[:6])) + (" …" if len(self.points) > 6 else "")
        infinite = " (∞: not reached)" if np.isinf(self.points[:6]).any() else ""
        return f"{capitalised(self.method)} of {what} on {self.n} accumulating replications: Π = {found}{infinite}"

    def _repr_html_(self) -> str:
        return described(str(self), [("in words", self.text())])


def _written(point: float) -> str:
    return "∞" if np.isinf(point) else f"{point:.0f}"


def _pair_names(pairs: tuple[tuple[str, str], ...]) -> str:
    return f"{pairs[0][0]} and {pairs[0][1]}" if len(pairs) == 1 else f"{len(pairs)} pairs"


def _sentences(found: Monitor) -> list[str]:
    what = "the global hypothesis" if not found.pairs else _pair_names(found.pairs)
    sentences = [
        f"The {found.method} of {what} for {found.measure} was repeated on the first b of {found.n} replications of "
        f"{found.dataset}, for every b after a burn-in of {found.burn_in}."
    ]
    if len(found.points) == 1:
        sentences += _about_one(found)
    else:
        sentences += _about_several(found)
    if found.rearranged is not None:
        sentences.append(_about_orders(found))
    sentences.append(
        f"Looking at every p-value and stopping at the first below {found.alpha:g} would not keep the level: Π "
        "describes, and decides nothing; podium.sequential decides."
    )
    return [*sentences, *map(str, found.notes)]


def _about_one(found: Monitor) -> list[str]:
    final = format_p(float(found.series[0, -1]), found.alpha)
    if np.isinf(found.points[0]):
        sentences = [
            f"The last p-value is above {found.alpha:g} ({final}): no point of consecutive significance is reached."
        ]
    else:
        sentences = [
            f"From replication {found.points[0]:.0f} on all p-values are at most {found.alpha:g} (the last: "
            f"{final}): the "
            "fewer replications it takes, the larger the difference."
        ]
    if found.marginal[0]:
        sentences.append(
            "The outcome is marginal: it changed within the last tenth of the replications, and more are needed."
        )
    return sentences


def _about_several(found: Monitor) -> list[str]:
    shown_ = int(found.significant.sum())
    sentences = [
        f"{shown_} of {len(found.points)} pairs are significant at the end and have a point of consecutive significance"
        + (
            f", from {found.points[found.significant].min():.0f} to {found.points[found.significant].max():.0f}."
            if shown_
            else "."
        )
    ]
    if found.marginal.any():
        names = [f"{a}/{b}" for (a, b), marked in zip(found.pairs, found.marginal, strict=True) if marked]
        sentences.append(
            f"Marginal, because they changed within the last tenth of the replications: {enumerated(names)}."
        )
    return sentences


def _about_orders(found: Monitor) -> str:
    points = np.asarray(found.rearranged)
    if points.shape[1] > 1:
        return f"Each pair was monitored in {len(points)} random orders of the replications, too; see the table."
    ordered = np.sort(points[:, 0])
    low, middle, high = (ordered[int(np.ceil(q * len(ordered))) - 1] for q in (0.25, 0.5, 0.75))
    return (
        f"In {len(points)} random orders of the same replications the median of Π is {_written(middle)}, and "
        "the "
        f"quartiles are {_written(low)} and {_written(high)}."
    )


@check_call
def monitor(
    results: Results,
    measure: str | None = None,
    *,
    pair: tuple[str, str] | None = None,
    method: str | Procedure | GlobalTest = "wilcoxon",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    adjust: str = "holm",
    burn_in: int = BURN_IN,
    rearrangements: int = 0,
    seed: int = 0,
    missing: str = "raise",
    **options: Any,
) -> Monitor:
    """Repeat a test on accumulating replications of one data set, and find when its outcome stops changing.

    The point of consecutive significance Π is the number of replications from which every p-value, up to the last, is
    at most alpha. It shows how large a difference is, and whether the number of replications was sufficient. It is not
    a stopping rule.

    Parameters
    ----------
    results : Results
        Of one data set; the replications in their order.
    measure : str, optional
        The measure, where there are several.
    pair : (str, str), optional
        The two algorithms a and b; by default all pairs.
    method : str, Procedure or GlobalTest, default "wilcoxon"
        A test of pairs, ``"wilcoxon"``, ``"sign"``, ``"t"``, ``"corrected t"``, …; of the global hypothesis,
        ``"friedman"``, ``"iman_davenport"``, ``"cochran_q"``, …; or another procedure of `compare`, ``"nemenyi"``,
        ``"mixed"``, …, with its own adjustment for all pairs.
    alternative : {"two-sided", "better", "worse"}
        Of the pair: whether a is better (or worse) than b. Choose before you see the results.
    alpha : float, default 0.05
    adjust : str, default "holm"
        Adjustment for the number of pairs, at every replication.
    burn_in : int, default 3
        Number of replications before the first test.
    rearrangements : int, default 0
        Number of random orders of the replications in which Π is found, too.
    seed : int, default 0
        Of the random orders.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value"}
        Policy for missing cells.
    **options
        Those of the method.

    Returns
    -------
    Monitor
        ``pvalues`` by number of replications, ``point``.

    Examples
    --------
    >>> import podium
    >>> error = podium.examples.load_pima()
    >>> found = podium.monitor(error, pair=("lda", "svm1"), method="wilcoxon")
    >>> found.point, found.pvalues.iloc[-1] < 0.001
    (22.0, np.True_)
    >>> podium.monitor(error, pair=("svm1", "svm2")).point
    inf
    """
    check_alpha(alpha)
    check_choice(alternative, get_args(Alternative), "alternative")
    check_count(burn_in, "burn_in", least=1)
    check_count(rearrangements, "rearrangements", least=0)
    adjustment_name(adjust)
    chosen = one_dataset(one_measure(results, measure), "Monitoring")
    blocks = to_blocks(chosen, missing=missing, allowed=VALUE_POLICIES)
    if burn_in > blocks.n:
        raise InputError(f"`burn_in` must be at most {blocks.n}, the number of replications; got {burn_in}.")
    test = find_test(method)
    refuse_control_test(test)
    if test.name in _NEED_ALL:
        raise InputError(
            f"`method={test.name!r}` needs all replications of a 5×2 cross-validation, and monitoring repeats a test "
            "on the first of them. Use method='corrected t'."
        )
    own = not isinstance(test, GlobalTest | PairwiseTest)  # a procedure that adjusts its p-values itself
    if isinstance(test, GlobalTest):
        _refuse_pairs(test, pair, alternative)
        first = second = np.zeros(0, np.intp)
    elif own and alternative != "two-sided":
        raise InputError(
            f"`method={test.name!r}` compares all algorithms at once and has no direction; `alternative` is for tests "
            "of pairs, such as 'wilcoxon'."
        )
    else:
        first, second = pair_positions(blocks, pair)
        if alternative != "two-sided" and pair is None:
            raise InputError(
                f"`alternative={alternative!r}` needs a pair: among all pairs no direction can be fixed before the "
                f"results are seen. Name one: pair={blocks.algorithms[:2]!r}.",
                remedy={"pair": blocks.algorithms[:2]},
            )
    rng = random_generator(seed)
    order = np.arange(blocks.n)
    orders = [order] + [rng.permutation(blocks.n) for _ in range(rearrangements)]
    if own:
        assert isinstance(test, Procedure)
        test.check_options(options, procedures().values())
        whole = chosen.resolve_missing(parse_policy(missing, allowed=VALUE_POLICIES))
        adjusted = [_compared(whole, blocks, test, first, second, burn_in + 1, o, options) for o in orders]
    else:
        runs = _series_of_orders(blocks, test, first, second, alternative, burn_in + 1, orders, options)
        adjusted = [_adjusted(run, adjust) for run in runs]
    points = np.stack([point_of_significance(run, alpha) for run in adjusted])
    names = blocks.algorithms
    return Monitor(
        method=test.title,
        procedure=test.name,
        pairs=tuple((names[i], names[j]) for i, j in zip(first, second, strict=True)),
        algorithms=names,
        dataset=chosen.datasets[0],
        measure=blocks.measure.name,
        alternative=alternative,
        adjust=adjust if len(first) > 1 and not own else "none",
        alpha=alpha,
        burn_in=burn_in,
        labels=blocks.labels,
        series=adjusted[0],
        points=points[0],
        rearranged=points[1:] if rearrangements else None,
        notes=_notes(test, blocks),
    )


def find_test(method: object) -> Procedure | GlobalTest:
    """Look a test up by name: of pairs, of the global hypothesis, or any other procedure of `compare`."""
    if isinstance(method, Procedure | GlobalTest):
        return method
    known: Mapping[str, Procedure | GlobalTest] = {**procedures(), **GLOBAL_TESTS, **PAIRWISE_TESTS}
    if isinstance(method, str) and method in known:
        return known[method]
    raise InputError(
        f"`method` must be one of {join_names(known, most=30)}; got {shown(method)}.{did_you_mean(method, known)}"
    )


def pair_positions(blocks: Blocks, pair: object) -> tuple[IntArray, IntArray]:
    """Positions of a named pair, or of all pairs."""
    if pair is None:
        return blocks.pairs(None)
    names = as_list(pair, "pair", f"two algorithms, such as pair={blocks.algorithms[:2]!r}")
    at = [position(blocks.algorithms, name, "pair", "name two of the algorithms") for name in names]
    if len(at) != 2 or at[0] == at[1]:
        raise InputError(f"`pair` must be two different algorithms; got {shown(pair)}.")
    a, b = at
    return np.array([a], np.intp), np.array([b], np.intp)


def _refuse_pairs(test: GlobalTest, pair: object, alternative: str) -> None:
    if pair is not None or alternative != "two-sided":
        what = "pair" if pair is not None else "alternative"
        raise InputError(
            f"`method={test.name!r}` tests all algorithms at once; `{what}` is for tests of pairs, such as 'wilcoxon'."
        )


def _compared(
    results: Results,
    blocks: Blocks,
    test: Procedure | GlobalTest,
    first: IntArray,
    second: IntArray,
    start: int,
    order: IntArray,
    options: Mapping[str, Any],
) -> FloatArray:
    """Adjusted p-values of a procedure of `compare` on the first replications of an order, shape (P, B)."""
    found = np.full((len(first), len(order)), np.nan)
    labels = list(results.replications)
    for b in range(max(start, 2), len(order) + 1):
        part = results.select(replications=[labels[i] for i in sorted(order[:b])])
        comparison = compare(part, method=test, **options)  # type: ignore[arg-type]
        rows = {frozenset(pair): h for h, pair in enumerate(zip(comparison.first, comparison.second, strict=True))}
        at = [comparison.algorithms.index(name) for name in blocks.algorithms]
        found[:, b - 1] = [
            comparison.adjusted[rows[frozenset((at[i], at[j]))]] for i, j in zip(first, second, strict=True)
        ]
    return found


def _series_of_orders(
    blocks: Blocks,
    test: Procedure | GlobalTest,
    first: IntArray,
    second: IntArray,
    alternative: Alternative,
    start: int,
    orders: Sequence[IntArray],
    options: Mapping[str, Any],
) -> list[FloatArray]:
    """P-values in each order of the replications; where only differences count, of all orders at once."""
    if not isinstance(test, PairwiseTest) or not is_updated(test, options):
        return [_series(blocks, test, first, second, alternative, start, order, options) for order in orders]
    differences = blocks.differences(first, second)
    stacked = np.concatenate([differences[:, order] for order in orders])
    tail = tail_of(alternative, blocks.measure.sign)
    found = accumulating_pvalues(stacked, test, tail, Structure(), max(start, 2), {})
    return np.split(found, len(orders))


def _series(
    blocks: Blocks,
    test: Procedure | GlobalTest,
    first: IntArray,
    second: IntArray,
    alternative: Alternative,
    start: int,
    order: IntArray,
    options: Mapping[str, Any],
) -> FloatArray:
    """P-values in one order of the replications, shape (P, B)."""
    if isinstance(test, GlobalTest):
        check_keys(options, test.options, f"The {test.title}", "option")
        costs = blocks.costs[order]
        found = np.full((1, len(order)), np.nan)
        for b in range(max(start, 2), len(order) + 1):
            found[0, b - 1] = test.function(costs[:b], **options).pvalue
        return found
    assert isinstance(test, PairwiseTest)
    test.check_options(options, PAIRWISE_TESTS.values())
    given = {name: per_value(name, options.get(name), blocks.n) for name in STRUCTURE}
    known = {**blocks.structure, **{name: array for name, array in given.items() if array is not None}}
    structure = Structure.of({name: array[order] for name, array in known.items()})
    differences = blocks.differences(first, second)[:, order]
    own = {name: value for name, value in options.items() if name not in STRUCTURE}
    return accumulating_pvalues(
        differences, test, tail_of(alternative, blocks.measure.sign), structure, max(start, 2), own
    )


def _adjusted(series: FloatArray, adjust: str) -> FloatArray:
    """P-values adjusted for the number of pairs at every replication."""
    if len(series) < 2 or adjust == "none":
        return series
    found = series.copy()
    for b in np.flatnonzero(~np.isnan(series).any(axis=0)):
        found[:, b] = adjust_pvalues(series[:, b], adjust)
    return found


def _notes(test: Procedure | GlobalTest, blocks: Blocks) -> tuple[Note, ...]:
    structure = Structure.of(blocks.structure)
    independent = not isinstance(test, Procedure) or test.independent
    if independent and not structure.drawn_afresh:
        return (Note("overlap", test=test.title, known=structure.knows_overlap), *blocks.notes)
    return blocks.notes
