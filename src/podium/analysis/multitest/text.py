"""The texts of MultiTest, Multi²Test, win tables and rank reports, made from their fields."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.analysis.notes import MANY, Note, enumerated, format_p
from podium.errors import plural
from podium.typesetting import Table
from podium.typesetting.html import described
from podium.typesetting.numbers import confidence
from podium.typesetting.plain import columns_of, one_line, safe_line, wrapped

if TYPE_CHECKING:  # outcomes use this module for their words
    from podium.analysis.multitest.multi2test import Multi2Test
    from podium.analysis.multitest.multitest import Edge, MultiTest
    from podium.analysis.multitest.orders_by_cost import OrdersByCost
    from podium.analysis.multitest.rank_report import RankReport, RankVerdict
    from podium.analysis.multitest.win_table import WinTable


_PARAGRAPH = 100  # the widest lines of running text that are read with ease


def _safe_lines(*parts: str) -> str:
    """Join parts of one or several lines; names in them cannot control a terminal."""
    return "\n".join(safe_line(line) for part in parts for line in part.split("\n"))


def _first_notes(notes: Sequence[Note]) -> list[str]:
    """Notes without which an outcome would be misread."""
    return [str(note) for note in notes if note.code == "few blocks inside"]


# MultiTest


def multitest_paragraph(found: MultiTest) -> str:
    """Describe the prior order, the tests, what they override, and the order."""
    cost = found.cost_info
    sentences = [
        *(["No test here can override the order of costs."] if found.untested else []),
        f"The prior order of the {len(found.algorithms)} algorithms, by {cost.name} ({cost.direction} is preferred), "
        f"is {', '.join(found.prior)}.",
        f"{_tests(found)} {_overridden(found.overrides)}",
        *_decided_ties(found),
        f"The order is {_numbered(found.order)}.",
        *(str(note) for note in found.notes),
    ]
    return safe_line(" ".join(sentences))


def _tests(found: MultiTest) -> str:
    where = f" on {found.dataset}" if found.dataset is not None else ""
    pairs = len(found.algorithms) * (len(found.algorithms) - 1) // 2
    what = "" if found.measure is None else f" by {found.measure.name}"
    level = "" if found.alpha is None else f" at the {found.alpha:g} level"
    how = [found.method]
    if found.alpha is not None:
        how += ["one-sided"] if found.alternative == "better" else []
        how += [_adjusted(found.adjust)] if pairs > 1 else []
    compared = f"{plural(pairs, 'pair')}{where} {'was' if pairs == 1 else 'were'} compared{what}{level}"
    return f"{compared} ({', '.join(how)})."


def _adjusted(adjust: str) -> str:
    return "not adjusted for their number" if adjust == "none" else f"adjusted for their number by {adjust}"


def _overridden(edges: Sequence[Edge]) -> str:
    if not edges:
        return f"{_how_many(edges).capitalize()}."
    listed = [f"{e.better} before {e.preferred}{_p(e.adjusted)}" for e in edges]
    return f"{_how_many(edges).capitalize()}: {enumerated(listed)}."


def _how_many(edges: Sequence[Edge]) -> str:
    if not edges:
        return "no test overrides the prior order"
    return f"{len(edges)} {'test overrides' if len(edges) == 1 else 'tests override'} the prior order"


def _decided_ties(found: MultiTest) -> list[str]:
    decided = [f"{e.better} before {e.preferred}{_p(e.adjusted)}" for e in found.edges if e.tied]
    return [f"Between equal costs tests put {enumerated(decided)}."] if decided else []


def _p(p: float) -> str:
    return "" if np.isnan(p) else f" ({format_p(p)})"


def _numbered(names: Sequence[str]) -> str:
    """Number the places, as the report does."""
    return ", ".join(f"{place}: {name}" for place, name in enumerate(names, 1))


def multitest_lines(found: MultiTest) -> str:
    """Head line, table and what was overridden."""
    where = f" on {found.dataset}" if found.dataset is not None else ""
    head = f"MultiTest{where}: cost {found.cost_info.name}, {found.method}"
    return _safe_lines(safe_line(head), *_algorithm_lines(found.frame()), f"{_how_many(found.overrides).capitalize()}.")


def multitest_html(found: MultiTest) -> str:
    """Head line, table and notes for a notebook."""
    where = f" on {found.dataset}" if found.dataset is not None else ""
    head = f"MultiTest{where}: cost {found.cost_info.name}, {found.method}"
    return _html(
        head, Table.from_frame(_terse(found.frame()), digits=4).html(), _overridden(found.overrides), found.notes
    )


def _terse(frame: pd.DataFrame) -> pd.DataFrame:
    """Write lists of names as text, and leave out columns without a value."""
    joined = frame.assign(
        **{name: frame[name].map(lambda names: ", ".join(names[:MANY])) for name in ("better_than", "worse_than")}
    )
    return joined.dropna(axis="columns", how="all")


def _algorithm_lines(frame: pd.DataFrame) -> list[str]:
    """Numbers in a table, and below it which cheaper algorithms each is better than; names may contain commas."""
    numbers = frame.drop(columns=["better_than", "worse_than"]).dropna(axis="columns", how="all")
    lines = [numbers.to_string(float_format=_float)]
    for name, names in frame["better_than"].items():
        if names:
            more = [f"and {len(names) - MANY} more"] if len(names) > MANY else []
            lines.append(f"{name} is better than: {'; '.join([*names[:MANY], *more])}")
    return lines


def _float(x: float) -> str:
    return f"{x:.4g}"


def _html(head: str, table: str, sentence: str, notes: Sequence[Note]) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in (sentence, *map(str, notes)) if line)
    return f"<div><strong>{escape(head)}</strong>{table}{paragraphs}</div>"


# Multi²Test


def multi2test_paragraph(found: Multi2Test) -> str:
    """Describe both passes and the order."""
    k, m = len(found.algorithms), len(found.datasets)
    second = found.second
    sentences = [
        *untested_sentences(found),
        f"Multi²Test ordered {k} algorithms on {m} data sets by {found.measure.name} ({found.measure.direction} is "
        f"better) and {found.cost_info.name} ({found.cost_info.direction} is preferred).",
        *([] if found.over_datasets else [_first(found)]),
        f"The mean ranks are {_means(found)}.",
        *([] if _by_cost_alone(found) else [_second(found)]),
        f"The average normalised costs order the algorithms {', '.join(found.prior)}. {_overridden(second.overrides)}",
        f"The order is {_numbered(found.order)}.",
        *(str(note) for note in (*found.notes, *second.notes)),
    ]
    return safe_line(" ".join(sentences))


def untested_sentences(found: Multi2Test) -> list[str]:
    """Say on which data sets nothing was tested, and what follows for the order."""
    if not found.untested:
        return []
    m = len(found.datasets)
    where = f"any of the {m} data sets" if len(found.untested) == m else enumerated(list(found.untested))
    said = [f"No test of the replications of {where} can override the order of costs."]
    if found.over_datasets:
        said.append(f"So {found.measure.name} was compared over the data sets.")
    elif _by_cost_alone(found):
        said.append("So the order is that of the costs alone.")
    return said


def _by_cost_alone(found: Multi2Test) -> bool:
    return len(found.untested) == len(found.datasets) and not found.over_datasets


def _first(found: Multi2Test) -> str:
    one = next(iter(found.first.values()))
    methods = sorted({one.method for one in found.first.values()})
    how = "not adjusted" if one.adjust == "none" else f"adjusted by {one.adjust}"
    sided = ", one-sided" if one.alternative == "better" else ""
    moved = sum(bool(one.overrides) for one in found.first.values())
    edges = sum(len(one.overrides) for one in found.first.values())
    overrode = "no test overrode the order of costs"
    if edges:
        overrode = f"{plural(edges, 'test')} overrode the order of costs, on {moved} of {len(found.datasets)} data sets"
    return (
        f"First pass: on each data set all pairs were tested at the {one.alpha:g} level "
        f"({enumerated(methods)}{sided}, {how}); {overrode}."
    )


def _means(found: Multi2Test) -> str:
    ranks = found.mean_ranks.sort_values(kind="stable")
    listed = [f"{name} {rank:.2f}" for name, rank in ranks.items()]
    return ", ".join(listed[:MANY]) + (f" and {len(listed) - MANY} more" if len(listed) > MANY else "")


def _second(found: Multi2Test) -> str:
    comparison = found.comparison
    differ = int(comparison.significant.sum())
    pairs = len(comparison.first)
    critical = comparison.critical_difference
    end = "" if critical is None else f"; the critical difference is {critical:.2f}"
    start = "Over the data sets" if found.over_datasets else "Second pass:"
    if pairs == 1:
        shows = "shows" if differ else "does not show"
        return f"{start} the {comparison.method} {shows} that they differ in rank{end}."
    return f"{start} the {comparison.method} shows {differ or 'none'} of {pairs} pairs to differ in rank{end}."


def multi2test_lines(found: Multi2Test) -> str:
    """Head line, table and what was overridden."""
    lines = _algorithm_lines(found.frame())
    head = (safe_line(_multi2test_head(found)), *map(safe_line, untested_sentences(found)))
    return _safe_lines(*head, *lines, safe_line(_where(found)), *_first_notes(found.notes))


def multi2test_html(found: Multi2Test) -> str:
    """Head line, table and notes for a notebook."""
    table = Table.from_frame(_terse(found.frame()), digits=4).html()
    head = " ".join([_multi2test_head(found), *untested_sentences(found)])
    return _html(head, table, _where(found), (*found.notes, *found.second.notes))


def _multi2test_head(found: Multi2Test) -> str:
    what = found.measure.name if found.over_datasets else "the ranks"
    return (
        f"Multi²Test on {len(found.datasets)} data sets: {found.measure.name}, cost {found.cost_info.name}; "
        f"{found.comparison.method} of {what}"
    )


def _where(found: Multi2Test) -> str:
    moved = sum(bool(one.overrides) for one in found.first.values())
    if found.over_datasets or _by_cost_alone(found):
        return f"{_how_many(found.second.overrides).capitalize()}."
    first = f"Tests override the order of costs on {moved} of {len(found.datasets)} data sets."
    return f"{first} In the second pass, {_how_many(found.second.overrides)}."


# Several costs


def costs_paragraph(found: OrdersByCost) -> str:
    """Describe the orders, and where they disagree."""
    sentences = [f"By {name}: {_numbered(order)}." for name, order in found.orders.items()]
    if found.agreed:
        return safe_line(" ".join([*sentences, "All costs lead to the same order."]))
    pairs = found.disagreements()
    named = [f"{a}/{b}" for a, b in zip(pairs["a"], pairs["b"], strict=True)]
    all_pairs = len(found.algorithms) * (len(found.algorithms) - 1) // 2
    where = f"The costs disagree on {len(pairs)} of {plural(all_pairs, 'pair')}: {enumerated(named)}."
    return safe_line(" ".join([*sentences, where]))


def costs_lines(found: OrdersByCost) -> str:
    """Head line and table of places."""
    return _safe_lines(_costs_head(found), found.frame().to_string())


def _costs_head(found: OrdersByCost) -> str:
    return f"Places by {plural(len(found.found), 'cost')}: {'the same order' if found.agreed else 'the orders differ'}"


# Win tables


def what_wins(table: WinTable) -> str:
    """Say what counts as a win."""
    return f"significant differences by the {table.method}" if table.method else f"the better mean {table.measure.name}"


def wins_paragraph(table: WinTable) -> str:
    """Say what was counted, and which counts the sign test calls significant."""
    pairs = table.pairs()
    better = pairs[pairs["decision"] == "better"]
    listed = [
        f"{row['a']} over {row['b']} ({row['wins']} to {row['losses']}, "
        f"{format_p(float(row['adjusted']), table.alpha)})"
        for row in better.to_dict("records")
    ]
    how = "not adjusted" if table.adjust == "none" else f"adjusted by {table.adjust}"
    shown = f"for {enumerated(listed)}" if listed else "for no pair"
    sentences = [
        f"Wins of {len(table.algorithms)} algorithms on {len(table.datasets)} data sets were counted by "
        f"{what_wins(table)}.",
        f"The sign test of wins against losses is significant at the {table.alpha:g} level ({how}) {shown}.",
        *map(str, table.notes),
    ]
    return safe_line(" ".join(sentences))


def wins_lines(table: WinTable, width: int | None = None) -> str:
    """Head line and table, with a star where the sign test is significant.

    Where the names above the columns would make it wider than `width`, the algorithms are numbered, and the columns
    have their numbers.
    """
    starred = [
        [f"{n}{'*' if star else ' '}" for n, star in zip(row, stars, strict=True)]
        for row, stars in zip(table.wins.tolist(), table.significant.tolist(), strict=True)
    ]
    frame = pd.DataFrame(starred, index=list(table.algorithms), columns=[f"{name} " for name in table.algorithms])
    lines = _safe_lines(frame.to_string())
    head, notes = _wins_head(table), _first_notes(table.notes)
    if width is None:
        return _safe_lines(head, lines, *notes)
    if max(map(columns_of, lines.split("\n"))) > width:
        lines = _numbered_wins(table.algorithms, starred, width)
    narrow = min(width, _PARAGRAPH)
    return "\n".join([wrapped(safe_line(head), narrow), lines, *(wrapped(safe_line(note), narrow) for note in notes)])


def _numbered_wins(names: Sequence[str], starred: Sequence[Sequence[str]], width: int) -> str:
    """Wins with a number for each algorithm; long names, and more columns than fit, are continued below."""
    numbers = [str(i) for i in range(1, len(names) + 1)]
    digits = len(numbers[-1])
    each = 1 + max(digits + 1, *(len(cell) for row in starred for cell in row))
    # Half of the line is for names, or what all columns leave; a name that is longer takes several lines.
    room = max(width // 2, width - each * len(names)) - digits - 1
    shown = [_broken(one_line(name), room) for name in names]
    label = max(columns_of(line) for lines in shown for line in lines)
    start = digits + 1 + label
    fit = max(1, (width - start) // each)
    parts = []
    for first in range(0, len(names), fit):
        chosen = range(first, min(first + fit, len(names)))
        lines = [" " * start + "".join(f"{numbers[j]} ".rjust(each) for j in chosen)]
        for number, name, row in zip(numbers, shown, starred, strict=True):
            padding = " " * (label - columns_of(name[0]))
            lines.append(f"{number:>{digits}} {name[0]}{padding}{''.join(row[j].rjust(each) for j in chosen)}")
            lines += [f"{'':>{digits}} {rest}" for rest in name[1:]]
        parts.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(parts)


def _broken(name: str, room: int) -> list[str]:
    """Break a name into lines, between words where that is possible."""
    lines = []
    for part in textwrap.wrap(name, room):
        while columns_of(part) > room:  # letters that are two columns wide
            size = next(n for n in range(len(part), 0, -1) if columns_of(part[:n]) <= room)
            lines.append(part[:size])
            part = part[size:]
        lines.append(part)
    return lines or [""]


def _wins_head(table: WinTable) -> str:
    return (
        f"Wins of the row over the column on {len(table.datasets)} data sets, by {what_wins(table)} "
        f"(* sign test, {table.alpha:g} level)"
    )


# Rank reports


def final_sentence(found: RankVerdict, alpha: float) -> str:
    """Say which algorithms do not lose, or that nothing is shown to differ."""
    level = f"At the {confidence(alpha):%} confidence level a Friedman–Nemenyi test reports"
    everyone = enumerated(list(found.algorithms))
    if found.tie:
        return f"{level} no significant difference between {everyone}."
    if len(found.winners) == 1:
        return f"{level} that {found.winners[0]} is better than {enumerated(list(found.losers))}."
    return (
        f"{level} no significant difference between {enumerated(list(found.winners))}; "
        f"{enumerated(list(found.losers))} {'is' if len(found.losers) == 1 else 'are'} worse than {found.winners[0]}."
    )


def striking_warning(report: RankReport) -> str:
    """Warn about data sets that contradict the overall verdict."""
    if not report.striking:
        return ""
    turned = [part for part in report.striking if part.overturned]
    total = len(report.chart.sections) - 1
    sentences = [
        f"Do not rely on the overall verdict alone: {len(report.striking)} of {plural(total, 'data set')} reverse the "
        f"order of the others, by Page's test on their replications at the {report.alpha:g} level (Holm): "
        f"{enumerated([part.dataset for part in report.striking])}."
    ]
    if turned:
        listed = [f"{part.dataset} ({', '.join(part.overturned)})" for part in turned]
        sentences.append(f"Overall losers win, while all overall winners lose, on {enumerated(listed)}.")
    return " ".join(sentences)


def _tests_of(found: RankVerdict, alpha: float) -> list[str]:
    """The numbers behind a verdict, one line each."""
    f_test, chi = found.iman_davenport, found.friedman
    df = ", ".join(f"{x:g}" for x in f_test.df)
    sign = ">" if f_test.significant else "<="
    top = found.mean_ranks.min()
    lines = [
        f"{chi.title}: chi-square = {chi.statistic:.4g}, {format_p(chi.pvalue, alpha)}",
        f"{f_test.title}: F = {f_test.statistic:.4g} {sign} F({df}) = {found.critical_f:.4g}, "
        f"{format_p(f_test.pvalue, alpha)}: "
        f"{'some algorithms differ' if f_test.significant else 'no difference is shown'}",
        f"Nemenyi: q = {found.critical_value:.4g}, critical difference = "
        f"{found.critical_difference:.4g}; a loser "
        f"has a mean rank of {top:.4g} + {found.critical_difference:.4g} = "
        f"{top + found.critical_difference:.4g} or "
        "more",
    ]
    return lines


def report_text(report: RankReport, width: int) -> str:
    """The whole report in plain text."""
    parts = [*textwrap.wrap(safe_line(heading(report)), width), ""]
    values = report.table().replace(title="", notes=())
    parts += [str(report.chart), "", _rank_title(report), "", values.text(width), ""]
    parts += [line for long in _tests_of(report.overall, report.alpha) for line in _wrapped(long, width)]
    parts += ["", verdict_table(report).text(width), ""]
    if report.per_dataset:
        parts += ["Within each data set, by its replications:"]
        for name, one in report.per_dataset.items():
            parts += _wrapped(f"{name}: {_in_short(one)}", width)
        parts += [""]
    for sentence in (report.sentence, report.warning, *map(str, report.notes)):
        parts += textwrap.wrap(sentence, width)
    return _safe_lines(*parts)


def verdict_table(report: RankReport) -> Table:
    """One row per algorithm: its mean rank, how far it is behind, its verdict, where it is among winners or losers."""
    frame = report.frame().rename_axis("Algorithm")
    heads = {"mean_rank": "Mean rank", "wins": "Among winners", "losses": "Among losers"}
    frame = frame.rename(columns=lambda name: heads.get(name, name.capitalize()))
    notes = [f"Behind: distance to the best mean rank. {report.aggregate.capitalize()}: over {_units(report)}."]
    if report.per_dataset:
        notes += ["Among winners, losers: number of data sets on which it is one of them, by their replications."]
    return Table.from_frame(frame, notes=[" ".join(notes)])


def _units(report: RankReport) -> str:
    return "data sets" if report.unit == "dataset" else "replications"


def _wrapped(line: str, width: int) -> list[str]:
    """Break a line between words, but not around an equals sign."""
    whole = textwrap.wrap(line.replace(" = ", "\u00a0=\u00a0"), width, subsequent_indent="    ")
    return [part.replace("\u00a0", " ") for part in whole]


def heading(report: RankReport) -> str:
    """Say what was ranked."""
    reduced = any(note.code == "reduced" for note in report.notes)
    by = f", by the {report.aggregate} on each" if reduced else ""
    where = f"{len(report.labels)} {_units(report)}{by}"
    return f"Ranks of {len(report.algorithms)} algorithms on {where}: {report.measure}"


def _rank_title(report: RankReport) -> str:
    what = (
        f"{report.aggregate.capitalize()} of each data set" if report.unit == "dataset" else "Value of each replication"
    )
    return f"{what}, with its rank:"


def _in_short(found: RankVerdict) -> str:
    """A verdict in a few words."""
    if found.tie:
        return "no difference shown"
    return f"winners {enumerated(list(found.winners))}; losers {enumerated(list(found.losers))}"


def _ranked_cells(report: RankReport) -> pd.DataFrame:
    """Values with their ranks in parentheses, and the average ranks."""
    size = float(np.nanmax(np.abs(report.values))) if not np.isnan(report.values).all() else 1.0
    digits = 3 if size < 10 else 2 if size < 1000 else 1
    cells = [
        [f"{'-' if np.isnan(v) else f'{v:.{digits}f}'} ({r:g})" for v, r in zip(values, ranks, strict=True)]
        for values, ranks in zip(report.values.tolist(), report.ranks.tolist(), strict=True)
    ]
    cells.append([f"{r:.3f}" for r in report.ranks.mean(axis=0)])
    index = [*map(str, report.labels), "average rank"]
    return pd.DataFrame(cells, index=index, columns=list(report.algorithms))


def report_lines(report: RankReport) -> str:
    """Head line, one row per algorithm, and the final sentence."""
    sentences = [safe_line(one) for one in (report.sentence, report.warning) if one]
    return "\n\n".join([safe_line(heading(report)), verdict_table(report).text(), *sentences])


def report_html(report: RankReport) -> str:
    """The whole report as HTML; names are text."""
    verdicts = [(name, _in_short(one)) for name, one in report.per_dataset.items()]
    inside = described("Within each data set, by its replications", verdicts) if verdicts else ""
    warning = f"<p><strong>{escape(report.warning)}</strong></p>" if report.warning else ""
    tests = "".join(f"<li>{escape(line)}</li>" for line in _tests_of(report.overall, report.alpha))
    notes = "".join(f"<p>{escape(str(note))}</p>" for note in report.notes)
    return (
        f"<div><h3>{escape(heading(report))}</h3>{warning}<p><strong>{escape(report.sentence)}</strong></p>"
        f"{Table.from_frame(report.frame(), digits=4).html()}<ul>{tests}</ul>"
        f"<h4>{escape(_rank_title(report))}</h4>{Table.from_frame(_ranked_cells(report)).html()}{inside}"
        f"<h4>Quartiles</h4><pre>{escape(str(report.chart))}</pre>{notes}</div>"
    )
