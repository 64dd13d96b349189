"""What a report should say, computed from the raw scores with NumPy alone."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations, pairwise, permutations

import numpy as np
from random_experiments import STOPPED, Case
from scipy.stats import rankdata

import podium
from podium.reporting import Figure, Report, Tabular

Rows = list[dict[str, object]]


class Facts:
    """The facts behind the report on a case."""

    def __init__(self, case: Case, report: Report) -> None:
        self.case, self.report, self.results = case, report, case.results
        self.values, self.reasons = case.results.values, case.results.reasons
        self.sets, self.names = list(case.results.datasets), list(case.results.algorithms)
        self.measures = [one.name for one in case.results.measures]
        self.policy = str(case.options.get("missing", "available"))
        self.alpha = float(case.options.get("alpha", 0.05))
        at = next((j for j, name in enumerate(self.measures) if name != "fit time"), 0)
        self.main, self.at = self.measures[at], at
        self.sign = 1 if case.results.measures[at].direction == "lower" else -1

    # Tables of the report.

    def table(self, section: str, name: str) -> Rows | None:
        for block in self.report.section(section).blocks:
            if isinstance(block, Tabular) and block.name == name:
                return rows_of(block.table)
        return None

    def title(self, section: str, name: str) -> str:
        blocks = self.report.section(section).blocks
        return next((b.table.title for b in blocks if isinstance(b, Tabular) and b.name == name), "")

    def data(self, section: str, figure: str) -> Rows:
        blocks = self.report.section(section).blocks
        return next(rows_of(b.data) for b in blocks if isinstance(b, Figure) and b.name == figure)

    @cached_property
    def pairs(self) -> Rows | None:
        return self.table("inference", "pairs")

    @cached_property
    def better(self) -> set[tuple[str, str]]:
        """Pairs of which the first is shown to be better, by the table of pairs."""
        return {(row["a"].value, row["b"].value) for row in self.pairs or () if row["Decision"].text == "better"}

    @property
    def beaten(self) -> set[str]:
        return {b for _, b in self.better}

    @property
    def compared(self) -> list[str]:
        """The algorithms of the pairs."""
        named = {row[side].value for row in self.pairs or () for side in "ab"}
        return [name for name in self.names if name in named]

    @cached_property
    def gated(self) -> bool:
        """Whether a global test keeps all pairs from being called different."""
        said = self.report.section("inference").blocks[0].text
        return " finds no difference among the algorithms " in said

    # The main measure, by the policy for missing cells.

    def is_log(self, at: int) -> bool:
        values = self.values[..., at]
        return self.measures[at] == "fit time" and bool((values[~np.isnan(values)] > 0).all())

    @cached_property
    def cells(self) -> np.ndarray:
        """Values of the main measure on its scale: data sets × replications × algorithms; NaN where left out."""
        values = self.values[..., self.at].copy()
        gaps = np.isnan(values)
        if self.policy == "worst-value":
            aside = (self.reasons[..., self.at] == STOPPED).any(axis=2)
            values[aside] = np.nan
            worst = np.where(gaps, -np.inf, self.sign * values).max(
                axis=(1, 2), initial=-np.inf, where=~np.isnan(values)
            )
            values = np.where(gaps & ~aside[..., None], (self.sign * worst)[:, None, None], values)
        elif self.policy == "drop-block":
            values[gaps.any(axis=2)] = np.nan
        elif self.policy == "drop-algorithm":
            values[..., gaps.any(axis=(0, 1))] = np.nan
        return np.log(values) if self.is_log(self.at) else values

    @cached_property
    def left(self) -> list[int]:
        """Positions of the algorithms that the policy leaves in."""
        if self.policy == "drop-algorithm":
            return [k for k in range(len(self.names)) if not np.isnan(self.cells[..., k]).all()]
        return list(range(len(self.names)))

    @cached_property
    def single(self) -> bool:
        """Whether the blocks are replications."""
        return len(self.sets) == 1

    @cached_property
    def blocks(self) -> np.ndarray:
        """Blocks × algorithms: replications of one data set, or means of several."""
        table = self.cells[0] if self.single else mean_of(self.cells, axis=1)
        return table[~np.isnan(table).all(axis=1)][:, self.left]

    @cached_property
    def ranked_last(self) -> int:
        return 0 if self.single else int(np.isnan(self.blocks).sum())

    @cached_property
    def criterion(self) -> str:
        return "mean rank" if not self.single else "geometric mean" if self.is_log(self.at) else "mean"

    @cached_property
    def means(self) -> dict[str, float]:
        """Means over blocks, on the scale of the measure."""
        found = mean_of(self.blocks, axis=0)
        found = np.exp(found) if self.is_log(self.at) else found
        return {self.names[k]: float(one) for k, one in zip(self.left, found, strict=True)}

    @cached_property
    def mean_ranks(self) -> dict[str, float]:
        blocks = self.blocks
        if self.single:  # replications that a stopping rule kept an algorithm from are not ranked
            early = (self.reasons[0, :, :, self.at] == STOPPED).any(axis=1)
            kept = self.cells[0][~early]
            blocks = kept[~np.isnan(kept).all(axis=1)][:, self.left]
        found = ranks_of(self.sign * blocks).mean(axis=0)
        return {self.names[k]: float(one) for k, one in zip(self.left, found, strict=True)}

    @cached_property
    def losses(self) -> dict[str, float]:
        """What orders the algorithms, lowest first."""
        if self.criterion == "mean rank":
            return self.mean_ranks
        return {name: self.sign * one for name, one in self.means.items()}

    def first(self) -> set[str]:
        return lowest(self.losses)

    # Blocks without a gap.

    @cached_property
    def whole(self) -> np.ndarray:
        """Values of the main measure as measured, in the blocks in which no algorithm lacks one."""
        values = np.exp(self.cells) if self.is_log(self.at) else self.cells
        values = values[..., self.left]
        return np.where(np.isnan(values).any(axis=2, keepdims=True), np.nan, values)

    def whole_means(self) -> dict[str, float]:
        values = np.log(self.whole) if self.is_log(self.at) else self.whole
        left = ~np.isnan(values).all(axis=(1, 2))
        per = values[left][0] if left.sum() == 1 else mean_of(values[left], axis=1)
        found = mean_of(per, axis=0)
        return dict(zip(self.in_left, (np.exp(found) if self.is_log(self.at) else found).tolist(), strict=True))

    @property
    def in_left(self) -> list[str]:
        return [self.names[k] for k in self.left]

    @cached_property
    def absent(self) -> list[str]:
        """The algorithms that have no place in the order, because they have no value."""
        asked = self.policy == "worst-rank" and not self.single
        there = (~np.isnan(self.values[..., self.at])).any(axis=(0, 1))
        return [self.names[k] for k in self.left if not there[k] and not asked]

    @property
    def placed(self) -> list[str]:
        return [name for name in self.in_left if name not in self.absent]

    def worst(self) -> dict[str, float]:
        """The 95 % quantile of the losses over the blocks: data sets, or replications of one."""
        losses = self.sign * self.whole
        left = ~np.isnan(losses).all(axis=(1, 2))
        per = losses[left][0] if left.sum() == 1 else mean_of(losses[left], axis=1)
        found = np.quantile(per[~np.isnan(per).any(axis=1)], 0.95, axis=0)
        return dict(zip(self.in_left, found.tolist(), strict=True))

    def spread(self) -> dict[str, float]:
        """Mean over data sets of the standard deviation over replications."""
        values = np.log(self.whole) if self.is_log(self.at) else self.whole
        enough = (~np.isnan(values)).all(axis=2).sum(axis=1) >= 2
        found = np.nanstd(values[enough], axis=1, ddof=1).mean(axis=0)
        return dict(zip(self.in_left, found.tolist(), strict=True))

    def average(self, measure: str) -> dict[str, float]:
        """Means of the values that are there, over replications and then over data sets, geometric on a log scale."""
        at = self.measures.index(measure)
        values = np.log(self.values[..., at]) if self.is_log(at) else self.values[..., at]
        table = values[0] if self.single else mean_of(values, axis=1)
        found = mean_of(table, axis=0)
        return dict(zip(self.names, (np.exp(found) if self.is_log(at) else found).tolist(), strict=True))

    def order_by(self, measure: str) -> dict[str, float]:
        """What orders the algorithms by any measure, lowest first."""
        at = self.measures.index(measure)
        sign = 1 if self.results.measures[at].direction == "lower" else -1
        if self.single:
            return {name: sign * one for name, one in self.average(measure).items()}
        values = np.log(self.values[..., at]) if self.is_log(at) else self.values[..., at]
        table = sign * mean_of(values, axis=1)
        ranks = ranks_of(table[~np.isnan(table).all(axis=1)])
        return dict(zip(self.names, ranks.mean(axis=0).tolist(), strict=True))

    # Gaps.

    def gaps(self) -> tuple[int, int, int]:
        """Cells that were run, those of them without a value, and those that a stopping rule left out."""
        early = self.reasons == STOPPED
        lacking = np.isnan(self.values) & ~early
        return int(self.values.size - early.sum()), int(lacking.sum()), int(early.sum())


def rows_of(table: object) -> Rows:
    heads = [column.name for column in table.columns]
    return [dict(zip(heads, row, strict=True)) for row in table.rows]


def mean_of(values: np.ndarray, axis: int) -> np.ndarray:
    """Means of what is there; NaN where nothing is."""
    count = (~np.isnan(values)).sum(axis=axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nansum(values, axis=axis) / count


def ranks_of(losses: np.ndarray) -> np.ndarray:
    """Ranks within rows, 1 for the lowest; cells without a value share the last places."""
    near = np.round(losses / max(np.nanmax(np.abs(losses), initial=0.0), 1e-300), 12)
    return rankdata(np.where(np.isnan(near), np.inf, near), axis=1)


def lowest(values: dict[str, float]) -> set[str]:
    """Names of the smallest values; means of equal numbers may differ in the last digit."""
    known = {name: one for name, one in values.items() if np.isfinite(one)}
    if not known:
        return set()
    least = min(known.values())
    return {name for name, one in known.items() if np.isclose(one, least, rtol=1e-12, atol=0)}


def levels_of(losses: dict[str, float]) -> dict[str, int]:
    """The place of each algorithm among the different values."""
    known = sorted(one for one in losses.values() if np.isfinite(one))
    apart = [known[0], *(b for a, b in pairwise(known) if not np.isclose(a, b, rtol=1e-12, atol=0))]
    return {n: int(np.searchsorted(apart, x + 1e-12 * abs(x), "right")) for n, x in losses.items() if np.isfinite(x)}


def distance(chain: tuple[str, ...], better: set[tuple[str, str]], known: set[str]) -> int:
    """Symmetric difference of a linear order and the pairs that are ordered, of the algorithms that both have."""
    count = 0
    for a, b in combinations([name for name in chain if name in known], 2):
        count += 0 if (a, b) in better else 2 if (b, a) in better else 1
    return count


def nearest(names: list[str], voters: list[tuple[set[tuple[str, str]], set[str], float]]) -> set[tuple[str, ...]]:
    """The linear orders with the least weighted sum of distances, by trying all of them."""
    totals = {
        chain: sum(weight * distance(chain, better, known) for better, known, weight in voters)
        for chain in permutations(names)
    }
    least = min(totals.values())
    return {chain for chain, total in totals.items() if np.isclose(total, least, rtol=1e-12, atol=1e-12)}


def strict(levels: dict[str, int]) -> tuple[set[tuple[str, str]], set[str]]:
    """The ordered pairs of an order with ties, and who is in it."""
    return {(a, b) for a in levels for b in levels if levels[a] < levels[b]}, set(levels)


def compare(results: podium.Results, **options: object) -> podium.Comparison:
    return podium.compare(results, **options)
