"""ARFF files: a small reader for dense data with numeric, nominal, string and missing values.

The format is that of Weka. scipy.io.arff does not support string attributes and turns a missing nominal value into a
separate level: of the 14 dense files that scikit-learn recorded from OpenML for its tests, it reads 8 correctly, and
this reader all of them. liac-arff, the other choice, has had no release since 2020. Sparse rows and relational
attributes are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.design.columns import coded
from podium.errors import InputError, LabelError, join_names
from podium.results.text_files import open_bytes

Kind: TypeAlias = Literal["numeric", "nominal", "string", "date"]
_KINDS: dict[str, Kind] = {
    "numeric": "numeric",
    "real": "numeric",
    "integer": "numeric",
    "string": "string",
    "date": "date",
}
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)")
_TAB_FIELD = re.compile(rf"[ ]*({_QUOTED}|[^\t]*?)[ ]*(?:\t|$)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class Attribute:
    """A declared attribute: its name, its kind, and its levels if it is nominal."""

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ArffTable:
    """The content of an ARFF file: the name of the relation, the attributes as declared, and the rows."""

    relation: str
    attributes: tuple[Attribute, ...]
    frame: pd.DataFrame


def read_arff(path: Path) -> ArffTable:
    """Read an ARFF file, also a gzipped one."""
    with path.open("rb") as handle:
        compressed = handle.read(2) == b"\x1f\x8b"
    with open_bytes(path, compressed=compressed) as handle:
        raw = handle.read()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # Weka writes in the platform's encoding
    return parse_arff(text, path.name)


def parse_arff(text: str, file: str) -> ArffTable:
    """Read the text of an ARFF file; `file` is its name in messages."""
    lines = _content_lines(text)
    relation, attributes = _header(lines, file)
    rest = list(lines)
    numbers = [number for number, _ in rest]
    rows = [_fields(line, len(attributes), number, file) for number, line in rest]
    cells: list[tuple[str | None, ...]] = list(zip(*rows, strict=True)) if rows else [() for _ in attributes]
    columns = {
        attribute.name: _typed(attribute, values, numbers, file)
        for attribute, values in zip(attributes, cells, strict=True)
    }
    return ArffTable(relation, attributes, pd.DataFrame(columns))


def _content_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with content and their numbers; comments and empty lines are left out."""
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        stripped = line.strip(" ")
        if stripped.strip() and not stripped.lstrip().startswith("%"):
            yield number, stripped


def _header(lines: Iterator[tuple[int, str]], file: str) -> tuple[str, tuple[Attribute, ...]]:
    relation, attributes = "", dict[str, Attribute]()
    for number, line in lines:
        keyword = line.split(maxsplit=1)[0].lower()
        if keyword == "@data":
            if not attributes:
                raise InputError(f"{file}, line {number}: @data comes before any @attribute.")
            return relation, tuple(attributes.values())
        if keyword == "@relation":
            relation = _unquoted(line[len("@relation") :].strip())
        elif keyword == "@attribute":
            attribute = _attribute(line, number, file)
            if attribute.name in attributes:
                raise LabelError(f"{file}, line {number}: the attribute {attribute.name!r} is declared twice.")
            attributes[attribute.name] = attribute
        elif keyword != "@end":
            raise InputError(
                f"{file}, line {number}: expected @relation, @attribute or @data; got {line[:40]!r}. "
                "Is it an ARFF file?"
            )
    raise InputError(f"{file} has no line @data; it is not an ARFF file, or it is truncated.")


def _attribute(line: str, number: int, file: str) -> Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    name, kind = (_unquoted(match[1]), match[2].strip()) if match else ("", "")
    if kind.startswith("{") and kind.endswith("}"):
        inner = kind[1:-1]
        fields = _split(inner, _FIELD) if inner.strip() else []
        levels = tuple(_unquoted(field) for field in fields if field != "?")  # some files declare the missing value
        if len(set(levels)) < len(levels):
            twice = sorted({level for level in levels if levels.count(level) > 1})
            raise LabelError(f"{file}, line {number}: the attribute {name!r} has the level {join_names(twice)} twice.")
        return Attribute(name, "nominal", levels)
    word = kind.split(maxsplit=1)[0].lower() if kind else ""
    if word in _KINDS:
        return Attribute(name, _KINDS[word])
    if word == "relational":
        raise InputError(f"{file}, line {number}: the attribute {name!r} is relational, which podium does not read.")
    raise InputError(
        f"{file}, line {number}: expected '@attribute NAME TYPE' with the type numeric, real, integer, string, date or "
        f"{{level, level, ...}}; got {line[:60]!r}."
    )


def _fields(line: str, expected: int, number: int, file: str) -> list[str | None]:
    """Split a row; None is missing."""
    if line.startswith("{"):
        raise InputError(
            f"{file}, line {number}: the rows are sparse ({{index value, ...}}), which podium does not read. "
            "Convert the file, with Weka's filter SparseToNonSparse for instance."
        )
    by_tab = "\t" in line and "," not in line
    plain = "'" not in line and '"' not in line
    if plain:
        parts = [part.strip() for part in line.split("\t" if by_tab else ",")]
    else:
        parts = _split(line, _TAB_FIELD if by_tab else _FIELD)
    if len(parts) != expected:
        weight = " (weights of rows are not read)" if len(parts) == expected + 1 and parts[-1].startswith("{") else ""
        raise InputError(f"{file}, line {number}: expected {expected} values; got {len(parts)}{weight}.")
    return [None if part == "?" else part if plain else _unquoted(part) for part in parts]


def _split(text: str, field: re.Pattern[str]) -> list[str]:
    """Split at separators outside quotes."""
    parts, position = [], 0
    while True:
        match = field.match(text, position)
        assert match is not None  # the empty field matches everywhere
        parts.append(match[1])
        if match.end() == len(text) and not match[0].endswith((",", "\t")):
            return parts
        position = match.end()
        if position == len(text):
            return [*parts, ""]


def _unquoted(word: str) -> str:
    if len(word) >= 2 and word[0] == word[-1] and word[0] in "'\"":
        return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), word[1:-1], flags=re.DOTALL)
    return word


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return "_" not in value


def _typed(
    attribute: Attribute, values: Sequence[str | None], numbers: Sequence[int], file: str
) -> pd.Series[float] | pd.Categorical | pd.Series[str]:
    if attribute.kind == "numeric":
        try:
            if any(value is not None and "_" in value for value in values):  # Python's digit separator
                raise ValueError
            # Python reads a number to its last digit, pandas before 3.1 does not.
            return pd.Series([np.nan if value is None else float(value) for value in values], dtype=float)
        except ValueError:
            row = next(row for row, value in enumerate(values) if value is not None and not _is_number(value))
            place = f"{file}, line {numbers[row]}"
            raise InputError(f"{place}: the attribute {attribute.name!r} is numeric; got {values[row]!r}.") from None
    if attribute.kind == "nominal":
        codes = {level: code for code, level in enumerate(attribute.levels)}
        positions = [-1 if value is None else codes.get(value, -2) for value in values]
        if -2 in positions:
            row = positions.index(-2)
            raise InputError(
                f"{file}, line {numbers[row]}: the attribute {attribute.name!r} has the levels "
                f"{join_names(attribute.levels)}; got {values[row]!r}."
            )
        return coded(positions, attribute.levels)
    return pd.Series(list(values), dtype=object)
