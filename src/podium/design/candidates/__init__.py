"""The candidates of the literature, ready by name, with their tuning rules.

Each candidate is defined in a module of this folder, named after it, as a `NamedCandidate`. To add one, add a module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from podium.checks import check_call, check_keys, did_you_mean
from podium.design.candidates.candidate import Candidate
from podium.design.parameter import Parameter
from podium.design.sample import Task
from podium.design.spec.objects import settings_in_words
from podium.errors import InputError, LabelError, join_names
from podium.registry import Registry

__all__ = ["CANDIDATES", "Candidate", "NamedCandidate", "candidates", "named_candidate"]


@dataclass(frozen=True)
class NamedCandidate:
    """A candidate known by name: what it is, how it is tuned, and its model for each task.

    Attributes
    ----------
    name : str
    title : str
        What it is.
    models : mapping
        Task to class of the model.
    rule : str
        How it is tuned.
    fixed : mapping
        Hyperparameters whose default differs from that of the model.
    settled_by : tuple of str
        Hyperparameters that replace the rule when they are set.
    """

    name: str
    title: str
    models: Mapping[Task, type[Candidate]]
    rule: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    settled_by: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The hyperparameters, those of all tasks together."""
        return {name: known for model in self.models.values() for name, known in model.parameters().items()}

    @property
    def defaults(self) -> dict[str, Any]:
        """The default of each hyperparameter."""
        return {name: known.default for name, known in self.parameters.items()} | dict(self.fixed)

    @property
    def description(self) -> str:
        """One sentence for a methods section."""
        return f"{self.title}: {self.rule}" if self.rule else self.title

    def described(self, parameters: Mapping[str, Any]) -> str:
        """The same sentence, with the hyperparameters that were set."""
        values = settings_in_words(parameters)
        if any(parameters.get(key) is not None for key in self.settled_by):
            return f"{self.title} with {values}"
        return f"{self.description}; here {values}" if values else self.description

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Refuse hyperparameters that the candidate does not have, and invalid values."""
        check_keys(parameters, self.parameters, f"The candidate {self.name!r}")
        for key, value in parameters.items():
            self.parameters[key].checked(value, key, f"the candidate {self.name!r}")

    def model(self, task: Task, parameters: Mapping[str, Any]) -> Candidate:
        """Return an unfitted model for a task."""
        if task not in self.models:
            others = [known.name for known in CANDIDATES.values() if task in known.models]
            way_out = f"Candidates for {task} are {join_names(others, most=30)}." if others else "No candidate is."
            raise InputError(f"The candidate {self.name!r} is not for {task}. {way_out}")
        kind = self.models[task]
        known, owner = kind.parameters(), f"the candidate {self.name!r}"
        check_keys(parameters, known, f"The candidate {self.name!r} for {task}")
        checked = {key: known[key].checked(value, key, owner) for key, value in parameters.items()}
        return kind(**{**self.fixed, **checked})


CANDIDATES: Registry[NamedCandidate] = Registry(__name__, NamedCandidate)


def named_candidate(name: str) -> NamedCandidate:
    """Return the candidate of this name."""
    if name not in CANDIDATES:
        raise LabelError(
            f"There is no candidate {name!r}. The candidates are {join_names(CANDIDATES, most=30)}; any other "
            f"algorithm can be given as an object with `fit`.{did_you_mean(name, CANDIDATES)}"
        )
    return CANDIDATES[name]


@check_call
def candidates() -> pd.DataFrame:
    """List the candidates known by name.

    Returns
    -------
    DataFrame
        One row per candidate: what it is, how it is tuned, for which tasks, and its hyperparameters.

    Examples
    --------
    >>> import podium
    >>> podium.candidates().loc["knn", "rule"]
    'k between 1 and √n by 10-fold cross-validation'
    """
    rows = [
        {
            "candidate": known.name,
            "title": known.title,
            "rule": known.rule,
            "tasks": ", ".join(known.models),
            "parameters": ", ".join(f"{key}={value!r}" for key, value in known.defaults.items()),
        }
        for known in CANDIDATES.values()
    ]
    return pd.DataFrame(rows).set_index("candidate")
