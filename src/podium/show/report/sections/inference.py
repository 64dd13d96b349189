"""Inference: the comparison of all pairs, its reading in plain words, and its figures."""

from __future__ import annotations

import numpy as np

from podium.analysis.comparison import Comparison
from podium.analysis.notes import blocks_in_words, enumerated, format_p
from podium.analysis.omnibus import Omnibus
from podium.analysis.text import estimand_in_words
from podium.plot.drawing import PLOTS
from podium.show.report.analyses import Analyses
from podium.show.report.answer import better_ones
from podium.show.report.blocks import Block, Figure, Paragraph, Points, Tabular
from podium.show.report.sections import SectionMaker, absent
from podium.typesetting.numbers import confidence, percent

MAX_PAIRS_DRAWN = 45  # intervals that can be read in one figure
MAX_MATRIX_ALGORITHMS = 30  # algorithms


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.comparison.value
    if found is None:
        return [absent(analyses.comparison.problem)]
    table = found.table()
    if found.untested.all():
        why = "No pair was tested; the cautions say why, and what would decide."
        return [Paragraph(why), Tabular("pairs", table.replace(notes=(), advice=()), 10)]
    blocks: list[Block] = [Paragraph(reading(found)), Points(tuple(meanings(found)))]
    intervals = PLOTS["simultaneous_intervals"].function()
    if np.isfinite(found.lower).any() and len(found.first) <= MAX_PAIRS_DRAWN:
        blocks.append(Figure("intervals", _of_intervals(found), lambda: intervals(found), table))
    pvalues = PLOTS["pvalues"].function()
    if 2 < len(found.algorithms) <= MAX_MATRIX_ALGORITHMS and found.control is None:
        blocks.append(Figure("pvalues", "Adjusted p-values of all pairs.", lambda: pvalues(found), table))
    return [*blocks, Tabular("pairs", table, 10)]


def reading(found: Comparison) -> str:
    """Say in plain words how many pairs were compared, by what, and with which outcome."""
    decisions = found.decision
    counts = {word: int((decisions == word).sum()) for word in ("better", "equivalent", "undecided")}
    pairs, n = len(found.first), blocks_in_words(found.unit, found.n, found.datasets)
    if pairs == 1:
        text = f"{enumerated(found.layout)} were compared by the {found.method} on {n}: {_of_one(found)}."
    else:
        none = "in none of them is one shown to be better"
        some = "all of them" if counts["better"] == pairs else f"{counts['better']:,}"
        parts = [f"one of the two is shown to be better in {some}" if counts["better"] else none]
        if found.equivalence is not None and counts["better"] < pairs:
            alike = counts["equivalent"]
            parts.append(
                f"in {alike:,} both are shown to be equivalent" if alike else "in none are both shown to be equivalent"
            )
        undecided, untested = counts["undecided"], int(np.isnan(found.adjusted).sum())
        if counts["better"] < pairs:
            parts.append(f"{f'{undecided:,}' if undecided else 'none'} {'is' if undecided < 2 else 'are'} undecided")
        if untested:
            whose = "its" if untested == 1 else "their"
            parts[-1] += f", {untested:,} of them because {whose} algorithms share too few blocks to be tested"
        text = f"{pairs:,} pairs of algorithms were compared by the {found.method} on {n}: {'; '.join(parts)}."
    if found.omnibus is None:
        return text
    return f"{text} {_of_all(found.omnibus)}"


def _of_all(test: Omnibus) -> str:
    """Say what the global test finds, with its name and figures."""
    verdict = "finds a difference" if test.significant else "finds no difference"
    df = f", df = {', '.join(f'{x:.4g}' for x in test.df)}" if test.df else ""
    p = format_p(test.pvalue, test.alpha)
    return f"The {test.method} {verdict} among the algorithms (statistic = {test.statistic:.4g}{df}, {p})."


def _of_intervals(found: Comparison) -> str:
    """Say what the intervals are for, and how sure."""
    what = estimand_in_words(found)
    sure = f"{confidence(found.alpha):%} confidence interval"
    if len(found.first) == 1:
        return f"The {what}, with its {sure}."
    together = "of each" if found.adjust == "none" else "for all pairs together"
    return f"The {what} of all pairs, with {sure}s {together}."


def _of_one(found: Comparison) -> str:
    a, b = found.algorithms[found.first[0]], found.algorithms[found.second[0]]
    worse = better_ones(found)
    if worse:
        return f"{b if a in worse else a} is shown to be better"
    if found.decision[0] == "equivalent":
        return "they are shown to be equivalent"
    return "which is better is undecided"


def meanings(found: Comparison) -> list[str]:
    """Explain the words of the table."""
    claims = "any wrong claim of this kind" if len(found.first) > 1 else "a wrong claim of this kind"
    lines = [
        f"Better: so large a difference would be rare if there were none. At most {percent(found.alpha)} of "
        f"experiments like this one lead to {claims}, if the test's assumptions hold.",
        "Undecided: the data show neither a difference nor its absence. It does not mean equal.",
    ]
    if found.equivalence is not None:
        low, high = found.equivalence
        lines.insert(1, f"Equivalent: the difference is shown to lie between {low:g} and {high:g}.")
    return lines


INFERENCE = SectionMaker("inference", "What the tests show", 40, _make)
