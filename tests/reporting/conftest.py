"""Makes `report_sources` importable; the browser and the reports that all tests of a process share."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import podium

sys.path.insert(0, str(Path(__file__).parent))
from report_sources import SOURCES, TITLES, Made

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; scripts/setup installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    """The report on a source and its page, made once; of two sources in all forms."""

    @cache
    def make(name: str) -> Made:
        folder = tmp_path_factory.mktemp("report")
        title, authors = TITLES.get(name, (None, ()))
        report = podium.report(SOURCES[name](), title=title, authors=authors)
        report.write(folder if name in TITLES else folder / "report.html")
        return Made(report, folder)

    return make
