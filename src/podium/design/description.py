"""`Description`: a design in formal notation and as a paragraph for a paper's methods section."""

from __future__ import annotations

import platform
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from podium.checks import check_call
from podium.design.dataset import Generator
from podium.design.formal_notation import Block, facts, level_in_words, notation
from podium.design.resampling import Bootstrap, CrossValidation, FreshDraws, Reserve, Subsampling
from podium.design.spec.design import fingerprint_of
from podium.design.spec.experiment_like import ExperimentLike

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_LISTED = 6  # more data sets than these are summarised

HOTHORN = (
    "T. Hothorn, F. Leisch, A. Zeileis, K. Hornik (2005). The design and analysis of benchmark experiments. "
    "Journal of Computational and Graphical Statistics 14(3), 675–699."
)
EFRON = "B. Efron (1979). Bootstrap methods: another look at the jackknife. The Annals of Statistics 7(1), 1–26."
POLITIS = (
    "D. N. Politis, J. P. Romano (1994). Large sample confidence regions based on subsamples under minimal "
    "assumptions. The Annals of Statistics 22(4), 2031–2050."
)
STONE = (
    "M. Stone (1974). Cross-validatory choice and assessment of statistical predictions. "
    "Journal of the Royal Statistical Society B 36(2), 111–147."
)
DIETTERICH = (
    "T. G. Dietterich (1998). Approximate statistical tests for comparing supervised classification learning "
    "algorithms. Neural Computation 10(7), 1895–1923."
)


@check_call
@dataclass(frozen=True)
class Description:
    """A design in words and symbols; print it to see all of it.

    Attributes
    ----------
    title : str
        Name of the experiment and the question it asks.
    notation : tuple of Block
        The formal notation, part by part.
    methods : str
        A paragraph for a paper's methods section.
    references : tuple of str
        What the paragraph cites.
    """

    title: str
    notation: tuple[Block, ...]
    methods: str
    references: tuple[str, ...]

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = 100) -> str:
        """Return all of it as plain text, in lines of at most `width` characters where words allow it."""
        parts = [filled(self.title, width), "\n".join(_as_text(block, width) for block in self.notation)]
        parts.append("For a methods section\n" + filled(self.methods, width, indent=2))
        cited = [filled(reference, width, indent=2, hanging=4) for reference in self.references]
        parts.append("References\n" + "\n".join(cited))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        cell = "style='text-align:left;vertical-align:top;padding:0 1em 0 0'"
        rows = []
        for block in self.notation:
            inner = "".join(
                "<tr>" + "".join(f"<td {cell}>{escape(text)}</td>" for text in row) + "</tr>" for row in block.rows
            )
            table = f"<table>{inner}</table>" if inner else ""
            rows.append(
                f"<tr><th {cell}>{escape(block.heading)}</th><td {cell}>{escape(block.statement)}{table}</td></tr>"
            )
        cited = "".join(f"<li>{escape(reference)}</li>" for reference in self.references)
        return (
            f"<div><strong>{escape(self.title)}</strong><table>{''.join(rows)}</table>"
            f"<p>{escape(self.methods)}</p><ul>{cited}</ul></div>"
        )


def describe_design(experiment: ExperimentLike) -> Description:
    """Describe a design; see `Experiment.describe`."""
    citations, references = _cited(experiment)
    sentences = [
        _comparison(experiment),
        _data(experiment),
        _sampling(experiment, citations),
        *_stopping(experiment),
        _algorithms(experiment),
        _measures(experiment),
        _closing(experiment),
    ]
    title = f"{experiment.name}: {_question(experiment)}" if experiment.name else _question(experiment).capitalize()
    return Description(title, notation(experiment), " ".join(sentences), (HOTHORN, *references))


# ---- prose ----------------------------------------------------------------------------------------------------------


def _question(experiment: ExperimentLike) -> str:
    """Name the problem in the terms of Eugster (2011), page xvii."""
    m, _, k, _ = experiment.shape
    factors = experiment.factors
    tuned, varied = len(factors.algorithms.columns) > 0, len(factors.datasets.columns) > 0
    families = factors.algorithms["family"].nunique() if tuned else k
    comparison = families > 1 or not (tuned or varied)
    kinds = [
        kind
        for kind, applies in (
            ("algorithm comparison", comparison),
            ("hyperparameter tuning", tuned),
            ("sensitivity analysis", varied),
        )
        if applies
    ]
    return f"{joined(kinds)} on {counted(m, *_problems(experiment))}"


def _comparison(experiment: ExperimentLike) -> str:
    m, _, k, _ = experiment.shape
    tasks = {d.task for d in experiment.datasets}
    task = f"{min(tasks)} " if tasks in ({"classification"}, {"regression"}) else ""
    nouns = (f"{task}{noun}" for noun in _problems(experiment))
    purpose = " for unsupervised learning" if tasks == {"unsupervised"} else ""
    what = "candidate" if len(experiment.factors.algorithms.columns) else "candidate algorithm"
    new = (
        " A clustering that cannot predict gave each observation of a test sample the group of the nearest one of the "
        "learning sample."
    )
    return (
        f"We compared {counted(k, what)} on {counted(m, *nouns)}{purpose} in a benchmark experiment "
        f"(Hothorn et al., 2005).{new if 'unsupervised' in tasks else ''}"
    )


def _data(experiment: ExperimentLike) -> str:
    problems = experiment.datasets
    if len(problems) <= _LISTED:
        each = [f"{d.name} ({facts(experiment, d).prose})" for d in problems]
        return f"{_subject(experiment)} {joined(each, '; ')}."
    if isinstance(experiment.resampling, FreshDraws):
        return f"{_subject(experiment)} {joined([d.name for d in problems])}."
    data = [experiment.dataset(d.name) for d in problems]
    drawn = sum(isinstance(d, Generator) for d in problems)
    ranges = [
        _range([len(d) for d in data], "observation"),
        _range([d.X.shape[1] for d in data], "attribute"),
        *([_range([len(d.classes) for d in data], "class", "classes")] if all(d.classes for d in data) else []),
    ]
    origin = (
        f"; {counted(drawn, 'data set')} {'was' if drawn == 1 else 'were'} drawn from a known process" if drawn else ""
    )
    return f"The data sets have {joined(ranges)}{origin}: {joined([d.name for d in problems])}."


def _subject(experiment: ExperimentLike) -> str:
    one = len(experiment.datasets) == 1
    if isinstance(experiment.resampling, FreshDraws):
        return "The process was" if one else "The processes were"
    return "The data set was" if one else "The data sets were"


def _problems(experiment: ExperimentLike) -> tuple[str, str]:
    """Name one problem of an experiment, and several."""
    if isinstance(experiment.resampling, FreshDraws):
        return "data generating process", "data generating processes"
    return "data set", "data sets"


def _sampling(experiment: ExperimentLike, citations: str) -> str:
    scheme = experiment.resampling.describe()
    cited = f" ({citations})" if citations else ""
    return (
        f"Learning samples were drawn by {scheme}{cited}. In each replication all algorithms were fitted to the same "
        "learning sample and measured on the same test sample, which was used neither to fit nor to tune any of them."
    )


def _stopping(experiment: ExperimentLike) -> list[str]:
    rule = experiment.stopping
    return [] if rule is None else [f"Replications were drawn {rule.describe(experiment.shape[1])}"]


def _algorithms(experiment: ExperimentLike) -> str:
    each: list[str] = []
    described: set[str] = set()
    frame = experiment.factors.algorithms
    for algorithm in experiment.algorithms:
        if not algorithm.factors:
            detail = algorithm.description if algorithm.description != algorithm.name else ""
            each.append(f"{algorithm.name} ({detail})" if detail else algorithm.name)
            continue
        family = str(frame.loc[algorithm.name, "family"])
        if family in described:
            continue
        described.add(family)
        settings = frame[frame["family"] == family].drop(columns="family")
        settings = settings.dropna(how="all").dropna(axis="columns", how="all")
        levels = [
            f"{name} = {joined([level_in_words(x) for x in settings[name].dropna().unique()])}" for name in settings
        ]
        each.append(f"{family} ({algorithm.title}) in {counted(len(settings), 'setting')}: {'; '.join(levels)}")
    return f"The {'algorithm was' if len(each) == 1 else 'algorithms were'} {joined(each, '; ')}."


def _measures(experiment: ExperimentLike) -> str:
    each = [
        f"{p.name} ({f'in {p.info.units}, ' if p.info.units else ''}{p.info.direction} is better)"
        for p in experiment.measures
    ]
    return f"Performance was measured by {joined(each)}."


def _closing(experiment: ExperimentLike) -> str:
    m, b, k, _ = experiment.shape
    try:
        made_with = f"podium {version('podium')}"
    except PackageNotFoundError:  # podium is not installed
        made_with = "podium"
    # Versions and fingerprint cover the content of the code, which is unknown before it is imported.
    record = None if experiment.modules else experiment.record()
    mark = "" if record is None else f" (fingerprint {fingerprint_of(record)})"
    made_with = joined([made_with, *([] if record is None else _versions(record))])
    most = "" if experiment.stopping is None else "at most "
    return (
        f"The experiment comprises {most}{m * b * k:,} fits. All random numbers derive from the seed "
        f"{experiment.seed}; the design was specified with {made_with}{mark}."
    )


def _versions(record: Mapping[str, Any]) -> list[str]:
    """List the libraries that the algorithms use, with their versions, and that of Python."""
    used = {
        library: version
        for entry in record["algorithms"].values()
        for library, version in entry["identity"]["versions"].items()
        if library not in ("podium", "python") and version
    }
    return [
        *(f"{library} {used[library]}" for library in sorted(used)),
        f"Python {platform.python_version()}",
    ]


def _cited(experiment: ExperimentLike) -> tuple[str, tuple[str, ...]]:
    scheme = experiment.resampling.then if isinstance(experiment.resampling, Reserve) else experiment.resampling
    match scheme:
        case Bootstrap():
            return "Efron, 1979", (EFRON,)
        case Subsampling():
            return "Politis and Romano, 1994", (POLITIS,)
        case CrossValidation(folds=2, repeats=5):
            return "Dietterich, 1998", (DIETTERICH,)
        case CrossValidation():
            return "Stone, 1974", (STONE,)
        case _:
            return "", ()


def counted(n: int, noun: str, nouns: str | None = None) -> str:
    """Write a number of things, small numbers as words; `nouns` is the plural, if it does not just add an s.

    >>> counted(1, "data set"), counted(3, "class", "classes"), counted(21, "attribute")
    ('one data set', 'three classes', '21 attributes')
    """
    return f"{_WORDS[n] if n < len(_WORDS) else f'{n:,}'} {noun if n == 1 else nouns or f'{noun}s'}"


def joined(items: list[str], separator: str = ", ") -> str:
    """Join items for a sentence: a, b and c."""
    if len(items) < 3:
        return " and ".join(items)
    return f"{separator.join(items[:-1])}{separator.rstrip(', ')} and {items[-1]}"


def _range(numbers: list[int], noun: str, nouns: str | None = None) -> str:
    low, high = min(numbers), max(numbers)
    return counted(low, noun, nouns) if low == high else f"{low:,} to {high:,} {nouns or f'{noun}s'}"


# ---- text -----------------------------------------------------------------------------------------------------------


def _as_text(block: Block, width: int) -> str:
    lines = _wrapped(block.statement, width - 15)
    text = [f"{block.heading:<14} {lines[0]}", *(f"{'':<14} {line}" for line in lines[1:])]
    if block.rows:
        widths = [max(len(row[i]) for row in block.rows if len(row) > i + 1) for i in range(len(block.rows[0]) - 1)]
        for row in block.rows:
            start = " " * 17 + "".join(f"{cell:<{size}}  " for cell, size in zip(row[:-1], widths, strict=True))
            wrapped = _wrapped(row[-1], max(width - len(start), 20))
            text += [(start + wrapped[0]).rstrip(), *(" " * len(start) + line for line in wrapped[1:])]
    return "\n".join(text)


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


def filled(text: str, width: int, *, indent: int = 0, hanging: int = 0) -> str:
    """Break a paragraph into lines; those below the first are indented by `hanging` more."""
    first, below = " " * indent, " " * (indent + hanging)
    return textwrap.fill(text, width, break_on_hyphens=False, initial_indent=first, subsequent_indent=below)
