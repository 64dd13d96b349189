"""What the scripts of this folder share: their options, and CPU times of rivals measured in turns in one run."""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

Run = Callable[[], object]


class NotInstalled(Exception):
    """A rival that this machine does not have; the message says how to get it."""


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of options with ``--quick``; it refuses options that a script does not have."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--quick", action="store_true", help="a few seconds, to see that the script works")
    return made


def needs(package: str, install: str = "") -> None:
    """Raise `NotInstalled` unless a Python package can be imported."""
    if find_spec(package) is None:
        raise NotInstalled(f"pip install {install or package}")


def cpu() -> float:
    """Return the CPU seconds of this process and of those it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def in_turns(runs: Mapping[str, Run], rounds: int = 5) -> dict[str, list[float]]:
    """Return the CPU seconds of each run, one after the other in every round.

    A run that returns a float has measured itself. One that is not installed has no times, and is named.
    """
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            start = cpu()
            try:
                own = run()
            except NotInstalled as error:
                taken.pop(name, None)
                if error.args:
                    print(f"  {name}: not installed ({error})", flush=True)
            else:
                taken[name].append(own if isinstance(own, float) else cpu() - start)
        runs = {name: run for name, run in runs.items() if name in taken}
    return taken


def compare(what: str, runs: Mapping[str, Run], rounds: int = 5, *, factors: Mapping[str, float] | None = None) -> None:
    """Print median and range of the CPU seconds of each run, and the median's ratio to that of the first, podium.

    `factors` holds how many times the work of a run would have to be done to be that of the others.
    """
    print(what, flush=True)
    taken = in_turns(runs, rounds)
    medians = {}
    for name, seconds in taken.items():
        times = (factors or {}).get(name, 1.0)
        median, least, most = (times * f(seconds) for f in (statistics.median, min, max))
        medians[name] = median
        first = next(iter(medians))
        ratio = "" if name == first else f"   {median / max(medians[first], 1e-6):8.2f} times {first}"
        share = "" if times == 1 else f", from 1/{times:g} of the work"
        print(f"  {name:<24} {median:10.4f} s ({least:.4f} to {most:.4f}{share}){ratio}", flush=True)


def memory_of_all(pid: int) -> float:
    """Return the megabytes of a process and all that it has started; shared pages count once (Linux only)."""
    total, open_ = 0.0, [pid]
    while open_:
        one = open_.pop()
        try:
            rolled = Path(f"/proc/{one}/smaps_rollup").read_text()
            total += next(int(line.split()[1]) / 1024 for line in rolled.splitlines() if line.startswith("Pss:"))
            for task in Path(f"/proc/{one}/task").iterdir():
                open_ += map(int, (task / "children").read_text().split())
        except (OSError, StopIteration):  # it has ended meanwhile
            continue
    return total


def in_r(package: str, script: str, *arguments: object) -> float:
    """Run a script in R that prints the CPU seconds of what it measures."""
    if shutil.which("Rscript") is None:
        raise NotInstalled(f"R with the package {package}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.R"
        path.write_text(f"suppressMessages(library({package}))\n{script}", encoding="utf-8")
        command = ["Rscript", "--vanilla", str(path), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if "there is no package called" in done.stderr:
        raise NotInstalled(f"R's package {package}")
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-300:])
    return float(done.stdout.split()[-1])
