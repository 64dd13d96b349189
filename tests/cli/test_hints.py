"""Messages of the command line name its options, and suggest what was meant."""

from __future__ import annotations

import argparse
import re
from contextlib import suppress
from pathlib import Path

import pytest

import podium
from podium.cli import build_parser, main

WIDE = "dataset,svm,knn,lda\nd1,.91,.88,.80\nd2,.90,.86,.81\nd3,.93,.90,.84\n"
MESSY = (
    "Benchmark Name;Klassifikator;Lauf Nr.;Acc. (test) %;train-time [ms]\n"
    "Köln;SVM;1;94,7%;464\nKöln;Baum;1;81,9 %;143\nBonn;SVM;1;90%;400\nBonn;Baum;1;;120\n"
)
TIMES = "replication,algorithm,fit time\n" + "".join(f"{b},svm,{b}.5\n{b},knn,{b * b}.25\n" for b in range(1, 11))


DESIGN = """\
datasets: [iris]
algorithms: [constant]
resampling: {bootstrap: {replications: 1}}
measures: [accuracy]
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wide.csv").write_text(WIDE)
    Path("messy.csv").write_text(MESSY)
    Path("times.csv").write_text(TIMES)
    Path("y.yaml").write_text(DESIGN)
    Path("grouped.yaml").write_text(DESIGN.replace("bootstrap: {replications: 1}", "cross-validation: {grouped: true}"))
    Path("rule.yaml").write_text(DESIGN.replace("[constant]", "{candidate: knn, parameters: {k: x}}"))
    podium.Warehouse("y.db").close()


MESSAGES = {
    "run y.yaml --seconds 0": "podium run: `--seconds` must be a positive number of seconds, or left out for no limit; "
    "got 0.0.",
    "plot density wide.csv --measure accuracy --set overlay=3": "podium plot: `overlay` must be true or false; got 3.",
    "plot box wide.csv --measure accuracy --set bins=3": "podium plot: `podium plot box` has no option 'bins'. It has "
    "'measure', 'reach', 'order', 'most', 'missing', 'size', 'orientation', 'palette', 'title'.",
    "plot box wide.csv --measure accuracy --set palette=3": "podium plot: `palette` must be a mapping from names to "
    "colours; got an int.",
    "plot stages wide.csv --measure accuracy": "podium plot: The figure 'stages' cannot be drawn from scores alone. "
    "Use podium.plot.stages in Python.",
    "plot dataset_effects wide.csv --measure accuracy": "podium plot: The effects of data sets need a domain model, "
    "which is fitted to several data sets with replications.",
    "summary wide.csv --measure accuracy --statistic mode": "podium summary: `--statistic` must be one of 'mean', "
    "'median', 'min', 'max', 'best', 'worst', 'sd', 'iqr', 'range', 'q25', 'q95' (any of q0 to q100); got 'mode'.",
    "consensus wide.csv --measure accuracy --per measure": "podium consensus: One relation per measure needs one data "
    "set; these results have 3. Keep one of them in the file.",
    "multitest times.csv --cost memory": "podium multitest: `--cost` must be a measure of the results, 'fit time'; got "
    "'memory'. `podium multitest` takes costs of your own: `--cost-file` or `--prior`.",
    "multitest wide.csv --measure accuracy --cost memory": "podium multitest: `--cost` must be a measure of the results, "
    "'accuracy'; got 'memory'. `podium multitest` takes costs of your own: `--cost-file` or `--prior`.",
    "multitest wide.csv --measure accuracy --prior svm,knn,lda": "podium multitest: Data set 'd1' has one replication, "
    "and its pairs cannot be tested. Compare the data sets instead: `podium compare`.",
    "sequential times.csv --kind betting": "podium sequential: --kind betting needs to know between which values 'fit "
    "time' lies, and its name does not imply them. For a measure without bounds use --kind asymptotic.",
    "describe grouped.yaml": "podium describe: grouped.yaml:1: `grouped: true` needs groups, and 'iris' has none. Name "
    "the column that holds them: `groups` of the data set.",
    "describe rule.yaml": "podium describe: rule.yaml:2: `k` of the candidate 'knn' must be a whole number of at least "
    "1, or null for its rule; got 'x'.",
    "sumary wide.csv": "podium: there is no verb 'sumary'. Did you mean 'summary'? See `podium --help`.",
    "xyz": "podium: there is no verb 'xyz'. See `podium --help`.",
    "summary wide.csv --mesure accuracy": "podium summary: there is no option '--mesure'. Did you mean '--measure'? See `podium summary --help`.",
    "plot tim wide.csv": "podium plot: NAME must be that of a figure; `podium plot list` lists them. Got 'tim'. Did you "
    "mean 'time'?",
    "plot summary wide.csv --measure accuracy": "podium plot: The algorithms cannot be compared by a test on each data "
    "set: there is one replication only. Order them by their values, --statistic mean, or compare them over all data "
    "sets: `podium compare`.",
    "show messy.csv": "podium show: The columns 'Benchmark Name', 'Klassifikator' hold text, so this is not a plain wide "
    "table. If one of them names the algorithms, say so: --column algorithm=Klassifikator; if one names the data sets: "
    "--column 'dataset=Benchmark Name'.",
    "show messy.csv --column algorithm=Klassifikator": "podium show: The column 'Benchmark Name' holds text and has no "
    "known role. Say what it is with --column dataset=... --column replication=..., or name the columns that are "
    "measures: --measure 'train-time [ms]'.",
    "explorer wide.csv --measure accuracy --out x.pdf": "podium explorer: `--out` must end in .html; got 'x.pdf'.",
    "compare wide.csv --measure accuracy --missing drop": "podium compare: `--missing` must be one of 'raise', "
    "'drop-block', 'drop-algorithm', 'worst-rank', 'worst-value', 'available'; got 'drop'. Did you mean 'drop-block' or "
    "'drop-algorithm'?",
    "compare wide.csv --measure accuracy --method nemenyi --missing available": "podium compare: `--missing available` "
    "does not apply to --method nemenyi: it leaves blocks with missing cells, and complete ones are needed. Use one of "
    "'raise', 'drop-block', 'drop-algorithm', 'worst-rank', 'worst-value'.",
    "report wide.csv --measure accuracy --out x.pdf": "podium report: `--out` must end in .html, .md or .tex, or be a "
    "folder, without an ending or with a slash at its end; got 'x.pdf'.",
    "plot box wide.csv --measure accuracy --out x.gif": "podium plot: `--out` must end in one of '.png', '.pdf', '.svg'; "
    "got 'x.gif'.",
    "warehouse check --hlp": "podium warehouse check: there is no option '--hlp'. Did you mean '--help'? See `podium "
    "warehouse check --help`.",
    "warehouse chek y.db": "podium warehouse: ACTION must be one of 'check', 'history', 'repair', 'merge', 'export', "
    "'import'; got 'chek'. Did you mean 'check'?",
    "warehouse check y.db y.db": "podium warehouse check: unrecognized arguments: y.db. See `podium warehouse check "
    "--help`.",
    "warehouse export y.db x.xlsx": "podium warehouse: FILE must end in .csv or .parquet; got 'x.xlsx'.",
    "compare wide.csv --alpha many": "podium compare: `--alpha` must be a number; got 'many'.",
    "compare wide.csv --rows datset": "podium compare: `--rows` must be one of 'dataset', 'replication'; got 'datset'. "
    "Did you mean 'dataset'?",
    "run y.yaml --warehouse mysql://x": "podium run: `--warehouse` must be a file or a postgresql:// URL; got "
    "'mysql://x'.",
    "retry y.db --status failed": "podium retry: 'y.db' is a warehouse. Give the design file that it was run with, such "
    "as 'y.yaml'.",
    "run y.db": "podium run: 'y.db' is a warehouse. Give the design file that it was run with, such as 'y.yaml'.",
    "compare wide.csv --measure accuracy --alpha 0.95": "podium compare: `--alpha` must lie between 0 and 0.5; got 0.95. "
    "Did you mean --alpha 0.05?",
}


@pytest.mark.parametrize("command", MESSAGES)
def test_a_message_names_the_way_out(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(command.split())
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert (status, capsys.readouterr().err) == (2, f"{MESSAGES[command]}\n")


WITH_SCORES = (
    "show",
    "summary",
    "table",
    "compare",
    "order",
    "consensus",
    "domain",
    "mixed",
    "bayes",
    "ranks",
    "wins",
    "multitest",
    "monitor",
    "sequential",
    "plot box",
)


@pytest.mark.parametrize("verb", WITH_SCORES)
def test_no_message_names_an_argument_of_python_that_is_an_option(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each option in turn has a value that it cannot have; most of them end in a message."""
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda *_, **__: None)  # options that a figure does not use
    name = verb.partition(" ")[0]
    verbs = next(action for action in build_parser([name])._actions if action.nargs == argparse.PARSER)
    options = [action for action in verbs.choices[name]._actions if action.option_strings and action.nargs != 0]
    known = "|".join(action.dest for action in options)
    messages = 0
    for action in options:
        for value in ("nonsense", "-1"):
            words = [*verb.split(), "wide.csv", "--measure=accuracy", f"{action.option_strings[-1]}={value}"]
            if action.dest not in ("title", "out", "units", "set"):
                with suppress(SystemExit):  # of argparse
                    main(words)
            message = capsys.readouterr().err
            messages += bool(message)
            assert not re.search(rf"`({known})[`=]|(?<![-\w])({known})=", message), message
    assert messages > 5


def test_a_figure_of_all_data_sets_by_a_statistic(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plot", "summary", "wide.csv", "--measure", "accuracy", "--statistic", "mean", "--out", "x.png"]
    assert main(words) == 0
    assert Path("x.png").stat().st_size > 0


def test_what_a_page_lacks_names_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explorer", "wide.csv", "--measure", "accuracy", "--out", "x.html"]) == 0
    assert "give the design, too: --experiment DESIGN.yaml\n" in capsys.readouterr().out


def test_cells_with_percent_signs_are_numbers() -> None:
    columns = {"algorithm": "Klassifikator", "dataset": "Benchmark Name", "replication": "Lauf Nr."}
    found = podium.read("messy.csv", columns=columns, measure="Acc. (test) %", direction="greater")
    assert found.select(algorithm="SVM").values.ravel().tolist() == [90.0, 94.7]
    assert found.missing.sum() == 1


def test_an_order_says_what_its_signs_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["order", "wide.csv", "--measure", "accuracy", "--method", "t"]) == 0
    assert "a < b: a is shown to be better than b, whichever values are better" in capsys.readouterr().out
