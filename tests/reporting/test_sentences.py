"""No sentence of a report contradicts the data, or the table beside it, whatever the data."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import sentence_kinds_more  # noqa: F401  registers its kinds
from hypothesis import Phase, given, settings
from random_experiments import Case, by_hand, experiments, made, normal
from raw_facts import Facts
from sentence_kinds import KINDS, check_sentences, nothing

import podium
from podium.reporting import Paragraph, Points


def test_every_sentence_agrees_with_the_data_and_the_tables() -> None:
    met: set[str] = set()

    def check(case: Case) -> None:
        met.update(check_sentences(Facts(case, case.report())))

    for name, case in by_hand():
        try:
            check(case)
        except AssertionError as error:
            error.add_note(f"in the experiment made by hand: {name}")
            raise
    known = {one for kinds in KINDS.values() for one, _, check in kinds if check is not nothing}
    assert sorted(known - met) == [], "no experiment made by hand leads to these sentences"
    # Reports take too long to look for the smallest one that fails.
    settings(max_examples=10, phases=[Phase.generate])(given(experiments())(check))()


def test_a_sentence_that_no_kind_knows_fails() -> None:
    case = Case(made(normal(6, 1, 3), ("score",)))
    report = case.report()
    check_sentences(Facts(case, report))
    for words in ("The data show an order.", "ada is shown to be better than 2 others."):
        order = report.section("order")
        changed = dataclasses.replace(order, blocks=(*order.blocks, Paragraph(words)))
        sections = tuple(changed if one is order else one for one in report.sections)
        with pytest.raises(AssertionError, match="0 kinds know this sentence of 'order'"):
            check_sentences(Facts(case, dataclasses.replace(report, sections=sections)))


@pytest.mark.parametrize("k", [2, 3])
def test_weights_at_which_the_winner_changes(k: int) -> None:
    # Two opposite measures: each decides as soon as it has more than half of the weight.
    names = ("ada", "bob", "cleo")
    values = np.stack([np.tile(np.arange(k, dtype=float), (6, 1)), np.tile(np.arange(k, 0, -1.0), (6, 1))], axis=-1)
    labels = {"dataset": list("uvwxyz"), "algorithm": list(names[:k]), "measure": ["error", "loss"]}
    results = podium.read(values, labels=labels, direction="lower")
    section = podium.report(results, sections=["criteria"]).section("criteria")
    *_, last = [block.items[-1] for block in section.blocks if isinstance(block, Points)]
    assert last == f"error (50% if all count equally): {names[k - 1]} below 50% of the weight; {names[0]} above 50%."
