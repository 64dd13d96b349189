"""Two complete populations: all endings of tic-tac-toe, and all settings of a balance scale.

References
----------
D. W. Aha (1991). Tic-Tac-Toe Endgame. UCI Machine Learning Repository.
R. S. Siegler (1976). Three aspects of cognitive development. Cognitive Psychology 8, 481–520 (balance scale).
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from podium.arrays import BoolArray
from podium.setup.columns import coded
from podium.setup.dataset import Sample
from podium.setup.generators.samples import labels

SQUARES = tuple(f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
MARKS = ("x", "o", "b")  # b: blank
ARMS = ("left-weight", "left-distance", "right-weight", "right-distance")


def all_tictactoe() -> Sample:
    """Every board at the end of a game that x began: x has won (positive), or o has won or nobody (negative)."""
    boards = np.array(list(product(range(3), repeat=9)))
    crosses, noughts = (boards == 0), (boards == 1)
    lead = crosses.sum(axis=1) - noughts.sum(axis=1)
    x_wins, o_wins = _has_line(crosses), _has_line(noughts)
    full = (boards != 2).all(axis=1)
    # The one who completes a line has moved last; a line of each kind cannot be on one board.
    x_won = x_wins & ~o_wins & (lead == 1)
    o_won = o_wins & ~x_wins & (lead == 0)
    drawn = full & ~x_wins & ~o_wins & (lead == 1)
    ends = np.flatnonzero(x_won | o_won | drawn)
    X = pd.DataFrame({square: coded(boards[ends, i], MARKS) for i, square in enumerate(SQUARES)})
    return Sample(X, labels(x_won[ends].astype(np.intp), ("negative", "positive")))


def all_balance() -> Sample:
    """Every setting of weights and distances from 1 to 5; the scale tips to the side of the greater moment."""
    settings = np.array(list(product(range(1, 6), repeat=4)))
    moment = settings[:, 0] * settings[:, 1] - settings[:, 2] * settings[:, 3]
    return Sample(
        pd.DataFrame(settings.astype(float), columns=list(ARMS)), labels(1 - np.sign(moment), ("L", "B", "R"))
    )


def tictactoe(n: int, rng: np.random.Generator) -> Sample:
    """Draw endings with equal chances, with replacement."""
    return _drawn(all_tictactoe(), n, rng)


def balance(n: int, rng: np.random.Generator) -> Sample:
    """Draw settings with equal chances, with replacement."""
    return _drawn(all_balance(), n, rng)


def _has_line(marked: BoolArray) -> BoolArray:
    complete = np.asarray(marked[:, LINES].all(axis=2))
    return np.asarray(complete.any(axis=1))


def _drawn(population: Sample, n: int, rng: np.random.Generator) -> Sample:
    assert population.y is not None
    rows = rng.integers(len(population), size=n)
    return Sample(population.X.iloc[rows].reset_index(drop=True), population.y.iloc[rows].reset_index(drop=True))
