"""What the columns of a table stand for, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

from podium.errors import AmbiguousInputError, InputError, LabelError, listing

Role: TypeAlias = Literal[
    "dataset",
    "replication",
    "algorithm",
    "measure",
    "value",
    "reason",
    "repeat",
    "fold",
    "n_learn",
    "n_test",
    "direction",
    "unit",
    "scale",
]
ROLES: tuple[Role, ...] = get_args(Role)

# Names seen in the tables of autorank, scikit-posthocs, critdd, cd-diagram, mlr3, benchopt, AMLB and OpenML.
_SYNONYMS: Mapping[Role, str] = {
    "dataset": "dataset datasets datasetname dataname data task taskname taskid problem",
    "replication": "replication replications replicate rep sample samples samp iteration iter run runid bootstrap",
    "algorithm": "algorithm algorithms algorithmname alg algo classifier classifiername learner learnername learnerid"
    " model modelname method methodname estimator estimatorname solver solvername candidate framework",
    "measure": "measure measures measurename metric metricname performance performances criterion",
    "value": "value values score result",
    "reason": "reason status",
    "repeat": "repeat repeats repetition",
    "fold": "fold folds",
    "n_learn": "nlearn nlearning ntrain trainsize learnsize",
    "n_test": "ntest testsize",
    "direction": "direction",
    "unit": "unit",
    "scale": "scale",
}
_ROLE_OF = {name: role for role, names in _SYNONYMS.items() for name in names.split()}


def find_roles(names: Iterable[object], told: Mapping[str, str] | None = None) -> dict[Role, object]:
    """Match column names to roles; `told` maps roles to columns and wins over any guess.

    >>> find_roles(["classifier_name", "dataset_name", "accuracy"])
    {'algorithm': 'classifier_name', 'dataset': 'dataset_name'}
    """
    names = list(names)
    roles: dict[Role, object] = {}
    for role, column in (told or {}).items():
        if role not in ROLES:
            raise InputError(f"`columns` has the key {role!r}; the keys are {listing(ROLES, most=20)}.")
        if column not in names:
            raise LabelError(
                f"`columns` maps {role!r} to the column {column!r}, which the table does not have; "
                f"its columns are {listing(names, most=12)}."
            )
        roles[role] = column  # type: ignore[index]
    guesses: dict[Role, list[object]] = {}
    for name in names:
        found = _ROLE_OF.get(re.sub(r"[^a-z0-9]", "", str(name).lower()))
        if found is not None and found not in roles and name not in roles.values():
            guesses.setdefault(found, []).append(name)
    for role, candidates in guesses.items():
        exact = [name for name in candidates if str(name).lower() == role]
        if len(candidates) > 1 and len(exact) != 1:
            raise AmbiguousInputError(
                f"The columns {listing(candidates)} could each be the {role}. "
                f"Say which one is: columns={{{role!r}: {candidates[0]!r}}}."
            )
        roles[role] = exact[0] if exact else candidates[0]
    return roles
