"""Runs that stop early: the same decisions and numbers whatever runs the trials, in whatever order, however often."""

from __future__ import annotations

import json
from concurrent.futures import Executor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from staged import RACE, Flaky, Noisy, RecoveringNoisy, assert_same, decisions, experiment
from test_same_numbers import Backwards

import podium
from podium.analysis.sequential.stopping_rule import CombinationTestOfStages, StoppingRule
from podium.errors import DesignChangedError, InputError
from podium.running.progress import Tally
from podium.running.runner import run
from podium.store import Warehouse

FAST: dict[str, Any] = {"executor": "threads", "workers": 2, "progress": "quiet"}
TWO = {"good": Noisy(0.1), "bad": Noisy(0.4)}
HERE = pytest.mark.usefixtures("in_this_process")  # what is decided depends on the numbers alone


def kept(design: podium.Experiment, path: Path | str = ":memory:", **options: Any) -> Warehouse:
    """Run an experiment, and return its warehouse."""
    warehouse = Warehouse(path)
    run(design, warehouse, **{**FAST, **options})
    return warehouse


@pytest.fixture(scope="module")
def race() -> Warehouse:
    """An experiment that leaves out a bad algorithm, run by one worker."""
    return kept(experiment(), stopping=RACE, workers=1)


# ---- what is decided ----------------------------------------------------------------------------------------------


def test_every_decision_is_what_the_rule_says_about_the_numbers(race: Warehouse) -> None:
    results = race.results()
    ends = (10, 16, 22, 28)
    sizes = tuple(b - a for a, b in pairwise((0, *ends)))
    rule = StoppingRule(test=CombinationTestOfStages(sizes=sizes), racing=True)
    for m, name in enumerate(results.datasets):
        made = [decision for decision in race.decisions() if decision.dataset == name]
        assert [decision.stage for decision in made] == list(range(1, len(made) + 1))
        assert [decision.replications for decision in made] == list(ends[: len(made)])
        assert [decision.stops for decision in made] == [False] * (len(made) - 1) + [True]
        values = results.values[m, :, :, 0]
        stages = [values[a:b] for a, b in pairwise((0, *ends[: len(made)]))]
        found = rule.decide(stages)
        for h, pair in enumerate(made[-1].pairs):
            assert (pair.outcome, pair.stage) == (found.state[h], found.stage[h])
            for look in made[pair.stage - 1].pairs[h].looks:
                side = ("better", "worse").index(look.side)
                assert look.pvalue == found.pvalue[pair.stage - 1, h, side]
                assert look.reject == pytest.approx(found.reject[pair.stage - 1, h, side], rel=1e-12)


def test_a_run_decides_as_the_same_test_of_finished_results(race: Warehouse) -> None:
    results = race.results().select(dataset="two")
    made = [decision for decision in race.decisions() if decision.dataset == "two"]
    sizes = [b - a for a, b in pairwise((0, *(decision.replications for decision in made)))]
    sizes += [6] * (4 - len(made))
    padded = results.complete(replications=range(1, sum(sizes) + 1)).select(replications=list(range(1, 29)))
    found = podium.sequential(padded, stages=sizes, racing=True, missing="available", intervals=False).frame()
    states = {"better": "better", "worse": "worse"}
    for pair, (_, row) in zip(made[-1].pairs, found.iterrows(), strict=True):
        assert (pair.a, pair.b, pair.stage) == (row["a"], row["b"], row["stage"])
        assert states.get(row["decision"], pair.outcome) == pair.outcome


def test_a_beaten_algorithm_is_left_out(race: Warehouse) -> None:
    results = race.results()
    dropped = {decision.dataset: decision for decision in reversed(race.decisions()) if decision.dropped}
    assert {decision.dropped for decision in dropped.values()} == {("bad",)}
    bad = results.algorithms.index("bad")
    for m, name in enumerate(results.datasets):
        last = [decision for decision in race.decisions() if decision.dataset == name][-1].replications
        first = dropped[name].replications
        assert results.present[m, :first].all()
        assert results.present[m, first:last, :bad].all()
        assert results.stopped[m, first:, bad].all()
        assert results.design[m].tolist() == [b < last for b in range(28)]
    reasons = results.missing_frame()
    assert set(reasons["algorithm"]) == {"bad"}
    assert set(reasons["reason"]) == {"stopped"}
    assert np.isnan(results.values[results.stopped]).all()


@HERE
def test_without_racing_all_algorithms_continue() -> None:
    warehouse = kept(experiment(datasets=("one",)), stopping={**RACE, "racing": False})
    results = warehouse.results()
    assert not results.missing.any()
    assert warehouse.decisions()[-1].stops
    assert not any(decision.dropped for decision in warehouse.decisions())


@HERE
def test_the_domain_is_decided_by_the_mean_over_its_data_sets() -> None:
    design = experiment({"good": Noisy(0.1), "close": Noisy(0.16)}, datasets=("one", "two"))
    warehouse = kept(design, stopping={"kind": "combination", "first": 10, "step": 10, "scope": "domain"})
    *_, last = warehouse.decisions()
    assert {decision.dataset for decision in warehouse.decisions()} == {""}
    assert last.ending == "decided"
    means = warehouse.results().values[:, : last.replications, :, 0].mean(axis=0)
    assert last.pairs[0].estimate == pytest.approx((means[:, 0] - means[:, 1]).mean(), abs=1e-15)
    sizes = (10, 10, 8)
    stages = [means[a : a + 10] for a in range(0, last.replications, 10)]
    found = StoppingRule(test=CombinationTestOfStages(sizes=sizes)).decide(stages)
    assert (last.pairs[0].outcome, last.pairs[0].stage) == (found.state[0], found.stage[0])
    assert "all data sets: decided after" in str(warehouse.status())


@HERE
def test_several_measures_continue_until_all_are_decided() -> None:
    both = ("misclassification", "balanced error")
    warehouse = kept(experiment(TWO, datasets=("one",), measures=both), stopping=RACE)
    *before, last = warehouse.decisions()
    assert [pair.measure for pair in last.pairs] == list(both)
    assert all(pair.decided for pair in last.pairs)
    assert not any(all(pair.decided for pair in decision.pairs) for decision in before)
    one = kept(experiment(TWO, datasets=("one",), measures=both), stopping={**RACE, "measures": "balanced error"})
    assert {pair.measure for pair in one.decisions()[-1].pairs} == {"balanced error"}


@HERE
def test_equivalence_ends_a_run() -> None:
    same = {"a": Noisy(0.1), "b": Noisy(0.1)}
    stopping = podium.Stopping(kind="group sequential", first=10, step=10, equivalence=0.1)
    last = kept(experiment(same, datasets=("one",)), stopping=stopping).decisions()[-1]
    assert [pair.outcome for pair in last.pairs] == ["equivalent"]
    assert {look.side for look in last.pairs[0].looks} >= {"above", "below"}
    assert last.replications < 28


@HERE
def test_a_control_and_confidence_sequences() -> None:
    stopping = podium.Stopping(kind="betting", first=10, step=5, control="good")
    things = {"good": Noisy(0.01), "close": Noisy(0.05), "bad": Noisy(0.95)}
    last = kept(experiment(things, datasets=("one",)), stopping=stopping).decisions()[-1]
    assert [(pair.a, pair.b) for pair in last.pairs] == [("close", "good"), ("bad", "good")]
    assert [pair.outcome for pair in last.pairs] == ["open", "worse"]
    assert (last.ending, last.undecided) == ("maximum", 1)


@HERE
def test_the_correction_for_overlap_uses_the_sizes_of_the_samples() -> None:
    design = experiment(TWO, datasets=("one",))
    stopping = podium.Stopping(kind="group sequential", first=10, step=10, method="corrected t")
    with Warehouse(":memory:") as warehouse:
        results = run(design, warehouse, stopping=stopping, **FAST)
        last = warehouse.decisions()[-1]
    pair = podium.compare(results, method="corrected t", adjust="none").frame().iloc[0]
    better = next(look for look in last.pairs[0].looks if look.side == "better")
    assert better.pvalue == pytest.approx(
        pair["pvalue"] / 2, rel=0.1
    )  # compare takes the sizes of these replications only


# ---- failures -----------------------------------------------------------------------------------------------------


@HERE
def test_failed_trials_are_part_of_their_stage() -> None:
    design = experiment({"good": Noisy(0.1), "flaky": Flaky(0.4)}, datasets=("one", "two"))
    warehouse = kept(design, stopping=RACE)
    results = warehouse.results()
    assert results.missing.any()
    assert set(results.missing_frame()["reason"]) == {"failed"}
    for decision in warehouse.decisions():
        m = results.datasets.index(decision.dataset)
        both = results.present[m, : decision.replications, :, 0].all(axis=1)
        assert decision.pairs[0].replications == both.sum()
    assert [decision.ending for decision in warehouse.decisions()][-1] == "decided"
    assert any(decision.pairs[0].replications < decision.replications for decision in warehouse.decisions())


@HERE
def test_a_decision_is_not_revised_when_trials_are_retried(tmp_path: Path) -> None:
    trouble = tmp_path / "trouble"
    trouble.touch()
    things = {"good": Noisy(0.1), "ill": RecoveringNoisy(0.4, str(trouble))}
    design = experiment(things, datasets=("one",), stopping=RACE)
    warehouse = kept(design, tmp_path / "w.db")
    before, failed = decisions(warehouse), warehouse.results().missing.sum()
    assert failed
    trouble.unlink()
    run(design, warehouse, retry="failed", **FAST)
    assert decisions(warehouse) == before
    assert not warehouse.results().missing.any()


# ---- whoever runs it ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("executor", "workers"), [("threads", 4), ("pool", 2)])
def test_executors_and_workers_make_the_same_decisions(executor: str, workers: int, race: Warehouse) -> None:
    assert_same(kept(experiment(), stopping=RACE, executor=executor, workers=workers), race)


def test_the_order_of_trials_does_not_matter(race: Warehouse) -> None:
    backwards: Executor = Backwards()
    assert_same(kept(experiment(), stopping=RACE, executor=backwards, workers=4), race)


class Interrupts:
    """Ends a run when this many trials have ended."""

    def __init__(self, after: int) -> None:
        self.after = after

    def update(self, tally: Tally) -> None:
        if tally.ended >= self.after:
            raise InterruptedError

    def close(self, tally: Tally) -> None:
        """Show nothing."""


@HERE
def test_a_run_that_is_cut_short_again_and_again_decides_alike(tmp_path: Path, race: Warehouse) -> None:
    path = tmp_path / "w.db"
    cuts = 0
    for after in (1, 20, 3, 30, 10):
        follower: Any = Interrupts(after)
        try:
            run(experiment(), path, stopping=RACE, **{**FAST, "progress": follower})
        except InterruptedError:
            cuts += 1
    assert cuts >= 2  # how many trials end between two updates of the progress depends on the machine
    with kept(experiment(), path, stopping=RACE) as warehouse:
        assert_same(warehouse, race)
        assert warehouse.check() == ()


@HERE
def test_trials_beyond_a_decision_do_not_count(race: Warehouse) -> None:
    """A warehouse that has all trials of a fixed design gives the decisions and results of the adaptive one."""
    with kept(experiment()) as warehouse:
        assert warehouse.status().counts["done"] == 168
        results = warehouse.results()
        # A run controls the error on each data set.
        whole = [
            podium.sequential(results.select(dataset=name), stages=[10, 6, 6, 6], racing=True, intervals=False)
            for name in results.datasets
        ]
        made = {decision.dataset: decision.pairs for decision in race.decisions()}  # the last of each data set
        found = [(pair.outcome, pair.stage) for pairs in made.values() for pair in pairs]
        assert [(pair.state, pair.stage) for one in whole for pair in one.pairs] == found
        assert sum(round(one.saved * 84) for one in whole) == race.status().counts["stopped"]
        run(experiment(), warehouse, stopping=RACE, **FAST)
        assert_same(warehouse, race)
        status = warehouse.status()
        assert (status.superfluous, status.saved) == (race.status().counts["stopped"], 0)
        assert f"{status.superfluous} that were under way do not count" in status.text(300)
        assert len(warehouse.trials(every_attempt=True)) == 168


@HERE
def test_decisions_are_made_again_for_a_new_algorithm_and_not_for_a_new_data_set(race: Warehouse) -> None:
    with kept(experiment(datasets=("one",)), stopping=RACE) as warehouse:
        first = decisions(warehouse)
        run(experiment(), warehouse, stopping=RACE, **FAST)
        assert [made for made in decisions(warehouse) if made[0] == "one"] == first
        assert_same(warehouse, race)
        more = experiment({"good": Noisy(0.1), "close": Noisy(0.22), "bad": Noisy(0.45), "new": Noisy(0.3)})
        run(more, warehouse, stopping=RACE, **FAST)
        assert {pair.b for decision in warehouse.decisions() for pair in decision.pairs} == {"close", "bad", "new"}
        assert warehouse.decisions(design=2) == race.decisions()


# ---- another rule -------------------------------------------------------------------------------------------------


@HERE
def test_another_rule_is_refused_unless_it_is_accepted(tmp_path: Path) -> None:
    design = experiment(TWO, datasets=("one",))
    path = tmp_path / "w.db"
    run(design, path, stopping=RACE, **FAST)
    with pytest.raises(DesignChangedError) as caught:
        run(design, path, stopping={**RACE, "alpha": 0.01, "step": 9}, **FAST)
    assert "`step` was 6 and is 9; `alpha` was not given and is 0.01" in str(caught.value)
    with pytest.raises(DesignChangedError, match=r"this run has none.*runs all trials that are left"):
        run(design, path, **FAST)
    longer = design.replace(resampling=podium.Bootstrap(replications=34))
    with pytest.raises(DesignChangedError, match="its looks were after"):
        podium.preview(longer, path, stopping=RACE, pilot_seconds=0)
    other = run(design, path, stopping={**RACE, "alpha": 0.01}, accept="stopping", **FAST)
    with Warehouse(path) as warehouse:
        assert warehouse.history()[-1].accept == ("stopping",)
        assert "the stopping rule was" in str(warehouse.history()[-1])
        assert_same(warehouse, kept(design, stopping={**RACE, "alpha": 0.01}))
        assert run(design, path, stopping={**RACE, "alpha": 0.01}, **FAST) == other  # it stays accepted
        assert len(warehouse.history()) == 2
        everything = run(design, warehouse, accept="stopping", **FAST)
        assert everything.present.all()
        assert everything.design.all()


# ---- before, during and after -------------------------------------------------------------------------------------


@HERE
def test_what_a_rule_cannot_promise_is_said_before_the_run() -> None:
    design = experiment(datasets=("one",), replications=12)
    shown = podium.preview(design, stopping=podium.Stopping(kind="combination", stages=4), pilot_seconds=0)
    assert [note.code for note in shown.notes] == ["sequential resamples", "stages cannot decide"]
    assert "At most 36 of 36 trials are left to do." in str(shown)
    late = podium.preview(design, stopping={"kind": "combination", "stages": [3, 9]}, pilot_seconds=0).notes[1]
    assert (late.code, late.facts["before"]) == ("stages cannot decide", 2)
    fresh = design.replace(
        datasets=podium.Dataset.generated("twonorm", n=50), resampling=podium.FreshDraws(12, n_test=50)
    )
    assert (
        podium.preview(fresh, stopping={"first": 6, "step": 6, "kind": "group sequential"}, pilot_seconds=0).notes == ()
    )


# ---- the grammar --------------------------------------------------------------------------------------------------


RULES = [
    podium.Stopping(kind="group sequential", stages=3, control="lda", boundary="pocock"),
    podium.Stopping(stages=[10, 20, 30], combine="inverse normal", reject=0.02, exhaust=False, alternative="two-sided"),
    podium.Stopping(first=10, step=5, maximum=40, scope="domain", equivalence={"accuracy": (-0.01, 0.02)}, racing=True),
    podium.Stopping(kind="betting", pairs=[("lda", "constant")], measures="accuracy", equivalence=0.05),
]


@pytest.mark.parametrize("stopping", RULES)
def test_a_rule_is_read_as_it_was_written(stopping: podium.Stopping, tmp_path: Path) -> None:
    design = podium.Experiment("iris", ["lda", "constant"], "bootstrap", "accuracy", stopping=stopping)
    assert podium.Experiment.from_dict(design.to_dict()).stopping == stopping
    path = design.to_file(tmp_path / "design.yaml")
    back = podium.Experiment.from_file(path)
    assert back.stopping == stopping
    assert back.replace(name="") == design
    assert json.loads(json.dumps(design.to_dict())) == design.to_dict()
    assert stopping.title in " ".join(str(design.describe()).split())
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(podium.design.experiment_schema()).validate(
        design.to_dict()
    )  # valid: see test_spec


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "sprt"},
        {"alpha": 2},
        {"stages": 3, "first": 10},
        {"first": 10, "maximum": 5},
        {"maximum": 50},
        {"stages": [10, 20]},
        {"measures": "auc"},
        {"pairs": [["good", "best"]]},
        {"pairs": [["good", "bad"], ["bad", "good"]]},
        {"pairs": [["good", "bad"]], "control": "good"},
        {"equivalence": {"auc": 0.1}},
        {"kind": "betting", "method": "t"},
        {"kind": "betting", "bounds": (0, np.inf)},
        {"kind": "group sequential", "method": "corrected t", "ratio": 1e308},
        {"reject": 0.05},
        {"alternative": "better"},
        {"stagse": 3},
    ],
)
def test_a_wrong_rule_is_refused_before_anything_is_run(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError):
        run(experiment(TWO, datasets=("one",)), tmp_path / "w.db", stopping=wrong, **FAST)
    assert not (tmp_path / "w.db").exists()


def test_looks_are_at_equal_distances_or_as_they_are_given() -> None:
    assert podium.Stopping().looks(100) == (20, 40, 60, 80, 100)
    assert podium.Stopping(stages=3).looks(10) == (4, 7, 10)
    assert podium.Stopping(stages=7).looks(3) == (1, 2, 3)
    assert podium.Stopping(first=30, step=20).looks(100) == (30, 50, 70, 90, 100)
    assert podium.Stopping(stages=[10, 20]).looks(100) == (10, 30)
    assert podium.Stopping(first=30).looks(100) == (30, 60, 90, 100)
    assert podium.Stopping(step=1, maximum=4).looks(10) == (1, 2, 3, 4)


# ---- what analyses make of it -------------------------------------------------------------------------------------


def test_analyses_say_that_a_rule_has_stopped_the_run(race: Warehouse) -> None:
    results = race.results()
    comparisons = [podium.compare(results.select(dataset=name), method="t") for name in ("one", "two")]
    for outcome in (*comparisons, podium.compare(results, method="mixed"), podium.friedman(results)):
        assert "stopped" in {note.code for note in outcome.notes}
    assert next(n for n in comparisons[0].notes if n.code == "stopped").facts["algorithms"] == ("bad",)


def test_stopped_cells_are_neither_refused_nor_ranked_last(race: Warehouse) -> None:
    one = race.results().select(dataset="one")
    first = int(np.argmax(one.stopped[0, :, 2, 0]))
    resolved = one.resolve_missing("raise")
    assert resolved.shape == (1, first, 3, 1)
    assert resolved.reports[-1].reasons == {"stopped": int(one.missing.sum())}
    ranked = one.ranks(missing="worst-rank")
    assert ranked.shape == (1, first, 3, 1)
    assert one.resolve_missing("worst-value").shape == (1, first, 3, 1)
    assert one.resolve_missing("drop-algorithm").algorithms == ("good", "close")
    assert podium.compare(one, method="wilcoxon", missing="available").frame()["a"].size == 3
    assert podium.summarize(one)["n"].tolist() == [first] * 3


def test_a_table_of_the_results_keeps_what_was_planned(race: Warehouse) -> None:
    results = race.results()
    back = podium.read(results.to_long())
    m = results.datasets.index("two")
    assert back.structure["planned"][back.datasets.index("two")].max() == 28
    assert set(pd.unique(back.missing_frame()["reason"])) == {"stopped"}
    assert back.select(dataset="two").stopped.sum() == (results.stopped & results.missing)[m].sum()
