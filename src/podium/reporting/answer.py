"""`Answer`: what a reader wants to know first, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.analysis.blocks import Unit
from podium.analysis.comparison import Comparison
from podium.checks import check_call, check_types, expect
from podium.reporting.analyses import Analyses, attempt
from podium.results import Results

Criterion: TypeAlias = Literal["average", "worst case", "stability", "cost"]


@check_call
@dataclass(frozen=True)
class Choice:
    """What to take under one criterion.

    Attributes
    ----------
    criterion : {"average", "worst case", "stability", "cost"}
    measure : str
        By which measure.
    algorithms : tuple of str
        The best; several if they are tied.
    """

    criterion: Criterion
    measure: str
    algorithms: tuple[str, ...]

    def __post_init__(self) -> None:
        check_types(self)


@check_call
@dataclass(frozen=True, eq=False)
class Answer:
    """The order, how sure it is, who is out of the race, what to take, and what it holds for.

    Attributes
    ----------
    order : tuple of str
        The algorithms, best first.
    criterion : {"mean rank", "mean"}
        What orders them.
    leaders : tuple of str
        Those that have the best of it; several if they are tied.
    worse : dict of str to tuple of str
        For each algorithm that is out of the race, those that are shown to be better.
    tested : bool
        Whether pairs were tested.
    first_share : float or None
        Share of the resamples in which the first of the order is first.
    resamples : int
    choices : tuple of Choice
    unit : {"replication", "dataset"}
    n, datasets : int
        Number of blocks, and of the data sets behind them.
    dataset : str or None
        The data set, if there is one only.
    overlap : bool
        Whether replications of one data set were treated as independent, although they overlap.
    """

    order: tuple[str, ...]
    criterion: Literal["mean rank", "mean"]
    leaders: tuple[str, ...]
    worse: dict[str, tuple[str, ...]]
    tested: bool
    first_share: float | None
    resamples: int
    choices: tuple[Choice, ...]
    unit: Unit
    n: int
    datasets: int
    dataset: str | None
    overlap: bool

    def __post_init__(self) -> None:
        check_types(self)

    @property
    def leader(self) -> str:
        """The first of the order."""
        return self.order[0]

    @property
    def in_race(self) -> tuple[str, ...]:
        """The algorithms that no other is shown to be better than, in the order."""
        return tuple(name for name in self.order if name not in self.worse)


@check_call
def find_answer(analyses: Analyses) -> Answer:
    """Collect the facts of the answer.

    >>> import podium
    >>> podium.reporting.find_answer(podium.reporting.Analyses(podium.datasets.load_demsar2006())).in_race
    ('C4.5+m+cf', 'C4.5+m', 'C4.5+cf')
    """
    expect(analyses, Analyses, "analyses")
    main, found = analyses.main, analyses.comparison.value
    stable = analyses.stability.value
    order = _order(analyses)
    share = None
    if stable is not None and order[0] in stable.places.index:
        share = float(stable.places.iloc[:, 0].to_dict()[order[0]])
    single = main.datasets[0] if len(main.datasets) == 1 else None
    blocks = int(main.design.sum()) if single is not None else len(main.datasets)
    by: Literal["mean rank", "mean"] = "mean" if single is not None or analyses.summary.value is None else "mean rank"
    return Answer(
        order=order,
        criterion=by,
        leaders=_leaders(analyses, by),
        worse={} if found is None else better_ones(found),
        tested=found is not None,
        first_share=share,
        resamples=0 if stable is None else stable.resamples,
        choices=tuple(_choices(analyses)),
        unit=analyses.unit,
        n=blocks if found is None else found.n,
        datasets=len(main.datasets),
        dataset=single,
        overlap=found is not None and any(note.code == "overlap" for note in found.notes),
    )


def _order(analyses: Analyses) -> tuple[str, ...]:
    frame = analyses.summary.value
    if frame is None:
        return analyses.main.algorithms
    if len(analyses.main.datasets) == 1:
        return tuple(frame.index)
    # Equal mean ranks keep the order by mean.
    return tuple(frame.sort_values("mean rank", kind="stable").index)


def _leaders(analyses: Analyses, by: Literal["mean rank", "mean"]) -> tuple[str, ...]:
    frame = analyses.summary.value
    if frame is None:
        return ()
    column = frame["mean rank"] if by == "mean rank" else _centre(frame)
    losses = column.to_numpy(float) * (analyses.info.sign if by == "mean" else 1)
    return _best(tuple(frame.index), losses)


def _centre(frame: pd.DataFrame) -> pd.Series[float]:
    """The means of a summary; those of a measure on a log scale are geometric."""
    return frame["mean"] if "mean" in frame.columns else frame["geometric mean"]


def better_ones(comparison: Comparison) -> dict[str, tuple[str, ...]]:
    """For each algorithm that another is shown to be better than: those, best first."""
    better = attempt(comparison.relation).value
    if better is None:
        return {}
    order = comparison.order
    at = [better.algorithms.index(name) for name in order]
    wins = better.better[np.ix_(at, at)]
    return {
        order[j]: tuple(order[i] for i in np.flatnonzero(wins[:, j])) for j in range(len(order)) if wins[:, j].any()
    }


def _choices(analyses: Analyses) -> list[Choice]:
    frame, name = analyses.summary.value, analyses.info.name
    choices = []
    if frame is not None:
        means = _centre(frame).to_numpy(float)
        choices.append(Choice("average", name, _best(tuple(frame.index), analyses.info.sign * means)))
    worst = analyses.worst.value
    # With missing cells the worst case rests on the blocks that are complete, which may be few.
    if worst is not None and len(worst) and analyses.main.present.all():
        choices.append(Choice("worst case", name, _best(tuple(worst.index), worst["place"])))
    spread = _spread(analyses.main)
    if spread is not None:
        choices.append(Choice("stability", name, _best(analyses.main.algorithms, spread)))
    for cost in analyses.costs[:1]:
        one = analyses.results.select(measure=cost)
        means = np.array([_mean(one.values[:, :, k, 0]) for k in range(len(one.algorithms))])
        choices.append(Choice("cost", cost, _best(one.algorithms, means)))
    return choices


def _best(names: tuple[str, ...], losses: object) -> tuple[str, ...]:
    array = np.asarray(losses, float)
    if not np.isfinite(array).any():
        return ()
    least = np.nanmin(array)
    tied = np.isclose(array, least, rtol=1e-12, atol=0.0)  # means of equal numbers may differ in the last digit
    return tuple(name for name, one in zip(names, tied, strict=True) if one)


def _spread(main: Results) -> np.ndarray | None:
    """Mean over data sets of the standard deviation over replications; None where there is one replication each."""
    values = main.values[..., 0]
    enough = (~np.isnan(values)).sum(axis=1) >= 2
    if not enough.any(axis=0).all():
        return None
    with np.errstate(invalid="ignore"):
        counts = (~np.isnan(values)).sum(axis=1)
        centre = np.nansum(values, axis=1) / np.maximum(counts, 1)
        squares = np.nansum((values - centre[:, None]) ** 2, axis=1) / np.maximum(counts - 1, 1)
    common = enough.all(axis=1)
    rows = common if common.any() else enough.any(axis=1)
    spread = np.where(enough, np.sqrt(squares), np.nan)[rows]
    return np.asarray(np.nanmean(spread, axis=0))


def _mean(values: np.ndarray) -> float:
    there = values[~np.isnan(values)]
    return float(there.mean()) if there.size else float("nan")
