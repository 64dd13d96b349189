"""Every outcome shows itself in a notebook: as a table, with names escaped and without empty columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium


@pytest.fixture(scope="module")
def results() -> podium.Results:
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": f"d{m}", "replication": b, "algorithm": name, "error": 0.1 * k + rng.normal(0, 0.05)}
        for m in range(6)
        for b in range(4)
        for k, name in enumerate(["<b>bold</b>", "knn", "lda"])
    ]
    return podium.read(rows)


def test_outcomes_are_tables_with_escaped_names(results: podium.Results) -> None:
    shown = {
        "results": results,
        "comparison": podium.compare(results, method="nemenyi"),
        "omnibus": podium.friedman(results),
        "bayes": podium.inference.compare_bayes(results, method="sign"),
        "fit": podium.mixed(results),
        "table": podium.table(results),
        "worths": podium.inference.plackett_luce(results),
    }
    for outcome in shown.values():
        html = outcome._repr_html_()
        assert "&lt;b&gt;bold" in html and "<b>" not in html
        assert "<table" in html
    assert "Interval" not in shown["comparison"]._repr_html_()  # mean ranks have none
    assert "NaN" not in shown["comparison"]._repr_html_() and "NaN" not in repr(shown["comparison"])


@pytest.mark.usefixtures("in_this_process")
def test_designs_and_runs_are_tables() -> None:
    design = podium.Experiment("iris", ["lda", "constant"], podium.Bootstrap(replications=1), "accuracy")
    advice = design.advice()
    assert "one replication" in advice._repr_html_() and "way out" in advice[0]._repr_html_()
    assert "2 of 2 trials are left to do" in podium.preview(design, pilot_seconds=0)._repr_html_()
    with podium.Warehouse(":memory:") as warehouse:
        podium.run(design, warehouse, executor="threads", workers=1, progress="quiet")
        assert "2 done" in warehouse.status()._repr_html_()
    assert "statistic" in podium.inference.paired_test([1, 2, 3, 5], [2, 4, 5, 7], "t", direction="lower")._repr_html_()


def test_outcomes_of_relations_and_trees(results: podium.Results) -> None:
    relations = podium.relations
    domain = podium.domain(results, method="t", workers=1)
    voters = domain.relations
    pairs = podium.PairedComparisons.from_results(results)
    shown = [
        podium.bradley_terry(pairs),
        podium.bradley_terry_tree(pairs, pd.DataFrame({"size": range(24)}), min_size=8, permutations=99),
        pairs,
        domain,
        next(iter(domain.local.values())),
        domain.subdomains(2)[0],
        domain.algorithm_distances,
        domain.algorithm_distances.cluster(),
        relations.majority(voters),
        relations.borda(voters),
        relations.weight_sensitivity(voters, "d0"),
        relations.stability(results, seed=1, resamples=5),
        relations.criteria(results.select(dataset="d0")),
        domain.relation.linear_extensions(),
        podium.summaries.quartile_chart(results),
        podium.inference.win_table(results),
        podium.inference.rank_report(results),
    ]
    for outcome in shown:
        html = outcome._repr_html_()
        assert "&lt;b&gt;bold" in html and "<b>bold" not in html, type(outcome).__name__
    assert "<table" in domain.subdomain_stability(2, resamples=5)._repr_html_()
    assert "transitive" in podium.Relation.from_chain("a < b").check("transitive")._repr_html_()
    assert "setosa" in podium.Dataset.named("iris")._repr_html_()


def test_bold_keeps_its_meaning_in_tables_of_pairs(results: podium.Results) -> None:
    html = podium.compare(results, method="t").table().html()
    assert "<strong>" in html and "<th style='text-align:left'>knn" not in html
