"""Measures of predicted groups."""

from __future__ import annotations

import numpy as np

from podium.design.fitted import Fitted, predicted, truth
from podium.design.measures import PREDICTION, NamedMeasure


def adjusted_rand(fitted: Fitted) -> float:
    """Return the agreement of predicted and known groups beyond chance (Hubert & Arabie 1985); 1 if they agree."""
    from sklearn.metrics import adjusted_rand_score

    _, known = np.unique(truth(fitted).astype(str).to_numpy(dtype=str), return_inverse=True)
    _, found = np.unique(np.asarray(predicted(fitted)), return_inverse=True)
    return float(adjusted_rand_score(known, found))


ADJUSTED_RAND = NamedMeasure(
    "adjusted rand",
    "higher",
    "agreement of predicted and known groups beyond chance",
    ("classification", "unsupervised"),
    PREDICTION,
    function=adjusted_rand,
    aliases=("ari", "adjusted rand index", "adjusted rand score"),
)
