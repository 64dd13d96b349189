"""The file form of data sets and generators: text or a mapping.

==================================================  ===================================================================
``sonar``                                           a name from the catalogue; the name of a generator is the generator
``data/mine.csv``                                   a file, relative to the folder of the design
``openml:61``                                       a data set of OpenML
``{dataset: sonar, name: echoes}``                  the same with options, see `NamedDatasetEntry`
``{file: mine.csv, target: y, drop: [id]}``         see `FileEntry`
``{openml: 61, target: class}``                     see `OpenMLEntry`
``{generator: twonorm, n: 300, d: 20}``             a data generating process with its parameters
``{generator: twonorm, n: 300, seed: 1}``           the data set that this process draws with this seed
==================================================  ===================================================================

`Dataset.spec` and `Generator.spec` are such mappings; `dataset_from_spec` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

from podium.checks import describe
from podium.design.catalogue import entry_for
from podium.design.dataset import Dataset, Generator
from podium.design.generators import named_generator
from podium.design.sample import Task
from podium.design.sources.files import file_kind, from_file
from podium.design.sources.frame import Roles
from podium.design.sources.openml import OPENML, from_openml
from podium.design.spec.entry import AtLeast, Count, Entry, FactorLevels, GridLevels, Name, read_entry
from podium.errors import AmbiguousInputError, InputError, at_path


@dataclass(frozen=True, kw_only=True)
class _TableEntry(Entry):
    """A table of observations.

    Attributes
    ----------
    target : str
        Column with the response.
    task : str
        What is to be learned; default: recognised from the response.
    nominal : list of str
        Attributes that are nominal although they hold numbers.
    drop : list of str
        Columns to be left out.
    groups : str
        Column that says which observations belong together.
    """

    noun: ClassVar[str] = "data set"

    target: str | None = None
    task: Task | None = None
    nominal: Sequence[str] = ()
    drop: Sequence[str] = ()
    groups: str | None = None
    name: Name | None = None
    factors: FactorLevels = field(default_factory=dict)

    @property
    def roles(self) -> Roles:
        """What the columns are."""
        return Roles(
            target=self.target,
            task=self.task,
            nominal=tuple(self.nominal),
            drop=tuple(self.drop),
            groups=self.groups,
        )


@dataclass(frozen=True, kw_only=True)
class NamedDatasetEntry(_TableEntry):
    """A data set of the catalogue.

    Attributes
    ----------
    dataset : str
        Its name.
    """

    dataset: str

    def make(self, folder: Path | None) -> Dataset:
        """Load the data set."""
        with at_path("dataset"):
            entry = entry_for(self.dataset)
            if entry.origin == "generator":
                raise InputError(f"{entry.name!r} is a generator: write {{generator: {entry.name}}}.")
        made = Dataset.named(entry.name, **vars(self.roles))
        return made if self.name is None else made.renamed(self.name)


@dataclass(frozen=True, kw_only=True)
class FileEntry(_TableEntry):
    """A file: CSV, Parquet or ARFF.

    Attributes
    ----------
    file : str
        Its path, relative to the folder of the design.
    na_values : list of str
        What means missing in a CSV file.
    """

    file: str
    na_values: Sequence[str] | None = None

    def make(self, folder: Path | None) -> Dataset:
        """Read the file."""
        read = from_file(Path(self.file), self.roles, name=self.name, na_values=self.na_values, folder=folder)
        return Dataset(**read)


@dataclass(frozen=True, kw_only=True)
class OpenMLEntry(_TableEntry):
    """A data set of OpenML.

    Attributes
    ----------
    openml : int
        Its number.
    """

    openml: Count

    def make(self, folder: Path | None) -> Dataset:
        """Fetch the data set, or take it from the cache."""
        return Dataset(**from_openml(int(self.openml), self.roles, name=self.name))


@dataclass(frozen=True, kw_only=True)
class GeneratorEntry(Entry):
    """A data generating process; its parameters are additional keys.

    Attributes
    ----------
    generator : str
        Its name.
    n : int
        Size of a sample; each process has its own default.
    seed : int
        Draw one fixed data set with this seed.
    """

    noun: ClassVar[str] = "data set"

    generator: str
    n: Count | None = None
    seed: Annotated[int, AtLeast(0)] | None = None
    name: Name | None = None
    factors: FactorLevels = field(default_factory=dict)
    grid: GridLevels = None

    def make(self, parameters: Mapping[str, Any]) -> Dataset | Generator:
        """Make the process with these parameters, or the data set that belongs to the seed."""
        with at_path("generator"):
            named_generator(self.generator)
        process = Dataset.generated(self.generator, n=self.n, name=self.name, **parameters)
        process = replace(process, factors=dict(self.factors))
        return process if self.seed is None else process.fixed(self.seed)


ENTRIES: tuple[type[NamedDatasetEntry | FileEntry | OpenMLEntry], ...] = (NamedDatasetEntry, FileEntry, OpenMLEntry)
KEYS = tuple(dict.fromkeys(key for kind in (*ENTRIES, GeneratorEntry) for key in kind.known_keys()))


def dataset_from_spec(spec: str | Mapping[str, Any], folder: Path | None = None) -> Dataset | Generator:
    """Make the data set or generator that a design file describes.

    Parameters
    ----------
    spec : str or mapping
        See the table above.
    folder : Path, optional
        Where relative paths start; default: the working directory.

    Examples
    --------
    >>> dataset_from_spec({"generator": "circle", "n": 300, "d": 3, "name": "ball"})
    Generator 'ball': classification, n=300, d=3
    >>> dataset_from_spec("wisconsin").spec
    {'dataset': 'wisconsin'}
    """
    if isinstance(spec, str):
        return _from_text(spec, folder)
    if not isinstance(spec, Mapping):
        raise InputError(f"A data set must be text or a mapping; got {describe(spec)}.")
    if "grid" in spec:
        raise InputError("`grid` makes several data sets; use it in an experiment.", path=("grid",))
    if "generator" in spec and not any(kind.known_keys()[0] in spec for kind in ENTRIES):
        own = GeneratorEntry.known_keys()
        entry = GeneratorEntry.read({key: value for key, value in spec.items() if key in own})
        return entry.make({str(key): value for key, value in spec.items() if key not in own})
    read: Any = read_entry(spec, (*ENTRIES, GeneratorEntry))
    made: Dataset = read.make(folder)
    return made.renamed(made.name, **read.factors) if read.factors else made


def _from_text(text: str, folder: Path | None) -> Dataset | Generator:
    if file_kind(Path(text)) is not None:
        try:
            return Dataset(**from_file(Path(text), Roles(), folder=folder))
        except AmbiguousInputError as error:
            beside = f"Options of a file are written beside its name: {{file: {text}, target: ...}}."
            raise AmbiguousInputError(f"{error} {beside}") from error
    entry = None if text.lower().startswith(OPENML) else entry_for(text)
    drawn = entry is not None and entry.origin == "generator"
    return Dataset.generated(entry.name) if entry and drawn else Dataset.named(text)
