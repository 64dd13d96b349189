"""The story of Eugster (2011), section 3.3, played in a browser on the cars with the modern car."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import podium

MODERN = 50  # the last observation: 30 mph, 8 ft


@pytest.fixture
def frequencies(cars_experiment: podium.Experiment) -> Any:
    n = len(podium.examples.load_cars())
    return np.array([np.bincount(cars_experiment.sample("cars", b).learn, minlength=n) for b in range(1, 101)])


def ask(page: Any, **fields: str) -> None:
    """Fill the query form as a user does, and send it."""
    for field, value in fields.items():
        element = page.locator(f"#q-{field}")
        if element.evaluate("e => e.tagName") == "SELECT":
            element.select_option(**{"value" if field in ("kind", "end", "in") else "label": value})
        else:
            element.fill(value)
    page.locator("#query button").click()


def test_the_story(
    cars_page: Path,
    cars_results: podium.Results,
    cars_experiment: podium.Experiment,
    frequencies: Any,
    open_page: Callable[..., Any],
) -> None:
    opened = open_page(cars_page)
    find_the_worst_loess_model(opened, cars_results, cars_experiment, frequencies)
    find_what_the_modern_car_does(opened, cars_results, frequencies)
    assert opened.faults == []
    assert opened.requests == [cars_page.as_uri()]


def find_the_worst_loess_model(
    opened: Any, cars_results: podium.Results, cars_experiment: podium.Experiment, frequencies: Any
) -> None:
    page = opened.page
    error = cars_results.select(measure="squared error").values[0, :, :, 0]
    names = list(cars_results.algorithms)
    loess = names.index("loess")

    # 1. Which learning sample was used to train the worst loess model?
    worst = int(error[:, loess].argmax())
    ask(page, kind="extreme", a="loess", end="worst", measure="squared error")
    assert (opened.state["sel"], opened.state["focus"], opened.state["alg"]) == ([worst], worst, loess)
    drawn = opened.source("podium-0", "focusDots")
    order = np.argsort(error[worst])
    assert drawn["b"] == [worst] * 4
    assert drawn["k"] == order.tolist()
    assert drawn["y"] == pytest.approx(error[worst][order])
    assert [int(x) for x in drawn["x"]] == [0, 1, 2, 3]
    assert opened.source("podium-0", "focusLine")["ys"][0] == pytest.approx(error[worst][order])
    # The same replication stands out in the plot of the second measure.
    seconds = cars_results.select(measure="fit time").values[0, worst, :, 0]
    assert opened.source("podium-1", "focusLine")["ys"][0] == pytest.approx(np.sort(seconds))
    assert page.locator("#count").text_content() == "1 of 100 replications"

    # 2. Its learning sample, in the bars and in the data; and its models.
    bars = opened.js("Array.from(podium.panel('sample').plots[0].figure.renderers[0].data_source.data.top)")
    assert bars == frequencies[worst].tolist()
    points = opened.js(
        "podium.panel('data').plots[0].figure.renderers.find((r) => r.data_source.data.m).data_source.data"
    )
    assert [colour == "#ffffff" for colour in points["c"]] == (frequencies[worst] == 0).tolist()
    assert points["c"][MODERN] == "#ffffff"  # the modern car is in the test sample
    assert f"Replication {worst + 1}: {(frequencies[worst] == 0).sum()} in the test sample" in (
        page.locator("[data-panel=sample] .note").text_content()
    )
    curves = opened.js(
        "podium.panel('data').plots[0].figure.renderers.find((r) => r.data_source.data.xs).data_source.data"
    )
    learn, _ = cars_experiment.samples("cars", worst + 1)
    for algorithm in cars_experiment.algorithms:
        seed = cars_experiment.seed_of("cars", worst + 1, algorithm.name)
        fitted = podium.design.fit_model(algorithm, learn, seed, task="regression")
        at = curves["k"].index(names.index(algorithm.name))
        frame = learn.X.iloc[:0].reindex(range(len(curves["xs"][at]))).assign(speed=curves["xs"][at])
        assert curves["ys"][at] == pytest.approx(fitted.predict(frame), rel=1e-6)


def find_what_the_modern_car_does(opened: Any, cars_results: podium.Results, frequencies: Any) -> None:
    page = opened.page
    error = cars_results.select(measure="squared error").values[0, :, :, 0]
    spl = list(cars_results.algorithms).index("spl")

    # 3. All replications without the modern car: they are in the upper level of the performance range.
    ask(page, kind="sample", obs=str(MODERN + 1), **{"in": "out"})
    lacking = np.flatnonzero(frequencies[:, MODERN] == 0)
    assert opened.state["sel"] == lacking.tolist()
    dots = opened.source("podium-0", "chosenDots")
    assert sorted(set(dots["b"])) == lacking.tolist()
    assert len(dots["b"]) == 4 * len(lacking)
    others = np.setdiff1d(np.arange(100), lacking)
    for k in range(4):
        shown = [y for y, which in zip(dots["y"], dots["k"], strict=True) if which == k]
        assert np.median(shown) > np.quantile(error[others, k], 0.9)
    page.locator("#keep-name").fill("no modern car")
    page.locator("#keep button").click()

    # 4. Refined to those where spl is first.
    page.locator("input[value=refine]").check()
    ask(page, kind="place", a="spl", place="1", measure="squared error")
    won = [b for b in lacking.tolist() if error[b].argmin() == spl]
    assert won
    assert opened.state["sel"] == won
    assert page.locator("#count").text_content() == f"{len(won)} of 100 replications"
    assert sorted(set(opened.source("podium-1", "chosenDots")["b"])) == won  # linked to the second measure
    table = [int(text) for text in page.locator("[data-panel=table] tbody tr td:first-child").all_text_contents()]
    assert table == [b + 1 for b in won]

    # 5. Details of the one with the lowest error of spl: the table leads there.
    lowest = min(won, key=lambda b: error[b, spl])
    page.locator(f"[data-panel=table] tr[data-b='{lowest}'] button").click()
    assert (opened.state["focus"], opened.state["sel"]) == (lowest, won)
    assert opened.source("podium-0", "focusDots")["b"] == [lowest] * 4
    bars = opened.js("Array.from(podium.panel('sample').plots[0].figure.renderers[0].data_source.data.top)")
    assert bars == frequencies[lowest].tolist()

    # 6. The kept selection comes back by its name.
    page.locator("input[value=replace]").check()
    page.locator("#named .name").click()
    assert opened.state["sel"] == lacking.tolist()


def test_the_mouse_selects_what_is_under_it(
    cars_page: Path, cars_results: podium.Results, open_page: Callable[..., Any]
) -> None:
    opened = open_page(cars_page)
    click_on_a_dot_and_a_line(opened, cars_results)
    drag_a_box_and_a_lasso(opened, cars_results)
    assert opened.faults == []


def click_on_a_dot_and_a_line(opened: Any, cars_results: podium.Results) -> None:
    error = cars_results.select(measure="squared error").values[0, :, :, 0]
    spl = list(cars_results.algorithms).index("spl")
    worst = int(error[:, spl].argmax())
    drawn = opened.source("podium-0", "baseDots")
    at = next(i for i, (b, k) in enumerate(zip(drawn["b"], drawn["k"], strict=True)) if (b, k) == (worst, spl))
    opened.click("podium-0", drawn["x"][at], drawn["y"][at])
    assert (opened.state["sel"], opened.state["alg"]) == ([worst], spl)
    # The line of that replication between its last two places is far from all others.
    opened.page.keyboard.press("Escape")
    assert opened.state["sel"] == []
    lines = opened.source("podium-0", "baseLines")
    xs, ys = lines["xs"][worst], lines["ys"][worst]
    opened.click("podium-0", (xs[2] + xs[3]) / 2, (ys[2] + ys[3]) / 2)
    assert (opened.state["sel"], opened.state["alg"]) == ([worst], None)
    # Hovering shows the replication and the order of the algorithms.
    opened.page.mouse.move(*opened.pixel("podium-0", drawn["x"][at], drawn["y"][at]))
    opened.page.wait_for_function("!document.getElementById('tip').hidden")
    names = [cars_results.algorithms[k] for k in np.argsort(error[worst])]
    told = opened.page.locator("#tip").text_content().split("\n")
    assert told[0].startswith("spl: ")
    assert told[1] == f"replication {worst + 1}"
    assert [line.split()[1] for line in told[2:6]] == names
    # A click on nothing clears the selection.
    opened.click("podium-0", 0.5, error.max())
    assert opened.state["sel"] == []


def drag_a_box_and_a_lasso(opened: Any, cars_results: podium.Results) -> None:
    error = cars_results.select(measure="squared error").values[0, :, :, 0]
    bound = 3000.0
    opened.take_time("podium-0")
    left, top = opened.pixel("podium-0", 2.05, error.max() * 0.99)
    right, bottom = opened.pixel("podium-0", 3.95, bound)
    opened.page.mouse.move(left, max(top - 30, 0) + 25)
    opened.page.mouse.down()
    opened.page.mouse.move((left + right) / 2, (top + bottom) / 2)
    opened.page.mouse.move(right, bottom)
    opened.page.mouse.up()
    opened.settle()
    sel = opened.state["sel"]
    expected = np.flatnonzero((error > bound).any(axis=1)).tolist()
    near = np.flatnonzero(((error > 0.95 * bound) & (error < 1.05 * bound)).any(axis=1)).tolist()  # a pixel is 30 units
    assert set(sel) - set(near) <= set(expected) <= set(sel) | set(near) | {int(error.max(axis=1).argmax())}
    assert len(sel) >= 2
    # A lasso around the same region, drawn with the mouse, selects the same.
    opened.js(
        "(() => { const {toolbar} = podium.panel('podium-0').plots[0].figure;"
        " toolbar.active_drag = toolbar.tools.find((tool) => tool.type === 'LassoSelectTool'); })()"
    )
    opened.page.keyboard.press("Escape")
    opened.settle()
    corners = [
        (left, bottom),
        (right, bottom),
        (right, max(top - 30, 0) + 25),
        (left, max(top - 30, 0) + 25),
        (left, bottom),
    ]
    opened.page.mouse.move(*corners[0])
    opened.page.mouse.down()
    for corner in corners[1:]:
        opened.page.mouse.move(*corner, steps=4)
    opened.page.mouse.up()
    opened.settle()
    assert opened.state["sel"] == sel
    opened.page.locator("#invert").click()
    assert opened.state["sel"] == sorted(set(range(100)) - set(sel))
