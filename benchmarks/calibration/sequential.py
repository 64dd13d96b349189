"""Attained error and mean number of replications of sequential tests.

    python -m benchmarks.calibration.sequential ["one pair" | families | "looks and data sets" | resamples]

writes four sections of ``docs/calibration.md``. About three minutes on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import numpy as np
from benchmarks.calibration.simulate import ALPHA, FloatArray, Share, most_by_chance, write_section

from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, Structure
from podium.analysis.sequential.cumulative_pvalues import accumulating_pvalues
from podium.analysis.sequential.stopping_rule import (
    CombinationTestOfStages,
    ConfidenceSequenceTest,
    GroupSequentialTest,
    SequentialTest,
    StoppingRule,
)

SIZES = (20,) * 5
N = sum(SIZES)
ENDS = np.cumsum(SIZES)

TESTS: Mapping[str, SequentialTest] = {
    "combination: Fisher, constant": CombinationTestOfStages(sizes=SIZES),
    "combination: Fisher, shrinking": CombinationTestOfStages(sizes=SIZES, rule="shrinking"),
    "combination: Fisher, t tests": CombinationTestOfStages(sizes=SIZES, method="t"),
    "combination: inverse normal": CombinationTestOfStages(sizes=SIZES, combine="inverse normal"),
    "group sequential: Pocock, t": GroupSequentialTest(sizes=SIZES, boundary="pocock"),
    "group sequential: O'Brien–Fleming, t": GroupSequentialTest(sizes=SIZES),
    "group sequential: O'Brien–Fleming spending, Wilcoxon": GroupSequentialTest(
        sizes=SIZES, boundary="obrien-fleming spending", method="wilcoxon"
    ),
    "group sequential: alpha spent evenly, t": GroupSequentialTest(sizes=SIZES, boundary=float),
    "confidence sequence: betting": ConfidenceSequenceTest(sizes=SIZES, kind="betting", bounds=(0.0, 1.0)),
    "confidence sequence: betting, range of 3 sd": ConfidenceSequenceTest(
        sizes=SIZES, kind="betting", bounds=(0.0, 0.25)
    ),
    "confidence sequence: asymptotic": ConfidenceSequenceTest(sizes=SIZES),
    "confidence sequence: asymptotic, every replication": ConfidenceSequenceTest(sizes=(1,) * N),
}


def values(kind: str, samples: int, shift: float, seed: int) -> FloatArray:
    """Differences of two algorithms with values in [0, 1], shape (samples, N); `shift` is in standard deviations."""
    rng = np.random.default_rng(seed)
    if kind == "symmetric":
        d = rng.normal(size=(samples, N))
    elif kind == "ties":
        d = np.round(rng.normal(size=(samples, N)) + shift) - shift
    elif kind == "skewed":
        d = rng.exponential(size=(samples, N)) - 1.0
    else:
        d = rng.laplace(size=(samples, N)) / np.sqrt(2)
    return np.clip((d + shift) / 12, -1.0, 1.0)


def ended(test: SequentialTest, differences: FloatArray) -> tuple[np.ndarray, np.ndarray]:
    """Whether a two-sided test of each sample rejects, and after how many replications it ends."""
    ends = np.array(test.ends)
    if isinstance(test, ConfidenceSequenceTest) and test.bounds is not None:
        differences = np.clip(differences, -test.reach, test.reach)
    sides = [test.paths(sign * differences, ALPHA / 2) for sign in (1.0, -1.0)]
    rejected = sides[0].rejected | sides[1].rejected
    stopped = rejected | (sides[0].accepted & sides[1].accepted)
    last = np.where(stopped.any(axis=1), np.argmax(stopped, axis=1), len(ends) - 1)
    return rejected[:, -1] if rejected.shape[1] else rejected.any(axis=1), ends[last]


def naive(differences: FloatArray, looks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stop at the first p-value of at most alpha: what monitoring must not be used for."""
    p = accumulating_pvalues(differences, PAIRWISE_TESTS["t"], "two-sided", Structure(), 4, {})[:, looks - 1]
    with np.errstate(invalid="ignore"):
        hit = p <= ALPHA
    first = np.where(hit.any(axis=1), np.argmax(hit, axis=1), len(looks) - 1)
    return hit.any(axis=1), looks[first]


def pair_table(samples: int) -> list[str]:
    """One pair, drawn afresh: errors under four hypotheses, power and mean number of replications."""
    kinds = ("symmetric", "heavy tails", "ties", "skewed")
    effects = (0.0, 0.3, 0.5)
    procedures: dict[str, Callable[[FloatArray], tuple[np.ndarray, np.ndarray]]] = {
        name: (lambda d, test=test: ended(test, d)) for name, test in TESTS.items()
    }
    procedures["one t test of all 100"] = lambda d: naive(d, np.array([N]))
    procedures["*five looks at 5% each*"] = lambda d: naive(d, ENDS)
    procedures["*a look after every replication*"] = lambda d: naive(d, np.arange(4, N + 1))
    head = [*kinds, *(f"{'none' if e == 0 else f'{e:g} sd'}: replications" for e in effects)]
    head += [f"{e:g} sd: found" for e in effects[1:]]
    lines = [f"| rule | {' | '.join(head)} |", "|---|" + "--:|" * len(head)]
    for name, run in procedures.items():
        few = samples // 4 if "inverse" in name else samples
        cells = []
        for i, kind in enumerate(kinds):
            if "3 sd" in name and kind == "skewed":  # truncated, they would no longer have the mean 0
                cells.append("")
                continue
            rejected, _ = run(values(kind, few, 0.0, 100 + i))
            cells.append(str(Share(int(rejected.sum()), few)))
        found, spent = [], []
        for effect in effects:
            rejected, used = run(values("symmetric", few, effect, 200))
            spent.append(f"{used.mean():.0f}")
            found.append(f"{100 * rejected.mean():.0f}")
        lines.append(f"| {name} | {' | '.join([*cells, *spent, *found[1:]])} |")
    return [
        "\n".join(lines),
        f"{samples:,} samples each, a quarter of that for the inverse normal; more than "
        f"{most_by_chance(samples):.1f} is bold.",
    ]


def family_table(samples: int) -> list[str]:
    """All pairs of four algorithms: any false difference, with and without racing, and the trials that were spent."""
    scenarios = {
        "all equal": (0.0, 0.0, 0.0, 0.0),
        "one differs": (0.0, 0.0, 0.0, 1.5),
        "two groups": (0.0, 0.0, 1.0, 1.0),
    }
    names = (
        "combination: Fisher, constant",
        "group sequential: O'Brien–Fleming, t",
        "confidence sequence: asymptotic",
    )
    designs = [("all equal", False), *((name, True) for name in scenarios)]
    head = [f"{name}{', racing' if racing else ''}" for name, racing in designs]
    head += ["trials, two groups, racing", "two measures, all equal", "false equivalence"]
    lines = [f"| rule | {' | '.join(head)} |", "|---|" + "--:|" * len(head)]
    for name in names:
        cells, trials = [], []
        for scenario, racing in designs:
            errors, spent = _family(TESTS[name], scenarios[scenario], racing, samples, measures=1)
            cells.append(str(Share(errors, samples)))
            if scenario == "two groups":
                trials.append(f"{100 * spent:.0f}%")
        errors, _ = _family(TESTS[name], scenarios["all equal"], False, samples // 2, measures=2)
        cells += [
            *trials,
            str(Share(errors, samples // 2)),
            str(Share(_false_equivalence(TESTS[name], samples), samples)),
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [
        "\n".join(lines),
        f"{samples:,} samples each, half of that for two measures; more than {most_by_chance(samples):.1f} is bold.",
    ]


def _family(
    test: SequentialTest, shifts: tuple[float, ...], racing: bool, samples: int, measures: int
) -> tuple[int, float]:
    rng = np.random.default_rng(1)
    rule = StoppingRule(test=test, racing=racing)
    errors, spent = 0, 0.0
    level = np.array(shifts)
    for _ in range(samples):
        table = rng.normal(size=(N, len(shifts), measures)) + level[:, None] + rng.normal(size=(N, 1, 1))
        found = rule.decide(np.split(table, ENDS[:-1]), (1,) * measures)
        equal = level[found.first] == level[found.second]
        errors += bool((equal & np.isin(found.state, ("better", "worse"))).any())
        end = np.where(found.stage > 0, ENDS[found.stage - 1], N).max()
        spent += np.where(found.dropped > 0, np.minimum(ENDS[found.dropped - 1], end), end).mean() / N
    return errors, spent / samples


def _false_equivalence(test: SequentialTest, samples: int) -> int:
    """A pair whose difference is exactly at the margin."""
    rng = np.random.default_rng(2)
    rule = StoppingRule(test=test, equivalence=(-0.4, 0.4))
    errors = 0
    for _ in range(samples):
        table = rng.normal(size=(N, 2)) + np.array([0.4, 0.0])
        errors += bool((rule.decide(np.split(table, ENDS[:-1])).state == "equivalent").any())
    return errors


def resample_table(samples: int) -> list[str]:
    """Two algorithms that are equal in the population, on replications of data sets of several sizes."""
    rules: dict[str, Callable[[float], SequentialTest]] = {
        "combination: Fisher, constant": lambda ratio: CombinationTestOfStages(sizes=SIZES),
        "group sequential: O'Brien–Fleming, t": lambda ratio: GroupSequentialTest(sizes=SIZES),
        "confidence sequence: asymptotic": lambda ratio: ConfidenceSequenceTest(sizes=SIZES),
        "group sequential: corrected t": lambda ratio: GroupSequentialTest(
            sizes=SIZES, method="corrected t", ratio=ratio
        ),
        "confidence sequence: asymptotic, corrected": lambda ratio: ConfidenceSequenceTest(sizes=SIZES, ratio=ratio),
    }
    designs = [("fresh draws", n) for n in (50, 500, 5000)]
    designs += [("bootstrap", n) for n in (50, 200, 1000, 5000)] + [("10-fold cv", n) for n in (50, 200, 1000)]
    head = [f"{design}, {n:,}" for design, n in designs]
    lines = [f"| rule | {' | '.join(head)} |", "|---|" + "--:|" * len(head)]
    drawn = {}
    for design, n in designs:
        few = samples // 4 if n == 5000 else samples
        drawn[design, n] = np.stack([_resampled(design, n, np.random.default_rng([n, s])) for s in range(few)])
    for name, make in rules.items():
        cells = []
        for design, n in designs:
            if "corrected" in name and design == "fresh draws":
                cells.append("")
                continue
            test = make(1 / 9 if "cv" in design else 0.582)
            rejected, _ = ended(test, drawn[design, n])
            cells.append(str(Share(int(rejected.sum()), len(rejected))))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [
        "\n".join(lines),
        f"{samples:,} samples each, a quarter of that for 5,000 rows; more than "
        f"{most_by_chance(samples):.1f} is bold (for 5,000 rows {most_by_chance(samples // 4):.1f}).",
    ]


def _resampled(design: str, n: int, rng: np.random.Generator) -> FloatArray:
    """Differences of the errors of two equal algorithms in N replications, see `benchmarks.calibration.resampling`."""
    found = []
    x, y = _data(n, rng)
    parts: list[np.ndarray] = []
    for _ in range(N):
        if design == "fresh draws":
            inside, outside = np.arange(n), np.arange(n, n + n // 3)
            x, y = _data(n + n // 3, rng)
        elif design == "bootstrap":
            inside = rng.integers(0, n, n)
            outside = np.setdiff1d(np.arange(n), inside)
        else:
            parts = parts or list(np.array_split(rng.permutation(n), 10))
            outside = parts.pop()
            inside = np.setdiff1d(np.arange(n), outside)
        one = y[inside]
        means = np.stack([x[inside][~one].mean(axis=0), x[inside][one].mean(axis=0)])
        wrong = ((x[outside] > means.mean(axis=0)) == (means[1] > means[0])) != y[outside][:, None]
        found.append(wrong.mean(axis=0))
    errors = np.array(found)
    return errors[:, 0] - errors[:, 1]


def _data(n: int, rng: np.random.Generator) -> tuple[FloatArray, np.ndarray]:
    y = rng.random(n) < 0.5
    y[:2] = True, False
    return rng.normal(size=(n, 2)) + 0.8 * y[:, None], y


def looks_and_data_sets(samples: int) -> list[str]:
    """Errors of a plan at its interim looks, and over data sets that share the error."""
    tests = {
        "combination: Fisher, constant": CombinationTestOfStages(sizes=(50,) * 4),
        "group sequential: O'Brien–Fleming, t": GroupSequentialTest(sizes=(50,) * 4),
    }
    lines = [
        "| rule | after 50 | after 100 | after 150 | after 200 | any of 10 data sets |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, test in tests.items():
        differences = np.random.default_rng(4).normal(size=(samples, 200))
        looks = np.zeros((samples, 4), bool)
        for calls, end in enumerate(test.ends):  # called anew, with what there is by then
            for sign in (1.0, -1.0):
                looks[:, calls:] |= test.paths(sign * differences[:, :end], ALPHA / 2).rejected[:, -1:]
        wrong = np.zeros(samples // 10, bool)
        for sign in (1.0, -1.0):
            rejected = test.paths(sign * differences, ALPHA / 10 / 2).rejected[:, -1]
            wrong |= rejected[: 10 * len(wrong)].reshape(-1, 10).any(axis=1)
        shares = [*(Share(int(row.sum()), samples) for row in looks.T), Share(int(wrong.sum()), len(wrong))]
        lines.append(" | ".join(["", name, *map(str, shares), ""]).strip())
    return ["\n".join(lines), f"{samples:,} samples each, a tenth of that for ten data sets."]


SECTIONS: dict[str, Callable[[], list[str]]] = {
    "one pair": lambda: pair_table(1500),
    "families": lambda: family_table(1500),
    "looks and data sets": lambda: looks_and_data_sets(20_000),
    "resamples": lambda: resample_table(600),
}


def main(chosen: list[str]) -> None:
    """Write the sections, all or those named."""
    for name in chosen or SECTIONS:
        write_section(f"sequential, {name}", SECTIONS[name]())


if __name__ == "__main__":
    main(sys.argv[1:])
