"""The benchmark experiment space: everything behind the numbers of an experiment, linked by replication.

Eugster (2011), section 3.1: learning and test samples of every data set and replication, the models fitted to them,
and their performances. Samples are drawn and models fitted again from the experiment that the user gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from podium.arrays import BoolArray, IntArray
from podium.checks import check_call, check_choice, expect
from podium.design.dataset import Dataset
from podium.design.resampling import FreshDraws
from podium.errors import InputError, PodiumError, join_names
from podium.results import Results
from podium.results.labels import Label
from podium.running.limits import Limits
from podium.show.explorer.absence import PARTS, Absence, Part, Reason
from podium.show.explorer.data import Data, to_data
from podium.show.explorer.models import Model, PredictionGrid, Wanted, fit_models, grid_of
from podium.show.explorer.source import Source
from podium.store.record import TrialKey

ShownModels: TypeAlias = Literal["extreme", "all", "none"]

MAX_VALUES, MAX_FREQUENCIES = 1_000_000, 4_000_000  # of the data, and of all samples, that a page may have
MAX_FITS, MAX_SECONDS = 600, 60.0  # that are made by default


@check_call
class Space:
    """The benchmark experiment space of a source; `limits` are those of a fit.

    Nothing is computed before it is needed, and everything is kept. What cannot be shown is None or empty, and
    `absences` says why.
    """

    def __init__(self, source: Source, limits: Limits | None = None) -> None:
        self.source = expect(source, Source, "source")
        self.results: Results = source.results
        self._limits = limits or Limits()
        lacking = PARTS if source.experiment is None else ()
        self._absences = dict.fromkeys(Absence(part=part, reason="no experiment") for part in lacking)
        self._data: dict[str, tuple[Dataset, Data, PredictionGrid] | None] = {}
        self._frequencies: dict[str, IntArray | None] = {}
        self._models: dict[tuple[str, Label], tuple[Model, ...]] = {}

    @property
    def absences(self) -> tuple[Absence, ...]:
        """What cannot be shown, as far as it was requested."""
        return tuple(self._absences)

    def replications(self, dataset: str) -> tuple[Label, ...]:
        """Return the replications that a data set has."""
        check_choice(dataset, self.results.datasets, "dataset")
        there: BoolArray = self.results.design[self.results.datasets.index(dataset)]
        return tuple(label for label, kept in zip(self.results.replications, there, strict=True) if kept)

    def data(self, dataset: str) -> Data | None:
        """Return the observations of a data set."""
        found = self._of(dataset)
        return None if found is None else found[1]

    def grid(self, dataset: str) -> PredictionGrid | None:
        """Return the grid on which models of a data set are evaluated."""
        found = self._of(dataset)
        return None if found is None else found[2]

    def frequencies(self, dataset: str) -> IntArray | None:
        """Count how often each observation is in each learning sample: one row per replication.

        0 means that it is not in the learning sample, which for a bootstrap means that it is in the test sample.
        """
        if dataset not in self._frequencies:
            self._frequencies[dataset] = self._drawn(dataset)
        return self._frequencies[dataset]

    def models(self, dataset: str, replication: Label) -> tuple[Model, ...]:
        """Return the models of a replication, fitted again, without those that do not reproduce the run."""
        self.fit({dataset: [replication]})
        return self._models[dataset, replication]

    def fit(self, replications: Mapping[str, Sequence[Label]]) -> None:
        """Fit the models of some replications of each data set, several at a time."""
        asked = [(dataset, label) for dataset, labels in replications.items() for label in labels]
        keys = [key for key in asked if key not in self._models]
        wanted = [one for key in keys for one in self._wanted(*key)]
        experiment = self.source.experiment
        fitted = fit_models(experiment, wanted, self._limits) if wanted and experiment is not None else []
        self._models |= dict.fromkeys(keys, ())
        for (key, *_), found in zip(wanted, fitted, strict=True):
            where = key._asdict()
            if isinstance(found, str):
                self._absences.setdefault(Absence(part="models", reason="fit failed", detail=found, **where))
            elif found.differences:
                measure, was, now = found.differences[0]
                detail = f"{measure} was {was:.6g} and is {now:.6g}"
                self._absences.setdefault(Absence(part="models", reason="other numbers", detail=detail, **where))
            else:
                self._models[key.dataset, key.replication] += (found,)

    def requested(self, dataset: str, models: ShownModels | Sequence[Label] | None) -> tuple[Label, ...]:
        """Return the replications whose models the user has requested."""
        if models == "none" or self.frequencies(dataset) is None:
            return ()
        known = self.replications(dataset)
        if models == "all":
            return known
        if models == "extreme":
            return self.extreme(dataset)
        if models is None:
            fits = self._fits_of_extreme
            seconds = fits * self.source.seconds
            if fits <= MAX_FITS and not seconds > MAX_SECONDS:
                return self.extreme(dataset)
            detail = f"{fits:,} fits" + (f", about {seconds:,.0f} s" if seconds > 0 else "")
            self._absent("models", "many fits", detail=detail)
            return ()
        unknown = [label for label in models if label not in self.results.replications]
        if unknown:
            raise InputError(
                f"`models` names the replications {join_names(unknown)}, which the results do not have. Use 'extreme', "
                "'all', 'none' or replications of the results."
            )
        return tuple(label for label in known if label in models)

    def extreme(self, dataset: str) -> tuple[Label, ...]:
        """Return the replications in which an algorithm has its best or worst value of a measure."""
        known = self.replications(dataset)
        table = self.results.select(dataset=dataset, replications=known).values[0]
        found = {
            int(at)
            for column in table.reshape(len(known), -1).T
            if not np.isnan(column).all()
            for at in (np.nanargmin(column), np.nanargmax(column))
        }
        return tuple(known[at] for at in sorted(found))

    @cached_property
    def _fits_of_extreme(self) -> int:
        return sum(len(self.extreme(one)) for one in self.results.datasets) * len(self.results.algorithms)

    def _absent(self, part: Part, reason: Reason, dataset: str | None = None, *, detail: str = "") -> None:
        self._absences.setdefault(Absence(part=part, reason=reason, dataset=dataset, detail=detail))

    def _of(self, dataset: str) -> tuple[Dataset, Data, PredictionGrid] | None:
        check_choice(dataset, self.results.datasets, "dataset")
        if dataset not in self._data:
            self._data[dataset] = self._load(dataset)
        return self._data[dataset]

    def _load(self, name: str) -> tuple[Dataset, Data, PredictionGrid] | None:
        experiment = self.source.experiment
        if experiment is None:
            return None
        if name not in [one.name for one in experiment.datasets]:
            self._absent("data", "not in design", name)
            return None
        if isinstance(experiment.resampling, FreshDraws):
            self._absent("data", "drawn afresh", name)
            return None
        try:
            dataset = experiment.dataset(name)
        except PodiumError as error:
            self._absent("data", "not loaded", name, detail=str(error))
            return None
        if self.source.fingerprints.get(name, dataset.fingerprint) != dataset.fingerprint:
            self._absent("data", "other data", name)
            return None
        there = sum(found[0].X.size for found in self._data.values() if found is not None)
        if there + dataset.X.size > MAX_VALUES:
            self._absent("data", "too large", name, detail=f"{len(dataset):,} × {dataset.X.shape[1]:,} values")
            return None
        data = to_data(dataset)
        return dataset, data, grid_of(data)

    def _drawn(self, name: str) -> IntArray | None:
        loaded = self._of(name)
        experiment = self.source.experiment
        if loaded is None or experiment is None:
            return None
        labels = self.replications(name)
        if not all(isinstance(one, int) and 1 <= one <= experiment.resampling.replications for one in labels):
            self._absent("samples", "other replications", name)
            return None
        n = len(loaded[0])
        there = sum(found.size for found in self._frequencies.values() if found is not None)
        if there + len(labels) * n > MAX_FREQUENCIES:
            self._absent("samples", "too large", name, detail=f"{len(labels):,} × {n:,} frequencies")
            return None
        counts = np.zeros((len(labels), n), np.int64)
        for row, label in enumerate(labels):
            try:
                split = experiment.sample(name, int(label))
            except PodiumError as error:
                self._absent("samples", "not loaded", name, detail=str(error))
                return None
            if not self._as_recorded(name, label, len(split.learn), len(split.test)):
                self._absent("samples", "other samples", name, detail=str(label))
                return None
            counts[row] = np.bincount(split.learn, minlength=n)
        return counts

    def _as_recorded(self, name: str, label: Label, learn: int, test: int) -> bool:
        """Return whether a sample has the sizes that the run has recorded, as far as it has."""
        at = self.results.datasets.index(name), self.results.replications.index(label)
        sizes = {"n_learn": learn, "n_test": test}
        recorded = {key: int(self.results.structure[key][at]) for key in sizes if key in self.results.structure}
        return all(size in (-1, sizes[key]) for key, size in recorded.items())

    def _wanted(self, dataset: str, label: Label) -> list[Wanted]:
        """List the models of a replication: of trials that have an outcome, with algorithms of the experiment."""
        grid, experiment = self.grid(dataset), self.source.experiment
        if grid is None or experiment is None or self.frequencies(dataset) is None:
            return []
        values = self.results.select(dataset=dataset, replication=label).values[0, 0]
        candidates = {one.name for one in experiment.algorithms}
        wanted = []
        for k, algorithm in enumerate(self.results.algorithms):
            if algorithm not in candidates:
                self._absences.setdefault(Absence(part="models", reason="not in design", algorithm=algorithm))
            elif not np.isnan(values[k]).all():
                stored = dict(zip(self.results.measure_names, values[k].tolist(), strict=True))
                wanted.append(Wanted(TrialKey(dataset, int(label), algorithm), grid, stored))
        return wanted
