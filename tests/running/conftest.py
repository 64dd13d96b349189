"""Makes the modules of this folder importable, here and in the processes that run trials; a Dask cluster."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[2]))  # pytest itself calls the modules here `tests.execution.…`

# A shell that starts the tests in the background lets them ignore Ctrl-C, and with them the processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

QUIET = {
    "distributed.comm.timeouts.connect": "120s",  # a busy machine starts processes slowly
    "distributed.nanny.pre-spawn-environ.PYTHONHASHSEED": "7",  # other hashes than here
    # An idle cluster looks at itself a hundred times a second, until the last test has ended.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "2s",
    "distributed.admin.tick.limit": "60s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.worker.memory.monitor-interval": "2s",
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A real Dask cluster of one process: each takes seconds to import podium, and again in a fork server of its own."""
    import dask
    import distributed

    with dask.config.set({**QUIET, "temporary-directory": str(tmp_path_factory.mktemp("dask"))}):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONHASHSEED", "7")  # Dask sets it here, too, and leaves it
            # Any free port, for there may be another cluster; no dashboard, for which Bokeh would be imported.
            options = {"dashboard_address": ":0", "scheduler_kwargs": {"dashboard": False}}
            made = distributed.LocalCluster(n_workers=1, threads_per_worker=1, **options)
        with made, distributed.Client(made) as client:
            yield client
