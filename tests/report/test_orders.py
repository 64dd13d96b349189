"""Orders in a report: one notation, and only orders that mean something."""

from __future__ import annotations

import numpy as np

import podium
from podium.show.report import Paragraph, Tabular


def domain_of(values: np.ndarray) -> tuple[str, podium.typesetting.Table]:
    """The first sentences about the domain, and its table of orders."""
    m, k = values.shape
    labels = {"dataset": [f"set {i}" for i in range(m)], "algorithm": [f"a{i}" for i in range(k)]}
    results = podium.read(values, labels=labels, measure="loss", direction="lower")
    blocks = podium.report(results, sections=["domain"]).section("domain").blocks
    (table,) = [block.table for block in blocks if isinstance(block, Tabular) and block.name == "orders"]
    assert isinstance(blocks[0], Paragraph)
    return blocks[0].text, table


def test_of_many_nearest_orders_none_is_singled_out_in_the_table() -> None:
    up = np.arange(5.0)
    text, table = domain_of(np.stack([up, up[::-1], up, up[::-1]]))
    assert text.startswith("120 orders are equally near to those on the 4 data sets, for example a")
    assert table.foot == ()


def test_two_nearest_orders_are_both_told() -> None:
    one, other = np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.0, 2.0])
    text, table = domain_of(np.stack([one, other, one, other]))
    assert "2 orders are equally near" in text and "among them" not in text
    assert "a0 ≺ a1 ≺ a2" in text and "a1 ≺ a0 ≺ a2" in text
    assert [(row[1].text, row[1].bold) for row in table.foot] == [("a0 ≺ a1 ≺ a2", False), ("a1 ≺ a0 ≺ a2", False)]


def test_the_only_nearest_order_says_that_it_is_no_test() -> None:
    _, table = domain_of(np.tile(np.arange(3.0), (4, 1)))
    assert [(row[1].text, row[1].bold) for row in table.foot] == [("a0 ≺ a1 ≺ a2", True)]
    assert table.notes[-1] == "Domain: the order nearest to those on the data sets, without a test."


def test_data_sets_without_an_order_give_none_to_the_domain() -> None:
    text, table = domain_of(np.ones((4, 2)))
    assert "so the domain has no order" in text
    assert table.foot == ()


def test_the_table_of_a_domain_is_that_of_its_report() -> None:
    labels = {**LABELS, "dataset": list("uvwx"), "measure": ["error"]}
    values = clear(np.random.default_rng(1))[:4, ..., :1]
    values[::2] = values[::2, :, [1, 0, 2]]  # on half of the data sets, the second one is best
    results = podium.read(values, labels=labels, direction="lower", independent=True)
    found = podium.domain(results)
    table = podium.table(found)
    assert [row[1].text for row in table.foot] == ["ada ≺ bob ≺ cleo", "bob ≺ ada ≺ cleo"]
    assert not any(row[1].bold for row in table.foot)
    blocks = podium.report(results, sections=["domain"]).section("domain").blocks
    (shown,) = [block.table for block in blocks if isinstance(block, Tabular) and block.name == "orders"]
    assert str(shown) == str(table) == str(found.table("orders"))


LABELS = {
    "dataset": list(range(12)),
    "replication": list(range(6)),
    "algorithm": ["ada", "bob", "cleo"],
    "measure": ["error", "time"],
}


def clear(rng: np.random.Generator) -> np.ndarray:
    """Scores in which the first algorithm is clearly better than the two others, which are alike."""
    return np.array([1.0, 2.0, 2.0])[:, None] + 0.1 * rng.random((12, 6, 3, 2))
