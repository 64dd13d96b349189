"""The numbers of each figure, as frozen data; `podium.plot` draws them with functions of the same names.

Each figure is a file of this folder; whatever such a file lists in ``__all__`` is a name of this module.
"""

# ruff: noqa: F403

from podium.figures.archetype_percentiles import *
from podium.figures.archetype_plane import *
from podium.figures.archetype_profiles import *
from podium.figures.archetype_residuals import *
from podium.figures.archetype_scree import *
from podium.figures.archetype_simplex import *
from podium.figures.box import *
from podium.figures.characteristics import *
from podium.figures.confidence_sequence import *
from podium.figures.cost_tradeoff import *
from podium.figures.credible_intervals import *
from podium.figures.critical_difference import *
from podium.figures.dataset_effects import *
from podium.figures.density import *
from podium.figures.distances import *
from podium.figures.fitted_boxes import *
from podium.figures.hasse import *
from podium.figures.histogram import *
from podium.figures.incidence import *
from podium.figures.instability import *
from podium.figures.intervals import *
from podium.figures.letters import *
from podium.figures.monitor import *
from podium.figures.multi_comparison import *
from podium.figures.multitest_graph import *
from podium.figures.namespace import publish
from podium.figures.numbers import *
from podium.figures.palette import *
from podium.figures.panels import *
from podium.figures.percentile_intervals import *
from podium.figures.places import *
from podium.figures.podium import *
from podium.figures.preference_tree import *
from podium.figures.prototype_profiles import *
from podium.figures.pvalues import *
from podium.figures.replications import *
from podium.figures.resampling_effect import *
from podium.figures.simplex import *
from podium.figures.simultaneous_intervals import *
from podium.figures.stability_curve import *
from podium.figures.stacked import *
from podium.figures.stages import *
from podium.figures.strip import *
from podium.figures.summary import *
from podium.figures.summary_graph import *
from podium.figures.time import *
from podium.figures.trellis import *
from podium.figures.two_passes import *
from podium.figures.variance_shares import *
from podium.figures.worths import *

__all__ = publish(__name__)
