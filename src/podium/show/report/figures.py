"""The figures of several sections, and the data behind figures as tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from podium.analysis.comparison import Comparison
from podium.analysis.describe.summary import summarize_measure
from podium.analysis.domain import Domain
from podium.plot.drawing import PLOTS
from podium.plot.figures.summary import Summary
from podium.results import Results
from podium.show.report.analyses import Analyses, averaged, geometric_mean, is_geometric, mean_in_words
from podium.typesetting import Table

MAX_DISTRIBUTION_ALGORITHMS = 30  # algorithms that a figure of distributions can show


def best_of(analyses: Analyses, order: Sequence[str], most: int = MAX_DISTRIBUTION_ALGORITHMS) -> Results:
    """Return the scores by the main measure of the first algorithms, `most` of them if a figure cannot show all."""
    common = analyses.complete.value or analyses.shown
    known = [name for name in order if name in common.algorithms]
    return common if len(known) <= MAX_DISTRIBUTION_ALGORITHMS else common.select(algorithms=known[:most])


def box_caption(results: Results, which: str = "") -> str:
    """Say what a box plot of one measure shows."""
    mean = mean_in_words(results)
    return f"Distribution of {results.measures[0].name}{which}, best {mean} first; circles are {mean}s."


def draw_distribution(kind: Literal["box", "time"], results: Results, palette: Mapping[str, str]) -> Any:
    """Draw the values of one measure with the means and the order of its summary.

    On a log scale, replications of several data sets are averaged by geometric means, and so are the blocks.
    """
    plot = PLOTS[kind]
    if not is_geometric(results):
        return plot.function()(results, missing="available", palette=palette)
    found = summarize_measure(results, missing="available").means
    if len(results.datasets) > 1:
        results = averaged(results)
    numbers = plot.compute(results, order=list(found.index), missing="available")
    means = found.loc[list(numbers.algorithms)].to_numpy(float)
    return plot.function()(dataclasses.replace(numbers, means=means), palette=palette)


def of_first_criterion(found: Domain) -> Results:
    """Return the scores that the benchmark summary plot shows: those by the measure of the first criterion."""
    return found.results.select(measure=found.criteria[0].measure)


def summary_numbers(found: Domain) -> Summary:
    """Compute the numbers of the benchmark summary plot, with the means that the rest of the report shows."""
    results = of_first_criterion(found)
    statistic = geometric_mean if is_geometric(results) else "mean"
    numbers: Summary = PLOTS["summary"].compute(found, statistic=statistic)
    return dataclasses.replace(numbers, statistic=mean_in_words(results))


def draw_summary(found: Domain) -> Any:
    """Draw the benchmark summary plot."""
    return PLOTS["summary"].function()(summary_numbers(found))


def ranks_of(comparison: Comparison) -> Table:
    """Return the mean ranks of a comparison, best first."""
    assert comparison.mean_ranks is not None
    order = np.argsort(comparison.mean_ranks, kind="stable")
    frame = pd.DataFrame(
        {"Mean rank": comparison.mean_ranks[order]},
        index=pd.Index([comparison.algorithms[i] for i in order], name="Algorithm"),
    )
    return Table.from_frame(frame, "Mean ranks")


def numbers_of(frame: pd.DataFrame, title: str, *, geometric: bool) -> Table:
    """Make a table of numbers; those with geometric means may differ by orders of magnitude."""
    if not geometric:
        return Table.from_frame(frame, title, digits=3)
    return Table.from_frame(frame, title, digits=2, scale="log")


def places_of(analyses: Analyses) -> Table | None:
    """Return the summary of the algorithms, best first."""
    frame = analyses.summary.value
    if frame is None:
        return None
    geometric = is_geometric(analyses.main)
    return numbers_of(frame.rename_axis("Algorithm"), f"Summary of {analyses.info.name}", geometric=geometric)
