"""Drawings of benchmark experiments, in matplotlib: axes in, axes out.

Every function takes what it draws: `Results`, what was computed from them, or the numbers of the figure that
`podium.figures` computes. It draws on the axes given as `ax`, or on new ones, and returns the axes: one `Axes`, or an
array of them from the plots with several panels, such as `trellis` and `fitted_boxes`. Nothing is shown, and no setting
of matplotlib is changed permanently.

Each plot is a file of this folder with a function decorated by `draws`; whatever such a file lists in ``__all__`` is a
name of this module.
"""

from typing import TYPE_CHECKING

from podium.figures.namespace import publish

if TYPE_CHECKING:
    from podium.plot.archetype_percentiles import archetype_percentiles as archetype_percentiles
    from podium.plot.archetype_plane import archetype_plane as archetype_plane
    from podium.plot.archetype_profiles import archetype_coefficients as archetype_coefficients
    from podium.plot.archetype_profiles import archetype_profiles as archetype_profiles
    from podium.plot.archetype_residuals import archetype_residuals as archetype_residuals
    from podium.plot.archetype_scree import archetype_scree as archetype_scree
    from podium.plot.archetype_simplex import archetype_simplex as archetype_simplex
    from podium.plot.box import box as box
    from podium.plot.colours import colours as colours
    from podium.plot.confidence_sequence import confidence_sequence as confidence_sequence
    from podium.plot.cost_tradeoff import cost_tradeoff as cost_tradeoff
    from podium.plot.credible_intervals import credible_intervals as credible_intervals
    from podium.plot.critical_difference import critical_difference as critical_difference
    from podium.plot.dataset_effects import dataset_effects as dataset_effects
    from podium.plot.dendrogram import dendrogram as dendrogram
    from podium.plot.density import density as density
    from podium.plot.distances import distances as distances
    from podium.plot.drawing import draws as draws
    from podium.plot.fitted_boxes import fitted_boxes as fitted_boxes
    from podium.plot.hasse import hasse as hasse
    from podium.plot.hasse_trellis import hasse_trellis as hasse_trellis
    from podium.plot.histogram import histogram as histogram
    from podium.plot.incidence import incidence as incidence
    from podium.plot.intervals import intervals as intervals
    from podium.plot.monitor import monitor as monitor
    from podium.plot.multi_comparison import multi_comparison as multi_comparison
    from podium.plot.multitest_graph import multitest_graph as multitest_graph
    from podium.plot.multitest_graph import multitest_walk as multitest_walk
    from podium.plot.percentile_intervals import percentile_intervals as percentile_intervals
    from podium.plot.place_counts import place_counts as place_counts
    from podium.plot.places import places as places
    from podium.plot.podium import podium as podium
    from podium.plot.prototype_profiles import prototype_profiles as prototype_profiles
    from podium.plot.pvalues import pvalues as pvalues
    from podium.plot.replications import replications as replications
    from podium.plot.save import save as save
    from podium.plot.simplex import simplex as simplex
    from podium.plot.simultaneous_intervals import simultaneous_intervals as simultaneous_intervals
    from podium.plot.stability_curve import stability_curve as stability_curve
    from podium.plot.stacked import stacked as stacked
    from podium.plot.stages import stages as stages
    from podium.plot.strip import strip as strip
    from podium.plot.summary import summary as summary
    from podium.plot.summary_graph import summary_graph as summary_graph
    from podium.plot.time import time as time
    from podium.plot.trellis import trellis as trellis
    from podium.plot.two_passes import two_passes as two_passes
    from podium.plot.variance_shares import variance_shares as variance_shares
    from podium.plot.violin import violin as violin

__all__ = publish(__name__)
