"""`PairwiseTest`: tests of two algorithms by paired differences; from results to a `Comparison`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property, wraps
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.blocks import PAIR_POLICIES, Blocks, Unit
from podium.analysis.comparison import Comparison
from podium.analysis.methods.equivalence import bound_alpha, compatible_bounds, interval_alpha, mean_equivalence
from podium.analysis.methods.omnibus.friedman import FRIEDMAN
from podium.analysis.methods.permutation import ordered_rows
from podium.analysis.methods.ranks import Tail
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.analysis.pairs import Estimand, both_ways
from podium.analysis.procedure import Procedure, Request, adjustment_notes, check_adjust
from podium.arrays import AnyArray, BoolArray, FloatArray, Int64Array, IntArray
from podium.checks import check_mapping, record, shown
from podium.errors import InputError, join_names
from podium.registry import Registry

STRUCTURE = ("repeat", "fold", "n_learn", "n_test")


@record(slots=True, kw_only=True)
class Structure:
    """What is known about the replications behind paired values, one entry per value; None where unknown.

    Attributes
    ----------
    repeat, fold : ndarray of int or None
        Which repeat and which fold of a (repeated) cross-validation.
    n_learn, n_test : ndarray of int or None
        Sizes of the learning and of the test sample.
    independent : ndarray of int or None
        1 where the samples were drawn afresh, and share no example with those of other replications.
    """

    repeat: Int64Array | None = None
    fold: Int64Array | None = None
    n_learn: Int64Array | None = None
    n_test: Int64Array | None = None
    independent: Int64Array | None = None

    @property
    def drawn_afresh(self) -> bool:
        """Whether replications are known to be independent of each other."""
        return self.independent is not None and bool((self.independent == 1).all())

    @property
    def knows_overlap(self) -> bool:
        """Whether it is known how much learning samples overlap: by their sizes, or by the number of folds."""
        if self.n_learn is not None and self.n_test is not None:
            return True
        return self.folds > 1

    @property
    def folds(self) -> int:
        """Number of folds of a cross-validation, 0 if it is not known; repeats may count anew or go on."""
        if self.fold is None:
            return 0
        repeat = np.zeros(len(self.fold)) if self.repeat is None else self.repeat
        return max(len(np.unique(self.fold[repeat == one])) for one in np.unique(repeat))

    @classmethod
    def of(cls, known: Mapping[str, Int64Array]) -> Self:
        """Take what a `Results` contains; a field with an unknown entry (-1) counts as unknown."""
        check_mapping(known, "`known`")
        taken = {name: known[name] for name in cls.__dataclass_fields__ if name in known}
        return cls(**{name: array for name, array in taken.items() if array.size and (array >= 0).all()})

    def take(self, kept: BoolArray) -> Structure:
        """Keep the entries of some values."""
        known = {f.name: getattr(self, f.name) for f in fields(self)}
        return Structure(**{name: None if array is None else array[kept] for name, array in known.items()})


@record(slots=True, kw_only=True)
class PairOutcome:
    """Outcome of one test for P pairs; all arrays have P entries, and differences are a - b.

    Attributes
    ----------
    estimate : ndarray
        Estimated difference; where it is not 0, its sign is the direction of the test.
    statistic : ndarray
        Of the same sign as the estimate, if it is `signed`.
    less, greater, two_sided : ndarray
        P-values against a < b, a > b and a ≠ b.
    lower, upper : ndarray
        Interval of the difference, in the units of the values, with confidence 1 - alpha; NaN if none was requested.
    df : ndarray or None
        Degrees of freedom.
    estimand : str
        What is estimated, where it is not what the test usually estimates.
    in_units : bool
        Whether the estimate is in the units of the values; the interval always is.
    signed : bool
        Whether the statistic has a sign.
    details : mapping
        What else the test computed: arrays with P entries, and facts.
    notes : tuple of Note
    """

    estimate: FloatArray
    statistic: FloatArray
    less: FloatArray
    greater: FloatArray
    two_sided: FloatArray
    lower: FloatArray
    upper: FloatArray
    df: FloatArray | None = None
    estimand: str = ""
    in_units: bool = True
    signed: bool = True
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def pvalue(self, tail: Tail) -> FloatArray:
        """P-values against one sign of a - b, or against both."""
        return {"two-sided": self.two_sided, "less": self.less, "greater": self.greater}[tail]

    def turn(self, side: FloatArray) -> PairOutcome:
        """Exchange a and b in the pairs with the sign -1, and treat them alike in those with 0; the details stay."""

        def sided(kept: FloatArray, turned: FloatArray) -> FloatArray:
            return np.where(side > 0, kept, np.where(side < 0, turned, (kept + turned) / 2))

        return replace(
            self,
            estimate=side * self.estimate + 0.0,  # no -0
            statistic=side * self.statistic + 0.0 if self.signed else self.statistic,
            less=sided(self.less, self.greater),
            greater=sided(self.greater, self.less),
            lower=sided(self.lower, 0.0 - self.upper),
            upper=sided(self.upper, 0.0 - self.lower),
        )

    @classmethod
    def concatenate(cls, parts: Sequence[PairOutcome]) -> PairOutcome:
        """Concatenate the outcomes of several batches of pairs."""
        if not isinstance(parts, Sequence) or not parts or not all(isinstance(part, PairOutcome) for part in parts):
            raise InputError(f"`parts` must be one PairOutcome or more, in a list; got {shown(parts)}.")
        joined: dict[str, Any] = {
            f.name: np.concatenate([getattr(part, f.name) for part in parts])
            for f in fields(cls)
            if isinstance(getattr(parts[0], f.name), np.ndarray)
        }
        details = {
            name: np.concatenate([part.details[name] for part in parts]) if isinstance(value, np.ndarray) else value
            for name, value in parts[0].details.items()
        }
        return replace(
            parts[0], **joined, details=details, notes=tuple(dict.fromkeys(n for p in parts for n in p.notes))
        )

    def spread(self, positions: IntArray, pairs: int) -> PairOutcome:
        """Put the outcomes at some positions of `pairs`, with NaN (not tested) at the others."""

        def place(array: AnyArray) -> FloatArray:
            placed = np.full(pairs, np.nan)
            placed[positions] = array
            return placed

        known = {f.name: getattr(self, f.name) for f in fields(self)}
        arrays: dict[str, Any] = {name: place(v) for name, v in known.items() if isinstance(v, np.ndarray)}
        details = {name: place(v) if isinstance(v, np.ndarray) else v for name, v in self.details.items()}
        return replace(self, **arrays, details=details)


@record(kw_only=True)
class PairwiseTest(Procedure):
    """A test of two algorithms by paired differences.

    To add one to podium, define an object of this class in a module of ``podium.analysis.methods.pairwise``. Use your
    own object as ``podium.compare(results, method=test)`` and ``podium.inference.paired_test(a, b, test)``.

    Attributes
    ----------
    name : str
        As in ``compare(results, method=name)``.
    title : str
        As in a sentence of a paper.
    function : callable
        ``(differences, structure, *, alpha, intervals, **options) -> PairOutcome``, of paired differences (one row per
        pair, one column per block) and of what is known about the blocks.
    estimand : str
        What is estimated.
    units : tuple of str
        For which blocks it is: replications of one data set, data sets of a domain, or both.
    independent : bool
        Whether it treats blocks as independent; the first note then warns of replications of one data set, which are
        not.
    uses : tuple of str
        What it uses of the `Structure` of replications; these are options, too, where the results do not contain them.
    step_down : callable or None
        ``(differences, tail, **options) -> ndarray``: p-values of all pairs adjusted in steps by their joint
        distribution, for ``adjust="step-down"``; the differences have NaN where a cell is missing.
    joint_intervals : callable or None
        ``(differences, tail, *, alpha, **options) -> (lower, upper)``: intervals, or one-sided bounds, that hold for
        all pairs together by the same distribution; it comes with `step_down`.
    """

    estimand: Estimand
    units: tuple[Unit, ...] = ("replication", "dataset")
    uses: tuple[str, ...] = ()
    step_down: Callable[..., FloatArray] | None = None
    joint_intervals: Callable[..., tuple[FloatArray, FloatArray]] | None = None

    common: ClassVar[tuple[str, ...]] = ("alpha", "intervals")

    @cached_property
    def options(self) -> dict[str, inspect.Parameter]:
        """Its own options: those of its function, and the structure that it uses."""
        given = {
            name: inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation="npt.ArrayLike | None"
            )
            for name in self.uses
        }
        return {**super().options, **given}

    def compare(self, request: Request) -> Comparison:
        """Compare pairs by a test of each, with the p-values adjusted."""
        blocks = request.blocks(PAIR_POLICIES, f"method={self.name!r}")
        if blocks.unit not in self.units:
            self._refuse_unit(blocks)
        pairs = len(blocks.pairs(request.control)[0])
        joint = () if self.step_down is None or self.joint_intervals is None else ("step-down",)
        adjust = "holm" if request.adjust is None else check_adjust(request.adjust, request.control, joint)
        structure = _structure(blocks, request.options)
        tested = int((blocks.common[blocks.pairs(request.control)] >= 2).sum())
        tail = tail_of(request.alternative, blocks.measure.sign)
        if adjust == "step-down" and self.step_down is not None and self.joint_intervals is not None:
            outcome = self._run(request, blocks, structure, request.alpha)
            p = outcome.pvalue(tail)
            differences, options = blocks.differences(*blocks.pairs(request.control)), request.options
            adjusted = np.maximum(self.step_down(differences, tail, **options), p)
            lower, upper = self.joint_intervals(differences, "two-sided", alpha=request.alpha, **options)
            outcome = replace(outcome, lower=lower, upper=upper)
            if tail != "two-sided":
                lower, upper = self.joint_intervals(differences, tail, alpha=request.alpha, **options)
            open_ = adjusted > request.alpha  # where the test in steps does not reject, the interval takes in 0
            lower, upper = np.where(open_, np.minimum(lower, 0), lower), np.where(open_, np.maximum(upper, 0), upper)
        else:
            outcome = self._run(request, blocks, structure, interval_alpha(adjust, request.alpha, tested))
            p = outcome.pvalue(tail)
            adjusted = adjust_pvalues(p, adjust)
            lower, upper = outcome.lower, outcome.upper
            if tail != "two-sided":
                rejected = adjusted[~np.isnan(adjusted)] <= request.alpha
                share = min(2 * bound_alpha(adjust, request.alpha, rejected), 1 - 1e-9)
                wide = self._run(request, blocks, structure, share)
                lower, upper = compatible_bounds(wide.lower, wide.upper, adjusted <= request.alpha, tail, adjust)
        nothing = np.full(pairs, np.nan)
        untested = int(np.isnan(outcome.estimate).sum())
        notes = [*outcome.notes, *adjustment_notes(adjust, pairs)]
        if untested:
            notes.append(Note("untested", untested=untested, pairs=pairs))
        gate = _gate(request, blocks)
        if gate is not None:  # what its own outcome says about its hypothesis
            notes += [note for note in gate.notes if note.code == "caution"]
        return request.comparison(
            blocks,
            gate,
            notes,
            method=self.title + ("" if request.alternative == "two-sided" else ", one-sided"),
            procedure=self.name,
            estimate=outcome.estimate,
            statistic=outcome.statistic,
            pvalue=p,
            adjusted=adjusted,
            lower=lower if outcome.in_units else nothing,
            upper=upper if outcome.in_units else nothing,
            estimand=outcome.estimand or self.estimand,
            in_units=outcome.in_units,
            sign=blocks.measure.sign,
            adjust=adjust,
            signed=outcome.signed,
            df=outcome.df,
            mean_ranks=None if np.isnan(blocks.values).any() or not blocks.missing.ordered else blocks.mean_ranks,
            details=outcome.details,
            **self._equivalence(request, blocks, structure, outcome, adjust),
        )

    def _equivalence(
        self, request: Request, blocks: Blocks, structure: Structure, outcome: PairOutcome, adjust: str
    ) -> dict[str, Any]:
        """Fields of a comparison about the area of equivalence: by the test itself where blocks are not independent."""
        if request.equivalence is None:
            return {}
        if self.independent:
            return mean_equivalence(request, blocks, adjust)
        found: dict[str, Any] = {"equivalence_interval": (outcome.lower, outcome.upper)}
        if outcome.signed:
            low, high = request.equivalence if request.control is not None else both_ways(request.equivalence)
            above = self._run(request, blocks, structure, request.alpha, origin=low).greater
            below = self._run(request, blocks, structure, request.alpha, origin=high).less
            found["equivalence_pvalue"] = np.maximum(above, below)
        return found

    def _run(
        self, request: Request, blocks: Blocks, structure: Structure, alpha: float, origin: float = 0.0
    ) -> PairOutcome:
        """Run the test on all pairs at once, or, where cells are missing, on each pair's own blocks.

        It tests whether the differences lie around `origin`.
        """
        first, second = blocks.pairs(request.control)
        settings: dict[str, Any] = {
            "alpha": alpha,
            "intervals": True,
            **{name: value for name, value in request.options.items() if name not in STRUCTURE},
        }
        differences = blocks.differences(first, second, origin)
        there = ~np.isnan(differences)
        if there.all():
            outcome: PairOutcome = self.function(differences, structure, **settings)
            return outcome
        tested = np.flatnonzero(there.sum(axis=1) >= 2)
        if not tested.size:
            raise InputError("No two algorithms have two blocks in common. Use another policy for missing cells.")
        parts = []
        for i in tested:
            of_pair = structure if blocks.unit == "dataset" else structure.take(there[i])
            parts.append(self.function(differences[i, there[i]][None, :], of_pair, **settings))
        return PairOutcome.concatenate(parts).spread(tested, len(there))

    def _refuse_unit(self, blocks: Blocks) -> None:
        what = f"{blocks.n} data sets" if blocks.unit == "dataset" else f"{blocks.n} replications of one data set"
        wanted = "replications of one data set" if blocks.unit == "dataset" else "data sets"
        fitting = [name for name, other in PAIRWISE_TESTS.items() if blocks.unit in other.units]
        way_out = ", or select a data set" if blocks.unit == "dataset" else ""
        raise InputError(
            f"The {self.title} is for {wanted}; these blocks are {what}. Use one of "
            f"{join_names(fitting, most=9)}{way_out}."
        )


PAIRWISE_TESTS: Registry[PairwiseTest] = Registry("podium.analysis.methods.pairwise", PairwiseTest)


def drawing(function: Callable[..., PairOutcome]) -> Callable[..., PairOutcome]:
    """Make a test that draws random numbers for the blocks depend on the differences of each pair alone.

    It gets them in a fixed order, and with a fixed sign; so neither the order of blocks and algorithms nor their names
    matter. It cannot use the structure of the blocks.
    """

    @wraps(function)
    def test(differences: FloatArray, structure: Structure | None = None, **options: Any) -> PairOutcome:
        rows, side = ordered_rows(differences)
        return function(rows, structure, **options).turn(side)

    return test


def tail_of(alternative: str, sign: int) -> Tail:
    """Turn better and worse into a sign of a - b; `sign` is 1 where low values are good."""
    if alternative == "two-sided":
        return "two-sided"
    return "less" if (alternative == "better") == (sign == 1) else "greater"


def two_sided_from(less: FloatArray, greater: FloatArray) -> FloatArray:
    """Twice the smaller one-sided p-value, at most 1."""
    p: FloatArray = np.minimum(1.0, 2 * np.minimum(less, greater))
    return p


def per_value(name: str, given: npt.ArrayLike | None, n: int) -> Int64Array | None:
    """Take a whole number for each value, or one for all: the number of a repeat or a fold, the size of a sample."""
    if given is None:
        return None
    array = np.asarray(given).ravel()
    least = 1 if name.startswith("n_") else 0
    if array.dtype.kind not in "iu" or (array < least).any():
        raise InputError(f"`{name}` must be whole numbers of at least {least}, one per value; got {shown(given)}.")
    if array.size not in (1, n):
        raise InputError(f"`{name}` must have one entry per value, {n}; got {array.size}.")
    return np.broadcast_to(array.astype(np.int64), (n,))


def _structure(blocks: Blocks, options: Mapping[str, Any]) -> Structure:
    """Take what is known about the replications, from the results or as arguments."""
    given = {name: per_value(name, options[name], blocks.n) for name in STRUCTURE if name in options}
    if given and blocks.unit == "dataset":
        raise InputError(
            f"{join_names(given)} describe replications of one data set; these blocks are {blocks.n} data sets."
        )
    return Structure.of({**blocks.structure, **{name: array for name, array in given.items() if array is not None}})


def _gate(request: Request, blocks: Blocks) -> Omnibus | None:
    given = request.given_omnibus(blocks)
    if given is not None:
        return given
    if request.omnibus is not True or len(blocks.algorithms) == 2:
        return None
    if np.isnan(blocks.values).any():
        raise InputError(
            "`omnibus=True` stands for the Friedman test, which needs every cell. Give another test as omnibus: "
            "podium.inference.skillings_mack(results)."
        )
    return FRIEDMAN.test_blocks(blocks, alpha=request.alpha)
