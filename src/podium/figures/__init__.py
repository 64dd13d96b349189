"""The numbers of each figure, as frozen data; `podium.plot` draws them with functions of the same names."""

from podium.figures.box import Box, box
from podium.figures.critical_difference import CriticalDifference, critical_difference
from podium.figures.dataset_effects import DatasetEffects, dataset_effects
from podium.figures.density import Density, density
from podium.figures.distances import DistanceTable, distances
from podium.figures.fitted_boxes import FittedBoxes, fitted_boxes
from podium.figures.hasse import Hasse, hasse
from podium.figures.histogram import Histogram, histogram
from podium.figures.incidence import Incidence, incidence
from podium.figures.intervals import Intervals, intervals
from podium.figures.letters import Letters, letters
from podium.figures.multi_comparison import MultiComparison, multi_comparison
from podium.figures.numbers import FigureNumbers
from podium.figures.palette import colours, markers
from podium.figures.places import Places, places
from podium.figures.podium import Podium, podium
from podium.figures.pvalues import PValues, pvalues
from podium.figures.simultaneous_intervals import SimultaneousIntervals, simultaneous_intervals
from podium.figures.strip import Strip, strip
from podium.figures.time import Times, time
from podium.figures.trellis import Trellis, trellis
from podium.figures.variance_shares import VarianceShares, variance_shares

__all__ = [
    "Box",
    "CriticalDifference",
    "DatasetEffects",
    "Density",
    "DistanceTable",
    "FigureNumbers",
    "FittedBoxes",
    "Hasse",
    "Histogram",
    "Incidence",
    "Intervals",
    "Letters",
    "MultiComparison",
    "PValues",
    "Places",
    "Podium",
    "SimultaneousIntervals",
    "Strip",
    "Times",
    "Trellis",
    "VarianceShares",
    "box",
    "colours",
    "critical_difference",
    "dataset_effects",
    "density",
    "distances",
    "fitted_boxes",
    "hasse",
    "histogram",
    "incidence",
    "intervals",
    "letters",
    "markers",
    "multi_comparison",
    "places",
    "podium",
    "pvalues",
    "simultaneous_intervals",
    "strip",
    "time",
    "trellis",
    "variance_shares",
]
