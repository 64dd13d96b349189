"""Advice of a test that lacks something: each function names what its user can give, and that helps."""

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
NO_FOLDS = "A 5×2 cv test needs the repeat and fold of each of its 10 values; for these 10 values they are unknown. Give them as"
NO_RATIO = (
    "The corrected t test needs the sizes of learning and test samples, or the folds of a cross-validation; these results "
    "have neither. Give {}, n_test/n_learn, such as 1/9 for 10-fold cross-validation."
)
ONE_PER_FOLD = (
    "The k-fold t test needs one cross-validation with a value per fold; these are 10 values from replications whose "
    "folds are unknown. Use 'corrected t' for repeated cross-validation, or give the folds ({})."
)
BY_NAME: list[tuple[str, Callable[..., Any]]] = [
    ("", lambda test, **given: podium.compare(ONE, method=test, **given)),
    ("", lambda test, **given: podium.table(ONE, method=test, **given)),
    ("", lambda test, **given: podium.table(ONE, kind="pairs", method=test, **given)),
    ("", lambda test, **given: podium.table(ONE, kind="algorithms", method=test, **given)),
    ("", lambda test, **given: podium.table(ONE, kind="measures", method=test, **given)),
    ("", lambda test, **given: podium.table(ONE, kind="wins", method=test, **given)),
    ("Data set 'd0': ", lambda test, **given: podium.multitest(ONE, cost=COST, test=test, **given)),
    ("Data set 'd0': ", lambda test, **given: podium.multi2test(FOUR, cost=COST, test=test, **given)),
    ("Data set 'd0': ", lambda test, **given: podium.inference.win_table(FOUR, test=test, **given)),
    (
        "Data set 'd0': ",
        lambda test, **given: podium.inference.orders_by_cost(FOUR, costs={"c": COST}, test=test, **given),
    ),
]
LACKING: list[tuple[str, str, dict[str, object]]] = [
    ("5x2cv F", f"{NO_FOLDS} `repeat` and `fold`.", {"repeat": REPEAT, "fold": FOLD}),
    ("5x2cv t", f"{NO_FOLDS} `repeat` and `fold`.", {"repeat": REPEAT, "fold": FOLD}),
    ("k-fold t", ONE_PER_FOLD.format("`fold`"), {"fold": list(range(10))}),
    ("corrected t", NO_RATIO.format("`ratio`"), {"ratio": 1 / 9}),
]


@pytest.mark.parametrize(("test", "message", "given"), LACKING, ids=[test for test, *_ in LACKING])
@pytest.mark.parametrize(("prefix", "call"), BY_NAME)
def test_functions_with_options_by_name_ask_for_these_and_take_them(
    prefix: str, call: Callable[..., Any], test: str, message: str, given: dict[str, object]
) -> None:
    with pytest.raises(InputError) as error:
        call(test)
    assert str(error.value) == prefix + message
    assert call(test, **given)


def test_monitoring_takes_what_is_known_about_the_replications() -> None:
    with pytest.raises(InputError) as error:
        podium.monitor(ONE, method="k-fold t", burn_in=9)
    assert str(error.value) == ONE_PER_FOLD.format("`fold`")
    folds = list(range(1, 11))
    given, read = (
        podium.monitor(ONE, method="k-fold t", fold=folds),
        podium.monitor(scores(1, fold=folds), method="k-fold t"),
    )
    np.testing.assert_array_equal(given.series, read.series)
    sized = podium.monitor(ONE, method="corrected t", n_learn=90, n_test=10, rearrangements=2)
    by_ratio = podium.monitor(ONE, method="corrected t", ratio=1 / 9, rearrangements=2)
    np.testing.assert_allclose(sized.series, by_ratio.series, rtol=1e-12)


def test_monitoring_refuses_tests_that_need_all_replications() -> None:
    with pytest.raises(InputError) as error:
        podium.monitor(scores(1, repeat=REPEAT, fold=FOLD), method="5x2cv F")
    assert str(error.value) == (
        "`method='5x2cv F'` needs all replications of a 5×2 cross-validation, and monitoring repeats a test on the first "
        "of them. Use method='corrected t'."
    )


@pytest.mark.parametrize(
    ("prefix", "call"),
    [
        ("Data set 'd0', criterion 'error': ", lambda: podium.domain(FOUR, method="nwwm")),
        ("", lambda: podium.monitor(ONE, method="nwwm")),
        ("", lambda: podium.multi2test(FOUR, cost=COST, method="nwwm")),
    ],
)
def test_a_test_against_a_control_is_refused_where_there_is_none(prefix: str, call: Callable[[], Any]) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == (
        f"{prefix}`method='nwwm'` compares all algorithms with a control, and here all pairs are tested. Use method='wnmt'."
    )


def test_monitoring_has_no_control() -> None:
    with pytest.raises(podium.errors.LabelError) as error:
        podium.monitor(ONE, method="nemenyi", control="a")
    assert str(error.value) == "`method='nemenyi'` has no option 'control'. It has 'df'."
