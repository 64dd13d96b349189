"""A design in the formal notation of benchmark experiments.

The symbols are those of Hothorn et al. (2005), extended to several data sets and measures by Eugster (2011), chapter 1
and list of symbols: data sets 𝔏_m, learning samples 𝔏_m^b, test samples 𝔗_m^b, algorithms a_k, measures p_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from podium.checks import check_call
from podium.design.algorithm import Algorithm
from podium.design.columns import attributes_in_words
from podium.design.dataset import Dataset, Generator
from podium.design.factories import CandidateFactory
from podium.design.measure import Measure
from podium.design.resampling import (
    Bootstrap,
    CrossValidation,
    FreshDraws,
    HoldOut,
    Resampling,
    Reserve,
    Subsampling,
)
from podium.design.seeds import rng_for
from podium.design.spec.entry import written_fraction
from podium.design.spec.experiment_like import ExperimentLike
from podium.design.spec.objects import text_of

_MAX_ROWS = 200  # of a table; more are shortened
Thing = TypeVar("Thing")


@check_call
@dataclass(frozen=True)
class Block:
    """One part of the notation: a heading, a statement, and rows of cells below it."""

    heading: str
    statement: str
    rows: tuple[tuple[str, ...], ...] = ()


def notation(experiment: ExperimentLike) -> tuple[Block, ...]:
    """Write the design as statements about data sets, replications, algorithms, measures and outcome."""
    m, b, k, j = experiment.shape
    blocks = [
        _data(experiment),
        Block("Replications", _index("b", b), _samples(experiment.resampling)),
        Block(
            "Algorithms",
            f"a_k(· | 𝔏_m^b) ~ 𝒜_k(DGP_m), {_index('k', k)}",
            _shortened(
                [(f"a_{i}", a.name, words_of(a)) for i, a in _ends(experiment.algorithms)], len(experiment.algorithms)
            ),
        ),
        Block(
            "Measures",
            f"p̂_mbkj = p_j(a_k, 𝔏_m^b), estimated on 𝔗_m^b, {_index('j', j)}",
            tuple((f"p_{i}", p.name, _measure(p)) for i, p in enumerate(experiment.measures, 1)),
        ),
    ]
    factors = _factors(experiment)
    if factors:
        varied = {row[0] for row in factors}
        algorithm = "a_{k,θ1}" if "θ1" in varied else "a_k"
        process = "DGP_{m,θ2}" if "θ2" in varied else "DGP_m"
        blocks.append(Block("Factors", f"p_j({algorithm}, 𝔏_m^b) with 𝔏_m^b ~ {process}", factors))
    if experiment.stopping is not None:
        rule, ends = experiment.stopping, experiment.stopping.looks(b)
        shown = ", ".join(map(str, ends if len(ends) <= 8 else (*ends[:6], "…", ends[-1])))
        scope = "each m by itself" if rule.scope == "dataset" else "all m together"
        tested = f"looks at b = {shown}; {rule.title}, α = {rule.alpha:g}, {scope}"
        blocks.append(Block("Stopping", f"{tested}; B is the maximum"))
    blocks.append(
        Block(
            "Outcome",
            f"p̂_mbkj ~ 𝒫̂_mkj: {m:,} × {b:,} × {k:,} × {j:,} = {m * b * k * j:,} numbers from {m * b * k:,} fits",
        )
    )
    units = "processes" if isinstance(experiment.resampling, FreshDraws) else "data sets"
    blocks.append(
        Block(
            "Design",
            f"treatments: algorithms; experimental units: {units}; blocks: learning samples within {units}; "
            f"seed {experiment.seed}",
        )
    )
    return tuple(blocks)


def words_of(algorithm: Algorithm) -> str:
    """Describe an algorithm; a candidate from a grid by its title and levels, because these replace its tuning rule."""
    if not algorithm.factors or not isinstance(algorithm.make, CandidateFactory):
        return algorithm.description
    levels = ", ".join(f"{factor} = {level_in_words(level)}" for factor, level in algorithm.factors.items())
    return f"{algorithm.title}, {levels}"


def level_in_words(level: object) -> str:
    """Write a factor level: whole numbers without a point.

    >>> level_in_words(2.0), level_in_words(0.05), level_in_words("rbf")
    ('2', '0.05', 'rbf')
    """
    return f"{level:g}" if isinstance(level, float | np.floating) else text_of(level)


@dataclass(frozen=True)
class Facts:
    """The facts about a data set or data generating process that a description gives.

    Attributes
    ----------
    task : str
    size : int
        Observations of the data set, or of a learning sample if samples are drawn afresh.
    fresh : bool
        Whether samples are drawn afresh.
    kinds : tuple of str
        Attributes, classes, incomplete observations and origin, as far as they apply.
    """

    task: str
    size: int
    fresh: bool
    kinds: tuple[str, ...]

    @property
    def formal(self) -> str:
        """Task, size and the rest."""
        return ", ".join([self.task, f"{'n' if self.fresh else 'N'} = {self.size:,}", *self.kinds])

    @property
    def prose(self) -> str:
        """Size and the rest, for a sentence."""
        size = f"{'learning samples of ' if self.fresh else ''}{self.size:,} observations"
        return ", ".join([size, *self.kinds])


def facts(experiment: ExperimentLike, problem: Dataset | Generator) -> Facts:
    """Collect the facts about a data set or data generating process."""
    scheme = experiment.resampling
    if isinstance(problem, Generator) and isinstance(scheme, FreshDraws):
        sample = problem.draw(50, rng_for(experiment.seed, "description", problem.name))
        classes = 0 if sample.y is None or problem.task != "classification" else len(sample.y.cat.categories)
        kinds = (attributes_in_words(sample.X), *_classes(classes))
        if process(problem) != problem.name:
            kinds += (f"the process {process(problem)}",)
        return Facts(problem.task, scheme.n_learn or problem.n, True, kinds)
    data = experiment.dataset(problem.name)
    kinds = (attributes_in_words(data.X), *_classes(len(data.classes)))
    if data.incomplete:
        kinds += (f"{data.incomplete:,} incomplete",)
    if isinstance(problem, Generator):
        kinds += (f"drawn once from {process(problem)}" if process(problem) != problem.name else "drawn once",)
    return Facts(problem.task, len(data), False, kinds)


def process(generator: Generator) -> str:
    """Write a data generating process with its parameters."""
    kind = getattr(generator, "kind", "") or generator.name
    parameters = ", ".join(f"{key}={text_of(value)}" for key, value in generator.parameters.items())
    return f"{kind}({parameters})" if parameters else kind


def _data(experiment: ExperimentLike) -> Block:
    fresh = isinstance(experiment.resampling, FreshDraws)
    heading, symbol = ("Processes", "DGP") if fresh else ("Data sets", "𝔏")
    statement = "DGP_m known" if fresh else "𝔏_m = {z_1, …, z_N} ~ DGP_m"
    m = len(experiment.datasets)
    rows = _shortened(
        [(f"{symbol}_{i}", d.name, facts(experiment, d).formal) for i, d in _ends(experiment.datasets)], m
    )
    return Block(heading, f"{statement}, {_index('m', m)}", rows)


def _ends(things: Sequence[Thing]) -> list[tuple[int, Thing]]:
    """Number things from 1; of very many, take the first ones and the last one."""
    numbered = list(enumerate(things, 1))
    return numbered if len(numbered) <= _MAX_ROWS else [*numbered[: _MAX_ROWS - 2], numbered[-1]]


def _shortened(rows: list[tuple[str, str, str]], n: int) -> tuple[tuple[str, ...], ...]:
    """Mark in the rows of a table what is left out before the last one."""
    return tuple(rows) if len(rows) == n else (*rows[:-1], ("…", f"{n - len(rows):,} more", ""), rows[-1])


def _samples(scheme: Resampling) -> tuple[tuple[str, ...], ...]:
    """Write how 𝔏_m^b and 𝔗_m^b are drawn."""
    if isinstance(scheme, Reserve):
        of = "observations of each class" if scheme.stratify else "observations"
        aside = f"{written_fraction(scheme.fraction)} of the {of}, set aside first; 𝔏_m and N below refer to the rest"
        return (("ℜ_m", aside), *_samples(scheme.then))
    learn, test = _learn_and_test(scheme)
    return (("𝔏_m^b", learn), ("𝔗_m^b", test))


def _learn_and_test(scheme: Resampling) -> tuple[str, str]:
    within = " of each class" if getattr(scheme, "stratify", False) else ""
    match scheme:
        case Bootstrap(test="out-of-bag"):
            return (
                f"n = N observations{within and ' (as many' + within + ' as in 𝔏_m)'} drawn with replacement from 𝔏_m",
                "𝔏_m \\ 𝔏_m^b, the out-of-bag observations, 0.368 N on average",
            )
        case Bootstrap():
            return (
                f"n = N observations{within and ' (as many' + within + ' as in 𝔏_m)'} drawn with replacement from 𝔏_m",
                "a second sample of N observations, drawn in the same way",
            )
        case Subsampling() | HoldOut():
            share = written_fraction(scheme.fraction)
            return f"n = {share} N observations{within} drawn without replacement from 𝔏_m", "𝔏_m \\ 𝔏_m^b"
        case CrossValidation():
            assigned = (
                "stratified by class" if scheme.stratify else "groups kept together" if scheme.grouped else "at random"
            )
            again = f", assigned again in each of {scheme.repeats} repeats" if scheme.repeats > 1 else ""
            return (
                f"𝔏_m \\ 𝔗_m^b, n = {scheme.folds - 1}/{scheme.folds} N",
                f"one of {scheme.folds} folds of 𝔏_m, {assigned}{again}",
            )
        case FreshDraws():
            n = "n" if scheme.n_learn is None else f"n = {scheme.n_learn:,}"
            drawn = "drawn again in each replication" if scheme.test == "new" else "drawn once, 𝔗_m^b = 𝔗_m"
            return f"{n} observations ~ DGP_m", f"{scheme.n_test:,} observations ~ DGP_m, {drawn}"
        case _:
            return f"learning sample of split b of 𝔏_m by {scheme.describe()}", "test sample of the same split"


def _factors(experiment: ExperimentLike) -> tuple[tuple[str, ...], ...]:
    """Write which parameters vary: θ1 of algorithms, θ2 of data generating processes."""
    rows: list[tuple[str, ...]] = []
    for symbol, frame in (("θ1", experiment.factors.algorithms), ("θ2", experiment.factors.datasets)):
        for factor in frame.columns.drop("family", errors="ignore"):
            column = frame[factor]
            for family in frame.loc[column.notna(), "family"].unique():
                levels = column[(frame["family"] == family) & column.notna()].unique()
                rows.append((symbol, f"{factor} of {family}", ", ".join(map(level_in_words, levels))))
    return tuple(rows)


# The losses l(y, ŷ) of Eugster (2011), section 1.1, and similar ones; ŷ_g is the predicted probability of class g.
_LOSSES = {
    "misclassification": "I(y ≠ ŷ)",
    "accuracy": "I(y = ŷ)",
    "deviance": "-2 Σ_g I(y = g) log ŷ_g",
    "log loss": "-Σ_g I(y = g) log ŷ_g",
    "brier": "Σ_g (I(y = g) - ŷ_g)²",
    "squared error": "(y - ŷ)²",
    "absolute error": "|y - ŷ|",
    "median absolute error": "|y - ŷ|",
}


def _measure(measure: Measure) -> str:
    """Write a measure as a functional μ of a loss l over the test sample, if it is one."""
    loss = _LOSSES.get((measure.spec or {}).get("measure", ""))
    functional = getattr(measure.function, "functional", None)
    if loss is None or functional is None:
        what = measure.description or measure.name
    else:
        reduced = functional if isinstance(functional, str) else f"{functional:g} quantile"
        what = f"{reduced} over 𝔗_m^b of {loss}"
    return f"{what}; {measure.info.direction} is better"


def _index(letter: str, n: int) -> str:
    return f"{letter} = {letter.upper()} = 1" if n == 1 else f"{letter} = 1, …, {letter.upper()} = {n:,}"


def _classes(n: int) -> list[str]:
    return [f"{n} classes"] if n else []
