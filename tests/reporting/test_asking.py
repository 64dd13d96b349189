"""How a report is asked for: options of `read`, names of sections, paths, and blocks that are made wrongly."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import podium
from podium.errors import InputError
from podium.reporting import Code


def wide() -> pd.DataFrame:
    """A table that names neither its measure nor which values are better."""
    return pd.DataFrame(
        {"ada": [0.7, 0.8, 0.6, 0.9], "bob": [0.6, 0.7, 0.5, 0.8], "cleo": [0.5, 0.9, 0.4, 0.7]},
        index=pd.Index(["u", "v", "w", "x"], name="dataset"),
    ).reset_index()


def command_of(report: podium.Report) -> str:
    return [block.text for block in report.section("provenance").blocks if isinstance(block, Code)][0]


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
    frame = podium.datasets.load_ulas2008().to_long()
    both = pd.concat([frame.assign(measure="accuracy"), frame.assign(measure="recall")])
    report = podium.report(both, measure="recall", sections=["design"])
    assert report.subtitle.endswith("by recall")
    assert "accuracy" in report.markdown()


def test_options_of_read_are_for_tables_only() -> None:
    results = podium.datasets.load_demsar2006()
    with pytest.raises(InputError, match="`direction` says how a table is read; .* has been read"):
        podium.report(results, direction="lower")
    with pytest.raises(InputError, match=r"Did you mean 'direction'\?"):
        podium.report(wide(), measure="regret", directoin="lower")
