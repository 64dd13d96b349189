"""The numbers of each figure, as frozen data; `podium.plot` draws them with functions of the same names."""

from podium.figures.boxes import Box, box
from podium.figures.critical_differences import CriticalDifference, critical_difference
from podium.figures.densities import Density, density
from podium.figures.distance_tables import DistanceTable, distances
from podium.figures.hasse_diagrams import Hasse, hasse
from podium.figures.histograms import Histogram, histogram
from podium.figures.incidence_tables import Incidence, incidence
from podium.figures.interval_marks import Intervals, intervals
from podium.figures.intervals_simultaneous import SimultaneousIntervals, simultaneous_intervals
from podium.figures.letter_display import Letters, letters
from podium.figures.mixed_blups import DatasetEffects, dataset_effects
from podium.figures.mixed_fit import FittedBoxes, fitted_boxes
from podium.figures.mixed_variance import VarianceShares, variance_shares
from podium.figures.multi_comparisons import MultiComparison, multi_comparison
from podium.figures.numbers import FigureNumbers
from podium.figures.palette import colours, markers
from podium.figures.place_counts import Places, places
from podium.figures.podiums import Podium, podium
from podium.figures.pvalue_table import PValues, pvalues
from podium.figures.strips import Strip, strip
from podium.figures.times import Times, time
from podium.figures.trellises import Trellis, trellis

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
