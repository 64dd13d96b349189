"""The package in other words: while it is imported, every sentence, heading and title in its source is replaced.

Each letter of words for people becomes a Cyrillic one. Which one depends on the place in the source, so two texts that
read the same are no longer the same: code that looks for one of podium's own sentences does not find it. Texts in
comparisons, patterns and the like stay as they are: they are what reads, not what is said.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).parents[1] / "src" / "podium"
# Three words; or a heading, which begins with a capital letter.
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:)]? \(?[A-Za-z’]+[,;:)]? \(?[A-Za-z’]+")
HEADING = re.compile(r"[A-Z][a-z]{2,}( [a-z]+)*[.:]?")
# A part of an f-string with a word.
PART = re.compile(r"[A-Za-z]{2,}[,;:.)]? | \(?[A-Za-z]{2,}")
# What a program reads: SQL, HTML, LaTeX, addresses, styles.
SQL = "SELECT INSERT CREATE PRAGMA DELETE UPDATE ALTER WHERE BEGIN COMMIT VALUES REFERENCES FROM INTO TABLE SET ON AND NOT"
SQL += " LIMIT BY IN IS OR AS KEY INDEX"
CODE = re.compile(rf"\b({SQL.replace(' ', '|')})\b|[<\\]|https?:|[\w-]+: *[\w#.]+;|\{{\{{|\w=[\dx]|^outside ")
PLACEHOLDER = re.compile(r"(\{[^{}]*\})")
# Arguments of these names are words, however short.
SAID = {"advice", "caption", "finding", "heading", "help", "text", "title"}
# Arguments of these names are for another library.
NOT_SAID = {"arrowstyle", "boxstyle", "cmap", "connectionstyle", "metadata", "style"}
# Methods that read a text, and functions that make types or look for a name.
READ = {"count", "endswith", "find", "index", "partition", "removeprefix", "removesuffix", "replace", "rpartition"}
READ |= {"rsplit", "split", "startswith", "strftime", "strptime", "compile", "search", "match", "fullmatch", "sub"}
READ |= {"TypeVar", "ParamSpec", "TypeAliasType", "getattr", "hasattr", "setattr", "get", "lazy_names", "pop"}
# Lower-case names of several words by which something is looked up: keys of tables, and values of types.
KEY = re.compile(r'"([a-z][^"A-Z.{}]* [^"{}.]*)": ')
CHOICES = re.compile(r"Literal\[[^\]]*\]")
CHOICE = re.compile(r'"([^"]*)"')


@functools.cache
def sources() -> str:
    """The source of the whole package."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py")))


@functools.cache
def keys() -> frozenset[str]:
    """The names of several words by which something is looked up anywhere in the package."""
    chosen = {name for choices in CHOICES.findall(sources()) for name in CHOICE.findall(choices)}
    return frozenset(chosen | set(KEY.findall(sources())))


@functools.cache
def all_keys() -> str:
    """The same names, one in each line."""
    return "\n".join(keys())


def is_said(text: str) -> bool:
    """Whether a text is made of words for people."""
    return not CODE.search(text) and bool(SENTENCE.search(text) or HEADING.fullmatch(text)) and text not in keys()


def in_other_letters(text: str, place: int) -> str:
    """Replace the letters of a text, but not those of its placeholders."""

    def other(letter: re.Match[str]) -> str:
        first = "А" if letter[0].isupper() else "а"
        return chr(ord(first) + (ord(letter[0].lower()) - ord("a") + place) % 32)

    parts = PLACEHOLDER.split(text)
    return "".join(part if part.startswith("{") else re.sub("[A-Za-z]", other, part) for part in parts)


def is_retold(text: str) -> bool:
    """Whether a text has letters of `in_other_letters`."""
    return bool(re.search("[А-я]", text))


def lists_of_names(tree: ast.Module) -> Iterator[str]:
    """The variables whose texts are split at blanks: names of things, not words for people."""
    split = {
        ast.unparse(node.func.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"
    }
    yield from (name.partition("[")[0] for name in split)
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension) and split & {
            one.strip() for one in ast.unparse(node.target).strip("()").split(",")
        }:
            yield ast.unparse(node.iter).partition(".")[0]


class Reteller(ast.NodeTransformer):
    """Replaces the words for people in the source of a module."""

    def __init__(self, module: str, lists: set[str]) -> None:
        self.module, self.lists = module, lists

    def other(self, text: str, node: ast.AST) -> str:
        return in_other_letters(text, zlib.crc32(f"{self.module}:{node.lineno}:{node.col_offset}".encode()) % 32)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and is_said(node.value):
            return ast.copy_location(ast.Constant(self.other(node.value, node)), node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        fixed = [part for part in node.values if isinstance(part, ast.Constant)]
        whole = "".join(part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
        said = not CODE.search(whole) and any(PART.search(part.value) for part in fixed)
        pattern = "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in node.values)
        said = said and not re.search(f"^{pattern}$", all_keys(), re.MULTILINE)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)  # not how it is formatted
            elif said:
                part.value = self.other(part.value, node)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg in NOT_SAID:
            return node
        value = node.value
        if node.arg in SAID and isinstance(value, ast.Constant) and isinstance(value.value, str):
            node.value = ast.copy_location(ast.Constant(self.other(value.value, value)), value)
            return node
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)  # a docstring

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in {"get", "split"}:
            return node
        if name in READ:
            node.func = self.visit(node.func)  # not what it looks for
            return node
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        sides = [node.left, *node.comparators]
        if not any(isinstance(side, ast.Constant | ast.Tuple | ast.Set | ast.List) for side in sides):
            return self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node.value = self.visit(node.value)  # not the key
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        listed = getattr(node.target, "id", "") in self.lists
        if node.value is not None and not listed and "TypeAlias" not in ast.unparse(node.annotation):
            node.value = self.visit(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        names = {getattr(target, "id", "") for target in node.targets}
        return node if names & {"__all__", "__slots__", *self.lists} else self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def _function(self, node: Any) -> ast.AST:
        node.returns, returned = None, node.returns
        self.generic_visit(node)
        node.returns = returned
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.body = [self.visit(line) for line in node.body]
        return node


class _Loader(SourceFileLoader):
    retold: bool
    more: Mapping[str, str]

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        source = self.get_data(path).decode() + self.more.get(fullname, "")
        tree = ast.parse(source)
        if self.retold:
            tree = Reteller(fullname, set(lists_of_names(tree)) if ".split()" in source else set()).visit(tree)
        return compile(tree, path, "exec", dont_inherit=True)


class Importer:
    """Imports the modules of the package in other words; `more` is source that is added to the end of a module."""

    def __init__(self, retold: bool, more: Mapping[str, str]) -> None:
        self.options = {"retold": retold, "more": more}

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] != "podium":
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
            vars(spec.loader).update(self.options)
        return spec


def install(retold: bool, more: Mapping[str, str]) -> None:
    """From now on import the package so."""
    if retold or more:
        sys.meta_path.insert(0, Importer(retold, more))
