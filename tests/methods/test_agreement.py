"""Decisions follow from p-values, levels and intervals, and all forms of a comparison show the same ones."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import podium
from podium.analysis.compare import procedures
from podium.errors import InputError, MissingCellsError
from podium.inference import Comparison
from podium.results import Results


def results(values: np.ndarray, direction: str = "lower", **columns: Any) -> Results:
    """Make results of blocks × algorithms (data sets) or data sets × replications × algorithms."""
    names = [f"x{i}" for i in range(values.shape[-1])]
    axes = {"dataset": [f"d{i}" for i in range(len(values))]}
    axes |= {"replication": None} if values.ndim == 3 else {}
    return podium.read(values, labels={**axes, "algorithm": names}, measure="score", direction=direction)


def five_by_two(seed: int, between: float) -> Results:
    rng = np.random.default_rng(seed)
    rows = []
    for repeat in range(5):
        common = rng.normal(0, between, 3)
        for fold in range(2):
            values = common + rng.normal([0, 0.3, 1.5], 0.2)
            rows += [
                {"repeat": repeat, "fold": fold, "replication": 2 * repeat + fold, "algorithm": f"x{i}", "score": value}
                for i, value in enumerate(values)
            ]
    return podium.read(rows, measure="score", direction="lower")


def shapes() -> dict[str, Results]:
    """Return data of many shapes."""
    rng = np.random.default_rng(15)
    spaced = np.array([0, 0.3, 0.6, 1.2])
    found = {
        "two": results(rng.normal([0, 0.5], 1, (9, 2))),
        "few": results(rng.normal(spaced, 0.4, (6, 4))),
        "some": results(rng.normal(spaced, 0.5, (10, 4)), "higher"),
        "seven": results(rng.normal(np.linspace(0, 1, 7), 0.5, (20, 7))),
        "equal": results(np.repeat(rng.normal(size=(8, 1)), 3, axis=1)),
        "constant": results(rng.normal(size=(8, 1)) + np.array([0, 0.5, 0.5])),
        "mostly ties": results(np.where(rng.random((24, 3)) < 0.7, 0.0, -rng.random((24, 3)) * [2, 1, 0])),
        "skewed": results(rng.exponential(1, (15, 4)) * [1, 1.5, 2, 4], "higher"),
        "huge block": results(np.vstack([rng.normal(spaced, 0.5, (9, 4)), 1e9 + spaced])),
        "replicated": results(rng.normal(size=(7, 5, 3)) + rng.normal(size=(7, 1, 1)) + [0, 0.5, 1]),
        "one data set": results(rng.normal([0, 0.4, 0.8], 0.5, (1, 12, 3))),
        "5x2": five_by_two(0, 0.1),
        "5x2 that varies": five_by_two(1, 5.0),
    }
    twins = rng.normal(spaced, 0.5, (9, 4))
    twins[:, 1], twins[:, 3] = twins[:, 0], 0.5
    found |= {
        "twins and a constant": results(twins),
        "two replicated": results(rng.normal([0, 0.6], 0.5, (6, 3, 2)), "higher"),
        "small numbers": results(1e-150 * rng.normal(spaced, 0.5, (7, 3, 4)), "higher"),
    }
    gaps = rng.normal([0, 0.5, 1.5], 1, (8, 4, 3))
    gaps[2], gaps[3, 1, 0], gaps[5, :, 1] = np.nan, np.nan, np.nan
    found["gaps"] = results(gaps)
    holes = rng.normal(spaced, 0.4, (9, 4))
    holes[1, 0] = holes[4, 2] = holes[4, 3] = np.nan
    found["holes"] = results(holes, "higher")
    return found


SHAPES = shapes()
OPTIONS: list[dict[str, Any]] = [
    {},
    {"alpha": 0.01},
    {"equivalence": 0.5},
    {"adjust": "none"},
    {"adjust": "bonferroni"},
    {"adjust": "shaffer"},
    {"adjust": "bh"},
    {"control": "x1"},
    {"control": "x0", "alternative": "worse", "alpha": 0.1},
    {"omnibus": True},
    {"missing": "drop-block"},
    {"missing": "available", "equivalence": 1.0},
    {"missing": "worst-rank"},
    {"unit": "dataset"},
    {"missing": "worst-value"},
    {"missing": "drop-algorithm"},
    {"adjust": "step-down"},
    {"adjust": "step-down", "control": "x0", "alternative": "better"},
    {"equivalence": (-0.5, 1.5), "control": "x0"},
    {"intervals": False},
]
WITH_THE_OTHERS = ("some", "holes")  # with the options that a method has met on no other shape
TURNS = 17  # of the others, each option is tried in turn on one
OF_ONE_DATASET = ("corrected t", "5x2cv t", "5x2cv F", "k-fold t")  # few shapes are for them
OWN: dict[str, dict[str, Any]] = {
    "corrected t": {"ratio": 0.1},
    "k-fold t": {"fold": np.arange(12)},
    "permutation t": {"permutations": 499},
    "bootstrap t": {"resamples": 499},
}


def comparisons(method: str | None) -> list[Comparison]:
    """Compare data of many shapes with every option that the method takes; every second method has the same shapes."""
    found, met = [], set()
    place = [None, *procedures()].index(method)
    for turn, name in enumerate(sorted(SHAPES, key=WITH_THE_OTHERS.__contains__)):
        data, last = SHAPES[name], name in WITH_THE_OTHERS
        for i, options in enumerate(OPTIONS):
            if i > 0 and (i in met if last else method not in OF_ONE_DATASET and (i + turn) % TURNS):
                continue
            if i == 0 and not last and method not in OF_ONE_DATASET and (turn + place) % 2:
                continue
            if data.missing.any() != ("missing" in options) and (last or "missing" in options):
                continue  # refused, or nothing would change
            try:
                found.append(podium.compare(data, method=method, **options, **OWN.get(method or "", {})))
            except (InputError, MissingCellsError):  # a design or an option that does not fit
                continue
            met.add(i)
    return found


@pytest.mark.parametrize("method", [None, *procedures()])
def test_nothing_contradicts_the_table(method: str | None) -> None:
    found = comparisons(method)
    assert found
    for comparison in found:
        frame = {name: column.to_numpy() for name, column in comparison.frame().items()}
        frame["decision"] = frame["decision"].astype(object)
        check_table(comparison, frame)
        check_other_forms(comparison, frame)


def check_table(found: Comparison, frame: dict[str, np.ndarray]) -> None:
    """Decisions follow from p-values and alpha; the better algorithm is named first; intervals agree or a note says."""
    codes = {note.code for note in found.notes}
    adjusted, estimate, lower, upper = (frame[name] for name in ("adjusted", "estimate", "lower", "upper"))
    better, undecided = frame["decision"] == "better", frame["decision"] == "undecided"
    assert (adjusted[better] <= found.alpha).all()
    if not found.stopped:
        assert not (adjusted[undecided] <= found.alpha).any()
    assert (found.sign * estimate[better] <= 0).all()
    assert (np.nan_to_num(adjusted, nan=1.0) >= np.nan_to_num(frame["pvalue"], nan=0.0) - 1e-12).all()
    ends = np.isfinite(lower) | np.isfinite(upper)
    assert (lower[ends] <= upper[ends]).all()
    slack = 1e-9 * np.maximum(np.abs(estimate), 1e-300)
    if not found.one_sided:
        assert (lower <= estimate + slack)[ends].all()
        assert (estimate - slack <= upper)[ends].all()
    contains = (lower < -slack) & (upper > slack)
    said = codes & {"interval contains 0"}
    assert said or not (contains & better & ends).any(), found.text()
    excluded = (lower > slack) | (upper < -slack)
    assert found.stopped or not (excluded & undecided & ends).any(), found.text()


def check_other_forms(found: Comparison, frame: dict[str, np.ndarray]) -> None:
    """Text, groups, relation and LaTeX table show the decisions of the table."""
    text = found.text()
    assert "nan" not in text.replace("Fernandez", "")
    for winner in set(re.findall(r"(?:^|; |\. )(\w+) is better than", text)) & set(found.algorithms):
        assert winner in set(frame["a"][frame["decision"] == "better"]), text
    pairs = list(zip(frame["a"], frame["b"], strict=True))
    better = {frozenset(pair) for pair, word in zip(pairs, frame["decision"], strict=True) if word == "better"}
    if found.control is None:
        significant = np.flatnonzero(found.significant)
        apart = {frozenset((found.algorithms[found.first[i]], found.algorithms[found.second[i]])) for i in significant}
        assert better <= apart <= set(map(frozenset, pairs))
        for group in found.groups():
            assert not any(pair <= set(group) for pair in apart)
        assert found.relation().as_strict().incidence.sum() >= len(apart)
    for line in found.latex().splitlines():
        cells = line.removesuffix(r" \\").split(" & ")
        if len(cells) < 6 or cells[-1] not in ("better", "undecided", "equivalent"):
            continue  # the head, or a table in several parts
        assert cells[0].startswith(r"\textbf") == (cells[-1] == "better")
        p = re.fullmatch(r"\$(<?)([0-9.e-]+)\$", cells[-2])
        if p and not found.stopped and cells[-1] != "equivalent":
            assert (float(p[2]) <= found.alpha) == (cells[-1] == "better"), line


def test_a_global_test_that_is_given_is_judged_at_the_level_of_the_comparison() -> None:
    data = results(np.random.default_rng(2).normal([0, 0.5, 0.9], 1, (14, 3)))
    test = podium.inference.quade(data, alpha=0.2)
    between = test.pvalue
    assert test.significant and 0.001 < between < 0.2
    found = podium.compare(data, method="nemenyi", omnibus=test, alpha=between / 2)
    assert found.stopped and not found.significant.any()
    assert podium.compare(data, method="nemenyi", omnibus=test, alpha=0.2).omnibus is test


def test_many_ties_give_wins_and_losses() -> None:
    values = np.zeros((24, 2))
    values[:9, 0] = -0.06 * np.arange(1, 10) / 9
    found = podium.compare(results(values), method="wilcoxon")
    assert "x0 is better than x1 (better in 9 data sets, worse in 0, p = 0.004)." in found.text()
    assert [note.facts for note in found.notes if note.code == "interval contains 0"] == [
        {"pairs": (("x0", "x1"),), "even": 0, "ends": True, "adjust": "holm"}
    ]
