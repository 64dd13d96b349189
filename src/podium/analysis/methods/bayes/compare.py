"""`compare_bayes`: posterior probabilities of better, equivalent, worse for pairs of algorithms."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.blocks import VALUE_POLICIES, Blocks, Unit, to_blocks
from podium.analysis.methods.bayes.comparison import BayesComparison
from podium.analysis.methods.bayes.hierarchical import Chains, diagnose, posterior_of_next, sample_hierarchical
from podium.analysis.methods.bayes.kernels import Area, correlated_t, sign, signed_rank
from podium.analysis.methods.equivalence import mean_in_area_chances
from podium.analysis.methods.pairwise.corrected_t import SampleRatio, sample_ratio
from podium.analysis.methods.pairwise_test import Structure
from podium.analysis.notes import Note
from podium.analysis.pairs import both_ways, equivalence_area
from podium.arrays import FloatArray, IntArray
from podium.checks import (
    MAX_DRAWS,
    check_alpha,
    check_call,
    check_choice,
    check_count,
    check_keys,
    check_ratio,
    check_seed,
    check_strength,
)
from podium.errors import InputError
from podium.results import Results
from podium.results.aggregation import Aggregation

BayesMethod: TypeAlias = Literal["correlated t", "sign", "signed rank", "hierarchical"]

_TITLES = {
    "correlated t": "Bayesian correlated t test",
    "sign": "Bayesian sign test",
    "signed rank": "Bayesian signed rank test",
    "hierarchical": "Bayesian hierarchical model",
}
_OPTIONS = {
    "correlated t": ("ratio",),
    "sign": ("strength",),
    "signed rank": ("strength", "draws"),
    "hierarchical": ("ratio", "draws", "chains", "warmup"),
}


@check_call
def compare_bayes(
    results: Results,
    measure: str | None = None,
    *,
    method: BayesMethod | None = None,
    equivalence: float | tuple[float, float] | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    ratio: float | None = None,
    strength: float | None = None,
    draws: int | None = None,
    chains: int = 4,
    warmup: int = 1000,
    seed: int = 0,
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
) -> BayesComparison:
    """Find, for each pair, the probabilities that one is better, that they are equivalent, and the reverse.

    Parameters
    ----------
    results : Results
    measure : str, optional
    method : {"correlated t", "sign", "signed rank", "hierarchical"}, optional
        The first is for replications of one data set and estimates the mean difference on it. The next two are for data
        sets with one value each: ``"sign"`` counts on how many the difference is below, in and above the region, and
        estimates the median difference; ``"signed rank"`` also uses its size, and assumes symmetric differences. The
        last is for data sets with replications and estimates the difference on the next data set. By default the one
        that fits.
    equivalence : float or (float, float), optional
        The region of practical equivalence [Δ1, Δ2], or Δ for [-Δ, Δ], in the units of the measure. Without it the
        probability of equivalence is that of no difference at all. Unequal ends are for a control (the other algorithm
        minus the control); for all pairs, which have no direction, the nearer end counts both ways.
    control : str, optional
        Compare the others with this one instead of all pairs.
    alpha : float, default 0.05
        Intervals have probability 1 - alpha, which is also the threshold of decisions.
    ratio : float, optional
        Size of the test sample divided by that of the learning sample, for the correlation ρ = ratio/(1 + ratio) of
        replications. By default from the results.
    strength : float, optional
        Weight of the prior pseudo-block without difference: 1 for the sign method, 0.5 for the signed rank method.
    draws : int, optional
        Number of draws: 20,000 for the signed rank method, 2000 for each chain of the hierarchical model.
    chains, warmup : int
        Number of chains, and of draws that are discarded at the start of each.
    seed : int, default 0
    unit, aggregate, missing
        As for `compare`.

    Returns
    -------
    BayesComparison

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris", algorithms=["c45", "svr"])
    >>> better, equivalent, worse = podium.inference.compare_bayes(iris, equivalence=(-1, 1)).pair("svr", "c45")
    >>> round(better + equivalent + worse, 6)
    1.0
    """
    given = equivalence_area(equivalence)
    check_alpha(alpha)
    check_seed(seed)
    _check_arguments(method, draws, chains, warmup, strength)
    level = 1 - alpha
    blocks = to_blocks(results, measure, unit=unit, aggregate=aggregate, missing=missing, allowed=VALUE_POLICIES)
    chosen = _fitting(blocks) if method is None else method
    _check_design(chosen, blocks)
    _refuse_options(chosen, ratio=ratio, strength=strength, draws=draws, chains=chains, warmup=warmup)
    first, second = blocks.pairs(control)
    details: dict[str, Any]
    after: dict[str, Any] = {}
    ratio_of_mean = 0.0
    area: Area = (0.0, 0.0) if given is None else (float(given[0]), float(given[1]))
    if control is None:
        area = both_ways(area)
    if chosen == "sign":
        notes, details = blocks.notes, {}
        posterior = sign(blocks.differences(first, second), area, strength=strength or 1.0, level=level)
    elif chosen == "signed rank":
        d, details = blocks.differences(first, second), {}
        notes = (*blocks.notes, Note("another quantity", probabilities="averages"))
        posterior = signed_rank(d, area, strength=strength or 0.5, draws=draws or 20_000, level=level, seed=seed)
    else:
        known = _sample_ratio(results, blocks, ratio, _TITLES[chosen])
        rho = known.ratio / (1 + known.ratio)  # the share of the test sample (Nadeau & Bengio 2003)
        kept = tuple(note for note in blocks.notes if note.code == "missing")  # replications are not reduced here
        of = Note("ratio", **known._asdict())
        notes, details = (of, *kept), {"rho": rho, "ratio": known.ratio}
        if chosen == "correlated t":
            ratio_of_mean = known.ratio
            posterior = correlated_t(blocks.differences(first, second), rho, area, level)
        else:
            drawn = _draw(blocks, first, second, rho, chains=chains, draws=draws or 2000, warmup=warmup, seed=seed)
            posterior, found = posterior_of_next(drawn, area, level), diagnose(drawn)
            details |= found
            after = _next(drawn, area, blocks.measure.sign)
            notes += (
                Note("another quantity", probabilities="next data set"),
                *_convergence(found["rhat"], found["effective_size"]),
            )
    shares = posterior.regions
    if shares is not None and blocks.measure.sign == -1:
        shares = shares[:, :, ::-1]
    favourable = (posterior.below, posterior.above)
    better, worse = favourable if blocks.measure.sign == 1 else favourable[::-1]
    return BayesComparison(
        method=_TITLES[chosen],
        procedure=chosen,
        **blocks.facts,
        first=first,
        second=second,
        better=better,
        equivalent=posterior.inside,
        mean_equivalent=mean_in_area_chances(blocks.differences(first, second), area, ratio_of_mean),
        worse=worse,
        **after,
        shares=shares,
        estimate=posterior.median,
        lower=posterior.lower,
        upper=posterior.upper,
        equivalence=area,
        alpha=alpha,
        measure=blocks.measure,
        details=details,
        notes=notes,
    )


def _check_arguments(method: object, draws: object, chains: object, warmup: object, strength: object) -> None:
    if method is not None:
        check_choice(method, get_args(BayesMethod), "method")
    if draws is not None:
        check_count(draws, "draws", most=MAX_DRAWS)
    check_count(chains, "chains", most=1000)
    check_count(warmup, "warmup", least=0, most=MAX_DRAWS)
    if strength is not None:
        check_strength(strength)


def _refuse_options(method: BayesMethod, **given: Any) -> None:
    """Refuse options of another method that were changed from their default."""
    usual = {"ratio": None, "strength": None, "draws": None, "chains": 4, "warmup": 1000}
    changed = {
        name: value
        for name, value in given.items()
        if (value is not None if usual[name] is None else value != usual[name])
    }
    check_keys(changed, _OPTIONS[method], f"`method={method!r}`", "option", _OPTIONS)


def _fitting(blocks: Blocks) -> BayesMethod:
    if blocks.unit == "replication":
        return "correlated t"
    return "hierarchical" if blocks.cube.shape[1] > 1 and blocks.n > 2 else "signed rank"


def _check_design(method: BayesMethod, blocks: Blocks) -> None:
    if method == "correlated t" and blocks.unit == "dataset":
        raise InputError(
            f"The correlated t test is for replications of one data set; there are {blocks.n} data sets. Select one, "
            "or use method='hierarchical' or 'signed rank'."
        )
    if method == "hierarchical" and blocks.unit == "replication":
        raise InputError("The hierarchical model is for several data sets; use method='correlated t' for one.")
    if method == "hierarchical" and (blocks.n < 3 or int((~np.isnan(blocks.cube[..., 0])).sum(axis=1).min()) < 3):
        raise InputError(
            "The hierarchical model needs three data sets with three replications each; use method='signed rank'."
        )


def _sample_ratio(results: Results, blocks: Blocks, ratio: float | None, asked_by: str) -> SampleRatio:
    """The ratio that was given, that of one data set, or the mean of all."""
    if ratio is not None:
        check_ratio(ratio)
        return SampleRatio(ratio, "given")
    if blocks.unit == "replication":
        return sample_ratio(Structure.of(blocks.structure), asked_by)
    known = [
        sample_ratio(Structure.of({name: array[m, there] for name, array in results.structure.items()}), asked_by)
        for m, there in enumerate(results.design)
    ]
    return known[0]._replace(ratio=float(np.mean([one.ratio for one in known])))


def _draw(blocks: Blocks, first: IntArray, second: IntArray, rho: float, **settings: int) -> Chains:
    """Sample the hierarchical model of all pairs."""
    by_algorithm = np.moveaxis(blocks.cube, 2, 0)
    differences = np.sort(by_algorithm[first] - by_algorithm[second], axis=2)  # sums do not depend on the order
    there = ~np.isnan(differences)
    counts = there.sum(axis=2)
    means = np.where(there, differences, 0.0).sum(axis=2) / counts
    squares = (np.where(there, differences - means[:, :, None], 0.0) ** 2).sum(axis=2)
    return sample_hierarchical(means, squares, counts, rho, **settings)


def _next(drawn: Chains, area: Area, sign: int) -> dict[str, FloatArray]:
    """Expected probabilities on the next data set."""
    below, inside, above = (share.mean(axis=(1, 2)) for share in drawn.shares(area))
    better, worse = (below, above) if sign == 1 else (above, below)
    return {"next_better": better, "next_equivalent": inside, "next_worse": worse}


def _convergence(rhat: FloatArray, effective_size: FloatArray) -> tuple[Note, ...]:
    largest, smallest = float(rhat.max()), float(effective_size.min())
    return (Note("not converged", rhat=largest, size=smallest),) if largest > 1.05 or smallest < 100 else ()
