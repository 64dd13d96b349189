"""Drawings of benchmark experiments, in matplotlib: axes in, axes out.

Every function takes what it draws, `Results` or what was made of them, draws on the axes given or on new ones, and
returns the axes. Nothing is shown and no setting of matplotlib is changed for good. `podium.figures` has the numbers
behind each drawing.
"""

from podium.plot.box import box
from podium.plot.critical_difference import critical_difference
from podium.plot.dataset_effects import dataset_effects
from podium.plot.density import density, violin
from podium.plot.distances import dendrogram, distances
from podium.plot.fitted_boxes import fitted_boxes
from podium.plot.hasse import hasse
from podium.plot.histogram import histogram
from podium.plot.incidence import incidence
from podium.plot.intervals import intervals, percentile_intervals
from podium.plot.multi_comparison import multi_comparison
from podium.plot.places import places
from podium.plot.podium import podium
from podium.plot.pvalues import pvalues
from podium.plot.simultaneous_intervals import simultaneous_intervals
from podium.plot.strip import strip
from podium.plot.style import colours, save
from podium.plot.time import time
from podium.plot.trellis import trellis
from podium.plot.variance_shares import variance_shares

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
