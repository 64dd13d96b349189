"""The words of archetypal analyses, made from their facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.analysis.archetypes.path import MIN_CURVE_POINTS
from podium.analysis.archetypes.solution import rival_sentence
from podium.errors import plural

if TYPE_CHECKING:
    from podium.analysis.archetypes.performances import ArchetypeProfile, DomainArchetypes

MAX_NAMED_DATASETS = 6  # data sets that a sentence names


def domain_sentences(found: DomainArchetypes) -> str:
    """Describe the archetypes of a domain: one sentence for all, one for each, one for missing cells."""
    measures = [measure.name for measure in found.measures]
    n = len(found.matrix.columns) // len(measures)
    bend = ", the elbow of the scree curve," if found.k == found.path.elbow else ""
    straight = len(found.path) >= MIN_CURVE_POINTS and found.path.elbow is None
    lines = [
        f"{plural(found.k, 'archetype')}{bend} {'explains' if found.k == 1 else 'explain'} "
        f"{found.solution.explained:.0%} of the variation of {_and(measures)} in {plural(len(found.matrix), 'row')} "
        f"and {plural(n, 'data set')}{'; the scree curve has no elbow' if straight else ''}."
    ]
    if found.solution.rivals:
        lines.append(f"{rival_sentence(found.solution.rivals)}.")
    lines += [profile_sentence(profile, measures, n) for profile in found.profiles()]
    if found.missing.missing:
        lines.append(f"{found.missing}.")
    return "\n".join(lines)


def profile_sentence(profile: ArchetypeProfile, measures: Sequence[str], n: int) -> str:
    """Describe one archetype: where it is good and bad on the data sets, and which algorithms it represents."""
    where = [_where(better, worse, n) for better, worse in zip(profile.better_on, profile.worse_on, strict=True)]
    if len(measures) == 1:
        subject = f"{profile.name} is {where[0]}"
    else:
        parts = [f"{measure} is {place}" for measure, place in zip(measures, where, strict=True)]
        subject = f"{profile.name}: {'; '.join(parts)}"
    represented = [f"{name} ({share:.2f})" for name, share in zip(profile.carries, profile.shares, strict=True)]
    if not represented:
        who = "represents no single algorithm"
    elif len(represented) == 1:
        who = f"represents {represented[0]}"
    else:
        who = f"is shared by {_and(represented)}"
    return f"{subject}; it {who}."


def _where(better: Sequence[str], worse: Sequence[str], n: int) -> str:
    """Say on which of the data sets an archetype is good and bad by one measure."""
    if better and worse:
        return f"good on {_named(better)}, bad on {_named(worse)}"
    if better:
        return f"good on {_share(better, n)}{' and bad on none' if n > 1 else ''}"
    if worse:
        return f"bad on {_share(worse, n)}{' and good on none' if n > 1 else ''}"
    return f"average on {_all(n)}"


def _share(names: Sequence[str], n: int) -> str:
    return _all(n) if len(names) == n else f"{len(names)} of {n} data sets"


def _all(n: int) -> str:
    return "the data set" if n == 1 else "both data sets" if n == 2 else f"all {n} data sets"


def _named(names: Sequence[str]) -> str:
    return _and(names) if len(names) <= MAX_NAMED_DATASETS else f"{len(names)} data sets"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
