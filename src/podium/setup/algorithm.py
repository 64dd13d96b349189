"""`Algorithm`: a named candidate that can be fitted to a learning sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args

from podium.errors import InputError, listing
from podium.setup.dataset import Sample
from podium.setup.encoding import Nominal
from podium.setup.importing import build, find
from podium.setup.making import CandidateMaker, CopyMaker, EncodedMaker, EstimatorMaker, FactoryMaker, Maker
from podium.setup.suggesting import check_keys, check_mapping

SOURCES = ("candidate", "class", "factory")
KEYS = (*SOURCES, "parameters", "encoding", "name", "description", "factors")


@dataclass(frozen=True, eq=False, kw_only=True)
class Algorithm:
    """A named candidate; `podium.algorithm` makes one from whatever can be fitted.

    Parameters
    ----------
    name : str
    make : callable
        ``make(learn: Sample, seed: int) -> object with fit``: a fresh, unfitted model for this learning sample,
        with all its randomness fixed by the seed. Hyperparameters may be tuned inside its ``fit``.
    spec : mapping
        How to write the algorithm down in a file; None if it was made from an object that has no file form.
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
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError(f"`name` of an algorithm must be a text that is not empty; got {self.name!r}.")

    def renamed(self, name: str, **factors: Any) -> Algorithm:
        """Return the same algorithm under another name, with factor levels attached."""
        levels = {**self.factors, **factors}
        spec = None if self.spec is None else _told({**self.spec, "name": name}, factors=levels)
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
            raise InputError(f"The algorithm {self.name!r} has no hyperparameters that podium could set.")
        maker = cast(Maker, self.make).with_parameters(parameters)
        kept = {} if self.spec is None else {key: self.spec[key] for key in ("name", "factors") if key in self.spec}
        spec = None if maker.spec is None else _ordered({**maker.spec, **kept})
        return replace(self, make=maker, spec=spec, description=maker.description)

    def __repr__(self) -> str:
        return f"Algorithm {self.name!r}: {self.description}" if self.description else f"Algorithm {self.name!r}"


def algorithm(
    thing: Any,
    *,
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    encoding: Nominal | None = None,
    description: str | None = None,
) -> Algorithm:
    """Make an `Algorithm` from whatever can be fitted.

    Parameters
    ----------
    thing : str, estimator, object, callable, mapping, pair or Algorithm
        - A name: one of the candidates of `podium.candidates`, encoded and tuned by their own rules.
        - A scikit-learn estimator or pipeline, or its class: cloned for each trial, with every ``random_state`` in it
          set from the trial's seed.
        - Any object with ``fit``: copied for each trial.
        - A factory ``f(learn)`` or ``f(learn, seed)`` that returns an object with ``fit``; ``learn`` is the learning
          sample with ``X`` and ``y``.
        - A mapping, as it stands in a design file: see `algorithm_from_spec`.
        - A pair of a name and one of these.
    name : str, optional
        Default: the candidate's name, the class of the estimator, or the name of the factory.
    parameters : mapping, optional
        Hyperparameters to be set.
    encoding : {"one-hot", "treatment", "ordered", "codes"}, optional
        Turn nominal attributes into numbers and fill missing values before the model sees them. Without it a model gets
        the attributes as they are. Candidates bring their own encoding.
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
    if isinstance(thing, Mapping):
        made = algorithm_from_spec(thing)
    elif isinstance(thing, Algorithm):
        made = thing
    else:
        made = _from_maker(_maker(thing, parameters or {}), name=name)
        parameters = None
    if parameters:
        made = made.with_parameters(**check_mapping(parameters, "`parameters`"))
    if encoding is not None:
        made = _encoded(made, encoding)
    if name is not None and name != made.name:
        made = made.renamed(name)
    if description is not None:
        made = replace(made, description=description, spec=_described(made.spec, description))
    return made


def algorithm_from_spec(spec: str | Mapping[str, Any]) -> Algorithm:
    """Make an `Algorithm` from what stands in a design file.

    Parameters
    ----------
    spec : str or mapping
        The name of a candidate, or a mapping with one of the keys

        - ``candidate``: the name of a candidate,
        - ``class``: an importable class with ``fit``, such as ``sklearn.svm.SVC``,
        - ``factory``: an importable function ``f(learn)`` or ``f(learn, seed)``,

        and, as needed, ``parameters``, ``encoding``, ``name``, ``description`` and ``factors``. Parameters are plain
        values, or objects ``{class: ..., parameters: ...}`` again.

    Returns
    -------
    Algorithm

    Examples
    --------
    >>> from podium.setup.algorithm import algorithm_from_spec
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
        return _from_maker(CandidateMaker(spec))
    check_mapping(spec, "An algorithm")
    check_keys(spec, KEYS, "An algorithm", "key")
    given = [key for key in SOURCES if key in spec]
    if len(given) != 1:
        came = f"both {listing(given)}" if given else f"only {listing(spec)}" if spec else "nothing"
        raise InputError(f"An algorithm needs exactly one of {listing(SOURCES)}; got {came}.")
    made = _from_maker(_maker_from_spec(given[0], spec), name=spec.get("name"))
    if spec.get("encoding") is not None:
        made = _encoded(made, spec["encoding"])
    factors = check_mapping(spec.get("factors") or {}, "`factors` of an algorithm")
    if "name" in spec or factors:
        made = made.renamed(spec.get("name", made.name), **factors)
    if "description" in spec:
        told = str(spec["description"])
        made = replace(made, description=told, spec=_described(made.spec, told))
    return made


def _maker_from_spec(source: str, spec: Mapping[str, Any]) -> Maker:
    parameters = dict(check_mapping(spec.get("parameters") or {}, "`parameters` of an algorithm"))
    if source == "candidate":
        return CandidateMaker(str(spec["candidate"]), parameters)
    if source == "factory":
        factory = find(spec["factory"], "factory")
        if not callable(factory):
            raise InputError(f"`factory` {spec['factory']!r} is no function.")
        return FactoryMaker(factory, parameters)
    made = build({"class": spec["class"], "parameters": parameters})
    if not hasattr(made, "fit"):
        raise InputError(f"`class` {spec['class']!r} has no `fit`. A function that makes a model is a `factory`.")
    return _maker(made, {})


def _maker(thing: Any, parameters: Mapping[str, Any]) -> Maker:
    """Find out what the thing is."""
    if isinstance(thing, str):
        return CandidateMaker(thing, dict(parameters))
    maker: Maker
    if isinstance(thing, type) and hasattr(thing, "fit"):
        try:
            thing, parameters = thing(**parameters), {}
        except TypeError as error:
            raise InputError(f"The class {thing.__name__} cannot be made with these `parameters`: {error}.") from error
    if hasattr(thing, "fit"):
        maker = EstimatorMaker(thing) if hasattr(thing, "get_params") else CopyMaker(thing)
        return maker.with_parameters(parameters) if parameters else maker
    if callable(thing):
        return FactoryMaker(thing, dict(parameters))
    raise InputError(
        "An algorithm is the name of a candidate, an object with `fit`, or a factory f(learn) that returns one; "
        f"got {thing!r}."
    )


def _from_maker(maker: Maker, *, name: str | None = None) -> Algorithm:
    made = Algorithm(name=maker.name if name is None else name, make=maker, description=maker.description)
    spec = maker.spec
    if spec is not None and name is not None and name != maker.name:
        spec = {**spec, "name": name}
    return replace(made, spec=spec)


def _encoded(made: Algorithm, encoding: Nominal) -> Algorithm:
    if encoding not in get_args(Nominal):
        raise InputError(f"`encoding` must be one of {listing(get_args(Nominal))}; got {encoding!r}.")
    if isinstance(made.make, CandidateMaker):
        raise InputError(f"The candidate {made.name!r} brings its own encoding; leave `encoding` out.")
    maker = EncodedMaker(cast(Maker, made.make), encoding)
    spec = None if made.spec is None else _ordered({**made.spec, "encoding": encoding})
    return replace(made, make=maker, spec=spec, description=maker.description)


def _told(spec: Mapping[str, Any], *, factors: Mapping[str, Any]) -> dict[str, Any]:
    return _ordered({**spec, "factors": dict(factors)} if factors else spec)


def _described(spec: Mapping[str, Any] | None, description: str) -> Mapping[str, Any] | None:
    return None if spec is None else _ordered({**spec, "description": description})


def _ordered(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {key: spec[key] for key in KEYS if key in spec}
