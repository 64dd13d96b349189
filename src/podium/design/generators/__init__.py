"""Data generating processes, by name.

Each is defined in a module of this folder as a `NamedGenerator`. To add one, add a module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from podium.checks import check_keys, check_mapping, did_you_mean, shown
from podium.design.parameter import Parameter
from podium.design.sample import Sample, Task
from podium.errors import LabelError, join_names
from podium.registry import Registry

__all__ = ["GENERATORS", "NamedGenerator", "named_generator"]


@dataclass(frozen=True, kw_only=True)
class NamedGenerator:
    """A data generating process known by name.

    Attributes
    ----------
    name : str
    title : str
        One line for lists.
    draw : callable
        ``draw(n, rng, **parameters) -> Sample``.
    n : int
        Default size of a sample.
    source : str
        Where the process is defined.
    parameters : mapping
        Name to `Parameter`.
    task : {"classification", "regression"}
    bayes : callable, optional
        ``bayes(**parameters) -> float``: the Bayes error.
    population : callable, optional
        ``population() -> Sample``: all points of a finite process; they are a data set of the catalogue.
    """

    name: str
    title: str
    draw: Callable[..., Sample]
    n: int
    source: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    task: Task = "classification"
    bayes: Callable[..., float] | None = None
    population: Callable[[], Sample] | None = None


GENERATORS: Registry[NamedGenerator] = Registry(__name__, NamedGenerator)


def named_generator(kind: object) -> NamedGenerator:
    """Return the process of this name."""
    if not isinstance(kind, str) or kind not in GENERATORS:
        way_out = did_you_mean(kind, GENERATORS) or f" The generators are {join_names(GENERATORS, most=30)}."
        raise LabelError(f"There is no generator {shown(kind)}.{way_out}")
    return GENERATORS[kind]


def checked_parameters(kind: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse unknown parameters and values out of range; fill in the defaults."""
    known = GENERATORS[kind].parameters
    check_mapping(parameters, "`parameters`")
    check_keys(parameters, known, f"The generator {kind!r}")
    return {
        name: parameter.checked(parameters.get(name, parameter.default), name, f"the generator {kind!r}")
        for name, parameter in known.items()
    }
