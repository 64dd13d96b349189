"""The registry of formats: one module is enough to add a format of scores."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import podium
from podium.errors import InputError
from podium.registry import Registry
from podium.results import formats as registry

# A format in one module: values by algorithm, one line each.
MODULE = """
from podium.results.formats import Format


def read_lines(path, arguments):
    lines = [line.split() for line in path.read_text().splitlines()]
    return [{"algorithm": name, "replication": i, "accuracy": float(x)} for name, *xs in lines for i, x in enumerate(xs)]


def write_lines(cube, path):
    rows = [f"{name} {' '.join(map(str, cube.values[0, :, k, 0]))}" for k, name in enumerate(cube.algorithms)]
    path.write_text("\\n".join(rows))


FORMAT = Format(name="lines", suffixes=(".lines",), read=read_lines, write=write_lines)
"""


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the module to the folder of formats."""
    (tmp_path / "formats").mkdir()
    (tmp_path / "formats" / "lines.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr(registry, "__path__", [*registry.__path__, str(tmp_path / "formats")])
    found = Registry(registry.__name__, registry.Format)
    monkeypatch.setattr(registry, "FORMATS", found)
    yield
    sys.modules.pop("podium.results.formats.lines", None)


def test_the_formats_of_podium() -> None:
    by_suffix = {suffix: format.name for format in registry.FORMATS.values() for suffix in format.suffixes}
    assert by_suffix == {
        ".csv": "CSV",
        ".tsv": "CSV",
        ".txt": "CSV",
        ".json": "JSON",
        ".jsonl": "JSON Lines",
        ".ndjson": "JSON Lines",
        ".xlsx": "Excel",
        ".parquet": "Parquet",
        ".pq": "Parquet",
    }


def test_one_module_adds_a_format(lines: None, tmp_path: Path) -> None:
    scores = tmp_path / "scores.lines"
    scores.write_text("svm 0.9 0.8\nknn 0.7 0.8\n", encoding="utf-8")
    results = podium.read(scores)
    assert results.algorithms == ("knn", "svm")
    assert results.origin.startswith("scores.lines: table of trials")
    assert podium.read(results.write(tmp_path / "again.lines")) == results


def test_the_extension_tsv_means_tabs(tmp_path: Path) -> None:
    results = podium.datasets.load_demsar2006()
    path = results.write(tmp_path / "scores.tsv")
    assert path.read_text(encoding="utf-8").startswith("dataset\talgorithm\treplication\t")
    assert podium.read(path) == results


def test_messages_name_the_new_format(lines: None) -> None:
    with pytest.raises(InputError, match=r"podium reads .*, \.ndjson, \.lines, \.parquet and \.pq, the"):
        podium.read("scores.doc")
