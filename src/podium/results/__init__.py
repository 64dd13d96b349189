"""`Results`: the labelled, immutable M × B × K × J cube from which every analysis starts."""

from typing import TYPE_CHECKING

from podium.checks import close_module
from podium.results.formats.benchopt import read_benchopt
from podium.results.formats.cross_validate import read_cross_validate
from podium.results.formats.openml import read_openml_evaluations
from podium.results.forms.array import LabelledArray
from podium.results.measure_info import MeasureInfo
from podium.results.missing import MissingReport
from podium.results.read import read
from podium.results.results import Results

__all__ = [
    "LabelledArray",
    "MeasureInfo",
    "MissingReport",
    "Results",
    "read",
    "read_benchopt",
    "read_cross_validate",
    "read_openml_evaluations",
]

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
