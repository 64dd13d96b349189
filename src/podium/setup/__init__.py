"""Set up: data sets, algorithms, resampling, measures, and the experiment that joins them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium.setup.advice import Advice
    from podium.setup.dataset import Sample
    from podium.setup.describe import Description
    from podium.setup.factors import Factors, Grid
    from podium.setup.resampling import Reserve, SklearnSplitter, Split
    from podium.setup.spec.schema import experiment_schema

__all__ = [
    "Advice",
    "Description",
    "Factors",
    "Grid",
    "Reserve",
    "Sample",
    "SklearnSplitter",
    "Split",
    "experiment_schema",
]

_HOMES = {
    "podium.setup.advice": "Advice",
    "podium.setup.dataset": "Sample",
    "podium.setup.describe": "Description",
    "podium.setup.factors": "Factors Grid",
    "podium.setup.resampling": "Reserve SklearnSplitter Split",
    "podium.setup.spec.schema": "experiment_schema",
}
_LATE = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"podium.setup has no {name!r}")
    return getattr(import_module(_LATE[name]), name)
