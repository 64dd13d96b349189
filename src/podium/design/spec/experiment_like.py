"""`ExperimentLike`: an experiment, as the modules that `Experiment` itself uses see it."""

from __future__ import annotations

from typing import Any, Protocol

from podium.design.algorithm import Algorithm
from podium.design.characteristics.characteristic import Characteristic
from podium.design.dataset import Dataset, Generator
from podium.design.factors import Factors
from podium.design.measure import Measure
from podium.design.resampling import Resampling, Split
from podium.design.spec.parts import Part
from podium.design.stopping import Stopping
from podium.errors import EntryPath


class ExperimentLike(Protocol):
    """An experiment, as its checks, its file form, its description and the advice on it see it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def seed(self) -> int:
        """The seed that all randomness derives from."""

    @property
    def datasets(self) -> tuple[Dataset | Generator, ...]:
        """What is learned from."""

    @property
    def algorithms(self) -> tuple[Algorithm, ...]:
        """The candidates."""

    @property
    def resampling(self) -> Resampling:
        """How samples are drawn."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is measured."""

    @property
    def keep(self) -> tuple[str, ...]:
        """What is kept of each trial besides its numbers."""

    @property
    def characteristics(self) -> tuple[Characteristic, ...]:
        """What is known about each learning sample."""

    @property
    def stopping(self) -> Stopping | None:
        """When a run may stop before all replications are drawn."""

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Numbers of data sets, replications, algorithms and measures."""

    @property
    def factors(self) -> Factors:
        """The factor levels."""

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that the design names and that are not imported yet."""

    def dataset(self, name: str) -> Dataset:
        """Return a data set."""

    def sample(self, dataset: str, replication: int) -> Split:
        """Return the positions of a learning and a test sample."""

    def path_of(self, part: Part, name: str) -> EntryPath:
        """Return the path of an entry in the design."""

    def record(self) -> dict[str, Any]:
        """Return the design as plain values, with the identities of its parts."""
