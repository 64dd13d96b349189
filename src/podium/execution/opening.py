"""Open a warehouse, unless it is open already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from podium.warehouse.warehouse import Warehouse


@contextmanager
def opened(warehouse: str | Path | Warehouse, *, readonly: bool = False) -> Iterator[Warehouse]:
    """Open a warehouse for the time being; one that is open stays so."""
    if isinstance(warehouse, Warehouse):
        yield warehouse
        return
    with Warehouse(warehouse, readonly=readonly) as store:
        yield store
