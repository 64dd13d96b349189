"""Randomness by identity: a seed depends on what it is for, never on when it is drawn."""

from __future__ import annotations

import hashlib

import numpy as np


def seed_for(seed: int, *identity: str | int) -> int:
    """Derive a seed from the experiment's seed and the identity of the thing that needs one.

    The same identity gives the same seed on every machine, in any order, with any number of workers.

    >>> seed_for(1, "learning sample", "iris", 3) == seed_for(1, "learning sample", "iris", 3)
    True
    >>> seed_for(1, "learning sample", "iris", 3) == seed_for(1, "learning sample", "iris", 4)
    False
    """
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in (int(seed), *identity))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def rng_for(seed: int, *identity: str | int) -> np.random.Generator:
    """Return a random generator for the thing with this identity; see `seed_for`."""
    return np.random.default_rng(seed_for(seed, *identity))
