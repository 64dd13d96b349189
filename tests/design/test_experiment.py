"""`Experiment`: what it is made of, the samples it gives again at any time, and what it refuses."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, PredefinedSplit, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import podium
from podium.design.sample import Sample
from podium.errors import DesignError, InputError, LabelError
from slow_laws import few_examples


def toy(n: int = 40, name: str = "toy", **more: Any) -> podium.Dataset:
    rng = np.random.default_rng(n)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    return podium.Dataset(name=name, X=X, y=pd.Series(np.where(np.arange(n) % 2, "x", "y")), **more)


def experiment(**changes: Any) -> podium.Experiment:
    arguments: dict[str, Any] = {
        "datasets": ["monks1", "sonar"],
        "algorithms": ["lda", "rpart", "constant"],
        "resampling": podium.Bootstrap(replications=5),
        "measures": ["misclassification", "fit time"],
        "seed": 7,
        "name": "e",
    }
    return podium.Experiment(**{**arguments, **changes})


# What it is made of


def test_names_become_things() -> None:
    made = experiment()
    assert made.shape == (2, 5, 3, 2)
    assert [type(d).__name__ for d in made.datasets] == ["Dataset", "Dataset"]
    assert [a.name for a in made.algorithms] == ["lda", "rpart", "constant"]
    assert [m.name for m in made.measures] == ["misclassification", "fit time"]
    assert made.resampling == podium.Bootstrap(replications=5)
    assert (made.seed, made.name) == (7, "e")
    assert repr(made) == "Experiment 'e': 2 data sets × 5 replications × 3 algorithms × 2 measures"


def test_objects_are_taken_as_they_are() -> None:
    data, process = toy(), podium.Dataset.generated("circle", n=50)
    knn = podium.Algorithm.named("knn")
    error = podium.Measure.named("misclassification")
    made = experiment(
        datasets=(data, process), algorithms=[knn, GaussianNB()], measures=(error,), resampling=ShuffleSplit(3)
    )
    assert made.datasets == (data, process)
    assert made.algorithms[0] is knn
    assert made.algorithms[1].name == "GaussianNB"
    assert made.measures == (error,)
    assert made.shape == (2, 3, 2, 1)


def test_a_mapping_gives_names_to_objects() -> None:
    made = experiment(datasets={"mine": toy()}, algorithms={"bayes": GaussianNB(), "svm": SVC()})
    assert [d.name for d in made.datasets] == ["mine"]
    assert [a.name for a in made.algorithms] == ["bayes", "svm"]


def test_a_mapping_gives_names_to_names_too() -> None:
    made = experiment(
        datasets={"echoes": "sonar", "ball": {"generator": "circle", "n": 50}},
        algorithms={"bayes": GaussianNB(), "forest": "rf", "1nn": {"candidate": "knn", "parameters": {"k": 1}}},
        measures={"wrong": "misclassification"},
    )
    assert [d.name for d in made.datasets] == ["echoes", "ball"]
    assert [a.name for a in made.algorithms] == ["bayes", "forest", "1nn"]
    assert [m.name for m in made.measures] == ["wrong"]
    assert podium.Experiment.from_dict(experiment(algorithms={"forest": "rf"}).to_dict()).algorithms[0].name == "forest"
    with pytest.raises(DesignError, match=r"^An algorithm has no key 'klass'\. .* Did you mean 'class'\?$"):
        experiment(algorithms={"klass": "sklearn.svm.SVC"})


def test_arrays_are_a_data_set(tmp_path: Path) -> None:
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    assert len(experiment(datasets=[(X, y)]).dataset("data")) == 20
    assert len(experiment(datasets=(X, y)).dataset("data")) == 20
    table = pd.DataFrame({"a": np.arange(20.0), "class": np.where(np.arange(20) % 2, "u", "v")})
    table.to_csv(tmp_path / "mine.csv", index=False)
    made = experiment(datasets={"file": "mine.csv", "target": "class"}, folder=tmp_path)
    assert len(made.dataset("mine")) == 20


def test_nothing_can_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        experiment().seed = 3  # type: ignore[misc]


def test_arguments_can_be_replaced() -> None:
    made = experiment(algorithms=["lda", podium.grid("knn", k=[1, 3])])
    again = made.replace(seed=8)
    assert (again.seed, again.shape) == (8, made.shape)
    assert again.replace(seed=7) == made
    assert again.to_dict()["algorithms"] == ["lda", {"candidate": "knn", "grid": {"k": [1, 3]}}]
    with pytest.raises(LabelError, match=r"^An experiment has no argument 'sed'\. .* Did you mean 'seed'\?$"):
        made.replace(sed=3)


def test_trials_come_replication_by_replication() -> None:
    made = experiment(datasets="monks1", algorithms=["lda", "nb"], resampling=podium.Bootstrap(replications=2))
    assert list(made.trials()) == [
        ("monks1", 1, "lda"),
        ("monks1", 1, "nb"),
        ("monks1", 2, "lda"),
        ("monks1", 2, "nb"),
    ]
    assert len(list(experiment().trials())) == 2 * 5 * 3


# Samples, again at any time


def test_the_same_design_gives_the_same_sample() -> None:
    one, two = experiment(), experiment()
    two.sample("sonar", 3)
    for name in ("sonar", "monks1"):
        for replication in (5, 1, 3):
            a, b = one.sample(name, replication), two.sample(name, replication)
            assert np.array_equal(a.learn, b.learn)
            assert np.array_equal(a.test, b.test)


def test_a_sample_does_not_depend_on_the_rest_of_the_design() -> None:
    whole = experiment(resampling=podium.Bootstrap(replications=50))
    part = experiment(datasets=["iris", "sonar"], algorithms="nb", measures="accuracy", name="other")
    assert np.array_equal(whole.sample("sonar", 2).learn, part.sample("sonar", 2).learn)
    assert not np.array_equal(whole.sample("sonar", 2).learn, part.replace(seed=8).sample("sonar", 2).learn)


def test_samples_are_the_observations_of_the_split() -> None:
    made = experiment()
    split = made.sample("monks1", 2)
    learn, test = made.samples("monks1", 2)
    X = made.dataset("monks1").X
    pd.testing.assert_frame_equal(learn.X, X.iloc[split.learn].reset_index(drop=True))
    pd.testing.assert_frame_equal(test.X, X.iloc[split.test].reset_index(drop=True))
    structure = made.structure("monks1", 2)
    assert np.array_equal(structure.learn, split.learn)


def test_the_place_in_a_cross_validation_is_known() -> None:
    made = experiment(resampling=podium.CrossValidation.five_by_two())
    assert [(made.structure("sonar", b).repeat, made.structure("sonar", b).fold) for b in (1, 2, 3, 10)] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (5, 2),
    ]


def test_a_generator_that_is_resampled_is_drawn_once() -> None:
    made = experiment(datasets=[podium.Dataset.generated("circle", n=60)])
    first = made.dataset("circle")
    assert made.dataset("circle") is first
    again = experiment(datasets=["sonar", podium.Dataset.generated("circle", n=60)])
    assert again.dataset("circle").fingerprint == first.fingerprint
    other = experiment(datasets=[podium.Dataset.generated("circle", n=60)], seed=8)
    assert other.dataset("circle").fingerprint != first.fingerprint
    twins = experiment(datasets=[podium.Dataset.generated("circle", n=60, name=name) for name in ("one", "two")])
    assert twins.dataset("one").fingerprint != twins.dataset("two").fingerprint
    split = made.sample("circle", 1)
    pd.testing.assert_frame_equal(made.samples("circle", 1)[0].X, first.X.iloc[split.learn].reset_index(drop=True))


def test_fresh_draws_give_samples_but_no_positions() -> None:
    made = experiment(
        datasets=[podium.Dataset.generated("circle", n=60)], resampling=podium.FreshDraws(replications=4, n_test=30)
    )
    learn, test = made.samples("circle", 3)
    assert (len(learn), len(test)) == (60, 30)
    again, _ = experiment(
        datasets=["spirals", podium.Dataset.generated("circle", n=60)],
        resampling=podium.FreshDraws(replications=9, n_test=30),
    ).samples("circle", 3)
    pd.testing.assert_frame_equal(learn.X, again.X)
    assert made.structure("circle", 3) is None
    for ask in (lambda: made.sample("circle", 1), lambda: made.dataset("circle")):
        with pytest.raises(InputError, match=r"; use experiment\.samples\(\.\.\.\)\.$"):
            ask()


def test_the_reserve_is_returned() -> None:
    made = experiment(resampling=podium.design.Reserve())
    reserved = made.reserved("sonar")
    assert len(reserved) == 69  # a third of 208
    seen = np.concatenate([np.r_[made.sample("sonar", b).learn, made.sample("sonar", b).test] for b in range(1, 11)])
    assert not np.intersect1d(reserved, seen).size
    assert not experiment().reserved("sonar").size


def test_unknown_names_are_refused() -> None:
    for ask in (experiment().dataset, experiment().reserved, lambda name: experiment().sample(name, 1)):
        with pytest.raises(LabelError, match=r"^The experiment has no data set 'sonr'\. .* Did you mean 'sonar'\?$"):
            ask("sonr")
    with pytest.raises(InputError, match=r"^`replication` must be a whole number from 1 to 5; got 6\.$"):
        experiment().samples("sonar", 6)
    with pytest.raises(LabelError, match=r"^The experiment has no algorithm 'rprt'\."):
        experiment().seed_of("sonar", 1, "rprt")


@few_examples()
@given(st.integers(0, 2**40), st.integers(1, 10**6), st.integers(1, 10**6))
def test_seeds_of_trials_belong_to_the_trial(seed: int, one: int, two: int) -> None:
    made = MANY.replace(seed=seed)
    seeds = {made.seed_of("sonar", one, "lda"), made.seed_of("sonar", one, "rf"), made.seed_of("iris", one, "lda")}
    assert len(seeds) == 3
    assert all(0 <= s < 2**32 for s in seeds)
    assert (made.seed_of("sonar", one, "lda") == made.seed_of("sonar", two, "lda")) == (one == two)
    assert made.seed_of("sonar", np.int64(one), "lda") == made.seed_of("sonar", one, "lda")


MANY = experiment(datasets=["sonar", "iris"], algorithms=["lda", "rf"], resampling=podium.Bootstrap(10**6))


# Identity, differences


def test_equal_designs_are_equal() -> None:
    assert experiment() == experiment()
    assert hash(experiment()) == hash(experiment())
    assert experiment() != experiment(seed=8)
    assert experiment() != experiment(name="f")
    assert experiment() != experiment(algorithms=["lda", "rpart"])
    assert experiment(datasets=[toy()]) == experiment(datasets=[toy()])
    assert experiment(datasets=[toy()]) != experiment(datasets=[toy(42)])
    assert experiment() != 3
    splitter = PredefinedSplit(np.arange(40) % 2)
    assert experiment(datasets=[toy()], resampling=splitter) == experiment(datasets=[toy()], resampling=splitter)


def test_objects_without_file_form_are_equal_by_content() -> None:
    def made(c: float) -> podium.Experiment:
        def own(learn: Sample) -> LogisticRegression:
            return LogisticRegression(C=c)

        return experiment(datasets=[toy()], algorithms=[podium.Algorithm("own", own)])

    assert made(1.0).algorithms[0].spec is None
    assert made(1.0) == made(1.0)
    assert made(1.0) != made(2.0)
    assert made(1.0).fingerprint() != made(2.0).fingerprint()
    assert kinds(made(2.0), made(1.0)) == [("changes", "the algorithm 'own' has changed")]


def test_objects_whose_content_is_unknown_are_equal_if_they_are_the_same() -> None:
    one, two = (podium.Algorithm("own", Locked()) for _ in range(2))
    assert experiment(datasets=[toy()], algorithms=[one]) == experiment(datasets=[toy()], algorithms=[one])
    assert experiment(datasets=[toy()], algorithms=[one]) != experiment(datasets=[toy()], algorithms=[two])


class Locked:
    def __init__(self) -> None:
        self.lock = threading.Lock()

    def fit(self, X: object, y: object) -> Locked:
        return self


def test_another_version_of_a_library_is_a_difference() -> None:
    earlier = experiment().record()
    versions = earlier["algorithms"]["lda"]["identity"]["versions"]
    assert versions["numpy"] == np.__version__
    earlier["algorithms"]["lda"]["identity"]["versions"] = {**versions, "numpy": "1.0"}
    (found,) = experiment().difference(earlier)
    assert (found.kind, found.subject, found.name) == ("changes", "algorithm", "lda")
    assert found.versions == {"numpy": ("1.0", np.__version__)}
    assert str(found) == f"the algorithm 'lda': numpy 1.0 before, {np.__version__} now"
    assert not found.contradicts


def test_the_fingerprint_changes_with_the_design() -> None:
    variants = [
        experiment(),
        experiment(seed=8),
        experiment(datasets=["monks1"]),
        experiment(datasets=[toy()]),
        experiment(datasets=[toy(42)]),
        experiment(algorithms=["lda"]),
        experiment(algorithms=[{"candidate": "knn", "parameters": {"k": 3}, "name": "lda"}]),
        experiment(resampling=podium.Bootstrap(replications=6)),
        experiment(measures=["accuracy"]),
    ]
    assert len({v.fingerprint() for v in variants}) == len(variants)
    assert experiment(name="other").fingerprint() == experiment().fingerprint()
    assert re.fullmatch("[0-9a-f]{16}", experiment().fingerprint())


def test_the_record_is_plain() -> None:
    made = experiment(datasets=["sonar", toy(), podium.grid("circle", d=[2, 3])], algorithms=[SVC(), "lda"])
    record = made.record()
    assert json.loads(json.dumps(record)) == record
    assert list(record["datasets"]) == ["sonar", "toy", "circle(d=2)", "circle(d=3)"]
    assert record["datasets"]["toy"]["data"] == toy().fingerprint


def kinds(new: podium.Experiment, old: podium.Experiment) -> list[tuple[str, str]]:
    found = new.difference(json.loads(json.dumps(old.record())))
    assert new.difference(old) == found
    assert new.changes(old) == [str(d) for d in found if d.kind == "changes"]
    return [(d.kind, str(d)) for d in found]


def test_no_difference() -> None:
    assert kinds(experiment(), experiment(name="other")) == []


def test_more_of_anything_but_measures_extends_a_design() -> None:
    more = experiment(
        datasets=["monks1", "sonar", "iris"],
        algorithms=["lda", "rpart", "constant", "nb"],
        resampling=podium.Bootstrap(replications=9),
    )
    assert kinds(more, experiment()) == [
        ("extends", "replications: 5 before, 9 now"),
        ("extends", "the data set 'iris' is new"),
        ("extends", "the algorithm 'nb' is new"),
    ]
    assert kinds(experiment(), more) == [
        ("reduces", "replications: 9 before, 5 now"),
        ("reduces", "the data set 'iris' has been removed"),
        ("reduces", "the algorithm 'nb' has been removed"),
    ]


def test_more_repeats_extend_and_other_folds_change() -> None:
    few, many = podium.CrossValidation(folds=3), podium.CrossValidation(folds=3, repeats=4)
    assert kinds(experiment(resampling=many), experiment(resampling=few)) == [("extends", "repeats: 1 before, 4 now")]
    inner, more = podium.design.Reserve(then=few), podium.design.Reserve(then=many)
    assert kinds(experiment(resampling=more), experiment(resampling=inner)) == [("extends", "repeats: 1 before, 4 now")]
    assert [kind for kind, _ in kinds(experiment(resampling=few), experiment())] == ["changes"]
    four = podium.CrossValidation(folds=4)
    assert kinds(experiment(resampling=four), experiment(resampling=few)) == [
        (
            "changes",
            "the resampling was {'cross-validation': {'folds': 3, 'repeats': 1}} and is "
            "{'cross-validation': {'folds': 4, 'repeats': 1}}",
        )
    ]


def test_the_samples_behind_an_extension_stay() -> None:
    """What difference() calls an extension must leave every old sample as it was."""
    for few, many in [
        (podium.Bootstrap(replications=2), podium.Bootstrap(replications=4)),
        (podium.CrossValidation(folds=3), podium.CrossValidation(folds=3, repeats=4)),
        (podium.Subsampling(replications=2), podium.Subsampling(replications=4)),
    ]:
        old, new = experiment(resampling=few), experiment(resampling=many, datasets=["iris", "sonar", "monks1"])
        assert {kind for kind, _ in kinds(new, old)} == {"extends"}
        for b in range(1, few.replications + 1):
            assert np.array_equal(old.sample("sonar", b).learn, new.sample("sonar", b).learn)


def test_other_seeds_data_parameters_and_measures_change_a_design() -> None:
    old = experiment(datasets=[toy(), podium.Dataset.generated("circle", n=50)], algorithms=["lda", "knn"])
    new = experiment(
        datasets=[toy(42), podium.Dataset.generated("circle", n=60)],
        algorithms=["lda", {"candidate": "knn", "parameters": {"k": 3}}],
        measures=["misclassification", "accuracy"],
        seed=9,
    )
    assert kinds(new, old) == [
        ("changes", "the seed was 7 and is 9"),
        ("changes", "the data of the data set 'toy' have changed"),
        (
            "changes",
            "the data set 'circle' was {'generator': 'circle', 'n': 50, 'd': 2} and is "
            "{'generator': 'circle', 'n': 60, 'd': 2}",
        ),
        (
            "changes",
            "the algorithm 'knn' was {'candidate': 'knn'} and is {'candidate': 'knn', 'parameters': {'k': 3}}",
        ),
        ("extends", "the measure 'accuracy' is new"),
        ("reduces", "the measure 'fit time' has been removed"),
    ]


def test_the_same_data_from_elsewhere_are_not_a_change(tmp_path: Path) -> None:
    table = pd.DataFrame({"a": np.arange(20.0), "class": np.where(np.arange(20) % 2, "u", "v")})
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        table.to_csv(tmp_path / name / "mine.csv", index=False)
    one, two = (
        experiment(datasets={"file": f"{name}/mine.csv", "target": "class"}, folder=tmp_path) for name in ("one", "two")
    )
    assert kinds(two, one) == []


def test_it_can_be_sent_to_another_process() -> None:
    made = experiment(datasets=["sonar", podium.Dataset.generated("circle", n=50)])
    again = cloudpickle.loads(cloudpickle.dumps(made))
    assert again == made
    assert np.array_equal(again.sample("circle", 2).learn, made.sample("circle", 2).learn)


# What it refuses


REFUSED: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
    ({"datasets": []}, ("datasets",)),
    ({"algorithms": ["lda", None]}, ("algorithms", 1)),
    ({"seed": True}, ("seed",)),
    ({"name": 3}, ("name",)),
    ({"algorithms": ["lda", {"candidate": "rf", "name": "lda"}]}, ("algorithms", 1)),
    ({"measures": ["error", "misclassification"]}, ("measures", 1)),
    ({"measures": ["fit time", "squared error"]}, ("measures", 1)),
    ({"datasets": ["sonar", podium.Dataset.generated("friedman1")]}, ("measures", 0)),
    ({"algorithms": ["lda", "lm"]}, ("algorithms", 1)),
    ({"algorithms": ["lda", {"class": "sklearn.linear_model.Ridge"}]}, ("algorithms", 1)),
    ({"datasets": ["spirals", "sonar"], "resampling": "fresh-draws"}, ("datasets", 1)),
    ({"resampling": podium.CrossValidation(folds=300)}, ("datasets", 1)),
    ({"resampling": podium.CrossValidation(grouped=True)}, ("datasets", 0)),
    ({"resampling": GroupKFold(3)}, ("datasets", 0)),
    ({"datasets": pd.DataFrame({"dose": [1.0], "cured": ["no"]})}, ("datasets",)),
    ({"datasets": "monks1, sonar"}, ("datasets",)),
    ({"measures": ["accuracy", podium.Measure.named("recall", positive="R")]}, ("measures", 1, "positive")),
    ({"resampling": {"bootstrap": {"replications": 0}}}, ("resampling", "bootstrap", "replications")),
    ({"keep": "prediction"}, ("keep", 0)),
]


@pytest.mark.parametrize(("changes", "path"), REFUSED)
def test_designs_that_cannot_be_run_are_refused(changes: dict[str, Any], path: tuple[Any, ...]) -> None:
    with pytest.raises(DesignError) as caught:
        experiment(**changes)
    assert caught.value.path == path
    assert (caught.value.file, caught.value.line, caught.value.message) == ("", 0, str(caught.value))


def test_unsupervised_tasks_have_no_candidates_by_name() -> None:
    data = toy(task="unsupervised")
    with pytest.raises(DesignError, match=r"^The algorithm 'lda' is for classification, .* Use your own algorithm\.$"):
        experiment(datasets=[data], algorithms=["lda"], measures=["adjusted rand"])
    made = experiment(datasets=[data], algorithms=[KMeans(2, n_init=1)], measures=["adjusted rand"])
    assert made.shape == (1, 5, 1, 1)


def test_what_is_kept_is_written_to_the_file_and_is_no_part_of_the_identity(tmp_path: Path) -> None:
    plain = podium.Experiment("iris", "lda", podium.Bootstrap(2), "accuracy")
    keeping = plain.replace(keep=["probabilities", "predictions"])
    assert keeping.keep == ("predictions", "probabilities")
    assert podium.Experiment.from_file(keeping.to_file(tmp_path / "design.yaml")).keep == keeping.keep
    assert "keep" not in plain.to_dict()
    assert keeping.fingerprint() == plain.fingerprint()
    assert keeping.difference(plain) == []
