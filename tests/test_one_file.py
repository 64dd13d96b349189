"""To add something, add one file: the files that the pages show are added to a copy of the package, and used."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

RunPython = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(?:python|text)\n# (src/podium/\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# A line that uses what each file adds; `results` are those of Demšar (2006).
USES = {
    "src/podium/analysis/methods/pairwise/z.py": "assert podium.compare(results, method='z', sd=0.02).procedure == 'z'",
    "src/podium/analysis/methods/posthoc/rank_t.py": "assert podium.compare(results, method='rank t').adjust == 'holm'",
    "src/podium/analysis/methods/omnibus/anova.py": "assert podium.inference.anova(results).df == (3, 39)",
    "src/podium/design/measures/informedness.py": "assert podium.Measure.named('informedness').info.direction == 'higher'",
    "src/podium/design/candidates/logit.py": "assert 'logit' in podium.candidates().index and podium.Algorithm.named('logit').make",
    "src/podium/design/generators/checkerboard.py": "assert len(podium.Dataset.generated('checkerboard', fields=3).fixed(seed=1).classes) == 2",
    "src/podium/results/formats/feather.py": (
        "again = podium.read(results.write('scores.feather')); "
        "assert again.select(algorithms=list(results.algorithms)) == results"
    ),
    "src/podium/plot/spread.py": "assert podium.plot.spread(results).get_xlabel() == 'interquartile range of AUC'",
}


def shown_files() -> dict[str, str]:
    """The files that the pages show, from their paths to their texts."""
    return {
        path: text
        for page in sorted((ROOT / "docs").glob("*.md"))
        for path, text in BLOCK.findall(page.read_text("utf-8"))
    }


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with one more file of each kind, and no other change."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", copy / "src")  # with the compiled modules: they are not compiled again
    for path, text in shown_files().items():
        assert not (copy / path).exists()
        (copy / path).write_text(text, encoding="utf-8")
    return copy


def test_the_pages_show_one_file_of_each_kind() -> None:
    assert set(shown_files()) == set(USES)


def test_each_file_is_all_it_takes(package: Path, run_python: RunPython, monkeypatch: pytest.MonkeyPatch) -> None:
    first = "import warnings; warnings.simplefilter('error'); import podium"
    lines = [first, "results = podium.examples.load_demsar2006()", *USES.values()]
    monkeypatch.chdir(package)
    done = run_python("\n".join(lines), PYTHONPATH=str(package / "src"))
    assert done.stderr == ""
    assert done.returncode == 0
