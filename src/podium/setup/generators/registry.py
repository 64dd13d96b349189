"""Generators by name: `generator("twonorm", n=300, d=5)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any

from podium.errors import InputError, LabelError, listing
from podium.setup.dataset import Generator, Sample, Task
from podium.setup.generators import boards, friedman, geometric, monks, norms
from podium.setup.generators.parameter import Parameter
from podium.setup.generators.samples import bayes_error_of_noise, no_bayes_error

BREIMAN = "L. Breiman (1996), technical report 460, University of California, Berkeley"
MLBENCH = "R package mlbench (F. Leisch, E. Dimitriadou), manual"
THRUN = "S. B. Thrun et al. (1991), technical report CMU-CS-91-197, Carnegie Mellon University"
EUGSTER = "M. J. A. Eugster (2011), dissertation, LMU München, section 5.1"
FRIEDMAN = "J. H. Friedman (1991), The Annals of Statistics 19, 1–67"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What podium knows of a generator.

    Attributes
    ----------
    title : str
        One line for lists.
    draw : callable
        ``draw(n, rng, **parameters) -> Sample``.
    n : int
        Size where nothing else is said.
    source : str
        Where the process is defined.
    parameters : mapping
        Name to `Parameter`.
    task : {"classification", "regression"}
    bayes : callable, optional
        ``bayes(**parameters) -> float``.
    """

    title: str
    draw: Callable[..., Sample]
    n: int
    source: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    task: Task = "classification"
    bayes: Callable[..., float] | None = None


def _dimension(default: int, least: int = 1) -> Parameter:
    return Parameter(default=default, meaning="number of attributes", whole=True, minimum=least)


def _sd(default: float) -> Parameter:
    return Parameter(default=default, meaning="standard deviation of the noise", minimum=0)


def _class_noise(default: float) -> Parameter:
    return Parameter(default=default, meaning="share of wrong classes", minimum=0, maximum=1)


_CYCLES = Parameter(default=1.0, meaning="turns of each spiral", minimum=0)
_SHIFT = Parameter(default=1.0, meaning="distance between the means of the classes", minimum=0)

KINDS: Mapping[str, Kind] = {
    "balance": Kind(
        title="settings of a balance scale, drawn with replacement from all 625",
        draw=boards.balance,
        n=625,
        source="R. S. Siegler (1976), Cognitive Psychology 8, 481–520",
        bayes=no_bayes_error,
    ),
    "circle": Kind(
        title="a ball in the middle of a cube, half of its volume",
        draw=geometric.circle,
        n=1200,
        source=MLBENCH,
        parameters={"d": _dimension(2)},
        bayes=no_bayes_error,
    ),
    "ds1": Kind(
        title="linearly separable classes in a square",
        draw=geometric.ds1,
        n=400,
        source=EUGSTER,
        parameters={"noise": _class_noise(0.0)},
        bayes=bayes_error_of_noise,
    ),
    "ds2": Kind(
        title="classes in a square that are not linearly separable",
        draw=geometric.ds2,
        n=400,
        source=EUGSTER,
        parameters={"noise": _class_noise(0.0)},
        bayes=bayes_error_of_noise,
    ),
    "friedman1": Kind(
        title="smooth function of five of d attributes",
        draw=friedman.friedman1,
        n=200,
        source=FRIEDMAN,
        parameters={"d": _dimension(10, 5), "sd": _sd(1.0)},
        task="regression",
    ),
    "friedman2": Kind(
        title="impedance of an alternating current circuit",
        draw=friedman.friedman2,
        n=200,
        source=FRIEDMAN,
        parameters={"sd": _sd(125.0)},
        task="regression",
    ),
    "friedman3": Kind(
        title="phase angle of an alternating current circuit",
        draw=friedman.friedman3,
        n=200,
        source=FRIEDMAN,
        parameters={"sd": _sd(0.1)},
        task="regression",
    ),
    "monks1": Kind(
        title="monks problem 1, drawn with replacement from all 432 points",
        draw=monks.monks1,
        n=556,
        source=THRUN,
        parameters={"noise": _class_noise(0.0)},
        bayes=bayes_error_of_noise,
    ),
    "monks2": Kind(
        title="monks problem 2, drawn with replacement from all 432 points",
        draw=monks.monks2,
        n=601,
        source=THRUN,
        parameters={"noise": _class_noise(0.0)},
        bayes=bayes_error_of_noise,
    ),
    "monks3": Kind(
        title="monks problem 3, drawn with replacement from all 432 points",
        draw=monks.monks3,
        n=554,
        source=THRUN,
        parameters={"noise": _class_noise(0.05)},
        bayes=bayes_error_of_noise,
    ),
    "ringnorm": Kind(
        title="a Gaussian within a wider Gaussian",
        draw=norms.ringnorm,
        n=1200,
        source=BREIMAN,
        parameters={"d": _dimension(20), "shift": _SHIFT},
        bayes=norms.ringnorm_bayes_error,
    ),
    "spirals": Kind(
        title="two entangled spirals",
        draw=geometric.spirals,
        n=1200,
        source=MLBENCH,
        parameters={"cycles": _CYCLES, "sd": _sd(0.05)},
    ),
    "threenorm": Kind(
        title="a Gaussian beside a mixture of two Gaussians",
        draw=norms.threenorm,
        n=1200,
        source=BREIMAN,
        parameters={"d": _dimension(20)},
        bayes=norms.threenorm_bayes_error,
    ),
    "tictactoe": Kind(
        title="endings of tic-tac-toe, drawn with replacement from all 958",
        draw=boards.tictactoe,
        n=958,
        source="D. W. Aha (1991), UCI Machine Learning Repository",
        bayes=no_bayes_error,
    ),
    "twonorm": Kind(
        title="two Gaussians of equal covariance",
        draw=norms.twonorm,
        n=1200,
        source=BREIMAN,
        parameters={"d": _dimension(20)},
        bayes=norms.twonorm_bayes_error,
    ),
}


def generator(kind: str, *, n: int | None = None, name: str | None = None, **parameters: Any) -> Generator:
    """Make a data generating process that podium knows by name.

    Parameters
    ----------
    kind : str
        ``balance``, ``circle``, ``ds1``, ``ds2``, ``friedman1``, ``friedman2``, ``friedman3``, ``monks1``, ``monks2``,
        ``monks3``, ``ringnorm``, ``spirals``, ``threenorm``, ``tictactoe`` or ``twonorm``.
    n : int, optional
        Size of a data set or learning sample drawn from it; each process has its usual one.
    name : str, optional
        Another name than `kind`.
    **parameters
        Parameters of the process, such as ``d``, ``sd``, ``noise``; ``podium datasets KIND`` on the command line
        shows them.

    Returns
    -------
    Generator

    Examples
    --------
    >>> import podium
    >>> podium.generator("spirals", n=300, sd=0.1)
    Generator 'spirals': classification, n=300, cycles=1.0, sd=0.1
    >>> podium.generator("ringnorm").fixed(seed=1)
    Dataset 'ringnorm': classification, 1200 observations, 20 numeric attributes, 2 classes
    """
    if kind not in KINDS:
        raise LabelError(f"There is no generator {kind!r}. {_suggestion(kind, KINDS)}")
    known = KINDS[kind]
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


def checked_parameters(kind: str, parameters: Mapping[str, Any]) -> dict[str, float]:
    """Refuse unknown parameters and values out of range; fill in the defaults."""
    known = KINDS[kind].parameters
    unknown = [name for name in parameters if name not in known]
    if unknown:
        has = f"It has {listing(known, most=9)}." if known else "It has none."
        close = get_close_matches(unknown[0], known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise InputError(f"The generator {kind!r} has no parameter {listing(unknown)}. {has}{hint}")
    return {name: spec.checked(parameters.get(name, spec.default), name, kind) for name, spec in known.items()}


def _suggestion(name: object, known: Mapping[str, Any]) -> str:
    close = get_close_matches(str(name).lower(), known, n=1)
    return f"Did you mean {close[0]!r}?" if close else f"There are {', '.join(known)}."
