"""What several tests need and takes long to make: made by the first of the test processes that asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return the folder with that name, shared by all test processes of a run; `make` fills it if there is none yet.

    Two processes may make it at the same time; the first one to end wins. So none ever waits for another.
    """
    top = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        top = top.parent  # of all workers
    folder = top / "made-once" / name
    if not folder.exists():
        own = factory.mktemp(name)
        make(own)
        folder.parent.mkdir(exist_ok=True)
        try:
            own.rename(folder)  # all of it at once: a folder that exists is complete
        except OSError:
            assert folder.exists()
    return folder
