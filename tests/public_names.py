"""Every public name of podium, as its users write it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import podium

MODULES = [name for name in podium.__all__ if inspect.ismodule(getattr(podium, name)) and name != "errors"]


def public_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, class and method, by the name a user would write."""
    seen = set()
    for prefix, module in [("podium", podium), *((f"podium.{name}", getattr(podium, name)) for name in MODULES)]:
        for name in module.__all__:
            thing = getattr(module, name)
            if not (inspect.isclass(thing) or inspect.isroutine(thing)) or id(thing) in seen:
                continue
            if inspect.isclass(thing) and issubclass(thing, BaseException):
                continue
            seen.add(id(thing))
            yield f"{prefix}.{name}", thing
            if inspect.isclass(thing):
                yield from methods(f"{prefix}.{name}", thing)


def methods(prefix: str, kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, member in inspect.getmembers(kind):
        home = getattr(member, "__module__", None)
        if name.startswith("_") or not callable(member) or not str(home).startswith("podium"):
            continue
        yield f"{prefix}.{name}", member
