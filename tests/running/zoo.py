"""Algorithms that leave something behind in their process, and one whose numbers show it."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
import threading
import time
import warnings
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import sklearn
import sklearn.metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, MaxAbsScaler, MinMaxScaler, StandardScaler
from threadpoolctl import threadpool_info, threadpool_limits
from trouble import Majority, toy

import podium

SEEN: list[int] = []  # what one of them remembers


class Leaves(Majority):
    """Leaves something, and predicts as one that does not."""

    def fit(self, X: pd.DataFrame, y: Any) -> Any:
        super().fit(X, y)
        self.leave()
        return self

    def leave(self) -> None:
        raise NotImplementedError


class ErrorStates(Leaves):
    def leave(self) -> None:
        np.seterr(all="raise")
        np.setbufsize(64)


class Seeds(Leaves):
    def leave(self) -> None:
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        np.random.set_bit_generator(np.random.PCG64(1))


class Folder(Leaves):
    def leave(self) -> None:
        os.chdir("/")
        os.umask(0)


class Environ(Leaves):
    def leave(self) -> None:
        os.environ["PODIUM_ZOO"] = "was here"
        del os.environ["PATH"]


class Filters(Leaves):
    def leave(self) -> None:
        warnings.simplefilter("error")


class Configuration(Leaves):
    def leave(self) -> None:
        sklearn.set_config(assume_finite=True, transform_output="pandas")
        np.set_printoptions(precision=1)
        pd.set_option("mode.use_inf_as_na" if "mode.use_inf_as_na" in dir(pd.options.mode) else "display.precision", 1)


class Thread(Leaves):
    def leave(self) -> None:
        threading.Thread(target=self.draw, daemon=True).start()

    @staticmethod
    def draw() -> None:
        while True:
            np.random.random()  # noqa: NPY002
            time.sleep(0.0001)


class Child(Leaves):
    def leave(self) -> None:
        command = "import os, time; os.setsid(); time.sleep(600)"
        self.pid = subprocess.Popen([sys.executable, "-S", "-c", command]).pid


class Orphan(Leaves):
    """Crashes, and leaves a child in a session of its own."""

    def __init__(self, file: str) -> None:
        self.file = file

    def leave(self) -> None:
        child = Child()
        child.leave()
        with open(self.file, "w") as file:
            file.write(str(child.pid))
        os.abort()


class Fork(Leaves):
    def leave(self) -> None:
        os.fork()


class NumPy(Leaves):
    def leave(self) -> None:
        np.mean = lambda *_, **__: 0.25


class ScikitLearn(Leaves):
    def leave(self) -> None:
        sklearn.metrics.accuracy_score = lambda *_, **__: 0.25
        KNeighborsClassifier.predict = lambda self, X: np.full(len(X), self.classes_[0])


class Memory(Leaves):
    calls = 0

    def leave(self) -> None:
        Memory.calls += 1
        SEEN.append(Memory.calls)


class Closure(Leaves):
    """Writes into an array that the function that makes it refers to."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def leave(self) -> None:
        self.answer = np.array(["no", "yes"])[int(self.array[0]) % 2]
        self.array[0] += 1


class BlasThreads(Leaves):
    def leave(self) -> None:
        threadpool_limits(2)


class Rounding(Leaves):
    def leave(self) -> None:
        ctypes.CDLL("libm.so.6").fesetround(0x800)  # upward


# First those after which a worker is replaced in any case: it would hide what the others have left.
KINDS = (Thread, Child, Fork, Rounding, NumPy, ScikitLearn, Memory)
KINDS += (ErrorStates, Seeds, Folder, Environ, Filters, Configuration, BlasThreads)


class Sentinel(Majority):
    """Records everything that one of the others could have changed."""

    def fit(self, X: pd.DataFrame, y: Any) -> Sentinel:
        super().fit(X, y)
        thirds = np.array([1.0, 1e-320]) / 3
        self.state = {
            "errors": (sorted(np.geterr().items()), np.getbufsize()),
            "generators": (random.random(), np.random.random(), type(np.random.get_bit_generator())),  # noqa: NPY002
            "folder": (os.getcwd(), os.umask(0o022)),
            "environ": (os.environ.get("PODIUM_ZOO"), os.environ.get("PATH")),
            "hashes": (hash("a"), list({"yes", "no", "perhaps", *y})),
            "filters": [(action, kind.__name__) for action, _, kind, _, _ in warnings.filters],
            "configuration": (
                sorted(sklearn.get_config().items()),
                str(np.array([1 / 3])),
                pd.Series([1 / 3]).to_string(),
            ),
            "threads": (threading.active_count(), len(os.listdir("/proc/self/task"))),
            "children": has_children(),
            "code": (np.mean([1.0, 2.0]), sklearn.metrics.accuracy_score([1, 2], [1, 2]), self.neighbours()),
            "memory": (Memory.calls, len(SEEN)),
            "blas": sorted((each["internal_api"], each["num_threads"]) for each in threadpool_info()),
            "rounding": thirds.tobytes(),
        }
        return self

    @staticmethod
    def neighbours() -> list[int]:
        return list(KNeighborsClassifier(1).fit([[0.0], [1.0]], [0, 1]).predict([[0.9], [0.1]]))


def has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


class Aspect:
    """A part of what the sentinel saw, as a number."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, model: Any, learn: Any, test: Any) -> float:
        return float(crc32(repr(model.state[self.name]).encode())) if isinstance(model, Sentinel) else 0.0


ASPECTS = ("errors", "generators", "folder", "environ", "hashes", "filters", "configuration")
ASPECTS += ("threads", "children", "code", "memory", "blas", "rounding")
MEASURES = [podium.Measure(name, Aspect(name), direction="lower") for name in ASPECTS]


class Vandal(ClassifierMixin, BaseEstimator):
    """Writes zeros over everything it is given, past every protection."""

    def fit(self, X: Any, y: Any) -> Vandal:
        self.classes_ = np.unique(y)
        overwrite(X)
        y[:] = y[0]
        return self

    def predict(self, X: Any) -> Any:
        overwrite(X)
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X: Any) -> Any:
        overwrite(X)
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def overwrite(X: Any) -> None:
    for name in X.columns:
        values = X[name].to_numpy()
        values.flags.writeable = True
        values[:] = 0


# Measures: here, because a module of tests would have pytest imported where trials run.


def share_of_first(model: Any, learn: Any, test: Any) -> float:
    return float(np.mean(model.predict(test.X) == model.classes_[0]))


def spoil(model: Any, learn: Any, test: Any) -> float:
    overwrite(test.X)
    overwrite(learn.X)
    return 0.0


def process_of(model: Any, learn: Any, test: Any) -> float:
    return float(os.getpid())


def in_place() -> dict[str, Any]:
    """Models that write into frames, arrays and sparse matrices."""
    logistic = LogisticRegression(max_iter=1000)
    sparse = KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf")
    return {
        "frame": make_pipeline(StandardScaler(copy=False), logistic),
        "array": make_pipeline(FunctionTransformer(np.asarray), MinMaxScaler(copy=False), logistic),
        "sparse": make_pipeline(sparse, MaxAbsScaler(copy=False), logistic),
        "vandal": Vandal(),
    }


def closure() -> podium.Algorithm:
    array = np.zeros(1)
    return podium.Algorithm("Closure", lambda learn: Closure(array))


INNOCENT = {"Sentinel": Sentinel(), "neighbours": KNeighborsClassifier()}


def experiment(replications: int = 1) -> podium.Experiment:
    """Those that leave something behind, and then the innocent."""
    kinds = {kind.__name__: kind() for kind in KINDS}
    algorithms = {**kinds, **in_place(), **INNOCENT}
    named = [podium.Algorithm(name, thing) for name, thing in algorithms.items()]
    return podium.Experiment(
        [toy()], [closure(), *named], podium.Bootstrap(replications), ["misclassification", *MEASURES]
    )
