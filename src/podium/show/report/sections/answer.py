"""The answer: the order, how sure it is, which algorithms are out of the race, which to choose, what it holds for."""

from __future__ import annotations

from itertools import pairwise

from podium.analysis.comparison import Comparison
from podium.analysis.notes import blocks_in_words, enumerated
from podium.errors import plural
from podium.plot.drawing import PLOTS
from podium.show.report.analyses import Analyses
from podium.show.report.answer import Answer, Choice, find_answer
from podium.show.report.blocks import Block, Figure, Paragraph, Points
from podium.show.report.figures import best_of, box_caption, draw_distribution, places_of, ranks_of
from podium.show.report.sections import SectionMaker
from podium.typesetting.numbers import percent

MAX_DIAGRAM_ALGORITHMS = 40  # algorithms that a critical difference diagram can show
FEW = 10  # of so many that the figure of all distributions cannot show them either
_TO_TAKE = {
    "average": "on average",
    "worst case": "for the best worst case (95% quantile)",
    "stability": "for the least variation over replications",
}


def _make(analyses: Analyses) -> list[Block]:
    answer = find_answer(analyses)
    if analyses.summary.value is None:
        return [Paragraph(f"There is no order. {analyses.summary.problem}", "lead")]
    points = [
        _sureness(answer),
        _race(answer, analyses.alpha),
        _left_out(answer, analyses.missing),
        _absent(answer, analyses),
        _choices(answer, analyses),
        _scope(answer),
    ]
    blocks: list[Block] = [Paragraph(_order(answer, analyses), "lead"), Points(tuple(filter(None, points)))]
    figure = _figure(analyses, answer)
    return [*blocks, figure] if figure is not None else blocks


def _order(answer: Answer, analyses: Analyses) -> str:
    if not answer.order:
        return f"There is no order: {answer.missing}"
    what = f"the best {answer.criterion} by {analyses.info.name}"
    if len(answer.order) == 1:
        only = f"the only algorithm with a value of {analyses.info.name}" if answer.absent else "the only algorithm"
        return f"{answer.leader} is {only}; there is nothing to compare it with."
    if len(answer.leaders) == len(answer.order):
        both = "Both" if len(answer.order) == 2 else f"All {len(answer.order)}"
        return f"{both} algorithms have the same {answer.criterion} by {analyses.info.name}."
    if answer.criterion != "mean rank":
        what += f" ({analyses.info.direction} is better)"
    elif answer.ranked_last:
        one = answer.ranked_last == 1
        what += f" ({plural(answer.ranked_last, 'cell')} without a value {'counts' if one else 'count'} as last)"
    verb = "has" if len(answer.leaders) == 1 else "share"
    rest = [name for name in answer.order if name not in answer.leaders]
    return f"{enumerated(answer.leaders)} {verb} {what}, followed by {enumerated(rest, 9)}."


def _sureness(answer: Answer) -> str:
    if len(answer.order) < 2:
        return ""
    if not answer.tested:
        return "How sure: no pair was tested, so it is not known how sure this order is."
    if len(answer.leaders) > 1:
        return f"How sure: the first place is tied between {enumerated(answer.leaders)}."
    beats = [name for name, by in answer.worse.items() if answer.leader in by]
    others = len(answer.order) - 1
    if len(beats) == others:
        shown = f"{answer.leader} is shown to be better than {'the other' if others == 1 else 'each of the others'}"
    elif beats:
        shown = f"{answer.leader} is shown to be better than {len(beats)} of the {others} others"
    else:
        shown = f"{answer.leader} is not shown to be better than {'the other' if others == 1 else 'any other'}"
    if answer.first_share is None:
        return f"How sure: {shown}."
    of = "data sets" if answer.datasets > 1 else "replications"
    return (
        f"How sure: {shown}. It has the best {answer.criterion} in {percent(answer.first_share)} of "
        f"{answer.resamples:,} bootstrap resamples of the {of}."
    )


def _race(answer: Answer, alpha: float) -> str:
    if not answer.tested or len(answer.algorithms) < 2:
        return ""
    if not answer.worse:
        return f"Out of the race: none; no algorithm is shown to be worse than another at the {alpha:g} level."
    out = [name for name in answer.algorithms if name in answer.worse]
    rest = f" Still in the race: {enumerated(answer.in_race)}." if answer.in_race else ""
    other = "the other" if len(answer.algorithms) == 2 else "another algorithm"
    return (
        f"Out of the race: {enumerated(out)}; {other} is shown to be better than "
        f"{'it' if len(out) == 1 else 'each of them'} at the {alpha:g} level.{rest}"
    )


def _left_out(answer: Answer, policy: str) -> str:
    if not answer.left_out:
        return ""
    verb = "lacks" if len(answer.left_out) == 1 else "lack"
    return f"Left out by the policy {policy!r}: {enumerated(answer.left_out)}, which {verb} a value."


def _absent(answer: Answer, analyses: Analyses) -> str:
    if not answer.absent:
        return ""
    verb = "has" if len(answer.absent) == 1 else "have"
    names = [f"{name} ({why})" for name, why in answer.absent]
    return f"Left out of everything: {enumerated(names)}, which {verb} no value of {analyses.info.name}."


def _choices(answer: Answer, analyses: Analyses) -> str:
    if len(answer.algorithms) < 2:
        return ""
    # A choice that names every candidate is not advice.
    told = [
        one
        for one in answer.choices
        if 0 < len(one.algorithms) < len(answer.in_race if one.in_race else answer.algorithms)
    ]
    unnamed = _no_average(answer, analyses)
    if told:
        return _taken(told, answer, analyses) + (f" No {unnamed}." if unnamed else "")
    return f"Which to choose: no {unnamed}." if unnamed else ""


def _no_average(answer: Answer, analyses: Analyses) -> str:
    """Say, after a "no", why no algorithm is named by its mean, where too few blocks are complete."""
    if answer.complete == answer.blocks or any(one.criterion == "average" for one in answer.choices):
        return ""
    some = "no block has" if not answer.complete else f"only {answer.complete:,} of {answer.blocks:,} blocks have"
    if answer.complete == 1:
        some = f"only 1 of {answer.blocks:,} blocks has"
    return f"best by {analyses.info.name} is named, because {some} a value of every algorithm"


def _taken(told: list[Choice], answer: Answer, analyses: Analyses) -> str:
    start = "Which to choose, by the numbers"
    if answer.complete < answer.blocks and any(one.criterion != "cost" for one in told):
        start += f" ({analyses.info.name}: the {plural(answer.complete, 'complete block')} of {answer.blocks:,})"
    if not answer.worse:
        return f"{start}: {_grouped(told, answer, analyses)}."
    overall = _grouped([one for one in told if not one.in_race], answer, analyses)
    among = _grouped([one for one in told if one.in_race], answer, analyses)
    if overall and among:
        return f"{start}: {overall}. Among those still in the race: {among}."
    return f"{start}: {overall}." if overall else f"{start}, among those still in the race: {among}."


def _grouped(choices: list[Choice], answer: Answer, analyses: Analyses) -> str:
    """One part for each algorithm or tie, with all that it is best in."""

    def named(name: str) -> str:
        return f"{name} (out of the race)" if name in answer.worse else name

    groups: dict[tuple[str, ...], list[str]] = {}
    for choice in choices:
        groups.setdefault(choice.algorithms, []).append(_best_in(choice, analyses))
    return "; ".join(f"{enumerated([*map(named, names)])} {enumerated(parts)}" for names, parts in groups.items())


def _best_in(choice: Choice, analyses: Analyses) -> str:
    if choice.criterion != "cost":
        return _TO_TAKE[choice.criterion]
    units = {one.name: one.units for one in analyses.results.measures}
    value = "" if choice.value is None else f" ({with_units(choice.value, units[choice.measure])})"
    text = f"for the lowest {choice.measure}{value}"
    if choice.performance is None:
        return text
    mean = "geometric mean" if choice.geometric else "mean"
    return f"{text}, with a {mean} {analyses.info.name} of {with_units(choice.performance, analyses.info.units)}"


def with_units(value: float, units: str) -> str:
    """Write a number of three digits with its units."""
    return f"{value:.3g} {units}".rstrip()


def _scope(answer: Answer) -> str:
    if len(answer.algorithms) < 2:
        return ""
    blocks = blocks_in_words(answer.unit, answer.n, answer.datasets)
    if answer.unit == "dataset":
        return f"What it holds for: further data sets like these; it rests on {blocks}."
    where = f"{answer.dataset} only" if answer.dataset is not None else "these data sets only"
    if answer.overlap:
        where = f"further resamples of {where}, not the population behind it"
    return f"What it holds for: {where}; it rests on {plural(answer.n, 'replication')}."


def _figure(analyses: Analyses, answer: Answer) -> Figure | None:
    found = analyses.comparison.value
    if len(answer.order) < 2:
        return None
    if found is not None and found.mean_ranks is not None and len(answer.order) <= MAX_DIAGRAM_ALGORITHMS:
        draw = PLOTS["critical_difference"].function()
        caption = _caption(found, answer)
        summary = analyses.performance.value
        if found.transform != "log" and summary is not None and summary.transform == "log":
            caption += " The ranks are those of the values as measured, not of their logarithms."
        return Figure("answer", caption, lambda: draw(found, size="screen"), ranks_of(found))
    some = best_of(analyses, answer.order, FEW)
    which = "" if len(some.algorithms) >= len(answer.order) else f" of the first {len(some.algorithms)} algorithms"
    return Figure(
        "box" if not which else "answer",
        box_caption(some, which),
        lambda: draw_distribution("box", some, analyses.palette),
        places_of(analyses),
    )


def _caption(found: Comparison, answer: Answer) -> str:
    ranks = found.mean_ranks
    assert ranks is not None
    text = (
        f"Mean ranks on {blocks_in_words(found.unit, found.n, found.datasets)}, best at the left. Algorithms joined by "
        "a bar, or by dots on a line, are not shown to differ."
    )
    place = dict(zip(found.algorithms, ranks, strict=True))
    ordered = [place[name] for name in answer.order if name in place]
    if answer.criterion != "mean rank" and any(a > b for a, b in pairwise(ordered)):
        text += f" The order by mean ranks differs from that by {answer.criterion}s."
    return text


ANSWER = SectionMaker("answer", "The answer", 10, _make)
