"""The namespace of a package of figures: what its modules list in ``__all__``."""

from __future__ import annotations

import inspect
import sys

from podium.checks import check_call, close_module
from podium.figures.documentation import documented


def publish(package: str) -> list[str]:
    """Return the names that a package has from its modules, which it has imported, and close it to others.

    A function often has the name of its module, and takes its place: ``podium.plot.box`` is the plot. Arguments
    that many functions share are added to its docstring.
    """
    home = sys.modules[package]
    parts = [module for name, module in sys.modules.items() if name.startswith(f"{package}.")]
    names = sorted({name for part in parts for name in getattr(part, "__all__", ())})
    for name in names:
        thing = getattr(home, name)
        setattr(home, name, check_call(documented(thing)) if inspect.isfunction(thing) else thing)
    home.__getattr__, home.__dir__ = close_module(package, names)  # type: ignore[method-assign]
    return names
