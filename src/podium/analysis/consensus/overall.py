"""`overall_consensus`: one order for all data sets and all measures."""

from __future__ import annotations

from collections.abc import Mapping

from podium.analysis.consensus.consensus import Consensus, consensus
from podium.analysis.consensus.relation_classes import ConsensusKind, Reading
from podium.analysis.relation import preferences
from podium.analysis.relation.estimates import OrderStatistic, cell_label
from podium.checks import check_call, did_you_mean, expect, is_number, shown
from podium.errors import InputError, LabelError, join_names
from podium.results import Results


@check_call
def overall_consensus(
    results: Results,
    kind: ConsensusKind = "linear",
    *,
    statistic: OrderStatistic = "mean",
    epsilon: float | Mapping[str, float] = 0.0,
    quantile: float | None = None,
    weights: Mapping[str, float] | None = None,
    missing: str = "raise",
    all_optima: bool = False,
    limit: int = 1000,
    reading: Reading | None = None,
    time_limit: float | None = None,
) -> Consensus:
    """Find the consensus over all data sets and measures: each measure on each data set is a voter.

    Parameters
    ----------
    results : Results
    kind : str, default "linear"
        The class of relations, as for `consensus`.
    statistic, quantile
        What summarises the replications, as for `preferences`.
    epsilon : float or mapping, default 0
        Differences up to this do not count; a mapping gives one value per measure.
    weights : mapping, optional
        Importance of data sets and of measures, by name; the weight of a voter is the product of both. Those not named
        have weight 1.
    missing : str, default "raise"
        Policy for missing cells. With ``"available"`` a voter ranks the algorithms that have a value, and counts for
        their pairs.
    all_optima, limit, reading, time_limit
        As for `consensus`.

    Examples
    --------
    >>> import podium
    >>> values = [[[0.9, 3.0], [0.8, 1.0]], [[0.7, 2.0], [0.6, 4.0]]]
    >>> labels = {"dataset": ["iris", "wine"], "algorithm": ["svm", "knn"], "measure": ["accuracy", "time"]}
    >>> podium.relations.overall_consensus(podium.read(values, labels=labels)).voters
    ('iris: accuracy', 'iris: time', 'wine: accuracy', 'wine: time')
    >>> print(podium.relations.overall_consensus(podium.read(values, labels=labels)).relation)
    svm < knn
    """
    expect(results, Results, "results")
    relations = preferences(
        results, statistic=statistic, per="both", epsilon=epsilon, quantile=quantile, missing=missing
    )
    return consensus(
        relations,
        kind,
        weights=_products(results, weights, tuple(relations)),
        all_optima=all_optima,
        limit=limit,
        reading=reading,
        time_limit=time_limit,
        missing="available" if missing == "available" else "raise",
    )


def _products(results: Results, weights: Mapping[str, float] | None, voters: tuple[str, ...]) -> list[float] | None:
    """Weigh each voter by its data set times its measure."""
    if weights is None:
        return None
    if not isinstance(weights, Mapping):
        raise InputError(
            f"`weights` must map data sets and measures to numbers, such as {{'accuracy': 2}}; got {shown(weights)}."
        )
    known = (*results.datasets, *results.measure_names)
    unknown = [name for name in weights if name not in known]
    if unknown:
        raise LabelError(
            f"`weights` names {join_names(unknown)}; the data sets are {join_names(results.datasets, most=8)}, the "
            f"measures {join_names(results.measure_names, most=8)}.{did_you_mean(unknown[0], known)}"
        )
    twice = [name for name in weights if name in results.datasets and name in results.measure_names]
    if twice:
        raise LabelError(
            f"`weights` names {join_names(twice)}, which is both a data set and a measure. Rename one of them."
        )
    odd = [name for name, weight in weights.items() if not is_number(weight) or not weight >= 0]
    if odd:
        raise InputError(f"`weights` must be numbers of at least 0; those of {join_names(odd)} are not.")
    of = {cell_label(m, j): (m, j) for m in results.datasets for j in results.measure_names}
    return [float(weights.get(of[voter][0], 1.0) * weights.get(of[voter][1], 1.0)) for voter in voters]
