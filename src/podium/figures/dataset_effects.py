"""Predicted effects of data sets: how hard each is, and how each algorithm likes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from podium.analysis.mixed.fit import MixedFit
from podium.arrays import BoolArray, FloatArray
from podium.checks import expect
from podium.errors import InputError
from podium.figures.numbers import FigureNumbers

CLEAR = 1.96  # prediction errors from zero that make an effect clear


@dataclass(frozen=True, eq=False, kw_only=True)
class DatasetEffects(FigureNumbers):
    """Numbers of a heat map of data set effects.

    Attributes
    ----------
    datasets : tuple of str
        The easiest first.
    dataset_effect, dataset_sd : ndarray of float, shape (M,)
        Effect of each data set on all algorithms, and its prediction error.
    effects, sd : ndarray of float, shape (M, K)
        Effect of each data set on each algorithm, beyond that (or with it), and its prediction error.
    clear : ndarray of bool, shape (M, K)
        Which of these are further from zero than 1.96 prediction errors.
    better : ndarray of bool, shape (M, K)
        Which favour the algorithm.
    effect : {"interaction", "cell"}
    """

    datasets: tuple[str, ...]
    dataset_effect: FloatArray
    dataset_sd: FloatArray
    effects: FloatArray
    sd: FloatArray
    clear: BoolArray
    better: BoolArray
    effect: str


def dataset_effects(fit: MixedFit, effect: Literal["interaction", "cell"] = "interaction") -> DatasetEffects:
    """Compute the numbers of a heat map of data set effects.

    Parameters
    ----------
    fit : MixedFit
        A domain model.
    effect : {"interaction", "cell"}
        How the algorithm likes the data set, or that together with the effect of the data set itself.

    Examples
    --------
    >>> import podium
    >>> numbers = dataset_effects(podium.mixed(podium.datasets.load_ulas2008()))
    >>> numbers.datasets[0], numbers.datasets[-1], numbers.effects.shape
    ('mushroom', 'tae', (38, 8))
    """
    if effect not in ("interaction", "cell"):
        raise InputError(f"`effect` must be 'interaction' or 'cell'; got {effect!r}.")
    if expect(fit, MixedFit, "fit").design.model != "domain":
        raise InputError(
            f"`fit` must be a domain model, whose data sets are random; this one is a {fit.design.model} model. "
            "podium.mixed(results, model='domain') fits one to several data sets with replications."
        )
    whole = fit.blups("dataset")
    parts = fit.blups(effect)
    m, k = fit.design.datasets, len(fit.design.algorithms)
    sign = fit.design.measure.sign
    rows = np.argsort(sign * whole["estimate"].to_numpy(float), kind="stable")
    columns = np.argsort(sign * fit.estimates.to_numpy(float), kind="stable")
    value, sd = (parts[name].to_numpy(float).reshape(m, k)[np.ix_(rows, columns)] for name in ("estimate", "sd"))
    return DatasetEffects(
        algorithms=tuple(fit.design.algorithms[i] for i in columns),
        measure=fit.design.measure,
        data=f"{m} data sets",
        unit=fit.design.unit,
        blocks=fit.design.n,
        datasets=tuple(fit.design.source.datasets[i] for i in rows),
        dataset_effect=whole["estimate"].to_numpy(float)[rows],
        dataset_sd=whole["sd"].to_numpy(float)[rows],
        effects=value,
        sd=sd,
        clear=np.abs(value) > CLEAR * sd,
        better=sign * value < 0,
        effect=effect,
    )
