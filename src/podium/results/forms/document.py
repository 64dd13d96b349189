"""JSON: a document of podium's own, which keeps everything, or dicts and lists from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import AmbiguousInputError, InputError
from podium.results.cube import ABSENT, REASON_NAMES, Cube
from podium.results.forms.asked import Asked
from podium.results.forms.export import note, read_note
from podium.results.forms.files import not_utf8, open_text

FORMAT = "podium.results"
VERSION = 1


def to_document(cube: Cube) -> dict[str, Any]:
    """Put the whole cube into JSON's terms; only `origin` and `reports` stay behind."""
    told = np.argwhere(cube.missing & (cube.reasons != ABSENT))
    return {
        "format": FORMAT,
        "version": VERSION,
        "datasets": list(cube.datasets),
        "replications": list(cube.replications),
        "algorithms": list(cube.algorithms),
        **note(cube.measures),
        "values": np.where(cube.present, cube.values.astype(object), None).tolist(),  # type: ignore[call-overload]
        "design": None if cube.design.all() else cube.design.astype(int).tolist(),
        "reasons": [[*map(int, at), REASON_NAMES[cube.reasons[tuple(at)]]] for at in told],
        "structure": {name: array.tolist() for name, array in cube.structure.items()},
    }


def is_document(source: Any) -> bool:
    """Tell whether a dict is what `to_document` wrote."""
    return isinstance(source, Mapping) and source.get("format") == FORMAT


def from_document(document: Mapping[str, Any], asked: Asked) -> Cube:
    """Read what `to_document` wrote; the caller's words on measures win over the document's."""
    asked.only_for("a document of podium")
    asked.refuse_dataset("the document names its data sets")
    if document.get("version") != VERSION:
        raise InputError(
            f"The document has version {document.get('version')!r} of the format {FORMAT!r}; "
            f"this podium reads version {VERSION}. Use a newer podium."
        )
    try:
        values = np.array(document["values"], dtype=np.float64)
        reasons = np.full(values.shape, ABSENT, np.uint8)
        for *at, name in document["reasons"]:
            reasons[tuple(at)] = REASON_NAMES.index(name)
        stored = read_note(document)
        kept = asked.chosen(stored)
        design = document["design"]
        return Cube(
            values=values[..., kept],
            reasons=reasons[..., kept],
            design=np.ones(values.shape[:2], bool) if design is None else np.array(design, bool),
            structure={name: np.array(array, np.int64) for name, array in document["structure"].items()},
            datasets=tuple(document["datasets"]),
            replications=tuple(document["replications"]),
            algorithms=tuple(document["algorithms"]),
            measures=asked.describe([list(stored)[i] for i in kept], stored),
            origin="JSON document of podium",
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("The document is damaged: it is not what `to_json` writes. Write it again.") from error


def load_json(path: Path) -> Any:
    """Load a JSON file as dicts and lists."""
    try:
        with open_text(path, "r") as handle:
            return json.load(handle)
    except json.JSONDecodeError as error:
        raise InputError(f"{path.name!r} is no JSON: {error}.") from None
    except UnicodeDecodeError:
        raise not_utf8(path) from None


def records_frame(records: list[Any]) -> pd.DataFrame:
    """Turn a list of dicts, one per row, into a frame."""
    if not records:
        raise InputError("The table is empty: the list has no row.")
    wrong = [i for i, record in enumerate(records) if not isinstance(record, Mapping)]
    if wrong:
        raise AmbiguousInputError(
            "A list must hold one dict per row, such as {'dataset': ..., 'algorithm': ..., 'accuracy': ...}; "
            f"entry {wrong[0]} is of type {type(records[wrong[0]]).__name__}. If it is an array, name its axes: "
            "labels={'dataset': [...], 'algorithm': [...]}."
        )
    return pd.DataFrame(records)
