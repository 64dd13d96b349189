"""Resampling schemes by name: from a name, a mapping or an object to a scheme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import signature
from typing import Any, TypeAlias

from podium.checks import check_call, check_keys, check_mapping, did_you_mean, shown
from podium.design.resampling.bootstrap import Bootstrap
from podium.design.resampling.cross_validation import CrossValidation
from podium.design.resampling.fresh_draws import FreshDraws
from podium.design.resampling.reserve import Reserve
from podium.design.resampling.sklearn_splitter import NamedSplitter, SklearnSplitter, splitter_from_spec
from podium.design.resampling.split import Resampling, Scheme, wider_schemes
from podium.design.resampling.subsampling import HoldOut, Subsampling
from podium.design.spec.entry import read_fraction
from podium.errors import InputError, LabelError, at_path, join_names

CLASSES: Mapping[str, type[Scheme]] = {
    kind.scheme: kind for kind in (Bootstrap, Subsampling, HoldOut, CrossValidation, FreshDraws, Reserve)
}
SCHEMES = (*CLASSES, "5x2cv")


@check_call
def as_resampling(scheme: object) -> Resampling:
    """Return a resampling scheme from its name, its file form or an object.

    Parameters
    ----------
    scheme : str, mapping, Resampling or splitter
        A name with all defaults (``"bootstrap"``, ``"5x2cv"``), a mapping from a name to parameters as in a design
        file (``{"bootstrap": {"replications": 100}}``), a mapping with the ``class`` of a splitter and its
        ``parameters``, a scheme such as `podium.Bootstrap`, or a splitter of scikit-learn.

    Examples
    --------
    >>> as_resampling({"subsampling": {"replications": 100, "fraction": "2/3"}})
    Subsampling(replications=100, fraction=0.6666666666666666, stratify=False)
    >>> as_resampling("5x2cv").describe()
    'stratified 2-fold cross-validation, repeated 5 times'
    """
    if isinstance(scheme, str):
        return _make(scheme, {})
    if isinstance(scheme, Mapping):
        return _from_mapping(scheme, splitter_from_spec)
    if not isinstance(scheme, type):
        if isinstance(scheme, Resampling):
            return scheme
        if callable(getattr(scheme, "split", None)) and hasattr(scheme, "get_n_splits"):
            return SklearnSplitter(splitter=scheme)
    raise InputError(
        "`resampling` must be a name, a mapping, a scheme such as podium.Bootstrap(replications=100), or a splitter of "
        f"scikit-learn; got {shown(scheme)}."
    )


def named_scheme(scheme: object) -> Resampling:
    """Return a resampling scheme from its file form; the class of a splitter is imported later, when it is needed."""
    if isinstance(scheme, Mapping):
        return _from_mapping(scheme, lambda spec: NamedSplitter(spec=spec))
    return as_resampling(scheme)


def is_named(scheme: Resampling) -> bool:
    """Return whether a scheme needs the class of a splitter that is not imported yet."""
    return isinstance(scheme, NamedSplitter) or (isinstance(scheme, Reserve) and is_named(scheme.then))


Maker: TypeAlias = Callable[[Mapping[str, Any]], Resampling]


def _from_mapping(spec: Mapping[str, Any], splitter: Maker) -> Resampling:
    if "class" in spec:
        return splitter(spec)
    if len(spec) != 1:
        raise InputError(
            "`resampling` must be one scheme with its parameters, such as {bootstrap: {replications: 100}}; got the "
            f"keys {join_names(spec)}."
        )
    ((name, arguments),) = spec.items()
    with at_path(name):
        return _make(str(name), {} if arguments is None else check_mapping(arguments, f"`{name}`"), splitter)


def _make(word: str, arguments: Mapping[str, Any], splitter: Maker = splitter_from_spec) -> Resampling:
    name = word.strip().lower().replace(" ", "-").replace("_", "-").replace("×", "x")
    name = {"holdout": "hold-out", "cv": "cross-validation", "5x2-cv": "5x2cv"}.get(name, name)
    if name not in SCHEMES:
        raise LabelError(
            f"There is no resampling scheme {word!r}. The schemes are {join_names(SCHEMES, most=12)}; a splitter of "
            f"scikit-learn is {{class: ..., parameters: ...}}.{did_you_mean(word, SCHEMES)}"
        )
    maker: Callable[..., Any] = CLASSES.get(name, CrossValidation.five_by_two)
    known = (
        [f.name for f in fields(CLASSES[name])]
        if name in CLASSES
        else signature(CrossValidation.five_by_two).parameters
    )
    others = {kind.scheme: names for kind, names in wider_schemes(CLASSES[name]).items()} if name in CLASSES else {}
    check_keys(arguments, known, f"The scheme {name!r}", others=others)
    given = {key: read_fraction(value) if key == "fraction" else value for key, value in arguments.items()}
    if "then" in given:
        with at_path("then"):
            then = given["then"]
            given["then"] = _from_mapping(then, splitter) if isinstance(then, Mapping) else as_resampling(then)
    made: Resampling = maker(**given)
    return made
