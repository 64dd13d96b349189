"""To add a pairwise test, a rank post-hoc or a global test, one file is enough: shown by doing it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

import podium
from podium.analysis import compare as compare_module
from podium.analysis.inference import GlobalTest, PairwiseTest, RankTest, global_test, pairwise_test, rank_test
from podium.registry import Registry
from podium.results import Results

FILES = {
    "pairwise": """
from podium.analysis.inference.pairwise.t import paired_t_test
from podium.analysis.inference.pairwise_test import PairwiseTest

def gain_test(differences, structure, *, alpha, intervals, cost=0.0):
    return paired_t_test(differences - cost, structure, alpha=alpha)

GAIN = PairwiseTest(name="gain", title="test of a gain", function=gain_test, estimand="mean")
""",
    "posthoc": """
from podium.analysis.inference.rank_test import RankTest
from podium.analysis.inference.ranks import rank_pairs

def plain_test(ranks, first, second, *, control, tail):
    return rank_pairs(ranks, first, second, variance="plain", control=control, tail=tail)

PLAIN = RankTest(name="plain ranks", title="test of plain ranks", function=plain_test)
""",
    "omnibus": """
from podium.analysis.inference.global_test import GlobalOutcome, GlobalTest

def certain_test(costs, *, pvalue=0.5):
    return GlobalOutcome(statistic=0.0, pvalue=pvalue)

CERTAIN = GlobalTest(name="certain", title="certain test", function=certain_test)
""",
}


@pytest.fixture
def one_more_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put one file into each folder (here: into a folder that the package looks in, too), and scan them again."""
    for folder, code in FILES.items():
        package = importlib.import_module(f"podium.analysis.inference.{folder}")
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "an_example.py").write_text(code, encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path / folder)])
        monkeypatch.delitem(sys.modules, f"{package.__name__}.an_example", raising=False)
    again = {
        "RANK_TESTS": (rank_test, Registry("podium.analysis.inference.posthoc", RankTest)),
        "PAIRWISE_TESTS": (pairwise_test, Registry("podium.analysis.inference.pairwise", PairwiseTest)),
        "GLOBAL_TESTS": (global_test, Registry("podium.analysis.inference.omnibus", GlobalTest)),
    }
    for name, (home, registry) in again.items():
        monkeypatch.setattr(home, name, registry)
        monkeypatch.setattr(compare_module, name, registry)


@pytest.mark.usefixtures("one_more_file")
def test_a_file_in_the_folder_is_a_method(demsar: Results) -> None:
    gain = podium.compare(demsar, method="gain", cost=0.01)
    assert (gain.procedure, gain.method) == ("gain", "test of a gain")
    plain, nemenyi = (podium.compare(demsar, method=name) for name in ("plain ranks", "nemenyi"))
    assert plain.frame().equals(nemenyi.frame())
    assert podium.compare(demsar, method="plain ranks", control="C4.5").adjust == "single-step"
    with pytest.raises(podium.errors.InputError, match="'cost' is an option of 'gain'"):
        podium.compare(demsar, method="t", cost=0.01)
    assert compare_module.GLOBAL_TESTS["certain"](demsar, pvalue=0.2).pvalue == 0.2


@pytest.mark.usefixtures("one_more_file")
def test_a_global_test_in_the_folder_is_a_function_of_podium_inference(demsar: Results) -> None:
    names = ("podium.analysis.inference", "podium.inference")
    kept = {name: sys.modules.pop(name) for name in names}
    try:
        fresh = importlib.import_module("podium.analysis.inference")
        assert "certain" in fresh.__all__
        assert not fresh.certain(demsar).significant
    finally:
        for name, module in kept.items():
            sys.modules[name] = module
            parent, _, child = name.rpartition(".")
            setattr(sys.modules[parent], child, module)
