"""`Procedure`: what `compare` can do, by name; a rank test, a test of each pair, or a model."""

from __future__ import annotations

import dataclasses
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from podium.analysis.adjustment import ADJUSTMENTS, adjustment_name
from podium.analysis.blocks import Blocks, Unit, to_blocks
from podium.analysis.comparison import Comparison, with_interval_notes
from podium.analysis.notes import Note, blocks_in_words
from podium.analysis.omnibus import Omnibus
from podium.analysis.pairs import Alternative
from podium.checks import check_keys, check_seed, record
from podium.errors import InputError, join_names
from podium.results import Results
from podium.results.aggregation import Aggregation
from podium.results.missing import MissingPolicy


@record(eq=False, kw_only=True)
class Request:
    """What `compare` was asked to do; `results` have one measure, and the unit is chosen."""

    results: Results
    unit: Unit
    alpha: float
    equivalence: tuple[float, float] | None
    control: str | None
    adjust: str | None
    alternative: Alternative
    aggregate: Aggregation
    missing: str
    omnibus: bool | Omnibus | None
    options: Mapping[str, Any]
    notes: tuple[Note, ...]

    def blocks(self, allowed: tuple[MissingPolicy, ...], analysis: str = "") -> Blocks:
        """Return the blocks to be compared by `analysis`, which accepts the policies `allowed` for missing cells."""
        return to_blocks(
            self.results,
            unit=self.unit,
            aggregate=self.aggregate,
            missing=self.missing,
            allowed=allowed,
            analysis=analysis,
        )

    def given_omnibus(self, blocks: Blocks) -> Omnibus | None:
        """Return the outcome of a global test that was given, if any, at the requested level; refuse other blocks."""
        test = self.omnibus
        if not isinstance(test, Omnibus):
            return None
        # A test of incomplete blocks does not count those with fewer than two values.
        counted = int(((~np.isnan(blocks.values)).sum(axis=1) >= 2).sum())
        if set(test.algorithms) != set(blocks.algorithms):
            of, here = (
                f"the algorithms {join_names(names, most=12)}" for names in (test.algorithms, blocks.algorithms)
            )
        elif test.unit != blocks.unit or test.n not in (blocks.n, counted):
            of, here = (blocks_in_words(x.unit, x.n, x.datasets) for x in (test, blocks))
        else:
            return test if test.alpha == self.alpha else dataclasses.replace(test, alpha=self.alpha)
        raise InputError(
            f"`omnibus` must be a global test of the blocks that are compared; it is a test of {of}, but the "
            f"comparison is of {here}. Compute it from the same results, with the same `unit` and `missing`."
        )

    def comparison(self, blocks: Blocks, gate: Omnibus | None, notes: Iterable[Note], **found: Any) -> Comparison:
        """Put together the request, what the blocks are, and what a procedure found: ``**found``, by field."""
        first, second = blocks.pairs(self.control)
        if gate is not None and not gate.significant:
            notes = (*notes, Note("gate", method=gate.method, pvalue=gate.pvalue, alpha=gate.alpha))
        comparison = Comparison(
            **blocks.facts,
            first=first,
            second=second,
            measure=blocks.measure,
            alpha=self.alpha,
            alternative=self.alternative,
            control=self.control,
            equivalence=self.equivalence,
            gated=gate is not None,
            omnibus=gate,
            means=blocks.means,
            wins=blocks.wins,
            common=blocks.common,
            notes=(*self.notes, *blocks.notes, *notes),
            **found,
        )
        return with_interval_notes(comparison)


@record(kw_only=True)
class Procedure(ABC):
    """A way to compare pairs of algorithms.

    Attributes
    ----------
    name : str
        As in ``compare(results, method=name)``.
    title : str
        As in a sentence of a paper.
    function : callable
        What computes it. The keyword arguments that `compare` does not pass itself are the options of the procedure.
    independent : bool
        Whether it treats blocks as independent; the first note then warns of replications of one data set, which are
        not.
    """

    name: str
    title: str
    function: Callable[..., Any]
    independent: bool = True

    common: ClassVar[tuple[str, ...]] = ()  # keyword arguments that every function of the kind takes

    @cached_property
    def options(self) -> dict[str, inspect.Parameter]:
        """Its own options, from the signature of its function."""
        parameters = inspect.signature(self.function).parameters.items()
        return {name: p for name, p in parameters if p.kind is p.KEYWORD_ONLY and name not in self.common}

    def check_options(
        self, options: Mapping[str, Any], others: Iterable[Procedure] = (), also: Iterable[str] = ()
    ) -> None:
        """Refuse options that the procedure does not have, and name the procedures that do.

        `also` are the arguments that the caller takes itself; one of them may have been meant.
        """
        owners = {other.name: other.options for other in others}
        check_keys(options, self.options, f"`method={self.name!r}`", "option", owners, also)
        if "seed" in options:  # also where nothing happens to be drawn
            check_seed(options["seed"])

    @abstractmethod
    def compare(self, request: Request) -> Comparison:
        """Compare the requested pairs."""


@dataclass(frozen=True, kw_only=True)
class ModelTest(Procedure):
    """A comparison by a model: ``(results, *, alpha, equivalence, control, missing, adjust, **options) -> Comparison``.

    To add one, define an object of this class in a module of ``podium.analysis.mixed``.
    """

    common: ClassVar[tuple[str, ...]] = ("measure", "alpha", "equivalence", "control", "missing", "adjust")

    def compare(self, request: Request) -> Comparison:
        """Fit the model and compare."""
        usual = {"alternative": "two-sided", "aggregate": "mean", "omnibus": None}
        given = {name: getattr(request, name) for name in usual}
        strange = [
            name for name, value in usual.items() if type(given[name]) is not type(value) or given[name] != value
        ]
        if strange:
            raise InputError(
                f"`method={self.name!r}` does not support {join_names(strange)}; leave it out, or choose another "
                "method."
            )
        adjust = {} if request.adjust is None else {"adjust": request.adjust}
        found: Comparison = self.function(
            request.results,
            alpha=request.alpha,
            equivalence=request.equivalence,
            control=request.control,
            missing=request.missing,
            **adjust,
            **request.options,
        )
        return found.replace(notes=request.notes + found.notes)


def show_options(function: Callable[..., Any], procedures: Iterable[Procedure]) -> None:
    """Put the options of procedures into the signature of a function that takes them as ``**options``.

    Where procedures have different defaults, None is shown: it stands for the default of the method.
    """
    signature = inspect.signature(function)
    *own, rest = signature.parameters.values()
    found: dict[str, inspect.Parameter] = {}
    for procedure in procedures:
        for name, parameter in procedure.options.items():
            known = found.setdefault(name, parameter)
            if known.default != parameter.default:
                found[name] = known.replace(default=None, annotation=Any)
    added = [found[name] for name in found if name not in signature.parameters]
    function.__signature__ = signature.replace(parameters=[*own, *added, rest])  # type: ignore[attr-defined]


def check_adjust(adjust: object, control: str | None, joint: tuple[str, ...] = ()) -> str:
    """Check the name of an adjustment; `joint` are those that use the joint distribution of all pairs."""
    plain = str(adjust).strip().lower().replace(" ", "-").replace("_", "-")
    if plain in joint:
        return plain
    if plain == "single-step":
        raise InputError(
            "`adjust='single-step'` needs the joint distribution of all pairs, which pairwise tests do not have. Use "
            f"one of {join_names(ADJUSTMENTS, most=20)}."
        )
    if plain == "step-down":
        raise InputError(
            "`adjust='step-down'` needs the joint distribution of all pairs; 'permutation t' and 'mixed' have it. Use "
            f"one of these methods, or one of {join_names([*joint, *ADJUSTMENTS], most=20)}."
        )
    name = adjustment_name(adjust, joint)
    if control is not None and ADJUSTMENTS[name].logical:
        raise InputError(f"`adjust={name!r}` is for all pairs; against a control use 'holm' or 'single-step'.")
    return name


def adjustment_notes(adjust: str, pairs: int) -> tuple[Note, ...]:
    """Say where the adjustment fails to control what it is used for."""
    known = ADJUSTMENTS.get(adjust)
    if known is None or not known.caution or pairs == 1:
        return ()
    return (Note("caution", caution=known.caution),)
