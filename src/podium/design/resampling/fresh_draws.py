"""Fresh draws from a data generating process: nothing is resampled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from podium.checks import check_call, expect
from podium.design.dataset import Dataset, Generator
from podium.design.resampling.split import Scheme, Split, check_replication
from podium.design.sample import Sample
from podium.design.seeds import rng_for
from podium.design.spec.entry import Count
from podium.errors import InputError


@check_call
@dataclass(frozen=True, kw_only=True)
class FreshDraws(Scheme):
    """A new learning sample from the process in each replication, and a new or a fixed test sample.

    Parameters
    ----------
    replications : int, default 100
        Number of learning samples.
    n_learn : int, optional
        Size of a learning sample; default: the generator's own `n`.
    n_test : int, default 1000
        Size of a test sample.
    test : {"new", "fixed"}
        Draw a new test sample in each replication, or use one for all of them.

    Examples
    --------
    >>> import podium
    >>> podium.FreshDraws(replications=50, n_learn=200).spec
    {'fresh-draws': {'replications': 50, 'n_learn': 200, 'n_test': 1000, 'test': 'new'}}
    """

    scheme: ClassVar[str] = "fresh-draws"

    replications: Count = field(default=100, kw_only=False)
    n_learn: Count | None = None
    n_test: Count = 1000
    test: Literal["new", "fixed"] = "new"

    def draw(self, generator: Generator, replication: int, seed: int) -> tuple[Sample, Sample]:
        """Draw the learning and the test sample of one replication."""
        expect(generator, Generator, "generator")
        check_replication(replication, self.replications)
        n = generator.n if self.n_learn is None else self.n_learn
        learn = generator.draw(n, rng_for(seed, "fresh learning sample", generator.name, replication))
        which = replication if self.test == "new" else 0
        test = generator.draw(self.n_test, rng_for(seed, "fresh test sample", generator.name, which))
        return learn, test

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Refuse: fresh samples cannot be drawn from a finite data set."""
        raise InputError(
            f"Fresh draws need a generator, but {expect(dataset, Dataset, 'dataset').name!r} is a finite data set. "
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
