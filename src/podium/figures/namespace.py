"""The namespace of a package whose modules are found automatically: a new file is a new name."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pkgutil import iter_modules

from podium.checks import check_call, close_module
from podium.figures.documentation import documented


def publish(package: str) -> list[str]:
    """Import the modules of a package, give it what they list in ``__all__``, and return these names.

    A function often has the name of its module, and takes its place: ``podium.plot.box`` is the plot. Arguments
    that many functions share are added to its docstring.
    """
    home = sys.modules[package]
    parts = [import_module(module.name) for module in iter_modules(home.__path__, f"{package}.")]
    found = {name: getattr(part, name) for part in parts for name in getattr(part, "__all__", ())}
    for name, thing in found.items():
        setattr(home, name, check_call(documented(thing)) if inspect.isfunction(thing) else thing)
    names = sorted(found)
    home.__getattr__, home.__dir__ = close_module(package, names)  # type: ignore[method-assign]
    return names
