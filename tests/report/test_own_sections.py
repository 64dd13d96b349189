"""Sections of your own: passed in, or registered under a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from report_sources import NAMES, cube

import podium
from podium.errors import PodiumError
from podium.plot.drawing import PLOTS
from podium.show.report import (
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
def test_wrong_sections() -> None:
    register_section("own", other)
    message = r"^The section registered as 'own' must have that name; other returned one with the name 'other'"
    with pytest.raises(PodiumError, match=message):
        podium.report(cube(4, 1, 3), sections=["own"])
    for name, message in (
        ("../own", "must consist of lower-case letters, digits and hyphens; got '../own'"),
        ("answer", "must not be that of a section of podium; got 'answer'"),
    ):
        with pytest.raises(PodiumError, match=message):
            register_section(name, own)
    with pytest.raises(PodiumError, match=r"Figure\(name, caption, draw\).*lambda: podium\.plot\.box\(results\)"):
        Figure("f", PLOTS["box"].function()(cube(4, 1, 3)), "caption")
    for make, message in (
        (lambda: Points("one"), "`items` must be a list of texts"),
        (lambda: Section("s", "S", ["x"]), "`blocks` must be a list of blocks"),
        (lambda: Paragraph(3), "`text` must be text; got 3"),
        (
            lambda: Tabular("t", pd.DataFrame()),
            r"`table` must be a Table; got a DataFrame\. Use podium\.table\(frame\)",
        ),
    ):
        with pytest.raises(PodiumError, match=message):
            make()


def test_names_of_tables_and_figures_are_safe_and_different() -> None:
    table = Table(title="t", columns=(Column("a"),), rows=())
    draw = PLOTS["box"].function()
    for name in ("../x", "a b", "'><b>", "", "A"):
        with pytest.raises(PodiumError, match="`name` of a Tabular must consist of lower-case letters, digits and"):
            Tabular(name, table)
        with pytest.raises(PodiumError, match="`name` of a Figure must consist of lower-case letters, digits and"):
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
    report = podium.show.report.Report(title="Benchmark report", subtitle="", authors=(), sections=())
    assert "Benchmark report" in report._repr_html_()
