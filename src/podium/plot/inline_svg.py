"""Drawings as SVG inside a page."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.colors import to_hex

from podium.plot.save import figure_of, without_glyph_warnings

__all__: list[str] = []

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
# Letters as shapes: a page looks the same on every machine, whatever fonts it has. Equal figures give equal files.
_INLINE: Mapping[Any, Any] = {"svg.fonttype": "path", "svg.hashsalt": "podium", "path.simplify": True}
WIDTH_CLASS = "at-most-"
COLOUR_NAME = "c-"
PRESENTATION = frozenset(
    {
        "clip-path",
        "fill",
        "fill-opacity",
        "fill-rule",
        "font-family",
        "font-size",
        "font-style",
        "font-weight",
        "image-rendering",
        "opacity",
        "stroke",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "stroke-opacity",
        "stroke-width",
        "text-anchor",
        "visibility",
    }
)
_COLOUR = re.compile(r"^#([0-9a-f]{6})$")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")


def inline_svg(drawing: object, name: str) -> str:
    """Write a drawing as an SVG element that fills its space in a page, and close it.

    It has no header and no metadata; its identifiers begin with `name`, and the element ``caption-name`` describes it.
    It has no style attributes; its class, `width_class`, says how wide it may be. It stands on the paper of the page,
    which shows through where the drawing is white. The page may change each of its colours: #rrggbb is the variable
    ``--COLOUR_NAMErrggbb`` where that has a value.
    """
    figure = figure_of(drawing)
    for axes in [one for outer in figure.axes for one in (outer, *outer.child_axes)]:
        if to_hex(axes.get_facecolor()) == "#ffffff":
            axes.patch.set_visible(False)
    buffer = io.BytesIO()
    with mpl.rc_context(dict(_INLINE)), without_glyph_warnings():
        figure.savefig(buffer, format="svg", facecolor="none", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return _cleaned(buffer.getvalue(), name)


def width_class(width: float) -> str:
    """Name the class of the drawings that are at most this many pixels wide; the page has its rule."""
    return f"{WIDTH_CLASS}{width:.0f}"


def _without_style(element: ElementTree.Element) -> None:
    """Turn a style attribute into attributes of presentation, which a strict content security policy allows."""
    for declaration in element.attrib.pop("style", "").split(";"):
        name, colon, value = declaration.partition(":")
        if colon and name.strip() in PRESENTATION:
            element.set(name.strip(), _COLOUR.sub(rf"var(--{COLOUR_NAME}\1,#\1)", value.strip()))


def _cleaned(source: bytes, prefix: str) -> str:
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(source)
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    for parent in root.iter(f"{{{SVG}}}defs"):
        for style in parent.findall(f"{{{SVG}}}style"):  # the page has these rules
            parent.remove(style)
    used = set(_REFERENCE.findall(source.decode("utf-8")))
    used |= {one.get(f"{{{XLINK}}}href", "#").lstrip("#") for one in root.iter()}
    for element in root.iter():
        _without_style(element)
        name = element.get("id")
        if name is not None and name in used:
            element.set("id", f"{prefix}-{name}")
        elif name is not None:
            del element.attrib["id"]
        link = element.get(f"{{{XLINK}}}href")
        if link is not None and link.startswith("#"):
            element.set(f"{{{XLINK}}}href", f"#{prefix}-{link[1:]}")
        for key, value in list(element.attrib.items()):
            if "url(#" in value:
                element.set(key, _REFERENCE.sub(rf"url(#{prefix}-\1)", value))
    width = float(root.get("width", "0").removesuffix("pt"))
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.set("class", width_class(width * 4 / 3))
    root.set("role", "img")
    root.set("aria-labelledby", f"caption-{prefix}")
    return ElementTree.tostring(root, encoding="unicode")
