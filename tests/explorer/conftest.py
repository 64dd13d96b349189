"""Pages of the explorer, opened with the network off."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import podium

sys.path.insert(0, str(Path(__file__).parent))  # for explorer_sources
from explorer_sources import run_here

from shared_files import made_once

EXAMPLE = Path(__file__).parents[2] / "examples" / "cars.yaml"


@pytest.fixture(scope="session")
def cars_experiment() -> podium.Experiment:
    """The example of Eugster (2011), section 3.1: cars of the 1920s and a modern car, B = 100 bootstrap samples."""
    return podium.Experiment.from_file(EXAMPLE)


@pytest.fixture(scope="session")
def cars(cars_experiment: podium.Experiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of that experiment and the page on them."""

    def make(folder: Path) -> None:
        results = run_here(cars_experiment)
        results.write(folder / "cars.csv")
        explorer = podium.explorer(results, experiment=cars_experiment, models="extreme")
        explorer.save(folder / "cars.html")
        assert explorer.absences == ()

    return made_once(tmp_path_factory, "cars", make)


@pytest.fixture(scope="session")
def cars_results(cars: Path) -> podium.Results:
    return podium.read(cars / "cars.csv")


@pytest.fixture(scope="session")
def cars_page(cars: Path) -> Path:
    return cars / "cars.html"


class Opened:
    """A page with its errors and requests, and methods that use it as a user does."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.messages: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.messages.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))

    @property
    def faults(self) -> list[str]:
        return [text for text in self.messages if not text.startswith(("info:", "log:"))]

    def js(self, expression: str, argument: Any = None) -> Any:
        return self.page.evaluate(expression, argument)

    @property
    def state(self) -> dict[str, Any]:
        return dict(self.js("podium.state"))

    def settle(self) -> None:
        """Wait until all views are laid out and drawn."""
        self.js("podium.settled()")
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def source(self, panel: str, layer: str) -> dict[str, Any]:
        """The data that a layer of a panel draws."""
        text = "([panel, layer]) => { const {data} = podium.panel(panel)[layer].data_source; return Object.fromEntries(Object.entries(data).map(([k, v]) => [k, Array.from(v, (x) => (x?.length && typeof x !== 'string' ? Array.from(x) : x))])); }"
        return dict(self.js(text, [panel, layer]))

    def pixel(self, panel: str, x: float, y: float) -> tuple[float, float]:
        """Where a place of the data is on the screen."""
        self.page.locator(f"[data-panel='{panel}']").scroll_into_view_if_needed()
        self.settle()
        found = self.js(
            "([panel, x, y]) => { const plot = podium.panel(panel).plots[0], box = plot.host.getBoundingClientRect(), s = plot.screen(); return [box.left + s.x(x), box.top + s.y(y)]; }",
            [panel, x, y],
        )
        return found[0], found[1]

    def take_time(self, panel: str) -> None:
        """Let a drag begin as late as it may: by its clock, Bokeh takes a hand that waits for one that presses."""
        gestures = f"podium.panel('{panel}').plots[0].view.canvas_view.ui_event_bus.ui_gestures.constructor"
        assert self.js(f"{gestures}.press_threshold") == 300
        self.js(f"{gestures}.press_threshold = 2 ** 31 - 1")

    def click(self, panel: str, x: float, y: float) -> None:
        self.page.mouse.click(*self.pixel(panel, x, y))
        self.settle()


@pytest.fixture(scope="module")
def opened(browser: Any) -> Iterator[Opened]:
    """A page of a browser without a network. Tests use it one after the other: a new one costs as much as a test."""
    context = browser.new_context(offline=True)
    yield Opened(context.new_page())
    context.close()


@pytest.fixture
def open_page(opened: Opened) -> Callable[..., Opened]:
    """Open a file in that page, where nothing of the file before is left."""

    def open_file(path: Path, *, fragment: str = "", width: int = 1280, height: int = 720) -> Opened:
        opened.page.goto("about:blank")
        opened.messages.clear()
        opened.requests.clear()
        opened.page.set_viewport_size({"width": width, "height": height})
        opened.page.goto(path.as_uri() + fragment)
        opened.page.wait_for_function("document.documentElement.dataset.ready === 'true'")
        return opened

    return open_file
