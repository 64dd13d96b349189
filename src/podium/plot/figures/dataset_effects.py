"""Predicted effects of data sets: how hard each is, for all algorithms and for each of them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.blocks import best_first
from podium.analysis.mixed.fit import MixedFit
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_choice, expect, record
from podium.errors import InputError
from podium.plot.figures.numbers import FigureNumbers, from_blocks

__all__ = ["DatasetEffects", "dataset_effects"]

Effect: TypeAlias = Literal["interaction", "cell"]

CLEAR = 1.96  # prediction errors from zero that make an effect clear


@record(eq=False, kw_only=True)
class DatasetEffects(FigureNumbers):
    """Numbers of a heat map of data set effects.

    Attributes
    ----------
    labels : tuple of str
        The data sets, the easiest first.
    dataset_effect : ndarray of float, shape (M,)
        Effect of each data set on all algorithms.
    effects, sd : ndarray of float, shape (M, K)
        Effect of each data set on each algorithm, beyond that (or with it), and its prediction error.
    clear : ndarray of bool, shape (M, K)
        Which of these are more than 1.96 prediction errors from zero.
    better : ndarray of bool, shape (M, K)
        Which favour the algorithm.
    effect : {"interaction", "cell"}
    """

    labels: tuple[str, ...]
    dataset_effect: FloatArray
    effects: FloatArray
    sd: FloatArray
    clear: BoolArray
    better: BoolArray
    effect: Effect


def dataset_effects(fit: MixedFit, effect: Effect = "interaction") -> DatasetEffects:
    """Compute the numbers of a heat map of data set effects.

    Parameters
    ----------
    fit : MixedFit
        A domain model.
    effect : {"interaction", "cell"}
        The effect of a data set on an algorithm beyond that on all algorithms, or both together.

    Examples
    --------
    >>> import podium
    >>> numbers = podium.plot.figures.dataset_effects(podium.mixed(podium.examples.load_ulas2008()))
    >>> numbers.labels[0], numbers.labels[-1], numbers.effects.shape
    ('mushroom', 'tae', (38, 8))
    """
    check_choice(effect, get_args(Effect), "effect")
    if expect(fit, MixedFit, "fit").design.model != "domain":
        raise InputError(
            f"`fit` must be a domain model, whose data sets are random; this one is a {fit.design.model} model. "
            "podium.mixed(results, model='domain') fits one to several data sets with replications."
        )
    whole = fit.blups("dataset")
    parts = fit.blups(effect)
    m, k = fit.design.datasets, len(fit.design.algorithms)
    sign = fit.design.measure.sign
    rows = best_first(sign * whole["estimate"].to_numpy(float), [str(name) for name in fit.design.source.datasets])
    columns = best_first(np.asarray(sign * fit.estimates, float), fit.design.algorithms)
    value, sd = (parts[name].to_numpy(float).reshape(m, k)[np.ix_(rows, columns)] for name in ("estimate", "sd"))
    return DatasetEffects(
        **from_blocks(fit.design, tuple(fit.design.algorithms[i] for i in columns)),
        labels=tuple(fit.design.source.datasets[i] for i in rows),
        dataset_effect=whole["estimate"].to_numpy(float)[rows],
        effects=value,
        sd=sd,
        clear=np.abs(value) > CLEAR * sd,
        better=sign * value < 0,
        effect=effect,
    )
