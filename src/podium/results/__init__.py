"""`Results`: the labelled, immutable M × B × K × J cube from which every analysis starts."""

from typing import TYPE_CHECKING

from podium.lazy import lazy_names

if TYPE_CHECKING:
    from podium.results.formats.benchopt import read_benchopt
    from podium.results.formats.cross_validate import read_cross_validate
    from podium.results.formats.openml import read_openml_evaluations
    from podium.results.forms.array import LabelledArray
    from podium.results.measure_info import MeasureInfo
    from podium.results.missing import MissingReport
    from podium.results.reading import read
    from podium.results.results import Results
else:  # setting up an experiment needs few of the modules
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "formats.benchopt": "read_benchopt",
            "formats.cross_validate": "read_cross_validate",
            "formats.openml": "read_openml_evaluations",
            "forms.array": "LabelledArray",
            "measure_info": "MeasureInfo",
            "missing": "MissingReport",
            "reading": "read",
            "results": "Results",
        },
    )

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
