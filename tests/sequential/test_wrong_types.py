"""No public function of sequential experiments ends in a raw error for a value of the wrong type."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError, LabelError, PodiumError

ERROR = podium.datasets.load_pima().select(replications=range(1, 31))
CALLS: dict[str, tuple[Any, dict[str, Any]]] = {
    "monitor": (podium.monitor, {"results": ERROR, "pair": ("lda", "rf")}),
    "combination_test": (podium.combination_test, {"pvalues": [0.3, 0.2]}),
    "sequential": (podium.sequential, {"results": ERROR, "pair": ("lda", "rf"), "stages": 2, "intervals": False}),
    "boundaries": (podium.inference.boundaries, {"looks": 2}),
    "confidence_sequence": (podium.inference.confidence_sequence, {"results": ERROR, "pair": ("lda", "rf")}),
}
WRONG: tuple[Any, ...] = (object(), "nonsense", -3.5, [None], {"a": 1}, float("nan"))
KINDS = {"boundary": "group sequential", "bounds": "betting", "burn_in": "asymptotic", "ratio": "asymptotic"}
ARGUMENTS = [
    (name, argument)
    for name, (function, _) in CALLS.items()
    for argument, p in inspect.signature(function).parameters.items()
    if p.kind is not p.VAR_KEYWORD
]


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_a_value_of_the_wrong_type_is_refused(name: str, argument: str) -> None:
    function, right = CALLS[name]
    more = {}
    if name == "sequential" and argument in KINDS:
        more = {"kind": KINDS[argument]}
    if name == "confidence_sequence" and argument == "bounds":
        more = {"kind": "betting"}
    if name == "combination_test" and argument == "sizes":
        more = {"combine": "inverse normal"}
    if argument == "control":
        more = {"pair": None}
    for value in WRONG:
        with pytest.raises(PodiumError):
            function(**{**right, **more, argument: value})


@pytest.mark.parametrize("function", [podium.monitor, podium.sequential])
def test_a_pair_may_be_an_array_of_two_names(function: Any) -> None:
    some = ERROR.select(replications=range(1, 13))
    given, expected = (function(some, pair=pair) for pair in (np.array(["lda", "rf"]), ("lda", "rf")))
    assert str(given) == str(expected)
    for pair in (np.array([[1, 2], [3, 4]]), [pd.NA, "rf"]):
        with pytest.raises(LabelError, match="`pair` must name "):
            function(ERROR, pair=pair)


def test_arrays_in_place_of_numbers() -> None:
    for argument, value in (("ratio", np.array([0.1, 0.2])), ("burn_in", np.array([1, 2])), ("burn_in", pd.NA)):
        with pytest.raises(
            InputError, match=f"`{argument}` is an option of `kind` .*'asymptotic', not of 'combination'"
        ):
            podium.sequential(ERROR, pair=("lda", "rf"), **{argument: value})
    with pytest.raises(InputError, match=r"`stages` must be a whole number of at least 1; got array\(3\)\."):
        podium.sequential(ERROR, pair=("lda", "rf"), stages=np.array(3))
