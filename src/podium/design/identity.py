"""`Identity`: what a thing is by its content, so that a number is only ever reused for the thing that made it.

Parameters count at any depth, your own code by what it compiles to, and code of an installed library by its name and
the library's version. Names of variables, comments, line numbers and memory addresses do not count. The digest is the
same in every process.
"""

from __future__ import annotations

import copyreg
import dis
import enum
import functools
import hashlib
import importlib.metadata
import importlib.util
import inspect
import re
import struct
import sys
import sysconfig
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
import pandas as pd

from podium.checks import check_call, check_text

# Raise this number when the numbers of a candidate, generator, resampling scheme or measure of podium change.
NUMBERS_EDITION = 1

# Libraries that compute numbers on behalf of others: a version of these counts wherever a library requires it.
_CORE = ("numpy", "pandas", "scikit-learn", "scipy")
_DISTRIBUTIONS = {"sklearn": "scikit-learn"}  # modules whose name says little about their distribution
_MAX_PARTS = 1_000_000
_CLONED_TOO = ("_sklearn_output_config", "_metadata_request")  # what `clone` keeps besides the parameters
# Members of a class that do not change what it computes, or that differ between equal classes.
_NOT_CONTENT = re.compile(
    "__(doc|module|qualname|dict|weakref|firstlineno|static_attributes|annotations|annotate|annotate_func|"
    "annotations_cache|abstractmethods|match_args|dataclass_params|parameters|orig_bases|type_params|slotnames)__|"
    "_abc_impl"
)


@check_call
@dataclass(frozen=True)
class Identity:
    """What identifies a thing.

    Attributes
    ----------
    digest : str
        32 hexadecimal digits that change when the content does.
    versions : mapping
        Version of Python, and of each library whose code computes the numbers.
    problem : str
        Which part has no content that could be established; empty if there is none.

    Examples
    --------
    >>> import podium
    >>> podium.design.identify(podium.Algorithm.named("lda")).established
    True
    """

    digest: str
    versions: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def established(self) -> bool:
        """Whether the digest covers everything that was found."""
        return not self.problem

    @property
    def key(self) -> str:
        """A short text for the content and the versions; it starts with ``?`` if the content is not established."""
        versions = hashlib.blake2b(repr(sorted(self.versions.items())).encode(), digest_size=4).hexdigest()
        return f"{'' if self.established else '?'}{self.digest}-{versions}"


@check_call
def identify(*things: Any, name: str = "") -> Identity:
    """Establish the identity of some things together.

    Parameters
    ----------
    *things : object
        Parts of an experiment (`Algorithm`, `Measure`, `Dataset`, ...), or any other objects, which count with all of
        their state.
    name : str
        What messages call the things.

    Returns
    -------
    Identity

    Examples
    --------
    >>> import podium
    >>> from sklearn.linear_model import LogisticRegression
    >>> weak = podium.Algorithm("LogisticRegression", LogisticRegression(C=1.0))
    >>> strong = podium.Algorithm("LogisticRegression", LogisticRegression(C=1e-6))
    >>> podium.design.identify(weak) == podium.design.identify(strong)
    False
    """
    check_text(name, "name")
    walk = _Walk(name)
    digest = walk.all_of(things)
    return Identity(digest.hex(), walk.versions(), walk.problem)


@dataclass(frozen=True)
class Cloned:
    """Marks an estimator that is cloned before it is fitted: what it has learned so far does not count."""

    estimator: Any


@dataclass(frozen=True)
class Uses:
    """Marks the libraries that podium's own code computes numbers with, where their versions count."""

    libraries: tuple[str, ...] = _CORE


@functools.cache
def installed_version(distribution: str) -> str:
    """Return the version of an installed distribution; empty if there is none."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


class _Unestablished(Exception):
    """Some part has no content that could be read."""


class _Walk:
    """One walk over some things: digests of their parts, and the libraries met on the way.

    A part is digested from the digests of its own parts, so that it does not matter whether two places share an object
    or hold equal ones. A cycle ends at the object it returns to. The user's own functions and classes refer to each
    other in every possible way; each of them is therefore referred to by a number, and digested once.
    """

    def __init__(self, name: str) -> None:
        self._path = [name] if name else []
        self.problem = ""
        self._libraries: set[str] = set()
        self._known: dict[tuple[int, bool], tuple[bytes, Any]] = {}  # the object is kept, so that its id is not reused
        self._open: dict[int, int] = {}
        self._returns_to = sys.maxsize  # the lowest open object that the part just digested refers back to
        self._definitions: dict[int, int] = {}
        self._defined: list[Any] = []
        self._files: list[str] = []
        self._parts = 0

    def all_of(self, things: Sequence[Any]) -> bytes:
        """Digest all things, then the functions and classes that they refer to."""
        digests = [self.digest(thing) for thing in things]
        done = 0
        while done < len(self._defined):
            definition = self._defined[done]
            with self._at(f" ({getattr(definition, '__qualname__', 'code')})"):
                digests.append(self._guarded(definition, self._definition))
            done += 1
        return _hash("all", *digests)

    def versions(self) -> dict[str, str]:
        """Return the versions of everything met."""
        found = {"python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
        libraries = self._libraries - {"python"}
        for library in sorted(libraries | {core for each in libraries for core in _requirements(each)}):
            found[library] = f"numbers {NUMBERS_EDITION}" if library == "podium" else installed_version(library)
        return found

    def digest(self, thing: Any, *, cloned: bool = False) -> bytes:
        """Digest one part."""
        plain = _plain(thing)
        if plain is not None:
            return plain
        key = id(thing), cloned
        if key in self._known:
            return self._known[key][0]
        if id(thing) in self._open:
            self._returns_to = min(self._returns_to, self._open[id(thing)])
            return _hash("cycle", str(len(self._open) - self._open[id(thing)]).encode())
        outside, depth = self._returns_to, len(self._open)
        self._returns_to = sys.maxsize
        self._open[id(thing)] = depth
        digest = self._guarded(thing, functools.partial(self._content, cloned=cloned))
        del self._open[id(thing)]
        if self._returns_to >= depth:  # nothing in it refers to an object around it
            self._known[key] = digest, thing
            self._returns_to = sys.maxsize
        self._returns_to = min(self._returns_to, outside)
        return digest

    def _guarded(self, thing: Any, content: Any) -> bytes:
        self._parts += 1
        try:
            if self._parts > _MAX_PARTS:
                raise _Unestablished(f"has more than {_MAX_PARTS:,} parts")
            return bytes(content(thing))
        except _Unestablished as error:
            reason = str(error)
        except RecursionError:
            reason = "is nested too deeply"
        except Exception as error:  # of code that is not ours: `__reduce__`, `get_params`, properties
            reason = f"cannot be read: {type(error).__name__}"
        if not self.problem:
            kind = type(thing)
            where = "".join(self._path).strip() or "it"
            self.problem = f"{where} ({kind.__module__}.{kind.__qualname__}) {reason}"
        return _hash("unknown", type(thing).__qualname__.encode())

    @contextmanager
    def _at(self, step: str) -> Iterator[None]:
        self._path.append(step)
        try:
            yield
        finally:
            self._path.pop()

    # ---- kinds of content -------------------------------------------------------------------------------------------

    def _content(self, thing: Any, *, cloned: bool) -> bytes:
        if isinstance(thing, Uses):
            self._libraries.update(thing.libraries)
            return _hash("uses")
        if isinstance(thing, Cloned):
            return self.digest(thing.estimator, cloned=True)
        if callable(getattr(type(thing), "identified_by", None)):  # quicker than isinstance with a protocol
            parts = thing.identified_by()
            return _hash("identified", type(thing).__name__.encode(), *(self.digest(part) for part in parts))
        if type(thing) in (list, tuple):
            inner = [self._inner(f"[{i}]", part, cloned=cloned) for i, part in enumerate(thing)]
            return _hash(type(thing).__name__, *inner)
        if type(thing) in (dict, types.MappingProxyType):  # a loop over it may depend on the order
            return _hash("dict", self._mapping(thing), *(self.digest(key) for key in thing))
        if type(thing) in (set, frozenset):  # the second as in earlier versions: it occurs in compiled code
            kind = "set" if type(thing) is frozenset else "mutable set"
            return _hash(kind, *sorted(self.digest(part) for part in thing))
        if isinstance(thing, types.ModuleType):
            return self._module(thing, None)
        if isinstance(thing, type):
            return self._reference(thing)
        if isinstance(thing, types.FunctionType):
            return self._reference(thing)
        if isinstance(thing, types.MethodType):
            return _hash("method", self.digest(thing.__func__), self.digest(thing.__self__))
        if isinstance(thing, types.BuiltinFunctionType | types.MethodDescriptorType | types.WrapperDescriptorType):
            return self._builtin(thing)
        if isinstance(thing, types.CodeType):
            return self._code(thing)
        if isinstance(thing, staticmethod | classmethod):
            return _hash(type(thing).__name__, self.digest(thing.__func__))
        if isinstance(thing, property):
            return _hash("property", *(self.digest(part) for part in (thing.fget, thing.fset, thing.fdel)))
        if isinstance(thing, functools.cached_property):
            return _hash("cached_property", self.digest(thing.func))
        if type(thing) is functools.partial:
            parts = self.digest(thing.func), self.digest(thing.args), self._mapping(thing.keywords)
            return _hash("partial", *parts, self._mapping(vars(thing)))
        if isinstance(thing, np.ndarray) and _library(type(thing).__module__):
            return self._array(thing)
        if isinstance(thing, np.generic | np.dtype):
            return _hash("numpy", repr(thing).encode())
        if isinstance(thing, np.ufunc):
            return self._ufunc(thing)
        if isinstance(thing, pd.DataFrame | pd.Series | pd.Index) and _library(type(thing).__module__):
            return self._frame(thing)
        if _is_sparse(thing):
            return self._sparse(thing)
        if isinstance(thing, TypeVar | ParamSpec):
            return _hash("type variable", thing.__name__.encode())
        if isinstance(thing, enum.Enum):
            return _hash("enum", self.digest(type(thing)), self.digest(thing.name))
        if cloned and _is_cloned_by_parameters(thing):
            kept = {name: vars(thing)[name] for name in _CLONED_TOO if name in getattr(thing, "__dict__", ())}
            with self._at(f".{type(thing).__name__}" if not self._path else ""):
                return _hash(
                    "estimator",
                    self.digest(type(thing)),
                    self._mapping(thing.get_params(deep=False), cloned=True, mark="."),
                    self._mapping(kept, mark="."),
                )
        return self._object(thing)

    def _inner(self, step: str, part: Any, *, cloned: bool = False) -> bytes:
        with self._at(step):
            return self.digest(part, cloned=cloned)

    def _mapping(self, thing: Mapping[Any, Any], *, cloned: bool = False, mark: str = "") -> bytes:
        keys = {key: self.digest(key) for key in thing}
        entries = [
            keys[key]
            + self._inner(
                f"{mark}{key}" if mark and isinstance(key, str) else f"[{_label(key)}]", thing[key], cloned=cloned
            )
            for key in sorted(thing, key=keys.__getitem__)
        ]
        return _hash("mapping", *entries)

    def _array(self, thing: np.ndarray[Any, Any]) -> bytes:
        kind = "masked array" if isinstance(thing, np.ma.MaskedArray) else type(thing).__name__
        head = repr((thing.shape, thing.dtype.str, thing.dtype.fields and thing.dtype.descr)).encode()
        if isinstance(thing, np.ma.MaskedArray):
            return _hash(kind, self.digest(thing.filled()), self.digest(np.ma.getmaskarray(thing)))
        if thing.dtype.hasobject:
            return _hash(kind, head, *(self.digest(part) for part in thing.ravel().tolist()))
        return _hash(kind, head, np.ascontiguousarray(thing).tobytes())

    def _frame(self, thing: pd.DataFrame | pd.Series[Any] | pd.Index[Any]) -> bytes:
        self._libraries.add("pandas")
        if isinstance(thing, pd.DataFrame):
            columns = [self._column(thing.iloc[:, i].array) for i in range(thing.shape[1])]
            return _hash("frame", self.digest(thing.columns), self.digest(thing.index), *columns)
        if isinstance(thing, pd.Series):
            return _hash("series", self.digest(thing.name), self.digest(thing.index), self._column(thing.array))
        if isinstance(thing, pd.MultiIndex):
            return _hash("index", *(self.digest(thing.get_level_values(i)) for i in range(thing.nlevels)))
        return _hash("index", self.digest(thing.name), self._column(thing.array))

    def _column(self, column: Any) -> bytes:
        dtype = column.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            categories = self.digest(dtype.categories)
            return _hash("categorical", str(dtype.ordered).encode(), categories, self.digest(np.asarray(column.codes)))
        if isinstance(dtype, np.dtype):
            return self.digest(np.asarray(column))
        return _hash("column", str(dtype).encode(), self.digest(np.asarray(column, dtype=object)))

    def _ufunc(self, thing: np.ufunc) -> bytes:
        for module in ("numpy", "scipy.special"):
            if getattr(sys.modules.get(module), thing.__name__, None) is thing:
                self._libraries.add(_library(module))
                return _hash("ufunc", thing.__name__.encode())
        raise _Unestablished("is a universal function made from another one")

    def _sparse(self, thing: Any) -> bytes:
        self._libraries.add("scipy")
        rows = thing.tocsr(copy=True)
        rows.sum_duplicates()
        parts = (rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64))
        return _hash("sparse", repr((type(thing).__name__, thing.shape)).encode(), *map(self.digest, parts))

    def _object(self, thing: Any) -> bytes:
        """Digest any other object by what would rebuild it."""
        if _is_global_generator(thing):
            return _hash("global generator")  # its state belongs to the process; every trial starts from its own
        if type(thing) is _CACHE:
            return _hash("cache", self.digest(thing.__wrapped__))
        reduce = copyreg.dispatch_table.get(type(thing))
        recipe = reduce(thing) if reduce is not None else thing.__reduce_ex__(4)
        if isinstance(recipe, str):
            return self._by_name(thing, type(thing).__module__, recipe)
        make, arguments, state, items, entries = (*recipe, None, None, None)[:5]
        parts = [self.digest(make), self._inner("", arguments), self._state(thing, state)]
        parts += [self.digest(list(items) if items is not None else None)]
        parts += [self.digest(dict(entries) if entries is not None else None)]
        return _hash("object", self.digest(type(thing)), *parts)

    def _state(self, thing: Any, state: Any) -> bytes:
        if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], dict):
            return _hash("state", self._state(thing, state[0]), self._state(thing, state[1]))
        if state is not None and not isinstance(state, dict):
            return self.digest(state)
        kind = type(thing)
        left = {
            name: part
            for name, part in (state or {}).items()
            if not isinstance(inspect.getattr_static(kind, str(name), None), functools.cached_property)
            and name != "_sklearn_version"
            # A distribution holds NumPy's global generator, or a copy of it; a search passes its own.
            and not (name == "_random_state" and kind.__module__.startswith("scipy.stats"))
        }
        return self._mapping(left, mark=".")

    # ---- code -------------------------------------------------------------------------------------------------------

    def _reference(self, thing: Any) -> bytes:
        """Refer to a function or class: to one of a library by name, to another by a number."""
        library = _library(thing.__module__) if thing.__module__ is not None else ""
        if library and _is_of_library(thing):
            self._libraries.add(library)
            return _hash("library", library.encode(), f"{thing.__module__}.{thing.__qualname__}".encode())
        if id(thing) not in self._definitions:
            self._definitions[id(thing)] = len(self._defined)
            self._defined.append(thing)
        return _hash("definition", str(self._definitions[id(thing)]).encode())

    def _definition(self, thing: Any) -> bytes:
        return self._class(thing) if isinstance(thing, type) else self._function(thing)

    def _function(self, function: types.FunctionType) -> bytes:
        library = _library(_home(function))
        if library:
            self._libraries.add(library)
        if library == "python" and hasattr(function, "registry") and hasattr(function, "dispatch"):
            return _hash("singledispatch", self._mapping(function.registry))  # the rest of it is a cache
        cells = [_cell(cell) for cell in function.__closure__ or ()]
        names = function.__code__.co_freevars
        return _hash(
            "function",
            self._code(function.__code__, function),
            self._inner(" default", function.__defaults__),
            self._inner(" default", function.__kwdefaults__),
            *(self._inner(f" {name}", cell) for name, cell in zip(names, cells, strict=True)),
            *self._globals(function),
            self._mapping(vars(function)),
        )

    def _code(self, code: types.CodeType, function: types.FunctionType | None = None) -> bytes:
        constants = list(code.co_consts)
        if function is not None and isinstance(function.__doc__, str) and constants[:1] == [function.__doc__]:
            constants[0] = None
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        head = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, names, code.co_names)
        table = getattr(code, "co_exceptiontable", b"")
        return _hash("code", repr(head).encode(), code.co_code, table, *(self.digest(each) for each in constants))

    def _globals(self, function: types.FunctionType) -> Iterator[bytes]:
        """Digest the global names that a function uses, in it and in the functions it defines."""
        if _library(_home(function)):
            return
        read, imported, attributes = _names_in(function.__code__)
        for name in sorted(read & function.__globals__.keys()):
            value = function.__globals__[name]
            with self._at(f" {name}"):
                if isinstance(value, types.ModuleType):
                    yield name.encode() + self._module(value, attributes)
                else:
                    yield name.encode() + self.digest(value)
        for name in sorted(_modules_of(imported, function.__globals__.get("__package__") or "")):
            yield name.encode() + self._imported(name)

    def _class(self, kind: type) -> bytes:
        members = {name: part for name, part in vars(kind).items() if not _NOT_CONTENT.fullmatch(name)}
        slots = members.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            members.pop(slot, None)  # a descriptor that the class makes for itself
        entries = [
            name.encode() + self._inner(f".{name}", members[name])
            for name in sorted(members)
            if not isinstance(members[name], types.MemberDescriptorType | types.GetSetDescriptorType)
        ]
        return _hash("class", self.digest(type(kind)), *(self.digest(base) for base in kind.__bases__), *entries)

    def _module(self, module: types.ModuleType, attributes: frozenset[str] | None) -> bytes:
        """Digest a module: a library by its name, the user's own by what is used of it."""
        library = _library(module.__name__)
        if library:
            self._libraries.add(library)
            return _hash("module", library.encode(), module.__name__.encode())
        if attributes is None:
            if getattr(module, "__spec__", None) is None:
                raise _Unestablished("is a module without a file")
            return self._imported(module.__name__)
        if id(module) in self._open:
            self._returns_to = min(self._returns_to, self._open[id(module)])
            return _hash("module", b"open")
        self._open[id(module)] = len(self._open)
        used = sorted(name for name in attributes if name in vars(module))
        parts = []
        for name in used:
            value = vars(module)[name]
            inner = self._module(value, attributes) if isinstance(value, types.ModuleType) else self.digest(value)
            parts.append(name.encode() + inner)
        del self._open[id(module)]
        return _hash("own module", *parts)

    def _imported(self, name: str) -> bytes:
        """Digest a module by its file, and by those that it imports: it may not be loaded yet."""
        library = _library(name)
        if library:
            self._libraries.add(library)
            return _hash("module", library.encode(), name.encode())
        spec = _spec(name)
        if spec is None or not spec.origin or not Path(spec.origin).is_file():
            return _hash("module", name.encode())
        if spec.origin in self._files:
            return _hash("file", str(self._files.index(spec.origin)).encode())
        self._files.append(spec.origin)
        content = Path(spec.origin).read_bytes()
        inner: set[str] = set()
        if spec.origin.endswith(".py"):
            inner = _modules_of(_names_in(compile(content, spec.origin, "exec"))[1], spec.parent or "")
        return _hash("file", content, *(each.encode() + self._imported(each) for each in sorted(inner)))

    def _builtin(self, thing: Any) -> bytes:
        owner = getattr(thing, "__self__", None)
        if owner is not None and not isinstance(owner, types.ModuleType | type):
            return _hash("bound", thing.__name__.encode(), self.digest(owner))
        home = getattr(thing, "__objclass__", None)
        if isinstance(owner, type) and not _library(owner.__module__):
            return _hash("bound", thing.__name__.encode(), self.digest(owner))
        return self._by_name(thing, getattr(home, "__module__", ""), getattr(thing, "__qualname__", thing.__name__))

    def _by_name(self, thing: Any, module: str, name: str) -> bytes:
        """Digest something that is only known by its name: of a library, or compiled."""
        module = _name_of(thing) or module or "builtins"
        library = _library(module)
        if library:
            self._libraries.add(library)
            return _hash("library", library.encode(), f"{module}.{name}".encode())
        file = getattr(sys.modules.get(module), "__file__", None)
        if file is None:
            raise _Unestablished("is compiled code without a file")
        return _hash("compiled", name.encode(), Path(file).read_bytes())


_CACHE = type(functools.lru_cache(int))


def _home(function: types.FunctionType) -> str:
    """Return the module whose code a function is; `__module__` may be that of a function it wraps."""
    return str(function.__globals__.get("__name__") or function.__module__ or "")


def _is_of_library(thing: Any) -> bool:
    """Return whether a function or class is what a library has under its name, and not a wrapper that took the name."""
    if isinstance(thing, types.FunctionType) and not _library(_home(thing)):
        return False
    found: Any = sys.modules.get(thing.__module__)
    for name in thing.__qualname__.split("."):
        found = inspect.getattr_static(found, name, None)
    if found is None:
        return "<" not in thing.__qualname__
    return thing in (found, getattr(found, "__func__", None))


def _hash(kind: str, *parts: bytes) -> bytes:
    state = hashlib.blake2b(kind.encode(), digest_size=16)
    for part in parts:
        state.update(struct.pack("<q", len(part)))
        state.update(part)
    return state.digest()


def _plain(thing: Any) -> bytes | None:
    """Digest a plain value; None for anything else. NumPy's float64, int64 and bool count like Python's."""
    if isinstance(thing, np.float64 | np.int64 | np.bool_):
        thing = thing.item()
    kind = type(thing)
    if thing is None or thing is Ellipsis or thing is NotImplemented or kind in (bool, int, str, complex, range, slice):
        return _hash(kind.__name__, repr(thing).encode("utf-8", "surrogatepass"))
    if kind is float:
        return _hash("float", b"nan" if thing != thing else struct.pack("<d", thing))
    return _hash("bytes", bytes(thing)) if kind in (bytes, bytearray) else None


def _label(key: Any) -> str:
    return repr(key) if isinstance(key, str | int) else type(key).__name__


def _cell(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _name_of(thing: Any) -> str:
    name = getattr(thing, "__module__", "")
    return name if isinstance(name, str) else ""


def _is_sparse(thing: Any) -> bool:
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(thing))


def _is_global_generator(thing: Any) -> bool:
    import random

    return thing is np.random.mtrand._rand or thing is getattr(random, "_inst", None)


def _is_cloned_by_parameters(thing: Any) -> bool:
    """Return whether `sklearn.base.clone` keeps nothing but the parameters."""
    own_clone = inspect.getattr_static(type(thing), "__sklearn_clone__", None)
    default = own_clone is None or getattr(own_clone, "__module__", "") == "sklearn.base"
    return default and callable(getattr(thing, "get_params", None))


_Import: TypeAlias = tuple[int, str, tuple[str, ...]]  # number of dots, module, names


def _modules_of(imports: set[_Import], package: str) -> set[str]:
    """Return the modules that some imports load, those among the imported names too."""
    found: set[str] = set()
    for dots, name, names in imports:
        parents = package.split(".")
        base = ".".join([*parents[: len(parents) - dots + 1], *([name] if name else [])]) if dots else name
        if not base or base.startswith("."):
            continue
        found.add(base)
        if not _library(base) and getattr(_spec(base), "submodule_search_locations", None) is not None:
            found |= {f"{base}.{each}" for each in names if _spec(f"{base}.{each}") is not None}
    return found


def _spec(module: str) -> Any:
    """Return where a module is found; None if nowhere."""
    try:
        return importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None


def _names_in(code: types.CodeType) -> tuple[set[str], set[_Import], frozenset[str]]:
    """Return the global names that code reads, the modules that it imports, and every name in it."""
    read: set[str] = set()
    imported: set[_Import] = set()
    every: set[str] = set(code.co_names)
    before: tuple[Any, Any] = (0, None)  # what was loaded last: for an import, the number of dots and the names
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"):
            read.add(str(step.argval))
        elif step.opname == "IMPORT_NAME":
            dots, names = before
            imported.add((dots if isinstance(dots, int) else 0, str(step.argval), tuple(names or ())))
        before = before[1], step.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner_read, inner_imported, inner_every = _names_in(constant)
            read |= inner_read
            imported |= inner_imported
            every |= inner_every
    return read, imported, frozenset(every)


def _library(module: str) -> str:
    """Return the distribution that a module belongs to, ``"python"`` for Python's own, empty for the user's code."""
    if module in ("__main__", "__mp_main__", ""):
        return ""
    if module == "podium" or module.startswith("podium."):
        return "podium"
    top = module.partition(".")[0]
    if top in sys.modules:
        file = getattr(sys.modules.get(module) or sys.modules[top], "__file__", None)
    else:  # not imported yet
        file = getattr(_spec(top), "origin", None)
    if top in sys.stdlib_module_names and (file is None or _is_standard(str(file))):
        return "python"
    if file is None:
        loaded = sys.modules.get(top)
        paths = list(getattr(loaded, "__path__", ()))  # a namespace package has folders and no file
        file = paths[0] if paths else None
    if file is None or not _is_installed(str(file)):
        return ""
    return _distribution(top)


@functools.cache
def _is_standard(file: str) -> bool:
    """Return whether a file is Python's own, and not a module of the user with the same name."""
    folders = {Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")}
    return not folders.isdisjoint(Path(file).resolve().parents)


@functools.cache
def _is_installed(file: str) -> bool:
    installed = (Path(sysconfig.get_path(name)) for name in ("purelib", "platlib"))
    parents = Path(file).parents
    return any(folder in parents for folder in installed) or any(
        folder.name in ("site-packages", "dist-packages") for folder in parents
    )


@functools.cache
def _distribution(top: str) -> str:
    guess = _DISTRIBUTIONS.get(top, top)
    if installed_version(guess):
        return guess
    return (importlib.metadata.packages_distributions().get(top) or [top])[0]


@functools.cache
def _requirements(distribution: str) -> frozenset[str]:
    """Return which of the core libraries a distribution requires, directly or through others.

    podium's measures and schemes follow definitions and have tests of their values, so its edition stands for them; its
    candidates name what they use.
    """
    if distribution == "podium":
        return frozenset()
    found, left = set(), [distribution]
    while left:
        name = left.pop()
        try:
            required = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for line in required:
            if "extra ==" in line:
                continue
            needed = _requirement_name(line)
            if needed in _CORE and needed not in found and installed_version(needed):
                found.add(needed)
                left.append(needed)
    return frozenset(found)


def _requirement_name(line: str) -> str:
    end = next((i for i, letter in enumerate(line) if not (letter.isalnum() or letter in "-_.")), len(line))
    return line[:end].lower().replace("_", "-").replace(".", "-")
