"""Warnings about values that a measure cannot have, or that are on two scales."""

from __future__ import annotations

import warnings

import numpy as np

from podium.arrays import BoolArray, FloatArray
from podium.errors import ImplausibleValuesWarning, join_names
from podium.results.cube import Cube
from podium.results.known_measures import known_limits, known_time
from podium.results.measure_info import MeasureInfo

_PERCENT = ("%", "percent", "pct")
_MAX_NAMED_CELLS = 3  # cells that a message names


def warn_of_implausible_values(cube: Cube, stacklevel: int) -> None:
    """Warn about each measure whose name implies limits that some values exceed, and about times that are always 0.

    Percentages are accepted as well as fractions, as long as all values are percentages. Suspect are values above 1
    among fractions, values below 0, and values above 100.
    """
    for j, info in enumerate(cube.measures):
        for found in (_implausible(info, cube.values[..., j], cube), _unmeasured(info, cube.values[..., j], cube)):
            if found is not None:
                warnings.warn(found, stacklevel=stacklevel + 1)


def without_time(info: MeasureInfo, values: FloatArray) -> BoolArray:
    """Find the algorithms whose times are all 0, from M × B × K values: they were not measured."""
    if not known_time(info.name):
        return np.zeros(values.shape[2], bool)
    found: BoolArray = (np.isnan(values) | (values == 0)).all(axis=(0, 1)) & (values == 0).any(axis=(0, 1))
    return found


def _unmeasured(info: MeasureInfo, values: FloatArray, cube: Cube) -> ImplausibleValuesWarning | None:
    names = tuple(cube.algorithms[k] for k in np.flatnonzero(without_time(info, values)))
    if not names:
        return None
    message = f"All values of {info.name!r} of {join_names(names)} are 0: such times were not measured."
    return ImplausibleValuesWarning(message, measure=info.name, limits=(0.0, np.inf), algorithms=names)


def _implausible(info: MeasureInfo, values: FloatArray, cube: Cube) -> ImplausibleValuesWarning | None:
    limits = known_limits(info.name)
    there = ~np.isnan(values)
    if limits is None or not there.any():
        return None
    percent = info.units in _PERCENT
    low, high = (100 * limits[0], 100 * limits[1]) if percent else limits
    slack = 1e-9 * max(abs(high), abs(low) if np.isfinite(low) else 0.0)
    beyond = there & ((values < low - slack) | (values > high + slack))
    if not beyond.any():
        return None
    within = there & ~beyond
    impossible = there & ((values < 100 * low - slack) | (values > 100 * high + slack))
    if not percent and not (within & (values != 0)).any():  # all are percentages
        if not impossible.any():
            return None
        percent, low, high = True, 100 * low, 100 * high
        beyond, within = impossible, there & ~impossible
    odd = _odd_algorithms(beyond, within)
    mixed = not percent and not impossible.any()
    if mixed and not odd and beyond.sum() > within.sum():
        beyond = within & (values != 0)  # fractions among percentages
    message = _message(info, (low, high), values, beyond, odd, mixed, cube)
    cells = tuple(
        (cube.datasets[m], cube.replications[b], cube.algorithms[k], float(values[m, b, k]))
        for m, b, k in np.argwhere(beyond)
    )
    algorithms = tuple(cube.algorithms[k] for k in odd)
    return ImplausibleValuesWarning(message, measure=info.name, limits=(low, high), algorithms=algorithms, cells=cells)


def _odd_algorithms(beyond: BoolArray, within: BoolArray) -> list[int]:
    """Find algorithms with all values beyond the limits, where all others have all theirs within."""
    outside, inside = beyond.any(axis=(0, 1)), within.any(axis=(0, 1))
    if (outside & inside).any() or not inside.any():
        return []
    return [int(k) for k in np.flatnonzero(outside)]


def _message(
    info: MeasureInfo,
    limits: tuple[float, float],
    values: FloatArray,
    suspects: BoolArray,
    odd: list[int],
    mixed: bool,
    cube: Cube,
) -> str:
    low, high = limits
    name = repr(info.name)
    between = f"between {low:g} and {high:g}" if np.isfinite(low) else f"of at most {high:g}"
    if odd:
        names = [cube.algorithms[k] for k in odd]
        reach = values[..., odd]
        span = f"{np.nanmin(reach):g} to {np.nanmax(reach):g}"
        what = (
            f"All values of {join_names(names)} are outside that range ({span}), those of the other algorithms are not"
        )
    else:
        places = np.argwhere(suspects)
        shown = [_cell(cube, values, *place) for place in places[:_MAX_NAMED_CELLS]]
        more = f" and {len(places) - _MAX_NAMED_CELLS:,} more" if len(places) > _MAX_NAMED_CELLS else ""
        verb = "is" if len(places) == 1 else "are"
        kind = "on another scale than the rest" if mixed else "outside that range"
        what = f"{'; '.join(shown)}{more} {verb} {kind}"
    hint = (
        "Fractions and percentages seem to be mixed: give all values on one scale. If all are percentages, say "
        "units='%'."
        if mixed
        else "Correct the values, or rename the measure if it is a different one."
    )
    return f"The measure {name} has values {between}. {what}. {hint}"


def _cell(cube: Cube, values: FloatArray, m: int, b: int, k: int) -> str:
    replication = f", replication {cube.replications[b]}" if len(cube.replications) > 1 else ""
    return f"{values[m, b, k]:g} ({cube.algorithms[k]} on {cube.datasets[m]}{replication})"
