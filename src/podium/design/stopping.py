"""`Stopping`: when a run may end before all replications are drawn.

This is the declaration: plain values that a design file can hold. The statistics are in `podium.analysis.sequential`,
and what a run does with them in `podium.running.adaptive`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from podium.checks import (
    check_alpha,
    check_call,
    check_choice,
    check_count,
    check_flag,
    check_keys,
    check_mapping,
    check_ratio,
    is_number,
    shown,
)
from podium.design.spec.entry import Count, Ref
from podium.design.spec.objects import plain
from podium.errors import InputError, join_names

StoppingKind: TypeAlias = Literal["combination", "group sequential", "betting", "asymptotic"]
Scope: TypeAlias = Literal["dataset", "domain"]
Side: TypeAlias = Literal["two-sided", "better", "worse"]
StageSizes: TypeAlias = Annotated[Any, Ref("stage sizes")]
Names: TypeAlias = Annotated[Any, Ref("names")]
NamedPairs: TypeAlias = Annotated[Any, Ref("pairs")]
Area: TypeAlias = Annotated[Any, Ref("equivalence")]
Interval: TypeAlias = Annotated[Any, Ref("interval")]

KINDS: tuple[StoppingKind, ...] = get_args(StoppingKind)
STAGES = 5
# The options that each kind has; others are refused.
OPTIONS: Mapping[StoppingKind, tuple[str, ...]] = {
    "combination": ("method", "combine", "reject", "accept", "rule", "exhaust"),
    "group sequential": ("method", "boundary", "ratio"),
    "betting": ("bounds",),
    "asymptotic": ("burn_in", "ratio"),
}
# What those that are names may be. A test compares them with the tests, rules and boundaries of the analysis.
_STAGE_TESTS = ("wilcoxon", "sign", "t", "permutation t", "bootstrap t")
CHOICES: Mapping[StoppingKind, Mapping[str, tuple[str, ...]]] = {
    "combination": {
        "method": _STAGE_TESTS,
        "combine": ("fisher", "inverse normal"),
        "rule": ("constant", "shrinking"),
    },
    "group sequential": {
        "method": (*_STAGE_TESTS, "corrected t"),
        "boundary": ("pocock", "obrien-fleming", "pocock spending", "obrien-fleming spending"),
    },
    "betting": {},
    "asymptotic": {},
}
_TITLES: Mapping[StoppingKind, str] = {
    "combination": "recursive combination test",
    "group sequential": "group sequential test",
    "betting": "test by confidence sequences of bounded differences",
    "asymptotic": "test by asymptotic confidence sequences",
}


@check_call
@dataclass(frozen=True, kw_only=True)
class Stopping:
    """When a run may stop: replications are drawn in stages, and after each stage a rule that keeps its level decides.

    A data set ends when the rule has decided all pairs of algorithms by all measures, or at the maximum. The error
    level holds for all pairs and measures of a data set together (of the domain, where that is the scope), whatever the
    stage in which it ends.

    Parameters
    ----------
    kind : {"combination", "group sequential", "betting", "asymptotic"}
        Recursive combination of the p-values of the stages; boundaries for the p-values of all data so far; or
        confidence sequences, which may be checked after every replication, for bounded measures or for any measure. See
        `podium.sequential`, which applies the same rules to finished results.
    alpha : float, default 0.05
        The error level.
    stages : int or list of int, optional
        Number of stages of equal size, or the replications of each; by default 5, unless `first` or `step` is given.
    first, step : int, optional
        Replications of the first stage, and of each later one; if only one is given, both are equal.
    maximum : int, optional
        Replications at which it ends in any case; by default those of the resampling.
    scope : {"dataset", "domain"}
        Whether each data set is decided and ended on its own, or all of them together, by the mean over the data sets.
    measures : str or list of str, optional
        The measures that must be decided; by default all.
    pairs : list of (str, str), optional
        The pairs of algorithms that must be decided; by default all.
    control : str, optional
        The algorithm with which all others are compared, instead of all pairs.
    alternative : {"two-sided", "better", "worse"}
        What is to be shown: that the first algorithm of a pair, or the one compared with the control, is better or
        worse.
    equivalence : float, (float, float) or mapping, optional
        Differences that do not matter, in the units of the measure, or by the name of each measure: a pair that is
        shown to differ by less than that is decided, too.
    racing : bool, default False
        Whether an algorithm that is beaten by every measure is left out from then on.
    method : str, optional
        The test of a stage (``"combination"``, by default ``"wilcoxon"``) or of all data so far (``"group
        sequential"``, by default ``"t"``; ``"corrected t"`` corrects for overlapping learning samples).
    combine, reject, accept, rule, exhaust : optional
        For ``"combination"``, as in `podium.sequential`.
    boundary : str, optional
        For ``"group sequential"``, by default ``"obrien-fleming"``.
    bounds : (float, float), optional
        For ``"betting"``: smallest and largest possible value of the measure, where its name does not imply them.
    burn_in : int, optional
        For ``"asymptotic"``: replications before which nothing is concluded.
    ratio : float, optional
        For ``"corrected t"`` and ``"asymptotic"``: size of the test sample divided by that of the learning sample; by
        default, for the former, that of the design.

    Examples
    --------
    >>> import podium
    >>> stopping = podium.Stopping(kind="group sequential", stages=5, control="lda")
    >>> stopping.looks(100)
    (20, 40, 60, 80, 100)
    """

    _made_from: ClassVar = (
        (str, "Use podium.Stopping(kind={thing})."),
        (dict, "Use podium.Stopping(**mapping)."),
        (object, "Create one with podium.Stopping(kind='combination', stages=5)."),
    )

    kind: StoppingKind = "combination"
    alpha: float = 0.05
    stages: StageSizes = None
    first: Count | None = None
    step: Count | None = None
    maximum: Count | None = None
    scope: Scope = "dataset"
    measures: Names = ()
    pairs: NamedPairs = ()
    control: str | None = None
    alternative: Side = "two-sided"
    equivalence: Area = None
    racing: bool = False
    method: str | None = None
    combine: Literal["fisher", "inverse normal"] | None = None
    reject: float | None = None
    accept: float | None = None
    rule: Literal["constant", "shrinking"] | None = None
    exhaust: bool | None = None
    boundary: str | None = None
    bounds: Interval = None
    burn_in: Count | None = None
    ratio: float | None = None

    def __post_init__(self) -> None:
        check_choice(self.kind, KINDS, "kind")
        check_alpha(self.alpha)
        for name in ("first", "step", "maximum", "burn_in"):
            if getattr(self, name) is not None:
                check_count(getattr(self, name), name)
        if self.stages is not None and (self.first is not None or self.step is not None):
            raise InputError("Give `stages`, or `first` and `step`, not both.", path=("stages",))
        begins = "step" if self.first is None else "first"  # if only one is given, both are equal
        if self.maximum is not None and (size := getattr(self, begins)) is not None and size > self.maximum:
            raise InputError(f"`{begins}` must be at most `maximum`, {self.maximum}; got {size}.", path=(begins,))
        for name, kind in (("scope", Scope), ("alternative", Side)):
            check_choice(getattr(self, name), get_args(kind), name)
        for name in ("racing", *(["exhaust"] if self.exhaust is not None else [])):
            check_flag(getattr(self, name), name)
        if self.control is not None and (not isinstance(self.control, str) or not self.control):
            raise InputError(f"`control` must be a name; got {shown(self.control)}.", path=("control",))
        if self.ratio is not None:
            check_ratio(self.ratio)
        for name in {option for options in OPTIONS.values() for option in options} - {*OPTIONS[self.kind]}:
            if getattr(self, name) is not None:
                fitting = [kind for kind in KINDS if name in OPTIONS[kind]]
                raise InputError(
                    f"`{name}` is an option of {join_names(fitting)}, not of {self.kind!r}, whose options are "
                    f"{join_names(OPTIONS[self.kind], most=9)}.",
                    path=(name,),
                )
        for name, choices in CHOICES[self.kind].items():
            if getattr(self, name) is not None:
                check_choice(getattr(self, name), choices, name)
        if self.reject is not None and not (is_number(self.reject) and 0 < self.reject < self.alpha):
            raise InputError(
                f"`reject` must be a number between 0 and alpha, {self.alpha:g}; got {shown(self.reject)}.",
                path=("reject",),
            )
        if self.accept is not None and not (is_number(self.accept) and 0 < self.accept <= 1):
            raise InputError(
                f"`accept` must be a number above 0 and at most 1; got {shown(self.accept)}.", path=("accept",)
            )
        put = object.__setattr__
        put(self, "alpha", float(self.alpha))
        put(self, "stages", _stages(self.stages))
        if self.maximum is not None and isinstance(self.stages, tuple) and self.stages[0] > self.maximum:
            raise InputError(
                f"The first of `stages` must be at most `maximum`, {self.maximum}; got {self.stages[0]}.",
                path=("stages",),
            )
        put(self, "measures", _names(self.measures))
        put(self, "pairs", _pairs(self.pairs))
        put(self, "equivalence", _equivalence(self.equivalence))
        put(self, "bounds", _bounds(self.bounds))
        if self.pairs and self.control is not None:
            raise InputError("Give `pairs` or `control`, not both.", path=("control",))
        if self.alternative != "two-sided" and not self.pairs and self.control is None:
            raise InputError(
                f"`alternative={self.alternative!r}` needs `pairs` or a `control`: all pairs have no direction.",
                path=("alternative",),
            )

    def looks(self, replications: int) -> tuple[int, ...]:
        """Return how many replications there are after each stage, for a design with at most this many."""
        check_count(replications, "replications")
        if isinstance(self.stages, tuple):
            ends = tuple(int(end) for end in np.cumsum(self.stages))
            argument, most = ("stages", ends[-1]) if self.maximum is None else ("maximum", self.maximum)
        else:
            argument, most = "maximum", self.maximum or replications
        if most > replications:
            raise InputError(
                f"`{argument}` must be at most the number of replications of the resampling, {replications}; got "
                f"{most}.",
                path=(argument,),
            )
        if isinstance(self.stages, tuple):
            return tuple(sorted({*(end for end in ends if end < most), most}))
        if self.first is None and self.step is None:
            stages = STAGES if self.stages is None else self.stages
            return tuple(sorted({-(-most * i // stages) for i in range(1, stages + 1)}))
        first = self.first or self.step or most
        return tuple(sorted({*range(min(first, most), most, self.step or first), most}))

    def options(self) -> dict[str, Any]:
        """Return the options of its kind that were given."""
        return {name: getattr(self, name) for name in OPTIONS[self.kind] if getattr(self, name) is not None}

    def margin(self, measure: str) -> tuple[float, float] | None:
        """Return the area of equivalence for a measure."""
        area = self.equivalence
        return area.get(measure) if isinstance(area, Mapping) else area

    def spec(self) -> dict[str, Any]:
        """Return the mapping of this rule in a design file: what differs from the defaults."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "kind"}
        defaults = {each.name: each.default for each in fields(self)}
        return {"kind": self.kind, **{name: plain(value) for name, value in values.items() if value != defaults[name]}}

    def resolved(self, replications: int, measures: Sequence[str]) -> dict[str, Any]:
        """Return the rule as a warehouse stores it: with its looks and measures, even where these are defaults."""
        written = {each.name: plain(getattr(self, each.name)) for each in fields(self)}
        for name in ("stages", "first", "step", "maximum"):
            del written[name]
        return {**written, "looks": list(self.looks(replications)), "measures": list(self.measures or _names(measures))}

    def describe(self, replications: int) -> str:
        """Describe the rule in words, as the end of a sentence that begins with 'Replications were drawn'."""
        ends = self.looks(replications)
        sizes = sorted({b - a for a, b in pairwise((0, *ends))})
        each = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        whom = f"all comparisons with {self.control}" if self.control else "all pairs of algorithms"
        if self.pairs:
            whom = join_names((f"{a} and {b}" for a, b in self.pairs), quote=False)
        by = f" by {join_names(self.measures, quote=False)}" if self.measures else ""
        where = "each data set" if self.scope == "dataset" else "the experiment"
        equal = ", by a difference or by equivalence" if self.equivalence else ""
        beaten = " Algorithms that were beaten were left out from then on." if self.racing else ""
        return (
            f"in up to {len(ends)} stages of {each}, and {where} was ended when a {self.title} with the overall level "
            f"{self.alpha:g} had decided {whom}{by}{equal}.{beaten}"
        )

    def outline(self, replications: int) -> str:
        """Say in one line what is tested when."""
        ends = self.looks(replications)
        shown = ends if len(ends) <= 8 else (*ends[:6], "…", ends[-1])
        each = "each data set" if self.scope == "dataset" else "all data sets"
        beaten = "; beaten algorithms are left out" if self.racing else ""
        return (
            f"{self.title} at the overall level {self.alpha:g}, after {', '.join(map(str, shown))} "
            f"replications of {each}{beaten}"
        )

    @property
    def title(self) -> str:
        """What the rule is called in a sentence."""
        return _TITLES[self.kind]


def read_stopping(given: Any) -> Stopping | None:
    """Make a stopping rule from an entry of a design: nothing, the name of a rule, its mapping, or the rule itself."""
    if given is None or isinstance(given, Stopping):
        return given
    if isinstance(given, str):
        return Stopping(kind=given)  # type: ignore[arg-type]  # checked there
    if isinstance(given, Mapping):
        check_keys(given, [each.name for each in fields(Stopping)], "A stopping rule", "key")
        for key, value in given.items():
            if value is None:
                raise InputError(f"`{key}` is empty; give it a value, or leave it out.", path=(key,))
        return Stopping(**given)
    raise InputError(f"`stopping` must be a Stopping, its mapping, or the kind of rule; got {shown(given)}.")


def check_stopping(stopping: Stopping, replications: int, algorithms: Sequence[str], measures: Sequence[str]) -> None:
    """Refuse a rule that names what the experiment does not have; the error carries the key."""
    stopping.looks(replications)
    for i, name in enumerate(stopping.measures):
        check_choice(name, measures, "measures", path=("measures", i))
    area = stopping.equivalence
    for name in area if isinstance(area, Mapping) else ():
        check_choice(name, measures, "equivalence", path=("equivalence", name))
    if stopping.control is not None:
        check_choice(stopping.control, algorithms, "control")
    for i, pair in enumerate(stopping.pairs):
        for name in pair:  # a single pair may be given without a list around it
            check_choice(name, algorithms, "pairs", path=("pairs", i) if len(stopping.pairs) > 1 else ())
    if len(algorithms) < 2:
        raise InputError("A stopping rule compares algorithms; the experiment has only one.")


def _names(given: Any) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(name, str) and name for name in names):
        raise InputError(f"`measures` must be names of measures; got {shown(given)}.", path=("measures",))
    if len(set(names)) < len(names):
        raise InputError(f"`measures` must be different names; got {shown(given)}.", path=("measures",))
    return tuple(names)


def _pairs(given: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise InputError(f"`pairs` must be a list of pairs of names; got {shown(given)}.", path=("pairs",))
    if len(given) == 2 and all(isinstance(name, str) for name in given):
        given = [given]
    found = []
    for i, pair in enumerate(given):
        if (
            not isinstance(pair, Sequence)
            or isinstance(pair, str)
            or len(pair) != 2
            or not all(isinstance(name, str) for name in pair)
            or pair[0] == pair[1]
        ):
            raise InputError(f"`pairs` must be a list of pairs of two names; got {shown(pair)}.", path=("pairs", i))
        found.append((pair[0], pair[1]))
    if len({frozenset(pair) for pair in found}) < len(found):
        raise InputError("`pairs` must not contain a pair twice.", path=("pairs",))
    return tuple(found)


def _equivalence(given: Any, *measure: str) -> Any:
    """Return an area of equivalence, of one measure or of all, as its two ends, or a mapping of such areas."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        check_mapping(given, "`equivalence`")
        return {name: _equivalence(area, name) for name, area in given.items() if area is not None}
    if is_number(given):
        area = (-float(given), float(given))
    elif isinstance(given, Sequence) and len(given) == 2 and all(is_number(end) for end in given):
        area = (float(given[0]), float(given[1]))
    else:
        area = (np.nan, np.nan)
    if not area[0] < 0 < area[1] or not np.isfinite(area).all():
        raise InputError(
            "`equivalence` must be a positive number, a negative and a positive one, or a mapping of these by measure; "
            f"got {shown(given)}.",
            path=("equivalence", *measure),
        )
    return area


def _stages(given: Any) -> int | tuple[int, ...] | None:
    """Return a number of stages, or the replications of each."""
    if given is None:
        return None
    if isinstance(given, Sequence) and not isinstance(given, str | bytes) and given:
        for i, size in enumerate(given):
            check_count(size, f"stages[{i}]", path=("stages", i))
        return tuple(int(size) for size in given)
    check_count(given, "stages")
    return int(given)


def _bounds(given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    if isinstance(given, list | tuple) and len(given) == 2 and all(is_number(end) for end in given):
        low, high = float(given[0]), float(given[1])
        if -np.inf < low < high < np.inf:
            return low, high
    raise InputError(f"`bounds` must be two numbers, the smaller first; got {shown(given)}.", path=("bounds",))
