"""Runs from the command line: a dry run shows problems, and the results can be shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import podium
from podium.cli import main
from podium.store.location import warehouse_of
from podium.store.status import count_problems, problem_lines

pytestmark = pytest.mark.usefixtures("in_this_process")

DESIGN = """\
seed: 1
datasets: [titanic]
algorithms: [lda, {class: sklearn.svm.SVC}]
resampling: {bootstrap: {replications: 2}}
measures: [misclassification, brier]
"""


@pytest.fixture
def design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "small.yaml"
    file.write_text(DESIGN, encoding="utf-8")
    return file


def test_a_dry_run_shows_the_problems_in_the_pilot(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(design), "--dry-run", "--executor", "threads", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    # One trial or two, as far as the pilot gets in its time.
    assert re.search(r"Problems in the pilot\n +[12] × failed   SVC: The fit of 'SVC' failed: ValueError: ", out)
    assert "encoding='one-hot'" in " ".join(out.split())
    assert not Path("small.db").exists()


def test_a_measure_without_a_value_is_a_problem() -> None:
    made = podium.Experiment(
        "iris", ["lda", {"class": "sklearn.svm.SVC"}], podium.Bootstrap(replications=1), ["accuracy", "brier"]
    )
    problems = podium.preview(made, executor="threads", workers=1).problems
    assert problems.to_dict("records") == [
        {
            "status": "done",
            "algorithm": "SVC",
            "measure": "brier",
            "error_type": "",
            "message": "SVC predicts no probabilities: it has no `predict_proba`",
            "trials": 1,
        }
    ]
    assert not len(podium.preview(made.replace(measures="accuracy"), executor="threads", workers=1).problems)


def test_what_was_run_can_be_shown(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design.write_text(DESIGN.replace(", {class: sklearn.svm.SVC}", ", constant"), encoding="utf-8")
    assert main(["run", str(design), "--executor", "threads", "--workers", "1", "--progress", "quiet"]) == 0
    capsys.readouterr()
    for file in ("small.yaml", "small.db"):
        assert main(["show", file]) == 0
        out = capsys.readouterr().out
        assert out.startswith("Results: 1 data set × 2 replications × 2 algorithms × 2 measures\n")
        assert "\nmisclassification (lower is better), over replications\n" in out
        assert "\nbrier (lower is better), over replications\n" in out
        assert main(["show", file, "--measure", "brier"]) == 0
        assert "misclassification" not in capsys.readouterr().out
    assert main(["show", "small.db", "--direction", "lower"]) == 2
    assert capsys.readouterr().err == (
        "podium show: `--direction` is for tables of scores; 'small.db' belongs to a run, which records this itself.\n"
    )


def test_a_closed_pipe_is_not_an_error() -> None:
    program = "import sys; from podium.cli import main; sys.exit(main(['datasets']))"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.stderr == ""


def test_a_warehouse_beside_the_design_is_found_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, elsewhere = tmp_path / "there", tmp_path / "here"
    for one in (folder, elsewhere):
        one.mkdir()
    (folder / "toy.yaml").write_text(DESIGN.replace("titanic", "iris"))
    monkeypatch.chdir(folder)
    options = ["--executor", "threads", "--workers", "1", "--progress", "quiet"]
    assert main(["run", "toy.yaml", *options]) == 0
    monkeypatch.chdir(elsewhere)
    assert main(["run", "../there/toy.yaml", *options]) == 0
    assert main(["show", "../there/toy.yaml", "--measure", "misclassification"]) == 0
    assert "read from    warehouse ../there/toy.db" in capsys.readouterr().out
    assert list(elsewhere.iterdir()) == []
    (elsewhere / "toy.db").touch()  # what is here goes first
    assert warehouse_of("../there/toy.yaml") == "toy.db"


def test_times_are_shown_with_significant_digits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "scores.csv"
    rows = [(d, a, error, time) for d in "xyz" for a, error, time in (("a", 0.1, 0.00091), ("b", 0.3, 2.04))]
    lines = [f"{d},{a},{error + ord(d) / 1e4},{time}" for d, a, error, time in rows]
    table.write_text("\n".join(["dataset,algorithm,error,seconds", *lines]) + "\n")
    for words in (["show", str(table)], ["summary", str(table), "--measure", "seconds"], ["summary", str(table)]):
        assert main(words) == 0
        shown = capsys.readouterr().out
        assert "0.000910" in shown and " 2.04" in shown
        assert "0.00 " not in shown


SMALL = DESIGN.replace(", {class: sklearn.svm.SVC}", ", constant")
QUICK = ["--executor", "threads", "--workers", "1", "--progress", "quiet"]


@pytest.fixture
def small(design: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A design of four trials that was run."""
    design.write_text(SMALL, encoding="utf-8")
    assert main(["run", "small.yaml", *QUICK]) == 0
    capsys.readouterr()
    return design


def test_status_counts_by_the_design_file(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "small.yaml"]) == 0
    same = capsys.readouterr()
    assert same.out.startswith("small.db: 4 trials: 4 done\n") and "changed" not in same.out and same.err == ""
    small.write_text(SMALL.replace("replications: 2", "replications: 5"), encoding="utf-8")
    assert main(["status", "small.yaml"]) == 0
    grown = capsys.readouterr().out
    assert grown.startswith("small.db: 10 trials: 4 done, 6 left\n")
    assert grown.endswith("\nsmall.yaml has changed since the last run: replications: 2 before, 5 now\n")
    assert main(["status", "small.yaml", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["counts"]["left"] == 6
    assert facts["changes"] == ["small.yaml has changed since the last run: replications: 2 before, 5 now"]
    assert main(["run", "small.yaml", "--dry-run", "--executor", "threads", "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("6 of 10 trials are left to do.\n")
    assert main(["status", "small.db"]) == 0
    assert capsys.readouterr().out.startswith("small.db: 4 trials: 4 done\n")
    small.write_text(SMALL.replace("constant", "nb"), encoding="utf-8")
    assert main(["status", "small.yaml"]) == 0
    assert "4 trials: 2 done, 2 left" in capsys.readouterr().out


def test_status_refuses_another_design_as_a_run_does(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small.write_text(SMALL.replace("seed: 1", "seed: 7"), encoding="utf-8")
    assert main(["status", "small.yaml"]) == 2
    assert " ".join(capsys.readouterr().err.split()) == (
        "podium status: The warehouse 'small.db' was made with another design: the seed was 1 and is 7 Everything "
        "measured is kept. Use the old design, or another warehouse for the new one. `podium status small.db` shows "
        "the status of what was run."
    )


def test_verbs_for_results_say_that_the_file_differs(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verbs: dict[str, list[str]] = {"show": [], "summary": [], "report": ["--sections", "design"]}
    for verb in ("show", "summary"):
        assert main([verb, "small.yaml"]) == 0
        assert capsys.readouterr().err == ""
    small.write_text(SMALL.replace("replications: 2", "replications: 5"), encoding="utf-8")
    for verb, words in verbs.items():
        assert main([verb, "small.yaml", "--measure", "brier", *words]) == 0
        assert capsys.readouterr().err == (
            f"podium {verb}: small.yaml differs from the design of these results in small.db: "
            "replications: 2 before, 5 now\n"
        )
    small.write_text("datasets: [", encoding="utf-8")
    assert main(["show", "small.yaml"]) == 0
    assert capsys.readouterr().err.startswith("podium show: small.yaml was not compared with the design of these ")


def test_a_file_with_code_of_its_own_is_compared_without_it(
    design: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("own_code.py").write_text(
        "print('imported')\nfrom sklearn.dummy import DummyClassifier\n\n\nclass Own(DummyClassifier):\n    pass\n"
    )
    monkeypatch.syspath_prepend(str(design.parent))
    text = SMALL.replace("constant", "{class: own_code.Own, parameters: {strategy: prior}}")
    design.write_text(text, encoding="utf-8")
    assert main(["run", "small.yaml", *QUICK]) == 0
    capsys.readouterr()
    monkeypatch.delitem(sys.modules, "own_code")
    assert main(["summary", "small.yaml"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "" and "imported" not in shown.out
    design.write_text(text.replace("seed: 1", "seed: 2"), encoding="utf-8")
    assert main(["summary", "small.yaml"]) == 0
    assert "the seed was 1 and is 2\n" in capsys.readouterr().err
    design.write_text(text, encoding="utf-8")
    assert main(["status", "small.yaml"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "podium status: imports own_code, named by small.yaml\n"
    assert "4 trials: 4 done" in shown.out and "has changed" not in shown.out


def test_a_retry_also_runs_what_is_left(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small.write_text(SMALL.replace("replications: 2", "replications: 3"), encoding="utf-8")
    assert main(["retry", "small.yaml", "--status", "failed", *QUICK]) == 0
    assert capsys.readouterr().out.startswith("small.db: 6 trials: 6 done\n")
    for words in (["--help"], ["retry", "--help"]):
        with pytest.raises(SystemExit):
            main(words)
        assert "those that are left" in " ".join(capsys.readouterr().out.split())


STOPPED = """\
datasets: [iris]
algorithms: [lda, constant]
resampling: {bootstrap: {replications: 30}}
measures: [misclassification]
stopping:
  kind: combination
  stages: 3
"""


def test_a_run_stops_as_its_design_says(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design.write_text(STOPPED, encoding="utf-8")
    quick = ["--executor", "threads", "--workers", "1"]
    assert main(["run", str(design), "--dry-run", *quick]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "At most 60 of 60 trials are left to do. Stopping rule: recursive combination test at the overall" in shown
    assert "The error level holds for new resamples of the same data" in shown
    assert main(["run", str(design), "--progress", "quiet", *quick]) == 0
    assert "iris: decided after 10 replications (stage 1): 1 different" in capsys.readouterr().out
    assert main(["status", "small.db", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert status["counts"]["stopped"] == 40
    stopping = status["stopping"]
    assert stopping["saved"] + stopping["superfluous"] == 40
    assert [(made["dataset"], made["ending"], made["replications"]) for made in stopping["decisions"]] == [
        ("iris", "decided", 10)
    ]
    assert main(["describe", str(design)]) == 0
    assert "up to 3 stages of 10" in " ".join(capsys.readouterr().out.split())
    design.write_text(STOPPED.replace("stages: 3", "stages: 2"), encoding="utf-8")
    assert main(["run", str(design), "--progress", "quiet", *quick]) != 0
    assert "accept='stopping' makes the decisions again" in " ".join(capsys.readouterr().err.split())
    assert main(["run", str(design), "--progress", "quiet", "--accept", "stopping", *quick]) == 0
    assert "iris: decided after 15 replications (stage 1)" in capsys.readouterr().out


@pytest.mark.parametrize("width", [60, 80, 100])
def test_problems_that_differ_late_do_not_look_alike(width: int) -> None:
    long = "the columns are not numbers " * 12
    row = {"status": "failed", "algorithm": "SVC", "measure": "", "error_type": "ValueError"}
    problems = count_problems([{**row, "message": long + end} for end in ("in the learning data", "in the test data")])
    lines = problem_lines(problems, width)
    assert max(map(len, lines)) <= width
    first, second = " ".join(" ".join(lines).split()).split("1 × failed")[1:]
    assert "learning data" in first and "test data" in second
