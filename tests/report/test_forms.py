"""The forms of a report: the same numbers in each, names as text, equal bytes for equal sources, errors that say why."""

from __future__ import annotations

import base64
import csv
import dataclasses
import hashlib
import re
import shlex
import shutil
import subprocess
import warnings
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from report_sources import SOURCES, TITLES, cube
from report_words import cautions

import podium
from podium.errors import InputError, MissingCellsError, MissingLettersWarning
from podium.show.report import Code, Figure, Paragraph, Section, Tabular
from shared_files import made_once

COSTS = ["inference", "costs"]  # sections with tables and two figures


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> tuple[podium.show.report.Report, Path]:
    """Some sections of a report with costs, in all forms."""
    title, authors = TITLES["costs"]
    report = podium.report(SOURCES["costs"](), sections=COSTS, title=title, authors=authors)
    return report, made_once(tmp_path_factory, "sections on costs", report.write)


def test_a_folder_has_everything(costs: tuple[podium.show.report.Report, Path]) -> None:
    report, folder = costs
    figures = {block.name for s in report.sections for block in s.blocks if isinstance(block, Figure)}
    tables = {block.name for s in report.sections for block in s.blocks if isinstance(block, Tabular)}
    assert {path.stem for path in (folder / "figures").glob("*.svg")} == figures
    assert {path.stem for path in (folder / "figures").glob("*.pdf")} == figures
    assert tables <= {path.stem for path in (folder / "tables").glob("*.csv")}
    assert {path.name for path in folder.glob("report.*")} == {"report.html", "report.md", "report.tex"}


def test_all_forms_have_the_same_numbers(costs: tuple[podium.show.report.Report, Path]) -> None:
    report, folder = costs
    pages = {ending: (folder / f"report.{ending}").read_text(encoding="utf-8") for ending in ("html", "md", "tex")}
    plain = {
        "html": unescape(re.sub(r"<[^>]+>", "", pages["html"])),
        "md": pages["md"].replace("\\", ""),
        "tex": pages["tex"].replace("$", "").replace("\\", ""),
    }
    pairs = next(b for b in report.section("inference").blocks if isinstance(b, Tabular)).table
    cells = [cell.text for row in pairs.rows for cell in row if cell.is_number and "<" not in cell.text]
    assert len(cells) > 6
    for cell in cells:
        for form, page in plain.items():
            assert cell in page, (form, cell)


def test_the_order_by_cost_is_that_of_multi2test(costs: tuple[podium.show.report.Report, Path]) -> None:
    found = podium.multi2test(SOURCES["costs"](), "error", cost="fit time")
    with (costs[1] / "tables" / "costs.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["Algorithm"] for row in rows] == list(found.order)


AGAIN = """
import sys
sys.path.insert(0, sys.argv[1])
import podium
from report_sources import SOURCES, TITLES
title, authors = TITLES["costs"]
podium.report(SOURCES["costs"](), title=title, authors=authors).write(sys.argv[2] + "/whole.html")
some = podium.report(SOURCES["costs"](), title=title, authors=authors, sections=sys.argv[3:])
some.write(sys.argv[2] + "/sections")
"""


def test_equal_sources_give_equal_bytes(
    costs: tuple[podium.show.report.Report, Path],
    made: Callable[[str], Any],
    run_python: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    # In another process, where sets have another order.
    done = run_python(AGAIN, str(Path(__file__).parent), str(tmp_path), *COSTS, MPLBACKEND="Agg")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "whole.html").read_bytes() == made("costs").page.read_bytes()
    first, second = contents(costs[1]), contents(tmp_path / "sections")
    assert {Path(name).suffix for name in first} == {".html", ".md", ".tex", ".csv", ".svg", ".pdf"}
    assert sorted(first) == sorted(second)
    assert [name for name, content in first.items() if content != second[name]] == []


def test_a_form_alone_is_that_of_the_folder(tmp_path: Path) -> None:
    report = podium.report(SOURCES["costs"](), sections=["order", "methods"])
    for form in ("folder", "alone.html", "alone.md", "alone.tex"):
        report.write(tmp_path / form)
    whole = contents(tmp_path / "folder")
    for name, content in contents(tmp_path).items():
        if name.startswith("alone."):
            text = content.replace(b"alone-figures/", b"figures/")
            assert text == whole[name.replace("alone", "report")]
        elif name.startswith("alone-figures/"):
            assert content == whole[name.replace("alone-", "")]
    drawn = {path.name for path in (tmp_path / "alone-figures").iterdir()}
    assert drawn == {"hasse.svg", "hasse.pdf"}


def contents(top: Path) -> dict[str, bytes]:
    """The files of a folder, by their paths in it."""
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


def test_the_order_of_rows_changes_no_fingerprint() -> None:
    results = cube(5, 1, 3)
    shuffled = podium.read(results.to_long().sample(frac=1.0, random_state=1), direction="lower")
    prints = [
        next(b for b in podium.report(one, sections=["provenance"]).sections[0].blocks if isinstance(b, Tabular))
        for one in (results, shuffled)
    ]
    assert prints[0].table.rows[0][1].text == prints[1].table.rows[0][1].text


@pytest.fixture(scope="module")
def hostile(made: Callable[[str], Any]) -> Path:
    """The folder of a report on hostile names, in all forms."""
    return made("hostile").folder


def test_names_are_text(hostile: Path) -> None:
    page = (hostile / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert page.count("&lt;script&gt;") > 5
    assert "\x1b" not in page
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in page
    assert not re.search(r"(?:src|href)=['\"](?!#)", page)
    document = (hostile / "report.tex").read_text(encoding="utf-8")
    assert "\\input{x}" not in document
    files = [path.name for path in hostile.rglob("*") if path.is_file()]
    assert all(re.fullmatch(r"[a-z0-9-]+\.[a-z]+", name) for name in files)
    for path in (hostile / "tables").glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            assert not any(cell.startswith("=") for row in csv.reader(file) for cell in row), path.name


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed; scripts/setup installs it")
def test_the_document_compiles(hostile: Path) -> None:
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=hostile,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
    )
    assert run.returncode == 0, run.stdout[-2000:]
    assert "Overfull" not in run.stdout  # nothing is beyond the margin
    assert (hostile / "report.pdf").stat().st_size > 50_000


@pytest.mark.usefixtures("in_this_process")
def test_the_experiment_that_the_user_gives_is_told(tmp_path: Path) -> None:
    experiment = podium.Experiment(
        datasets=["iris"],
        algorithms=["lda", "nb"],
        resampling=podium.Bootstrap(replications=4),
        measures=["misclassification", "fit time"],
        seed=1,
    )
    podium.run(experiment, warehouse=tmp_path / "first.db", progress="quiet")

    def told(source: str, **options: Any) -> bool:
        report = podium.report(tmp_path / source, sections=["design"], **options)
        texts = [block.text for block in report.sections[0].blocks if isinstance(block, Paragraph)]
        return any("bootstrap" in text for text in texts)

    design = experiment.to_file(tmp_path / "first.yaml")
    assert told("first.db", experiment=experiment) and told("first.db", experiment=design) and told("first.yaml")
    assert not told("first.db")
    (first,) = podium.report(tmp_path / "first.db", sections=["answer"]).sections
    assert first.blocks[0].importance == "lead"


def test_early_ends_are_told() -> None:
    results = cube(2, 4, 3)
    reasons = results.reasons.copy()
    reasons[0, 2:, :, :] = reasons[1, 3:, 2, :] = 6  # stopped
    values = results.values.copy()
    values[reasons == 6] = np.nan
    stopped = results.replace(values=values, reasons=reasons)
    section = podium.report(stopped, sections=["stopping"]).sections[0]
    assert "7 of 24 trials (29.2%) were never run" in section.blocks[0].text
    assert [[cell.text for cell in row] for row in section.blocks[1].table.rows] == [
        ["d0", "4", "2", "–"],
        ["d1", "4", "4", "a2"],
    ]


def test_nothing_to_report_on() -> None:
    with pytest.raises(InputError, match="no value to report on"):
        podium.report(cube(2, 1, 2, holes=1.0))
    experiment = podium.Experiment(["iris"], ["lda", "nb"], podium.Bootstrap(2), ["misclassification"])
    with pytest.raises(InputError, match="an Experiment has none yet"):
        podium.report(experiment)


def test_the_policy_of_the_page_is_strict() -> None:
    page = podium.report(cube(6, 2, 3), sections=["answer"]).html()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy is not None
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy[1] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert "style=" not in page


@pytest.mark.usefixtures("in_this_process")
def test_a_run_tells_its_decisions_and_characteristics(tmp_path: Path) -> None:
    experiment = podium.Experiment(
        datasets=[podium.Dataset.generated("twonorm", n=40), podium.Dataset.generated("ringnorm", n=40)],
        algorithms=["nb", "constant"],
        resampling=podium.FreshDraws(replications=12, n_test=50),
        measures="misclassification",
        characteristics=["obs.n"],
        stopping=podium.Stopping(kind="group sequential", stages=3),
    )
    podium.run(experiment, warehouse=tmp_path / "race.db", progress="quiet", executor="threads", workers=1)
    report = podium.report(tmp_path / "race.db", sections=["tree", "stopping"])
    with podium.Warehouse(tmp_path / "race.db", readonly=True) as warehouse:
        last = {decision.dataset: decision for decision in warehouse.decisions()}
    decided = next(b for b in report.section("stopping").blocks if isinstance(b, Tabular) and b.name == "decisions")
    rows = {row[0].text: [cell.value for cell in row] for row in decided.table.rows}
    assert set(rows) == set(last)
    for name, decision in last.items():
        (pair,) = decision.pairs
        assert rows[name][2:] == [
            pair.a,
            pair.b,
            {"better": "better than b", "worse": "worse than b", "open": "still open"}[pair.outcome],
            pair.stage,
            pair.replications,
            pytest.approx(pair.estimate),
        ]
    assert "characteristics=frame" not in report.section("tree").blocks[0].text


def test_the_command_says_all_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    cube(6, 1, 3).write(path)

    def command(**options: object) -> str:
        report = podium.report(path, sections=["provenance"], **options)
        return next(block.text for block in report.sections[0].blocks if isinstance(block, Code))

    shell = command(alpha=0.1, equivalence=(-0.01, 0.02), title="A b", authors=["X", "Y"], seed=3)
    assert shlex.split(shell) == [
        *("podium", "report", str(path), "--alpha", "0.1", "--equivalence=-0.01,0.02", "--title", "A b"),
        *("--author", "X", "--author", "Y", "--sections", "provenance", "--seed", "3"),
    ]
    design = podium.Experiment("iris", "lda", "bootstrap", "accuracy")
    file = design.to_file(tmp_path / "design.yaml")
    assert shlex.split(command(experiment=file))[-2:] == ["--experiment", str(file)]
    assert command(experiment=design).endswith(", sections=['provenance'], experiment=experiment)")
    frame = pd.DataFrame({"size": range(6)}, index=[f"d{i}" for i in range(6)])
    assert command(characteristics=frame) == (
        f"podium.report({str(path)!r}, sections=['provenance'], characteristics=characteristics)"
    )


@pytest.fixture(scope="module")
def ulas() -> podium.Results:
    """Accuracies of ten folds, and two costs that are known once per data set, as in the tables of the report."""
    parts = [
        podium.examples.load_ulas2008(measure).to_long().assign(measure=measure)
        for measure in ("accuracy", "training time", "space")
    ]
    return podium.read(pd.concat(parts), direction={"accuracy": "higher", "training time": "lower", "space": "lower"})


def test_costs_that_are_known_once_per_data_set(ulas: podium.Results) -> None:
    report = podium.report(ulas, sections=["answer", "design", "costs", "cautions"])
    found = podium.multi2test(podium.examples.load_ulas2008(), cost=podium.examples.load_ulas2008("training time"))
    shown = next(block.table for block in report.section("costs").blocks if isinstance(block, Tabular))
    assert [row[0].value for row in shown.rows] == list(found.order)
    heads = [column.name for column in shown.columns]
    assert [row[heads.index("Mean rank")].value for row in shown.rows] == pytest.approx(found.frame()["mean_rank"])
    design, complete = report.section("design").blocks
    facts = {row[0].text: row[1].text for row in design.table.rows}
    assert facts["Replications"] == "10 each; space and training time once per data set"
    # 38 data sets × 8 algorithms × (10 accuracies, a time and a space)
    assert complete.text == "The table is complete: all 3,648 cells have a value."
    alone = podium.report(podium.examples.load_ulas2008(), sections=["answer", "cautions"])
    assert cautions(report) == cautions(alone)
    assert report.section("answer").blocks[0].text == alone.section("answer").blocks[0].text


def test_gaps_are_counted_measure_by_measure(ulas: podium.Results) -> None:
    values = ulas.values.copy()
    names = ulas.measure_names
    values[0, :, 0, names.index("space")] = np.nan  # the one value there is
    values[1, :3, 0, names.index("accuracy")] = np.nan  # the first replication has the costs only
    _, said, where = podium.report(ulas.replace(values=values), sections=["design"]).section("design").blocks
    assert said.text.startswith("3 of 3,648 cells (0.1%) have no value")
    assert [[cell.text for cell in row] for row in where.table.rows] == [
        ["australian", "5nn", "space", "absent", "1"],
        ["balance", "5nn", "accuracy", "absent", "2"],
    ]


def test_missing_cells_are_refused_where_that_is_the_policy(ulas: podium.Results) -> None:
    assert podium.report(ulas, missing="raise", sections=["design"]).sections  # costs are known once per data set
    values = ulas.values.copy()
    values[1, :3, 0, ulas.measure_names.index("accuracy")] = np.nan
    gaps = ulas.replace(values=values)
    with pytest.raises(MissingCellsError, match="2 of 3,648 cells are missing: 5nn on balance"):
        podium.report(gaps, missing="raise", sections=["design"])


def test_without_a_measure_it_is_about_the_first_that_is_not_a_cost() -> None:
    report = podium.report(SOURCES["demo"](), sections=["design"])
    assert report.subtitle == "8 algorithms on 6 data sets by misclassification"


@pytest.mark.parametrize("policy", ["worst-rank", "available", "drop-block"])
def test_a_data_set_without_any_value_is_no_block(policy: str) -> None:
    values = np.random.default_rng(1).normal(size=(9, 3)) + np.arange(3)
    values[3, 1] = np.nan
    labels = {"dataset": [f"d{i}" for i in range(9)], "algorithm": list("abc")}
    whole = podium.read(
        values[:8], labels={**labels, "dataset": labels["dataset"][:8]}, measure="loss", direction="lower"
    )
    values[8] = np.nan
    results = podium.read(values, labels=labels, measure="loss", direction="lower")
    names = ["answer", "inference", "order", "domain"]
    with_empty, without = (podium.report(one, missing=policy, sections=["design", *names]) for one in (results, whole))
    for name in names:
        texts = [
            [block.text for block in one.section(name).blocks if hasattr(block, "text")]
            for one in (with_empty, without)
        ]
        left_out = " Left out, because fewer than two algorithms share a replication there: d8."
        assert [text.replace(left_out, "") for text in texts[0]] == texts[1]
    (_, said, _) = with_empty.section("design").blocks
    assert said.text.endswith(" On d8 no algorithm has a value of loss: analyses of loss leave it out.")
    found = podium.compare(results, missing=policy)
    assert found.n == podium.compare(whole, missing=policy).n
    assert found.adjusted.tolist() == podium.compare(whole, missing=policy).adjusted.tolist()


def test_letters_that_no_font_has_are_told_once(tmp_path: Path) -> None:
    results = cube(6, 1, 3)
    names = ["\ue123", "\ue124", "knn"]
    odd = podium.read(
        results.values[:, 0, :, 0], labels={"dataset": results.datasets, "algorithm": names}, direction="lower"
    )
    report = podium.report(odd, sections=["answer", "distributions"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        report.write(tmp_path / "report.tex")
    (one,) = [warning.message for warning in caught]
    assert isinstance(one, MissingLettersWarning)
    assert one.letters == ("\ue123", "\ue124")


def test_other_warnings_of_figures_are_passed_on(tmp_path: Path) -> None:
    def draw() -> object:
        warnings.warn("odd", UserWarning, stacklevel=1)
        return podium.plot.box(cube(6, 1, 3))

    section = Section("own", "Own", (Figure("own", "A box plot.", draw),))
    with pytest.warns(UserWarning, match="odd"):
        podium.report(cube(6, 1, 3), tmp_path / "report.tex", sections=[lambda _: section])


def test_a_document_shows_a_page_of_a_long_table() -> None:
    hundred = podium.report(cube(7, 1, 100), sections=["distributions", "inference", "order"]).latex()
    assert hundred.count(r"\\") < 100
    assert "The first 10 of 4,950 rows" in hundred
    ulas = podium.report(podium.examples.load_ulas2008(), sections=["distributions", "inference"]).latex()
    assert "The first 10 of 38 rows" in ulas
    assert ulas.count("tables/pairs.csv") == 0  # 28 rows fit a page
    assert ulas.count("\nsv2 & c45 & ") == 1


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed; scripts/setup installs it")
@pytest.mark.parametrize("letters", ["A very long name of an algorithm with all of its parameters, ", "алгоритм "])
def test_long_names_and_other_alphabets_stay_on_the_page(letters: str, tmp_path: Path) -> None:
    values = np.random.default_rng(1).normal(size=(6, 3, 4)) + np.arange(4)
    labels = {
        "dataset": [f"A data set with a very long name that goes on and on until its end {i}" for i in range(6)],
        "replication": [1, 2, 3],
        "algorithm": [f"{letters}number {i}" for i in range(4)],
    }
    results = podium.read(values, labels=labels, measure="loss", direction="lower")
    report = podium.report(results, sections=["distributions", "inference", "cautions"])
    sections = [
        dataclasses.replace(one, blocks=tuple(block for block in one.blocks if not isinstance(block, Figure)))
        for one in report.sections
    ]
    (tmp_path / "report.tex").write_text(
        dataclasses.replace(report, sections=tuple(sections)).latex(), encoding="utf-8"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120)
    assert run.returncode == 0, run.stdout[-2000:]
    assert "Overfull" not in run.stdout


def test_references_are_those_of_the_methods() -> None:
    blocks = podium.report(podium.examples.load_ulas2008(), sections=["methods"]).sections[0].blocks
    bibtex = next(block.text for block in blocks if isinstance(block, Code))
    assert [line.split("{")[1].rstrip(",") for line in bibtex.splitlines() if line.startswith("@")] == [
        "benavoli2016",
        "demsar2006",
        "eugster2011",
        "garcia2008",
        "kemeny1972",
    ]
