"""Messages of relations name the argument, what was given, and the way out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import PodiumError

RELATION = podium.Relation.from_chain("a < b")
RESULTS = podium.examples.load_demsar2006()
COMPARISON = podium.compare(RESULTS, method="nemenyi")
FRAME = pd.DataFrame({"a": [1, 2], "b": [3, 4]})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: podium.plot.hasse(FRAME),
            "`relation` must be a Relation; got a DataFrame. Use podium.Relation.from_incidence(frame) for an incidence "
            "matrix, or podium.compare(podium.read(frame)).relation() for scores.",
        ),
        (
            lambda: podium.relations.distance(RELATION, COMPARISON),
            "`b` must be a Relation; got a Comparison. Use comparison.relation().",
        ),
        (
            lambda: podium.relations.borda(RESULTS),
            "`relations` must be several relations; got a Results. Use podium.relations.preferences(results): one "
            "relation per data set, or per measure.",
        ),
        (
            lambda: podium.consensus({"x": COMPARISON, "y": RELATION}),
            "`relations` must be podium.Relation objects; got Comparison. Use comparison.relation().",
        ),
        (
            lambda: podium.Relation.from_incidence([[0, 1], [0, 0]], ["a", "a"]),
            "`algorithms` must be different; 'a' is given twice.",
        ),
        (
            lambda: podium.Relation.from_strict(np.ones((2, 2)) - np.eye(2), ["a", "b"]),
            "`matrix` must hold strict preferences; it is not asymmetric: 'a' R 'b' and 'b' R 'a'.",
        ),
        (
            lambda: RELATION | podium.Relation.from_chain("a < c"),
            "Both relations must be on the same algorithms; only in the first: 'b'; only in the second: 'c'. Use "
            "`restrict`.",
        ),
    ],
)
def test_messages(call: Callable[[], object], message: str) -> None:
    with pytest.raises(PodiumError) as error:
        call()
    assert str(error.value) == message


@pytest.mark.parametrize("chain", ["a < ", "", "a <= b", "a > b", "a < b > c", "a < b, c", "a < b, a < c"])
def test_other_signs_are_not_read_as_names(chain: str) -> None:
    """The text of a relation without a chain, "a < b, a < c", must not become a chain of other algorithms."""
    with pytest.raises(PodiumError, match=r"`chain` must be names with '<' .* between them, "):
        podium.Relation.from_chain(chain)


def test_settings_in_a_name_may_contain_signs() -> None:
    chain = "SVC(C=1, gamma=2) < tree[depth>3] ~ random forest < depth=3"
    assert podium.Relation.from_chain(chain).best == ("SVC(C=1, gamma=2)",)
    assert str(podium.Relation.from_chain(chain)) == "SVC(C=1, gamma=2) < random forest ~ tree[depth>3] < depth=3"
