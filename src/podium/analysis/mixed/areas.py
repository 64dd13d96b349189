"""Areas of equivalence, in the units of the measure or relative to a mean."""

from __future__ import annotations

import numpy as np

from podium.analysis.inference.compare import equivalence_area as checked
from podium.analysis.mixed.design import Design
from podium.arrays import FloatArray
from podium.errors import InputError


def equivalence_area(
    design: Design,
    equivalence: float | tuple[float, float] | None,
    relative: bool,
    control: str | None,
    means: FloatArray,
) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """Return the area of equivalence in the units of the measure, and a note on what it is relative to."""
    area = checked(equivalence)
    if area is None:
        if relative:
            raise InputError(
                "`relative=True` says how `equivalence` is meant, and there is none. Give it too: equivalence=0.05 is "
                "then 5 % of the best mean."
            )
        return None, ()
    if not relative:
        return (area[0], area[1]), ()
    names = design.algorithms
    at = names.index(control) if control in names else int(np.argmin(design.measure.sign * means))
    unit = abs(float(means[at]))
    if unit <= 1e-9 * float(np.abs(means).max()):
        raise InputError(f"A relative area of equivalence needs a mean other than 0; that of {names[at]!r} is 0.")
    parts = f"{100 * area[1]:g} %" if area[0] == -area[1] else f"{100 * area[0]:g} % to {100 * area[1]:g} %"
    role = "the control" if control in names else "the best"
    note = f"The area of equivalence is {parts} of the mean of {names[at]} ({role}), {means[at]:.4g}."
    return (area[0] * unit, area[1] * unit), (note,)
