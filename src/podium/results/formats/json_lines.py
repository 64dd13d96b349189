"""JSON Lines: one row of a table per line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from podium.errors import InputError
from podium.results.cube import Cube
from podium.results.formats import Format
from podium.results.formats.lm_evaluation import are_samples, with_model_and_task
from podium.results.forms.arguments import Arguments
from podium.results.forms.document import records_frame
from podium.results.forms.long import to_long
from podium.results.text_files import load_json, open_text


def read_json_lines(path: Path, arguments: Arguments) -> Any:
    """Read a table with one row per line."""
    rows = []
    with open_text(path, "r") as handle:
        for number, line in enumerate(handle, 1):
            if line.strip():
                rows.append(load_json(line, f"line {number} of {path.name}"))
    if not rows:
        raise InputError(f"The table is empty: {path.name!r} has no lines.")
    frame = records_frame(rows)
    return with_model_and_task(frame, path) if are_samples(frame) else frame


def write_json_lines(cube: Cube, path: Path) -> None:
    """Write the long table, with the direction of each measure."""
    directions = {info.name: info.direction for info in cube.measures}
    frame = to_long(cube)
    frame["direction"] = frame["measure"].map(directions)
    with open_text(path, "w") as handle:
        for row in frame.astype(object).where(frame.notna(), None).to_dict("records"):
            handle.write(json.dumps(row, ensure_ascii=False) + "\n")


FORMAT = Format(
    name="JSON Lines", suffixes=(".jsonl", ".ndjson"), text=True, read=read_json_lines, write=write_json_lines
)
