"""Checks of arguments that every stage shares, and the wording of their messages."""

from __future__ import annotations

import dataclasses
import difflib
import errno
import functools
import inspect
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral
from pathlib import Path
from typing import (
    Any,
    Literal,
    NoReturn,
    ParamSpec,
    TypeGuard,
    TypeVar,
    dataclass_transform,
    overload,
)

import numpy as np
import numpy.typing as npt

from podium.arrays import FloatArray
from podium.errors import EntryPath, InputError, LabelError, PodiumError, join_names

T = TypeVar("T")
# What other packages call an argument, and what it is called here.
_ELSEWHERE = {
    "confidence": ("alpha",),
    "correction": ("adjust",),
    "cv": ("resampling",),
    "digits": ("decimals",),
    "k": ("n_archetypes",),
    "level": ("alpha",),
    "metric": ("measure",),
    "missing": ("na_values",),
    "n_archetypes": ("k",),
    "n_clusters": ("n_archetypes", "k"),
    "n_components": ("n_archetypes", "k"),
    "restarts": ("n_init",),
    "n_jobs": ("workers",),
    "p_adjust": ("adjust",),
    "posthoc": ("method",),
    "random_state": ("seed",),
    "seed": ("random_state",),
    "rope": ("equivalence",),
    "scoring": ("measures",),
}
MAX_VALUE_CHARS = 60  # characters of a value that a message shows
MAX_TEST_TO_LEARN_RATIO = 1000  # beyond, any number of replications tells less than 1/1000 of one
MAX_PRIOR_STRENGTH = 10**6  # in blocks: more than any experiment has
MAX_DRAWS = 10**9  # the most random draws that finish in reasonable time
P = ParamSpec("P")
_SQLITE = b"SQLite format 3\0"  # how a database file begins
_PASSWORD_IN_URL = re.compile(r"(\w[\w+.-]*://[^\s:/?#@]*:)[^\s?#]*(?=@)")
_PASSWORD_OPTION = re.compile(r"(\b(?:ssl)?passw(?:or)?d\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&'\"]+)", re.IGNORECASE)


def expect(thing: object, kind: type[T], argument: str) -> T:
    """Return `thing` if it is of the expected kind; otherwise raise an error that says how to make one from it.

    The classes themselves know how. A class of podium says in ``_ways_out``, a mapping or a function that returns one,
    how its instances lead to an instance of a class that it can import. The expected class says in ``_made_from`` how
    it is made from an instance of a class that it can import, from a table, from a file name, and from anything else.

    >>> import podium
    >>> expect("scores.csv", podium.Results, "results")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `results` must be a Results; got 'scores.csv'. Use podium.read('scores.csv').
    """
    if isinstance(thing, kind):
        return thing
    message = (
        f"`{argument}` must be {with_article(kind.__name__)}; got {describe(thing)}. {conversion_hint(thing, kind)}"
    )
    raise InputError(message.rstrip(), path=(argument,))


def conversion_hint(thing: object, kind: type) -> str:
    """Say how to make an instance of `kind` from something; empty where no way is known."""
    known: Any = getattr(type(thing), "_ways_out", {})
    ways_out: Mapping[type, str] = known() if callable(known) else known
    if kind in ways_out:
        return ways_out[kind]
    made_from: tuple[tuple[Any, str], ...] = getattr(kind, "_made_from", ())
    plain = hide_password(str(thing)) if isinstance(thing, str | Path) else thing
    way = next((way for of, way in made_from if isinstance(thing, of)), "")
    return way.replace("{thing}", repr(plain)) if "{thing}" in way else way


def describe(thing: object) -> str:
    """Name what was given, in a message: its type, or the text itself.

    >>> describe(None), describe([0.1]), describe("iris")
    ('None', 'a list', "'iris'")
    """
    if thing is None:
        return "None"
    if isinstance(thing, str | Path):
        text = hide_password(str(thing))
        return repr(text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 1] + "…")
    return with_article(type(thing).__name__)


def shown(value: object) -> str:
    """Show a value in a message: as Python writes it if that is short, otherwise by its type.

    >>> shown("medain"), shown([0.1, 0.2]), shown(list(range(100)))
    ("'medain'", '[0.1, 0.2]', 'a list')
    """
    try:
        text = hide_password(repr(value.item() if isinstance(value, np.generic) else value))
    except Exception:  # a class with a faulty `__repr__`, or a number of many thousand digits
        return describe(value)
    return describe(value) if len(text) > MAX_VALUE_CHARS or "\n" in text or " at 0x" in text else text


def hide_password(text: str) -> str:
    """Return a text with the passwords of all addresses in it hidden.

    >>> hide_password("postgresql://me:secret@host/db?password=secret")
    'postgresql://me:***@host/db?password=***'
    """
    if "://" not in text and "passw" not in text.lower():
        return text
    return _PASSWORD_OPTION.sub(r"\g<1>***", _PASSWORD_IN_URL.sub(r"\g<1>***", text))


def with_article(noun: str) -> str:
    """Put the indefinite article before a name.

    >>> with_article("Experiment"), with_article("DataFrame"), with_article("ndarray")
    ('an Experiment', 'a DataFrame', 'an ndarray')
    """
    return f"a{'n' if noun[0] in 'AEIOaeio' or noun == 'ndarray' else ''} {noun}"


def did_you_mean(word: object, known: Iterable[object]) -> str:
    """Suggest the nearest known name, or those it begins, as the last sentence of a message; empty where none is near.

    >>> did_you_mean("Nemenji", ["wnmt", "nemenyi"]), did_you_mean("drop", ["drop-block", "drop-algorithm"])
    (" Did you mean 'nemenyi'?", " Did you mean 'drop-block' or 'drop-algorithm'?")
    >>> did_you_mean("bj", ["bh", "by", "li"])
    " Did you mean 'bh' or 'by'?"
    >>> did_you_mean("random_state", ["restarts", "seed"])
    " Did you mean 'seed'?"
    >>> did_you_mean(5, ["wnmt", "nemenyi"])
    ''
    """
    if not isinstance(word, str):
        return ""
    names = {str(name).lower().replace("_", "-"): name for name in known}
    plain = word.strip().lower().replace("_", "-")
    meant = (name.replace("_", "-") for name in _ELSEWHERE.get(word, ()))
    close = [name for name in meant if name in names][:1] or difflib.get_close_matches(plain, names, n=1)
    if not close and len(plain) > 2:
        close = [name for name in names if name.startswith(plain)][:3]
    if not close and len(plain) == 2:  # too short for a ratio of matching letters
        close = [name for name in names if len(name) == 2 and (name[0] == plain[0] or name[1] == plain[1])][:3]
    return f" Did you mean {' or '.join(repr(names[name]) for name in close)}?" if close else ""


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """Make the error for a name that a public module does not have.

    >>> unknown_name("podium.plot", "boxs", ["box", "strip"])
    AttributeError("podium.plot has no 'boxs'. Did you mean 'box'?")
    """
    near = "" if name.startswith("_") else did_you_mean(name, known)
    return AttributeError(f"{module} has no {name!r}.{near}", name=name)


def close_module(module: str, known: list[str]) -> tuple[Callable[[str], NoReturn], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a public module that has only the known names."""

    def suggest(name: str) -> NoReturn:
        raise unknown_name(module, name, known)

    return suggest, lambda: known


def value_error(
    argument: str,
    rule: str,
    value: object,
    hint: str = "",
    *,
    kind: type[InputError] = InputError,
    path: EntryPath = (),
) -> InputError:
    """Make the error for an argument whose value breaks a rule; its path is the argument, or the entry inside it.

    >>> value_error("units", "be text", 3)
    InputError('`units` must be text; got 3.')
    """
    return kind(f"`{argument}` must {rule}; got {shown(value)}.{hint}", path=path or (argument,))


def check_choice(value: object, known: Iterable[object], argument: str, *, path: EntryPath = ()) -> None:
    """Refuse a value that is not one of a few known ones; `path` is that of an entry inside the argument.

    >>> check_choice("medain", ["mean", "median"], "statistic")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `statistic` must be one of 'mean', 'median'; got 'medain'. Did you mean 'median'?
    """
    names = list(known)
    comparable = not isinstance(value, bool)  # True is not 1
    if not any(value is name or (comparable and isinstance(value, type(name)) and value == name) for name in names):
        raise value_error(
            argument, f"be one of {join_names(names, most=20)}", value, did_you_mean(value, names), path=path
        )


def position(known: Sequence[str], name: object, argument: str, rule: str = "be one of") -> int:
    """Return the position of a name among the known ones; an unknown name is refused.

    >>> position(["svm", "knn"], "smv", "control")
    Traceback (most recent call last):
    ...
    podium.errors.LabelError: `control` must be one of 'svm', 'knn'; got 'smv'. Did you mean 'svm'?
    """
    if not isinstance(name, str) or name not in known:
        raise value_error(
            argument, f"{rule} {join_names(known, most=12)}", name, did_you_mean(name, known), kind=LabelError
        )
    return known.index(name)


def check_keys(
    mapping: Mapping[str, object],
    known: Iterable[str],
    owner: str,
    noun: str = "parameter",
    others: Mapping[str, Iterable[str]] | None = None,
    also: Iterable[str] = (),
    holder: str = "",
) -> None:
    """Refuse a key that is not known; `owner` says in the message what has the known ones.

    `others` are other owners with their keys; the message names those that have the key. `also` are names that may have
    been meant. `holder` is the argument that takes additional ones as a mapping.

    >>> check_keys({"depht": 3}, ["depth"], "The candidate 'tree'")
    Traceback (most recent call last):
    ...
    podium.errors.LabelError: The candidate 'tree' has no parameter 'depht'. It has 'depth'. Did you mean 'depth'?
    """
    names = list(known)
    for key in mapping:
        if key not in names:
            has = f"It has {join_names(names, most=20)}." if names else f"It has no {noun}s."
            owners = [name for name, keys in (others or {}).items() if key in keys]
            of = f" {key!r} is {with_article(noun)} of {join_names(owners, most=6)}." if owners else ""
            hint = of or did_you_mean(key, [*names, *also])
            if holder and not hint:
                hint = f" Additional arguments go into `{holder}`: {holder}={{{key!r}: ...}}."
            raise LabelError(f"{owner} has no {noun} {key!r}. {has}{hint}", path=(key,))


def check_name(value: object, argument: str) -> str:
    """Return a name without surrounding blanks; refuse what is not text, or blank."""
    if not isinstance(value, str) or not value.strip() or not is_utf8(value):
        raise value_error(argument, "be non-empty text", value)
    return value.strip()


def check_text(value: object, argument: str) -> None:
    """Refuse what is not text; it may be empty."""
    if not isinstance(value, str):
        raise value_error(argument, "be text", value)


def check_stored_name(name: object, owner: str) -> None:
    r"""Refuse a name that is not text, is blank, or cannot be stored in a database.

    >>> check_stored_name("a\0b", "an algorithm")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `name` of an algorithm has characters that cannot be stored; got 'a\x00b'.
    """
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"`name` of {owner} must be non-empty text; got {shown(name)}.", path=("name",))
    if not is_storable(name):
        raise InputError(f"`name` of {owner} has characters that cannot be stored; got {shown(name)}.", path=("name",))


def is_collection(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether something holds several entries: not text, and not an array without dimensions."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) != 0


def check_mapping(value: object, owner: str) -> Mapping[str, object]:
    """Refuse what is not a mapping from names.

    >>> check_mapping([1], "`parameters`")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `parameters` must be a mapping from names to values; got [1].
    """
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InputError(f"{owner} must be a mapping from names to values; got {shown(value)}.")
    return value


def check_depth(value: object, owner: str, most: int = 50) -> None:
    """Refuse mappings and lists that are nested deeply, or that contain themselves.

    >>> inner = {}
    >>> inner["inner"] = inner
    >>> check_depth(inner, "A design")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: A design is nested more than 50 levels deep, or contains itself.
    """
    layer: list[object] = [value]
    for _ in range(most + 1):
        seen = {id(thing): thing for thing in layer}  # shared parts are visited once
        layer = []
        for thing in seen.values():
            if isinstance(thing, Mapping):
                layer += thing.values()
            elif isinstance(thing, list | tuple):
                layer += thing
        if not layer:
            return
    raise InputError(f"{owner} is nested more than {most} levels deep, or contains itself.")


def is_number(thing: object) -> bool:
    """Return whether something is a number of Python or numpy that fits into a float, not a bool.

    Fractions and numbers of extended precision do not count: formats and the functions of scipy do not accept them.
    """
    if isinstance(thing, int) and thing.bit_length() > 1023:
        return False
    return isinstance(thing, int | float | np.integer | np.floating) and not isinstance(thing, bool | np.longdouble)


def is_whole(thing: object) -> bool:
    """Return whether something is a whole number, not a bool."""
    return isinstance(thing, Integral) and not isinstance(thing, bool | np.bool_)


def check_alpha(alpha: Any) -> None:
    """Refuse an error level outside (0, 0.5]: a larger one is a confidence level.

    >>> check_alpha(5)
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `alpha` must lie between 0 and 0.5; got 5. 5% is 0.05.
    >>> check_alpha(0.95)
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `alpha` must lie between 0 and 0.5; got 0.95. Did you mean alpha=0.05?
    """
    if not is_number(alpha):
        raise value_error("alpha", "be a number between 0 and 0.5, such as 0.05", alpha)
    if not 0 < alpha <= 0.5:
        hint = f" {float(alpha):g}% is {float(alpha) / 100:g}." if 1 < alpha <= 20 else ""
        if 0.5 < alpha < 1:
            hint = f" Did you mean alpha={round(1 - float(alpha), 12)!r}?"
        raise value_error("alpha", "lie between 0 and 0.5", alpha, hint)


def check_probability(value: Any, argument: str) -> None:
    """Refuse a probability outside (0, 1).

    >>> check_probability(1.0, "threshold")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `threshold` must lie between 0 and 1; got 1.0.
    """
    if not is_number(value):
        raise value_error(argument, "be a number between 0 and 1", value)
    if not 0 < value < 1:
        raise value_error(argument, "lie between 0 and 1", value)


def check_ratio(ratio: Any) -> None:
    """Refuse what is not the size of a test sample divided by that of the learning sample.

    0 stands for learning samples that do not overlap: the limit of a small test sample, where nothing is corrected.

    >>> check_ratio(-1)
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `ratio` must be a number from 0 to 1000, the size of the test sample divided by that of \
the learning sample (0 if learning samples do not overlap); got -1.
    """
    if not is_number(ratio) or not 0 <= ratio <= MAX_TEST_TO_LEARN_RATIO:
        raise value_error(
            "ratio",
            f"be a number from 0 to {MAX_TEST_TO_LEARN_RATIO}, the size of the test sample divided by that of the "
            "learning sample (0 if learning samples do not overlap)",
            ratio,
        )


def check_strength(strength: Any, *, zero: bool = False) -> None:
    """Refuse what is not the weight of a prior; `zero` says whether there may be none.

    >>> check_strength(0)
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `strength` must be a number above 0 and at most 1,000,000; got 0.
    """
    if not is_number(strength) or not 0 <= strength <= MAX_PRIOR_STRENGTH or not (strength or zero):
        least = "of at least 0" if zero else "above 0"
        raise value_error("strength", f"be a number {least} and at most {MAX_PRIOR_STRENGTH:,}", strength)


def check_epsilon(epsilon: Any) -> float:
    """Return the largest difference that does not matter; refuse what is negative or not finite.

    >>> check_epsilon(-1)
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `epsilon` must be a finite number of at least 0; got -1.
    """
    if not is_number(epsilon) or not 0 <= epsilon < np.inf:
        raise value_error("epsilon", "be a finite number of at least 0", epsilon)
    return float(epsilon)


def check_count(value: Any, argument: str, *, least: int = 1, most: int = sys.maxsize, path: EntryPath = ()) -> None:
    """Refuse what is not a whole number from `least` to `most`; `path` is that of an entry inside the argument.

    >>> check_count(0.5, "resamples")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `resamples` must be a whole number of at least 1; got 0.5.
    >>> check_count(400, "digits", most=17)
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `digits` must be a whole number of at most 17; got 400.
    """
    if not is_whole(value) or not least <= value <= most:
        bound = f"most {most}" if is_whole(value) and value > most else f"least {least}"
        raise value_error(argument, f"be a whole number of at {bound}", value, path=path)


def check_seed(seed: Any) -> None:
    """Refuse what is not a whole number from 0 to 2**128 - 1, the seeds that numpy recommends."""
    check_count(seed, "seed", least=0, most=2**128 - 1)


def check_draws(given: Any, argument: str, usual: int, *, drawn: bool = True, needs: str = "") -> int:
    """Return how many random draws to make, by default `usual`; refuse a number where nothing is drawn.

    >>> check_draws(500, "permutations", 10_000, drawn=False, needs="distribution='permutation'")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `permutations=500` needs distribution='permutation'; otherwise leave it out.
    """
    if given is None:
        return usual
    check_count(given, argument, most=MAX_DRAWS)
    if not drawn:
        raise InputError(f"`{argument}={given}` needs {needs}; otherwise leave it out.", path=(argument,))
    return int(given)


def check_flag(value: object, argument: str) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool | np.bool_):
        raise value_error(argument, "be True or False", value)


def check_path(path: Any, argument: str = "path") -> Path:
    r"""Return a path, with ``~`` expanded; refuse what cannot be one.

    >>> check_path("scores\0.csv")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `path` must be a path; got 'scores\x00.csv'.
    """
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str) or not text or "\0" in text or not _is_encodable(text):
        raise value_error(argument, "be a path", path)
    return Path(os.path.expanduser(text))  # unlike `Path.expanduser`, leaves the name of an unknown user as it is


def is_database(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is that of a file that begins as an SQLite database does."""
    try:
        if not os.path.isfile(path):  # a pipe would lose what is read from it
            return False
        with open(path, "rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except (OSError, ValueError):  # cannot be read, or is not the name of a file
        return False


def _is_encodable(text: str) -> bool:
    """Return whether a text can be the name of a file; a lone surrogate cannot."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def is_utf8(text: str) -> bool:
    """Return whether a text can be written to a file; a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_storable(name: str) -> bool:
    """Return whether every database can store a name: it has no NUL and no lone surrogate."""
    return "\0" not in name and is_utf8(name)


@contextmanager
def file_access(path: object, purpose: Literal["read", "write"], argument: str = "path") -> Iterator[None]:
    """Turn an operating system error about a file or folder into one that names the path.

    >>> with file_access("nowhere.csv", "read", "source"):
    ...     open("nowhere.csv")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: 'nowhere.csv' cannot be read: there is no such file.
    """
    try:
        yield
    except PodiumError:  # some are OSErrors
        raise
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            reason = "there is no such file" if purpose == "read" else "its folder does not exist; create it first"
        elif isinstance(error, IsADirectoryError):
            reason = "it is a folder; name a file"
        else:
            of_system = error.strerror
            reason = f"{of_system[:1].lower()}{of_system[1:]}" if of_system else " ".join(str(error).split())
            reason = reason.rstrip(".")
        done = "read" if purpose == "read" else "written"
        raise InputError(f"{str(path)!r} cannot be {done}: {reason}.", path=(argument,)) from error


@contextmanager
def new_file(path: str | os.PathLike[str], argument: str = "path") -> Iterator[Path]:
    """Yield where to write a file: beside its place, which it takes when the block ends without an error.

    So a full disk leaves what was there before, and no part of a file. Errors are those of `file_access`.
    """
    with file_access(path, "write", argument):
        place = Path(os.path.realpath(path))
        if place.exists() and not place.is_file():  # a device, or a pipe
            yield place
            return
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with tempfile.TemporaryDirectory(prefix=".podium-", dir=place.parent) as beside:
            part = Path(beside) / place.name
            yield part
            if place.exists():
                shutil.copymode(place, part)
            os.replace(part, place)


def write_text(path: str | os.PathLike[str], text: str, argument: str = "path") -> None:
    """Write a text file, whole or not at all."""
    with new_file(path, argument) as part:
        part.write_text(text, encoding="utf-8")


def function_name(function: Callable[..., Any]) -> str:
    """Return the name of a function, or of the class of an object that can be called."""
    return str(getattr(function, "__name__", type(function).__name__))


def call_function(function: Callable[..., T], argument: str, *values: Any) -> T:
    """Call a function given by the user; an error it raises becomes one that names the argument.

    >>> call_function(lambda values: 1 / 0, "statistic", [])
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `statistic`: <lambda> raised ZeroDivisionError: division by zero
    """
    try:
        return function(*values)
    except PodiumError:
        raise
    except Exception as error:
        raised = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise InputError(f"`{argument}`: {function_name(function)} raised {raised}", path=(argument,)) from error


def call_statistic(function: Callable[..., Any], argument: str, values: FloatArray) -> float:
    """Call a function given by the user on the values of one algorithm; it must return one number."""
    found: Any = call_function(function, argument, values)
    found = found.item() if isinstance(found, np.ndarray) and found.shape == () else found
    if not is_number(found):
        raise InputError(
            f"`{argument}` must return one number for the values of an algorithm; {function_name(function)} returned "
            f"{shown(found)}.",
            path=(argument,),
        )
    return float(found)


def as_list(values: Any, argument: str, expected: str = "a list", *, keys: bool = True) -> list[Any]:
    """Return several values, or the keys of a mapping if `keys` allows it, as a list; refuse a single value.

    >>> as_list("svm", "algorithms", "several names, such as ['svm', 'knn']")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `algorithms` must be several names, such as ['svm', 'knn']; got 'svm'.
    """
    if not is_collection(values) or (isinstance(values, Mapping) and not keys):
        raise value_error(argument, f"be {expected}", values)
    return list(values)


def as_numbers(values: npt.ArrayLike, argument: str) -> FloatArray:
    """Return numbers as an array; refuse what is not numeric."""
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise value_error(argument, "be numbers", values) from None


def random_generator(seed: Any) -> np.random.Generator:
    """Make a generator of random numbers; refuse what is not a seed."""
    check_seed(seed)
    return np.random.default_rng(int(seed))


def bind_arguments(
    owner: str,
    signature: inspect.Signature,
    arguments: Sequence[object],
    options: Mapping[str, object],
    others: Mapping[str, Iterable[str]] | None = None,
) -> inspect.BoundArguments:
    """Match the arguments of a call with a signature; refuse unknown options and list the known ones.

    `others` are functions of the same kind with their options, see `check_keys`.
    """
    taken = {name: p.kind for name, p in signature.parameters.items() if name not in ("self", "cls")}
    if inspect.Parameter.VAR_KEYWORD not in taken.values():
        holder = "options" if "options" in taken else ""
        check_keys(options, taken, f"{owner}()", "option", others, holder=holder)
    try:
        return signature.bind(*arguments, **options)
    except TypeError as error:
        by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
        placed = [name for name, kind in taken.items() if kind not in by_name]
        named = [name if taken[name] is by_name[0] else f"**{name}" for name in taken if name not in placed]
        takes = f" {join_names(placed, most=20)}" if placed else "" if named else " no arguments"
        takes += f"{' and' if placed else ''}, by name, {join_names(named, most=20)}" if named else ""
        raise InputError(f"{owner}(): {error}. It takes{takes}.") from None


def plain_types(kind: type[T]) -> type[T]:
    """Decorate a named tuple: `help` shows the types of its fields as written, not as ``ForwardRef('str')``."""
    hints = kind.__new__.__annotations__
    hints.update({name: getattr(hint, "__forward_arg__", hint) for name, hint in hints.items()})
    return kind


@overload
def check_call(thing: type[T]) -> type[T]: ...
@overload
def check_call(thing: Callable[P, T]) -> Callable[P, T]: ...
def check_call(thing: Any) -> Any:
    """Decorate a public function or class: a call that does not fit its signature raises an error with the options.

    A class stays the same class; its constructor and its own public methods are checked. Its class method
    ``_other_options``, if it has one, returns related classes by name with their options, one of which may have been
    meant. A call that fits costs next to nothing: the signature is inspected only after Python has refused the call.

    >>> @check_call
    ... def box(results, *, reach=1.5): ...
    >>> box("iris", raech=2)
    Traceback (most recent call last):
    ...
    podium.errors.LabelError: box() has no option 'raech'. It has 'results', 'reach'. Did you mean 'reach'?
    """
    if not inspect.isclass(thing):
        return _checked(thing, lambda arguments: thing.__name__)
    for name, member in list(vars(thing).items()):
        if name != "__init__" and name.startswith("_"):
            continue
        if isinstance(member, classmethod | staticmethod):
            setattr(thing, name, type(member)(_checked(member.__func__, _owner(thing, name))))
        elif inspect.isfunction(member):
            others = getattr(thing, "_other_options", dict) if name == "__init__" else dict
            setattr(thing, name, _checked(member, _owner(thing, name), others))
    return thing


def _owner(kind: type, name: str) -> Callable[[Sequence[object]], str]:
    """Name a method as its user sees it: by the class of the object, which may inherit the method."""

    def owner(arguments: Sequence[object]) -> str:
        first = arguments[0] if arguments else kind
        found = first if isinstance(first, type) else type(first)
        seen = found.__name__ if issubclass(found, kind) else kind.__name__
        return seen if name == "__init__" else f"{seen}.{name}"

    return owner


def _checked(
    function: Callable[P, T],
    owner: Callable[[Sequence[object]], str],
    others: Callable[[], Mapping[str, Iterable[str]]] = dict,
) -> Callable[P, T]:
    @functools.wraps(function)
    def checked(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            return function(*arguments, **options)
        except TypeError:
            bind_arguments(owner(arguments), inspect.signature(function), arguments, options, others())
            raise

    return checked


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def record(**options: bool) -> Callable[[type[T]], type[T]]:
    """Decorate a class of outcomes: a frozen dataclass with these options, whose calls are checked by `check_call`."""

    def decorate(kind: type[T]) -> type[T]:
        return check_call(dataclasses.dataclass(frozen=True, **options)(kind))

    return decorate
