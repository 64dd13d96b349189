"""Distances between two relations, and between all relations of an ensemble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.consensus.clustering import Clustering, Linkage, agglomerate
from podium.analysis.consensus.profile import Ensemble, Profile, make_profile
from podium.analysis.relation import Relation
from podium.analysis.relation.algebra import mid_ranks
from podium.analysis.relation.estimates import positions
from podium.arrays import FloatArray
from podium.checks import as_numbers, check_call, check_choice, check_flag, expect, position, record
from podium.errors import InputError, join_names
from podium.typesetting import Table

Metric: TypeAlias = Literal["symmetric difference", "kendall", "footrule"]
PairWeights: TypeAlias = "Mapping[str, float] | npt.ArrayLike | pd.DataFrame | None"


@check_call
def distance(a: Relation, b: Relation, *, normalize: bool = False, pair_weights: PairWeights = None) -> float:
    """Count the ordered pairs that are in only one of two relations: the symmetric difference (Kemeny & Snell 1972).

    Both are read as "at least as good as". A pair counts 2 if the relations order it in opposite ways, and 1 if one
    orders it and the other has a tie. Strict relations have the same distance read as "better than". A pair that one
    relation equates and the other leaves open (incomparable) counts 2.

    Parameters
    ----------
    a, b : Relation
        On the same algorithms.
    normalize : bool, default False
        Divide by the largest possible distance, K (K − 1) or the sum of the weights, so 1 means opposite.
    pair_weights : mapping, DataFrame or K × K array, optional
        How much a pair counts. A mapping gives weights to algorithms, 1 to those not named, and a pair counts the
        product of both. An array is in the order of the algorithms of `a`.

    Examples
    --------
    >>> import podium
    >>> a = podium.Relation.from_chain("svm < rf < knn")
    >>> podium.relations.distance(a, podium.Relation.from_chain("svm < rf ~ knn"))
    1.0
    >>> podium.relations.distance(a, a.dual(), normalize=True)
    1.0
    """
    return _single(a, b, "symmetric difference", normalize, pair_weights)


@check_call
def footrule(a: Relation, b: Relation, *, normalize: bool = False) -> float:
    """Sum of the differences of the ranks of each algorithm (Spearman's footrule), with mid-ranks for ties.

    Parameters
    ----------
    a, b : Relation
    normalize : bool, default False
        Divide by ⌊K²/2⌋, the footrule of opposite linear orders.

    Examples
    --------
    >>> import podium
    >>> podium.relations.footrule(podium.Relation.from_chain("a < b < c"), podium.Relation.from_chain("c < b < a"))
    4.0
    """
    return _single(a, b, "footrule", normalize, None)


@check_call
def kendall_tau(a: Relation, b: Relation, *, variant: Literal["b", "x"] = "b") -> float:
    """Kendall's correlation of two relations, 1 if they agree and −1 if they are opposite.

    Parameters
    ----------
    a, b : Relation
    variant : {"b", "x"}
        How ties count. "b" (Kendall 1945): pairs tied in a relation drop out of its norm; NaN if a relation orders no
        pair. "x" (Emond & Mason 2002): τ_x = 1 − 2 d / (K (K − 1)) with d the symmetric difference, which the weak
        order consensus maximises; always defined for two or more algorithms.

    Examples
    --------
    >>> import podium
    >>> a, b = podium.Relation.from_chain("a < b < c"), podium.Relation.from_chain("a < b ~ c")
    >>> round(podium.relations.kendall_tau(a, b), 4), round(podium.relations.kendall_tau(a, b, variant="x"), 4)
    (0.8165, 0.6667)
    """
    check_choice(variant, ("b", "x"), "variant")
    pair = make_profile([expect(a, Relation, "a"), expect(b, Relation, "b")])
    if len(pair.algorithms) < 2:
        return float("nan")
    if variant == "x":
        return 1.0 - 2.0 * _single(a, b, "symmetric difference", True, None)
    first, second = (r.better.astype(float) - r.better.T for r in pair.relations)
    norm = np.sqrt((first**2).sum() * (second**2).sum())
    return float((first * second).sum() / norm) if norm else float("nan")


@record(eq=False)
class Distances:
    """Distances between the relations of an ensemble.

    Attributes
    ----------
    labels : tuple of str
        The relations.
    matrix : ndarray of float, shape (n, n)
    metric : str
    normalized : bool
    """

    labels: tuple[str, ...]
    matrix: FloatArray
    metric: Metric
    normalized: bool

    def __post_init__(self) -> None:
        if self.matrix.shape != (len(self.labels), len(self.labels)):
            raise InputError(
                f"`matrix` must have a row and a column for each of the {len(self.labels)} labels; "
                f"got shape {self.matrix.shape}."
            )

    def __repr__(self) -> str:
        scale = ", normalized" if self.normalized else ""
        return f"<Distances between {len(self.labels)} relations: {self.metric}{scale}>"

    def _repr_html_(self) -> str:
        scale = ", normalized" if self.normalized else ""
        return Table.from_frame(self.frame().rename_axis(""), f"Distances: {self.metric}{scale}").html()

    def frame(self) -> pd.DataFrame:
        """Square table with names."""
        return pd.DataFrame(self.matrix, index=list(self.labels), columns=list(self.labels))

    def between(self, a: str, b: str) -> float:
        """Return the distance between two relations."""
        return float(self.matrix[position(self.labels, a, "a"), position(self.labels, b, "b")])

    def cluster(self, linkage: Linkage = "complete") -> Clustering:
        """Cluster the relations hierarchically; Eugster (2011), section 4.2, uses complete linkage."""
        return agglomerate(self.matrix, self.labels, linkage)


@check_call
def distances(
    relations: Ensemble,
    metric: Metric = "symmetric difference",
    *,
    normalize: bool = False,
    pair_weights: PairWeights = None,
) -> Distances:
    """Compute the distances between all relations of an ensemble.

    Parameters
    ----------
    relations : sequence or mapping of Relation
    metric : {"symmetric difference", "kendall", "footrule"}
        See `distance` and `footrule`. "kendall" is K (K − 1) / 2 · (1 − τ_x): for linear orders the number of pairs
        in opposite order, half the symmetric difference.
    normalize : bool, default False
        Scale to at most 1.
    pair_weights : optional
        As in `distance`; for the symmetric difference only.

    Examples
    --------
    >>> import podium
    >>> chains = podium.examples.load_uci_chains()
    >>> table = podium.relations.distances({name: podium.Relation.from_chain(chain) for name, chain in chains.items()})
    >>> table.between("Cards", "liver"), table.matrix.max()
    (0.0, np.float64(24.0))
    """
    check_choice(metric, get_args(Metric), "metric")
    profile = make_profile(relations)
    given = relations.values() if isinstance(relations, Mapping) else relations
    matrix = _matrix(profile, metric, normalize, pair_weights, next(iter(given)).algorithms)
    return Distances(profile.voters, matrix, metric, normalize)


def _single(a: Relation, b: Relation, metric: Metric, normalize: bool, pair_weights: PairWeights) -> float:
    both = make_profile([expect(a, Relation, "a"), expect(b, Relation, "b")])
    return float(_matrix(both, metric, normalize, pair_weights, a.algorithms)[0, 1])


def _matrix(
    profile: Profile, metric: Metric, normalize: bool, pair_weights: PairWeights, order: tuple[str, ...]
) -> FloatArray:
    check_flag(normalize, "normalize")
    if pair_weights is not None and metric != "symmetric difference":
        raise InputError(f"`pair_weights` requires metric='symmetric difference'; got metric={metric!r}.")
    size = len(profile.algorithms)
    if metric == "footrule":
        ranks = np.stack([mid_ranks(r.better) for r in profile.relations])
        result: FloatArray = np.abs(ranks[:, None, :] - ranks[None, :, :]).sum(axis=2)
        largest = float(size**2 // 2)
    else:
        weights = pair_weight_matrix(pair_weights, order, profile.algorithms)
        flat = profile.matrices("weak").reshape(len(profile.voters), -1).astype(np.float64)
        total = flat @ weights.ravel()
        shared = (flat * weights.ravel()) @ flat.T
        result = np.maximum(total[:, None] + total[None, :] - 2.0 * shared, 0.0)
        np.fill_diagonal(result, 0.0)
        largest = float(weights.sum())
        if metric == "kendall":
            result, largest = result / 2.0, largest / 2.0
    return result / largest if normalize and largest else result


def pair_weight_matrix(weights: PairWeights, order: tuple[str, ...], algorithms: tuple[str, ...]) -> FloatArray:
    """Weights of the pairs of algorithms, K × K with a zero diagonal."""
    size = len(algorithms)
    if weights is None:
        matrix = np.ones((size, size))
    elif isinstance(weights, Mapping):
        positions(algorithms, weights, "pair_weights")
        each = as_numbers([weights.get(name, 1.0) for name in algorithms], "pair_weights")
        matrix = np.outer(each, each)
    elif isinstance(weights, pd.DataFrame):
        at, across = (_find_all(algorithms, [str(name) for name in axis]) for axis in (weights.index, weights.columns))
        matrix = as_numbers(weights.to_numpy(), "pair_weights")[np.ix_(at, across)]
    else:
        matrix = as_numbers(weights, "pair_weights")
        if matrix.shape != (size, size):
            raise InputError(f"`pair_weights` must be {size} × {size}; got shape {matrix.shape}.")
        at = _find_all(algorithms, order)
        matrix = matrix[np.ix_(at, at)]
    odd = matrix[~(np.isfinite(matrix) & (matrix >= 0))]
    if len(odd):
        raise InputError(f"`pair_weights` must be finite numbers of at least 0; got {odd[0]:g}.")
    if not np.allclose(matrix, matrix.T):
        i, j = np.argwhere(~np.isclose(matrix, matrix.T))[0]
        raise InputError(
            f"`pair_weights` must be symmetric, because a pair has one weight; {algorithms[i]!r} and {algorithms[j]!r} "
            f"have {matrix[i, j]:g} and {matrix[j, i]:g}."
        )
    matrix = matrix.copy()
    np.fill_diagonal(matrix, 0.0)
    return matrix


def _find_all(algorithms: tuple[str, ...], names: Sequence[str]) -> list[int]:
    """Positions of all algorithms among the names that `pair_weights` gives."""
    lacking = [name for name in algorithms if name not in names]
    if lacking:
        raise InputError(f"`pair_weights` must name every algorithm; {join_names(lacking)} is missing.")
    return [names.index(name) for name in algorithms]
