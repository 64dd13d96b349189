"""No sentence of a report contradicts the table beside it, whatever the data."""

from __future__ import annotations

import re
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium.reporting import Figure, Paragraph, Points, Report, Tabular

NAMES = ("ada", "bob", "cleo", "dan", "zoe")
NAME = rf"\b(?:{'|'.join(NAMES)})\b"
SECTIONS = ["answer", "distributions", "inference", "order", "criteria", "costs", "cautions"]


@st.composite
def scores(draw: st.DrawFn) -> podium.Results:
    """Scores with ties, gaps, one or two measures, in either direction."""
    m, b, k = draw(st.integers(1, 9)), draw(st.integers(1, 4)), draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    distance = draw(st.sampled_from([0.0, 0.5, 3.0]))
    values = rng.normal(size=(m, b, k, 2)) + distance * np.arange(k)[:, None] + rng.normal(size=(m, 1, 1, 1))
    values = np.round(values, draw(st.sampled_from([0, 1, 8])))
    values[..., 1] = np.exp(-values[..., 1])
    values[rng.random((m, b, k)) < draw(st.sampled_from([0.0, 0.0, 0.1, 0.5]))] = np.nan
    values[0, 0] = rng.normal(size=(k, 2)) ** 2 + 0.1
    labels = {
        "dataset": [f"set {i}" for i in range(m)],
        "replication": list(range(1, b + 1)),
        "algorithm": list(NAMES[:k]),
        "measure": ["score", "fit time"],
    }
    direction = {"score": draw(st.sampled_from(["lower", "greater"])), "fit time": "lower"}
    both = podium.read(values, labels=labels, direction=direction)
    return both if draw(st.booleans()) else both.select(measure="score")


def texts(report: Report, section: str) -> list[str]:
    found = []
    for block in report.section(section).blocks:
        if isinstance(block, Paragraph):
            found.append(block.text)
        elif isinstance(block, Points):
            found += block.items
    return found


def table(report: Report, section: str, name: str) -> list[dict[str, object]] | None:
    for block in report.section(section).blocks:
        if isinstance(block, Tabular) and block.name == name:
            heads = [column.name for column in block.table.columns]
            return [dict(zip(heads, row, strict=True)) for row in block.table.rows]
    return None


def line(lines: list[str], start: str) -> str:
    return next((one for one in lines if one.startswith(start)), "")


def named(text: str) -> set[str]:
    return set(re.findall(NAME, text))


@settings(max_examples=60, deadline=None)
@given(scores())
def test_sentences_agree_with_the_tables(results: podium.Results) -> None:
    report = podium.report(results, sections=SECTIONS, progress="quiet")
    answer, (lead, *_) = texts(report, "answer"), texts(report, "answer")
    summary = table(report, "distributions", "summary")
    pairs = table(report, "inference", "pairs")
    assert summary is not None
    check_lead(lead, summary, results)
    if pairs is None:
        assert "no pair was tested" in line(answer, "How sure")
        assert not line(answer, "Out of the race")
        assert line(texts(report, "cautions"), "No pair was tested.")
        return
    better = [(row["a"].value, row["b"].value) for row in pairs if row["Decision"].text == "better"]
    check_race(answer, better, results.algorithms)
    check_sureness(line(answer, "How sure"), lead, better, report)
    check_reading(texts(report, "inference")[0], pairs)
    check_order(texts(report, "order"), better)
    check_choices(line(answer, "What to take"), summary, better, results)
    if len(results.measures) == 2:
        own = line(texts(report, "criteria"), "score: ")
        beaten = {b for _, b in better}
        if beaten and beaten != set(results.algorithms):
            assert named(own) == set(results.algorithms) - beaten
    figures = [block.name for one in report.sections for block in one.blocks if isinstance(block, Figure)]
    assert figures.count("answer") == 1


def check_lead(lead: str, summary: list[dict[str, object]], results: podium.Results) -> None:
    by = "mean rank" if len(results.datasets) > 1 else "mean"
    sign = results.measures[0].sign if by == "mean" else 1
    values = {row["Algorithm"].value: sign * row[by].value for row in summary}
    least = min(value for value in values.values() if not np.isnan(value))
    first = {name for name, value in values.items() if np.isclose(value, least, rtol=1e-12, atol=0)}
    if len(first) == len(values):
        assert lead.startswith(("All", "Both"))
        return
    assert named(lead.partition(" the best ")[0]) == first
    order = re.findall(NAME, lead)
    assert order[len(first) :] == [name for name in values if name not in first]


def check_race(answer: list[str], better: list[tuple[str, str]], names: tuple[str, ...]) -> None:
    race = line(answer, "Out of the race")
    out, _, left = race.partition("Still in it:")
    assert named(out) == {b for _, b in better}
    if better:
        assert named(left) == set(names) - {b for _, b in better}


def check_sureness(sure: str, lead: str, better: list[tuple[str, str]], report: Report) -> None:
    if "tied" in sure:
        return
    leader = re.findall(NAME, lead)[0]
    count = sum(a == leader for a, _ in better)
    others = len(re.findall(NAME, lead)) - 1
    words = {0: "not shown to be better than", others: "better than the other" if others == 1 else "each of the others"}
    assert words.get(count, f"better than {count} of the {others} others") in sure
    places = table(report, "order", "stability")
    if places is not None:
        share = next(row["1"].text for row in places if row["Algorithm"].value == leader)
        assert f" in {share} of 1,000 " in sure


def check_reading(reading: str, pairs: list[dict[str, object]]) -> None:
    shown = sum(row["Decision"].text == "better" for row in pairs)
    if len(pairs) == 1:
        assert ("is shown to be better" in reading) == bool(shown)
        return
    assert reading.startswith(f"{len(pairs)} pairs ")
    assert (f"in {shown} one is shown" if shown else "in none of them is one shown") in reading
    open_ = sum(row["Decision"].text == "undecided" for row in pairs)
    assert f"{open_ or 'none'} {'is' if open_ < 2 else 'are'} undecided" in reading


def check_order(lines: list[str], better: list[tuple[str, str]]) -> None:
    if not better:
        assert lines[0] == "No algorithm is shown to be better than another: the data show no order."
    elif lines[0].startswith("What is shown orders the algorithms"):
        relation = podium.Relation.from_chain(lines[0].rpartition(": ")[2].rstrip("."))
        said = {(a, b) for a in relation.algorithms for b in relation.algorithms if relation.prefers(a, b)}
        assert said == set(better)
    else:
        told = [re.findall(NAME, one) for one in lines if " is shown to be better than " in one]
        assert {(names[0], other) for names in told for other in names[1:]} == set(better)


def check_choices(
    take: str, summary: list[dict[str, object]], better: list[tuple[str, str]], results: podium.Results
) -> None:
    overall, _, among = take.partition("Among those still in the race")
    assert not named(among) & {b for _, b in better}
    if "(score: " in take or "on average" not in overall:
        return  # by the blocks without a gap, which the table beside does not show alone
    means = {row["Algorithm"].value: results.measures[0].sign * row["mean"].value for row in summary}
    best = {name for name, value in means.items() if np.isclose(value, min(means.values()), rtol=1e-12, atol=0)}
    part = next(one for one in overall.partition(": ")[2].split(";") if "on average" in one)
    assert named(part.partition(" on average")[0]) == best


@settings(max_examples=25, deadline=None)
@given(scores())
def test_sentences_on_domain_costs_and_methods_agree_with_the_tables(results: podium.Results) -> None:
    report = podium.report(results, sections=["inference", "order", "domain", "costs", "methods"], progress="quiet")
    check_domain(report)
    check_costs(report, results)
    check_methods(report, results)


def check_domain(report: Report) -> None:
    lines, rows = texts(report, "domain"), table(report, "domain", "orders")
    if rows is None:
        assert len(lines) == 1  # why there is none
        return
    orders = {row["Data set"].text: order_of(row["Order, best first"].text) for row in rows}
    names = sorted({name for order in orders.values() for name in order})
    distances = {chain: sum(distance(chain, order) for order in orders.values()) for chain in permutations(names)}
    nearest = {chain for chain, total in distances.items() if total == min(distances.values())}
    if not any(len(set(order.values())) > 1 for order in orders.values()):
        assert lines[0].startswith(f"On none of the {len(rows)} data sets is a difference shown")
    else:
        chain = tuple(re.findall(NAME, lines[0])[: len(names)])
        assert chain in nearest
        many = "" if len(nearest) == 1 else f"{len(nearest)} orders are equally near to "
        start = (
            f"{many}those on the {len(rows)} data sets" if many else f"The order nearest to those on the {len(rows)} "
        )
        assert lines[0].startswith(start)
    alike = all(one == next(iter(orders.values())) for one in orders.values())
    alike &= any(len(set(order.values())) > 1 for order in orders.values())
    assert ("All data sets have the same order." in lines) == (alike and len(rows) >= 4)
    for group in (one for one in lines if re.match(r"\d+ data sets? \(", one)):
        members = re.findall(r"set \d+", group)
        if f" and {len(rows)} more" not in group and len(members) == int(group.split()[0]):
            won = [name for one in members for name, level in orders[one].items() if level == 0]
            told = dict(re.findall(rf"({NAME}) (\d+)", group.partition("): ")[2]))
            assert told == {name: str(won.count(name)) for name in set(won)}


def order_of(text: str) -> dict[str, int]:
    """The level of each algorithm in an order, best first."""
    return {name: i for i, level in enumerate(text.split(" ≺ ")) for name in level.split(" ∼ ")}


def distance(chain: tuple[str, ...], order: dict[str, int]) -> int:
    """Symmetric difference of a linear order and an order with ties, of the algorithms that both have."""
    count = 0
    for a, b in combinations([name for name in chain if name in order], 2):
        count += 0 if order[a] < order[b] else 1 if order[a] == order[b] else 2
    return count


def check_costs(report: Report, results: podium.Results) -> None:
    (said,), rows = texts(report, "costs"), table(report, "costs", "costs")
    if rows is None:
        return
    order = [row["Algorithm"].value for row in rows]
    assert f"The order is {', '.join(f'{i}: {name}' for i, name in enumerate(order, 1))}." in said
    assert [row["Rank"].value for row in rows] == list(range(1, len(rows) + 1))
    wins = {(row["Algorithm"].value, name) for row in rows for name in re.findall(NAME, row["Better than"].text)}
    assert wins == {(name, row["Algorithm"].value) for row in rows for name in re.findall(NAME, row["Worse than"].text)}
    if "Mean rank" in rows[0]:  # of Multi²Test; with one value per data set, MultiTest takes the data sets as blocks
        for row in rows:
            assert re.search(rf"{row['Algorithm'].value} {row['Mean rank'].value:.2f}\b", said)


def check_methods(report: Report, results: podium.Results) -> None:
    said, *works = texts(report, "methods")
    k, m = len(results.algorithms), len(results.datasets)
    info = results.measures[0]
    assert said.startswith(f"{k} algorithms were studied on {m} data set{'' if m == 1 else 's'} by {info.name} (")
    assert f"({info.direction} is better)" in said
    pairs = next((b for b in report.section("inference").blocks if isinstance(b, Tabular) and b.name == "pairs"), None)
    assert (" were compared by the " in said) == (pairs is not None)
    if pairs is not None:
        test = said.partition(" were compared by the ")[2].partition(" on ")[0]
        assert test.lower() in pairs.table.title.lower()
        adjusted = re.search(r"p-values (?:are )?(adjusted [^;(]*|not adjusted [^;(]*?) ?[;(.]", said)
        assert (adjusted is not None) == (len(pairs.table.rows) > 1) == ("p-values" in pairs.table.title)
        assert adjusted is None or adjusted[1].strip() in pairs.table.title
    assert ("bootstrap resamples" in said) == (table(report, "order", "stability") is not None)
    assert ("Test (Ulaş et al. 2008)" in said) == (table(report, "costs", "costs") is not None)
    assert ("Kemeny & Snell 1962" in said) == (table(report, "domain", "orders") is not None)
    assert ("A mixed-effects model was fitted" in said) == bool(line(texts(report, "domain"), "A mixed-effects model"))
    cited = re.findall(r"([^\W\d]+)(?: & [^\W\d]+| et al\.)? (\d{4})", said)
    listed = [re.search(r"^(?:\S\. )+([^\W\d]+).*?\((\d{4})\)", work) for work in works]
    assert sorted(cited) == sorted(one.groups() for one in listed if one)
    assert len(listed) == len(works) == len(cited)


@pytest.mark.parametrize("k", [2, 3])
def test_weights_at_which_the_winner_changes(k: int) -> None:
    # Two opposite measures: each decides as soon as it has more than half of the weight.
    values = np.stack([np.tile(np.arange(k, dtype=float), (6, 1)), np.tile(np.arange(k, 0, -1.0), (6, 1))], axis=-1)
    labels = {"dataset": list("uvwxyz"), "algorithm": list(NAMES[:k]), "measure": ["error", "loss"]}
    results = podium.read(values, labels=labels, direction="lower")
    last = texts(podium.report(results, sections=["criteria"]), "criteria")[-1]
    assert last == (
        f"error (50% if all count equally): {NAMES[k - 1]} below 50% of the weight; {NAMES[0]} above 50%."
    )
