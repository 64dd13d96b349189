"""`LocalAnalysis`: the comparisons, the relations and the order of the algorithms on one data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from podium.analysis.compare import compare, find_procedure, local_default
from podium.analysis.comparison import Comparison
from podium.analysis.consensus import Consensus, consensus
from podium.analysis.consensus.consensus import agreed
from podium.analysis.consensus.relation_classes import ConsensusKind
from podium.analysis.domain.criterion import Criterion
from podium.analysis.methods.rank_test import refuse_control_test
from podium.analysis.mixed.compare import MIXED
from podium.analysis.relation import Relation, preferences
from podium.checks import record
from podium.errors import PodiumError
from podium.results import Results
from podium.typesetting.html import described

_KNOWN_TO_THE_MODEL = frozenset((*MIXED.options, *MIXED.common))
LISTED = 100  # optima of a data set's consensus that are kept; what all of them agree on needs no list


@record(eq=False, kw_only=True)
class LocalAnalysis:
    """The analysis of one data set of a domain.

    Attributes
    ----------
    dataset : str
    comparisons : dict of str to Comparison
        By criterion; those that use a point estimate have none.
    relations : dict of str to Relation
        By criterion.
    consensus : Consensus or None
        Of these relations, with up to 100 optima; None if there is one criterion.
    relation : Relation
        The order of the algorithms on this data set: the relation of the one criterion, or what all optima of the
        consensus agree on.
    absent : tuple of str
        Algorithms without any value on this data set.
    """

    dataset: str
    comparisons: dict[str, Comparison]
    relations: dict[str, Relation]
    consensus: Consensus | None
    relation: Relation
    absent: tuple[str, ...]

    @property
    def places(self) -> dict[str, int]:
        """Place of each algorithm: 1 + the number of those that are better."""
        better = self.relation.better.sum(axis=0)
        return {name: 1 + int(count) for name, count in zip(self.relation.algorithms, better, strict=True)}

    @property
    def winners(self) -> tuple[str, ...]:
        """The algorithms that no other is better than."""
        return self.relation.best

    @property
    def levels(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """The levels of the Hasse diagram, best first, each with its algorithms.

        An algorithm is a tuple of one name; the algorithms of a cycle of preferences are one tuple.
        """
        return levels_of(self.relation)

    @property
    def transitive(self) -> bool:
        """Whether a is better than c wherever a is better than b and b better than c."""
        return bool(self.relation.as_strict().check("transitive", limit=1))

    @property
    def witness(self) -> tuple[str, ...]:
        """Three algorithms that show why the relation is not a weak order; empty if it is one.

        Where it is not transitive, the first is better than the second and the second than the third, but the first is
        not better than the third. Otherwise neither neighbour is better, but the first is better than the third. Of
        several such triples it is the first, with the algorithms best first and equal ones by name.
        """
        if self.relation.chain is not None:
            return ()
        strict = self.relation.restrict(best_names(self.relation)).as_strict()
        for law in ("transitive", "negatively transitive"):
            witnesses = strict.check(law, limit=1).witnesses
            if witnesses:
                return tuple(witnesses[0])
        return ()

    def __str__(self) -> str:
        parts = [f"{name}: {relation}" for name, relation in self.relations.items()]
        order = [f"order: {self.relation}"] if self.consensus is not None else []
        absent = [f"without a value: {', '.join(self.absent)}"] if self.absent else []
        return "\n".join([self.dataset, *(f"  {line}" for line in [*parts, *order, *absent])])

    def _repr_html_(self) -> str:
        facts = [(name, str(relation)) for name, relation in self.relations.items()]
        facts += [("order", str(self.relation))] if self.consensus is not None else []
        facts += [("without a value", ", ".join(self.absent))] if self.absent else []
        return described(self.dataset, facts)

    __repr__ = __str__


@dataclass(frozen=True, kw_only=True)
class UsedTest:
    """A test by which a criterion orders algorithms: one of its comparisons, and the data sets that it was used on."""

    criterion: Criterion
    comparison: Comparison
    datasets: tuple[str, ...]


def used_tests(local: Iterable[LocalAnalysis], criteria: Sequence[Criterion]) -> tuple[UsedTest, ...]:
    """Return the tests of each criterion; data sets of different designs may have different ones."""
    found: dict[tuple[object, ...], list[LocalAnalysis]] = {}
    analyses = list(local)
    for criterion in criteria:
        for one in analyses if criterion.tested else ():
            test = one.comparisons[criterion.name]
            by_ratio = any(note.code == "chosen" and note.facts["why"] == "ratio" for note in test.notes)
            found.setdefault((criterion.name, test.procedure, test.alpha, test.adjust, by_ratio), []).append(one)
    by_name = {one.name: one for one in criteria}
    return tuple(
        UsedTest(
            criterion=by_name[str(name)],
            comparison=group[0].comparisons[str(name)],
            datasets=tuple(one.dataset for one in group),
        )
        for (name, *_), group in found.items()
    )


def best_names(relation: Relation) -> tuple[str, ...]:
    """Order the algorithms by how many are better than each, then by name; so the order of columns does not matter."""
    better = dict(zip(relation.algorithms, relation.better.sum(axis=0).tolist(), strict=True))
    return tuple(sorted(relation.algorithms, key=lambda name: (better[name], name)))


def levels_of(relation: Relation) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the levels of a relation, best first; each cycle of preferences counts as one member of its level."""
    names = relation.algorithms
    count, part = connected_components(csr_matrix(relation.better.astype(np.int8)), directed=True, connection="strong")
    groups = [tuple(name for name, at in zip(names, part, strict=True) if at == i) for i in range(count)]
    member = np.eye(count, dtype=bool)[part]  # algorithms × groups
    between = (member.T.astype(int) @ relation.better @ member.astype(int)) > 0
    np.fill_diagonal(between, False)
    whole = Relation(between, tuple(str(i) for i in range(count)))
    return tuple(tuple(sorted(groups[int(i)] for i in level)) for level in whole.levels())


def analyse_locally(
    results: Results, criteria: Sequence[Criterion], kind: ConsensusKind, missing: str, usual: Mapping[str, object]
) -> LocalAnalysis:
    """Compare the algorithms on one data set by every criterion, and combine the relations into one order.

    `usual` are arguments of `compare` that hold unless a criterion has its own.
    """
    dataset = results.datasets[0]
    there = np.asarray(~np.isnan(results.values).all(axis=(0, 1, 3)))
    absent = tuple(name for name, any_value in zip(results.algorithms, there, strict=True) if not any_value)
    if absent and missing == "available":
        results = results.drop(algorithms=list(absent))
    comparisons: dict[str, Comparison] = {}
    relations: dict[str, Relation] = {}
    for criterion in criteria:
        one = results.select(measure=criterion.measure)
        try:
            if criterion.statistic is None:
                policy = _policy(one, missing)
                options = {**usual, **criterion.options}
                method = criterion.method
                refused = missing == "raise" and one.missing.any()  # by all tests; `compare` names all policies
                if method is not None:
                    refuse_control_test(find_procedure(method))
                elif not refused and policy != "worst-rank" and _KNOWN_TO_THE_MODEL.issuperset(options):
                    method = MIXED.name
                elif not refused and policy != "worst-rank":
                    method = local_default(one, options)
                found = compare(one, method=method, missing=policy, **options)
                comparisons[criterion.name], relation = found, found.relation(by=criterion.by)
            else:
                found_orders = preferences(
                    one, statistic=criterion.statistic, per="dataset", missing=missing, **criterion.options
                )
                # A resample may have no replication that all algorithms share, and so no order.
                k = len(one.algorithms)
                relation = found_orders.get(dataset, Relation.from_strict(np.zeros((k, k), bool), one.algorithms))
        except PodiumError as error:
            given = ", with its `options`" if criterion.options else ""
            error.args = (f"Data set {dataset!r}, criterion {criterion.name!r}{given}: {error}", *error.args[1:])
            raise
        relations[criterion.name] = relation
    weights = {one.name: one.weight for one in criteria}
    combined = None
    if len(criteria) > 1:
        combined = consensus(relations, kind, weights=weights, all_optima=True, limit=LISTED, missing="available")
    return LocalAnalysis(
        dataset=dataset,
        comparisons=comparisons,
        relations=relations,
        consensus=combined,
        relation=next(iter(relations.values())) if combined is None else agreed(relations, combined, weights=weights),
        absent=absent,
    )


def _policy(results: Results, missing: str) -> str:
    """Return the policy for a data set: without missing cells none is needed, and every method applies."""
    return "raise" if missing == "available" and not np.isnan(results.values).any() else missing
