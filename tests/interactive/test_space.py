"""The space behind a page: samples and models are those of the run, and what cannot be shown is reported."""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from explorer_sources import HOSTILE, hostile_results, run_here

import podium
from podium.errors import InputError, MissingExtraError
from podium.interactive import Absence, Space
from podium.interactive.data import principal_components
from podium.interactive.numbers import domain_numbers
from podium.interactive.packing import packed
from podium.interactive.source import open_source

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


def reasons(explorer: podium.interactive.Explorer) -> set[tuple[str, str]]:
    return {(one.part, one.reason) for one in explorer.absences}


def test_a_warehouse_is_enough_where_its_design_can_be_read_back(stored: Path, small: podium.Experiment) -> None:
    explorer = podium.explorer(stored)
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


def test_extreme_replications_are_those_of_the_smallest_and_largest_values(stored: Path) -> None:
    explorer = podium.explorer(stored)
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
        datasets=podium.dataset(
            podium.dataset("iris").X.assign(y=podium.dataset("iris").y)[:120], target="y", name="iris"
        )
    )
    source = open_source(results, other)
    changed = Space(type(source)(**{**source.__dict__, "fingerprints": {"iris": podium.dataset("iris").fingerprint}}))
    assert changed.data("iris") is None
    assert [absence.reason for absence in changed.absences] == ["other data"]


def test_scores_alone_say_what_is_missing(tmp_path: Path) -> None:
    explorer = podium.explorer(podium.datasets.load_pima())
    assert reasons(explorer) == {(part, "no design") for part in ("data", "samples", "models")}
    assert explorer.payload["datasets"][0]["data"] is None
    objects = podium.Experiment(
        podium.dataset(podium.datasets.load_cars(), target="dist", name="cars", task="regression"),
        ["lm", "rlm"],
        podium.Bootstrap(replications=2),
        "squared error",
    )
    podium.run(objects, warehouse=tmp_path / "cars.db", workers=1, progress="quiet")
    lacking = podium.explorer(tmp_path / "cars.db")
    assert reasons(lacking) == {(part, "design not loaded") for part in ("data", "samples", "models")}
    assert podium.explorer(tmp_path / "cars.db", experiment=objects).absences == ()


def test_untrusted_code_is_not_run(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stranger.py").write_text("raise SystemExit('the code of a stranger was run')\n")
    (tmp_path / "small.db").write_bytes(stored.read_bytes())
    design = {
        "datasets": ["iris"],
        "algorithms": ["lda", {"class": "stranger.Model", "name": "constant"}],
        "resampling": {"bootstrap": {"replications": 3}},
        "measures": ["misclassification", "fit time"],
        "seed": 2,
    }
    (tmp_path / "small.yaml").write_text(json.dumps(design))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    explorer = podium.explorer("small.yaml")
    assert reasons(explorer) == {("models", "code not imported")}
    assert explorer.space.frequencies("iris") is not None
    assert "stranger" not in sys.modules
    with pytest.raises(SystemExit):
        podium.explorer("small.yaml", experiment="small.yaml")


def test_nothing_is_downloaded(stored: Path) -> None:
    from podium.interactive.source import _recorded

    _, absences = _recorded({"experiment": {"datasets": [{"openml": 61}, "openml:5"]}}, "x.db", None)
    assert {(one.reason, one.detail) for one in absences} == {("download", "'openml:61', 'openml:5'")}


def test_a_page_holds_the_names_as_data_only() -> None:
    page = podium.explorer(hostile_results(), title=HOSTILE).html()
    assert HOSTILE not in page
    assert page.count("<script") == 4
    assert "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-" in page
    assert "unsafe-eval" not in re.search(r'content="([^"]*)"', page).group(1)  # type: ignore[union-attr]


def test_numbers_of_a_page_are_those_of_the_figures() -> None:
    results = podium.datasets.load_pima()
    measure = podium.explorer(results).payload["datasets"][0]["measures"][0]
    figure = podium.figures.podium(results, most_lines=1000)
    places = np.frombuffer(__import__("base64").b64decode(measure["places"]["bytes"]), np.uint8).reshape(
        measure["places"]["shape"]
    )
    order = np.array([results.algorithms.index(name) for name in figure.algorithms])
    assert places[0].tolist() == order[figure.line_algorithm].tolist()
    box = podium.figures.box(results, order=results.algorithms)
    assert measure["box"]["quartiles"] == box.quartiles.tolist()
    assert measure["counts"] == figure.counts[:, np.argsort(order)].tolist()


def test_missing_values_are_placed_last_as_in_the_figure() -> None:
    frame = podium.datasets.load_pima().to_long()
    frame.loc[(frame["replication"] == 4) & (frame["algorithm"] == "rf"), "value"] = np.nan
    results = podium.read(frame)
    assert results.algorithms == ("lda", "rf", "svm1", "svm2")
    measure = podium.explorer(results).payload["datasets"][0]["measures"][0]
    places = np.frombuffer(__import__("base64").b64decode(measure["places"]["bytes"]), np.uint8).reshape(
        measure["places"]["shape"]
    )
    assert places[0, 3, 3] == ["lda", "rf", "svm1", "svm2"].index("rf")
    counted = [[int((places[0, :, place] == k).sum()) for k in range(4)] for place in range(4)]
    assert counted == measure["counts"]


def test_principal_components_are_those_of_scikit_learn() -> None:
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    table = podium.dataset("iris").X.to_numpy(float)
    scores, shares = principal_components(table)
    other = PCA(2).fit(StandardScaler().fit_transform(table))
    expected = other.transform(StandardScaler().fit_transform(table))
    assert np.abs(scores) == pytest.approx(np.abs(expected), abs=1e-9)
    assert shares == pytest.approx(other.explained_variance_ratio_, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: podium.explorer(podium.datasets.load_pima(), models="some"),
            "`models` must be one of 'extreme', 'all', 'none'; got 'some'.",
        ),
        (
            lambda: podium.explorer(podium.datasets.load_pima(), models=3),
            "`models` must be 'extreme', 'all', 'none' or replications; got an int.",
        ),
        (
            lambda: podium.explorer(podium.datasets.load_pima(), experiment=3),
            "`experiment` must be an Experiment or a design file; got an int.",
        ),
        (
            lambda: podium.explorer(podium.datasets.load_pima()).save("page.pdf"),
            "`path` must end in .html; got 'page.pdf'.",
        ),
        (
            lambda: podium.explorer(podium.Experiment("iris", "lda", "bootstrap", "accuracy")),
            "`source` must have numbers; an Experiment has none.",
        ),
        (
            lambda: podium.explorer(podium.datasets.load_pima(), measure="error"),
            "`measure` says how a table is read; a Results has been read. Leave it out.",
        ),
        (
            lambda: podium.explorer("runs.db", direction="lower"),
            "`direction` says how a table is read; 'runs.db' belongs to a run, which records this itself. Leave it out.",
        ),
        (
            lambda: podium.explorer(WIDE, mesure="accuracy"),
            "explorer() has no option 'mesure'. It has 'source', 'experiment', 'models', 'title', 'seed', 'direction', "
            "'maximize', 'measure', 'units', 'scale', 'columns', 'rows', 'dataset', 'sheet', 'levels', 'labels', "
            "'independent'. Did "
            "you mean 'measure'?",
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
    from podium.interactive import page

    monkeypatch.setitem(sys.modules, "bokeh", None)
    page.bokeh_scripts.cache_clear()
    try:
        with pytest.raises(
            MissingExtraError, match=re.escape("The explorer needs bokeh; run: pip install 'podium[explorer]'")
        ):
            podium.explorer(podium.datasets.load_pima())
    finally:
        page.bokeh_scripts.cache_clear()


def test_absences_are_sentences() -> None:
    one = Absence(part="models", reason="other numbers", dataset="cars", replication=3, algorithm="lm", detail="x")
    assert str(one) == "models of cars, replication 3, lm: the refitted model gives other numbers than the run: x"
    assert packed(pd.Series([1.5]).to_numpy(), "f4")["bytes"] == "AADAPw=="


def test_a_page_has_no_more_data_and_samples_than_it_can_carry(
    small: podium.Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    from podium.interactive import space

    both = small.replace(datasets=["iris", "zoo"])
    results = run_here(both)
    monkeypatch.setattr(space, "MOST_FREQUENCIES", 3 * 150)
    explorer = podium.explorer(results, experiment=both, models="none")
    assert [(one.part, one.reason, one.dataset) for one in explorer.absences] == [("samples", "too large", "zoo")]
    assert explorer.payload["datasets"][1]["data"] is not None
    monkeypatch.setattr(space, "MOST_VALUES", 150 * 4)
    explorer = podium.explorer(results, experiment=both, models="none")
    assert [(one.part, one.reason, one.dataset) for one in explorer.absences] == [("data", "too large", "zoo")]


def test_many_fits_are_made_only_on_request(small: podium.Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    from podium.interactive import space

    results = run_here(small)
    monkeypatch.setattr(space, "MOST_FITS", 1)
    explorer = podium.explorer(results, experiment=small)
    (one,) = explorer.absences
    assert (one.part, one.reason) == ("models", "many fits")
    assert podium.explorer(results, experiment=small, models="extreme").absences == ()


def test_orders_without_a_test_are_marked() -> None:
    one_value_each = domain_numbers(podium.datasets.load_demsar2006(), "AUC")
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
