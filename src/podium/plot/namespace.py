"""The namespace of a package whose modules are found automatically: a new file is a new name."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, TypeVar

from podium.checks import check_call, unknown_name
from podium.plot.documentation import documented

T = TypeVar("T")


def publish(package: str) -> None:
    """Make what the modules of a package list in ``__all__`` names of the package; each is imported on first use.

    A function often has the name of its module, and takes its place: ``podium.plot.box`` is the plot. Arguments
    that many functions share are added to its docstring.
    """
    sys.modules[package].__class__ = Namespace


class Namespace(ModuleType):
    """A package that has the names of its modules' ``__all__``."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":  # tools look for such names
            raise AttributeError(f"{self.__name__} has no {name!r}.", name=name)
        inside = {info.name: info.ispkg for info in iter_modules(self.__path__)}
        modules = [module for module, is_package in inside.items() if not is_package]
        for module in [name] if name in inside else modules:
            import_module(f"{self.__name__}.{module}")
        if name == "__all__":
            parts = (sys.modules[f"{self.__name__}.{module}"] for module in modules)
            self.__all__ = sorted(each for part in parts for each in getattr(part, "__all__", ()))
        if name not in self.__dict__:
            raise unknown_name(self.__name__, name, self.__all__)
        return self.__dict__[name]

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and value.__name__ == f"{self.__name__}.{name}":  # it has been imported
            given = getattr(value, "__all__", ()) if not hasattr(value, "__path__") else ()
            for each in given:
                thing = getattr(value, each)
                super().__setattr__(each, check_call(documented(thing)) if inspect.isfunction(thing) else thing)
            if name in given:
                return
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return self.__all__


class Registered(dict[str, T]):
    """What the modules of a package register, by name: one is imported when asked for, all when they are listed."""

    def __init__(self, package: str) -> None:
        super().__init__()
        self._package = package

    def __missing__(self, name: str) -> T:
        getattr(import_module(self._package), name)
        if not super().__contains__(name):
            raise KeyError(name)
        return self[name]

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __iter__(self) -> Iterator[str]:
        dir(import_module(self._package))  # imports all its modules
        return super().__iter__()
