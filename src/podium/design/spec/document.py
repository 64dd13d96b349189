"""`Document`: a design file as plain values, with the line of each of them; and plain values as YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import yaml

from podium.checks import MAX_VALUE_CHARS, check_call, check_path, file_access, is_database, shown
from podium.errors import DesignError, EntryPath, InputError

_CORE = (
    ("tag:yaml.org,2002:null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("tag:yaml.org,2002:int", r"^[-+]?[0-9]+$", list("-+0123456789")),
    (
        "tag:yaml.org,2002:float",
        r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
        list("-+.0123456789"),
    ),
)


class CoreLoader(yaml.SafeLoader):
    """Composes nodes whose plain scalars are resolved by the core schema; constructs nothing but plain values."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, Any]]] = {}  # noqa: RUF012 - PyYAML reads it from the class


class PlainDumper(yaml.SafeDumper):
    """Writes plain values; quotes every text that YAML 1.1 or 1.2 would read as something else."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists below their key."""
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        """Write a repeated value out each time, without anchors."""
        return True


for _tag, _pattern, _first in _CORE:
    CoreLoader.add_implicit_resolver(_tag, re.compile(_pattern), _first)
    PlainDumper.add_implicit_resolver(_tag, re.compile(_pattern), _first)


def scalar_value(node: yaml.ScalarNode) -> Any:
    """Turn a scalar node into the value it stands for.

    >>> scalar_value(yaml.compose("1e-3", Loader=CoreLoader))
    0.001
    >>> scalar_value(yaml.compose("no", Loader=CoreLoader))
    'no'
    """
    text = node.value
    match node.tag.removeprefix("tag:yaml.org,2002:"):
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int":
            return int(text)
        case "float":
            return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
        case _:
            return text


def _represent_list(dumper: PlainDumper, items: Sequence[Any]) -> yaml.Node:
    """Write a list of scalars in one line, any other list item by item."""
    plain = all(not isinstance(item, list | tuple | dict) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=plain)


def _represent_text(dumper: PlainDumper, text: str) -> yaml.Node:
    """Write text with unprintable characters in double quotes, where they are escaped."""
    style = '"' if any(not character.isprintable() for character in text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


PlainDumper.add_representer(str, _represent_text)
PlainDumper.add_representer(list, _represent_list)
PlainDumper.add_representer(tuple, _represent_list)


_MAX_VALUES = 100_000  # aliases can make a small file huge
_MAX_BYTES = 2_000_000  # of a file
_MAX_LEVELS = 50
_PLAIN_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "seq", "map")}


@dataclass(frozen=True, eq=False)
class Document:
    """A parsed design file.

    Attributes
    ----------
    data : dict
        The plain values.
    file : str
        Name of the file, for messages.
    lines : mapping from path to int
        Line of each key and list item, counted from 1.
    """

    data: dict[str, Any]
    file: str
    lines: Mapping[EntryPath, int]

    def line(self, path: EntryPath) -> int:
        """Return the line of an entry, or of the innermost entry around it that has one."""
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]

    def placed(self, error: DesignError) -> DesignError:
        """Return the error with file and line in its text; the line is that of the entry at the path of the error."""
        return DesignError(error.message, error.path, file=self.file, line=self.line(error.path))


def read_document(file: str | PathLike[str]) -> Document:
    """Read a design file; invalid YAML and values that are not plain are errors with file and line."""
    path = check_path(file)
    try:
        with file_access(file, "read"):
            if is_database(path):
                raise InputError(
                    f"{path.name!r} is a warehouse. Give the design file that it was run with, such as "
                    f"{path.with_suffix('.yaml').name!r}."
                )
            if path.stat().st_size > _MAX_BYTES:
                raise DesignError(
                    f"The file has {path.stat().st_size:,} bytes; a design has at most {_MAX_BYTES:,}.",
                    file=path.name,
                    line=1,
                )
            text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DesignError("The file is not UTF-8 text.", file=path.name, line=line) from error
    return parse_document(text, path.name)


def parse_document(text: str, file: str = "design") -> Document:
    r"""Read the text of a design file.

    >>> parse_document("name: toy\nseed: 1").lines[("seed",)]
    2
    """
    try:
        node = yaml.compose(text, Loader=CoreLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = ": ".join(filter(None, [error.context, error.problem]))
        hint = " Indent with spaces, not with tabs." if mark and text[mark.index : mark.index + 1] == "\t" else ""
        line = mark.line + 1 if mark else 1
        raise DesignError(f"Invalid YAML: {reason}.{hint}", file=file, line=line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DesignError(f"Invalid YAML: {error.reason}.", file=file, line=line) from error
    except RecursionError:
        raise DesignError(f"The file is nested more than {_MAX_LEVELS} levels deep.", file=file, line=1) from None
    reader = _Reader(file)
    data = {} if node is None else reader.value(node, ())
    if not isinstance(data, dict):
        raise DesignError(
            f"A design is a mapping with the keys datasets, algorithms, resampling and measures; got {shown(data)}.",
            file=file,
            line=reader.lines[()],
        )
    return Document(data, file, {(): 1, **reader.lines})


class _Reader:
    """Turns YAML nodes into plain values and records their lines."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[EntryPath, int] = {}
        self._open: list[yaml.Node] = []

    def value(self, node: yaml.Node, path: EntryPath) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if len(self.lines) > _MAX_VALUES:
            raise self._error(f"The file has more than {_MAX_VALUES:,} values, too many for a design", node)
        if len(path) > _MAX_LEVELS:
            raise self._error(f"The file is nested more than {_MAX_LEVELS} levels deep", node)
        if node.tag not in _PLAIN_TAGS:
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            raise self._error(f"The tag {tag} is not supported; a design has plain values only", node)
        if isinstance(node, yaml.ScalarNode):
            try:
                return scalar_value(node)
            except ValueError as error:
                raise self._error(f"The value {_start(node.value)} does not match its tag", node) from error
        if any(node is outer for outer in self._open):
            raise self._error("This alias refers to something that contains it", node)
        self._open.append(node)
        found = self._mapping(node, path) if isinstance(node, yaml.MappingNode) else self._sequence(node, path)
        self._open.pop()
        return found

    def _sequence(self, node: yaml.Node, path: EntryPath) -> list[Any]:
        return [self.value(item, (*path, i)) for i, item in enumerate(node.value)]

    def _mapping(self, node: yaml.Node, path: EntryPath) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = scalar_value(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, str):
                raise self._error("A key must be text", key_node)
            line = key_node.start_mark.line + 1
            if key in found:
                raise self._error(f"The key {key!r} is given twice, first in line {self.lines[(*path, key)]}", key_node)
            self.lines[(*path, key)] = line
            found[key] = self.value(value_node, (*path, key))
        return found

    def _error(self, message: str, node: yaml.Node) -> DesignError:
        return DesignError(f"{message}.", file=self.file, line=node.start_mark.line + 1)


def _start(text: str) -> str:
    """Quote a text, shortened if it is long."""
    return repr(text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}…")


def to_yaml(design: Mapping[str, Any]) -> str:
    """Write plain values as YAML, in the given order, with an empty line between the parts of a design.

    >>> print(to_yaml({"name": "toy", "algorithms": ["lda", {"algorithm": "knn", "k": 5}]}))
    name: toy
    <BLANKLINE>
    algorithms:
      - lda
      - algorithm: knn
        k: 5
    <BLANKLINE>
    """
    parts: list[str] = []
    for key, value in design.items():
        text = yaml.dump({key: value}, Dumper=PlainDumper, sort_keys=False, allow_unicode=True, width=100)
        scalar = not isinstance(value, Mapping | list | tuple)
        if parts and not (scalar and parts[-1].count("\n") == 1):
            parts.append("\n")
        parts.append(text)
    return "".join(parts)


# Their classes are made and checked when a design is read: that runs no code from the author of the design.
KNOWN = ("sklearn", "podium")
_NAMING = {"algorithms": ("class", "factory"), "measures": ("function",), "resampling": ("class",)}


def named_modules(design: Mapping[str, Any], *parts: str) -> tuple[str, ...]:
    """List the modules that a design names, apart from those of scikit-learn and podium, in their order.

    >>> named_modules({"algorithms": ["lda", {"class": "mine.models.Forest"}, {"class": "sklearn.svm.SVC"}]})
    ('mine.models',)
    """
    found = (module for part in parts or _NAMING for module in _named(design.get(part), _NAMING[part]))
    return tuple(dict.fromkeys(module for module in found if module.partition(".")[0] not in KNOWN))


@check_call
def design_modules(path: str | PathLike[str]) -> tuple[str, ...]:
    """List the modules that a design file names, apart from those of scikit-learn and podium; nothing is imported.

    `podium run` imports them, and names them first.
    """
    return named_modules(read_document(path).data)


def _named(value: Any, keys: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in keys and isinstance(inner, str):
                yield inner.replace(":", ".").rpartition(".")[0]
            else:
                yield from _named(inner, keys)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _named(inner, keys)
