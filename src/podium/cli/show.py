"""``podium show FILE``: describe and summarise a table of scores, or the results of a run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import podium
from podium.cli.design_file import note_differences
from podium.cli.output import as_json, filled, folded, summary_table, terminal_width
from podium.errors import InputError
from podium.store.location import existing_warehouse, is_design, is_warehouse


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "show",
        help="describe and summarise a table of scores, or the results of a run",
        description="Read a table of scores, or the results of a run, describe it, and summarise each measure.",
        epilog="examples:\n  podium show scores.csv --direction loss=lower\n  podium show monks.db --measure accuracy",
    )
    add_score_options(parser)
    parser.add_argument(
        "--missing",
        default="available",
        metavar="POLICY",
        help="for missing cells: raise, drop-block, drop-algorithm, worst-value or available "
        "(default: %(default)s, the blocks that all algorithms have)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the description and one summary per measure."""
    from podium.analysis.describe.summary import summarize_measure

    results = read_scores(args)
    if args.json:
        print(as_json(_facts(results, args)))
        return 0
    parts = [folded(str(results))]  # printed when nothing can go wrong any more
    if not results.present.any():
        none = "No trial has a value yet. `podium status` shows the progress of a run; `podium run` resumes it."
        parts.append(filled(none))
    for name in _chosen(results, args) if results.present.any() else ():
        chosen = results.select(measure=name).resolve_missing(args.missing)
        over = "data sets" if len(chosen.datasets) > 1 else "replications"
        found = summarize_measure(chosen, missing="available")
        head = f"{chosen.measures[0]}, over {over}\n{chosen.reports[-1]}"
        parts.append(f"{folded(head)}\n{summary_table([found]).text(terminal_width())}")
    print("\n\n".join(parts))
    return 0


def _chosen(results: podium.Results, args: argparse.Namespace) -> Sequence[str]:
    return results.measure_names if args.measure not in results.measure_names else (args.measure,)


def _facts(results: podium.Results, args: argparse.Namespace) -> dict[str, Any]:
    """What `--json` prints."""
    summaries = {}
    for name in _chosen(results, args) if results.present.any() else ():
        chosen = results.select(measure=name).resolve_missing(args.missing)
        summaries[name] = podium.summarize(chosen, missing="available").rename_axis("algorithm").reset_index()
    return {
        "datasets": results.datasets,
        "replications": int(results.design.sum(axis=-1).max()),
        "algorithms": results.algorithms,
        "measures": [{"name": one.name, "direction": one.direction, "units": one.units} for one in results.measures],
        "missing": int((~results.present).sum()),
        "summaries": summaries,
    }


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """Add FILE and the options of `podium.read`."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="table of scores: .csv, .parquet, .json, .jsonl or .xlsx, of podium or another tool; several files as a "
        "pattern in quotes, 'out/*/results_*.json'; or the warehouse or the design file of a run",
    )
    parser.add_argument("--measure", metavar="NAME", help="the measure, if the table does not name it or has several")
    parser.add_argument(
        "--direction",
        action="append",
        metavar="[MEASURE=]lower|greater",
        help="which values are better, for all measures or for one; repeatable",
    )
    parser.add_argument(
        "--column",
        action="append",
        metavar="ROLE=NAME",
        help="the role of a column, such as algorithm=clf; repeatable",
    )
    parser.add_argument(
        "--units",
        action="append",
        metavar="[MEASURE=]TEXT",
        help="the units of all measures or of one, such as %% or s; repeatable",
    )
    parser.add_argument("--sheet", metavar="NAME", help="the sheet of an Excel file that has several")
    parser.add_argument("--rows", choices=("dataset", "replication"), help="what a row of a wide table is")
    parser.add_argument(
        "--independent",
        action="store_true",
        help="replications are independent of each other (questions, images, fresh draws), not resamples of a data set",
    )


def read_scores(args: argparse.Namespace) -> podium.Results:
    """Read the table with the given options, or the results of a run."""
    if belongs_to_run(args.file):
        return _results_of_run(args)
    columns = _pairs(args.column, "--column") if args.column else None
    options = {
        "measure": args.measure,
        "direction": _for_all_or_one(args.direction, "--direction"),
        "units": _for_all_or_one(args.units, "--units"),
        "columns": columns,
        "rows": args.rows,
        "independent": args.independent,
    }
    return podium.read(args.file, **options, sheet=args.sheet)


def belongs_to_run(file: str) -> bool:
    """Whether a file is a design or a warehouse, or the address of one."""
    return is_design(file) or is_warehouse(file)


def read_all_measures(args: argparse.Namespace) -> podium.Results:
    """Read the table with all its measures; `--measure` is one of them, or names that of a table without names."""
    if belongs_to_run(args.file):
        results = _results_of_run(argparse.Namespace(**{**vars(args), "measure": None}))
        if args.measure is not None:
            results.select(measure=args.measure)  # refuses a name that is not one of its measures
        return results
    try:
        results = read_scores(argparse.Namespace(**{**vars(args), "measure": None}))
    except InputError:
        return read_scores(args)
    return results if args.measure is None or args.measure in results.measure_names else read_scores(args)


def _results_of_run(args: argparse.Namespace) -> podium.Results:
    for option in ("direction", "column", "units", "rows", "sheet", "independent"):
        if getattr(args, option):
            raise InputError(
                f"`--{option}` is for tables of scores; {args.file!r} belongs to a run, which records this itself."
            )
    where = existing_warehouse(args.file) if is_design(args.file) else args.file
    with podium.Warehouse(where, readonly=True) as warehouse:
        results = warehouse.results()
        if is_design(args.file):
            note_differences(args.verb, args.file, warehouse)
    return results if args.measure is None else results.select(measure=args.measure)


def _for_all_or_one(words: Sequence[str] | None, option: str) -> str | dict[str, str] | None:
    """Read an option that is given once for all measures, or for some by name."""
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    return _pairs(words, option)


def _pairs(words: Sequence[str], option: str) -> dict[str, str]:
    pairs = dict(word.partition("=")[::2] for word in words)
    empty = [name for name, value in pairs.items() if not value]
    if empty:
        raise InputError(f"`{option}` must have the form name=value; got {empty[0]!r}.")
    return pairs
