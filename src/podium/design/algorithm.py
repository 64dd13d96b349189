"""`Algorithm`: a named candidate that can be fitted to a learning sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, get_args

from podium.checks import check_call, check_choice, check_depth, check_mapping, check_stored_name, check_text
from podium.design.encoding import Nominal
from podium.design.factories import (
    CandidateFactory,
    EncodedFactory,
    FunctionFactory,
    ModelFactory,
    NamedFactory,
    model_factory,
)
from podium.design.spec.entry import Entry, FactorLevels, GridLevels, Name, read_entry, set_fields
from podium.design.spec.objects import build, find
from podium.errors import InputError, at_path


@check_call
@dataclass(frozen=True, eq=False, init=False)
class Algorithm:
    """A named candidate; `Algorithm.named` gives those of podium.

    Parameters
    ----------
    name : str
    estimator : estimator, object, callable or str
        - A scikit-learn estimator or pipeline, or its class: cloned for each trial, with every ``random_state`` or
          ``seed`` in it set from the trial's seed.
        - Any object with ``fit``: copied for each trial.
        - A factory ``f(learn)`` or ``f(learn, seed)`` that returns an object with ``fit``; ``learn`` is the learning
          sample with ``X`` and ``y``. Hyperparameters may be tuned inside its ``fit``.
        - The name of a candidate.
    parameters : mapping, optional
        Hyperparameters to set.
    encoding : {"one-hot", "treatment", "ordered", "codes"}, optional
        Turn nominal attributes into numbers and fill missing values before the model sees them. By default a model gets
        the attributes unchanged. Candidates have their own encoding.
    description : str, optional
        One sentence for a paper's methods section.
    factors : mapping, optional
        Levels of the factors (hyperparameters of a grid) that made this candidate.

    Attributes
    ----------
    make : callable
        ``make(learn: Sample, seed: int) -> object with fit``: a fresh, unfitted model for this learning sample,
        with all its randomness fixed by the seed.

    Examples
    --------
    >>> import podium
    >>> from sklearn.svm import SVC
    >>> podium.Algorithm("svm, C = 10", SVC(C=10.0)).spec
    {'class': 'sklearn.svm.SVC', 'parameters': {'C': 10.0}, 'name': 'svm, C = 10'}
    """

    name: str
    make: ModelFactory
    description: str
    factors: Mapping[str, Any]

    def __init__(
        self,
        name: str,
        estimator: Any,
        *,
        parameters: Mapping[str, Any] | None = None,
        encoding: Nominal | None = None,
        description: str | None = None,
        factors: Mapping[str, Any] | None = None,
    ) -> None:
        check_stored_name(name, "an algorithm")
        check_mapping({} if parameters is None else parameters, "`parameters`")
        check_mapping({} if factors is None else factors, "`factors`")
        factory = model_factory(estimator, parameters or {})
        if encoding is not None:
            check_choice(encoding, get_args(Nominal), "encoding")
            if isinstance(factory, CandidateFactory):
                message = f"The candidate {name!r} has its own encoding; leave `encoding` out."
                raise InputError(message, path=("encoding",))
            factory = EncodedFactory(factory, encoding)
        if description is not None:
            check_text(description, "description")
        said = factory.description if description is None else description
        set_fields(self, name=name, make=factory, description=said, factors=factors or {})

    @classmethod
    def named(cls, candidate: str, **parameters: Any) -> Algorithm:
        """Return a candidate by name (see `podium.candidates`), with its own encoding and tuning rule.

        >>> import podium
        >>> podium.Algorithm.named("knn")
        Algorithm 'knn': k nearest neighbours: k between 1 and √n by 10-fold cross-validation
        >>> podium.Algorithm.named("knn", k=3).renamed("3nn").spec
        {'candidate': 'knn', 'parameters': {'k': 3}, 'name': '3nn'}
        """
        return cls(candidate, CandidateFactory(candidate, parameters))

    @cached_property
    def spec(self) -> dict[str, Any] | None:
        """The file form of the algorithm; None if it was made from an object without one."""
        own = self.make.spec
        if own is None:
            return None
        labels: dict[str, Any] = {} if self.name == self.make.name else {"name": self.name}
        if self.description != self.make.description:
            labels["description"] = self.description
        return {**own, **labels, **({"factors": dict(self.factors)} if self.factors else {})}

    def renamed(self, name: str, **factors: Any) -> Algorithm:
        """Return the same algorithm under another name, with factor levels attached."""
        return Algorithm(name, self.make, description=self.description, factors={**self.factors, **factors})

    def with_parameters(self, **parameters: Any) -> Algorithm:
        """Return the same algorithm with other hyperparameters; the name stays.

        Examples
        --------
        >>> import podium
        >>> podium.Algorithm.named("svm").with_parameters(step=1).spec
        {'candidate': 'svm', 'parameters': {'step': 1}}
        """
        return Algorithm(self.name, self.make, parameters=parameters, factors=self.factors)

    def identified_by(self) -> tuple[Any, ...]:
        """Return what identifies the algorithm: what makes its models."""
        return (self.make,)

    @property
    def title(self) -> str:
        """What the algorithm is, without its hyperparameters."""
        return str(getattr(self.make, "title", self.description or self.name))

    def __repr__(self) -> str:
        return f"Algorithm {self.name!r}: {self.description}" if self.description else f"Algorithm {self.name!r}"


def as_algorithm(thing: Any, name: str | None = None) -> Algorithm:
    """Make an `Algorithm` from anything that stands for one in an experiment.

    That is an `Algorithm`, what makes one, a mapping as in a design file, or a pair of a name and one of these. The
    default name is the candidate's, the class of the estimator, or the name of the factory.
    """
    if isinstance(thing, tuple) and len(thing) == 2 and isinstance(thing[0], str):
        thing, name = thing[1], name or thing[0]
    if isinstance(thing, Mapping):
        thing = algorithm_from_spec(thing)
    if isinstance(thing, Algorithm):
        return thing if name is None or name == thing.name else thing.renamed(name)
    factory = model_factory(thing, {})
    return Algorithm(factory.name if name is None else name, factory)


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
    >>> search = {
    ...     "class": "sklearn.model_selection.GridSearchCV",
    ...     "parameters": {"estimator": {"class": "sklearn.svm.SVC"}, "param_grid": {"C": [1, 10]}, "cv": 5},
    ...     "name": "tuned svm",
    ... }
    >>> made = algorithm_from_spec(search)
    >>> made.name, made.spec == search
    ('tuned svm', True)
    """
    if isinstance(spec, str):
        return Algorithm.named(spec)
    if isinstance(spec, Mapping):
        check_depth(spec, "An algorithm")
    if isinstance(spec, Mapping) and "grid" in spec:
        raise InputError("`grid` makes several algorithms; use it in an experiment.", path=("grid",))
    entry: CandidateEntry | ClassEntry | FactoryEntry = read_entry(spec, ENTRIES)
    own = None if isinstance(entry, CandidateEntry) else entry
    factory = NamedFactory(own, entry.known_keys()[0]) if named and own else entry.model_factory()
    return Algorithm(
        factory.name if entry.name is None else entry.name,
        factory,
        encoding=own.encoding if own else None,
        description=entry.description,
        factors=entry.factors,
    )


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
        return model_factory(made, {})


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
KEYS = tuple(dict.fromkeys(key for kind in ENTRIES for key in kind.known_keys()))
