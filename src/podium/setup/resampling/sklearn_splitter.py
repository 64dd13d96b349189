"""Any splitter of scikit-learn as a resampling scheme."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from podium.errors import InputError
from podium.setup.dataset import Dataset
from podium.setup.resampling.split import Split, check_replication
from podium.setup.seeds import seed_for


@dataclass(frozen=True, kw_only=True)
class SklearnSplitter:
    """A scheme made from an object with ``split(X, y, groups)`` and ``get_n_splits()``.

    Parameters
    ----------
    splitter : object
        Such as ``sklearn.model_selection.StratifiedShuffleSplit(50)``. Its `random_state`, if it has one, is set from
        the seed of the experiment and the name of the data set.
    """

    splitter: Any

    def __post_init__(self) -> None:
        if not callable(getattr(self.splitter, "split", None)):
            raise InputError(f"`splitter` must have a method split(X, y, groups); got {type(self.splitter).__name__}.")

    @property
    def replications(self) -> int:
        """Number of splits the splitter makes."""
        try:
            return int(self.splitter.get_n_splits())
        except TypeError as error:
            raise InputError(
                f"{type(self.splitter).__name__} does not know its number of splits without data; "
                "use a splitter with a fixed number."
            ) from error

    @property
    def spec(self) -> Mapping[str, Any] | None:
        """None: a splitter object has no file form."""
        return None

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Take the split of one replication."""
        check_replication(replication, self.replications)
        splitter = deepcopy(self.splitter)
        if hasattr(splitter, "random_state") and getattr(splitter, "shuffle", True):
            splitter.random_state = seed_for(seed, "splitter", dataset.name) % 2**32
        splits = splitter.split(dataset.X, dataset.y, dataset.groups)
        learn, test = next(islice(splits, replication - 1, None))
        return Split(np.asarray(learn, np.intp), np.asarray(test, np.intp))

    def describe(self) -> str:
        """Describe the scheme in words."""
        return f"the scikit-learn splitter {self.splitter!r}"
