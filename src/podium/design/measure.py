"""`Measure`: a named number per trial, with a direction and units; made from a name, a scorer or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import Parameter, signature
from typing import Any, ClassVar

import numpy as np

from podium.arrays import FloatArray
from podium.checks import check_call, check_choice, check_keys, check_mapping, did_you_mean, expect, is_number, shown
from podium.design.dataset import Task
from podium.design.fitted import Fitted
from podium.design.measures import ANY_TASK, MEASURES, Functional, NamedMeasure, named_measure
from podium.design.spec.entry import Entry, Name, read_entry
from podium.design.spec.objects import find, public_path
from podium.errors import DirectionError, InputError, at_path, join_names
from podium.results.known_measures import known_measure
from podium.results.measure_info import Direction, MeasureInfo, Scale, parse_direction


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Measure:
    """A named number per trial; `podium.measure` makes one from a name, a scorer or a function.

    Parameters
    ----------
    info : MeasureInfo
        Name, direction, units and scale.
    function : callable
        ``function(fitted: Fitted) -> float``. It may raise `podium.errors.UndefinedError`.
    tasks : tuple of str
        The tasks it is for.
    needs : frozenset of {"prediction", "labels", "probability", "score", "model", "time", "memory"}
        What has to be recorded for it. ``"labels"`` are predictions that must be classes of the data set. A measure
        known by name that needs none of the last three sees no model, and can be taken from kept predictions.
    spec : mapping
        How the measure is written in a file; None for functions that cannot be imported.
    losses : callable, optional
        ``losses(fitted: Fitted) -> array``: the loss of each test observation, if the measure is a functional of such
        losses.
    description : str
        What it is.
    """

    info: MeasureInfo
    function: Callable[[Fitted], float]
    tasks: tuple[Task, ...] = ANY_TASK
    needs: frozenset[str] = frozenset()
    spec: Mapping[str, Any] | None = field(default=None)
    losses: Callable[[Fitted], FloatArray] | None = None
    description: str = ""

    def __post_init__(self) -> None:
        expect(self.info, MeasureInfo, "info")
        for argument, function in {"function": self.function, "losses": self.losses}.items():
            if not callable(function) and (function is not None or argument == "function"):
                raise InputError(f"`{argument}` must be callable as {argument}(fitted); got {shown(function)}.")

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.info.name

    @property
    def named(self) -> bool:
        """Whether it is one of podium's own, which read what was recorded and change nothing."""
        return self.spec is not None and "measure" in self.spec

    def identified_by(self) -> tuple[Any, ...]:
        """Return what identifies the measure: its function, and what it needs from a model."""
        return self.function, self.info.direction, self.tasks, self.needs

    def renamed(self, name: str) -> Measure:
        """Return the same measure under another name."""
        spec = None if self.spec is None else {**self.spec, "name": name}
        return replace(self, info=replace(self.info, name=name), spec=spec)

    def __repr__(self) -> str:
        return f"Measure {self.info}"


@check_call
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
        - A function ``f(model, learn, test)`` of the fitted model and both samples, or ``f(fitted)`` of everything that
          was recorded, that returns a number. It needs a direction.
        - A mapping, as in a design file.
        - A pair of a name and one of these.
    name : str, optional
        The name in tables and figures.
    functional : {"mean", "median"} or float, optional
        The functional over the test sample, for measures made of losses of individual observations: their mean, median
        or a quantile.
    direction : {"lower", "higher"}, optional
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
    labels = _given({"name": name, "direction": direction, "units": units, "scale": scale})
    _check_labels(labels)
    options = _given({"functional": functional, **options})
    if isinstance(thing, Mapping):
        return measure_from_spec({**thing, **options, **labels})
    if isinstance(thing, str):
        return _labelled(_from_name(named_measure(thing), options), labels)
    if isinstance(thing, Measure):
        _refuse(options, "A Measure object")
        return _labelled(thing, labels)
    if hasattr(thing, "_score_func") and hasattr(thing, "_sign"):
        _refuse(options, "A scorer")
        return _labelled(_from_scorer(thing, thing._score_func.__name__, spec=None), labels)
    if callable(thing):
        _refuse(options, "A function")
        return _from_function(thing, labels)
    raise InputError(
        "A measure is the name of one, {'scorer': name}, a scorer, or a function f(model, learn, test); "
        f"got {shown(thing)}."
    )


def measure_from_spec(spec: str | Mapping[str, Any], *, named: bool = False) -> Measure:
    """Make a `Measure` from its file form.

    Parameters
    ----------
    spec : str or mapping
        The name of a measure, or a mapping: see `NamedMeasureEntry`, `ScorerEntry` and `FunctionEntry`.
    named : bool
        Whether a function that it names is imported later, when it is needed.

    Returns
    -------
    Measure

    Examples
    --------
    >>> measure_from_spec({"measure": "absolute error", "functional": 0.9}).name
    'absolute error (0.9 quantile)'
    """
    if isinstance(spec, str):
        return measure(spec)
    check_mapping(spec, "A measure")
    check_keys(spec, measure_keys(), "A measure", "key")
    options = {key: value for key, value in spec.items() if key in _all_options()}
    entry: NamedMeasureEntry | ScorerEntry | FunctionEntry = read_entry(
        {key: value for key, value in spec.items() if key not in options}, ENTRIES
    )
    if not isinstance(entry, NamedMeasureEntry):
        _refuse(options, f"A {entry.known_keys()[0]}")
    return entry.named() if named and isinstance(entry, FunctionEntry) else entry.make(_given(options))


@dataclass(frozen=True, kw_only=True)
class _MeasureEntry(Entry):
    """A measure.

    Attributes
    ----------
    direction : str
        Which values are better; measures and scorers by name have theirs.
    units : str
        The units of its values.
    scale : str
        The scale of its axis.
    """

    noun: ClassVar[str] = "measure"

    name: Name | None = None
    direction: Direction | None = None
    units: str | None = None
    scale: Scale | None = None

    @property
    def labels(self) -> dict[str, Any]:
        """Name, direction, units and scale, as far as they are given."""
        return _given({"name": self.name, "direction": self.direction, "units": self.units, "scale": self.scale})


@dataclass(frozen=True, kw_only=True)
class NamedMeasureEntry(_MeasureEntry):
    """A measure of podium; its options are additional keys.

    Attributes
    ----------
    measure : str
        Its name.
    """

    measure: str

    def make(self, options: Mapping[str, Any]) -> Measure:
        """Make the measure with these options."""
        with at_path("measure"):
            known = named_measure(self.measure)
        return _labelled(_from_name(known, options), self.labels)


@dataclass(frozen=True, kw_only=True)
class ScorerEntry(_MeasureEntry):
    """A scorer of scikit-learn.

    Attributes
    ----------
    scorer : str
        Its name.
    """

    scorer: str

    def make(self, options: Mapping[str, Any]) -> Measure:
        """Make the measure; a scorer has no options."""
        with at_path("scorer"):
            found = _find_scorer(self.scorer)
        return _labelled(_from_scorer(found, self.scorer, spec={"scorer": self.scorer}), self.labels)


@dataclass(frozen=True, kw_only=True)
class FunctionEntry(_MeasureEntry):
    """An importable function f(model, learn, test) or f(fitted).

    Attributes
    ----------
    function : str
        Its path.
    """

    function: str

    def named(self) -> Measure:
        """Make the measure without importing the function; it is imported when it measures."""
        path = self.function.replace(":", ".")
        own = {"name": path.rpartition(".")[2], **self.labels}
        return Measure(
            info=_own_info(str(own["name"]), own),
            function=NamedFunction(self),
            spec={"function": self.function, **self.labels},
            description=f"user-defined function {own['name']}",
        )

    def make(self, options: Mapping[str, Any]) -> Measure:
        """Make the measure; a function has no options."""
        with at_path("function"):
            function = find(self.function, "function")
            if not callable(function):
                raise InputError(f"`function` {self.function!r} is not a function.")
        return _from_function(function, self.labels)


ENTRIES: tuple[type[Any], ...] = (NamedMeasureEntry, ScorerEntry, FunctionEntry)


def measure_keys() -> tuple[str, ...]:
    """Return the keys that an entry of a design file may have, options of all measures included."""
    own = dict.fromkeys(key for kind in ENTRIES for key in kind.known_keys())
    return (*own, *_all_options())


def _all_options() -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for known in MEASURES.values() for key in known.keys))


# ---- by name --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Aggregated:
    """A functional of the losses: their mean, median or a quantile."""

    loss: Callable[[Fitted], FloatArray]
    functional: Functional = "mean"

    def __call__(self, fitted: Fitted) -> float:
        """Return the functional over the test sample."""
        losses = self.loss(fitted)
        if self.functional == "mean":
            return float(losses.mean())
        return float(np.quantile(losses, 0.5 if self.functional == "median" else self.functional))


def check_functional(functional: Any) -> Functional:
    """Return a functional, or refuse what is not one."""
    if isinstance(functional, str) and functional in ("mean", "median"):
        return functional  # type: ignore[return-value]  # one of the two words
    if is_number(functional) and 0 < functional < 1:
        return float(functional)
    raise InputError(
        f"`functional` must be 'mean', 'median' or a number between 0 and 1 for a quantile; got {shown(functional)}.",
        path=("functional",),
    )


def _from_name(known: NamedMeasure, given: Mapping[str, Any]) -> Measure:
    if "functional" in given and not known.loss:
        raise InputError(
            f"The measure {known.name!r} is not made of losses of individual observations, so it has no `functional`.",
            path=("functional",),
        )
    check_keys(given, known.keys, f"The measure {known.name!r}", "option")
    functional = check_functional(given.get("functional", known.functional))
    options = {
        key: known.options[key].checked(value, key, f"the measure {known.name!r}")
        for key, value in given.items()
        if key != "functional"
    }
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
        spec={"measure": known.name, **given},
        losses=losses,
        description=known.title,
    )


# ---- scorers --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ScorerFunction:
    """A scorer of scikit-learn as a function of what was fitted."""

    scorer: Any

    def __call__(self, fitted: Fitted) -> float:
        """Return the score on the test sample."""
        response = () if fitted.test.y is None else (fitted.test.y.to_numpy(),)
        return float(self.scorer(fitted.model, fitted.test.X, *response))


def _from_scorer(scorer: Any, name: str, spec: Mapping[str, Any] | None) -> Measure:
    return Measure(
        info=MeasureInfo(name, "higher"),
        function=ScorerFunction(scorer),
        spec=spec,
        description=f"scorer {name} of scikit-learn",
    )


def _find_scorer(name: str) -> Any:
    from sklearn.metrics import get_scorer, get_scorer_names

    if name not in get_scorer_names():
        raise InputError(f"scikit-learn has no scorer {name!r}.{did_you_mean(name, get_scorer_names())}")
    return get_scorer(name)


# ---- functions ------------------------------------------------------------------------------------------------------


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


def _from_function(function: Callable[..., float], labels: Mapping[str, Any]) -> Measure:
    name = str(labels.get("name") or getattr(function, "__name__", type(function).__name__))
    if name == "<lambda>":
        raise InputError(
            "A measure made from a lambda needs a name: measure(lambda ..., name='...', direction='lower')."
        )
    info = _own_info(name, labels)
    arguments = _arguments(function)
    path = public_path(function)
    return Measure(
        info=info,
        function=OwnFunction(function, arguments),
        needs=frozenset({"prediction", "score"}) if arguments == 1 else frozenset(),
        spec=None if path is None else {"function": path, **labels},
        description=f"user-defined function {name}",
    )


@dataclass(frozen=True)
class NamedFunction:
    """Stands for a function that a design file names; it is imported when it is called."""

    entry: FunctionEntry

    def __call__(self, fitted: Fitted) -> float:
        """Return its value."""
        return self.entry.make({}).function(fitted)


def _own_info(name: str, labels: Mapping[str, Any]) -> MeasureInfo:
    implied = known_measure(name)
    direction = labels.get("direction") or (implied.direction if implied else None)
    if direction is None:
        raise DirectionError(
            f"It is unknown whether lower or higher values of {name!r} are better. Set direction='lower' or "
            "direction='higher'."
        )
    return MeasureInfo(name, parse_direction(direction), units=labels.get("units", ""), scale=labels.get("scale"))


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


# ---- labels and options ---------------------------------------------------------------------------------------------


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


def _check_labels(labels: Mapping[str, Any]) -> None:
    for key in ("name", "units"):
        if key in labels and (not isinstance(labels[key], str) or (key == "name" and not labels[key].strip())):
            raise InputError(f"`{key}` of a measure must be text; got {shown(labels[key])}.", path=(key,))
    if "direction" in labels:
        parse_direction(labels["direction"])
    if "scale" in labels:
        check_choice(labels["scale"], ("linear", "log"), "scale")


def _labelled(made: Measure, labels: Mapping[str, Any]) -> Measure:
    """Change name, units and scale; the direction of a known measure cannot be changed."""
    if not labels:
        return made
    if "direction" in labels and parse_direction(labels["direction"]) != made.info.direction:
        raise DirectionError(
            f"{made.info.direction.capitalize()} values of {made.name!r} are better; `direction` cannot be changed.",
            path=("direction",),
        )
    changed = {key: value for key, value in labels.items() if key != "direction"}
    spec = None if made.spec is None else {**made.spec, **changed}
    return replace(made, info=replace(made.info, **changed), spec=spec)


def _refuse(options: Mapping[str, Any], owner: str) -> None:
    if options:
        raise InputError(f"{owner} takes no {join_names(options)}.", path=(next(iter(options)),))
