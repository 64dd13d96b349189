"""Every public function and method, with values of the wrong type for each argument: it works or raises a PodiumError."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import PodiumError

R = podium.relations
FIRST, SECOND = podium.Relation.from_chain("a < b < c"), podium.Relation.from_chain("c < a ~ b")
VOTERS = {"first": FIRST, "second": SECOND}
TABLE = pd.DataFrame(
    {
        "dataset": ["iris"] * 6,
        "algorithm": ["a", "b", "c"] * 2,
        "replication": [1, 1, 1, 2, 2, 2],
        "error": [0.1, 0.2, 0.3, 0.2, 0.2, 0.4],
        "seconds": [3.0, 2.0, 1.0, 3.5, 2.5, 1.5],
    }
)
RESULTS = podium.read(TABLE)
ERROR = RESULTS.select(measure="error")
CRITERIA = R.criteria(RESULTS)
SENSITIVITY = R.weight_sensitivity(VOTERS, "first")
DISTANCES = R.distances(VOTERS)
TWO_DATASETS = podium.read(pd.concat([TABLE, TABLE.assign(dataset="wine", error=TABLE["error"][::-1].to_numpy())]))
DOMAIN = R.domain(TWO_DATASETS, "error", statistic="mean", workers=1)

# A valid call of each public function and method that takes arguments; each argument in turn is replaced.
CALLS: dict[Callable[..., object], dict[str, object]] = {
    R.Relation: {"incidence": FIRST.incidence, "algorithms": FIRST.algorithms},
    R.Relation.from_incidence: {"matrix": [[1, 1], [0, 1]], "algorithms": ["a", "b"]},
    R.Relation.from_strict: {"matrix": [[0, 1], [0, 0]], "algorithms": ["a", "b"]},
    R.Relation.from_chain: {"chain": "a < b"},
    R.Relation.from_ranks: {"ranks": [1, 2], "algorithms": ["a", "b"]},
    R.Relation.from_estimates: {
        "estimates": [0.1, 0.2],
        "algorithms": ["a", "b"],
        "direction": "lower",
        "epsilon": 0.0,
    },
    R.Relation.from_results: {
        "results": RESULTS,
        "measure": "error",
        "statistic": "quantile",
        "epsilon": 0.0,
        "quantile": 0.5,
        "missing": "raise",
    },
    FIRST.prefers: {"a": "a", "b": "b"},
    FIRST.has: {"name": "transitive"},
    FIRST.check: {"name": "reflexive", "limit": 2},
    FIRST.is_a: {"kind": "weak order"},
    FIRST.union: {"other": SECOND},
    FIRST.intersection: {"other": SECOND},
    FIRST.same_preferences: {"other": SECOND},
    FIRST.restrict: {"algorithms": ["a", "b"]},
    FIRST.rename: {"names": {"a": "x"}},
    FIRST.linear_extensions: {"limit": 3},
    R.preferences: {
        "results": RESULTS,
        "measure": "error",
        "statistic": "quantile",
        "per": "dataset",
        "epsilon": 0.0,
        "quantile": 0.5,
        "missing": "raise",
    },
    R.distance: {"a": FIRST, "b": SECOND, "normalize": False, "pair_weights": None},
    R.footrule: {"a": FIRST, "b": SECOND, "normalize": False},
    R.kendall_tau: {"a": FIRST, "b": SECOND, "variant": "b"},
    R.distances: {"relations": VOTERS, "metric": "symmetric difference", "normalize": False, "pair_weights": None},
    DISTANCES.between: {"a": "first", "b": "second"},
    DISTANCES.cluster: {"linkage": "complete"},
    DISTANCES.cluster().groups: {"count": 2},
    R.consensus: {
        "relations": VOTERS,
        "kind": "linear",
        "weights": [1, 2],
        "all_optima": True,
        "limit": 10,
        "reading": None,
        "time_limit": None,
        "missing": "raise",
    },
    R.overall_consensus: {
        "results": RESULTS,
        "kind": "linear",
        "statistic": "quantile",
        "epsilon": 0.0,
        "quantile": 0.5,
        "weights": {"error": 2.0},
        "missing": "raise",
        "all_optima": True,
        "limit": 10,
        "reading": None,
        "time_limit": None,
    },
    R.borda: {"relations": VOTERS, "weights": [1, 2]},
    R.copeland: {"relations": VOTERS, "weights": [1, 2]},
    R.mean_rank: {"relations": VOTERS, "weights": [1, 2]},
    R.majority: {"relations": VOTERS, "weights": [1, 2], "missing": "raise"},
    R.compare_aggregations: {"relations": VOTERS, "weights": [1, 2], "kinds": ["linear"]},
    R.hierarchical: {"orders": FIRST},
    R.weight_sensitivity: {
        "relations": VOTERS,
        "voter": "first",
        "kind": "linear",
        "weights": [1, 2],
        "reading": None,
        "limit": 10,
    },
    SENSITIVITY.weight: {"share": 0.5},
    R.criteria: {
        "results": RESULTS,
        "kind": "linear",
        "weights": {"error": 2},
        "statistic": "quantile",
        "epsilon": 0.0,
        "quantile": 0.5,
        "missing": "raise",
        "replace": {"error": FIRST},
        "reading": None,
        "limit": 10,
    },
    CRITERIA.sensitivity: {"criterion": "error"},
    R.stability: {
        "results": ERROR,
        "measure": "error",
        "order": None,
        "seed": 1,
        "unit": "replication",
        "resamples": 2,
        "missing": "raise",
    },
    R.domain: {
        "results": TWO_DATASETS,
        "measure": "error",
        "method": None,
        "statistic": "mean",
        "criteria": None,
        "weights": None,
        "consensus": "linear",
        "alpha": 0.05,
        "equivalence": None,
        "by": "significance",
        "covariance": "scalar",
        "distribution": "t",
        "missing": "available",
        "dataset_weights": {"iris": 2.0},
        "workers": 1,
        "progress": "quiet",
        "options": None,
    },
    DOMAIN.subdomains: {"count": 2, "height": None, "linkage": "complete"},
    DOMAIN.algorithm_groups: {"count": 2, "height": None, "linkage": "complete"},
    DOMAIN.subdomain_stability: {
        "count": 2,
        "height": None,
        "linkage": "complete",
        "unit": "dataset",
        "resamples": 2,
        "seed": 0,
    },
    DOMAIN.algorithm_stability: {
        "count": 2,
        "height": None,
        "linkage": "complete",
        "unit": "dataset",
        "resamples": 2,
        "seed": 0,
    },
    DOMAIN.place_frame: {"alone": True},
    DOMAIN.table: {"kind": "orders"},
}


def raise_nothing_known(*_: object) -> None:
    raise RuntimeError("the function of the user")


WRONG: list[object] = [
    None,
    True,
    -1,
    0,
    3,
    2.5,
    10**30,
    10**400,
    float("nan"),
    float("inf"),
    1j,
    "text",
    "",
    b"bytes",
    [],
    [1],
    [None],
    ["a", "b"],
    [["a"], [1, 2]],
    [FIRST, "a < b"],
    (1, "a"),
    {},
    {"a": 1},
    {3: None},
    {"first": FIRST, "second": 2},
    {"a"},
    np.array([1.0, 2.0]),
    np.array(["a", "b"]),
    np.eye(3),
    np.zeros((0, 0)),
    np.array("a"),
    np.array(1.0),
    pd.Series([1.0, 2.0], index=["a", "a"]),
    pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}),
    pd.Timestamp("2026-01-01"),
    RESULTS,
    FIRST,
    SENSITIVITY,
    object(),
    print,
    Exception,
    raise_nothing_known,
]


def name_of(call: Any) -> str:
    return call.__qualname__ if hasattr(call, "__qualname__") else repr(call)


def call(function: Callable[..., object], arguments: dict[str, object]) -> object:
    if function is R.hierarchical:
        return function(SECOND, arguments["orders"])
    return function(**arguments)


def takes(function: Any) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self"}


def public() -> Iterator[tuple[str, set[str]]]:
    """Every public function and method with the names of its arguments; classes that only functions make are left out."""
    for name in R.__all__:
        thing = getattr(R, name)
        if not inspect.isclass(thing):
            yield thing.__qualname__, takes(thing)
            continue
        for inner, method in inspect.getmembers(thing, callable):
            if not inner.startswith("_") and takes(method):
                yield method.__qualname__, takes(method)


def test_every_public_function_and_argument_is_tried() -> None:
    tried = {name_of(function): set(arguments) for function, arguments in CALLS.items()}
    assert {
        name: arguments - tried.get(name, set()) for name, arguments in public() if arguments != tried.get(name)
    } == {}


@pytest.mark.parametrize("function", CALLS, ids=name_of)
def test_the_valid_call_returns_what_it_promises_every_time(function: Callable[..., object]) -> None:
    outcome = call(function, CALLS[function])
    promised = str(inspect.signature(function).return_annotation)
    promised = "Relation" if promised == "Self" or function is R.Relation else promised
    assert type(outcome).__name__ == promised.removeprefix("pd.").partition("[")[0]
    assert repr(call(function, CALLS[function])) == repr(outcome)


@pytest.mark.filterwarnings("ignore")  # NumPy warns about some of these values before they are refused
@pytest.mark.parametrize("function", CALLS, ids=name_of)
def test_values_of_the_wrong_type_end_in_an_error_of_podium(function: Callable[..., object]) -> None:
    raw = {}
    parameters = inspect.signature(function).parameters
    for argument, wrong in product(CALLS[function], WRONG):
        if wrong is None is parameters[argument].default:  # as if the argument were left out
            continue
        try:
            call(function, CALLS[function] | {argument: wrong})
        except PodiumError as error:
            if " at 0x" in str(error) or not any(
                f"`{name}" in str(error) or f"{name}=" in str(error) for name in CALLS[function]
            ):
                raw[argument, f"{wrong!r:.40}"] = error
        except Exception as error:
            raw[argument, f"{wrong!r:.40}"] = error
    assert raw == {}
