"""The numbers of each figure, as frozen data; `podium.plot` draws them with functions of the same names.

Each figure is a file of this folder; whatever such a file lists in ``__all__`` is a name of this module.
"""

from typing import TYPE_CHECKING

from podium.figures.namespace import publish

if TYPE_CHECKING:
    from podium.figures.archetype_percentiles import ArchetypePercentiles as ArchetypePercentiles
    from podium.figures.archetype_percentiles import archetype_percentiles as archetype_percentiles
    from podium.figures.archetype_plane import ArchetypePlane as ArchetypePlane
    from podium.figures.archetype_plane import archetype_plane as archetype_plane
    from podium.figures.archetype_profiles import ArchetypeCoefficients as ArchetypeCoefficients
    from podium.figures.archetype_profiles import ArchetypeProfiles as ArchetypeProfiles
    from podium.figures.archetype_profiles import archetype_coefficients as archetype_coefficients
    from podium.figures.archetype_profiles import archetype_profiles as archetype_profiles
    from podium.figures.archetype_residuals import ArchetypeResiduals as ArchetypeResiduals
    from podium.figures.archetype_residuals import archetype_residuals as archetype_residuals
    from podium.figures.archetype_scree import ArchetypeScree as ArchetypeScree
    from podium.figures.archetype_scree import archetype_scree as archetype_scree
    from podium.figures.archetype_simplex import ArchetypeSimplex as ArchetypeSimplex
    from podium.figures.archetype_simplex import archetype_simplex as archetype_simplex
    from podium.figures.box import Box as Box
    from podium.figures.box import box as box
    from podium.figures.confidence_sequence import SequenceBand as SequenceBand
    from podium.figures.confidence_sequence import confidence_sequence as confidence_sequence
    from podium.figures.cost_tradeoff import CostTradeoff as CostTradeoff
    from podium.figures.cost_tradeoff import cost_tradeoff as cost_tradeoff
    from podium.figures.credible_intervals import CredibleIntervals as CredibleIntervals
    from podium.figures.credible_intervals import credible_intervals as credible_intervals
    from podium.figures.critical_difference import CriticalDifference as CriticalDifference
    from podium.figures.critical_difference import critical_difference as critical_difference
    from podium.figures.dataset_effects import DatasetEffects as DatasetEffects
    from podium.figures.dataset_effects import dataset_effects as dataset_effects
    from podium.figures.density import Density as Density
    from podium.figures.density import density as density
    from podium.figures.distances import DistanceTable as DistanceTable
    from podium.figures.distances import distances as distances
    from podium.figures.fitted_boxes import FittedBoxes as FittedBoxes
    from podium.figures.fitted_boxes import fitted_boxes as fitted_boxes
    from podium.figures.hasse import Hasse as Hasse
    from podium.figures.hasse import hasse as hasse
    from podium.figures.histogram import Histogram as Histogram
    from podium.figures.histogram import histogram as histogram
    from podium.figures.incidence import Incidence as Incidence
    from podium.figures.incidence import incidence as incidence
    from podium.figures.intervals import Intervals as Intervals
    from podium.figures.intervals import intervals as intervals
    from podium.figures.letters import Letters as Letters
    from podium.figures.letters import letters as letters
    from podium.figures.monitor import Monitoring as Monitoring
    from podium.figures.monitor import monitor as monitor
    from podium.figures.multi_comparison import MultiComparison as MultiComparison
    from podium.figures.multi_comparison import multi_comparison as multi_comparison
    from podium.figures.multitest_graph import GraphStep as GraphStep
    from podium.figures.multitest_graph import MultiTestGraph as MultiTestGraph
    from podium.figures.multitest_graph import MultiTestWalk as MultiTestWalk
    from podium.figures.multitest_graph import multitest_graph as multitest_graph
    from podium.figures.multitest_graph import multitest_walk as multitest_walk
    from podium.figures.numbers import ComparisonNumbers as ComparisonNumbers
    from podium.figures.numbers import FigureNumbers as FigureNumbers
    from podium.figures.palette import colours as colours
    from podium.figures.palette import markers as markers
    from podium.figures.panels import panel as panel
    from podium.figures.percentile_intervals import percentile_intervals as percentile_intervals
    from podium.figures.places import Places as Places
    from podium.figures.places import places as places
    from podium.figures.podium import Podium as Podium
    from podium.figures.podium import podium as podium
    from podium.figures.preference_tree import PreferenceTree as PreferenceTree
    from podium.figures.preference_tree import preference_tree as preference_tree
    from podium.figures.prototype_profiles import PrototypeProfiles as PrototypeProfiles
    from podium.figures.prototype_profiles import prototype_profiles as prototype_profiles
    from podium.figures.pvalues import PValues as PValues
    from podium.figures.pvalues import pvalues as pvalues
    from podium.figures.replications import Replications as Replications
    from podium.figures.replications import replications as replications
    from podium.figures.simplex import Simplex as Simplex
    from podium.figures.simplex import simplex as simplex
    from podium.figures.simultaneous_intervals import SimultaneousIntervals as SimultaneousIntervals
    from podium.figures.simultaneous_intervals import simultaneous_intervals as simultaneous_intervals
    from podium.figures.stability_curve import StabilityCurve as StabilityCurve
    from podium.figures.stability_curve import stability_curve as stability_curve
    from podium.figures.stages import StagePanel as StagePanel
    from podium.figures.stages import Stages as Stages
    from podium.figures.stages import stages as stages
    from podium.figures.strip import Strip as Strip
    from podium.figures.strip import strip as strip
    from podium.figures.time import Time as Time
    from podium.figures.time import time as time
    from podium.figures.trellis import Trellis as Trellis
    from podium.figures.trellis import trellis as trellis
    from podium.figures.two_passes import TwoPasses as TwoPasses
    from podium.figures.two_passes import two_passes as two_passes
    from podium.figures.variance_shares import VarianceShares as VarianceShares
    from podium.figures.variance_shares import variance_shares as variance_shares
    from podium.figures.worths import Worths as Worths
    from podium.figures.worths import worths as worths

__all__ = publish(__name__)
