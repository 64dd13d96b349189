"""The Plackett–Luce model: algorithms have worths, and a ranking picks the best, then the best of the rest, and so on.

R. L. Plackett (1975). The analysis of permutations. Applied Statistics 24, 193–202. — D. R. Hunter (2004). MM
algorithms for generalized Bradley–Terry models. Annals of Statistics 32, 384–406.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit, ndtri

from podium.analysis.blocks import PAIR_POLICIES, Unit, best_first, to_blocks
from podium.analysis.notes import Note, blocks_in_words
from podium.analysis.sandwich import covariance_between, larger_covariance
from podium.arrays import FloatArray, IntArray
from podium.checks import check_alpha, check_call, check_strength, position, record
from podium.errors import InputError, LabelError, join_names
from podium.results import MeasureInfo, Results
from podium.results.aggregation import Aggregation
from podium.results.ranks import rank_rows
from podium.typesetting import Table
from podium.typesetting.numbers import confidence

_STEPS = 200
_TOLERANCE = 1e-10
_LARGE = 5.0  # no step is larger
_SMALL = 1e-6  # steps that need not be halved: the change of the likelihood is a rounding error


@record(eq=False, repr=False, kw_only=True)
class PlackettLuce:
    """Worths of algorithms in the Plackett–Luce model.

    Attributes
    ----------
    algorithms : tuple of str
    worth : ndarray of float
        Probability of coming first among all; they sum to 1. Of two algorithms a comes before b with probability
        ``worth[a] / (worth[a] + worth[b])``.
    log_worth, se, lower, upper : ndarray of float
        Logarithm of the worth, less the mean of all; its standard error, from the variation between blocks; and the
        ends of its interval. Each interval holds for one algorithm at a time.
    covariance : ndarray of float, shape (K, K)
        Of the entries of `log_worth`.
    strength : float
        Of the prior.
    alpha : float
        Intervals have probability 1 - alpha.
    measure : MeasureInfo
    unit : {"replication", "dataset"}
    n : int
        Number of blocks, each of which ranks the algorithms.
    datasets : int
    notes : tuple of Note
    """

    algorithms: tuple[str, ...]
    worth: FloatArray
    log_worth: FloatArray
    se: FloatArray
    lower: FloatArray
    upper: FloatArray
    covariance: FloatArray
    strength: float
    alpha: float
    measure: MeasureInfo
    unit: Unit
    n: int
    datasets: int
    notes: tuple[Note, ...] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """The algorithms, the one with the largest worth first; equal ones by name."""
        return tuple(self.algorithms[i] for i in best_first(-self.log_worth, self.algorithms))

    def frame(self) -> pd.DataFrame:
        """One row per algorithm, best first: worth, log_worth, se, lower, upper."""
        columns = {name: getattr(self, name) for name in ("worth", "log_worth", "se", "lower", "upper")}
        frame = pd.DataFrame(columns, index=pd.Index(self.algorithms, name="algorithm"))
        return frame.loc[list(self.order)]

    def probability(self, a: str, b: str) -> float:
        """Return the probability that a comes before b."""
        i, j = position(self.algorithms, a, "a"), position(self.algorithms, b, "b")
        if i == j:
            raise LabelError(f"`a` and `b` must be two algorithms; got {a!r} twice.")
        return float(self.worth[i] / (self.worth[i] + self.worth[j]))

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        shown_ = [
            f"{name} {row['worth']:.3f} ({row['log_worth']:.2f}, [{row['lower']:.2f}, {row['upper']:.2f}])"
            for name, row in self.frame().iterrows()
        ]
        sentences = [
            f"{len(self.algorithms)} algorithms were ranked by {self.measure.name} ({self.measure.direction} is "
            f"better) on {blocks_in_words(self.unit, self.n, self.datasets)} in the Plackett–Luce model. The "
            "probability of coming first (logarithm of the worth less the mean, interval of level "
            f"{confidence(self.alpha)} for each separately): "
            f"{'; '.join(shown_)}."
        ]
        return " ".join([*sentences, *map(str, self.notes)])

    def _repr_html_(self) -> str:
        return Table.from_frame(self.frame(), self._heading, notes=[str(note) for note in self.notes]).html()

    @property
    def _heading(self) -> str:
        return f"Plackett–Luce: {self.measure.name}, {blocks_in_words(self.unit, self.n, self.datasets)}"

    def __repr__(self) -> str:
        return f"{self._heading}\n{self.frame().to_string(float_format=lambda x: f'{x:.4g}')}"


@check_call
def plackett_luce(
    results: Results,
    measure: str | None = None,
    *,
    strength: float = 0.5,
    alpha: float = 0.05,
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
) -> PlackettLuce:
    """Rank algorithms by the Plackett–Luce model of the rankings that blocks give.

    A block ranks its algorithms by picking the best, then the best of the rest, and so on, each with a probability in
    proportion to its worth. Only the order in a block counts, so blocks may be on different scales, and with
    ``missing="available"`` each ranks the algorithms it has.

    Parameters
    ----------
    results : Results
    measure : str, optional
    strength : float, default 0.5
        How often each algorithm is assumed to have won, and to have lost, against an imagined algorithm of worth 1
        (Turner, van Etten, Firth and Kosmidis 2020). This keeps the worth of one that always comes first finite. 0 is
        maximum likelihood.
    alpha : float, default 0.05
        Intervals have probability 1 - alpha.
    unit, aggregate, missing
        As for `compare`.

    Returns
    -------
    PlackettLuce

    Notes
    -----
    Algorithms that tie share their places as in Efron's approximation of the likelihood of Cox's model, which has the
    same form. The estimates are found by Newton's method.

    The model says that an algorithm is picked whatever the others are. Related algorithms, which are good and bad on
    the same data sets, do not follow it. Standard errors are therefore from the variation between blocks, and nowhere
    smaller than those of the model (Liang & Zeger 1986).

    References
    ----------
    D. R. Hunter (2004). MM algorithms for generalized Bradley–Terry models. Annals of Statistics 32, 384–406. —
    H. L. Turner, J. van Etten, D. Firth, I. Kosmidis (2020). Modelling rankings in R: the PlackettLuce package.
    Computational Statistics 35, 1027–1057. — B. Efron (1977). The efficiency of Cox's likelihood function for censored
    data. Journal of the American Statistical Association 72, 557–565. — K.-Y. Liang, S. L. Zeger (1986). Longitudinal
    data analysis using generalized linear models. Biometrika 73, 13–22.

    Examples
    --------
    >>> import podium
    >>> podium.inference.plackett_luce(podium.examples.load_demsar2006()).order
    ('C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5')
    """
    check_alpha(alpha)
    check_strength(strength, zero=True)
    blocks = to_blocks(results, measure, unit=unit, aggregate=aggregate, missing=missing, allowed=PAIR_POLICIES)
    stages = ranking_stages(blocks.costs)
    if strength == 0:
        _refuse_separation(blocks.costs, blocks.algorithms)
    worth = fit_worths(stages, strength)
    covariance = _covariance(stages, worth, strength)
    log_worth = np.log(worth) - np.log(worth).mean()
    se = np.sqrt(np.diag(covariance))
    half = float(-ndtri(alpha / 2)) * se
    return PlackettLuce(
        algorithms=blocks.algorithms,
        worth=worth / worth.sum(),
        log_worth=log_worth,
        se=se,
        lower=log_worth - half,
        upper=log_worth + half,
        covariance=covariance,
        strength=float(strength),
        alpha=alpha,
        measure=blocks.measure,
        unit=blocks.unit,
        n=blocks.n,
        datasets=blocks.datasets,
        notes=blocks.notes,
    )


@dataclass(frozen=True, slots=True)
class RankingStages:
    """Rankings as stages of blocks.

    `picks[b, i]` tells whether block b picked algorithm i, `left[s, i]` is the share of i among those left at stage s,
    and `block[s]` the block of the stage.
    """

    picks: FloatArray
    left: FloatArray
    block: IntArray

    @property
    def picked(self) -> FloatArray:
        """How often each algorithm was picked."""
        return np.asarray(self.picks.sum(axis=0))


def ranking_stages(costs: FloatArray) -> RankingStages:
    """Take rankings apart; of t tied algorithms, a share of 1 - j/t is left after j of them are picked (Efron 1977).

    The last place of a block, where nothing is left to choose from, counts for nothing.
    """
    k = costs.shape[1]
    ranks = np.where(np.isnan(costs), 0, rank_rows(costs, "min"))[:, None, :]
    places = np.arange(1, k + 1)[:, None]
    tied, later = ranks == places, ranks > places  # blocks × places × algorithms
    t = tied.sum(axis=2)
    picking = (t > 1) | ((t == 1) & later.any(axis=2))
    picks = (tied & picking[..., None]).sum(axis=1).astype(float)
    block = np.nonzero(picking)[0]
    tied, later, t = tied[picking], later[picking], t[picking]
    stage = np.repeat(np.arange(len(t)), t)
    j = np.arange(len(stage)) - np.repeat(np.cumsum(t) - t, t)
    left = later[stage] + (1 - j / t[stage])[:, None] * tied[stage]
    return RankingStages(picks, left, block[stage])


def fit_worths(stages: RankingStages, strength: float) -> FloatArray:
    """Find the worths of largest (penalised) likelihood by Newton's method in their logarithms.

    The likelihood is concave in them, so a step that is halved often enough raises it. Without a penalty (s = 0) the
    product of the worths is 1.
    """
    logs = np.zeros(stages.left.shape[1])
    height = _log_likelihood(stages, logs, strength)
    for _ in range(_STEPS):
        slope = stages.picked - _shares(stages, logs)[0].sum(axis=0) - strength * np.tanh(logs / 2)
        step = np.linalg.lstsq(_curvature(stages, logs, strength), slope, rcond=1e-14)[0]  # it may be almost flat
        step *= min(1.0, _LARGE / max(float(np.abs(step).max()), _LARGE))
        reached = _log_likelihood(stages, logs + step, strength)
        while reached < height and np.abs(step).max() > _SMALL:
            step /= 2
            reached = _log_likelihood(stages, logs + step, strength)
        logs, height = logs + step, reached
        if np.abs(step).max() < _TOLERANCE:
            break
    return np.exp(np.clip(logs, -700.0, 700.0))


def _shares(stages: RankingStages, logs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each algorithm's share of the worths that are left at each stage, and the logarithms of their sums."""
    largest = np.where(stages.left > 0, logs, -np.inf).max(axis=1, keepdims=True)  # no exponential is too large
    parts = stages.left * np.exp(np.minimum(logs - largest, 0.0))
    sums = parts.sum(axis=1, keepdims=True)
    return parts / sums, (largest + np.log(sums))[:, 0]


def _log_likelihood(stages: RankingStages, logs: FloatArray, strength: float) -> float:
    """Log likelihood, with the penalty: a win and a loss, counted s times, against an algorithm whose worth is 1."""
    penalty = (logs - 2 * np.logaddexp(0, logs)).sum()
    return float(stages.picked @ logs - _shares(stages, logs)[1].sum() + strength * penalty)


def _curvature(stages: RankingStages, logs: FloatArray, strength: float) -> FloatArray:
    """Return minus the second derivatives of the log likelihood by the log worths."""
    share = _shares(stages, logs)[0]
    curvature: FloatArray = np.diag(share.sum(axis=0) + 2 * strength * expit(logs) * expit(-logs)) - share.T @ share
    return curvature + 1 / len(logs) if strength == 0 else curvature  # without a penalty, flat along the mean of all


def _covariance(stages: RankingStages, worth: FloatArray, strength: float) -> FloatArray:
    """Covariance of the log worths less their mean: from the variation between blocks, not smaller than the model's."""
    logs, k = np.log(worth), len(worth)
    centre = np.eye(k) - 1 / k
    inverse = centre @ np.linalg.inv(_curvature(stages, logs, strength))
    scores = stages.picks.copy()
    np.subtract.at(scores, stages.block, _shares(stages, logs)[0])
    between, model = covariance_between(inverse, scores), inverse @ centre
    last = np.vstack([np.eye(k - 1), -np.ones(k - 1)])  # it is minus the sum of the others
    return np.asarray(last @ larger_covariance(between[:-1, :-1], model[:-1, :-1]) @ last.T)


def _refuse_separation(costs: FloatArray, algorithms: tuple[str, ...]) -> None:
    """Refuse rankings whose likelihood has no maximum: some algorithms never come behind the others (Hunter 2004)."""
    reach = np.array((costs[:, :, None] <= costs[:, None, :]).any(axis=0), bool)
    for through in range(len(reach)):
        reach |= reach[:, through, None] & reach[None, through]
    never = [name for name, above in zip(algorithms, reach.T, strict=True) if not above.all()]
    if never:
        raise InputError(
            f"`strength=0`: the likelihood has no maximum here; {join_names(never, most=8)} never come behind some of "
            "the others. Use a positive strength, such as 0.5."
        )
