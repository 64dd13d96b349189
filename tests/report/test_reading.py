"""How a report reads: nothing twice, nothing about what is not shown, plain counts."""

from __future__ import annotations

import pytest
from report_sources import SOURCES, cube
from report_words import cautions, check_words

import podium
from podium.show.report import Figure


@pytest.mark.parametrize("name", ["two algorithms", "demsar", "monks3"])
def test_reports_have_all_sections_and_no_odd_words(name: str) -> None:
    report = podium.report(SOURCES[name]())
    check_words(report)
    assert cautions(report) or name != "monks3"


def test_the_consensus_of_eugster() -> None:
    # Eugster (2011), section 4.3: the consensus of the 21 data sets is svm ≺ rf ≺ lda ≺ rpart ≺ nnet ≺ knn.
    report = podium.report(SOURCES["uci"](), sections=["domain"])
    lead = report.sections[0].blocks[0].text
    assert lead.startswith("The order nearest to those on the 21 data sets is svm ≺ rf ≺ lda ≺ rpart ≺ nnet ≺ knn.")


def test_no_figure_is_shown_twice() -> None:
    for results in (cube(1, 1, 4), cube(6, 4, 3, holes=0.5), cube(1, 12, 3), cube(6, 1, 3)):
        report = podium.report(results)
        captions = [
            block.caption for section in report.sections for block in section.blocks if isinstance(block, Figure)
        ]
        assert len(captions) == len(set(captions))
        assert sum("Distribution of loss" in caption for caption in captions) == 1
    alone = podium.report(cube(1, 1, 4), sections=["distributions"])
    assert "Distribution of loss" in alone.markdown()


def test_floats_of_the_document_stay_in_their_section() -> None:
    text = podium.report(cube(6, 2, 3)).latex()
    assert r"\begin{figure}[H]" in text and r"\begin{table}[H]" in text
    assert "[htbp]" not in text
    assert ",float," in text
