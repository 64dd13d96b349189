"""Run an experiment: plan its trials, run them in processes, keep every outcome whatever happens."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from podium.checks import unknown_name

if TYPE_CHECKING:
    from podium.execution import adaptive as adaptive
    from podium.execution.design import EarlierTrials
    from podium.execution.preview import Preview
    from podium.execution.progress import Decided, Tally
    from podium.progress import Progress

# Imported on first use: a worker process imports this package and needs none of them.
_HOMES = {
    "Decided": "progress",
    "EarlierTrials": "design",
    "Preview": "preview",
    "Progress": "progress",
    "Tally": "progress",
}

__all__ = ["Decided", "EarlierTrials", "Preview", "Progress", "Tally"]


def __getattr__(name: str) -> Any:
    if name == "adaptive":  # the one module here that needs the analysis: only runs with a stopping rule import it
        return import_module("podium.execution.adaptive")
    if name not in _HOMES:
        raise unknown_name(__name__, name, __all__)
    return getattr(import_module(f"podium.execution.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
