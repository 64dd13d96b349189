"""How the rows of a table are named in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from podium.arrays import AnyArray, IntArray

MOST = 5


def _itself(position: int) -> int:
    return position


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows by their position from 0, as in ``frame.iloc``, or by what `number` makes of it: a line of a file, say."""

    noun: str = "row"
    number: Callable[[int], object] = _itself

    def one(self, position: int) -> str:
        """Name one row."""
        return f"{self.noun} {self.number(int(position))}"

    def many(self, positions: Sequence[int] | AnyArray) -> str:
        """Name several rows: the first few, and how many more there are."""
        if len(positions) == 1:
            return self.one(positions[0])
        shown = ", ".join(str(self.number(int(i))) for i in positions[:MOST])
        more = f" and {len(positions) - MOST:,} more" if len(positions) > MOST else ""
        return f"{self.noun}s {shown}{more}"

    def taken(self, kept: IntArray) -> Rows:
        """Return the names of some of the rows, after the others have been left out."""
        return Rows(self.noun, lambda position: self.number(int(kept[position])))
