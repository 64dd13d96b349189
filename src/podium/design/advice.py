"""Advice on a design before anything is run: what it cannot answer, or answers badly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from podium.checks import check_call
from podium.design.algorithm import Algorithm
from podium.design.dataset import Dataset
from podium.design.description import counted, filled
from podium.design.factories import EncodedFactory, EstimatorFactory
from podium.design.identity import identify
from podium.design.resampling import (
    Bootstrap,
    CrossValidation,
    FreshDraws,
    Resampling,
    Reserve,
    SklearnSplitter,
)
from podium.design.resampling.schemes import is_named
from podium.design.spec.experiment_like import ExperimentLike
from podium.errors import join_names
from podium.typesetting.html import described

_FEW_REPLICATIONS = 20  # repeats × folds, notes on Demšar (2006)
_SMALL_TEST = 10
_IMBALANCE = 0.9
_LARGE_TEST = 1000
_LOOKED_AT = 50  # replications of one data set
_LOOKED_AT_IN_ALL = 2000
_COUNTING = ("misclassification", "accuracy")


@check_call
@dataclass(frozen=True)
class Advice:
    """One weakness of a design.

    Attributes
    ----------
    topic : str
        What it is about; the same words in every version.
    finding : str
        What the design has or lacks.
    reason : str
        Why that matters.
    way_out : str
        A remedy.
    """

    topic: str
    finding: str
    reason: str
    way_out: str

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = 100) -> str:
        """Return it as plain text, in lines of at most `width` characters where words allow it."""
        return f"{self.topic}\n" + filled(f"{self.finding} {self.reason} {self.way_out}", width, indent=2)

    def _repr_html_(self) -> str:
        facts = [("finding", self.finding), ("reason", self.reason), ("way out", self.way_out)]
        return described(self.topic, facts)


class AdviceList(list[Advice]):
    """All advice on a design; a notebook shows it one below the other."""

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self) or "<div>No advice on this design.</div>"


def advise(experiment: ExperimentLike) -> list[Advice]:
    """Review a design; see `Experiment.advice`."""
    scheme = experiment.resampling
    inner = scheme.then if isinstance(scheme, Reserve) else scheme
    found = AdviceList()
    unknown = is_named(inner)  # a splitter of the author's own, which is not imported
    found += _replications(inner)
    found += _folds(inner)
    found += () if unknown else _test_samples(experiment, inner)
    found += _data_sets(experiment)
    found += () if unknown else _groups(experiment, inner)
    found += () if unknown else _classes(experiment, inner)
    found += _controls(experiment)
    found += _tuning(experiment, inner)
    found += _imbalance(experiment)
    found += _content(experiment)
    return found


def _content(experiment: ExperimentLike) -> Iterator[Advice]:
    if experiment.modules:
        yield Advice(
            "code not imported",
            f"The design names code of {join_names(experiment.modules)}, which is imported by a run, not before.",
            "Whether that code exists, accepts its parameters and does what its name says is unknown until then.",
            "Read it before you run someone else's design; `podium run --dry-run` imports it and tries it.",
        )
        return
    for thing in (*experiment.datasets, experiment.resampling, *experiment.algorithms, *experiment.measures):
        problem = identify(thing, name=getattr(thing, "name", "the resampling")).problem
        if problem:
            yield Advice(
                "unknown content",
                f"A part has no content that can be read: {problem}.",
                "It is not known whether two runs use the same one, so its trials cannot be resumed.",
                "Make that part when the model is fitted, or resume with accept='unknown'.",
            )


# ---- replications ---------------------------------------------------------------------------------------------------


def _replications(scheme: Resampling) -> Iterator[Advice]:
    b = scheme.replications
    if b == 1:
        yield Advice(
            "one replication",
            "There is a single learning sample per data set.",
            "It cannot show how much the performance varies with the sample, and no test on a single data set is "
            "possible.",
            "Use bootstrap or subsampling with 100 replications or more.",
        )
    elif b < _FEW_REPLICATIONS and not _is_five_by_two(scheme):
        yield Advice(
            "few replications",
            f"There are {b} replications per data set.",
            f"Repeats × folds should be at least {_FEW_REPLICATIONS}: with fewer, the estimates of performance and its "
            "spread are too rough to distinguish algorithms.",
            "Use more replications or repeats; 10 × 10 folds and 250 bootstrap samples are common.",
        )


def _folds(scheme: Resampling) -> Iterator[Advice]:
    folds = _number_of_folds(scheme)
    if folds is None or _is_five_by_two(scheme):
        return
    shared = "nothing" if folds == 2 else f"{folds - 2} of {folds - 1} parts"
    repeats = scheme.replications // folds
    again = "; learning samples of different repeats overlap as well" if repeats > 1 else ""
    yield Advice(
        "dependent folds",
        f"Replications are the folds of a {folds}-fold cross-validation.",
        f"They depend on each other: two learning samples of one repeat share {shared} of their observations, and "
        f"each test sample is part of all other learning samples{again}. Tests that assume independent replications "
        "(t, Wilcoxon, Friedman, mixed models on one data set) then find too many differences that do not exist "
        "(Nadeau and Bengio, 2003).",
        "Use bootstrap or subsampling, or 5x2cv with its F test, or a t test corrected for the overlap.",
    )


def _is_five_by_two(scheme: Resampling) -> bool:
    return _number_of_folds(scheme) == 2 and scheme.replications == 10


def _number_of_folds(scheme: Resampling) -> int | None:
    return scheme.folds if isinstance(scheme, CrossValidation | SklearnSplitter) else None


def _test_samples(experiment: ExperimentLike, scheme: Resampling) -> Iterator[Advice]:
    if isinstance(scheme, FreshDraws):
        if scheme.test == "fixed" and scheme.n_test < _LARGE_TEST:
            yield Advice(
                "small fixed test sample",
                f"One test sample of {scheme.n_test} observations serves all replications.",
                "Its peculiarities favour the same algorithm in every replication and do not average out.",
                f"Draw a new test sample each time (test: new), or at least {_LARGE_TEST:,} observations.",
            )
        return
    sizes = {d.name: len(experiment.sample(d.name, 1).test) for d in experiment.datasets}
    small = [f"{name} ({size})" for name, size in sizes.items() if size < _SMALL_TEST]
    if small:
        yield Advice(
            "small test samples",
            f"Test samples have fewer than {_SMALL_TEST} observations in {join_names(small, quote=False)}.",
            "A measure on so few observations can take only few values: replications tie, and tests lose power.",
            "Use fewer folds, a larger share for testing, or bootstrap (0.368 of the observations are tested).",
        )


# ---- data sets ------------------------------------------------------------------------------------------------------


def _data_sets(experiment: ExperimentLike) -> Iterator[Advice]:
    problems = experiment.datasets
    families = experiment.factors.datasets
    if len(problems) == 1:
        yield Advice(
            "one data set",
            f"There is one data set, {problems[0].name}.",
            "All replications are samples of this data set, however many there are: an order of the algorithms holds "
            "for it, not for a domain of problems.",
            "State this in the report, or add data sets of the domain.",
        )
    elif "family" in families and families["family"].nunique() == 1:
        yield Advice(
            "one process",
            f"All data sets are settings of {families['family'].iloc[0]}.",
            "They are chosen levels of a factor, not a sample of a domain; a test over data sets would treat them as "
            "one.",
            "Analyse performance against the factor levels (`experiment.factors`), one data set at a time.",
        )
    elif len(problems) < 6:
        least = 2 * 0.5 ** len(problems)
        yield Advice(
            "few data sets",
            f"There are {len(problems)} data sets.",
            "In a test over data sets, each data set is one observation: even if one algorithm wins on all of them, "
            f"the p-value of a two-sided sign test is at least {least:.3g}.",
            "Add data sets of the domain (at least six, better twenty), or draw conclusions for each data set alone.",
        )


def _groups(experiment: ExperimentLike, scheme: Resampling) -> Iterator[Advice]:
    kept = getattr(scheme, "grouped", False) or (isinstance(scheme, SklearnSplitter) and scheme.keeps_groups)
    grouped = [d.name for d in experiment.datasets if isinstance(d, Dataset) and d.groups is not None]
    if grouped and not kept:
        yield Advice(
            "split groups",
            f"The observations of {join_names(grouped)} belong to groups, and the resampling does not keep them "
            "together.",
            "A group can then be in both the learning and the test sample, and errors are underestimated.",
            "Use cross-validation with grouped: true, or scikit-learn's GroupShuffleSplit.",
        )


def _classes(experiment: ExperimentLike, scheme: Resampling) -> Iterator[Advice]:
    """Check whether one of the first samples lacks a class."""
    if isinstance(scheme, FreshDraws):
        return
    looked_at = min(scheme.replications, _LOOKED_AT, max(1, _LOOKED_AT_IN_ALL // len(experiment.datasets)))
    for problem in experiment.datasets:
        data = experiment.dataset(problem.name)
        if problem.task != "classification" or data.y is None:
            continue
        codes, classes = data.y.cat.codes.to_numpy(), list(data.classes)
        lacking = np.zeros(len(classes), int)
        for replication in range(1, looked_at + 1):
            split = experiment.sample(problem.name, replication)
            lacking += (
                np.min([np.bincount(codes[s], minlength=len(classes)) for s in (split.learn, split.test)], 0) == 0
            )
        if lacking.any():
            worst = int(lacking.argmax())
            size = int((codes == worst).sum())
            yield Advice(
                "small class",
                f"The class {str(classes[worst])!r} of {problem.name} has {counted(size, 'observation')}; the learning "
                f"or the test sample lacks it in {lacking[worst]} of the first {looked_at} replications.",
                "Algorithms cannot predict a class that they have not seen, some fail, and measures per class (recall, "
                "AUC) are undefined if the test sample lacks it.",
                "Stratify, use fewer folds, merge the class with another, or leave it out.",
            )


# ---- algorithms and measures ----------------------------------------------------------------------------------------

_CONTROLS = re.compile(
    r"\b(constant|dummy|majority|baseline|featureless|zeror|guess)|Dummy(Classifier|Regressor)", re.I
)


def _controls(experiment: ExperimentLike) -> Iterator[Advice]:
    if len(experiment.algorithms) == 1:
        yield Advice(
            "nothing to compare",
            f"There is one algorithm, {experiment.algorithms[0].name}.",
            "A benchmark experiment compares candidates with each other.",
            "Add its competitors, and a control such as constant.",
        )
        return
    supervised = any(d.task != "unsupervised" for d in experiment.datasets)
    if supervised and not any(_is_control(algorithm) for algorithm in experiment.algorithms):
        yield Advice(
            "no control",
            "No algorithm is a control that ignores the attributes.",
            "Without one it is unclear whether the best algorithm has learned anything: with skewed classes, guessing "
            "may reach an error of 10%.",
            "Add the candidate constant (majority class, mean response).",
        )


def _is_control(algorithm: Algorithm) -> bool:
    spec = algorithm.spec or {}
    return any(_CONTROLS.search(str(word)) for word in (algorithm.name, spec.get("candidate"), spec.get("class")))


def _tuning(experiment: ExperimentLike, scheme: Resampling) -> Iterator[Advice]:
    searching = [a.name for a in experiment.algorithms if _searches(a.make)]
    if searching and isinstance(scheme, Bootstrap):
        yield Advice(
            "tuning on copies",
            f"Within bootstrap samples, {join_names(searching)} {'tunes' if len(searching) == 1 else 'tune'} by "
            "cross-validation.",
            "Copies of an observation are then in both parts of the inner cross-validation, which rewards overfitting.",
            "Use subsampling, or podium's candidates, which keep copies together when they tune.",
        )


def _searches(factory: object) -> bool:
    """Return whether models are tuned by a search of scikit-learn, also inside a pipeline or behind an encoder."""
    if isinstance(factory, EncodedFactory):
        return _searches(factory.inner)
    if not isinstance(factory, EstimatorFactory):
        return False
    parts = [factory.estimator, *factory.estimator.get_params(deep=True).values()]
    return any(hasattr(part, "fit") and hasattr(part, "cv") and hasattr(part, "refit") for part in parts)


def _imbalance(experiment: ExperimentLike) -> Iterator[Advice]:
    counting = [(m.spec or {}).get("measure") in _COUNTING or m.info.scale == "log" for m in experiment.measures]
    if not all(counting) or isinstance(experiment.resampling, FreshDraws):
        return
    skewed = []
    for problem in experiment.datasets:
        if problem.task == "classification":
            y = experiment.dataset(problem.name).y
            assert y is not None
            share = float(np.max(y.value_counts(normalize=True)))
            if share >= _IMBALANCE:
                skewed.append(f"{problem.name} ({share:.0%})")
    if skewed:
        yield Advice(
            "skewed classes",
            f"One class has 90% of the observations or more in {join_names(skewed, quote=False)}.",
            "Counting errors then rewards ignoring the rare classes.",
            "Add a measure that does not: balanced error, AUC or F1.",
        )
