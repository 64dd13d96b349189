"""Characteristics in a run: an algorithm that describes its learning sample, and measures that read the description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from podium.design.algorithm import Algorithm
from podium.design.characteristics.characteristic import CHARACTERISTICS, Characteristic
from podium.design.characteristics.data_view import DataView
from podium.design.characteristics.reductions import labels
from podium.design.characteristics.selection import NAME, described
from podium.design.experiment import Experiment
from podium.design.factories import task_of
from podium.design.fitted import Fitted
from podium.design.measure import Measure
from podium.design.sample import Sample
from podium.errors import UndefinedError


def characteristics_experiment(experiment: Experiment) -> Experiment:
    """Return an experiment with the same learning samples whose trials are their characteristics."""
    chosen = experiment.characteristics
    algorithm = Algorithm(NAME, _Describer(chosen), description="characteristics of the learning sample")
    measures = [measure for one in chosen for measure in _measures(one)]
    return experiment.replace(algorithms=algorithm, measures=measures, keep=(), characteristics=(), stopping=None)


def sampling_experiment(design: Mapping[str, Any]) -> Experiment:
    """Return an experiment with the learning samples of a design, as plain values, and nothing to fit or to measure."""
    return Experiment(
        datasets=design["datasets"],
        algorithms=Algorithm(NAME, _Describer(())),
        resampling=design["resampling"],
        measures=_measures(CHARACTERISTICS["obs.n"]),
        seed=design["seed"],
    )


@dataclass(frozen=True)
class _Describer:
    """Makes the model that describes a learning sample; it sees the declared classes, which `fit` does not."""

    characteristics: tuple[Characteristic, ...]

    def __call__(self, learn: Sample, seed: int) -> _Described:
        return _Described(learn, self.characteristics)

    def identified_by(self) -> tuple[Any, ...]:
        """Return nothing: each characteristic is identified by its own measure."""
        return ("characteristics",)


class _Described:
    """A model that is the description of its learning sample."""

    def __init__(self, learn: Sample, characteristics: Sequence[Characteristic]) -> None:
        self._learn = learn
        self._characteristics = characteristics
        self.values: dict[str, float] = {}
        self.reasons: dict[str, str] = {}

    def fit(self, X: Any, y: Any = None) -> _Described:
        view = DataView(X=self._learn.X, y=self._learn.y, task=task_of(self._learn))
        self.values, self.reasons = described(view, self._characteristics, None)
        return self


@dataclass(frozen=True)
class _Value:
    """Reads one number of a description."""

    label: str
    characteristic: Characteristic

    def __call__(self, fitted: Fitted) -> float:
        value = fitted.model.values.get(self.label, float("nan"))
        if value != value:
            raise UndefinedError(fitted.model.reasons.get(self.characteristic.name, "It has no value."))
        return float(value)

    def identified_by(self) -> tuple[Any, ...]:
        """Return what makes the number: map and reduction, not their description."""
        return self.label, self.characteristic.map, self.characteristic.reduce


def _measures(characteristic: Characteristic) -> list[Measure]:
    return [
        Measure(
            label,
            _Value(label, characteristic),
            direction="lower",
            needs=frozenset(),
            spec={"measure": "characteristic", "characteristic": label},  # it reads the model, and changes nothing
        )
        for label in labels(characteristic.reduce, characteristic.name)
    ]
