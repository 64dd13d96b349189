"""Pages are tests, and figures are closed after every test.

Every Markdown page is one test. Its ``python`` blocks and ``>>>`` examples run from top to bottom in one
namespace, in an empty working directory that is removed afterwards. So do its ``console`` blocks: a line that
starts with ``$ `` is run by bash and must succeed; the lines below it, if any, must match what it prints
(``...`` stands for anything). One page is one test, so its blocks stay together when tests run in parallel.
"""

from __future__ import annotations

import contextlib
import doctest
import functools
import gc
import importlib
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from sybil import Document, Example, Sybil
from sybil.example import SybilFailure
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser

os.environ["MPLBACKEND"] = "Agg"  # no window, here and in every process started from a test
os.environ["COLUMNS"] = "100"  # whatever the terminal is, and also where pytest runs tests in several processes
# One thread each: tests run in as many processes as there are cores, and more threads would only wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
# Modules are compiled once, even if the environment says otherwise: not again in each of the many processes of a test.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

gc.disable()  # while tests are collected: nearly everything that is made then stays

# Not imported in search of docstrings.
collect_ignore_glob = [
    "docs/conf.py",
    "docs/gallery/*",  # Sphinx runs them
    "docs/auto_examples/*",
    "docs/_build/*",
    "benchmarks/*",
]

SOURCE = Path(__file__).parent / "src"

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

# Commands of podium in which bash has nothing to do but to split words.
PLAIN = re.compile(r"""podium( ([\w./:@=,+-]+|'[^']*'|"[^"$`\\]*"))*""")


def run_console(example: Example) -> str | None:
    """Run the commands of a ``console`` block; return what went wrong, if anything did."""
    if not example.parsed.startswith("$ "):
        return "a console block starts with '$ ' and a command"
    environment = os.environ | {"PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])}
    for command, expected in console_commands(example.parsed):
        if command.startswith(NOT_RUN):
            continue
        status, printed = run_command(command, environment)
        if status != 0:
            return f"$ {command}\n{printed}[exit status {status}]"
        if expected and not doctest.OutputChecker().check_output(expected, printed, LENIENT):
            return f"$ {command}\nexpected:\n{expected}got:\n{printed}"
    return None


def run_command(command: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command; return its exit status and what it prints.

    A plain command of podium runs in a process that is forked from one that has the libraries, anything else in bash.
    """
    if not PLAIN.fullmatch(command):
        return run_in_shell(command, environment)
    program, *words = shlex.split(command)
    path = shutil.which(program, path=environment["PATH"])
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as output:
        status = Program([path, *words], environment, output.name, output.name).wait()
        return status, output.read()


HANGING = 300  # seconds that hardly any program takes


class Program:
    """A program in a process that was forked from one that has the libraries, but nothing of podium."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        output: str,
        errors: str,
        *,
        seconds: float = HANGING,
    ) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(command_socket())
            self._stream = connection.makefile("rw", encoding="utf-8")
        streams = {"output": output, "errors": errors}
        request = {"words": words, "folder": os.getcwd(), "environment": {**environment}, **streams}
        self._stream.write(json.dumps(request) + "\n")
        self._stream.flush()
        self.pid = int(self._stream.readline())

    def wait(self) -> int:
        """Wait for its end; return its exit status. A program that hangs is ended, and is an error."""
        with self._stream:
            try:
                return int(self._stream.readline())
            except TimeoutError:
                os.kill(self.pid, signal.SIGKILL)
                raise


@pytest.fixture(scope="session")
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a text as a program, with some environment variables: `python -c`, but the libraries are there already.

    It has other hashes than the process of the test. It is an error if it takes longer than some seconds.
    """

    def run(text: str, *arguments: str, seconds: float = HANGING, **variables: str) -> subprocess.CompletedProcess[str]:
        with tempfile.NamedTemporaryFile() as output, tempfile.NamedTemporaryFile() as errors:
            words = ["-c", text, *arguments]
            program = Program(words, os.environ | variables, output.name, errors.name, seconds=seconds)
            status = program.wait()
            texts = (Path(file.name).read_text("utf-8") for file in (output, errors))
            return subprocess.CompletedProcess(words, status, *texts)

    return run


def run_in_shell(command: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command in bash."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(["bash", "-c", command], env=environment, text=True, **streams)
    return done.returncode, done.stdout


command_server: subprocess.Popen[str] | None = None


@functools.cache
def command_socket() -> str:
    """Return the name of the socket of the process that programs are forked from."""
    return os.environ.get("PODIUM_COMMANDS") or start_command_server()


def start_command_server() -> str:
    """Start the process that programs are forked from; return the name of its socket."""
    global command_server
    path = os.path.join(tempfile.mkdtemp(), "commands")
    program = Path(__file__).parent / "tests" / "command_server.py"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    hashes = {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}  # not those of the tests
    command_server = subprocess.Popen([sys.executable, str(program), path], env=os.environ | hashes, text=True, **pipes)
    command_server.stdout.readline()
    return path


def pytest_configure(config: pytest.Config) -> None:
    """Start one server for all processes that run tests; it imports the libraries when the first of them needs it."""
    if getattr(config.option, "numprocesses", None):
        os.environ["PODIUM_COMMANDS"] = start_command_server()


def pytest_unconfigure() -> None:
    """End the process that programs are forked from, in the process that has started it."""
    if command_server is not None:
        with command_server:
            command_server.stdin.close()
        shutil.rmtree(os.path.dirname(command_server.args[-1]))


def console_commands(block: str) -> Iterator[tuple[str, str]]:
    """Split a ``console`` block into commands, each with the output shown below it."""
    joined = block.replace("\\\n", "")  # a command may continue on the next line, after a backslash
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


@pytest.hookimpl(wrapper=True, specname="pytest_collect_file")
def collect_modules_with_examples(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in the docstrings of a module only if its file holds one: most do not."""
    collectors = yield
    if not any(type(found) is DoctestModule for found in collectors) or b">>>" in file_path.read_bytes():
        return collectors
    import_by_name(file_path)
    return [found for found in collectors if type(found) is not DoctestModule]


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Import a module of podium by its name before its docstrings are read."""
    if isinstance(collector, DoctestModule):
        import_by_name(collector.path)


def import_by_name(path: Path) -> None:
    """Import a module of podium, if this is one, by its name.

    pytest would load the file as a second copy, whose classes are not those of the package, unless some other test has
    imported the module before.
    """
    if path.is_relative_to(SOURCE):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts[-1] != "__main__":
            importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


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


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Close the figures that a test or a docstring has left open."""
    close_all_figures()


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over all that was collected, and look less often: tests make few cycles."""
    gc.freeze()
    gc.set_threshold(300_000, 20, 50)
    gc.enable()
