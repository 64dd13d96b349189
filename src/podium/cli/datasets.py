"""``podium datasets``: list the data sets known by name, or show one."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.output import folded, hanging
from podium.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from podium.design.dataset import Dataset

MAX_ATTRIBUTES = 20
MAX_LEVELS = 6


def add_parser(subparsers: Any) -> None:
    """Add the verb to the parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "datasets",
        help="list the data sets known by name, or show one",
        description="Without NAME: list all data sets and generators. With NAME: show its attributes, classes, source "
        "and licence. NAME may also be a file (.csv, .parquet, .arff) or openml:NUMBER.",
        epilog="examples:\n  podium datasets\n  podium datasets monks3\n  podium datasets mine.csv --target y",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a name from the list, a file, or openml:NUMBER")
    parser.add_argument("--target", help="column of the response")
    parser.add_argument("--task", choices=["classification", "regression", "unsupervised"], help="kind of task")
    parser.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="column to leave out; repeatable")
    parser.add_argument(
        "--nominal",
        action="append",
        default=[],
        metavar="COLUMN",
        help="numeric column to treat as nominal; repeatable",
    )
    parser.add_argument("--all", action="store_true", help="show every attribute, however many there are")
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list, or one data set."""
    from podium.cli.output import as_json
    from podium.design.catalogue import catalogue, find_entry
    from podium.design.dataset import Dataset
    from podium.design.sources.files import file_kind

    if args.name is None:
        frame = catalogue()
        if args.json:
            print(as_json(frame.reset_index()))
            return 0
        print("\n".join(list_lines(frame)))
        print(
            "\nnum., nom.: numeric and nominal attributes; inc.: incomplete observations;\n"
            "* also a generator, which draws samples of any size.\n"
            f"{len(frame)} names. `podium datasets NAME` shows one."
        )
        return 0
    entry = find_entry(args.name)
    roles = {"target": args.target, "task": args.task, "drop": args.drop, "nominal": args.nominal}
    if entry is not None and entry.origin == "generator":
        for given in (option for option, value in roles.items() if value):
            raise InputError(f"`{given}` has no effect: the source is drawn from a generator.")
        data = Dataset.generated(entry.name).fixed()
    else:
        data = (Dataset.from_file if file_kind(Path(args.name)) else Dataset.named)(args.name, **roles)
    about = [("aliases", ", ".join(entry.aliases)), ("note", entry.note)] if entry else []
    if args.json:
        named = {"name": data.name, "title": entry.title if entry else "", **dict(facts(data) + about)}
        print(as_json({**named, "observations": len(data), "attributes": data.attributes.reset_index()}))
        return 0
    print(folded(f"{data.name}: {entry.title}" if entry else data.name))
    print("\n".join(described(facts(data) + about)))
    if entry is None or entry.origin != "generator":  # those of drawn data are arbitrary
        print()
        print("\n".join(attribute_lines(data, len(data.X.columns) if args.all else MAX_ATTRIBUTES)))
    if lines := list(generator_lines(entry.name if entry else "")):
        print("\n" + "\n".join(lines))
    return 0


def list_lines(frame: pd.DataFrame) -> list[str]:
    """Return the catalogue as lines of text."""
    heads = ("name", "task", "n", "num.", "nom.", "classes", "inc.", "source")
    rows = []
    for name, row in frame.iterrows():
        also = "*" if row["generator"] and row["origin"] != "generator" else ""
        counts = [str(row[column] or "–") for column in ("numeric", "nominal", "classes", "incomplete")]
        rows.append([str(name), row["task"], str(row["n"]), *counts, row["origin"] + also])
    return aligned(heads, rows, right=range(2, 7))


def facts(data: Dataset) -> list[tuple[str, str]]:
    """Return what is known about a data set as pairs of a heading and a text."""
    kinds = [f"{len(names)} {kind}" for names, kind in ((data.numeric, "numeric"), (data.nominal, "nominal")) if names]
    pairs = [
        ("task", data.task),
        ("observations", str(len(data))),
        ("attributes", ", ".join(kinds)),
        ("incomplete", f"{data.incomplete} observations" if data.incomplete else "none"),
    ]
    if data.y is not None and data.task == "classification":
        counts = data.y.value_counts(sort=False)
        shares = [f"{label}: {count} ({count / len(data):.2%})" for label, count in counts.items()]
        pairs.append(("classes", ", ".join(shares)))
    elif data.y is not None and data.task == "regression":
        pairs.append(("response", f"{data.y.min():g} to {data.y.max():g}, mean {data.y.mean():.4g}"))
    return [*pairs, ("read as", data.origin), ("source", data.source), ("licence", data.licence)]


def described(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return pairs of a heading and a text as lines, empty ones left out."""
    shown = [(heading, text) for heading, text in pairs if text]
    width = max(len(heading) for heading, _ in shown)
    return [hanging(f"  {heading:<{width}}  {text}", width + 4) for heading, text in shown]


def attribute_lines(data: Dataset, most: int) -> list[str]:
    """Return the attributes as lines of text."""
    rows = []
    for name, row in data.attributes.head(most).iterrows():
        if row["kind"] == "nominal":
            levels = [str(level) for level in data.X[str(name)].cat.categories]
            more = f", … ({len(levels)})" if len(levels) > MAX_LEVELS else ""
            values = ", ".join(levels[:MAX_LEVELS]) + more
        else:
            values = f"{row['minimum']:g} to {row['maximum']:g}"
        rows.append([str(name), row["kind"], str(row["missing"] or "–"), values])
    heads = ("attribute", "kind", "missing", "values")
    indent = sum(2 + max(len(row[i]) for row in [heads, *rows]) for i in range(3))
    lines = [hanging(line, indent) for line in aligned(heads, rows, right=[2])]
    rest = len(data.X.columns) - most
    return [*lines, f"… and {rest} more; --all shows them"] if rest > 0 else lines


def generator_lines(kind: str) -> Iterator[str]:
    """Yield how to draw fresh samples, if the name is that of a generator."""
    from podium.design.dataset import Dataset
    from podium.design.generators import GENERATORS

    if kind not in GENERATORS:
        return
    process = Dataset.generated(kind)
    options = "".join(f", {name}: {value:g}" for name, value in process.parameters.items())
    yield folded(f"generator: {{generator: {kind}, n: {process.n}{options}}}")
    rows = [
        (name, f"{parameter.meaning}; {parameter.expected}") for name, parameter in GENERATORS[kind].parameters.items()
    ]
    error = process.bayes_error
    yield from described([*rows, ("Bayes error", "" if error is None else f"{error:.4f}")])


def aligned(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Return a table as lines of text; columns in `right` are flushed right."""
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [heads, *rows]
    ]
