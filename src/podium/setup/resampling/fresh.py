"""Fresh draws from a data generating process: nothing is resampled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from podium.errors import InputError
from podium.setup.dataset import Dataset, Generator, Sample
from podium.setup.resampling.split import Split, check_count, check_replication
from podium.setup.seeds import rng_for


@dataclass(frozen=True, kw_only=True)
class FreshDraws:
    """A new learning sample from the process in each replication, and a new or a fixed test sample.

    Parameters
    ----------
    replications : int, default 100
    n_learn : int, optional
        Size of a learning sample; the generator's own `n` if None.
    n_test : int, default 1000
    test : {"new", "fixed"}
        Draw a new test sample in each replication, or one for all of them.

    Examples
    --------
    >>> FreshDraws(replications=50, n_learn=200).spec
    {'fresh-draws': {'replications': 50, 'n_learn': 200, 'n_test': 1000, 'test': 'new'}}
    """

    replications: int = field(default=100, kw_only=False)
    n_learn: int | None = None
    n_test: int = 1000
    test: Literal["new", "fixed"] = "new"

    def __post_init__(self) -> None:
        check_count("replications", self.replications, 1)
        check_count("n_test", self.n_test, 1)
        if self.n_learn is not None:
            check_count("n_learn", self.n_learn, 1)
        if self.test not in ("new", "fixed"):
            raise InputError(f"`test` must be 'new' or 'fixed'; got {self.test!r}.")

    @property
    def spec(self) -> Mapping[str, Any]:
        """The scheme as it is written in a file."""
        size = {} if self.n_learn is None else {"n_learn": self.n_learn}
        return {"fresh-draws": {"replications": self.replications, **size, "n_test": self.n_test, "test": self.test}}

    def draw(self, generator: Generator, replication: int, seed: int) -> tuple[Sample, Sample]:
        """Draw the learning and the test sample of one replication."""
        check_replication(replication, self.replications)
        n = generator.n if self.n_learn is None else self.n_learn
        learn = generator.draw(n, rng_for(seed, "fresh learning sample", generator.name, replication))
        which = replication if self.test == "new" else 0
        test = generator.draw(self.n_test, rng_for(seed, "fresh test sample", generator.name, which))
        return learn, test

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Refuse: a finite data set cannot be drawn afresh."""
        raise InputError(
            f"Fresh draws need a generator, and {dataset.name!r} is a finite data set. "
            "Use Bootstrap, Subsampling or CrossValidation for it."
        )

    def describe(self) -> str:
        """Describe the scheme in words."""
        size = "" if self.n_learn is None else f" {self.n_learn:,} observations"
        tested = "a new test sample" if self.test == "new" else "one fixed test sample"
        return (
            f"sampling{size} afresh from the data generating process ({self.replications} replications), "
            f"with {tested} of {self.n_test:,} observations"
        )
