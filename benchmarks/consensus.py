"""Consensus: seconds to a proven optimum and to all optima, in every class, from correlated voters to pure noise.

Run: python benchmarks/consensus.py [--seconds 20] [--least 10] [--most 60]

Compared in the same run: one integer program with all transitivity constraints (`scipy.optimize.milp`), solved once for
one optimum and repeatedly for all of them; and, if Rscript and the package relations are installed, its
relation_consensus. Their CPU time is divided by ours. What should hold: 30 algorithms with 30 voters in under half a
second in every class, 60 algorithms with correlated voters in seconds, and at least 5 times faster than R.

Voters rank i + N(0, s) with s = K/4 (correlated), K (loose), or at random (noise); "ties" puts groups of three
neighbours on one level. For equivalences, voters are partitions that agree by 70% or 40%, or are drawn at random.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from podium.analysis.consensus import consensus
from podium.analysis.consensus.linear_programming import Columns
from podium.analysis.consensus.objective import consensus_objective
from podium.analysis.consensus.profile import make_profile
from podium.analysis.consensus.relation_classes import CLASSES
from podium.analysis.preference import Relation

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


def timed(voters: list[Relation], kind: str, *, every: bool, seconds: float) -> tuple[float, str]:
    start = process_time()
    found = consensus(voters, kind, all_optima=every, time_limit=seconds)
    took = process_time() - start
    if every:
        return took, f"{len(found)}{'' if found.exhausted else '+'}"
    return took, "proven" if found.optimal else f"gap {found.gap:g}"


def with_all_rows(voters: list[Relation], kind: str, optima: int = 0) -> float:
    """Return the seconds of one integer program with every transitivity constraint from the start.

    With a number of optima, that program is solved again until it has found them all, each time with one more
    constraint that excludes the optimum found last.
    """
    within = CLASSES[kind]
    objective, _ = consensus_objective(make_profile(voters), within, within.reading)
    start = process_time()
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
    return process_time() - start


R_SCRIPT = """
suppressMessages(library(relations))
args <- commandArgs(TRUE)
ranks <- as.matrix(read.csv(args[1], header = FALSE))
voters <- lapply(seq_len(nrow(ranks)), function(v) as.relation(ranking(ranks[v, ], complete = TRUE)))
ensemble <- relation_ensemble(list = voters)
cat(system.time(relation_consensus(ensemble, method = args[2]))[["user.self"]])
"""


def with_r(voters: list[Relation], kind: str, folder: Path) -> float | None:
    """Return the seconds of relation_consensus, without loading and reading; None if R or the package is missing."""
    if shutil.which("Rscript") is None or kind not in METHODS_OF_R:
        return None
    script, table = folder / "consensus.R", folder / "ranks.csv"
    script.write_text(R_SCRIPT)
    np.savetxt(table, [voter.ranks().to_numpy() for voter in voters], delimiter=",")
    command = ["Rscript", "--vanilla", str(script), str(table), METHODS_OF_R[kind]]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return 120.0
    return float(done.stdout) if done.returncode == 0 else None


def ensembles(k: int, voters: int) -> list[tuple[str, tuple[str, ...], list[Relation]]]:
    found: list[tuple[str, tuple[str, ...], list[Relation]]] = []
    for label, spread in (("correlated", k / 4), ("loose", float(k)), ("noise", None)):
        found.append((label, ORDERS, rankings(k, voters, spread, False, seed=k + voters)))
        found.append((f"{label}, ties", ORDERS[:-1], rankings(k, voters, spread, True, seed=k + voters)))
    for label, agree in (("correlated", 0.7), ("loose", 0.4), ("noise", 0.0)):
        found.append((label, ("equivalence",), partitions(k, voters, agree, seed=k + voters)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="limit for one consensus")
    parser.add_argument("--least", type=int, default=10, help="smallest number of algorithms")
    parser.add_argument("--most", type=int, default=60, help="largest number of algorithms")
    options = parser.parse_args()
    print(
        f"{'K':>3} {'voters':>6}  {'ensemble':<17} {'class':<12} {'one s':>8} {'':<9} {'all s':>8} {'optima':>7} ",
        end="",
    )
    print(f"{'milp one':>9} {'milp all':>9} {'R':>8}  (times ours)")
    with tempfile.TemporaryDirectory() as folder:
        for k, voters in SHAPES:
            if not options.least <= k <= options.most:
                continue
            for label, kinds, relations in ensembles(k, voters):
                for kind in kinds:
                    one, proof = timed(relations, kind, every=False, seconds=options.seconds)
                    every, optima = timed(relations, kind, every=True, seconds=options.seconds)
                    milp_one = milp_all = None
                    if k <= ALL_ROWS_UP_TO and kind != "tournament":
                        milp_one = with_all_rows(relations, kind)
                        if optima.isdigit() and int(optima) <= OPTIMA_UP_TO:
                            milp_all = with_all_rows(relations, kind, int(optima))
                    r = with_r(relations, kind, Path(folder)) if k <= R_UP_TO else None
                    ratios = [
                        f"{rival / max(ours, 1e-4):.1f}" if rival is not None else "-"
                        for rival, ours in ((milp_one, one), (milp_all, every), (r, one))
                    ]
                    print(
                        f"{k:>3} {voters:>6}  {label:<17} {kind:<12} {one:8.3f} {proof:<9} {every:8.3f} {optima:>7} "
                        f"{ratios[0]:>9} {ratios[1]:>9} {ratios[2]:>8}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
