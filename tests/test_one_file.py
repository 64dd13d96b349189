"""To add something, add one file: the files that the pages show are added to a copy of the package, and used."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(?:python|text)\n# (src/podium/\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Files that no page shows as a whole; the page on inference has the same for objects of your own.
MORE = {
    "src/podium/analysis/inference/pairwise/gain.py": """
from podium.analysis.inference.pairwise.t import paired_t_test
from podium.analysis.inference.pairwise_test import PairwiseTest

def gain_test(differences, structure, *, alpha, intervals, cost=0.0):
    return paired_t_test(differences - cost, structure, alpha=alpha)

GAIN = PairwiseTest(name="gain", title="test of a gain", function=gain_test, estimand="mean")
""",
    "src/podium/analysis/inference/posthoc/plain_ranks.py": """
from podium.analysis.inference.rank_test import RankTest
from podium.analysis.inference.ranks import rank_pairs

def plain_test(ranks, first, second, *, control, tail):
    return rank_pairs(ranks, first, second, variance="plain", control=control, tail=tail)

PLAIN = RankTest(name="plain ranks", title="test of plain ranks", function=plain_test)
""",
    "src/podium/analysis/inference/omnibus/anova.py": """
from scipy.stats import f

from podium.analysis.inference.global_test import GlobalOutcome, GlobalTest

def anova_test(costs):
    n, k = costs.shape
    centred = costs - costs.mean(axis=1, keepdims=True)
    between = n * (centred.mean(axis=0) ** 2).sum()
    df = (k - 1, (k - 1) * (n - 1))
    statistic = between / df[0] / (((centred**2).sum() - between) / df[1])
    return GlobalOutcome(statistic=statistic, pvalue=f.sf(statistic, *df), df=df)

ANOVA = GlobalTest(name="anova", title="analysis of variance", function=anova_test)
""",
}

# A line that uses what each file adds; `results` are those of Demšar (2006).
USES = {
    "src/podium/analysis/inference/pairwise/gain.py": (
        "t = podium.compare(results, method='t'); found = podium.compare(results, method='gain', cost=0.0); "
        "assert found.procedure == 'gain' and (found.pvalue == t.pvalue).all()"
    ),
    "src/podium/analysis/inference/posthoc/plain_ranks.py": (
        "nemenyi = podium.compare(results, method='nemenyi'); found = podium.compare(results, method='plain ranks'); "
        "assert (found.adjusted == nemenyi.adjusted).all()"
    ),
    "src/podium/analysis/inference/omnibus/anova.py": "assert podium.inference.anova(results).df == (3, 39)",
    "src/podium/setup/measures/informedness.py": "assert podium.measure('informedness').info.direction == 'greater'",
    "src/podium/setup/candidates/logit.py": "assert 'logit' in podium.candidates().index and podium.algorithm('logit').make",
    "src/podium/results/formats/tex.py": "assert '0.763' in results.write('scores.tex').read_text()",
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
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in (shown_files() | MORE).items():
        assert not (copy / path).exists()
        (copy / path).write_text(text, encoding="utf-8")
    return copy


def test_the_pages_show_one_file_of_each_kind() -> None:
    assert set(shown_files()) == set(USES) - set(MORE)


def test_each_file_is_all_it_takes(package: Path) -> None:
    lines = ["import podium", "results = podium.datasets.load_demsar2006()", *USES.values()]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(lines)],
        cwd=package,
        env=os.environ | {"PYTHONPATH": str(package / "src"), "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
