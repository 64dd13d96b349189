"""Trials that ``Warehouse.export_trials`` and ``podium warehouse export`` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import InputError
from podium.results.cube import SAMPLE_FIELDS
from podium.results.formats import Format, lacking_columns, with_directions
from podium.results.forms.arguments import Arguments
from podium.results.text_files import load_json

VALUE = "value: "  # precedes the name of a measure, so that no measure can take the name of another column
SUPERFLUOUS = "superfluous"  # a column of trials that a stopping rule has made so
_NEEDED = ("dataset", "algorithm", "replication", "status", "error_type", "undefined")
_REASONS = {"done": "", **{status: status for status in ("failed", "crashed", "timeout", "skipped")}}


def _convert(source: pd.DataFrame, arguments: Arguments) -> pd.DataFrame:
    """Read the newest attempt at each trial; the file has all of them, in their order.

    Trials that a stopping rule has made superfluous are left out.
    """
    attrs = source.attrs
    if SUPERFLUOUS in source:
        source = source[source[SUPERFLUOUS].astype(str) != "yes"]
    newest = source.drop_duplicates(["dataset", "algorithm", "replication"], keep="last")
    values = [name for name in newest.columns if str(name).startswith(VALUE)]
    if not values:
        raise InputError("The exported trials contain no values: none of them is done.")
    status = newest["status"].astype(str)
    frame = pd.DataFrame({name: newest[name] for name in ("dataset", "algorithm", "replication")})
    for name in SAMPLE_FIELDS:
        if name in newest:
            known = pd.to_numeric(newest[name], errors="coerce")
            if (known >= 0).any():
                frame[name] = known.where(known >= 0)
    for name in values:
        frame[name.removeprefix(VALUE)] = pd.to_numeric(newest[name], errors="coerce")
    frame["reason"] = status.map(_REASONS).fillna("absent")
    undefined = frame["reason"].eq("") & frame[[name.removeprefix(VALUE) for name in values]].isna().any(axis=1)
    frame.loc[undefined, "reason"] = "failed"
    frame.attrs = attrs
    return frame


def _attach_directions(frame: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Add the directions of the measures, which are in the design beside the file."""
    beside = path.with_name(f"{path.name.partition('.')[0]}.design.json")
    if not _recognise(frame) or not beside.is_file():
        return frame
    try:
        designs = load_json(beside.read_text(encoding="utf-8"), beside.name)["designs"]
        measures = [entry for design in designs for entry in design["document"]["measures"]]
        return with_directions(frame, {str(entry["name"]): str(entry["direction"]) for entry in measures})
    except (InputError, KeyError, TypeError, UnicodeDecodeError):
        return frame  # the names of the measures may imply the directions


def _recognise(source: Any) -> bool:
    return not lacking_columns(source, _NEEDED)


FORMAT = Format(name="exported trials of podium", recognise=_recognise, convert=_convert, complete=_attach_directions)
