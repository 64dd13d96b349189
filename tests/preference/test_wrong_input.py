"""Errors for arguments of the wrong type name the argument, what was given, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError

RELATION = podium.Relation.from_chain("a < b")
RESULTS = podium.datasets.load_demsar2006()
COMPARISON = podium.compare(RESULTS, method="nemenyi")
FRAME = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
MAKERS = "Create one with comparison.relation(), podium.Relation.from_chain, from_ranks or from_estimates."

ONE: list[tuple[str, Callable[[Any], object]]] = [
    ("relation", podium.plot.hasse),
    ("relation", podium.plot.incidence),
    ("a", lambda thing: podium.relations.distance(thing, RELATION)),
    ("b", lambda thing: podium.relations.distance(RELATION, thing)),
    ("a", lambda thing: podium.relations.footrule(thing, RELATION)),
    ("b", lambda thing: podium.relations.kendall_tau(RELATION, thing)),
    ("orders", lambda thing: podium.relations.hierarchical(RELATION, thing)),
    ("other", RELATION.union),
    ("other", RELATION.intersection),
    ("other", RELATION.same_preferences),
]


@pytest.mark.parametrize(("argument", "call"), ONE)
@pytest.mark.parametrize(
    ("thing", "rest"),
    [
        (
            FRAME,
            "a DataFrame. Use podium.Relation.from_incidence(frame) for an incidence matrix, or "
            "podium.compare(podium.read(frame)).relation() for scores.",
        ),
        (RESULTS, "a Results. Use podium.compare(results).relation(), or podium.Relation.from_results(results)."),
        (COMPARISON, "a Comparison. Use comparison.relation()."),
        (podium.consensus([RELATION]), "a Consensus. Use consensus.relation, or one of consensus.relations."),
        ("a < b", "'a < b'. Use podium.Relation.from_chain('a < b')."),
        (np.eye(2), "an ndarray. Use podium.Relation.from_incidence(matrix, names)."),
        (None, f"None. {MAKERS}"),
        ({"x": RELATION}, f"a dict. {MAKERS}"),
    ],
)
def test_functions_of_one_relation(argument: str, call: Callable[[Any], object], thing: object, rest: str) -> None:
    with pytest.raises(InputError) as error:
        call(thing)
    assert str(error.value) == f"`{argument}` must be a Relation; got {rest}"


SEVERAL: list[Callable[[Any], object]] = [
    podium.plot.distances,
    podium.plot.dendrogram,
    podium.relations.distances,
    podium.consensus,
    podium.relations.borda,
    podium.relations.copeland,
    podium.relations.mean_rank,
    podium.relations.majority,
    podium.relations.compare_aggregations,
    lambda thing: podium.relations.weight_sensitivity(thing, 0),
]


@pytest.mark.parametrize("call", SEVERAL)
@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (
            RESULTS,
            "`relations` must be several relations; got a Results. "
            "Use podium.relations.preferences(results): one relation per data set, or per measure.",
        ),
        (
            COMPARISON,
            "`relations` must be several relations; got a Comparison. "
            "Give a list or a dict of relations. Use comparison.relation().",
        ),
        (
            FRAME,
            "`relations` must be several relations; got a DataFrame. Give a list or a dict of relations. "
            "Use podium.Relation.from_incidence(frame) for an incidence matrix, or "
            "podium.compare(podium.read(frame)).relation() for scores.",
        ),
        (
            None,
            f"`relations` must be several relations; got None. Give a list or a dict of relations. {MAKERS}",
        ),
        (
            {"x": COMPARISON, "y": RELATION},
            "`relations` must be podium.Relation objects; got Comparison. Use comparison.relation().",
        ),
        (
            ["a < b", 3],
            "`relations` must be podium.Relation objects; got int, str. Use podium.Relation.from_chain('a < b').",
        ),
        (RELATION, "`relations` must be several relations; got one. Put it into a list."),
    ],
)
def test_functions_of_several_relations(call: Callable[[Any], object], thing: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        call(thing)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "call",
    [
        podium.relations.preferences,
        podium.Relation.from_results,
        podium.relations.criteria,
        lambda thing: podium.relations.stability(thing, seed=1),
    ],
)
def test_functions_of_results(call: Callable[[Any], object]) -> None:
    with pytest.raises(InputError) as error:
        call(FRAME)
    assert str(error.value) == (
        "`results` must be a Results; got a DataFrame. "
        "Use podium.read(frame); it needs measure='...' if the table does not say what was measured."
    )


CRITERIA = podium.read(pd.DataFrame({"algorithm": ["a", "b"], "error": [0.1, 0.2], "seconds": [2.0, 1.0]}))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: podium.relations.criteria(CRITERIA, replace={"error": COMPARISON}),  # type: ignore[dict-item]
            "`replace['error']` must be a Relation; got a Comparison. Use comparison.relation().",
        ),
        (
            lambda: podium.relations.criteria(CRITERIA, weights=[1, 2]),  # type: ignore[arg-type]
            "`weights` must be a mapping from criteria to numbers; got a list.",
        ),
        (
            lambda: podium.consensus([RELATION], weights=["heavy"]),  # type: ignore[list-item]
            "`weights` must be numbers; got ['heavy'].",
        ),
        (
            lambda: podium.relations.distance(RELATION, RELATION, pair_weights="heavy"),
            "`pair_weights` must be numbers; got 'heavy'.",
        ),
        (
            lambda: podium.consensus([RELATION], ["linear"]),  # type: ignore[arg-type]
            "`kind` must be one of 'linear', 'weak', 'partial', 'preorder', 'equivalence', 'tournament'; "
            "got ['linear'].",
        ),
        (
            lambda: podium.Relation.from_ranks(COMPARISON),  # type: ignore[arg-type]
            "`ranks` must be numbers; got a Comparison. Use comparison.relation().",
        ),
        (
            lambda: podium.Relation.from_estimates({"a": "small", "b": "large"}),  # type: ignore[dict-item]
            "`estimates` must be numbers; got ['small', 'large'].",
        ),
        (
            lambda: podium.Relation.from_strict("a < b"),
            "`matrix` must be numbers; got 'a < b'. Use podium.Relation.from_chain('a < b').",
        ),
        (
            lambda: RELATION.restrict("ab"),
            "`algorithms` must be several names, such as ['a', 'b']; got 'ab'.",
        ),
        (
            lambda: RELATION.rename(["svm"]),  # type: ignore[arg-type]
            "`names` must be a mapping from old to new names; got ['svm'].",
        ),
        (
            lambda: podium.Relation.from_results(RESULTS.select(dataset=RESULTS.datasets[0]), statistic="men"),
            "`statistic` must be one of 'worst', 'best', 'mean', 'median', 'min', 'max', 'sd', 'quantile' or a "
            "function; got 'men'. Did you mean 'mean'?",
        ),
        (
            lambda: podium.consensus([RELATION], "liniar"),  # type: ignore[arg-type]
            "`kind` must be one of 'linear', 'weak', 'partial', 'preorder', 'equivalence', 'tournament'; "
            "got 'liniar'. Did you mean 'linear'?",
        ),
        (
            lambda: RELATION.is_a("weakorder"),  # type: ignore[arg-type]
            "`kind` must be one of 'strict linear order', 'linear order', 'strict weak order', 'weak order', "
            "'semiorder', 'interval order', 'strict partial order', 'partial order', 'equivalence', 'preorder', "
            "'tournament'; got 'weakorder'. Did you mean 'weak order'?",
        ),
        (
            lambda: podium.plot.hasse(podium.friedman(RESULTS)),
            "`relation` must be a Relation; got an Omnibus. Create one with comparison.relation(), "
            "podium.Relation.from_chain, from_ranks or from_estimates.",
        ),
    ],
)
def test_other_wrong_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("chain", "strange"),
    [
        ("a <= b", "= b"),
        ("a > b", "a > b"),
        ("a>b>c", "a>b>c"),
        ("a < b > c", "b > c"),
        ("a < b, c", "b, c"),
        ("a < b, a < c", "b, a"),
    ],
)
def test_other_signs_are_not_read_as_names(chain: str, strange: str) -> None:
    """The text of a relation without a chain, "a < b, a < c", must not become a chain of other algorithms."""
    with pytest.raises(InputError) as error:
        podium.Relation.from_chain(chain)
    assert str(error.value) == (
        "`chain` must be names with '<' (better than) or '~' (indifferent) between them, best first, such as "
        f"'a < b ~ c'; there is {strange!r} in {chain!r}. Signs such as '>', '=' and commas are not supported; "
        "for preferences that do not form a chain use `Relation.from_strict` or `from_incidence`."
    )


def test_settings_in_a_name_may_contain_signs() -> None:
    chain = "SVC(C=1, gamma=2) < tree[depth>3] ~ random forest < depth=3"
    assert podium.Relation.from_chain(chain).best == ("SVC(C=1, gamma=2)",)
    assert str(podium.Relation.from_chain(chain)) == "SVC(C=1, gamma=2) < random forest ~ tree[depth>3] < depth=3"
