"""The structure of the domain: orders on the data sets, their consensus, groups of data sets, the model."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from podium.analysis.domain import Domain
from podium.analysis.domain.tables import relation_text
from podium.analysis.domain.text import without_model
from podium.analysis.notes import enumerated
from podium.analysis.relation import Relation
from podium.errors import plural
from podium.plot.drawing import PLOTS
from podium.show.report.analyses import Analyses, attempt, is_geometric, mean_in_words
from podium.show.report.blocks import Block, Figure, Paragraph, Points, Tabular
from podium.show.report.figures import draw_summary, numbers_of, of_first_criterion, summary_numbers
from podium.show.report.sections import SectionMaker, absent
from podium.show.report.sections.order import nearest_in_words
from podium.typesetting import Table

MAX_DATASETS = 120  # that the figures of a domain can show
MAX_ALGORITHMS = 25


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.domain.value
    if found is None:
        return [absent(analyses.domain.problem)]
    blocks: list[Block] = [Paragraph(_headline(found, analyses))]
    counts = Table.from_frame(found.place_frame().rename_axis("Algorithm"), "How often each algorithm takes each place")
    drawn = len(found.datasets) <= MAX_DATASETS and len(found.algorithms) <= MAX_ALGORITHMS
    if drawn:
        graph = PLOTS["summary_graph"].function()
        blocks.append(
            Figure(
                "domain-summary",
                "The benchmark summary plot: a row for each data set, similar ones beside each other; the order of the "
                "algorithms in pale colours, their values as bars in full colour.",
                lambda: draw_summary(found),
                _means(found),
            )
        )
        if len(found.datasets) > 3 and len(set(found.relations.values())) > 1:  # else all distances are 0
            blocks.append(
                Figure(
                    "domain-graph",
                    "The benchmark summary graph: near data sets have similar orders; colours show the unique winner.",
                    lambda: graph(found),
                    Table.from_frame(found.distances.frame().rename_axis("Data set"), "Distances between the orders"),
                )
            )
    blocks.append(Tabular("places", counts, 15))
    blocks.append(Tabular("orders", found.table(), 12))
    return [*blocks, *_groups(found), *_model(found)]


def _means(found: Domain) -> Table:
    """The values that the benchmark summary plot shows as bars."""
    numbers = summary_numbers(found)
    rows = {
        name: {found.algorithms[k]: value for k, value in zip(order, values, strict=True) if k >= 0}
        for name, order, values in zip(numbers.datasets, numbers.podium, numbers.values, strict=True)
    }
    frame = pd.DataFrame.from_dict(rows, orient="index").reindex(found.datasets, columns=found.algorithms)
    geometric = is_geometric(of_first_criterion(found))
    title = f"{'Geometric means' if geometric else 'Means'} of {numbers.measure.name}"
    return numbers_of(frame.rename_axis("Data set"), title, geometric=geometric)


def _headline(found: Domain, analyses: Analyses) -> str:
    tested = any(one.comparisons for one in found.local.values())
    if not found.is_ordered:
        text = (
            f"No difference is shown on any of the {len(found.datasets)} data sets, so the domain has no order."
            f"{' With so few replications, none could be shown.' if _none_could_be_shown(found) else ''}"
            if tested
            else f"All algorithms have the same value on each of the {len(found.datasets)} data sets, so the domain "
            "has no order."
        )
    else:
        text = nearest_in_words(found.consensus, f"those on the {len(found.datasets)} data sets")
        if len(found.consensus.relations) > 1:
            text += f" {_agreed(found.relation)}"
    if found.left_out:
        text += (
            f" Left out, because fewer than two algorithms share a replication there: {enumerated(found.left_out, 6)}."
        )
    if tested and found.is_ordered:
        text += (
            f" On each data set only differences that are shown there count, so the outcome may differ from the order "
            f"by {analyses.criterion}."
        )
    elif analyses.main.design.sum(axis=1).max() > 1:
        mean = mean_in_words(analyses.main)
        text += f" Not all data sets have enough replications for a test, so each order is that of the {mean}s."
    return text


def _none_could_be_shown(found: Domain) -> bool:
    """Whether no data set has enough replications for its test to show any difference."""
    tests = [one for local in found.local.values() for one in local.comparisons.values()]
    return all(test.powerless for test in tests)


def _agreed(relation: Relation) -> str:
    """What all optima agree on."""
    if not relation.better.any():
        return "They agree on no pair."
    if relation.chain is not None:
        return f"Where they agree (∼ where they do not): {relation_text(relation)}."
    pairs = int(relation.better.sum())
    k = len(relation.algorithms)
    return f"They agree on {plural(pairs, 'pair')} of {k * (k - 1) // 2:,}."


def _groups(found: Domain) -> list[Block]:
    if len(found.datasets) < 4:
        return []
    if len(set(found.relations.values())) == 1:
        return [Paragraph("All data sets have the same order.")] if found.is_ordered else []
    groups = attempt(lambda: found.subdomains(2)).value
    if groups is None or len(groups) < 2:
        return []
    lines = [
        f"{plural(len(one.datasets), 'data set')} ({enumerated(_in_order(one.datasets, found), 8)}): "
        f"{_won(one.winners)}."
        for one in groups
    ]
    said = "First places in two groups of data sets with similar orders, where a tie counts for every algorithm in it:"
    return [Paragraph(said), Points(tuple(lines))]


def _in_order(datasets: Sequence[str], found: Domain) -> list[str]:
    """Put data sets in the order of the table of orders."""
    return [name for name in found.datasets if name in datasets]


def _won(winners: dict[str, int]) -> str:
    return enumerated([f"{name} ({count})" for name, count in winners.items() if count], 6)


def _model(found: Domain) -> list[Block]:
    if found.comparison is None:
        return [absent(without_model(found))]
    relation = found.model_relation
    shown = int(0 if relation is None else relation.better.sum())
    start = "A mixed-effects model of all values, which weighs how large differences are and assumes normal errors,"
    if relation is not None and relation.chain is not None and shown:
        said = f"{start} shows this order (∼ where neither is shown to be better): {relation_text(relation)}."
    else:
        pairs = len(found.algorithms) * (len(found.algorithms) - 1) // 2
        said = f"{start} shows {f'a difference in {shown:,} of {pairs:,} pairs' if shown else 'no difference'}."
    blocks: list[Block] = [
        Paragraph(f"{said} It is an additional analysis: the answer is based on the comparison above.")
    ]
    if found.disagreements:
        blocks.append(Paragraph("Where the consensus of orders and the model disagree:"))
        blocks.append(Points(tuple(str(one) for one in found.disagreements[:5])))
    return blocks


DOMAIN = SectionMaker("domain", "The domain of data sets", 70, _make)
