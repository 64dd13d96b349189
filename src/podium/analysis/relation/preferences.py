"""`preferences`: the order of the algorithms on each data set, or by each measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from podium.analysis.blocks import one_dataset, one_measure
from podium.analysis.relation.estimates import OrderStatistic, cell_label, estimates_per
from podium.analysis.relation.relation import Relation
from podium.checks import check_call, check_choice, expect
from podium.errors import LabelError, join_names
from podium.results import Results


@check_call
def preferences(
    results: Results,
    measure: str | None = None,
    *,
    statistic: OrderStatistic = "mean",
    per: Literal["dataset", "measure", "both"] | None = None,
    epsilon: float | Mapping[str, float] = 0.0,
    quantile: float | None = None,
    missing: str = "raise",
) -> dict[str, Relation]:
    """Order the algorithms by a point estimate, on each data set or by each measure.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure; needed with several data sets if there are several measures.
    statistic : {"mean", "median", "worst", "best", "min", "max", "sd", "quantile"} or callable, default "mean"
        What summarises the replications of an algorithm on a data set; see `Results.aggregate`. ``"worst"`` and
        ``"best"`` follow the direction of the measure: ``"worst"`` is the minimax order. A lower ``"sd"`` is always
        better; for all others the direction of the measure decides.
    per : {"dataset", "measure", "both"}, optional
        One relation per data set or per measure; the other axis must have one label. ``"both"``: one for each measure
        on each data set, called ``"dataset: measure"``. By default the axis with several labels (data sets if neither
        has).
    epsilon : float or mapping, default 0
        Differences up to this do not count. A mapping gives one value per data set or measure; where it names none, the
        value is 0.
    quantile : float, optional
        The quantile, with ``statistic="quantile"``.
    missing : str, default "raise"
        Policy for missing cells, as in `Results.aggregate`. With ``"available"`` a relation is on the algorithms that
        have a value.

    Returns
    -------
    dict of str to Relation
        In the order of the data sets or measures; each a strict relation (`Relation.from_estimates`).

    Examples
    --------
    >>> import podium
    >>> relations = podium.relations.preferences(podium.examples.load_demsar2006())
    >>> str(relations["iris"])
    'C4.5 < C4.5+m ~ C4.5+m+cf < C4.5+cf'
    """
    expect(results, Results, "results")
    if measure is not None:
        results = one_measure(results, measure)
    if per is None:
        per = "measure" if len(results.datasets) == 1 and len(results.measures) > 1 else "dataset"
    check_choice(per, ("dataset", "measure", "both"), "per")
    if per == "dataset":
        both = " Or use per='both': each measure on each data set gives a relation."
        results = one_measure(results, None, both)
    elif per == "measure":
        results = one_dataset(results, "One relation per measure")
    found, algorithms = estimates_per(results, per, statistic, quantile, missing)
    measure_of = {cell_label(m, j): j for m in results.datasets for j in results.measure_names}
    if isinstance(epsilon, Mapping):
        axis = "measure" if per == "both" else per
        named = results.measure_names if per == "both" else tuple(found)
        unknown = [label for label in epsilon if label not in named]
        if unknown:
            raise LabelError(
                f"`epsilon` names {join_names(unknown)}, which is not a {axis} of the results: "
                f"{join_names(named, most=12)}."
            )
    return {
        label: Relation.from_estimates(
            values[there := ~np.isnan(values)],
            [name for name, known in zip(algorithms, there, strict=True) if known],
            direction=direction,
            epsilon=epsilon.get(measure_of[label] if per == "both" else label, 0.0)
            if isinstance(epsilon, Mapping)
            else epsilon,
        )
        for label, (values, direction) in found.items()
        if not np.isnan(values).all()
    }
