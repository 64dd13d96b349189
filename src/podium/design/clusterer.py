"""Groups of new observations, from clusterings that only group the learning sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, FloatArray
from podium.design.encoding import Encoded, Encoder


def clusterer_of(model: Any) -> Any:
    """Return what groups the observations, behind an encoder and the steps of a pipeline."""
    while True:
        if isinstance(model, Encoded):
            model = model.model
        elif hasattr(model, "steps"):
            model = model[-1]
        else:
            return model


def nearest_groups(model: Any, learn: pd.DataFrame, new: pd.DataFrame) -> AnyArray:
    """Give each new observation the group of the nearest one of the learning sample.

    Distances are Euclidean, in the inputs of the clusterer: after an encoder and the earlier steps of a pipeline.
    Nominal inputs of the clusterer itself count as 0/1 columns, and missing values as medians.
    """
    from scipy.spatial import KDTree

    known: Any = learn
    asked: Any = new
    while True:
        if isinstance(model, Encoded):
            known, asked = model.encoder.transform(known), model.encoder.transform(asked)
            model = model.model
        elif hasattr(model, "steps"):
            if len(model.steps) > 1:
                known, asked = model[:-1].transform(known), model[:-1].transform(asked)
            model = model[-1]
        else:
            break
    encoder = Encoder().fit(known)
    points: FloatArray = encoder.transform(known)
    _, nearest = KDTree(points).query(encoder.transform(asked))
    groups: AnyArray = np.asarray(model.labels_)[nearest]
    return groups
