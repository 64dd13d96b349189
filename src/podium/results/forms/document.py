"""Documents in JSON's terms: podium's own, which keep everything, and lists of rows from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.checks import describe, is_utf8, shown
from podium.errors import AmbiguousInputError, InputError, LabelError
from podium.results.cube import ABSENT, REASON_NAMES, Cube
from podium.results.forms.arguments import Arguments
from podium.results.measure_info import read_measures, write_measures

FORMAT = "podium.results"
VERSION = 2


def to_document(cube: Cube) -> dict[str, Any]:
    """Put the whole cube into JSON's terms, except for `origin` and `reports`."""
    given = np.argwhere(cube.missing & (cube.reasons != ABSENT))
    return {
        "format": FORMAT,
        "version": VERSION,
        "datasets": list(cube.datasets),
        "replications": list(cube.replications),
        "algorithms": list(cube.algorithms),
        **write_measures(cube.measures),
        "values": np.where(cube.present, cube.values.astype(object), None).tolist(),  # type: ignore[call-overload]
        "design": None if cube.design.all() else cube.design.astype(int).tolist(),
        "reasons": [[*map(int, at), REASON_NAMES[cube.reasons[tuple(at)]]] for at in given],
        "structure": {name: array.tolist() for name, array in cube.structure.items()},
    }


def is_document(source: Any) -> bool:
    """Return whether a dict is what `to_document` wrote."""
    return isinstance(source, Mapping) and str(source.get("format")) == FORMAT


def from_document(document: Mapping[str, Any], arguments: Arguments) -> Cube:
    """Read what `to_document` wrote; the arguments win over what the document says about measures."""
    arguments.only_for("a podium document")
    arguments.refuse_dataset("the document names its data sets")
    if document.get("version") != VERSION:
        raise InputError(
            f"The document has version {document.get('version')!r} of the format {FORMAT!r}; this version of podium "
            f"reads version {VERSION}. Write it again, or read it with the version of podium that wrote it."
        )
    try:
        values = np.array(document["values"], dtype=np.float64)
        reasons = np.full(values.shape, ABSENT, np.uint8)
        for *at, name in document["reasons"]:
            reasons[tuple(at)] = REASON_NAMES.index(name)
        stored = read_measures(document)
        kept = arguments.chosen(stored)
        design = document["design"]
        return Cube(
            values=values[..., kept],
            reasons=reasons[..., kept],
            design=np.ones(values.shape[:2], bool) if design is None else np.array(design, bool),
            structure={name: np.array(array, np.int64) for name, array in document["structure"].items()},
            datasets=tuple(document["datasets"]),
            replications=tuple(document["replications"]),
            algorithms=tuple(document["algorithms"]),
            measures=arguments.describe([list(stored)[i] for i in kept], stored),
            origin="podium document",
            form="podium document",
        )
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("The document is damaged: it is not what `to_json` writes. Write it again.") from error


def records_frame(records: list[Any]) -> pd.DataFrame:
    """Turn a list of dicts, one per row, into a frame."""
    if not records:
        raise InputError("The table is empty: the list has no rows.")
    wrong = [i for i, record in enumerate(records) if not isinstance(record, Mapping)]
    if wrong:
        raise AmbiguousInputError(
            "A list must hold one dict per row, such as {'dataset': ..., 'algorithm': ..., 'accuracy': ...}; "
            f"entry {wrong[0]} is {describe(records[wrong[0]])}. If it is an array, name its axes: "
            "labels={'dataset': [...], 'algorithm': [...]}."
        )
    try:
        return pd.DataFrame(records)
    except UnicodeEncodeError:
        texts = ((i, text) for i, record in enumerate(records) for entry in record.items() for text in entry)
        i, text = next((i, text) for i, text in texts if isinstance(text, str) and not is_utf8(text))
        raise LabelError(f"A label must be text or a number; got {shown(text)} in row {i}.") from None
