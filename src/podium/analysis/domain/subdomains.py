"""`SubDomain`: data sets of a domain with similar relations; and how stable such a partition is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.analysis.blocks import Unit
from podium.analysis.consensus import Clustering, Consensus, consensus
from podium.analysis.consensus.clustering import Linkage, agglomerate
from podium.analysis.consensus.consensus import agreed
from podium.analysis.consensus.relation_classes import ConsensusKind
from podium.analysis.domain.local_analysis import LISTED
from podium.analysis.domain.text import subdomain_text
from podium.analysis.relation import Relation
from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray
from podium.checks import is_number, is_whole, record, shown
from podium.errors import InputError, join_names
from podium.results import Results
from podium.typesetting import Table
from podium.typesetting.html import described

Partition = tuple[tuple[str, ...], ...]


@record(eq=False, kw_only=True)
class SubDomain:
    """Data sets of a domain on which the algorithms are in similar relations.

    Attributes
    ----------
    datasets : tuple of str
    consensus : Consensus
        Of their relations, with up to 100 optima; the data sets count as they do in the domain.
    relation : Relation
        What all optima agree on.
    winners : dict of str to int
        How many of the data sets each algorithm wins, most first; algorithms that share a first place all win.
    diameter : float
        The largest distance between two of the relations.
    """

    datasets: tuple[str, ...]
    consensus: Consensus
    relation: Relation
    winners: dict[str, int]
    diameter: float

    def __str__(self) -> str:
        return subdomain_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        won = ", ".join(f"{name} {count}" for name, count in self.winners.items() if count)
        facts = [("data sets", ", ".join(self.datasets)), ("first places", won)]
        return f"<div>{described('sub-domain', facts)}{self.consensus._repr_html_()}</div>"


@record(eq=False, kw_only=True)
class GroupStability:
    """How well groups of algorithms are recovered in bootstrap samples.

    A group is compared with the most similar cluster of each sample by the Jaccard coefficient: the size of the
    intersection over the size of the union (Hennig 2007). As a rule of thumb from the same paper, a mean below 0.6
    should not be trusted, and one of 0.85 or more is highly stable.

    C. Hennig (2007). Cluster-wise assessment of cluster stability. Computational Statistics & Data Analysis 52,
    258–271.

    Attributes
    ----------
    groups : tuple of tuple of str
    jaccard : ndarray of float
        Mean coefficient of each group.
    together : DataFrame
        Share of the samples in which two algorithms are in one cluster.
    unit : {"dataset", "replication"}
        What was drawn.
    resamples, seed : int
    """

    groups: Partition
    jaccard: FloatArray
    together: pd.DataFrame
    unit: Unit
    resamples: int
    seed: int

    def frame(self) -> pd.DataFrame:
        """One row per group: size, mean Jaccard coefficient, algorithms."""
        return pd.DataFrame(
            {
                "size": [len(group) for group in self.groups],
                "jaccard": self.jaccard,
                "algorithms": [", ".join(group) for group in self.groups],
            },
            index=pd.RangeIndex(1, len(self.groups) + 1, name="group"),
        )

    def __str__(self) -> str:
        return _described(self.frame(), self.groups, self.unit, self.resamples)

    __repr__ = __str__

    def table(self) -> Table:
        """Return the same as a table for a paper."""
        return Table.from_frame(self.frame(), f"{_heading(self.unit, self.resamples)}.")

    def _repr_html_(self) -> str:
        return self.table().html()


@record(eq=False, kw_only=True)
class SubDomainStability:
    """How well sub-domains, and their winners, are recovered in bootstrap samples.

    A sub-domain is compared with the most similar cluster of each sample by the Jaccard coefficient: the size of the
    intersection over the size of the union, of the data sets that are in the sample (Hennig 2007). As a rule of thumb
    from the same paper, a mean below 0.6 should not be trusted, and one of 0.85 or more is highly stable.

    C. Hennig (2007). Cluster-wise assessment of cluster stability. Computational Statistics & Data Analysis 52,
    258–271.

    Attributes
    ----------
    subdomains : tuple of tuple of str
    jaccard : ndarray of float
        Mean coefficient of each sub-domain.
    together : DataFrame
        Share of the samples with two data sets in which they are in one cluster.
    winners : DataFrame
        One row per sub-domain, one column per algorithm: the share of the samples in which the algorithm has the most
        first places on the most similar cluster. Algorithms with equally many share the sample.
    unit : {"dataset", "replication"}
        What was drawn.
    resamples, seed : int
    """

    subdomains: Partition
    jaccard: FloatArray
    together: pd.DataFrame
    winners: pd.DataFrame
    unit: Unit
    resamples: int
    seed: int

    def frame(self) -> pd.DataFrame:
        """One row per sub-domain: size, mean Jaccard coefficient, its most frequent winner and how often, data sets."""
        table = self.winners.to_numpy()
        return pd.DataFrame(
            {
                "size": [len(group) for group in self.subdomains],
                "jaccard": self.jaccard,
                "winner": [str(self.winners.columns[int(row.argmax())]) for row in table],
                "share": table.max(axis=1),
                "datasets": [", ".join(group) for group in self.subdomains],
            },
            index=self.winners.index,
        )

    def __str__(self) -> str:
        return _described(self.frame(), self.subdomains, self.unit, self.resamples)

    __repr__ = __str__

    def table(self) -> Table:
        """Return the same as a table for a paper."""
        title = f"{_heading(self.unit, self.resamples)}; {_SHARE}."
        return Table.from_frame(self.frame(), title)

    def _repr_html_(self) -> str:
        return self.table().html()


_SHARE = "share: part of the samples in which this winner comes first"


def _heading(unit: Unit, resamples: int) -> str:
    drawn = "data sets" if unit == "dataset" else "replications"
    return f"Mean Jaccard coefficient over {resamples:,} samples of the {drawn}"


def _described(frame: pd.DataFrame, groups: Partition, unit: Unit, resamples: int) -> str:
    rounded = frame.round({name: 2 for name in ("jaccard", "share") if name in frame})
    rounded[rounded.columns[-1]] = [join_names(group, quote=False, most=6) for group in groups]
    share = f";\n{_SHARE}" if "share" in frame else ""
    return f"{_heading(unit, resamples)}{share}:\n{rounded.to_string()}"


def cut(clusters: Clustering, count: int | None, height: float | None, noun: str) -> Partition:
    """Cut a hierarchy into a number of clusters, or at a height; by default into two."""
    if count is not None and height is not None:
        raise InputError("Give `count` or `height`, not both.")
    n = len(clusters.labels)
    if height is not None:
        if not is_number(height) or not height >= 0:
            raise InputError(f"`height` must be a number of at least 0; got {shown(height)}.")
        count = n - int((clusters.heights <= height).sum())
    count = min(2, n) if count is None else count
    if not is_whole(count) or not 1 <= count <= n:
        raise InputError(f"`count` must lie between 1 and {n}, the number of {noun}; got {shown(count)}.")
    return clusters.groups(count)


def describe_groups(
    groups: Partition,
    relations: Mapping[str, Relation],
    kind: ConsensusKind,
    weights: Mapping[str, float],
    distances: pd.DataFrame,
) -> tuple[SubDomain, ...]:
    """Find the consensus and the winners of each group of data sets."""
    found = []
    for group in groups:
        own = {name: relations[name] for name in group}
        each = _weights_of(group, weights)
        nearest = consensus(own, kind, weights=each, all_optima=True, limit=LISTED, missing="available")
        found.append(
            SubDomain(
                datasets=group,
                consensus=nearest,
                relation=agreed(own, nearest, weights=each),
                winners=count_winners(list(own.values())),
                diameter=float(distances.loc[list(group), list(group)].to_numpy().max()),
            )
        )
    return tuple(found)


def _weights_of(group: Sequence[str], weights: Mapping[str, float]) -> dict[str, float] | None:
    """Return the weights of some data sets; those that do not count in the domain count equally among themselves."""
    found = {name: weights[name] for name in group}
    return found if any(found.values()) else None


def count_winners(relations: Sequence[Relation]) -> dict[str, int]:
    """Count the first places of each algorithm, most first."""
    names = sorted({name for relation in relations for name in relation.algorithms})
    counts = {name: sum(name in relation.best for relation in relations) for name in names}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, kw_only=True)
class BootstrapSample:
    """One bootstrap sample: what was drawn, how often, and how far apart it is.

    Attributes
    ----------
    drawn : ndarray of int
        Positions of what was drawn at least once.
    copies : ndarray of float
        How often each of them was drawn.
    distances : ndarray of float
        Between them.
    first : ndarray of bool
        Which algorithms are first on each data set drawn; nothing where algorithms are clustered.
    """

    drawn: IntArray
    copies: FloatArray
    distances: FloatArray
    first: BoolArray | None = None


@dataclass(frozen=True, kw_only=True)
class Recovery:
    """How well groups are recovered, in arrays: mean Jaccard coefficients, pairs together, winners."""

    jaccard: FloatArray
    together: FloatArray
    winners: FloatArray


def find_again(
    groups: Partition, names: Sequence[str], samples: Iterable[BootstrapSample], linkage: Linkage, algorithms: int = 0
) -> Recovery:
    """Cluster bootstrap samples into as many groups, and compare each group with the most similar cluster."""
    n = len(names)
    member = np.array([[name in group for name in names] for group in groups])
    together, both = np.zeros((n, n)), np.zeros((n, n))
    similarity, seen, won = np.zeros(len(groups)), np.zeros(len(groups)), np.zeros((len(groups), algorithms))
    for sample in samples:
        present = np.zeros(n, bool)
        present[sample.drawn] = True
        found = np.zeros((min(len(groups), len(sample.drawn)), n), bool)
        labels = tuple(str(i) for i in sample.drawn)
        parts = agglomerate(sample.distances, labels, linkage).groups(len(found)) if len(labels) > 1 else (labels,)
        for row, part in enumerate(parts):
            found[row, [int(i) for i in part]] = True
        here = (member & present).astype(float)
        shared = here @ found.T.astype(float)
        sizes, others = here.sum(axis=1), found.sum(axis=1)
        there = sizes > 0
        likeness = shared[there] / (sizes[there, None] + others[None, :] - shared[there])
        similarity[there] += likeness.max(axis=1)
        seen[there] += 1
        if sample.first is not None:
            count = (found[:, sample.drawn] * sample.copies) @ sample.first.astype(float)  # clusters × algorithms
            most = count == count.max(axis=1, keepdims=True)
            won[there] += (most / most.sum(axis=1, keepdims=True))[likeness.argmax(axis=1)]
        both += np.outer(present, present)
        together += found.T.astype(float) @ found.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Recovery(jaccard=similarity / seen, together=together / both, winners=won / seen[:, None])


def draw_replications(results: Results, rng: np.random.Generator) -> Results:
    """Draw replications within each data set, with replacement.

    Where they are a repeated cross-validation, whole repeats are drawn, so that the sample has the same design and the
    same tests apply: a repeat of 5×2 cross-validation is a pair of folds.
    """
    m, b = results.design.shape
    columns = np.tile(np.arange(b), (m, 1))
    structure = {name: array.copy() for name, array in results.structure.items()}
    repeats = structure.get("repeat")
    for row, there in enumerate(results.design):
        own = np.flatnonzero(there)
        parts = None if repeats is None else _repeats(repeats[row, own])
        if parts is None:
            columns[row, own] = rng.choice(own, len(own))
        else:
            columns[row, own] = own[parts[rng.integers(0, len(parts), len(parts))].ravel()]
    at = np.arange(m)[:, None], columns
    taken = {name: array[at] for name, array in structure.items()}
    if repeats is not None:
        # A repeat that was drawn twice is two repeats of the sample.
        for row, there in enumerate(results.design):
            own = np.flatnonzero(there)
            parts = _repeats(repeats[row, own])
            if parts is not None:
                taken["repeat"][row, own] = np.repeat(np.arange(1, len(parts) + 1), parts.shape[1])
    return results.replace(
        values=results.values[at],
        reasons=results.reasons[at],
        design=results.design[at],
        structure=taken,
        replications=tuple(range(1, b + 1)),
    )


def _repeats(numbers: Int64Array) -> IntArray | None:
    """Return the positions of each repeat, one row per repeat; None if there are not several equal ones of several."""
    names, counts = np.unique(numbers, return_counts=True)
    if (numbers < 0).any() or len(names) < 2 or counts[0] < 2 or (counts != counts[0]).any():
        return None
    return np.stack([np.flatnonzero(numbers == name) for name in names])
