"""Hyperparameters of candidates: wrong values are refused when the algorithm is made."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError, PodiumError
from podium.setup.candidates import CANDIDATES

PARAMETERS = [(known.name, key) for known in CANDIDATES.values() for key in known.parameters]
VALUES: list[Any] = [
    None, True, "text", "", 3, -1, 0, 2.5, float("nan"), float("inf"), 10**400, 1j, b"x", [], [1], ["a", "b"], (1, 2),
    ("a", "b"), (2, 1), (1, float("nan")), {}, {"a": 1}, {"x"}, object(), int, np.array([1.0, 2.0]), np.array("x"),
    pd.DataFrame({"a": [1]}), pd.Series([1, 2]), range(3), slice(None), pd.NA, pd.NaT, np.int64(5), np.float64(0.5),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key"), PARAMETERS, ids="-".join)
def test_any_value_is_taken_or_refused_by_an_error_of_podium(name: str, key: str) -> None:
    for value in VALUES:
        try:
            podium.algorithm(name, parameters={key: value})
        except PodiumError as error:
            assert str(error).startswith(f"`{key}` of the candidate '{name}' must be "), value


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        (
            "knn",
            {"k": 0},
            "`k` of the candidate 'knn' must be a whole number of at least 1, or None for its rule; got 0.",
        ),
        ("knn", {"folds": 1}, "`folds` of the candidate 'knn' must be a whole number of at least 2; got 1."),
        ("c45", {"confidence": 2}, "`confidence` of the candidate 'c45' must be a number from 0 to 1; got 2."),
        ("svm", {"step": 0}, "`step` of the candidate 'svm' must be a number above 0; got 0."),
        (
            "svm",
            {"costs": (3, 1)},
            "`costs` of the candidate 'svm' must be a pair of exponents, the lower one first; got (3, 1).",
        ),
        ("loess", {"degree": 3}, "`degree` of the candidate 'loess' must be a whole number from 0 to 2; got 3."),
        ("rf", {"trees": float("inf")}, "`trees` of the candidate 'rf' must be a whole number of at least 1; got inf."),
    ],
)
def test_wrong_values_are_named(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        podium.algorithm(name, parameters=parameters)
    assert str(caught.value) == message


def test_whole_numbers_may_be_written_as_floats() -> None:
    model = CANDIDATES["knn"].model("classification", {"k": 3.0})
    assert repr(model.k) == "3"


def test_the_file_shown_in_the_documentation_defines_a_candidate() -> None:
    page = (Path(__file__).parents[2] / "docs" / "algorithms.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```text\n# src/\S+\n(\"\"\"logit.*?)^```", page, re.MULTILINE | re.DOTALL)
    module: dict[str, Any] = {"__name__": __name__}
    exec(compile(code, "logit.py", "exec"), module)
    known = module["LOGIT"]
    iris = podium.dataset("iris")
    model = known.model("classification", {"cost": 10}).fit(iris.X, iris.y)
    assert (model.predict(iris.X) == iris.y).mean() > 0.95
    with pytest.raises(InputError, match=r"^`cost` of the candidate 'logit' must be a number above 0; got 0\.$"):
        known.check({"cost": 0})
