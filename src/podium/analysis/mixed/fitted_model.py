"""`FittedModel`: the estimated variances and means of a model, in closed form where the design is complete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

import numpy as np
import pandas as pd

from podium.analysis.mixed.design import Design
from podium.analysis.mixed.likelihood import Estimation, Point
from podium.analysis.mixed.mean_squares import (
    Strata,
    scalar_variances,
    strata_of,
    unstructured_variances,
    within_variances,
)
from podium.analysis.mixed.objective import Objective, no_basis, scalar_basis, unstructured_basis
from podium.analysis.mixed.optimisation import Solution, Solver, minimise
from podium.analysis.mixed.starting_values import starting_values
from podium.analysis.mixed.sufficient_statistics import AllRows, SizeGroups, SufficientStatistics
from podium.analysis.notes import Note
from podium.arrays import FloatArray
from podium.errors import InputError, join_names

Covariance: TypeAlias = Literal["scalar", "unstructured"]
Residual: TypeAlias = Literal["common", "algorithm", "dataset"]
Component: TypeAlias = Literal["dataset", "interaction", "replication"]

Fitted = TypeVar("Fitted", bound="FittedModel")

_VANISHING = 1e-7  # relative to the mean residual variance
_USUAL, _LARGEST = 100, 505  # binary exponents


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FittedModel:
    """A mixed model with its estimates.

    Attributes
    ----------
    design : Design
        The data the model was fitted to: values, labels, measure, unit.
    covariance : {"scalar", "unstructured"}
    estimation : {"REML", "ML"}
    residual : {"common", "algorithm", "dataset"}
    objective : Objective
        The criterion as a function of the variance parameters.
    solution : Solution
        The variance parameters that minimise it, and everything at that point.
    strata : Strata or None
        Sums of squares, where the design is complete and all residuals have one variance.
    size : float
        The values were divided by it for `objective`, `solution` and `strata`, because squares of very large or very
        small numbers cannot be represented; 1 otherwise. All other numbers are in the units of the values.
    """

    design: Design
    covariance: Covariance
    estimation: Estimation
    residual: Residual
    objective: Objective
    solution: Solution
    strata: Strata | None
    size: float = 1.0

    @property
    def point(self) -> Point:
        """The likelihood at the estimated variances, in the units of the values."""
        inner = self.solution.point
        if self.size == 1:
            return inner
        size, square = self.size, self.size**2
        n = self.nobs - (inner.effects.size if self.estimation == "REML" else 0)
        return Point(
            criterion=inner.criterion + 2 * n * float(np.log(size)),
            effects=inner.effects * size,
            vcov=inner.vcov * square,
            A=inner.A / square,
            A_star=inner.A_star / square,
            score=inner.score / size,
            posterior=inner.posterior * square,
            spread=inner.spread * square,
            seen=inner.seen,
            offset=inner.offset * size,
        )

    @property
    def estimates(self) -> pd.Series[float]:
        """Mean performance of each algorithm; in the survey model its average over the data sets."""
        effects = self.point.effects
        return self._by_algorithm(effects if effects.ndim == 1 else effects.mean(axis=0))

    @property
    def vcov(self) -> pd.DataFrame:
        """Covariance matrix of `estimates`."""
        vcov = self.point.vcov
        names = list(self.design.algorithms)
        matrix = vcov if vcov.ndim == 2 else vcov.sum(axis=0) / len(vcov) ** 2
        return pd.DataFrame(matrix, index=names, columns=names)

    @property
    def se(self) -> pd.Series[float]:
        """Standard errors of `estimates`."""
        return self._by_algorithm(np.sqrt(np.diag(self.vcov.to_numpy())))

    @property
    def components(self) -> pd.DataFrame:
        """Variance components: variance, standard deviation, share of the total, and whether it ended at zero.

        With an unstructured covariance ``dataset`` is the mean covariance of two algorithms over data sets, and
        ``interaction`` the mean variance of one minus that. Where residual variances differ, ``residual`` is their
        mean.
        """
        G, s, _ = self._variances
        boundary, q = self.solution.boundary, len(self.objective.basis)
        variances: dict[str, float] = {}
        flags: dict[str, bool] = {}
        if G is not None:
            k = len(G)
            shared = float(G.sum() - np.trace(G)) / (k * (k - 1))
            variances["dataset"], variances["interaction"] = shared, float(np.trace(G)) / k - shared
            singular = bool(boundary[:q].any())
            flags["dataset"] = singular if self.objective.unstructured else bool(boundary[0])
            flags["interaction"] = singular if self.objective.unstructured else bool(boundary[1])
        variances[self.design.row_name], flags[self.design.row_name] = s, bool(boundary[q])
        counts = self.objective.statistics.cell_n
        variances["residual"] = float((self.residual_by_cell * counts).sum() / counts.sum())
        flags["residual"] = bool(boundary[-self.objective.statistics.residual_parameters :].any())
        variance = np.array(list(variances.values()))
        return pd.DataFrame(
            {
                "variance": variance,
                "sd": np.sqrt(np.maximum(variance, 0.0)),
                "share": variance / variance.sum(),
                "boundary": [flags[name] for name in variances],
            },
            index=list(variances),
        )

    @property
    def effects_covariance(self) -> pd.DataFrame | None:
        """Covariance matrix of the effects of a data set on the algorithms; None without random data sets."""
        names = list(self.design.algorithms)
        G = self.effects_matrix
        return None if G is None else pd.DataFrame(G, index=names, columns=names)

    @property
    def residual_variances(self) -> pd.Series[float]:
        """Residual variance of each algorithm, of each data set, or the common one."""
        labels: Sequence[str] = ["common"]
        if self.residual != "common":
            labels = self.design.algorithms if self.residual == "algorithm" else self.design.source.datasets
        return pd.Series(self._variances[2], index=list(labels), name="residual variance")

    @property
    def criterion(self) -> float:
        """-2 log of the restricted likelihood (REML) or of the likelihood (ML)."""
        return self.point.criterion

    @property
    def loglik(self) -> float:
        """Log of the restricted likelihood (REML) or of the likelihood (ML)."""
        return -self.criterion / 2

    @property
    def parameters(self) -> int:
        """Number of variance parameters."""
        return self.objective.parameters

    @property
    def nobs(self) -> int:
        """Number of values."""
        return int(self.objective.statistics.cell_n.sum())

    @property
    def boundary(self) -> bool:
        """Whether a variance ended at zero, or a covariance matrix is singular."""
        return bool(self.solution.boundary.any())

    @property
    def notes(self) -> tuple[Note, ...]:
        """Which variances ended at zero, for readers."""
        if not self.boundary:
            return ()
        table = self.components
        zero = [str(name) for name in table.index[table["boundary"]]]
        notes = []
        if "residual" in zero:
            zero.remove("residual")
            variances = self.residual_variances
            least = variances.index[self.solution.boundary[-len(variances) :]]
            notes.append(Note("zero residual", levels=tuple(str(name) for name in least)))
        if self.covariance == "unstructured" and "dataset" in zero:
            zero = [name for name in zero if name not in ("dataset", "interaction")]
            notes.append(Note("singular covariance"))
        if zero:
            by_row = zero == ["replication"]
            counted = int((~np.isnan(self.design.cube)).any(axis=2).sum()) if by_row else self.design.datasets
            notes.append(
                Note("zero variance", sources=tuple(zero), unit="replication" if by_row else "dataset", n=counted)
            )
        return tuple(notes)

    @property
    def solver(self) -> Solver:
        """How the variances were found: ``"closed form"``, ``"newton"`` or ``"quasi-newton"``."""
        return self.solution.solver

    @property
    def effects_matrix(self) -> FloatArray | None:
        """As `effects_covariance`, without labels."""
        return self._variances[0]

    @property
    def cell_means(self) -> FloatArray:
        """Fitted mean of each algorithm on each data set, as an M × K array."""
        return self.objective.statistics.centre * self.size + self.point.offset

    @property
    def cell_vcov(self) -> FloatArray:
        """Covariance of the errors of `cell_means`, as an M × K × K array."""
        point = self.point
        if point.vcov.ndim == 3:
            return point.vcov
        rest = np.eye(point.vcov.shape[0]) - point.posterior @ point.A
        return np.asarray(point.posterior + rest @ point.vcov @ np.swapaxes(rest, 1, 2))

    @property
    def residual_by_cell(self) -> FloatArray:
        """Residual variance of each cell, as an M × K array."""
        d = self._variances[2]
        shape = self.objective.statistics.cell_n.shape
        return np.broadcast_to(d[:, None] if self.residual == "dataset" else d, shape)

    @property
    def _variances(self) -> tuple[FloatArray | None, float, FloatArray]:
        """G, the variance of replications, and the residual variances."""
        return self.objective.split(self.solution.phi * self.size**2)

    def _by_algorithm(self, numbers: FloatArray) -> pd.Series[float]:
        return pd.Series(numbers, index=list(self.design.algorithms))


def fit_model(
    kind: type[Fitted],
    design: Design,
    covariance: Covariance,
    estimation: Estimation,
    residual: Residual,
    *,
    without: Component | None = None,
) -> Fitted:
    """Estimate the variances of a model, or of the model without one of its components, as an object of some kind."""
    size = _size(design.cube)
    values = design.cube / size
    statistics: SufficientStatistics = (
        AllRows.of(values) if residual == "algorithm" else SizeGroups.of(values, per_dataset=residual == "dataset")
    )
    objective = _objective(design, statistics, covariance, estimation, without)
    strata = None
    if design.complete and isinstance(statistics, SizeGroups) and not statistics.per_dataset:
        strata = strata_of(statistics)
    _refuse_constant_differences(design, statistics, strata)
    phi = None
    if strata is not None and without is None:
        phi = _closed_form(objective, strata, covariance, design.model)
    if phi is not None:
        inside = np.zeros(objective.parameters, bool)
        solution = Solution(phi, objective.point(phi), inside, "closed form", 1, True)
    else:
        solution = _minimum(design, values, objective, residual)
    return kind(
        design=design,
        covariance=covariance,
        estimation=estimation,
        residual=residual,
        objective=objective,
        solution=solution,
        strata=strata,
        size=size,
    )


def has_constant_differences(design: Design) -> bool:
    """Whether the algorithms differ by the same amounts in every row of a complete design."""
    if not design.complete:
        return False
    values = design.cube / _size(design.cube)
    sizes = np.abs(values).max(axis=(0, 1))
    order = np.argsort(sizes)  # an algorithm with huge values is compared only with the largest of the others
    # Not from sums of squares: with large effects of rows their difference is rounding noise.
    left = np.diff(values[..., order], axis=2)
    left -= left.mean(axis=1, keepdims=True)
    return bool((np.abs(left) <= 2e-14 * sizes[order[1:]]).all())


def _size(values: FloatArray) -> float:
    """Return the power of two to divide values by before their squares are added up: 1 for numbers of usual size."""
    exponent = int(np.frexp(np.nanmax(np.abs(values)))[1])
    if abs(exponent) > _LARGEST:
        raise InputError(
            f"The largest of the values is about 1e{round(exponent * np.log10(2)):d}; variances of such numbers cannot "
            "be represented. Measure in other units."
        )
    return 2.0**exponent if abs(exponent) > _USUAL else 1.0


def _objective(
    design: Design,
    statistics: SufficientStatistics,
    covariance: Covariance,
    estimation: Estimation,
    without: Component | None,
) -> Objective:
    k = len(design.algorithms)
    if design.model != "domain":
        basis = no_basis(k)
    elif covariance == "unstructured":
        basis = unstructured_basis(k)
    else:
        basis = scalar_basis(k)
        if without in ("dataset", "interaction"):
            basis = np.delete(basis, 0 if without == "dataset" else 1, axis=0)
    return Objective(
        statistics, basis, estimation, replication=without != "replication", fixed_cells=design.model == "survey"
    )


def _closed_form(objective: Objective, strata: Strata, covariance: Covariance, model: str) -> FloatArray | None:
    """Variance parameters from mean squares; None where a variance would be negative."""
    assert isinstance(objective.statistics, SizeGroups)
    estimation = objective.estimation
    if model != "domain":
        inner = within_variances(strata, estimation, fixed_cells=True)
        return None if inner is None else np.array(inner)
    if covariance == "scalar":
        variances = scalar_variances(strata, estimation)
        return None if variances is None else np.array(variances)
    found = unstructured_variances(objective.statistics, strata, estimation)
    if found is None:
        return None
    G, s, d = found
    return objective.join(G[np.triu_indices(strata.k)], s, np.array([d]))


def _minimum(design: Design, values: FloatArray, objective: Objective, residual: Residual) -> Solution:
    """Minimise the criterion numerically, and refuse data that have no minimum."""
    start = starting_values(objective, values)
    if not start[-1] > 0:
        raise _constant_differences_error(design)
    solution = minimise(objective, start)
    if residual == "common" and solution.boundary[-1]:
        raise _constant_differences_error(design)
    _refuse_vanishing(design, objective.statistics, solution)
    if not solution.converged:
        raise InputError(
            "The variances could not be estimated: the criterion was still decreasing after "
            f"{solution.evaluations} evaluations. Values of very different size, or an algorithm or data set without "
            f"variation, can be the cause; `residual='common'` and `covariance='scalar'` are the models to start from."
        )
    return solution


def _refuse_vanishing(design: Design, statistics: SufficientStatistics, solution: Solution) -> None:
    """Refuse residual variances of data sets that tend to zero: the likelihood is unbounded there.

    Where no minimum was found, one that is almost zero is the cause.
    """
    if not (isinstance(statistics, SizeGroups) and statistics.per_dataset):
        return
    variances = solution.phi[-statistics.residual_parameters :]
    least = _VANISHING * (1 if solution.converged else 100) * variances.mean()
    gone = solution.boundary[-statistics.residual_parameters :] | (variances < least)
    if gone.any():
        where = [name for name, zero in zip(design.source.datasets, gone, strict=True) if zero]
        raise InputError(
            f"`residual='dataset'` cannot be estimated: the residual variance on {join_names(where)} tends to zero. "
            "More values are needed there; leave these out, or use residual='common'."
        )


def _refuse_constant_differences(design: Design, statistics: SufficientStatistics, strata: Strata | None) -> None:
    """Refuse data without the variation that a difference would be compared with."""
    if strata is not None and strata.constant_differences:
        raise _constant_differences_error(design)
    if strata is None and isinstance(statistics, SizeGroups) and statistics.per_dataset:
        squares = np.nansum((design.cube / _size(design.cube)) ** 2, axis=(1, 2))
        none = statistics.total <= 1e-24 * squares
        if none.any():
            where = [name for name, gone in zip(design.source.datasets, none, strict=True) if gone]
            raise InputError(
                f"`residual='dataset'` needs variation on every data set; there is none on {join_names(where)}. Leave "
                "these out, or use residual='common'."
            )


def _constant_differences_error(design: Design) -> InputError:
    if design.complete and not has_constant_differences(design):
        rows = "data sets" if design.row_name == "dataset" else "replications"
        return InputError(
            f"The {rows} differ so much more than the algorithms do within them that rounding leaves nothing of the "
            "variation to compare with. Subtract from the values of each block their mean, or compare them pair by "
            "pair: method='wilcoxon' or 't'."
        )
    if design.row_name == "dataset":
        return InputError(
            "The algorithms differ by the same amounts on every data set: no variation is left to compare their "
            "differences with."
        )
    where = "" if design.datasets > 1 else f" of {design.name!r}"
    return InputError(
        f"The algorithms differ by the same amounts in every replication{where}: no variation is left to compare "
        "their differences with. If the replications are copies of each other, keep one: results.aggregate('mean')."
    )
