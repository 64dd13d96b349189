"""Random experiments of many shapes for the tests of sentences, and a few made by hand for what chance seldom makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import podium
from podium.reporting import Analyses, Report, Section
from podium.reporting.sections import in_order
from podium.warehouse import Decision
from podium.warehouse.decision import DecisionIdentity, Ending, PairDecision, PairState

NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay", "gus", "zoe", *(f"alg{i}" for i in range(10, 50)))
MEASURES = ("score", "gain", "fit time")
FAILED, STOPPED = (2, 3, 4, 5), 6  # codes of reasons: failed, timeout, skipped, crashed; stopped


@dataclass(frozen=True, repr=False)
class Case:
    """Results, and what a report on them is asked for."""

    results: podium.Results
    options: dict[str, Any] = field(default_factory=dict)
    experiment: podium.Experiment | None = None
    decisions: tuple[Decision, ...] = ()

    def __repr__(self) -> str:
        values = self.results.values.tolist()
        return f"Case of {self.results.measures} with {self.options}, reasons {self.results.reasons.tolist()}: {values}"

    def report(self) -> Report:
        if not self.decisions:
            return podium.report(self.results, progress="quiet", experiment=self.experiment, **self.options)
        analyses = Analyses(self.results, **self.options, decisions=self.decisions)
        sections = tuple(Section(one.name, one.title, tuple(one.make(analyses))) for one in in_order())
        return Report(title="", subtitle="", authors=(), sections=sections)


def made(values: np.ndarray, measures: tuple[str, ...], greater: tuple[str, ...] = ()) -> podium.Results:
    """Scores from an array of data sets × replications × algorithms × measures."""
    m, b, k, _ = values.shape
    labels = {
        "dataset": [f"set {i}" for i in range(m)],
        "replication": list(range(1, b + 1)),
        "algorithm": list(NAMES[:k]),
        "measure": list(measures),
    }
    direction = {name: "greater" if name in greater else "lower" for name in measures}
    return podium.read(values, labels=labels, direction=direction)


@st.composite
def experiments(draw: st.DrawFn) -> Case:
    """Scores with ties, gaps, failures and constant columns; one to three measures, in either direction."""
    measures = draw(st.sampled_from([MEASURES[:1], MEASURES[::2], MEASURES[:2], MEASURES[2:], MEASURES]))
    few = len(measures) > 1  # reports on several measures take longer
    m = draw(st.integers(1, 8))
    b = draw(st.integers(1, 12 if m == 1 else 4))
    k = draw(st.integers(2, 5 if few else 8))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    distance = draw(st.sampled_from([0.0, 0.5, 3.0]))
    values = rng.normal(size=(m, b, k, len(measures))) + rng.normal(size=(m, 1, 1, 1))
    values += distance * rng.permutation(k)[:, None]
    values = np.round(values, draw(st.sampled_from([0, 1, 8])))
    if draw(st.integers(0, 4)) == 0:
        values[:, :, 0] = draw(st.sampled_from([0.0, 1.0]))  # an algorithm that is the same everywhere
    if "fit time" in measures:
        values[..., -1] = np.exp(-values[..., -1])
        if draw(st.integers(0, 5)) == 0:
            values[0, 0, 0, -1] = 0.0  # no logarithm
    share = draw(st.sampled_from([0.0, 0.0, 0.05, 0.5]))
    values[rng.random((m, b, k)) < share] = np.nan
    if share and draw(st.booleans()):
        values[rng.random(values.shape) < 0.1] = np.nan  # of one measure only
    values[0, 0] = np.abs(rng.normal(size=(k, len(measures)))) + 0.1
    greater = tuple(name for name in measures if name != "fit time" and draw(st.booleans()))
    results = made(values, measures, greater)
    if draw(st.booleans()):
        lacking = np.isnan(values)
        reasons = np.where(lacking, rng.choice([1, *FAILED], size=values.shape), 0)
        results = results.replace(reasons=reasons.astype(np.uint8))
    elif share and draw(st.integers(0, 3)) == 0:
        results = stopped(results, rng)
    options: dict[str, Any] = {}
    policies = ["available", "available", "worst-rank", "drop-block", "drop-algorithm", "worst-value"]
    if share:
        options["missing"] = draw(st.sampled_from(policies))
    if draw(st.integers(0, 3)) == 0:
        options["equivalence"] = draw(st.sampled_from([0.1, 2.0]))
    if draw(st.integers(0, 4)) == 0:
        options["alpha"] = 0.2
    if draw(st.integers(0, 7)) == 0:
        options["characteristics"] = pd.DataFrame({"size": np.arange(m)}, index=list(results.datasets))
    return Case(results, options)


def stopped(results: podium.Results, rng: np.random.Generator) -> podium.Results:
    """End data sets, or single algorithms, before their last replications."""
    values, reasons = results.values.copy(), results.reasons.copy()
    values[:, 0] = np.where(np.isnan(values[:, 0]), 1.5, values[:, 0])  # what a rule leaves out has been run before
    reasons[:, 0] = 0
    b = len(results.replications)
    for m in range(len(results.datasets)):
        ends = np.full(len(results.algorithms), rng.integers(1, b + 1))
        ends[0] = rng.integers(1, b + 1)
        for k, end in enumerate(ends):
            values[m, end:, k] = np.nan
            reasons[m, end:, k] = STOPPED
    return results.replace(values=values, reasons=reasons)


def normal(m: int, b: int, k: int, distance: float = 1.0, seed: int = 1) -> np.ndarray:
    """Scores by one measure, each algorithm worse than the one before it."""
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(m, b, k)) + distance * np.arange(k) + rng.normal(size=(m, 1, 1)))[..., None]


def with_times(scores: np.ndarray) -> np.ndarray:
    """Scores by one measure, and times that are alike."""
    return np.concatenate([scores, np.exp(normal(*scores.shape[:3], 0.0, seed=2))], axis=3)


def decision(dataset: str, outcomes: tuple[PairState, ...], ending: Ending) -> Decision:
    """What a rule decided about the pairs of three algorithms in the second stage."""
    pairs = tuple(
        PairDecision(measure="score", a=a, b=b, outcome=one, stage=2, replications=4, estimate=0.5)
        for (a, b), one in zip(combinations(NAMES[:3], 2), outcomes, strict=True)
    )
    identity = DecisionIdentity("", {}, {}, {})
    return Decision(dataset=dataset, stage=2, replications=4, ending=ending, dropped=(), pairs=pairs, identity=identity)


def early(results: podium.Results, *ends: tuple[int, int, int]) -> podium.Results:
    """Stop an algorithm on a data set after some replications: (data set, algorithm, replications)."""
    values, reasons = results.values.copy(), results.reasons.copy()
    for m, k, end in ends:
        values[m, end:, k], reasons[m, end:, k] = np.nan, STOPPED
    return results.replace(values=values, reasons=reasons)


def by_hand() -> Iterator[tuple[str, Case]]:
    """What chance seldom makes, by name."""
    score = MEASURES[:1]
    yield "one algorithm", Case(made(normal(5, 2, 1), score))
    yield "one cell", Case(made(normal(1, 1, 1), score))
    yield "one value each", Case(made(np.repeat(normal(1, 1, 3), 2, axis=3), MEASURES[:2]))
    yield "times", Case(made(np.exp(normal(6, 1, 3)), MEASURES[2:]))
    late = holes(np.exp(normal(8, 1, 4)), (0, 0, 1))
    yield "ranks of times", Case(made(late, MEASURES[2:]), {"missing": "worst-rank"})
    often = 0.1 * normal(6, 8, 2, 0.0)
    often[:4, :, 1] += 1.0
    often[4:, :, 0] += 9.0
    yield "often better, but worse by the mean", Case(made(often, score))
    yield "all equal", Case(made(np.full((4, 1, 3, 1), 0.5), score))
    yield "no common order", Case(made(np.array([[0.0, 1.0], [1.0, 0.0]] * 2)[:, None, :, None], score))
    yield "many data sets", Case(made(normal(14, 1, 2), score))
    yield "many algorithms", Case(made(np.repeat(normal(6, 1, 42, 1.0), 2, axis=3), MEASURES[:2]))
    yield "equivalent", Case(made(normal(1, 12, 2, 0.01), score), {"equivalence": 2.0})
    yield (
        "equivalent and different",
        Case(made(0.1 * normal(12, 1, 3, 0.0) + np.arange(3.0)[:, None], score), {"equivalence": 1.5}),
    )
    yield "two left out", Case(made(holes(normal(2, 1, 4), (1, 0, 3), (1, 0, 2)), score), {"missing": "drop-algorithm"})
    gaps = (
        [(m, b, 2) for m in range(1, 5) for b in range(2)]
        + [(4, b, 1) for b in range(2)]
        + [(3, 1, k) for k in range(3)]
    )
    yield "many gaps", Case(made(holes(normal(5, 2, 3), *gaps), score))
    yield (
        "an algorithm without values",
        Case(made(holes(normal(4, 1, 3), *((m, 0, 2) for m in range(4))), score), {"missing": "worst-rank"}),
    )
    for m, b in ((1, 5), (4, 2)):
        lacking = holes(normal(m, b, 3), *((i, j, 2) for i in range(m) for j in range(b)))
        yield f"an algorithm without values on {m}", Case(made(lacking, score))
    yield "one algorithm with values", Case(made(lacking[:, :, 1:], score))
    empty = holes(normal(7, 1, 3), *((m, 0, k) for m in (2, 5) for k in range(3)), (1, 0, 0))
    yield "data sets without values", Case(made(empty, score), {"missing": "worst-rank"})
    yield "nothing left", Case(made(holes(normal(2, 1, 2), (0, 0, 0), (1, 0, 1)), score), {"missing": "drop-block"})
    lucky = np.stack([np.r_[np.zeros(8), 90.0], np.ones(9)], axis=1)[None, :, :, None]
    yield "means and ranks disagree", Case(made(lucky, score))
    yield (
        "many blocks without a difference",
        Case(made(np.stack([np.zeros(12), np.r_[[0.0] * 5, range(1, 8)]], axis=1)[None, :, :, None], score)),
    )
    yield "a time of zero", Case(made(holes(normal(4, 1, 2) ** 2, value=0.0), MEASURES[2:]))
    both = with_times(normal(4, 4, 3, 0.0))
    yield "costs with a gap", Case(made(holes(both, (1, 1, 1)), MEASURES[::2]))
    yield "costs of few replications", Case(made(both[:1, :3], MEASURES[::2]))
    few = holes(with_times(normal(4, 8, 3)), *((1, b, 0) for b in range(4, 8)))
    yield "costs of few replications of one data set", Case(made(few, MEASURES[::2]))
    yield "worst case of a beaten one", Case(made(normal(1, 15, 3), score))
    known = {"n_learn": np.full((1, 10), 90), "n_test": np.full((1, 10), 10)}
    yield "known overlap", Case(made(normal(1, 10, 3, 3.0), score).replace(structure=known))
    times = np.concatenate([np.round(normal(1, 6, 3), 0), np.tile([[[[1.0], [1.0], [2.0]]]], (1, 6, 1, 1))], axis=3)
    yield "equal costs", Case(made(times, MEASURES[::2]))
    yield (
        "tests of equal costs",
        Case(made(np.concatenate([normal(1, 9, 2, 9.0), np.ones((1, 9, 2, 1))], axis=3), MEASURES[::2])),
    )
    opposite = np.concatenate([normal(6, 1, 3, 3.0), np.exp(-normal(6, 1, 3, 3.0))], axis=3)
    yield "opposite measures", Case(made(opposite, MEASURES[::2]))
    yield from races()
    yield from described()


def races() -> Iterator[tuple[str, Case]]:
    """Experiments with a stopping rule."""
    score = MEASURES[:1]
    three = made(normal(3, 6, 3), score)
    race = early(three, *((0, k, 4) for k in range(3)), (1, 2, 4))
    yield "a race without decisions", Case(race)
    pairs: tuple[PairState, ...] = ("better", "open", "left out")
    last = decision("set 2", ("worse", "equivalent", "accepted"), "decided")
    told = (
        decision("set 0", pairs, ""),
        decision("set 0", pairs, "decided"),
        decision("set 1", pairs, "maximum"),
        last,
    )
    yield "a race", Case(race, decisions=told)
    yield "a race to the end", Case(three, decisions=(decision("", pairs, "maximum"),))
    yield "a race on one data set", Case(made(normal(1, 6, 3), score), decisions=(decision("set 0", pairs, "decided"),))
    yield "one trial saved", Case(early(three, (0, 0, 5)))


def described() -> Iterator[tuple[str, Case]]:
    """Experiments with characteristics of the data sets, and one whose design is known."""
    score = MEASURES[:1]
    turned = normal(16, 1, 2, 3.0)
    turned[8:] = turned[8:, :, ::-1]
    turned[0], turned[15] = turned[0, :, ::-1], turned[15, :, ::-1]
    for name, size in (("a split", np.arange(16) // 8), ("no split", np.arange(16) % 2), ("nothing to test", 1)):
        frame = pd.DataFrame({"size": np.broadcast_to(size, 16)}, index=[f"set {i}" for i in range(16)])
        options = {"characteristics": frame, "sections": ["tree"]}
        yield f"characteristics: {name}", Case(made(np.repeat(turned, 2, axis=1), score), options)
    frame = pd.DataFrame({"size": range(4)}, index=[f"set {i}" for i in range(4)])
    yield "characteristics of few data sets", Case(made(normal(4, 2, 2), score), {"characteristics": frame})
    experiment = podium.Experiment(["iris"], ["lda", "nb"], podium.Bootstrap(replications=4), ["misclassification"])
    yield "a run", Case(made(normal(1, 4, 2), score), experiment=experiment)


def holes(values: np.ndarray, *places: tuple[int, int, int], value: float = np.nan) -> np.ndarray:
    """Put a value, usually none, in some cells; in the first one by default."""
    for place in places or [(0, 0, 0)]:
        values[place] = value
    return values
