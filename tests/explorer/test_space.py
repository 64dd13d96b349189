"""The space behind a page: samples and models are those of the run, and what cannot be shown is reported."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from explorer_sources import HOSTILE, hostile_results, run_here
from sklearn.base import BaseEstimator, ClassifierMixin

import podium
from podium.errors import InputError, MissingExtraError
from podium.show.explorer import Space
from podium.show.explorer.data import principal_components
from podium.show.explorer.numbers import domain_numbers
from podium.show.explorer.source import open_source

WIDE = pd.DataFrame({"dataset": ["iris", "wine"], "svm": [0.97, 0.98], "knn": [0.96, 0.71]})


@pytest.fixture(scope="module")
def small() -> podium.Experiment:
    return podium.Experiment(
        ["iris"], ["lda", "constant"], podium.Bootstrap(replications=3), ["misclassification", "fit time"], seed=2
    )


@pytest.fixture(scope="module")
def stored(small: podium.Experiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "small.db"
    podium.run(small, warehouse=path, workers=1, progress="quiet")
    return path


def reasons(explorer: podium.show.explorer.Explorer) -> set[tuple[str, str]]:
    return {(one.part, one.reason) for one in explorer.absences}


def test_samples_and_models_are_those_of_the_run(stored: Path, small: podium.Experiment) -> None:
    explorer = podium.explorer(stored, experiment=small)
    assert explorer.absences == ()
    found = explorer.space.frequencies("iris")
    assert found is not None
    expected = [np.bincount(small.sample("iris", b).learn, minlength=150) for b in (1, 2, 3)]
    assert found.tolist() == np.array(expected).tolist()
    models = explorer.space.models("iris", 2)
    assert [one.algorithm for one in models] == ["lda", "constant"]
    values = podium.Warehouse(stored, readonly=True).results().select(replication=2, measure="misclassification").values
    assert [one.values["misclassification"] for one in models] == values.ravel().tolist()
    assert all(one.differences == () for one in models)


def test_extreme_replications_are_those_of_the_smallest_and_largest_values(
    stored: Path, small: podium.Experiment
) -> None:
    explorer = podium.explorer(stored, experiment=small)
    values = explorer.space.results.values[0].reshape(3, -1)
    expected = {int(at) + 1 for column in values.T for at in (column.argmin(), column.argmax())}
    assert set(explorer.space.extreme("iris")) == expected
    assert explorer.space.requested("iris", [3]) == (3,)
    assert explorer.space.requested("iris", "none") == ()
    with pytest.raises(InputError, match="`models` names the replications 7, which the results do not have"):
        explorer.space.requested("iris", [7])


def test_other_numbers_and_other_data_are_not_shown(small: podium.Experiment) -> None:
    results = run_here(small)
    frame = results.to_long()
    wrong = (frame["measure"] == "misclassification") & (frame["algorithm"] == "lda") & (frame["replication"] == 1)
    frame.loc[wrong, "value"] += 0.125
    explorer = podium.explorer(podium.read(frame), experiment=small, models="all")
    (one,) = explorer.absences
    assert (one.part, one.reason, one.replication, one.algorithm) == ("models", "other numbers", 1, "lda")
    assert [model.algorithm for model in explorer.space.models("iris", 1)] == ["constant"]
    other = small.replace(
        datasets=podium.Dataset(
            podium.Dataset.named("iris").X.assign(y=podium.Dataset.named("iris").y)[:120], target="y", name="iris"
        )
    )
    source = open_source(results, other)
    changed = Space(
        type(source)(**{**source.__dict__, "fingerprints": {"iris": podium.Dataset.named("iris").fingerprint}})
    )
    assert changed.data("iris") is None
    assert [absence.reason for absence in changed.absences] == ["other data"]


def test_without_the_experiment_only_scores_are_shown(stored: Path) -> None:
    for source in (stored, podium.examples.load_pima()):
        explorer = podium.explorer(source)
        assert reasons(explorer) == {(part, "no experiment") for part in ("data", "samples", "models")}
        assert explorer.payload["datasets"][0]["data"] is None


def test_a_design_file_is_the_experiment(
    stored: Path, small: podium.Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.db").write_bytes(stored.read_bytes())
    (tmp_path / "own.py").write_text("from sklearn.dummy import DummyClassifier as Own\n")
    design = small.to_dict()
    design["algorithms"][1] = {"class": "own.Own", "name": "constant"}
    (tmp_path / "small.yaml").write_text(json.dumps(design))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    explorer = podium.explorer("small.yaml")
    assert [one.algorithm for one in explorer.space.models("iris", 1)] == ["lda", "constant"]


class Greedy(ClassifierMixin, BaseEstimator):
    """Takes time or memory."""

    def __init__(self, seconds: float = 0.0, values: int = 0) -> None:
        self.seconds, self.values = seconds, values

    def fit(self, X: Any, y: Any) -> Greedy:
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        np.ones(self.values)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_a_fit_has_the_limits_of_a_run(small: podium.Experiment) -> None:
    def variant(seconds: float, values: int) -> podium.Experiment:
        slow, large = Greedy(seconds=seconds), Greedy(values=values)
        return small.replace(algorithms=["lda", podium.Algorithm("slow", slow), podium.Algorithm("large", large)])

    results, limits = run_here(variant(0.0, 0)), {"seconds_per_fit": 2.0, "memory_per_fit": 500 * 10**6}
    explorer = podium.explorer(results, experiment=variant(600.0, 10**9), models=[1], **limits)
    ((at, models),) = explorer.payload["datasets"][0]["models"].items()
    assert (at, [results.algorithms[one["algorithm"]] for one in models]) == ("0", ["lda"])
    failed = {one.algorithm: one for one in explorer.absences}
    assert {one.reason for one in failed.values()} == {"fit failed"}
    assert failed["slow"].detail == "ended after 2 s"
    assert "Unable to allocate" in failed["large"].detail


def test_show_opens_a_page_that_goes_with_the_process(
    tmp_path: Path, run_python: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    script = tmp_path / "browser"
    script.write_text(f"#!/bin/sh\necho $1 > {tmp_path}/opened; cp ${{1#file://}} {tmp_path}/page.html\n")
    script.chmod(0o755)
    program = f"""
import time
from pathlib import Path
import podium

path = podium.explorer(podium.examples.load_pima()).show()
while not Path({str(tmp_path / "page.html")!r}).exists():
    time.sleep(0.02)
print(path)
"""
    done = run_python(program, seconds=120, BROWSER=f"{script} %s &", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    page = Path(done.stdout.strip())
    assert (tmp_path / "opened").read_text().strip() == page.as_uri()
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert not page.parent.exists()


def test_the_verb_writes_a_file(
    stored: Path, small: podium.Experiment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from podium.cli import main

    design, target = small.to_file(tmp_path / "small.yaml"), tmp_path / "explorer.html"
    words = ["explorer", str(stored), "--experiment", str(design), "--models", "none", "--out", str(target)]
    assert main(words) == 0
    assert capsys.readouterr().out == f"{target}  {target.stat().st_size / 1e6:.1f} MB\n"
    assert main(["explorer", str(stored), "--out", str(target)]) == 0
    assert "not shown: data, samples, models: " in capsys.readouterr().out


def test_a_page_holds_the_names_as_data_only() -> None:
    page = podium.explorer(hostile_results(), title=HOSTILE).html()
    assert HOSTILE not in page
    assert page.count("<script") == 4
    assert "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-" in page
    assert "unsafe-eval" not in re.search(r'content="([^"]*)"', page).group(1)  # type: ignore[union-attr]


def test_numbers_of_a_page_are_those_of_the_figures() -> None:
    results = podium.examples.load_pima()
    measure = podium.explorer(results).payload["datasets"][0]["measures"][0]
    figure = podium.plot.figures.podium(results, most_lines=1000)
    places = np.frombuffer(__import__("base64").b64decode(measure["places"]["bytes"]), np.uint8).reshape(
        measure["places"]["shape"]
    )
    order = np.array([results.algorithms.index(name) for name in figure.algorithms])
    assert places[0].tolist() == order[figure.line_algorithm].tolist()
    box = podium.plot.figures.box(results, order=results.algorithms)
    assert measure["box"]["quartiles"] == box.quartiles.tolist()
    assert measure["counts"] == figure.counts[:, np.argsort(order)].tolist()


def test_a_replication_that_an_algorithm_lacks_has_no_places() -> None:
    frame = podium.examples.load_pima().to_long()
    frame.loc[(frame["replication"] == 4) & (frame["algorithm"] == "rf"), "value"] = np.nan
    results = podium.read(frame)
    assert results.algorithms == ("lda", "rf", "svm1", "svm2")
    measure = podium.explorer(results).payload["datasets"][0]["measures"][0]
    places = np.frombuffer(__import__("base64").b64decode(measure["places"]["bytes"]), np.uint8).reshape(
        measure["places"]["shape"]
    )
    assert (places[:, 3] > 3).all()
    assert measure["n"] == len(results.replications) - 1
    counted = [[int((places[0, :, place] == k).sum()) for k in range(4)] for place in range(4)]
    assert counted == measure["counts"]


def test_principal_components_are_those_of_scikit_learn() -> None:
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    table = podium.Dataset.named("iris").X.to_numpy(float)
    scores, shares = principal_components(table)
    other = PCA(2).fit(StandardScaler().fit_transform(table))
    expected = other.transform(StandardScaler().fit_transform(table))
    assert np.abs(scores) == pytest.approx(np.abs(expected), abs=1e-9)
    assert shares == pytest.approx(other.explained_variance_ratio_, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: podium.explorer(podium.Experiment("iris", "lda", "bootstrap", "accuracy")),
            "`source` must have numbers; an Experiment has none.",
        ),
        (
            lambda: podium.explorer("runs.db", direction="lower"),
            "`direction` says how a table is read; 'runs.db' belongs to a run, which records this itself. Leave it out.",
        ),
    ],
)
def test_wrong_arguments(call: Any, text: str) -> None:
    with pytest.raises(InputError, match=re.escape(text)):
        call()


def test_a_plain_table_is_read_with_the_options_of_read() -> None:
    view = podium.explorer(WIDE, measure="score", direction="lower")
    assert view.space.results == podium.read(WIDE, measure="score", direction="lower")


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from podium.show.explorer import page

    monkeypatch.setitem(sys.modules, "bokeh", None)
    page.bokeh_scripts.cache_clear()
    try:
        with pytest.raises(
            MissingExtraError, match=re.escape("The explorer needs bokeh; run: pip install 'podium[explorer]'")
        ):
            podium.explorer(podium.examples.load_pima())
    finally:
        page.bokeh_scripts.cache_clear()


def test_a_page_has_no_more_data_and_samples_than_it_can_carry(
    small: podium.Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    from podium.show.explorer import space

    both = small.replace(datasets=["iris", "zoo"])
    results = run_here(both)
    monkeypatch.setattr(space, "MAX_FREQUENCIES", 3 * 150)
    explorer = podium.explorer(results, experiment=both, models="none")
    assert [(one.part, one.reason, one.dataset) for one in explorer.absences] == [("samples", "too large", "zoo")]
    assert explorer.payload["datasets"][1]["data"] is not None
    monkeypatch.setattr(space, "MAX_VALUES", 150 * 4)
    explorer = podium.explorer(results, experiment=both, models="none")
    assert [(one.part, one.reason, one.dataset) for one in explorer.absences] == [("data", "too large", "zoo")]


def test_many_fits_are_made_only_on_request(small: podium.Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    from podium.show.explorer import space

    results = run_here(small)
    monkeypatch.setattr(space, "MAX_FITS", 1)
    explorer = podium.explorer(results, experiment=small)
    (one,) = explorer.absences
    assert (one.part, one.reason) == ("models", "many fits")
    assert podium.explorer(results, experiment=small, models="extreme").absences == ()


def test_orders_without_a_test_are_marked() -> None:
    one_value_each = domain_numbers(podium.examples.load_demsar2006(), "AUC")
    assert one_value_each is not None and not one_value_each["tested"]
    several = hostile_results()
    tested = domain_numbers(several, several.measure_names[0])
    assert tested is not None and tested["tested"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_values_of_any_size_have_a_density(size: float) -> None:
    frame = pd.DataFrame({"a": [-1.0, 1.5, 1.0], "b": [0.5, 0.25, -0.5], "c": [0.1, 0.2, 0.4]}) * size
    results = podium.read(frame.rename_axis("replication").reset_index(), measure="error", direction="lower")
    density = podium.explorer(results).payload["datasets"][0]["measures"][0]["density"]
    grid, heights = (np.frombuffer(base64.b64decode(density[key]["bytes"])) for key in ("grid", "heights"))
    heights = heights.reshape(3, -1)
    assert np.trapezoid(heights, grid, axis=1) == pytest.approx(np.ones(3), abs=0.02)
