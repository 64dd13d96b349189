"""An experiment that may stop early, and kills of it before and after its first decisions; see `killing`."""

from __future__ import annotations

from pathlib import Path

import staged

import podium

# For each process that is killed: where it runs, and how many trials it has stored by then.
KILLS = [("pool", n) for n in (0, 20, 3, 1)] + [("threads", n) for n in (1, 20, 0, 3)]


def design(folder: Path) -> podium.Experiment:
    errors = {"good": 0.1, "close": 0.22, "bad": 0.45}
    things = {name: staged.GatedNoisy(str(folder), error) for name, error in errors.items()}
    return staged.experiment(things, stopping=staged.RACE)
