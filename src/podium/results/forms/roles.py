"""Roles of the columns of a table, recognised by their names."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

from podium.checks import did_you_mean, shown
from podium.errors import AmbiguousInputError, InputError, LabelError, join_names

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
    "independent",
    "planned",
    "direction",
    "units",
    "scale",
]
ROLES: tuple[Role, ...] = get_args(Role)
Roles: TypeAlias = dict[Role, Any]

UNNAMED = "(index)"  # the column in which an index without a name is kept

# Names seen in the tables of autorank, scikit-posthocs, critdd, cd-diagram, mlr3, benchopt, AMLB and OpenML.
SYNONYMS: Mapping[Role, str] = {
    "dataset": "dataset datasets datasetname dataname data task taskname taskid problem",
    "replication": "replication replications replicate rep sample samples samp iteration iter run bootstrap case",
    "algorithm": "algorithm algorithms algorithmname alg algo classifier classifiername learner learnername learnerid"
    " model modelname method methodname estimator estimatorname solver solvername candidate framework",
    "measure": "measure measures measurename metric metricname performance performances criterion",
    "value": "value values score result",
    "reason": "reason status",
    "repeat": "repeat repeats repetition",
    "fold": "fold folds",
    "n_learn": "nlearn nlearning ntrain trainsize learnsize",
    "n_test": "ntest testsize",
    "independent": "independent",
    "planned": "planned",
    "direction": "direction",
    "units": "units unit",
    "scale": "scale",
}
_ROLE_OF = {name: role for role, names in SYNONYMS.items() for name in names.split()}


def role_of(name: object) -> Role | None:
    """Return the role that a column's name suggests, if any."""
    return _ROLE_OF.get(re.sub(r"[^a-z0-9]", "", str(name).lower()))


def find_roles(names: Iterable[Hashable], columns: Mapping[str, Any] | None = None) -> Roles:
    """Match column names to roles; `columns` maps roles to names and wins over any guess.

    >>> find_roles(["classifier_name", "dataset_name", "accuracy"])
    {'algorithm': 'classifier_name', 'dataset': 'dataset_name'}
    """
    names = list(names)
    roles = _given_roles(names, columns or {})
    guesses: dict[Role, list[Hashable]] = {}
    for name in names:
        found = role_of(name)
        if found is not None and found not in roles and name not in roles.values():
            guesses.setdefault(found, []).append(name)
    for role, candidates in guesses.items():
        exact = [name for name in candidates if str(name).lower() == role]
        if len(candidates) > 1 and len(exact) != 1:
            raise AmbiguousInputError(
                f"The columns {join_names(candidates)} could each be the {role}. Say which one is: columns={{{role!r}: "
                f"{candidates[0]!r}}}.",
                remedy={"columns": {role: candidates[0]}},
            )
        roles[role] = exact[0] if exact else candidates[0]
    return roles


def _given_roles(names: list[Hashable], columns: Mapping[str, Any]) -> Roles:
    roles: Roles = {}
    for word, column in columns.items():
        role = next((known for known in ROLES if known == word), None)
        if role is None:
            raise InputError(
                f"`columns` maps roles to columns, such as {{'algorithm': 'clf'}}; {shown(word)} is not a role. The "
                f"roles are {join_names(ROLES, most=20)}.{did_you_mean(word, ROLES)}"
            )
        if not isinstance(column, Hashable) or column not in names:
            raise LabelError(
                f"`columns` maps {role!r} to the column {shown(column)}, which the table does not have; its columns "
                f"are {join_names([name for name in names if name != UNNAMED], most=12)}.{did_you_mean(column, names)}"
            )
        if column in roles.values():
            raise InputError(f"`columns` gives two roles to the column {column!r}; a column has one.")
        roles[role] = column
    return roles
