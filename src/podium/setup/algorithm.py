"""`Algorithm`: a named candidate that can be fitted to a learning sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from podium.setup.dataset import Sample



@dataclass(frozen=True, eq=False, kw_only=True)
class Algorithm:
    """A named candidate.

    Parameters
    ----------
    name : str
    make : callable
        ``make(learn: Sample, seed: int) -> object with fit`` : a fresh, unfitted model for this learning sample,
        with all its randomness fixed by the seed. Hyperparameters may be tuned inside its ``fit``.
    spec : mapping
        How to write the algorithm down in a file; None if it was made from an object that has no file form.
    factors : mapping
        Levels of the factors (hyperparameters of a grid) that made this candidate.
    description : str
        One sentence for a paper's methods section.
    """

    name: str
    make: Callable[[Sample, int], Any]
    spec: Mapping[str, Any] | None = None
    factors: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""

    def renamed(self, name: str, **factors: Any) -> Algorithm:
        """Return the same algorithm under another name, with factor levels attached."""
        return replace(self, name=name, factors={**self.factors, **factors})
