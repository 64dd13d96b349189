"""Kinds of sentences of the later sections: domain, costs, tree, stopping, cautions, methods, provenance."""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise

import numpy as np
from random_experiments import STOPPED
from raw_facts import Facts, compare, mean_of, nearest, strict
from sentence_kinds import _NAME, _SET, check_blocks, is_share, kind, names_in, nothing, number, sentences

from podium.analysis.compare import procedures

# The domain.


def orders(facts: Facts) -> dict[str, tuple[set[tuple[str, str]], set[str]] | None]:
    """The order on each data set of the table, as ordered pairs; None where it is not an order with ties."""
    found = {}
    for row in facts.table("domain", "orders"):
        text = row["Order, best first"].text
        levels = {name: i for i, level in enumerate(text.split(" ≺ ")) for name in level.split(" ∼ ")}
        found[row["Data set"].text] = None if row["Order, best first"].marks else strict(levels)
    return found


def by_tests(facts: Facts) -> bool:
    """Whether the orders on the data sets are those of tests."""
    return " were ordered by the " in " ".join(sentences(facts.report.section("methods")))


def winners(facts: Facts) -> dict[str, set[str]]:
    """Who is not beaten on each data set."""
    found = {}
    for row in facts.table("domain", "orders"):
        text = row["Order, best first"].text
        found[row["Data set"].text] = set(names_in(re.split(r" ≺ | \| ", text)[0]))
    return found


def differ(facts: Facts) -> bool:
    return any(re.search("[≺|]", row["Order, best first"].text) for row in facts.table("domain", "orders"))


def check_chain(facts: Facts, said: str, many: int | None, more: bool = False) -> None:
    """Whether an order is one of the nearest to those on the data sets, and whether there are so many."""
    known = orders(facts)
    names = names_in(said)
    if len(names) > 5 or None in known.values():
        return
    best = nearest(names, [(*one, 1.0) for one in known.values()])
    assert tuple(names) in best
    assert len(best) == many or (more and len(best) > many)


@kind("domain", r"The order nearest to those on the (\d+) data sets is (@order)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert int(match[1]) == len(facts.table("domain", "orders"))
    assert differ(facts)
    check_chain(facts, match[2], 1)


@kind(
    "domain",
    r"(@n)( or more)? orders are equally near to those on the (\d+) data sets(?:, for example (@order)|: (@order), and (@order))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert int(match[3]) == len(facts.table("domain", "orders"))
    assert differ(facts)
    assert (match[4] is None) == (match[1] == "2" and not match[2])
    assert match[5] is None or match[5] != match[6]
    for one in filter(None, match.group(4, 5, 6)):
        check_chain(facts, one, number(match[1]), bool(match[2]))


@kind("domain", r"(They agree on no pair)\.")
@kind("domain", r"Where they agree \(∼ where they do not\): (@order)\.")
@kind("domain", r"They agree on (\d+) pairs? of (\d+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    known = orders(facts)
    names = sorted({name for one in known.values() if one for name in one[1]})
    if len(names) > 5 or None in known.values():
        return
    best = nearest(names, [(*one, 1.0) for one in known.values()])
    agreed = {(a, b) for a in names for b in names if all(one.index(a) < one.index(b) for one in best)}
    if match.re.groups == 2:
        assert (int(match[1]), int(match[2])) == (len(agreed), len(names) * (len(names) - 1) // 2)
        assert ("pair " in match[0]) == (len(agreed) == 1)
    elif match[1].startswith("They"):
        assert not agreed
    else:
        levels = {name: i for i, level in enumerate(match[1].split(" ≺ ")) for name in level.split(" ∼ ")}
        assert strict(levels)[0] == agreed


@kind("domain", r"No difference is shown on any of the (\d+) data sets, so the domain has no order\.")
@kind("domain", r"All algorithms have the same value on each of the (\d+) data sets, so the domain has no order\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not differ(facts)
    assert int(match[1]) == len(facts.table("domain", "orders"))
    assert match[0].startswith("No difference") == by_tests(facts)


@kind("domain", r"With so few replications, none could be shown\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert by_tests(facts) and not differ(facts)
    assert 2 * 0.5 ** (~np.isnan(facts.cells)).any(axis=2).sum(axis=1).max() > facts.alpha  # of signed ranks


@kind(
    "domain",
    r"On (?:all (?P<all>\d+) data sets|(?P<n>\d+) of (?P<of>\d+) data sets \((?P<sets>@sets)\)) the test cannot show any "
    r"difference at the (?P<alpha>[\d.]+) level: with (?:\d+ to )?(?P<most>\d+) replications the smallest p-value that "
    r"signed ranks can have is (?P<least>[\d.]+)(?P<adjusted>, adjusted for the number of pairs)?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert by_tests(facts) and float(match["alpha"]) == facts.alpha < float(match["least"])
    assert 2 * 0.5 ** int(match["most"]) <= 1.05 * float(match["least"])  # of one pair, not adjusted
    assert int(match["most"]) <= (~np.isnan(facts.cells)).any(axis=2).sum(axis=1).max()
    rows = len(facts.table("domain", "orders"))
    if match["all"] is not None:
        assert int(match["all"]) == rows and not differ(facts)
    else:
        assert int(match["n"]) < int(match["of"]) == rows
        assert len(re.findall(_SET, match["sets"])) == min(int(match["n"]), 12)


def constant(facts: Facts) -> list[str]:
    """Data sets on which two algorithms or more have values of the main measure, all of them the same."""
    values = facts.values[..., facts.at]
    several = (~np.isnan(values)).any(axis=1).sum(axis=1) > 1
    same = np.nanmin(values, axis=(1, 2), initial=np.inf) == np.nanmax(values, axis=(1, 2), initial=-np.inf)
    return [name for name, found in zip(facts.sets, several & same, strict=True) if found]


@kind("cautions", r"On (@sets) all values of (@measure) are the same\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[2] == facts.main
    assert re.findall(_SET, match[1]) == constant(facts)[: 6 if " more" in match[1] else None]


@kind("cautions", r"(It says|They say) nothing about which algorithm is better\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (match[1] == "It says") == (len(constant(facts)) == 1)


@kind("domain", r"Left out, because fewer than two algorithms have a value there: (@sets)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    values = facts.values[..., facts.at] if facts.policy == "worst-value" else facts.cells
    there = (~np.isnan(values)).any(axis=1).sum(axis=1)
    out = [name for name, count in zip(facts.sets, there, strict=True) if count < 2]
    named = re.findall(_SET, match[1])
    more = re.search(r"(\d+) more", match[1])
    assert set(named) <= set(out)
    assert len(named) + int(more[1] if more else 0) == len(out)


@kind(
    "domain",
    r"On each data set only differences that are shown there count, so the outcome may differ from the order by (@by)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert by_tests(facts)
    assert match[1] == facts.criterion


@kind("domain", r"Not all data sets have enough replications for a test, so each order is that of the (@by)s\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == ("geometric mean" if facts.is_log(facts.at) else "mean")
    assert not by_tests(facts)
    assert len(facts.results.replications) > 1


@kind("domain", r"How often each algorithm takes each place\.?")
def _(facts: Facts, match: re.Match[str]) -> None:
    won = winners(facts)
    for row in facts.data("domain", "places"):
        assert row["1"].value == sum(row["Algorithm"].value in one for one in won.values())


@kind(
    "domain",
    r"The benchmark summary plot: a row for each data set, similar ones beside each other; the order of the algorithms in pale colours, their values as bars in full colour\.",
)
@kind("domain", r"The benchmark summary graph: near data sets have similar orders; colours show the unique winner\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.table("domain", "orders")


@kind("domain", r"(Means|Geometric means) of (@measure)")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[2] == facts.main
    assert (match[1] == "Geometric means") == facts.is_log(facts.at)
    values = facts.values[..., facts.at]
    means = np.exp(mean_of(np.log(values), axis=1)) if facts.is_log(facts.at) else mean_of(values, axis=1)
    for row in facts.data("domain", "domain-summary"):
        expected = means[facts.sets.index(row["Data set"].text)]
        for k, name in enumerate(facts.names):
            if name in row:
                said = row[name].value
                assert said is None if np.isnan(expected[k]) else np.isclose(said, expected[k])


@kind("domain", r"Distances between the orders")
def _(facts: Facts, match: re.Match[str]) -> None:
    known, names = orders(facts), list(orders(facts))
    for row in facts.data("domain", "domain-graph"):
        one = known[row["Data set"].text]
        for other in names:
            if one and known[other] and one[1] == known[other][1] == set(facts.in_left):
                count = sum((pair in one[0]) != (pair in known[other][0]) for pair in one[0] | known[other][0])
                assert row[other].value == count


@kind("domain", r"Orders of (\d+) algorithms on (\d+) data sets by (@measure)")
def _(facts: Facts, match: re.Match[str]) -> None:
    known = orders(facts)
    named = {name for row in facts.table("domain", "orders") for name in names_in(row["Order, best first"].text)}
    assert (int(match[1]), int(match[2]), match[3]) == (len(named), len(known), facts.main)
    if by_tests(facts):
        return
    for name, one in known.items():  # of a measure on a log scale, the cells are logarithms
        means = facts.sign * mean_of(facts.cells[facts.sets.index(name)], axis=0)
        scale = 1e-9 * np.nanmax(np.abs(means), initial=0.0)
        for a, b in one[0]:
            assert means[facts.names.index(a)] < means[facts.names.index(b)] + scale


@kind("domain", r"On a data set, ≺ means better( at level ([\d.]+))?, ∼ neither better nor worse\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert bool(match[1]) == by_tests(facts)
    assert match[2] is None or float(match[2]) == facts.alpha


@kind("domain", r"On each data set: (.+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert by_tests(facts)
    titles = {procedure.title for procedure in procedures().values()}
    for part in match[1].split("; "):
        named = re.fullmatch(r"(?:.+: )?(.+?), ([\d.]+) level(?:, .+)?(?: \(\d+ data sets?\))?", part)
        assert named is not None and named[1] in titles and float(named[2]) == facts.alpha


@kind("domain", r"\* Not a weak order: the levels of its Hasse diagram, separated by \|, cycles in parentheses\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert None in orders(facts).values()


@kind("domain", r"Domain: the order nearest to those on the data sets, without a test\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    head = next(one for one in sentences(facts.report.section("domain")))
    (table,) = [
        block.table for block in facts.report.section("domain").blocks if getattr(block, "name", "") == "orders"
    ]
    assert [f"is {row[1].text}." for row in table.foot if head.endswith(f"is {row[1].text}.")] == [
        f"is {row[1].text}." for row in table.foot
    ]
    assert len(table.foot) == 1


@kind(
    "domain",
    r"Domain: (@n)( or more)? orders are equally near to those on the data sets, (so none is listed|without a test)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    (table,) = [
        block.table for block in facts.report.section("domain").blocks if getattr(block, "name", "") == "orders"
    ]
    listed = number(match[1]) <= 5 and not match[2]
    assert len(table.foot) == (number(match[1]) if listed else 0)
    assert (match[3] == "without a test") == listed
    for row in table.foot:
        check_chain(facts, row[1].text, number(match[1]))


@kind("domain", r"No algorithm is better than another on any data set, so the domain has no order\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not differ(facts)


@kind("domain", r"All data sets have the same order\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert len({row["Order, best first"].text for row in facts.table("domain", "orders")}) == 1
    assert differ(facts)


@kind(
    "domain",
    r"First places in two groups of data sets with similar orders, where a tie counts for every algorithm in it:",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    groups = [one for one in sentences(facts.report.section("domain")) if re.match(r"\d+ data sets? \(", one)]
    assert len(groups) == 2
    assert sum(int(one.split()[0]) for one in groups) == len(facts.table("domain", "orders"))
    assert not set(re.findall(_SET, groups[0])) & set(re.findall(_SET, groups[1]))


@kind(
    "domain", r"(\d+) data sets? \((@sets)\): (@name \(\d+\)(?:, @name \(\d+\))*(?: and (?:@name \(\d+\)|\d+ more))?)\."
)
def _(facts: Facts, match: re.Match[str]) -> None:
    members = re.findall(_SET, match[2])
    assert ("data set (" in match[0]) == (match[1] == "1")
    if len(members) < int(match[1]):
        return
    won = [name for one in members for name in winners(facts)[one]]
    expected = {name: won.count(name) for name in set(won)}
    told = {name: int(count) for name, count in re.findall(rf"({_NAME}) \((\d+)\)", match[3])}
    more = re.search(r" and (\d+) more$", match[3])
    assert told.items() <= expected.items()
    assert len(told) + int(more[1] if more else 0) == len(expected)


@kind(
    "domain",
    r"A mixed-effects model of all values, which weighs how large differences are and assumes normal errors, shows (?:this order \(∼ where neither is shown to be better\): (?P<order>@order)|a difference in (?P<shown>@n) of (?P<pairs>@n) pairs|(?P<none>no difference))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    if facts.values.size > 80:  # a second fit takes long
        return
    policy = "available" if facts.policy == "worst-rank" else facts.policy
    found = compare(facts.results.select(measure=facts.main), method="mixed", alpha=facts.alpha, missing=policy)
    frame = found.frame()
    rows = frame[frame["decision"] == "better"]
    better = set(zip(rows["a"], rows["b"], strict=True))
    if match["order"]:
        levels = {name: i for i, level in enumerate(match["order"].split(" ≺ ")) for name in level.split(" ∼ ")}
        assert strict(levels)[0] == better
    else:
        k = len(found.algorithms)
        assert (number(match["shown"] or "0"), number(match["pairs"] or str(k * (k - 1) // 2))) == (
            len(better),
            k * (k - 1) // 2,
        )


@kind("domain", r"It is an additional analysis: the answer is based on the comparison above\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.table("domain", "orders")


@kind("domain", r"There is no mixed-effects model of the domain\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not any("A mixed-effects model was fitted" in one for one in sentences(facts.report.section("methods")))


@kind("domain", r"Where the consensus of orders and the model disagree:")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert any(" in the consensus, but " in one for one in sentences(facts.report.section("domain")))


@kind(
    "domain",
    r"(?P<a>@name) is before (?P<b>@name) in the consensus, but (?:(?P=b) is significantly better by the model|the model calls the two equivalent, (?P=b) slightly ahead|(?P=b) is ahead by the model, though not significantly) \(by (?:a factor of )?[\d.e+-]+\): (?P=a) is better on (?P<wins>\d+) of (?P<all>\d+) data sets(?: \([^)]*\))? and worse on (?P<losses>\d+)(?: \([^)]*\))?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    known = orders(facts)
    chain = next(
        names_in(one) for one in sentences(facts.report.section("domain")) if re.match(r"The order nearest|\d", one)
    )
    assert chain.index(match["a"]) < chain.index(match["b"])
    if None in known.values():
        return
    both = [one for one in known.values() if {match["a"], match["b"]} <= one[1]]
    wins = sum((match["a"], match["b"]) in one[0] for one in both)
    losses = sum((match["b"], match["a"]) in one[0] for one in both)
    assert (int(match["wins"]), int(match["losses"]), int(match["all"])) == (wins, losses, len(both))


@kind(
    "domain",
    r"The consensus (?:counts data sets; the model weighs how large the differences are|does not follow from these two alone: it is the nearest order of all algorithms|counts data sets on which a difference is shown; the model weighs all of them, and on the (?:other one|\d+ others) @name is ahead \(.*\))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert any(" in the consensus, but " in one for one in sentences(facts.report.section("domain")))


# Performance and cost.


def cost_rows(facts: Facts) -> list[dict[str, object]]:
    return facts.table("costs", "costs")


@kind(
    "costs", r"Multi²Test ordered (\d+) algorithms on (\d+) data sets by (@info) and fit time \(lower is preferred\)\."
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert int(match[1]) == len(cost_rows(facts))
    assert int(match[2]) <= len(facts.sets)
    assert match[3].startswith(facts.main)


@kind(
    "costs",
    r"First pass: on each data set all pairs were tested at the ([\d.]+) level \(.+, not adjusted\); (?:no test overrode the order of costs|(\d+) tests? overrode the order of costs, on (\d+) of (\d+) data sets)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert float(match[1]) == facts.alpha
    assert match[2] is None or int(match[3]) <= min(int(match[2]), int(match[4]))
    assert match[2] is None or ("1 test " in match[0]) == (match[2] == "1")


@kind("costs", r"No data set has enough replications for a test of the first pass to show a difference\.")
@kind(
    "costs",
    r"(?P<n>\d+) data sets? (?P<has>has|have) too few replications for a test of the first pass to show a difference: (?P<sets>@sets)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    whole = (~np.isnan(facts.values[..., facts.at])).all(axis=2)  # blocks with a gap are left out
    blocks = dict(zip(facts.sets, whole.sum(axis=1).tolist(), strict=True))
    few = [name for name, n in blocks.items() if n > 1 and 2 * 0.5**n > facts.alpha]  # one block cannot be tested
    if match.groupdict().get("sets") is None:
        assert few == [name for name, n in blocks.items() if n > 1]
    else:
        assert int(match["n"]) == len(few) < len(facts.sets)
        assert (match["has"] == "has") == (len(few) == 1)
        assert re.findall(_SET, match["sets"]) == few[: 12 if " more" in match["sets"] else None]


@kind("costs", r"The mean ranks are (.+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    told = {name: float(rank) for name, rank in re.findall(rf"({_NAME}) ([\d.]+)", match[1])}
    ranks = list(told.values())
    assert ranks == sorted(ranks)
    assert all(
        np.isclose(told[row["Algorithm"].value], row["Mean rank"].value, atol=0.0051) for row in cost_rows(facts)
    )


@kind(
    "costs",
    r"Second pass: the .+ (?:shows (none|\d+) of (\d+) pairs to differ in rank|(?:shows|does not show) that they differ in rank)(?:; the critical difference is [\d.]+)?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    k = len(cost_rows(facts))
    assert match[2] is None or int(match[2]) == k * (k - 1) // 2
    assert (match[2] is None) == (k == 2)


@kind("costs", r"The average normalised costs order the algorithms (.+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    check_prior(facts, names_in(match[1]), "Average normalised cost")


@kind(
    "costs",
    r"The prior order of the (\d+) algorithms, by (?:average normalised )?fit time \(lower is preferred\), is (.+)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert int(match[1]) == len(cost_rows(facts))
    check_prior(facts, names_in(match[2]), cost_head(facts))
    for row in cost_rows(facts):
        if facts.single and not np.isnan(facts.values).any():
            name = row["Algorithm"].value
            assert np.isclose(row[cost_head(facts)].value, facts.average("fit time")[name])
        if not np.isnan(facts.values).any():
            mean = "Geometric mean" if facts.is_log(facts.at) else "Mean"
            assert np.isclose(row[f"{mean} {facts.main}"].value, facts.average(facts.main)[row["Algorithm"].value])


def cost_head(facts: Facts) -> str:
    """Name of the column of costs: over several data sets they are normalised."""
    mean = "Geometric mean" if facts.is_log(facts.measures.index("fit time")) else "Mean"
    return f"{mean} fit time" if facts.single else "Average normalised cost"


def check_prior(facts: Facts, said: list[str], head: str) -> None:
    rows = {row["Algorithm"].value: row for row in cost_rows(facts)}
    costs = [rows[name][head].value for name in said]
    assert set(said) == set(rows)
    assert all(a <= b + 1e-9 * abs(b) for a, b in pairwise(costs))
    assert [rows[name]["Prior place"].value for name in said] == sorted(
        row["Prior place"].value for row in rows.values()
    )


@kind(
    "costs", r"(\d+) pairs?(?: on (@set))? (was|were) compared(?: by (@measure))?(?: at the ([\d.]+) level)? \((.+)\)\."
)
def _(facts: Facts, match: re.Match[str]) -> None:
    k = len(cost_rows(facts))
    assert int(match[1]) == k * (k - 1) // 2
    assert (match[3] == "was") == (match[1] == "1") == ("pair " in match[0])
    assert match[4] in (None, facts.main)
    assert match[5] is None or float(match[5]) == facts.alpha


@kind("costs", r"(?:No test overrides the prior order|(?P<n>\d+) tests? overrides? the prior order: (?P<list>.+))\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    told = re.findall(rf"({_NAME}) before ({_NAME})", match["list"] or "")
    rows = {row["Algorithm"].value: row for row in cost_rows(facts)}
    place = {name: row["Prior place"].value for name, row in rows.items()}
    wins = {(name, other) for name, row in rows.items() for other in names_in(row["Better than"].text)}
    more = re.search(r" and (\d+) more$", match["list"] or "")
    assert int(match["n"] or 0) == len(told) + int(more[1] if more else 0) == sum(place[a] > place[b] for a, b in wins)
    assert match["n"] is None or ("test overrides" in match[0]) == (match["n"] == "1")
    assert all((a, b) in wins and place[a] > place[b] for a, b in told)


@kind("costs", r"Between equal costs tests put (.+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = {row["Algorithm"].value: row for row in cost_rows(facts)}
    head = cost_head(facts)
    for a, b in re.findall(rf"({_NAME}) before ({_NAME})", match[1]):
        assert np.isclose(rows[a][head].value, rows[b][head].value)
        assert b in names_in(rows[a]["Better than"].text)


@kind("costs", r"The order is (.+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = cost_rows(facts)
    assert match[1] == ", ".join(f"{i}: {row['Algorithm'].value}" for i, row in enumerate(rows, 1))
    assert [row["Rank"].value for row in rows] == list(range(1, len(rows) + 1))
    wins = {(row["Algorithm"].value, name) for row in rows for name in names_in(row["Better than"].text)}
    assert wins == {(name, row["Algorithm"].value) for row in rows for name in names_in(row["Worse than"].text)}
    place = {row["Algorithm"].value: row["Rank"].value for row in rows}
    prior = {row["Algorithm"].value: row["Prior place"].value for row in rows}
    assert all(place[a] < place[b] for a, b in wins if prior[a] > prior[b])


@kind(
    "costs",
    r"Equal costs leave no prior preference between (.+): among them a significant test decides, and where there is none, the better mean\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    head = cost_head(facts)
    costs = {row["Algorithm"].value: row[head].value for row in cost_rows(facts)}
    for group in match[1].split("; "):
        assert np.ptp([costs[name] for name in names_in(group)]) <= 1e-9


@kind("costs", r"Cost against performance\.")
@kind("costs", r"The line joins the algorithms that no other beats in both\.")
@kind("costs", r"Order by performance and cost, best first")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert cost_rows(facts)


@kind("costs", r"(?:Missing cells|Missing|Not known, and so counted as the highest|Left out because .*): .*\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert np.isnan(facts.values).any()


# The tree.


@kind("tree", r"The tree has (\d+) leaves: groups of (data sets|learning samples) in which the preferences differ\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = facts.table("tree", "tree")
    assert int(match[1]) == sum(row["Split by"].value is None for row in rows) > 1
    (root,) = [row for row in rows if row["Parent"].value == 0]
    assert root["Adjusted p"].value <= facts.alpha


@kind("tree", r"No characteristic is shown to change the preferences: the tree has no split\.")
@kind(
    "tree",
    r"The tree has no split: one needs (?P<needed>\d+) (?:data sets|learning samples) or more, and there are (?P<n>\d+)\.",
)
@kind("tree", r"The tree has no split: no characteristic varies, or every outcome is certain, so nothing was tested\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    (row,) = facts.table("tree", "tree")
    assert (row["p"].value is not None) == match[0].startswith("No characteristic")
    if "n" in match.re.groupindex:
        assert int(match["n"]) == row["n"].value < int(match["needed"])
    elif row["p"].value is not None:
        assert row["Adjusted p"].value > facts.alpha


@kind("tree", r"Worths of the algorithms( in each leaf)?\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert bool(match[1]) == (len(facts.table("tree", "tree")) > 1)


@kind("tree", r"Nodes of the tree")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = facts.table("tree", "tree")
    for row in rows:
        children = [one["n"].value for one in rows if one["Parent"].value == row["Node"].value]
        assert not children or sum(children) == row["n"].value
        assert bool(children) == (row["Split by"].value is not None)


# Stopped early.


@kind(
    "stopping",
    r"A stopping rule ended the experiment early: (@n) of (@n) trials? \((@share)\) (was|were) never run because the rule had decided\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    early = (facts.reasons == STOPPED).all(axis=3)
    assert (number(match[1]), number(match[2])) == (early.sum(), early.size)
    assert is_share(match[3], early.mean())
    assert (match[4] == "was") == (early.sum() == 1)


@kind("stopping", r"Trials that were not run do not count as missing\.")
@kind("stopping", r"A stopping rule was used, but it ended nothing early\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (facts.reasons == STOPPED).all(axis=3).any() == match[0].startswith("Trials")
    assert match[0].startswith("Trials") or facts.case.decisions


@kind("stopping", r"Means of an algorithm that was left out earlier than others rest on fewer replications\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert any(row["Left out earlier"].text != "–" for row in facts.table("stopping", "stopping"))


@kind("stopping", r"Replications that were planned and run")
def _(facts: Facts, match: re.Match[str]) -> None:
    run = (facts.reasons != STOPPED).any(axis=3).sum(axis=1)
    for m, row in enumerate(facts.table("stopping", "stopping")):
        assert row["Data set"].text == facts.sets[m]
        assert (row["Planned replications"].value, row["Run"].value) == (len(facts.results.replications), run[m].max())
        early = {name for name, count in zip(facts.names, run[m], strict=True) if count < run[m].max()}
        assert set(names_in(row["Left out earlier"].text)) == early
    told = any("Means of an algorithm" in one for one in sentences(facts.report.section("stopping")))
    assert told == bool((run < run.max(axis=1, keepdims=True)).any())


@kind(
    "stopping",
    r"A table of scores does not contain the decisions of the rule; a report on the warehouse of the run does\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert not facts.case.decisions


@kind(
    "stopping",
    r"The table shows what the rule decided about each pair on (?:each of (\d+) data sets|(@set)|(all data sets together))\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    told = {one.dataset for one in facts.case.decisions}
    assert told == ({""} if match[3] else {match[2]} if match[2] else told)
    assert match[1] is None or int(match[1]) == len(told)


@kind("stopping", r"These decisions keep its error level, however often it looked\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.case.decisions


@kind(
    "stopping",
    r"(?:(\d+) of (\d+) data sets|The run) ended at the maximum number of replications with pairs still open\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = facts.table("stopping", "decisions")
    still = {row["Data set"].text for row in rows if row["a is"].text == "still open"}
    last = {one.dataset or "all together": one.ending for one in facts.case.decisions}
    expected = sum(last[name] == "maximum" for name in still)
    assert (int(match[1] or 1), int(match[2] or 1)) == (expected, len(last))


@kind("stopping", r"Decisions of the stopping rule; differences are a − b")
def _(facts: Facts, match: re.Match[str]) -> None:
    words = {
        "open": "still open",
        "better": "better than b",
        "worse": "worse than b",
        "equivalent": "equivalent to b",
        "accepted": "undecided; the rule gave up",
        "left out": "undecided; a or b was left out",
    }
    last = {one.dataset: one for one in facts.case.decisions}
    expected = [
        (name or "all together", pair.measure, pair.a, pair.b, words[pair.outcome], pair.stage, pair.replications)
        for name, one in last.items()
        for pair in one.pairs
    ]
    said = [tuple(cell.value for cell in row.values())[:7] for row in facts.table("stopping", "decisions")]
    assert said == expected


# Cautions.


@kind("cautions", r"No reason for caution was found\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.gaps()[1] == 0
    assert facts.pairs is not None or len(facts.names) == 1


@kind("cautions", r"No pair was tested\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is None


@kind("cautions", r"Close to the level ([\d.]+), so that a few more blocks could change the decision: (.+)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert float(match[1]) == facts.alpha
    near = {
        frozenset((row["a"].value, row["b"].value)): row["p"].value
        for row in facts.pairs
        if row["p"].value is not None and facts.alpha / 2 <= row["p"].value <= 2 * facts.alpha
    }
    told = re.findall(rf"({_NAME})/({_NAME}) \(p = ([\d.]+)\)", match[2])
    more = re.search(r" and (\d+) more$", match[2])
    assert {frozenset(pair[:2]) for pair in told} <= set(near)
    assert len(told) + int(more[1] if more else 0) == len(near)
    assert all(np.isclose(float(p), near[frozenset((a, b))], atol=0.00051) for a, b, p in told)


@kind("cautions", r"(@share) of the cells have no value\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    run, lacking, _ = facts.gaps()
    assert is_share(match[1], lacking / run)
    assert lacking


@kind(
    "cautions",
    r"If whether a value is missing depends on how good it would have been, as with algorithms that fail on hard data, "
    r"(?:(?P<means>means of the values that are there favour those that fail)|(?P<fill>counting the worst value for it "
    r"may be too strict or too mild)|(?P<block>the blocks that are left are not typical: nothing failed there)|(?P<all>"
    r"the algorithms that are left are not typical: they never failed))(?P<last>; mean ranks, in which they come last, "
    r"favour the others)?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    word = {"drop-block": "block", "drop-algorithm": "all", "worst-value": "fill"}.get(facts.policy, "means")
    assert match[word] is not None
    assert bool(match["last"]) == (facts.ranked_last > 0)


@kind(
    "cautions",
    r"The mean ranks of two algorithms depend on the others: the error over all pairs is controlled only where all algorithms are exchangeable\.",
)
@kind(
    "cautions",
    r"Where two vary in opposite directions over the blocks, equally good ones are called different more often than alpha allows \(10 to 12% at 5% with many blocks, up to 22% with few\); 'wilcoxon' compares each pair by itself\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.policy == "worst-rank"


@kind(
    "costs",
    r"The mean ranks of two algorithms depend on the others: the error over all pairs is controlled only where all algorithms are exchangeable\.",
)
@kind(
    "costs",
    r"Where two vary in opposite directions over the blocks, equally good ones are called different more often than alpha allows \(10 to 12% at 5% with many blocks, up to 22% with few\); 'wilcoxon' compares each pair by itself\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert "Mean rank" in cost_rows(facts)[0]


@kind(
    "costs",
    r"The global test finds no difference \(.+, @p\): no pair is called different, and all algorithms form one group\.",
)
@kind("costs", r"The p-values of the pairs are still shown\.")
@kind(
    "costs",
    r"With \d+ (?:data sets|replications) (?:two algorithms cannot|no pair of \d+ algorithms can) be shown to differ at the [\d.]+ level by signed ranks: the smallest p-value that they can have is [\d.]+(?:, [\d.]+ after the adjustment for \d+ pairs)?\.",
)
@kind("costs", r"To show a difference, \d+ (?:data sets|replications) would be enough\.")
@kind(
    "costs",
    r"With fewer, test='t' can, if differences are normal, and test='mixed', if effects are normal and of equal variance\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert all(row["Better than"].text == "–" for row in cost_rows(facts))


@kind(
    "costs",
    r"Chosen for (two|\d+) algorithms on (?P<n>\d+) (?:data sets|replications of one data set)(?:,|:| whose) .*\.",
)
@kind(
    "costs",
    r"This outcome holds only for new resamples of this data set, not for the population behind it: replications drawn from one data set overlap, and the .+ treats them as independent\.",
)
@kind("costs", r"For the population it is far too liberal\.(?: test='corrected t' allows for the overlap\.)?")
@kind(
    "costs",
    r"It needs `ratio`, the size of the test sample divided by that of the learning sample, such as 1/9 for 10-fold cross-validation or 0\.58 for a bootstrap\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.single or "n" in match.re.groupindex


@kind("cautions", r"(?:Mixed-effects model: )?Missing cells: (\d+) of (\d+) cells missing \((\d+) stopped\); .+\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == match[3]
    assert (int(match[1]), int(match[2])) == (
        (facts.reasons[..., facts.at] == STOPPED).sum(),
        facts.values[..., facts.at].size,
    )


@kind("cautions", r"How the (tests were made|mixed-effects model was fitted):")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == "tests were made" or any(
        "A mixed-effects model was fitted" in one for one in sentences(facts.report.section("methods"))
    )
    assert match[1] != "tests were made" or facts.pairs is not None


@kind("cautions", r"Chosen for (two|\d+) algorithms on @blocks(?:,|:| whose) .*\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (2 if match[1] == "two" else int(match[1])) == len(facts.left)
    check_blocks(facts, match)


@kind(
    "cautions",
    r"The (\d+)(?: to (\d+))? replications of each data set were reduced to their mean first: the blocks are the (\d+) data sets, and more replications do not make more blocks\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert int(match[3]) == len(facts.blocks)
    assert int(match[1]) <= int(match[2] or match[1]) <= len(facts.results.replications)


@kind("cautions", r"The p-values? (?:are|is) (?:exact: .*|from [\d,]+ random .*)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.pairs is not None


@kind(
    "cautions",
    r"(?:Mixed-effects model: )?The scale of fit time is logarithmic, but (?:the values were compared as measured; transform='log' compares ratios|some values are not positive: they were used as measured)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.main == "fit time"
    assert "not positive" not in match[0] or not facts.is_log(facts.at)


# Notes of the mixed-effects model; it has no table beside it.
for pattern in (
    r"Every data set has one replication, so the data sets are the blocks of the design\.",
    r"Mixed-effects model: The F test shows that the algorithms differ, but no pair reaches the level: it is not shown which ones differ\.",
    r"Mixed-effects model: The F test weighs all differences together and does not reach the level; the tests of pairs look at each difference on its own(?:, and their p-values are adjusted for all pairs without it)?\.",
    r"The logarithms of fit time were compared, so differences are ratios\.",
    r"The variance is corrected for overlapping learning samples: 1/\d+ \+ [\d.]+ \(.+\) instead of 1/\d+\.",
    r"Means are those of the logarithm of @measure, so differences are ratios of geometric means\.",
    r"Model: (?:log of )?@measure = [^;]+; data sets are random, so the outcome holds for new data sets of the domain\.",
    r"Statistics are compared with the t distribution with [\d.]+(?: to [\d.]+)? degrees? of freedom\.",
    r"P-values and intervals are simultaneous: they use the joint distribution of all comparisons\.",
    r"Standard errors and degrees of freedom are those of the stratum of .+ and do not rely on that zero\.",
    r"Mixed-effects model: The estimated variances? of .+ (?:is|are) zero; an estimate from \d+ (?:data sets|replications) does not show that there is no such variation\.",
):
    kind("cautions", pattern)(nothing)


# Methods, and how the report was made.


@kind(
    "methods",
    r"(\d+) algorithms? (was|were) studied on (\d+) data sets? by (@measure) \((lower|greater) is better\), following the framework of benchmark experiments \(Eugster 2011\)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (int(match[1]), int(match[3])) == (len(facts.names), len(facts.sets))
    assert (match[2] == "was") == (len(facts.names) == 1)
    assert ("data set " in match[0]) == (len(facts.sets) == 1)
    assert (match[4], match[5]) == (facts.main, facts.results.measures[facts.at].direction)


@kind(
    "methods",
    r"(All pairs|They) were compared by the (?P<test>.+) on @blocks at the (?P<level>[\d.]+) level(?:; p-values are (?P<adjusted>adjusted .+?))?(?: \((?P<works>[^()]*\d{4})\))?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    check_blocks(facts, match)
    title = facts.title("inference", "pairs")
    assert match["test"].lower() in title.lower()
    assert float(match["level"]) == facts.alpha
    assert (match[1] == "All pairs") == (len(facts.pairs) > 1) == (match["adjusted"] is not None)
    assert match["adjusted"] is None or match["adjusted"] in title


@kind(
    "methods",
    r"The stability of the order by (@by) was assessed on 1,000 bootstrap resamples of the (data sets|replications)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert match[1] == facts.criterion
    assert (match[2] == "replications") == facts.single
    assert len(facts.blocks) >= 5
    assert len(facts.left) > 1
    assert facts.pairs is None or facts.table("order", "stability") is not None


@kind(
    "methods",
    r"On each data set the algorithms were ordered by (?:the .+?|their values)(; these orders were combined into the linear orders with the least sum of symmetric difference distances \(Kemeny & Snell 1972\))?\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.table("domain", "orders") is not None
    assert (match[1] is not None) == differ(facts)


@kind("methods", r"A mixed-effects model was fitted to the values of all data sets\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert any(
        one.startswith("A mixed-effects model of all values") for one in sentences(facts.report.section("domain"))
    )


@kind("methods", r"Performance and fit time were combined by (MultiTest|Multi²Test) \(Ulaş et al\. 2008\)\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    assert (match[1] == "Multi²Test") == ("Mean rank" in cost_rows(facts)[0])


@kind(
    "methods",
    r"Characteristics of data sets were related to preferences by a tree of Bradley–Terry models \(Strobl et al\. 2011\)\.",
)
def _(facts: Facts, match: re.Match[str]) -> None:
    assert facts.table("tree", "tree") is not None


@kind("methods", r"All computations used podium [\d.]+\.")
def _(facts: Facts, match: re.Match[str]) -> None:
    """Every work that is cited is listed, and every work that is listed is cited; each method that is shown is told."""
    lines = list(sentences(facts.report.section("methods")))
    told = " ".join(one for one in lines if not re.match(r"[A-Z]\. ", one))
    cited = re.findall(r"([^\W\d]+)(?: & [^\W\d]+| et al\.)? (\d{4})", told)
    listed = [re.search(r"^(?:\S\. )+([^\W\d]+).*?\((\d{4})\)", one) for one in lines if re.match(r"[A-Z]\. ", one)]
    assert sorted(cited) == sorted(one.groups() for one in listed)
    assert (" were compared by the " in told) == (facts.pairs is not None)
    assert ("Kemeny & Snell" in told) == (facts.table("domain", "orders") is not None and differ(facts))
    assert ("Ulaş et al." in told) == (facts.table("costs", "costs") is not None)
    assert ("Strobl et al." in told) == (facts.table("tree", "tree") is not None)
    assert facts.pairs is None or ("bootstrap resamples" in told) == (facts.table("order", "stability") is not None)


@kind("methods", r"(?:[A-Z]\. )+\w+.* \(\d{4}\)\. .+\.")
@kind("methods", r"BibTeX:")
@kind("provenance", r"To reproduce it:")
def _(facts: Facts, match: re.Match[str]) -> None:
    """Checked with the last sentence of the methods; the command, in the tests of forms."""


@kind("provenance", r"How this report was made")
def _(facts: Facts, match: re.Match[str]) -> None:
    rows = {row["Part"].text: row["Value"].text for row in facts.table("provenance", "provenance")}
    assert float(rows["Level"]) == facts.alpha
    area = facts.case.options.get("equivalence")
    where = "Differences that do not matter" if area is None else "Differences that do not matter: up to"
    assert rows[where] == ("none given" if area is None else f"{area:g}")
    assert (rows["Policy for missing cells"], rows["Seed"]) == (facts.policy, "0")
    digest = hashlib.sha256()
    places = zip(*np.nonzero(~np.isnan(facts.values) | (facts.reasons > 0)), strict=True)
    for line in sorted(
        "\x1f".join(
            [facts.sets[m], str(b + 1), facts.names[k], facts.measures[j], float(facts.values[m, b, k, j]).hex()]
        )
        for m, b, k, j in places
    ):
        digest.update(line.encode() + b"\x1e")
    assert rows["Data"] == f"SHA-256 {digest.hexdigest()}"
