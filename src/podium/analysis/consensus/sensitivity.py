"""How a consensus depends on the weight of one voter, and at which weight the winner changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.analysis.consensus.decomposition import solve
from podium.analysis.consensus.objective import consensus_objective
from podium.analysis.consensus.profile import Ensemble, Profile, Weights, make_profile
from podium.analysis.consensus.relation_classes import (
    ConsensusKind,
    Reading,
    RelationClass,
    find_class,
    find_reading,
)
from podium.analysis.relation import Relation
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_call, check_count, is_number, is_whole, position, record, shown
from podium.errors import InputError, LabelError
from podium.typesetting.html import described

NEAR = 1e-9  # shares closer than this are the same


@record(eq=False)
class Segment:
    """A range of weights with the same consensus.

    Attributes
    ----------
    low, high : float
        Share of the voter in the sum of all weights, from 0 to 1.
    relations : tuple of Relation
        The optima inside the range, sorted as text.
    exhausted : bool
        Whether these are all.
    """

    low: float
    high: float
    relations: tuple[Relation, ...]
    exhausted: bool

    @property
    def winners(self) -> tuple[str, ...]:
        """The algorithms that are best in some of the relations, by name."""
        return tuple(sorted({name for relation in self.relations for name in relation.best}))


@record(eq=False)
class Sensitivity:
    """How the consensus changes as the weight of one voter goes from nothing to everything.

    Attributes
    ----------
    voter : str
    share : float
        Its share of the given weights.
    others : float
        Sum of the other weights.
    segments : tuple of Segment
        From share 0 to share 1. Where two segments meet, the optima of both are optimal.
    kind : str
    """

    voter: str
    share: float
    others: float
    segments: tuple[Segment, ...]
    kind: ConsensusKind

    def __str__(self) -> str:
        lines = [f"{self.kind} consensus by the share of {self.voter} in the weights (now {self.share:.3g}):"]
        for segment in self.segments:
            more = f" and {len(segment.relations) - 1} more" if len(segment.relations) > 1 else ""
            lines.append(f"{segment.low:.3g} to {segment.high:.3g}: {segment.relations[0]}{more}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{one.low:.3g} to {one.high:.3g}",
                f"{one.relations[0]}{f' and {len(one.relations) - 1} more' if len(one.relations) > 1 else ''}",
            )
            for one in self.segments
        ]
        return described(f"{self.kind} consensus by the share of {self.voter} (now {self.share:.3g})", rows)

    def weight(self, share: float) -> float:
        """Return the weight that gives the voter a share, if the other weights stay as they are."""
        if not is_number(share) or not 0 <= share <= 1:
            raise InputError(f"`share` must lie between 0 and 1; got {shown(share)}.")
        return float("inf") if share == 1.0 else share / (1.0 - share) * self.others

    @property
    def now(self) -> Segment:
        """The segment of the given weights."""
        return next(segment for segment in self.segments if self.share <= segment.high)

    def winner_changes(self) -> pd.DataFrame:
        """One row per change of the winner: the share and weight at which it happens, and the winners on both sides."""
        rows = [
            {
                "share": before.high,
                "weight": self.weight(before.high),
                "below": " ~ ".join(before.winners),
                "above": " ~ ".join(after.winners),
            }
            for before, after in zip(self.segments, self.segments[1:], strict=False)
            if before.winners != after.winners
        ]
        return pd.DataFrame(rows, columns=["share", "weight", "below", "above"])

    def frame(self) -> pd.DataFrame:
        """One row per segment: shares, weights, number of optima, winners, first of the relations."""
        return pd.DataFrame(
            [
                {
                    "from share": segment.low,
                    "to share": segment.high,
                    "from weight": self.weight(segment.low),
                    "to weight": self.weight(segment.high),
                    "optima": len(segment.relations),
                    "winners": " ~ ".join(segment.winners),
                    "order": str(segment.relations[0]),
                }
                for segment in self.segments
            ]
        )


@check_call
def weight_sensitivity(
    relations: Ensemble,
    voter: str | int,
    kind: ConsensusKind = "linear",
    *,
    weights: Weights = None,
    reading: Reading | None = None,
    limit: int = 100,
) -> Sensitivity:
    """Follow the consensus as one voter's share of the weights goes from 0 to 1.

    The others keep their proportions. The criterion of a relation is a straight line in the share, so the optimum is
    the lower envelope of straight lines. Its corners are found exactly (Eisner & Severance 1976), not on a grid.

    Parameters
    ----------
    relations : sequence or mapping of Relation
        At least two voters.
    voter : str or int
        The voter whose weight changes: its name, or its position, counted from 0.
    kind, weights, reading
        As in `consensus`.
    limit : int, default 100
        How many optima to list for each segment.

    Examples
    --------
    >>> import podium
    >>> relations = {
    ...     "error": podium.Relation.from_chain("svm < rf < lda"),
    ...     "time": podium.Relation.from_chain("lda < rf < svm"),
    ... }
    >>> podium.relations.weight_sensitivity(relations, "time").winner_changes()
       share  weight below above
    0    0.5     1.0   svm   lda
    """
    within = find_class(kind)
    reading = find_reading(reading, within)
    check_count(limit, "limit")
    profile = make_profile(relations, weights)
    at = _position(profile, voter)
    others = np.delete(profile.weights, at)
    if not others.any():
        raise InputError("`weights` of the other relations must not all be 0.")
    path = _Path(profile, at, within, reading)
    segments = tuple(path.segment(low, high, limit) for low, high in path.pieces())
    total = float(others.sum())
    share = float(profile.weights[at] / (profile.weights[at] + total))
    return Sensitivity(profile.voters[at], share, total, segments, kind)


def _position(profile: Profile, voter: str | int) -> int:
    if len(profile.voters) < 2:
        raise InputError("`relations` must be at least two: the weight of one is varied against the others.")
    if isinstance(voter, int) and is_whole(voter):
        if not 0 <= voter < len(profile.voters):
            raise LabelError(f"`voter` must be a position from 0 to {len(profile.voters) - 1}; got {voter}.")
        return int(voter)
    return position(profile.voters, voter, "voter")


@dataclass
class _Path:
    """The consensus along the share of one voter."""

    profile: Profile
    at: int
    within: RelationClass
    reading: Reading

    def __post_init__(self) -> None:
        self.matrices = self.profile.matrices(self.reading)
        rest = self.profile.weights.copy()
        rest[self.at] = 0.0
        self.rest = rest / rest.sum()
        self.close = 1e-9 * self.matrices[0].size

    def weights(self, share: float) -> FloatArray:
        """Weights with a sum of 1."""
        weights: FloatArray = (1.0 - share) * self.rest
        weights[self.at] = share
        return weights

    def optimum(self, share: float) -> BoolArray:
        """Find an optimal relation."""
        return self._solve(share, keep_all=False, limit=1)[0][0]

    def line(self, solution: BoolArray) -> tuple[float, float]:
        """Criterion of a relation at share 0 and at share 1."""
        distances = (self.matrices != solution).sum(axis=(1, 2))
        return float(self.rest @ distances), float(distances[self.at])

    def pieces(self) -> Iterator[tuple[float, float]]:
        """Yield the ranges in which the criterion of the optimum is a straight line."""
        corners = sorted(
            {0.0, 1.0, *self._corners(0.0, 1.0, self.line(self.optimum(0.0)), self.line(self.optimum(1.0)))}
        )
        kept = [0.0]
        for corner in corners[1:-1]:
            if kept[-1] + NEAR < corner < 1.0 - NEAR:
                kept.append(corner)
        yield from zip(kept, [*kept[1:], 1.0], strict=True)

    def _corners(
        self, low: float, high: float, left: tuple[float, float], right: tuple[float, float]
    ) -> Iterator[float]:
        """Corners of the lower envelope between two shares, given a best line at each of them."""
        slope_left, slope_right = left[1] - left[0], right[1] - right[0]
        if abs(slope_left - slope_right) <= self.close:
            return
        meet = (right[0] - left[0]) / (slope_left - slope_right)
        if not low + NEAR < meet < high - NEAR:  # one line is best at both ends, so it is best between them
            yield low if meet <= low + NEAR else high
            return
        here = self.line(self.optimum(meet))
        value, known = _at(here, meet), _at(left, meet)
        if value >= known - self.close:
            yield meet
            return
        yield from self._corners(low, meet, left, here)
        yield from self._corners(meet, high, here, right)

    def segment(self, low: float, high: float, limit: int) -> Segment:
        """All optima inside a range."""
        solutions, exhausted = self._solve((low + high) / 2, keep_all=True, limit=limit)
        found = sorted((self.within.relation(x, self.profile.algorithms) for x in solutions), key=str)
        return Segment(low, high, tuple(found), exhausted)

    def _solve(self, share: float, *, keep_all: bool, limit: int) -> tuple[list[BoolArray], bool]:
        objective, _ = consensus_objective(self.matrices, self.weights(share), self.within)
        optima = solve(objective, keep_all=keep_all, limit=limit, seconds=np.inf)
        return optima.solutions, optima.exhausted


def _at(line: tuple[float, float], share: float) -> float:
    return (1.0 - share) * line[0] + share * line[1]
