"""From a name, a mapping or an object to a resampling scheme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from podium.errors import InputError, LabelError, listing
from podium.setup.resampling.bootstrap import Bootstrap
from podium.setup.resampling.cross_validation import CrossValidation, five_by_two
from podium.setup.resampling.fresh import FreshDraws
from podium.setup.resampling.reserve import Reserve
from podium.setup.resampling.sklearn_splitter import SklearnSplitter, splitter_from_spec
from podium.setup.resampling.split import Resampling, read_fraction
from podium.setup.resampling.subsampling import HoldOut, Subsampling
from podium.setup.suggesting import check_keys, check_mapping, nearest

_CLASSES: Mapping[str, type[Any]] = {
    "bootstrap": Bootstrap,
    "subsampling": Subsampling,
    "hold-out": HoldOut,
    "cross-validation": CrossValidation,
    "fresh-draws": FreshDraws,
}
SCHEMES = ("bootstrap", "subsampling", "hold-out", "cross-validation", "5x2cv", "fresh-draws", "reserve")


def resampling(scheme: object) -> Resampling:
    """Return the resampling scheme that is meant.

    Parameters
    ----------
    scheme : str, mapping, Resampling or splitter
        A name with all defaults (``"bootstrap"``, ``"5x2cv"``), a mapping from a name to parameters as in a design
        file (``{"bootstrap": {"replications": 100}}``), a scheme such as `Bootstrap`, or a splitter of scikit-learn.

    Examples
    --------
    >>> resampling({"subsampling": {"replications": 100, "fraction": "2/3"}})
    Subsampling(replications=100, fraction=0.6666666666666666, stratify=False)
    >>> resampling("5x2cv").describe()
    'stratified 2-fold cross-validation, repeated 5 times'
    """
    if isinstance(scheme, str | Mapping):
        return resampling_from_spec(scheme)
    if isinstance(scheme, Resampling):
        return scheme
    if callable(getattr(scheme, "split", None)) and not isinstance(scheme, type):
        return SklearnSplitter(splitter=scheme)
    raise InputError(
        "`resampling` must be a name, a mapping, a scheme such as podium.Bootstrap(replications=100), or a splitter of "
        f"scikit-learn; got {scheme!r}."
    )


def resampling_from_spec(spec: str | Mapping[str, Any]) -> Resampling:
    """Read a scheme from its file form.

    Parameters
    ----------
    spec : str or mapping
        A name, a mapping from one name to its parameters, or a mapping with the ``class`` of a splitter and its
        ``parameters``.
    """
    if isinstance(spec, str):
        return _make(spec, {})
    if "class" in spec:
        return splitter_from_spec(spec)
    if len(spec) != 1:
        raise InputError(
            f"`resampling` must be one scheme with its parameters, such as {{bootstrap: {{replications: 100}}}}; "
            f"got the keys {listing(spec)}."
        )
    ((name, arguments),) = spec.items()
    return _make(str(name), {} if arguments is None else check_mapping(arguments, f"`{name}`"))


def parameters_of(name: str) -> tuple[str, ...]:
    """Return the names of the parameters of a scheme in a file."""
    if name == "5x2cv":
        return ("stratify",)
    kind = {**_CLASSES, "reserve": Reserve}.get(name)
    return () if kind is None else tuple(f.name for f in fields(kind))


def _make(word: str, arguments: Mapping[str, Any]) -> Resampling:
    name = word.strip().lower().replace(" ", "-").replace("_", "-").replace("×", "x")
    name = {"holdout": "hold-out", "cv": "cross-validation", "5x2-cv": "5x2cv"}.get(name, name)
    if name not in SCHEMES:
        raise LabelError(
            f"`resampling` has no scheme {word!r}{nearest(word, SCHEMES)} The schemes are {listing(SCHEMES, most=12)}; "
            "a splitter of scikit-learn is {class: ..., parameters: ...}."
        )
    check_keys(arguments, parameters_of(name), f"The scheme {name!r}")
    given = {key: read_fraction(value) if key == "fraction" else value for key, value in arguments.items()}
    if name == "reserve" and "then" in given:
        given["then"] = resampling(given["then"])
    makers: Mapping[str, Callable[..., Resampling]] = {**_CLASSES, "5x2cv": five_by_two, "reserve": Reserve}
    return makers[name](**given)
