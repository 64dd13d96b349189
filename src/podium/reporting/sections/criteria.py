"""Several measures: one order for each, their consensus, and the weights at which the winner changes."""

from __future__ import annotations

from podium.analysis.consensus import consensus, weight_sensitivity
from podium.analysis.notes import enumerated
from podium.analysis.preference import preferences
from podium.reporting.analyses import MOST_ORDERED, Analyses, attempt
from podium.reporting.answer import better_ones
from podium.reporting.blocks import Block, Paragraph, Points, Tabular
from podium.reporting.sections import SectionMaker, absent
from podium.tables import measures as measures_table


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
    if len(results.algorithms) <= MOST_ORDERED:
        blocks += _consensus(analyses)
    return blocks


def _by_measure(analyses: Analyses, name: str) -> str:
    made = analyses.comparison if name == analyses.info.name else analyses.others[name]
    if made.value is None:
        return f"{name}: not compared. {made.problem}"
    worse = better_ones(made.value)
    rest = [one for one in made.value.order if one not in worse]
    if not worse:
        return f"{name}: no algorithm is shown to be worse than another."
    return (
        f"{name}: {enumerated(rest)} {'is' if len(rest) == 1 else 'are'} not shown to be worse than any other."
        if rest
        else (f"{name}: every algorithm is shown to be worse than some other.")
    )


def _consensus(analyses: Analyses) -> list[Block]:
    missing = "raise" if analyses.results.present.all() else "available"
    relations = attempt(lambda: preferences(analyses.results, per="measure", missing=missing)).value
    if relations is None or len(relations) < 2:
        return []
    found = attempt(lambda: consensus(relations, "linear", all_optima=True, limit=20, missing="available")).value
    if found is None:
        return []
    orders = [str(one) for one in found.relations[:3]]
    text = f"If all {len(relations)} measures count alike, the order nearest to theirs (by means) is {orders[0]}."
    if len(found.relations) > 1:
        text = (
            f"If all {len(relations)} measures count alike, {len(found.relations)}"
            f"{'' if found.exhausted else ' or more'} orders are equally near to theirs (by means), among them "
            f"{enumerated(orders)}."
        )
    points = [_changes(relations, voter) for voter in relations]
    return [Paragraph(text), Points(tuple(points))]


def _changes(relations: object, voter: str) -> str:
    made = attempt(lambda: weight_sensitivity(relations, voter)).value  # type: ignore[arg-type]
    if made is None:
        return f"{voter}: how the order depends on its weight could not be computed."
    table = made.winner_changes()
    if not len(table):
        return f"{voter}: the winner is {enumerated(made.now.winners)}, whatever its weight."
    steps = [
        f"above a share of {row['share']:.0%} {row['above']} instead of {row['below']}" for _, row in table.iterrows()
    ]
    return f"{voter} (now {made.share:.0%} of the weight, winner {enumerated(made.now.winners)}): {'; '.join(steps)}."


CRITERIA = SectionMaker("criteria", "Several measures", 60, _make)
