"""The structure of the domain: orders on the data sets, their consensus, groups of data sets, the model."""

from __future__ import annotations

from podium.analysis.domain import Domain
from podium.analysis.notes import enumerated
from podium.errors import counted
from podium.plot.drawing import PLOTS
from podium.reporting.analyses import Analyses, attempt
from podium.reporting.blocks import Block, Figure, Paragraph, Points, Tabular
from podium.reporting.sections import SectionMaker, absent
from podium.typesetting import Table

MOST_DATASETS = 120  # that the figures of a domain can show
MOST_ALGORITHMS = 25


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.domain.value
    if found is None:
        return [absent(analyses.domain.problem)]
    blocks: list[Block] = [Paragraph(_headline(found))]
    counts = Table.from_frame(found.place_table().rename_axis("Algorithm"), "How often each algorithm takes each place")
    drawn = len(found.datasets) <= MOST_DATASETS and len(found.algorithms) <= MOST_ALGORITHMS
    if drawn:
        summary, graph = PLOTS["summary"].function(), PLOTS["summary_graph"].function()
        places = PLOTS["place_counts"].function()
        blocks.append(Figure("places", "How often each algorithm takes each place.", lambda: places(found), counts))
        blocks.append(
            Figure(
                "domain-summary",
                "The benchmark summary plot: a row for each data set, similar ones beside each other; the order of the "
                "algorithms in light colours, their values as dark bars.",
                lambda: summary(found),
                Table.from_frame(found.means.rename_axis("Data set"), f"Means of {analyses.info.name}", digits=3),
            )
        )
        if len(found.datasets) > 3:
            blocks.append(
                Figure(
                    "domain-graph",
                    "The benchmark summary graph: near data sets have similar orders; colours show the unique winner.",
                    lambda: graph(found),
                )
            )
    else:
        blocks.append(Tabular("places", counts, 15))
    blocks.append(Tabular("orders", found.table(), 12))
    return [*blocks, *_groups(found), *_model(found)]


def _headline(found: Domain) -> str:
    orders = found.consensus.relations
    text = f"The order nearest to those on the {len(found.datasets)} data sets is {orders[0]}."
    if len(orders) > 1:
        text = (
            f"{counted(len(orders), 'order')}{'' if found.consensus.exhausted else ' or more'} are equally near to "
            f"those on the {len(found.datasets)} data sets, among them {orders[0]}. All agree on: {found.relation}."
        )
    return text


def _groups(found: Domain) -> list[Block]:
    if len(found.datasets) < 4:
        return []
    groups = attempt(lambda: found.subdomains(2)).value
    if groups is None or len(groups) < 2:
        return [Paragraph("All data sets have the same order.")]
    lines = [
        f"{counted(len(one.datasets), 'data set')} ({enumerated(one.datasets, 8)}): {_won(one.winners)}"
        for one in groups
    ]
    return [Paragraph("Cut into two groups with similar orders, the domain has these winners:"), Points(tuple(lines))]


def _won(winners: dict[str, int]) -> str:
    return "first places " + enumerated([f"{name} {count}" for name, count in winners.items() if count], 6)


def _model(found: Domain) -> list[Block]:
    if found.comparison is None:
        return [absent(f"There is no mixed-effects model of the domain. {found.model_problem}")]
    blocks: list[Block] = [
        Paragraph(f"By the mixed-effects model, which weighs how large differences are: {found.model_relation}.")
    ]
    if found.disagreements:
        blocks.append(Paragraph("Where the consensus of orders and the model disagree:"))
        blocks.append(Points(tuple(str(one) for one in found.disagreements[:5])))
    return blocks


DOMAIN = SectionMaker("domain", "The domain of data sets", 70, _make)
