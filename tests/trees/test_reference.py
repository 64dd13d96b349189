"""Bradley–Terry models and trees against R psychotree 0.16 (tests/reference/golden/bttree, see its spec.md)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PairedComparisons
from podium.analysis.trees.instability import decorrelated_scores
from podium.analysis.trees.sup_lm import log_sup_lm_sf
from podium.inference import BradleyTerryTree

GOLDEN = Path(__file__).parents[1] / "reference" / "golden" / "bttree"


@cache
def reference_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text())
    return found


@cache
def data(name: str) -> tuple[PairedComparisons, pd.DataFrame]:
    frame = pd.read_csv(GOLDEN / f"{name}.csv")
    known = reference_of(name)["data"]["covariates"]
    covariates = frame[[one["name"] for one in known]].copy()
    for one in known:
        if one["kind"] != "numeric":
            ordered = one["kind"] == "ordered"
            covariates[one["name"]] = pd.Categorical(covariates[one["name"]], one["levels"], ordered=ordered)
    return PairedComparisons.from_frame(frame), covariates


@cache
def grown(name: str) -> BradleyTerryTree:
    pairs, covariates = data(name)
    of_r = reference_of(name)
    return podium.bradley_terry_tree(
        pairs, covariates, min_size=of_r["control"]["minsize"], baseline=of_r["reference_object"], unit="replication"
    )


both = pytest.mark.parametrize("name", ["synthetic", "ds_toy"])


@both
def test_splits_sizes_and_rows(name: str) -> None:
    tree, of_r = grown(name), reference_of(name)
    assert [node.n for node in tree.nodes] == [node["n"] for node in of_r["nodes"]]
    assert tree.loglik == pytest.approx(of_r["loglik_tree"], abs=1e-7)
    for ours, theirs in zip(tree.nodes, of_r["nodes"], strict=True):
        if theirs["terminal"]:
            assert ours.split is None
            continue
        split = theirs["split"]
        assert ours.split is not None and ours.split.variable == split["variable"]
        if split.get("breaks") is not None:
            assert ours.split.threshold == pytest.approx(np.atleast_1d(split["breaks"])[0])
        else:
            assert set(ours.split.left) == set(split["left_levels"])
    assert tree.node_of(data(name)[1]).tolist() == of_r["node_of_row"]


@both
def test_estimates(name: str) -> None:
    for ours, theirs in zip(grown(name).nodes, reference_of(name)["nodes"], strict=True):
        assert ours.neg_loglik == pytest.approx(theirs["neg_loglik"], abs=1e-7)
        assert ours.worth.to_dict() == pytest.approx(theirs["worth"], abs=1e-8)
        separated = min(theirs["worth"].values()) < 1e-6  # coefficients are infinite there (spec, section 8)
        if not separated:
            assert ours.coefficients.to_dict() == pytest.approx(theirs["coefficients"], abs=1e-8)
            assert ours.se.to_dict() == pytest.approx(theirs["std_errors"], abs=1e-6)
            assert ours.nu == pytest.approx(theirs["tie_parameter_nu"], abs=1e-8)


@both
def test_statistics_and_p_values(name: str) -> None:
    """Statistics to 1e-9; supLM p-values to the tolerances of the spec, section 5."""
    numeric = {one["name"] for one in reference_of(name)["data"]["covariates"] if one["kind"] == "numeric"}
    for ours, theirs in zip(grown(name).nodes, reference_of(name)["nodes"], strict=True):
        for test in theirs["tests"] or []:
            found = ours.tests.loc[test["variable"]]
            if test["p_raw"] is None:
                assert np.isnan(found["pvalue"])
                continue
            if np.isnan(found["statistic"]):
                continue  # R also tests nodes that are too small to be split
            assert found["statistic"] == pytest.approx(test["statistic"], rel=1e-9)
            p, of_r = found["pvalue"], test["p_raw"]
            if test["variable"] not in numeric:
                assert p == pytest.approx(of_r, rel=1e-9)
                assert found["adjusted"] == pytest.approx(test["p_bonferroni"], rel=1e-8)
            elif of_r > 0.03:
                assert p == pytest.approx(of_r, rel=0.05)
            elif of_r > 0.005:
                assert p == pytest.approx(of_r, rel=0.15)
            else:
                assert np.log(p) == pytest.approx(np.log(of_r), rel=0.15)


def test_every_node_that_r_tests_is_tested() -> None:
    tested = [node.node for node in grown("synthetic").nodes if node.tests["pvalue"].notna().any()]
    assert tested == [1, 2, 3, 4, 5, 6, 7]


def test_p_values_of_the_supremum() -> None:
    """693 values: ours on a grid of 1000 points (spec), and Hansen's response surface for p > 0.03."""
    table = pd.read_csv(GOLDEN / "suplm_pvalues_compared.csv").iloc[::7]
    for row in table.itertuples():
        found = np.exp(log_sup_lm_sf(row.x, int(row.k), row.trim, 1 - row.trim, 1000))
        assert found == pytest.approx(row.p_grid1000, rel=3e-3)
        if row.p_hansen > 0.03:
            assert found == pytest.approx(row.p_hansen, rel=0.065)
    # Andrews (1993): the 5% point for one parameter and 15% trimming is 8.85, in continuous time.
    assert np.exp(log_sup_lm_sf(8.85, 1, 0.15, 0.85, 10**12)) == pytest.approx(0.0503, abs=2e-4)


def test_separated_nodes_are_not_split_on_noise() -> None:
    """R splits node 2 five times because lda never wins there (ds_toy_separation_quirk.json)."""
    pairs, covariates = data("ds_toy")
    tree = podium.bradley_terry_tree(pairs, covariates, min_size=20, baseline="svm", unit="replication")
    statistics = np.concatenate([node.tests["statistic"].to_numpy() for node in tree.nodes])
    assert np.nanmax(statistics) < 1e4
    assert tree[2].n == 100 and tree[2].split is None


def test_root_scores() -> None:
    of_r = json.loads((GOLDEN / "intermediate.json").read_text())["synthetic"]
    scores = pd.read_csv(GOLDEN / "synthetic_root_scores.csv").to_numpy()[:, -4:]
    J = np.array(of_r["opg"])
    assert np.allclose(scores.T @ scores / len(scores), J, atol=1e-9)
    U = decorrelated_scores(scores, 1.0)
    assert np.allclose(U.T @ U, np.eye(4), atol=1e-10)
