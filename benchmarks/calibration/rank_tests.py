"""Attained errors of the tests by ranks and by pairs; writes four tables into docs/calibration.md.

Run it as ``python -m benchmarks.calibration.rank_tests [samples [section ...]]`` from the root of the project; the
tables of the page were made with the default.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from benchmarks.calibration.resampling import resampling_rows
from benchmarks.calibration.simulate import (
    ALPHA,
    SCENARIOS,
    FloatArray,
    Scenario,
    Share,
    markdown,
    most_by_chance,
    write_section,
)

from podium.analysis.adjustment import ADJUSTMENTS, adjust_pvalues
from podium.analysis.methods.omnibus.aligned_ranks import aligned_test
from podium.analysis.methods.omnibus.cochran_q import cochran_test
from podium.analysis.methods.omnibus.friedman import friedman_test
from podium.analysis.methods.omnibus.quade import quade_test
from podium.analysis.methods.omnibus.skillings_mack import skillings_mack_test
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, Structure
from podium.analysis.methods.posthoc.aligned_ranks import ALIGNED_PAIRS
from podium.analysis.methods.posthoc.quade import QUADE_PAIRS
from podium.analysis.methods.ranks import permuted_rank_pairs, rank_blocks, rank_pairs

PERMUTATIONS = 499
SIGNS = 9_999  # with 499 no p-value is below 0.004, and an adjustment for 45 pairs could never reject
Table = FloatArray  # blocks × algorithms

GLOBAL: dict[str, Callable[[Table, int], float]] = {
    "Friedman, χ²": lambda x, seed: friedman_test(rank_blocks(x)).pvalue,
    "Friedman, χ² without tie correction": lambda x, seed: friedman_test(rank_blocks(x), ties="plain").pvalue,
    "Friedman, permutation": lambda x, seed: (
        friedman_test(rank_blocks(x), distribution="permutation", permutations=PERMUTATIONS, seed=seed).pvalue
    ),
    "Iman–Davenport": lambda x, seed: friedman_test(rank_blocks(x), distribution="F").pvalue,
    "Quade": lambda x, seed: quade_test(x).pvalue,
    "aligned ranks": lambda x, seed: aligned_test(x).pvalue,
    "Cochran's Q, of values above 0": lambda x, seed: cochran_test((x > 0).astype(float)).pvalue,
    "Skillings–Mack, a tenth missing": lambda x, seed: skillings_mack_test(_with_gaps(x, seed)).pvalue,
}


def _with_gaps(x: Table, seed: int) -> Table:
    return np.where(np.random.default_rng(seed).random(x.shape) < 0.1, np.nan, x)


def gated(adjusted: FloatArray, ranks: Table) -> FloatArray:
    """No pair is called different if the Friedman test is not significant."""
    return adjusted if friedman_test(ranks).pvalue <= ALPHA else np.ones_like(adjusted)


def by_ranks(ranks: Table, seed: int, *, control: bool) -> dict[str, FloatArray]:
    """Adjusted p-values of the procedures by mean ranks, by name."""
    k = ranks.shape[1]
    first, second = (np.arange(k - 1), np.full(k - 1, k - 1)) if control else np.triu_indices(k, 1)
    plain = rank_pairs(ranks, first, second, variance="plain", control=control)
    ties = rank_pairs(ranks, first, second, control=control)
    permuted = permuted_rank_pairs(ranks, first, second, control=control, permutations=PERMUTATIONS, seed=seed)
    if control:
        return {
            "Nemenyi–Wilcoxon–Wilcox–Miller": ties.single_step,
            "the same, permutation": permuted.single_step,
            "Bonferroni–Dunn": adjust_pvalues(plain.pvalue, "bonferroni"),
            "mean ranks, Holm": adjust_pvalues(ties.pvalue, "holm"),
        }
    conover = rank_pairs(ranks, first, second, variance="conover")
    return {
        "Wilcoxon–Nemenyi–McDonald–Thompson": ties.single_step,
        "the same, permutation": permuted.single_step,
        "Nemenyi": plain.single_step,
        "mean ranks, Holm": adjust_pvalues(ties.pvalue, "holm"),
        "mean ranks, Shaffer": adjust_pvalues(ties.pvalue, "shaffer"),
        "Conover, single step": conover.single_step,
        "Conover, single step, after Friedman": gated(conover.single_step, ranks),
        "Conover, Holm": adjust_pvalues(conover.pvalue, "holm"),
        "Conover, not adjusted, after Friedman": gated(conover.pvalue, ranks),
    }


def by_other_ranks(table: Table, *, control: bool) -> dict[str, FloatArray]:
    """Adjusted p-values of the procedures by weighted and by aligned ranks, by name."""
    k = table.shape[1]
    first, second = (np.arange(k - 1), np.full(k - 1, k - 1)) if control else np.triu_indices(k, 1)
    found = {}
    for title, test in (("Quade, single step", QUADE_PAIRS), ("aligned ranks, single step", ALIGNED_PAIRS)):
        outcome = test.function(test.scores(table), first, second, control=control, tail="two-sided")
        found[title] = np.asarray(outcome.single_step)
    return found


def by_tests(tables: FloatArray, *, control: bool) -> dict[str, FloatArray]:
    """P-values of the tests pair by pair, samples × pairs."""
    samples, n, k = tables.shape
    first, second = (np.arange(k - 1), np.full(k - 1, k - 1)) if control else np.triu_indices(k, 1)
    d = np.moveaxis(tables[:, :, first] - tables[:, :, second], 1, 2).reshape(-1, n)
    names = {"wilcoxon": "Wilcoxon", "sign": "sign", "t": "paired t", "permutation t": "permutation t"}
    found = {}
    for name, title in names.items():
        options = {"permutations": SIGNS} if name == "permutation t" else {}
        outcome = PAIRWISE_TESTS[name].function(d, Structure(), alpha=0.05, intervals=False, **options)
        found[title] = outcome.two_sided.reshape(samples, -1)
    return found


ADJUSTED = {
    "Wilcoxon": ("holm", "holm-sidak", "hochberg", "hommel", "rom", "shaffer", "finner", "li", "none"),
    "sign": ("holm",),
    "paired t": ("holm", "shaffer-dynamic", "bergmann-hommel"),
    "permutation t": ("holm",),
}
SLOW = ("shaffer-dynamic", "bergmann-hommel", "rom")
MOST_ALGORITHMS = {"shaffer-dynamic": 6, "bergmann-hommel": 6}


def pair_rows(scenario: Scenario, samples: int, *, control: bool) -> dict[str, Share]:
    """Family-wise errors: any two equal algorithms called different."""
    k = len(scenario.shifts)
    first, second = (np.arange(k - 1), np.full(k - 1, k - 1)) if control else np.triu_indices(k, 1)
    equal = scenario.equal_pairs(first, second)
    tables = scenario.draw(samples, seed=2)
    errors: dict[str, int] = {}
    for i, table in enumerate(tables):
        found = by_ranks(rank_blocks(table), i, control=control) | by_other_ranks(table, control=control)
        for name, adjusted in found.items():
            errors[name] = errors.get(name, 0) + int((adjusted[equal] <= ALPHA).any())
    shares = {name: Share(count, samples) for name, count in errors.items()}
    for test, p in by_tests(tables, control=control).items():
        for how in ADJUSTED[test]:
            if (control and ADJUSTMENTS[how].logical) or k > MOST_ALGORITHMS.get(how, k):
                continue
            rows = p[: samples // 4] if how in SLOW else p
            wrong = sum(bool((adjust_pvalues(row, how)[equal] <= ALPHA).any()) for row in rows)
            shares[f"{test}, {_title(how)}"] = Share(wrong, len(rows))
    return shares


def _title(adjustment: str) -> str:
    words = {
        "none": "not adjusted",
        "holm-sidak": "Holm–Šidák",
        "shaffer-dynamic": "Shaffer dynamic",
        "bergmann-hommel": "Bergmann–Hommel",
    }
    return words.get(adjustment, adjustment.capitalize())


def global_rows(scenario: Scenario, samples: int) -> dict[str, Share]:
    """Errors of the global tests."""
    tables = scenario.draw(samples, seed=1)
    return {
        name: Share(sum(test(table, i) <= ALPHA for i, table in enumerate(tables)), samples)
        for name, test in GLOBAL.items()
    }


def transposed(columns: dict[str, dict[str, Share]]) -> dict[str, dict[str, Share]]:
    """From one mapping per scenario to one per procedure."""
    rows: dict[str, dict[str, Share]] = {}
    for column, shares in columns.items():
        for name, share in shares.items():
            rows.setdefault(name, {})[column] = share
    return rows


def section_global(samples: int) -> str:
    equal = [scenario for scenario in SCENARIOS if len(set(scenario.shifts)) == 1]
    found = transposed({scenario.name: global_rows(scenario, samples) for scenario in equal})
    return markdown(found, [scenario.name for scenario in equal], "global test")


def section_pairs(samples: int, *, control: bool) -> str:
    columns = {scenario.name: pair_rows(scenario, samples, control=control) for scenario in SCENARIOS}
    return markdown(transposed(columns), [scenario.name for scenario in SCENARIOS], "procedure")


def section_resampling(samples: int) -> str:
    rows, designs = resampling_rows(samples)
    return markdown(rows, designs, "test")


SECTIONS: dict[str, Callable[[int], str]] = {
    "global tests": section_global,
    "all pairs": lambda samples: section_pairs(samples, control=False),
    "against a control": lambda samples: section_pairs(samples, control=True),
    "two algorithms on one data set": section_resampling,
}


def main(samples: int = 2000, *wanted: str) -> None:
    for section in wanted or SECTIONS:
        table = SECTIONS[section](samples)
        caption = f"{samples:,} samples each; more than {most_by_chance(samples):.1f} is bold."
        slow = {"all pairs": "Rom, Shaffer dynamic and Bergmann–Hommel", "against a control": "Rom"}.get(section)
        if slow is not None:
            few = samples // 4
            caption += f" {slow}: {few:,} samples; more than {most_by_chance(few):.1f} is bold."
        write_section(section, [table, caption])
        print(table, flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]), *sys.argv[2:])
