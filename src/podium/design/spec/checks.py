"""Checks of a whole design, before anything is fitted."""

from __future__ import annotations

from podium.design.candidates import CANDIDATES
from podium.design.dataset import Dataset
from podium.design.factories import estimated_task
from podium.design.generators import GENERATORS
from podium.design.measures import MEASURES
from podium.design.resampling import FreshDraws
from podium.design.resampling.schemes import is_named
from podium.design.sample import Task
from podium.design.spec.experiment_like import ExperimentLike
from podium.design.spec.parts import NOUNS, Part, placed
from podium.design.stopping import check_stopping
from podium.errors import DesignError, InputError, join_names


def check_design(experiment: ExperimentLike) -> None:
    """Refuse a design that cannot be run; the error carries the path of the offending entry."""
    _check_tasks(experiment)
    _check_samples(experiment)
    _check_positive(experiment)
    if experiment.stopping is not None:
        with placed("stopping"):
            algorithms, measures = (
                [thing.name for thing in part] for part in (experiment.algorithms, experiment.measures)
            )
            check_stopping(experiment.stopping, experiment.shape[1], algorithms, measures)


def _check_tasks(experiment: ExperimentLike) -> None:
    """Refuse measures and algorithms that do not support the tasks of the data sets."""
    for measure in experiment.measures:
        _check_task(experiment, "measures", measure.name, measure.tasks)
    for algorithm in experiment.algorithms:
        candidate = (algorithm.spec or {}).get("candidate", "")
        if candidate in CANDIDATES:
            _check_task(experiment, "algorithms", algorithm.name, tuple(CANDIDATES[candidate].models))
        elif (task := estimated_task(algorithm.make)) is not None:
            _check_task(experiment, "algorithms", algorithm.name, (task,))


def _check_positive(experiment: ExperimentLike) -> None:
    """Refuse a positive class that a data set does not have: the measure would be undefined on it."""
    for measure in experiment.measures:
        positive = (measure.spec or {}).get("positive")
        for problem in experiment.datasets if positive is not None else ():
            if isinstance(experiment.resampling, FreshDraws):
                continue
            classes = experiment.dataset(problem.name).classes
            if classes and positive not in classes:
                raise DesignError(
                    f"`positive` of the measure {measure.name!r} must be a class of each data set; {problem.name!r} "
                    f"has {join_names(classes, most=12)}, got {positive!r}.",
                    (*experiment.path_of("measures", measure.name), "positive"),
                )


def _check_task(experiment: ExperimentLike, part: Part, name: str, tasks: tuple[Task, ...]) -> None:
    unfit = [d for d in experiment.datasets if d.task not in tasks]
    if unfit:
        names = [d.name for d in unfit if d.task == unfit[0].task]
        have = "has" if len(names) == 1 else "have"
        raise DesignError(
            f"The {NOUNS[part]} {name!r} is for {' and '.join(tasks)}, but {join_names(names)} {have} the task "
            f"{unfit[0].task}. {_way_out(part, unfit[0].task)}",
            experiment.path_of(part, name),
        )


def _way_out(part: Part, task: Task) -> str:
    if part == "measures":
        return f"Measures for {task} are {join_names([m.name for m in MEASURES.values() if task in m.tasks], most=30)}."
    known = [entry.name for entry in CANDIDATES.values() if task in entry.models]
    return f"Candidates for {task} are {join_names(known, most=30)}." if known else "Use your own algorithm."


def _check_samples(experiment: ExperimentLike) -> None:
    """Draw the first samples of each data set, to find out at once whether the scheme suits it."""
    fresh = isinstance(experiment.resampling, FreshDraws)
    for problem in experiment.datasets:
        if fresh and isinstance(problem, Dataset):
            name = problem.name
            way_out = f"Write {{generator: {name}}}, or resample" if name in GENERATORS else "Resample"
            raise DesignError(
                f"Fresh draws need a data generating process, but {name!r} is a finite data set. "
                f"{way_out} it by bootstrap, subsampling or cross-validation.",
                experiment.path_of("datasets", problem.name),
            )
        if not fresh and not is_named(experiment.resampling):
            try:
                experiment.sample(problem.name, 1)
            except InputError as error:
                raise DesignError(str(error), experiment.path_of("datasets", problem.name)) from error
