"""`Algorithm`: a named candidate that can be fitted to a learning sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast, get_args

from podium.checks import check_call, check_choice, check_depth, check_mapping, check_stored_name, check_text, shown
from podium.design.dataset import Sample
from podium.design.encoding import Nominal
from podium.design.factories import (
    CandidateFactory,
    CopyFactory,
    EncodedFactory,
    EstimatorFactory,
    FunctionFactory,
    ModelFactory,
    NamedFactory,
)
from podium.design.spec.entry import Entry, FactorLevels, GridLevels, Name, read_entry
from podium.design.spec.objects import build, find
from podium.errors import InputError, at_path


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Algorithm:
    """A named candidate; `podium.algorithm` makes one from anything that can be fitted.

    Parameters
    ----------
    name : str
    make : callable
        ``make(learn: Sample, seed: int) -> object with fit``: a fresh, unfitted model for this learning sample,
        with all its randomness fixed by the seed. Hyperparameters may be tuned inside its ``fit``.
    spec : mapping
        The file form of the algorithm; None if it was made from an object without one.
    factors : mapping
        Levels of the factors (hyperparameters of a grid) that made this candidate.
    description : str
        One sentence for a paper's methods section.
    """

    name: str
    make: Callable[[Sample, int], Any]
    spec: Mapping[str, Any] | None = None
    factors: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""

    def __post_init__(self) -> None:
        check_stored_name(self.name, "an algorithm")
        if not callable(self.make):
            raise InputError(f"`make` must be a function make(learn, seed); got {shown(self.make)}.")
        check_text(self.description, "description")
        check_mapping(self.factors, "`factors`")
        if self.spec is not None:
            check_mapping(self.spec, "`spec`")

    def renamed(self, name: str, **factors: Any) -> Algorithm:
        """Return the same algorithm under another name, with factor levels attached."""
        levels = {**self.factors, **factors}
        labels = {"name": name} | ({"factors": levels} if levels else {})
        spec = None if self.spec is None else _ordered({**self.spec, **labels})
        return replace(self, name=name, factors=levels, spec=spec)

    def with_parameters(self, **parameters: Any) -> Algorithm:
        """Return the same algorithm with other hyperparameters; the name stays.

        Examples
        --------
        >>> import podium
        >>> podium.algorithm("svm").with_parameters(step=1).spec
        {'candidate': 'svm', 'parameters': {'step': 1}}
        """
        if not hasattr(self.make, "with_parameters"):
            raise InputError(f"podium cannot set hyperparameters of the algorithm {self.name!r}.")
        factory = cast(ModelFactory, self.make).with_parameters(parameters)
        kept = {} if self.spec is None else {key: self.spec[key] for key in ("name", "factors") if key in self.spec}
        spec = None if factory.spec is None else _ordered({**factory.spec, **kept})
        return replace(self, make=factory, spec=spec, description=factory.description)

    def identified_by(self) -> tuple[Any, ...]:
        """Return what identifies the algorithm: what makes its models."""
        return (self.make,)

    @property
    def title(self) -> str:
        """What the algorithm is, without its hyperparameters."""
        return str(getattr(self.make, "title", self.description or self.name))

    def __repr__(self) -> str:
        return f"Algorithm {self.name!r}: {self.description}" if self.description else f"Algorithm {self.name!r}"


@check_call
def algorithm(
    thing: Any,
    *,
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    encoding: Nominal | None = None,
    description: str | None = None,
) -> Algorithm:
    """Make an `Algorithm` from anything that can be fitted.

    Parameters
    ----------
    thing : str, estimator, object, callable, mapping, pair or Algorithm
        - A name: one of `podium.candidates`, each with its own encoding and tuning rule.
        - A scikit-learn estimator or pipeline, or its class: cloned for each trial, with every ``random_state`` or
          ``seed`` in it set from the trial's seed.
        - Any object with ``fit``: copied for each trial.
        - A factory ``f(learn)`` or ``f(learn, seed)`` that returns an object with ``fit``; ``learn`` is the learning
          sample with ``X`` and ``y``.
        - A mapping, as in a design file.
        - A pair of a name and one of these.
    name : str, optional
        Default: the candidate's name, the class of the estimator, or the name of the factory.
    parameters : mapping, optional
        Hyperparameters to set.
    encoding : {"one-hot", "treatment", "ordered", "codes"}, optional
        Turn nominal attributes into numbers and fill missing values before the model sees them. By default a model gets
        the attributes unchanged. Candidates have their own encoding.
    description : str, optional
        One sentence for a paper's methods section.

    Returns
    -------
    Algorithm

    Examples
    --------
    >>> import podium
    >>> podium.algorithm("knn")
    Algorithm 'knn': k nearest neighbours: k between 1 and √n by 10-fold cross-validation
    >>> from sklearn.svm import SVC
    >>> podium.algorithm(SVC(C=10.0), name="svm, C = 10").spec
    {'class': 'sklearn.svm.SVC', 'parameters': {'C': 10.0}, 'name': 'svm, C = 10'}
    """
    if isinstance(thing, tuple) and len(thing) == 2 and isinstance(thing[0], str):
        thing, name = thing[1], name or thing[0]
    check_mapping({} if parameters is None else parameters, "`parameters`")
    if isinstance(thing, Mapping):
        made = algorithm_from_spec(thing)
    elif isinstance(thing, Algorithm):
        made = thing
    else:
        made = _from_factory(_factory(thing, parameters or {}), name=name)
        parameters = None
    if parameters:
        made = made.with_parameters(**parameters)
    if encoding is not None:
        made = _encoded(made, encoding)
    if name is not None and name != made.name:
        made = made.renamed(name)
    if description is not None:
        made = _described(made, description)
    return made


def algorithm_from_spec(spec: str | Mapping[str, Any], *, named: bool = False) -> Algorithm:
    """Make an `Algorithm` from its file form.

    Parameters
    ----------
    spec : str or mapping
        The name of a candidate, or a mapping: see `CandidateEntry`, `ClassEntry` and `FactoryEntry`.
    named : bool
        Whether the code that it names is imported later, when it is needed.

    Returns
    -------
    Algorithm

    Examples
    --------
    >>> import podium
    >>> search = {
    ...     "class": "sklearn.model_selection.GridSearchCV",
    ...     "parameters": {"estimator": {"class": "sklearn.svm.SVC"}, "param_grid": {"C": [1, 10]}, "cv": 5},
    ...     "name": "tuned svm",
    ... }
    >>> made = podium.algorithm(search)
    >>> made.name, made.spec == search
    ('tuned svm', True)
    """
    if isinstance(spec, str):
        return _from_factory(CandidateFactory(spec))
    if isinstance(spec, Mapping):
        check_depth(spec, "An algorithm")
    if isinstance(spec, Mapping) and "grid" in spec:
        raise InputError("`grid` makes several algorithms; use it in an experiment.", path=("grid",))
    entry: CandidateEntry | ClassEntry | FactoryEntry = read_entry(spec, ENTRIES)
    if named and not isinstance(entry, CandidateEntry):
        factory: ModelFactory = NamedFactory(entry, entry.known_keys()[0])
    else:
        factory = entry.model_factory()
    made = _from_factory(factory, name=entry.name)
    if not isinstance(entry, CandidateEntry) and entry.encoding is not None:
        made = _encoded(made, entry.encoding)
    if entry.name is not None or entry.factors:
        made = made.renamed(entry.name or made.name, **entry.factors)
    return made if entry.description is None else _described(made, entry.description)


@dataclass(frozen=True, kw_only=True)
class _AlgorithmEntry(Entry):
    """An algorithm.

    Attributes
    ----------
    description : str
        One sentence for a methods section.
    """

    noun: ClassVar[str] = "algorithm"

    name: Name | None = None
    description: str | None = None
    factors: FactorLevels = field(default_factory=dict)
    grid: GridLevels = None


@dataclass(frozen=True, kw_only=True)
class CandidateEntry(_AlgorithmEntry):
    """A candidate of podium.

    Attributes
    ----------
    candidate : str
        Its name.
    parameters : mapping
        Its hyperparameters.
    """

    candidate: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def model_factory(self) -> ModelFactory:
        """Return what makes its models."""
        with at_path("candidate"):
            CandidateFactory(self.candidate)
        with at_path("parameters"):
            return CandidateFactory(self.candidate, dict(self.parameters))


@dataclass(frozen=True, kw_only=True)
class _OwnEntry(_AlgorithmEntry):
    """Your own algorithm.

    Attributes
    ----------
    parameters : mapping
        Plain values, or objects {class: ..., parameters: ...}.
    encoding : str
        Turn nominal attributes into numbers and fill missing values before the model sees them.
    """

    parameters: Mapping[str, Any] = field(default_factory=dict)
    encoding: Nominal | None = None


@dataclass(frozen=True, kw_only=True)
class ClassEntry(_OwnEntry):
    """An importable class with ``fit``.

    Attributes
    ----------
    class_ : str
        Its path, such as sklearn.svm.SVC.
    """

    class_: str

    @property
    def code(self) -> str:
        """The path of the class."""
        return self.class_

    def model_factory(self) -> ModelFactory:
        """Return what makes its models."""
        made = build({"class": self.class_, "parameters": self.parameters})
        if not hasattr(made, "fit"):
            raise InputError(
                f"`class` {self.class_!r} has no `fit`. A function that makes a model is a `factory`.", path=("class",)
            )
        return _factory(made, {})


@dataclass(frozen=True, kw_only=True)
class FactoryEntry(_OwnEntry):
    """An importable function that makes a model.

    Attributes
    ----------
    factory : str
        Its path; it is called as f(learn) or f(learn, seed).
    """

    factory: str

    @property
    def code(self) -> str:
        """The path of the function."""
        return self.factory

    def model_factory(self) -> ModelFactory:
        """Return what makes its models."""
        with at_path("factory"):
            function = find(self.factory, "factory")
            if not callable(function):
                raise InputError(f"`factory` {self.factory!r} is not a function.")
            return FunctionFactory(function, dict(self.parameters))


ENTRIES: tuple[type[Any], ...] = (CandidateEntry, ClassEntry, FactoryEntry)
KEYS = ("candidate", "class", "factory", "parameters", "encoding", "name", "description", "factors")


def _factory(thing: Any, parameters: Mapping[str, Any]) -> ModelFactory:
    """Return what makes models from this thing."""
    if isinstance(thing, str):
        return CandidateFactory(thing, dict(parameters))
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


def _from_factory(factory: ModelFactory, *, name: str | None = None) -> Algorithm:
    made = Algorithm(name=factory.name if name is None else name, make=factory, description=factory.description)
    spec = factory.spec
    if spec is not None and name is not None and name != factory.name:
        spec = {**spec, "name": name}
    return replace(made, spec=spec)


def _encoded(made: Algorithm, encoding: Nominal) -> Algorithm:
    check_choice(encoding, get_args(Nominal), "encoding")
    if isinstance(made.make, CandidateFactory):
        raise InputError(f"The candidate {made.name!r} has its own encoding; leave `encoding` out.", path=("encoding",))
    factory = EncodedFactory(cast(ModelFactory, made.make), encoding)
    spec = None if made.spec is None else _ordered({**made.spec, "encoding": encoding})
    return replace(made, make=factory, spec=spec, description=factory.description)


def _described(made: Algorithm, description: str) -> Algorithm:
    check_text(description, "description")
    spec = None if made.spec is None else _ordered({**made.spec, "description": description})
    return replace(made, description=description, spec=spec)


def _ordered(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {key: spec[key] for key in KEYS if key in spec}
