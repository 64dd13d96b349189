"""Tic-tac-toe: all 958 final boards of the game.

References
----------
D. W. Aha (1991). Tic-Tac-Toe Endgame. UCI Machine Learning Repository.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from podium.arrays import BoolArray
from podium.design.columns import coded
from podium.design.generators import NamedGenerator, drawn, labels, no_bayes_error
from podium.design.sample import Sample

SQUARES = tuple(f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
MARKS = ("x", "o", "b")  # b: blank


def all_tictactoe() -> Sample:
    """Every board at the end of a game that x began: x has won (positive), or o or nobody has won (negative)."""
    boards = np.array(list(product(range(3), repeat=9)))
    crosses, noughts = (boards == 0), (boards == 1)
    lead = crosses.sum(axis=1) - noughts.sum(axis=1)
    x_wins, o_wins = _has_line(crosses), _has_line(noughts)
    full = (boards != 2).all(axis=1)
    # Whoever completes a line has moved last; a board cannot hold a line of each kind.
    x_won = x_wins & ~o_wins & (lead == 1)
    o_won = o_wins & ~x_wins & (lead == 0)
    tied = full & ~x_wins & ~o_wins & (lead == 1)
    ends = np.flatnonzero(x_won | o_won | tied)
    X = pd.DataFrame({square: coded(boards[ends, i], MARKS) for i, square in enumerate(SQUARES)})
    return Sample(X, labels(x_won[ends].astype(np.intp), ("negative", "positive")))


def tictactoe(n: int, rng: np.random.Generator) -> Sample:
    """Draw final boards with equal probability, with replacement."""
    return drawn(all_tictactoe(), n, rng)


def _has_line(marked: BoolArray) -> BoolArray:
    complete = np.asarray(marked[:, LINES].all(axis=2))
    return np.asarray(complete.any(axis=1))


TICTACTOE = NamedGenerator(
    name="tictactoe",
    title="final boards of tic-tac-toe, drawn with replacement from all 958",
    draw=tictactoe,
    n=958,
    source="D. W. Aha (1991), UCI Machine Learning Repository",
    bayes=no_bayes_error,
    population=all_tictactoe,
)
