"""Outcomes in words and as LaTeX tables."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from podium.analysis.omnibus import Unit, format_p

if TYPE_CHECKING:
    from podium.analysis.comparison import Comparison
    from podium.analysis.omnibus import Omnibus

_ADJUSTMENTS = {
    "none": "not adjusted for the number of pairs",
    "single-step": "adjusted for the largest of all differences (single step)",
    "bonferroni": "adjusted by Bonferroni's method",
    "holm": "adjusted by Holm's method",
    "hochberg": "adjusted by Hochberg's method",
    "hommel": "adjusted by Hommel's method",
    "sidak": "adjusted by Šidák's method",
    "finner": "adjusted by Finner's method",
    "li": "adjusted by Li's method",
    "shaffer": "adjusted by Shaffer's static procedure",
    "shaffer-dynamic": "adjusted by Shaffer's dynamic procedure",
    "bergmann-hommel": "adjusted by Bergmann and Hommel's procedure",
    "bh": "adjusted by Benjamini and Hochberg's method, which controls the false discovery rate",
    "by": "adjusted by Benjamini and Yekutieli's method, which controls the false discovery rate",
}
_LONG = 40  # pairs that fit on a page


def blocks_in_words(n: int, unit: Unit) -> str:
    """Say how many blocks there are, and of what kind."""
    if unit == "replication":
        return f"{n} replications of one data set"
    return f"{n} data sets"


def omnibus_text(omnibus: Omnibus) -> str:
    """Tell a global test in a paragraph."""
    k = len(omnibus.algorithms)
    df = f" with {' and '.join(f'{d:g}' for d in omnibus.df)} degrees of freedom" if omnibus.df else ""
    verdict = (
        f"so the hypothesis that all algorithms perform alike is rejected at the level {omnibus.alpha:g}"
        if omnibus.significant
        else f"so differences between the algorithms are not shown at the level {omnibus.alpha:g}; "
        "this does not mean that there are none"
    )
    sentences = [
        f"{k} algorithms were compared on {blocks_in_words(omnibus.n, omnibus.unit)}.",
        f"{_the(omnibus.method)} gives {omnibus.statistic:.4f}{df}, {format_p(omnibus.pvalue)}, {verdict}.",
        *omnibus.notes,
    ]
    return " ".join(sentences)


def comparison_text(comparison: Comparison) -> str:
    """Tell a comparison in a paragraph: design, global test, procedure, decisions, groups, caveats."""
    k, pairs = len(comparison.algorithms), len(comparison.first)
    control = f", each with {comparison.control}" if comparison.control is not None else ""
    sentences = [
        f"{k} algorithms were compared by {comparison.measure.name} ({comparison.measure.direction} is better) on "
        f"{blocks_in_words(comparison.n, comparison.unit)}{control}."
    ]
    if comparison.omnibus is not None:
        test = comparison.omnibus
        shown = "shows that they differ" if test.significant else "does not show that they differ"
        sentences.append(f"{_the(test.method)} {shown} ({format_p(test.pvalue)}).")
    how = _ADJUSTMENTS.get(comparison.adjustment, f"adjusted ({comparison.adjustment})")
    many = f"{pairs} pairs were" if pairs > 1 else "The pair was"
    adjusted = f"; p-values are {how}" if pairs > 1 else ""
    sentences.append(f"{many} tested at the level {comparison.alpha:g} ({_inline(comparison.method)}){adjusted}.")
    sentences += _decisions(comparison)
    sentences += comparison.notes
    return " ".join(sentences)


def _decisions(comparison: Comparison) -> list[str]:
    decision = comparison.decision
    frame = comparison.frame()
    sentences = []
    better = frame[frame["decision"] == "better"]
    if len(better):
        told = []
        for winner, rows in better.groupby("a", sort=False):
            losers = [f"{b} ({format_p(p)})" for b, p in zip(rows["b"], rows["adjusted"], strict=True)]
            told.append(f"{winner} is better than {_list(losers)}")
        sentences.append("; ".join(told) + ".")
    else:
        sentences.append("No pair is shown to differ.")
    if comparison.equivalence is not None:
        low, high = comparison.equivalence
        alike = frame[frame["decision"] == "equivalent"]
        which = (
            _list([f"{a} and {b}" for a, b in zip(alike["a"], alike["b"], strict=True)]) if len(alike) else "no pair"
        )
        sentences.append(f"Equivalent, with a difference in [{low:g}, {high:g}], is shown for {which}.")
    undecided = int((decision == "undecided").sum())
    if undecided:
        verb = "is" if undecided == 1 else "are"
        sentences.append(
            f"{undecided} of {len(decision)} pairs {verb} undecided: neither a difference nor its absence is shown."
        )
    groups = [group for group in comparison.groups() if len(group) > 1]
    if groups and comparison.control is None:
        listed = "; ".join("{" + ", ".join(group) + "}" for group in groups[:8])
        more = f"; and {len(groups) - 8} more" if len(groups) > 8 else ""
        sentences.append(f"Groups without a known difference: {listed}{more}.")
    return sentences


def comparison_latex(comparison: Comparison, *, caption: str | None, label: str | None, digits: int) -> str:
    """Table of all pairs for a LaTeX document, significant pairs in bold."""
    frame = comparison.frame()
    has_interval = bool(np.isfinite(frame["lower"]).any())
    head = ["$a$", "$b$", "Difference", *(["Interval"] if has_interval else []), "Statistic", "$p$", "Decision"]
    rows = []
    for row in frame.to_dict("records"):
        estimate, statistic, p = (float(row[name]) for name in ("estimate", "statistic", "adjusted"))
        cells = [tex(str(row["a"])), tex(str(row["b"])), _number(estimate, digits)]
        if has_interval:
            cells.append(f"$[{_bare(float(row['lower']), digits)}, {_bare(float(row['upper']), digits)}]$")
        cells += [_number(statistic, digits), _p(p), str(row["decision"])]
        if row["decision"] == "better":
            cells[0] = rf"\textbf{{{cells[0]}}}"
        rows.append(cells)
    title = caption if caption is not None else _caption(comparison)
    return latex_table(head, rows, "ll" + "r" * (len(head) - 3) + "l", title, label)


def latex_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], columns: str, caption: str, label: str | None
) -> str:
    """Set finished cells as a table; beyond a page's length as a longtable."""
    lines = [" & ".join(row) + r" \\" for row in rows]
    header = " & ".join(head) + r" \\"
    title = f"\\caption{{{tex(caption)}}}" + (f"\\label{{{label}}}" if label else "")
    if len(rows) > _LONG:
        body = ["\\begin{longtable}{" + columns + "}", title + r" \\", r"\toprule", header, r"\midrule", r"\endhead"]
        body += [*lines, r"\bottomrule", r"\end{longtable}"]
    else:
        body = [r"\begin{table}", r"\centering", title, "\\begin{tabular}{" + columns + "}", r"\toprule", header]
        body += [r"\midrule", *lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(body) + "\n"


def comparison_repr(comparison: Comparison) -> str:
    """Head line and table, shortened."""
    shown = comparison.frame().head(15).to_string(index=False, float_format=lambda x: f"{x:.4g}")
    rest = len(comparison.first) - 15
    more = f"\n… and {rest} more pairs" if rest > 0 else ""
    return f"{_headline(comparison)}\n{shown}{more}"


def comparison_html(comparison: Comparison) -> str:
    """Head line and table for a notebook."""
    shown = comparison.frame().head(60).to_html(index=False, float_format=lambda x: f"{x:.4g}", border=0)
    notes = "".join(f"<p>{escape(note)}</p>" for note in comparison.notes)
    return f"<div><strong>{escape(_headline(comparison))}</strong>{shown}{notes}</div>"


def tex(text: str) -> str:
    r"""Escape what LaTeX would not print.

    >>> tex("50% of a_b & c")
    '50\\% of a\\_b \\& c'
    """
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: "\\" + c for c in "&%$#_{}"}
    special |= {"–": "--", "×": r"$\times$", "χ": r"$\chi$", "²": r"$^2$", "δ": r"$\delta$", "≤": r"$\leq$"}
    return "".join(special.get(c, c) for c in text)


def _caption(comparison: Comparison) -> str:
    how = _ADJUSTMENTS.get(comparison.adjustment, comparison.adjustment)
    return (
        f"{comparison.method} of {len(comparison.algorithms)} algorithms on "
        f"{blocks_in_words(comparison.n, comparison.unit)} by {comparison.measure.name}: {comparison.estimand}, "
        f"p-values {how}; bold where a is better than b at the level {comparison.alpha:g}."
    )


def _headline(comparison: Comparison) -> str:
    against = f" against {comparison.control}" if comparison.control is not None else ""
    return (
        f"{comparison.method}{against}: {len(comparison.algorithms)} algorithms, {comparison.measure.name}, "
        f"{blocks_in_words(comparison.n, comparison.unit)}; {comparison.estimand}, adjustment {comparison.adjustment}"
    )


def _the(method: str) -> str:
    return f"The {_inline(method)}"


def _inline(method: str) -> str:
    """Lower the first letter of a name inside a sentence, unless it is a person's or a sign."""
    common = ("All pairs", "Paired", "Sign", "Corrected", "Aligned", "Permutation", "K-fold", "Linear")
    return method[0].lower() + method[1:] if method.startswith(common) else method


def _list(items: Sequence[str], most: int = 12) -> str:
    shown = list(items[:most])
    if len(items) > most:
        return ", ".join(shown) + f" and {len(items) - most} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _bare(value: float, digits: int) -> str:
    if np.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    return "--" if np.isnan(value) else f"{value:.{digits}g}"


def _number(value: float, digits: int) -> str:
    return f"${_bare(value, digits)}$"


def _p(value: float) -> str:
    if np.isnan(value):
        return "--"
    return "$<0.001$" if value < 0.001 else f"${value:.3f}$"
