"""Errors and power of the default for all pairs, over a grid of algorithms, data sets and distributions.

Run it as ``python -m benchmarks.calibration.grid FILE`` from the root of the project. Each batch of samples that is
done is a row of the file (CSV), so a run that was stopped goes on where it was; the last step writes the tables of the
page. Both candidates for the default are applied to the same samples by the functions behind `compare`; the first
samples of each batch also go through ``podium.compare``, which must make the same decisions. A cell has 500 samples,
and 2,000 where its figures are within two points of a bound.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.calibration.simulate import ALPHA, FloatArray, write_section

import podium
from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.methods.pairwise.permutation_t import joint_intervals, step_down_pvalues
from podium.analysis.methods.pairwise.wilcoxon import wilcoxon_test

ALGORITHMS = (3, 5, 10, 20)
DATASETS = (6, 8, 10, 12, 20, 40)
NOISES = ("normal", "t3", "lognormal", "tied")
NULLS = ("all equal", "one better")
CANDIDATES = {"wilcoxon": "shaffer", "permutation t": "step-down"}
# How much better the one is, in standard deviations of the noise, times the root of the number of data sets.
SHIFTS: Mapping[int, float] = {3: 4.0, 5: 4.5, 10: 5.2, 20: 5.8}
SAMPLES, MORE, INTERVALS = 500, 2000, 300
SIGNS = 2000  # random signs with 20 and 40 data sets, to save time
CHECKED = 2
KEYS = ["algorithms", "datasets", "noise", "null"]


def draw(k: int, m: int, noise: str, shift: float, samples: int, seed: int) -> FloatArray:
    """Draw costs with a standard deviation of 1, shape (samples, data sets, algorithms); the first may be better."""
    rng = np.random.default_rng([k, m, NOISES.index(noise), seed])
    shape = (samples, m, k)
    if noise == "t3":
        values = rng.standard_t(3, size=shape) / np.sqrt(3)
    elif noise == "lognormal":
        values = rng.lognormal(size=shape) / np.sqrt((np.e - 1) * np.e)
    else:
        values = rng.normal(size=shape)
    values[..., 0] -= shift
    return np.round(2 * values) / 2 if noise == "tied" else values


def decisions(table: FloatArray) -> dict[str, np.ndarray]:
    """Return which pairs each candidate calls different."""
    first, second = np.triu_indices(table.shape[1], 1)
    differences = (table[:, first] - table[:, second]).T
    ranks = wilcoxon_test(differences, alpha=ALPHA, intervals=False).two_sided
    return {
        "wilcoxon": adjust_pvalues(ranks, "shaffer") <= ALPHA,
        "permutation t": step_down_pvalues(differences, "two-sided", permutations=SIGNS) <= ALPHA,
    }


def results_of(table: FloatArray) -> podium.Results:
    names = [f"a{i}" for i in range(table.shape[1])]
    return podium.read(table, labels={"dataset": None, "algorithm": names}, measure="error", direction="lower")


def check(table: FloatArray, found: Mapping[str, np.ndarray]) -> None:
    """Compare a sample by ``podium.compare`` itself."""
    for method, adjust in CANDIDATES.items():
        signs = {"permutations": SIGNS} if method == "permutation t" else {}
        comparison = podium.compare(results_of(table), method=method, adjust=adjust, **signs)
        np.testing.assert_array_equal(comparison.significant, found[method])


def cell(k: int, m: int, noise: str, null: str, samples: int, seed: int) -> list[dict[str, object]]:
    """Count the samples with an error, and the true differences that are found, of each candidate."""
    shift = 0.0 if null == "all equal" else SHIFTS[k] / np.sqrt(m)
    first, _ = np.triu_indices(k, 1)
    true = (first == 0) & (shift > 0)
    errors, found = dict.fromkeys(CANDIDATES, 0), dict.fromkeys(CANDIDATES, 0.0)
    for i, table in enumerate(draw(k, m, noise, shift, samples, seed)):
        decided = decisions(table)
        if i < CHECKED:
            check(table, decided)
        for name, different in decided.items():
            errors[name] += bool(different[~true].any())
            found[name] += different[true].mean() if shift else 0.0
    at = dict(zip(KEYS, (k, m, noise, null), strict=True))
    return [
        {**at, "seed": seed, "procedure": name, "samples": samples, "errors": errors[name], "found": found[name]}
        for name in CANDIDATES
    ]


def coverage(k: int, m: int, noise: str, samples: int, seed: int) -> list[dict[str, object]]:
    """Count the samples in which an interval of the permutation t test misses, and the intervals with two ends."""
    shift = SHIFTS[k] / np.sqrt(m)
    first, second = np.triu_indices(k, 1)
    truth = np.where(first == 0, -shift, 0.0)
    errors, found = 0, 0.0
    for table in draw(k, m, noise, shift, samples, seed):
        differences = (table[:, first] - table[:, second]).T
        lower, upper = joint_intervals(differences, "two-sided", alpha=ALPHA, permutations=SIGNS)
        errors += bool(((lower > truth) | (upper < truth)).any())
        found += (np.isfinite(lower) & np.isfinite(upper)).mean()
    at = dict(zip(KEYS, (k, m, noise, "intervals"), strict=True))
    return [{**at, "seed": seed, "procedure": "permutation t", "samples": samples, "errors": errors, "found": found}]


def run(file: Path, jobs: Iterable[tuple[int, int, str, str]], wanted: int) -> None:
    """Compute cells up to a number of samples, in batches; each is added to the file as soon as it is done."""
    have: dict[tuple[int, int, str, str], int] = {}
    if file.exists():
        rows = pd.read_csv(file).query("procedure == 'permutation t'")
        have = rows.groupby(KEYS)["samples"].sum().to_dict()
    for job in jobs:
        done = have.get(job, 0)
        if done >= wanted:
            continue
        k, m, noise, null = job
        samples = wanted - done
        rows = pd.DataFrame(
            coverage(k, m, noise, samples, done) if null == "intervals" else cell(k, m, noise, null, samples, done)
        )
        rows.to_csv(file, mode="a", header=not file.exists(), index=False)
        print(*job, done + samples, rows[["procedure", "errors", "found"]].to_dict("records"), flush=True)


def default(k: int, m: int) -> str:
    """Return the procedure that podium chooses."""
    found = podium.compare(results_of(np.random.default_rng(0).normal(size=(m, k))))
    assert CANDIDATES[found.procedure] == found.adjust
    return found.procedure


def shares(file: Path) -> pd.DataFrame:
    """Return percentages of errors and of differences found by the default, and by the candidates, one row per cell."""
    rows = (
        pd.read_csv(file)
        .query("null != 'intervals'")
        .groupby([*KEYS, "procedure"])[["samples", "errors", "found"]]
        .sum()
    )
    percent = rows[["errors", "found"]].mul(100 / rows["samples"], axis=0).unstack("procedure")
    found = percent["found"].assign(samples=rows["samples"].groupby(KEYS).first())
    chosen = {(k, m): default(k, m) for k, m, *_ in found.index}
    found["default"] = [chosen[k, m] for k, m, *_ in found.index]
    for what, column in (("errors", "error"), ("found", "power")):
        found[column] = [percent.loc[cell, (what, chosen[cell[:2]])] for cell in found.index]
    found["bound"] = 100 * (ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / found["samples"]))
    found["loss"] = found[list(CANDIDATES)].max(axis=1) - found["power"]
    means = found.groupby(["algorithms", "datasets"])[[*CANDIDATES, "power"]].transform("mean") * len(NULLS)
    found["mean loss"] = means[list(CANDIDATES)].max(axis=1) - means["power"]
    return found


def near_a_bound(found: pd.DataFrame) -> list[tuple[int, int, str, str]]:
    """List the cells whose error or loss of power is within two points of the most that is allowed, or beyond it."""
    better = found.index.get_level_values("null") == "one better"
    near = (found["error"] > found["bound"] - 2) | ((found["mean loss"] > 1) & better) | (found["loss"] > 8)
    return list(found.index[near & (found["samples"] < MORE)])


def table(found: pd.DataFrame) -> list[str]:
    """Write the table of the page, and the figures over all cells."""
    lines = [
        "| algorithms | data sets | default | "
        + " | ".join(f"error, {noise}" for noise in NOISES)
        + " | power, signed ranks | power, permutation t | largest loss |",
        "|--:|--:|---|" + "--:|" * (len(NOISES) + 3),
    ]
    for (k, m), cells in found.groupby(["algorithms", "datasets"]):
        errors = [
            " / ".join(
                f"**{one.error:.1f}**" if one.error > one.bound else f"{one.error:.1f}"
                for one in (cells.loc[(k, m, noise, null)] for null in NULLS)
            )
            for noise in NOISES
        ]
        means = [len(NULLS) * cells[name].mean() for name in CANDIDATES]
        name = "signed ranks" if cells["default"].iloc[0] == "wilcoxon" else "permutation t"
        powers = [f"{mean:.0f}" for mean in means]
        lines.append(f"| {k} | {m} | {name} | {' | '.join([*errors, *powers])} | {cells['loss'].max():.0f} |")
    least, more = int(found["samples"].min()), int((found["samples"] > SAMPLES).sum())
    usual = f"{SAMPLES}" if least == SAMPLES else f"{least} to {SAMPLES}"
    return [
        "\n".join(lines),
        f"{usual} samples each, {MORE:,} in {more} of {len(found)} cells with figures within two points of a bound; "
        "an error above 5% by more than three standard errors is bold. Over all cells the error is "
        f"{found['error'].mean():.1f}%, and the mean loss of power is at most {found['mean loss'].max():.1f}.",
    ]


def coverage_table(file: Path) -> list[str]:
    """Write the percentages of samples in which at least one interval misses."""
    rows = pd.read_csv(file).query("null == 'intervals'")
    sums = rows.groupby(KEYS[:3])[["errors", "samples", "found"]].sum()
    wide = (100 * sums["errors"] / sums["samples"]).unstack("noise")
    lines = [f"| algorithms | data sets | {' | '.join(NOISES)} |", "|--:|--:|" + "--:|" * len(NOISES)]
    lines += [
        f"| {k} | {m} | {' | '.join(f'{one[noise]:.1f}' for noise in NOISES)} |" for (k, m), one in wide.iterrows()
    ]
    ends = 100 * sums["found"].sum() / sums["samples"].sum()
    return [
        "\n".join(lines),
        f"{sums['samples'].min()} samples each or more. {ends:.1f}% of the intervals have two ends.",
    ]


def main(file: Path) -> None:
    cells = list(product(ALGORITHMS, DATASETS, NOISES, NULLS))
    for wanted in range(100, SAMPLES + 1, 100):  # all cells in turn, so that a run that is stopped has a table
        run(file, cells, wanted)
        run(file, product(ALGORITHMS, DATASETS[:-1], NOISES, ["intervals"]), min(wanted, INTERVALS))
    run(file, near_a_bound(shares(file)), MORE)
    write_page(file)


def write_page(file: Path) -> None:
    """Write the tables of the page from what is done."""
    write_section("grid", table(shares(file)))
    write_section("intervals", coverage_table(file))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
