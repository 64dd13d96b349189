"""How a report is asked for: options of `read`, names of sections, paths, and blocks that are made wrongly."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import podium
from podium.cli import main
from podium.errors import InputError
from podium.show.report import Analyses, Code, Paragraph, Section


def wide() -> pd.DataFrame:
    """A table that names neither its measure nor which values are better."""
    return pd.DataFrame(
        {"ada": [0.7, 0.8, 0.6, 0.9], "bob": [0.6, 0.7, 0.5, 0.8], "cleo": [0.5, 0.9, 0.4, 0.7]},
        index=pd.Index(["u", "v", "w", "x"], name="dataset"),
    ).reset_index()


def closing(analyses: Analyses) -> Section:
    return Section("closing", "Closing", (Paragraph("The end."),))


def command_of(report: podium.show.report.Report) -> str:
    return next(block.text for block in report.section("provenance").blocks if isinstance(block, Code))


def test_options_of_read_are_those_of_a_report(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    wide().to_csv(file, index=False)
    few = {"sections": ["design", "provenance"]}
    for source in (wide(), file, str(file)):
        report = podium.report(source, measure="accuracy", **few)
        assert report.subtitle == "3 algorithms on 4 data sets by accuracy"
    lower = podium.report(wide(), measure="regret", direction="lower", sections=["answer"])
    assert lower.subtitle.endswith("by regret")
    assert lower.section("answer").blocks[0].text.startswith("cleo has the best mean rank")
    rows = podium.report(wide().drop(columns="dataset"), measure="accuracy", rows="replication", **few)
    assert rows.subtitle == "3 algorithms on 1 data set by accuracy"
    told = command_of(podium.report(file, measure="regret", direction="lower", **few))
    assert told.endswith("--measure regret --sections design provenance --direction lower")
    told = command_of(podium.report(file, measure="regret", direction={"regret": "lower"}, **few))
    assert told.endswith("sections=['design', 'provenance'], direction={'regret': 'lower'})")


def test_the_other_measures_of_a_table_stay() -> None:
    frame = podium.examples.load_ulas2008().to_long()
    both = pd.concat([frame.assign(measure="accuracy"), frame.assign(measure="recall")])
    report = podium.report(both, measure="recall", sections=["design"])
    assert report.subtitle.endswith("by recall")
    assert "accuracy" in report.markdown()


def test_options_of_read_are_for_tables_only() -> None:
    results = podium.examples.load_demsar2006()
    with pytest.raises(InputError, match=r"`direction` says how a table is read; .* has been read"):
        podium.report(results, direction="lower")
    with pytest.raises(InputError, match=r"Did you mean 'direction'\?"):
        podium.report(wide(), measure="regret", directoin="lower")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sections": ["answer"], "without": "answer"}, "no section is left"),
        ({"sections": ["anwser"]}, r"`sections` names 'anwser'; .* Did you mean 'answer'\?"),
        ({"sections": [lambda analyses: "x"]}, r"must return a podium\.show\.report\.Section; <lambda> returned 'x'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        podium.report(wide(), measure="accuracy", **options)


def test_a_slash_makes_a_folder(tmp_path: Path) -> None:
    few = {"measure": "accuracy", "sections": ["design"]}
    podium.report(wide(), f"{tmp_path}/v1.2/", **few)
    assert (tmp_path / "v1.2" / "report.html").exists()
    podium.report(wide(), **few).write(f"{tmp_path}/v1.3/")
    assert (tmp_path / "v1.3" / "report.tex").exists()
    with pytest.raises(InputError, match=r"or be a folder, .*; got 'v1\.4'"):
        podium.report(wide(), tmp_path / "v1.4", **few)
    wide().to_csv(tmp_path / "wide.csv", index=False)
    words = ["report", str(tmp_path / "wide.csv"), "--measure", "accuracy", "--sections", "design"]
    assert main([*words, "--out", f"{tmp_path}/v1.5/"]) == 0
    assert (tmp_path / "v1.5" / "report.md").exists()
