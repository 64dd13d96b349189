"""Results that pages are made from."""

from __future__ import annotations

import numpy as np
import pandas as pd

import podium
from podium.running.trial import Trials
from podium.store.record import TrialKey


def run_here(experiment: podium.Experiment) -> podium.Results:
    """Run the trials of an experiment in this process, with the code that workers run."""
    trials = Trials(experiment)
    rows = []
    for key in experiment.trials():
        record = trials.run(TrialKey(*key))
        dataset, replication, algorithm = key
        where = {"dataset": dataset, "replication": replication, "algorithm": algorithm}
        rows.append({**where, **record.values})
    return podium.read(pd.DataFrame(rows))


def tied_results() -> podium.Results:
    """Replications 1 and 2 are equal, and two algorithms are equal in replication 3."""
    values = {"a": [1.0, 1.0, 2.0, 5.0], "b": [2.0, 2.0, 2.0, 4.0], "c": [3.0, 3.0, 4.0, 3.0]}
    rows = [
        {"dataset": "tied", "replication": b + 1, "algorithm": name, "error": value}
        for name, column in values.items()
        for b, value in enumerate(column)
    ]
    return podium.read(pd.DataFrame(rows), direction="lower")


HOSTILE = "</script><img src=x onerror=alert(1)>$$\\alpha$$"


def hostile_results() -> podium.Results:
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": f"{HOSTILE} {d}", "replication": b, "algorithm": a, HOSTILE + "error": rng.normal(i)}
        for d in (1, 2)
        for b in range(1, 6)
        for i, a in enumerate((HOSTILE, "=1+1", "__proto__"))
    ]
    return podium.read(pd.DataFrame(rows), direction="lower")
