"""Every public callable of the setup, called with values of the wrong type: whatever is raised is an error of podium."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError, PodiumError

VALUES: dict[str, Any] = {
    "None": None,
    "number": 3,
    "negative": -1.5,
    "flag": True,
    "text": "x",
    "empty text": "",
    "list": [],
    "list of numbers": [1, 2],
    "mapping": {},
    "mapping of numbers": {1: 2},
    "object": object(),
    "class": dict,
    "function": lambda *arguments, **named: None,
    "frame": pd.DataFrame({"a": [1.0, 2.0]}),
    "array": np.arange(6.0).reshape(3, 2),
    "array without an axis": np.array(3),
    "huge number": 10**30,
}

EXPERIMENT = podium.Experiment("monks1", ["lda", podium.grid("knn", k=[1, 3])], podium.Bootstrap(5), "accuracy")
FACTORS = EXPERIMENT.factors
DATA = podium.dataset("monks1")
LDA = podium.algorithm("lda")
TWONORM = podium.generator("twonorm", n=30)
SPLITTER = podium.setup.resampling_scheme({"class": "sklearn.model_selection.KFold"})
FRAME = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["u", "v", "u", "v"]})
X, Y = FRAME[["x"]], FRAME["y"]

# A call that works, from which one argument after the other is replaced.
CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (
        podium.Experiment,
        {
            "datasets": "monks1",
            "algorithms": "lda",
            "resampling": "bootstrap",
            "measures": "accuracy",
            "seed": 0,
            "name": "",
            "folder": None,
            "keep": (),
            "stopping": None,
        },
    ),
    (podium.Stopping, {field.name: getattr(podium.Stopping(), field.name) for field in fields(podium.Stopping)}),
    (podium.Stopping(equivalence=0.1).margin, {"measure": "accuracy"}),
    (podium.Stopping().looks, {"replications": 10}),
    (podium.Stopping().describe, {"replications": 10}),
    (podium.Stopping().outline, {"replications": 10}),
    (podium.Stopping().resolved, {"replications": 10, "measures": ["accuracy"]}),
    (podium.Experiment.from_dict, {"design": EXPERIMENT.to_dict(), "folder": None}),
    (podium.Experiment.from_file, {"path": "nowhere.yaml", "imports": False}),
    (podium.setup.design_modules, {"path": "nowhere.yaml"}),
    (EXPERIMENT.replace, {"seed": 1, "datasets": "monks1", "resampling": "5x2cv"}),
    (EXPERIMENT.difference, {"earlier": EXPERIMENT}),
    (EXPERIMENT.changes, {"earlier": EXPERIMENT}),
    (EXPERIMENT.dataset, {"name": "monks1"}),
    (EXPERIMENT.sample, {"dataset": "monks1", "replication": 1}),
    (EXPERIMENT.samples, {"dataset": "monks1", "replication": 1}),
    (EXPERIMENT.reserved, {"dataset": "monks1"}),
    (EXPERIMENT.structure, {"dataset": "monks1", "replication": 1}),
    (EXPERIMENT.seed_of, {"dataset": "monks1", "replication": 1, "algorithm": "lda"}),
    (EXPERIMENT.path_of, {"part": "datasets", "name": "monks1"}),
    (FACTORS.join, {"frame": pd.DataFrame({"algorithm": ["knn(k=1)"]})}),
    (
        podium.dataset,
        {
            "source": FRAME,
            "target": "y",
            "task": "classification",
            "name": "toy",
            "nominal": [],
            "drop": [],
            "groups": None,
            "na_values": None,
            "seed": 0,
        },
    ),
    (
        podium.Dataset,
        {"name": "toy", "X": X, "y": Y, "task": "classification", "groups": None, "source": "", "licence": ""},
    ),
    (podium.Dataset, {"name": "toy", "X": X, "y": X["x"], "task": "regression", "factors": {}, "spec": None}),
    (DATA.take, {"indices": [0, 1]}),
    (DATA.renamed, {"name": "other"}),
    (podium.setup.Sample, {"X": X, "y": Y, "rows": None}),
    (podium.generator, {"kind": "twonorm", "n": 30, "name": "t", "d": 3}),
    (
        podium.Generator,
        {
            "name": "g",
            "draw_sample": lambda n, rng: None,
            "parameters": {},
            "n": 3,
            "task": "regression",
            "check": None,
            "bayes": None,
        },
    ),
    (TWONORM.draw, {"n": 5, "rng": np.random.default_rng(1)}),
    (TWONORM.dataset, {"rng": np.random.default_rng(1), "n": 5}),
    (TWONORM.fixed, {"seed": 0, "n": 5}),
    (TWONORM.renamed, {"name": "other", "d": 3}),
    (
        podium.algorithm,
        {"thing": "knn", "name": "a", "parameters": {"k": 3}, "encoding": None, "description": "text"},
    ),
    (podium.Algorithm, {"name": "a", "make": lambda learn, seed: None, "spec": None, "factors": {}, "description": ""}),
    (LDA.renamed, {"name": "b"}),
    (podium.algorithm("knn").with_parameters, {"k": 3}),
    (
        podium.measure,
        {
            "thing": "misclassification",
            "name": "m",
            "functional": "mean",
            "direction": "lower",
            "units": "s",
            "scale": "log",
        },
    ),
    (podium.Measure, {"info": podium.MeasureInfo("m", "lower"), "function": len, "losses": None}),
    (podium.measure("accuracy").renamed, {"name": "b"}),
    (podium.grid, {"base": "rf", "levels": {"trees": [1, 2]}}),
    (podium.grid, {"base": "rf", "trees": [1, 2]}),
    (podium.Bootstrap, {"replications": 3, "test": "bootstrap", "stratify": False}),
    (podium.Subsampling, {"replications": 3, "fraction": 0.5, "stratify": False}),
    (podium.HoldOut, {"fraction": 0.5, "stratify": False}),
    (podium.CrossValidation, {"folds": 3, "repeats": 1, "stratify": False, "grouped": False}),
    (podium.FreshDraws, {"replications": 3, "n_learn": 10, "n_test": 10, "test": "new"}),
    (podium.five_by_two, {"stratify": True}),
    (podium.setup.Reserve, {"fraction": 0.5, "then": podium.Bootstrap(3), "stratify": False}),
    (podium.setup.Split, {"learn": [0, 1], "test": [2], "repeat": 1, "fold": 1}),
    (podium.setup.SklearnSplitter, {"splitter": SPLITTER.splitter}),  # type: ignore[attr-defined]
    (podium.setup.resampling_scheme, {"scheme": "bootstrap"}),
    *(
        (scheme.split, {"dataset": DATA, "replication": 1, "seed": 0})
        for scheme in (
            podium.Bootstrap(3),
            podium.Subsampling(3),
            podium.HoldOut(),
            podium.CrossValidation(3),
            podium.setup.Reserve(),
            SPLITTER,
        )
    ),
    (podium.FreshDraws(3).draw, {"generator": TWONORM, "replication": 1, "seed": 0}),
    (podium.setup.Reserve().reserved, {"dataset": DATA, "seed": 0}),
    (podium.setup.identify, {"name": "lda"}),
    (podium.setup.fit_model, {"algorithm": LDA, "learn": DATA.take(np.arange(50)), "seed": 0, "task": None}),
    (
        podium.setup.fit_and_measure,
        {
            "algorithm": LDA,
            "learn": DATA.take(np.arange(50)),
            "test": DATA.take(np.arange(50, 90)),
            "measures": [podium.measure("accuracy")],
            "seed": 0,
            "task": None,
            "keep": (),
        },
    ),
    (
        podium.characterize,
        {"data": FRAME, "target": "y", "task": None, "characteristics": "obs.n", "reduce": None, "seed": 0},
    ),
    (
        podium.setup.Characteristic,
        {"name": "rows", "map": lambda data: len(data.X), "reduce": "mean", "description": "", "per_variable": False},
    ),
    (podium.setup.DataView, {"X": X, "y": Y, "task": "classification", "seed": 0}),
    (
        podium.setup.resampling_effect,
        {"datasets": DATA, "resampling": podium.Bootstrap(2), "characteristics": "obs.n", "seed": 0},
    ),
    (podium.setup.histogram, {"edges": [0, 1, 2]}),
    (podium.setup.quantiles, {"levels": 0.5}),
]

# Public and not called here: frozen outcomes that podium itself makes, and protocols.
MADE_BY_PODIUM = {
    "Advice",
    "Block",
    "Description",
    "Difference",
    "Factors",
    "Fitted",
    "Grid",
    "Identity",
    "Kept",
    "Outcome",
    "Resampling",
    "ResamplingEffect",
}
WITHOUT_ARGUMENTS = {"candidates", "catalogue", "measures", "experiment_schema"}


def called(function: Callable[..., Any], arguments: dict[str, Any], positional: list[str]) -> None:
    rest = {name: value for name, value in arguments.items() if name not in positional}
    try:
        function(*(arguments[name] for name in positional if name in arguments), **rest)
    except PodiumError as error:
        assert len(str(error)) < 2000
        assert " at 0x" not in str(error)


@pytest.mark.parametrize(
    ("function", "arguments"), [pytest.param(*one, id=getattr(one[0], "__qualname__", None)) for one in CALLS]
)
@pytest.mark.filterwarnings("ignore")
def test_a_value_of_the_wrong_type_is_an_error_of_podium_or_works(
    function: Callable[..., Any], arguments: dict[str, Any]
) -> None:
    raw = {}
    parameters = inspect.signature(function).parameters.values()
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL)]
    for argument, (what, value) in product(arguments, VALUES.items()):
        try:
            called(function, {**arguments, argument: value}, positional)
        except Exception as error:
            raw[argument, what] = f"{type(error).__name__}: {error}"
    assert raw == {}


def test_all_public_callables_of_the_setup_are_tried() -> None:
    tried = {getattr(function, "__qualname__", "").split(".")[0] for function, _ in CALLS}
    public = {
        name
        for module in (podium, podium.setup)
        for name in module.__all__
        if getattr(getattr(module, name), "__module__", "").startswith("podium.setup")
    }
    assert public - tried - MADE_BY_PODIUM - WITHOUT_ARGUMENTS == set()


def test_more_observations_than_fit_into_memory() -> None:
    def draw_sample(n: int, rng: np.random.Generator) -> podium.setup.Sample:
        return podium.setup.Sample(np.empty((2**50, n)), None)

    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="`n` must be a whole number of at most 1000000000; got 1000000000000"):
        TWONORM.draw(10**12, rng)
    huge = podium.Generator(name="huge", n=5, draw_sample=draw_sample, task="unsupervised")
    with pytest.raises(InputError, match="5 observations of 'huge' do not fit into memory; draw fewer"):
        huge.draw(5, rng)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: podium.Measure(info=3, function=len),  # type: ignore[arg-type]
            "`info` must be a MeasureInfo; got an int.",
        ),
        (
            lambda: podium.Measure(info=podium.MeasureInfo("m", "lower"), function=3),  # type: ignore[arg-type]
            "`function` must be callable as function(fitted); got 3.",
        ),
        (lambda: podium.setup.Split(0, [1]), "`learn` must be a list of positions; got 0."),  # type: ignore[arg-type]
        (lambda: podium.setup.Split([0], [0.5]), "`test` must be a list of positions; got [0.5]."),  # type: ignore[arg-type]
        (lambda: podium.setup.Sample(3), "`X` must be a DataFrame; got an int."),  # type: ignore[arg-type]
        (lambda: podium.setup.Sample(X, 4), "`y` must be a Series; got an int."),  # type: ignore[arg-type]
        (lambda: podium.setup.Sample(X, Y[:2]), "`y` must have one entry for each of the 4 rows of `X`; got 2."),
        (lambda: podium.algorithm(int), "The class int has no `fit`, so it is not an algorithm."),
        (
            lambda: podium.Bootstrap(10**30),
            f"`replications` must be a whole number of at most 9223372036854775807; got {10**30}.",
        ),
        (
            lambda: podium.generator("twonorm", d=10**30),
            f"`d` of the generator 'twonorm' must be at most 9223372036854775807; got {10**30}.",
        ),
    ],
)
def test_a_wrong_value_is_named_with_what_was_expected(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message


def test_a_list_of_positions_is_a_split() -> None:
    split = podium.setup.Split([0, 2], [1])  # type: ignore[arg-type]
    assert (split.learn.tolist(), split.test.tolist(), split.learn.flags.writeable) == ([0, 2], [1], False)


def test_the_name_of_the_schemes_is_explained() -> None:
    with pytest.raises(AttributeError, match=r"podium has no 'resampling'; use podium\.Bootstrap, "):
        podium.resampling  # noqa: B018
