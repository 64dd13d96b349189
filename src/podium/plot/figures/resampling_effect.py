"""How characteristics of learning samples differ from those of their data set."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.arrays import FloatArray, IntArray
from podium.checks import check_choice, expect, record
from podium.design.characteristics.resampling_effect import ResamplingEffect
from podium.errors import InputError
from podium.plot.figures.numbers import Numbers, quartiles_of

__all__ = ["EffectOfResampling", "resampling_effect"]


@record(eq=False, kw_only=True)
class EffectOfResampling(Numbers):
    """Numbers of box plots of a characteristic, one box per data set and scheme.

    Attributes
    ----------
    characteristic : str
    datasets, schemes : tuple of str
        Of each box.
    quartiles : ndarray of shape (boxes, 3)
    whiskers : ndarray of shape (boxes, 2)
        The outermost values within 1.5 interquartile ranges of the box.
    outlier_box, outlier_value : ndarray
        Position of the box, and value, of each value beyond the whiskers.
    whole : ndarray of float
        The characteristic of the whole data set of each box.
    """

    characteristic: str
    datasets: tuple[str, ...]
    schemes: tuple[str, ...]
    quartiles: FloatArray
    whiskers: FloatArray
    outlier_box: IntArray
    outlier_value: FloatArray
    whole: FloatArray


def resampling_effect(effect: ResamplingEffect, *, characteristic: str | None = None) -> EffectOfResampling:
    """Compute the numbers of box plots of a characteristic of learning samples (Eugster 2011, figure 7.1).

    Parameters
    ----------
    effect : ResamplingEffect
        What `podium.design.resampling_effect` returns.
    characteristic : str, optional
        Which one, where there are several.

    Examples
    --------
    >>> import podium
    >>> effect = podium.design.resampling_effect("sonar", podium.Bootstrap(replications=10))
    >>> numbers = podium.plot.figures.resampling_effect(effect)
    >>> bool(numbers.quartiles[0, 0] > numbers.whole[0])
    True
    """
    expect(effect, ResamplingEffect, "effect")
    names = list(effect.samples.columns)
    if characteristic is None:
        if len(names) > 1:
            raise InputError(f"Which characteristic? Name it with characteristic=, one of {', '.join(names)}.")
        characteristic = names[0]
    check_choice(characteristic, names, "characteristic")
    datasets: list[str] = []
    schemes: list[str] = []
    quartiles, whiskers, box, beyond = [], [], [], []
    groups: Any = effect.samples[characteristic].groupby(level=["dataset", "scheme"], sort=False)
    for (dataset, scheme), part in groups:
        values = np.sort(part.dropna().to_numpy())
        low, _, high = found = quartiles_of(values) if len(values) else np.full(3, np.nan)
        near = values[(values >= low - 1.5 * (high - low)) & (values <= high + 1.5 * (high - low))]
        far = values[(values < low - 1.5 * (high - low)) | (values > high + 1.5 * (high - low))]
        whiskers.append([near[0], near[-1]] if len(near) else [np.nan, np.nan])
        box += [len(datasets)] * len(far)
        beyond += far.tolist()
        datasets.append(str(dataset))
        schemes.append(str(scheme))
        quartiles.append(found)
    return EffectOfResampling(
        characteristic=characteristic,
        datasets=tuple(datasets),
        schemes=tuple(schemes),
        quartiles=np.array(quartiles),
        whiskers=np.array(whiskers, float),
        outlier_box=np.array(box, np.intp),
        outlier_value=np.array(beyond, float),
        whole=effect.whole.loc[datasets, characteristic].to_numpy(float),
    )
