"""Data sets written down: what stands in a file for a data set or a generator, and back.

A data set is a text or a mapping:

==================================================  ===================================================================
``sonar``                                           a name of the catalogue; a generator's name is the generator
``data/mine.csv``                                   a file, relative to the folder of the design
``openml:61``                                       a data set of OpenML
``{dataset: sonar, name: echoes}``                  the same with options
``{file: mine.csv, target: y, drop: [id]}``         options: target, task, nominal, drop, groups, missing, name
``{openml: 61, target: class}``                     options: target, task, nominal, drop, groups, name
``{generator: twonorm, n: 300, d: 20}``             a data generating process with its parameters
``{generator: twonorm, n: 300, seed: 1}``           the data set that this process draws with this seed
==================================================  ===================================================================

Every mapping may have a ``name`` and ``factors``, the levels of the factors it stands for. `Dataset.spec` and
`Generator.spec` are such mappings; `dataset_from_spec` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from podium.errors import AmbiguousInputError, InputError, listing
from podium.setup.catalogue import entry_for
from podium.setup.dataset import TASKS, Dataset, Generator
from podium.setup.generators import generator
from podium.setup.sources.frame import Roles
from podium.setup.sources.named import from_entry
from podium.setup.sources.openml import from_openml
from podium.setup.sources.resolve import OPENML, file_kind, from_file, openml_number

COLUMN_KEYS = ("target", "task", "nominal", "drop", "groups")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "dataset": (*COLUMN_KEYS, "name", "factors"),
    "file": (*COLUMN_KEYS, "missing", "name", "factors"),
    "openml": (*COLUMN_KEYS, "name", "factors"),
}
KEYS = (*OPTIONS, "generator")


def dataset_from_spec(spec: str | Mapping[str, Any], folder: Path | None = None) -> Dataset | Generator:
    """Make the data set or generator that a file describes.

    Parameters
    ----------
    spec : str or mapping
        See the table above.
    folder : Path, optional
        Where relative paths start; default: the working directory.

    Examples
    --------
    >>> from podium.setup.sources.spec import dataset_from_spec
    >>> dataset_from_spec({"generator": "circle", "n": 300, "d": 3, "name": "ball"})
    Generator 'ball': classification, n=300, d=3
    >>> dataset_from_spec("wisconsin").spec
    {'dataset': 'wisconsin'}
    """
    if isinstance(spec, str):
        return _from_text(spec, folder)
    if not isinstance(spec, Mapping):
        raise InputError(f"A data set is written as a text or a mapping; got {type(spec).__name__}: {spec!r}.")
    keys = [key for key in KEYS if key in spec]
    if len(keys) != 1:
        raise InputError(f"A data set has one of the keys {listing(KEYS)}; got {listing(spec) or 'none'}.")
    made = _from_generator(spec) if keys[0] == "generator" else _from_options(keys[0], spec, folder)
    factors = _factors(spec)
    return made.renamed(made.name, **factors) if factors and isinstance(made, Dataset) else made


def _from_text(text: str, folder: Path | None) -> Dataset | Generator:
    if file_kind(Path(text)) is not None:
        try:
            return from_file(Path(text), Roles(), folder=folder)
        except AmbiguousInputError as error:
            beside = f"Options of a file stand beside its name: {{file: {text}, target: ...}}."
            raise AmbiguousInputError(f"{error} {beside}") from error
    if text.lower().startswith(OPENML):
        return from_openml(openml_number(text), Roles())
    entry = entry_for(text)
    return generator(entry.name) if entry.origin == "generator" else from_entry(entry, Roles())


def _from_options(key: str, spec: Mapping[str, Any], folder: Path | None) -> Dataset:
    _refuse_unknown(key, spec)
    roles = _roles(spec)
    name = _text(spec, "name")
    if key == "file":
        missing = _texts(spec, "missing") if "missing" in spec else None
        return from_file(Path(str(spec["file"])), roles, name=name, missing=missing, folder=folder)
    if key == "openml":
        return from_openml(openml_number(f"{OPENML}{spec['openml']}"), roles, name=name)
    entry = entry_for(str(spec["dataset"]))
    if entry.origin == "generator":
        raise InputError(f"{entry.name!r} is a generator: write {{generator: {entry.name}}}.")
    return from_entry(entry, roles, name=name)


def _from_generator(spec: Mapping[str, Any]) -> Dataset | Generator:
    own = ("generator", "n", "name", "seed", "factors")
    parameters = {str(key): value for key, value in spec.items() if key not in own}
    process = generator(str(spec["generator"]), n=spec.get("n"), name=_text(spec, "name"), **parameters)
    process = replace(process, factors=_factors(spec))
    if "seed" not in spec:
        return process
    seed = spec["seed"]
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(f"`seed` of a data set must be a whole number; got {seed!r}.")
    return process.fixed(seed)


def _roles(spec: Mapping[str, Any]) -> Roles:
    task = spec.get("task")
    if task is not None and task not in TASKS:
        raise InputError(f"`task` must be one of {listing(TASKS)}; got {task!r}.")
    return Roles(
        target=_text(spec, "target"),
        task=task,
        nominal=_texts(spec, "nominal"),
        drop=_texts(spec, "drop"),
        groups=_text(spec, "groups"),
    )


def _refuse_unknown(key: str, spec: Mapping[str, Any]) -> None:
    allowed = OPTIONS[key]
    unknown = [option for option in spec if option not in (key, *allowed)]
    if unknown:
        close = get_close_matches(str(unknown[0]), allowed, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"It has {listing(allowed, most=9)}."
        raise InputError(f"A data set with the key {key!r} has no option {listing(unknown)}. {hint}")


def _text(spec: Mapping[str, Any], key: str) -> str | None:
    value = spec.get(key)
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"`{key}` of a data set must be a text; got {value!r}.")


def _texts(spec: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = spec.get(key, ())
    if isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value):
        return tuple(value)
    raise InputError(f"`{key}` of a data set must be a list of texts; got {value!r}.")


def _factors(spec: Mapping[str, Any]) -> dict[str, Any]:
    factors = spec.get("factors") or {}
    if not isinstance(factors, Mapping):
        raise InputError(f"`factors` of a data set must be a mapping from factor to level; got {factors!r}.")
    return {str(key): value for key, value in factors.items()}
