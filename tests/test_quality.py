"""What must hold for the source as a whole: the public surface, imports, no pickle, no stray paths."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import podium

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "podium"
MODULES = sorted(SOURCE.rglob("*.py"))

HEAVY = ["matplotlib", "pyarrow", "sklearn", "xarray"]
RUNS_CODE_ON_READING = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}


def imported(module: Path) -> Iterator[str]:
    """The top-level package of every import, in modules that name one that runs code: to parse all takes long."""
    text = module.read_text(encoding="utf-8")
    found = re.search("|".join(RUNS_CODE_ON_READING), text)
    for node in ast.walk(ast.parse(text)) if found else ():
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


# The public surface


def test_the_public_names_are_sorted_and_named_once() -> None:
    assert list(podium.__all__) == sorted(set(podium.__all__))


@pytest.mark.parametrize("name", podium.__all__)
def test_a_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(podium, name)
    assert inspect.getdoc(thing)
    if inspect.ismodule(thing):
        assert thing.__all__, f"podium.{name} is public, so it must say which of its names are"
        inside = {inner: getattr(thing, inner) for inner in thing.__all__}
        callables = {
            inner: found for inner, found in inside.items() if inspect.isroutine(found) or inspect.isclass(found)
        }
        assert [inner for inner, found in callables.items() if not inspect.getdoc(found)] == []


def test_the_version_is_the_one_in_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert podium.__version__ == project["version"]
    assert [f"{name}>={oldest}" for name, oldest in podium._OLDEST.items()] == project["dependencies"]


def test_a_version_that_is_too_old_is_named_when_podium_is_imported(tmp_path: Path) -> None:
    for name in (
        "scikit_learn-1.4.2.dist-info",
        "numpy-1.24.1-py3.11.egg-info",
        "PyYAML-6.0.egg-info",
        "scipy-2.dist-info",
    ):
        (tmp_path / name).mkdir()  # as pip, conda and Debian leave them
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import podium"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 1
    assert "ImportError" in found.stderr
    assert "numpy 1.24.1 found, 1.26 needed; scikit-learn 1.4.2 found, 1.7 needed. Run: pip" in found.stderr


# Imports


def test_importing_podium_needs_none_of_the_heavy_packages() -> None:
    # Made unimportable, not looked for afterwards: pandas imports pyarrow by itself where it can.
    code = f"import sys; sys.modules.update(dict.fromkeys({HEAVY})); import podium"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_an_experiment_imports_only_what_it_is_set_up_with() -> None:
    code = (
        "import sys; from podium import Experiment; print(*(name for name in sys.modules if name.startswith('podium')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = done.stdout.split()
    known = re.compile(
        r"podium(\.(arrays|checks|errors|lazy|registry|design(\..*)?|typesetting(\.(html|plain))?"
        r"|results(\.(known_measures|measure_info|text_files))?))?"
    )
    assert [name for name in found if not known.fullmatch(name)] == []
    assert len(found) < 80


def test_a_run_without_a_stopping_rule_imports_no_analysis(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    code = """
import sys, podium
design = podium.Experiment("monks3", ["lda", "constant"], podium.Bootstrap(replications=20), "accuracy")
podium.preview(design, pilot_seconds=0)
print(sum(name.startswith("podium.analysis") for name in sys.modules))
podium.preview(design, pilot_seconds=0, stopping="group sequential")
print("podium.analysis.sequential" in sys.modules)
"""
    done = run_python(code)
    assert done.stdout == "0\nTrue\n", done.stderr


def test_tests_share_no_generator() -> None:
    """The numbers that a test draws would depend on the tests before it."""
    shared = re.compile(r"^\w+ = [\w.]*(?:default_rng|RandomState|Random)\([^()]*\)$", re.MULTILINE)
    assert shared.search("import numpy as np\nRNG = np.random.default_rng(1)\n")
    texts = {module.name: module.read_text("utf-8") for module in (ROOT / "tests").rglob("*.py")}
    assert [(name, found) for name, text in texts.items() for found in shared.findall(text)] == []


# What is not there


def test_reading_never_runs_code() -> None:
    # A run hands its own experiment to its own processes; no such bytes are ever written to a file or read from one.
    found = set()
    for module in MODULES:
        name = module.relative_to(SOURCE).as_posix()
        found |= {(name, package) for package in RUNS_CODE_ON_READING & set(imported(module))}
        words = re.findall(r"read_pickle|to_pickle|allow_pickle=True", module.read_text(encoding="utf-8"))
        found |= {(name, word) for word in words}
    outside = {(name, word) for name, word in found if not (name.startswith("running/") and word == "cloudpickle")}
    assert outside == set()
    assert found  # the search finds what is there


def test_no_file_contains_the_path_of_the_project() -> None:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip(f"the files are known to git only, and git says: {listed.stderr.strip()}")
    here = re.compile(rb"(?<![\w.-])" + re.escape(bytes(ROOT)) + rb"(?![\w-])")
    files = [file for name in listed.stdout.split("\0") if name and (file := ROOT / name).is_file()]
    texts = ((file, file.read_bytes()) for file in files)
    assert [str(file) for file, text in texts if bytes(ROOT) in text and here.search(text)] == []
