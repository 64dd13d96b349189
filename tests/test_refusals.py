"""A sample of the values and options that public calls refuse, with podium's own errors."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

import podium
from podium.checks import check_call
from podium.errors import InputError, LabelError, PodiumError

DEMSAR = podium.examples.load_demsar2006()
DUELS = pd.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "outcome": [1, 0]})
POINTS = np.random.default_rng(0).normal(size=(8, 2))
ONE = podium.Experiment("iris", "lda", podium.HoldOut(), "misclassification")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: podium.PairedComparisons.from_duels(DUELS, b=DUELS["b"]),
            "`b` must be the name of a column; got a Series.",
        ),
        (
            lambda: podium.summaries.orders(DEMSAR, epsilon=-1),
            "`epsilon` must be a finite number of at least 0; got -1.",
        ),
        (
            lambda: podium.report(DEMSAR, equivalence="x"),
            "`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got 'x'.",
        ),
        (
            lambda: podium.Generator(name="g", draw_sample=len, check=len),
            "What `check` returns must be a mapping from names to values; got 0.",
        ),
        (
            lambda: podium.Bootstrap(replication=9),  # type: ignore[call-arg]
            "Bootstrap() has no option 'replication'. It has 'replications', 'test', 'stratify'. "
            "Did you mean 'replications'?",
        ),
        (
            lambda: podium.Experiment([]),  # type: ignore[call-arg]
            "Experiment(): missing a required argument: 'algorithms'. It takes 'datasets', 'algorithms', "
            "'resampling', 'measures' and, by name, 'seed', 'name', 'folder', 'keep', 'characteristics', 'stopping'.",
        ),
    ],
)
def test_a_wrong_value_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "call",
    [
        lambda: podium.inference.friedman(DEMSAR, seed="x"),  # does not need it
        lambda: podium.inference.adjust_pvalues([0.01, 0.02], n_algorithms="x"),
        lambda: podium.inference.boundaries(3, sides=True),
        lambda: podium.compare(DEMSAR, measure=np.array("XYZ")),
        lambda: podium.compare(DEMSAR).replace(estimate=[1]),
        lambda: podium.archetypes(POINTS, sample_weight=["3"] * 8),
        lambda: podium.summaries.orders(DEMSAR, statistics=[]),
        lambda: podium.show.tables.Table.from_frame(DUELS, notes=DUELS),
        lambda: podium.plot.box(DEMSAR, title="\ud800"),
        lambda: podium.plot.figures.archetype_plane(podium.ArchetypalAnalysis(2, n_init=1).fit(POINTS), x=DUELS),
        lambda: podium.Warehouse(":memory:").append(np.array(3)),
        lambda: podium.run(ONE, memory_per_fit=10**30, progress="quiet"),
        lambda: podium.compare(DEMSAR, unknown=1),
        lambda: podium.compare(DEMSAR).frame(sort=True),
        lambda: podium.Dataset.generated("friedman1", unknown=1),
        lambda: podium.monitor(podium.examples.load_pima(), unknown=1),
        lambda: podium.design.SklearnSplitter(3),
        lambda: podium.examples.load_demsar2006(1),
    ],
)
def test_what_no_call_can_use_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(PodiumError):
        call()


def test_values_that_are_not_refused() -> None:
    assert not podium.run(ONE, workers=1, seconds_per_fit=1e10, progress="quiet").missing.any()
    assert set(podium.summaries.orders(DEMSAR, epsilon=2**70)["order"]) == {"C4.5 ~ C4.5+cf ~ C4.5+m ~ C4.5+m+cf"}


def test_arrays_of_a_comparison_cannot_be_changed() -> None:
    comparison = podium.compare(DEMSAR, method="nemenyi")
    with pytest.raises(ValueError, match="read-only"):
        comparison.estimate[0] = 9


@pytest.mark.parametrize("option", [{"p_adjust": "holm"}, {"ajust": "holm"}])
def test_names_of_other_packages_and_near_names_lead_to_ours(option: dict[str, str]) -> None:
    with pytest.raises(LabelError, match=r"Did you mean 'adjust'\?$"):
        podium.compare(DEMSAR, **option)


@pytest.mark.parametrize("name", ["running", "inference", "plot", "relations", "design", "summaries"])
def test_the_nearest_name_of_a_module_is_suggested(name: str) -> None:
    module = getattr(podium, name)
    known = max(module.__all__, key=len)
    with pytest.raises(AttributeError, match=f"has no '{known}x'. Did you mean '{known}'"):
        getattr(module, f"{known}x")


# What the check of arguments leaves as it is


@check_call
@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0

    @classmethod
    def origin(cls, *, y: int = 0) -> Point:
        return cls(0, y)

    @staticmethod
    def double(x: int) -> int:
        return 2 * x

    def shifted(self, by: int) -> Point:
        return replace(self, x=self.x + by)


class Pixel(Point):
    pass


def test_a_checked_class_or_function_stays_what_it_is() -> None:
    assert str(inspect.signature(Point)) == "(x: 'int', y: 'int' = 0) -> None"
    assert (Point.origin(y=2), Point.double(4), Point(1).shifted(2)) == (Point(0, 2), 8, Point(3))
    for thing in (Point(1), podium.compare, podium.Bootstrap(replications=3)):
        assert pickle.loads(pickle.dumps(thing)) == thing


def test_a_method_is_named_by_the_class_of_its_object() -> None:
    with pytest.raises(LabelError, match=r"^Pixel.shifted\(\) has no option 'z'"):
        Pixel(1).shifted(z=2)  # type: ignore[call-arg]


def test_an_error_inside_a_function_stays_what_it_is() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        check_call(lambda a, b: a + b)(1, "a")
