"""A small Hasse diagram as SVG, for notebooks."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence

from podium.analysis.relation.hasse import hasse_diagram, node_label
from podium.analysis.relation.layers import ordered_layers, place_layers
from podium.arrays import BoolArray

_FONT = 12.0
_WIDEST = 640.0
_LONGEST = 32  # letters of a name; the tooltip has the whole name
_MAX_ALGORITHMS = 60  # a larger diagram is no longer small


def diagram_svg(better: BoolArray, algorithms: Sequence[str]) -> str:
    """Draw strict preferences as an SVG element, best at the bottom; empty text if there are too many algorithms."""
    if len(algorithms) > _MAX_ALGORITHMS:
        return ""
    diagram = hasse_diagram(better, algorithms)
    layers, routes = ordered_layers(diagram)
    labels = [_printable(node_label(members)) for members in diagram.members]
    shown = [label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…" for label in labels]
    widths = [_width(text) + 1.2 * _FONT for text in shown]
    own = [sum(widths[i] + 0.9 * _FONT for i in layer if i < len(widths)) for layer in layers]
    bends = max(sum(i >= len(widths) for i in layer) for layer in layers)
    room = min(max(own) + 1.2 * _FONT * bends, max(_WIDEST, max(widths) + _FONT))
    height = 1.9 * _FONT
    placed = place_layers(layers, routes, widths, height, room, gap=0.9 * _FONT, between=1.6 * _FONT, bend=1.2 * _FONT)
    left, margin, foot = 1.6 * _FONT, 0.6 * _FONT, 1.2 * _FONT
    tall = placed.tall + 2 * margin + foot

    def up(y: float) -> float:
        return placed.tall + margin - y

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{room + left:.0f}" height="{tall:.0f}" '
        f'viewBox="0 0 {room + left:.0f} {tall:.0f}" role="img" style="max-width:100%" '
        f'font-family="sans-serif" font-size="{_FONT:g}">',
        f"<title>{html.escape('Hasse diagram, best at the bottom')}</title>",
    ]
    for number, (low, high) in enumerate(placed.bands):
        if number % 2 == 0:
            parts.append(
                f'<rect x="{left:.1f}" y="{up(high) - 0.5 * _FONT:.1f}" width="{room:.1f}" '
                f'height="{high - low + _FONT:.1f}" fill="#8A90991A"/>'
            )
    for line in placed.lines:
        points = " ".join(f"{left + x:.1f},{up(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{points}" fill="none" stroke="#6B7079"/>')
    for x0, y0, x1, y1 in placed.frames:
        parts.append(_box(left + x0, up(y1), x1 - x0, y1 - y0, "#6B7079"))
    for label, text, width, (x, y) in zip(labels, shown, widths, placed.spots, strict=False):
        parts += [
            f"<g><title>{html.escape(label)}</title>",
            _box(left + x - width / 2, up(y) - height / 2, width, height, "#1F4E9C"),
            f'<text x="{left + x:.1f}" y="{up(y) + 0.35 * _FONT:.1f}" text-anchor="middle" fill="#111">'
            f"{html.escape(text)}</text></g>",
        ]
    parts += [
        f'<text x="{left + room / 2:.1f}" y="{tall - 0.3 * _FONT:.1f}" text-anchor="middle" fill="#6B7079">best</text>',
        f'<text transform="translate({0.9 * _FONT:.1f},{up(0):.1f}) rotate(-90)" fill="#6B7079">← better</text>',
        "</svg>",
    ]
    return "".join(parts)


def chain_html(text: str) -> str:
    """Write a relation as text for a notebook."""
    return f'<div style="font-family:monospace;white-space:pre-wrap">{html.escape(_printable(text))}</div>'


def _box(x: float, y: float, width: float, height: float, stroke: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="5" fill="#fff" stroke="{stroke}"/>'


def _printable(text: str) -> str:
    """Replace control characters, which no SVG may contain, and marks that reverse the writing direction."""
    return "".join(" " if c in "\t\r\n" else "�" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)


def _width(text: str) -> float:
    """Width of a text, about: browsers choose the font."""
    wide = sum(1.05 if unicodedata.east_asian_width(c) in "WF" else 0.62 for c in text)
    return _FONT * wide
