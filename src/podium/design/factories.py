"""Model factories: a fresh model for each trial, from a candidate, an estimator, an object or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from inspect import Parameter, signature
from typing import Any, Protocol

import pandas as pd

from podium.checks import shown
from podium.design.candidates import Candidate, named_candidate
from podium.design.encoding import Encoded, Nominal
from podium.design.identity import Cloned, Uses
from podium.design.sample import Sample, Task
from podium.design.seeds import seed_for
from podium.design.spec.objects import SEEDS, changed_parameters, file_form, public_path, settings_in_words, written
from podium.errors import InputError

_PACKAGES = {"sklearn": "scikit-learn"}  # packages whose name differs from that of their module


class ModelFactory(Protocol):
    """Makes models; can be pickled."""

    def __call__(self, learn: Sample, seed: int) -> Any:
        """Return an unfitted model for a learning sample."""

    @property
    def name(self) -> str:
        """The default name of the algorithm."""

    @property
    def spec(self) -> dict[str, Any] | None:
        """Its file form."""

    @property
    def title(self) -> str:
        """What it is, without hyperparameters."""

    @property
    def description(self) -> str:
        """One sentence about it."""

    def with_parameters(self, parameters: Mapping[str, Any]) -> ModelFactory:
        """Return the same with other hyperparameters."""


@dataclass(frozen=True)
class CandidateFactory:
    """Makes a candidate of podium, by name."""

    candidate: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named_candidate(self.candidate).check(self.parameters)

    def __call__(self, learn: Sample, seed: int) -> Any:
        """Return the model for the task of the learning sample."""
        model = named_candidate(self.candidate).model(task_of(learn), self.parameters)
        model.seed, model.rows = seed, learn.rows
        return model

    def identified_by(self) -> tuple[Any, ...]:
        """Return the candidate and its parameters; the libraries under it compute its numbers."""
        return type(self), self.candidate, sorted(self.parameters.items()), Uses()

    @property
    def name(self) -> str:
        """The candidate's name."""
        return self.candidate

    @property
    def spec(self) -> dict[str, Any]:
        """Candidate and parameters."""
        parameters = {key: file_form(value) for key, value in self.parameters.items()}
        return {"candidate": self.candidate} | ({"parameters": parameters} if parameters else {})

    @property
    def title(self) -> str:
        """What the candidate is."""
        return named_candidate(self.candidate).title

    @property
    def description(self) -> str:
        """What it is, how it is tuned, and what was set."""
        return named_candidate(self.candidate).described(self.parameters)

    def with_parameters(self, parameters: Mapping[str, Any]) -> CandidateFactory:
        """Return the candidate with other hyperparameters."""
        return replace(self, parameters={**self.parameters, **parameters})


@dataclass(frozen=True)
class EstimatorFactory:
    """Clones an estimator with `get_params`, and sets every `random_state` or `seed` in it."""

    estimator: Any

    def __call__(self, learn: Sample, seed: int) -> Any:
        """Return a clone."""
        from sklearn.base import clone

        return seeded(clone(self.estimator), seed)

    def identified_by(self) -> tuple[Any, ...]:
        """Return the estimator; what it has learned is lost when it is cloned."""
        return (Cloned(self.estimator),)

    @property
    def name(self) -> str:
        """The class; of a pipeline, that of its last step."""
        last = self.estimator
        while hasattr(last, "steps") and last.steps:
            last = last.steps[-1][1]
        return type(last).__name__

    @property
    def spec(self) -> dict[str, Any] | None:
        """Class and parameters."""
        return written(self.estimator)

    @property
    def title(self) -> str:
        """Class and package; the steps of a pipeline."""
        steps = getattr(self.estimator, "steps", None)
        if steps:
            return f"pipeline of {', '.join(type(step).__name__ for _, step in steps)}"
        return _class_and_package(self.estimator)

    @property
    def description(self) -> str:
        """Class, package and changed parameters; the steps of a pipeline."""
        pipeline = bool(getattr(self.estimator, "steps", None))
        return _with_values(self.title, {} if pipeline else changed_parameters(self.estimator))

    def with_parameters(self, parameters: Mapping[str, Any]) -> EstimatorFactory:
        """Return the estimator with other parameters."""
        from sklearn.base import clone

        changed = clone(self.estimator)
        try:
            changed.set_params(**parameters)
        except (ValueError, TypeError) as error:
            unknown = tuple(name for name in parameters if name not in changed.get_params())[:1]
            message = f"{type(changed).__name__} does not accept these `parameters`: {error}"
            raise InputError(message, path=unknown) from error
        return EstimatorFactory(changed)


@dataclass(frozen=True)
class CopyFactory:
    """Copies an object with `fit`; sets its `random_state` or `seed`, if it has one."""

    original: Any

    def __call__(self, learn: Sample, seed: int) -> Any:
        """Return a copy."""
        model = deepcopy(self.original)
        if isinstance(model, Candidate):
            model.seed, model.rows = seed, learn.rows
            return model
        for name in SEEDS:
            if hasattr(model, name):
                setattr(model, name, seed_for(seed, name) % 2**32)
        return model

    def identified_by(self) -> tuple[Any, ...]:
        """Return the object, with all of its state."""
        return (self.original,)

    @property
    def name(self) -> str:
        """The class."""
        return type(self.original).__name__

    @property
    def spec(self) -> None:
        """None: an arbitrary object has no file form."""
        return None

    @property
    def title(self) -> str:
        """The class and its package."""
        return _class_and_package(self.original)

    @property
    def description(self) -> str:
        """The class and its package."""
        return self.title

    def with_parameters(self, parameters: Mapping[str, Any]) -> CopyFactory:
        """Return the object with other attributes."""
        changed = deepcopy(self.original)
        for key, value in parameters.items():
            if not hasattr(changed, key):
                raise InputError(f"{self.name} has no attribute {key!r}, named by `parameters`.", path=(key,))
            setattr(changed, key, value)
        return CopyFactory(changed)


@dataclass(frozen=True)
class FunctionFactory:
    """Calls ``factory(learn)`` or ``factory(learn, seed)``."""

    factory: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.factory, type) and not hasattr(self.factory, "fit"):
            raise InputError(f"The class {self.factory.__name__} has no `fit`, so it is not an algorithm.")
        takes_seed(self.factory)

    def __call__(self, learn: Sample, seed: int) -> Any:
        """Return what the factory makes."""
        given = (learn, seed) if takes_seed(self.factory) else (learn,)
        return seeded(self.factory(*given, **self.parameters), seed, only_unset=True)

    def identified_by(self) -> tuple[Any, ...]:
        """Return the function and its arguments."""
        return self.factory, sorted(self.parameters.items())

    @property
    def name(self) -> str:
        """The function's name."""
        name = getattr(self.factory, "__name__", type(self.factory).__name__)
        if name == "<lambda>":
            raise InputError("An algorithm made by a lambda needs a name: podium.Algorithm('...', lambda learn: ...).")
        return str(name)

    @property
    def spec(self) -> dict[str, Any] | None:
        """Where the function can be imported from."""
        path = public_path(self.factory)
        if path is None:
            return None
        return {"factory": path} | ({"parameters": file_form(dict(self.parameters))} if self.parameters else {})

    @property
    def title(self) -> str:
        """The function's name."""
        return f"made by {getattr(self.factory, '__name__', 'a function')}"

    @property
    def description(self) -> str:
        """The function's name and parameters."""
        return _with_values(self.title, self.parameters)

    def with_parameters(self, parameters: Mapping[str, Any]) -> FunctionFactory:
        """Return the factory with other keyword arguments."""
        return replace(self, parameters={**self.parameters, **parameters})


class NamesCode(Protocol):
    """An entry of a design file that names a class or a function."""

    @property
    def code(self) -> str:
        """The path of the class or function."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What it is called with."""

    def model_factory(self) -> ModelFactory:
        """Import it, and return what makes its models."""


@dataclass(frozen=True)
class NamedFactory:
    """Stands for a class or function that a design file names; it is imported when the first model is made."""

    entry: NamesCode
    key: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def imported(self) -> ModelFactory:
        """Import the code, and return what makes its models."""
        factory = self.entry.model_factory()
        return factory.with_parameters(self.settings) if self.settings else factory

    def __call__(self, learn: Sample, seed: int) -> Any:
        """Return a model."""
        return self.imported()(learn, seed)

    def identified_by(self) -> tuple[Any, ...]:
        """Return what makes the models."""
        return (self.imported(),)

    @property
    def name(self) -> str:
        """The name of the class or function; of a pipeline, that of its last step."""
        steps = _steps(self.entry.code, self.entry.parameters)
        return steps[-1] if steps else _last(self.entry.code)

    @property
    def spec(self) -> dict[str, Any]:
        """Path and parameters, as the file gives them."""
        parameters = {**self.entry.parameters, **self.settings}
        return {self.key: self.entry.code} | ({"parameters": parameters} if parameters else {})

    @property
    def title(self) -> str:
        """The class and its package, or the function, by name."""
        if self.key == "factory":
            return f"made by {self.name}"
        steps = _steps(self.entry.code, self.entry.parameters)
        package = self.entry.code.replace(":", ".").partition(".")[0]
        return f"pipeline of {', '.join(steps)}" if steps else f"{self.name} of {_PACKAGES.get(package, package)}"

    @property
    def description(self) -> str:
        """The title and the parameters."""
        pipeline = _steps(self.entry.code, self.entry.parameters)
        given = {} if pipeline else {**self.entry.parameters, **self.settings}
        return _with_values(self.title, {key: _summary(value) for key, value in given.items()})

    def with_parameters(self, parameters: Mapping[str, Any]) -> NamedFactory:
        """Return the same with other hyperparameters."""
        return replace(self, settings={**self.settings, **parameters})


def _last(path: str) -> str:
    return path.replace(":", ".").rpartition(".")[2]


def _steps(path: str, parameters: Mapping[str, Any]) -> list[str]:
    """List the classes in the steps of a pipeline that is written in a file; empty for anything else."""
    steps = parameters.get("steps") if _last(path) == "Pipeline" else None
    classes = [_summary(step[1]) for step in steps or () if isinstance(step, list | tuple) and len(step) == 2]
    return [str(name) for name in classes]


def _summary(value: Any) -> Any:
    """Write an object of a design file by the name of its class."""
    if isinstance(value, Mapping) and isinstance(value.get("class"), str):
        return _last(value["class"])
    return value


@dataclass(frozen=True)
class EncodedFactory:
    """Puts an encoder in front of the models of another factory."""

    inner: ModelFactory
    encoding: Nominal

    def __call__(self, learn: Sample, seed: int) -> Any:
        """Return the model behind an encoder."""
        return Encoded(self.inner(learn, seed), self.encoding)

    @property
    def name(self) -> str:
        """The name of the inner one."""
        return self.inner.name

    @property
    def spec(self) -> dict[str, Any] | None:
        """The inner one, and the encoding."""
        return None if self.inner.spec is None else {**self.inner.spec, "encoding": self.encoding}

    @property
    def title(self) -> str:
        """The title of the inner one."""
        return self.inner.title

    @property
    def description(self) -> str:
        """The inner one, and the encoding."""
        return f"{self.inner.description}; attributes encoded ({self.encoding})"

    def with_parameters(self, parameters: Mapping[str, Any]) -> EncodedFactory:
        """Return the same with other hyperparameters inside."""
        return replace(self, inner=self.inner.with_parameters(parameters))


_FACTORIES = (CandidateFactory, EstimatorFactory, CopyFactory, FunctionFactory, NamedFactory, EncodedFactory)


def model_factory(thing: Any, parameters: Mapping[str, Any]) -> ModelFactory:
    """Return what makes models from this thing."""
    if isinstance(thing, str):
        return CandidateFactory(thing, dict(parameters))
    if isinstance(thing, _FACTORIES):
        return thing.with_parameters(parameters) if parameters else thing
    if isinstance(thing, type) and hasattr(thing, "fit"):
        try:
            thing, parameters = thing(**parameters), {}
        except TypeError as error:
            raise InputError(f"The class {thing.__name__} does not accept these `parameters`: {error}") from error
    if hasattr(thing, "fit"):
        factory: ModelFactory = EstimatorFactory(thing) if hasattr(thing, "get_params") else CopyFactory(thing)
        return factory.with_parameters(parameters) if parameters else factory
    if callable(thing):
        return FunctionFactory(thing, dict(parameters))
    raise InputError(
        "An algorithm is the name of a candidate, an object with `fit`, or a factory f(learn) that returns one; "
        f"got {shown(thing)}."
    )


def _class_and_package(thing: Any) -> str:
    package = type(thing).__module__.partition(".")[0]
    return f"{type(thing).__name__} of {_PACKAGES.get(package, package)}"


def _with_values(title: str, parameters: Mapping[str, Any]) -> str:
    return f"{title} with {settings_in_words(parameters)}" if parameters else title


def task_of(sample: Sample) -> Task:
    """Infer the task from the response: none, classes or numbers."""
    if sample.y is None:
        return "unsupervised"
    return "classification" if isinstance(sample.y.dtype, pd.CategoricalDtype) else "regression"


def seeded(model: Any, seed: int, *, only_unset: bool = False) -> Any:
    """Set every `random_state` or `seed` of a model with `get_params`, also inside its parts; return the model."""
    if not hasattr(model, "get_params") or not hasattr(model, "set_params"):
        return model
    states = {
        name: seed_for(seed, name) % 2**32
        for name, value in model.get_params(deep=True).items()
        if name.rpartition("__")[2] in SEEDS and (value is None or not only_unset)
    }
    return model.set_params(**states) if states else model


def takes_seed(factory: Callable[..., Any]) -> bool:
    """Return whether a factory is called as ``f(learn, seed)``, not as ``f(learn)``."""
    try:
        parameters = list(signature(factory).parameters.values())
    except (TypeError, ValueError):
        return False
    positional = [p for p in parameters if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in positional if p.default is Parameter.empty]
    if not positional or len(needed) > 2:
        names = ", ".join(p.name for p in parameters)
        raise InputError(f"A factory is called as f(learn) or f(learn, seed); got f({names}).")
    return len(needed) == 2 or (len(positional) > 1 and positional[1].name == "seed")


def estimated_task(make: object) -> Task | None:
    """Return the task that an estimator says it is for; None if it does not say so."""
    while isinstance(make, EncodedFactory):
        make = make.inner
    if not isinstance(make, EstimatorFactory):
        return None
    from sklearn.base import is_classifier, is_regressor

    try:
        kinds: tuple[Task, ...] = ("classification", "regression")
        said = [
            kind for kind, is_one in zip(kinds, (is_classifier, is_regressor), strict=True) if is_one(make.estimator)
        ]
    except Exception:  # an estimator whose tags depend on what is not there yet
        return None
    return said[0] if len(said) == 1 else None
