"""Consensus: seconds to a proven optimum and to all optima, in every class, from correlated voters to pure noise.

Run: python benchmarks/consensus.py [--seconds 20] [--least 10] [--most 60] [--quick]

Compared in the same run: one integer program with all transitivity constraints (`scipy.optimize.milp`), solved once for
one optimum and repeatedly for all of them; and, if Rscript and the package relations are installed, its
relation_consensus. Their CPU time is divided by ours. What should hold: 30 algorithms with 30 voters in under half a
second in every class, 60 algorithms with correlated voters in seconds, and at least 5 times faster than R.

Voters rank i + N(0, s) with s = K/4 (correlated), K (loose), or at random (noise); "ties" puts groups of three
neighbours on one level. For equivalences, voters are partitions that agree by 70% or 40%, or are drawn at random.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from timing import compare, in_r, parser

from podium.analysis.consensus import consensus
from podium.analysis.consensus.linear_programming import Columns
from podium.analysis.consensus.objective import consensus_objective
from podium.analysis.consensus.profile import make_profile
from podium.analysis.consensus.relation_classes import CLASSES
from podium.analysis.relation import Relation

ORDERS = ("linear", "weak", "partial", "preorder", "tournament")
SHAPES = ((10, 7), (10, 40), (20, 20), (30, 7), (30, 30), (40, 30), (60, 7), (60, 40))
METHODS_OF_R = {"linear": "SD/L", "weak": "SD/W", "partial": "SD/O", "preorder": "SD/preorder"}
ALL_ROWS_UP_TO = 20  # algorithms; beyond that, the rival takes minutes
OPTIMA_UP_TO = 40  # likewise
R_UP_TO = 30


def names(k: int) -> list[str]:
    return [f"a{i:02}" for i in range(k)]


def rankings(k: int, voters: int, spread: float | None, ties: bool, seed: int) -> list[Relation]:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(voters, k)) if spread is None else np.arange(k) + rng.normal(0, spread, (voters, k))
    places = scores.argsort(axis=1).argsort(axis=1)
    return [Relation.from_ranks(row // 3 if ties else row, names(k)) for row in places]


def partitions(k: int, voters: int, agree: float, seed: int) -> list[Relation]:
    rng = np.random.default_rng(seed)
    groups = max(k // 5, 2)
    base = rng.integers(0, groups, k)
    found = []
    for _ in range(voters):
        own = np.where(rng.random(k) < agree, base, rng.integers(0, groups, k))
        found.append(Relation.from_incidence(own[:, None] == own[None, :], names(k)))
    return found


def with_all_rows(voters: list[Relation], kind: str, optima: int = 0) -> None:
    """Solve one integer program with every transitivity constraint from the start.

    With a number of optima, that program is solved again until it has found them all, each time with one more
    constraint that excludes the optimum found last.
    """
    within = CLASSES[kind]
    profile = make_profile(voters)
    objective, _ = consensus_objective(profile.matrices(within.reading), profile.weights, within)
    columns = Columns.of(objective)
    k = objective.size
    i, j, m = (side.ravel() for side in np.meshgrid(*[np.arange(k)] * 3, indexing="ij"))
    apart = (i != j) & (j != m) & (i != m)
    i, j, m = i[apart], j[apart], m[apart]
    entries = np.stack([i * k + j, j * k + m, i * k + m], axis=1)
    signs = np.tile([1.0, 1.0, -1.0], (len(i), 1))
    rows = csr_array((signs.ravel(), entries.ravel(), np.arange(0, 3 * len(i) + 1, 3)), shape=(len(i), k * k))
    limits = [LinearConstraint(csr_array(rows @ columns.map), ub=1.0 - rows @ columns.shift)]
    if columns.pair_rows is not None:
        limits.append(LinearConstraint(columns.pair_rows, ub=columns.pair_right))
    for _ in range(optima + 1):
        outcome = milp(
            columns.map.T @ objective.costs.ravel(),
            integrality=np.ones(columns.count),
            bounds=Bounds(0, 1),
            constraints=limits,
            options={"mip_rel_gap": 0.0, "time_limit": 60},
        )
        assert outcome.status in (0, 1)
        found = np.round(outcome.x)
        limits.append(LinearConstraint(1.0 - 2.0 * found, lb=1.0 - found.sum()))


R_SCRIPT = """
args <- commandArgs(TRUE)
ranks <- as.matrix(read.csv(args[1], header = FALSE))
voters <- lapply(seq_len(nrow(ranks)), function(v) as.relation(ranking(ranks[v, ], complete = TRUE)))
ensemble <- relation_ensemble(list = voters)
cat(system.time(relation_consensus(ensemble, method = args[2]))[["user.self"]])
"""


def with_r(voters: list[Relation], kind: str, folder: Path) -> float:
    """Return the seconds of relation_consensus, without loading and reading."""
    table = folder / "ranks.csv"
    np.savetxt(table, [voter.ranks().to_numpy() for voter in voters], delimiter=",")
    return in_r("relations", R_SCRIPT, table, METHODS_OF_R[kind])


def ensembles(k: int, voters: int) -> list[tuple[str, tuple[str, ...], list[Relation]]]:
    found: list[tuple[str, tuple[str, ...], list[Relation]]] = []
    for label, spread in (("correlated", k / 4), ("loose", float(k)), ("noise", None)):
        found.append((label, ORDERS, rankings(k, voters, spread, False, seed=k + voters)))
        found.append((f"{label}, ties", ORDERS[:-1], rankings(k, voters, spread, True, seed=k + voters)))
    for label, agree in (("correlated", 0.7), ("loose", 0.4), ("noise", 0.0)):
        found.append((label, ("equivalence",), partitions(k, voters, agree, seed=k + voters)))
    return found


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=20.0, help="limit for one consensus")
    options.add_argument("--least", type=int, default=10, help="smallest number of algorithms")
    options.add_argument("--most", type=int, default=60, help="largest number of algorithms")
    chosen = options.parse_args()
    shapes = [(k, v) for k, v in SHAPES if chosen.least <= k <= chosen.most]
    rounds = 1 if chosen.quick else 3
    with tempfile.TemporaryDirectory() as folder:
        for k, voters in [(5, 5)] if chosen.quick else shapes:
            for label, kinds, relations in ensembles(k, voters):
                for kind in kinds:
                    solve = partial(consensus, relations, kind, time_limit=chosen.seconds)
                    one, every = solve(all_optima=False), solve(all_optima=True)
                    proof = "proven" if one.optimal else f"gap {one.gap:g}"
                    what = f"{k} algorithms, {voters} voters, {label}, {kind}"
                    small = k <= ALL_ROWS_UP_TO and kind != "tournament"
                    runs = {"podium": partial(solve, all_optima=False)}
                    if small:
                        runs["one integer program"] = partial(with_all_rows, relations, kind)
                    if k <= R_UP_TO and kind in METHODS_OF_R:
                        runs["R's relations"] = partial(with_r, relations, kind, Path(folder))
                    compare(f"{what}: one optimum, {proof}", runs, rounds)
                    runs = {"podium": partial(solve, all_optima=True)}
                    if small and every.exhausted and len(every) <= OPTIMA_UP_TO:
                        runs["one integer program"] = partial(with_all_rows, relations, kind, len(every))
                    number = f"{len(every)}{'' if every.exhausted else ' or more'}"
                    compare(f"{what}: all optima, {number}", runs, rounds)


if __name__ == "__main__":
    main()
