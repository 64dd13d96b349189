"""Attained errors and power of the default methods of ``podium.compare(results)``; writes three tables of the page.

Run it as ``python -m benchmarks.calibration.defaults [samples [section ...]]`` from the root of the project; the tables
of the page were made with the default. All samples are tested at once by the functions behind `compare`; the first few
of each row also go through ``podium.compare``, which must make the same decisions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from benchmarks.calibration.resampling import EXAMPLES, errors_of_features, learning_samples
from benchmarks.calibration.simulate import (
    ALPHA,
    FloatArray,
    Scenario,
    Share,
    markdown,
    most_by_chance,
    write_section,
)

import podium
from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.methods.pairwise.permutation_t import step_down_pvalues
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, Structure

K = 5
CHECKED = 3  # samples of each row that go through `compare` as well
BLOCKS = (2, 3, 5, 6, 8, 10, 15, 30)
EQUAL = (0.0,) * K
SHAPES: Mapping[str, dict[str, Any]] = {
    "all equal": {"shifts": EQUAL},
    "ties": {"shifts": EQUAL, "noise": "rounded"},
    "heavy tails": {"shifts": EQUAL, "noise": "cauchy"},
    "one differs": {"shifts": (3.0, 0.0, 0.0, 0.0, 0.0)},
    "two groups": {"shifts": (2.0, 2.0, 0.0, 0.0, 0.0)},
    "opposites": {"shifts": EQUAL, "opposites": True},
    "opposites and others": {"shifts": (40.0, 20.0, 10.0, 0.0, 0.0), "opposites": True},
    "families": {"shifts": EQUAL, "families": True},
    "gradient": {"shifts": EQUAL, "gradient": True},
}
POWERS: Mapping[str, dict[str, Any]] = {
    "power, all differ": {"shifts": (4.0, 3.0, 2.0, 1.0, 0.0)},
    "power, one differs": {"shifts": (0.0, 0.0, 0.0, 0.0, 1.5)},
    "power, heavy tails": {"shifts": (8.0, 6.0, 4.0, 2.0, 0.0), "noise": "cauchy"},
}

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.intp]


def pairs_of(control: bool) -> tuple[IntArray, IntArray]:
    """Return all pairs, or the pairs of the last algorithm with each other one."""
    return (np.arange(K - 1), np.full(K - 1, K - 1)) if control else np.triu_indices(K, 1)


def decisions(tables: FloatArray, method: str, adjust: str, *, control: bool, wanted: BoolArray) -> BoolArray:
    """Return which of the pairs are called different, samples × pairs."""
    first, second = pairs_of(control)
    if adjust == "step-down":
        differences = np.moveaxis(tables[:, :, first] - tables[:, :, second], 1, 2)
        adjusted = np.array([step_down_pvalues(d, "two-sided") for d in differences])
    else:
        adjusted = np.array([adjust_pvalues(p, adjust) for p in _pvalues(tables, method, first, second)])
    return adjusted[:, wanted] <= ALPHA


def _pvalues(tables: FloatArray, method: str, first: IntArray, second: IntArray) -> FloatArray:
    samples, n, _ = tables.shape
    differences = np.moveaxis(tables[:, :, first] - tables[:, :, second], 1, 2).reshape(-1, n)
    found = PAIRWISE_TESTS[method].function(differences, Structure(), alpha=ALPHA, intervals=False)
    return np.asarray(found.two_sided).reshape(samples, -1)


def results_of(table: FloatArray) -> podium.Results:
    names = [f"a{i}" for i in range(table.shape[1])]
    return podium.read(table, labels={"dataset": None, "algorithm": names}, measure="error", direction="lower")


def chosen(blocks: int, *, control: bool) -> tuple[str, str]:
    """What podium chooses for a number of data sets: procedure and adjustment."""
    example = results_of(np.random.default_rng(0).normal(size=(blocks, K)))
    found = podium.compare(example, control=f"a{K - 1}" if control else None)
    return found.procedure, found.adjust


def check(tables: FloatArray, found: BoolArray, method: str, *, control: bool, wanted: BoolArray) -> None:
    """Compare some samples by ``podium.compare`` itself."""
    for i, table in enumerate(tables[:CHECKED]):
        comparison = podium.compare(results_of(table), control=f"a{K - 1}" if control else None)
        assert comparison.procedure == method
        np.testing.assert_array_equal(comparison.significant[wanted], found[i])


def row(samples: int, blocks: int, method: str, adjust: str, *, control: bool) -> dict[str, Any]:
    """Return the errors in every scenario, and the shares of different pairs that are found."""
    first, second = pairs_of(control)
    shares: dict[str, Any] = {}
    for name, shape in SHAPES.items():
        scenario = Scenario(name=name, blocks=blocks, **shape)
        tables = scenario.draw(samples, seed=5)
        equal = scenario.equal_pairs(first, second)
        found = decisions(tables, method, adjust, control=control, wanted=equal)
        check(tables, found, method, control=control, wanted=equal)
        shares[name] = Share(int(found.any(axis=1).sum()), samples)
    for name, shape in POWERS.items():
        scenario = Scenario(name=name, blocks=blocks, **shape)
        tables = scenario.draw(max(1, samples // 2), seed=6)
        differ = ~scenario.equal_pairs(first, second)
        found = decisions(tables, method, adjust, control=control, wanted=differ)
        shares[name] = f"{100 * found.mean():.0f}"
    return shares


def section_defaults(samples: int, *, control: bool) -> str:
    rows = {}
    for blocks in BLOCKS:
        method, adjust = chosen(blocks, control=control)
        title = f"{blocks} data sets: {_title(method, adjust)}"
        rows[title] = row(samples, blocks, method, adjust, control=control)
        print(title, {name: str(share) for name, share in rows[title].items()}, flush=True)
    return markdown(rows, [*SHAPES, *POWERS], "default")


def _title(method: str, adjust: str) -> str:
    how = {"shaffer": "Shaffer", "holm": "Holm", "step-down": "step-down"}
    return f"{'Wilcoxon' if method == 'wilcoxon' else method}, {how[adjust]}"


SIZES = (2, 3, 5)
DESIGNS = ("10-fold cv", "10 × 10-fold cv", "30 subsamples 2/3", "30 bootstraps", "5 × 2 cv")


def section_one_dataset(samples: int) -> str:
    """Equally good algorithms on resamples of one data set; the population behind it is what counts."""
    rows: dict[str, dict[str, Share]] = {}
    for k in SIZES:
        first, second = np.triu_indices(k, 1)
        for design in DESIGNS:
            rng = np.random.default_rng(3)
            errors: dict[str, int] = {}
            for i in range(samples):
                y = rng.integers(0, 2, EXAMPLES)
                x = rng.normal(size=(EXAMPLES, k)) + y[:, None]
                learn, test, structure = learning_samples(design, rng)
                table = errors_of_features(x, y, learn, test)
                differences = (table[:, first] - table[:, second]).T
                for name, method, adjust in (
                    ("default", "corrected t", "shaffer"),
                    ("Wilcoxon, Holm", "wilcoxon", "holm"),
                ):
                    outcome = PAIRWISE_TESTS[method].function(differences, structure, alpha=ALPHA, intervals=False)
                    found = adjust_pvalues(outcome.two_sided, adjust) <= ALPHA
                    title = f"{k} algorithms: {name}"
                    errors[title] = errors.get(title, 0) + int(found.any())
                    if i < CHECKED and name == "default":
                        for equivalence in (None, 0.01):
                            comparison = podium.compare(_one_dataset(table, structure), equivalence=equivalence)
                            assert comparison.procedure == method
                            np.testing.assert_array_equal(comparison.significant, found)
            for title, count in errors.items():
                rows.setdefault(title, {})[design] = Share(count, samples)
            print(k, design, errors, flush=True)
    return markdown(rows, DESIGNS, "procedure")


def _one_dataset(table: FloatArray, structure: Structure) -> podium.Results:
    known = {name: getattr(structure, name) for name in ("repeat", "fold", "n_learn", "n_test")}
    rows = [
        {"dataset": "d", "replication": r, "algorithm": f"a{i}", "error": table[r, i]}
        | {name: int(array[r]) for name, array in known.items() if array is not None}
        for r in range(len(table))
        for i in range(table.shape[1])
    ]
    return podium.read(rows, measure="error", direction="lower")


SECTIONS: Mapping[str, Callable[[int], str]] = {
    "defaults": lambda samples: section_defaults(samples, control=False),
    "defaults on one data set": section_one_dataset,
    "defaults against a control": lambda samples: section_defaults(samples, control=True),
}


def main(samples: int = 1000, *wanted: str) -> None:
    for section in wanted or SECTIONS:
        table = SECTIONS[section](samples)
        write_section(section, [table, f"{samples:,} samples each; more than {most_by_chance(samples):.1f} is bold."])


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]), *sys.argv[2:])
