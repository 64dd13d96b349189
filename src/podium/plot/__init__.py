"""Drawings of benchmark experiments, in matplotlib: axes in, axes out.

Every function takes what it draws: `Results`, what was computed from them, or the numbers of the figure that
`podium.figures` computes. It draws on the axes given as `ax`, or on new ones, and returns the axes: one `Axes`, or an
array of them from the plots with several panels, `trellis` and `fitted_boxes`. Nothing is shown, and no setting of
matplotlib is changed permanently.

Each plot is a file of this folder with a function decorated by `draws`; whatever such a file lists in ``__all__`` is a
name of this module.
"""

from typing import TYPE_CHECKING

from podium.figures.namespace import publish

if TYPE_CHECKING:
    from podium.plot.box import box as box
    from podium.plot.colours import colours as colours
    from podium.plot.critical_difference import critical_difference as critical_difference
    from podium.plot.dataset_effects import dataset_effects as dataset_effects
    from podium.plot.dendrogram import dendrogram as dendrogram
    from podium.plot.density import density as density
    from podium.plot.distances import distances as distances
    from podium.plot.drawing import draws as draws
    from podium.plot.fitted_boxes import fitted_boxes as fitted_boxes
    from podium.plot.hasse import hasse as hasse
    from podium.plot.histogram import histogram as histogram
    from podium.plot.incidence import incidence as incidence
    from podium.plot.intervals import intervals as intervals
    from podium.plot.multi_comparison import multi_comparison as multi_comparison
    from podium.plot.percentile_intervals import percentile_intervals as percentile_intervals
    from podium.plot.places import places as places
    from podium.plot.podium import podium as podium
    from podium.plot.pvalues import pvalues as pvalues
    from podium.plot.save import save as save
    from podium.plot.simultaneous_intervals import simultaneous_intervals as simultaneous_intervals
    from podium.plot.strip import strip as strip
    from podium.plot.time import time as time
    from podium.plot.trellis import trellis as trellis
    from podium.plot.variance_shares import variance_shares as variance_shares
    from podium.plot.violin import violin as violin

__all__ = publish(__name__)
