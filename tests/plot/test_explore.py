"""The whole set at one call, from Python and from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from made_results import noisy, several, with_gaps

import podium
from podium.cli import explore as verb
from podium.errors import MissingCellsError
from podium.plot.explore import _figures, explore

TABLES = ["summary.csv", "orders.csv", "intervals.csv", "worst-case.csv", "places.csv", "quartiles.txt"]
FIGURES = ["strip", "box", "density", "histogram", "percentile-intervals", "podium", "podium-lines", "places"]


@pytest.fixture
def quickly(monkeypatch) -> None:
    """Write empty files for figures: drawing them is what is tested, not how matplotlib saves them."""

    def save(drawing: object, path: Path) -> Path:
        path.touch()
        return path

    monkeypatch.setattr("podium.plot.explore.save", save)


@pytest.fixture
def draw_only(monkeypatch, quickly) -> Callable[..., None]:
    """Draw some of the figures only: for what is the same in the others."""

    def choose(*starts: str) -> None:
        def chosen(*arguments):
            for stem, notes, draw in _figures(*arguments):
                yield stem, notes, draw if stem.startswith(starts) else plt.figure

        monkeypatch.setattr("podium.plot.explore._figures", chosen)

    return choose


@pytest.fixture
def undrawn(draw_only) -> None:
    """Draw nothing: for what does not depend on what the figures show."""
    draw_only("nothing")


def small(**options):
    return noisy(3, 8, names=["a", "b", "c"], **options)


def test_one_data_set(tmp_path: Path) -> None:
    written = explore(small(), tmp_path / "new" / "folder", size="column")
    assert [path.name for path in written] == [*TABLES, *(f"{name}.png" for name in FIGURES), "contents.md"]
    assert all(path.stat().st_size > 0 for path in written)
    assert plt.get_fignums() == []


def test_several_data_sets_get_a_trellis_on_pages(tmp_path: Path, monkeypatch, draw_only) -> None:
    draw_only("trellis-strip")  # the last page has one panel
    monkeypatch.setattr("podium.plot.explore.PANELS_ON_A_PAGE", 2)
    names = [path.name for path in explore(several(m=3), tmp_path)]
    assert [name for name in names if name.startswith("trellis")] == [
        "trellis-box-1.png",
        "trellis-strip-1.png",
        "trellis-podium-1.png",
        "trellis-box-2.png",
        "trellis-strip-2.png",
        "trellis-podium-2.png",
    ]


@pytest.mark.usefixtures("undrawn")
def test_data_sets_with_one_value_each_get_none(tmp_path: Path) -> None:
    assert not [path for path in explore(several(m=3, b=1), tmp_path) if path.name.startswith("trellis")]


def test_several_measures_and_formats(tmp_path: Path, draw_only) -> None:
    draw_only("time")
    error = small()
    labels = {"replication": error.replications, "algorithm": error.algorithms}
    times = podium.read(9 * error.values[0, :, :, 0], labels=labels, measure="fit time", dataset=error.datasets[0])
    both = error.combine(times)
    written = explore(both, tmp_path, formats=["svg", "pdf"])
    names = {path.name for path in written}
    assert {"score-summary.csv", "fit-time-box.svg", "fit-time-time.pdf", "score-podium.svg"} <= names
    assert not {"score-time.svg", "score-time.pdf"} & names
    one = explore(both, tmp_path / "one", measures=["score"])
    assert one[0].name == "summary.csv"


@pytest.mark.usefixtures("undrawn")
def test_contents_names_every_file_and_explains_every_column(tmp_path: Path) -> None:
    written = explore(small(), tmp_path)
    contents = (tmp_path / "contents.md").read_text(encoding="utf-8")
    for path in written[:-1]:
        assert f"`{path.name}`" in contents
    for column in pd.read_csv(tmp_path / "summary.csv", index_col=0).columns:
        assert f"  - {column}: " in contents


@pytest.mark.parametrize("missing", ["drop-block", "drop-algorithm", "worst-value", "available", "worst-rank"])
def test_missing_cells_by_any_policy(missing: str, tmp_path: Path, draw_only) -> None:
    # One of those with the same options each; all of them with the policy that is two policies.
    draw_only(*("",) if missing == "worst-rank" else ("strip", "podium-lines", "places", "trellis-strip"))
    results = with_gaps(several(m=2, b=4), (0, 1, 2), (1, 2, 2))
    assert explore(results, tmp_path, missing=missing)
    places = pd.read_csv(tmp_path / "places.csv", index_col=0)
    assert len(places) == (2 if missing == "drop-algorithm" else 3)


@pytest.mark.usefixtures("undrawn")
def test_by_default_the_available_cells_are_used_and_the_others_counted(tmp_path: Path) -> None:
    results = with_gaps(small(), (0, 1, 2))
    explore(results, tmp_path)
    title = (tmp_path / "contents.md").read_text(encoding="utf-8").splitlines()[0]
    assert title.endswith(f", 1 of {results.values.size} cells missing")
    counted = pd.read_csv(tmp_path / "summary.csv", index_col=0)["n"]
    assert counted.sum() == results.values.size - len(results.algorithms)  # without the block of that cell
    explore(small(), tmp_path)
    assert "missing" not in (tmp_path / "contents.md").read_text(encoding="utf-8").splitlines()[0]
    with pytest.raises(MissingCellsError):
        explore(results, tmp_path, missing="raise")


# The command line


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    verb.add_parser(parser.add_subparsers())
    args = parser.parse_args(["explore", *words])
    return args.run(args)


@pytest.mark.usefixtures("undrawn")
def test_the_verb_writes_and_lists_the_set(tmp_path: Path, capsys) -> None:
    small().write(tmp_path / "scores.csv")
    out = tmp_path / "look"
    assert run(str(tmp_path / "scores.csv"), "--out", str(out), "--format", "svg") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == str(out / "summary.csv")
    assert {Path(line).name for line in printed} == {path.name for path in out.iterdir()}
    assert (out / "podium.svg").exists()
