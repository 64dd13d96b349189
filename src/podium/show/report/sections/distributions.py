"""Distributions: the podium, the spread of the values, times."""

from __future__ import annotations

from podium.analysis.describe import places, summarize
from podium.plot.drawing import PLOTS
from podium.plot.figures.time import is_time
from podium.results import Results
from podium.results.missing import report_missing, take_common
from podium.show.report.analyses import Analyses, attempt, averaged, is_geometric, mean_in_words
from podium.show.report.blocks import Block, Figure, Tabular
from podium.show.report.figures import (
    MAX_DISTRIBUTION_ALGORITHMS,
    best_of,
    box_caption,
    draw_distribution,
    numbers_of,
    places_of,
)
from podium.show.report.sections import SectionMaker, absent
from podium.show.tables import scores
from podium.typesetting import Table

MAX_COLUMNS = 12  # algorithms of a table of data sets × algorithms


def _make(analyses: Analyses) -> list[Block]:
    main, info = analyses.shown, analyses.info
    frame = analyses.summary.value
    if frame is None:
        return [absent(analyses.summary.problem)]
    over = "data sets" if len(main.datasets) > 1 else "replications"
    ordered = frame.loc[list(analyses.order)].rename_axis("Algorithm")
    first = f", best {analyses.criterion} first" if analyses.ordered else ""
    title = f"Summary of {info} over {over}{first}"
    blocks: list[Block] = [Tabular("summary", numbers_of(ordered, title, geometric=is_geometric(analyses.main)), 15)]
    options = {"palette": analyses.palette}
    if len(main.algorithms) > 1:
        some = best_of(analyses, analyses.order)
        few = len(some.algorithms) < len(main.algorithms)
        which = f" of the first {len(some.algorithms)} algorithms" if few else ""
        podium = PLOTS["podium"].function()
        placed = attempt(lambda: _placed(main)).value
        if not few and placed is not None:
            left = "" if main.present.all() else " Blocks in which a value is missing are left out."
            blocks.append(
                Figure(
                    "podium",
                    "The benchmark experiment plot: each place shows the algorithms that finished there, one dot for "
                    "each block, ties broken at random. Below: how often each algorithm took that place." + left,
                    lambda: podium(placed, seed=analyses.seed, **options),
                    _places(placed),
                )
            )
        blocks.append(
            Figure(
                "box",
                box_caption(some, which),
                lambda: draw_distribution("box", some, analyses.palette),
                places_of(analyses),
            )
        )
    if len(main.datasets) > 1 and 1 < len(main.algorithms) <= MAX_COLUMNS:
        made = attempt(lambda: _scores(main)).value
        if made is not None:
            blocks.append(Tabular("scores", made, 10))
    return blocks + _times(analyses)


def _scores(main: Results) -> Table:
    """Tabulate data sets × algorithms, the best mean first; a geometric one on a log scale."""
    if not is_geometric(main) or not report_missing(main, "available").ordered:
        return scores(main, missing="available", marks=False)
    order = list(summarize(main, missing="available").index)
    made = scores(main, order=order, missing="available", marks=False)
    return made.replace(notes=(*made.notes, "The algorithms are ordered by geometric mean, best first."))


def _placed(main: Results) -> Results:
    """Return the blocks in which no value is missing; on a log scale, those of several data sets averaged."""
    whole = take_common(main)
    return averaged(whole) if len(whole.datasets) > 1 and is_geometric(whole) else whole


def _places(placed: Results) -> Table | None:
    made = attempt(lambda: places(placed)).value
    if made is None:
        return None
    return Table.from_frame(
        made.rename_axis("Algorithm"), "How often each algorithm takes each place; ties share theirs"
    )


def _times(analyses: Analyses) -> list[Block]:
    found = [one for one in analyses.results.measures if is_time(one)]
    if not found or not 1 < len(analyses.results.algorithms) <= MAX_DISTRIBUTION_ALGORITHMS:
        return []
    name = found[0].name
    one = analyses.results.select(measure=name)
    if not (one.values > 0).any() or name == analyses.info.name:
        return []
    frame = attempt(lambda: summarize(one, missing="available")).value
    data, mean = None, mean_in_words(one)
    if frame is not None:
        title = f"Summary of {found[0]}, best {mean} first"
        data = numbers_of(frame.rename_axis("Algorithm"), title, geometric=is_geometric(one))
    return [
        Figure(
            "time",
            f"Distribution of {name} on a logarithmic axis, lowest {mean} on top; diamonds are {mean}s.",
            lambda: draw_distribution("time", one, analyses.palette),
            data,
        )
    ]


DISTRIBUTIONS = SectionMaker("distributions", "A first look", 30, _make)
