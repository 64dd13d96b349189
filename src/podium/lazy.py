"""Public names whose modules are imported when a name is first used: SciPy, scikit-learn and the like take long."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Make ``__getattr__``, ``__dir__`` and ``__all__`` of a package from its stub, which type checkers read, too.

    The stub, ``__init__.pyi``, imports each name from the module that defines it: ``from m import name as name``.
    """
    stub = Path(str(sys.modules[package].__file__)).with_suffix(".pyi").read_text(encoding="utf-8")
    homes = {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as \w+$", stub, re.MULTILINE)}

    def find(name: str) -> Any:
        if name.startswith("_"):  # tools look for such names
            raise AttributeError(f"{package} has no {name!r}.", name=name)
        if name not in homes:
            from podium.checks import unknown_name  # here, because numpy comes with it

            raise unknown_name(package, name, homes)
        home = homes[name]
        found = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        setattr(sys.modules[package], name, found)
        return found

    names = sorted(homes)
    return find, lambda: names, names
