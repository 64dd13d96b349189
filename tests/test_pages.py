"""Pages are tests: what the top-level conftest runs, what it refuses, and that no page is left out."""

from __future__ import annotations

import contextlib
import os
import re
import sysconfig
from importlib import import_module
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
import_module("numpy")  # pytester unloads what is first imported in one of its tests, and numpy cannot be loaded twice

ROOT = Path(__file__).parents[1]
GENERATED = {"_build", "auto_examples", "api"}
PAGES = sorted(ROOT.glob("*.md")) + sorted(
    page for page in ROOT.glob("docs/**/*.md") if not GENERATED & set(page.relative_to(ROOT).parts)
)

RUN = {"python", "console"}
SHOWN = {"text", "r", "json", "toml", "yaml", "csv", "latex", "sql"}
PYTHON = re.compile(r"^```python\n.*?^```", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^[ \t>]*(?:```+|~~~+)[ \t]*(\S.*)$", re.MULTILINE)


def languages(page: Path) -> list[str]:
    """The words after the opening fences, without `{directives}`."""
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [language for language in found if not language.startswith("{")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_page_with_code_is_collected(page: Path, pytestconfig: pytest.Config) -> None:
    paths = [ROOT / path for path in pytestconfig.getini("testpaths")]
    assert any(page.is_relative_to(path) for path in paths)
    if RUN & set(languages(page)):
        conftest = pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
        assert list(conftest.PAGES.parse(page).examples())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code_is_marked_so_that_it_runs(page: Path) -> None:
    unknown = set(languages(page)) - RUN - SHOWN
    assert not unknown, f"run are {sorted(RUN)}, only shown are {sorted(SHOWN)}; got {sorted(unknown)}"
    outside = PYTHON.sub("", page.read_text(encoding="utf-8"))
    assert not re.search(r"^\s*>>> ", outside, re.MULTILINE), "put >>> examples into a ```python block"


@pytest.fixture
def run(pytester: pytest.Pytester):
    """Run some pages, given by name and text, with the conftest of this project."""

    def run(**pages: str) -> pytest.RunResult:
        pytester.makeconftest((ROOT / "conftest.py").read_text(encoding="utf-8"))
        for name, text in pages.items():
            (pytester.path / f"{name}.md").write_text(text, encoding="utf-8")
        return pytester.runpytest("-p", "no:xdist", *(f"{name}.md" for name in pages))

    return run


def block(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```", ""])


def test_blocks_of_a_page_share_names_and_a_working_directory(run) -> None:
    first = block("python", "from pathlib import Path", "_ = Path('x.txt').write_text('seen')")
    second = block("python", ">>> Path('x.txt').read_text()", "'seen'")
    third = block("console", "$ cat x.txt", "seen")
    run(page=first + "Some text.\n" + second + third).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (block("python", "", "1 / 0"), "page.md:3: ZeroDivisionError"),
        (block("python", ">>> 1 + 1", "3"), "Expected:\n    3\nGot:\n    2\n"),
        (block("console", "$ false"), "$ false\n[exit status 1]"),
        (block("console", "$ echo one", "two"), "$ echo one\nexpected:\ntwo\ngot:\none\n"),
        (block("console", "echo one"), "a console block starts with '$ ' and a command"),
    ],
    ids=["error", "example", "exit status", "output", "no command"],
)
def test_a_block_that_does_not_hold_fails_its_page(run, text: str, shown: str) -> None:
    result = run(page=text)
    result.assert_outcomes(failed=1)
    assert shown in result.stdout.str()


def test_console_output_may_be_left_out_or_shortened(run) -> None:
    silent = block("console", "$ echo one")
    shortened = block("console", "$ printf 'a\\nb\\nc\\n'", "a", "...", "c", "$ echo \\", "  two", "two")
    run(page=silent + shortened).assert_outcomes(passed=1)


# The first writes a file, the second is refused because of it, and so is the last, which needs the libraries.
COMMANDS = ["podium init 'an experiment.yaml'", 'podium init "an experiment.yaml"', "podium init none.txt"]


def test_commands_of_podium_do_what_they_do_in_a_shell(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    conftest = pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    environment = os.environ | {"PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])}
    for command in COMMANDS:
        assert conftest.PLAIN.fullmatch(command)
        found = []
        for name, run in (("forked", conftest.run_command), ("shell", conftest.run_in_shell)):
            (tmp_path / name).mkdir(exist_ok=True)
            with contextlib.chdir(tmp_path / name):
                found.append((*run(command, environment), sorted(os.listdir())))
        assert found[0] == found[1]
    assert found[0][0] == 2 and found[0][1].startswith("podium init: FILE must end in ")


@pytest.mark.parametrize(
    "command",
    [
        "podium describe a.yaml > b.txt",
        'podium describe "$HOME/a.yaml"',
        "podium describe *.yaml",
        "WIDTH=3 podium describe a.yaml",
    ],
)
def test_bash_runs_what_is_more_than_words(command: str, pytestconfig: pytest.Config) -> None:
    assert not pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py")).PLAIN.fullmatch(command)


def test_figures_are_closed_after_a_page(run) -> None:
    opens = block("python", "import matplotlib.pyplot as plt", "_ = plt.figure()")
    looks = block("python", "import matplotlib.pyplot as plt", "assert plt.get_fignums() == []")
    run(first=opens, second=looks).assert_outcomes(passed=2)


# Links


LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *(ROOT / "docs").glob("*.md")]
    broken = []
    for page in pages:
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target, anchor in LINK.findall(text):
            there = page.parent / target if target else page
            if target.startswith("auto_examples/"):  # made with the pages, from docs/gallery
                continue
            if not there.exists() or (anchor and anchor not in anchors(there)):
                broken.append(f"{page.name}: {target}#{anchor}")
    assert broken == []
