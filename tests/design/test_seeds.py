"""A seed depends on what it is for, and on nothing else."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.design.seeds import rng_for, seed_for

# All but lone surrogates, as by default, but without a table of what UTF-8 can write, which takes seconds.
characters = st.characters(exclude_categories=["Cs"])
parts = st.one_of(st.text(characters, max_size=8), st.integers(-(2**70), 2**70))
identities = st.lists(parts, max_size=4).map(tuple)


@given(st.integers(0, 2**64), identities)
def test_the_same_identity_gives_the_same_seed(seed: int, identity: tuple[str | int, ...]) -> None:
    assert seed_for(seed, *identity) == seed_for(seed, *identity)
    assert rng_for(seed, *identity).random() == rng_for(seed, *identity).random()


@given(st.integers(0, 2**32), identities, st.integers(0, 2**32), identities)
def test_different_identities_give_different_seeds(
    seed: int, identity: tuple[str | int, ...], other_seed: int, other: tuple[str | int, ...]
) -> None:
    same = (seed, *identity) == (other_seed, *other)
    assert (seed_for(seed, *identity) == seed_for(other_seed, *other)) == same


@given(identities)
def test_a_seed_is_a_whole_number_of_63_bits(identity: tuple[str | int, ...]) -> None:
    assert 0 <= seed_for(1, *identity) < 2**63


def test_a_number_is_not_its_text() -> None:
    assert seed_for(1, 2) != seed_for(1, "2")


def test_parts_do_not_run_together() -> None:
    together = {seed_for(1, *p) for p in [("a", "b"), ("ab",), ("a,b",), ('a","b',), ("a\x1fstr:b",), ("", "ab")]}
    assert len(together) == 6


def test_an_integer_of_numpy_is_the_integer_it_equals() -> None:
    assert seed_for(1, "iris", np.int64(3)) == seed_for(1, "iris", 3)
    assert seed_for(np.int32(1), "iris") == seed_for(1, "iris")


def test_a_part_that_is_neither_text_nor_whole_is_refused() -> None:
    with pytest.raises(TypeError):
        seed_for(1, 2.5)  # type: ignore[arg-type]


def test_the_rule_has_not_changed() -> None:
    # From the first run of the rule: another number here would give every experiment other samples.
    assert seed_for(1, "learning sample", "iris", 3) == 1_955_327_378_752_933_228


def test_the_seed_does_not_depend_on_the_process(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    other = run_python("from podium.design.seeds import seed_for; print(seed_for(1, 'learning sample', 'iris', 3))")
    assert other.returncode == 0, other.stderr
    assert other.stdout.strip() == str(seed_for(1, "learning sample", "iris", 3))


def test_seeds_of_neighbouring_identities_look_independent() -> None:
    # 20,000 seeds as numbers in [0, 1): mean and variance of the uniform law within four standard errors.
    values = np.array([seed_for(1, "learning sample", "iris", i) for i in range(20_000)]) / 2**63
    assert abs(values.mean() - 1 / 2) < 4 * np.sqrt(1 / 12 / 20_000)
    assert abs(values.var() - 1 / 12) < 4 * np.sqrt(1 / 180 / 20_000)
