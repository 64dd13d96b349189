"""Which procedure fits a design, and why."""

from __future__ import annotations

from typing import Any

from podium.analysis.blocks import Unit
from podium.analysis.inference.outcome import Structure
from podium.analysis.notes import Note
from podium.results import Results
from podium.results.missing import parse_policy

FEW_BLOCKS = 20  # below it the asymptotic distribution of rank sums is not trusted


def choose_procedure(
    results: Results, unit: Unit, *, equivalence: tuple[float, float] | None, missing: str
) -> tuple[str, dict[str, Any], Note]:
    """Pick a procedure for results of one measure: its name, its options, and a note that gives the reason."""
    k = len(results.algorithms)
    counts = results.design.sum(axis=1)
    n = int(counts[0]) if unit == "replication" else len(results.datasets)
    available = parse_policy(missing) == "available" and bool(results.missing.any())
    replicated = unit == "replication" or bool(counts.min() > 1)
    options: dict[str, Any] = {}
    if k == 2:
        method, code = ("wilcoxon", "chosen wilcoxon for one pair") if unit == "dataset" else _for_one_pair(results)
    elif available or equivalence is not None:
        method = "mixed" if replicated else "wilcoxon"
        code = f"chosen {method} for {'missing cells' if available else 'equivalence'}"
    elif n <= FEW_BLOCKS:
        method, code, options = "wnmt", "chosen wnmt by permutation", {"distribution": "permutation"}
    else:
        method, code = "wnmt", "chosen wnmt"
    return method, options, Note(code, algorithms=k, unit=unit, n=n)


def _for_one_pair(results: Results) -> tuple[str, str]:
    """Pick a test of two algorithms on the replications of one data set, and the code of the reason."""
    structure = Structure.of({name: array[0, results.design[0]] for name, array in results.structure.items()})
    if _is_five_by_two(structure):
        return "5x2cv F", "chosen 5x2cv F"
    if structure.drawn_afresh:
        return "wilcoxon", "chosen wilcoxon for fresh draws"
    if structure.fold is not None or (structure.n_learn is not None and structure.n_test is not None):
        return "corrected t", "chosen corrected t"
    return "wilcoxon", "chosen wilcoxon without structure"


def _is_five_by_two(structure: Structure) -> bool:
    if structure.repeat is None or structure.fold is None:
        return False
    cells = set(zip(structure.repeat.tolist(), structure.fold.tolist(), strict=True))
    repeats = [repeat for repeat, _ in cells]
    return len(structure.fold) == len(cells) == 10 and all(repeats.count(r) == 2 for r in set(repeats))
