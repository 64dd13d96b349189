"""Kept predictions: a compact form without loss, and tables of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import podium
from podium.design.predictions import Kept, by_class
from podium.errors import ExecutionError
from podium.store.predictions import decode, encode

CLASSES = pd.Series(pd.Categorical(["b", "a", "c", "a"], categories=["c", "a", "b"]))

pytestmark = pytest.mark.usefixtures("in_this_process")


def again(**fields: Any) -> Kept:
    return decode(encode(Kept(**{"keep": ("predictions", "probabilities"), "model": "SVC", **fields})))


@pytest.mark.parametrize(
    "prediction",
    [
        np.array(["b", "a", "c", "a"]),
        np.array(["b", "ä", "", "a"], object),
        np.array([1, True, 1.0, "1"], object),
        np.array([3, 1, 2, 1]),
        np.array([0.1, np.nextafter(0.1, 1), -0.0, 0.0]),
        np.random.default_rng(1).normal(size=1000),
        np.random.default_rng(1).normal(size=3).repeat(500),
        np.random.default_rng(1).normal(size=10).astype(np.float32),
        np.arange(70_000) % 300,
        np.array([], float),
        np.array([2**63], np.uint64),
    ],
    ids=lambda values: f"{values.dtype}-{len(values)}",
)
def test_predictions_come_back_to_the_last_bit(prediction: Any) -> None:
    back = again(prediction=prediction).prediction
    assert back is not None
    assert (back.dtype, back.shape) == (prediction.dtype, prediction.shape)
    if prediction.dtype == object:
        assert [(type(x), x) for x in back] == [(type(x), x) for x in prediction]
    else:
        assert back.tobytes() == prediction.tobytes()
    assert back.flags.writeable


@pytest.mark.parametrize("order", ["C", "F"])
def test_probabilities_come_back_in_the_same_place_of_memory(order: Any) -> None:
    values = np.asarray(np.random.default_rng(1).dirichlet([1, 1, 1], size=4), order=order)
    table = by_class(values, CLASSES.cat.categories)
    back = again(truth=CLASSES, probability=table, score=table)
    assert back.probability is back.score
    assert back.probability is not None
    pd.testing.assert_frame_equal(back.probability, table, check_exact=True)
    assert back.probability.to_numpy().flags.c_contiguous == table.to_numpy().flags.c_contiguous == (order == "C")


def test_scores_are_not_probabilities() -> None:
    table = by_class(np.random.default_rng(1).normal(size=(4, 3)), CLASSES.cat.categories)
    back = again(truth=CLASSES, score=table)
    assert back.probability is None
    assert back.score is not None
    assert back.score.equals(table)


def test_everything_else_comes_back() -> None:
    fields: dict[str, Any] = {
        "keep": ("predictions", "parameters"),
        "rows": np.array([3, 100_000, 5, 5]),
        "truth": CLASSES,
        "failures": {"score": "ValueError: ß"},
        "parameters": {"C": 0.1, "kernel": "rbf", "p": (1, None), "deep": {"k": np.int64(3)}, "x": SVC(C=2)},
    }
    back = again(**fields)
    assert back.rows is not None
    assert back.truth is not None
    assert (back.keep, back.model, back.failures) == (fields["keep"], "SVC", fields["failures"])
    assert back.rows.tolist() == fields["rows"].tolist()
    assert back.truth.tolist() == CLASSES.tolist()
    assert back.truth.cat.categories.tolist() == ["c", "a", "b"]
    assert {**back.parameters, "x": ""} == {"C": 0.1, "kernel": "rbf", "p": [1, None], "deep": {"k": 3}, "x": ""}
    assert "0x" not in back.parameters["x"]


def test_predictions_that_are_neither_numbers_nor_text_are_left_out() -> None:
    back = again(prediction=np.array([pd.Timestamp("2020-01-01"), (1,)], object))
    assert back.keep == ("probabilities",)
    assert back.prediction is None


@pytest.mark.parametrize("content", [b"", b"9", b"13", b"13garbage", encode(Kept(keep=(), model="x"))[:-4]])
def test_damage_is_reported(content: bytes) -> None:
    with pytest.raises(ExecutionError, match="Kept predictions"):
        decode(content)


def test_few_distinct_values_take_little_space() -> None:
    """A class takes at most a byte per observation, and a vote of a hundred trees at most one per class."""
    n, rng = 10_000, np.random.default_rng(1)
    classes = np.array(["first", "second", "third"])[rng.integers(3, size=n)]
    assert len(encode(Kept(keep=("predictions",), model="x", prediction=classes))) < 0.3 * n
    votes = rng.integers(101, size=(n, 3)) / 100
    truth = pd.Series(pd.Categorical(classes))
    table = by_class(votes, truth.cat.categories)
    assert len(encode(Kept(keep=("probabilities",), model="x", truth=truth, score=table))) < 3.3 * n


# Tables


def experiment(**arguments: Any) -> podium.Experiment:
    search = GridSearchCV(SVC(), {"C": [0.1, 1.0]}, cv=2)
    return podium.Experiment(
        **{
            "datasets": ["iris", "wine"],
            "algorithms": {"lda": "lda", "search": search},
            "resampling": podium.Bootstrap(replications=2),
            "measures": "misclassification",
            "keep": ["predictions", "probabilities", "parameters"],
            **arguments,
        }
    )


def run(design: podium.Experiment, warehouse: podium.Warehouse) -> podium.Results:
    return podium.run(design, warehouse, executor="threads", workers=1, progress="quiet")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse of a run."""
    path = tmp_path_factory.mktemp("kept") / "first.db"
    with pytest.MonkeyPatch.context() as patch, podium.Warehouse(path) as warehouse:
        patch.setattr("podium.running.tasks.supported", lambda: False)  # trials run in this process
        run(experiment(), warehouse)
    return path


def test_predictions_per_observation(kept: Path) -> None:
    design = experiment()
    with podium.Warehouse(kept, readonly=True) as warehouse:
        results = warehouse.results()
        everything = warehouse.predictions()
        assert set(zip(everything["dataset"], everything["algorithm"], strict=True)) == {
            (d, a) for d in ("iris", "wine") for a in ("lda", "search")
        }
        wrong = (everything["truth"] != everything["prediction"]).groupby(
            [everything[name] for name in ("dataset", "replication", "algorithm")]
        )
        for (dataset, replication, algorithm), share in wrong.mean().items():
            value = results.select(dataset=dataset, algorithm=algorithm, replication=replication).values.item()
            assert share == pytest.approx(value)
        some = warehouse.predictions("iris", "lda", 2)
        assert some["row"].tolist() == design.sample("iris", 2).test.tolist()
        assert some["truth"].tolist() == design.samples("iris", 2)[1].y.tolist()
        assert list(some)[3:] == [
            "row",
            "truth",
            "prediction",
            *(f"probability: {c}" for c in design.dataset("iris").classes),
        ]
        assert np.allclose(some.iloc[:, 6:].sum(axis=1), 1)
        scores = warehouse.predictions("iris", "search")
        assert list(scores)[6:] == [f"score: {c}" for c in design.dataset("iris").classes]
        assert set(scores["replication"]) == {1, 2}
        chosen = warehouse.parameters(algorithm=["search"])
        assert chosen.shape == (4, 4)
        assert set(chosen["C"]) <= {0.1, 1.0}


def test_fresh_draws_have_positions_in_the_test_sample() -> None:
    design = experiment(
        datasets="friedman1", algorithms="lm", resampling=podium.FreshDraws(2), measures="r2", keep="predictions"
    )
    with podium.Warehouse(":memory:") as warehouse:
        run(design, warehouse)
        frame = warehouse.predictions(replication=[2])
    test = design.samples("friedman1", 2)[1]
    assert frame["row"].tolist() == list(range(len(test)))
    assert frame["truth"].tolist() == test.y.tolist()


def test_what_is_kept_travels(where: str, tmp_path: Any, kept: Path) -> None:
    with podium.Warehouse(kept, readonly=True) as first, podium.Warehouse(where) as second:
        first.export_trials(tmp_path / "trials.csv")
        second.import_trials(tmp_path / "trials.csv")
        pd.testing.assert_frame_equal(first.predictions(), second.predictions(), check_exact=True)
        with podium.Warehouse(":memory:") as third:
            third.merge(second)
            pd.testing.assert_frame_equal(first.predictions(), third.predictions(), check_exact=True)
