"""`Relation`: a preference relation on named algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.preference import algebra
from podium.analysis.preference.binary import BinaryRelation
from podium.analysis.preference.chain import parse_chain, write_chain, write_pairs
from podium.analysis.preference.checking import refuse_cycle
from podium.analysis.preference.extensions import LinearExtensions, count_extensions, list_extensions
from podium.analysis.preference.hasse import hasse_text
from podium.analysis.preference.properties import check_property, has_property
from podium.analysis.preference.sources import (
    Direction,
    Values,
    better_by_value,
    estimates_by,
    labelled_values,
    refuse_not_numeric,
    refuse_several,
)
from podium.checks import expect
from podium.errors import InputError
from podium.results import Results


@dataclass(frozen=True, eq=False, repr=False)
class Relation(BinaryRelation):
    """A binary relation R on algorithms, read as preference.

    ``incidence[i, j]`` says whether i R j. A relation is read in one of two ways, by its diagonal:

    - *strict* (some i is not related to itself): i R j means that i is better than j. Pairs that are not ordered are
      indifferent. This is how tests and point estimates speak, and what `from_strict`, `from_chain`, `from_ranks` and
      `from_estimates` make.
    - *weak* (reflexive): i R j means that i is at least as good as j. Pairs related both ways are indifferent, pairs
      related in no way are incomparable. `as_weak` turns a strict relation into it.

    Nothing in a relation can be changed; every method returns a new one. Two relations are equal if they relate the
    same algorithms, in whatever order those stand.

    Parameters
    ----------
    incidence : array of bool, shape (K, K)
    algorithms : sequence of str

    Examples
    --------
    >>> import podium
    >>> relation = podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")
    >>> relation.kind
    'strict weak order'
    >>> relation.best
    ('rpart', 'svm')
    >>> relation.classes()
    (('rpart', 'svm'), ('rf',), ('nnet',), ('knn', 'lda'))
    """

    _made_from: ClassVar = (
        (str, "Use podium.Relation.from_chain({thing})."),
        (
            pd.DataFrame,
            "Use podium.Relation.from_incidence(frame) for an incidence matrix, or "
            "podium.compare(podium.read(frame)).relation() for scores.",
        ),
        (np.ndarray, "Use podium.Relation.from_incidence(matrix, names)."),
        (object, "comparison.relation(), podium.Relation.from_chain, from_ranks and from_estimates make one."),
    )
    _ways_out: ClassVar = {"Results": "Use the results that the Relation was made from."}

    # How relations are made

    @classmethod
    def from_incidence(cls, matrix: npt.ArrayLike | pd.DataFrame, algorithms: Sequence[str] | None = None) -> Self:
        """Make any relation from its incidence matrix; a DataFrame brings its names along.

        Examples
        --------
        >>> Relation.from_incidence([[1, 1], [0, 1]], ["svm", "knn"]).kind
        'linear order'
        """
        if isinstance(matrix, pd.DataFrame):
            if algorithms is None:
                algorithms = [str(name) for name in matrix.index]
                matrix = matrix.set_axis(algorithms, axis=0).rename(columns=str)
                if set(matrix.columns) == set(algorithms) and len(matrix.columns) == len(algorithms):
                    matrix = matrix[algorithms]
                else:
                    raise InputError("`matrix` must have the same algorithms in its rows and columns.")
            matrix = matrix.to_numpy()
        else:
            refuse_not_numeric(matrix, "matrix")
            if algorithms is None:
                raise InputError("`algorithms` is missing: the matrix has no names.")
        return cls(matrix, algorithms)  # type: ignore[arg-type]

    @classmethod
    def from_strict(cls, matrix: npt.ArrayLike | pd.DataFrame, algorithms: Sequence[str] | None = None) -> Self:
        """Make a relation from strict preferences: ``matrix[i, j]`` says that i is better than j.

        Pairs without a preference are indifferent. A DataFrame brings its names along.

        Examples
        --------
        >>> str(Relation.from_strict([[0, 0, 1], [0, 0, 1], [0, 0, 0]], ["svm", "rpart", "knn"]))
        'rpart ~ svm < knn'
        """
        relation = cls.from_incidence(matrix, algorithms)
        broken = relation.check("asymmetric")
        if not broken:
            raise InputError(f"`matrix` must be strict preferences; it is {broken}.")
        return relation

    @classmethod
    def from_chain(cls, chain: str) -> Self:
        """Parse a chain, best first: ``<`` (or ≺) is better than, ``~`` (or ∼, ≈) is indifferent.

        Examples
        --------
        >>> Relation.from_chain("a < b ~ c").better.sum()
        np.int64(2)
        """
        classes = parse_chain(chain)
        return cls.from_ranks({name: place for place, group in enumerate(classes) for name in group})

    @classmethod
    def from_ranks(cls, ranks: Values, algorithms: Sequence[str] | None = None) -> Self:
        """Make a relation from ranks: a lower rank is better, equal ranks are indifferent.

        Parameters
        ----------
        ranks : mapping, Series or sequence
            A rank for each algorithm; any numbers do.
        algorithms : sequence of str, optional
            The names, if `ranks` has none.

        Examples
        --------
        >>> str(Relation.from_ranks({"knn": 3, "svm": 1.5, "rpart": 1.5}))
        'rpart ~ svm < knn'
        """
        numbers, names = labelled_values(ranks, algorithms, "ranks")
        return cls(better_by_value(numbers, "lower", 0.0), tuple(names))

    @classmethod
    def from_estimates(
        cls,
        estimates: Values,
        *,
        algorithms: Sequence[str] | None = None,
        direction: Direction = "lower",
        epsilon: float = 0.0,
    ) -> Self:
        """Make a relation from point estimates: means, worst values, times.

        Parameters
        ----------
        estimates : mapping, Series or sequence
            A number for each algorithm.
        algorithms : sequence of str, optional
            The names, if `estimates` has none.
        direction : {"lower", "greater"}
            Which estimates are better.
        epsilon : float, default 0
            Estimates that differ by no more than this are indifferent. With an epsilon the relation need not be a
            weak order (a ~ b and b ~ c, but a < c); it is a semiorder. Differences of a few units in the last
            place never count.

        Examples
        --------
        The m-worst values of Eugster, Hothorn & Leisch (2008), section 3.1:

        >>> worst = dict(blue=0.0200, red=0.0202, green=0.0510, yellow=0.0545, purple=0.0495, orange=0.0495)
        >>> str(Relation.from_estimates(worst))
        'blue < red < orange ~ purple < green < yellow'
        >>> str(Relation.from_estimates(worst, epsilon=0.001))
        'blue ~ red < orange ~ purple < green < yellow'
        """
        numbers, names = labelled_values(estimates, algorithms, "estimates")
        return cls(better_by_value(numbers, direction, epsilon), tuple(names))

    @classmethod
    def from_results(
        cls,
        results: Results,
        *,
        statistic: Any = "mean",
        epsilon: float = 0.0,
        q: float | None = None,
        missing: str = "raise",
    ) -> Self:
        """Order the algorithms by a point estimate of one measure on one data set; see `podium.relations.preferences`.

        Examples
        --------
        >>> import podium
        >>> iris = podium.datasets.load_demsar2006().select(dataset="iris")
        >>> str(podium.Relation.from_results(iris))
        'C4.5 < C4.5+m ~ C4.5+m+cf < C4.5+cf'
        """
        refuse_several(expect(results, Results, "results").datasets, "dataset")
        refuse_several(results.measure_names, "measure")
        found, algorithms = estimates_by(results, statistic, "dataset", q, missing)
        values, direction = next(iter(found.values()))
        return cls.from_estimates(values, algorithms=algorithms, direction=direction, epsilon=epsilon)

    # Places and orders

    @property
    def best(self) -> tuple[str, ...]:
        """The algorithms that none is better than, by name."""
        return self._names(np.flatnonzero(~self.better.any(axis=0)))

    @property
    def worst(self) -> tuple[str, ...]:
        """The algorithms that are better than none, by name."""
        return self._names(np.flatnonzero(~self.better.any(axis=1)))

    def ranks(self) -> pd.Series[float]:
        """Rank of each algorithm, 1 the best, as the mean of the places it can take: 1 + worse than + half of the rest.

        For a weak order these are the usual mid-ranks.

        Examples
        --------
        >>> Relation.from_chain("a < b ~ c").ranks().to_dict()
        {'a': 1.0, 'b': 2.5, 'c': 2.5}
        """
        return pd.Series(algebra.mid_ranks(self.better), index=list(self.algorithms), name="rank")

    @property
    def chain(self) -> str | None:
        """The relation as a chain, or None if it is no weak order."""
        weak = self.better | self.indifferent
        if self.incomparable.any() or not has_property("transitive", weak):
            return None
        return write_chain(self.levels())

    def classes(self) -> tuple[tuple[str, ...], ...]:
        """Classes of indifferent algorithms, best first as far as there is an order, each sorted by name."""
        broken = check_property("transitive", self.indifferent, self.algorithms, 1)
        if not broken:
            a, b, c = broken.witnesses[0]
            raise InputError(
                f"There are no classes of indifferent algorithms: {a!r} ~ {b!r} and {b!r} ~ {c!r}, "
                f"but not {a!r} ~ {c!r}."
            )
        groups = [self._names(part) for part in algebra.groups(self.indifferent)]
        rank = self.ranks()
        return tuple(sorted(groups, key=lambda group: (rank[group[0]], group)))

    def levels(self) -> tuple[tuple[str, ...], ...]:
        """Algorithms by the longest chain of better ones below them: the heights of the Hasse diagram, best first."""
        refuse_cycle(self.better, self.algorithms, "levels")
        height = algebra.levels(self.better)
        return tuple(self._names(np.flatnonzero(height == level)) for level in range(int(height.max()) + 1))

    def topological_sort(self) -> tuple[str, ...]:
        """All algorithms, every better one before every worse one; what is not ordered goes by level and name."""
        return tuple(name for level in self.levels() for name in level)

    def count_linear_extensions(self) -> int:
        """Count the linear orders that keep every strict preference.

        Examples
        --------
        >>> Relation.from_chain("a ~ b < c ~ d ~ e").count_linear_extensions()
        12
        """
        refuse_cycle(self.better, self.algorithms, "linear extensions")
        return count_extensions(self.better)

    def linear_extensions(self, limit: int = 1000) -> LinearExtensions:
        """List linear orders that keep every strict preference, by name, at most `limit` of them."""
        refuse_cycle(self.better, self.algorithms, "linear extensions")
        by_name = np.argsort(np.array(self.algorithms))
        found = list(list_extensions(self.better[np.ix_(by_name, by_name)], limit))
        names = [self.algorithms[i] for i in by_name]
        orders = (type(self).from_ranks({names[i]: place for place, i in enumerate(order)}) for order in found[:limit])
        return LinearExtensions(
            orders=tuple(order.restrict(self.algorithms) for order in orders), exhausted=len(found) <= limit
        )

    def hasse(self) -> str:
        """Draw the Hasse diagram as text, read from the bottom up: the best stand in the last line."""
        return hasse_text(self.better, self.algorithms)

    def same_preferences(self, other: BinaryRelation) -> bool:
        """Whether both prefer, equate and leave open the same pairs, whichever way they are written."""
        if set(self.algorithms) != set(expect(other, Relation, "other").algorithms):
            return False
        other = other.restrict(self.algorithms)
        return np.array_equal(self.better, other.better) and np.array_equal(self.incomparable, other.incomparable)

    def __str__(self) -> str:
        stated = self.indifferent if self.reading == "weak" else np.eye(len(self), dtype=bool)
        return self.chain or write_pairs(self.better, stated, self.algorithms)

    def __repr__(self) -> str:
        return f"<Relation, {self.kind}: {self}>"
