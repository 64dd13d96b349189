"""Reference data from outside the repository, and how hypothesis runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))

BESIDE_THE_PROJECT = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Path]:
    """Return a function from the name of a reference file to its path.

    ``reference("data/eugster/monks3raw.csv")`` is that file below the folder ``PODIUM_REFERENCE`` (default:
    ``shared`` beside the project). Without the folder the test is skipped, or fails if ``CI`` is set.
    """
    folder = Path(os.environ.get("PODIUM_REFERENCE") or BESIDE_THE_PROJECT)

    def path(name: str) -> Path:
        if not folder.is_dir():
            reason = f"no reference data at {folder}; set PODIUM_REFERENCE to the folder that holds {name}"
            if os.environ.get("CI"):
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
        if not (folder / name).exists():
            pytest.fail(f"{name} is not in the reference data at {folder} (PODIUM_REFERENCE)", pytrace=False)
        return folder / name

    return path
