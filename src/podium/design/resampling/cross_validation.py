"""Cross-validation: k-fold, repeated, stratified, grouped, and 5×2 cv."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from podium.checks import check_call
from podium.design.dataset import Dataset
from podium.design.resampling.split import Scheme, Split, check_split, strata_of
from podium.design.sample import Indices
from podium.design.seeds import rng_for
from podium.design.spec.entry import Count, TwoOrMore
from podium.errors import InputError


@check_call
@dataclass(frozen=True, kw_only=True)
class CrossValidation(Scheme):
    """Each observation is tested once in each repeat, by a model learned on the other folds.

    Parameters
    ----------
    folds : int, default 10
        Number of folds.
    repeats : int, default 1
        How many times the observations are assigned to folds.
    stratify : bool, default False
        Spread each class evenly over the folds, up to one observation.
    grouped : bool, default False
        Keep the observations of a group in one fold; needs `groups` in the data set.

    Notes
    -----
    Replication number ``(repeat - 1) * folds + fold``. Learning samples of one repeat overlap, so replications
    depend on each other; tests for this structure (5×2 cv, corrected t) take it into account.

    Examples
    --------
    >>> import podium
    >>> podium.CrossValidation(folds=10, repeats=10, stratify=True).describe()
    'stratified 10-fold cross-validation, repeated 10 times'
    """

    scheme: ClassVar[str] = "cross-validation"

    folds: TwoOrMore = field(default=10, kw_only=False)
    repeats: Count = 1
    stratify: bool = False
    grouped: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stratify and self.grouped:
            raise InputError(
                "`stratify` and `grouped` cannot be combined; choose one, or use scikit-learn's StratifiedGroupKFold, "
                "which keeps groups together and stratifies as far as possible.",
                path=("grouped",),
            )

    @classmethod
    def five_by_two(cls, *, stratify: bool = True) -> CrossValidation:
        """Five repeats of 2-fold cross-validation (Dietterich 1998), stratified by default.

        >>> import podium
        >>> podium.CrossValidation.five_by_two().replications
        10
        """
        return cls(folds=2, repeats=5, stratify=stratify)

    @property
    def replications(self) -> int:
        """Number of folds times number of repeats."""
        return self.folds * self.repeats

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication."""
        check_split(dataset, replication, self)
        repeat, fold = divmod(int(replication) - 1, self.folds)
        rng = rng_for(seed, "cross-validation", dataset.name, repeat + 1)
        fold_of = self._deal_groups(dataset, rng) if self.grouped else self._deal(dataset, rng)
        tested = fold_of == fold
        return Split(rng.permutation(np.flatnonzero(~tested)), np.flatnonzero(tested), repeat + 1, fold + 1)

    def describe(self) -> str:
        """Describe the scheme in words."""
        kind = "stratified " if self.stratify else "grouped " if self.grouped else ""
        again = f", repeated {self.repeats} times" if self.repeats > 1 else ""
        return f"{kind}{self.folds}-fold cross-validation{again}"

    def _deal(self, dataset: Dataset, rng: np.random.Generator) -> Indices:
        """Assign the shuffled observations, class after class, to the folds in turn."""
        n = len(dataset)
        if n < self.folds:
            raise InputError(f"`folds={self.folds!r}` is more than the {n} observations of {dataset.name!r}.")
        strata = strata_of(dataset, self.stratify)
        shuffled = rng.permutation(n)
        order = shuffled[np.argsort(strata[shuffled], kind="stable")]
        fold_of = np.empty(n, np.intp)
        fold_of[order] = np.arange(n) % self.folds
        return fold_of

    def _deal_groups(self, dataset: Dataset, rng: np.random.Generator) -> Indices:
        """Assign each group, in random order, to the fold that is smallest so far.

        Fold sizes then differ by at most the size of the largest group.
        """
        if dataset.groups is None:
            raise InputError(
                f"`grouped=True` needs groups, and {dataset.name!r} has none. Name the column that holds them: "
                "podium.Dataset(..., groups=...)."
            )
        _, group_of, sizes = np.unique(dataset.groups, return_inverse=True, return_counts=True)
        if len(sizes) < self.folds:
            raise InputError(f"`folds={self.folds!r}` is more than the {len(sizes)} groups of {dataset.name!r}.")
        filled = np.zeros(self.folds, np.intp)
        fold_of_group = np.empty(len(sizes), np.intp)
        for group in rng.permutation(len(sizes)):
            fold = int(np.argmin(filled))
            fold_of_group[group] = fold
            filled[fold] += sizes[group]
        return fold_of_group[group_of.reshape(-1)]
