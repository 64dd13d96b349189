"""Algorithms that behave and algorithms that do not, and small experiments with them."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium.errors import SkipTrial


class Majority:
    """Predicts the most frequent class, and depends on nothing else."""

    def fit(self, X: pd.DataFrame, y: Any) -> Majority:
        values, counts = np.unique(y, return_counts=True)
        self.answer = values[counts.argmax()]
        return self

    def predict(self, X: pd.DataFrame) -> Any:
        return np.full(len(X), self.answer)


class Guesser(Majority):
    """Predicts at random, from the global generators of NumPy and Python and from its own."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> Guesser:
        own = np.random.default_rng(self.random_state).integers(2)
        both = np.random.randint(2) + random.randint(0, 1) + own  # noqa: NPY002
        self.answer = np.unique(y)[both % 2]
        return self


class FirstRow(Majority):
    """Predicts by the first row of the learning sample, so that its error shows which sample it saw."""

    def fit(self, X: pd.DataFrame, y: Any) -> FirstRow:
        self.answer = y[0]
        return self


class Vandal(Majority):
    """Overwrites its learning sample."""

    def fit(self, X: pd.DataFrame, y: Any) -> Vandal:
        super().fit(X, y)
        for column in X.columns:
            X.loc[:, column] = 0.0
        return self


class Mean(Majority):
    """Predicts one class if the mean of the first attribute of the learning sample is positive, else the other."""

    def fit(self, X: pd.DataFrame, y: Any) -> Mean:
        self.answer = np.unique(y)[int(X.iloc[:, 0].mean() > 0)]
        return self


VARIABLE = "PODIUM_OF_A_TRIAL"


class NeedsVariable(Majority):
    """Fails where an environment variable is not set."""

    def fit(self, X: pd.DataFrame, y: Any) -> NeedsVariable:
        int(os.environ[VARIABLE])
        super().fit(X, y)
        return self


class Raises(Majority):
    def fit(self, X: pd.DataFrame, y: Any) -> Raises:
        raise ZeroDivisionError("one over zero")


class Exits(Majority):
    def fit(self, X: pd.DataFrame, y: Any) -> Exits:
        sys.exit(3)


class Hangs(Majority):
    def fit(self, X: pd.DataFrame, y: Any) -> Hangs:
        while True:
            time.sleep(60)


class Aborts(Majority):
    def fit(self, X: pd.DataFrame, y: Any) -> Aborts:
        os.abort()


class Killed(Majority):
    """Ends as a process does that is killed for lack of memory."""

    def fit(self, X: pd.DataFrame, y: Any) -> Killed:
        os.kill(os.getpid(), signal.SIGKILL)
        return self


class Hungry(Majority):
    def fit(self, X: pd.DataFrame, y: Any) -> Hungry:
        self.ballast = np.ones(2**29)  # 4 GB
        return self


class PredictsNaN(Majority):
    def predict(self, X: pd.DataFrame) -> Any:
        return np.full(len(X), np.nan)


class PredictsTooMany(Majority):
    def predict(self, X: pd.DataFrame) -> Any:
        return np.full((len(X), 2), self.answer)


class Warns(Majority):
    def fit(self, X: pd.DataFrame, y: Any) -> Warns:
        warnings.warn("this will not end well", stacklevel=1)
        super().fit(X, y)
        return self


class Skips(Majority):
    def fit(self, X: pd.DataFrame, y: Any) -> Skips:
        raise SkipTrial("only for wide data")


class Mute:
    """Can be fitted, but cannot predict."""

    def fit(self, X: pd.DataFrame, y: Any) -> Mute:
        return self


class FailsOnce(Majority):
    """Raises the first time, and works once a file says that this has happened."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fit(self, X: pd.DataFrame, y: Any) -> FailsOnce:
        if not Path(self.file).exists():
            Path(self.file).touch()
            raise OSError("not yet")
        super().fit(X, y)
        return self


class Logs(Majority):
    """Writes a line for every fit into a file, and takes its time."""

    def __init__(self, file: str, seconds: float = 0.0, random_state: int | None = None) -> None:
        self.file = file
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> Logs:
        time.sleep(self.seconds)
        super().fit(X, y)
        with open(self.file, "a") as log:
            log.write(f"{self.random_state}\n")
        return self


class Gated(Majority):
    """Writes a line for every fit into a file; if the file has as many as a gate allows, it waits.

    Then it has started a process that belongs to nobody, and holds the interpreter lock.
    """

    def __init__(self, folder: str, random_state: int | None = None) -> None:
        self.folder = folder
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> Gated:
        super().fit(X, y)
        log, gate = Path(self.folder, "log"), Path(self.folder, "gate")
        with suppress(FileNotFoundError):
            most = int(gate.read_text())
            if len(log.read_text().split()) >= most:
                subprocess.Popen(["sleep", "600"], start_new_session=True)
                while gate.exists():
                    ctypes.PyDLL(None).usleep(20_000)
        with open(log, "a") as file:
            file.write(f"{self.random_state}\n")
        return self


class GatedFirst(Gated):
    """Another one, which predicts by the first row of the learning sample."""

    def fit(self, X: pd.DataFrame, y: Any) -> GatedFirst:
        super().fit(X, y)
        self.answer = y[0]
        return self


# Tasks of a pool: here, because a module of tests would have pytest imported in its processes.


def toy(name: str = "toy", n: int = 40) -> podium.Dataset:
    """A small data set with two classes, another one for each name."""
    rng = np.random.default_rng(sum(name.encode()))
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    return podium.Dataset(name=name, X=X, y=pd.Series(rng.choice(["no", "yes"], n)))


def experiment(*algorithms: Any, replications: int = 4, datasets: tuple[str, ...] = ("toy",), **more: Any) -> Any:
    """An experiment with these algorithms, each under the name of its class, measured by misclassification."""
    named = [podium.Algorithm(type(thing).__name__, thing) for thing in algorithms]
    scheme = podium.Bootstrap(replications=replications)
    return podium.Experiment([toy(name) for name in datasets], named, scheme, ["misclassification"], **more)
