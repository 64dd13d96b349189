"""Drawings of benchmark experiments, in matplotlib: axes in, axes out.

Every function takes what it draws, `Results` or what was made of them, draws on the axes given or on new ones, and
returns the axes. Nothing is shown and no setting of matplotlib is changed for good. `podium.figures` has the numbers
behind each drawing.
"""

from podium.plots.boxes import box
from podium.plots.critical_differences import critical_difference
from podium.plots.densities import density, violin
from podium.plots.distance_tables import dendrogram, distances
from podium.plots.hasse_diagrams import hasse
from podium.plots.histograms import histogram
from podium.plots.incidence_tables import incidence
from podium.plots.interval_bars import intervals, percentile_intervals
from podium.plots.intervals_simultaneous import simultaneous_intervals
from podium.plots.mixed_blups import dataset_effects
from podium.plots.mixed_fit import fitted_boxes
from podium.plots.mixed_variance import variance_shares
from podium.plots.multi_comparisons import multi_comparison
from podium.plots.place_table import places
from podium.plots.podiums import podium
from podium.plots.pvalue_table import pvalues
from podium.plots.strips import strip
from podium.plots.style import colours, save
from podium.plots.times import time
from podium.plots.trellises import trellis

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
