"""Advice for users of MultiTest, whose argument for the procedure on a data set is `test`, not `method`."""

from __future__ import annotations

from collections.abc import Iterable

from podium.analysis.notes import ADVICE, Note

ON_TEST = ("few blocks", "overlap")  # notes whose advice is another procedure


class NoteOnTest(Note):
    """A note of the comparison on a data set, whose advice names the argument `test`."""

    @property
    def advice(self) -> str:
        """What the user of `test` can do about it."""
        return ADVICE[self.code](**self.facts, argument="test", verb="multitest")


def for_test(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes of a comparison for a user who chose its procedure with `test`."""
    return tuple(NoteOnTest(note.code, **note.facts) if note.code in ON_TEST else note for note in notes)
