"""Every kind of sentence of a report, with what it must agree with.

A sentence that no kind knows fails the test: whoever adds one to a report says here what it must agree with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from random_experiments import NAMES, STOPPED
from raw_facts import Facts, Rows, compare, levels_of, lowest, mean_of, nearest, ranks_of, strict

from podium.reporting import Code, Figure, Paragraph, Points, Section, Tabular

Check = Callable[[Facts, re.Match[str]], None]
KINDS: dict[str, list[tuple[str, re.Pattern[str], Check]]] = {}  # by section: as written here, compiled, and checked

_NAME = rf"(?:{'|'.join(NAMES)})"
_SET = r"set \d+"
_TOKENS = {
    "@names": rf"{_NAME}(?:, {_NAME})*(?: and (?:{_NAME}|\d+ more))?",
    "@sets": rf"{_SET}(?:, {_SET})*(?: and (?:{_SET}|\d+ more))?",
    "@name": _NAME,
    "@set": _SET,
    "@share": r"(?:<0\.1|>99\.9|\d+(?:\.\d)?)%",
    "@measure": r"(?:score|gain|fit time)",
    "@info": r"(?:score|gain|fit time) \((?:lower|greater) is better(?:, s)?\)",
    "@blocks": r"(?P<blocks>[\d,]+) (?P<unit>data sets|replications of one data set)",
    "@order": rf"{_NAME}(?: [≺∼] {_NAME})*",
    "@p": r"p [=<] \d\.\d+",
    "@n": r"[\d,]+",
    "@by": r"(?:mean rank|geometric mean|mean)",
}


def kind(sections: str, pattern: str) -> Callable[[Check], Check]:
    """Register the check of a kind of sentence in some sections."""
    meant = re.compile(expanded(pattern))

    def register(check: Check) -> Check:
        for section in sections.split():
            KINDS.setdefault(section, []).append((pattern, meant, check))
        return check

    return register


def expanded(pattern: str) -> str:
    for token, meaning in _TOKENS.items():
        pattern = pattern.replace(token, meaning)
    return pattern


def check_sentences(facts: Facts) -> set[str]:
    """Check every sentence of a report; return the kinds that were met."""
    met = set()
    for section in facts.report.sections:
        for text in sentences(section):
            found = [(one, check, meant.fullmatch(text)) for one, meant, check in KINDS[section.name]]
            known = [(one, check, match) for one, check, match in found if match]
            assert len(known) == 1, f"{len(known)} kinds know this sentence of {section.name!r}: {text}"
            ((one, check, match),) = known
            check(facts, match)
            met.add(one)
    return met


def sentences(section: Section) -> Iterator[str]:
    """Yield all sentences, captions, titles and notes of a section."""
    for block in section.blocks:
        match block:
            case Paragraph():  # the design of a run has a text of its own, which is not cut
                yield from [block.text] if block.text.startswith("We compared") else split(block.text)
            case Points():
                for item in block.items:
                    yield from [item] if section.name == "methods" else split(item)  # a reference is not cut
            case Tabular():
                yield block.table.title
                for note in block.table.notes:
                    yield from split(note)
            case Figure():
                yield from split(block.caption)
                yield from [] if block.data is None else [block.data.title]
            case Code():
                yield f"{block.title}:"


def split(text: str) -> list[str]:
    """Cut a text into sentences; "et al. 2016" is not an end."""
    return re.split(r"(?<=\.)(?<!al\.) (?=[A-Z\d'`])", text)


def names_in(text: str) -> list[str]:
    return re.findall(rf"\b{_NAME}\b", text)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def lists(said: str, expected: list[str] | set[str], most: int = 12) -> bool:
    """Whether an enumeration names those expected, and counts those beyond the first few."""
    more = re.search(r" and (\d+) more$", said)
    named = names_in(said)
    if more is None:
        return set(named) == set(expected) and len(named) == len(expected) <= most
    return set(named) <= set(expected) and len(named) == most and len(named) + int(more[1]) == len(expected)


def is_share(said: str, share: float) -> bool:
    """Whether a percentage is a share, to a tenth of a per cent."""
    if said.startswith("<"):
        return 0 < share < 0.0005
    if said.startswith(">"):
        return 0.9995 <= share < 1
    return bool(np.isclose(float(said.rstrip("%")), 100 * share, atol=0.0500001)) and (share in (0, 1)) == (
        said in ("0%", "100%")
    )


def check_blocks(facts: Facts, match: re.Match[str]) -> None:
    assert number(match["blocks"]) == len(facts.blocks)
    assert (match["unit"] == "data sets") == (not facts.single)


def nothing(facts: Facts, match: re.Match[str]) -> None:
    """Check no more than that the sentence is known: it gives advice, or names a setting."""


# Sections that cannot appear say why.


@kind("criteria", r"Trade-offs need a second measure, such as the time of a fit\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert len(facts.measures) == 1


@kind(
    "domain",
    r"The structure of a domain needs three data sets with values of two algorithms; there (is|are) (none|\d)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    there = (~np.isnan(facts.values[..., facts.at])).any(axis=1)
    count = int((there.sum(axis=1) > 1).sum())
    assert (0 if match[2] == "none" else int(match[2])) == count < 3
    assert (match[1] == "is") == (count == 1)


@kind("costs", r"An order by performance and cost needs a measure of cost, such as the time of a fit\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert "fit time" not in facts.measures or facts.main == "fit time"


@kind(
    "tree",
    r"A tree needs characteristics of the data sets: characteristics=frame, or an experiment "
    r"that was run with characteristics='statlog'\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert "characteristics" not in facts.case.options


@kind(
    "stopping",
    r"No stopping rule ended this experiment early; podium\.run\(experiment, stopping=…\) runs one with a rule\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not (facts.reasons == STOPPED).any()
    assert not facts.case.decisions


@kind(
    "inference order criteria costs cautions",
    r"A test needs at least two (?:replications|data sets); there (?:is|are) (\d+)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert int(match[1]) == len(facts.blocks) < 2


# Errors that keep an analysis from being made, and what they advise.


@kind("inference order criteria domain costs cautions", r"'@name'(?:, '@name')* (has|have) no value at all\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (match[1] == "has") == (len(names_in(match[0])) == 1)
    for name in names_in(match[0]):
        lacking = np.isnan(facts.values[:, :, facts.names.index(name)])
        assert lacking.all(axis=(0, 1)).any() or (facts.reasons == STOPPED).any()  # what ended early is set aside


for pattern in (
    r"Leave out algorithms that were never run\.",
    r"`equivalence` needs values in every block; missing='worst-rank' leaves cells without one\.",
    r"Use 'drop-block' or 'worst-value'\.",
    r"Data set 'set \d+' has one replication, and its pairs cannot be tested\.",
    r"Compare the data sets instead: podium\.multitest\(podium\.compare\(results\), cost=\.\.\.\)\.",
    r"Nothing is left to estimate the residual variance from: .*\.",
    r"More replications, or more complete ones, are needed\.",
    r"Only the data set 'set \d+' is left after missing='[\w-]+'; two are needed\.",
    r"(?:Data set 'set \d+', criterion '@measure': )?`missing='drop-block'` would leave nothing: every block has a missing cell\.",
    r"'@name' has the most \((?:1 cell|[\d,]+ cells)\)\.",
    r"Leave that algorithm out, or use 'drop-algorithm' or 'worst-value'\.",
    r"The algorithms differ by the same amounts (?:on every data set|in every replication): no variation is left to compare their differences with\.",
    r"If the replications are copies of each other, keep one: results\.aggregate\('mean'\)\.",
    r"Every value of '@name' is missing\.",
    r"Leave them out: results\.drop\(algorithm=\.\.\.\)\.",
    r"Orders of more than 40 algorithms are not combined\.",
    r"No two algorithms have two blocks in common\.",
    r"Use another policy for missing cells\.",
    r"A comparison needs two algorithms; there is only '@name'\.",
    r"No data set has values of two algorithms: there is nothing to compare\.",
    r"`missing='worst-value'` finds no value of @measure on 'set \d+'\.",
    r"Leave that data set out, or use 'drop-block'\.",
    r"`missing='drop-algorithm'` would leave nothing: every algorithm has a missing cell\.",
):
    kind("answer distributions inference order criteria domain costs cautions", pattern)(nothing)


# The answer.


@kind("answer", r"(?:(Both)|All (\d+)) algorithms have the same (@by) by (@measure)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.first() == set(facts.placed)
    assert len(facts.placed) == (2 if match[1] else int(match[2]))
    assert (match[3], match[4]) == (facts.criterion, facts.main)


@kind(
    "answer",
    r"(?P<first>@names) (?P<verb>has|share) the best (?P<by>@by) by (?P<measure>@measure)"
    r"(?: \((?P<direction>lower|greater) is better\))?"
    r"(?: \((?P<last>@n) cells? without a value counts? as last\))?, followed by (?P<rest>@names)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    first = facts.first()
    assert (match["by"], match["measure"]) == (facts.criterion, facts.main)
    assert lists(match["first"], first)
    assert (match["verb"] == "has") == (len(first) == 1)
    assert lists(match["rest"], set(facts.placed) - first, 9)
    values = [facts.losses[name] for name in names_in(match["rest"])]
    assert all(a <= b + 1e-9 * abs(b) for a, b in pairwise(values))
    assert match["direction"] == (
        None if facts.criterion == "mean rank" else facts.results.measures[facts.at].direction
    )
    last = facts.ranked_last - (0 if facts.single else len(facts.absent) * len(facts.blocks))
    assert number(match["last"] or "0") == last
    assert match["last"] is None or ("1 cell without a value counts" in match[0]) == (last == 1)


@kind("answer", r"(@name) is the only algorithm( with a value of @measure)?; there is nothing to compare it with\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.placed == [match[1]]
    assert match[2] == (f" with a value of {facts.main}" if facts.absent else None)


@kind("answer", r"Not in the order: (@names), which (has|have) no value of (@measure)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert lists(match[1], facts.absent)
    assert (match[2] == "has") == (len(facts.absent) == 1)
    assert match[3] == facts.main


@kind("answer", r"How sure: no pair was tested, so it is not known how sure this order is\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is None


@kind("answer", r"How sure: the first place is tied between (@names)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is not None
    assert len(facts.first()) > 1
    assert lists(match[1], facts.first())


@kind(
    "answer",
    r"How sure: (@name) is (not )?shown to be better than (the other|any other|each of the others|(\d+) of the (\d+) others)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.first() == {match[1]}
    others, beats = len(facts.placed) - 1, sum(a == match[1] for a, _ in facts.better)
    assert bool(match[2]) == (beats == 0)
    assert match[4] is None or (int(match[4]), int(match[5])) == (beats, others)
    words = {0: "any other", others: "each of the others"} if others > 1 else {0: "the other", 1: "the other"}
    assert match[3] == words.get(beats, match[3])
    assert match[4] is None or 0 < beats < others


@kind("answer", r"It has the best (@by) in (@share) of 1,000 bootstrap resamples of the (data sets|replications)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    (leader,) = facts.first()
    assert match[1] == facts.criterion
    assert (match[3] == "data sets") == (not facts.single)
    places = facts.table("order", "stability")
    if places is not None:
        assert match[2] == next(row["1"].text for row in places if row["Algorithm"].value == leader)


@kind("answer", r"Out of the race: none; no algorithm is shown to be worse than another at the ([\d.]+) level\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is not None
    assert not facts.better
    assert float(match[1]) == facts.alpha


@kind(
    "answer",
    r"Out of the race: (@names); (the other|another algorithm) is shown to be better than (it|each of them) at the ([\d.]+) level\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert lists(match[1], facts.beaten)
    assert (match[2] == "the other") == (len(facts.placed) == 2)
    assert (match[3] == "it") == (len(facts.beaten) == 1)
    assert float(match[4]) == facts.alpha


@kind("answer", r"Still in the race: (@names)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.beaten
    assert lists(match[1], set(facts.placed) - facts.beaten)


@kind("answer", r"Left out by the policy '([a-z-]+)': (@names), which (lacks|lack) a value\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    out = set(facts.names) - set(facts.in_left)
    assert match[1] == facts.policy
    assert lists(match[2], out)
    assert (match[3] == "lacks") == (len(out) == 1)


_PART = (
    r"(?P<who>@name(?: \(out of the race\))?(?:, @name(?: \(out of the race\))?)*(?: and @name(?: \(out of the race\))?)?)"
    r"(?P<what>(?:,? (?:and )?(?:on average|for the best worst case \(95% quantile\)|for the least variation over "
    r"replications|for the lowest fit time \([^)]+\)(?:, with a (?:geometric )?mean @measure of \S+)?))+)"
)
_UNNAMED = re.sub(r"\(\?P<\w+>", "(?:", _PART)


@kind(
    "answer",
    r"Which to choose, by the numbers(?: \((?P<of>@measure): the (?P<complete>@n) complete blocks? of "
    rf"(?P<blocks>@n)\))?(?P<among>, among those still in the race)?: (?P<parts>{_UNNAMED}(?:; {_UNNAMED})*)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    complete = int((~np.isnan(facts.whole[..., 0])).sum())
    if match["of"] is not None:
        assert match["of"] == facts.main
        assert (number(match["complete"]), number(match["blocks"])) == (complete, facts.results.design.sum())
    assert match["among"] is None or facts.beaten
    check_choices(facts, match["parts"], among=match["among"] is not None or not facts.beaten)


@kind("answer", rf"Among those still in the race: (?P<parts>{_UNNAMED}(?:; {_UNNAMED})*)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.beaten
    check_choices(facts, match["parts"], among=True)


@kind(
    "answer",
    r"(?:N|Which to choose: n)o best by (?P<of>@measure) is named, because (?:no block has|only (?P<complete>@n) of (?P<blocks>@n) "
    r"blocks (?P<verb>has|have)) a value of every algorithm\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match["of"] == facts.main
    complete = int((~np.isnan(facts.whole[..., 0])).sum())
    assert complete == number(match["complete"] or "0") < facts.results.design.sum()
    assert complete < 2 or 2 * complete < facts.results.design.sum()
    assert match["blocks"] is None or number(match["blocks"]) == facts.results.design.sum()
    assert (match["verb"] == "has") == (complete == 1)
    assert not any(" on average" in one for one in sentences(facts.report.section("answer")))


def check_choices(facts: Facts, parts: str, among: bool) -> None:
    race = set(facts.placed) - facts.beaten
    for part in re.finditer(expanded(_PART), parts):
        names = set(names_in(part["who"]))
        marked = set(re.findall(rf"({_NAME}) \(out of the race\)", part["who"]))
        assert marked == names & facts.beaten
        if "on average" in part["what"]:
            means = facts.whole_means()
            assert names == lowest({name: facts.sign * one for name, one in means.items()})
        if "for the best worst case" in part["what"]:
            assert names == lowest(facts.worst())
        if "for the least variation" in part["what"]:
            assert among
            assert names == lowest({name: one for name, one in facts.spread().items() if name in race})
        cost = re.search(
            r"for the lowest fit time \(([^ )]+)(?: s)?\)(?:, with a (geometric )?mean \S+(?: time)? of (\S+))?",
            part["what"],
        )
        if cost is not None:
            assert among
            costs = {name: one for name, one in facts.average("fit time").items() if name in race}
            assert names == lowest(costs)
            assert float(cost[1]) == float(f"{min(one for one in costs.values() if not np.isnan(one)):.3g}")
            if cost[3] is not None:
                (name,) = names
                assert float(cost[3].rstrip(";.")) == float(f"{facts.whole_means()[name]:.3g}")


@kind("answer", r"What it holds for: further data sets like these; it rests on (\d+) data sets\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not facts.single
    if facts.pairs is not None:
        assert int(match[1]) == len(facts.blocks)


@kind(
    "answer",
    r"What it holds for: (further resamples of )?set 0 only(, not the population behind it)?; it rests on (\d+) replications?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.single
    assert bool(match[1]) == bool(match[2])
    if facts.pairs is not None:
        assert int(match[3]) == len(facts.blocks)
        told = [
            text
            for text in sentences(facts.report.section("cautions"))
            if text.startswith("This outcome holds only for new")
        ]
        assert bool(match[1]) == bool(told)
    assert ("1 replication." in match[0]) == (int(match[3]) == 1)


@kind("answer", r"Mean ranks on @blocks, best at the left\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    check_blocks(facts, match)
    rows = facts.data("answer", "answer")
    ranks = [row["Mean rank"].value for row in rows]
    assert ranks == sorted(ranks)


@kind("answer", r"Algorithms joined by a bar, or by dots on a line, are not shown to differ\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is not None


@kind("answer", r"The ranks are those of the values as measured, not of their logarithms\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.is_log(facts.at)
    assert "equivalence" in facts.case.options or facts.policy == "worst-rank"


@kind("answer", r"There is no order\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.table("distributions", "summary") is None
    assert facts.pairs is None


@kind("answer", r"The order by mean ranks differs from that by (geometric means|means)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == f"{facts.criterion}s"
    ranks = {row["Algorithm"].value: row["Mean rank"].value for row in facts.data("answer", "answer")}
    assert any(facts.losses[a] < facts.losses[b] and ranks[a] > ranks[b] for a in ranks for b in ranks)


@kind("answer", r"Mean ranks")
def _(facts: Facts, match: re.Match[str]) -> None:
    ranks = {row["Algorithm"].value: row["Mean rank"].value for row in facts.data("answer", "answer")}
    told = any("as measured, not of their logarithms" in one for one in sentences(facts.report.section("answer")))
    if not np.isnan(facts.blocks).any() and not told and facts.policy != "worst-rank":
        assert all(np.isclose(one, facts.mean_ranks[name]) for name, one in ranks.items())


# The experiment.


@kind("design", r"The design")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = {row["Part"].text: row["Content"].text for row in facts.table("design", "design")}
    assert rows["Data sets"].startswith(f"{len(facts.sets)}: ")
    more = re.search(r" and (\d+) more$", rows["Data sets"])
    assert re.findall(_SET, rows["Data sets"]) == facts.sets[: len(facts.sets) - int(more[1] if more else 0)]
    assert rows["Algorithms"].startswith(f"{len(facts.names)}: ")
    assert lists(rows["Algorithms"].partition(": ")[2], facts.names)
    count = str(len(facts.results.replications))
    assert rows["Replications"].split(";")[0] == (count if facts.single else f"{count} each")
    assert re.findall(r"(score|gain|fit time) \((lower|greater) is better", rows["Measures"]) == [
        (one.name, one.direction) for one in facts.results.measures
    ]


@kind("design", r"The table is complete: all (@n) cells( that were run)? have a value\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    run, lacking, early = facts.gaps()
    assert (number(match[1]), 0) == (run, lacking)
    assert bool(match[2]) == (early > 0)


@kind("design", r"The table is complete: its only cell has a value\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.values.size == 1


@kind("design", r"(@n) of (@n) cells( that were run)? \((@share)\) (has|have) no value\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    run, lacking, early = facts.gaps()
    assert (number(match[1]), number(match[2])) == (lacking, run)
    assert is_share(match[4], lacking / run)
    assert bool(match[3]) == (early > 0)
    assert (match[5] == "has") == (lacking == 1)


@kind("design", r"On (@sets) no algorithm has a value of (@measure): analyses of (@measure) leave (it|them) out\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    lacking = np.isnan(facts.values[..., facts.at]).all(axis=(1, 2))
    empty = [name for name, none in zip(facts.sets, lacking, strict=True) if none]
    assert re.findall(_SET, match[1]) == empty
    assert match[2] == match[3] == facts.main
    assert (match[4] == "it") == (len(empty) == 1)


@kind("design", r"Analyses use the policy '([a-z-]+)' for (it|them)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == facts.policy
    assert (match[2] == "it") == (facts.gaps()[1] == 1)


@kind("design", r"In addition, (@n) cells? (was|were) never run, because a stopping rule had decided\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert number(match[1]) == facts.gaps()[2] > 0
    assert (match[2] == "was") == (facts.gaps()[2] == 1) == (" cell " in match[0])


@kind("design", r"Where (@n) cells? (has|have) no value, and why")
def _(facts: Facts, match: re.Match[str]) -> None:
    lacking = facts.gaps()[1]
    assert number(match[1]) == lacking
    assert (match[2] == "has") == (lacking == 1) == (" cell " in match[0])
    reasons = ("", "absent", "failed", "timeout", "skipped", "crashed")
    codes = np.where(np.isnan(facts.values), facts.reasons, 0)
    expected = [
        (one, name, measure, reasons[code], int((codes[m, :, k, j] == code).sum()))
        for m, one in enumerate(facts.sets)
        for k, name in enumerate(facts.names)
        for j, measure in enumerate(facts.measures)
        for code in range(1, 6)
        if (codes[m, :, k, j] == code).any()
    ]
    said = [tuple(cell.value for cell in row.values()) for row in facts.table("design", "missing")]
    assert sorted(said) == sorted(expected)
    assert [one[:3] for one in said] == [one[:3] for one in expected]


@kind(
    "design",
    r"We compared (two) candidate algorithms on (one) classification data set .*\((\d+) replications\).* The experiment comprises (\d+) fits\. .*",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (len(facts.names), len(facts.sets)) == (2, 1)
    assert int(match[3]) == len(facts.results.replications)
    assert int(match[4]) == 2 * int(match[3])


# A first look.


@kind("distributions", r"Summary of (@info) over (data sets|replications), best (@by) first")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = facts.table("distributions", "summary")
    assert match[1].startswith(facts.main)
    assert match[2] == ("replications" if facts.single else "data sets")
    assert match[3] == facts.criterion
    check_summary(facts, rows)
    values = [facts.losses[row["Algorithm"].value] for row in rows]
    known = [one for one in values if np.isfinite(one)]
    assert all(a <= b + 1e-9 * abs(b) for a, b in pairwise(known))


def check_summary(facts: Facts, rows: Rows) -> None:
    mean = "geometric mean" if facts.is_log(facts.at) else "mean"
    values = np.exp(facts.blocks) if facts.is_log(facts.at) else facts.blocks
    assert {row["Algorithm"].value for row in rows} == set(facts.in_left)
    for row in rows:
        column = values[:, facts.in_left.index(row["Algorithm"].value)]
        there = column[~np.isnan(column)]
        assert row["n"].value == len(there)
        if len(there):
            expected = [facts.means[row["Algorithm"].value], np.median(there), there.min(), there.max()]
            assert np.allclose([row[head].value for head in (mean, "median", "min", "max")], expected, rtol=1e-9)
            assert np.isclose(row["mean rank"].value, facts.mean_ranks[row["Algorithm"].value])


@kind("answer distributions", r"Summary of (@measure)")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == facts.main


@kind(
    "distributions",
    r"The benchmark experiment plot: each place shows the algorithms that finished there, one dot for each block, ties "
    r"broken at random\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert len(facts.names) > 1


@kind("distributions", r"Below: how often each algorithm took that place\.")
@kind("distributions", r"How often each algorithm takes each place; ties share theirs")
def _(facts: Facts, match: re.Match[str]) -> None:
    if not match[0].startswith("How often"):
        return
    whole = facts.cells[..., facts.left]
    whole = np.where(np.isnan(whole).any(axis=2, keepdims=True), np.nan, whole)
    left = whole[~np.isnan(whole).all(axis=(1, 2))]
    values = facts.sign * (left[0] if len(left) == 1 else mean_of(left, axis=1))
    values = np.round(values[~np.isnan(values).any(axis=1)], 12)
    low, high = (
        np.array([[(row < x).sum() + 1 if side else (row <= x).sum() for x in row] for row in values])
        for side in (1, 0)
    )
    for row in facts.data("distributions", "podium"):
        k = facts.in_left.index(row["Algorithm"].value)
        for place in range(1, len(facts.in_left) + 1):
            share = ((low[:, k] <= place) & (place <= high[:, k])) / (high[:, k] - low[:, k] + 1)
            assert np.isclose(row[str(place)].value, share.sum())


@kind("distributions inference", r"Missing cells: (\d+) of (\d+) cells missing \(.+\); .+\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    values = facts.values[..., facts.at]
    assert (int(match[1]), int(match[2])) == (np.isnan(values).sum(), values.size)


@kind("criteria", r"(?P<names>.+): (\d+) of (\d+) cells missing \(.+\); .+\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    for name in match["names"].split(", "):
        values = facts.results.select(measure=name).values
        assert (int(match[2]), int(match[3])) == (np.isnan(values).sum(), values.size)


@kind("distributions", r"Blocks in which a value is missing are left out\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert np.isnan(facts.values[..., facts.at]).any()
    assert facts.policy not in ("drop-algorithm", "worst-value") or (facts.reasons == STOPPED).any()


@kind(
    "answer distributions",
    r"Distribution of (@measure)(?: of the first (\d+) algorithms)?, best (@by) first; circles are (@by)s\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == facts.main
    assert (match[2] is not None) == (len(facts.names) > 30)
    assert match[3] == match[4] == ("geometric mean" if facts.is_log(facts.at) else "mean")


@kind("distributions", r"Distribution of fit time on a logarithmic axis, lowest (@by) on top; diamonds are (@by)s\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == match[2] == ("geometric mean" if facts.is_log(len(facts.measures) - 1) else "mean")
    assert facts.main != "fit time"
    assert (facts.values[..., -1] > 0).any()


@kind("distributions", r"Summary of fit time \(lower is better, s\), best (@by) first")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == ("geometric mean" if facts.is_log(len(facts.measures) - 1) else "mean")
    means = facts.average("fit time")
    values = [means[row["Algorithm"].value] for row in facts.data("distributions", "time")]
    known = [one for one in values if not np.isnan(one)]
    assert all(a <= b + 1e-9 * abs(b) for a, b in pairwise(known))


@kind(
    "distributions",
    r"(?:(?:Mean ± standard deviation|Geometric mean ×/÷ geometric standard deviation) of )?@info (?:on|over .* replications of each of) (\d+) data sets?; (?:best (@by) first, )?best in bold\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    table = facts.table("distributions", "scores")
    assert match[2] == (None if facts.is_log(facts.at) else "mean")
    means = facts.sign * mean_of(facts.cells[..., facts.left], axis=1)
    average = dict(zip(facts.in_left, mean_of(means, axis=0).tolist(), strict=True))
    known = [average[name] for name in table[0] if name in average and not np.isnan(average[name])]
    assert all(a <= b + 1e-9 * abs(b) for a, b in pairwise(known))
    assert int(match[1]) == len(table) == int((~np.isnan(means).all(axis=1)).sum())
    for row in table:
        losses = dict(zip(facts.in_left, means[facts.sets.index(row["Data set"].text)].tolist(), strict=True))
        bold = {name for name in facts.in_left if row[name].bold}
        assert lowest(losses) <= bold
    (scores,) = [one.table for one in facts.report.section("distributions").blocks if one.name == "scores"]
    ranks = {row["Algorithm"].text: row["mean rank"].value for row in facts.table("distributions", "summary")}
    for foot in scores.foot:
        shown = {column.name: cell.value for column, cell in zip(scores.columns[1:], foot[1:], strict=True)}
        assert shown == {name: pytest.approx(ranks[name]) for name in facts.in_left}


@kind("distributions", r"The algorithms are ordered by geometric mean, best first\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.is_log(facts.at)


@kind("distributions", r"(@n) cells? without a value; in the mean ranks (?:it comes|they come) last\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    means = mean_of(facts.cells[..., facts.left], axis=1)
    lacking = int(np.isnan(means[~np.isnan(means).all(axis=1)]).sum())
    assert number(match[1]) == lacking
    assert (" cell " in match[0]) == (lacking == 1) == ("it comes" in match[0])


# What the tests show.


@kind(
    "inference",
    r"(?P<pairs>@n) pairs of algorithms were compared by the (?P<method>.+) on @blocks: "
    r"(?:one of the two is shown to be better in (?P<all>all of them)|"
    r"(?:in (?P<none>none of them) is one shown to be better|one of the two is shown to be better in (?P<better>@n))"
    r"(?:; in (?P<alike>none|@n) (?:are both|both are) shown to be equivalent)?"
    r"; (?P<open>none|@n) (?P<verb>is|are) undecided)"
    r"(?:, (?P<untested>@n) of them because (?P<whose>its|their) algorithms share too few blocks to be tested)?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    check_blocks(facts, match)
    counts = {
        word: sum(row["Decision"].text == word for row in facts.pairs) for word in ("better", "equivalent", "undecided")
    }
    k = len(facts.left)
    assert number(match["pairs"]) == len(facts.pairs) == k * (k - 1) // 2
    assert (match["all"] is not None) == (counts["better"] == len(facts.pairs))
    if match["all"] is not None:
        return
    assert match["better"] == (str(counts["better"]) if counts["better"] else None)
    assert (match["none"] is not None) == (counts["better"] == 0)
    assert (match["alike"] is not None) == ("equivalence" in facts.case.options)
    assert (match["alike"] or "none") == (str(counts["equivalent"]) if counts["equivalent"] else "none")
    assert match["open"] == (str(counts["undecided"]) if counts["undecided"] else "none")
    assert (match["verb"] == "is") == (counts["undecided"] < 2)
    there = ~np.isnan(facts.cells[..., facts.left])
    axis = 0 if facts.single else 1  # data sets in which both have a replication in common
    shared = [(there[..., i] & there[..., j]).any(axis=axis) for i in range(k) for j in range(i)]
    untested = 0 if facts.policy == "worst-rank" else sum(one.sum() < 2 for one in shared)
    assert number(match["untested"] or "0") == untested
    assert match["untested"] is None or (match["whose"] == "its") == (untested == 1)


@kind(
    "inference",
    r"(@names) were compared by the (.+) on @blocks: (?:(?P<best>@name) is shown to be better|(?P<alike>they are shown to be equivalent)|(?P<open>which is better is undecided))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    check_blocks(facts, match)
    (row,) = facts.pairs
    assert lists(match[1], facts.in_left)
    decided = "better" if match["best"] else "equivalent" if match["alike"] else "undecided"
    assert row["Decision"].text == decided
    assert match["best"] in (None, row["a"].value)


@kind(
    "inference",
    r"The (.+) finds (a|no) difference among the algorithms \(statistic = [\d.e+-]+(?:, df = [^p]+)?, p (=|<) ([\d.]+)\)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (match[2] == "a") == (float(match[4]) <= facts.alpha)
    assert match[2] == "a" or not facts.better


@kind("inference", r"Better: so large a difference would be rare if there were none\.")
@kind("inference", r"Undecided: the data show neither a difference nor its absence\.")
@kind("inference", r"It does not mean equal\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is not None


@kind(
    "inference",
    r"At most (@share) of experiments like this one lead to (any|a) wrong claim of this kind, if the test's assumptions hold\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert is_share(match[1], facts.alpha)
    assert (match[2] == "any") == (len(facts.pairs) > 1)


@kind("inference", r"Equivalent: the difference is shown to lie between (-[\d.]+) and ([\d.]+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert -float(match[1]) == float(match[2]) == facts.case.options["equivalence"]


@kind(
    "inference",
    r"The (.+?)(?: of all pairs, with (@share) confidence intervals for all pairs together|, with its (@share) confidence interval)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert is_share(match[2] or match[3], 1 - facts.alpha)
    assert (match[3] is None) == (len(facts.pairs) > 1)
    assert match[1] in facts.title("inference", "pairs")
    assert "Interval" in facts.pairs[0]


@kind("inference", r"Adjusted p-values of all pairs\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert len(facts.pairs) > 1
    assert "p-values adjusted" in facts.title("inference", "pairs")


@kind(
    "inference",
    r"(?P<test>.+) of (?P<k>\d+) algorithms on @blocks by (?P<measure>@measure): [^;]+; bold where a is better than b at the (?P<level>[\d.]+) level\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    check_blocks(facts, match)
    assert (int(match["k"]), match["measure"], float(match["level"])) == (len(facts.left), facts.main, facts.alpha)
    losses = facts.sign * facts.blocks
    if facts.is_log(facts.at) and "Ratio" not in facts.pairs[0]:  # compared as measured
        losses = facts.sign * (np.exp(facts.cells[0]) if facts.single else mean_of(np.exp(facts.cells), axis=1))
        losses = losses[~np.isnan(losses).all(axis=1)][:, facts.left]
    for row in facts.pairs:
        a, b = (facts.in_left.index(row[side].value) for side in "ab")
        better = row["Decision"].text == "better"
        assert row["a"].bold == better
        p = row["p"].value if "p" in row else None
        if better:
            assert p <= facts.alpha
        elif "equivalence" not in facts.case.options and not facts.gated:
            assert p is None or p > facts.alpha
        both = ~np.isnan(losses[:, a] + losses[:, b])
        if facts.policy != "worst-rank" and both.any():
            gap, scale = losses[both, b] - losses[both, a], np.nanmax(np.abs(losses))
            wins, even = (gap > 1e-11 * scale).mean(), (np.abs(gap) <= 1e-11 * scale).mean()
            assert wins - 1e-9 <= row["Superiority"].value <= wins + even + 1e-9  # equal means may differ by rounding


@kind(
    "inference cautions",
    r"The intervals? of (?P<pairs>[\w/, ]+) (?P<verb>ends?) at (?P<even>[01]), because many blocks have no difference: the test leaves these out, and shows which is better in the others\.",
)
@kind(
    "inference cautions",
    r"The intervals? of (?P<pairs>[\w/, ]+) (?P<verb>contains?) (?P<even>[01]), although the p-values? shows? a difference: the p-values are adjusted in steps \('[\w-]+'\), for which there are no two-sided intervals; the intervals are Bonferroni's\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    named = re.findall(rf"({_NAME})/({_NAME})", match["pairs"])
    intervals = {(row["a"].value, row["b"].value): row["Interval"].value for row in facts.pairs}
    assert (match["verb"].endswith("s")) == (len(named) == 1) == match[0].startswith("The interval ")
    for a, b in named:
        pair = (a, b) if (a, b) in intervals else (b, a)
        low, high = intervals[pair]
        assert pair in facts.better
        even = 1 if "Ratio" in facts.pairs[0] else 0
        assert int(match["even"]) == even
        assert even in (low, high) if "end" in match["verb"] else low < even < high


@kind(
    "inference cautions", r"(\d+) of (\d+) pairs (has|have) fewer than two blocks in common and (was|were) not tested\."
)
def _(facts: Facts, match: re.Match[str]) -> None:
    untested = sum(row["p"].value is None for row in facts.pairs)
    assert (int(match[1]), int(match[2])) == (untested, len(facts.pairs))
    assert (match[3] == "has") == (match[4] == "was") == (untested == 1)


@kind(
    "inference cautions",
    r"With (\d+) (data sets|replications) (?:two algorithms cannot|no pair of (\d+) algorithms can) be shown to differ at the ([\d.]+) level by signed ranks: the smallest p-value that they can have is ([\d.]+)(?:, ([\d.]+) after the adjustment for (\d+) pairs)?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    k, n = len(facts.left), len(facts.blocks)
    assert not facts.better
    assert int(match[1]) == n
    assert int(match[3] or 2) == k
    assert float(match[4]) == facts.alpha
    assert np.isclose(float(match[5]), 2.0 ** (1 - n), rtol=0.05)
    tested = sum(row["p"].value is not None for row in facts.pairs)
    assert int(match[7] or 1) == tested
    assert np.isclose(float(match[6] or match[5]), min(1, tested * 2.0 ** (1 - n)), rtol=0.05)


@kind("inference cautions", r"To show a difference, (\d+) (?:data sets|replications) would be enough\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert 2.0 ** (1 - int(match[1])) <= facts.alpha
    assert int(match[1]) > len(facts.blocks)


@kind(
    "inference cautions",
    r"With fewer, method='t' can, if differences are normal, and method='mixed', if effects are normal and of equal variance\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not facts.better


@kind(
    "inference cautions",
    r"This outcome holds only for new resamples of this data set, not for the population behind it: replications drawn from one data set overlap, and the (.+) treats them as independent\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.single
    assert match[1].lower() in facts.title("inference", "pairs").lower()


@kind(
    "inference cautions",
    r"For the population it is far too liberal\.(?: method='corrected t' allows for the overlap\.)?",
)
@kind(
    "inference cautions",
    r"It needs `ratio`, the size of the test sample divided by that of the learning sample, such as 1/9 for 10-fold cross-validation or 0\.58 for a bootstrap\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.single


@kind(
    "inference cautions",
    r"The global test finds no difference \((.+), @p\): no pair is called different, and all algorithms form one group\.",
)
@kind("inference cautions", r"The p-values of the pairs are still shown\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.gated
    assert not facts.better


@kind(
    "inference",
    r"Superiority is the share of (data sets|replications) in which the first of a pair is better, ties counted half\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (match[1] == "replications") == facts.single
    assert "Superiority" in facts.pairs[0]


@kind(
    "inference cautions costs",
    r"(?:Mixed-effects model: )?A stopping rule (?:ended (?P<sets>@sets) (?P<n>\d+) replications? early)?(?: and )?(?:left out (?P<names>@names) once beaten)?: trials that were not run do not count as missing\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (facts.reasons == STOPPED).any()


@kind(
    "inference cautions costs",
    r"When the rule stopped depends on the outcomes it saw, so a test for a number of replications that was fixed in advance does not keep its level here, and differences look larger than they are; the decisions of the rule do keep it\.",
)
@kind("cautions costs", r"`Warehouse\.decisions` returns these decisions\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (facts.reasons == STOPPED).any()


# The order.


@kind("order", r"No algorithm is shown to be better than another: the data show no order\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is not None
    assert not facts.better


@kind("order", r"The tests show this order \(≺ where the first is shown to be better, ∼ where neither is\): (@order)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    levels = {name: i for i, level in enumerate(match[1].split(" ≺ ")) for name in level.split(" ∼ ")}
    assert set(levels) == set(facts.compared)
    assert strict(levels)[0] == facts.better


@kind(
    "order",
    r"The tests do not show a ranking: of two algorithms neither of which is shown to be better, one may be shown to be better or worse than a third while the other is not\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not is_weak(facts.better, facts.compared)


def is_weak(better: set[tuple[str, str]], names: list[str]) -> bool:
    """Whether pairs are those of an order with ties."""
    wins = {name: sum(a == name for a, _ in better) - sum(b == name for _, b in better) for name in names}
    return {(a, b) for a in names for b in names if wins[a] > wins[b]} == better


@kind("order", r"(@names) (is|are each) shown to be better than (@names)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    beaten = {name: frozenset(b for a, b in facts.better if a == name) for name in facts.compared}
    alike = {name for name in facts.compared if beaten[name] == beaten[names_in(match[1])[0]]}
    assert lists(match[1], alike)
    assert lists(match[3], set(beaten[names_in(match[1])[0]]))
    assert (match[2] == "is") == (len(alike) == 1)
    lines = sum(" shown to be better than " in one for one in sentences(facts.report.section("order")))
    assert lines == min(len(set(beaten.values()) - {frozenset()}), 16)  # of which the last may count the rest


@kind("order", r"(\d+) more (is|are) shown to be better than at least one other\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    lines = [one.split(" shown to be better than ") for one in sentences(facts.report.section("order"))]
    told = [names_in(one[0]) for one in lines if len(one) == 2 and one[1] != "at least one other."]
    assert len(told) == 15
    assert int(match[1]) + sum(map(len, told)) == len({a for a, _ in facts.better})
    assert (match[2] == "is") == (match[1] == "1")


@kind("order", r"The best at the bottom; lines lead up from better algorithms to worse ones\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.better


@kind("order", r"Levels, best first")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = facts.data("order", "hasse")
    level = {name: row["Level"].value for row in rows for name in names_in(row["Algorithms"].text)}
    assert set(level) == set(facts.compared)
    assert all(level[a] < level[b] for a, b in facts.better)


@kind(
    "order",
    r"Share of 1,000 bootstrap resamples of the (data sets|replications) in which an algorithm takes a place by (@by)(; the first 12 places)?",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (match[1] == "replications") == facts.single
    assert match[2] == facts.criterion
    rows = facts.table("order", "stability")
    assert (match[3] is not None) == (len(rows) > 12)
    if len(rows) > 12:
        assert list(rows[0]) == ["Algorithm", *map(str, range(1, 13))]
        return
    shares = {row["Algorithm"].value: [row[str(place)].value for place in range(1, len(rows) + 1)] for row in rows}
    assert np.allclose([sum(one) for one in shares.values()], 1)
    assert np.allclose(np.sum(list(shares.values()), axis=0), 1)
    # Another bootstrap; 1,000 resamples of each leave a standard error of 0.022 or less between the two.
    losses = facts.sign * facts.blocks if facts.single else ranks_of(facts.sign * facts.blocks)
    n = len(losses)
    weights = np.random.default_rng(5).multinomial(n, np.full(n, 1 / n), size=1000).astype(float)
    counts = weights @ ~np.isnan(losses)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(counts > 0, (weights @ np.nan_to_num(losses)) / counts, np.inf)
    near = np.round(means / max(np.abs(means[np.isfinite(means)]).max(initial=0.0), 1e-300), 12)
    first = near == near.min(axis=1, keepdims=True)
    expected = dict(zip(facts.in_left, (first / first.sum(axis=1, keepdims=True)).mean(axis=0), strict=True))
    assert all(abs(one[0] - expected[name]) < 0.12 for name, one in shares.items())


# Several measures.


@kind(
    "criteria",
    r"(?:Mean ± standard deviation|Geometric mean ×/÷ geometric standard deviation)(?: \(on a log scale: geometric\))? over (?:(\d+) data sets|the replications of (set 0)); best mean (@measure) first, best in bold\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    info = facts.results.measures[0]
    assert match[3] == info.name
    average = facts.average(info.name)
    losses = [
        average[row["Algorithm"].value] * (1 if info.direction == "lower" else -1)
        for row in facts.table("criteria", "measures")
    ]
    known = [one for one in losses if not np.isnan(one)]
    assert all(a <= b + 1e-9 * abs(b) for a, b in pairwise(known))
    assert (match[2] is not None) == facts.single
    assert match[1] is None or int(match[1]) <= len(facts.sets)
    rows = facts.table("criteria", "measures")
    for name in facts.measures:
        head = next(one for one in rows[0] if one.startswith(name))
        at = facts.measures.index(name)
        sign = 1 if facts.results.measures[at].direction == "lower" else -1
        assert ("↓" in head) == (sign == 1)
        best = lowest({k: sign * v for k, v in facts.average(name).items()})
        assert best <= {row["Algorithm"].value for row in rows if row[head].bold}


@kind("criteria", r"fit time: geometric mean ×/÷ geometric standard deviation\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.is_log(len(facts.measures) - 1)


@kind(
    "criteria",
    r"(?P<measure>@measure): (?:(?P<none>no algorithm is shown to be worse than another)|(?P<rest>@names) (?P<verb>is|are) not shown to be worse than any other|(?P<all>every algorithm is shown to be worse than at least one other))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    if match["measure"] == facts.main:
        beaten, names = facts.beaten, facts.compared
    else:
        scale = {"transform": "log"} if facts.is_log(facts.measures.index(match["measure"])) else {}
        scale = scale if facts.policy != "worst-rank" else {}
        found = compare(
            facts.results.select(measure=match["measure"]), alpha=facts.alpha, missing=facts.policy, **scale
        )
        frame = found.frame()
        beaten, names = set(frame.loc[frame["decision"] == "better", "b"]), list(found.algorithms)
    assert (match["none"] is not None) == (not beaten)
    assert (match["all"] is not None) == (beaten == set(names))
    if match["rest"] is not None:
        assert lists(match["rest"], set(names) - beaten)
        assert (match["verb"] == "is") == (len(names) - len(beaten) == 1)


@kind("criteria", r"(@measure): not compared\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    if match[1] == facts.main:
        assert facts.pairs is None


def voters(facts: Facts) -> dict[str, tuple[set[tuple[str, str]], set[str]]]:
    """The order of the algorithms by each measure, as ordered pairs."""
    found = {}
    for name in facts.measures:
        losses = facts.order_by(name)
        if all(np.isfinite(one) for one in losses.values()) or not facts.single:
            found[name] = strict(levels_of(losses))
    return found


@kind(
    "criteria",
    r"If (?:(both)|all (\d)) measures count equally, (?:the order nearest to their orders by (?P<by1>means|mean ranks) is (?P<one>@order)|(?P<many>@n)(?P<more> or more)? orders are equally near to their orders by (?P<by2>means|mean ranks)(?:, for example (?P<some>@order)|: (?P<two>@order), and (?P<other>@order)))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    votes = voters(facts)
    assert len(votes) == (2 if match[1] else int(match[2]))
    assert ((match["by1"] or match["by2"]) == "means") == facts.single
    if len(facts.names) > 5 or any(len(known) < len(facts.names) for _, known in votes.values()):
        return
    best = nearest(facts.names, [(*vote, 1.0) for vote in votes.values()])
    for one in filter(None, match.group("one", "some", "two", "other")):
        assert tuple(names_in(one)) in best
    assert match["two"] is None or match["two"] != match["other"]
    assert len(best) == (1 if match["one"] else len(best) if match["more"] else number(match["many"]))


@kind("criteria", r"How the winner depends on the weight of a measure:")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert len(facts.measures) > 1


@kind(
    "criteria",
    r"(?P<measure>@measure)(?: \((?P<share>@share) if all count equally\))?: (?P<parts>@name(?: or @name)*(?:, whatever its weight| below @share of the weight(?:; @name(?: or @name)* from @share to @share)*; @name(?: or @name)* above @share))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    votes = voters(facts)
    assert match["share"] is None or is_share(match["share"], 1 / len(votes))
    if len(facts.names) > 4 or any(len(known) < len(facts.names) for _, known in votes.values()):
        return
    for part in match["parts"].split("; "):
        ends = [float(one) / 100 for one in re.findall(r"([\d.]+)%", part)]
        low, high = (
            (0.0, 1.0)
            if "whatever" in part
            else (0.0, ends[0])
            if "below" in part
            else (ends[0], 1.0)
            if "above" in part
            else ends
        )
        weight = (low + high) / 2
        others = (1 - weight) / (len(votes) - 1)
        best = nearest(
            facts.names, [(*vote, weight if name == match["measure"] else others) for name, vote in votes.items()]
        )
        assert set(names_in(part)) == {chain[0] for chain in best}
