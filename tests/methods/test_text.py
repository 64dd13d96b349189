"""Outcomes in words, as LaTeX and in a notebook."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd

import podium
from podium import Comparison
from podium.analysis.compare import compare
from podium.analysis.methods import compare_bayes
from podium.analysis.methods.rank_test import MEAN_RANKS
from podium.results import Results


def size(found: Comparison, a: str, b: str) -> str:
    """How a paragraph writes the effect size of a pair."""
    i, j = found.algorithms.index(a), found.algorithms.index(b)
    share, low, high = podium.inference.superiority(int(found.wins[i, j]), int(found.wins[j, i]), found.n)
    return f"superiority {share:.2f} [{low:.2f}, {high:.2f}] ({podium.inference.magnitude(share)})"


def test_paragraph(monks3: Results) -> None:
    """The statistic and the mean ranks are those of scipy.stats.friedmanchisquare and rankdata (SciPy 1.17)."""
    found = compare(monks3.select(algorithms=["svm", "rf", "rpart"]), method="wnmt")
    assert found.text() == (
        "3 algorithms were compared by Misclassification (lower is better) on 250 replications of one data set. "
        f"{found.notes[0]} "
        "The Friedman test (tie-corrected) shows that they differ (statistic = 87.89, df = 2, p < 0.001). "
        "3 pairs were tested at the 0.05 level (Wilcoxon–Nemenyi–McDonald–Thompson test); p-values are adjusted for "
        "the largest of all differences (single step). "
        "The mean ranks are svm 1.78, rpart 1.80, rf 2.42; their critical difference is 0.18. "
        f"svm is better than rf ({size(found, 'svm', 'rf')}, p < 0.001); "
        f"rpart is better than rf ({size(found, 'rpart', 'rf')}, p < 0.001). "
        "1 of 3 pairs is undecided: neither a difference nor its absence is shown. "
        f"Groups without a known difference: {{svm, rpart}}. {MEAN_RANKS}"
    )


def test_differences_inside_the_area_are_not_called_absent(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0, 1, (40, 1)) + rng.normal(0, 0.01, (40, 3)) + [0, 0.02, 0.04]
    found = compare(table(values, rows="dataset"), method="t", equivalence=0.1)
    assert found.significant.all()
    assert "No pair is shown to differ." not in found.text()
    assert found.text().count(" and ") >= 3
    assert "; " in found.text().partition("Shown to be equivalent, ")[2]


def test_paragraph_of_many_algorithms_can_be_read(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).normal(0, 1, (40, 30)) + 0.1 * np.arange(30)
    names = [f"a{i:02d}" for i in range(30)]
    found = compare(table(values, names=names, rows="dataset"), method="nemenyi")
    assert len(found.text()) < 1500
    assert f"{int(found.significant.sum())} of 435 pairs are shown to differ" in found.text()
    assert len(compare_bayes(table(values[:, :8], rows="dataset"), equivalence=0.1, draws=500).text()) < 1500


def test_latex_table(monks3: Results) -> None:
    found = compare(monks3.select(algorithms=["svm", "rf", "rpart"]), method="wilcoxon")
    lines = found.latex(caption="50% & more", label="tab:monks").split("\n")
    assert lines[:3] == [r"\begin{table*}", r"\centering", r"\caption{50\% \& more}\label{tab:monks}"]
    assert lines[4] == r"\begin{tabular}{@{}llrrrrrrl@{}}"
    assert lines[6] == r"$a$ & $b$ & Difference & Interval & Statistic & Superiority & Its interval & $p$ & Decision \\"
    bold = [line for line in lines if line.startswith(r"\textbf{svm} & rf & ")]
    assert len(bold) == 1
    assert bold[0].endswith(r"$<0.001$ & better \\")
    assert all(line.count("&") == 8 for line in lines if line.endswith(r"\\"))


def test_a_long_table_breaks_over_pages_only_if_asked(table: Callable[..., Results]) -> None:
    found = compare(table(np.random.default_rng(0).random((12, 12))), method="nemenyi")
    text = found.latex()
    assert text.startswith("% 66 rows are more than a page holds; environment='longtable' breaks them.\n\\begin{table")
    assert "longtable}" not in text
    assert text.count(r" \\") == 66 + 1
    assert "Interval" not in text  # mean ranks have none
    assert r"\begin{longtable}{@{}llrrrrrl@{}}" in found.table().latex(environment="longtable")


def test_repr_and_notebook(table: Callable[..., Results]) -> None:
    found = compare(table(np.random.default_rng(0).random((12, 10))), method="nemenyi")
    assert repr(found).endswith("… and 30 more pairs")
    html = compare(table(np.random.default_rng(0).random((12, 3)), names=["<b>", "&", "c"]), method="t")._repr_html_()
    assert "&lt;b&gt;" in html
    assert not re.search(r"<b>", html)


def test_pairs_without_common_blocks_are_not_counted_as_tested() -> None:
    rows = [
        (f"d{m}", name, m % 3 + value) for m in range(12) for name, value in (("a", 0.1 * m), ("b", 5.0), ("c", 6.0))
    ]
    kept = [
        row
        for row in rows
        if not (row[1] == "b" and int(row[0][1:]) < 6) and not (row[1] == "c" and int(row[0][1:]) > 5)
    ]
    results = podium.read(pd.DataFrame(kept, columns=["dataset", "algorithm", "cost"]), direction="lower")
    found = podium.compare(results, method="t", missing="available")
    assert found.untested.sum() == 1
    assert "2 of 3 pairs were tested at the 0.05 level (paired t test); p-values are adjusted by" in found.text()
    assert "1 of 3 pairs has fewer than two blocks in common and was not tested." in found.text()
    relation = found.relation()
    assert relation.prefers("a", "b") and relation.prefers("a", "c")
    assert bool(relation.indifferent[relation.algorithms.index("b"), relation.algorithms.index("c")])
