"""Several measures: one order for each, their consensus, and the weights at which the winner changes."""

from __future__ import annotations

from itertools import pairwise

from podium.analysis.consensus import consensus, weight_sensitivity
from podium.analysis.describe.summary import summarize_measure
from podium.analysis.notes import enumerated
from podium.analysis.relation import Relation
from podium.show.report.analyses import MAX_CONSENSUS_ALGORITHMS, Analyses, attempt
from podium.show.report.answer import better_ones
from podium.show.report.blocks import Block, Paragraph, Points, Tabular
from podium.show.report.sections import SectionMaker, absent
from podium.show.report.sections.order import nearest_in_words
from podium.show.tables import measures as measures_table
from podium.typesetting.numbers import percent

MAX_OPTIMA = 100  # orders that are listed
MAX_NAMED_WINNERS = 6  # winners


def _make(analyses: Analyses) -> list[Block]:
    results = analyses.results
    if len(results.measures) < 2:
        return [absent("Trade-offs need a second measure, such as the time of a fit.")]
    if len(results.algorithms) < 2:
        return [absent("Trade-offs need two algorithms or more.")]
    blocks: list[Block] = []
    table = attempt(lambda: measures_table(results, marks=False, missing="available")).value
    if table is not None:
        blocks.append(Tabular("measures", table, 15))
    blocks.append(Points(tuple(_by_measure(analyses, name) for name in results.measure_names)))
    if len(results.algorithms) <= MAX_CONSENSUS_ALGORITHMS:
        return blocks + _consensus(analyses)
    return [*blocks, absent(f"Orders of more than {MAX_CONSENSUS_ALGORITHMS} algorithms are not combined.")]


def _by_measure(analyses: Analyses, name: str) -> str:
    made = analyses.comparison if name == analyses.info.name else analyses.others[name]
    if made.value is None:
        return f"{name}: not compared. {made.problem}"
    worse = better_ones(made.value)
    rest = [one for one in made.value.layout if one not in worse]
    if not worse:
        return f"{name}: no algorithm is shown to be worse than another."
    return (
        f"{name}: {enumerated(rest)} {'is' if len(rest) == 1 else 'are'} not shown to be worse than any other."
        if rest
        else (f"{name}: every algorithm is shown to be worse than at least one other.")
    )


def _consensus(analyses: Analyses) -> list[Block]:
    made = {name: _order(analyses, name) for name in analyses.results.measure_names}
    relations = {name: one for name, one in made.items() if one is not None}
    if len(relations) < 2:
        return []
    found = attempt(lambda: consensus(relations, "linear", all_optima=True, limit=MAX_OPTIMA)).value
    if found is None:
        return []
    by = "means" if len(analyses.results.datasets) == 1 else "mean ranks"
    alike = f"If {'both' if len(relations) == 2 else f'all {len(relations)}'} measures count equally"
    text = nearest_in_words(found, f"their orders by {by}", given=alike)
    # With two measures, what one of them gains the other loses.
    voters = list(relations)[:1] if len(relations) == 2 else list(relations)
    lines = [_changes(relations, voter) for voter in voters]
    return [Paragraph(text), Paragraph("How the winner depends on the weight of a measure:"), Points(tuple(lines))]


def _order(analyses: Analyses, measure: str) -> Relation | None:
    """The order by mean ranks over data sets, or by the means on one."""
    found = attempt(lambda: summarize_measure(analyses.results, measure, missing="available")).value
    if found is None or not found.ordered:
        return None
    if len(analyses.results.datasets) > 1:
        return Relation.from_estimates(found.mean_ranks)
    info = next(one for one in analyses.results.measures if one.name == measure)
    return attempt(lambda: Relation.from_estimates(found.means, direction=info.direction)).value


def _changes(relations: dict[str, Relation], voter: str) -> str:
    made = attempt(lambda: weight_sensitivity(relations, voter)).value
    if made is None:
        return f"{voter}: how the winner depends on its weight could not be computed."
    ranges: list[tuple[tuple[str, ...], float]] = []  # winners, and the share up to which they win
    for segment in made.segments:
        if ranges and ranges[-1][0] == segment.winners:
            ranges.pop()
        ranges.append((segment.winners, segment.high))
    if len(ranges) == 1:
        return f"{voter}: {_first(ranges[0][0])}, whatever its weight."
    parts = [f"{_first(ranges[0][0])} below {percent(ranges[0][1])} of the weight"]
    parts += [
        f"{_first(winners)} from {percent(low)} to {percent(high)}"
        for (_, low), (winners, high) in pairwise(ranges[:-1])
    ]
    parts.append(f"{_first(ranges[-1][0])} above {percent(ranges[-2][1])}")
    return f"{voter} ({percent(made.share)} if all count equally): {'; '.join(parts)}."


def _first(winners: tuple[str, ...]) -> str:
    return (
        winners[0]
        if len(winners) == 1
        else f"{' or '.join(winners[:MAX_NAMED_WINNERS])}"
        + (f" or {len(winners) - MAX_NAMED_WINNERS} more" if len(winners) > MAX_NAMED_WINNERS else "")
    )


CRITERIA = SectionMaker("criteria", "Several measures", 60, _make)
