"""A design from somebody else cannot make podium call just anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.errors import InputError
from podium.setup.spec.objects import build


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
