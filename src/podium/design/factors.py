"""Factors: a grid over parameters expands to named candidates or data sets that keep their levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.checks import check_call, expect, shown
from podium.design.spec.objects import text_of
from podium.errors import InputError, LabelError, at_path, join_names

Levels: TypeAlias = Mapping[str, Any]
MAX_CANDIDATES = 100_000  # of one grid
FactorAxis: TypeAlias = Literal["dataset", "algorithm"]


@check_call
@dataclass(frozen=True, eq=False)
class Grid:
    """Something with parameters, and the levels at which they are tried; made by `podium.grid`.

    Attributes
    ----------
    base : object
        What has the parameters: an algorithm or a data generating process, or the name of one.
    blocks : tuple of mappings
        Each maps factor names to their levels, and stands for all combinations of them.
    """

    base: Any
    blocks: tuple[Mapping[str, tuple[Any, ...]], ...]

    def combinations(self) -> Iterator[dict[str, Any]]:
        """Yield the levels of each candidate, the last factor varying fastest."""
        for block in self.blocks:
            yield from combinations(block)

    def __len__(self) -> int:
        return sum(prod(len(levels) for levels in block.values()) for block in self.blocks)

    @property
    def spec(self) -> Any:
        """The grid as it is written below the key ``grid`` of a design file."""
        blocks = [{name: list(levels) for name, levels in block.items()} for block in self.blocks]
        return blocks[0] if len(blocks) == 1 else blocks


def combinations(block: Mapping[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Yield all combinations of the levels of some factors, the last factor varying fastest."""
    for levels in product(*block.values()):
        yield dict(zip(block, levels, strict=True))


@check_call
def grid(base: Any, levels: Levels | Sequence[Levels] | None = None, /, **factors: Any) -> Grid:
    """Try an algorithm, or a data generating process, at several levels of its parameters.

    Varying hyperparameters of an algorithm is a tuning problem; varying parameters of a data generating process is a
    sensitivity analysis. Either way each combination becomes a separate candidate or data set, named after its levels,
    and `Experiment.factors` keeps the levels for the analysis.

    Parameters
    ----------
    base : str, Algorithm, estimator or Generator
        What has the parameters; a name is looked up where the grid is used.
    levels : mapping or list of mappings, optional
        Factor names and their levels, for names that are not Python identifiers; a list of mappings stands for the
        combinations of the first, then those of the second, and so on.
    **factors
        Factor names and their levels; all combinations are tried.

    Returns
    -------
    Grid
        For the `algorithms` or `datasets` of an `Experiment`.

    Examples
    --------
    >>> import podium
    >>> [*podium.grid("rf", trees=[100, 500], min_leaf=[1, 5]).combinations()]
    [{'trees': 100, 'min_leaf': 1}, {'trees': 100, 'min_leaf': 5}, {'trees': 500, 'min_leaf': 1}, {'trees': 500, ...}]
    """
    if levels is None:
        blocks: list[Levels] = [factors]
    elif factors:
        raise InputError("Give the levels of `grid` as a mapping or as keywords, not both.")
    else:
        blocks = [*levels] if isinstance(levels, list | tuple) else [levels]  # type: ignore[list-item]  # checked below
    if isinstance(base, Grid):
        raise InputError("`grid` cannot vary a grid; give all factors at once.")
    if not (isinstance(base, str | Mapping | tuple) or hasattr(base, "name") or hasattr(base, "fit") or callable(base)):
        raise InputError(
            "`base` must be an algorithm or a data generating process, or the name of one, such as "
            f"podium.grid('rf', trees=[100, 500]); got {shown(base)}."
        )
    checked = []
    for i, block in enumerate(blocks):
        with at_path(*([] if len(blocks) == 1 else [i])):
            checked.append(_checked(block))
    made = Grid(base, tuple(checked))
    if len(made) > MAX_CANDIDATES:
        raise InputError(
            f"`grid` makes {len(made):,} candidates of {shown(base)}, more than the {MAX_CANDIDATES:,} that one "
            "experiment can have. Use fewer levels, or search them inside the fit."
        )
    return made


def level_name(name: str, levels: Levels) -> str:
    """Name a candidate after its levels.

    >>> level_name("svm", {"kernel": "rbf", "cost": 0.1})
    'svm(kernel=rbf, cost=0.1)'
    """
    return f"{name}({', '.join(f'{factor}={text_of(level)}' for factor, level in levels.items())})"


def _checked(block: object) -> dict[str, tuple[Any, ...]]:
    if not isinstance(block, Mapping) or not block:
        raise InputError(f"`grid` must map at least one parameter to a list of levels; got {shown(block)}.")
    checked = {}
    for name, levels in block.items():
        if not isinstance(name, str):
            raise InputError(f"A parameter of `grid` must be named by text; got {shown(name)}.")
        several = isinstance(levels, Sequence | pd.Index) or (isinstance(levels, np.ndarray) and levels.ndim == 1)
        if isinstance(levels, str) or not several:
            raise InputError(f"`grid` must give {name!r} a list of levels; got {shown(levels)}.", path=(name,))
        plain = tuple(level.item() if isinstance(level, np.generic) else level for level in levels)
        if not plain:
            raise InputError(f"`grid` gives {name!r} no level.", path=(name,))
        twice = sorted(level for level, times in Counter(map(text_of, plain)).items() if times > 1)
        if twice:
            raise InputError(
                f"`grid` gives {name!r} the level {join_names(twice, quote=False)} twice. Levels must be written "
                "differently, because they name the candidates.",
                path=(name,),
            )
        checked[name] = plain
    return checked


@check_call
@dataclass(frozen=True, eq=False)
class Factors:
    """The factor levels of an experiment.

    Attributes
    ----------
    algorithms, datasets : DataFrame
        One row per candidate or data set that has factor levels, named by the index; the column ``family`` is what was
        varied, the others are the factors. No columns if there are no factors.
    """

    algorithms: pd.DataFrame
    datasets: pd.DataFrame

    def __post_init__(self) -> None:
        expect(self.algorithms, pd.DataFrame, "algorithms")
        expect(self.datasets, pd.DataFrame, "datasets")

    def __bool__(self) -> bool:
        return bool(len(self.algorithms.columns) or len(self.datasets.columns))

    def join(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Add the factor levels as columns to a long table with the columns ``algorithm`` or ``dataset``.

        A factor name that the table or the other frame already has gets the prefix ``algorithm_`` or ``dataset_``.

        Examples
        --------
        >>> import pandas as pd, podium
        >>> levels = pd.DataFrame({"family": ["knn"], "k": [5]}, index=pd.Index(["knn(k=5)"], name="algorithm"))
        >>> factors = podium.design.Factors(algorithms=levels, datasets=pd.DataFrame())
        >>> factors.join(pd.DataFrame({"algorithm": ["knn(k=5)"], "value": [0.2]}))
          algorithm  value family  k
        0  knn(k=5)    0.2    knn  5
        """
        axes: list[tuple[FactorAxis, pd.DataFrame]] = [("dataset", self.datasets), ("algorithm", self.algorithms)]
        present = [(axis, levels) for axis, levels in axes if len(levels.columns)]
        joined = expect(frame, pd.DataFrame, "frame")
        taken = [*frame.columns, *(name for _, levels in present for name in levels.columns)]
        for axis, levels in present:
            if axis not in frame.columns:
                raise LabelError(f"`frame` has no column {axis!r}, which the factor levels are joined on.")
            names = {name: f"{axis}_{name}" if taken.count(name) > 1 else name for name in levels.columns}
            joined = joined.join(levels.rename(columns=names), on=axis)
        return joined


def factor_frame(rows: Mapping[str, tuple[str, Levels]], axis: FactorAxis) -> pd.DataFrame:
    """Make the frame of one axis from the family and the levels of each name."""
    index = pd.Index(list(rows), name=axis, dtype=object)
    if not any(levels for _, levels in rows.values()):
        return pd.DataFrame(index=index)
    frame = pd.DataFrame([{"family": family, **levels} for family, levels in rows.values()], index=index)
    for factor in frame.columns.drop("family"):
        levels = [row[factor] for _, row in rows.values() if factor in row]
        if len(levels) < len(frame) and all(isinstance(x, int) and not isinstance(x, bool) for x in levels):
            frame[factor] = frame[factor].astype("Int64")  # where a level is missing, whole numbers stay whole
    return frame
