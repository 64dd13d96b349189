"""The options that tables pass on to the comparison behind them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from podium.analysis.compare import compare
from podium.checks import check_keys


def check_options(owner: str, table: Callable[..., Any], method: object, options: Mapping[str, object]) -> None:
    """Refuse an option that neither a table nor `compare` has; a method that is named checks its own.

    `owner` is the function that was called.
    """
    if method is None:
        known = dict.fromkeys((*inspect.signature(table).parameters, *inspect.signature(compare).parameters))
        check_keys(options, [name for name in known if name != "options"], f"{owner}()", "option")
