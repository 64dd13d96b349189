"""From what a user writes to an algorithm, and back to a file."""

from __future__ import annotations

import pickle
import sys
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from podium.design.algorithm import Algorithm, algorithm_from_spec, as_algorithm
from podium.design.candidates.rf import RandomForestClassifier as Forest
from podium.design.candidates.svm import RadialClassifier
from podium.design.dataset import Dataset
from podium.design.evaluation import fit_model
from podium.design.sample import Sample
from podium.errors import InputError


class Majority:
    """An object with `fit` that does not use scikit-learn."""

    random_state = None
    seed = 3

    def __init__(self, shift: int = 0) -> None:
        self.shift = shift

    def fit(self, X, y):
        self.label = pd.Series(y).mode()[self.shift]

    def predict(self, X):
        return np.repeat(self.label, len(X))


def factory_of_learn(learn: Sample):
    return DecisionTreeClassifier(min_samples_leaf=len(learn) // 10)


OWN = """
from sklearn.tree import DecisionTreeClassifier

def shallow(learn, seed, depth=2):
    return DecisionTreeClassifier(max_depth=depth, random_state=seed % 1000)

class Stump(DecisionTreeClassifier):
    def __init__(self, max_depth=1):
        super().__init__(max_depth=max_depth)

class Counter:
    def fit(self, X, y):
        self.label = max(set(y), key=list(y).count)

    def predict(self, X):
        return [self.label] * len(X)
"""


@pytest.fixture
def own_algorithms(tmp_path, monkeypatch):
    """A module of a user, importable by name."""
    (tmp_path / "own_algorithms.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("own_algorithms")
    sys.modules.pop("own_algorithms")


@pytest.fixture(scope="module")
def data() -> Dataset:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice(["u", "v", "w"], 60)})
    return Dataset(name="toy", X=X, y=pd.Series(np.where((X["a"] > 0) ^ (X["b"] == "u"), "yes", "no")))


@pytest.fixture(scope="module")
def numeric(data: Dataset) -> Sample:
    return Sample(data.X[["a"]], data.y)


# What a user writes


def test_a_name_is_a_candidate(numeric) -> None:
    made = Algorithm.named("knn")
    assert (made.name, made.spec, made.factors) == ("knn", {"candidate": "knn"}, {})
    assert made.description == "k nearest neighbours: k between 1 and √n by 10-fold cross-validation"
    assert fit_model(made, numeric, seed=1).tuned["k"] >= 1


def test_a_candidate_takes_parameters(numeric) -> None:
    made = Algorithm.named("knn", k=3).renamed("3nn")
    assert made.spec == {"candidate": "knn", "parameters": {"k": 3}, "name": "3nn"}
    assert made.description == "k nearest neighbours with k = 3"
    assert fit_model(made, numeric, seed=1).tuned == {"k": 3}


@pytest.mark.parametrize(
    ("candidate", "parameters", "message"),
    [
        ("knn", {"k": 2.5}, "a whole number of at least 1, or None for its rule; got 2.5."),
        ("rf", {"trees": True}, "a whole number of at least 1; got True."),
        ("nb", {"laplace": -0.5}, "a number of at least 0; got -0.5."),
        ("c45", {"confidence": 2}, "a number from 0 to 1; got 2."),
        ("svm", {"step": 0}, "a number above 0; got 0."),
        ("svm", {"costs": [5, -5]}, "a pair of exponents, the lower one first; got [5, -5]."),
    ],
)
def test_a_candidate_refuses_values_that_no_fit_could_use(candidate: str, parameters, message: str) -> None:
    (name,) = parameters
    with pytest.raises(InputError) as caught:
        Algorithm.named(candidate, **parameters)
    assert str(caught.value) == f"`{name}` of the candidate {candidate!r} must be {message}"


def test_whole_numbers_may_be_written_as_floats(numeric) -> None:
    assert repr(Algorithm.named("knn", k=3.0).make(numeric, 1).k) == "3"


def test_an_estimator_is_cloned_for_each_trial(numeric) -> None:
    original = SVC(C=10.0)
    made = as_algorithm(original)
    assert made.name == "SVC"
    assert made.description == "SVC of scikit-learn with C = 10.0"
    first, second = fit_model(made, numeric, seed=1), fit_model(made, numeric, seed=1)
    assert first is not second
    assert not hasattr(original, "support_")
    assert first.C == 10.0


def test_every_random_state_is_set_from_the_seed(numeric) -> None:
    nested = make_pipeline(StandardScaler(), BaggingClassifier(RandomForestClassifier(3), n_estimators=2))
    made = Algorithm("bagged forest", nested)
    states = [
        {k: v for k, v in made.make(numeric, seed).get_params().items() if k.endswith("random_state")}
        for seed in (1, 1, 2)
    ]
    assert len(states[0]) == 2
    assert len(set(states[0].values())) == 2
    assert states[0] == states[1]
    assert not set(states[0].values()) & set(states[2].values())
    assert all(0 <= state < 2**32 for state in states[0].values())


def test_the_seed_replaces_a_random_state_of_the_user(numeric) -> None:
    made = Algorithm("RandomForestClassifier", RandomForestClassifier(3, random_state=0))
    assert (
        made.make(numeric, 5).random_state
        == Algorithm("RandomForestClassifier", RandomForestClassifier(3)).make(numeric, 5).random_state
        != 0
    )


class Seeded(DummyClassifier):
    def __init__(self, depth: int = 1, seed: int = 0) -> None:
        super().__init__()
        self.depth, self.seed = depth, seed


def test_a_parameter_named_seed_is_set_like_a_random_state(numeric) -> None:
    made = as_algorithm(make_pipeline(StandardScaler(), Seeded(2, seed=3)))
    seeds = [made.make(numeric, seed).get_params()["seeded__seed"] for seed in (1, 1, 2)]
    assert seeds[0] == seeds[1] != seeds[2] and 3 not in seeds
    fixed = Algorithm("fixed", lambda learn: Seeded(2, seed=3))
    assert fixed.make(numeric, 1).seed == 3  # a factory of your own is left in charge


def test_a_pipeline_is_named_after_its_last_step() -> None:
    assert as_algorithm(make_pipeline(StandardScaler(), SVC())).name == "SVC"
    assert as_algorithm(make_pipeline(StandardScaler(), SVC())).description == "pipeline of StandardScaler, SVC"


def test_a_pipeline_sees_the_attributes_as_they_are(data) -> None:
    columns = make_column_transformer((OneHotEncoder(), ["b"]), remainder="passthrough")
    model = fit_model(as_algorithm(make_pipeline(columns, LogisticRegression())), data.take(np.arange(60)), seed=1)
    assert model.n_features_in_ == 2


def test_an_object_with_fit_is_copied_for_each_trial(numeric) -> None:
    original = Majority()
    made = as_algorithm(original)
    model = fit_model(made, numeric, seed=1)
    assert made.name == "Majority"
    assert made.spec is None
    assert not hasattr(original, "label")
    assert model.random_state == fit_model(made, numeric, seed=1).random_state
    assert model.seed == fit_model(made, numeric, seed=1).seed != fit_model(made, numeric, seed=2).seed
    assert Algorithm("a", original, parameters={"shift": 1}).make(numeric, 1).shift == 1
    with pytest.raises(InputError) as caught:
        Algorithm("a", original, parameters={"turn": 1})
    assert str(caught.value) == "Majority has no attribute 'turn', named by `parameters`."


def test_a_candidate_object_gets_the_seed_too(numeric) -> None:
    model = Algorithm("RadialClassifier", RadialClassifier(step=5)).make(Sample(numeric.X, numeric.y, np.arange(60)), 7)
    assert (model.seed, len(model.rows)) == (7, 60)
    forest = fit_model(Algorithm("Forest", Forest(trees=3)), Sample(numeric.X, numeric.y, np.arange(60)), seed=7)
    assert (forest.predict(numeric.X) == numeric.y).mean() > 0.7


def test_a_factory_receives_the_learning_sample(numeric) -> None:
    made = as_algorithm(factory_of_learn)
    assert made.name == "factory_of_learn"
    model = made.make(numeric, 3)
    assert model.min_samples_leaf == 6
    assert model.random_state is not None


@pytest.mark.parametrize("thing", [lambda learn: SVC(), lambda: SVC(), lambda a, b, c: SVC(), 7, int])
def test_what_is_not_an_algorithm_is_refused(thing) -> None:
    with pytest.raises(InputError):
        as_algorithm(thing)


@pytest.mark.parametrize("name", [" ", "a\0b", "\ud800"])
def test_a_name_must_be_a_text_that_can_be_stored(name: str) -> None:
    with pytest.raises(InputError, match=r"^`name` of an algorithm "):
        Algorithm.named("knn").renamed(name)


def test_an_algorithm_stays_itself() -> None:
    made = Algorithm.named("knn")
    assert as_algorithm(made) is made
    assert made.renamed("neighbours").name == "neighbours"
    assert made.with_parameters(k=2).spec == {"candidate": "knn", "parameters": {"k": 2}}


# Encoding


def test_an_encoding_makes_nominal_attributes_and_gaps_usable(data) -> None:
    learn = data.take(np.arange(40))
    learn.X.loc[3, "a"] = np.nan
    for encoding, width in (("one-hot", 4), ("treatment", 3), ("ordered", 2), ("codes", 2)):
        model = fit_model(Algorithm("SVC", SVC(), encoding=encoding), learn, seed=1)
        assert model.n_features_in_ == width
        assert set(model.predict(data.X)) <= {"yes", "no"}
        assert hasattr(model, "decision_function")
        assert not hasattr(model, "predict_proba")


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(InputError, match=r"Did you mean 'one-hot'\?$"):
        Algorithm("SVC", SVC(), encoding="onehot")
    with pytest.raises(InputError, match="has its own encoding"):
        Algorithm("knn", "knn", encoding="one-hot")


# Grids


def test_other_parameters_and_another_name_make_a_member_of_a_grid() -> None:
    made = Algorithm("SVC", SVC()).with_parameters(C=3.0).renamed("SVC(C=3)", C=3.0)
    assert made.factors == {"C": 3.0}
    assert made.spec == {
        "class": "sklearn.svm.SVC",
        "parameters": {"C": 3.0},
        "name": "SVC(C=3)",
        "factors": {"C": 3.0},
    }
    assert algorithm_from_spec(made.spec).spec == made.spec
    assert made.with_parameters(C=5.0).spec["parameters"] == {"C": 5.0}


def test_parameters_reach_into_pipelines(numeric) -> None:
    made = as_algorithm(make_pipeline(StandardScaler(), SVC())).with_parameters(svc__C=7.0)
    assert made.make(numeric, 1).steps[-1][1].C == 7.0
    with pytest.raises(InputError, match=r"^Pipeline does not accept these `parameters`: Invalid parameter 'nothing'"):
        made.with_parameters(nothing=1)
    encoded = Algorithm("SVC", SVC(), encoding="one-hot").with_parameters(C=7.0)
    assert encoded.make(numeric, 1).model.C == 7.0
    assert encoded.spec == {"class": "sklearn.svm.SVC", "parameters": {"C": 7.0}, "encoding": "one-hot"}


# Files

SPECS = [
    {"candidate": "nb"},
    {"candidate": "svm", "parameters": {"step": 8, "costs": [-5, 3], "folds": 2}, "name": "coarse grid"},
    {"class": "sklearn.svm.SVC"},
    {"class": "sklearn.svm.SVC", "parameters": {"C": 10.0, "kernel": "linear"}, "name": "linear"},
    {"class": "sklearn.svm.SVC", "encoding": "one-hot", "name": "encoded", "description": "words"},
    {"class": "sklearn.svm.SVC", "parameters": {"class_weight": {"yes": 2.0}}, "name": "weighted"},
    {
        "class": "sklearn.pipeline.Pipeline",
        "parameters": {
            "steps": [
                ["scale", {"class": "sklearn.preprocessing.StandardScaler"}],
                ["svc", {"class": "sklearn.svm.SVC", "parameters": {"C": 2.0}}],
            ]
        },
    },
    {
        "class": "sklearn.model_selection.GridSearchCV",
        "parameters": {
            "estimator": {"class": "sklearn.svm.SVC"},
            "param_grid": {"C": [1, 10], "kernel": ["rbf", "linear"]},
            "cv": 3,
        },
        "name": "tuned",
    },
    {"factory": "own_algorithms.shallow", "parameters": {"depth": 3}, "name": "3 deep", "factors": {"depth": 3}},
    {"class": "own_algorithms.Stump", "name": "own class"},
]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.get("name", next(iter(spec.values()))))
def test_files_are_read_and_written_back(spec, numeric, own_algorithms) -> None:
    made = algorithm_from_spec(spec)
    assert made.spec == spec
    assert made.name == spec.get("name", made.name)
    assert set(fit_model(made, numeric, seed=1).predict(numeric.X)) <= {"yes", "no"}


def test_what_a_search_has_chosen_is_returned(numeric) -> None:
    from podium.design.evaluation import fit_and_measure

    search = Algorithm("search", GridSearchCV(SVC(), {"C": [0.1, 10]}, cv=3))
    assert set(fit_and_measure(search, numeric, numeric, [], seed=1).tuned) == {"C"}


def test_objects_without_a_file_form_have_no_spec() -> None:
    class Local(SVC):
        pass

    assert Algorithm("Local", Local()).spec is None
    assert as_algorithm(make_pipeline(StandardScaler(), Local())).spec is None
    assert Algorithm("x", lambda learn: SVC()).spec is None


def test_defaults_and_random_states_are_not_written() -> None:
    assert Algorithm("KMeans", KMeans(n_clusters=3, random_state=4)).spec == {
        "class": "sklearn.cluster.KMeans",
        "parameters": {"n_clusters": 3},
    }
    assert Algorithm("MLPClassifier", MLPClassifier((5, 3))).spec["parameters"] == {"hidden_layer_sizes": [5, 3]}
    assert Algorithm("SVC", SVC(C=np.float64(2))).spec == {"class": "sklearn.svm.SVC", "parameters": {"C": 2.0}}


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"name": "x"},
        {"candidate": "svm", "class": "x.y"},
        {"candidate": "svm", "paramters": {}},
        {"class": "SVC"},
        {"class": "sklearn.svm.OneClassSVG"},
        {"class": "sklearn.gaussian_process.kernels.RBF"},
        {"class": "sklearn.svm.SVC", "parameters": {"c": 1}},
        {"class": "sklearn.svm.SVC", "parameters": [1]},
        {"factory": "math.pi"},
    ],
)
def test_wrong_entries_of_a_file_are_refused(spec) -> None:
    with pytest.raises(InputError):
        algorithm_from_spec(spec)


# Sending to another process


def test_algorithms_can_be_sent_to_another_process(numeric, own_algorithms) -> None:
    pipeline = Pipeline([("scale", StandardScaler()), ("svc", SVC())])
    for thing in ("lda", SVC(C=2.0), pipeline, own_algorithms.Counter(), own_algorithms.shallow):
        made = Algorithm("sent", thing)
        sent = pickle.loads(pickle.dumps(made))
        assert (sent.name, sent.spec) == (made.name, made.spec)
        assert set(fit_model(sent, numeric, seed=1).predict(numeric.X)) <= {"yes", "no"}
