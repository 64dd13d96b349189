"""JSON files: a podium document, which keeps everything, or dicts and lists from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from podium.results.cube import Cube
from podium.results.formats import Format
from podium.results.forms.arguments import Arguments
from podium.results.forms.document import to_document
from podium.results.text_files import load_json, open_text


def read_json(path: Path, arguments: Arguments) -> Any:
    """Load dicts and lists; their content says what they are."""
    with open_text(path, "r") as handle:
        return load_json(handle.read(), path.name)


def write_json(cube: Cube, path: Path) -> None:
    """Write a podium document."""
    with open_text(path, "w") as handle:
        handle.write(json.dumps(to_document(cube), allow_nan=False))


FORMAT = Format(name="JSON", suffixes=(".json",), text=True, read=read_json, write=write_json)
