"""Sections of your own: passed in, or registered under a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from report_sources import NAMES, cube

import podium
from podium.errors import PodiumError
from podium.plot.drawing import PLOTS
from podium.reporting import (
    Analyses,
    Code,
    Figure,
    Paragraph,
    Points,
    Section,
    Tabular,
    register_section,
    section_names,
    unregister_section,
)
from podium.typesetting import Column, Table


def own(analyses: Analyses) -> Section:
    best = analyses.summary.value.index[0]
    return Section("own", "Our choice", (Paragraph(f"We take {best}."),))


def other(analyses: Analyses) -> Section:
    return Section("other", "Other", ())


@pytest.fixture
def nothing_stays() -> Iterator[None]:
    """Remove what a test registers."""
    yield
    for name in set(section_names()) - set(NAMES):
        unregister_section(name)


def test_passed_in_and_reordered() -> None:
    report = podium.report(cube(6, 1, 3), sections=["methods", own, "answer"])
    assert [section.name for section in report.sections] == ["methods", "own", "answer"]
    assert "We take a0." in report.html()
    left = podium.report(cube(6, 1, 3), without=[name for name in NAMES if name != "design"])
    assert [section.name for section in left.sections] == ["design"]


@pytest.mark.usefixtures("nothing_stays")
def test_registered_ones_stand_where_they_were_asked_to() -> None:
    assert list(section_names()) == NAMES
    assert register_section("own", own) is own
    register_section("other", other, before="answer")
    assert list(section_names()) == ["other", *NAMES[:-3], "own", *NAMES[-3:]]
    few = [name for name in NAMES if name not in ("answer", "cautions")]
    report = podium.report(cube(6, 1, 3), without=few)
    assert [section.name for section in report.sections] == ["other", "answer", "own", "cautions"]
    assert "We take a0." in report.markdown()
    report = podium.report(cube(6, 1, 3), sections=["own", "answer"], without=["answer"])
    assert [section.name for section in report.sections] == ["own"]


@pytest.mark.usefixtures("nothing_stays")
def test_one_that_goes_leaves_its_place_to_those_before_it() -> None:
    register_section("own", own, before="design")
    register_section("other", other, before="own")
    register_section("third", other, before="own")
    assert section_names()[:5] == ("answer", "other", "third", "own", "design")
    unregister_section("own")
    assert section_names()[:4] == ("answer", "other", "third", "design")


@pytest.mark.usefixtures("nothing_stays")
def test_registered_again_it_is_replaced() -> None:
    register_section("own", other, before="design")
    register_section("own", own)
    assert list(section_names()) == [*NAMES[:-3], "own", *NAMES[-3:]]
    assert podium.report(cube(6, 1, 3), sections=["own"]).section("own").title == "Our choice"


@pytest.mark.usefixtures("nothing_stays")
def test_a_command_cannot_make_them_again(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    cube(6, 1, 3).write(path)
    register_section("own", own)

    def command(names: list[str]) -> str:
        section = podium.report(path, sections=names).section("provenance")
        return next(block.text for block in section.blocks if isinstance(block, Code))

    assert command(["provenance"]) == f"podium report {path} --sections provenance"
    assert command(["provenance", "own"]) == f"podium.report({str(path)!r}, sections=['provenance', 'own'])"


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Own", own), "`name` must consist of lower-case letters, digits and hyphens; got 'Own'."),
        (("../own", own), "`name` must consist of lower-case letters, digits and hyphens; got '../own'."),
        ((1, own), "`name` must consist of lower-case letters, digits and hyphens; got an int."),
        (("answer", own), "`name` must not be that of a section of podium; got 'answer'. Choose another one."),
        (("own", "own"), "`make` must be a function from the analyses to a section; got 'own'."),
    ],
)
def test_wrong_registrations(arguments: tuple[object, object], message: str) -> None:
    with pytest.raises(PodiumError, match=f"^{re.escape(message)}$"):
        register_section(*arguments)
    assert list(section_names()) == NAMES


@pytest.mark.usefixtures("nothing_stays")
def test_places_and_names_that_are_not_there() -> None:
    with pytest.raises(PodiumError, match=r"^`before` must be one of 'answer', .*; got 'end'"):
        register_section("own", own, before="end")
    with pytest.raises(PodiumError, match=r"^`before` must be one of 'answer', .*; got 'own'"):
        register_section("own", own, before="own")
    with pytest.raises(
        PodiumError, match=r"^`name` must be that of a registered section; there is none\. Got 'answer'\.$"
    ):
        unregister_section("answer")
    register_section("own", own)
    with pytest.raises(PodiumError, match=r"; those are 'own'\. Got 'other'\.$"):
        unregister_section("other")


@pytest.mark.usefixtures("nothing_stays")
def test_wrong_sections() -> None:
    register_section("own", other)
    message = r"^The section registered as 'own' must have that name; other returned one with the name 'other'"
    with pytest.raises(PodiumError, match=message):
        podium.report(cube(4, 1, 3), sections=["own"])
    register_section("own", lambda analyses: "x")
    with pytest.raises(PodiumError, match=r"must return a podium\.reporting\.Section; <lambda> returned 'x'"):
        podium.report(cube(4, 1, 3), sections=["own"])
    register_section("own", lambda analyses: 1 / 0)
    with pytest.raises(PodiumError, match=r"^`sections`: <lambda> raised ZeroDivisionError: division by zero$"):
        podium.report(cube(4, 1, 3), sections=["own"])


def test_names_of_tables_and_figures_are_safe_and_different() -> None:
    table = Table(title="t", columns=(Column("a"),), rows=())
    draw = PLOTS["box"].function()
    for name in ("../x", "a b", "'><b>", "", "A"):
        message = f"must consist of lower-case letters, digits and hyphens; got {name!r}."
        with pytest.raises(PodiumError, match=re.escape(f"`name` of a Tabular {message}")):
            Tabular(name, table)
        with pytest.raises(PodiumError, match=re.escape(f"`name` of a Figure {message}")):
            Figure(name, "caption", lambda: draw(cube(4, 1, 3)))
    with pytest.raises(PodiumError, match=r"^The tables of a report must have different names; 'x' is there twice"):
        podium.report(cube(4, 1, 3), sections=[lambda analyses: Section("s", "S", (Tabular("x", table),) * 2)])
    figure = Figure("y", "caption", lambda: draw(cube(4, 1, 3)))
    with pytest.raises(PodiumError, match=r"^The figures of a report must have different names; 'y' is there twice"):
        podium.report(cube(4, 1, 3), sections=[lambda analyses: Section("s", "S", (figure,) * 2)])


def test_a_figure_of_a_user_is_never_left_out_in_silence() -> None:
    figure = Figure("same", "The same caption.", PLOTS["box"].function())

    def first(analyses: Analyses) -> Section:
        return Section("first", "First", (figure,))

    def second(analyses: Analyses) -> Section:
        return Section("second", "Second", (figure,))

    with pytest.raises(PodiumError, match="figures of a report must have different names; 'same' is there twice"):
        podium.report(cube(6, 1, 3), sections=[first, second], progress="quiet")


def test_a_report_may_be_empty() -> None:
    report = podium.reporting.Report(title="Benchmark report", subtitle="", authors=(), sections=())
    assert "Benchmark report" in report._repr_html_()


def test_parts_that_are_made_wrongly_say_how_they_are_made() -> None:
    axes = PLOTS["box"].function()(cube(4, 1, 3))
    for arguments in (("f", axes, "caption"), ("f", "caption", axes)):
        with pytest.raises(PodiumError, match=r"Figure\(name, caption, draw\).*lambda: podium\.plot\.box\(results\)"):
            Figure(*arguments)
    with pytest.raises(PodiumError, match=r"`table` must be a Table; got a DataFrame\. Use podium\.table\(frame\)\.$"):
        Tabular("t", pd.DataFrame({"a": [1.5]}))
    with pytest.raises(PodiumError, match=r"`table` must be a Table; got a list\. Create one with podium\.table"):
        Tabular("t", [1])
    assert Points(["one", "two"]).items == ("one", "two")
    with pytest.raises(PodiumError, match="`items` must be a list of texts"):
        Points("one")
    assert Section("s", "S", [Paragraph("x")]).blocks == (Paragraph("x"),)
    with pytest.raises(PodiumError, match="`blocks` must be a list of blocks"):
        Section("s", "S", ["x"])
    with pytest.raises(PodiumError, match="`text` must be text; got 3"):
        Paragraph(3)
