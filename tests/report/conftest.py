"""Makes `report_sources` importable; the reports that tests share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path

import pytest

import podium

sys.path.insert(0, str(Path(__file__).parent))
from report_sources import SOURCES, TITLES, WHOLE

from shared_files import made_once


class Made:
    """The report on a source, made once in a process; and its files, made once in a run of all tests."""

    def __init__(self, name: str, factory: pytest.TempPathFactory) -> None:
        self.name = name
        self._factory = factory

    @cached_property
    def report(self) -> podium.show.report.Report:
        title, authors = TITLES.get(self.name, (None, ()))
        return podium.report(SOURCES[self.name](), title=title, authors=authors)

    @cached_property
    def folder(self) -> Path:
        """The folder that it was written to: its page, and of one source all forms."""
        whole = self.name in WHOLE
        return made_once(
            self._factory,
            f"report on {self.name}",
            lambda folder: self.report.write(folder if whole else folder / "report.html"),
        )

    @property
    def page(self) -> Path:
        """Its HTML page."""
        return self.folder / "report.html"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    """From the name of a source to its report."""
    return cache(lambda name: Made(name, tmp_path_factory))
