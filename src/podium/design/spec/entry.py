"""`Entry`: an entry of a design file, declared as a dataclass.

The declaration is made once. Reading a mapping, checking its values and deriving the JSON Schema all follow from the
fields: their types, their defaults, and what the docstring says about them.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from fractions import Fraction
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
import pandas as pd

from podium.checks import (
    check_choice,
    check_count,
    check_flag,
    check_keys,
    check_mapping,
    describe,
    shown,
    with_article,
)
from podium.errors import InputError, join_names

Schema: TypeAlias = dict[str, Any]
Kind = TypeVar("Kind", bound="Entry")


@dataclass(frozen=True)
class AtLeast:
    """Marks a whole number with a lower bound."""

    least: int


@dataclass(frozen=True)
class Ref:
    """Marks a value whose schema is defined once, under this name; elsewhere the schema refers to it."""

    name: str


@dataclass(frozen=True)
class OneOrMore:
    """Marks one entry, a list of entries, or a mapping from names to entries; `name` is the definition of an entry."""

    name: str


@dataclass(frozen=True)
class Share:
    """Marks a number between 0 and 1; a file may write it as a fraction, 2/3."""


Count: TypeAlias = Annotated[int, AtLeast(1)]
TwoOrMore: TypeAlias = Annotated[int, AtLeast(2)]
Fractional: TypeAlias = Annotated[float, Share()]
Name: TypeAlias = Annotated[str, Ref("name")]
FactorLevels: TypeAlias = Annotated[Mapping[str, Any], Ref("factors")]
GridLevels: TypeAlias = Annotated[Any, Ref("grid")]

_LEVELS: Schema = {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/levels"}}
SHARED: Mapping[str, Schema] = {
    "name": {"type": "string", "minLength": 1, "description": "Name in tables and figures; default: the usual name."},
    "factors": {
        "type": "object",
        "description": "Levels of the factors that this entry stands for; the results keep them.",
    },
    "levels": {"type": "array", "minItems": 1, "description": "The levels to be tried."},
    "grid": {
        "description": "Levels of parameters; each combination becomes a separate entry.",
        "anyOf": [_LEVELS, {"type": "array", "minItems": 1, "items": _LEVELS}],
    },
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Base of the entries of a design file; the field without a default is the key that identifies the kind of entry.

    A field whose name ends in an underscore stands for the key without it: ``class_`` for ``class``.
    """

    noun: ClassVar[str] = "entry"

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    def known_keys(cls) -> tuple[str, ...]:
        """Return the keys of the mapping, the one that identifies the kind first."""
        ordered = sorted(fields(cls), key=lambda field: not _is_required(field))
        return tuple(key_of(field) for field in ordered)

    @classmethod
    def read(cls, mapping: Mapping[str, Any]) -> Self:
        """Make the entry from its mapping; an error carries the path of the offending key."""
        check_keys(mapping, cls.known_keys(), f"{_owner(cls.noun)} with the key {cls.known_keys()[0]!r}", "key")
        for key, value in mapping.items():
            if value is None:
                raise InputError(f"`{key}` is empty; give it a value, or leave it out.", path=(key,))
        return cls(**{field.name: mapping[key_of(field)] for field in fields(cls) if key_of(field) in mapping})


def read_entry(mapping: Any, kinds: Sequence[type[Kind]]) -> Kind:
    """Read a mapping as the one kind of entry whose key it has."""
    owner = _owner(kinds[0].noun)
    check_mapping(mapping, owner)
    names = [kind.known_keys()[0] for kind in kinds]
    found = [kind for kind in kinds if kind.known_keys()[0] in mapping]
    if len(found) != 1:
        if not found:
            check_keys(mapping, dict.fromkeys(key for kind in kinds for key in kind.known_keys()), owner, "key")
        given = join_names(key for key in mapping if key in names) or join_names(mapping) or "nothing"
        raise InputError(f"{owner} needs exactly one of the keys {join_names(names)}; got {given}.")
    return found[0].read(mapping)


def _owner(noun: str) -> str:
    return f"A{with_article(noun)[1:]}"


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def key_of(field: Field[Any]) -> str:
    """Return the key that a field stands for."""
    return field.name.removesuffix("_")


def set_fields(thing: object, **values: Any) -> None:
    """Set fields of a frozen object that is being made."""
    for name, value in values.items():
        object.__setattr__(thing, name, value)


def check_fields(thing: Any) -> None:
    """Refuse values that do not fit the types of their fields; the error carries the key."""
    hints = hints_of(thing.__class__)
    for field in fields(thing):
        value = getattr(thing, field.name)
        if field.default is MISSING or value is not field.default:
            check_value(value, hints[field.name], key_of(field))


def check_value(value: Any, hint: Any, key: str) -> None:
    """Refuse a value that does not fit a type."""
    kind, marks = _unwrapped(hint)
    options = [option for option in get_args(kind) if option is not type(None)]
    if get_origin(kind) in (Union, types.UnionType):
        if value is None and len(options) < len(get_args(kind)):
            return
        if len(options) == 1:
            kind, marks = _unwrapped(options[0])
    least = next((mark.least for mark in marks if isinstance(mark, AtLeast)), None)
    if least is not None:
        check_count(value, key, least=least)
    elif any(isinstance(mark, Share) for mark in marks):
        if not isinstance(value, float | np.floating) or not 0 < value < 1:
            raise InputError(f"`{key}` must be a number between 0 and 1; got {shown(value)}.", path=(key,))
    elif kind is bool:
        check_flag(value, key)
    elif kind is str:
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"`{key}` must be non-empty text; got {shown(value)}.", path=(key,))
    elif get_origin(kind) is Literal:
        check_choice(value, get_args(kind), key)
    elif _is_a(kind, Mapping):
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise InputError(f"`{key}` must be a mapping from names to values; got {shown(value)}.", path=(key,))
    elif _is_a(kind, Sequence) and (
        isinstance(value, str)
        or not isinstance(value, Sequence | pd.Index)
        or not all(isinstance(item, str) for item in value)
    ):
        way_out = f" Use [{value!r}]." if isinstance(value, str) else ""
        raise InputError(f"`{key}` must be a list of text; got {describe(value)}.{way_out}", path=(key,))


def read_fraction(value: object) -> object:
    """Read a fraction as `written_fraction` writes it; anything else is returned as it is.

    >>> read_fraction("2/3")
    0.6666666666666666
    """
    if not isinstance(value, str):
        return value
    try:
        return float(Fraction(value))
    except (ValueError, ZeroDivisionError):
        return value


def written_fraction(value: float) -> float | str:
    """Write a fraction so that it reads well and can be read back exactly: 0.9, but 2/3.

    >>> written_fraction(0.9), written_fraction(2 / 3), written_fraction(0.123456789)
    (0.9, '2/3', 0.123456789)
    """
    ratio = Fraction(value).limit_denominator(100)
    if len(repr(float(value))) > 6 and float(ratio) == value:
        return f"{ratio.numerator}/{ratio.denominator}"
    return float(value)


# ---- JSON Schema ----------------------------------------------------------------------------------------------------


def entry_schema(kind: type, **properties: Schema) -> Schema:
    """Return the schema of a dataclass as a mapping; `properties` replace those that follow from the fields."""
    texts = field_texts(kind)
    hints = hints_of(kind)
    ordered = sorted(fields(kind), key=lambda field: not _is_required(field))
    derived = {key_of(f): _field_schema(f, hints[f.name], texts.get(f.name, "")) for f in ordered}
    required = [key_of(f) for f in ordered if _is_required(f)]
    return {
        "type": "object",
        "description": _first_sentence(kind),
        "required": required,
        "properties": {**derived, **properties},
        "additionalProperties": False,
    }


def _field_schema(field: Field[Any], hint: Any, text: str) -> Schema:
    schema = value_schema(hint)
    if "$ref" in schema:
        return schema
    plain = field.default is not MISSING and isinstance(field.default, bool | int | float | str)
    return {
        **schema,
        **({"description": text} if text else {}),
        **({"default": field.default} if plain and field.default != "" else {}),
    }


def value_schema(hint: Any) -> Schema:
    """Return the schema of a type."""
    kind, marks = _unwrapped(hint)
    for mark in marks:
        if isinstance(mark, Ref):
            return {"$ref": f"#/$defs/{mark.name}"}
        if isinstance(mark, AtLeast):
            return {"type": "integer", "minimum": mark.least}
        if isinstance(mark, Share):
            number = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
            return {"anyOf": [number, {"type": "string", "pattern": "^[0-9]+/[0-9]+$"}]}
        if isinstance(mark, OneOrMore):
            ref = {"$ref": f"#/$defs/{mark.name}"}
            several = {"type": "array", "minItems": 1, "items": ref}
            named = {"type": "object", "minProperties": 1, "additionalProperties": ref}
            return {"anyOf": [several, ref, named]}
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        options = [value_schema(option) for option in get_args(kind) if option is not type(None)]
        return options[0] if len(options) == 1 else {"anyOf": options}
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if _is_a(kind, Mapping):
        return {"type": "object"}
    if _is_a(kind, Sequence):
        return {"type": "array", "items": value_schema(get_args(kind)[0])}
    plain: Mapping[Any, Schema] = {
        str: {"type": "string", "minLength": 1},
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        float: {"type": "number"},
    }
    return dict(plain.get(kind, {}))


@cache
def hints_of(kind: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a dataclass, with their marks."""
    return get_type_hints(kind, include_extras=True)


def field_texts(kind: type) -> dict[str, str]:
    """Return what the docstrings of a dataclass and its bases say about each field."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= _documented(base.__dict__.get("__doc__") or "")
    return found


def _documented(docstring: str) -> dict[str, str]:
    lines = inspect.cleandoc(docstring).splitlines()
    texts: dict[str, list[str]] = {}
    names: list[str] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch(r"-+", below) or re.fullmatch(r"-+", line):
            names = []
        elif head := re.fullmatch(r"(\w[\w, ]*) :.*", line):
            names = [name.strip() for name in head[1].split(",")]
            texts.update({name: [] for name in names})
        elif line.startswith("    "):
            for name in names:
                texts[name].append(line.strip())
    return {name: " ".join(text) for name, text in texts.items() if text}


def _first_sentence(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")


def _is_a(kind: Any, abstract: type) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, abstract)


def _unwrapped(hint: Any) -> tuple[Any, list[Any]]:
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        return inner, marks
    return hint, []
