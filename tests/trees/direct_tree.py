"""A Bradley–Terry tree written straight from the formulas, slowly: one fit at a time, no counts shared, no shortcuts.

See tests/reference/golden/bttree (spec.md, sections 1 to 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.stats import chi2

from podium.analysis.trees.sup_lm import log_sup_lm_sf


class Direct:
    """A tree over rows of outcomes (1, -1, 0 or NaN), as a list of nodes."""

    def __init__(
        self, codes: Any, pairs: list[tuple[int, int]], k: int, covariates: Mapping[str, tuple[str, Any]], min_size: int
    ) -> None:
        self.codes, self.covariates, self.min_size = codes, covariates, min_size
        self.ties = bool((codes == 0).any())
        free = {i: i for i in range(k - 1)}  # the last object is the reference
        self.D = np.zeros((len(pairs), 3, k - 1 + self.ties))
        for q, (i, j) in enumerate(pairs):
            for outcome, weights in enumerate(((1, 0, 0), (0, 1, 0), (0.5, 0.5, 1))):
                for place, weight in zip((free.get(i), free.get(j)), weights, strict=False):
                    if place is not None:
                        self.D[q, outcome, place] = weight
                if self.ties:
                    self.D[q, outcome, -1] = weights[2]
        self.D = self.D if self.ties else self.D[:, :2]
        self.hot = np.stack([codes == value for value in (1, -1, 0)[: self.D.shape[1]]], axis=2).astype(float)
        self.nodes: list[dict[str, Any]] = []
        self._grow(np.arange(len(codes)), 0)

    def _fit(self, rows: Any) -> tuple[float, Any]:
        counts = self.hot[rows].sum(axis=0)

        def negative(b: Any) -> tuple[float, Any]:
            eta = self.D @ b
            eta -= eta.max(axis=1, keepdims=True)
            logs = eta - np.log(np.exp(eta).sum(axis=1, keepdims=True))
            residual = counts - counts.sum(axis=1, keepdims=True) * np.exp(logs)
            return -float((counts * logs).sum()), -np.einsum("qo,qop->p", residual, self.D)

        start = np.zeros(self.D.shape[2])
        found = minimize(negative, start, jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 500})
        eta = self.D @ found.x
        p = np.exp(eta - eta.max(axis=1, keepdims=True))
        return float(found.fun), p / p.sum(axis=1, keepdims=True)

    def _grow(self, rows: Any, parent: int) -> None:
        n, me = len(rows), len(self.nodes) + 1
        value, p = self._fit(rows)
        node: dict[str, Any] = {"parent": parent, "n": n, "neg_loglik": value, "split": None, "tests": {}}
        self.nodes.append(node)
        if n < 2 * self.min_size:
            return
        mean = np.einsum("qo,qop->qp", p, self.D)
        psi = np.einsum("sqo,qop->sp", self.hot[rows], self.D - mean[:, None])
        roots, vectors = np.linalg.eigh(psi.T @ psi / n)
        U = psi @ vectors / np.sqrt(roots * n)
        tests = {name: self._test(U, kind, z[rows]) for name, (kind, z) in self.covariates.items()}
        node["tests"] = {name: test for name, test in tests.items() if test is not None}
        if not node["tests"]:
            return
        name, (_, pvalue) = min(node["tests"].items(), key=lambda one: one[1][1])
        m = len(node["tests"])
        if (min(1, m * pvalue) if pvalue <= 0.001 else 1 - (1 - pvalue) ** m) > 0.05:
            return
        best, left = np.inf, None
        kind, z = self.covariates[name][0], self.covariates[name][1][rows]
        for side in _sides(kind, z):
            if min(side.sum(), (~side).sum()) >= self.min_size:
                total = self._fit(rows[side])[0] + self._fit(rows[~side])[0]
                if total < best - 1e-7:
                    best, left = total, side
        if left is None:
            return
        node["split"] = name
        self._grow(rows[left], me)
        self._grow(rows[~left], me)

    def _test(self, U: Any, kind: str, z: Any) -> tuple[float, float] | None:
        n, p = U.shape
        levels = np.unique(z)
        if len(levels) < 2:
            return None
        if kind != "numeric":
            statistic = sum((U[z == one].sum(axis=0) ** 2).sum() / (z == one).mean() for one in levels)
            return float(statistic), float(chi2.sf(statistic, p * (len(levels) - 1)))
        start = max(int(np.ceil(0.1 * n)), self.min_size)
        path = np.cumsum(U[np.argsort(z, kind="stable")], axis=0)
        at = np.arange(start, n - start + 1)
        found = ((path[at - 1] ** 2).sum(axis=1) / ((at / n) * (1 - at / n))).max()
        return float(found), np.exp(log_sup_lm_sf(float(found), p, start / n, 1 - start / n, n))


def _sides(kind: str, z: Any) -> list[Any]:
    levels = np.unique(z)
    if kind != "nominal":
        return [z <= one for one in levels[:-1]]
    codes = range(1, 2 ** (len(levels) - 1))
    return [np.isin(z, [levels[i] for i in range(len(levels)) if code >> i & 1]) for code in codes]
