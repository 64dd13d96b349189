"""Sequential and adaptive experiments: monitoring, and tests that keep their level when they are applied repeatedly."""

from podium.analysis.sequential.boundaries import Boundaries, boundaries
from podium.analysis.sequential.combination_test import CombinationTest, NextStage, StageRow, combination_test
from podium.analysis.sequential.confidence_sequence import ConfidenceSequence, confidence_sequence
from podium.analysis.sequential.monitor import Monitor, monitor
from podium.analysis.sequential.outcome import NextLook, Sequential, SequentialPair, SequentialRow
from podium.analysis.sequential.sequential import sequential

__all__ = [
    "Boundaries",
    "CombinationTest",
    "ConfidenceSequence",
    "Monitor",
    "NextLook",
    "NextStage",
    "Sequential",
    "SequentialPair",
    "SequentialRow",
    "StageRow",
    "boundaries",
    "combination_test",
    "confidence_sequence",
    "monitor",
    "sequential",
]
