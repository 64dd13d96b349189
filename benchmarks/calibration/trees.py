"""Attained errors of the tests of Bradley–Terry trees, with replications and with data sets as the unit.

Run it as ``python -m benchmarks.calibration.trees [samples]`` from the root of the project: it writes a section of
``docs/calibration.md``, made there with the default. In every sample, no characteristic is related to the order of the
algorithms, so a split of the root is an error.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from benchmarks.calibration.simulate import ALPHA, Share, markdown, most_by_chance, write_section

import podium
from podium.analysis.blocks import Unit
from podium.results import MeasureInfo, Results

INTRODUCTION = """\
Three algorithms, and three characteristics that are unrelated to their order: a number, a kind (one of three),
and another number. The table counts how often the root of a [tree](paired-comparisons.md) is split, and how often the
tests of the first two reject, each at 5%. *Rows* are replications, `unit="replication"`; *data sets* have their rows
added up, `unit="dataset"`, with 999 permutations. *Own order*: the algorithms differ in another way on each data set,
as they do in practice; characteristics are those of the data set."""
CONCLUSION = """\
Where each data set has one row, both units keep their level. Where data sets repeat and have their own orders, the
classical tree is nearly always wrong: it finds the characteristics that distinguish these data sets. With data sets as
the unit it keeps its level."""
TESTS = ("split", "number", "kind")
PERMUTATIONS = 999


@dataclass(frozen=True, kw_only=True)
class Design:
    """An experiment in which characteristics do not matter.

    Attributes
    ----------
    datasets, replications : int
    own : float
        Standard deviation of the effect of an algorithm on a data set, relative to that of a replication.
    ties : bool
        Whether values are rounded, so algorithms tie.
    """

    datasets: int
    replications: int = 1
    own: float = 0.0
    ties: bool = False

    def draw(self, rng: np.random.Generator) -> tuple[podium.PairedComparisons, pd.DataFrame]:
        m, b = self.datasets, self.replications
        values = np.array([0.0, 0.3, 0.6]) + self.own * rng.normal(size=(m, 1, 3)) + rng.normal(size=(m, b, 3))
        results = Results(
            values=(np.round(values) if self.ties else values)[..., None],
            datasets=tuple(f"d{i}" for i in range(m)),
            replications=tuple(range(b)),
            algorithms=("a", "b", "c"),
            measures=(MeasureInfo("error", "lower"),),
        )
        kind = rng.choice(["x", "y", "z"], m)
        characteristics = {"number": rng.normal(size=m), "kind": kind, "other": rng.normal(size=m)}
        return podium.PairedComparisons.from_results(results), pd.DataFrame(characteristics, index=results.datasets)


DESIGNS: Mapping[str, Design] = {
    "60 data sets, one row each": Design(datasets=60),
    "60 data sets, one row each, ties": Design(datasets=60, ties=True),
    "200 data sets, one row each": Design(datasets=200),
    "12 data sets, 10 rows each": Design(datasets=12, replications=10),
    "12 data sets, 10 rows each, own order": Design(datasets=12, replications=10, own=1.0),
    "12 data sets, 50 rows each, own order": Design(datasets=12, replications=50, own=1.0),
    "30 data sets, 10 rows each, own order": Design(datasets=30, replications=10, own=1.0),
    "30 data sets, 10 rows each, own order, ties": Design(datasets=30, replications=10, own=1.0, ties=True),
}


def attained(design: Design, samples: int, seed: int) -> dict[str, Share]:
    """How often the root is split, and how often single tests reject, with both units."""
    rng = np.random.default_rng([seed, samples])
    units: tuple[tuple[Unit, str, int], ...] = (("replication", "rows", 15), ("dataset", "data sets", 4))
    errors = {f"{words}, {test}": 0 for _, words, _ in units for test in TESTS}
    for sample in range(samples):
        pairs, table = design.draw(rng)
        for unit, words, least in units:
            drawn = PERMUTATIONS if unit == "dataset" else None
            tree = podium.bradley_terry_tree(
                pairs, table, unit=unit, min_size=least, max_depth=1, permutations=drawn, seed=sample
            )
            tests = tree.nodes[0].tests
            errors[f"{words}, split"] += bool((tests["adjusted"] <= ALPHA).any())
            for name in TESTS[1:]:
                errors[f"{words}, {name}"] += bool(tests.loc[name, "pvalue"] <= ALPHA)
    return {name: Share(count, samples) for name, count in errors.items()}


def main(samples: int = 200) -> None:
    warnings.simplefilter("error")
    rows = {}
    for seed, (name, design) in enumerate(DESIGNS.items()):
        rows[name] = attained(design, samples, seed)
        print(name, {column: str(share) for column, share in rows[name].items()}, flush=True)
    columns = list(next(iter(rows.values())))
    write_section(
        "trees",
        [
            "## Bradley–Terry trees",
            INTRODUCTION,
            markdown(rows, columns, "design"),
            f"{samples:,} samples each; more than {most_by_chance(samples):.1f} is bold.",
            CONCLUSION,
        ],
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
