"""Seeds by identity: a seed depends on its purpose, never on when it is drawn."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from functools import lru_cache
from operator import index

import numpy as np

from podium.checks import check_seed


def seed_for(seed: int, *identity: str | int) -> int:
    """Derive a seed from the experiment's seed and the identity of what needs one.

    The same identity gives the same seed on every machine, in any order, with any number of workers. The seed lies
    between 0 and 2⁶³ - 1.

    >>> seed_for(1, "learning sample", "iris", 3) == seed_for(1, "learning sample", "iris", 3)
    True
    >>> seed_for(1, "learning sample", "iris", 3) == seed_for(1, "learning sample", "iris", 4)
    False
    """
    check_seed(seed)
    # JSON distinguishes ("a", "b") from ("a,b",) and 1 from "1"; index() turns NumPy's integers into Python's.
    parts = [part if isinstance(part, str) else index(part) for part in (index(seed), *identity)]
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return int.from_bytes(hashlib.blake2b(text.encode("ascii"), digest_size=8).digest(), "big") >> 1


def rng_for(seed: int, *identity: str | int) -> np.random.Generator:
    """Return a random generator for the thing with this identity; see `seed_for`."""
    return np.random.default_rng(seed_for(seed, *identity))


# What else is set before each call of a model or a measure: nothing, or in worker processes the state of libraries.
before_calls: list[Callable[[], object]] = []


def seed_generators(seed: int, *identity: str | int) -> None:
    """Seed the global generators of Python and NumPy, which algorithms may use, for the thing with this identity."""
    for prepare in before_calls:
        prepare()
    of_python, of_numpy = _seeds_of_generators(seed, *identity)
    random.seed(of_python)
    np.random.seed(of_numpy)  # noqa: NPY002, algorithms use the global one


@lru_cache(16)  # before each call of a model: of a trial, most have the same identity
def _seeds_of_generators(seed: int, *identity: str | int) -> tuple[int, int]:
    return seed_for(seed, "random", *identity), seed_for(seed, "numpy", *identity) % 2**32
