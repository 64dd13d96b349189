"""`Reserve`: a share of the data is set aside first, and another scheme resamples the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np

from podium.checks import check_call, describe, expect
from podium.design.dataset import Dataset
from podium.design.resampling.cross_validation import CrossValidation
from podium.design.resampling.split import Resampling, Scheme, Split, strata_of
from podium.design.resampling.subsampling import share_in_words, split_fraction
from podium.design.sample import Indices
from podium.design.seeds import rng_for
from podium.design.spec.entry import Fractional, Ref, written_fraction
from podium.errors import InputError

AnyResampling: TypeAlias = Annotated[Resampling, Ref("resampling")]


@check_call
@dataclass(frozen=True, kw_only=True)
class Reserve(Scheme):
    """Set a share of each data set aside once, and draw all samples from the rest.

    No replication uses the reserve. It is meant for the algorithm that is finally chosen: the choice does not bias
    its error on the reserve. This is the design of Ulaş, Yıldız and Alpaydın (2008), section
    4.1.3: one third aside, stratified 5×2 cross-validation on the rest.

    Parameters
    ----------
    fraction : float, default 1/3
        Share of the observations that is set aside, rounded to whole observations.
    then : Resampling, default `CrossValidation.five_by_two()`
        The scheme for the rest.
    stratify : bool, default False
        Set that share of each class aside.

    Examples
    --------
    >>> import podium
    >>> podium.design.Reserve().replications
    10
    """

    scheme: ClassVar[str] = "reserve"

    fraction: Fractional = 1 / 3
    then: AnyResampling = field(default_factory=CrossValidation.five_by_two)
    stratify: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.then, Resampling) or isinstance(self.then, type) or hasattr(self.then, "draw"):
            raise InputError(
                f"`then` must be a scheme that resamples, such as CrossValidation(); got {describe(self.then)}.",
                path=("then",),
            )
        if getattr(self.then, "grouped", False):
            raise InputError(
                "`then` keeps groups together, and a reserve does not. Use grouped=False.",
                path=("then", "grouped"),
            )

    @property
    def replications(self) -> int:
        """Number of replications of the scheme for the rest."""
        return self.then.replications

    @property
    def spec(self) -> Mapping[str, Any] | None:
        """The scheme as it is written in a design file; None if the inner scheme has no file form."""
        own, inner = super().spec, self.then.spec
        return None if own is None or inner is None else {self.scheme: {**own[self.scheme], "then": dict(inner)}}

    def reserved(self, dataset: Dataset, seed: int) -> Indices:
        """Return the positions that were set aside."""
        return self._parts(dataset, seed).learn

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication from what was not set aside."""
        rest = self._parts(dataset, seed).test
        if dataset.classes and dataset.y is not None and dataset.y.iloc[rest].nunique() < 2:
            raise InputError(
                f"Setting {written_fraction(self.fraction)} of {dataset.name!r} aside leaves only one of its "
                f"{len(dataset.classes)} classes. Use a smaller fraction or stratify=True."
            )
        inner = self.then.split(_part(dataset, rest), replication, seed)
        return Split(rest[inner.learn], rest[inner.test], inner.repeat, inner.fold)

    def describe(self) -> str:
        """Describe the scheme in words."""
        aside = share_in_words(self.fraction, self.stratify)
        return f"{self.then.describe()}, after {aside} had been set aside"

    def _parts(self, dataset: Dataset, seed: int) -> Split:
        """Split into the reserve (as `learn`, sorted) and the rest (as `test`)."""
        rng = rng_for(seed, "reserve", expect(dataset, Dataset, "dataset").name)
        parts = split_fraction(strata_of(dataset, self.stratify), self.fraction, rng, dataset.name)
        return Split(np.sort(parts.learn), parts.test)


def _part(dataset: Dataset, positions: Indices) -> Dataset:
    """Take some observations as a data set of the same name."""
    groups = None if dataset.groups is None else np.asarray(dataset.groups)[positions]
    y = None if dataset.y is None else dataset.y.iloc[positions]
    return replace(dataset, X=dataset.X.iloc[positions], y=y, groups=groups)
