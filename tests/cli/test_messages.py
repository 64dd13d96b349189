"""Messages of the command line name its options, and suggest what was meant."""

from __future__ import annotations

import argparse
import functools
import inspect
import json
import shlex
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


FOLDS = "dataset,replication,algorithm,accuracy,error\n" + "".join(
    f"d{m},{b},{name},{0.9 - k * 0.05 + b * (0.001 + k * 0.002)},{0.1 + 0.05 * k + b * 0.003}\n"
    for m in (1, 2)
    for b in range(1, 6)
    for k, name in enumerate(("svm", "knn"))
)
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
    Path("folds.csv").write_text(FOLDS)
    Path("y.yaml").write_text(DESIGN)
    Path("grouped.yaml").write_text(DESIGN.replace("bootstrap: {replications: 1}", "cross-validation: {grouped: true}"))
    Path("rule.yaml").write_text(DESIGN.replace("[constant]", "{candidate: knn, parameters: {k: x}}"))
    podium.Warehouse("y.db").close()


MESSAGES = {  # worded for Python; then, where the data of the error say it, the options of the command
    "monitor folds.csv --measure accuracy": "podium monitor: Monitoring needs one data set; these results have 2. "
    "Select one: results.select(dataset='d1').\nUse --dataset d1.",
    "sequential folds.csv --measure accuracy --alternative better": "podium sequential: `alternative='better'` needs "
    "a pair or a control: among all pairs no direction can be fixed before the results are seen. Name one: "
    "pair=('knn', 'svm'), or control='knn'.\nUse --pair knn,svm or --control knn.",
    "multitest folds.csv --measure accuracy --cost error --test wilcoxon --ratio 1/9": "podium multitest: --ratio: "
    "`test='wilcoxon'` has no option 'ratio'. It has 'zeros'. 'ratio' is an option of 'corrected t'.",
    "plot box wide.csv --measure accuracy --set bins=3": "podium plot: `podium plot box` has no option 'bins'. It has "
    "'measure', 'reach', 'order', 'most', 'missing', 'size', 'orientation', 'palette', 'title'.",
    "sumary wide.csv": "podium: there is no verb 'sumary'. Did you mean 'summary'? See `podium --help`.",
    "summary wide.csv --mesure accuracy": "podium summary: there is no option '--mesure'. Did you mean '--measure'? "
    "See `podium summary --help`.",
    "run y.db": "podium run: 'y.db' is a warehouse. Give the design file that it was run with, such as 'y.yaml'.",
    "consensus folds.csv": "podium consensus: These results have 2 measures; say which one: measure='accuracy'. There "
    "are 'accuracy', 'error'. Or use per='both': each measure on each data set gives a relation.\n"
    "Use --measure accuracy.",
    "compare folds.csv --measure accuracy --alpha 2": "podium compare: --alpha: `alpha` must lie between 0 and 0.5; "
    "got 2.0. 2% is 0.02.",
}


@pytest.mark.parametrize("command", MESSAGES)
def test_a_message_names_the_way_out(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(shlex.split(command))
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert (status, capsys.readouterr().err) == (2, f"{MESSAGES[command]}\n")


NEED_RATIO = [  # the advice is followed
    ["compare", "folds.csv", "--dataset", "d1", "--method", "corrected t"],
    ["monitor", "folds.csv", "--dataset", "d1", "--method", "corrected t"],
    ["plot", "cost_tradeoff", "folds.csv", "--cost", "error", "--test", "corrected t"],
]


@pytest.mark.parametrize("words", NEED_RATIO, ids=lambda words: words[0])
def test_a_test_that_needs_a_ratio_gets_it_as_the_message_says(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*words, "--measure", "accuracy"]
    assert main(words) == 2
    advice = "Give `ratio`, n_test/n_learn, such as 1/9 for 10-fold cross-validation.\n"
    assert capsys.readouterr().err.endswith(advice)
    assert main([*words, "--ratio", "1/9"]) == 0


def test_a_consensus_of_data_sets_that_lack_an_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    Path("absent.csv").write_text("dataset,svm,knn,lda\nd1,0.9,0.8,0.7\nd2,0.9,0.7,\nd3,0.8,0.9,0.6\n")
    assert main(["consensus", "absent.csv", "--measure", "accuracy", "--missing", "available"]) == 0
    assert "svm < knn < lda" in capsys.readouterr().out


# Options that differ from the argument of Python, each with its reason.
NOT_ARGUMENTS = {
    "out": "where a command writes",
    "json": "how a command prints",
    "short": "how a command prints",
    "table": "which table --out writes",
    "set": "options of a figure",
    "prior": "a cost, as names",
    "cost_file": "a cost, as a file",
    "cost_measure": "how --cost-file is read",
    "no_marks": "marks=False",
    "no_browser": "browser=False",
    "port": "of the server",
    "static": "hidden",
}
ONE_OF_SEVERAL = {"column": "columns", "format": "formats", "author": "authors", "statistic": "statistics"}
ONE_OF_SEVERAL |= {"weight": "weights"}
BEHIND = {
    "show": [podium.Results.resolve_missing],
    "summary": [podium.summarize],
    "table": [podium.compare, podium.show.tables.table, podium.show.tables.scores],
    "compare": [podium.compare],
    "order": [podium.compare, podium.Comparison.relation],
    "consensus": [podium.relations.preferences, podium.compare, podium.consensus],
    "domain": [
        podium.domain,
        podium.relations.Domain.subdomains,
        podium.relations.Domain.subdomain_stability,
        podium.compare,
    ],
    "mixed": [podium.mixed],
    "bayes": [podium.inference.compare_bayes],
    "ranks": [podium.inference.rank_report],
    "wins": [podium.inference.win_table, podium.compare],
    "multitest": [podium.multi2test, podium.compare],
    "monitor": [podium.monitor, podium.compare],
    "sequential": [podium.sequential],
    "report": [podium.report],
    "explore": [podium.explore],
    "explorer": [podium.explorer],
}


NEAR = {
    "show folds.csv --measure acuracy": "accuracy",
    "compare folds.csv --measure accuracy --method aligned_ranks": "aligned ranks",
    "compare folds.csv --measure accuracy --adjust bq": "bh' or 'by",
    "show wide.csv --column algorithm=svmm": "svm",
}


@pytest.mark.parametrize("command", NEAR)
def test_a_near_miss_gets_a_suggestion(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    assert capsys.readouterr().err.endswith(f" Did you mean '{NEAR[command]}'?\n")


@pytest.mark.parametrize("verb", BEHIND)
def test_an_option_has_the_name_of_the_argument(verb: str) -> None:
    verbs = next(action for action in build_parser([verb])._actions if action.nargs == argparse.PARSER)
    options = [action for action in verbs.choices[verb]._actions if action.option_strings and action.dest != "help"]
    arguments = {"dataset"}  # of `Results.select`
    for function in (podium.read, *BEHIND[verb]):
        arguments |= set(inspect.signature(function).parameters)
    for action in options:
        name = action.option_strings[-1].removeprefix("--").replace("-", "_")
        assert name in arguments or ONE_OF_SEVERAL.get(name) in arguments or name in NOT_ARGUMENTS, name


def test_a_figure_of_all_data_sets_by_a_statistic() -> None:
    words = ["plot", "summary", "wide.csv", "--measure", "accuracy", "--statistic", "mean", "--out", "x.png"]
    assert main(words) == 0
    assert Path("x.png").stat().st_size > 0


COMMAS = "dataset,replication,algorithm,accuracy\n" + "".join(
    f"d1,{b},{name},{0.9 - 0.05 * k + 0.003 * b * (k + 1)}\n"
    for b in range(1, 13)
    for k, name in enumerate(('"forest, 100 trees"', '"svm ""rbf"", C=1"', "knn"))
)
FOREST, SVM = "forest, 100 trees", 'svm "rbf", C=1'


@pytest.mark.parametrize("verb", ["monitor", "sequential"])
def test_the_names_of_a_pair_may_contain_commas(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("commas.csv").write_text(COMMAS)
    assert main([verb, "commas.csv", "--pair", '"forest, 100 trees", "svm ""rbf"", C=1"', "--json"]) == 0
    (only,) = json.loads(capsys.readouterr().out)["pairs"]
    assert {only["a"], only["b"]} == {FOREST, SVM}
    assert main([verb, "commas.csv", "--pair", '"forest, 100 trees",knn', "--json"]) == 0
    (only,) = json.loads(capsys.readouterr().out)["pairs"]
    assert {only["a"], only["b"]} == {FOREST, "knn"}


def test_a_figure_of_a_pair_whose_names_contain_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("commas.csv").write_text(WIDE.replace("svm,knn", '"forest, 100 trees","svm ""rbf"", C=1"'))
    drawn = []
    draw = podium.plot.simplex

    @functools.wraps(draw)  # the command reads its signature
    def simplex(found: podium.inference.BayesComparison, a: str, b: str, **options: object) -> object:
        drawn.append((a, b))
        return draw(found, a, b, **options)

    monkeypatch.setattr(podium.plot, "simplex", simplex)
    words = ["plot", "simplex", "commas.csv", "--measure", "accuracy", "--equivalence", "0.01", "--out", "x.png"]
    assert main([*words, "--pair", '"forest, 100 trees","svm ""rbf"", C=1"']) == 0
    assert drawn == [(FOREST, SVM)]


def test_a_prior_order_whose_names_contain_commas(capsys: pytest.CaptureFixture[str]) -> None:
    Path("commas.csv").write_text(COMMAS)
    assert main(["multitest", "commas.csv", "--prior", 'knn,"forest, 100 trees","svm ""rbf"", C=1"', "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["prior"] == ["knn", FOREST, SVM]


def test_cells_with_percent_signs_are_numbers() -> None:
    columns = {"algorithm": "Klassifikator", "dataset": "Benchmark Name", "replication": "Lauf Nr."}
    found = podium.read("messy.csv", columns=columns, measure="Acc. (test) %", direction="higher")
    assert found.select(algorithm="SVM").values.ravel().tolist() == [90.0, 94.7]
    assert found.missing.sum() == 1
