"""The texts of a domain analysis."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from podium.analysis.blocks import best_first
from podium.analysis.domain.local_analysis import LocalAnalysis, UsedTest, best_names, used_tests
from podium.analysis.notes import DETAILS, FIRST, WITHOUT_THE_RATIO
from podium.analysis.relation import Relation
from podium.analysis.text import adjustment_in_words
from podium.checks import function_name
from podium.errors import join_names, plural
from podium.results.missing import absent_algorithms
from podium.typesetting import Table
from podium.typesetting.plain import safe_line

if TYPE_CHECKING:
    from podium.analysis.domain.domain import Domain
    from podium.analysis.domain.subdomains import SubDomain

MAX_ROWS = 40  # data sets that are listed in the text
WIDEST = 32  # characters of a column of names; longer names push their order to the right


def domain_text(domain: Domain) -> str:
    """Describe a domain: its order, its places, its model, and where they disagree."""
    lines = [*_headline(domain), "", *_relations(domain), "", *_places(domain), *_model(domain)]
    return "\n".join(safe_line(line) for line in lines)


def _headline(domain: Domain) -> list[str]:
    lines = [
        f"Domain of {plural(len(domain.datasets), 'data set')}, {plural(len(domain.algorithms), 'algorithm')}; "
        f"criteria: {', '.join(one.name for one in domain.criteria)}",
        *_tests(domain),
        f"Order of the domain ({domain.consensus.kind} consensus of the orders on the data sets):",
    ]
    lines += [f"  {relation}" for relation in domain.consensus.relations[:5]]
    if len(domain.consensus) > 1:
        listed = ", 5 of them listed," if len(domain.consensus) > 5 else ""
        lines.append(f"  These {len(domain.consensus)} orders{listed} are equally near to the data sets. All agree on:")
        lines.append(f"  {statement(domain.relation)}")
    if not domain.consensus.exhausted:
        lines.append("  There may be more orders that are equally near.")
    if domain.left_out:
        lines.append(
            f"Left out, because fewer than two algorithms have a value: {join_names(domain.left_out, most=12)}."
        )
    if domain.model is None:  # which names them otherwise
        absent = [f"{name} ({why})" for name, why in absent_algorithms(domain.results) if name not in domain.algorithms]
        lines += [f"Left out, without any value: {join_names(absent, quote=False)}."] if absent else []
    lines += [str(note) for note in domain.notes if note.code in FIRST]
    return lines


def _tests(domain: Domain) -> list[str]:
    """Say how algorithms are ordered on the data sets: one line, or one for each criterion and test."""
    found = sentences_on_tests(domain, why=True)
    if len(found) == 1:
        return [f"On each data set: {found[0]}"]
    return ["On each data set:", *(f"  {one}" for one in found)]


def sentences_on_tests(domain: Domain, *, why: bool) -> list[str]:
    """Name the test, or the point estimate, of each criterion; and if `why`, say which tests were chosen, and why."""
    several = len(domain.criteria) > 1
    used = used_tests(domain.local.values(), domain.criteria)
    found = []
    for criterion in domain.criteria:
        start = f"{criterion.name}: " if several else ""
        tests = [one for one in used if one.criterion is criterion]
        if not tests:
            statistic = criterion.statistic
            how = function_name(statistic) if callable(statistic) else statistic
            found.append(f"{start}order by the statistic {how!r}, without a test")
        for one in tests:
            where = f" ({plural(len(one.datasets), 'data set')})" if len(tests) > 1 else ""
            found.append(f"{start}{_test(one)}{where}{_why_chosen(one) if why else ''}")
    return found


def _test(used: UsedTest) -> str:
    test = used.comparison
    adjusted = f", {adjustment_in_words(test)}" if len(test.first) > 1 else ""
    return f"{test.method}, {test.alpha:g} level{adjusted}"


def _why_chosen(used: UsedTest) -> str:
    if used.criterion.method is not None:
        return ""
    for note in used.comparison.notes:
        if note.code == "chosen" and note.facts["why"] == "ratio":
            return f"; chosen because `ratio` was given. {WITHOUT_THE_RATIO[:-1]}"
    return "; chosen for the design"


def _relations(domain: Domain) -> list[str]:
    shown = list(domain.local.values())[:MAX_ROWS]
    width = min(max(len(one.dataset) for one in shown), WIDEST)
    lines = ["Orders on the data sets:"]
    lines += [f"  {one.dataset:<{width}}  {_order(one)}" for one in shown]
    if len(domain.local) > len(shown):
        lines.append(f"  and {plural(len(domain.local) - len(shown), 'data set')} more; see frame()")
    return lines


def _order(local: LocalAnalysis) -> str:
    """Write the order of a data set: its chain, or its levels and the algorithms that show why it is not a chain."""
    absent = f"  (without {', '.join(local.absent)})" if local.absent else ""
    if local.relation.chain is not None:
        return f"{local.relation}{absent}"
    return f"{levels_text(local)}  (not a weak order: {witness_text(local)}){absent}"


def levels_text(local: LocalAnalysis) -> str:
    """Write the levels of a relation, best first; the members of a cycle in parentheses."""
    return " | ".join(
        ", ".join(group[0] if len(group) == 1 else f"({', '.join(group)})" for group in level) for level in local.levels
    )


def witness_text(local: LocalAnalysis, better: str = "<", neither: str = "~") -> str:
    """Write why a relation is not a weak order, by three of its algorithms."""
    if not local.witness:
        return ""
    a, b, c = local.witness
    if not local.transitive:
        cycle = local.relation.prefers(c, a)
        return f"{a} {better} {b} {better} {c}{f' {better} {a}' if cycle else f', but {a} {neither} {c}'}"
    return f"{a} {neither} {b} {neither} {c}, but {a} {better} {c}"


def subdomain_text(part: SubDomain) -> str:
    """Describe a sub-domain: its data sets, its order, how often each algorithm is first."""
    won = ", ".join(f"{name} {count}" for name, count in part.winners.items() if count)
    count = len(part.consensus)
    order = str(part.consensus.relation)
    if count > 1:
        several = f"{count}{'' if part.consensus.exhausted else ' or more'}"
        order = f"{statement(part.relation)} (what the {several} orders nearest to them agree on)"
    return "\n  ".join(
        [f"{plural(len(part.datasets), 'data set')}: {', '.join(part.datasets)}", order, f"first places: {won}"]
    )


def statement(relation: Relation) -> str:
    """Write a relation as a sentence: its chain, or which is better than which, and about which nothing is shown."""
    if relation.chain is not None:
        return str(relation)
    relation = relation.restrict(best_names(relation))
    names = relation.algorithms
    beaten: dict[tuple[str, ...], list[str]] = {}
    for name, row in zip(names, relation.better, strict=True):
        if row.any():
            beaten.setdefault(tuple(other for other, worse in zip(names, row, strict=True) if worse), []).append(name)
    parts = [
        f"{_listed(winners)} {'is' if len(winners) == 1 else 'are'} better than {_listed(others)}"
        for others, winners in sorted(beaten.items(), key=lambda pair: (-len(pair[0]), pair[1]))
    ]
    alone = [
        n for n, out, into in zip(names, relation.better, relation.better.T, strict=True) if not (out | into).any()
    ]
    if alone:
        parts.append(f"{_listed(alone)} {'is' if len(alone) == 1 else 'are'} not shown to differ from any")
    return "; ".join(parts)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _places(domain: Domain) -> list[str]:
    table = domain.place_frame()
    parts = []
    for name, row in table.iterrows():
        if row[1]:
            alone = f", {row['first alone']} alone" if row["first alone"] else ""
            parts.append(f"{name} {row[1]}{alone}")
    if not parts:
        return ["First places: none. On every data set each algorithm is beaten by another one: the best form a cycle."]
    return [f"First places: {'; '.join(parts)}."]


def without_model(domain: Domain) -> str:
    """Say that a domain has no model, and why."""
    return f"There is no mixed-effects model of the domain. {domain.model_problem}"


def _model(domain: Domain) -> list[str]:
    if domain.comparison is None:
        return [without_model(domain)]
    assert domain.model is not None and domain.model_relation is not None
    first = domain.criteria[0].measure
    several = len({one.measure for one in domain.criteria}) > 1
    lines = [
        f"By the mixed-effects model{f' of {first}' if several else ''}, which generalises to new data sets: "
        f"{statement(domain.model_relation)}",
        f"  {_means(domain)}",
    ]
    lines += [f"  {note}" for note in domain.notes if note.code not in (*FIRST, *(DETAILS - {"chosen unstructured"}))]
    others = {name: found for name, found in domain.model_relations.items() if name != first}
    lines += [f"  {name}: {statement(found)}" for name, found in others.items()]
    if others and domain.model_consensus is not None and domain.model_order is not None:
        nearest, count = statement(domain.model_order), len(domain.model_consensus)
        if count > 1:
            orders = f"{count:,}{'' if domain.model_consensus.exhausted else ' or more'}"
            lines.append(f"  Orders nearest to the models of all measures: {orders}. All agree on: {nearest}")
        else:
            lines.append(f"  Order nearest to the models of all measures: {nearest}")
    if domain.disagreements:
        lines.append("Where the order and the model disagree:")
        lines += [f"  {one}" for one in domain.disagreements[:10]]
        if len(domain.disagreements) > 10:
            lines.append(f"  and {plural(len(domain.disagreements) - 10, 'pair')} more; see disagreements")
    return lines


def _means(domain: Domain) -> str:
    """The estimated means, best first, and the data sets with the lowest and the highest effect."""
    assert domain.model is not None and domain.comparison is not None
    means = domain.model.estimates
    costs = np.asarray(domain.comparison.measure.sign * means.to_numpy(), np.float64)
    means = means.iloc[best_first(costs, [str(name) for name in means.index])]
    listed = ", ".join(f"{name} {value:.4g}" for name, value in means.items())
    logs = ", logarithms" if domain.comparison.transform == "log" else ""
    found = f"Means{logs}: {listed}."
    if not domain.has_effects:
        return found
    own = domain.effects()["data set"]
    if len(own) < 2 or not np.ptp(own.to_numpy()) > 0:
        return found
    low, high = f"{own.idxmin()} ({own.min():+.3g})", f"{own.idxmax()} ({own.max():+.3g})"
    return f"{found} Effect of a data set: lowest on {low}, highest on {high}."


def domain_html(domain: Domain, table: Table) -> str:
    """Show a domain in a notebook: the headline, then the table of orders."""
    headline = "<br>".join(escape(line) for line in _headline(domain))
    after = "<br>".join(escape(line) for line in [*_places(domain), *_model(domain)])
    return f"<div><p>{headline}</p>{table.html()}<p>{after}</p></div>"
