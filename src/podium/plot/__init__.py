"""Drawings of benchmark experiments, in matplotlib: axes in, axes out.

Every function takes what it draws: `Results`, what was computed from them, or the numbers of the figure that
`podium.figures` computes. It draws on the axes given as `ax`, or on new ones, and returns the axes: one `Axes`, or an
array of them from the plots with several panels, such as `trellis` and `fitted_boxes`. Nothing is shown, and no setting
of matplotlib is changed permanently.

Each plot is a file of this folder with a function decorated by `draws`; whatever such a file lists in ``__all__`` is a
name of this module.
"""

# ruff: noqa: F403

from podium.figures.namespace import publish
from podium.plot.archetype_percentiles import *
from podium.plot.archetype_plane import *
from podium.plot.archetype_profiles import *
from podium.plot.archetype_residuals import *
from podium.plot.archetype_scree import *
from podium.plot.archetype_simplex import *
from podium.plot.box import *
from podium.plot.characteristics import *
from podium.plot.colours import *
from podium.plot.confidence_sequence import *
from podium.plot.cost_tradeoff import *
from podium.plot.credible_intervals import *
from podium.plot.critical_difference import *
from podium.plot.dataset_effects import *
from podium.plot.dendrogram import *
from podium.plot.density import *
from podium.plot.distances import *
from podium.plot.drawing import *
from podium.plot.fitted_boxes import *
from podium.plot.hasse import *
from podium.plot.histogram import *
from podium.plot.incidence import *
from podium.plot.instability import *
from podium.plot.intervals import *
from podium.plot.monitor import *
from podium.plot.multi_comparison import *
from podium.plot.multitest_graph import *
from podium.plot.percentile_intervals import *
from podium.plot.places import *
from podium.plot.podium import *
from podium.plot.preference_tree import *
from podium.plot.prototype_profiles import *
from podium.plot.pvalues import *
from podium.plot.replications import *
from podium.plot.resampling_effect import *
from podium.plot.save import *
from podium.plot.simplex import *
from podium.plot.simultaneous_intervals import *
from podium.plot.stability_curve import *
from podium.plot.stacked import *
from podium.plot.stages import *
from podium.plot.strip import *
from podium.plot.summary import *
from podium.plot.summary_graph import *
from podium.plot.time import *
from podium.plot.trellis import *
from podium.plot.two_passes import *
from podium.plot.variance_shares import *
from podium.plot.worths import *

__all__ = publish(__name__)
