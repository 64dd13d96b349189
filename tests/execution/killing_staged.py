"""Run an experiment that may stop early in processes that are killed, 20 times; a program of its own, see `killing`."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import killing
import staged

import podium
from podium.execution import adaptive, nursery
from podium.execution.runner import run

# For each process that is killed: where it runs, and how many trials it has stored by then.
KILLS = [("pool", n) for n in (0, 2, 1, 3, 3, 0, 1, 2, 1, 3)] + [("threads", n) for n in (1, 3, 0, 3, 2, 2, 0, 1, 2, 3)]


def design(folder: Path) -> podium.Experiment:
    errors = {"good": 0.1, "close": 0.22, "bad": 0.45}
    things = {name: staged.GatedNoisy(str(folder), error) for name, error in errors.items()}
    return staged.experiment(things, stopping=staged.RACE)


def main(folder: Path) -> None:
    killing.design = design
    assert adaptive.Referee is not None  # imported before processes are forked
    nursery._call_prctl(nursery._SET_CHILD_SUBREAPER, 1)
    nursery._base_of_this_process()
    (folder / "log").touch()
    moments = random.Random(2)
    seen: list[dict[str, Any]] = [
        killing.kill_in_the_middle(folder, executor, "", stored, moments.uniform(0, 0.03)) for executor, stored in KILLS
    ]
    run(design(folder), folder / "w.db", executor="threads", workers=2, progress="quiet")
    (folder / "seen.json").write_text(json.dumps(seen))
    os.kill(os.getpid(), signal.SIGKILL)  # the base must end with it


if __name__ == "__main__":
    main(Path(sys.argv[1]))
