"""The Friedman test: whether the algorithms differ at all, by their ranks within blocks."""

from __future__ import annotations

from math import factorial, inf
from typing import Any, Literal, TypeAlias

from scipy.special import chdtrc, fdtrc

from podium.analysis.blocks import RANK_POLICIES, Blocks, Unit, to_blocks
from podium.analysis.inference.permutation import doubled
from podium.analysis.inference.reference import Reference, check_distribution, sums_reference
from podium.analysis.inference.scores import quadratic_statistic, rank_blocks
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray
from podium.errors import InputError
from podium.results import Results
from podium.results.aggregation import Aggregation

TieRule: TypeAlias = Literal["corrected", "plain"]
Distribution: TypeAlias = Literal["chi2", "F", "permutation"]


def friedman(
    results: Results,
    measure: str | None = None,
    *,
    ties: TieRule = "corrected",
    distribution: Distribution = "chi2",
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
    alpha: float = 0.05,
    permutations: int = 100_000,
    seed: int = 0,
) -> Omnibus:
    """Test whether the algorithms differ at all, by their ranks within blocks.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    ties : {"corrected", "plain"}
        With tied values the variance of the ranks is smaller than the textbook formula says. ``"corrected"`` uses
        the variance given the ties, as R and SciPy do; ``"plain"`` is the formula without it.
    distribution : {"chi2", "F", "permutation"}
        Reference distribution: χ² with K - 1 degrees of freedom; F after Iman & Davenport, which is better for few
        blocks; or the permutations within blocks, exact where they are few enough to be counted, else Monte Carlo
        with the error stated.
    unit : {"replication", "dataset"}, optional
        What a block is, and so what the outcome generalises to. By default replications where there is one data set,
        and data sets (replications reduced first) where there are several.
    aggregate : str or callable, default "mean"
        Aggregation the replications of a data set are reduced, with unit ``"dataset"``.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value"}
        Policy for missing cells; for ``"available"`` see `skillings_mack`.
    alpha : float, default 0.05
    permutations, seed : int
        Number and seed of the random permutations.

    Returns
    -------
    Omnibus
        With the mean ranks and Kendall's W.

    References
    ----------
    M. Friedman (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance.
    Journal of the American Statistical Association 32, 675–701. — R. L. Iman, J. M. Davenport (1980). Approximations
    of the critical region of the Friedman statistic. Communications in Statistics A 9, 571–595.

    Examples
    --------
    >>> import podium
    >>> from podium.analysis.inference import friedman
    >>> results = podium.datasets.load_demsar2006()
    >>> print(friedman(results))
    Friedman test (tie-corrected): statistic = 10.9524, df = 3, p = 0.0120 (14 data sets)
    >>> print(friedman(results, ties="plain", distribution="F"))
    Iman–Davenport test (no tie correction): statistic = 3.9867, df = 3, 39, p = 0.0144 (14 data sets)
    """
    _check(ties, distribution, permutations)
    blocks = to_blocks(results, measure, unit=unit, aggregate=aggregate, missing=missing, allowed=RANK_POLICIES)
    return friedman_of_blocks(
        blocks, ties=ties, distribution=distribution, alpha=alpha, permutations=permutations, seed=seed
    )


def iman_davenport(results: Results, measure: str | None = None, **options: Any) -> Omnibus:
    """Test whether the algorithms differ at all by the F version of the Friedman test.

    The same as ``friedman(results, distribution="F")``, which see for the options.

    Examples
    --------
    >>> import podium
    >>> from podium.analysis.inference import iman_davenport
    >>> round(iman_davenport(podium.datasets.load_demsar2006(), ties="plain").statistic, 4)
    3.9867
    """
    return friedman(results, measure, distribution="F", **options)


def friedman_of_blocks(
    blocks: Blocks,
    *,
    ties: TieRule = "corrected",
    distribution: Distribution = "chi2",
    alpha: float = 0.05,
    permutations: int = 100_000,
    seed: int = 0,
) -> Omnibus:
    """Carry out `friedman` on blocks that are laid out already."""
    ranks = rank_blocks(blocks.costs)
    outcome = friedman_test(ranks, ties=ties, distribution=distribution, permutations=permutations, seed=seed)
    name = {"chi2": "Friedman test", "F": "Iman–Davenport test", "permutation": "Friedman permutation test"}
    how = "tie-corrected" if ties == "corrected" else "no tie correction"
    n, k = ranks.shape
    chi_square = friedman_statistic(ranks, ties)
    return Omnibus(
        procedure="iman_davenport" if distribution == "F" else "friedman",
        method=f"{name[distribution]} ({how})",
        statistic=outcome.statistic,
        pvalue=outcome.pvalue,
        df=outcome.df,
        algorithms=blocks.algorithms,
        unit=blocks.unit,
        n=blocks.n,
        datasets=blocks.datasets,
        alpha=alpha,
        mean_ranks=ranks.mean(axis=0),
        kendall_w=chi_square / (n * (k - 1)),
        exact=outcome.exact,
        permutations=outcome.permutations,
        monte_carlo_error=outcome.error,
        missing=blocks.missing,
        notes=blocks.notes + outcome.notes,
    )


def friedman_statistic(ranks: FloatArray, ties: TieRule = "corrected") -> float:
    r"""Friedman's χ² of a table of ranks, one row per block.

    Plain: :math:`S = \frac{12 B}{K(K+1)} \sum_k (R_{.k} - R_{..})^2` (Eugster 2011, section 2.3.1). Corrected: the
    same with the variance given the ties in the place of :math:`K(K+1)/12`.
    """
    n, k = ranks.shape
    if ties == "corrected":
        return quadratic_statistic(ranks)
    return float(12 * n / (k * (k + 1)) * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum())


def friedman_test(
    ranks: FloatArray,
    *,
    ties: TieRule = "corrected",
    distribution: Distribution = "chi2",
    permutations: int = 100_000,
    seed: int = 0,
) -> Reference:
    """Friedman's statistic of a table of ranks, with its p-value."""
    n, k = ranks.shape
    statistic = friedman_statistic(ranks, ties)
    if distribution == "chi2":
        return Reference(statistic=statistic, pvalue=float(chdtrc(k - 1, statistic)), df=(k - 1.0,))
    if distribution == "F":
        return f_version(statistic, n, k)
    return sums_reference(doubled(ranks), statistic, permutations, seed)


def f_version(chi_square: float, n: int, k: int) -> Reference:
    """F = (n - 1) χ² / (n (K - 1) - χ²), after Iman & Davenport (1980).

    With the same order in all blocks F is infinite; its probability is then (1/K!)^(n-1) (Conover 1999, Practical
    Nonparametric Statistics, section 5.8).
    """
    df = (k - 1.0, (k - 1.0) * (n - 1.0))
    rest = n * (k - 1) - chi_square
    if rest <= 1e-9 * n * k:
        return Reference(statistic=inf, pvalue=float(factorial(k)) ** (1 - n) if k < 150 else 0.0, df=df)
    statistic = (n - 1) * chi_square / rest
    return Reference(statistic=statistic, pvalue=float(fdtrc(*df, statistic)), df=df)


def _check(ties: str, distribution: str, permutations: int) -> None:
    if ties not in ("corrected", "plain"):
        raise InputError(f"`ties` must be 'corrected' or 'plain'; got {ties!r}.")
    check_distribution(distribution, ("chi2", "F", "permutation"), permutations)
