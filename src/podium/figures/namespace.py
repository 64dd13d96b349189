"""The namespace of a package whose modules are found automatically: a new file is a new name."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NoReturn

from podium.checks import check_call, unknown_name
from podium.figures.documentation import documented


def publish(package: str) -> list[str]:
    """Import the modules of a package, and give it what they list in ``__all__``; return the names.

    A function often has the name of its module, and takes its place: ``podium.plot.box`` is the plot. Arguments
    that many functions share are added to its docstring.
    """
    home = sys.modules[package]
    found: dict[str, Any] = {}
    for module in iter_modules(home.__path__, f"{package}."):
        part = import_module(module.name)
        found |= {name: getattr(part, name) for name in getattr(part, "__all__", ())}
    for name, thing in found.items():
        setattr(home, name, check_call(documented(thing)) if inspect.isfunction(thing) else thing)
    home.__class__ = Namespace
    return sorted(found)


class Namespace(ModuleType):
    """A package in which no module overwrites the function of its name, and an unknown name is an error with a hint."""

    def __getattr__(self, name: str) -> NoReturn:
        raise unknown_name(self.__name__, name, self.__dict__.get("__all__", ()))

    def __dir__(self) -> list[str]:
        return [*self.__dict__.get("__all__", ()), *(name for name in super().__dir__() if name.startswith("__"))]

    def __setattr__(self, name: str, value: object) -> None:
        taken = isinstance(value, ModuleType) and inspect.isfunction(self.__dict__.get(name))
        if not taken:
            super().__setattr__(name, value)
