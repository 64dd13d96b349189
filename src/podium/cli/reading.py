"""The options with which every verb that reads a table of scores reads it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from podium.cli.running import DESIGNS, warehouse_of
from podium.errors import InputError
from podium.results import Results, read


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add FILE and the options of `podium.read`."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="table of scores: .csv, .parquet or .json; or what `podium run` made: the warehouse or its design file",
    )
    parser.add_argument("--measure", help="name of the measure, or which one to use where there are several")
    parser.add_argument(
        "--direction",
        action="append",
        metavar="[MEASURE=]lower|greater",
        help="which values are better, for all measures or for one; may be given again",
    )
    parser.add_argument(
        "--column",
        action="append",
        metavar="ROLE=NAME",
        help="what a column is, such as algorithm=clf; may be given again",
    )
    parser.add_argument("--rows", choices=("dataset", "replication"), help="what a row of a wide table is")


def read_results(args: argparse.Namespace) -> Results:
    """Read the table the way the options say, or the results of a run."""
    if args.file.endswith((*DESIGNS, ".db", ".sqlite")) or "://" in args.file:
        return _results_of_run(args)
    columns = _pairs(args.column, "--column") if args.column else None
    direction = _direction(args.direction)
    return read(args.file, measure=args.measure, direction=direction, columns=columns, rows=args.rows)


def _results_of_run(args: argparse.Namespace) -> Results:
    for option in ("direction", "column", "rows"):
        if getattr(args, option):
            raise InputError(
                f"`--{option}` says how to read a table; {args.file!r} belongs to a run and says it itself."
            )
    from podium.warehouse import Warehouse

    where = warehouse_of(args.file, None) if args.file.endswith(DESIGNS) else args.file
    with Warehouse(where, readonly=True) as warehouse:
        results = warehouse.results()
    return results if args.measure is None else results.select(measure=args.measure)


def _direction(words: Sequence[str] | None) -> str | dict[str, str] | None:
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    return _pairs(words, "--direction")


def _pairs(words: Sequence[str], option: str) -> dict[str, str]:
    pairs = dict(word.partition("=")[::2] for word in words)
    empty = [name for name, value in pairs.items() if not value]
    if empty:
        raise InputError(f"`{option}` must look like name=value; got {empty[0]!r}.")
    return pairs
