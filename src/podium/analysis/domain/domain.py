"""`domain`: compare on every data set, make relations, combine them on each data set and over all of them."""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pandas as pd

from podium.analysis.blocks import Unit
from podium.analysis.comparison import Comparison
from podium.analysis.consensus import Clustering, Consensus, Distances
from podium.analysis.consensus import consensus as find_consensus
from podium.analysis.consensus.clustering import Linkage
from podium.analysis.consensus.consensus import agreed
from podium.analysis.consensus.profile import Profile, make_profile
from podium.analysis.consensus.relation_classes import ConsensusKind, find_class
from podium.analysis.domain.criterion import Criteria, Criterion, find_criteria
from podium.analysis.domain.disagreement import Disagreement, find_disagreements
from podium.analysis.domain.distances import (
    algorithm_distances,
    dataset_distances,
    exchange_distances,
    leaf_order,
    summed_distances,
)
from podium.analysis.domain.local_analysis import LocalAnalysis, analyse_locally, used_tests
from podium.analysis.domain.subdomains import (
    BootstrapSample,
    GroupStability,
    SubDomain,
    SubDomainStability,
    cut,
    describe_groups,
    draw_replications,
    find_again,
)
from podium.analysis.domain.tables import DomainTable, domain_table, effect_table, place_table
from podium.analysis.domain.text import MAX_ROWS, domain_html, domain_text, levels_text, without_model
from podium.analysis.mixed import MixedFit
from podium.analysis.mixed.contrasts import Distribution
from podium.analysis.mixed.design import make_design
from podium.analysis.mixed.fit import fit_with_covariance
from podium.analysis.mixed.fitted_model import Covariance
from podium.analysis.notes import DETAILS, Note, few_blocks_inside
from podium.analysis.pairs import equivalence_area
from podium.analysis.procedure import Procedure
from podium.analysis.relation import Relation
from podium.analysis.relation.estimates import OrderStatistic
from podium.analysis.transform import Transform
from podium.arrays import BoolArray, IntArray
from podium.checks import (
    check_alpha,
    check_call,
    check_choice,
    check_count,
    check_flag,
    check_mapping,
    did_you_mean,
    expect,
    is_number,
    random_generator,
    record,
    shown,
)
from podium.errors import InputError, LabelError, join_names
from podium.progress import Progress, ProgressMode, followed, progress_of_analysis
from podium.results import Results
from podium.results.labels import natural_key
from podium.results.missing import absent_algorithms, common_blocks, parse_policy
from podium.typesetting import Table

QUICK = 4.0  # seconds of work for which starting processes is not worthwhile


@record(eq=False, repr=False, kw_only=True)
class Domain:
    """The joint analysis of many data sets.

    Attributes
    ----------
    results : Results
        What was analysed.
    criteria : tuple of Criterion
        How the algorithms were compared on each data set.
    local : dict of str to LocalAnalysis
        The analysis of each data set: its comparisons, its relations, its order.
    consensus : Consensus
        The order of the algorithms over all data sets, with all optima.
    model : MixedFit or None
        The mixed-effects model of the first criterion's measure; None if it could not be fitted.
    comparison : Comparison or None
        All pairs of algorithms by that model.
    model_problem : InputError or None
        Why there is no model; None if there is one.
    dataset_weights : dict of str to float
        How much each data set counts in the consensus.
    left_out : tuple of str
        Data sets on which fewer than two algorithms have a value, or, where a statistic orders them, share no
        replication.
    alpha : float
    missing : str
        Policy for missing cells.
    covariance : {"scalar", "unstructured"} or None
        Of the models, as it was asked for; None where the data decide (see ``model.covariance``).
    distribution : str
        Of the models.

    Examples
    --------
    >>> import podium
    >>> domain = podium.domain(podium.examples.load_ulas2008("accuracy"))
    >>> domain.relations["iris"].best[:3]
    ('5nn', 'c45', 'mdt')
    """

    _ways_out: ClassVar = {
        Results: "Use domain.results.",
        Relation: "Use domain.relation, or domain.relations[dataset].",
        Comparison: "Use domain.comparison, or domain.local[dataset].comparisons.",
        Consensus: "Use domain.consensus.",
        MixedFit: "Use domain.model.",
    }
    _made_from: ClassVar = (
        (Results, "Use podium.domain(results)."),
        (object, "Create one with podium.domain(results)."),
    )

    results: Results
    criteria: tuple[Criterion, ...]
    local: dict[str, LocalAnalysis]
    consensus: Consensus
    model: MixedFit | None
    comparison: Comparison | None
    model_problem: InputError | None
    dataset_weights: dict[str, float]
    left_out: tuple[str, ...]
    alpha: float
    missing: str
    covariance: Covariance | None = None
    distribution: Distribution = "t"

    # Labels and relations

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets, in the order of the results."""
        return tuple(self.local)

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, by name."""
        return self._profile.algorithms

    @cached_property
    def relations(self) -> dict[str, Relation]:
        """The order of the algorithms on each data set."""
        return {name: one.relation for name, one in self.local.items()}

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know about the tests on the data sets, and about the model.

        Those of the tests are named once; cells that are missing are named by the model.
        """
        tests = {name: [test.notes for test in one.comparisons.values()] for name, one in self.local.items()}
        inside = [note for given in tests.values() for notes in given for note in notes]
        inside = [note for note in inside if note.code not in ("few blocks", "missing")]
        model = () if self.comparison is None else self.comparison.notes
        found = (*few_blocks_inside(tests), *inside, *model)
        return tuple(dict.fromkeys(note for note in found if note.code not in DETAILS or note in model))

    @property
    def is_ordered(self) -> bool:
        """Whether one algorithm is better than another on at least one data set."""
        return any(relation.better.any() for relation in self.relations.values())

    @cached_property
    def relation(self) -> Relation:
        """What all optima of the consensus agree on."""
        return agreed(self.relations, self.consensus, weights=self.dataset_weights)

    @property
    def model_relation(self) -> Relation | None:
        """The relation that the comparison by the model induces; None without a model."""
        if self.comparison is None:
            return None
        # A point estimate needs no area of equivalence, so `by` may ask for what the model cannot decide.
        return self.comparison.relation(
            by="significance" if self.comparison.equivalence is None else self.criteria[0].by
        )

    @cached_property
    def _profile(self) -> Profile:
        return make_profile(self.relations, missing="available")

    # Places

    @cached_property
    def places(self) -> pd.DataFrame:
        """Place of each algorithm (row) on each data set (column): 1 + the number of better ones; NaN where absent."""
        table = pd.DataFrame({name: one.places for name, one in self.local.items()}, dtype=float)
        return table.reindex(list(self.algorithms))

    def place_frame(self, *, alone: bool = False) -> pd.DataFrame:
        """Count how often each algorithm takes each place, best first.

        Parameters
        ----------
        alone : bool, default False
            Count only the places that no other algorithm shares.

        Returns
        -------
        DataFrame
            One row per algorithm. Columns 1, 2, …: how often it takes this place; ``first alone``: how often no other
            is first; ``last``: on how many data sets it is better than no other; ``worst``: its worst place. For a
            paper there is ``table("places")``.
        """
        check_flag(alone, "alone")
        k = len(self.algorithms)
        places = self.places
        shared = pd.DataFrame({place: (places == place).sum(axis=1) for place in range(1, k + 1)})
        single = {place: (places == place).loc[:, (places == place).sum() == 1] for place in range(1, k + 1)}
        table = pd.DataFrame({n: one.sum(axis=1).astype(int) for n, one in single.items()}) if alone else shared.copy()
        last = [name for one in self.local.values() for name in one.relation.worst]
        table["first alone"] = single[1].sum(axis=1).astype(int)
        table["last"] = [last.count(name) for name in table.index]
        table["worst"] = places.max(axis=1).astype(int)
        order = shared.sort_values([*range(1, k + 1)], ascending=False, kind="stable").index
        return table.loc[order].rename_axis("algorithm")

    # Structure

    @cached_property
    def distances(self) -> Distances:
        """Distances between the relations of the data sets: ordered pairs that are in only one of the two."""
        return dataset_distances(self._profile)

    @cached_property
    def algorithm_distances(self) -> Distances:
        """Distances between algorithms: preferences that change if the two exchange their names."""
        return algorithm_distances(self._profile)

    @cached_property
    def clustering(self) -> Clustering:
        """The data sets clustered by these distances, with complete linkage (Eugster 2011, section 4.2)."""
        return self._clusters("complete")

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The data sets in the order of the dendrogram's leaves, neighbours as near as possible."""
        return leaf_order(self.distances, self.clustering)

    @cached_property
    def algorithm_clustering(self) -> Clustering:
        """The algorithms clustered by their distances, with complete linkage."""
        return self.algorithm_distances.cluster("complete")

    def subdomains(
        self, count: int | None = None, *, height: float | None = None, linkage: Linkage = "complete"
    ) -> tuple[SubDomain, ...]:
        """Cut the domain into groups of data sets with similar relations.

        Parameters
        ----------
        count : int, optional
            How many; 2 by default.
        height : float, optional
            Cut at this distance instead.
        linkage : {"complete", "average", "single"}

        Returns
        -------
        tuple of SubDomain
        """
        groups = cut(self._clusters(linkage), count, height, "data sets")
        return describe_groups(
            groups, self.relations, self.consensus.kind, self.dataset_weights, self.distances.frame()
        )

    def algorithm_groups(
        self, count: int | None = None, *, height: float | None = None, linkage: Linkage = "complete"
    ) -> tuple[tuple[str, ...], ...]:
        """Cut the algorithms into groups that are similar on the data sets; see `algorithm_distances`."""
        return cut(self.algorithm_distances.cluster(linkage), count, height, "algorithms")

    def subdomain_stability(
        self,
        count: int | None = None,
        *,
        height: float | None = None,
        linkage: Linkage = "complete",
        unit: Unit = "dataset",
        resamples: int | None = None,
        seed: int = 0,
    ) -> SubDomainStability:
        """Cluster bootstrap samples, and report how well the sub-domains and their winners are recovered.

        Parameters
        ----------
        count, height, linkage
            As for `subdomains`.
        unit : {"dataset", "replication"}
            Draw data sets, or replications within each data set, whole repeats of a repeated cross-validation; the
            latter repeats all local comparisons.
        resamples : int, optional
            2,000 by default; 100 with ``unit="replication"``, because each takes as long as the whole analysis.
        seed : int, default 0
        """
        groups = cut(self._clusters(linkage), count, height, "data sets")
        names, algorithms = self.datasets, self.algorithms
        matrix, first = self.distances.matrix, _first_places(self._profile)
        resamples = _resamples(unit, resamples)

        def draw() -> Iterator[BootstrapSample]:
            for drawn, profile in self._samples(unit, resamples, seed):
                at, copies = np.unique(drawn, return_counts=True)
                apart = matrix[np.ix_(at, at)] if profile is None else dataset_distances(profile).matrix
                won = first[at] if profile is None else _first_places(profile)
                yield BootstrapSample(drawn=at, copies=copies.astype(float), distances=apart, first=won)

        found = find_again(groups, names, draw(), linkage, len(algorithms))
        index = pd.RangeIndex(1, len(groups) + 1, name="subdomain")
        return SubDomainStability(
            subdomains=groups,
            jaccard=found.jaccard,
            together=pd.DataFrame(found.together, index=list(names), columns=list(names)),
            winners=pd.DataFrame(found.winners, index=index, columns=list(algorithms)),
            unit=unit,
            resamples=resamples,
            seed=seed,
        )

    def algorithm_stability(
        self,
        count: int | None = None,
        *,
        height: float | None = None,
        linkage: Linkage = "complete",
        unit: Unit = "dataset",
        resamples: int | None = None,
        seed: int = 0,
    ) -> GroupStability:
        """Cluster the algorithms of bootstrap samples, and report how well their groups are recovered.

        Parameters
        ----------
        count, height, linkage
            As for `algorithm_groups`.
        unit : {"dataset", "replication"}
            What is drawn, as for `subdomain_stability`.
        resamples : int, optional
            2,000 by default; 100 with ``unit="replication"``.
        seed : int, default 0
        """
        groups = cut(self.algorithm_distances.cluster(linkage), count, height, "algorithms")
        names = self.algorithms
        each, judged = exchange_distances(self._profile), self._profile.judged
        resamples = _resamples(unit, resamples)
        everyone, once = np.arange(len(names)), np.ones(len(names))

        def draw() -> Iterator[BootstrapSample]:
            for drawn, profile in self._samples(unit, resamples, seed):
                if profile is None:
                    copies = np.bincount(drawn, minlength=len(each)).astype(float)
                    apart = summed_distances(each, judged, copies)
                else:
                    apart = algorithm_distances(profile).matrix
                yield BootstrapSample(drawn=everyone, copies=once, distances=apart)

        found = find_again(groups, names, draw(), linkage)
        return GroupStability(
            groups=groups,
            jaccard=found.jaccard,
            together=pd.DataFrame(found.together, index=list(names), columns=list(names)),
            unit=unit,
            resamples=resamples,
            seed=seed,
        )

    def _samples(self, unit: Unit, resamples: int, seed: int) -> Iterator[tuple[IntArray, Profile | None]]:
        """Draw data sets, by position; or replications of all of them, with the relations that follow."""
        rng, m = random_generator(seed), len(self.datasets)
        own = self.results.select(dataset=list(self.datasets))
        for _ in range(resamples):
            if unit == "dataset":
                yield rng.integers(0, m, m), None
            else:
                relations = self._repeated(draw_replications(own, rng))
                # A sample may miss an algorithm that has few values; the profile keeps a place for every one.
                found = make_profile(relations, missing="available")
                yield np.arange(m), replace(found, algorithms=self.algorithms)

    def _clusters(self, linkage: Linkage) -> Clustering:
        """Cluster the data sets in the order of their names, which decides between equally near ones."""
        check_choice(linkage, get_args(Linkage), "linkage")
        at = sorted(range(len(self.datasets)), key=lambda i: natural_key(self.datasets[i]))
        given = self.distances
        labels = tuple(given.labels[i] for i in at)
        return replace(given, labels=labels, matrix=given.matrix[np.ix_(at, at)]).cluster(linkage)

    def _repeated(self, results: Results) -> dict[str, Relation]:
        """The relations of other values of the same data sets."""
        parts = _by_dataset(results)
        usual = {"alpha": self.alpha}
        found = (analyse_locally(part, self.criteria, self.consensus.kind, self.missing, usual) for part in parts)
        return {one.dataset: one.relation for one in found}

    # Models

    @cached_property
    def models(self) -> dict[str, MixedFit]:
        """The mixed-effects model of each measure, by name; without those that cannot be fitted."""
        return {name: fit for name, (fit, _) in self._fits.items()}

    @cached_property
    def model_relations(self) -> dict[str, Relation]:
        """The relation that the model of each measure induces, by name."""
        return {
            name: found.relation(by="significance" if found.equivalence is None else self._criterion_of(name).by)
            for name, (_, found) in self._fits.items()
        }

    @cached_property
    def model_consensus(self) -> Consensus | None:
        """The order nearest to the relations of the models of all measures; None without any model.

        Eugster (2011), section 4.3: one model per measure, one relation per model, one order of these relations. A
        measure counts as much as its criteria do together.
        """
        if not any(self._measure_weights.values()):
            return None
        return find_consensus(
            self.model_relations,
            self.consensus.kind,
            weights=self._measure_weights,
            all_optima=True,
            missing="available",
        )

    @cached_property
    def model_order(self) -> Relation | None:
        """What all optima of that consensus agree on; None without any model."""
        if self.model_consensus is None:
            return None
        return agreed(self.model_relations, self.model_consensus, weights=self._measure_weights)

    @property
    def _measure_weights(self) -> dict[str, float]:
        return {name: sum(c.weight for c in self.criteria if c.measure == name) for name in self.model_relations}

    @property
    def has_effects(self) -> bool:
        """Whether there is a model with an effect of each data set; one value per data set and algorithm has none."""
        return self.model is not None and self.model.design.model == "domain"

    def effects(self) -> pd.DataFrame:
        """Tabulate the effects that the model predicts for these data sets: β_m, and β_mk for each algorithm.

        Returns
        -------
        DataFrame
            One row per data set. Column ``data set``: how much harder or easier it is than the mean of the domain; a
            column for each algorithm: by how much it deviates there from its own mean κ and the effect of the data set.
            The means are ``model.estimates``.
        """
        if self.model is None:
            raise InputError(without_model(self))
        if not self.has_effects:
            raise InputError("Effects of data sets need two replications or more; each data set has one.")
        own = self.model.blups("dataset").set_index("dataset")["estimate"].rename("data set")
        cells = self.model.blups("interaction").pivot_table(index="dataset", columns="algorithm", values="estimate")
        names = list(self.model.estimates.index)
        return pd.concat([own, cells[names]], axis=1).reindex(list(own.index)).rename_axis("dataset")

    @cached_property
    def _fits(self) -> dict[str, tuple[MixedFit, Comparison]]:
        found = {}
        for name in dict.fromkeys(one.measure for one in self.criteria):
            criterion = self._criterion_of(name)
            if criterion is self.criteria[0]:
                fit, comparison = self.model, self.comparison
            else:
                area = criterion.options.get("equivalence")
                how = (self.alpha, area, self.covariance, self.distribution, self.missing)
                fit, comparison, _ = _model(self.results, criterion, *how)
            if fit is not None and comparison is not None:
                found[name] = fit, comparison
        return found

    def _criterion_of(self, measure: str) -> Criterion:
        return next(one for one in self.criteria if one.measure == measure)

    # Consensus against model

    @cached_property
    def means(self) -> pd.DataFrame:
        """Mean of each algorithm (column) on each data set (row), of the first criterion's measure."""
        one = self.results.select(measure=self.criteria[0].measure).aggregate("mean", missing="available")
        table = pd.DataFrame(one.values[:, 0, :, 0], index=list(one.datasets), columns=list(one.algorithms))
        return table.loc[list(self.datasets), list(self.algorithms)]

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The pairs that the consensus and the model put in opposite order, with the reason; empty without a model."""
        if self.comparison is None:
            return ()
        table = self._log_means() if self.comparison.transform == "log" else self.means
        return find_disagreements(
            self.relation,
            self.comparison,
            self._profile,
            table * self.comparison.measure.sign,
            weights=self.dataset_weights,
            criteria=len(self.criteria),
        )

    def _log_means(self) -> pd.DataFrame:
        """Means of the logarithms, as the model on the log scale compares them."""
        chosen = self.results.select(
            measure=self.criteria[0].measure, dataset=list(self.datasets), algorithm=list(self.algorithms)
        )
        logs = chosen.replace(values=np.log(chosen.values)).aggregate("mean", missing="available")
        return pd.DataFrame(logs.values[:, 0, :, 0], index=list(chosen.datasets), columns=list(chosen.algorithms))

    # Tables and text

    def frame(self) -> pd.DataFrame:
        """One row per data set: the order of its algorithms, and what kind of order it is.

        Returns
        -------
        DataFrame
            ``order``: the chain, or the pairs of the transitive reduction where the relation is not a weak order;
            ``weak_order``, ``transitive``: whether it is one; ``witness``: algorithms that show why not; ``levels``:
            the levels of the Hasse diagram, best first, cycles in parentheses; ``winners``; ``absent``.
        """
        rows = {name: _row(one) for name, one in self.local.items()}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset")

    def test_frame(self) -> pd.DataFrame:
        """One row for each test on the data sets; without those criteria that use a point estimate.

        Returns
        -------
        DataFrame
            ``criterion``; ``test``: its name, as in a paper; ``method``: its name in `podium.compare`; ``chosen``:
            whether it was chosen for the design; ``alpha``; ``adjust``; ``datasets``: those on which it was used, as a
            tuple. Data sets of different designs may have different tests.
        """
        columns = ("criterion", "test", "method", "chosen", "alpha", "adjust", "datasets")
        rows = [
            (
                one.criterion.name,
                one.comparison.method,
                one.comparison.procedure,
                one.criterion.method is None,
                one.comparison.alpha,
                one.comparison.adjust,
                one.datasets,
            )
            for one in used_tests(self.local.values(), self.criteria)
        ]
        return pd.DataFrame(rows, columns=list(columns))

    def table(self, kind: DomainTable = "orders") -> Table:
        """Return a table for a paper.

        ``print(table)`` shows it; ``table.latex()``, ``table.markdown()`` and ``table.html()`` give it a form.

        Parameters
        ----------
        kind : {"orders", "places", "effects"}
            The orders on the data sets, with that of the domain below; how often each algorithm takes each place, in
            parentheses how often alone; or the effects of the model.
        """
        check_choice(kind, get_args(DomainTable), "kind")
        return {"orders": domain_table, "places": place_table, "effects": effect_table}[kind](self)

    def __str__(self) -> str:
        return domain_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return domain_html(self, domain_table(self, MAX_ROWS))


@check_call
def domain(
    results: Results,
    measure: str | Sequence[str] | None = None,
    *,
    method: str | Procedure | None = None,
    statistic: OrderStatistic | None = None,
    criteria: Criteria | None = None,
    weights: Mapping[str, float] | None = None,
    consensus: ConsensusKind = "linear",
    alpha: float = 0.05,
    equivalence: float | tuple[float, float] | None = None,
    by: Literal["significance", "relevance"] = "significance",
    covariance: Covariance | None = None,
    distribution: Distribution = "t",
    missing: str = "available",
    dataset_weights: Mapping[str, float] | None = None,
    workers: int | None = None,
    progress: ProgressMode | Progress = "auto",
    options: Mapping[str, Any] | None = None,
) -> Domain:
    """Analyse a domain: many data sets, step by step from the comparisons on each to one order.

    1. Compare the algorithms on every data set, by one or several criteria.
    2. Turn the comparisons into preference relations.
    3. Where there are several criteria, combine their relations into one order per data set.
    4. Combine the orders of all data sets into the order of the domain.

    In addition, a mixed-effects model is fitted to all data sets at once.

    Parameters
    ----------
    results : Results
    measure : str or sequence of str, optional
        The measure; several measures, or all of them by default, are several criteria.
    method : str or Procedure, optional
        How algorithms are compared on a data set, as for `podium.compare`. By default the mixed-effects model of
        Eugster (2011), section 2.3.2, whose outcome holds for further resamples of the same data set; where the
        `options` or the policy for missing cells are not those of this model, what `podium.compare` chooses.
    statistic : str or callable, optional
        A point estimate instead of a test: ``"mean"``, ``"median"``, ``"worst"``, … For tables with one value per
        algorithm and data set.
    criteria : sequence or mapping of Criterion, optional
        Instead of `measure`, `method` and `statistic`: any number of criteria, also several for one measure.
    weights : mapping of str to float, optional
        How much each criterion counts on a data set, by name; 1 for those not named.
    consensus : str, default "linear"
        The class of the orders, as for `podium.consensus`.
    alpha : float, default 0.05
        Level of the decisions on each data set, and of the model.
    equivalence : float or (float, float), optional
        Differences of the measure that do not matter; needs one measure.
    by : {"significance", "relevance"}
        How a comparison becomes a relation.
    covariance : {"scalar", "unstructured"}, optional
        Of the model, see `podium.mixed`; by default scalar, or unstructured where a likelihood ratio test rejects the
        scalar one and there are two data sets or more for each algorithm.
    distribution : {"t", "normal"}
        Of the model, see `MixedFit.contrasts`.
    missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value"}
        Policy for missing cells. ``"available"``: every comparison uses the values it has, and an algorithm without
        any value on a data set is not ordered there. With ``"drop-algorithm"`` an algorithm with a missing cell is left
        out everywhere. With ``"worst-rank"`` the model uses the values that exist.
    dataset_weights : mapping of str to float, optional
        How much each data set counts in the order of the domain, by name; 1 for those not named.
    workers : int, optional
        Number of processes for the data sets; by default all cores where the work is long enough.
    progress : {"auto", "bar", "log", "quiet"} or object
        What shows how many data sets are analysed. ``"auto"``: a bar in a terminal or a notebook, if it takes more than
        two seconds. Your own object has the methods `update` and `close`.
    options : mapping, optional
        Additional arguments of `podium.compare` for the comparison on each data set.

    Returns
    -------
    Domain

    Notes
    -----
    A relation on a data set holds for that data set at level `alpha`. The order of the domain describes these data
    sets; it is not a test. The model generalises to new data sets.

    References
    ----------
    M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms. Chapter 4. —
    M. J. A. Eugster, T. Hothorn, F. Leisch (2008). Exploratory and inferential analysis of benchmark experiments.
    Section 4. Technical report 30, LMU München. — K. Hornik, D. Meyer (2007). Deriving consensus rankings from
    benchmarking experiments. In: Advances in Data Analysis, 163–170.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008("accuracy")
    >>> domain = podium.domain(results, method="5x2cv F")
    >>> print(domain.relation)
    svr < mlp < svl < mdt < lnp < 5nn < sv2 < c45
    >>> domain.place_frame()[[1, 2, "first alone", "worst"]].head(2)
                1  2  first alone  worst
    algorithm
    svr        37  0            1      3
    mlp        33  2            0      7
    """
    check_alpha(alpha)
    find_class(consensus, "consensus")
    if covariance is not None:
        check_choice(covariance, get_args(Covariance), "covariance")
    check_choice(distribution, get_args(Distribution), "distribution")
    equivalence_area(equivalence)
    missing = parse_policy(missing)
    follower = progress_of_analysis(progress)
    if workers is not None:
        check_count(workers, "workers")
    given = dict(check_mapping({} if options is None else options, "`options`"))
    usual: dict[str, Any] = {"method": method, "statistic": statistic, "by": by, "options": given}
    chosen = find_criteria(expect(results, Results, "results"), measure, criteria, usual, weights)
    results = results.select(measure=list(dict.fromkeys(one.measure for one in chosen)))
    if equivalence is not None and len(results.measures) > 1:
        raise InputError(
            "`equivalence` is in the units of one measure; these criteria use several. Give it per criterion: "
            "Criterion(..., options={'equivalence': ...})."
        )
    if equivalence is not None:
        chosen = tuple(
            replace(one, options={"equivalence": equivalence, **one.options}) if one.tested else one for one in chosen
        )
    if missing == "drop-algorithm":
        results = results.resolve_missing("drop-algorithm")
    absent = [name for name, _ in absent_algorithms(results)] if missing == "available" else []
    parts = _by_dataset(results.drop(algorithms=absent) if 0 < len(absent) < len(results.algorithms) else results)
    enough = [part for part in parts if (~np.isnan(part.values)).any(axis=(0, 1, 3)).sum() >= 2]
    if missing == "available":  # estimates are compared on the replications that all algorithms have
        by_statistic = {one.measure for one in chosen if one.statistic is not None}
        enough = [one for one in enough if all(common_blocks(one.select(measure=name)).any() for name in by_statistic)]
    if not enough:
        raise InputError("No data set has values of two algorithms: there is nothing to compare.")
    _need_replications(enough, chosen)
    each = _dataset_weights(dataset_weights, tuple(part.datasets[0] for part in enough))
    analyses = _local_analyses(enough, chosen, consensus, missing, {"alpha": alpha}, workers)
    local = {one.dataset: one for one in followed(analyses, len(enough), "data sets", follower)}
    area = chosen[0].options.get("equivalence", equivalence)
    model, comparison, problem = _model(results, chosen[0], alpha, area, covariance, distribution, missing)
    return Domain(
        results=results,
        criteria=chosen,
        local=local,
        consensus=find_consensus(
            {name: one.relation for name, one in local.items()},
            consensus,
            weights=each,
            all_optima=True,
            missing="available",
        ),
        model=model,
        comparison=comparison,
        model_problem=problem,
        dataset_weights=each,
        left_out=tuple(name for name in results.datasets if name not in local),
        alpha=alpha,
        missing=missing,
        covariance=covariance,
        distribution=distribution,
    )


def _resamples(unit: Unit, resamples: int | None) -> int:
    """Check what is drawn; by default fewer samples where each repeats the whole analysis."""
    check_choice(unit, get_args(Unit), "unit")
    if resamples is None:
        return 2_000 if unit == "dataset" else 100
    check_count(resamples, "resamples")
    return resamples


def _first_places(profile: Profile) -> BoolArray:
    """Return which algorithms no other is better than, on each data set."""
    return profile.ranked & ~profile.matrices("strict").any(axis=1)


def _by_dataset(results: Results) -> list[Results]:
    return [results.select(dataset=name) for name in results.datasets]


def _need_replications(parts: Sequence[Results], criteria: Sequence[Criterion]) -> None:
    """Refuse tests where there is one value per algorithm and data set."""
    single = [part.datasets[0] for part in parts if int(part.design.sum()) == 1]
    if not single or not any(one.tested for one in criteria):
        return
    if len(single) < len(parts):
        raise InputError(
            f"A test on each data set needs at least two replications; {join_names(single)} "
            f"{'has' if len(single) == 1 else 'have'} one. Leave out such data sets, results.drop(datasets=[...]), or "
            "order the algorithms by their values, statistic='mean'."
        )
    if all(one.tested for one in criteria):
        raise InputError(
            "The algorithms cannot be compared by a test on each data set: there is one replication only. Order them "
            "by their values, statistic='mean', or compare them over all data sets: podium.compare(results)."
        )


def _local_analyses(
    parts: Sequence[Results],
    criteria: Sequence[Criterion],
    kind: ConsensusKind,
    missing: str,
    arguments: Mapping[str, object],
    workers: int | None,
) -> Iterator[LocalAnalysis]:
    """Analyse the data sets one after the other, or in several processes if the first takes long enough."""
    started = time.perf_counter()
    yield analyse_locally(parts[0], criteria, kind, missing, arguments)
    ahead = (time.perf_counter() - started) * (len(parts) - 1)
    workers = (os.cpu_count() or 1) if workers is None and ahead > QUICK else (workers or 1)
    if workers == 1 or len(parts) < 3 or "fork" not in multiprocessing.get_all_start_methods():
        for part in parts[1:]:
            yield analyse_locally(part, criteria, kind, missing, arguments)
        return
    # Forked processes inherit the data and functions of the user; only positions and outcomes are pickled.
    context = multiprocessing.get_context("fork")
    todo = (parts, criteria, kind, missing, arguments)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_GIVEN.extend, initargs=([todo],)) as pool:
            yield from pool.map(_analyse_part, range(1, len(parts)), chunksize=max(len(parts) // (8 * workers), 1))


_GIVEN: list[Any] = []  # in a forked process: what its data sets are analysed with


def _analyse_part(position: int) -> LocalAnalysis:
    parts, *arguments = _GIVEN[-1]
    return analyse_locally(parts[position], *arguments)


def _dataset_weights(weights: Mapping[str, float] | None, names: tuple[str, ...]) -> dict[str, float]:
    given: Mapping[str, Any] = {} if weights is None else check_mapping(weights, "`dataset_weights`")
    unknown = [name for name in given if name not in names]
    if unknown:
        raise LabelError(
            f"`dataset_weights` names {join_names(unknown)}; the data sets are "
            f"{join_names(names, most=12)}.{did_you_mean(unknown[0], names)}"
        )
    odd = {name: weight for name, weight in given.items() if not is_number(weight) or not 0 <= weight < float("inf")}
    if odd:
        raise InputError(f"`dataset_weights` must be finite numbers of at least 0; got {shown(odd)}.")
    found = {name: float(given.get(name, 1.0)) for name in names}
    if not any(found.values()):
        raise InputError("`dataset_weights` must not all be 0: at least one data set has to count.")
    return found


def _model(
    results: Results,
    criterion: Criterion,
    alpha: float,
    equivalence: float | tuple[float, float] | None,
    covariance: Covariance | None,
    distribution: Distribution,
    missing: str,
) -> tuple[MixedFit, Comparison, None] | tuple[None, None, InputError]:
    """Fit the model of a measure to all data sets; where that is not possible, return the reason."""
    policy = "available" if missing == "worst-rank" else missing
    transform: Transform | None = "identity" if equivalence is not None else None
    if len(results.datasets) == 1:
        reason = "There is one data set: a model of the domain would add nothing to its comparison."
        return None, None, InputError(reason)
    try:
        design = make_design(results, criterion.measure, "auto", policy, transform)
        fit, on_covariance = fit_with_covariance(design, covariance, "REML", "common")
        comparison = fit.contrasts(alpha=alpha, equivalence=equivalence, distribution=distribution)
    except InputError as error:
        if covariance == "unstructured":
            raise
        return None, None, error.with_traceback(None)
    return fit, comparison.replace(notes=(*comparison.notes, *on_covariance)), None


def _row(local: LocalAnalysis) -> dict[str, object]:
    return {
        "order": str(local.relation),
        "weak_order": local.relation.chain is not None,
        "transitive": local.transitive,
        "witness": ", ".join(local.witness),
        "levels": levels_text(local),
        "winners": ", ".join(local.winners),
        "absent": ", ".join(local.absent),
    }
