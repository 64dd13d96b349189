"""Makes `trouble`, `zoo` and `killing` importable, here and in the processes that run trials; a Dask cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """A real Dask cluster of two processes."""
    import dask
    import distributed

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "120s"}),  # a busy machine starts processes slowly
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as made,
        distributed.Client(made) as client,
    ):
        yield client
