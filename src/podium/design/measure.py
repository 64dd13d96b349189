"""`Measure`: a named number per trial, with a direction and units; made from a name, a scorer or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from inspect import Parameter, signature
from typing import Any, ClassVar

import numpy as np

from podium.arrays import FloatArray
from podium.checks import check_call, check_choice, check_keys, check_mapping, did_you_mean, is_number, shown
from podium.design.fitted import Fitted
from podium.design.measures import ANY_TASK, MEASURES, Functional, NamedMeasure, named_measure
from podium.design.sample import Task
from podium.design.spec.entry import Entry, Name, read_entry, set_fields
from podium.design.spec.objects import find, public_path
from podium.errors import DirectionError, InputError, at_path, join_names
from podium.results.known_measures import known_measure
from podium.results.measure_info import Direction, MeasureInfo, Scale, parse_direction


@check_call
@dataclass(frozen=True, eq=False, init=False)
class Measure:
    """A named number per trial; `Measure.named` gives those of podium.

    Parameters
    ----------
    name : str
    function : callable or str
        ``f(model, learn, test)`` of the fitted model and both samples, or ``f(fitted)`` of everything that was
        recorded (see `podium.design.Fitted`), that returns a number; it may raise `podium.errors.UndefinedError`. Or a
        scorer of scikit-learn, or its name, such as ``"roc_auc"``.
    direction : {"lower", "higher"}
        Which values are better; known for scorers and for names such as "error".
    units, scale : str, optional
        For axes and tables: the units, and "linear" or "log".
    tasks : tuple of str
        The tasks it is for.
    needs : frozenset of {"prediction", "labels", "probability", "score", "model", "time", "memory"}, optional
        What has to be recorded for a function ``f(fitted)``. ``"labels"`` are predictions that must be classes of the
        data set. A measure known by name that needs none of the last three sees no model, and can be taken from kept
        predictions.
    spec : mapping
        How the measure is written in a file; None for functions that cannot be imported.
    losses : callable, optional
        ``losses(fitted: Fitted) -> array``: the loss of each test observation, if the measure is a functional of such
        losses.
    description : str
        What it is.

    Attributes
    ----------
    info : MeasureInfo
        Name, direction, units and scale.

    Examples
    --------
    >>> import podium
    >>> podium.Measure("iterations", lambda model, learn, test: model.n_iter_, direction="lower")
    Measure iterations (lower is better)
    """

    info: MeasureInfo
    function: Callable[[Fitted], float]
    tasks: tuple[Task, ...]
    needs: frozenset[str]
    spec: Mapping[str, Any] | None
    losses: Callable[[Fitted], FloatArray] | None
    description: str

    def __init__(
        self,
        name: str,
        function: Callable[..., float] | str,
        *,
        direction: Direction | None = None,
        units: str = "",
        scale: Scale | None = None,
        tasks: tuple[Task, ...] = ANY_TASK,
        needs: frozenset[str] | None = None,
        spec: Mapping[str, Any] | None = None,
        losses: Callable[[Fitted], FloatArray] | None = None,
        description: str = "",
    ) -> None:
        if isinstance(function, str):
            named = {} if name == function else {"name": name}
            function, spec = _find_scorer(function), {"scorer": function, **named}
        if losses is not None and not callable(losses):
            raise InputError(f"`losses` must be callable as losses(fitted); got {shown(losses)}.")
        if not callable(function):
            raise InputError(f"`function` must be callable as function(fitted); got {shown(function)}.")
        labels = _given({"name": name, "direction": direction, "units": units or None, "scale": scale})
        _check_labels(labels)
        if needs is None and _is_scorer(function):
            check_choice(direction or "higher", ("higher",), "direction")
            labels["direction"] = "higher"
            function, needs = ScorerFunction(function), frozenset()
            description = description or f"scorer {name} of scikit-learn"
        elif needs is None:
            path, arguments = public_path(function), _arguments(function)
            spec = {"function": path, **labels} if spec is None and path is not None else spec
            needs = frozenset({"prediction", "score"}) if arguments == 1 else frozenset()
            function = OwnFunction(function, arguments)
            description = description or f"user-defined function {name}"
        set_fields(
            self,
            info=_own_info(name, labels),
            function=function,
            tasks=tasks,
            needs=needs,
            spec=spec,
            losses=losses,
            description=description,
        )

    @classmethod
    def named(cls, name: str, **options: Any) -> Measure:
        """Return one of podium's measures by name (see `podium.measures`); case and punctuation do not matter.

        Parameters
        ----------
        name : str
        **options
            ``functional``: over the test sample, for measures made of losses of individual observations: "mean",
            "median" or the level of a quantile. ``positive``: the class that precision, recall, ... are about (default:
            the last of two classes; for more than two the mean over all classes). ``multiclass``: "hand-till" or
            "one-vs-rest", for the AUC. ``clip``: smallest probability, for deviance and log loss.

        Examples
        --------
        >>> import podium
        >>> podium.Measure.named("squared error", functional="median")
        Measure squared error (median) (lower is better)
        """
        return _from_name(named_measure(name), _given(options))

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.info.name

    @property
    def known(self) -> bool:
        """Whether it is one of podium's own, which read what was recorded and change nothing."""
        return self.spec is not None and "measure" in self.spec

    def identified_by(self) -> tuple[Any, ...]:
        """Return what identifies the measure: its function, and what it needs from a model."""
        return self.function, self.info.direction, self.tasks, self.needs

    def renamed(self, name: str) -> Measure:
        """Return the same measure under another name."""
        return _labelled(self, {"name": name})

    def __repr__(self) -> str:
        return f"Measure {self.info}"


def as_measure(thing: Any, name: str | None = None) -> Measure:
    """Make a `Measure` from anything that stands for one in an experiment.

    That is a `Measure`, the name of one, a scorer of scikit-learn, a function, a mapping as in a design file, or a pair
    of a name and one of these.
    """
    if isinstance(thing, tuple) and len(thing) == 2 and isinstance(thing[0], str):
        thing, name = thing[1], name or thing[0]
    labels = _given({"name": name})
    _check_labels(labels)
    if isinstance(thing, Mapping):
        return measure_from_spec({**thing, **labels})
    if isinstance(thing, str):
        return _labelled(Measure.named(thing), labels)
    if isinstance(thing, Measure):
        return _labelled(thing, labels)
    if _is_scorer(thing):
        return Measure(name or thing._score_func.__name__, thing)
    if callable(thing):
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
        return Measure.named(spec)
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
            return _labelled(Measure(self.scorer, self.scorer), self.labels)


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
            **own,
            function=NamedFunction(self),
            needs=frozenset(),
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
        name,
        function,
        direction=known.direction,
        units=known.units,
        scale=known.scale,
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


def _is_scorer(thing: object) -> bool:
    return hasattr(thing, "_score_func") and hasattr(thing, "_sign")


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
            "A measure made from a lambda needs a name: podium.Measure('...', lambda ..., direction='lower')."
        )
    path = public_path(function)
    spec = None if path is None else {"function": path, **labels}
    return Measure(**{**labels, "name": name}, function=function, spec=spec)


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
    twin = copy(made)
    spec = None if made.spec is None else {**made.spec, **changed}
    set_fields(twin, info=replace(made.info, **changed), spec=spec)
    return twin


def _refuse(options: Mapping[str, Any], owner: str) -> None:
    if options:
        raise InputError(f"{owner} takes no {join_names(options)}.", path=(next(iter(options)),))
