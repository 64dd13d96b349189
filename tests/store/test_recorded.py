"""What recorders write, on both databases."""

from __future__ import annotations

import subprocess
import sys

import pytest

import podium
from podium.errors import DirectionError, InputError

RACE = """
import sys, podium
record = podium.Recorder(sys.argv[1], direction={"chrF": "higher"}, independent=True)
for replication in range(1, 31):
    try:
        record(dataset="wmt", algorithm="base", replication=replication, chrF=replication, measures={sys.argv[2]: 1})
        print(replication)
    except podium.errors.InputError as error:
        assert "already" in str(error), error
"""


def test_of_several_recorders_of_one_trial_one_succeeds(where: str) -> None:
    command = [sys.executable, "-c", RACE, where]
    racing = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in ("loss", "rmse", "mae")]
    recorded = [process.communicate(timeout=120)[0].split() for process in racing]
    assert [process.returncode for process in racing] == [0, 0, 0]
    assert sorted(int(word) for words in recorded for word in words) == list(range(1, 31))
    with podium.Warehouse(where, readonly=True) as warehouse:
        assert warehouse.attempts == 30
        assert warehouse.check() == ()
        results = warehouse.results()
    assert results.select(measure="chrF").values.ravel().tolist() == list(range(1, 31))
    assert (results.structure["independent"] == 1).all()


def test_a_recorder_resumes_and_keeps_failures_and_directions(where: str) -> None:
    key = {"dataset": "wmt", "algorithm": "base", "replication": 3}
    with podium.Recorder(where, direction={"chrF": "higher"}) as record:
        record.failed(**key, error=ValueError("diverged"))
        assert not record.done(**key)
        record(**key, chrF=31.2)
    assert podium.Recorder(where).done(**key)
    with pytest.raises(InputError, match=r"chrF=31.2 already; got chrF=30.0\.$"):
        podium.Recorder(where)(**key, chrF=30)
    with pytest.raises(DirectionError):
        podium.Recorder(where, direction={"chrF": "lower"})
    with podium.Warehouse(where) as warehouse:
        assert warehouse.trials(every_attempt=True)["error_type"].tolist() == ["ValueError", ""]
        assert warehouse.results().values.tolist() == [[[[31.2]]]]
