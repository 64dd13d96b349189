"""Sections of your own: registered under a name, they appear among those of every report of the process."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from podium.checks import check_call, check_choice, describe, function_name
from podium.errors import InputError
from podium.show.report.analyses import Analyses
from podium.show.report.blocks import NAME, Section
from podium.show.report.sections import SectionMaker, in_order

OwnSection: TypeAlias = Callable[[Analyses], Section]

USUAL_PLACE = "cautions"  # before which an own section stands, so that those which end a report still do


@dataclass(frozen=True)
class Registered:
    """A section of your own, with the name it was registered under."""

    name: str
    make: OwnSection


_own: dict[str, Registered] = {}
_places: dict[str, str] = {}  # before which section each of them stands


def all_sections() -> dict[str, SectionMaker | Registered]:
    """Return the sections of podium and the registered ones by name, in their order."""
    sections: list[SectionMaker | Registered] = list(in_order())
    for name, one in _own.items():
        names = [other.name for other in sections]
        sections.insert(names.index(_places[name]), one)
    return {one.name: one for one in sections}


@check_call
def section_names() -> tuple[str, ...]:
    """List the sections of a report in their order, with those that were registered.

    >>> import podium
    >>> podium.show.report.section_names()[:3]
    ('answer', 'design', 'distributions')
    """
    return tuple(all_sections())


@check_call
def register_section(name: str, make: OwnSection, *, before: str = USUAL_PLACE) -> OwnSection:
    """Add a section of your own to all further reports of this process.

    Parameters
    ----------
    name : str
        By which it is chosen, moved and left out: lower-case letters, digits and hyphens. A section of your own with
        that name is replaced; those of podium cannot be.
    make : callable
        Takes the analyses of a report (`podium.show.report.Analyses`); returns a `podium.show.report.Section` of that
        name.
    before : str, default "cautions"
        The section before which it stands. Of several at one place, the first registered comes first.

    Returns
    -------
    callable
        The function.

    Examples
    --------
    >>> import podium
    >>> from podium.show.report import Paragraph, Section, register_section, section_names, unregister_section
    >>> def funding(analyses):
    ...     return Section("funding", "Funding", (Paragraph("None."),))
    >>> register_section("funding", funding, before="provenance") is funding
    True
    >>> section_names()[-3:]
    ('methods', 'funding', 'provenance')
    >>> unregister_section("funding")
    """
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise InputError(f"`name` must consist of lower-case letters, digits and hyphens; got {describe(name)}.")
    if any(name == one.name for one in in_order()):
        raise InputError(f"`name` must not be that of a section of podium; got {name!r}. Choose another one.")
    if not callable(make):
        raise InputError(f"`make` must be a function from the analyses to a section; got {describe(make)}.")
    check_choice(before, [one for one in section_names() if one != name], "before")
    if name in _own:
        unregister_section(name)
    _own[name], _places[name] = Registered(name, make), before
    return make


@check_call
def unregister_section(name: str) -> None:
    """Remove a section that was registered from all further reports.

    Parameters
    ----------
    name : str
        As it was registered.
    """
    if not isinstance(name, str) or name not in _own:
        there = f"those are {', '.join(map(repr, _own))}" if _own else "there is none"
        raise InputError(f"`name` must be that of a registered section; {there}. Got {describe(name)}.")
    del _own[name]
    place = _places.pop(name)
    for other, at in _places.items():  # sections placed before it now take its place
        if at == name:
            _places[other] = place


def name_of(maker: SectionMaker | Registered | OwnSection) -> str:
    """Return the name of a section, or of the function that makes it."""
    return maker.name if isinstance(maker, SectionMaker | Registered) else function_name(maker)


def made(maker: Any, section: object) -> Section:
    """Return what a function of the user made, if it is a section, under the name that was registered."""
    if not isinstance(section, Section):
        raise InputError(
            f"A function in `sections` must return a podium.show.report.Section; "
            f"{function_name(maker.make if isinstance(maker, Registered) else maker)} returned {describe(section)}."
        )
    if isinstance(maker, Registered) and section.name != maker.name:
        raise InputError(
            f"The section registered as {maker.name!r} must have that name; {function_name(maker.make)} returned one "
            f"with the name {section.name!r}."
        )
    return section
