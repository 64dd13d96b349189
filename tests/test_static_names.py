"""Type checkers and editors, which read the source without running it, find every public name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import podium
from public_names import MODULES

SOURCE = Path(__file__).parents[1] / "src"


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module as type checkers see it: with those under `TYPE_CHECKING`."""
    for node in tree.body:
        if isinstance(node, ast.If):
            yield from node.body if ast.unparse(node.test) == "TYPE_CHECKING" else []
        else:
            yield node


@cache
def static_names(module: str) -> frozenset[str]:
    """The names that a module offers, by the rules of the typing specification for libraries.

    These are what it defines, ``from m import *``, ``from m import a as a``, and anything in a literal ``__all__``.
    """
    path = SOURCE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    file = file.with_suffix(".pyi") if file.with_suffix(".pyi").exists() else file
    imported, offered, listed = set(), set(), set()
    for node in statements(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str(home), names=[ast.alias(name="*")]):
                offered |= static_names(home)
            case ast.ImportFrom(names=names):
                imported |= {alias.asname or alias.name for alias in names}
                offered |= {alias.name for alias in names if alias.asname == alias.name}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                offered.add(name)
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=entries))
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.List(elts=entries))
                | ast.AugAssign(target=ast.Name(id="__all__"), value=ast.List(elts=entries))
            ):
                listed |= {entry.value for entry in entries if isinstance(entry, ast.Constant)}
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                offered.add(name)
    return frozenset((imported | offered) & listed if listed else (name for name in offered if name[0] != "_"))


@pytest.mark.parametrize("module", ["podium", "podium.errors", *(f"podium.{name}" for name in MODULES)])
def test_type_checkers_find_every_public_name(module: str) -> None:
    home = podium if module == "podium" else getattr(podium, module.removeprefix("podium."))
    assert sorted(set(home.__all__) - static_names(module)) == []


def test_a_name_that_is_not_declared_would_be_found() -> None:
    assert "publish" not in static_names("podium.plot")
    assert {"box", "friedman"} & static_names("podium.plot") == {"box"}
