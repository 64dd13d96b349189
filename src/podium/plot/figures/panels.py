"""Panels: the figures that a trellis can show, one per data set."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from podium.checks import expect
from podium.plot.namespace import Registered

__all__ = ["panel"]

Compute = TypeVar("Compute", bound=Callable[..., Any])

# Functions that compute the numbers of one panel, by name.
PANELS: Registered[Callable[..., Any]] = Registered("podium.plot.figures")


def panel(compute: Compute) -> Compute:
    """Decorate a function that computes the numbers of a figure, so that `trellis` can show it.

    The function takes `results`, and the options `order` and `missing`.
    """
    expect(compute, FunctionType, "compute")
    PANELS[compute.__name__] = compute
    return compute
