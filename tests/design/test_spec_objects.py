"""A design from someone else cannot make podium call arbitrary code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import podium
from podium.design.algorithm import as_algorithm
from podium.design.spec.objects import build
from podium.errors import InputError


@pytest.mark.parametrize("path", ["subprocess.Popen", "os.system", "pathlib.Path", "builtins.open"])
def test_only_estimators_splitters_and_their_parts_are_made(path: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    with pytest.raises(InputError) as caught:
        build({"class": path, "parameters": {"args": ["touch", str(trace)]}})
    assert str(caught.value) == (
        f"`class` {path!r} must be the class of an estimator, a splitter or a part of one, with one of the "
        "methods 'fit', 'split', 'get_params'."
    )
    assert not trace.exists()


def test_nested_objects_are_checked_too(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    inner = {"class": "subprocess.Popen", "parameters": {"args": ["touch", str(trace)]}}
    with pytest.raises(InputError):
        build({"class": "sklearn.ensemble.BaggingClassifier", "parameters": {"estimator": inner}})
    assert not trace.exists()


def test_kernels_and_splitters_are_made() -> None:
    kernel = {"class": "sklearn.gaussian_process.kernels.RBF", "parameters": {"length_scale": 2.0}}
    model = build({"class": "sklearn.gaussian_process.GaussianProcessClassifier", "parameters": {"kernel": kernel}})
    assert model.kernel.length_scale == 2.0
    assert build({"class": "sklearn.model_selection.KFold", "parameters": {"n_splits": 3}}).n_splits == 3


@pytest.mark.usefixtures("in_this_process")
def test_selectors_of_columns_have_a_file_form() -> None:
    number, word = make_column_selector(dtype_include=np.number), make_column_selector("^b", dtype_exclude="number")
    columns = ColumnTransformer([("number", StandardScaler(), number), ("word", OneHotEncoder(), word)])
    made = podium.Algorithm("Pipeline", Pipeline([("columns", columns), ("fit", LogisticRegression())]))
    assert made.spec is not None
    selectors = [entry[2] for entry in made.spec["parameters"]["steps"][0][1]["parameters"]["transformers"]]
    assert selectors == [
        {"class": "sklearn.compose.make_column_selector", "parameters": {"dtype_include": "number"}},
        {"class": "sklearn.compose.make_column_selector", "parameters": {"pattern": "^b", "dtype_exclude": "number"}},
    ]
    again = as_algorithm(made.spec)
    assert again.spec == made.spec
    data = podium.Dataset(pd.DataFrame({"a": range(40), "b": ["x", "y"] * 20, "y": ["no", "yes"] * 20}), target="y")
    experiment = podium.Experiment(data, again, {"subsampling": {"replications": 1}}, "accuracy")
    assert podium.run(experiment, executor="threads", workers=1).values.item() == 1.0
    assert " at 0x" not in experiment.describe().methods
