"""Reference data, and how hypothesis runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))  # for public_names

# The same examples every time; HYPOTHESIS_PROFILE=search looks for new ones (scripts/search).
settings.register_profile("fixed", deadline=None, derandomize=True, database=None, max_examples=50)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no examples in the docstrings of tests: there are none."""
    collectors = yield
    return [found for found in collectors if type(found) is not DoctestModule]


REFERENCE = Path(__file__).parent / "reference"


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Path]:
    """Return a function from the name of a file in ``tests/reference`` to its path."""

    def path(name: str) -> Path:
        assert (REFERENCE / name).exists(), f"tests/reference/{name} does not exist"
        return REFERENCE / name

    return path
