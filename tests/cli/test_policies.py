"""Every verb with every policy for missing cells: its help lists what it accepts, and messages offer what helps."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from podium.cli import main
from podium.results.missing import POLICIES

# Each verb, and where it depends on its options, which policies it refuses with them.
VERBS = {
    "show": (["show", "gap.csv"], {"worst-rank"}),
    "summary": (["summary", "gap.csv", "--measure", "accuracy"], {"worst-rank"}),
    "table, scores": (["table", "gap.csv", "--measure", "accuracy"], {"worst-rank"}),
    "table, algorithms": (["table", "gap.csv", "--measure", "accuracy", "--kind", "algorithms"], set()),
    "table, pairs": (["table", "gap.csv", "--measure", "accuracy", "--kind", "pairs"], set()),
    "table, wins": (["table", "gap.csv", "--measure", "accuracy", "--kind", "wins"], set()),
    "compare": (["compare", "gap.csv", "--measure", "accuracy"], set()),
    "compare, nemenyi": (["compare", "gap.csv", "--measure", "accuracy", "--method", "nemenyi"], {"available"}),
    "compare, wilcoxon": (["compare", "gap.csv", "--measure", "accuracy", "--method", "wilcoxon"], {"worst-rank"}),
    "order": (["order", "gap.csv", "--measure", "accuracy"], set()),
    "consensus": (["consensus", "gap.csv", "--measure", "accuracy"], {"worst-rank"}),
    "consensus, wnmt": (["consensus", "gap.csv", "--measure", "accuracy", "--method", "wnmt"], {"available"}),
    "domain": (["domain", "gap.csv", "--measure", "accuracy", "--progress", "quiet"], set()),
    "domain, mean": (
        ["domain", "gap.csv", "--measure", "accuracy", "--progress", "quiet", "--statistic", "mean"],
        {"worst-rank"},
    ),
    "mixed": (["mixed", "gap.csv", "--measure", "accuracy"], {"worst-rank"}),
    "bayes": (["bayes", "gap.csv", "--measure", "accuracy", "--method", "sign"], {"worst-rank", "available"}),
    "ranks": (["ranks", "gap.csv", "--measure", "accuracy", "--short"], {"available"}),
    "wins": (["wins", "gap.csv", "--measure", "accuracy"], {"worst-rank"}),
    "multitest": (["multitest", "gap.csv", "--measure", "accuracy", "--prior", "svm,knn,lda"], set()),
    "monitor": (["monitor", "gap.csv", "--measure", "accuracy", "--dataset", "d1"], {"worst-rank", "available"}),
    "report": (["report", "gap.csv", "--sections", "design", "--out", "r.html"], set()),
    "sequential": (
        ["sequential", "gap.csv", "--measure", "accuracy", "--stages", "2", "--dataset", "d1"],
        {"worst-rank"},
    ),
}


@pytest.fixture(autouse=True)
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = [
        f"d{m},{b},{name},{'' if (m, b, name) == (1, 3, 'knn') else 0.9 - 0.05 * k + 0.01 * rng.normal()}"
        for m in range(4)
        for b in range(10)
        for k, name in enumerate(("svm", "knn", "lda"))
    ]
    Path("gap.csv").write_text("dataset,replication,algorithm,accuracy\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("case", VERBS)
def test_a_policy_is_used_or_refused_with_a_way_out(case: str, policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, refused = VERBS[case]
    status = main([*words, "--missing", policy])
    message = capsys.readouterr().err
    offered = re.findall(r"'([a-z]+-?[a-z]*)'", message.rpartition("Use one of")[2].rpartition("`missing`:")[2])
    if policy in refused:
        assert status == 2 and f"`missing='{policy}'` does not apply" in message
    elif policy == "raise":
        assert status == 2 and "Choose what to do about them with `missing`" in message
        assert {*offered, "raise", *refused} == set(POLICIES)
    else:
        assert (status, message) == (0, "")
    if status:
        assert offered
        assert not set(offered) & {"raise", *refused}


def test_a_consensus_by_a_test_leaves_an_algorithm_out_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["consensus", "gap.csv", "--measure", "accuracy", "--method", "wilcoxon"]
    assert main([*words, "--missing", "drop-algorithm"]) == 0
    order, _, said, *_ = capsys.readouterr().out.split("\n")
    assert order == "svm < lda"
    assert said == "Nearest to 4 orders, each by the Wilcoxon signed rank test at the 0.05 level."
