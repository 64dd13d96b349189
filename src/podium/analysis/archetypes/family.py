"""Families: the parts that make up an archetypal analysis.

A family says how the data are scaled, where the archetypes start, how observations are weighted before and in the loop,
and by which criterion a solution is chosen among several restarts. The two convex least-squares steps are those of
`descent`. A family of your own is an instance of `Family`, or a class derived from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from podium.analysis.archetypes.starts import STARTS, StartRule
from podium.arrays import FloatArray
from podium.checks import (
    call_function,
    check_choice,
    check_count,
    check_flag,
    check_name,
    describe,
    is_number,
    record,
    shown,
)
from podium.errors import InputError

Scaling: TypeAlias = Literal["standard", "robust", "none"]
Norm: TypeAlias = Literal["manhattan", "euclidean"]
Start: TypeAlias = Literal["furthest-sum", "hull", "inner", "random"]
LossName: TypeAlias = Literal["bisquare", "huber", "welsch"]
Curve: TypeAlias = Callable[[FloatArray], FloatArray]

NONZERO = 1.5e-8  # residuals below this count as zero in the median of the others

ROUNDING = 1e-9  # by which a weight may exceed 1


@record()
class Loss:
    """A loss that grows less than the square; both functions take lengths of residuals divided by the tuning constant.

    Attributes
    ----------
    name : str
    rho : callable
        What an observation contributes to the criterion, in units of the squared tuning constant.
    weight : callable
        The weight of an observation, from 0 to 1; 1 for a residual of 0.
    """

    name: str
    rho: Curve
    weight: Curve


def _bisquare_rho(u: FloatArray) -> FloatArray:
    return np.asarray((1 - (1 - np.minimum(u, 1.0) ** 2) ** 3) / 6)


def _bisquare_weight(u: FloatArray) -> FloatArray:
    return np.asarray(np.where(u < 1, (1 - np.minimum(u, 1.0) ** 2) ** 2, 0.0))


def _huber_rho(u: FloatArray) -> FloatArray:
    return np.where(u <= 1, u**2 / 2, u - 0.5)


def _huber_weight(u: FloatArray) -> FloatArray:
    return np.asarray(1 / np.maximum(u, 1.0))


def _welsch_rho(u: FloatArray) -> FloatArray:
    return np.asarray((1 - np.exp(-(u**2))) / 2)


def _welsch_weight(u: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-(u**2)))


# Dissertation, section 9.3, for the bisquare; P. J. Huber, E. M. Ronchetti (2009), Robust Statistics, for Huber's;
# J. E. Dennis, R. E. Welsch (1978) for Welsch's.
LOSSES = {
    "bisquare": Loss("bisquare", _bisquare_rho, _bisquare_weight),
    "huber": Loss("huber", _huber_rho, _huber_weight),
    "welsch": Loss("welsch", _welsch_rho, _welsch_weight),
}


@record(kw_only=True)
class Family:
    """The parts of an archetypal analysis.

    Attributes
    ----------
    name : str
    scaling : {"standard", "robust", "none"}
        Mean and standard deviation, median and median absolute deviation, or the data as they are.
    start : {"furthest-sum", "hull", "inner", "random"} or callable
        The observations that are the first archetypes: a rule by name, or a function of the scaled data, the number of
        archetypes and a random generator that returns positions of rows.
    shrink : bool
        Whether the weights given to `fit` move observations towards the centre, as in section 9.2 of the dissertation;
        otherwise they are weights of the squared residuals.
    norm : {"manhattan", "euclidean"}
        The length of a residual, from which its robust weight is computed.
    loss : {"bisquare", "huber", "welsch"} or Loss, optional
        Robust weights in the loop, by this loss; without one all weights stay 1.
    tuning : float
        The tuning constant of the loss, in medians of the residuals that are not zero.
    n_init : int
        The number of starts, unless `ArchetypalAnalysis` is given another. The built-in robust family has 20, because
        its starts end in more different places.
    """

    _made_from: ClassVar = ((object, "Use 'classical', 'weighted', 'robust', or a podium.archetypal.Family(...)."),)

    name: str = "classical"
    scaling: Scaling = "standard"
    start: Start | StartRule = "furthest-sum"
    shrink: bool = False
    norm: Norm = "manhattan"
    loss: LossName | Loss | None = None
    tuning: float = 6.0
    n_init: int = 10

    def __post_init__(self) -> None:
        check_name(self.name, "name")
        check_flag(self.shrink, "shrink")
        check_choice(self.scaling, ("standard", "robust", "none"), "scaling")
        check_choice(self.norm, ("manhattan", "euclidean"), "norm")
        if not callable(self.start):
            check_choice(self.start, STARTS, "start")
        if self.loss is not None and not isinstance(self.loss, Loss):
            check_choice(self.loss, LOSSES, "loss")
        if not is_number(self.tuning) or not 0 < self.tuning < np.inf:
            raise InputError(f"`tuning` must be a positive number; got {shown(self.tuning)}.", path=("tuning",))
        check_count(self.n_init, "n_init")

    @property
    def start_rule(self) -> StartRule:
        """The function that chooses the first archetypes."""
        return self.start if callable(self.start) else STARTS[self.start]

    @property
    def loss_curves(self) -> Loss | None:
        """The loss, with its functions."""
        return LOSSES[self.loss] if isinstance(self.loss, str) else self.loss

    @property
    def robust(self) -> bool:
        """Whether observations are weighted in the loop."""
        return self.loss is not None

    def lengths(self, residuals: FloatArray) -> FloatArray:
        """Lengths of residuals."""
        if self.norm == "manhattan":
            return np.asarray(np.abs(residuals).sum(axis=1))
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", residuals, residuals)))

    def constant(self, lengths: FloatArray, counts: FloatArray | None = None) -> float:
        """The tuning constant for these lengths; infinite if all of them are zero."""
        nonzero = lengths > NONZERO
        if not nonzero.any():
            return np.inf
        if counts is None:
            return float(self.tuning * np.median(lengths[nonzero]))
        return float(self.tuning * weighted_median(lengths[nonzero], counts[nonzero]))

    def weights(self, lengths: FloatArray, constant: float) -> FloatArray:
        """Robust weights of observations with these residuals."""
        curves = self.loss_curves
        if curves is None or constant == np.inf:
            return np.ones_like(lengths)
        found = np.asarray(call_function(curves.weight, "loss", lengths / constant))
        if found.shape != lengths.shape or found.dtype.kind not in "fiub":
            raise InputError("`loss`: `weight` must return one number for each length.", path=("loss",))
        outside = np.flatnonzero(~((found >= 0) & (found <= 1 + ROUNDING)))
        if len(outside):
            raise InputError(
                f"`loss`: `weight` must return numbers from 0 to 1; that of {shown(curves.name)} returned "
                f"{shown(found[outside[0]])} for the length {lengths[outside[0]] / constant:.3g}.",
                path=("loss",),
            )
        return np.minimum(np.asarray(found, np.float64), 1.0)

    def criterion(self, lengths: FloatArray, constant: float, counts: FloatArray | None = None) -> float:
        """What is minimised by robust weights: the sum of the losses of all observations."""
        curves = self.loss_curves
        if curves is None:
            losses = lengths**2
        elif constant == np.inf:
            losses = np.zeros_like(lengths)
        else:
            found = np.asarray(call_function(curves.rho, "loss", lengths / constant))
            if found.shape != lengths.shape or found.dtype.kind not in "fiub" or not np.isfinite(found).all():
                raise InputError("`loss`: `rho` must return one finite number for each length.", path=("loss",))
            losses = constant**2 * found
        return float(losses.sum() if counts is None else losses @ counts)


def weighted_median(values: FloatArray, counts: FloatArray) -> float:
    """Median of values that occur as often as `counts` says."""
    order = np.argsort(values, kind="stable")
    values, summed = values[order], np.cumsum(counts[order])
    half = summed[-1] / 2
    low = int(np.searchsorted(summed, half * (1 - 1e-12)))
    high = low + 1 if abs(summed[low] - half) <= 1e-12 * half and low + 1 < len(values) else low
    return float(values[low]) / 2 + float(values[high]) / 2


FAMILIES = {
    "classical": Family(),
    "weighted": Family(name="weighted", shrink=True),
    "robust": Family(name="robust", start="inner", loss="bisquare", n_init=20),
}


def find_family(family: object) -> Family:
    """Return a family by name, or the given one."""
    if isinstance(family, Family):
        return family
    if not isinstance(family, str):
        raise InputError(
            f"`family` must be one of 'classical', 'weighted', 'robust', or a podium.archetypal.Family; "
            f"got {describe(family)}."
        )
    check_choice(family, FAMILIES, "family")
    return FAMILIES[family]
