"""Relations and consensus in notebooks: a small diagram with its chain."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

import podium
from podium.analysis.relation.svg import diagram_svg

HOSTILE = ["<script>alert(1)</script>", "a & b", '"quoted"', "tab\tand\nline", "\x1b[31mred", "\u202eesrever", "$x^2$"]


def parsed(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html)


def words(html: str) -> list[str]:
    return [text for text in parsed(html).itertext() if text.strip()]


def test_hostile_names_stay_text() -> None:
    relation = podium.Relation.from_ranks(np.arange(len(HOSTILE)), HOSTILE)
    html = relation._repr_html_()
    assert "<script" not in html
    assert not set("\x1b\u202e\t\n") & set(html)
    assert sum("script" in text for text in words(html)) >= 2  # in the chain and in its box


def test_the_better_is_lower_and_lines_join_boxes() -> None:
    svg = parsed(diagram_svg(np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]], bool), ["a", "b", "c"]))
    space = "{http://www.w3.org/2000/svg}"
    y = {text.text: float(text.get("y", "nan")) for text in svg.iter(f"{space}text") if text.get("y")}
    assert y["a"] > y["b"] == y["c"]  # y counts down
    assert len([*svg.iter(f"{space}polyline")]) == 2


def test_a_consensus_shows_its_relations_and_the_diagram_of_the_first() -> None:
    voters = [podium.Relation.from_chain(chain) for chain in ("a < b < c", "b < a < c", "c < a < b")]
    found = podium.consensus(voters, kind="linear", all_optima=True)
    html = found._repr_html_()
    assert words(html)[: len(found)] == [str(relation) for relation in found]
    assert html.count("<svg") == 1
    assert f"criterion {found.criterion:g}" in html
