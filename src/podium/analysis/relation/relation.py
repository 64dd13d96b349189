"""`Relation`: a preference relation on named algorithms."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.blocks import one_dataset, one_measure
from podium.analysis.relation import algebra
from podium.analysis.relation.chain import parse_chain, write_chain, write_pairs
from podium.analysis.relation.estimates import (
    OrderStatistic,
    Values,
    better_by_value,
    check_algorithms,
    estimates_per,
    labelled_values,
    positions,
)
from podium.analysis.relation.hasse import hasse_text
from podium.analysis.relation.linear_extensions import count_extensions, list_extensions
from podium.analysis.relation.properties import (
    VIOLATIONS,
    Check,
    Kind,
    Property,
    check_property,
    has_property,
    is_kind,
    kinds_of,
)
from podium.analysis.relation.svg import chain_html, diagram_svg
from podium.arrays import BoolArray, IntArray
from podium.checks import (
    as_numbers,
    check_choice,
    check_count,
    conversion_hint,
    describe,
    expect,
    position,
    record,
    shown,
)
from podium.errors import InputError, LabelError, join_names
from podium.results import Results
from podium.results.measure_info import Direction
from podium.typesetting.html import described


@record(eq=False, repr=False)
class Relation:
    """A binary relation R on algorithms, read as preference.

    ``incidence[i, j]`` is true if i R j. The diagonal decides how a relation is read:

    - *strict* (some i is not related to itself): i R j means that i is better than j. Pairs that are not ordered are
      indifferent. Tests and point estimates give strict relations, and so do `from_strict`, `from_chain`, `from_ranks`
      and `from_estimates`.
    - *weak* (reflexive): i R j means that i is at least as good as j. Pairs related both ways are indifferent, pairs
      not related at all are incomparable. `as_weak` turns a strict relation into a weak one.

    A relation is immutable; every method returns a new one. Two relations are equal if they relate the same algorithms
    in the same way, whatever the order of the algorithms.

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
        (Results, "Use podium.compare(results).relation(), or podium.Relation.from_results(results)."),
        (str, "Use podium.Relation.from_chain({thing})."),
        (
            pd.DataFrame,
            "Use podium.Relation.from_incidence(frame) for an incidence matrix, or "
            "podium.compare(podium.read(frame)).relation() for scores.",
        ),
        (np.ndarray, "Use podium.Relation.from_incidence(matrix, names)."),
        (object, "Create one with comparison.relation(), podium.Relation.from_chain, from_ranks or from_estimates."),
    )
    _ways_out: ClassVar = {Results: "Use the results that the Relation was made from."}

    incidence: BoolArray
    algorithms: tuple[str, ...]

    def __post_init__(self) -> None:
        names = check_algorithms(self.algorithms)
        object.__setattr__(self, "algorithms", names)
        object.__setattr__(self, "incidence", _as_incidence(self.incidence, len(names), "incidence"))

    # How relations are made

    @classmethod
    def from_incidence(cls, matrix: npt.ArrayLike | pd.DataFrame, algorithms: Sequence[str] | None = None) -> Self:
        """Make any relation from its incidence matrix; a DataFrame supplies the names.

        Examples
        --------
        >>> import podium
        >>> podium.Relation.from_incidence([[1, 1], [0, 1]], ["svm", "knn"]).kind
        'linear order'
        """
        if isinstance(matrix, pd.DataFrame):
            if algorithms is None:
                algorithms = [str(name) for name in matrix.index]
                columns = [str(name) for name in matrix.columns]
                if sorted(columns) != sorted(algorithms):
                    raise InputError("`matrix` must have the same algorithms in its rows and columns.")
                matrix = matrix.iloc[:, positions(columns, algorithms, "matrix")]
            matrix = matrix.to_numpy()
        else:
            _refuse_not_numeric(matrix, "matrix")
            if algorithms is None:
                raise InputError("`algorithms` is missing: the matrix has no names.")
        names = check_algorithms(algorithms)
        return cls(_as_incidence(matrix, len(names), "matrix"), names)

    @classmethod
    def from_strict(cls, matrix: npt.ArrayLike | pd.DataFrame, algorithms: Sequence[str] | None = None) -> Self:
        """Make a relation from strict preferences: ``matrix[i, j]`` says that i is better than j.

        Pairs without a preference are indifferent. A DataFrame supplies the names.

        Examples
        --------
        >>> import podium
        >>> str(podium.Relation.from_strict([[0, 0, 1], [0, 0, 1], [0, 0, 0]], ["svm", "rpart", "knn"]))
        'rpart ~ svm < knn'
        """
        relation = cls.from_incidence(matrix, algorithms)
        broken = relation.check("asymmetric")
        if not broken:
            raise InputError(f"`matrix` must hold strict preferences; it is {broken}.")
        return relation

    @classmethod
    def from_chain(cls, chain: str) -> Self:
        """Parse a chain, best first: ``<`` (or ≺) means better than, ``~`` (or ∼, ≈) indifferent.

        Examples
        --------
        >>> import podium
        >>> podium.Relation.from_chain("a < b ~ c").better.sum()
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
            A rank for each algorithm; any numbers will do.
        algorithms : sequence of str, optional
            The names, if `ranks` has none.

        Examples
        --------
        >>> import podium
        >>> str(podium.Relation.from_ranks({"knn": 3, "svm": 1.5, "rpart": 1.5}))
        'rpart ~ svm < knn'
        """
        _refuse_not_numeric(ranks, "ranks")
        numbers, names = labelled_values(ranks, algorithms, "ranks")
        return cls(better_by_value(numbers, "lower", 0.0), names)

    @classmethod
    def from_estimates(
        cls,
        estimates: Values,
        algorithms: Sequence[str] | None = None,
        *,
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
        direction : {"lower", "higher"}
            Which estimates are better.
        epsilon : float, default 0
            Estimates that differ by no more than this are indifferent. With an epsilon the relation is a semiorder
            and need not be a weak order (a ~ b and b ~ c, but a < c). Rounding errors (differences of a few units in
            the last place) never count.

        Examples
        --------
        The m-worst values of Eugster, Hothorn & Leisch (2008), section 3.1:

        >>> import podium
        >>> worst = dict(blue=0.0200, red=0.0202, green=0.0510, yellow=0.0545, purple=0.0495, orange=0.0495)
        >>> str(podium.Relation.from_estimates(worst))
        'blue < red < orange ~ purple < green < yellow'
        >>> str(podium.Relation.from_estimates(worst, epsilon=0.001))
        'blue ~ red < orange ~ purple < green < yellow'
        """
        _refuse_not_numeric(estimates, "estimates")
        numbers, names = labelled_values(estimates, algorithms, "estimates")
        return cls(better_by_value(numbers, direction, epsilon), names)

    @classmethod
    def from_results(
        cls,
        results: Results,
        measure: str | None = None,
        *,
        statistic: OrderStatistic = "mean",
        epsilon: float = 0.0,
        quantile: float | None = None,
        missing: str = "raise",
    ) -> Self:
        """Order the algorithms by a point estimate of one measure on one data set; see `podium.relations.preferences`.

        Examples
        --------
        >>> import podium
        >>> iris = podium.examples.load_demsar2006().select(dataset="iris")
        >>> str(podium.Relation.from_results(iris))
        'C4.5 < C4.5+m ~ C4.5+m+cf < C4.5+cf'
        """
        results = one_dataset(one_measure(results, measure), "A single relation")
        found, algorithms = estimates_per(results, "dataset", statistic, quantile, missing)
        values, direction = next(iter(found.values()))
        return cls.from_estimates(values, algorithms, direction=direction, epsilon=epsilon)

    # How the pairs are related

    @property
    def reading(self) -> Literal["strict", "weak"]:
        """``"weak"`` if the relation is reflexive, else ``"strict"``."""
        return "weak" if self.incidence.diagonal().all() else "strict"

    @cached_property
    def better(self) -> BoolArray:
        """Which algorithms are better than which: the asymmetric part."""
        return self.incidence & ~self.incidence.T

    @cached_property
    def incomparable(self) -> BoolArray:
        """Which pairs a weak relation does not relate at all; none for a strict one."""
        if self.reading == "strict":
            return np.zeros_like(self.incidence)
        return ~(self.incidence | self.incidence.T)

    @cached_property
    def indifferent(self) -> BoolArray:
        """Which pairs are not ordered although they are comparable; every algorithm is indifferent to itself.

        In the relation of a test no difference was shown between them, or they were not tested; they need not be equal.
        """
        return ~(self.better | self.better.T | self.incomparable)

    def prefers(self, a: str, b: str) -> bool:
        """Whether a is better than b."""
        return bool(self.better[position(self.algorithms, a, "a"), position(self.algorithms, b, "b")])

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All (a, b) with a better than b, in the order of the algorithms."""
        return tuple((self.algorithms[i], self.algorithms[j]) for i, j in np.argwhere(self.better))

    # Which properties it has

    @property
    def properties(self) -> dict[Property, bool]:
        """Whether the relation has each of the properties."""
        return {name: has_property(name, self.incidence) for name in VIOLATIONS}

    def has(self, name: Property) -> bool:
        """Whether the relation has a property: ``"transitive"``, ``"complete"``, ..."""
        check_choice(name, VIOLATIONS, "name")
        return has_property(name, self.incidence)

    def check(self, name: Property, limit: int = 3) -> Check:
        """Test a property and, where it fails, name the algorithms that break it.

        Parameters
        ----------
        name : str
            ``"reflexive"``, ``"irreflexive"``, ``"symmetric"``, ``"asymmetric"``, ``"antisymmetric"``, ``"complete"``
            (of two different algorithms one is related to the other), ``"transitive"``, ``"negatively transitive"``,
            ``"trichotomous"`` (exactly one of i R j, i = j, j R i), ``"Ferrers"`` or ``"semitransitive"``.
        limit : int, default 3
            How many witnesses to name at most.

        Examples
        --------
        >>> import podium
        >>> close = podium.Relation.from_estimates({"a": 0.1, "b": 0.2, "c": 0.3}, epsilon=0.1)
        >>> print(close.check("negatively transitive"))
        not negatively transitive: neither 'a' R 'b' nor 'b' R 'c', but 'a' R 'c'
        """
        check_choice(name, VIOLATIONS, "name")
        check_count(limit, "limit", least=0)
        return check_property(name, self.incidence, self.algorithms, limit)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds the relation belongs to, from narrow to wide.

        A "strict" kind has an empty diagonal, the kind of the same name without "strict" a full one.
        """
        return kinds_of(self.incidence)

    @property
    def kind(self) -> Kind | Literal["relation"]:
        """The narrowest kind, or ``"relation"``."""
        return next(iter(self.kinds), "relation")

    def is_a(self, kind: str) -> bool:
        """Whether the relation is of a kind; ``"linear order"`` includes the strict linear order, and so on."""
        return is_kind(kind, self.incidence)

    # Other readings, and parts

    def as_strict(self) -> Self:
        """Return only the strict preferences, as a strict relation."""
        return self._with(self.better)

    def as_weak(self) -> Self:
        """Return "at least as good as": reflexive, and indifferent pairs related both ways."""
        return self._with(self.better | self.indifferent)

    def asymmetric_part(self) -> Self:
        """Pairs related one way only."""
        return self._with(self.better)

    def symmetric_part(self) -> Self:
        """Pairs related both ways."""
        return self._with(self.incidence & self.incidence.T)

    def dual(self) -> Self:
        """Reverse the relation: the best become the worst."""
        return self._with(self.incidence.T)

    def complement(self) -> Self:
        """Relate exactly the pairs that are not related."""
        return self._with(~self.incidence)

    def union(self, other: Relation) -> Self:
        """Pairs in either relation."""
        return self._with(self.incidence | self._aligned(other))

    def intersection(self, other: Relation) -> Self:
        """Pairs in both relations."""
        return self._with(self.incidence & self._aligned(other))

    def transitive_closure(self) -> Self:
        """Smallest transitive relation that contains this one."""
        return self._with(algebra.closure(self.incidence))

    def transitive_reduction(self) -> Self:
        """Return the pairs with nothing between them; the transitive closure restores the others.

        Each cycle (or class of indifferent algorithms in a weak relation) is kept as one cycle. The diagonal stays.
        """
        by_name = np.argsort(np.array(self.algorithms))
        small = np.zeros_like(self.incidence)
        small[np.ix_(by_name, by_name)] = algebra.reduction(self.incidence[np.ix_(by_name, by_name)])
        return self._with(small | np.diag(self.incidence.diagonal()))

    def restrict(self, algorithms: Iterable[str]) -> Self:
        """Keep some of the algorithms, in the order given."""
        if isinstance(algorithms, tuple) and algorithms == self.algorithms:
            return self
        at = positions(self.algorithms, algorithms, "algorithms")
        return type(self)(self.incidence[np.ix_(at, at)], tuple(self.algorithms[i] for i in at))

    def rename(self, names: Mapping[str, str]) -> Self:
        """Give algorithms new names, old to new."""
        if not isinstance(names, Mapping) or not all(isinstance(new, str) for new in names.values()):
            raise InputError(f"`names` must be a mapping from old to new names; got {shown(names)}.")
        positions(self.algorithms, names, "names")
        return type(self)(self.incidence, tuple(names.get(name, name) for name in self.algorithms))

    # Places and orders

    @property
    def best(self) -> tuple[str, ...]:
        """The algorithms that no other is better than, by name."""
        return self._names(np.flatnonzero(~self.better.any(axis=0)))

    @property
    def worst(self) -> tuple[str, ...]:
        """The algorithms that are not better than any other, by name."""
        return self._names(np.flatnonzero(~self.better.any(axis=1)))

    def ranks(self) -> pd.Series[float]:
        """Rank of each algorithm, 1 for the best.

        The rank is 1 + the number of better algorithms + half the number of those neither better nor worse. For a
        weak order these are the usual mid-ranks.

        Examples
        --------
        >>> import podium
        >>> podium.Relation.from_chain("a < b ~ c").ranks().to_dict()
        {'a': 1.0, 'b': 2.5, 'c': 2.5}
        """
        return pd.Series(algebra.mid_ranks(self.better), index=list(self.algorithms), name="rank")

    @property
    def chain(self) -> str | None:
        """The relation as a chain, or None if it is not a weak order."""
        weak = self.better | self.indifferent
        if self.incomparable.any() or not has_property("transitive", weak):
            return None
        return write_chain(self.levels())

    def classes(self) -> tuple[tuple[str, ...], ...]:
        """Classes of indifferent algorithms, by their ranks, best first; each is sorted by name."""
        transitive = check_property("transitive", self.indifferent, self.algorithms, 1)
        if not transitive:
            a, b, c = transitive.witnesses[0]
            raise InputError(
                f"There are no classes of indifferent algorithms: {a!r} ~ {b!r} and {b!r} ~ {c!r}, "
                f"but not {a!r} ~ {c!r}."
            )
        groups = [self._names(part) for part in algebra.groups(self.indifferent)]
        rank = self.ranks()
        return tuple(sorted(groups, key=lambda group: (rank[group[0]], group)))

    def levels(self) -> tuple[tuple[str, ...], ...]:
        """Algorithms by their height in the Hasse diagram (length of the longest chain of better ones), best first."""
        self._refuse_cycle("levels")
        height = algebra.levels(self.better)
        return tuple(self._names(np.flatnonzero(height == level)) for level in range(int(height.max()) + 1))

    def topological_sort(self) -> tuple[str, ...]:
        """All algorithms, better ones before worse ones; those not ordered by level and name."""
        return tuple(name for level in self.levels() for name in level)

    def count_linear_extensions(self) -> int:
        """Count the linear orders that keep every strict preference.

        Examples
        --------
        >>> import podium
        >>> podium.Relation.from_chain("a ~ b < c ~ d ~ e").count_linear_extensions()
        12
        """
        self._refuse_cycle("linear extensions")
        return count_extensions(self.better)

    def linear_extensions(self, limit: int = 1000) -> LinearExtensions:
        """List at most `limit` linear orders that keep every strict preference, sorted by name."""
        check_count(limit, "limit")
        self._refuse_cycle("linear extensions")
        by_name = np.argsort(np.array(self.algorithms))
        found = list(list_extensions(self.better[np.ix_(by_name, by_name)], limit))
        names = [self.algorithms[i] for i in by_name]
        orders = (type(self).from_ranks({names[i]: place for place, i in enumerate(order)}) for order in found[:limit])
        return LinearExtensions(
            orders=tuple(order.restrict(self.algorithms) for order in orders), exhausted=len(found) <= limit
        )

    def hasse(self) -> str:
        """Draw the Hasse diagram as text, to be read from the bottom up: the best are in the last line."""
        return hasse_text(self.better, self.algorithms)

    def same_preferences(self, other: Relation) -> bool:
        """Whether both prefer, equate and leave open the same pairs, whether strict or weak."""
        if set(self.algorithms) != set(expect(other, Relation, "other").algorithms):
            return False
        other = other.restrict(self.algorithms)
        return np.array_equal(self.better, other.better) and np.array_equal(self.incomparable, other.incomparable)

    # Tables, labels, comparison

    def frame(self) -> pd.DataFrame:
        """Return the incidence matrix as a table of 0 and 1 with names."""
        names = list(self.algorithms)
        return pd.DataFrame(self.incidence.astype(int), index=names, columns=names)

    def _names(self, chosen: IntArray) -> tuple[str, ...]:
        return tuple(sorted(self.algorithms[i] for i in chosen))

    def _with(self, incidence: BoolArray) -> Self:
        return type(self)(incidence, self.algorithms)

    def _aligned(self, other: Relation) -> BoolArray:
        """Return the matrix of another relation in this order of the algorithms; both must have the same ones."""
        own, others = set(self.algorithms), set(expect(other, Relation, "other").algorithms)
        if own != others:
            raise LabelError(
                "Both relations must be on the same algorithms; only in the first: "
                f"{join_names(sorted(own - others)) or 'none'}; only in the second: "
                f"{join_names(sorted(others - own)) or 'none'}. Use `restrict`."
            )
        return other.restrict(self.algorithms).incidence

    def _refuse_cycle(self, what: str) -> None:
        """Refuse strict preferences that contain a cycle; `what` is what does not exist then."""
        if not algebra.is_acyclic(self.better):
            cycle = algebra.shortest_cycle(self.better)
            names = " < ".join(self.algorithms[i] for i in [*cycle, cycle[0]])
            raise InputError(
                f"A relation whose strict preferences contain a cycle has no {what}: {names}. "
                f"Use its `transitive_closure()`, or a consensus that breaks the cycle."
            )

    def __len__(self) -> int:
        return len(self.algorithms)

    __or__ = union
    __and__ = intersection
    __invert__ = complement

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Relation):
            return NotImplemented
        if set(self.algorithms) != set(other.algorithms):
            return False
        return np.array_equal(self.incidence, other.restrict(self.algorithms).incidence)

    def __hash__(self) -> int:
        ordered = self.restrict(tuple(sorted(self.algorithms)))
        return hash((ordered.algorithms, ordered.incidence.tobytes()))

    def __str__(self) -> str:
        stated = self.indifferent if self.reading == "weak" else np.eye(len(self), dtype=bool)
        return self.chain or write_pairs(self.better, stated, self.algorithms)

    def __repr__(self) -> str:
        return f"<Relation, {self.kind}: {self}>"

    def _repr_html_(self) -> str:
        kind = f'<div style="color:#6B7079">{html.escape(self.kind)}</div>'
        return f"<div>{chain_html(str(self))}{kind}{diagram_svg(self.better, self.algorithms)}</div>"


@record()
class LinearExtensions:
    """Linear orders that extend a relation.

    Attributes
    ----------
    orders : tuple of Relation
    exhausted : bool
        Whether these are all of them; False if the limit truncated the list.
    """

    orders: tuple[Relation, ...]
    exhausted: bool

    def __len__(self) -> int:
        return len(self.orders)

    def __iter__(self) -> Iterator[Relation]:
        return iter(self.orders)

    def _repr_html_(self) -> str:
        chains = [(str(number), str(order)) for number, order in enumerate(self.orders[:20], 1)]
        more = [("", "and more")] if len(self.orders) > 20 or not self.exhausted else []
        return described("linear extensions", [*chains, *more])


def _refuse_not_numeric(thing: object, argument: str) -> None:
    """Refuse what cannot hold numbers, and say how to make a relation from it."""
    if isinstance(thing, str) or not isinstance(thing, Mapping | Sequence | np.ndarray | pd.Series | pd.DataFrame):
        raise InputError(f"`{argument}` must be numbers; got {describe(thing)}. {conversion_hint(thing, Relation)}")


def _as_incidence(matrix: npt.ArrayLike, size: int, argument: str) -> BoolArray:
    """Take a square matrix of 0 and 1, as a copy that cannot be written to."""
    given = matrix if isinstance(matrix, np.ndarray) and matrix.dtype == np.bool_ else as_numbers(matrix, argument)
    if given.shape != (size, size):
        raise InputError(
            f"`{argument}` must have a row and a column for each of the {size} algorithms; got shape {given.shape}."
        )
    incidence = given.astype(np.bool_)  # a copy
    odd = given != incidence
    if odd.any():
        values = join_names([f"{value:g}" for value in np.unique(given[odd])], quote=False)
        raise InputError(f"`{argument}` must hold 0 and 1 only; got {values}.")
    incidence.flags.writeable = False
    return incidence
