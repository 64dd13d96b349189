"""From what a user writes to a `Measure`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from inspect import Parameter, signature
from typing import Any

from podium.errors import DirectionError, InputError, listing
from podium.results.known_measures import known_measure
from podium.results.measure_info import Direction, MeasureInfo, Scale, parse_direction
from podium.setup.importing import find, public_path
from podium.setup.measure import Fitted, Measure
from podium.setup.measures.losses import Aggregated, Functional, check_functional
from podium.setup.measures.registry import Known, known_by_name
from podium.setup.suggesting import check_keys, check_mapping

SOURCES = ("measure", "scorer", "function")
SHOWN = ("name", "direction", "units", "scale")
OPTIONS = ("functional", "positive", "multiclass", "clip")
KEYS = (*SOURCES, *OPTIONS, *SHOWN)


def measure(
    thing: Any,
    *,
    name: str | None = None,
    functional: Functional | None = None,
    direction: Direction | None = None,
    units: str | None = None,
    scale: Scale | None = None,
    **options: Any,
) -> Measure:
    """Make a `Measure` from a name, a scorer of scikit-learn or a function.

    Parameters
    ----------
    thing : str, callable, mapping, pair or Measure
        - A name: one of `podium.measures`; case, spaces and punctuation do not matter.
        - A mapping ``{"scorer": "roc_auc"}``: a scorer of scikit-learn, by name; or a scorer object.
        - A function ``f(model, learn, test)`` of the fitted model and both samples, or ``f(fitted)`` of all that was
          recorded, that returns a number. It needs a direction.
        - A mapping, as it stands in a design file: see `measure_from_spec`.
        - A pair of a name and one of these.
    name : str, optional
        The name in tables and figures.
    functional : {"mean", "median"} or float, optional
        The functional over the test sample, for measures that are made of losses of single observations: their mean,
        median or a quantile.
    direction : {"lower", "greater"}, optional
        Which values are better; known for named measures and scorers.
    units, scale : str, optional
        For axes and tables: the units, and "linear" or "log".
    **options
        ``positive``: the class that precision, recall, ... are about (default: the last of two classes; for more than
        two the mean over all classes). ``multiclass``: "hand-till" or "one-vs-rest", for the AUC. ``clip``: smallest
        probability, for deviance and log loss.

    Returns
    -------
    Measure

    Examples
    --------
    >>> import podium
    >>> podium.measure("misclassification")
    Measure misclassification (lower is better)
    >>> podium.measure("squared error", functional="median")
    Measure squared error (median) (lower is better)
    >>> podium.measure(lambda model, learn, test: model.n_iter_, name="iterations", direction="lower")
    Measure iterations (lower is better)
    """
    if isinstance(thing, tuple) and len(thing) == 2 and isinstance(thing[0], str):
        thing, name = thing[1], name or thing[0]
    shown = {"name": name, "direction": direction, "units": units, "scale": scale}
    asked = {"functional": functional, **options}
    asked = {key: value for key, value in asked.items() if value is not None}
    if isinstance(thing, Measure):
        made, asked = thing, _refuse(asked, "a measure that is made already")
    elif isinstance(thing, Mapping):
        return measure_from_spec(
            {**thing, **asked, **{key: value for key, value in shown.items() if value is not None}}
        )
    elif isinstance(thing, str):
        made = _named(known_by_name(thing), asked)
    elif hasattr(thing, "_score_func") and hasattr(thing, "_sign"):
        _refuse(asked, "a scorer")
        made = _scored(thing, thing._score_func.__name__, spec=None)
    elif callable(thing):
        _refuse(asked, "a function")
        return _own(thing, shown)
    else:
        raise InputError(
            "A measure is the name of one, {'scorer': name}, a scorer, or a function f(model, learn, test); "
            f"got {thing!r}."
        )
    return _shown(made, shown)


def measure_from_spec(spec: str | Mapping[str, Any]) -> Measure:
    """Make a `Measure` from what stands in a design file.

    Parameters
    ----------
    spec : str or mapping
        The name of a measure, or a mapping with one of the keys

        - ``measure``: the name of a measure, with its options (``functional``, ``positive``, ``multiclass``, ``clip``),
        - ``scorer``: the name of a scorer of scikit-learn,
        - ``function``: an importable function ``f(model, learn, test)`` or ``f(fitted)``,

        and, as needed, ``name``, ``direction``, ``units`` and ``scale``.

    Returns
    -------
    Measure

    Examples
    --------
    >>> from podium.setup.measures import measure_from_spec
    >>> measure_from_spec({"measure": "absolute error", "functional": 0.9}).name
    'absolute error (0.9 quantile)'
    """
    if isinstance(spec, str):
        return measure(spec)
    check_mapping(spec, "A measure")
    check_keys(spec, KEYS, "A measure", "key")
    given = [key for key in SOURCES if key in spec]
    if len(given) != 1:
        came = f"both {listing(given)}" if given else f"only {listing(spec)}" if spec else "nothing"
        raise InputError(f"A measure needs exactly one of {listing(SOURCES)}; got {came}.")
    shown = {key: spec.get(key) for key in SHOWN}
    options = {key: spec[key] for key in OPTIONS if spec.get(key) is not None}
    if given[0] == "measure":
        return measure(str(spec["measure"]), **shown, **options)
    _refuse(options, f"a {given[0]}")
    if given[0] == "scorer":
        found = _scorer(spec["scorer"])
        return _shown(_scored(found, str(spec["scorer"]), spec={"scorer": str(spec["scorer"])}), shown)
    function = find(spec["function"], "function")
    if not callable(function):
        raise InputError(f"`function` {spec['function']!r} is no function.")
    return _own(function, shown)


def _named(known: Known, asked: Mapping[str, Any]) -> Measure:
    allowed = (*(("functional",) if known.loss else ()), *known.options)
    if "functional" in asked and not known.loss:
        raise InputError(
            f"The measure {known.name!r} is not made of losses of single observations, so it has no `functional`."
        )
    check_keys(asked, allowed, f"The measure {known.name!r}", "option")
    functional = check_functional(asked.get("functional", known.functional))
    options = {key: value for key, value in asked.items() if key != "functional"}
    name, losses = known.name, None
    if known.loss is not None:
        losses = partial(known.loss, **options) if options else known.loss
        function: Callable[[Fitted], float] = Aggregated(losses, functional)
        if functional != known.functional:
            name += f" ({functional if isinstance(functional, str) else f'{functional:g} quantile'})"
    else:
        assert known.function is not None
        function = partial(known.function, **options) if options else known.function
    return Measure(
        info=MeasureInfo(name, known.direction, units=known.units, scale=known.scale),
        function=function,
        tasks=known.tasks,
        needs=known.needs,
        spec={"measure": known.name, **asked},
        losses=losses,
        description=known.title,
    )


@dataclass(frozen=True)
class ScorerFunction:
    """A scorer of scikit-learn as a function of what was fitted."""

    scorer: Any

    def __call__(self, fitted: Fitted) -> float:
        """Return the score on the test sample."""
        response = () if fitted.test.y is None else (fitted.test.y.to_numpy(),)
        return float(self.scorer(fitted.model, fitted.test.X, *response))


def _scored(scorer: Any, name: str, spec: Mapping[str, Any] | None) -> Measure:
    return Measure(
        info=MeasureInfo(name, "greater"),
        function=ScorerFunction(scorer),
        spec=spec,
        description=f"scorer {name} of scikit-learn",
    )


def _scorer(name: object) -> Any:
    from sklearn.metrics import get_scorer, get_scorer_names

    if name not in get_scorer_names():
        from podium.setup.suggesting import nearest

        raise InputError(f"scikit-learn has no scorer {name!r}{nearest(name, get_scorer_names())}")
    return get_scorer(name)


@dataclass(frozen=True)
class OwnFunction:
    """A function of the fitted model and both samples."""

    function: Callable[..., float]
    arguments: int

    def __call__(self, fitted: Fitted) -> float:
        """Return its value."""
        if self.arguments == 1:
            return float(self.function(fitted))
        return float(self.function(fitted.model, fitted.learn, fitted.test))


def _own(function: Callable[..., float], shown: Mapping[str, Any]) -> Measure:
    name = shown["name"] or getattr(function, "__name__", type(function).__name__)
    if name == "<lambda>":
        raise InputError(
            "A measure made from a lambda needs a name: measure(lambda ..., name='...', direction='lower')."
        )
    implied = known_measure(name)
    if shown["direction"] is None and implied is None:
        raise DirectionError(
            f"Whether lower or greater is better is unknown for {name!r}. "
            "Say so: direction='lower' or direction='greater'."
        )
    direction = shown["direction"] or (implied.direction if implied else "lower")
    arguments = _arguments(function)
    path = public_path(function)
    told = {key: value for key, value in shown.items() if value is not None}
    return Measure(
        info=MeasureInfo(name, parse_direction(direction), units=shown["units"] or "", scale=shown["scale"]),
        function=OwnFunction(function, arguments),
        needs=frozenset({"prediction", "score"}) if arguments == 1 else frozenset(),
        spec=None if path is None else {"function": path, **told},
        description=f"own function {name}",
    )


def _arguments(function: Callable[..., float]) -> int:
    """Return how many arguments a function is called with: 1 or 3."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return 3
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p.name for p in parameters if p.kind in positional and p.default is Parameter.empty]
    if len(needed) not in (1, 3) and not any(p.kind is Parameter.VAR_POSITIONAL for p in parameters):
        raise InputError(
            f"A function that measures is called as f(model, learn, test) or f(fitted); got f({', '.join(needed)})."
        )
    return 1 if len(needed) == 1 else 3


def _shown(made: Measure, shown: Mapping[str, Any]) -> Measure:
    """Change name, units and scale; the direction of a known measure cannot be changed."""
    told = {key: value for key, value in shown.items() if value is not None}
    if not told:
        return made
    if "direction" in told and parse_direction(told["direction"]) != made.info.direction:
        raise DirectionError(
            f"Of {made.name!r} {made.info.direction} values are better; `direction` cannot be changed."
        )
    told.pop("direction", None)
    spec = None if made.spec is None else {**made.spec, **told}
    return replace(made, info=replace(made.info, **told), spec=spec)


def _refuse(asked: Mapping[str, Any], owner: str) -> dict[str, Any]:
    if asked:
        raise InputError(f"{owner[0].upper()}{owner[1:]} takes no {listing(asked)}.")
    return {}
