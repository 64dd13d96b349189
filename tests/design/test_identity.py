"""Two things have the same identity if, and only if, they make the same numbers."""

from __future__ import annotations

import copy
import functools
import importlib
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import cloudpickle
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import scipy.stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC

import podium
from podium.design import identity
from podium.design.algorithm import as_algorithm
from podium.design.identity import Identity, identify
from podium.design.measure import as_measure


class Threshold(ClassifierMixin, BaseEstimator):
    """A user-defined classifier."""

    def __init__(self, at: float = 0.5, weights: Any = None) -> None:
        self.at = at
        self.weights = weights

    def fit(self, X: Any, y: Any) -> Threshold:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[(np.asarray(X)[:, 0] > self.at).astype(int)]


class Plain:
    """A model without `get_params`."""

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)

    def fit(self, X: Any, y: Any) -> Plain:
        return self


def columns(C: float = 1.0) -> Any:
    numbers = (StandardScaler(), make_column_selector(dtype_include="number"))
    names = (OneHotEncoder(), make_column_selector(dtype_include="category"))
    return make_pipeline(make_column_transformer(numbers, names), LogisticRegression(C=C))


def factory(value: float) -> Callable[[Any], Any]:
    return lambda learn: LogisticRegression(C=value)


def with_default(learn: Any, C: float = 1.0) -> Any:
    return LogisticRegression(C=C)


def documented(learn: Any, C: float = 1.0) -> Any:
    """Say the same with other words."""
    regularisation = C  # under another name
    return LogisticRegression(C=regularisation)


def documented_again(learn: Any, C: float = 1.0) -> Any:
    """Say the same with yet other words."""

    strength = C
    return LogisticRegression(C=strength)


def _fitted(model: Any) -> Any:
    data = podium.Dataset.named("iris")
    return model.fit(data.X, data.y)


def _frame(**changes: Any) -> pd.DataFrame:
    return pd.DataFrame({"a": [1.0, 2.0], "b": pd.Categorical(["x", "y"]), **changes})


def _selected(columns: Any) -> Any:
    return make_pipeline(FunctionTransformer(lambda X: X[columns]), SVC())


def _one(learn: Any, *_: Any) -> Any:
    return 1


def _factory(learn: Any, **parameters: Any) -> Any:
    return parameters


def _shifted(by: int) -> Any:
    @functools.wraps(accuracy_score)
    def shifted(learn: Any) -> Any:
        return accuracy_score(learn, learn) + by

    return shifted


class Shifted:
    """A decorator with state."""

    def __init__(self, function: Callable[..., Any], by: int) -> None:
        functools.update_wrapper(self, function)
        self.by = by

    def __call__(self, learn: Any) -> Any:
        return _one(learn) + self.by


class Halved(functools.partial):  # type: ignore[type-arg]
    """A partial function that does more."""

    def __call__(self, *args: Any) -> Any:
        return super().__call__(*args) / 2


class Thirds(functools.partial):  # type: ignore[type-arg]
    """Another one."""

    def __call__(self, *args: Any) -> Any:
        return super().__call__(*args) / 3


def _matrix() -> Any:
    return np.ones((2, 2)).view(np.matrix)


def _dispatching(value: int) -> Any:
    @functools.singledispatch
    def dispatched(thing: Any) -> Any:
        return 0

    dispatched.register(int, lambda thing: value)
    return Plain(a=dispatched)


def _cycle(value: int) -> Any:
    inner: list[Any] = [value]
    inner.append(inner)
    return Plain(inner=inner)


class Measured(np.ndarray):
    """A user-defined array that keeps its attribute when it is copied."""

    def __array_finalize__(self, source: Any) -> None:
        self.units = getattr(source, "units", None)

    def __reduce__(self) -> Any:
        return _measured, (np.asarray(self), vars(self).get("units"))


def _measured(values: Any, units: str) -> Any:
    array = np.asarray(values).view(Measured)
    array.units = units
    return array


def measured(units: str) -> Threshold:
    return Threshold(weights=_measured((1.0, 2.0), units))


def weighed(weights: Any) -> Threshold:
    return Threshold(weights=weights)


# What is compared, the one, the other, whether they are the same.
CASES: list[tuple[str, Any, Any, bool]] = [
    ("another class", SVC(), KNeighborsClassifier(), False),
    ("a set and a frozenset", Plain(x={1, 2}), Plain(x=frozenset({1, 2})), False),
    ("equal arrays of one's own class", measured("m"), measured("m"), True),
    ("an attribute of an array", measured("m"), measured("km"), False),
    ("a parameter", SVC(C=1.0), SVC(C=2.0), False),
    ("a default written out", SVC(), SVC(C=1.0, kernel="rbf"), True),
    ("a fitted one, which is cloned", SVC(), _fitted(SVC()), True),
    ("a frozen one, which is not cloned", FrozenEstimator(SVC()), FrozenEstimator(_fitted(SVC())), False),
    ("a pipeline with column selectors", columns(), columns(), True),
    ("a parameter inside that pipeline", columns(), columns(C=1e-6), False),
    (
        "a search over that pipeline",
        GridSearchCV(columns(), {"logisticregression__C": [1, 10]}),
        GridSearchCV(columns(), {"logisticregression__C": [1, 10]}),
        True,
    ),
    (
        "the folds of a search",
        GridSearchCV(SVC(), {"C": [1, 10]}, cv=StratifiedKFold(5)),
        GridSearchCV(SVC(), {"C": [1, 10]}, cv=StratifiedKFold(10)),
        False,
    ),
    (
        "a distribution of a search",
        RandomizedSearchCV(SVC(), {"C": scipy.stats.uniform(1, 2)}),
        RandomizedSearchCV(SVC(), {"C": scipy.stats.uniform(1, 3)}),
        False,
    ),
    (
        "equal random generators",
        RandomForestClassifier(random_state=np.random.RandomState(3)),
        RandomForestClassifier(random_state=np.random.RandomState(3)),
        True,
    ),
    (
        "random generators in another state",
        RandomForestClassifier(random_state=np.random.RandomState(3)),
        RandomForestClassifier(random_state=np.random.RandomState(4)),
        False,
    ),
    ("arrays", weighed(np.arange(3.0)), weighed(np.arange(3.0)), True),
    ("one number of an array", weighed(np.arange(3.0)), weighed(np.ones(3)), False),
    ("the dtype of an array", weighed(np.arange(3)), weighed(np.arange(3.0)), False),
    ("the shape of an array", weighed(np.zeros((2, 3))), weighed(np.zeros((3, 2))), False),
    ("the layout of an array in memory", weighed(np.asfortranarray(np.eye(3) + 1)), weighed(np.eye(3) + 1), True),
    ("frames", weighed(_frame()), weighed(_frame()), True),
    ("a value of a frame", weighed(_frame()), weighed(_frame(a=[1.0, 3.0])), False),
    (
        "the categories of a column",
        weighed(_frame()),
        weighed(_frame(b=pd.Categorical(["x", "y"], ["x", "y", "z"]))),
        False,
    ),
    (
        "a value of a sparse matrix",
        weighed(scipy.sparse.eye_array(3, format="csr")),
        weighed(2 * scipy.sparse.eye_array(3, format="csr")),
        False,
    ),
    ("a shared part and an equal copy", Plain(a=[w := [1], w]), Plain(a=[[1], [1]]), True),
    ("whole and real numbers", Plain(a=1), Plain(a=1.0), False),
    ("numbers of NumPy and of Python", Plain(a=np.float64(1.5)), Plain(a=1.5), True),
    ("objects that contain themselves", _cycle(1), _cycle(1), True),
    ("a value in such an object", _cycle(1), _cycle(2), False),
    ("factories with equal closures", factory(1.0), factory(1.0), True),
    ("a value in a closure", factory(1.0), factory(1e-6), False),
    ("a default of a function", with_default, functools.partial(with_default, C=2.0), False),
    ("renamed variables, comments and docstrings", documented, documented_again, True),
    ("other constants in a lambda", lambda learn: SVC(C=1.0), lambda learn: SVC(C=2.0), False),
    ("columns in a lambda inside a pipeline", _selected(["a"]), _selected(["b"]), False),
    ("a bound method", Plain(a=SVC(C=1.0).fit), Plain(a=SVC(C=2.0).fit), False),
    ("universal functions", Plain(a=np.log), Plain(a=np.log1p), False),
    ("a wrapper that took the name of a library's function", _shifted(1), _shifted(2), False),
    ("state of an object that wraps a function", Shifted(_one, 1), Shifted(_one, 2), False),
    ("the order of a mapping", Plain(a={"x": 1, "y": 2}), Plain(a={"y": 2, "x": 1}), False),
    (
        "the order of keyword arguments",
        functools.partial(_factory, x=1, y=2),
        functools.partial(_factory, y=2, x=1),
        True,
    ),
    ("partial functions of one's own", Plain(a=Halved(max, 1)), Plain(a=Thirds(max, 1)), False),
    ("the class of an array", weighed(np.ones((2, 2))), weighed(_matrix()), False),
    ("regular expressions", Plain(a=re.compile("a")), Plain(a=re.compile("b")), False),
    (
        "the container of what a step returns, which a clone keeps",
        make_pipeline(StandardScaler().set_output(transform="pandas"), SVC()),
        make_pipeline(StandardScaler().set_output(transform="default"), SVC()),
        False,
    ),
]


def of(thing: Any) -> Identity:
    return identify(podium.Algorithm("a", thing))


@pytest.mark.parametrize(("first", "second", "same"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_equal_content_and_nothing_else_makes_an_equal_identity(first: Any, second: Any, same: bool) -> None:
    one, other = of(first), of(second)
    assert one.established, one.problem
    assert other.established, other.problem
    assert (one.key == other.key) is same


@pytest.mark.parametrize("thing", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_a_copy_and_a_pickle_have_the_same_identity(thing: Any) -> None:
    assert of(copy.deepcopy(thing)) == of(thing)
    assert of(cloudpickle.loads(cloudpickle.dumps(thing))) == of(thing)


def test_a_renamed_algorithm_keeps_its_identity() -> None:
    made = podium.Algorithm("one", SVC())
    assert identify(made.renamed("another", C=1)) == identify(made)


def test_a_design_file_and_an_object_have_the_same_identity() -> None:
    made = podium.Algorithm("a", SVC(C=10.0))
    written = as_algorithm({"class": "sklearn.svm.SVC", "parameters": {"C": 10.0}})
    assert identify(written) == identify(made)


def test_every_candidate_and_every_measure_has_its_own_identity() -> None:
    found = [identify(podium.Algorithm.named(name)) for name in podium.candidates().index]
    found += [identify(podium.Measure.named(name)) for name in podium.measures().index]
    assert all(each.established for each in found)
    assert len({each.key for each in found}) == len(found)


def test_options_of_a_measure_count() -> None:
    median = podium.Measure.named("squared error", functional="median")
    assert identify(median) != identify(podium.Measure.named("squared error"))


def test_more_replications_do_not_change_the_identity_of_a_scheme() -> None:
    assert identify(podium.Bootstrap(10)) == identify(podium.Bootstrap(20))
    assert identify(podium.Bootstrap(10)) != identify(podium.Bootstrap(10, stratify=True))
    reserve = podium.design.Reserve
    assert identify(reserve(then=podium.Bootstrap(10))) == identify(reserve(then=podium.Bootstrap(20)))


def test_data_sets_count_by_their_data() -> None:
    iris = podium.Dataset.named("iris")
    assert identify(iris) == identify(iris.renamed("flowers"))
    assert identify(iris) != identify(podium.Dataset.named("sonar"))


def test_generators_count_by_process_parameters_and_size() -> None:
    twonorm = podium.Dataset.generated("twonorm", n=100)
    assert identify(twonorm) == identify(podium.Dataset.generated("twonorm", n=100, name="another"))
    assert identify(twonorm) != identify(podium.Dataset.generated("twonorm", n=200))
    assert identify(twonorm) != identify(podium.Dataset.generated("twonorm", n=100, d=10))


# ---- own modules ----------------------------------------------------------------------------------------------------

MODULE = """
import numpy as np
import helping

LIMIT = 1.0

class Model:
    def fit(self, X, y):
        self.mean_ = helping.centre(y) * LIMIT
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)
"""
HELPING = "def centre(y):\n    return average(y)\n\ndef average(y):\n    return sum(y) / len(y)\n\ndef unused():\n    return 1\n"

EDITS: list[tuple[str, str, str, str, bool]] = [
    ("a comment", "modelling", "LIMIT = 1.0", "LIMIT = 1.0  # a remark", True),
    ("a docstring", "modelling", "class Model:", 'class Model:\n    """Words."""\n', True),
    ("a method", "modelling", "len(X), self.mean_", "len(X), 2 * self.mean_", False),
    ("a constant of the module", "modelling", "LIMIT = 1.0", "LIMIT = 2.0", False),
    ("a function that a function of another module calls", "helping", "sum(y) /", "1 + sum(y) /", False),
    ("a function that is not used", "helping", "return 1", "return 2", True),
]


@pytest.fixture
def modelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], ModuleType]:
    """Rewrite the modules and import them again."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(module: str, helping: str) -> ModuleType:
        (tmp_path / "modelling.py").write_text(module, encoding="utf-8")
        (tmp_path / "helping.py").write_text(helping, encoding="utf-8")
        for name in ("modelling", "helping"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("modelling")

    yield load  # type: ignore[misc]
    for name in ("modelling", "helping"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(("where", "old", "new", "same"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS])
def test_an_edit_counts_if_it_can_change_a_number(
    modelling: Callable[[str, str], ModuleType], where: str, old: str, new: str, same: bool
) -> None:
    before = of(modelling(MODULE, HELPING).Model())
    sources = {"modelling": MODULE, "helping": HELPING}
    assert old in sources[where]
    sources[where] = sources[where].replace(old, new)
    after = of(modelling(sources["modelling"], sources["helping"]).Model())
    assert before.established
    assert (before == after) is same


def test_functions_that_dispatch_by_type_count_with_all_they_dispatch_to() -> None:
    one, other = _dispatching(1), _dispatching(1)
    other.a(3)  # fills its cache
    assert of(one).established
    assert of(one) == of(other) != of(_dispatching(2))


def test_a_library_counts_before_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(learn: Any) -> Any:
        import dask.array as da

        return da

    before = of(make).versions
    assert "dask" in before
    assert "dask.array" not in sys.modules or of(make).versions == before


@pytest.mark.parametrize(
    "statement",
    [
        "import package.part\n    return package.part.value()",
        "from package import part\n    return part.value()",
        "from package.part import value\n    return value()",
        "from package import around\n    return around.value()",
    ],
)
def test_modules_imported_inside_a_function_count_with_those_they_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "around.py").write_text("from . import part\nfrom .part import value\n", encoding="utf-8")
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(f"def make(learn):\n    {statement}", space)
    sys.modules.pop("package", None)
    found = []
    for value in (1, 1, 2):
        (tmp_path / "package" / "part.py").write_text(f"def value():\n    return {value}\n", encoding="utf-8")
        found.append(of(space["make"]))
    assert found[0] == found[1] != found[2]


def test_a_module_in_a_closure_counts(modelling: Callable[[str, str], ModuleType]) -> None:
    def using(module: ModuleType) -> Any:
        return lambda learn: module.average(learn)  # type: ignore[attr-defined]

    modelling(MODULE, HELPING)
    before = of(using(sys.modules["helping"]))
    modelling(MODULE, HELPING.replace("sum(y) /", "1 + sum(y) /"))
    assert before.established
    assert before != of(using(sys.modules["helping"]))


def test_a_module_of_the_user_with_the_name_of_a_python_module_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for value in (1, 2):
        module = ModuleType("cmd")
        module.__file__ = str(tmp_path / "cmd.py")
        exec(f"def make(learn):\n    return {value}", vars(module))
        monkeypatch.setitem(sys.modules, "cmd", module)
        found.append(of(module.make))  # type: ignore[attr-defined]
    assert found[0] != found[1]


def test_a_class_defined_again_is_the_same_if_its_source_is() -> None:
    def define(constant: int) -> Any:
        class Model:
            def fit(self, X: Any, y: Any) -> Any:
                return super().__init__() or self

            def predict(self, X: Any) -> Any:
                return np.full(len(X), constant)

        return Model()

    assert of(define(1)) == of(define(1))
    assert of(define(1)) != of(define(2))


def test_functions_that_call_each_other_take_linear_time() -> None:
    names = [f"f{i}" for i in range(60)]
    calls = " + ".join(f"{name}()" for name in names)
    space: dict[str, Any] = {"__name__": "entangled"}
    exec("\n".join(f"def {name}(): return {calls} if {i} else 0" for i, name in enumerate(names)), space)
    assert identify(space["f0"]).established


# ---- versions -------------------------------------------------------------------------------------------------------


def test_the_versions_are_those_of_the_libraries_that_compute_the_numbers() -> None:
    assert set(of(SVC()).versions) == {"python", "numpy", "scikit-learn", "scipy"}
    assert set(identify(podium.Algorithm.named("lda")).versions) >= {"podium", "scikit-learn", "numpy"}


def test_another_version_changes_the_key_and_not_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    now = of(SVC())
    installed = identity.installed_version
    monkeypatch.setattr(
        identity, "installed_version", lambda name: "0.1" if name == "scikit-learn" else installed(name)
    )
    then = of(SVC())
    assert then.versions["scikit-learn"] == "0.1"
    assert then.digest == now.digest
    assert then.key != now.key


def test_a_new_edition_of_podiums_numbers_affects_only_its_own_algorithms(monkeypatch: pytest.MonkeyPatch) -> None:
    before = identify(podium.Algorithm.named("lda")).key, of(SVC()).key
    monkeypatch.setattr(identity, "NUMBERS_EDITION", 2)
    after = identify(podium.Algorithm.named("lda")).key, of(SVC()).key
    assert before[0] != after[0]
    assert before[1] == after[1]


# ---- what cannot be established, and what must not count ------------------------------------------------------------


def test_a_part_without_content_is_named() -> None:
    found = identify(podium.Algorithm("a", Plain(parts={"lock": threading.Lock()})), name="the algorithm 'a'")
    assert not found.established
    assert found.key.startswith("?")
    assert found.problem == "the algorithm 'a'.parts['lock'] (_thread.lock) cannot be read: TypeError"


@pytest.mark.parametrize("thing", [lambda: (i for i in range(3)), lambda: sys.stdout, lambda: sys._getframe()])
def test_other_parts_without_content_are_noticed(thing: Callable[[], Any]) -> None:
    found = of(Plain(part=thing()))
    assert not found.established
    assert "0x" not in found.problem


def test_the_state_of_the_global_generators_does_not_count() -> None:
    search = RandomizedSearchCV(SVC(), {"C": scipy.stats.uniform(1, 2)})
    before = of(search), of(Plain(draw=np.random.rand, other=random.random))
    np.random.rand(3)  # noqa: NPY002
    random.random()
    assert (of(search), of(Plain(draw=np.random.rand, other=random.random))) == before


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import test_identity
from podium.design.identity import identify
print([test_identity.of(case[1]).key for case in test_identity.CASES])
print(identify(test_identity.podium.Bootstrap(), test_identity.podium.Dataset.named("iris")).key)
print(hash("text"))
"""


def test_it_is_the_same_in_every_process(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also with other hashes."""
    folder = str(Path(__file__).parent)
    other = run_python(SCRIPT, folder)
    assert other.returncode == 0, other.stderr
    monkeypatch.setattr(sys, "argv", ["-c", folder])
    monkeypatch.setattr(sys, "path", sys.path.copy())
    exec(SCRIPT, {})
    *here, hash_here = capsys.readouterr().out.splitlines()
    *there, hash_there = other.stdout.splitlines()
    assert here == there
    assert hash_here != hash_there


def test_an_upgrade_affects_only_what_uses_the_library() -> None:
    assert "scikit-learn" not in of(Plain()).versions
    assert "scikit-learn" not in identify(podium.Measure.named("misclassification"), podium.Bootstrap()).versions
    assert "scikit-learn" in identify(as_measure({"scorer": "accuracy"})).versions
    assert "scikit-learn" in identify(podium.Algorithm.named("constant")).versions
