"""Plain scalars of a design file, read by the core schema of YAML 1.2 instead of YAML 1.1.

PyYAML follows YAML 1.1, where ``no`` is false, ``1e-3`` is text and ``010`` is eight. Nobody wants a
hyperparameter ``1e-3`` that is silently text, or a data set ``no`` that is silently false.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import yaml

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
