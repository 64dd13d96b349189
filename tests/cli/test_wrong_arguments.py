"""Whatever is wrong with a command, it ends with status 2 and one plain line, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

import podium
from podium.cli import VERBS, main

# FILE stands for each of the wrong files below.
FILES = {"missing": "none.{}", "folder": "folder.{}", "empty": "empty.{}", "garbage": "garbage.{}"}
WITH_FILE = [
    ("show FILE", "csv parquet json yaml db"),
    ("datasets FILE", "arff"),
    ("run FILE", "yaml json"),
    ("status FILE", "db"),
    ("warehouse merge FILE good.db", "dir/db"),
    ("warehouse import FILE new.db", "csv parquet"),
]
WITHOUT_FILE = [
    "nonsense",
    "--nonsense",
    "show",
    "show good.csv --nonsense",
    "show good.csv --measure nonsense",
    "show good.csv --direction accuracy=",
    "show good.csv --column nonsense",
    "show good.csv --missing nonsense",
    "show good.db --direction lower",
    "compare good.csv --alpha many",
    "table good.csv --out none/table.tex",
    "plot",
    "plot box good.csv --out box.docx",
    "export good.csv scores.docx",
    "init good.yaml",
    "completion tcsh",
    "explore good.csv --out good.csv/look",
    "datasets iris --task nonsense",
    "run good.yaml --workers 0",
    "run good.yaml --memory-per-fit much",
    "run good.yaml --warehouse garbage.db",
    "run good.yaml --warehouse mysql://here",
    "run good.yaml --warehouse /dev/null/new.db",
    "retry good.yaml --status",
    "demo --replications many",
    "demo --out /proc/demo",
    "warehouse nonsense",
    "warehouse merge good.db",
    "warehouse export good.db /dev/full/trials.parquet",
    "show no\0thing.csv",
]
DESIGN = """\
datasets: [iris]
algorithms: [constant]
resampling: {bootstrap: {replications: 1}}
measures: [accuracy]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some good files, and for each extension a folder, an empty file and one with garbage."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "good.csv").write_text("algorithm,replication,accuracy\nsvm,1,0.9\nsvm,2,0.8\nknn,1,0.7\nknn,2,0.6\n")
    (folder / "good.yaml").write_text(DESIGN)
    podium.run(
        podium.Experiment.from_file(folder / "good.yaml"),
        folder / "good.db",
        executor="threads",
        workers=1,
        progress="quiet",
    )
    for ending in ("csv", "parquet", "json", "yaml", "db", "arff"):
        (folder / f"folder.{ending}").mkdir()
        (folder / f"empty.{ending}").touch()
        (folder / f"garbage.{ending}").write_bytes(bytes(range(256)) * 20)
        (folder / f"garbage.design.{ending}").write_bytes(bytes(range(256)))
    return folder


def commands() -> list[str]:
    made = [
        words.replace("FILE", name.format(ending))
        for words, endings in WITH_FILE
        for ending in endings.split()
        for name in FILES.values()
        if not (ending == "dir/db" and name.startswith(("empty", "none")))
    ]
    return [*made, *WITHOUT_FILE]


@pytest.mark.parametrize("command", commands())
def test_a_wrong_command_ends_with_one_plain_line(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    before = {path: path.stat().st_size for path in folder.rglob("*")}
    try:
        status = main(command.split())
    except SystemExit as stop:  # of argparse
        status = stop.code
    shown = capsys.readouterr()
    assert status == 2
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    assert shown.err.startswith("podium")
    assert {path: path.stat().st_size for path in folder.rglob("*")} == before


@pytest.mark.parametrize("file", ["good.db", "good.yaml"])
@pytest.mark.parametrize("verb", ["report", "multitest", "show"])
def test_every_verb_refuses_a_measure_that_a_run_does_not_have(
    verb: str, file: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    more = {"multitest": ["--cost", "accuracy"], "show": []}.get(verb, ["--out", "new.html"])
    assert main([verb, file, "--measure", "Accuracy", *more]) == 2
    assert capsys.readouterr().err == (
        f"podium {verb}: `measure` names 'Accuracy', which these results do not contain. There is one measure, "
        "'accuracy'. Did you mean 'accuracy'?\n"
    )
    assert not (folder / "new.html").exists()


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_has_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert f"podium {verb}" in shown[shown.index("example") :]
