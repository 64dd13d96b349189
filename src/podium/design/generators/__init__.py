"""Data generating processes, by name.

Each is defined in a module of this folder as a `NamedGenerator`. To add one, add a module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from podium.checks import check_call, check_keys, check_mapping, did_you_mean, shown
from podium.design.dataset import Generator, Sample, Task
from podium.design.parameter import Parameter
from podium.errors import LabelError, join_names
from podium.registry import Registry

__all__ = ["GENERATORS", "NamedGenerator", "generator"]


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


@check_call
def generator(kind: str, *, n: int | None = None, name: str | None = None, **parameters: Any) -> Generator:
    """Make a data generating process known by name.

    Parameters
    ----------
    kind : str
        ``balance``, ``circle``, ``corners``, ``ds1``, ``ds2``, ``friedman1``, ``friedman2``, ``friedman3``, ``monks1``,
        ``monks2``,
        ``monks3``, ``ringnorm``, ``spirals``, ``threenorm``, ``tictactoe`` or ``twonorm``.
    n : int, optional
        Size of a data set or learning sample drawn from it; each process has its own default.
    name : str, optional
        A name other than `kind`.
    **parameters
        Parameters of the process, such as ``d``, ``sd``, ``noise``; ``podium datasets KIND`` on the command line
        lists them.

    Examples
    --------
    >>> import podium
    >>> podium.generator("spirals", n=300, sd=0.1)
    Generator 'spirals': classification, n=300, cycles=1.0, sd=0.1
    >>> podium.generator("ringnorm").fixed(seed=1)
    Dataset 'ringnorm': classification, 1200 observations, 20 numeric attributes, 2 classes
    """
    if not isinstance(kind, str) or kind not in GENERATORS:
        way_out = did_you_mean(kind, GENERATORS) or f" The generators are {join_names(GENERATORS, most=30)}."
        raise LabelError(f"There is no generator {shown(kind)}.{way_out}")
    known = GENERATORS[kind]
    return Generator(
        name=kind if name is None else name,
        draw_sample=known.draw,
        parameters=parameters,
        n=known.n if n is None else n,
        task=known.task,
        source=known.source,
        kind=kind,
        check=partial(checked_parameters, kind),
        bayes=known.bayes,
    )


def checked_parameters(kind: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse unknown parameters and values out of range; fill in the defaults."""
    known = GENERATORS[kind].parameters
    check_mapping(parameters, "`parameters`")
    check_keys(parameters, known, f"The generator {kind!r}")
    return {
        name: parameter.checked(parameters.get(name, parameter.default), name, f"the generator {kind!r}")
        for name, parameter in known.items()
    }
