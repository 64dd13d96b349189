"""How verbs print: aligned to the terminal, as JSON for scripts, or to a file in the format of its extension."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from podium.typesetting import Table

ENDINGS = ".tex, .md, .html, .txt, .csv or .json"


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add `--json` and `--out`."""
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.add_argument("--out", metavar="FILE", help=f"write the table to a file: {ENDINGS}")


def emit(args: argparse.Namespace, table: Table, *texts: str, facts: Mapping[str, Any] | None = None) -> int:
    """Write the table to the requested file, or print it with its texts, or print JSON."""
    if args.out is not None:
        write(args, table)
    elif args.json:
        print(table.json() if facts is None else as_json(facts))
    else:
        print(table.text(terminal_width()))
        for text in texts:
            print(f"\n{filled(text)}")
    return 0


def summary_table(frame: pd.DataFrame, title: str = "") -> Table:
    """Set summaries of algorithms, each measure on its scale: times have significant digits, whatever their size."""
    from podium.typesetting import Table

    several = frame.index.nlevels > 1
    parts = [part for _, part in frame.groupby(level=0, sort=False)] if several else [frame]
    tables = [Table.from_frame(part, title, scale="log" if is_geometric(part) else "linear") for part in parts]
    return tables[0].replace(rows=tuple(row for table in tables for row in table.rows))


def is_geometric(summary: pd.DataFrame) -> bool:
    """Whether the summary of a measure has geometric means."""
    return "geometric mean" in summary and bool(summary["geometric mean"].notna().any())


def write(args: argparse.Namespace, table: Table) -> None:
    """Write the table to the file of `--out`, and print its name."""
    from podium.typesetting.table import write_table

    print(write_table(table, args.out, "--out"))


def terminal_width() -> int:
    """Return the number of columns of the terminal, or of $COLUMNS; 100 where the output is not a terminal."""
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def filled(text: str) -> str:
    """Break a paragraph into lines as wide as the terminal, at most 100."""
    from podium.typesetting.plain import wrapped

    return wrapped(text, min(terminal_width(), 100))


def folded(text: str) -> str:
    """Break the lines that are longer than the terminal is wide, at most 100; the rest of a line is indented."""
    width = min(terminal_width(), 100)
    return "\n".join(
        line
        if len(line) <= width
        else textwrap.fill(
            line,
            width,
            subsequent_indent=" " * (len(line) - len(line.lstrip()) + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )


def as_json(facts: Any) -> str:
    """Write facts as JSON; what is not a number (NaN) is null, and infinite numbers are texts."""
    return json.dumps(_plain(facts), indent=2, ensure_ascii=False, allow_nan=False)


def _plain(thing: Any) -> Any:
    import numpy as np
    import pandas as pd

    if isinstance(thing, pd.DataFrame):
        return [_plain(row) for row in thing.to_dict("records")]
    if isinstance(thing, Mapping):
        return {str(key): _plain(value) for key, value in thing.items()}
    if isinstance(thing, np.ndarray):
        return _plain(thing.tolist())
    if isinstance(thing, Sequence) and not isinstance(thing, str):
        return [_plain(one) for one in thing]
    if isinstance(thing, np.generic):
        thing = thing.item()
    if isinstance(thing, float) and not np.isfinite(thing):
        return None if np.isnan(thing) else str(thing)
    return thing if isinstance(thing, bool | int | float | str) or thing is None else str(thing)
