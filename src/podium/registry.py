"""`Registry`: objects looked up by name, each defined in a module of one folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import Generic, Protocol, TypeVar

from podium.errors import LabelError


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """The name it is looked up by."""


Thing = TypeVar("Thing", bound=Named)


class Registry(Mapping[str, Thing], Generic[Thing]):
    """Objects of one class that the modules of a package define, by their names.

    To add one, add a module to the package that defines it. Nothing is imported before a name is looked up. A name is
    looked for in the module of the same name first, then in all modules. The order is that of the modules' names, then
    that of the definitions.

    Parameters
    ----------
    package : str
        The package whose folder is scanned, such as ``"podium.design.candidates"``.
    kind : type
        The class of the objects.
    """

    def __init__(self, package: str, kind: type[Thing]) -> None:
        self._package, self._kind = package, kind
        self._read: dict[str, dict[str, Thing]] = {}

    @cached_property
    def _modules(self) -> tuple[str, ...]:
        return tuple(sorted(info.name for info in iter_modules(import_module(self._package).__path__)))

    @cached_property
    def _all(self) -> dict[str, Thing]:
        found: dict[str, Thing] = {}
        for module in self._modules:
            defined = self._defined_in(module)
            twice = found.keys() & defined.keys()
            if twice:
                raise LabelError(f"{self._package}.{module} defines {min(twice)!r}, which another module defines too.")
            found |= defined
        return found

    def _defined_in(self, module: str) -> dict[str, Thing]:
        if module not in self._read:
            things = vars(import_module(f"{self._package}.{module}")).values()
            self._read[module] = {thing.name: thing for thing in things if isinstance(thing, self._kind)}
        return self._read[module]

    def __getitem__(self, name: str) -> Thing:
        if name in self._modules and name in self._defined_in(name):
            return self._defined_in(name)[name]
        if not name or name not in self._all:  # an empty name needs no search through all modules
            raise LabelError(f"{self._package} does not define {name!r}.")
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)
