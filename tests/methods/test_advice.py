"""A test that lacks something asks for what the user of a function can give, and that helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError

COST = ["a", "b", "c"]
REPEAT, FOLD = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [1, 2] * 5


def scores(datasets: int, **columns: list[int]) -> podium.Results:
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": f"d{m}", "algorithm": name, "error": rng.normal(), "replication": b + 1}
        | {column: entries[b] for column, entries in columns.items()}
        for m in range(datasets)
        for name in COST
        for b in range(10)
    ]
    return podium.read(pd.DataFrame(rows))


ONE, FOUR = scores(1), scores(4)
LACKING: list[tuple[str, dict[str, object]]] = [
    ("5x2cv F", {"repeat": REPEAT, "fold": FOLD}),
    ("k-fold t", {"fold": list(range(10))}),
    ("corrected t", {"ratio": 1 / 9}),
]


@pytest.mark.parametrize(("test", "given"), LACKING)
@pytest.mark.parametrize(
    ("form", "call"),
    [
        ("`{}`", lambda test, **given: podium.compare(ONE, method=test, **given)),
        ("`{}`", lambda test, **given: podium.table(ONE, kind="wins", method=test, **given)),
        ("`{}`", lambda test, **given: podium.multi2test(FOUR, cost=COST, test=test, **given)),
        ("`{}`", lambda test, **given: podium.inference.win_table(FOUR, test=test, **given)),
        ("`{}`", lambda test, **given: podium.domain(FOUR, method=test, options=given)),
    ],
)
def test_functions_ask_for_what_they_take(
    form: str, call: Callable[..., Any], test: str, given: dict[str, object]
) -> None:
    with pytest.raises(InputError) as error:
        call(test)
    assert form.format(next(iter(given))) in str(error.value)
    assert call(test, **given)


def test_monitoring_takes_what_is_known_about_the_replications() -> None:
    folds = list(range(1, 11))
    given, read = (
        podium.monitor(ONE, method="k-fold t", fold=folds),
        podium.monitor(scores(1, fold=folds), method="k-fold t"),
    )
    np.testing.assert_array_equal(given.series, read.series)
    sized = podium.monitor(ONE, method="corrected t", n_learn=90, n_test=10, rearrangements=2)
    by_ratio = podium.monitor(ONE, method="corrected t", ratio=1 / 9, rearrangements=2)
    np.testing.assert_allclose(sized.series, by_ratio.series, rtol=1e-12)
