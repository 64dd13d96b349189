"""The words of archetypal analyses, made from their facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.analysis.archetypes.elbow import LEAST
from podium.errors import counted

if TYPE_CHECKING:
    from podium.analysis.archetypes.performances import ArchetypeProfile, DomainArchetypes

MOST = 6  # columns that a sentence names


def domain_sentences(found: DomainArchetypes) -> str:
    """Describe the archetypes of a domain: one sentence for all, one for each, one for missing cells."""
    measures = _and([measure.name for measure in found.measures])
    n = len(found.matrix.columns)
    noun = "data set" if len(found.measures) == 1 else "column"
    bend = ", the elbow of the scree curve," if found.k == found.path.elbow else ""
    straight = len(found.path) >= LEAST and found.path.elbow is None
    lines = [
        f"{counted(found.k, 'archetype')}{bend} {'explains' if found.k == 1 else 'explain'} "
        f"{found.solution.explained:.0%} of the variation of {measures} in {counted(len(found.matrix), 'row')} and "
        f"{counted(n, noun)}{'; the scree curve has no elbow' if straight else ''}."
    ]
    lines += [profile_sentence(profile, n, noun) for profile in found.profiles()]
    if found.missing.missing:
        lines.append(f"{found.missing}.")
    return "\n".join(lines)


def profile_sentence(profile: ArchetypeProfile, n: int, noun: str) -> str:
    """Describe one archetype: where it is good and bad, and which algorithms it carries."""
    if profile.kind == "best":
        where = f"good on {_share(profile.better, n, noun)}{' and bad on none' if n > 1 else ''}"
    elif profile.kind == "worst":
        where = f"bad on {_share(profile.worse, n, noun)}{' and good on none' if n > 1 else ''}"
    elif profile.kind == "average":
        where = f"average on {'the' if n == 1 else 'all'} {noun}{'' if n == 1 else 's'}"
    else:
        where = f"good on {_named(profile.better, noun)}, bad on {_named(profile.worse, noun)}"
    carries = [f"{name} ({share:.2f})" for name, share in zip(profile.carries, profile.shares, strict=True)]
    if not carries:
        who = "carries no algorithm"
    elif len(carries) == 1:
        who = f"carries {carries[0]}"
    else:
        who = f"is shared by {_and(carries)}"
    return f"{profile.name} is {where}; it {who}."


def _share(names: Sequence[str], n: int, noun: str) -> str:
    if n == 1:
        return f"the {noun}"
    return f"all {n} {noun}s" if len(names) == n else f"{len(names)} of {n} {noun}s"


def _named(names: Sequence[str], noun: str) -> str:
    return _and(names) if len(names) <= MOST else f"{len(names)} {noun}s"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
