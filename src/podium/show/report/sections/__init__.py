"""The sections of a report, one file each; the folder is the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from podium.errors import PodiumError
from podium.registry import Registry
from podium.show.report.analyses import Analyses
from podium.show.report.blocks import Block, Paragraph

ON_INTERVALS = "interval contains 0"  # the note about intervals

MakeBlocks: TypeAlias = Callable[[Analyses], list[Block]]


@dataclass(frozen=True)
class SectionMaker:
    """How a section is made.

    Attributes
    ----------
    name : str
    title : str
    position : int
        Sections come in the order of these numbers.
    make : callable
        Takes the analyses, returns the parts.
    """

    name: str
    title: str
    position: int
    make: MakeBlocks


SECTIONS: Registry[SectionMaker] = Registry(__name__, SectionMaker)


def in_order() -> tuple[SectionMaker, ...]:
    """Return all sections in their order."""
    return tuple(sorted(SECTIONS.values(), key=lambda one: (one.position, one.name)))


def absent(problem: str | PodiumError | None) -> Paragraph:
    """Say why there is nothing to show, or what it would need."""
    return Paragraph(str(problem), "absent")
