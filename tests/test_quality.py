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


def nodes(module: Path, words: str) -> Iterator[ast.AST]:
    """The nodes of a module, or none if a pattern is not found in its text: to parse all of them takes long."""
    text = module.read_text(encoding="utf-8")
    if re.search(words, text):
        yield from ast.walk(ast.parse(text))


def imported(module: Path) -> Iterator[str]:
    """The top-level package of every import, in modules that name one that runs code."""
    for node in nodes(module, "|".join(RUNS_CODE_ON_READING)):
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


def test_dir_shows_the_public_names() -> None:
    assert set(podium.__all__) <= set(dir(podium))


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


def test_every_dependency_has_its_reason_on_the_page() -> None:
    file = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = {name: packages for name, packages in file["project"]["optional-dependencies"].items() if name != "all"}
    groups = (file["project"]["dependencies"], *extras.values(), *file["dependency-groups"].values())
    named = {re.split(r"[\[<>=]", package)[0] for group in groups for package in group if isinstance(package, str)}
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").partition("## Choices")[0]
    rows = "\n".join(line for line in page.splitlines() if line.startswith("| "))
    assert len(named) > 25
    assert sorted(name for name in named if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", rows)) == []


# Imports


def test_importing_podium_needs_none_of_the_heavy_packages() -> None:
    # Made unimportable, not looked for afterwards: pandas imports pyarrow by itself where it can.
    code = f"import sys; sys.modules.update(dict.fromkeys({HEAVY})); import podium"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_a_private_name_that_a_tool_looks_for_imports_nothing() -> None:
    code = "import sys, podium; before = set(sys.modules); hasattr(podium, '__wrapped__'); print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "set()\n", done.stderr


def test_an_experiment_imports_only_what_it_is_set_up_with() -> None:
    code = (
        "import sys; from podium import Experiment; print(*(name for name in sys.modules if name.startswith('podium')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = done.stdout.split()
    known = re.compile(
        r"podium(\.(arrays|checks|errors|lazy|registry|setup(\..*)?|typesetting(\.(html|plain))?"
        r"|results(\.(known_measures|measure_info|text_files))?))?"
    )
    assert [name for name in found if not known.fullmatch(name)] == []
    assert len(found) < 80


def layers_in_pyproject(container: str) -> list[set[str]]:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = [contract for contract in linter["contracts"] if contract.get("containers") == [container]]
    return [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]


def test_the_architecture_page_shows_the_layers() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|(.*)\|(.*)\|$", page.partition("| layer |")[2].partition("\n\n")[0], re.MULTILINE)[1:]
    columns = [[set(re.findall(r"`(\w+)`", row[side])) for row in rows] for side in (0, 1)]
    shown = [[layer for layer in column if layer] for column in columns]
    assert shown == [layers_in_pyproject("podium"), layers_in_pyproject("podium.analysis")]


def test_the_architecture_page_names_what_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    shown = page.partition("```text\nsrc/podium/\n")[2].partition("```")[0]
    named = set(re.findall(r"\b\w+\.py\b", shown)) | set(re.findall(r"\b(\w+)/", shown)) - {"I"}  # "no I/O"
    there = {path.name for path in SOURCE.rglob("*")}
    assert len(named) > 50
    assert named - there == set()


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


def test_no_function_hides_an_import_of_podium() -> None:
    hidden = []
    for module in MODULES:
        # Verbs import what they need when they run: `podium --help` should be quick, and an interrupt is one line.
        # For unknown names numpy is imported, for a stopping rule the analysis, and otherwise neither.
        if "cli" in module.parts or module.name in ("__main__.py", "lazy.py", "runner.py"):
            continue
        functions = [node for node in nodes(module, r"[^\n]from\s+podium") if isinstance(node, ast.FunctionDef)]
        inside = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.ImportFrom)]
        hidden += [f"{module.name}: {node.module}" for node in inside if (node.module or "").startswith("podium")]
    assert hidden == []


def test_array_types_are_defined_in_one_module() -> None:
    found = [module.name for module in MODULES if "NDArray[" in module.read_text(encoding="utf-8")]
    assert found == ["arrays.py"]


def test_tests_share_no_generator() -> None:
    """The numbers that a test draws would depend on the tests before it."""
    shared = re.compile(r"^\w+ = [\w.]*(?:default_rng|RandomState|Random)\([^()]*\)$", re.MULTILINE)
    assert shared.search("import numpy as np\nRNG = np.random.default_rng(1)\n")
    texts = {module.name: module.read_text("utf-8") for module in (ROOT / "tests").rglob("*.py")}
    assert [(name, found) for name, text in texts.items() for found in shared.findall(text)] == []


# Where names of functions or modules are compared, which are no classes.
NAMES_OF_OTHERS = {
    "execution/isolation.py: module.__name__",
    "plot/trellis.py: plot.compute.__name__",
    "setup/identity.py: thing.__qualname__",
}


def test_no_class_is_recognised_by_its_name() -> None:
    found = set()
    for module in MODULES:
        for node in nodes(module, "name__"):
            match node:
                case ast.Compare():
                    sides = [node.left, *node.comparators]
                case ast.Subscript(ctx=ast.Load()):
                    sides = [node.slice]
                case ast.Match():
                    sides = [node.subject]
                case ast.Call(func=ast.Attribute(attr="get" | "startswith" | "endswith" as attribute)):
                    sides = [*node.args, *([node.func.value] if attribute != "get" else [])]
                case _:
                    sides = []
            found |= {
                f"{module.relative_to(SOURCE).as_posix()}: {ast.unparse(side)}" for side in sides if is_name(side)
            }
    assert found - NAMES_OF_OTHERS == set()
    assert found >= NAMES_OF_OTHERS  # the search finds what is there


def is_name(node: ast.AST) -> bool:
    """Whether this is the name of something: `kind.__name__`, or `getattr(kind, "__name__", "")`."""
    match node:
        case ast.Attribute(attr="__name__" | "__qualname__"):
            return True
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value="__name__" | "__qualname__"), *_]):
            return True
        case _:
            return False


def test_the_way_from_one_class_to_another_is_found_by_class() -> None:
    assert all(hasattr(podium, name) for name in podium.__all__)  # each is imported
    loaded = [module for name, module in list(sys.modules.items()) if name.startswith("podium.")]
    kinds = {thing for module in loaded for thing in vars(module).values() if inspect.isclass(thing)}
    ways = [getattr(kind, "_ways_out") for kind in kinds if "_ways_out" in vars(kind)]  # noqa: B009
    targets = [target for known in ways for target in (known() if callable(known) else known)]
    assert len(targets) > 20
    assert [target for target in targets if not inspect.isclass(target)] == []


# What is not there


def test_reading_never_runs_code() -> None:
    # A run hands its own experiment to its own processes; no such bytes are ever written to a file or read from one.
    found = set()
    for module in MODULES:
        name = module.relative_to(SOURCE).as_posix()
        found |= {(name, package) for package in RUNS_CODE_ON_READING & set(imported(module))}
        words = re.findall(r"read_pickle|to_pickle|allow_pickle=True", module.read_text(encoding="utf-8"))
        found |= {(name, word) for word in words}
    outside = {(name, word) for name, word in found if not (name.startswith("execution/") and word == "cloudpickle")}
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
