"""No code reads words: in a package whose every sentence is another, all numbers, decisions and places are the same."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from retelling import is_retold

RunPython = Callable[..., subprocess.CompletedProcess[str]]
Compute = Callable[..., dict[str, Any]]

ROOT = Path(__file__).parents[1]
PROGRAM = """
import json, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore", UserWarning)
import retelling
file, retold, more, *beginnings = sys.argv[1:]
retelling.install(bool(int(retold)), json.loads(more))
import word_facts
word_facts.write_facts(Path(file), *beginnings)
"""
LETTER = re.compile(r"[^\W\d_]")


@pytest.fixture(scope="module")
def compute(run_python: RunPython, tmp_path_factory: pytest.TempPathFactory) -> Compute:
    """Return a function that computes the facts in a process of its own: with the package retold, or changed, or both."""
    paths = [ROOT / "src", *(ROOT / "tests" / folder for folder in (".", "plot", "setup"))]

    def compute(*beginnings: str, retold: bool, more: Mapping[str, str] | None = None) -> dict[str, Any]:
        file = tmp_path_factory.mktemp("facts") / "facts.pickle"
        words = [str(file), str(int(retold)), json.dumps(more or {}), *beginnings]
        done = run_python(PROGRAM, *words, PYTHONPATH=":".join(map(str, paths)))
        assert (done.stderr[-1000:], done.returncode) == ("", 0)
        found: dict[str, Any] = pickle.loads(file.read_bytes())
        return found

    return compute


@pytest.fixture(scope="module")
def expected(compute: Compute) -> dict[str, Any]:
    return compute(retold=False)


def differences(found: Any, expected: Any, where: str = "") -> Iterator[str]:
    """Where two collections of facts differ; a text in other words has the same numbers, and words of the same length."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        yield from differences([*found.items()], [*expected.items()], where)
    elif isinstance(expected, list | tuple) and isinstance(found, list | tuple) and len(found) == len(expected):
        for i, (one, two) in enumerate(zip(found, expected, strict=True)):
            yield from differences(one, two, f"{where}[{i}]")
    elif isinstance(expected, str) and isinstance(found, str) and is_retold(found):
        if LETTER.sub("x", found) != LETTER.sub("x", expected):
            yield f"{where}: {expected!r} is another text: {found!r}"
    elif not same(found, expected):
        yield f"{where}: {expected!r} became {found!r}"


def same(found: Any, expected: Any) -> bool:
    """Whether two values are equal, where NaN is NaN, and zeros have signs."""
    return type(found) is type(expected) and (found == expected != 0 or repr(found) == repr(expected))


def texts(facts: Any) -> Iterator[str]:
    """All texts in a collection of facts."""
    if isinstance(facts, str):
        yield facts
    elif isinstance(facts, Mapping | list | tuple):
        for one in [*facts.items()] if isinstance(facts, Mapping) else facts:
            yield from texts(one)


def test_other_words_change_no_fact(expected: dict[str, Any], compute: Compute) -> None:
    found = compute(retold=True)
    assert list(found) == list(expected) and len(expected) > 150
    changed = {name: [*differences(found[name], expected[name])][:3] for name in expected}
    assert {name: where for name, where in changed.items() if where} == {}
    # Nearly every sentence is another: not the headings of tables of numbers, formulas and lists of names.
    sentences = [
        text
        for text in texts(found)
        if len(re.findall("[^ ]{3,} ", text)) > 4 and re.search("[a-zа-я]{3} [a-zа-я]{3}", text)
    ]
    assert 0 < sum(not is_retold(text) for text in sentences) < len(sentences) / 10


# Code that reads a heading, a note or a message, and facts that it spoils.
PLANTED = {
    "podium.analysis.comparison": """
_groups, _order = Comparison.groups, Comparison.order.fget

def _groups_by_a_heading(self):
    return _groups(self) if "Decision" in [column.name for column in self.table().columns] else []

def _order_by_a_note(self):
    read = any(note.code == "interval contains 0" and "although" not in str(note) for note in self.notes)
    return None if read else _order(self)

Comparison.groups, Comparison.order = _groups_by_a_heading, property(_order_by_a_note)
""",
    "podium.setup.spec.document": """
_placed = Document.placed

def _placed_by_the_message(self, error):
    wrong = error.path[-1:] == ("alpha",) and "must" not in error.message
    return _placed(self, DesignError(error.message, error.path[:1] if wrong else error.path))

Document.placed = _placed_by_the_message
""",
    "podium.cli": """
import contextlib, io
_main = main

def main(words):
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        status = _main(words)
    text = errors.getvalue()
    print(text, end="", file=sys.stderr)
    return 3 if "nofile.csv" in text and "there is no such file" not in text else status
""",
}


def test_code_that_reads_words_is_found(expected: dict[str, Any], compute: Compute) -> None:
    wrong = ("command: compare nofile.csv", "command: describe wrong.yaml", "comparison: ", "design:   alpha")
    right = ("command: compare both.csv --measure nope", "design:   reject")
    found = compute(*wrong, *right, retold=True, more=PLANTED)
    assert len(found) > 20
    spoilt = [name for name in found if any(differences(found[name], expected[name]))]
    assert spoilt == [name for name in found if name.startswith(wrong)]
