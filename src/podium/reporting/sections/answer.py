"""The answer: the order, how sure it is, who is out of the race, what to take, and what it holds for."""

from __future__ import annotations

from podium.analysis.notes import blocks_in_words, enumerated
from podium.errors import counted
from podium.plot.drawing import PLOTS
from podium.reporting.analyses import Analyses
from podium.reporting.answer import Answer, find_answer
from podium.reporting.blocks import Block, Figure, Paragraph, Points
from podium.reporting.figures import places_of, ranks_of
from podium.reporting.sections import SectionMaker

MOST_ON_A_DIAGRAM = 40  # algorithms that a critical difference diagram can show
_TO_TAKE = {
    "average": "on average",
    "worst case": "for the best worst case (95 % quantile)",
    "stability": "for the least variation over replications",
    "cost": "for the lowest cost",
}


def _make(analyses: Analyses) -> list[Block]:
    answer = find_answer(analyses)
    points = [_sureness(answer), _race(answer, analyses.alpha), _choices(answer), _scope(answer)]
    blocks: list[Block] = [Paragraph(_order(answer, analyses), "lead"), Points(tuple(filter(None, points)))]
    figure = _figure(analyses, answer)
    return [*blocks, figure] if figure is not None else blocks


def _order(answer: Answer, analyses: Analyses) -> str:
    what = f"the best {answer.criterion} by {analyses.info.name}"
    if len(answer.order) == 1:
        return f"{answer.leader} is the only algorithm; there is nothing to compare it with."
    if len(answer.leaders) == len(answer.order):
        return f"All {len(answer.order)} algorithms have the same {answer.criterion} by {analyses.info.name}."
    if answer.criterion == "mean":
        what += f" ({analyses.info.direction} is better)"
    verb = "has" if len(answer.leaders) == 1 else "share"
    rest = [name for name in answer.order if name not in answer.leaders]
    return f"{enumerated(answer.leaders)} {verb} {what}, followed by {enumerated(rest, 9)}."


def _sureness(answer: Answer) -> str:
    if not answer.tested or len(answer.order) < 2:
        return "" if len(answer.order) < 2 else "No pair was tested, so it is not known how sure this order is."
    if len(answer.leaders) > 1:
        return f"How sure: the first place is tied between {enumerated(answer.leaders)}."
    beats = [name for name, by in answer.worse.items() if answer.leader in by]
    others = len(answer.order) - 1
    if len(beats) == others:
        shown = f"{answer.leader} is shown to be better than {'the other' if others == 1 else 'each of the others'}"
    elif beats:
        shown = f"{answer.leader} is shown to be better than {len(beats)} of the {others} others"
    else:
        shown = f"{answer.leader} is not shown to be better than any other"
    if answer.first_share is None:
        return f"How sure: {shown}."
    of = "data sets" if answer.datasets > 1 else "replications"
    return (
        f"How sure: {shown}. It comes first in {answer.first_share:.0%} of {answer.resamples:,} bootstrap resamples of "
        f"the {of}."
    )


def _race(answer: Answer, alpha: float) -> str:
    if not answer.tested or len(answer.order) < 2:
        return ""
    if not answer.worse:
        return f"Out of the race: none; no algorithm is shown to be worse than another at the {alpha:g} level."
    out = [name for name in answer.order if name in answer.worse]
    rest = f" Still in it: {enumerated(answer.in_race)}." if answer.in_race else ""
    return (
        f"Out of the race: {enumerated(out)}; another algorithm is shown to be better than "
        f"{'it' if len(out) == 1 else 'each of them'} at the {alpha:g} level.{rest}"
    )


def _choices(answer: Answer) -> str:
    if len(answer.order) < 2:
        return ""
    parts = []
    for choice in answer.choices:
        if choice.algorithms and len(choice.algorithms) < len(answer.order):
            what = f" ({choice.measure})" if choice.criterion == "cost" else ""
            parts.append(f"{enumerated(choice.algorithms)} {_TO_TAKE[choice.criterion]}{what}")
    return f"What to take, by the figures: {'; '.join(parts)}." if parts else ""


def _scope(answer: Answer) -> str:
    blocks = blocks_in_words(answer.unit, answer.n, answer.datasets)
    if answer.unit == "dataset":
        return f"What it holds for: further data sets like these; it rests on {blocks}."
    where = f"{answer.dataset} only" if answer.dataset is not None else "these data sets only"
    if answer.overlap:
        where = f"further resamples of {where}, not the population behind it"
    return f"What it holds for: {where}; it rests on {counted(answer.n, 'replication')}."


def _figure(analyses: Analyses, answer: Answer) -> Figure | None:
    found = analyses.comparison.value
    if found is None or len(answer.order) < 2:
        return None
    if found.mean_ranks is not None and len(answer.order) <= MOST_ON_A_DIAGRAM:
        draw = PLOTS["critical_difference"].function()
        return Figure(
            "answer",
            "Mean ranks, best at the left. Algorithms joined by a bar are not shown to differ.",
            lambda: draw(found, size="screen"),
            ranks_of(found),
        )
    if len(answer.order) <= MOST_ON_A_DIAGRAM:
        box = PLOTS["box"].function()
        return Figure(
            "answer",
            f"Distribution of {analyses.info.name}, best first.",
            lambda: box(analyses.main, missing="available", palette=analyses.palette),
            places_of(analyses),
        )
    return None


ANSWER = SectionMaker("answer", "The answer", 10, _make)
