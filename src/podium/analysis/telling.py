"""Outcomes in words and as LaTeX tables."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from podium.analysis.decisions_told import MANY, decisions_in_words
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


def _blocks(outcome: Comparison | Omnibus) -> str:
    """The same for an outcome; one on several data sets as they are says so itself."""
    return str(outcome.details.get("blocks", blocks_in_words(outcome.n, outcome.unit)))


def _size(comparison: Comparison) -> int:
    """Count the algorithms; sides of contrasts are none."""
    return len(comparison.details["means"]) if "sides" in comparison.details else len(comparison.algorithms)


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
        f"{k} algorithms were compared on {_blocks(omnibus)}.",
        f"{_the(omnibus.method)} gives {omnibus.statistic:.4f}{df}, {format_p(omnibus.pvalue)}, {verdict}.",
        *omnibus.notes,
    ]
    return " ".join(sentences)


def comparison_text(comparison: Comparison) -> str:
    """Tell a comparison in a paragraph: design, global test, procedure, decisions, groups, caveats."""
    k, pairs = _size(comparison), len(comparison.first)
    what = f"{k} algorithms were compared" if k > 2 else f"{' and '.join(comparison.order)} were compared"
    if comparison.control is not None and k > 2:
        what = f"{k - 1} algorithms were compared with {comparison.control}"
    sentences = [
        f"{what} by {comparison.measure.name} ({comparison.measure.direction} is better) on {_blocks(comparison)}."
    ]
    stopped = False
    if comparison.omnibus is not None:
        test = comparison.omnibus
        stopped = comparison.gated and not test.significant
        shown = "shows that they differ" if test.significant else "does not show that they differ"
        df = f", df = {', '.join(f'{d:.4g}' for d in test.df)}" if test.df else ""
        sentences.append(
            f"{_the(test.method)} {shown} (statistic = {test.statistic:.4g}{df}, {format_p(test.pvalue)})."
        )
    how = _ADJUSTMENTS.get(comparison.adjustment, f"adjusted ({comparison.adjustment})")
    noun = "contrast" if "sides" in comparison.details else "pair"
    many = f"{pairs} {noun}s were" if pairs > 1 else f"The {noun} was"
    adjusted = f"; p-values are {how}" if pairs > 1 else ""
    sentences.append(f"{many} tested at the level {comparison.alpha:g} ({_inline(comparison.method)}){adjusted}.")
    sentences += _ranks(comparison) + _intervals(comparison)
    if not stopped or comparison.equivalence is not None:  # else the note on the global test says it all
        sentences += decisions_in_words(comparison)
    sentences += comparison.notes
    return " ".join(sentences)


def _intervals(comparison: Comparison) -> list[str]:
    """Say what the intervals of the differences hold for, where there are any."""
    if not np.isfinite(comparison.lower).any() or comparison.details.get("alternative", "two-sided") != "two-sided":
        return []
    together = "" if len(comparison.first) == 1 else ", each"
    if len(comparison.first) > 1 and comparison.adjustment != "none":
        together = ", for all pairs together"
    return [f"Intervals of the {comparison.estimand} have the level {1 - comparison.alpha:.4g}{together}."]


def _ranks(comparison: Comparison) -> list[str]:
    """Mean ranks, best first, with the critical difference, of a procedure that compares them."""
    ranks = comparison.details.get("mean_ranks")
    if ranks is None or comparison.estimand != "difference of mean ranks" or len(ranks) > MANY:
        return []
    told = ", ".join(f"{name} {rank:.2f}" for name, rank in sorted(ranks.items(), key=lambda item: item[1]))
    critical = comparison.details.get("critical_difference")
    end = "" if critical is None else f"; their critical difference is {critical:.2f}"
    return [f"The mean ranks are {told}{end}."]


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
        f"{comparison.method} of {_size(comparison)} algorithms on "
        f"{_blocks(comparison)} by {comparison.measure.name}: {comparison.estimand}, "
        f"p-values {how}; bold where a is better than b at the level {comparison.alpha:g}."
    )


def _headline(comparison: Comparison) -> str:
    against = f" against {comparison.control}" if comparison.control is not None else ""
    return (
        f"{comparison.method}{against}: {_size(comparison)} algorithms, {comparison.measure.name}, "
        f"{_blocks(comparison)}; {comparison.estimand}, adjustment {comparison.adjustment}"
    )


def _the(method: str) -> str:
    return f"The {_inline(method)}"


def _inline(method: str) -> str:
    """Lower the first letter of a name inside a sentence, unless it is a person's or a sign."""
    common = ("All pairs", "Paired", "Sign", "Corrected", "Aligned", "Permutation", "K-fold", "Linear", "Comparisons")
    return method[0].lower() + method[1:] if method.startswith((*common, "Contrasts", "Exact")) else method


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
