"""The numbers of each figure, as frozen data; `podium.plot` draws them with functions of the same names."""

from podium.figures.boxes import Box, box
from podium.figures.critical_differences import CriticalDifference, critical_difference
from podium.figures.densities import Density, density
from podium.figures.distance_tables import DistanceTable, distances
from podium.figures.hasse_diagrams import Hasse, hasse
from podium.figures.histograms import Histogram, histogram
from podium.figures.incidence_tables import Incidence, incidence
from podium.figures.interval_marks import Intervals, intervals
from podium.figures.letter_display import Letters, letters
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
    "Density",
    "DistanceTable",
    "FigureNumbers",
    "Hasse",
    "Histogram",
    "Incidence",
    "Intervals",
    "Letters",
    "MultiComparison",
    "PValues",
    "Places",
    "Podium",
    "Strip",
    "Times",
    "Trellis",
    "box",
    "colours",
    "critical_difference",
    "density",
    "distances",
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
    "strip",
    "time",
    "trellis",
]
