"""Objects in a design file: an importable class with plain parameters, read and written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

import numpy as np

from podium.checks import check_keys, check_mapping, did_you_mean
from podium.errors import InputError, at_path, join_names

BUILT = ("class", "parameters")
HARMLESS = ("fit", "split", "get_params")
SEEDS = ("random_state", "seed")  # parameters of a model that a trial sets
_SELECTOR = "sklearn.compose.make_column_selector"


def find(path: object, role: str) -> Any:
    """Import a class or function by its dotted path, such as ``sklearn.svm.SVC``.

    Parameters
    ----------
    path : str
        Module and name, with a dot or a colon between them.
    role : str
        What the path stands for, for messages.
    """
    if not isinstance(path, str) or "." not in path.replace(":", "."):
        raise InputError(f"`{role}` must be a module and a name in it, such as 'sklearn.svm.SVC'; got {path!r}.")
    module_name, _, name = path.replace(":", ".").rpartition(".")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise InputError(
            f"`{role}` {path!r} cannot be imported: {error}. Install the package; your own module is found if its "
            "folder is in the environment variable PYTHONPATH."
        ) from error
    except ImportError as error:
        raise InputError(f"`{role}` {path!r} cannot be imported: {error}.") from error
    if not hasattr(module, name):
        raise InputError(
            f"`{role}` {path!r}: the module {module_name!r} has no {name!r}.{did_you_mean(name, vars(module))}"
        )
    return getattr(module, name)


def build(spec: Mapping[str, Any]) -> Any:
    """Make an object from its class and parameters; a parameter may itself be such an object.

    >>> build({"class": "sklearn.svm.SVC", "parameters": {"C": 10.0}})
    SVC(C=10.0)
    """
    check_keys(spec, BUILT, "An object in `parameters`", "key")
    with at_path("class"):
        kind = find(spec["class"], "class")
        harmless = any(callable(getattr(kind, name, None)) for name in HARMLESS) or _is_selector(kind)
        if not isinstance(kind, type) or not harmless:
            # Checked before anything is called: a design may come from someone else.
            raise InputError(
                f"`class` {spec['class']!r} must be the class of an estimator, a splitter or a part of one, with one "
                f"of the methods {join_names(HARMLESS)}."
            )
    with at_path("parameters"):
        parameters = check_mapping(spec.get("parameters") or {}, "`parameters`")
        arguments = {name: _built(value, name) for name, value in parameters.items()}
        try:
            return kind(**arguments)
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            known = _parameters_of(kind)
            has = f" It has {join_names(known, most=20)}." if known else " It has no parameters."
            unknown = tuple(name for name in arguments if name not in known)[:1]
            reason = str(error).partition(". Did you mean")[0]  # a hint of Python 3.13; all names follow here
            message = f"{spec['class']!r} does not accept these `parameters`: {reason}.{has}"
            raise InputError(message, path=unknown) from error


def _is_selector(kind: object) -> bool:
    """Return whether this is scikit-learn's class that selects columns, which is called and has no `get_params`."""
    return public_path(kind) == _SELECTOR


def _selector_parameters(selector: Any) -> dict[str, Any]:
    """Return the parameters of a selector of columns; types of NumPy are written by their names."""
    named = {name: getattr(selector, name) for name in signature(type(selector)).parameters}
    return {
        name: [_type_name(kind) for kind in value] if isinstance(value, list | tuple) else _type_name(value)
        for name, value in named.items()
    }


def _type_name(value: Any) -> Any:
    return value.__name__ if isinstance(value, type) else value


def _parameters_of(kind: type) -> list[str]:
    return [p.name for p in signature(kind).parameters.values() if p.kind is not Parameter.VAR_KEYWORD]


def _built(value: Any, key: str | int) -> Any:
    with at_path(key):
        if isinstance(value, Mapping):
            return build(value) if "class" in value else {name: _built(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [_built(inner, i) for i, inner in enumerate(value)]
    return value


class NotPlainError(Exception):
    """A value has no file form."""


def written(thing: Any) -> dict[str, Any] | None:
    """Return class and parameters of an object with `get_params`, from which `build` makes it again.

    Parameters at their default are left out, and so are `random_state` and `seed`. None if the object has no file form.

    >>> from sklearn.svm import SVC
    >>> written(SVC(C=10.0))
    {'class': 'sklearn.svm.SVC', 'parameters': {'C': 10.0}}
    """
    try:
        return _written(thing)
    except NotPlainError:
        return None


def _written(thing: Any) -> dict[str, Any]:
    kind = type(thing)
    path = public_path(kind)
    if path is None or not (hasattr(thing, "get_params") or path == _SELECTOR):
        raise NotPlainError
    parameters = {name: file_form(value) for name, value in changed_parameters(thing).items() if name not in SEEDS}
    return {"class": path, "parameters": parameters} if parameters else {"class": path}


def changed_parameters(thing: Any) -> dict[str, Any]:
    """Return the parameters of an object with `get_params` that differ from their defaults."""
    defaults = {p.name: p.default for p in signature(type(thing)).parameters.values()}
    given = thing.get_params(deep=False) if hasattr(thing, "get_params") else _selector_parameters(thing)
    return {name: value for name, value in given.items() if not _same(value, defaults.get(name, Parameter.empty))}


def file_form(value: Any) -> Any:
    """Return a value as a file can hold it: numbers, text, lists, mappings, and objects by class and parameters."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [file_form(inner) for inner in value]
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        return value.tolist()
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value) and "class" not in value:
        return {key: file_form(inner) for key, inner in value.items()}
    return _written(value)


def plain(value: Any, otherwise: Callable[[Any], str] | None = None) -> Any:
    """Turn tuples into lists, mappings into dicts, and NumPy's numbers into Python's; anything else into text.

    `otherwise` writes that text; `text_of` by default.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(inner, otherwise) for key, inner in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(inner, otherwise) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    return value if value is None or isinstance(value, str | bool | int | float) else (otherwise or text_of)(value)


def text_of(value: Any) -> str:
    """Write a value on one line and without memory addresses: objects and functions by their names.

    >>> text_of("rbf"), text_of(np.float64(0.5)), text_of([text_of, object()])
    ('rbf', '0.5', '[text_of, object]')
    """
    if isinstance(value, str):
        return value
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return re.sub(r" at 0x[0-9a-fA-F]+", "", _ADDRESSED.sub(r"\1", re.sub(r"\s*\n\s*", " ", text)))


def settings_in_words(settings: Mapping[str, Any]) -> str:
    """Write hyperparameters with their values, for a sentence.

    >>> settings_in_words({"kernel": "rbf", "C": 0.5})
    'kernel = rbf, C = 0.5'
    """
    words = [
        f"{key} = {value if isinstance(value, float | np.floating) else text_of(value)}"
        for key, value in settings.items()
    ]
    return ", ".join(words)


# How Python writes an object or a function that has no text of its own; the group is its name.
_ADDRESSED = re.compile(r"<(?:function )?(?:[\w.<>]*\.)?(\w+|<lambda>)(?: object)? at 0x[0-9a-fA-F]+>")


def public_path(thing: Any) -> str | None:
    """Return where a class or function can be imported from, without private modules; None if it cannot.

    >>> from sklearn.svm import SVC
    >>> public_path(SVC)
    'sklearn.svm.SVC'
    """
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "")
    if not module or module == "__main__" or not name.isidentifier():
        return None
    parts = module.split(".")
    shown = next((i for i, part in enumerate(parts) if part.startswith("_")), len(parts))
    for path in (".".join(parts[:shown]), module):
        if path and getattr(sys.modules.get(path), name, None) is thing:
            return f"{path}.{name}"
    return None


def _same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    if isinstance(value, float) and isinstance(default, float) and value != value and default != default:
        return True
    return type(value) is type(default) and isinstance(value, bool | int | float | str | tuple) and value == default
