"""Balance scale: all 625 settings of weights and distances.

References
----------
R. S. Siegler (1976). Three aspects of cognitive development. Cognitive Psychology 8, 481–520.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from podium.design.generators import NamedGenerator, drawn, labels, no_bayes_error
from podium.design.sample import Sample

ARMS = ("left-weight", "left-distance", "right-weight", "right-distance")


def all_balance() -> Sample:
    """Every setting of weights and distances from 1 to 5; the scale tips to the side of the greater moment."""
    settings = np.array(list(product(range(1, 6), repeat=4)))
    moment = settings[:, 0] * settings[:, 1] - settings[:, 2] * settings[:, 3]
    return Sample(
        pd.DataFrame(settings.astype(float), columns=list(ARMS)), labels(1 - np.sign(moment), ("L", "B", "R"))
    )


def balance(n: int, rng: np.random.Generator) -> Sample:
    """Draw settings with equal probability, with replacement."""
    return drawn(all_balance(), n, rng)


BALANCE = NamedGenerator(
    name="balance",
    title="settings of a balance scale, drawn with replacement from all 625",
    draw=balance,
    n=625,
    source="R. S. Siegler (1976), Cognitive Psychology 8, 481–520",
    bayes=no_bayes_error,
    population=all_balance,
)
