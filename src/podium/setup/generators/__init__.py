"""Data generating processes, by name."""

from podium.setup.generators.parameter import Parameter
from podium.setup.generators.registry import KINDS, Kind, generator

__all__ = ["KINDS", "Kind", "Parameter", "generator"]
