"""How a report reads: nothing twice, nothing about what is not shown, plain counts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from report_sources import SOURCES, cube
from report_words import cautions, check_words

import podium
from podium.analysis.notes import Note
from podium.reporting import Analyses, Figure, Paragraph, Points
from podium.reporting.sections.cautions import CAUTIONS


@pytest.mark.parametrize("name", ["two algorithms", "demsar", "monks3"])
def test_reports_have_all_sections_and_no_odd_words(name: str) -> None:
    report = podium.report(SOURCES[name]())
    check_words(report)
    assert cautions(report) or name != "monks3"


def test_the_consensus_of_eugster() -> None:
    # Eugster (2011), section 4.3: the consensus of the 21 data sets is svm ≺ rf ≺ lda ≺ rpart ≺ nnet ≺ knn.
    report = podium.report(SOURCES["uci"](), sections=["domain"])
    assert report.sections[0].blocks[0].text == (
        "The order nearest to those on the 21 data sets is svm ≺ rf ≺ lda ≺ rpart ≺ nnet ≺ knn. On each data set "
        "only differences that are shown there count, so the outcome may differ from the order by mean rank."
    )


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


def test_nothing_is_said_about_intervals_of_the_model() -> None:
    analyses = Analyses(SOURCES["demo"]())
    model = analyses.domain.value.comparison
    note = Note("interval contains 0", pairs=(("a", "b"),), even=0, ends=False, adjust="holm")
    object.__setattr__(model, "notes", (*model.notes, note))
    texts = [item for block in CAUTIONS.make(analyses) if isinstance(block, Points) for item in block.items]
    assert texts
    assert not [text for text in texts if str(note) in text]


def test_pairs_that_are_all_decided() -> None:
    values = np.arange(3.0) + 0.01 * np.random.default_rng(1).random((20, 3))
    labels = {"dataset": list(range(20)), "algorithm": list("abc")}
    results = podium.read(values, labels=labels, measure="loss", direction="lower")
    text = podium.report(results, sections=["inference"]).sections[0].blocks[0].text
    assert ": one of the two is shown to be better in all of them." in text
    assert "undecided" not in text


def test_counts_do_not_run_into_names() -> None:
    report = podium.report(podium.datasets.load_demsar2006(), sections=["domain"])
    blocks = report.sections[0].blocks
    at = next(i for i, one in enumerate(blocks) if isinstance(one, Paragraph) and one.text.startswith("First places"))
    lines = blocks[at + 1].items
    assert all(re.search(r"\): (?:C4\.5\S* \(\d+\)(?:, | and |\.))+$", line) for line in lines)


def test_floats_of_the_document_stay_in_their_section() -> None:
    text = podium.report(cube(6, 2, 3)).latex()
    assert r"\begin{figure}[H]" in text and r"\begin{table}[H]" in text
    assert "[htbp]" not in text
    assert ",float," in text
