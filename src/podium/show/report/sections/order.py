"""From pairs to an order: the relation of what is shown, and how stable the order is."""

from __future__ import annotations

import pandas as pd

from podium.analysis.comparison import Comparison
from podium.analysis.consensus import Consensus
from podium.analysis.domain.tables import relation_text
from podium.analysis.notes import enumerated
from podium.plot.drawing import PLOTS
from podium.show.report.analyses import Analyses, attempt
from podium.show.report.answer import better_ones, shown_relation
from podium.show.report.blocks import Block, Figure, Paragraph, Points, Tabular
from podium.show.report.sections import SectionMaker, absent
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import percent

MAX_HASSE_ALGORITHMS = 25  # algorithms of a Hasse diagram
MAX_PREFERENCE_ROWS = 15  # of who is better than whom
MAX_PLACE_COLUMNS = 12  # columns of the table of places


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.comparison.value
    if found is None:
        return [absent(analyses.comparison.problem)]
    relation = shown_relation(found)
    if relation is None:
        return [absent("An order needs all pairs of algorithms.")]
    blocks: list[Block] = []
    if not relation.better.any():
        blocks.append(Paragraph("No algorithm is shown to be better than another: the data show no order."))
    elif relation.chain is not None and len(relation.algorithms) <= MAX_HASSE_ALGORITHMS:
        blocks.append(
            Paragraph(
                "The tests show this order (≺ where the first is shown to be better, ∼ where neither is): "
                f"{relation_text(relation)}."
            )
        )
    else:
        if relation.chain is None:
            blocks.append(
                Paragraph(
                    "The tests do not show a ranking: of two algorithms neither of which is shown to be better, one "
                    "may be shown to be better or worse than a third while the other is not."
                )
            )
        blocks.append(_wins(analyses, found))
    if relation.better.any() and len(relation.algorithms) <= MAX_HASSE_ALGORITHMS:
        hasse = PLOTS["hasse"].function()
        levels = attempt(relation.levels).value
        data = None
        if levels is not None:
            frame = pd.DataFrame({"Level": range(1, len(levels) + 1), "Algorithms": [", ".join(one) for one in levels]})
            data = Table.from_frame(frame, "Levels, best first")
        blocks.append(
            Figure(
                "hasse",
                "The best at the bottom; lines lead up from better algorithms to worse ones.",
                lambda: hasse(relation),
                data,
            )
        )
    return [*blocks, *_places(analyses)]


def _wins(analyses: Analyses, found: Comparison) -> Points:
    """Who is shown to be better than whom, a line for those that are better than the same ones."""
    order = analyses.order
    worse = better_ones(found)
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in order:
        groups.setdefault(tuple(one for one in order if name in worse.get(one, ())), []).append(name)
    winners = [(names, them) for them, names in groups.items() if them]
    lines = [
        f"{enumerated(names)} {'is' if len(names) == 1 else 'are each'} shown to be better than {enumerated(them, 12)}."
        for names, them in winners[:MAX_PREFERENCE_ROWS]
    ]
    rest = sum(len(names) for names, _ in winners[MAX_PREFERENCE_ROWS:])
    if rest:
        lines.append(f"{rest} more {'is' if rest == 1 else 'are'} shown to be better than at least one other.")
    return Points(tuple(lines))


def _places(analyses: Analyses) -> list[Block]:
    stable = analyses.stability.value
    if stable is None or len(stable.shares) < 2:
        return []
    of = "data sets" if stable.unit == "dataset" else "replications"
    shares = stable.shares.loc[[name for name in analyses.order if name in stable.shares.index]]
    places = [*shares.columns][:MAX_PLACE_COLUMNS]
    rows = tuple(
        (Cell(str(name), str(name)), *(Cell(float(row[place]), percent(float(row[place]))) for place in places))
        for name, row in shares.iterrows()
    )
    columns = (Column("Algorithm", "left", is_label=True), *(Column(str(place)) for place in places))
    title = (
        f"Share of {stable.resamples:,} bootstrap resamples of the {of} in which an algorithm takes a place by "
        f"{analyses.criterion}{'' if len(places) == len(shares) else f'; the first {MAX_PLACE_COLUMNS} places'}"
    )
    return [Tabular("stability", Table(title=title, columns=columns, rows=rows), 15)]


def nearest_in_words(found: Consensus, to: str, *, given: str = "") -> str:
    """Say which order is nearest to others; of several that are equally near, how many there are and an example.

    A clause that is `given` begins the sentence.
    """
    orders = [relation_text(one) for one in found.relations]
    if len(orders) == 1:
        return f"{f'{given}, the' if given else 'The'} order nearest to {to} is {orders[0]}."
    many = f"{len(orders):,}{'' if found.exhausted else ' or more'} orders are equally near to {to}"
    examples = (
        f": {orders[0]}, and {orders[1]}" if len(orders) == 2 and found.exhausted else f", for example {orders[0]}"
    )
    return f"{given}{', ' if given else ''}{many}{examples}."


ORDER = SectionMaker("order", "The order", 50, _make)
