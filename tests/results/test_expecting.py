"""A table, a file name or a comparison where results are wanted, and results where a comparison is wanted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import podium
from podium.errors import InputError

FRAME = pd.DataFrame({"dataset": ["iris", "wine"], "svm": [0.9, 0.8], "knn": [0.7, 0.8]})
READ = "Use podium.read(frame); it needs measure='...' if the table does not say what was measured."
TAKE_RESULTS: dict[str, Callable[[Any], object]] = {
    "summarize": podium.summarize,
    "orders": podium.summaries.orders,
    "worst_case": podium.summaries.worst_case,
    "intervals": podium.summaries.intervals,
    "places": podium.summaries.places,
    "quartile_chart": podium.summaries.quartile_chart,
    "preferences": podium.relations.preferences,
    "compare": podium.compare,
    "friedman": podium.friedman,
    "effect_sizes": podium.inference.effect_sizes,
    "explore": podium.explore,
    **{
        f"plot.{name}": getattr(podium.plot, name)
        for name in (
            [
                "strip",
                "box",
                "violin",
                "density",
                "histogram",
                "intervals",
                "percentile_intervals",
                "podium",
                "places",
                "time",
                "trellis",
            ]
        )
    },
}
TAKE_COMPARISON = ["critical_difference", "pvalues", "multi_comparison"]


def message(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("name", TAKE_RESULTS)
def test_a_table_is_no_results(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert message(lambda: TAKE_RESULTS[name](FRAME)) == f"`results` must be a Results; got a DataFrame. {READ}"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("thing", "end"),
    [
        ("scores.csv", "got the text 'scores.csv'. Use podium.read('scores.csv')."),
        (Path("scores.csv"), "got the text 'scores.csv'. Use podium.read('scores.csv')."),
        (None, "got None. podium.read and podium.run make results."),
        ({"svm": [1]}, "got a dict. podium.read and podium.run make results."),
        (FRAME["svm"], f"got a Series. {READ}"),
        (
            podium.Experiment("iris", "lda", podium.HoldOut(), "accuracy"),
            "got an Experiment. Use podium.run(experiment).",
        ),
        (
            podium.compare(podium.datasets.load_demsar2006()),
            "got a Comparison. Hand in the results that the Comparison was made from.",
        ),
    ],
)
def test_what_came_and_the_way_out(thing: object, end: str) -> None:
    assert message(lambda: podium.summarize(thing)) == f"`results` must be a Results; {end}"  # type: ignore[arg-type]


def test_a_warehouse_holds_results() -> None:
    with podium.Warehouse(":memory:") as warehouse:
        said = message(lambda: podium.summarize(warehouse))  # type: ignore[arg-type]
    assert said == "`results` must be a Results; got a Warehouse. Use warehouse.results()."


@pytest.mark.parametrize("name", TAKE_COMPARISON)
def test_results_are_no_comparison(name: str) -> None:
    draw = getattr(podium.plot, name)
    start = "`comparison` must be a Comparison; got a "
    results = podium.datasets.load_demsar2006()
    assert message(lambda: draw(results)) == f"{start}Results. Compare first: podium.compare(results)."
    read_first = "Read it and compare first: podium.compare(podium.read(frame))."
    assert message(lambda: draw(FRAME)) == f"{start}DataFrame. {read_first}"
    assert message(lambda: draw("x")) == f"{start}str. podium.compare(results) makes one."


def test_letters_need_a_comparison() -> None:
    import podium.figures

    assert message(lambda: podium.figures.letters(podium.datasets.load_demsar2006())).startswith(  # type: ignore[arg-type]
        "`comparison` must be a Comparison; got a Results."
    )


def test_public_names_only() -> None:
    assert set(dir(podium)) == {*podium.__all__, "__version__"}


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"^podium has no 'sumarize'; did you mean 'summarize'\?$"):
        podium.sumarize  # noqa: B018
    with pytest.raises(AttributeError, match=r"^podium has no 'xyzzy'$"):
        podium.xyzzy  # noqa: B018
