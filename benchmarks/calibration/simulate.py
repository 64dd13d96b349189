"""Shared code of the studies of attained errors: tables of results under a hypothesis, shares of errors, pages.

A study draws tables in which some algorithms perform equally well, counts how often a procedure calls two of *those*
different, and writes the share into a section of ``docs/calibration.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

ALPHA = 0.05
PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"

FloatArray = npt.NDArray[np.float64]
Noise = Literal["normal", "laplace", "cauchy", "rounded", "lognormal"]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """Blocks × algorithms in which algorithms with the same shift perform equally well.

    Attributes
    ----------
    name : str
        Head of its column.
    blocks : int
    shifts : tuple of float
        How much worse each algorithm is, in standard deviations of the noise.
    noise : {"normal", "laplace", "cauchy", "rounded", "lognormal"}
        Distribution of a value in its block; ``"rounded"`` is normal with steps of one standard deviation, so most
        blocks have ties.
    opposites : bool
        Whether the last two algorithms are opposite to each other: in each block one gains 6 and the other loses 6, at
        random. Both have the same distribution.
    families : bool
        Whether there are two families of algorithms, each with its own effect in every block.
    gradient : bool
        Whether what helps the first algorithm in a block harms the last equally, with the others in between.
    """

    name: str
    blocks: int
    shifts: tuple[float, ...]
    noise: Noise = "normal"
    opposites: bool = False
    families: bool = False
    gradient: bool = False

    def draw(self, samples: int, seed: int) -> FloatArray:
        """Draw tables of costs, shape (samples, blocks, algorithms), with a common effect in each block."""
        rng = np.random.default_rng(seed)
        shape = (samples, self.blocks, len(self.shifts))
        noise = {
            "normal": rng.normal,
            "rounded": rng.normal,
            "laplace": rng.laplace,
            "cauchy": lambda size: rng.standard_cauchy(size=size),
            "lognormal": lambda size: rng.lognormal(size=size),
        }[self.noise](size=shape)
        values = noise + np.array(self.shifts) + 2 * rng.normal(size=(samples, self.blocks, 1))
        if self.opposites:
            gain = rng.choice([-6.0, 6.0], size=(samples, self.blocks))
            values[..., -2] += gain
            values[..., -1] -= gain
        if self.families:
            family = np.arange(shape[2]) < shape[2] // 2
            values += np.where(family, *3 * rng.normal(size=(2, samples, self.blocks, 1)))
        if self.gradient:
            values += 5 * rng.normal(size=(samples, self.blocks, 1)) * np.linspace(-1, 1, shape[2])
        return np.round(values) if self.noise == "rounded" else values

    def equal_pairs(self, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """Return which pairs perform equally well."""
        shifts = np.array(self.shifts)
        return shifts[first] == shifts[second]


ALL_EQUAL = Scenario(name="all equal", blocks=15, shifts=(0.0,) * 5)
SCENARIOS = (
    ALL_EQUAL,
    Scenario(name="all equal, ties", blocks=15, shifts=(0.0,) * 5, noise="rounded"),
    Scenario(name="all equal, heavy tails", blocks=15, shifts=(0.0,) * 5, noise="laplace"),
    Scenario(name="all equal, skewed", blocks=15, shifts=(0.0,) * 5, noise="lognormal"),
    Scenario(name="all equal, K = 10", blocks=30, shifts=(0.0,) * 10),
    Scenario(name="one differs", blocks=15, shifts=(3.0, 0.0, 0.0, 0.0, 0.0)),
    Scenario(name="two groups", blocks=15, shifts=(2.0, 2.0, 0.0, 0.0, 0.0)),
    Scenario(name="one differs, ties", blocks=15, shifts=(3.0, 0.0, 0.0, 0.0, 0.0), noise="rounded"),
    Scenario(name="opposites", blocks=15, shifts=(0.0,) * 5, opposites=True),
    Scenario(name="families", blocks=15, shifts=(0.0,) * 5, families=True),
)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of errors among samples."""

    errors: int
    samples: int

    @property
    def value(self) -> float:
        return self.errors / self.samples

    @property
    def holds(self) -> bool:
        """Whether the share is at most alpha, up to three standard errors of a share of alpha."""
        return self.value <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / self.samples)

    def __str__(self) -> str:
        return f"{100 * self.value:.1f}" if self.holds else f"**{100 * self.value:.1f}**"


def most_by_chance(samples: int) -> float:
    """Return the largest percentage of errors that chance explains."""
    return float(100 * (ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / samples)))


def markdown(rows: Mapping[str, Mapping[str, Share]], columns: Sequence[str], head: str) -> str:
    """Write shares as a table of percentages; bold where they exceed what chance allows."""
    lines = [" | ".join(["", head, *columns, ""]).strip(), "|".join(["", "---", *["--:"] * len(columns), ""])]
    for name, shares in rows.items():
        cells = [str(shares[column]) if column in shares else "" for column in columns]
        lines.append(" | ".join(["", name, *cells, ""]).strip())
    return "\n".join(lines)


def write_section(name: str, lines: Iterable[str], page: Path = PAGE) -> None:
    """Put text between the marks ``<!-- name -->`` and ``<!-- end of name -->`` of a page."""
    text = page.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if begin not in text or end not in text:
        raise SystemExit(f"{page} has no place for the section {name!r}: add {begin} and {end}.")
    inside = "\n\n".join(lines)
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    page.write_text(pattern.sub(lambda _: f"{begin}\n\n{inside}\n\n{end}", text), encoding="utf-8")
