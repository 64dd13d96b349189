"""`Criterion`: one way to order the algorithms on a data set, by a test or by a point estimate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from podium.analysis.procedure import Procedure
from podium.checks import (
    check_choice,
    check_keys,
    check_mapping,
    check_name,
    check_text,
    describe,
    did_you_mean,
    function_name,
    is_number,
    record,
    shown,
    value_error,
)
from podium.errors import InputError, LabelError, join_names
from podium.results import Results

Criteria: TypeAlias = "Sequence[Criterion | str] | Mapping[str, Criterion | str]"


@record()
class Criterion:
    """One way to order the algorithms on a data set: a measure, and a test or a point estimate.

    Attributes
    ----------
    measure : str
    method : str, Procedure or None
        The test, as for `podium.compare`; None for the one that fits the design. Not with `statistic`.
    statistic : str, callable or None
        A point estimate instead of a test, as for `podium.relations.preferences`: ``"mean"``, ``"median"``,
        ``"worst"``, …
    weight : float, default 1
        How much the criterion counts in the order of a data set.
    name : str, optional
        Name of the criterion; by default it is made from the measure and the method or statistic.
    by : {"significance", "relevance"}
        How the test becomes a relation, as for `Comparison.relation`.
    options : mapping
        Additional arguments of `podium.compare` (with a test), or of `podium.relations.preferences` (with a statistic).

    Examples
    --------
    >>> import podium
    >>> podium.relations.Criterion("error", statistic="worst", weight=0.5).name
    'error, worst'
    """

    measure: str
    method: str | Procedure | None = field(default=None, kw_only=True)
    statistic: str | Callable[..., Any] | None = field(default=None, kw_only=True)
    weight: float = field(default=1.0, kw_only=True)
    name: str = field(default="", kw_only=True)
    by: Literal["significance", "relevance"] = field(default="significance", kw_only=True)
    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        check_name(self.measure, "measure")
        check_text(self.name, "name")
        if self.method is not None and not isinstance(self.method, str | Procedure):
            raise value_error("method", "be the name of a test, or a Procedure", self.method)
        if self.statistic is not None and not isinstance(self.statistic, str) and not callable(self.statistic):
            raise value_error("statistic", "be the name of a statistic, or a function", self.statistic)
        if self.method is not None and self.statistic is not None:
            raise InputError(
                "A criterion orders by a test (`method`) or by a point estimate (`statistic`), not by both; got "
                f"method={self.method!r} and statistic={self.statistic!r}."
            )
        if not is_number(self.weight) or not 0 <= self.weight < float("inf"):
            raise InputError(f"`weight` must be a finite number of at least 0; got {shown(self.weight)}.")
        check_choice(self.by, ("significance", "relevance"), "by")
        check_mapping(self.options, "`options`")
        own = [name for name in ("results", "measure", "method", "missing") if name in self.options]
        if self.statistic is not None:
            check_keys(self.options, ("epsilon", "quantile"), "`options` of a criterion with a statistic", "entry")
        elif own:
            raise InputError(f"`options` must not contain {join_names(own)}: this is a separate argument.")
        if not self.name:
            object.__setattr__(self, "name", self._usual_name())

    @property
    def tested(self) -> bool:
        """Whether the algorithms are compared by a test."""
        return self.statistic is None

    def _usual_name(self) -> str:
        if self.statistic is not None:
            how = self.statistic if isinstance(self.statistic, str) else function_name(self.statistic)
            return f"{self.measure}, {how}"
        if self.method is None:
            return self.measure
        return f"{self.measure}, {self.method.name if isinstance(self.method, Procedure) else self.method}"


def find_criteria(
    results: Results,
    measure: str | Sequence[str] | None,
    criteria: Criteria | None,
    usual: Mapping[str, Any],
    weights: Mapping[str, float] | None,
) -> tuple[Criterion, ...]:
    """Make the criteria of a domain: those given, or one for each measure."""
    if criteria is not None:
        if measure is not None:
            raise InputError("Give `measure` or `criteria`, not both: each criterion names its measure.")
        found = _given(criteria, usual)
    else:
        found = [Criterion(name, name=name, **usual) for name in _measures(results, measure)]
    unknown = sorted({one.measure for one in found} - set(results.measure_names))
    if unknown:
        raise LabelError(
            f"`{'measure' if criteria is None else 'criteria'}` names {join_names(unknown)}; the measures are "
            f"{join_names(results.measure_names, most=12)}.{did_you_mean(unknown[0], results.measure_names)}"
        )
    names = [one.name for one in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LabelError(
            f"`criteria` must have different names; {join_names(twice)} occurs more than once. Name them: "
            "Criterion(..., name='...')."
        )
    return tuple(_weighted(found, weights))


def _measures(results: Results, measure: str | Sequence[str] | None) -> list[str]:
    if measure is None:
        return list(results.measure_names)
    if isinstance(measure, str):
        return [measure]
    if not isinstance(measure, Sequence) or not measure or not all(isinstance(name, str) for name in measure):
        raise InputError(f"`measure` must be the name of a measure, or a list of names; got {shown(measure)}.")
    return list(dict.fromkeys(measure))


def _given(criteria: Criteria, usual: Mapping[str, Any]) -> list[Criterion]:
    if isinstance(criteria, Mapping):
        listed: list[Any] = [
            replace(one, name=str(name))
            if isinstance(one, Criterion)
            else Criterion(one, name=str(name), **usual)
            if isinstance(one, str)
            else one
            for name, one in criteria.items()
        ]
    elif isinstance(criteria, Sequence) and not isinstance(criteria, str):
        listed = [Criterion(one, name=one, **usual) if isinstance(one, str) else one for one in criteria]
    else:
        raise InputError(
            "`criteria` must be several criteria, such as [podium.relations.Criterion('error'), "
            f"podium.relations.Criterion('seconds', statistic='mean', weight=0.2)]; got {describe(criteria)}."
        )
    odd = [one for one in listed if not isinstance(one, Criterion)]
    if odd:
        raise InputError(f"`criteria` must be podium.relations.Criterion objects or measures; got {describe(odd[0])}.")
    if not listed:
        raise InputError("`criteria` is empty: an order needs at least one criterion.")
    measures = criteria.values() if isinstance(criteria, Mapping) else criteria
    idle = [name for name in ("method", "statistic", "options") if usual[name]]
    if idle and not any(isinstance(one, str) for one in measures):
        raise InputError(
            f"`{idle[0]}` is for criteria that are given as measures; each Criterion has its own: "
            f"Criterion(..., {idle[0]}=...)."
        )
    return listed


def _weighted(criteria: Sequence[Criterion], weights: Mapping[str, float] | None) -> list[Criterion]:
    """Give the criteria the weights named for them."""
    given: Mapping[str, Any] = {} if weights is None else check_mapping(weights, "`weights`")
    names = [one.name for one in criteria]
    unknown = [name for name in given if name not in names]
    if unknown:
        raise LabelError(
            f"`weights` names {join_names(unknown)}; the criteria are "
            f"{join_names(names, most=12)}.{did_you_mean(unknown[0], names)}"
        )
    weighted = [replace(one, weight=given.get(one.name, one.weight)) for one in criteria]
    if not any(one.weight for one in weighted):
        raise InputError("`weights` must not all be 0: at least one criterion has to count.")
    return weighted
