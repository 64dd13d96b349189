"""How learning and test samples are drawn: one scheme per file, all with the interface of `Resampling`."""

from podium.design.resampling.bootstrap import Bootstrap
from podium.design.resampling.cross_validation import CrossValidation
from podium.design.resampling.fresh_draws import FreshDraws
from podium.design.resampling.reserve import Reserve
from podium.design.resampling.schemes import as_resampling
from podium.design.resampling.sklearn_splitter import SklearnSplitter
from podium.design.resampling.split import Resampling, Split
from podium.design.resampling.subsampling import HoldOut, Subsampling

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
    "as_resampling",
]
