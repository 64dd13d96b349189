"""From a design to estimated variances: closed form where the design is complete, numerically otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from podium.analysis.mixed.balanced import (
    Strata,
    scalar_variances,
    strata_of,
    unstructured_variances,
    within_variances,
)
from podium.analysis.mixed.design import Design
from podium.analysis.mixed.likelihood import Method
from podium.analysis.mixed.problem import Problem, no_basis, scalar_basis, unstructured_basis
from podium.analysis.mixed.solve import Solution, solve
from podium.analysis.mixed.start import starting_by_dataset, starting_covariance, starting_within
from podium.analysis.mixed.within import Rows, SizeGroups, Within
from podium.arrays import FloatArray
from podium.errors import InputError, listing

Covariance: TypeAlias = Literal["scalar", "unstructured"]
Residual: TypeAlias = Literal["common", "algorithm", "dataset"]
_VANISHING = 1e-7  # part of the mean residual variance
Component: TypeAlias = Literal["dataset", "interaction", "replication"]


@dataclass(frozen=True, eq=False, repr=False)
class Estimate:
    """A problem and its solution.

    Attributes
    ----------
    problem : Problem
    solution : Solution
    strata : Strata or None
        Sums of squares, where the design is complete and all residuals have one variance.
    """

    problem: Problem
    solution: Solution
    strata: Strata | None


def estimate(
    design: Design,
    covariance: Covariance,
    method: Method,
    residual: Residual,
    *,
    without: Component | None = None,
) -> Estimate:
    """Estimate the variances of a model, or of the model without one of its components."""
    values = design.values
    within: Within = (
        Rows.of(values) if residual == "algorithm" else SizeGroups.of(values, per_dataset=residual == "dataset")
    )
    problem = _problem(design, within, covariance, method, without)
    strata = None
    if design.complete and isinstance(within, SizeGroups) and not within.per_dataset:
        strata = strata_of(within)
    _refuse_exact(design, within, strata)
    if strata is not None and without is None:
        phi = _closed_form(problem, strata, covariance, design.model)
        if phi is not None:
            nowhere = np.zeros(problem.parameters, bool)
            return Estimate(problem, Solution(phi, problem.point(phi), nowhere, "closed form", 1, True), strata)
    start = _start(problem, values)
    if not start[-1] > 0:
        raise exact_error(design)
    solution = solve(problem, start)
    if residual == "common" and solution.boundary[-1]:
        raise exact_error(design)
    if not solution.converged:
        raise InputError(
            "The variances could not be estimated: the criterion still fell after "
            f"{solution.evaluations} evaluations. Values of very different size, or an algorithm or data set without "
            "variation, can be the cause; `residual='common'` and `covariance='scalar'` are the models to start from."
        )
    _refuse_vanishing(design, within, solution)
    return Estimate(problem, solution, strata)


def _refuse_vanishing(design: Design, within: Within, solution: Solution) -> None:
    """Refuse residual variances of data sets that run to zero: the likelihood has no maximum, and loses its digits."""
    if not (isinstance(within, SizeGroups) and within.per_dataset):
        return
    variances = solution.phi[-within.residual_parameters :]
    gone = solution.boundary[-within.residual_parameters :] | (variances < _VANISHING * variances.mean())
    if gone.any():
        where = [name for name, zero in zip(design.datasets, gone, strict=True) if zero]
        raise InputError(
            f"`residual='dataset'` cannot be estimated: the residual variance on {listing(where)} runs to zero. It "
            "takes more values there; leave these out, or use residual='common'."
        )


def _problem(
    design: Design, within: Within, covariance: Covariance, method: Method, without: Component | None
) -> Problem:
    k = len(design.algorithms)
    if design.model != "domain":
        basis = no_basis(k)
    elif covariance == "unstructured":
        basis = unstructured_basis(k)
    else:
        basis = scalar_basis(k)
        if without in ("dataset", "interaction"):
            basis = np.delete(basis, 0 if without == "dataset" else 1, axis=0)
    return Problem(within, basis, method, replication=without != "replication", fixed_cells=design.model == "survey")


def _closed_form(problem: Problem, strata: Strata, covariance: Covariance, model: str) -> FloatArray | None:
    assert isinstance(problem.within, SizeGroups)
    method = problem.method
    if model != "domain":
        inner = within_variances(strata, method, fixed_cells=True)
        return None if inner is None else np.array(inner)
    if covariance == "scalar":
        variances = scalar_variances(strata, method)
        return None if variances is None else np.array(variances)
    found = unstructured_variances(problem.within, strata, method)
    if found is None:
        return None
    G, s, d = found
    return problem.join(G[np.triu_indices(strata.k)], s, np.array([d]))


def _start(problem: Problem, values: FloatArray) -> FloatArray:
    within = problem.within
    s, d = starting_within(values)
    residual = np.full(within.residual_parameters, d)
    if isinstance(within, SizeGroups) and within.per_dataset:
        s, residual = starting_by_dataset(values)
    q = len(problem.basis)
    if not q:
        return problem.join(np.empty(0), s, residual)
    G = starting_covariance(within.cell_n, within.cell_mean, s, d)
    k = len(G)
    if problem.unstructured:
        return problem.join(G[np.triu_indices(k)], s, residual)
    own = float(np.trace(G)) / k
    shared = max(float(G.sum() - np.trace(G)) / (k * (k - 1)), 0.05 * own)
    apart = max(own - shared, 0.05 * own)
    if q == 2:
        return problem.join(np.array([shared, apart]), s, residual)
    return problem.join(np.array([shared if (problem.basis[0] == 1).all() else own]), s, residual)


def _refuse_exact(design: Design, within: Within, strata: Strata | None) -> None:
    """Refuse data in which nothing varies that could tell a difference from chance."""
    if strata is not None and strata.exact:
        raise exact_error(design)
    if strata is None and isinstance(within, SizeGroups) and within.per_dataset:
        size = np.nansum(design.values**2, axis=(1, 2))
        none = within.total <= 1e-24 * size
        if none.any():
            where = [name for name, gone in zip(design.datasets, none, strict=True) if gone]
            raise InputError(
                f"`residual='dataset'` needs variation on every data set; there is none on {listing(where)}. "
                "Leave these out, or use residual='common'."
            )


def exact_error(design: Design) -> InputError:
    """Build the error for data without any variation of differences."""
    if design.row_name == "dataset":
        return InputError(
            "The algorithms differ by the same amounts on every data set: no variation is left to compare their "
            "differences with."
        )
    where = "" if len(design.datasets) > 1 else f" of {design.datasets[0]!r}"
    return InputError(
        f"The algorithms differ by the same amounts in every replication{where}: no variation is left to compare "
        "their differences with. If the replications are copies of each other, keep one: results.aggregate('mean')."
    )


def is_exact(design: Design) -> bool:
    """Whether the algorithms differ by the same amounts in every row of a complete design."""
    return design.complete and strata_of(SizeGroups.of(design.values, per_dataset=False)).exact
