"""The page of the explorer: Bokeh, one script, one style sheet and the payload, in one file that loads nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from podium.errors import MissingExtraError
from podium.show.explorer.numbers import as_json
from podium.typesetting.html import escape

_FOLDER = files("podium.show.explorer")


def as_html(payload: Mapping[str, Any]) -> str:
    """Write the whole page."""
    scripts = [*bokeh_scripts(), _text("explorer.js")]
    style = _text("explorer.css")
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts)}">'
        "<meta name='viewport' content='width=device-width,initial-scale=1'>"
        "<meta name='color-scheme' content='light'><meta name='referrer' content='no-referrer'>"
        f"<title>{escape(str(payload['title']))}</title><style>{style}</style></head><body>"
        f"{_text('explorer.html')}"
        f"<script type='application/json' id='payload'>{as_json(payload)}</script>"
        f"{''.join(f'<script>{script}</script>' for script in scripts)}</body></html>\n"
    )


def policy(scripts: list[str]) -> str:
    """Return the content security policy.

    Only these scripts run, and nothing is connected to. Bokeh writes style elements into its own trees, so styles are
    not restricted; nothing can be loaded with them.
    """
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
        "form-action 'none'"
    )


@cache
def bokeh_scripts() -> tuple[str, ...]:
    """Return the scripts of Bokeh that a page needs."""
    try:
        import bokeh
    except ImportError:
        raise MissingExtraError("The explorer", "bokeh", "explorer") from None
    folder = Path(bokeh.__file__).parent / "server" / "static" / "js"
    names = ("bokeh.min.js", "bokeh-api.min.js")
    return tuple((folder / name).read_text(encoding="utf-8").replace("</script", "<\\/script") for name in names)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


@cache
def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()
