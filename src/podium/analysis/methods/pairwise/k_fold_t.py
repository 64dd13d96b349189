"""The paired t test over the folds of one cross-validation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from podium.analysis.methods.pairwise.t import paired_t_test
from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure
from podium.analysis.notes import Note
from podium.arrays import FloatArray
from podium.errors import InputError


def kfold_t_test(
    differences: FloatArray, structure: Structure, *, alpha: float = 0.05, intervals: bool = True
) -> PairOutcome:
    """Paired t over the k folds of one cross-validation (Dietterich 1998, section 3.3)."""
    repeats = 1 if structure.repeat is None else len(np.unique(structure.repeat))
    folds = 0 if structure.fold is None else len(np.unique(structure.fold))
    n = differences.shape[1]
    if repeats != 1 or folds != n:
        found = f"{repeats} repeats of {folds} folds" if folds else "replications whose folds are unknown"
        raise InputError(
            f"The k-fold t test needs one cross-validation with a value per fold; these are {n} values from {found}. "
            "Use 'corrected t' for repeated cross-validation, or give the folds (`fold`)."
        )
    note = Note(
        "caution",
        caution="The learning samples of a cross-validation overlap; the k-fold t test ignores that, and is too "
        "liberal.",
    )
    outcome = paired_t_test(differences, structure, alpha=alpha)
    return replace(outcome, notes=(note,))


K_FOLD_T = PairwiseTest(
    name="k-fold t",
    title="k-fold cross-validated paired t test",
    function=kfold_t_test,
    estimand="mean",
    units=("replication",),
    independent=False,
    uses=("repeat", "fold"),
)
