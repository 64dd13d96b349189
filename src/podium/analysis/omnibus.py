"""`Omnibus`: the outcome of a global test, whether the algorithms differ at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from podium.checks import check_alpha
from podium.results import MissingReport

Unit: TypeAlias = Literal["replication", "dataset"]


@dataclass(frozen=True, kw_only=True)
class Omnibus:
    """Outcome of a test of the hypothesis that all algorithms perform alike.

    Attributes
    ----------
    method : str
        Name of the test.
    statistic, pvalue : float
    df : tuple of float
        Degrees of freedom of the reference distribution; empty where there is none (permutation tests).
    algorithms : tuple of str
    unit : {"replication", "dataset"}
        What the outcome generalises to: replications of one data set, or data sets of a domain.
    n : int
        Number of blocks.
    alpha : float
        Level for `significant`.
    missing : MissingReport or None
        What was done about missing cells.
    details : mapping
        What else the test computed: rank sums, Monte Carlo error, ...
    notes : tuple of str
        What a reader should know, in whole sentences.
    """

    _ways_out: ClassVar = {"Results": "Use the results that the Omnibus was made from."}

    method: str
    statistic: float
    pvalue: float
    df: tuple[float, ...] = ()
    algorithms: tuple[str, ...]
    unit: Unit
    n: int
    alpha: float = 0.05
    missing: MissingReport | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_alpha(self.alpha)

    @property
    def significant(self) -> bool:
        """Whether the hypothesis of equal performance is rejected at level alpha."""
        return bool(self.pvalue <= self.alpha)

    def text(self) -> str:
        """Tell the outcome in a paragraph."""
        from podium.analysis.telling import omnibus_text

        return omnibus_text(self)

    def __str__(self) -> str:
        df = f", df = {', '.join(f'{d:g}' for d in self.df)}" if self.df else ""
        unit = f"{self.n} {'replications' if self.unit == 'replication' else 'data sets'}"
        return f"{self.method}: statistic = {self.statistic:.4f}{df}, {format_p(self.pvalue)} ({unit})"


def format_p(p: float) -> str:
    """Write a p-value as an equation, with the digits that matter.

    >>> format_p(0.03141), format_p(1e-9)
    ('p = 0.0314', 'p < 0.0001')
    """
    if np.isnan(p):
        return "p undefined"
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.4f}"
