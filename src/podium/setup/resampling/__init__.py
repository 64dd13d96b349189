"""How learning and test samples are drawn: one scheme per file, all with the interface of `Resampling`."""

from podium.setup.resampling.bootstrap import Bootstrap
from podium.setup.resampling.cross_validation import CrossValidation, five_by_two
from podium.setup.resampling.fresh_draws import FreshDraws
from podium.setup.resampling.reserve import Reserve
from podium.setup.resampling.schemes import resampling_scheme
from podium.setup.resampling.sklearn_splitter import SklearnSplitter
from podium.setup.resampling.split import Resampling, Split
from podium.setup.resampling.subsampling import HoldOut, Subsampling

__all__ = [
    "Bootstrap",
    "CrossValidation",
    "FreshDraws",
    "HoldOut",
    "Resampling",
    "Reserve",
    "SklearnSplitter",
    "Split",
    "Subsampling",
    "five_by_two",
    "resampling_scheme",
]
