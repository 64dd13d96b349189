"""Values that were once accepted, ignored, or ended in a raw error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import podium
from podium.errors import InputError, PodiumError

DEMSAR = podium.datasets.load_demsar2006()


@pytest.mark.parametrize("name", ["quade", "aligned_ranks", "skillings_mack", "friedman"])
@pytest.mark.parametrize("options", [{"seed": "x"}, {"seed": None}, {"permutations": 0}, {"permutations": "many"}])
def test_a_global_test_checks_what_it_does_not_need(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"seed|permutations"):
        getattr(podium.inference, name)(DEMSAR, **options)


def test_arrays_of_a_comparison_cannot_be_changed_or_replaced_by_something_else() -> None:
    comparison = podium.compare(DEMSAR, method="nemenyi")
    with pytest.raises(ValueError, match="read-only"):
        comparison.estimate[0] = 9
    with pytest.raises(InputError, match="`estimate` must be an array with one entry per pair"):
        comparison.replace(estimate=[1])


@pytest.mark.parametrize("label", [np.array(3), np.array("XYZ"), np.array(None)])
def test_an_array_without_dimensions_is_one_label(label: Any) -> None:
    with pytest.raises(PodiumError):
        podium.compare(DEMSAR, measure=label)


def test_without_a_statistic_there_is_no_order() -> None:
    with pytest.raises(InputError, match="`statistics` is empty"):
        podium.summaries.orders(DEMSAR, statistics=[])


def test_the_number_of_algorithms_is_checked_for_every_adjustment() -> None:
    with pytest.raises(InputError, match="`n_algorithms` must be a whole number of at least 2"):
        podium.inference.adjust_pvalues([0.01, 0.02], n_algorithms="x")  # type: ignore[arg-type]


@pytest.mark.parametrize("memory", [0.5, 10**30, 0])
def test_memory_is_a_number_of_bytes(memory: float) -> None:
    experiment = podium.Experiment("iris", "lda", podium.HoldOut(), "misclassification")
    with pytest.raises(InputError, match="`memory_per_fit`"):
        podium.run(experiment, memory_per_fit=memory, progress="quiet")


def test_a_deadline_of_years_is_not_an_error() -> None:
    experiment = podium.Experiment("iris", "lda", podium.HoldOut(), "misclassification")
    results = podium.run(experiment, workers=1, seconds_per_fit=1e10, progress="quiet")
    assert not results.missing.any()


@pytest.mark.parametrize("name", ["status", "merge", "export_trials", "import_trials"])
def test_what_became_a_method_says_so(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"it is a method: podium.Warehouse\(path\).{name}"):
        getattr(podium, name)
