"""A comparison in words (paragraph, table, LaTeX, HTML), made from its fields; no code reads it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from podium.analysis.blocks import best_first
from podium.analysis.notes import FIRST, MANY, blocks_in_words, enumerated, format_p
from podium.analysis.pairs import Pairs
from podium.checks import check_count, describe
from podium.errors import InputError

_ADJUSTMENTS = {
    "none": "not adjusted for the number of pairs",
    "single-step": "adjusted for the largest of all differences (single step)",
    "bonferroni": "adjusted by Bonferroni's method",
    "holm": "adjusted by Holm's method",
    "hochberg": "adjusted by Hochberg's method",
    "hommel": "adjusted by Hommel's method",
    "rom": "adjusted by Rom's method",
    "sidak": "adjusted by Šidák's method",
    "holm-sidak": "adjusted by Holm's method with Šidák's levels",
    "finner": "adjusted by Finner's method",
    "li": "adjusted by Li's method",
    "shaffer": "adjusted by Shaffer's static procedure",
    "shaffer-dynamic": "adjusted by Shaffer's dynamic procedure",
    "bergmann-hommel": "adjusted by Bergmann and Hommel's procedure",
    "closed": "adjusted by the closed test over all groupings of the algorithms",
    "bh": "adjusted by Benjamini and Hochberg's method, which controls the false discovery rate",
    "by": "adjusted by Benjamini and Yekutieli's method, which controls the false discovery rate",
}
ESTIMANDS = {
    "mean": "difference of means",
    "mean over data sets": "difference of means averaged over the data sets",
    "mean log": "difference of mean logarithms",
    "mean transformed": "difference of means of the transformed values",
    "mean rank": "difference of mean ranks",
    "weighted mean rank": "difference of weighted mean ranks",
    "mean aligned rank": "difference of mean aligned ranks",
    "pseudomedian": "Hodges–Lehmann difference",
    "net share": "net share of blocks",
    "rank-biserial": "matched rank-biserial correlation",
    "first fold": "difference in the first fold",
}
_RANKS = {
    "mean rank": "mean ranks",
    "weighted mean rank": "weighted mean ranks",
    "mean aligned rank": "mean aligned ranks",
}
_LONG = 40  # pairs that fit on a page
_GROUPS = 4  # groups that can be read in a sentence


def estimand_in_words(comparison: Pairs) -> str:
    """Say what the estimates of a comparison are."""
    words = ESTIMANDS.get(comparison.estimand, comparison.estimand)
    if comparison.transform == "log":
        words = "ratio of geometric means"
    return words if comparison.dataset is None else f"{words} on {comparison.dataset}"


def paragraph(comparison: Pairs) -> str:
    """Describe a comparison: design, global test, procedure, decisions, groups, caveats."""
    k, pairs = _size(comparison), len(comparison.first)
    what = f"{k} algorithms were compared" if k > 2 else f"{' and '.join(comparison.order)} were compared"
    if comparison.control is not None and k > 2:
        what = f"{k - 1} algorithms were compared with {comparison.control}"
    sentences = [
        f"{what} by {comparison.measure.name} ({comparison.measure.direction} is better) on {_blocks(comparison)}."
    ]
    sentences += [str(note) for note in comparison.notes if note.code in FIRST]
    if comparison.omnibus is not None:
        test = comparison.omnibus
        shown = "shows that they differ" if test.significant else "does not show that they differ"
        df = f", df = {', '.join(f'{d:.4g}' for d in test.df)}" if test.df else ""
        p = format_p(test.pvalue, test.alpha)
        sentences.append(f"The {test.method} {shown} (statistic = {test.statistic:.4g}{df}, {p}).")
    how = _ADJUSTMENTS.get(comparison.adjust, f"adjusted ({comparison.adjust})")
    noun = "pair" if comparison.contrasts is None else "contrast"
    many = f"{pairs} {noun}s were" if pairs > 1 else f"The {noun} was"
    adjusted = f"; p-values are {how}" if pairs > 1 else ""
    sentences.append(f"{many} tested at the {comparison.alpha:g} level ({comparison.method}){adjusted}.")
    sentences += _ranks(comparison) + _intervals(comparison)
    if not comparison.stopped or comparison.equivalence is not None:  # else the note on the global test says it all
        sentences += _decisions(comparison)
    return " ".join([*sentences, *(str(note) for note in comparison.notes if note.code not in FIRST)])


def _blocks(comparison: Pairs) -> str:
    return blocks_in_words(comparison.unit, comparison.n, comparison.datasets)


def _size(comparison: Pairs) -> int:
    """Count the algorithms; the sides of contrasts are combinations of them."""
    return len(comparison.algorithms) if comparison.contrasts is None else len(comparison.contrasts.columns)


def _intervals(comparison: Pairs) -> list[str]:
    """Say what the intervals of the differences hold for, where there are any."""
    if not np.isfinite(comparison.lower).any() or comparison.one_sided:
        return []
    together = "" if len(comparison.first) == 1 else ", each"
    if len(comparison.first) > 1 and comparison.adjust != "none":
        together = ", for all pairs together"
    return [f"Intervals of the {estimand_in_words(comparison)} have confidence {1 - comparison.alpha:.4g}{together}."]


def _ranks(comparison: Pairs) -> list[str]:
    """Mean ranks, best first, with the critical difference, of a procedure that compares them."""
    ranks, names = comparison.mean_ranks, comparison.algorithms
    if ranks is None or comparison.estimand not in _RANKS or len(ranks) > MANY:
        return []
    shown = ", ".join(f"{names[i]} {ranks[i]:.2f}" for i in best_first(ranks, names))
    critical = comparison.critical_difference
    end = "" if critical is None else f"; their critical difference is {critical:.2f}"
    return [f"The {_RANKS[comparison.estimand]} are {shown}{end}."]


def latex(comparison: Pairs, *, caption: str | None, label: str | None, digits: int) -> str:
    """Table of all pairs for a LaTeX document, significant pairs in bold."""
    check_count(digits, "digits", most=17)
    frame = comparison.frame()
    has_interval = bool(np.isfinite(frame["lower"]).any())
    ratios = comparison.transform == "log"
    columns = ("ratio", "ratio_lower", "ratio_upper") if ratios else ("estimate", "lower", "upper")
    head = [
        "$a$",
        "$b$",
        "Ratio" if ratios else "Difference",
        *(["Interval"] if has_interval else []),
        "Statistic",
        "$p$",
        "Decision",
    ]
    rows = []
    for row in frame.to_dict("records"):
        estimate, lower, upper, statistic, p = (float(row[name]) for name in (*columns, "statistic", "adjusted"))
        cells = [tex(str(row["a"])), tex(str(row["b"])), _number(estimate, digits)]
        if has_interval:
            cells.append(f"$[{_bare(lower, digits)}, {_bare(upper, digits)}]$")
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
    for argument, given in (("caption", caption), ("label", label)):
        if given is not None and not isinstance(given, str):
            raise InputError(f"`{argument}` must be a text; got {describe(given)}.")
    body_lines = [" & ".join(row) + r" \\" for row in rows]
    header = " & ".join(head) + r" \\"
    title = f"\\caption{{{tex(caption)}}}" + (f"\\label{{{label}}}" if label else "")
    if len(rows) > _LONG:
        body = ["\\begin{longtable}{" + columns + "}", title + r" \\", r"\toprule", header, r"\midrule", r"\endhead"]
        body += [*body_lines, r"\bottomrule", r"\end{longtable}"]
    else:
        body = [r"\begin{table}", r"\centering", title, "\\begin{tabular}{" + columns + "}", r"\toprule", header]
        body += [r"\midrule", *body_lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(body) + "\n"


def lines(comparison: Pairs) -> str:
    """Head line and table, shortened."""
    shown = comparison.frame().head(15).to_string(index=False, float_format=lambda x: f"{x:.4g}")
    rest = len(comparison.first) - 15
    more = f"\n… and {rest} more pairs" if rest > 0 else ""
    return f"{_headline(comparison)}\n{shown}{more}"


def html(comparison: Pairs) -> str:
    """Head line and table for a notebook."""
    shown = comparison.frame().head(60).to_html(index=False, float_format=lambda x: f"{x:.4g}", border=0)
    notes = "".join(f"<p>{escape(str(note))}</p>" for note in comparison.notes)
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


def _caption(comparison: Pairs) -> str:
    how = _ADJUSTMENTS.get(comparison.adjust, comparison.adjust)
    return (
        f"{comparison.title} of {_size(comparison)} algorithms on "
        f"{_blocks(comparison)} by {comparison.measure.name}: {estimand_in_words(comparison)}, "
        f"p-values {how}; bold where a is better than b at the {comparison.alpha:g} level."
    )


def _headline(comparison: Pairs) -> str:
    against = f" against {comparison.control}" if comparison.control is not None else ""
    return (
        f"{comparison.title}{against}: {_size(comparison)} algorithms, {comparison.measure.name}, "
        f"{_blocks(comparison)}; {estimand_in_words(comparison)}, adjustment {comparison.adjust}"
    )


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


def _decisions(comparison: Pairs) -> list[str]:
    """Say which pairs differ, which are equivalent, and what is left open."""
    frame = comparison.frame()
    better, alike = (frame[frame["decision"] == word] for word in ("better", "equivalent"))
    undecided = frame[frame["decision"] == "undecided"]
    sentences = []
    if len(frame) == 1 and len(undecided):
        row = undecided.iloc[0]
        sentences.append(
            f"Neither a difference between {row['a']} and {row['b']} nor its absence is shown "
            f"({_evidence(comparison, row)})."
        )
    elif not len(better):
        sentences += [] if len(frame) == 1 or comparison.significant.any() else ["No pair is shown to differ."]
    elif len(better) <= MANY:
        sentences.append(_one_by_one(comparison, better))
    else:
        sentences += _in_numbers(comparison, better)
    if comparison.equivalence is not None:
        sentences.append(_equivalent(comparison, alike))
    if len(undecided) and len(frame) > 1:
        verb = "is" if len(undecided) == 1 else "are"
        sentences.append(
            f"{len(undecided)} of {len(frame)} pairs {verb} undecided: neither a difference nor its absence is shown."
        )
    return sentences + (_groups(comparison) if len(comparison.algorithms) > 2 else [])


def _one_by_one(comparison: Pairs, better: pd.DataFrame) -> str:
    clauses = []
    for winner, rows in better.groupby("a", sort=False):
        losers = [f"{row['b']} ({_evidence(comparison, row)})" for _, row in rows.iterrows()]
        clauses.append(f"{winner} is better than {enumerated(losers)}")
    return "; ".join(clauses) + "."


def _in_numbers(comparison: Pairs, better: pd.DataFrame) -> list[str]:
    """How many pairs differ, and how the first algorithm compares with the others."""
    first = comparison.order[0]
    sentences = [f"{len(better)} of {len(comparison.first)} pairs are shown to differ."]
    if comparison.control is not None:
        above = [str(name) for name in better["a"] if name != comparison.control]
        below = [str(name) for name in better["b"] if name != comparison.control]
        clauses = [
            f"{enumerated(names)} {'is' if len(names) == 1 else 'are'} {word} than {comparison.control}"
            for names, word in ((above, "better"), (below, "worse"))
            if names
        ]
        return [*sentences, "; ".join(clauses) + "."]
    beaten = {str(name) for name in better.loc[better["a"] == first, "b"]}
    open_ones = [name for name in comparison.order if name != first and name not in beaten]
    rest = f", and not shown to differ from {enumerated(open_ones)}" if open_ones else ""
    others = len(comparison.algorithms) - 1
    return [*sentences, f"{first} comes first; it is better than {len(beaten)} of the {others} others{rest}."]


def _equivalent(comparison: Pairs, alike: pd.DataFrame) -> str:
    low, high = comparison.area or (0.0, 0.0)
    pairs = [f"{a} and {b}" for a, b in zip(alike["a"], alike["b"], strict=True)]
    more = f"; and {len(pairs) - MANY} more" if len(pairs) > MANY else ""
    area = f"with a difference in [{low:g}, {high:g}]"
    if comparison.transform == "log":
        area = f"with a ratio in [{np.exp(low):.4g}, {np.exp(high):.4g}]"
    if not pairs:
        return f"No pair is shown to be equivalent, {area}."
    return f"Shown to be equivalent, {area}: {'; '.join(pairs[:MANY])}{more}."


def _groups(comparison: Pairs) -> list[str]:
    groups = [group for group in comparison.groups() if len(group) > 1]
    if not groups or comparison.control is not None:
        return []
    if len(groups) > _GROUPS:
        return [
            f"There are {len(groups)} overlapping groups without a known difference; the best is "
            f"{{{', '.join(groups[0][:MANY])}{', …' if len(groups[0]) > MANY else ''}}}."
        ]
    listed = "; ".join("{" + ", ".join(group) + "}" for group in groups)
    return [f"Groups without a known difference: {listed}."]


def _evidence(comparison: Pairs, row: pd.Series[Any]) -> str:
    """Return the estimate and its interval, where the procedure has them in the units of the measure, and p."""
    p = format_p(float(row["adjusted"]), comparison.alpha)
    lower, upper = float(row["lower"]), float(row["upper"])
    if comparison.one_sided or not np.isfinite([lower, upper]).all():
        return p
    if comparison.transform == "log":
        return f"ratio {row['ratio']:.3g}, interval [{row['ratio_lower']:.3g}, {row['ratio_upper']:.3g}], {p}"
    if row["decision"] == "better" and 0.0 in (lower, upper) and comparison.wins is not None:  # many ties
        a, b = (comparison.algorithms.index(str(row[side])) for side in ("a", "b"))
        noun = "data sets" if comparison.unit == "dataset" else "replications"
        return f"better in {comparison.wins[a, b]} {noun}, worse in {comparison.wins[b, a]}, {p}"
    return f"difference {row['estimate']:.3g}, interval [{lower:.3g}, {upper:.3g}], {p}"
