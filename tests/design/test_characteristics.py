"""Characteristics of data sets: stored values of the StatLog set, laws, reductions, user-defined ones, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.design.characteristics.data_view import DataView
from podium.design.characteristics.inputs import kurtosis, multiple_correlations, skewness
from podium.errors import InputError, LabelError

REFERENCE = Path(__file__).parents[1] / "reference"
GOLDEN = REFERENCE / "golden" / "characterization"
SCHEMA = json.loads((GOLDEN / "schema.json").read_text(encoding="utf-8"))
VALUES = json.loads((GOLDEN / "statlog.json").read_text(encoding="utf-8"))["data_sets"]
TOLERANCE = 1e-11  # of values from R 4.2.2, stored with 15 digits


def stored(name: str) -> tuple[pd.DataFrame, str]:
    """A data set of the reference with the kinds and levels of its schema."""
    schema = SCHEMA[name]
    path = REFERENCE / "data" / "uci" / f"{name}.csv"
    frame = pd.read_csv(path if path.exists() else REFERENCE / "golden" / "bttree" / f"{name}.csv", dtype=str)
    columns = {}
    for column in schema["columns"]:
        if column["role"] not in ("input", "response"):
            continue
        text = frame[column["name"]]
        if column["kind"] == "numeric":
            columns[column["name"]] = text.astype(float)
        else:
            levels = pd.CategoricalDtype(column["levels"], ordered=column["kind"] == "ordered")
            columns[column["name"]] = text.astype(levels)
    return pd.DataFrame(columns), schema["response"]


@pytest.mark.parametrize("name", VALUES)
def test_the_sixteen_of_table_5_1(name: str) -> None:
    frame, target = stored(name)
    found = podium.characterize(frame, target=target)
    expected = {key: np.nan if v is None else v for key, v in VALUES[name]["corrected_bits"].items()}
    assert list(found.index) == list(VALUES[name]["r_package_as_is"])
    assert found.to_dict() == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE, nan_ok=True)


@pytest.mark.parametrize("name", VALUES)
def test_the_vectors_before_the_reduction(name: str) -> None:
    frame, target = stored(name)
    view = DataView(X=frame.drop(columns=target), y=frame[target], task="classification")
    expected = VALUES[name]["per_variable"]
    assert view.entropies == pytest.approx(expected["entropy_bits"], rel=TOLERANCE)
    assert view.mutual_information == pytest.approx(expected["mutual_information_bits"], rel=TOLERANCE)
    if view.numeric.shape[1]:
        assert skewness(view.numeric) == pytest.approx(expected["skewness"], rel=TOLERANCE, abs=TOLERANCE)
        assert kurtosis(view.numeric) == pytest.approx(expected["kurtosis"], rel=TOLERANCE, abs=TOLERANCE)
        assert multiple_correlations(view) == pytest.approx(expected["mac"], rel=TOLERANCE, abs=TOLERANCE)
        assert view.canonical_correlations == pytest.approx(expected["canonical_correlations"], abs=TOLERANCE)


def mixed_frame(n: int = 60, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pd.DataFrame({"a": rng.normal(size=n) + y, "b": rng.exponential(size=n), "c": rng.normal(size=n)})
    frame["f"] = pd.Categorical(np.array(list("uvw"))[(y + (rng.random(n) < 0.3)) % 3])
    frame["g"] = np.where(rng.random(n) < 0.5, "left", "right")
    frame["y"] = pd.Categorical(np.array(["one", "two", "three"])[y])
    return frame


def test_what_must_not_matter() -> None:
    """Order of rows and columns, names of levels and classes, location and positive scale of numbers."""
    frame = mixed_frame()
    base = podium.characterize(frame, target="y")
    changed = frame.sample(frac=1, random_state=1)[["y", "g", "c", "f", "b", "a"]]
    changed["f"] = changed["f"].cat.rename_categories({"u": "z"})
    changed["y"] = changed["y"].cat.rename_categories({"one": "zzz"})
    changed["a"] = 1e3 * changed["a"] - 5
    changed["b"] = 1e-150 * changed["b"]
    assert podium.characterize(changed, target="y").to_dict() == pytest.approx(base.to_dict(), rel=1e-9)
    assert base.notna().all()


def test_frame_data_set_and_sample_agree() -> None:
    frame = mixed_frame()
    data = podium.Dataset(frame, target="y", name="mixed")
    base = podium.characterize(frame, target="y")
    assert podium.characterize(data).to_dict() == base.to_dict()
    assert podium.characterize(data.take(np.arange(60))).to_dict() == base.to_dict()
    table = podium.characterize([data, podium.Dataset.named("iris")])
    assert table.index.tolist() == ["mixed", "iris"] and table.loc["mixed"].to_dict() == base.to_dict()


def test_mutual_information_of_copies_and_of_independence() -> None:
    """I(y; y) = H(y); of independent variables 0, so that the two ratios are undefined."""
    y = pd.Series(list("aabb") * 4)
    copy = podium.characterize(pd.DataFrame({"f": y, "y": y}), target="y")
    assert copy[["i2r.mi", "i2r.envar", "i2r.nsratio"]].tolist() == [1.0, 1.0, 0.0]
    alone = podium.characterize(pd.DataFrame({"f": list("uv") * 8, "y": y}), target="y")
    assert alone["i2r.mi"] == 0 and np.isnan(alone["i2r.envar"])
    assert alone.attrs["reasons"]["i2r.envar"] == "The nominal inputs carry no information about the classes."


def test_constant_dependent_and_separating_inputs() -> None:
    frame = mixed_frame()
    base = podium.characterize(frame, target="y")
    constant = podium.characterize(frame.assign(d=3.0), target="y")  # no skewness, no information about the others
    same = ["cvar.skew", "cvar.kurt", "cvar.mac", "i2r.fcc", "i2r.frac1"]
    assert constant[same].tolist() == pytest.approx(base[same].tolist()) and constant["cvar.n"] == 4
    doubled = frame.assign(d=frame["a"] + frame["b"])
    assert podium.characterize(doubled, target="y")["i2r.fcc"] == pytest.approx(base["i2r.fcc"])
    view = DataView(X=doubled[["a", "b", "c", "d"]])
    assert multiple_correlations(view)[[0, 1, 3]].tolist() == [1, 1, 1] and multiple_correlations(view)[2] < 0.9
    clear = podium.characterize(frame.assign(a=frame["y"].cat.codes.astype(float)), target="y")
    assert clear["i2r.fcc"] == pytest.approx(1) and clear["i2r.frac1"] == pytest.approx(1)
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(5, 8)))
    assert podium.characterize(wide, characteristics="cvar.mac")["cvar.mac"] == pytest.approx(1)


def test_missing_values_are_left_out() -> None:
    frame = mixed_frame()
    holes = frame.copy()
    holes.loc[[3, 7], "a"] = np.nan
    holes.loc[5, "f"] = np.nan
    found, rest = podium.characterize(holes, target="y"), podium.characterize(frame.drop([3, 7]), target="y")
    assert found["obs.n"] == 60 and found["i2r.fcc"] == pytest.approx(rest["i2r.fcc"])
    extended = podium.characterize(holes, target="y", characteristics=["missing.share", "missing.obs"])
    assert extended.tolist() == pytest.approx([3 / 300, 3 / 60])


def test_declared_levels_count() -> None:
    f = pd.Categorical(["u"] * 8, categories=["u", "v"])
    y = pd.Categorical(list("ab") * 4, categories=["a", "b", "c"])
    found = podium.characterize(pd.DataFrame({"f": f, "y": y}), target="y")
    assert found[["nvar.bin", "resp.cl", "nvar.entropy"]].tolist() == [1, 3, 0]


def test_the_extended_set_for_classes_and_for_a_quantity() -> None:
    frame = mixed_frame()
    classes = podium.characterize(frame, target="y", characteristics="extended")
    counts = frame["y"].value_counts()
    assert classes["resp.imbalance"] == pytest.approx(counts.max() / counts.min())
    assert classes["land.baseline"] == pytest.approx(1 - counts.max() / 60, abs=0.05)  # folds differ a little
    assert 0 <= classes["land.linear"] < classes["land.baseline"]
    rng = np.random.default_rng(0)
    quantity = frame.drop(columns="y").assign(y=2 * frame["a"] - frame["b"] + rng.normal(scale=1e-6, size=60))
    found = podium.characterize(quantity, target="y", characteristics="extended")
    assert found["i2r.r2"] == pytest.approx(1) and found["land.linear"] < 1e-6
    assert np.isnan(found["resp.cl"]) and found.attrs["reasons"]["resp.cl"] == "The response has no classes."
    assert found["resp.skew"] == pytest.approx(float(skewness(quantity[["y"]].to_numpy())[0]))
    again = podium.characterize(quantity, target="y", characteristics="landmarks")
    assert again.dropna().to_dict() == found[again.dropna().index].to_dict()


def test_reductions() -> None:
    frame = mixed_frame()
    view = DataView(X=frame[["a", "b", "c"]])
    g = skewness(view.numeric)
    found = podium.characterize(frame, characteristics=["obs.n", "cvar.skew"], reduce="quantiles")
    assert list(found.index) == ["obs.n", *(f"cvar.skew.q{level}" for level in (0, 25, 50, 75, 100))]
    assert found["cvar.skew.q50"] == pytest.approx(np.median(g))
    bins = podium.characterize(frame, characteristics="cvar.skew", reduce=podium.design.histogram([-1, 1, 3]))
    assert bins.tolist() == [np.mean(g < 1), np.mean(g >= 1)]
    none = podium.characterize(frame[["f"]], characteristics="cvar.skew", reduce="quantiles")
    assert list(none.index) == list(found.index[1:]) and none.isna().all()
    two = podium.characterize(frame, characteristics="cvar.skew", reduce=lambda v: [v.min(), v.max()])
    assert two.to_dict() == {"cvar.skew.1": g.min(), "cvar.skew.2": g.max()}


def test_own_characteristics_and_their_failures() -> None:
    def broken(data: DataView) -> float:
        raise RuntimeError("no")

    own: dict[str, Any] = {"zeros": (lambda data: (data.numeric > 0).mean(axis=0), "max"), "broken": (broken, "mean")}
    found = podium.characterize(mixed_frame(), target="y", characteristics=["obs.n", own])
    assert list(found.index) == ["obs.n", "zeros", "broken"] and found["zeros"] == 1
    assert found.attrs["reasons"] == {"broken": "RuntimeError: no"}


def test_learning_samples_of_an_experiment() -> None:
    data = podium.Dataset(mixed_frame(), target="y", name="mixed")
    experiment = podium.Experiment(
        datasets=[data, podium.Dataset.named("iris")],
        algorithms=["lda"],
        resampling=podium.Subsampling(replications=3),
        measures=["misclassification"],
    )
    table = podium.characterize(experiment)
    assert table.index.names == ["dataset", "replication"] and table.index[4] == ("iris", 2)
    learn, _ = experiment.samples("mixed", 2)
    assert table.loc[("mixed", 2)].to_dict() == podium.characterize(learn).to_dict()
    assert (table.loc["mixed", "obs.n"] == len(learn)).all() and (table.loc["mixed", "cvar.skew"].nunique() == 3)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"target": "z"}, LabelError, "`data` has no column 'z', named by `target`."),
        ({"characteristics": {"x": (1, "mean")}}, InputError, "`map` of 'x' must be a function of the data; got 1"),
        ({"characteristics": ["obs.n", {"obs.n": (len, "mean")}]}, LabelError, "'obs.n' occurs twice"),
        ({"reduce": "men"}, InputError, "`reduce` must be one of"),
    ],
)
def test_bad_input(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        podium.characterize(mixed_frame(), **arguments)
