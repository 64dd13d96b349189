"""The verbs of the analysis: each prints text and JSON, writes files, and names options in its errors."""

from __future__ import annotations

import io
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest

import podium
from forks import ended, forked
from podium.cli import VERBS, main
from podium.cli.completion import bash, fish, zsh

HOSTILE = ["<b>x</b>", "a|b & 50% _$#{", "=cmd()", "支持\x1b[31m", "[0", "plain"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scores of three algorithms, with hostile names, and with a missing cell."""
    folder = tmp_path_factory.mktemp("scores")
    rows = ["dataset,replication,algorithm,accuracy,error"]
    gaps = rows.copy()
    for m in range(7):
        for b in range(3):
            for k, name in enumerate(("svm", "knn", "lda")):
                value = 0.9 - 0.05 * k - 0.01 * m + 0.001 * ((7 * m + 3 * b + 5 * k) % 11)
                rows.append(f"d{m},{b},{name},{value:.4f},{1 - value:.4f}")
                gaps.append(f"d{m},{b},{name},{'' if (m, b, k) == (1, 1, 1) else f'{value:.4f}'},0.1")
    (folder / "s.csv").write_text("\n".join(rows) + "\n")
    (folder / "gaps.csv").write_text("\n".join(gaps) + "\n")
    (folder / "odd.csv").write_text("dataset,svm,knn\nd1,0.5,0.6\nd2,0.7,0.8\n")
    (folder / "one.csv").write_text("\n".join(rows[:1] + [row for row in rows if row.startswith("d1,")]) + "\n")
    hostile = [
        {"dataset": f"d,{m}", "algorithm": name, "accuracy": 0.5 + 0.05 * k + 0.003 * ((m * (k + 3)) % 7)}
        for m in range(7)
        for k, name in enumerate(HOSTILE)
    ]
    podium.read(hostile, direction="higher").write(folder / "hostile.csv")
    return folder


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run a command in the folder; return its status, output and errors."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")

    def call(command: str | list[str]) -> tuple[int, str, str]:
        words = shlex.split(command) if isinstance(command, str) else command
        try:
            status = main(words)
        except SystemExit as stop:
            status = int(stop.code or 0)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


ANALYSES = [
    "summary s.csv --measure accuracy",
    "compare s.csv --measure accuracy",
    "compare s.csv --measure accuracy --control svm --method wilcoxon --equivalence 0.01",
    "order s.csv --measure accuracy",
    "consensus s.csv --measure accuracy",
    "consensus s.csv --measure accuracy --method wnmt --kind weak",
    "table s.csv --measure accuracy",
    "table s.csv --measure accuracy --kind algorithms --control knn",
    "table s.csv --measure accuracy --kind pairs",
    "table s.csv --measure accuracy --kind wins",
    "table s.csv --kind measures --no-marks",
    "mixed s.csv --measure accuracy",
    "multitest s.csv --measure accuracy --cost error",
    "multitest s.csv --measure accuracy --prior lda,knn,svm --dataset d1",
    "wins s.csv --measure accuracy",
    "domain s.csv --measure accuracy --statistic mean --count 2 --resamples 10",
    "domain s.csv --statistic mean --weight error=0.2 --table places --progress quiet",
    "domain s.csv --measure accuracy --statistic mean --height 3 --table effects --covariance scalar",
    "bayes s.csv --measure accuracy --method sign --equivalence 0.01",
    "domain s.csv --measure accuracy --method t",
]


ENDINGS = ("tex", "md", "html", "csv", "json")


# All verbs write their tables by one function, so each has one of the endings.
@pytest.mark.parametrize(
    ("command", "ending"), [(command, ENDINGS[i % len(ENDINGS)]) for i, command in enumerate(ANALYSES)]
)
def test_an_analysis_prints_text_and_json_and_writes_files(command: str, ending: str, run, folder: Path) -> None:
    status, out, err = run(command)
    assert (status, err) == (0, "")
    assert "svm" in out
    assert max(map(len, out.splitlines())) <= 100
    status, out, err = run(f"{command} --json")
    assert (status, err) == (0, "")
    assert json.loads(out)
    (folder / f"made.{ending}").unlink(missing_ok=True)
    status, out, err = run(f"{command} --out made.{ending}")
    assert (status, out, err) == (0, f"made.{ending}\n", "")
    assert (folder / f"made.{ending}").stat().st_size > 20


def test_numbers_in_json_are_those_of_the_library(run) -> None:
    results = podium.read("s.csv").select(measure="accuracy")
    found = json.loads(run("compare s.csv --measure accuracy --method t --json")[1])
    frame = podium.compare(results, method="t").frame()
    assert [pair["estimate"] for pair in found["pairs"]] == frame["estimate"].tolist()
    assert json.loads(run("order s.csv --measure accuracy --method t --json")[1])["relation"] == "svm < knn < lda"


def test_orders_in_json_are_those_of_the_library(run) -> None:
    results = podium.read("s.csv")
    found = json.loads(run("multitest s.csv --measure accuracy --cost error --json")[1])
    order = podium.multi2test(results, "accuracy", cost="error")
    assert tuple(found["order"]) == order.order and found["ranks"] == order.ranks.reset_index().to_dict("records")
    one = json.loads(run("multitest s.csv --measure accuracy --prior lda,knn,svm --dataset d1 --json")[1])
    assert [step["chosen"] for step in one["steps"]] == one["order"]
    report = json.loads(run("ranks s.csv --measure accuracy --json")[1])
    assert report["overall"]["winners"] == list(podium.inference.rank_report(results, "accuracy").winners)
    domain = json.loads(run("domain s.csv --measure accuracy --statistic mean --json")[1])
    assert domain["relations"] == ["svm < knn < lda"] and domain["optima"] == 1


def test_hostile_names_go_through_every_form(run, folder: Path) -> None:
    for ending in ("tex", "md", "html", "csv", "json", "txt"):
        assert run(f"table hostile.csv --out h.{ending}")[0] == 0
        text = (folder / f"h.{ending}").read_text()
        assert "\x1b" not in text or ending in ("csv",)
    assert "<b>" not in (folder / "h.html").read_text()
    status, out, _ = run("compare hostile.csv --method t")
    assert status == 0 and "\x1b" not in out
    assert set(podium.read(folder / "hostile.csv").algorithms) == set(HOSTILE)


def test_figures_by_name(run, folder: Path) -> None:
    for name, more in (
        ("box", ""),
        ("credible_intervals", "--method sign --equivalence 0.01"),
        ("simplex", "--method sign --equivalence 0.01 --pair svm,lda --size 3.3"),
        ("cost_tradeoff", "--cost error --size page"),
        ("worths", ""),
        ("critical_difference", "--method nemenyi --size column"),
        ("hasse", "--method t"),
        ("variance_shares", ""),
    ):
        status, out, err = run(f"plot {name} s.csv --measure accuracy --out {name}.svg {more}")
        assert (status, out, err) == (0, f"{name}.svg\n", "")
        assert (folder / f"{name}.svg").stat().st_size > 1000


def test_the_list_of_figures_says_which_need_python(run) -> None:
    listed, more = run("plot list")[1].split("\n\n")
    drawn = [line.split()[0] for line in listed.splitlines() if not line.startswith(" ")]
    others = more.replace("\n", " ").rstrip(". ").partition(": ")[2].split(", ")
    assert {*drawn, *others} == {*podium.plot.__all__} - {"colours", "plot_of", "save"} and len(others) > 10
    for name in others:
        status, out, err = run(f"plot {name} s.csv --measure accuracy")
        assert (status, out) == (2, "")
        assert f"cannot be drawn from scores alone. Use podium.plot.{name} in Python." in err
    for name in ("box", "hasse", "worths", "multitest_walk", "distances"):
        assert name in drawn


def test_exported_scores_can_be_imported_again(run, folder: Path) -> None:
    assert run("export s.csv accuracy.csv --measure accuracy")[:2] == (0, "accuracy.csv\n")
    assert podium.read(folder / "accuracy.csv") == podium.read(folder / "s.csv").select(measure="accuracy")
    status, out, _ = run("import s.csv again.json")
    assert status == 0 and out.startswith("Results: 7 data sets × 3 replications × 3 algorithms × 2 measures\n")
    assert podium.read(folder / "again.json") == podium.read(folder / "s.csv")


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_file_of_init_can_be_run_and_is_not_overwritten(task: str, run, folder: Path) -> None:
    name = f"{task}.yaml"
    status, out, err = run(f"init {name} --task {task}")
    assert (status, err) == (0, "")
    assert f"podium run {name}" in out
    experiment = podium.Experiment.from_file(folder / name)
    assert {data.task for data in experiment.datasets} == {task}
    assert experiment.measures[1].name == "fit time"
    assert run(f"init {name}") == (
        2,
        "",
        f"podium init: '{name}' already exists. Name another file, or replace it with --force.\n",
    )
    assert run(f"init {name} --force --task {task}")[0] == 0


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_alternatives_in_the_file_of_init_are_accepted(task: str, run, folder: Path) -> None:
    assert run(f"init alternatives.yaml --force --task {task}")[0] == 0
    response = ["yes", "no"] if task == "classification" else [0.5, 1.25]
    rows = "".join(f"{i},{response[i % 2]}\n" for i in range(20))
    (folder / "mine.csv").write_text(f"x,y\n{rows}")
    text = (folder / "alternatives.yaml").read_text()
    mine, own = re.findall(r"^#   - (\{.*\})$", text, re.MULTILINE)
    schemes = re.findall(r"^#   (\w\S*: \{.*\})$", text, re.MULTILINE)
    assert len(schemes) == 2
    for scheme in schemes:
        measure = "misclassification" if task == "classification" else "squared error"
        (folder / "chosen.yaml").write_text(
            f"datasets:\n  - {mine}\nalgorithms:\n  - {own}\nresampling:\n  {scheme}\nmeasures: {measure}\n"
        )
        assert podium.Experiment.from_file(folder / "chosen.yaml").algorithms[0].name == "boosting"


@pytest.mark.usefixtures("in_this_process")
def test_failed_trials_have_an_exit_status(run, folder: Path) -> None:
    (folder / "bad.yaml").write_text(
        "seed: 1\ndatasets: [titanic]\nalgorithms: [constant, {class: sklearn.svm.SVC}]\n"
        "resampling: {bootstrap: {replications: 2}}\nmeasures: [misclassification]\n"
    )
    options = "--executor threads --workers 1 --progress quiet"
    assert run(f"run bad.yaml {options}")[0] == 3
    status, out, _ = run("status bad.db --json")
    assert status == 0
    assert json.loads(out)["counts"]["failed"] == 2


def test_completion_covers_every_verb_and_option(tmp_path: Path) -> None:
    for script in (bash(), zsh(), fish()):
        assert all(verb in script for verb in VERBS)
    file = tmp_path / "podium.bash"
    file.write_text(bash())
    ask = (
        f"source {file}; COMP_WORDS=(podium {{}}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _podium; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )

    def completed(words: str) -> list[str]:
        return subprocess.run(
            ["bash", "-c", ask.replace("{}", words)], capture_output=True, text=True, check=True
        ).stdout.split()

    assert completed("com") == ["compare", "completion"]
    assert completed("table s.csv --ki") == ["--kind"]
    assert completed("table s.csv --kind al") == ["algorithms"]
    assert completed("warehouse ch") == ["check"]


# Each verb as a user starts it; hostile names and bad files among them.
PROCESSES = {
    "--help": 0,
    "show hostile.csv": 0,
    "explore garbage.csv": 2,
    "explorer hostile.csv --out process-explorer.html": 0,
    "summary hostile.csv": 0,
    "table hostile.csv --out process.tex": 0,
    "compare hostile.csv --json": 0,
    "order hostile.csv": 0,
    "consensus hostile.csv": 0,
    "domain hostile.csv --statistic mean": 0,
    "mixed s.csv --measure accuracy": 0,
    "bayes hostile.csv --method sign": 0,
    "plot critical_difference hostile.csv --method nemenyi --out process.svg": 0,
    "ranks hostile.csv --short": 0,
    "wins hostile.csv": 0,
    "monitor garbage.csv": 2,
    "sequential garbage.csv": 2,
    "report hostile.csv --sections answer cautions --out process.html": 0,
    "multitest s.csv --measure accuracy --cost error": 0,
    "import hostile.csv process.jsonl": 0,
    "export garbage.csv process.csv": 2,
    "datasets iris --json": 0,
    "init process.yaml": 0,
    "describe none.yaml": 2,
    "run bad-design.yaml": 2,
    "record process.db dataset=d algorithm=svm replication=1 accuracy=0.9": 0,
    "status garbage.csv": 2,
    "retry none.yaml": 2,
    "warehouse check none.db": 2,
    "completion bash": 0,
    "demo --replications 1": 2,
}


def as_a_process(words: list[str], output: Path, errors: Path) -> int:
    """Run as the process of one command, with its own arguments, standard streams and exit status."""
    for path, stream in ((output, 1), (errors, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    warnings.simplefilter("ignore")  # of matplotlib, about letters that no font has
    sys.argv = ["podium", *words]
    with (
        open(1, "w", encoding="utf-8") as sys.stdout,
        open(2, "w", encoding="utf-8") as sys.stderr,
        pytest.raises(SystemExit) as end,
    ):
        runpy.run_module("podium", run_name="__main__", alter_sys=False)
    return int(end.value.code or 0)


def test_each_verb_as_a_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "garbage.csv").write_bytes(bytes(range(256)) * 9)
    (folder / "bad-design.yaml").write_text("datasets: [nonsense]\n")
    monkeypatch.chdir(folder)
    # The processes are forked from this one, which has imported the libraries: imports would take most of their time.
    done = {}
    for number, command in enumerate(PROCESSES):
        output, errors = folder / f"output-{number}", folder / f"errors-{number}"
        status = ended(forked(as_a_process, shlex.split(command), output, errors))
        done[command] = (status, output.read_text("utf-8"), errors.read_text("utf-8"))
    assert {command: status for command, (status, _, _) in done.items()} == PROCESSES
    assert [command for command, (status, _, errors) in done.items() if bool(errors) != (status != 0)] == []
    assert [command for command, (_, out, errors) in done.items() if "Traceback" in errors or "\x1b" in out] == []
    assert {command.split()[0] for command in PROCESSES} - {"--help"} == set(VERBS)
    assert (folder / "process.tex").read_text().startswith("\\begin{table")


@pytest.mark.parametrize(
    ("start", "commands"),
    [
        ("-m podium", {"summary hostile.csv": 0}),
        (str(Path(sysconfig.get_path("scripts"), "podium")), {"--version": 0, "demo --replications 1": 2}),
    ],
    ids=["module", "script"],
)
def test_the_program_as_users_start_it(start: str, commands: dict[str, int], folder: Path) -> None:
    for command, status in commands.items():
        done = subprocess.run(
            [sys.executable, *shlex.split(start), *shlex.split(command)],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert (done.returncode, bool(done.stderr), bool(done.stdout)) == (status, status != 0, status == 0)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii"])
def test_characters_that_the_output_lacks_are_replaced(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["支–持", "plain"]
    rows = [
        {"dataset": f"d{m}", "algorithm": a, "accuracy": 0.5 + 0.1 * k} for m in (1, 2) for k, a in enumerate(names)
    ]
    podium.read(rows, direction="higher").write(tmp_path / "names.csv")

    def printed(*words: str) -> str:
        file = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(file, encoding=encoding))
        assert main([words[0], str(tmp_path / "names.csv"), *words[1:]]) == 0
        return file.getvalue().decode(encoding)

    dash, times = ("–" if encoding == "cp1252" else "-"), ("x" if encoding == "ascii" else "×")
    assert f"\\u652f{dash}\\u6301" in printed("table", "--measure", "accuracy")
    assert f"2 data sets {times} 1 replication" in printed("show")
    assert json.loads(printed("table", "--measure", "accuracy", "--json"))["columns"] == ["Data set", "plain", "支–持"]


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from podium.cli import build_parser; build_parser(['--help']); "
        "print([name for name in ('numpy', 'pandas', 'scipy', 'matplotlib', 'sklearn') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


def test_domain(run, folder: Path) -> None:
    status, out, _ = run("domain s.csv --measure accuracy --method t --count 2")
    assert status == 0 and "Order of the domain" in out and "svm < knn < lda" in out and "first places: " in out
    status, out, _ = run("domain gaps.csv --measure accuracy --statistic mean --consensus weak --json")
    facts = json.loads(out)
    assert status == 0 and facts["agreed"] == "svm < knn < lda" and len(facts["datasets"]) == 7
    status, _, _ = run("domain hostile.csv --statistic mean --out orders.tex")
    assert status == 0 and "textless" in (folder / "orders.tex").read_text()


def test_disagreements_are_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "accuracy.csv"
    podium.examples.load_ulas2008().select(datasets=["car", "iris", "optdigits", "wine", "zoo"]).write(path)
    assert main(["domain", str(path), "--method", "5x2cv F", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["disagreements"][0]
    assert (first["a"], first["b"], first["wins"], first["losses"], first["loss"]) == ("mdt", "5nn", 1, 0, None)
    assert "mdt is better on 1 of 5 data sets (by 7.02) and worse on 0." in first["text"]


def test_monitor_and_sequential(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pima.csv"
    podium.examples.load_pima().write(path)
    assert main(["monitor", str(path), "--pair", "lda,svm1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"][0]["point"] == 22
    assert len(found["pvalues"][0]) == 200
    assert main(["sequential", str(path), "--pair", "rf,svm1", "--stages", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"][0]["decision"] == "better"
    assert [row["stage"] for row in found["stages"]] == [1, 2]
    plan = ["--stages", "100,100,100", "--kind", "group sequential"]
    assert main(["sequential", str(path), "--pair", "svm1,svm2", *plan, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {look["replications"] for look in found["next_looks"]} == {300}
    assert main(["sequential", str(path), "--control", "lda", "--kind", "asymptotic", "--racing"]) == 0
    assert "3 ended, 3 of them with a difference" in capsys.readouterr().out
    corrected = ["--pair", "lda,svm1", "--method", "corrected t", "--ratio", "0.58"]
    assert main(["monitor", str(path), *corrected]) == 0
    assert "lda  svm1" in (out := capsys.readouterr().out)
    assert " yes " in out or " no " in out
    assert "True" not in out and "False" not in out
    assert main(["sequential", str(path), *corrected, "--kind", "group sequential", "--json"]) == 0
    expected = podium.sequential(
        podium.examples.load_pima(), pair=("lda", "svm1"), method="corrected t", ratio=0.58, kind="group sequential"
    )
    assert json.loads(capsys.readouterr().out)["pairs"][0]["pvalue"] == expected.frame()["pvalue"][0]


def test_outcomes_of_one_data_set_say_what_they_hold_for(run, folder: Path) -> None:
    one = "one.csv --measure accuracy"
    signed = f"{one} --method wilcoxon"
    for command in (f"compare {signed}", f"order {signed}", f"mixed {one}"):
        status, out, _ = run(command)
        assert status == 0
        assert " ".join(out.split()).count("holds only for new resamples of this data set") == 1, command
    # Three replications cannot show a difference at all by the test of the table, so there is no outcome to limit.
    assert "resamples of this data set" not in run(f"table {signed}")[1]
    assert "can be shown" in " ".join(run(f"table {signed}")[1].split())
    run(f"mixed {one} --out mixed.md")
    run(f"compare {signed} --out pairs.md")
    for name in ("mixed.md", "pairs.md"):
        assert "holds only for new resamples of this data set" in (folder / name).read_text()
    assert "resamples" in json.loads(run(f"mixed {one} --json")[1])["omnibus"]["notes"][0]


def test_the_overlap_of_replications_can_be_given(run) -> None:
    for verb in ("compare", "order", "table"):
        status, out, _ = run(f"{verb} one.csv --measure accuracy --ratio 1/9")
        assert status == 0
        assert "orrected resampled t test" in " ".join(out.split()), verb
        assert "resamples" not in out


def test_the_scale_can_be_given(run) -> None:
    for verb in ("compare", "order"):
        assert "ratio" in run(f"{verb} s.csv --measure accuracy --transform log")[1]
    assert "geometric mean" in run("summary s.csv --measure accuracy --transform log")[1]
    assert "Geometric mean" in run("table s.csv --measure accuracy --transform log")[1]
    assert "log of accuracy" in " ".join(run("mixed s.csv --measure accuracy --transform log")[1].split())


def test_items_of_one_data_set_are_tested_only_if_they_are_independent(run, tmp_path: Path) -> None:
    """A table of questions without folds or sizes: nothing is tested until it says how the replications were drawn."""
    questions = "".join(f"{i},{1 if i % 10 else 0},{i % 2}\n" for i in range(60))
    (tmp_path / "items.csv").write_text("question,new,old\n" + questions)
    command = f"compare {tmp_path / 'items.csv'} --column replication=question --measure accuracy --json"
    unknown = json.loads(run(command)[1])
    assert (unknown["procedure"], unknown["pairs"][0]["decision"]) == ("none", "undecided")
    assert unknown["pairs"][0]["pvalue"] is None and "independent=True" in unknown["notes"][0]
    decided = json.loads(run(f"{command} --independent")[1])
    assert (decided["procedure"], decided["pairs"][0]["decision"]) == ("wilcoxon", "better")
    assert not any("overlap" in note for note in decided["notes"])
