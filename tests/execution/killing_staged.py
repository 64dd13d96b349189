"""An experiment that may stop early, and 20 kills of it; see `killing`."""

from __future__ import annotations

from pathlib import Path

import staged

import podium

# For each process that is killed: where it runs, and how many trials it has stored by then.
KILLS = [("pool", n) for n in (0, 2, 1, 3, 3, 0, 1, 2, 1, 3)] + [("threads", n) for n in (1, 3, 0, 3, 2, 2, 0, 1, 2, 3)]


def design(folder: Path) -> podium.Experiment:
    errors = {"good": 0.1, "close": 0.22, "bad": 0.45}
    things = {name: staged.GatedNoisy(str(folder), error) for name, error in errors.items()}
    return staged.experiment(things, stopping=staged.RACE)
