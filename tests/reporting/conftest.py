"""Makes `report_sources` importable; the reports that all tests of a process share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import podium

sys.path.insert(0, str(Path(__file__).parent))
from report_sources import SOURCES, TITLES, Made


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
