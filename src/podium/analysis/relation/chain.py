"""Chains of preference as text: ``rpart ~ svm < rf < nnet < knn ~ lda``, best first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from podium.analysis.relation.algebra import compose, is_acyclic, levels
from podium.arrays import BoolArray
from podium.checks import describe
from podium.errors import InputError, LabelError, join_names

BETTER = re.compile(r"[<≺]")
INDIFFERENT = re.compile(r"[~∼≈]")
_NO_NAME = re.compile(r"^[=>,;]|>$| [>≻=] |[,;] ")  # signs between names, not inside a name such as `depth=3`
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")  # settings, which may contain any sign


def parse_chain(text: str) -> list[list[str]]:
    """Split a chain into its classes, best first; ``<`` or ``≺`` is better than, ``~``, ``∼`` or ``≈`` indifferent."""
    if not isinstance(text, str):
        raise InputError(f"`chain` must be text such as 'a < b ~ c'; got {describe(text)}.")
    classes = [[name.strip() for name in INDIFFERENT.split(part)] for part in BETTER.split(text)]
    names = [name for group in classes for name in group]
    if not all(names):
        raise InputError(
            f"`chain` must be names with '<' (better than) or '~' (indifferent) between them, such as 'a < b ~ c'; "
            f"a name is missing in {text!r}."
        )
    alone = len(names) == 1
    strange = [name for name in names if _NO_NAME.search(_IN_BRACKETS.sub("", name)) or (alone and ">" in name)]
    if strange:
        raise InputError(
            f"`chain` must be names with '<' (better than) or '~' (indifferent) between them, best first, such as "
            f"'a < b ~ c'; there is {strange[0]!r} in {text!r}. Signs such as '>', '=' and commas are not supported; "
            "for preferences that do not form a chain use `Relation.from_strict` or `from_incidence`."
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LabelError(f"`chain` must name every algorithm once; {join_names(twice)} occurs twice in {text!r}.")
    return classes


def write_chain(classes: Iterable[Iterable[str]]) -> str:
    """Join classes to a chain; the members of a class are sorted by name."""
    return " < ".join(" ~ ".join(sorted(group)) for group in classes)


def write_pairs(better: BoolArray, indifferent: BoolArray, algorithms: Sequence[str]) -> str:
    """Write a relation that is not a chain: its reduction, or all its pairs if the reduction would not restore them.

    Strict preferences come first, starting with the best algorithms, then the indifferent pairs given.
    """
    through = compose(better, better)
    transitive = not (through & ~better).any()  # and then without cycles, as nothing is better than itself
    pairs = better & ~through if transitive else better
    height = levels(better) if transitive or is_acyclic(better) else np.zeros(len(better), int)
    order = sorted(np.argwhere(pairs).tolist(), key=lambda p: (height[p[0]], algorithms[p[0]], algorithms[p[1]]))
    parts = [f"{algorithms[i]} < {algorithms[j]}" for i, j in order]
    parts += sorted(
        " ~ ".join(sorted((algorithms[i], algorithms[j]))) for i, j in np.argwhere(np.triu(indifferent, 1)).tolist()
    )
    mentioned = better.any(axis=0) | better.any(axis=1) | (indifferent.sum(axis=1) > 1)
    parts += sorted(name for name, there in zip(algorithms, mentioned, strict=True) if not there)
    return ", ".join(parts)
