"""Which procedure fits a design, and why, in words."""

from __future__ import annotations

from typing import Any

from podium.analysis.inference.outcome import Structure
from podium.analysis.omnibus import Unit
from podium.results import Results
from podium.results.missing import parse_policy

FEW_BLOCKS = 20  # below it the asymptotic distribution of rank sums is not trusted


def choose_procedure(
    results: Results, unit: Unit, *, equivalence: tuple[float, float] | None, missing: str
) -> tuple[str, dict[str, Any], str]:
    """Pick a procedure for results of one measure: its name, its options, and a sentence that gives the reason."""
    k = len(results.algorithms)
    counts = results.design.sum(axis=1)
    n = int(counts[0]) if unit == "replication" else len(results.datasets)
    blocks = f"{n} replications of one data set" if unit == "replication" else f"{n} data sets"
    available = parse_policy(missing) == "available" and bool(results.missing.any())
    if k == 2:
        return _two(results, unit, blocks)
    replicated = unit == "replication" or counts.min() > 1
    if available and replicated:
        why = (
            f"Chosen for {k} algorithms on {blocks} with missing cells: the mixed model uses every cell that is there."
        )
        return "mixed", {}, why
    if available:
        why = (
            f"Chosen for {k} algorithms on {blocks} with missing cells: in the signed rank test every pair uses the "
            "data sets on which both were run."
        )
        return "wilcoxon", {}, why
    if equivalence is not None and replicated:
        why = (
            f"Chosen for {k} algorithms on {blocks} and an area of equivalence: the mixed model gives simultaneous "
            "intervals of the differences in the units of the measure."
        )
        return "mixed", {}, why
    if equivalence is not None:
        why = (
            f"Chosen for {k} algorithms on {blocks} and an area of equivalence: the signed rank test has intervals of "
            "the differences in the units of the measure and asks for no normal distribution."
        )
        return "wilcoxon", {}, why
    return _by_ranks(k, n, blocks)


def _by_ranks(k: int, n: int, blocks: str) -> tuple[str, dict[str, Any], str]:
    start = (
        f"Chosen for {k} algorithms on {blocks}: the Wilcoxon–Nemenyi–McDonald–Thompson test after a Friedman test "
        "asks for no distribution of the values and controls the error over all pairs"
    )
    if n <= FEW_BLOCKS:
        return (
            "wnmt",
            {"distribution": "permutation"},
            f"{start}; with so few blocks its p-values are from permutations.",
        )
    return "wnmt", {}, f"{start}."


def _two(results: Results, unit: Unit, blocks: str) -> tuple[str, dict[str, Any], str]:
    if unit == "dataset":
        why = (
            f"Chosen for two algorithms on {blocks}: with one pair there is nothing to adjust, and the signed rank "
            "test asks for no normal distribution."
        )
        return "wilcoxon", {}, why
    structure = Structure.of({name: array[0, results.design[0]] for name, array in results.structure.items()})
    if _is_five_by_two(structure):
        why = f"Chosen for two algorithms on {blocks}, a 5×2 cross-validation: the 5×2 cv F test is made for it."
        return "5x2cv F", {}, why
    if structure.drawn_afresh:
        why = (
            f"Chosen for two algorithms on {blocks} whose samples were drawn afresh, so that they are independent: the "
            "signed rank test asks for no normal distribution."
        )
        return "wilcoxon", {}, why
    if structure.fold is not None or (structure.n_learn is not None and structure.n_test is not None):
        why = (
            f"Chosen for two algorithms on {blocks}: learning samples drawn from one data set overlap, and the "
            "corrected t test allows for that."
        )
        return "corrected t", {}, why
    why = (
        f"Chosen for two algorithms on {blocks} of which neither folds nor sample sizes are known: the signed rank "
        "test takes the replications as independent."
    )
    return "wilcoxon", {}, why


def _is_five_by_two(structure: Structure) -> bool:
    if structure.repeat is None or structure.fold is None:
        return False
    cells = set(zip(structure.repeat.tolist(), structure.fold.tolist(), strict=True))
    repeats = [repeat for repeat, _ in cells]
    return len(structure.fold) == len(cells) == 10 and all(repeats.count(r) == 2 for r in set(repeats))
