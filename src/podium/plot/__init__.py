"""Drawings of benchmark experiments, in matplotlib: axes in, axes out.

Every function takes what it draws, `Results` or what was made of them, draws on the axes given or on new ones, and
returns the axes. Nothing is shown and no setting of matplotlib is changed for good. `podium.figures` has the numbers
behind each drawing.
"""

from podium.plot.boxes import box
from podium.plot.critical_differences import critical_difference
from podium.plot.densities import density, violin
from podium.plot.distance_tables import dendrogram, distances
from podium.plot.hasse_diagrams import hasse
from podium.plot.histograms import histogram
from podium.plot.incidence_tables import incidence
from podium.plot.interval_bars import intervals, percentile_intervals
from podium.plot.intervals_simultaneous import simultaneous_intervals
from podium.plot.mixed_blups import dataset_effects
from podium.plot.mixed_fit import fitted_boxes
from podium.plot.mixed_variance import variance_shares
from podium.plot.multi_comparisons import multi_comparison
from podium.plot.place_table import places
from podium.plot.podiums import podium
from podium.plot.pvalue_table import pvalues
from podium.plot.strips import strip
from podium.plot.style import colours, save
from podium.plot.times import time
from podium.plot.trellises import trellis

__all__ = [
    "box",
    "colours",
    "critical_difference",
    "dataset_effects",
    "dendrogram",
    "density",
    "distances",
    "fitted_boxes",
    "hasse",
    "histogram",
    "incidence",
    "intervals",
    "multi_comparison",
    "percentile_intervals",
    "places",
    "podium",
    "pvalues",
    "save",
    "simultaneous_intervals",
    "strip",
    "time",
    "trellis",
    "variance_shares",
    "violin",
]
