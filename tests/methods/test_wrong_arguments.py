"""Messages of inference: a sample for each way in which an argument can be wrong; options that signatures show."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.compare import procedures
from podium.errors import PodiumError
from podium.inference import PAIRWISE_TESTS, adjust_pvalues, compare_bayes
from podium.results import Results


@pytest.fixture(scope="module")
def results() -> Results:
    values = np.random.default_rng(0).integers(0, 2, (6, 4, 3)).astype(float)
    labels = {"dataset": list("uvwxyz"), "replication": None, "algorithm": ["a", "b", "c"]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda r: podium.compare(r, method="nemenyi", zeros="pratt"),
            "`method='nemenyi'` has no option 'zeros'. It has 'df'. 'zeros' is an option of 'wilcoxon'.",
        ),
        (
            lambda r: podium.friedman(r, permutations=500),
            "`permutations=500` needs distribution='permutation'; otherwise leave it out.",
        ),
        (
            lambda r: podium.inference.Note("overlap", foo=1),
            "The note 'overlap' has no fact 'foo'. It has 'test', 'known'.",
        ),
        (
            lambda r: podium.compare(r, aggregate=lambda values: 1 / 0),
            "`aggregate`: <lambda> raised ZeroDivisionError: division by zero",
        ),
        (
            lambda r: podium.compare(r, method="t", alternative="less"),
            "`alternative` must be one of 'two-sided', 'better', 'worse'; got 'less'. Better and worse follow from the "
            "direction of the measure.",
        ),
        (
            lambda r: podium.compare(r, method="wnmt", missing="available"),
            "`missing='available'` does not apply to method='wnmt': it leaves blocks with missing cells, and complete "
            "ones are needed. Use one of 'drop-block', 'drop-algorithm', 'worst-rank', 'worst-value'.",
        ),
        (
            lambda r: podium.compare(r, method="t", alternative="better"),
            "`alternative='better'` needs a control: among all pairs no direction can be fixed before the results are "
            "seen.",
        ),
        (
            lambda r: adjust_pvalues([0.1], "hollm"),
            "`adjust` must be one of 'none', 'bonferroni', 'holm', 'hochberg', 'hommel', 'rom', 'sidak', 'holm-sidak', "
            "'finner', 'li', 'shaffer', 'shaffer-dynamic', 'bergmann-hommel', 'bh', 'by'; got 'hollm'. Did you mean "
            "'holm'?",
        ),
        (
            lambda r: adjust_pvalues([0.1, 0.2], "shaffer"),
            "`adjust='shaffer'` is for all pairs of algorithms, K(K - 1)/2 p-values; got 2. Use 'holm' for other "
            "families, such as all against a control.",
        ),
        (
            lambda r: compare_bayes(r.select(dataset="u"), ratio=-1),
            "`ratio` must be a number from 0 to 1000, the size of the test sample divided by that of the learning "
            "sample (0 if learning samples do not overlap); got -1.",
        ),
    ],
)
def test_messages(results: Results, call: Callable[[Results], object], message: str) -> None:
    with pytest.raises(PodiumError) as caught:
        call(results)
    assert str(caught.value) == message


def test_no_message_shows_a_memory_address(results: Results) -> None:
    for argument in ("method", "control", "adjust", "aggregate", "equivalence", "omnibus", "missing", "alternative"):
        with pytest.raises(podium.errors.InputError, match="got an object") as caught:
            podium.compare(results, **{argument: object()})
        assert "0x" not in str(caught.value)


def test_an_array_without_dimensions_is_a_number(results: Results) -> None:
    assert podium.compare(results, equivalence=np.array(3)).equivalence == (-3.0, 3.0)


@pytest.mark.parametrize("method", procedures())
def test_the_signature_of_compare_shows_the_options_of_every_method(method: str) -> None:
    """And its docstring says which methods have them."""
    entries = re.split(r"\n(?=\S)", inspect.getdoc(podium.compare) or "")
    for option in procedures()[method].options:
        assert option in inspect.signature(podium.compare).parameters
        entry = next(text for text in entries if re.match(rf"(\w+, )*{option}\b", text))
        assert f'``"{method}"``' in entry


@pytest.mark.parametrize("method", PAIRWISE_TESTS)
def test_the_signature_of_paired_test_shows_the_options_of_every_test(method: str) -> None:
    assert set(PAIRWISE_TESTS[method].options) <= set(inspect.signature(podium.inference.paired_test).parameters)


@pytest.mark.parametrize("name", podium.inference.GLOBAL_TESTS)
def test_global_tests_show_their_options(name: str) -> None:
    function = getattr(podium.inference, name)
    shown = inspect.signature(function).parameters
    assert {*podium.inference.GLOBAL_TESTS[name].options, "unit", "aggregate", "missing", "alpha"} <= set(shown)
    assert all(
        re.search(rf"^(\w+, )*{option}\b.* : ", function.__doc__, re.MULTILINE) for option in shown if option != "seed"
    )


@pytest.mark.parametrize(
    ("lacking", "text"), [([1], "'c' has 21 values, but on every data set"), ([1, 2, 3, 4], "'c' has no value at all")]
)
def test_an_algorithm_that_would_always_rank_last_is_refused_for_the_right_reason(
    lacking: list[int], text: str
) -> None:
    rng = np.random.default_rng(0)
    rows = [(d, r, a, rng.random()) for d in "ABCDEFG" for r in range(1, 5) for a in "abc"]
    frame = pd.DataFrame(rows, columns=["dataset", "replication", "algorithm", "accuracy"])
    frame.loc[(frame["algorithm"] == "c") & frame["replication"].isin(lacking), "accuracy"] = np.nan
    with pytest.raises(PodiumError) as error:
        podium.compare(podium.read(frame), missing="worst-rank")
    assert str(error.value).startswith(text)
