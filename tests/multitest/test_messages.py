"""What MultiTest says names its own argument, `test`; a win table can be read at any width."""

from __future__ import annotations

import re

import numpy as np
import pytest

import podium
from podium.analysis.multitest.text import wins_lines
from podium.errors import InputError
from podium.inference import orders_by_cost, win_table
from podium.typesetting.plain import columns_of

COSTS = {"rf": 3.0, "svm": 2.0, "knn": 1.0}


def scores(datasets: int = 1, replications: int = 5, names: tuple[str, ...] = ("rf", "svm", "knn")) -> podium.Results:
    rng = np.random.default_rng(3)
    values = rng.normal(0.8, 0.05, (datasets, replications, len(names))) + 0.01 * np.arange(len(names))
    labels = {"dataset": [f"d{m}" for m in range(datasets)], "replication": None, "algorithm": list(names)}
    return podium.read(values, labels=labels, measure="accuracy")


def test_the_advice_helps() -> None:
    for advised in ({"test": "corrected t", "ratio": 1 / 9}, {"test": "t"}, {"test": "mixed"}):
        notes = podium.multitest(scores(), cost=COSTS, **advised).notes
        assert "few blocks" not in [note.code for note in notes]


LACKS = "`test='wilcoxon'` has no option 'ratio'. It has 'zeros'. 'ratio' is an option of 'corrected t'."
COMPLETE = (
    "`missing='available'` does not apply to test='nemenyi': it leaves blocks with missing cells, and complete ones are "
    "needed. Use one of 'drop-block', 'drop-algorithm', "
)
CONTROL = (
    "`test='bonferroni-dunn'` compares all algorithms with a control, and here all pairs are tested. Use "
    "test='nemenyi'."
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "wilcoxon", "ratio": 1}, LACKS),
        ({"test": "bonferroni-dunn"}, CONTROL),
        ({"ratio": 1 / 9}, "`ratio` is an option of a test; name the test, too: test='corrected t'."),
        ({"raito": 1 / 9}, "No test has an option 'raito'. Did you mean 'ratio'?"),
        ({"tst": "t"}, "No test has an option 'tst'. Did you mean 'test'?"),
    ],
)
def test_errors_name_the_argument_that_multitest_has(options: dict[str, object], message: str) -> None:
    several = scores(datasets=2)
    calls = [
        lambda: podium.multitest(scores(), cost=COSTS, **options),
        lambda: podium.multi2test(several, cost=COSTS, **options),
        lambda: orders_by_cost(several, costs={"time": COSTS}, **options),
        lambda: win_table(several, **options),
    ]
    for call in calls:
        with pytest.raises(InputError) as raised:
            call()
        assert str(raised.value) == message


def test_policies_that_are_advised_are_those_of_the_caller() -> None:
    with pytest.raises(InputError) as raised:
        podium.multitest(scores(), cost=COSTS, test="nemenyi", missing="available")
    assert str(raised.value) == f"{COMPLETE}'worst-rank', 'worst-value'."
    with pytest.raises(InputError) as raised:  # a win table has no worst ranks
        win_table(scores(datasets=2), test="nemenyi", missing="available")
    assert str(raised.value) == f"{COMPLETE}'worst-value'."


def test_a_model_has_no_one_sided_tests() -> None:
    with pytest.raises(InputError) as raised:
        podium.multitest(scores(), cost=COSTS, test="mixed", alternative="better")
    assert str(raised.value) == (
        "`alternative='better'` needs a one-sided test, and test='mixed' has none. Use alternative='two-sided', or a "
        "test such as 't' or 'wilcoxon'."
    )
    for advised in ({"test": "mixed"}, {"test": "t", "alternative": "better"}):
        assert podium.multitest(scores(), cost=COSTS, **advised).order


@pytest.mark.parametrize("adjust", ["step-down", "single-step"])
def test_sign_tests_have_no_joint_adjustment_whatever_the_test_is(adjust: str) -> None:
    for test in (None, "permutation t"):
        with pytest.raises(InputError, match=rf"^`adjust` must be one of 'none', 'bonferroni', .*; got '{adjust}'\."):
            win_table(scores(datasets=2), test=test, adjust=adjust)


def test_each_list_of_names_says_what_it_lists() -> None:
    """Also on a narrow terminal, where lines are broken, and with names that contain commas."""
    names = ("forest, 500 trees", "rule, default", "tree, pruned")
    values = np.random.default_rng(1).normal(size=(20, 3)) * 0.01 + np.array([0.9, 0.5, 0.7])
    results = podium.read(values, labels={"replication": None, "algorithm": list(names)}, measure="accuracy")
    found = podium.multitest(results, cost=dict(zip(names, (3.0, 1.0, 2.0), strict=True)))
    lines = str(found).split("\n")
    assert lines[-3:-1] == [
        "forest, 500 trees is better than: rule, default; tree, pruned",
        "tree, pruned is better than: rule, default",
    ]


# Win tables as lines

LONG = tuple(f"gradient boosting with early stop {i:02}" for i in range(10))


def test_a_table_that_fits_has_names_above_its_columns() -> None:
    table = win_table(scores(datasets=8))
    assert wins_lines(table) == str(table)
    head, rest = str(table).split("\n", 1)
    assert wins_lines(table, 200).endswith(rest) and len(head) > 80
    assert max(map(len, wins_lines(table, 80).split("\n"))) <= 80


def test_long_names_are_numbered_and_each_row_is_a_line() -> None:
    table = win_table(scores(datasets=8, names=LONG))
    lines = wins_lines(table, 80).split("\n")
    assert max(map(len, lines)) <= 80
    top, *rows = lines[-11:]
    assert top.split() == [str(i) for i in range(1, 11)]
    for i, row in enumerate(rows):
        number, name, counts = row[:2], row[3:39], row[39:].split()
        assert (int(number), name) == (i + 1, table.algorithms[i])
        stars = ["*" if star else "" for star in table.significant[i].tolist()]
        assert counts == [f"{n}{star}" for n, star in zip(table.wins[i].tolist(), stars, strict=True)]
        assert all(row[top.index(f" {j} ") + 1 :].startswith(counts[j - 1]) for j in range(1, 10))


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("name", ["x" * 70, "支持向量机" * 12, "a method with many words in its name " * 3])
def test_more_than_fits_is_continued_below_and_nothing_is_lost(name: str, width: int) -> None:
    names = tuple(f"{first}{second}{name}" for first in "abcde" for second in "uvwxyz")
    lines = wins_lines(win_table(scores(datasets=3, names=names)), width)
    assert max(map(columns_of, lines.split("\n"))) <= width
    parts = lines.split("\n\n")
    assert len(parts) > 1
    heads = [next(line for line in part.split("\n") if line.replace(" ", "").isdigit()).split() for part in parts]
    assert [number for head in heads for number in head] == [str(i) for i in range(1, 31)]
    assert re.sub(r"[\d*\s]", "", parts[-1]) == "".join(names).replace(" ", "")
