"""A comparison in words (paragraph, table, notebook), made from its fields; no code reads it."""

from __future__ import annotations

import numpy as np

from podium.analysis.blocks import best_first
from podium.analysis.magnitude import magnitude
from podium.analysis.notes import BELOW, FIRST, MANY, blocks_in_words, enumerated, format_p
from podium.analysis.pairs import RATIOS, PairRows, Pairs
from podium.arrays import IntArray
from podium.checks import check_count
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import confidence, decimals_of, interval, number, pvalue

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
    "step-down": "adjusted in steps by the joint distribution of all differences",
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
    "first fold": "difference in the first fold",
    "log worth": "difference of log worths",
}
_RATIOS = {"pseudomedian": "Hodges–Lehmann ratio", "first fold": "ratio in the first fold", "net share": "net share"}
_RANKS = {
    "mean rank": "mean ranks",
    "weighted mean rank": "weighted mean ranks",
    "mean aligned rank": "mean aligned ranks",
}
_LONG = 60  # pairs that a notebook shows
_GROUPS = 4  # groups that can be read in a sentence


def estimand_in_words(comparison: Pairs) -> str:
    """Say what the estimates of a comparison are."""
    words = ESTIMANDS.get(comparison.estimand, comparison.estimand)
    if comparison.transform == "log":
        words = _RATIOS.get(comparison.estimand, "ratio of geometric means")
    elif comparison.transform != "identity" and comparison.estimand == "pseudomedian":
        words += " of the transformed values"
    return words if comparison.dataset is None else f"{words} on {comparison.dataset}"


def adjustment_in_words(comparison: Pairs) -> str:
    """Say how the p-values were adjusted."""
    return _ADJUSTMENTS.get(comparison.adjust, f"adjusted ({comparison.adjust})")


def paragraph(comparison: Pairs) -> str:
    """Describe a comparison: design, global test, procedure, decisions, groups, caveats."""
    k, pairs = _size(comparison), len(comparison.first)
    what = f"{k} algorithms were compared" if k > 2 else f"{' and '.join(comparison.layout)} were compared"
    if comparison.control is not None and k > 2:
        what = f"{k - 1} algorithms were compared with {comparison.control}"
    sentences = [
        f"{what} by {comparison.measure.name} ({comparison.measure.direction} is better) on {_blocks(comparison)}."
    ]
    sentences += [str(note) for note in comparison.notes if note.code in FIRST]
    if comparison.omnibus is not None:
        test = comparison.omnibus
        shown = "shows that they differ" if test.significant else "does not show that they differ"
        df = f", df = {', '.join(f'{x:.4g}' for x in test.df)}" if test.df else ""
        p = format_p(test.pvalue, test.alpha)
        sentences.append(f"The {test.method} {shown} (statistic = {test.statistic:.4g}{df}, {p}).")
    how = adjustment_in_words(comparison)
    noun = "pair" if comparison.contrasts is None else "contrast"
    many = f"{pairs} {noun}s were" if pairs > 1 else f"The {noun} was"
    tested = pairs - int(comparison.untested.sum())
    if tested < pairs:
        many = f"{tested} of {pairs} {noun}s {'was' if tested == 1 else 'were'}"
    adjusted = f"; p-values are {how}" if pairs > 1 else ""
    if tested:
        sentences.append(f"{many} tested at the {comparison.alpha:g} level ({comparison.method}){adjusted}.")
    sentences += _ranks(comparison) + _intervals(comparison)
    if not comparison.stopped or comparison.equivalence is not None:  # else the note on the global test says everything
        sentences += _decisions(comparison)
    return " ".join([*sentences, *(str(note) for note in comparison.notes if note.code not in FIRST)])


def _blocks(comparison: Pairs) -> str:
    return blocks_in_words(comparison.unit, comparison.n, comparison.datasets)


def _size(comparison: Pairs) -> int:
    """Count the algorithms; the sides of contrasts are combinations of them."""
    return len(comparison.algorithms) if comparison.contrasts is None else len(comparison.contrasts.columns)


def _intervals(comparison: Pairs) -> list[str]:
    """Say what the intervals of the differences hold for, where there are any."""
    if comparison.one_sided and comparison.in_units:
        bounds = np.isfinite(comparison.lower) | np.isfinite(comparison.upper)
        together = ", for all pairs together" if len(comparison.first) > 1 and comparison.adjust != "none" else ""
        start = (
            f"Bounds of the {estimand_in_words(comparison)} have confidence {confidence(comparison.alpha)}{together}."
        )
        return [start] if bounds.any() else []
    if not np.isfinite(comparison.lower).any() or comparison.one_sided:
        return []
    together = "" if len(comparison.first) == 1 else ", each"
    if len(comparison.first) > 1 and comparison.adjust != "none":
        together = ", for all pairs together"
    return [
        f"Intervals of the {estimand_in_words(comparison)} have confidence {confidence(comparison.alpha)}{together}."
    ]


def _ranks(comparison: Pairs) -> list[str]:
    """Mean ranks, best first, with the critical difference, of a procedure that compares them."""
    ranks, names = comparison.mean_ranks, comparison.algorithms
    if ranks is None or comparison.estimand not in _RANKS or len(ranks) > MANY:
        return []
    shown = ", ".join(f"{names[i]} {ranks[i]:.2f}" for i in best_first(ranks, names))
    critical = comparison.critical_difference
    end = "" if critical is None else f"; their critical difference is {critical:.2f}"
    return [f"The {_RANKS[comparison.estimand]} are {shown}{end}."]


def table(comparison: Pairs, *, digits: int) -> Table:
    """Table of all pairs, the winner of a decided pair in bold."""
    check_count(digits, "digits", most=17)
    rows, names = comparison._rows(), comparison.algorithms
    ratios = comparison.transform == "log"
    estimate, lower, upper = (rows.columns[name] for name in (RATIOS if ratios else RATIOS.values()))
    statistic = rows.columns["statistic"]
    with np.errstate(all="ignore"):  # infinite ends, and numbers too large to be rounded
        widths, finite = upper - lower, statistic[np.isfinite(statistic)]
        bounded = ~np.isnan(lower + upper)  # on one side at least
        places = next(d for d in (0, 1, 2) if d == 2 or np.allclose(np.round(finite, d), finite, rtol=0, atol=1e-12))
    decimals = decimals_of(widths / 2, estimate, digits)
    if not np.isfinite(widths).any() and comparison.se is not None:
        decimals = decimals_of(comparison.se, estimate, digits)
    decisions = rows.decisions()
    nothing = np.full(len(decisions), np.nan)
    superiority = nothing if rows.superiority is None else rows.superiority
    superiority_ends = (nothing, nothing) if rows.superiority_interval is None else rows.superiority_interval
    columns: list[tuple[Column, list[Cell]]] = [
        (
            Column("a", "left", is_label=True, symbol=True),
            [Cell(names[i], names[i], bold=word == "better") for i, word in zip(rows.a, decisions, strict=True)],
        ),
        (Column("b", "left", is_label=True, symbol=True), [Cell(names[i], names[i]) for i in rows.b]),
        (Column("Ratio" if ratios else "Difference"), [_cell(x, number(x, decimals)) for x in estimate.tolist()]),
        (
            Column("Interval"),
            [
                Cell((low, high), interval(low, high, decimals)) if ends else Cell(None)
                for low, high, ends in zip(lower.tolist(), upper.tolist(), bounded, strict=True)
            ],
        ),
        (Column("Statistic"), [_cell(x, number(x, places)) for x in statistic.tolist()]),
        (Column("Superiority"), [_cell(x, number(x, 2)) for x in superiority.tolist()]),
        (
            Column("Its interval"),
            [
                Cell(None) if np.isnan(low) else Cell((low, high), interval(low, high, 2))
                for low, high in zip(*(ends.tolist() for ends in superiority_ends), strict=True)
            ],
        ),
        (Column("p", symbol=True), [_cell(x, pvalue(x, comparison.alpha)) for x in rows.columns["adjusted"].tolist()]),
        (Column("Decision", "left"), [Cell(word, word) for word in decisions]),
    ]
    kept = [(column, cells) for column, cells in columns if any(cell.value is not None for cell in cells)]
    below = [
        note
        for note in comparison.notes
        if note.code in BELOW and (bounded.any() or note.code != "interval contains 0")
    ]
    notes = [note.finding for note in below]
    notes += [] if np.isnan(superiority).all() else [_superiority(comparison)]
    return Table(
        title=_caption(comparison),
        columns=tuple(column for column, _ in kept),
        rows=tuple(zip(*(cells for _, cells in kept), strict=True)),
        notes=tuple(notes),
        advice=tuple(note.advice for note in below if note.advice),
    )


def _cell(value: float, written: str) -> Cell:
    return Cell(None) if np.isnan(value) else Cell(float(value), written)


def _superiority(comparison: Pairs) -> str:
    noun = "data sets" if comparison.unit == "dataset" else "replications"
    return (
        f"Superiority is the share of {noun} in which the first of a pair is better, ties counted half; its interval "
        "holds for each pair alone."
    )


def lines(comparison: Pairs) -> str:
    """Head line and table, shortened."""
    frame = comparison.frame().dropna(axis="columns", how="all")
    shown = frame.head(15).to_string(index=False, float_format=lambda x: f"{x:.4g}")
    rest = len(comparison.first) - 15
    more = f"\n… and {rest} more pairs" if rest > 0 else ""
    first = "".join(f"\n{note}" for note in comparison.notes if note.code in FIRST)
    return f"{_headline(comparison)}{first}\n{shown}{more}"


def html(comparison: Pairs) -> str:
    """Head line and table for a notebook."""
    made = table(comparison, digits=2)
    more = (f"and {len(made.rows) - _LONG} more pairs",) if len(made.rows) > _LONG else ()
    notes = (*more, *made.notes, *made.advice, *(str(note) for note in comparison.notes if note.code not in BELOW))
    return made.replace(title=_headline(comparison), rows=made.rows[:_LONG], notes=notes).html()


def _caption(comparison: Pairs) -> str:
    if comparison.untested.all():
        how, bold = "", ""
    else:
        how = f", p-values {adjustment_in_words(comparison)}" if len(comparison.first) > 1 else ""
        bold = f"; bold where a is better than b at the {comparison.alpha:g} level"
    return (
        f"{comparison.title} of {_size(comparison)} algorithms on "
        f"{_blocks(comparison)} by {comparison.measure.name}: {estimand_in_words(comparison)}{how}{bold}."
    )


def _headline(comparison: Pairs) -> str:
    against = f" against {comparison.control}" if comparison.control is not None else ""
    adjusted = f", adjustment {comparison.adjust}" if len(comparison.first) > 1 else ""
    return (
        f"{comparison.title}{against}: {_size(comparison)} algorithms, {comparison.measure.name}, "
        f"{_blocks(comparison)}; {estimand_in_words(comparison)}{adjusted}"
    )


def _decisions(comparison: Pairs) -> list[str]:
    """Say which pairs differ, which are equivalent, and what is left open."""
    rows = comparison._rows()
    better, alike, undecided = (rows.which(word) for word in ("better", "equivalent", "undecided"))
    pairs, sentences = len(rows.a), []
    if pairs == 1 and len(undecided):
        a, b = (comparison.algorithms[side[0]] for side in (rows.a, rows.b))
        evidence = _evidence(comparison, rows, 0)
        finding = f"Neither a difference between {a} and {b} nor its absence is shown"
        if comparison.one_sided:
            other = b if a == comparison.control else a
            finding = f"{other} is not shown to be {comparison.alternative} than {comparison.control}"
        sentences.append(f"{finding} ({evidence}).")
    elif not len(better):
        sentences += [] if pairs == 1 or comparison.significant.any() else ["No pair is shown to differ."]
    elif len(better) <= MANY:
        sentences.append(_one_by_one(comparison, rows, better))
    else:
        sentences += _in_numbers(comparison, rows, better)
    if comparison.equivalence is not None:
        sentences.append(_equivalent(comparison, rows, alike))
    if len(undecided) and pairs > 1:
        verb = "is" if len(undecided) == 1 else "are"
        finding = f"pairs {verb} undecided: neither a difference nor its absence is shown"
        if comparison.one_sided:
            finding = f"{verb} not shown to be {comparison.alternative} than {comparison.control}"
        sentences.append(f"{len(undecided)} of {pairs} {finding}.")
    return sentences + (_groups(comparison) if len(comparison.algorithms) > 2 else [])


def _one_by_one(comparison: Pairs, rows: PairRows, better: IntArray) -> str:
    names = comparison.algorithms
    losers: dict[str, list[str]] = {}
    for i in better:
        losers.setdefault(names[rows.a[i]], []).append(f"{names[rows.b[i]]} ({_evidence(comparison, rows, i)})")
    return "; ".join(f"{winner} is better than {enumerated(beaten)}" for winner, beaten in losers.items()) + "."


def _in_numbers(comparison: Pairs, rows: PairRows, better: IntArray) -> list[str]:
    """How many pairs differ, and how the first algorithm compares with the others."""
    winners, losers = ([comparison.algorithms[i] for i in side[better]] for side in (rows.a, rows.b))
    sentences = [f"{len(better)} of {len(comparison.first)} pairs are shown to differ."]
    if comparison.control is not None:
        above, below = ([name for name in side if name != comparison.control] for side in (winners, losers))
        clauses = [
            f"{enumerated(names)} {'is' if len(names) == 1 else 'are'} {word} than {comparison.control}"
            for names, word in ((above, "better"), (below, "worse"))
            if names
        ]
        return [*sentences, "; ".join(clauses) + "."]
    if not comparison.ordered:
        return sentences
    first = comparison.order[0]
    beaten = {loser for winner, loser in zip(winners, losers, strict=True) if winner == first}
    open_ones = [name for name in comparison.order if name != first and name not in beaten]
    rest = f", and not shown to differ from {enumerated(open_ones)}" if open_ones else ""
    others = len(comparison.algorithms) - 1
    return [*sentences, f"{first} comes first; it is better than {len(beaten)} of the {others} others{rest}."]


def _equivalent(comparison: Pairs, rows: PairRows, alike: IntArray) -> str:
    names = comparison.algorithms
    low, high = comparison.area or (0.0, 0.0)
    pairs = [
        f"{names[rows.a[i]]} and {names[rows.b[i]]}"
        + (f", although {names[rows.a[i]]} is better ({_evidence(comparison, rows, i)})" if rows.significant[i] else "")
        for i in alike
    ]
    more = f"; and {len(pairs) - MANY} more" if len(pairs) > MANY else ""
    area = f"with a mean difference in [{low:g}, {high:g}]"
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


def _evidence(comparison: Pairs, rows: PairRows, i: int) -> str:
    """Return the estimate and its interval, where the procedure has them in the units of the measure, size and p."""
    row = {name: float(values[i]) for name, values in rows.columns.items()}
    alone = format_p(row["adjusted"], comparison.alpha)
    p = _size_of_effect(rows, i) + alone
    lower, upper = row["lower"], row["upper"]
    if np.isnan(row["adjusted"]):
        return f"{_size_of_effect(rows, i)}not tested"
    if comparison.one_sided and comparison.in_units and np.isfinite([lower, upper]).any():
        bound = f"at most {upper:.3g}" if np.isfinite(upper) else f"at least {lower:.3g}"
        return f"difference {row['estimate']:.3g}, {bound}, {p}"
    if comparison.one_sided or not np.isfinite([lower, upper]).all():
        return p
    if comparison.transform == "log":
        return f"ratio {row['ratio']:.3g}, interval [{row['ratio_lower']:.3g}, {row['ratio_upper']:.3g}], {p}"
    if rows.significant[i] and 0.0 in (lower, upper) and comparison.wins is not None:  # many ties
        a, b = rows.a[i], rows.b[i]
        noun = "data sets" if comparison.unit == "dataset" else "replications"
        return f"better in {comparison.wins[a, b]} {noun}, worse in {comparison.wins[b, a]}, {alone}"
    return f"difference {row['estimate']:.3g}, interval [{lower:.3g}, {upper:.3g}], {p}"


def _size_of_effect(rows: PairRows, i: int) -> str:
    """Return the probability of superiority of a pair, with its interval and the word for its magnitude."""
    if rows.superiority is None or rows.superiority_interval is None or np.isnan(rows.superiority[i]):
        return ""
    share, (lower, upper) = float(rows.superiority[i]), (float(ends[i]) for ends in rows.superiority_interval)
    return f"superiority {share:.2f} [{lower:.2f}, {upper:.2f}] ({magnitude(share)}), "
