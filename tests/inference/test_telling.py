"""Outcomes in words, as LaTeX and in a notebook."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from podium.analysis.inference import compare, compare_bayes, paired_test
from podium.analysis.telling import tex
from podium.results import Results


def test_paragraph(monks3: Results) -> None:
    text = compare(monks3.select(algorithms=["svm", "rf", "rpart"]), method="wnmt").text()
    assert text == (
        "3 algorithms were compared by Misclassification (lower is better) on 250 replications of one data set. "
        "The Friedman test (tie-corrected) shows that they differ (p < 0.0001). "
        "3 pairs were tested at the level 0.05 (Wilcoxon–Nemenyi–McDonald–Thompson test); p-values are adjusted for "
        "the largest of all differences (single step). "
        "svm is better than rf (p < 0.0001); rpart is better than rf (p < 0.0001). "
        "1 of 3 pairs is undecided: neither a difference nor its absence is shown. "
        "Groups without a known difference: {svm, rpart}."
    )


def test_paragraph_of_one_pair_with_an_area(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(0)
    results = table(rng.normal(0, 1, (40, 1)) + rng.normal(0, 0.01, (40, 2)), rows="dataset")
    text = compare(results, method="t", equivalence=(-0.1, 0.1)).text()
    assert text == (
        "2 algorithms were compared by error (lower is better) on 40 data sets. The pair was tested at the level 0.05 "
        "(paired t test). No pair is shown to differ. Equivalent, with a difference in [-0.1, 0.1], is shown for "
        f"{' and '.join(compare(results, method='t').frame().loc[0, ['a', 'b']])}. Groups without a known difference: "
        f"{{{', '.join(compare(results, method='t').frame().loc[0, ['a', 'b']])}}}."
    )


def test_paragraph_against_a_control(monks3: Results) -> None:
    text = compare(monks3, method="nwwm", control="rf").text()
    assert "each with rf." in text
    assert "rf is better than" in text
    assert "Groups" not in text


def test_latex_table(monks3: Results) -> None:
    found = compare(monks3.select(algorithms=["svm", "rf", "rpart"]), method="wilcoxon")
    lines = found.latex(caption="50% & more", label="tab:monks").split("\n")
    assert lines[:4] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{50\% \& more}\label{tab:monks}",
        r"\begin{tabular}{llrrrrl}",
    ]
    assert lines[5] == r"$a$ & $b$ & Difference & Interval & Statistic & $p$ & Decision \\"
    bold = [line for line in lines if line.startswith(r"\textbf{svm} & rf & ")]
    assert len(bold) == 1
    assert bold[0].endswith(r"$<0.001$ & better \\")
    assert all(line.count("&") == 6 for line in lines if line.endswith(r"\\"))


def test_other_outcomes_are_told_too(demsar: Results) -> None:
    told = paired_test([0.1, 0.2, 0.3, 0.5], [0.2, 0.3, 0.5, 0.6], "t", alternative="less").text()
    assert told == (
        "Two algorithms were compared by 4 paired values with the paired t test against smaller values of the first: "
        "statistic -5.0000, p = 0.0077. The difference of means is -0.125, with the 95% interval [-0.2046, -0.04544]."
    )
    lines = compare_bayes(demsar, equivalence=0.01).latex(label="tab:b").split("\n")
    assert lines[3] == r"\begin{tabular}{llrrrl}"
    assert lines[2].endswith("and that a is worse.}\\label{tab:b}")
    assert any(line.startswith(r"\textbf{C4.5+m+cf} & C4.5 & $0.9") for line in lines)


def test_long_tables_break_over_pages(table: Callable[..., Results]) -> None:
    found = compare(table(np.random.default_rng(0).random((12, 10))), method="nemenyi")
    text = found.latex()
    assert text.startswith(r"\begin{longtable}{llrrrl}")
    assert text.count(r" \\") == 45 + 2
    assert "Interval" not in text  # mean ranks have none


@pytest.mark.parametrize(
    ("plain", "escaped"),
    [
        ("a_b", r"a\_b"),
        ("C4.5+m", "C4.5+m"),
        ("x^2~", r"x\textasciicircum{}2\textasciitilde{}"),
        ("5×2", r"5$\times$2"),
    ],
)
def test_what_latex_would_not_print(plain: str, escaped: str) -> None:
    assert tex(plain) == escaped


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
