"""A design as YAML text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from podium.setup.spec.scalars import PlainDumper


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
