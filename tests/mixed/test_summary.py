"""Texts on a fit and its comparisons: they are pasted into papers, so every sentence has to be true."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from podium.analysis.mixed import mixed
from podium.analysis.mixed.compare import compare_mixed
from podium.errors import InputError
from podium.results import Results


@pytest.fixture(scope="module")
def complete(of, draw) -> Results:
    return of(draw(np.random.default_rng(4), (6, 4, 4), means=np.array([10.0, 12.0, 14.0, 14.5])))


@pytest.fixture(scope="module")
def gaps(of, draw) -> Results:
    values = draw(np.random.default_rng(4), (6, 4, 4), means=np.array([10.0, 12.0, 14.0, 14.5]))
    values[0, 0, 0] = values[3, 2, 1] = np.nan
    return of(values)


@pytest.mark.parametrize("dataset", [None, "d3"])
def test_the_text_of_a_survey_names_all_its_data_sets(complete: Results, dataset: str | None) -> None:
    comparison = mixed(complete, model="survey").contrasts(dataset=dataset)
    for text in (comparison.text(), repr(comparison), comparison.latex(), comparison._repr_html_()):
        assert "24 replications of 6 data sets" in text
        assert "one data set" not in text
    assert "24 replications of 6 data sets" in mixed(complete, model="survey").omnibus().text()
    assert "4 replications of one data set" in compare_mixed(complete.select(dataset="d3")).text()


def test_a_relation_needs_all_pairs(complete: Results) -> None:
    fit = mixed(complete)
    comparison = fit.contrasts(pd.DataFrame({"a0": [1, 1, 1], "a1": [-1, -1, 0], "a3": [0, 0, -1]}))
    with pytest.raises(InputError, match="needs all pairs; this comparison has 2 of the 3 of 'a0', 'a1', 'a3'"):
        comparison.relation()
    pairs = fit.contrasts(pd.DataFrame({"a0": [1, 0, 1], "a1": [-1, 1, 0], "a3": [0, -1, -1]}))
    assert pairs.relation().prefers("a0", "a3")


def test_summary_and_notes_mention_missing_cells(gaps: Results, complete: Results) -> None:
    fit = mixed(gaps)
    assert "94 values (2 missing)" in fit.summary()
    assert "2 of 96 cells missing (2 absent)" in " ".join(map(str, fit.contrasts().notes))
    assert "missing" not in mixed(complete).summary() + " ".join(map(str, mixed(complete).contrasts().notes))
    assert "missing" not in mixed(gaps, missing="drop-block").summary()


def test_a_note_explains_a_relative_area(complete: Results) -> None:
    best = mixed(complete).estimates.min()
    comparison = compare_mixed(complete, equivalence=(-0.1, 0.2), relative=True)
    assert f"is -10% to 20% of the mean of a0 (the best), {best:.4g}." in " ".join(map(str, comparison.notes))
    assert comparison.equivalence == pytest.approx((-0.1 * best, 0.2 * best))


@pytest.mark.parametrize("seed", range(2))
def test_identical_algorithms_differ_by_nothing(of, draw, seed: int) -> None:
    values = 0.8 + 0.01 * draw(np.random.default_rng(seed), (12, 10, 4))
    values[..., 3] = values[..., 0]
    for options in ({}, {"covariance": "unstructured"}, {"model": "survey"}):
        comparison = mixed(of(values), **options).contrasts()
        row = comparison.pair("a0", "a3")
        assert (row["estimate"], row["statistic"], row["adjusted"]) == (0.0, 0.0, 1.0)


def test_notebooks_show_tables(gaps: Results) -> None:
    shown = mixed(gaps)._repr_html_()
    assert shown.count("<table") == 2
    assert shown.index(">a0</th>") < shown.index(">a1</th>") < shown.index(">data set × algorithm</th>")
    named = gaps.rename(algorithms={"a0": "<b>"})
    assert ">&lt;b&gt;</th>" in mixed(named)._repr_html_()
