"""`Relation`: a preference relation on named algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from podium.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Relation:
    """A binary relation on algorithms."""

    incidence: npt.NDArray[np.bool_]
    algorithms: tuple[str, ...]

    @classmethod
    def from_strict(cls, matrix: npt.ArrayLike, algorithms: Sequence[str]) -> Self:
        """Make a relation of strict preferences: ``matrix[i, j]`` says that i is better than j."""
        strict = np.array(matrix, bool)
        if (strict & strict.T).any():
            raise InputError("`matrix` must be asymmetric.")
        strict.flags.writeable = False
        return cls(strict, tuple(algorithms))

    def __str__(self) -> str:
        place = self.incidence.sum(axis=0)
        levels = np.unique(place)
        return " < ".join(
            " ~ ".join(sorted(self.algorithms[i] for i in np.flatnonzero(place == level))) for level in levels
        )
