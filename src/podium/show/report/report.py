"""`report`: from any table of scores to an answer one can send."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import pandas as pd

from podium.analysis.pairs import equivalence_area
from podium.checks import (
    call_function,
    check_alpha,
    check_call,
    check_choice,
    check_seed,
    check_text,
    describe,
    did_you_mean,
    expect,
    function_name,
    hide_password,
)
from podium.design.experiment import Experiment, given_experiment
from podium.errors import InputError, join_names, plural
from podium.progress import Progress, ProgressMode, announced, progress_of_analysis
from podium.results import Results, read
from podium.results.missing import parse_policy
from podium.results.reading import check_reading, refuse_reading
from podium.show.report.analyses import Analyses, attempt
from podium.show.report.blocks import Figure, Section
from podium.show.report.files import check_form
from podium.show.report.model import Report
from podium.show.report.registered_sections import OwnSection, Registered, all_sections, made, name_of
from podium.show.report.sections import SectionMaker
from podium.store import Decision, Status, Warehouse
from podium.store.location import find_warehouse, is_design

READING_OPTIONS = ("direction", "units", "rows", "sheet", "independent")  # of `read` that the command has, too


@check_call
def report(
    source: Any,
    path: str | Path | None = None,
    *,
    measure: str | None = None,
    alpha: float = 0.05,
    equivalence: float | tuple[float, float] | None = None,
    title: str | None = None,
    authors: str | Sequence[str] = (),
    sections: Sequence[str | OwnSection] | None = None,
    without: Sequence[str] = (),
    characteristics: pd.DataFrame | None = None,
    experiment: Any = None,
    seed: int = 0,
    missing: str = "available",
    progress: ProgressMode | Progress = "auto",
    command: str | None = None,
    **reading: Any,
) -> Report:
    """Report on a table of scores: the answer first, then everything it is based on.

    Sections appear where the data support them; otherwise they say what they would need.

    Parameters
    ----------
    source : Results, Warehouse, path, or anything that `read` understands
        Scores; a warehouse, open or as a file or address; or the design file of an experiment that was run.
    path : str or path, optional
        Where to write it: ``.html`` (one file), ``.md`` or ``.tex`` (with a folder of figures beside it), or a folder
        (without an extension, or with a trailing slash) for all forms, every table as CSV and every figure as SVG and
        PDF. By default nothing is written.
    measure : str, optional
        The measure that the report is about; by default the first that is not a cost, such as a time. The others are
        shown beside it. It names the measure of a table that does not name it.
    alpha : float, default 0.05
    equivalence : float or (float, float), optional
        Differences that do not matter, in the units of the measure.
    title : str, optional
    authors : str or sequence of str, optional
    sections : sequence of str or callable, optional
        Names of sections in the order wanted, and your own: functions that take the analyses of the report
        (`podium.show.report.Analyses`) and return a `podium.show.report.Section`. By default all, in their usual order,
        with those of your own that were registered (`podium.show.report.register_section`).
    without : sequence of str, optional
        Names of sections to leave out.
    characteristics : DataFrame, optional
        Characteristics of the data sets, one row each, for a tree that says where which algorithm is best. By default
        those that a run kept.
    experiment : Experiment or path, optional
        The experiment that the scores are from, or its design file, for a paragraph on it; its data are read, nothing
        is fitted. A design file as `source` is both.
    seed : int, default 0
        For bootstrap resamples, and for ties on the podium.
    missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-value", "worst-rank"}
        Policy for missing cells; ``"raise"`` refuses those of any measure.
    progress : {"auto", "bar", "log", "quiet"} or object
        What shows the section at work. ``"auto"``: a bar in a terminal or a notebook. Your own object has the methods
        `update` and `close`.
    command : str, optional
        How to reproduce the report; for a path as `source` it is known.
    **reading
        Options of `read` for a table that needs them, such as ``direction="higher"``.

    Returns
    -------
    Report
        Equal sources give equal reports, byte for byte.

    Examples
    --------
    >>> import podium
    >>> report = podium.report(podium.examples.load_ulas2008())
    >>> report.subtitle
    '8 algorithms on 38 data sets by accuracy'
    """
    check_reading(reading, report)
    check_alpha(alpha)
    equivalence_area(equivalence)
    check_seed(seed)
    if measure is not None:
        check_text(measure, "measure")
    follower = progress_of_analysis(progress, wait=0.0, every=0.0)
    policy = parse_policy(missing)
    given = {
        "measure": measure,
        "alpha": alpha,
        "equivalence": equivalence,
        "title": title,
        "authors": authors,
        "sections": sections,
        "without": without,
        "characteristics": characteristics,
        "experiment": experiment,
        "seed": seed,
        "missing": missing,
        **reading,
    }
    if characteristics is not None:
        expect(characteristics, pd.DataFrame, "characteristics")
    if title is not None:
        expect(title, str, "title")
    named = _names(authors, "authors")
    makers = _chosen(sections, _names(without, "without"))
    if path is not None:
        check_form(path)
    described = _experiment(source) if experiment is None else given_experiment(experiment)
    scores = _scores(source, measure, reading)
    results = scores.results
    if measure is not None:
        check_choice(measure, results.measure_names, "measure")
    if not results.present.any():
        raise InputError("There is no value to report on: all cells of the results are missing.")
    analyses = Analyses(
        results,
        measure,
        alpha=alpha,
        equivalence=equivalence,
        missing=policy,
        seed=seed,
        characteristics=scores.characteristics if characteristics is None else characteristics,
        experiment=described,
        decisions=scores.decisions,
        command=_command(source, path, given, makers) if command is None else expect(command, str, "command"),
    )
    parts = _once(makers, [_make(maker, analyses) for maker in announced(makers, name_of, "sections", follower)])
    info = analyses.info
    who, where = plural(len(results.algorithms), "algorithm"), plural(len(results.datasets), "data set")
    found = Report(
        title=title if title is not None else "Benchmark report",
        subtitle=f"{who} on {where} by {info.name}",
        authors=named,
        sections=tuple(parts),
        caution=_unfinished(scores.status),
    )
    if path is not None:
        found.write(path)
    return found


def _make(maker: SectionMaker | Registered | OwnSection, analyses: Analyses) -> Section:
    if isinstance(maker, SectionMaker):
        return Section(maker.name, maker.title, tuple(maker.make(analyses)))
    function = maker.make if isinstance(maker, Registered) else maker
    return made(maker, call_function(function, "sections", analyses))


def _once(makers: Sequence[SectionMaker | Registered | OwnSection], sections: list[Section]) -> list[Section]:
    """Leave out a figure of podium's own that an earlier section shows; what a user has made is never left out."""
    shown: set[str] = set()
    kept = []
    for maker, section in zip(makers, sections, strict=True):
        blocks = section.blocks
        if isinstance(maker, SectionMaker):
            blocks = tuple(one for one in blocks if not isinstance(one, Figure) or one.name not in shown)
            shown |= {one.name for one in blocks if isinstance(one, Figure)}
        kept.append(Section(section.name, section.title, blocks))
    return kept


def _names(given: str | Sequence[str], argument: str) -> tuple[str, ...]:
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(f"`{argument}` must be a text or a list of texts; got {describe(given)}.")
    return tuple(names)


def _chosen(
    sections: Sequence[str | OwnSection] | None, without: tuple[str, ...]
) -> list[SectionMaker | Registered | OwnSection]:
    known = all_sections()
    if sections is not None and (isinstance(sections, str) or not isinstance(sections, Sequence)):
        raise InputError(f"`sections` must be a list of names and functions; got {describe(sections)}.")
    wanted: Sequence[Any] = list(known) if sections is None else sections
    odd = [one for one in wanted if not isinstance(one, str) and not callable(one)]
    if odd:
        raise InputError(f"`sections` must contain names and functions; got {describe(odd[0])}.")
    for argument, names in (("sections", [one for one in wanted if isinstance(one, str)]), ("without", without)):
        unknown = [name for name in names if name not in known]
        if unknown:
            raise InputError(
                f"`{argument}` names {join_names(unknown)}; the sections are "
                f"{join_names(known, most=20)}.{did_you_mean(unknown[0], known)}"
            )
    twice = [one for i, one in enumerate(wanted) if one in wanted[:i]]
    if twice:
        name = twice[0] if isinstance(twice[0], str) else function_name(twice[0])
        raise InputError(f"`sections` names {name!r} twice; a section can appear only once.")
    chosen = [known[one] if isinstance(one, str) else one for one in wanted if one not in without]
    if not chosen:
        raise InputError(
            f"A report needs a section: no section is left. The sections are {join_names(known, most=20)}."
        )
    return chosen


@dataclass(frozen=True)
class _Scores:
    """The scores of a source; and what a run kept besides, where the source is one."""

    results: Results
    decisions: tuple[Decision, ...] = ()
    characteristics: pd.DataFrame | None = None
    status: Status | None = None


def _scores(source: Any, measure: str | None, reading: Mapping[str, Any]) -> _Scores:
    """Return the scores of a source, with what a run kept; `reading` is for a table."""
    if isinstance(source, Results | Warehouse):
        refuse_reading(reading, source)
    if isinstance(source, Results):
        return _Scores(source)
    if isinstance(source, Warehouse):
        return _run_of(source)
    if isinstance(source, Experiment):
        raise InputError("`source` must be scores; an Experiment has none yet. Use podium.run(experiment).")
    if isinstance(source, str | os.PathLike):
        where = find_warehouse(os.fspath(source))
        if where is not None:
            refuse_reading(reading, source)
            with Warehouse(where, readonly=True) as warehouse:
                return _run_of(warehouse)
    return _Scores(_read_all_measures(source, measure, reading))


def _experiment(source: Any) -> Experiment | None:
    """Return the experiment of a design file, if it can still be made."""
    if not isinstance(source, str | os.PathLike) or not is_design(os.fspath(source)):
        return None
    return attempt(lambda: given_experiment(source)).value


def _read_all_measures(source: Any, measure: str | None, reading: Mapping[str, Any]) -> Results:
    """Read a table with all its measures; `measure` names that of a table which does not name it."""
    if measure is None:
        return read(source, **reading)
    try:
        results = read(source, **reading)
    except InputError:
        return read(source, measure=measure, **reading)
    return results if measure in results.measure_names else read(source, measure=measure, **reading)


def _run_of(warehouse: Warehouse) -> _Scores:
    design = warehouse.design
    described = design is not None and "characteristics" in design
    return _Scores(
        warehouse.results(),
        warehouse.decisions(),
        warehouse.characteristics() if described else None,
        warehouse.status(),
    )


def _unfinished(status: Status | None) -> str:
    """Say that a run is not finished, and what is left to do."""
    if status is None or not status.counts["left"]:
        return ""
    untried, outdated = status.counts["left"] - status.outdated, status.outdated
    of = f" of {plural(status.total, 'trial')}"
    parts = []
    if untried:
        parts.append(f"{untried:,}{of} {'has' if untried == 1 else 'have'} not been tried yet")
    if outdated:
        was, has = ("was", "has") if outdated == 1 else ("were", "have")
        first = f"{outdated:,}{'' if untried else of}"
        parts.append(f"{first} {was} tried before a measure was added or changed, and {has} no value of it")
    return f"The run is not finished: {'; '.join(parts)}. All that follows may change."


def _command(
    source: Any,
    path: str | Path | None,
    given: Mapping[str, Any],
    makers: Sequence[SectionMaker | Registered | OwnSection],
) -> str:
    """How to make the report again: a command for a file, where all that was asked for can be said in one."""
    usual = {name: one.default for name, one in signature(report).parameters.items()}
    asked = {name: value for name, value in given.items() if not _same(value, usual.get(name))}
    if not isinstance(source, str | os.PathLike) or not _sayable(asked, makers):
        first = repr(hide_password(os.fspath(source))) if isinstance(source, str | os.PathLike) else "results"
        words = [first, *([repr(os.fspath(path))] if path is not None else [])]
        return f"podium.report({', '.join([*words, *(f'{name}={_written(value)}' for name, value in asked.items())])})"
    words = ["podium", "report", hide_password(os.fspath(source))]
    for name, value in asked.items():
        option = {"authors": "--author"}.get(name, f"--{name}")
        if name == "equivalence":
            ends = value if isinstance(value, tuple) else (value,)
            words.append(f"{option}={','.join(f'{end!r}' for end in ends)}")
        elif name == "authors":
            words += [word for one in ([value] if isinstance(value, str) else value) for word in (option, one)]
        elif name in ("sections", "without"):
            words += [option, *([value] if isinstance(value, str) else value)]
        else:
            words += [option] if value is True else [option, str(value)]
    words += ["--out", os.fspath(path)] if path is not None else []
    return shlex.join(words)


def _same(value: Any, usual: Any) -> bool:
    return value is usual or (type(value) is type(usual) and not isinstance(value, pd.DataFrame) and value == usual)


def _sayable(asked: Mapping[str, Any], makers: Sequence[SectionMaker | Registered | OwnSection]) -> bool:
    """Whether a command can say all of it: tables in memory, functions and mappings need Python."""
    reading = {name: value for name, value in asked.items() if name not in signature(report).parameters}
    plain = all(name in READING_OPTIONS and isinstance(value, str | bool) for name, value in reading.items())
    in_memory = "characteristics" in asked or isinstance(asked.get("experiment"), Experiment)
    return plain and not in_memory and all(isinstance(maker, SectionMaker) for maker in makers)


def _written(value: Any) -> str:
    if isinstance(value, pd.DataFrame | Experiment):
        return "experiment" if isinstance(value, Experiment) else "characteristics"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_written(one)}' for key, one in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_written(one) for one in value)}]"
    return repr(value) if isinstance(value, str | int | float) else getattr(value, "__name__", "your_own")
