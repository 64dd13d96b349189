"""Outcomes in words, as LaTeX and in a notebook."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd

import podium
from podium import Comparison
from podium.analysis.compare import compare, procedures
from podium.analysis.inference import compare_bayes, paired_test
from podium.analysis.inference.rank_test import MEAN_RANKS
from podium.results import Results, read

OVERLAP = (
    "This outcome holds only for new resamples of this data set, not for the population behind it: replications "
    "drawn from one data set overlap, and the {} treats them as independent. For the population it is far too "
    "liberal. 'corrected t' allows for the overlap. It needs `ratio`, the size of the test sample divided by "
    "that of the learning sample, such as 1/9 for 10-fold cross-validation or 0.58 for a bootstrap."
)


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
        f"{OVERLAP.format('Wilcoxon–Nemenyi–McDonald–Thompson test')} "
        "The Friedman test (tie-corrected) shows that they differ (statistic = 87.89, df = 2, p < 0.001). "
        "3 pairs were tested at the 0.05 level (Wilcoxon–Nemenyi–McDonald–Thompson test); p-values are adjusted for "
        "the largest of all differences (single step). "
        "The mean ranks are svm 1.78, rpart 1.80, rf 2.42; their critical difference is 0.18. "
        f"svm is better than rf ({size(found, 'svm', 'rf')}, p < 0.001); "
        f"rpart is better than rf ({size(found, 'rpart', 'rf')}, p < 0.001). "
        "1 of 3 pairs is undecided: neither a difference nor its absence is shown. "
        f"Groups without a known difference: {{svm, rpart}}. {MEAN_RANKS}"
    )


def test_paragraph_of_tests_pair_by_pair_has_differences_and_intervals(demsar: Results) -> None:
    found = compare(demsar, method="t", adjust="none")
    row = found.frame().query("a == 'C4.5+m+cf' and b == 'C4.5'").iloc[0]
    shown = f"difference {row['estimate']:.3g}, interval [{row['lower']:.3g}, {row['upper']:.3g}]"
    assert f" and C4.5 ({shown}, {size(found, 'C4.5+m+cf', 'C4.5')}, p = 0.0" in found.text()
    assert "Intervals of the difference of means have confidence 0.95, each." in found.text()
    together = compare(demsar, method="t").text()
    assert "Intervals of the difference of means have confidence 0.95, for all pairs together." in together
    one_sided = compare(demsar, method="t", control="C4.5", alternative="better").text()
    assert "interval" not in one_sided.lower()
    assert (
        "3 of 3 are not shown to be worse than C4.5."
        in compare(demsar, method="t", control="C4.5", alternative="worse").text()
    )


def test_paragraph_of_one_pair_with_an_area(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(0)
    results = table(rng.normal(0, 1, (40, 1)) + rng.normal(0, 0.01, (40, 2)), rows="dataset")
    a, b = compare(results, method="t").frame().loc[0, ["a", "b"]]
    assert compare(results, method="t", equivalence=(-0.1, 0.1)).text() == (
        f"{a} and {b} were compared by error (lower is better) on 40 data sets. The pair was tested at the 0.05 level "
        "(paired t test). Intervals of the difference of means have confidence 0.95. "
        f"Shown to be equivalent, with a mean difference in [-0.1, 0.1]: {a} and {b}."
    )
    row = compare(results, method="t").frame().iloc[0]
    assert (
        compare(results, method="t")
        .text()
        .endswith(
            f"Neither a difference between {a} and {b} nor its absence is shown (difference {row['estimate']:.3g}, "
            f"interval [{row['lower']:.3g}, {row['upper']:.3g}], {size(compare(results, method='t'), a, b)}, "
            f"p = {row['pvalue']:.3f})."
        )
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
    text = found.text()
    assert len(text) < 1500
    differ = int(found.significant.sum())
    assert f"{differ} of 435 pairs are shown to differ. {found.order[0]} comes first; it is better than " in text
    assert "overlapping groups without a known difference; the best is {" in text
    against = compare(table(values, names=names, rows="dataset"), method="nwwm", control="a15").text()
    assert "are better than a15; " in against
    assert "are worse than a15." in against
    assert len(compare_bayes(table(values[:, :8], rows="dataset"), equivalence=0.1, draws=500).text()) < 1500


def test_paragraph_after_a_global_test_without_difference_says_it_once(table: Callable[..., Results]) -> None:
    found = compare(table(np.random.default_rng(0).random((12, 4)), rows="dataset"), method="nemenyi")
    assert not found.omnibus.significant
    assert "No pair is shown to differ" not in found.text()
    assert found.text().endswith("The p-values of the pairs are still shown.")


def test_a_note_warns_that_replications_overlap_unless_drawn_afresh(monks3: Results, demsar: Results) -> None:
    for method in ("nemenyi", "wilcoxon", "permutation t", "t", "mixed"):
        few = monks3.select(replications=monks3.replications[:12])
        found = compare(few, method=method)
        assert str(found.notes[0]) == OVERLAP.format(procedures()[method].title)
        assert found.text().partition(". ")[2].startswith(str(found.notes[0]))
    assert all(note.code != "overlap" for note in compare(demsar, method="nemenyi").notes)
    rows = [
        {"replication": r, "algorithm": a, "error": float((r * 7 + i) % 5), "independent": 1}
        for r in range(8)
        for i, a in enumerate("abc")
    ]
    assert all(note.code != "overlap" for note in compare(read(rows), method="nemenyi").notes)


def test_paragraph_against_a_control(monks3: Results) -> None:
    text = compare(monks3, method="nwwm", control="rf").text()
    assert text.startswith("5 algorithms were compared with rf by Misclassification (lower is better) on 250 ")
    assert "rf is better than" in text
    assert "Groups" not in text


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


def test_paragraphs_of_other_outcomes(demsar: Results) -> None:
    written = paired_test(
        [0.1, 0.2, 0.3, 0.5], [0.2, 0.3, 0.5, 0.6], "t", alternative="better", direction="lower"
    ).text()
    assert written == (
        "Two algorithms were compared by 4 paired values with the paired t test against better values of the first (lower is better): "
        "statistic -5.0000, p = 0.008. The difference of means is -0.125, 95% interval [-inf, -0.06617]."
    )
    lines = compare_bayes(demsar, equivalence=0.01).latex(label="tab:b").split("\n")
    assert lines[lines.index(r"\toprule") - 1] == r"\begin{tabular}{@{}llrrrl@{}}"
    assert lines[2].endswith("and that a is worse.}\\label{tab:b}")
    assert any(line.startswith(r"\textbf{C4.5+m+cf} & C4.5 & $0.9") for line in lines)


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
    assert repr(found).split("\n")[0] == (
        "Nemenyi test: 10 algorithms, error, 12 replications of one data set; difference of mean ranks, adjustment "
        "single-step"
    )
    assert repr(found).endswith("… and 30 more pairs")
    html = compare(table(np.random.default_rng(0).random((12, 3)), names=["<b>", "&", "c"]), method="t")._repr_html_()
    assert "&lt;b&gt;" in html
    assert not re.search(r"<b>", html)


def test_a_one_sided_paragraph_gives_differences_and_bounds(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0, 0.3, (20, 3)) + np.array([0.0, 0.9, 0.1])
    found = podium.compare(table(values, rows="dataset"), method="t", control="a1", alternative="better")
    row = found.frame().iloc[0]
    assert row["upper"] <= 0 and row["lower"] == -np.inf
    text = found.text()
    assert "Bounds of the difference of means have confidence 0.95, for all pairs together." in text
    assert f"(difference {row['estimate']:.3g}, at most {row['upper']:.3g}, " in text


def test_a_bayesian_paragraph_lists_probabilities_of_the_next_data_set_together(ulas: Results) -> None:
    some = ulas.select(algorithms=["svr", "svl"], datasets=ulas.datasets[:6])
    found = podium.inference.compare_bayes(some, equivalence=1.0, draws=200, warmup=200)
    row = found.frame().iloc[0]
    first = ", ".join(f"{name} {row[name]:.3f}" for name in ("better", "equivalent", "worse"))
    then = ", ".join(f"{row[f'next {name}']:.3f}" for name in ("better", "equivalent", "worse"))
    assert row["decision"] == "undecided"
    assert f"({first}; {then} on the next data set)" in found.text()


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
