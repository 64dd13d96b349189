"""Reference data, a browser, and how hypothesis runs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from hypothesis.internal.conjecture import providers

sys.path.insert(0, str(Path(__file__).parent))  # for public_names, slow_laws

from slow_laws import SEARCHED

# The same examples every time; HYPOTHESIS_PROFILE=search looks for new ones (scripts/search).
settings.register_profile("fixed", deadline=None, derandomize=True, database=None, max_examples=20)
settings.register_profile("search", deadline=None, max_examples=20 * SEARCHED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
# Hypothesis takes some values from the source of the modules that happen to be imported: then the examples of a test
# would depend on the tests before it.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect no doctests from tests: there are none."""
    collectors = yield
    return [found for found in collectors if type(found) is not DoctestModule]


REFERENCE = Path(__file__).parent / "reference"


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Path]:
    """Return a function from the name of a file in ``tests/reference`` to its path."""

    def path(name: str) -> Path:
        assert (REFERENCE / name).exists(), f"tests/reference/{name} does not exist"
        return REFERENCE / name

    return path


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials run in this process, as on a system that cannot fork: quick, for what does not depend on where they run."""
    monkeypatch.setattr("podium.running.tasks.supported", lambda: False)


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
# A page lives for a second or two: compiling its scripts to faster code takes longer than that code would save.
FLAGS.append("--js-flags=--no-maglev --no-opt")


@pytest.fixture(scope="module")
def more_flags() -> list[str]:
    """Flags for the browser of a module."""
    return []


# Of a module: as long as it is open, its event loop runs in this process, which a second one, or Dask, would notice.
@pytest.fixture(scope="module")
def browser(more_flags: list[str]) -> Iterator[Any]:
    """Headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; scripts/setup installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS + more_flags)
        yield browser
        browser.close()
