"""The page in a browser: keys, undo, links, files, hostile names, ties, a domain; no requests and no errors."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest
from explorer_sources import HOSTILE, hostile_results, run_here, tied_results

import podium


def test_keys_undo_and_a_link_that_restores_the_view(
    cars_page: Path, cars_results: podium.Results, open_page: Callable[..., Any]
) -> None:
    opened = open_page(cars_page)
    error = cars_results.select(measure="squared error").values[0, :, :, 0]
    names = list(cars_results.algorithms)
    opened.page.get_by_role("button", name="loess").first.press("Enter")
    assert opened.state["alg"] == names.index("loess")
    opened.page.locator("[data-panel=podium-0] .plot").focus()
    opened.page.keyboard.press("End")
    worst = int(error[:, names.index("loess")].argmax())
    assert opened.state["sel"] == [worst]
    opened.page.keyboard.press("ArrowRight")
    assert opened.state["sel"] == [(worst + 1) % 100]
    opened.page.keyboard.press("Control+z")
    assert opened.state["sel"] == [worst]
    opened.page.keyboard.press("Control+y")
    assert opened.state["sel"] == [(worst + 1) % 100]
    opened.page.keyboard.press("Control+z")
    opened.page.locator("#lines").press("Space")
    assert opened.source("podium-0", "baseLines")["b"] == []  # hidden
    assert opened.source("podium-0", "focusDots")["b"] == [worst] * 4  # the dots stay
    opened.js("podium.change({obs: [50], named: [{name: 'a <b>', d: 0, sel: [3, 4, 5]}]})")
    kept, fragment = opened.state, opened.js("podium.toLink()")
    assert opened.faults == []
    open_page(cars_page, fragment=fragment)
    assert opened.state == kept
    assert opened.source("podium-0", "focusDots")["b"] == [worst] * 4
    assert opened.page.locator("#named .name").text_content() == "a <b> (3)"
    opened.page.keyboard.press("Escape")
    assert (opened.state["sel"], opened.state["obs"]) == ([], [])
    assert opened.faults == []


def test_a_damaged_link_is_harmless(tmp_path: Path, open_page: Callable[..., Any]) -> None:
    path = podium.explorer(hostile_results()).save(tmp_path / "domain.html")
    opened = open_page(path, fragment="#nonsense")
    assert [opened.state[name] for name in ("view", "d", "sel", "alg")] == ["domain", 0, [], None]
    follow(opened, {"s": "1-99999999999", "d": "x", "a": 77})
    assert [opened.state[name] for name in ("view", "d", "sel", "alg")] == ["data", 0, [], None]
    tabs = {"domain": "x", "page": "y", "x": "__proto__", "measure": -1, "data": 3, "other": 1, "sample": "errors"}
    follow(opened, {"v": "domain", "tabs": tabs})
    assert [opened.state[name] for name in ("view", "d", "sel", "tabs")] == ["domain", 0, [], {"sample": "errors"}]
    follow(opened, {"v": "data"}, then="history.replaceState(null, '', '#of-before')")
    assert opened.state["view"] == "data"  # also where the page writes its state before it hears of the link
    opened.settle()
    assert opened.faults == []


def follow(opened: Any, view: dict[str, Any], then: str = "") -> None:
    """Follow a link to a view of the page that is open; the page hears of it before the test does."""
    opened.js(
        "(hash) => new Promise((done) => {"
        f" addEventListener('hashchange', () => done(), {{once: true}}); location.hash = hash; {then} }})",
        "#" + quote(json.dumps(view)),
    )


def test_what_coincides_is_reached_by_clicking_again_and_ties_are_stepped_through(
    tmp_path: Path, open_page: Callable[..., Any]
) -> None:
    opened = open_page(podium.explorer(tied_results()).save(tmp_path / "tied.html"))
    drawn = opened.source("podium-0", "baseDots")
    at = next(i for i, (b, k) in enumerate(zip(drawn["b"], drawn["k"], strict=True)) if (b, k) == (0, 0))
    x, y = opened.pixel("podium-0", drawn["x"][at], drawn["y"][at])
    found = []
    for delay in (0, 0, 400):  # ms: Bokeh calls quick clicks a double tap, and a slow one a press
        opened.page.mouse.click(x, y, delay=delay)
        opened.settle()
        found.append(opened.state["sel"])
    assert found == [[0], [1], [0]]
    # Each step is a random break of the tie in replication 3, by the seeds of the figure; both orders occur.
    steps = []
    for _ in range(6):
        steps.append(opened.js("[0, 1].map((p) => podium.at(podium.here().measures[0], 2, p))"))
        opened.page.locator("#tie-on").click()
    assert steps == [
        podium.plot.figures.podium(tied_results(), seed=seed).line_algorithm[2, :2].tolist() for seed in range(6)
    ]
    assert [0, 1] in steps
    assert [1, 0] in steps
    assert opened.faults == []


def test_it_is_accessible_and_gives_files_of_the_selection_and_of_what_is_seen(
    cars_page: Path, cars_results: podium.Results, open_page: Callable[..., Any]
) -> None:
    from axe_playwright_python.base import AXE_FILE_PATH

    opened = open_page(cars_page)
    opened.js(AXE_FILE_PATH.read_text(encoding="utf-8"))
    # All rows of the table have the same structure, so the first ones are enough.
    assert opened.js("new Set([...document.querySelectorAll('tbody tr')].map((row) => row.cells.length)).size") == 1
    opened.js("for (const row of [...document.querySelectorAll('tbody tr')].slice(3)) row.remove()")
    violations, passes = opened.js(
        "axe.run(document, {resultTypes: ['violations'], preload: false}).then((found) =>"
        " [found.violations.map((one) => one.id + ': ' + one.nodes[0].html.slice(0, 200)), found.passes.map((one) => one.id)])"
    )
    assert violations == []
    assert "color-contrast" in passes

    opened.js("podium.select([2, 7])")
    with opened.page.expect_download() as waiting:
        opened.page.locator("#csv").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert waiting.value.suggested_filename == "cars-selection.csv"
    assert podium.read(pd.read_csv(io.StringIO(text))) == cars_results.select(replications=[3, 8])
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with opened.page.expect_download() as waiting:
            opened.page.get_by_role("button", name=f"Save squared error as {kind}").click()
        assert Path(waiting.value.path()).read_bytes().startswith(start)
    assert opened.faults == []


def test_names_are_text_and_a_domain_leads_to_its_data_sets(tmp_path: Path, open_page: Callable[..., Any]) -> None:
    results = hostile_results()
    path = podium.explorer(results, title=HOSTILE).save(tmp_path / "hostile.html")
    opened = open_page(path)
    assert opened.page.title() == HOSTILE
    assert opened.state["view"] == "domain"
    assert [panel.get_attribute("data-panel") for panel in opened.page.query_selector_all(".panel")] == [
        "summary",
        "graph",
        "dendrogram",
        "trellis",
    ]
    opened.settle()
    first = opened.js("podium.payload.domain[0].summary.datasets[0]")
    opened.click("summary", 1.5, 0)
    assert (opened.state["view"], opened.state["d"]) == ("data", first)
    opened.settle()
    assert opened.page.locator("[data-panel=podium-0] h3").text_content() == f"{HOSTILE}error"
    shown = opened.source("podium-0", "baseDots")
    assert sorted(shown["y"]) == pytest.approx(np.sort(results.values[first].ravel()))
    opened.page.mouse.move(*opened.pixel("podium-0", shown["x"][0], shown["y"][0]))
    opened.page.wait_for_function("!document.getElementById('tip').hidden")
    opened.js("podium.select([0])")
    assert opened.js("podium.csv()").split("\r\n")[2].split(",")[2] == "'=1+1"
    opened.page.locator("#to-domain").click()
    opened.settle()
    opened.page.locator("[data-panel=trellis] .plot button").nth(1).click()
    assert opened.state["view"] == "data"
    assert opened.page.query_selector("img, iframe, object, embed") is None
    assert opened.faults == []
    assert opened.requests == [path.as_uri()]


def test_every_view_of_many_variables_can_be_drawn(open_page: Callable[..., Any], tmp_path: Path) -> None:
    experiment = podium.Experiment(
        "iris", ["lda", "constant"], podium.Bootstrap(replications=4), "misclassification", seed=3
    )
    results = run_here(experiment)
    opened = open_page(podium.explorer(results, experiment=experiment).save(tmp_path / "iris.html"))
    opened.js("podium.query('extreme', {j: 0, a: 0, end: 'worst'})")
    for data in ("scatter", "matrix", "parallel", "components"):
        opened.js("(data) => podium.change({tabs: {...podium.state.tabs, data}})", data)
        opened.settle()
        assert opened.js("podium.panel('data').plots.length") == (20 if data == "matrix" else 1)
    for distribution in ("places", "box", "strip", "density"):
        opened.js(
            "(distribution) => podium.change({tabs: {...podium.state.tabs, distribution, sample: 'errors'}})",
            distribution,
        )
        opened.settle()
        assert opened.js("podium.panel('distribution').plots.length") == 1
    # The errors of the models: exactly the wrong predictions.
    b = opened.state["focus"]
    learn, _ = experiment.samples("iris", b + 1)
    wrong = set()
    for algorithm in experiment.algorithms:
        k = results.algorithms.index(algorithm.name)
        fitted = podium.design.fit_model(algorithm, learn, experiment.seed_of("iris", b + 1, algorithm.name))
        data = experiment.dataset("iris")
        wrong |= {(k, int(i)) for i in np.flatnonzero(np.asarray(fitted.predict(data.X)) != np.asarray(data.y))}
    drawn = opened.js("podium.panel('sample').plots[0].figure.renderers[0].data_source.data")
    assert set(zip(drawn["k"], drawn["i"], strict=True)) == wrong
    # Places: the bars of figures, and the counts of the selection.
    opened.js("podium.change({sel: [], focus: null, alg: null, tabs: {distribution: 'places'}})")
    opened.settle()
    tops = opened.js(
        "podium.panel('distribution').plots[0].figure.renderers.map((r) => Array.from(r.data_source.data.top))"
    )
    assert tops[0] == podium.plot.figures.podium(results).counts.ravel().tolist() == tops[1]
    assert opened.faults == []


def test_what_is_not_drawn_is_reported(open_page: Callable[..., Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(5_100, 16)), columns=[f"v{i}" for i in range(16)])
    frame.loc[:9, "v0"] = np.nan
    frame["class"] = np.where(frame["v1"] > 0, "yes", "no")
    data = podium.Dataset(frame, target="class", name="large")
    experiment = podium.Experiment(data, "constant", podium.HoldOut(), "misclassification")
    opened = open_page(podium.explorer(run_here(experiment), experiment=experiment).save(tmp_path / "large.html"))
    told = {
        "scatter": "10 with missing values not drawn; 5,000 of 5,100 observations drawn",
        "matrix": "800 of 5,100 observations drawn; 5 of 17 variables drawn",
        "parallel": "400 of 5,100 observations drawn; 14 of 17 variables drawn",
    }
    for data_view, expected in told.items():
        opened.js("(data) => podium.change({tabs: {data}})", data_view)
        opened.settle()
        assert opened.page.locator("[data-panel=data] .note").text_content() == expected
    assert opened.faults == []


def test_clusters_are_neither_right_nor_wrong(open_page: Callable[..., Any], tmp_path: Path) -> None:
    from sklearn.cluster import KMeans

    data = podium.Dataset.named("iris", task="unsupervised")
    kinds = [podium.Algorithm(f"{k} means", KMeans(k, n_init=1)) for k in (2, 3)]
    experiment = podium.Experiment(data, kinds, podium.Bootstrap(replications=2), "adjusted rand")
    explorer = podium.explorer(run_here(experiment), experiment=experiment, models="all")
    opened = open_page(explorer.save(tmp_path / "clusters.html"))
    opened.js("podium.select([0])")
    assert [one.text_content() for one in opened.page.query_selector_all("[data-panel=sample] [data-tab]")] == [
        "Frequency"
    ]
    predictions = opened.js("podium.here().models.get(0).map((m) => m.prediction[7])")
    told = opened.js("podium.panel('data').about(7)").split("\n")
    assert told[-2:] == [f"{k} means: cluster {int(code) + 1}" for k, code in zip((2, 3), predictions, strict=True)]
    assert opened.faults == []


def test_a_replication_that_an_algorithm_lacks_has_no_places_in_bars_and_queries(
    open_page: Callable[..., Any], tmp_path: Path
) -> None:
    frame = tied_results().to_long()
    lacking = podium.read(frame[(frame["algorithm"] != "c") | (frame["replication"] > 1)], direction="lower")
    opened = open_page(podium.explorer(lacking).save(tmp_path / "lacking.html"))
    assert "3 of 4 replications" in opened.page.locator("[data-panel=distribution] .note").text_content()
    for _ in range(6):  # in every break of ties, the outlined bars of all replications are those that are filled
        opened.page.locator("#tie-on").click()
        outlined, filled = opened.js(
            "podium.panel('distribution').plots[0].figure.renderers.map((r) => Array.from(r.data_source.data.top))"
        )
        assert outlined == filled
    opened.js("podium.query('place', {j: 0, a: 2, place: 2}, {})")
    assert opened.state["sel"] == [1, 2]
    assert opened.faults == []


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_the_first_views_fit_the_screen(
    cars_page: Path, open_page: Callable[..., Any], width: int, height: int
) -> None:
    opened = open_page(cars_page, width=width, height=height)
    boxes = opened.js(
        "[...document.querySelectorAll('.panel')].map((e) => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"
    )
    assert opened.js("document.documentElement.scrollWidth") <= width
    for left, _, right, _ in boxes:
        assert left >= 0
        assert right <= width
    inside = [box for box in boxes if box[3] <= height]
    assert len(inside) == (4 if width == 1280 else 6)  # the podiums, the data and the sample; all on a projector
    assert opened.js("podium.panels.flatMap((p) => p.plots).every((p) => p.figure.inner_height > 60)")


def test_names_in_the_summary_graph_and_ticks_of_the_trellis_do_not_overlap(
    tmp_path: Path, open_page: Callable[..., Any]
) -> None:
    rng = np.random.default_rng(3)
    labels = {
        "dataset": [f"data set {m}" for m in range(15)],
        "replication": None,
        "algorithm": ["forest", "boosting", "neighbours", "ridge"],
    }
    values = 0.9 + 0.05 * rng.random((15, 1, 1)) + 0.02 * rng.normal(size=(15, 6, 4)) * [1, 1, 2, 3]
    results = podium.read(values.clip(0, 1), labels=labels, measure="accuracy")
    opened = open_page(podium.explorer(results).save(tmp_path / "many.html"))
    opened.settle()
    boxes = opened.js(
        """() => {
          const plot = podium.panel("graph").plots[0], screen = plot.screen();
          const drawn = plot.figure.renderers.find((one) => one.glyph?.type === "Text");
          const pen = document.createElement("canvas").getContext("2d"), {x, y, t} = drawn.data_source.data;
          pen.font = `${drawn.glyph.text_font_size.value} ${drawn.glyph.text_font.value}`;
          return Array.from(t, (text, i) => ({text, x: screen.x(x[i]), y: screen.y(y[i]), w: pen.measureText(text).width}));
        }"""
    )
    named = [box for box in boxes if box["text"]]
    assert len(named) >= 5
    overlapping = [
        (a["text"], b["text"])
        for i, a in enumerate(named)
        for b in named[:i]
        if abs(a["x"] - b["x"]) < (a["w"] + b["w"]) / 2 and abs(a["y"] - b["y"]) < 11
    ]
    assert overlapping == []
    policies = opened.js("podium.panel('trellis').plots.map((plot) => plot.figure.below[0].major_label_policy.type)")
    assert set(policies) == {"NoOverlap"}
    assert "White bars: the mean, the longer the worse." in opened.page.locator("[data-panel=summary]").text_content()
    assert opened.faults == []


def test_boxes_of_one_value_have_colours_and_names_and_long_labels_are_whole(
    tmp_path: Path, open_page: Callable[..., Any]
) -> None:
    rng = np.random.default_rng(1)
    labels = {"dataset": ["x", "y", "z"], "replication": None, "algorithm": ["forest", "ridge", "lasso"]}
    one = podium.read(rng.random((3, 1, 3)), labels=labels, measure="misclassification", direction="lower")
    opened = open_page(podium.explorer(one).save(tmp_path / "one.html"))
    opened.settle()
    marks = opened.js(
        """() => {
          const plot = podium.panel("trellis").plots[0], screen = plot.screen();
          const dots = plot.figure.renderers.find((one) => one.glyph?.type === "Scatter");
          return {colours: Array.from(dots.data_source.data.c), x: Array.from(dots.data_source.data.dot),
                  hits: [0, 1, 2].map((y) => plot.hits(0, screen.y(y))[0].text())};
        }"""
    )
    assert len(set(marks["colours"])) == 3
    assert None not in marks["x"]
    assert sorted(text.split("\n")[1].split(": median")[0] for text in marks["hits"]) == ["forest", "lasso", "ridge"]
    assert opened.faults == []
    values = 0.2 + 0.1 * rng.random((1, 8, 3))
    several = podium.read(values, labels=labels | {"dataset": ["x"]}, measure="misclassification", direction="lower")
    opened = open_page(podium.explorer(several).save(tmp_path / "several.html"))
    assert (
        opened.js("podium.panels[0].plots[0].figure.left[0].axis_label.text") == "misclassification\n(lower is better)"
    )
