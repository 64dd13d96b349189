"""Untrusted designs and files: reading them runs none of their code, and costs little."""

from __future__ import annotations

import gzip
import io
import re
import sys
import urllib.request
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

import podium
from podium.cli import main
from podium.design.algorithm import as_algorithm
from podium.design.sources import openml
from podium.errors import DesignError, FetchError, InputError
from podium.results import text_files

CODE = """
from pathlib import Path
Path(__file__).with_suffix(".ran").write_text("imported")
from sklearn.dummy import DummyClassifier

class Stranger(DummyClassifier):
    def __init__(self, depth=1, strategy="prior", random_state=None, constant=None):
        super().__init__(strategy=strategy)
        self.depth = depth

class Splits:
    def __init__(self, n_splits=2):
        self.n_splits = n_splits
    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits
    def split(self, X, y=None, groups=None):
        for _ in range(self.n_splits):
            yield list(range(0, len(X), 2)), list(range(1, len(X), 2))

def rating(fitted):
    return 1.0
"""
DESIGN = """
datasets: monks3
algorithms:
  - constant
  - class: strange.Stranger
    grid: {depth: [1, 2]}
  - class: sklearn.pipeline.Pipeline
    name: both
    parameters:
      steps: [[scale, {class: sklearn.preprocessing.OneHotEncoder}], [last, {class: strange.Stranger}]]
resampling: {class: strange.Splits, parameters: {n_splits: 2}}
measures: [accuracy, {function: strange.rating, direction: higher}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "strange.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "design.yaml").write_text(DESIGN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "strange", raising=False)
    return tmp_path


def test_a_design_is_described_without_its_code(folder: Path) -> None:
    made = podium.Experiment.from_file(folder / "design.yaml")
    assert made.modules == ("strange",)
    assert made.shape == (1, 2, 4, 2)
    assert [a.name for a in made.algorithms] == ["constant", "Stranger(depth=1)", "Stranger(depth=2)", "both"]
    text = made.describe().methods
    assert "Stranger (Stranger of strange) in two settings: depth = 1 and 2" in text
    assert "both (pipeline of OneHotEncoder, Stranger)" in text
    assert "fingerprint" not in text  # it covers the content of the code
    assert [a.topic for a in made.advice()][-1] == "code not imported"
    assert podium.Experiment.from_dict(made.to_dict()).to_yaml() == made.to_yaml()
    assert not (folder / "strange.ran").exists()
    assert made.record()["algorithms"].keys() == {a.name for a in made.algorithms}
    assert (folder / "strange.ran").exists()
    assert made.modules == ()
    assert "fingerprint" in made.describe().methods


@pytest.mark.usefixtures("in_this_process")
def test_a_run_imports_the_code(folder: Path) -> None:
    made = podium.Experiment.from_file(folder / "design.yaml")
    results = podium.run(made, workers=1, executor="threads")
    assert results.shape == (1, 2, 4, 2)
    assert results.present.all()


@pytest.mark.usefixtures("in_this_process")
def test_commands_run_no_code_but_run_which_names_it_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(["describe", "design.yaml"]) == 0
    assert "code not imported" in capsys.readouterr().out
    for words in (["describe", "--resolved"], ["show"], ["status"]):
        main([*words, "design.yaml"])
    assert not (folder / "strange.ran").exists()
    capsys.readouterr()
    assert main(["run", "design.yaml", "--dry-run", "--executor", "threads"]) == 0
    shown = capsys.readouterr().err
    assert shown.startswith("podium run: imports strange, named by design.yaml\n"), shown
    assert (folder / "strange.ran").exists()


def test_errors_of_code_come_with_file_and_line_when_it_is_imported(folder: Path) -> None:
    (folder / "design.yaml").write_text(DESIGN.replace("class: strange.Stranger\n", "class: strange.Nobody\n", 1))
    made = podium.Experiment.from_file(folder / "design.yaml")
    with pytest.raises(DesignError, match=re.escape("design.yaml:5: `class` 'strange.Nobody'")):
        made.import_code()
    with pytest.raises(DesignError, match=re.escape("design.yaml:5: `class` 'strange.Nobody'")):
        podium.Experiment.from_file(folder / "design.yaml", imports=True)


def test_a_splitter_without_its_number_of_splits_asks_for_it(folder: Path) -> None:
    (folder / "design.yaml").write_text(DESIGN.replace(", parameters: {n_splits: 2}", ""))
    with pytest.raises(DesignError, match=r"unknown before it is imported\. Give its `parameters` the key `n_splits`"):
        podium.Experiment.from_file(folder / "design.yaml")
    assert podium.Experiment.from_file(folder / "design.yaml", imports=True).shape == (1, 2, 4, 2)


# Sizes

LEVELS = ", ".join(map(str, range(1, 301)))
HOSTILE = {
    "datasets: " + "[" * 60 + "]" * 60: "nested more than 50 levels deep",
    "a: &a [x, x, x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join(8 * [f'*{a}'])}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)): (
        "more than 100,000 values"
    ),
    f"# {'x' * 2_000_000}": "a design has at most 2,000,000",
    '{"seed": 1, "seed": 2}': "The key 'seed' is given twice",
    "datasets: iris\nresampling: bootstrap\nmeasures: accuracy\nalgorithms:\n  candidate: rf\n"
    f"  grid: {{trees: [{LEVELS}], min_leaf: [{LEVELS}], mtry: [{LEVELS}]}}": "`grid` makes 27,000,000 candidates",
}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:12])
def test_a_hostile_design_ends_in_one_plain_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DesignError, match=re.escape(HOSTILE[text])):
        podium.Experiment.from_file(tmp_path / "design.yaml")


def test_a_design_that_contains_itself() -> None:
    inner: dict[str, Any] = {}
    inner["inner"] = inner
    design = {"datasets": "iris", "algorithms": {"candidate": "lda", "parameters": inner}, "measures": "accuracy"}
    with pytest.raises(DesignError, match="nested more than 50 levels deep, or contains itself"):
        podium.Experiment.from_dict({**design, "resampling": "bootstrap"})
    with pytest.raises(InputError, match="or contains itself"):
        as_algorithm({"class": "sklearn.svm.SVC", "parameters": inner})


@pytest.mark.parametrize("name", ["data.csv.gz", "data.arff.gz"])
def test_a_compressed_file_that_holds_too_much(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MAX_DECOMPRESSED_BYTES", 10_000)
    (tmp_path / name).write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 10_000))
    with pytest.raises(InputError, match="when it is decompressed"):
        podium.Dataset.from_file(tmp_path / name, target="b")


class Endless(urllib.request.HTTPHandler):
    """A server that never stops sending."""

    def http_open(self, request: urllib.request.Request) -> Any:
        response = urllib.request.addinfourl(io.BytesIO(bytes(100_000)), Message(), request.full_url, 200)
        response.msg = "OK"
        return response


@pytest.mark.parametrize(
    ("limit", "value", "words"), [("MAX_DOWNLOAD_BYTES", 1000, "larger"), ("SECONDS", -1, "longer")]
)
def test_downloads_are_limited(limit: str, value: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urllib.request, "_opener", urllib.request.build_opener(Endless()))
    monkeypatch.setattr(openml, limit, value)
    with openml.limited_downloads(), pytest.raises(FetchError, match=words):
        urllib.request.urlopen("http://nowhere.invalid/").read()
    with urllib.request.urlopen("http://nowhere.invalid/") as response:  # the limits end with the context
        assert len(response.read()) == 100_000
