"""The tables of a domain for papers: orders, places, effects of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from podium.analysis.domain.local_analysis import LocalAnalysis
from podium.analysis.domain.text import levels_text, sentences_on_tests, without_model, witness_text
from podium.analysis.notes import FIRST
from podium.errors import InputError, plural
from podium.typesetting import Cell, Column, Table

if TYPE_CHECKING:
    from podium.analysis.domain.domain import Domain
    from podium.analysis.relation import Relation

DomainTable: TypeAlias = Literal["orders", "places", "effects"]

MAX_NEAREST_ORDERS = 5  # orders of a domain that are listed


def domain_table(domain: Domain, most: int | None = None) -> Table:
    """Make the table of the orders on the data sets; where one is not a chain, its levels and why."""
    shown = list(domain.local.values())[:most]
    broken = any(one.relation.chain is None for one in shown)
    rows = tuple(
        (
            Cell(one.dataset, one.dataset),
            Cell(str(one.relation), _order(one), marks=() if one.relation.chain else ("*",)),
            *((Cell(", ".join(one.witness), witness_text(one, "≺", "∼")),) if broken else ()),
        )
        for one in shown
    )
    nearest, told = _nearest(domain)
    empty = (Cell(None, ""),) if broken else ()
    foot = tuple(
        (Cell("domain", "Domain"), Cell(str(one), relation_text(one), bold=len(nearest) == 1), *empty)
        for one in nearest
    )
    level = f" at level {domain.alpha:g}" if all(one.tested for one in domain.criteria) else ""
    tests = sentences_on_tests(domain, why=False) if any(one.tested for one in domain.criteria) else []
    notes = [f"On a data set, ≺ means better{level}, ∼ neither better nor worse."]
    notes += [f"On each data set: {'; '.join(tests)}."] if tests else []
    if broken:
        notes.append("* Not a weak order: the levels of its Hasse diagram, separated by |, cycles in parentheses.")
    notes += [told, *(note.finding for note in domain.notes if note.code in FIRST)]
    if len(shown) < len(domain.local):
        notes.append(f"{plural(len(domain.local) - len(shown), 'data set')} more: see frame().")
    return Table(
        title=f"Orders of {plural(len(domain.algorithms), 'algorithm')} on {plural(len(domain.local), 'data set')} "
        f"by {', '.join(one.name for one in domain.criteria)}",
        columns=(
            Column("Data set", "left", is_label=True),
            Column("Order, best first", "left"),
            *((Column("Why not a chain", "left"),) if broken else ()),
        ),
        rows=rows,
        foot=foot,
        notes=tuple(notes),
    )


def _nearest(domain: Domain) -> tuple[tuple[Relation, ...], str]:
    """Return the orders of the domain, if they can be listed, and say what they are."""
    found = domain.consensus
    if not domain.is_ordered:
        return (), "No algorithm is better than another on any data set, so the domain has no order."
    if len(found) == 1 and found.exhausted:
        return found.relations, "Domain: the order nearest to those on the data sets, without a test."
    many = f"{len(found):,}{'' if found.exhausted else ' or more'} orders are equally near to those on the data sets"
    if len(found) > MAX_NEAREST_ORDERS or not found.exhausted:
        return (), f"Domain: {many}, so none is listed."
    return found.relations, f"Domain: {many}, without a test."


def _order(local: LocalAnalysis) -> str:
    return levels_text(local) if local.relation.chain is None else relation_text(local.relation)


def relation_text(relation: Relation) -> str:
    """Write a relation as its chain; the pairs of one that has none."""
    if relation.chain is None:
        return str(relation)
    return " ≺ ".join(" ∼ ".join(level) for level in relation.levels())


def place_table(domain: Domain) -> Table:
    """Make the table of places: how often each algorithm takes each place, in parentheses how often alone."""
    counts, alone = domain.place_frame(), domain.place_frame(alone=True)
    places = range(1, len(domain.algorithms) + 1)
    most = counts[1].max()
    rows = tuple(
        (
            Cell(str(name), str(name)),
            *(
                Cell(
                    int(counts.loc[name, place]),
                    f"{counts.loc[name, place]}" + (f" ({alone.loc[name, place]})" if alone.loc[name, place] else ""),
                    bold=bool(place == 1 and counts.loc[name, 1] == most),
                )
                for place in places
            ),
            Cell(int(counts.loc[name, "last"]), f"{counts.loc[name, 'last']}"),
            Cell(int(counts.loc[name, "worst"]), f"{counts.loc[name, 'worst']}"),
        )
        for name in counts.index
    )
    return Table(
        title=f"Places of {plural(len(domain.algorithms), 'algorithm')} on {plural(len(domain.local), 'data set')}",
        columns=(
            Column("Algorithm", "left", is_label=True),
            *(Column(str(place)) for place in places),
            Column("Last"),
            Column("Worst place"),
        ),
        rows=rows,
        notes=(
            "Place: 1 + the number of better algorithms; in parentheses how often no other algorithm takes it. "
            "Last: on how many data sets it is better than no other.",
        ),
    )


def effect_table(domain: Domain) -> Table:
    """Make the table of the model: the means κ of the algorithms, the effects β_m and β_mk of each data set."""
    if domain.model is None or domain.comparison is None:
        raise InputError(without_model(domain))
    means, effects = domain.model.estimates, domain.effects()
    decimals = _decimals(means.to_numpy(), effects.to_numpy())

    def number(value: float) -> Cell:
        return Cell(float(value), f"{value:.{decimals}f}") if np.isfinite(value) else Cell()

    names = [str(name) for name in means.index]
    rows = tuple(
        (Cell(str(name), str(name)), *(number(row[column]) for column in ["data set", *names]))
        for name, row in effects.iterrows()
    )
    measure = domain.comparison.measure
    logs = " The model is on the log scale." if domain.comparison.transform == "log" else ""
    return Table(
        title=f"Effects of the mixed-effects model of {measure.name}",
        columns=(
            Column("Data set", "left", is_label=True),
            Column("Effect of the data set"),
            *(Column(name, is_name=True) for name in names),
        ),
        rows=((Cell("mean", "Mean of the domain"), Cell(), *(number(value) for value in means)), *rows),
        notes=(
            "First row: estimated mean κ of each algorithm. Below: predicted effect β of each data set, and of each "
            f"algorithm on it.{logs}",
        ),
    )


def _decimals(*arrays: np.ndarray) -> int:
    """Decimals that show three significant digits of a typical effect, four at least for rates."""
    size = float(np.nanmedian(np.abs(np.concatenate([one.ravel() for one in arrays]))))
    return int(np.clip(2 - np.floor(np.log10(size)), 0, 8)) + 1 if size > 0 else 4
