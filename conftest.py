"""Pages are tests, and figures are closed after every test.

Every Markdown page is one test. Its ``python`` blocks and ``>>>`` examples run from top to bottom in one
namespace, in an empty working directory that is removed afterwards. So do its ``console`` blocks: a line that
starts with ``$ `` is run by bash and must succeed; the lines below it, if any, must match what it prints
(``...`` stands for anything). One page is one test, so its blocks stay together when tests run in parallel.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Document, Example, Sybil
from sybil.example import SybilFailure
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser

os.environ["MPLBACKEND"] = "Agg"  # no window, here and in every process started from a test
# One thread each: tests run in as many processes as there are cores, and more threads would only wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Not imported in search of docstrings.
collect_ignore_glob = [
    "docs/conf.py",
    "docs/gallery/*",  # Sphinx runs them
    "docs/auto_examples/*",
    "docs/_build/*",
    "benchmarks/*",
]

LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# Commands that a page may show but that a test does not run: they install, or need the project around them.
NOT_RUN = (
    "git clone",
    "cd podium",
    "pip install",
    "python -m pip install",
    "./scripts/",
    "pre-commit install",
)


def run_console(example: Example) -> str | None:
    """Run the commands of a ``console`` block; return what went wrong, if anything did."""
    if not example.parsed.startswith("$ "):
        return "a console block starts with '$ ' and a command"
    environment = os.environ | {"PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])}
    for command, expected in console_commands(example.parsed):
        if command.startswith(NOT_RUN):
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            return f"$ {command}\n{done.stdout}[exit status {done.returncode}]"
        if expected and not doctest.OutputChecker().check_output(expected, done.stdout, LENIENT):
            return f"$ {command}\nexpected:\n{expected}got:\n{done.stdout}"
    return None


def console_commands(block: str) -> Iterator[tuple[str, str]]:
    """Split a ``console`` block into commands, each with the output shown below it."""
    joined = block.replace("\\\n", "")  # a command may go on in the next line, after a backslash
    for part in ("\n" + joined).split("\n$ ")[1:]:
        command, _, output = part.partition("\n")
        yield command, output.rstrip() + "\n" if output.strip() else ""


PAGES = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=LENIENT), CodeBlockParser("console", run_console)],
    patterns=["*.md"],
)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect Markdown files as pages."""
    return Page.from_parent(parent, path=file_path) if file_path.suffix == ".md" else None


class Page(pytest.File):
    """A Markdown file: one test, or none when it holds nothing to run."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the test."""
        document = PAGES.parse(self.path)
        if list(document.examples()):
            yield PageTest.from_parent(self, name="page", document=document)


class PageTest(pytest.Item):
    """All blocks of one page, in order."""

    def __init__(self, *, document: Document, **arguments: object) -> None:
        super().__init__(**arguments)
        self.document = document

    def runtest(self) -> None:
        """Run the blocks; the first that fails ends the page."""
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            try:
                for example in self.document.examples():
                    example.evaluate()
            finally:
                close_all_figures()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> object:
        """Show what a block got and should have got, or the traceback from the page on."""
        if isinstance(excinfo.value, SybilFailure):
            return str(excinfo.value)
        return excinfo.getrepr(tbfilter=lambda info: info.traceback.cut(path=str(self.path)))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the page in reports."""
        return self.path, 0, self.path.name


def close_all_figures() -> None:
    """Close all figures, if anything could have opened one."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True)
def _figures_are_closed() -> Iterator[None]:
    """Close the figures that a test or a docstring has left open."""
    yield
    close_all_figures()
