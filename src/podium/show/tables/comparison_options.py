"""The options that tables pass on to the comparison behind them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from podium.analysis.compare import compare
from podium.checks import check_keys


def check_options(
    owner: str, table: Callable[..., Any], method: object, options: Mapping[str, object], also: Iterable[str] = ()
) -> None:
    """Refuse an option that neither a table nor `compare` has; a method that is named checks its own.

    `owner` is the function that was called, and `also` are options that it has itself.
    """
    if method is None:
        parameters = (*inspect.signature(table).parameters, *also, *inspect.signature(compare).parameters)
        known = dict.fromkeys(parameters)
        check_keys(options, [name for name in known if name != "options"], f"{owner}()", "option")
