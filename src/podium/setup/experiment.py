"""`Experiment`: the whole design of a benchmark experiment."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from podium.errors import DesignError, InputError, LabelError, listing
from podium.setup.algorithm import Algorithm
from podium.setup.checking import check_design
from podium.setup.dataset import Dataset, Generator, Indices, Sample
from podium.setup.difference import Difference, differences
from podium.setup.factors import Factors, factor_frame
from podium.setup.measure import Measure
from podium.setup.resampling import FreshDraws, Resampling, Reserve, Split, resampling
from podium.setup.seeds import rng_for, seed_for
from podium.setup.spec.design import build_arguments, design_of, identity_of, record_of
from podium.setup.spec.document import Document, read_document
from podium.setup.spec.writing import to_yaml
from podium.setup.suggesting import nearest
from podium.setup.terms import Part, Term, algorithm_terms, dataset_terms, measure_terms, members, placed, refuse_object

if TYPE_CHECKING:
    from podium.setup.advice import Advice
    from podium.setup.describe import Description


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Experiment:
    """The whole design of a benchmark experiment: M data sets × B replications × K algorithms × J measures.

    It is complete: with the same version of the libraries, the design and its seed determine every learning sample,
    every test sample and every seed handed to an algorithm. Nothing in it can be changed.

    Parameters
    ----------
    datasets : name, Dataset, Generator, mapping, `podium.grid`, or a list of these
        What is learned from: a name (``"monks3"``), a file, a `Dataset`, a `Generator`, or the mapping that stands for
        one in a design file.
    algorithms : name, estimator, Algorithm, mapping, `podium.grid`, or a list of these
        The candidates: a name (``"lda"``), any object with ``fit``, an `Algorithm`, or the mapping that stands for one
        in a design file.
    resampling : name, Resampling, mapping or splitter
        How learning and test samples are drawn; see `podium.resampling`.
    measures : name, function, Measure, mapping, or a list of these
        What is measured.
    seed : int, default 1
        All randomness derives from it.
    name : str, optional

    Attributes
    ----------
    datasets : tuple of Dataset and Generator
    algorithms : tuple of Algorithm
    resampling : Resampling
    measures : tuple of Measure
    seed : int
    name : str

    Examples
    --------
    >>> import podium
    >>> experiment = podium.Experiment(
    ...     datasets=["monks3", "sonar"],
    ...     algorithms=["lda", "rpart", "constant"],
    ...     resampling=podium.Bootstrap(replications=100),
    ...     measures=["misclassification", "fit time"],
    ... )
    >>> experiment.shape
    (2, 100, 3, 2)
    >>> split = experiment.sample("monks3", 7)
    >>> len(split.learn)
    554
    """

    _ways_out: ClassVar = {"Results": "Use podium.run(experiment)."}

    name: str
    seed: int
    datasets: tuple[Dataset | Generator, ...]
    algorithms: tuple[Algorithm, ...]
    resampling: Resampling
    measures: tuple[Measure, ...]
    _dataset_terms: tuple[Term[Any], ...]
    _algorithm_terms: tuple[Term[Any], ...]
    _drawn: dict[str, Dataset]
    _folder: Path

    def __init__(
        self,
        datasets: Any,
        algorithms: Any,
        resampling: Any,
        measures: Any,
        *,
        seed: int = 1,
        name: str = "",
        folder: str | Path | None = None,
    ) -> None:
        where = Path.cwd() if folder is None else Path(folder).resolve()
        problems = dataset_terms(datasets, where)
        candidates = algorithm_terms(algorithms)
        measured = measure_terms(measures)
        with placed("resampling"):
            scheme = _resampling(resampling)
        fields = {
            "name": _text(name),
            "seed": _whole(seed),
            "datasets": members(problems, "datasets"),
            "algorithms": members(candidates, "algorithms"),
            "resampling": scheme,
            "measures": members(measured, "measures"),
            "_dataset_terms": problems,
            "_algorithm_terms": candidates,
            "_folder": where,
            "_drawn": {},
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        check_design(self)

    # ---- the file form ----------------------------------------------------------------------------------------------

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a design file (YAML, or JSON); what is wrong with it is an error that names file and line.

        No code is run but the import of classes that the file names. Paths in the file start at its folder.
        """
        document = read_document(path)
        return cls._from_document(document, Path(path).resolve().parent)

    @classmethod
    def from_dict(cls, design: Mapping[str, Any], folder: str | Path | None = None) -> Self:
        """Make an experiment from the mapping that stands for it in a design file."""
        return cls(**build_arguments(design), folder=folder)

    @classmethod
    def _from_document(cls, document: Document, folder: Path) -> Self:
        try:
            arguments = build_arguments(document.data)
            arguments.setdefault("name", Path(document.file).stem)
            return cls(**arguments, folder=folder)
        except DesignError as error:
            raise document.placed(error) from error

    def to_dict(self) -> dict[str, Any]:
        """Return the mapping that stands for the experiment in a design file.

        What was made from an object without a file form is written as its name and its kind, and cannot be read again.
        """
        return design_of(self, self._dataset_terms, self._algorithm_terms)

    def to_yaml(self) -> str:
        """Return the text of the design file; what has no file form is an error."""
        return to_yaml(design_of(self, self._dataset_terms, self._algorithm_terms, strict=True))

    def to_file(self, path: str | Path) -> Path:
        """Write the design file, with paths to data as seen from its folder; return the path."""
        target = Path(path)
        design = design_of(self, self._dataset_terms, self._algorithm_terms, strict=True)
        for entry in design["datasets"]:
            if isinstance(entry, dict) and "file" in entry and not Path(entry["file"]).is_absolute():
                here = os.path.relpath(self._folder / entry["file"], target.resolve().parent)
                entry["file"] = Path(here).as_posix()
        target.write_text(to_yaml(design), encoding="utf-8")
        return target

    def record(self) -> dict[str, Any]:
        """Return what identifies the design, as plain values for a warehouse: grids expanded, data by fingerprint."""
        return record_of(self)

    def fingerprint(self) -> str:
        """Return a short text that changes when the design does; its name does not count.

        An algorithm or measure made from an object without a file form counts by name and class only.
        """
        return hashlib.blake2b(identity_of(self.record()).encode("ascii"), digest_size=8).hexdigest()

    def difference(self, earlier: Experiment | Mapping[str, Any]) -> list[Difference]:
        """Say what differs from an earlier design: each difference extends, reduces or changes it.

        Parameters
        ----------
        earlier : Experiment or mapping
            The earlier design, its `record`, or the mapping of its design file.
        """
        if not isinstance(earlier, Experiment | Mapping):
            raise InputError(f"`earlier` must be an Experiment or the mapping of a design; got {earlier!r}.")
        if not isinstance(earlier, Experiment) and "format" not in earlier:
            earlier = type(self).from_dict(earlier, self._folder)
        return differences(earlier.record() if isinstance(earlier, Experiment) else earlier, self.record())

    def changes(self, earlier: Experiment | Mapping[str, Any]) -> list[str]:
        """Say what contradicts an earlier design; more or fewer replications, algorithms and data sets do not."""
        return [difference.text for difference in self.difference(earlier) if difference.kind == "changes"]

    def replace(self, **arguments: Any) -> Self:
        """Return the same design with some arguments replaced.

        Examples
        --------
        >>> import podium
        >>> experiment = podium.Experiment("monks3", ["lda", "constant"], "bootstrap", "misclassification")
        >>> experiment.replace(seed=2).seed
        2
        """
        known = ("datasets", "algorithms", "resampling", "measures", "seed", "name", "folder")
        for argument in arguments:
            if argument not in known:
                raise LabelError(f"An experiment has no `{argument}`{nearest(argument, known)}")
        same = {
            "datasets": self._dataset_terms,
            "algorithms": self._algorithm_terms,
            "resampling": self.resampling,
            "measures": self.measures,
            "seed": self.seed,
            "name": self.name,
            "folder": self._folder,
        }
        return type(self)(**{**same, **arguments})

    # ---- what it consists of ----------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Numbers of data sets, replications, algorithms and measures: (M, B, K, J)."""
        return len(self.datasets), self.resampling.replications, len(self.algorithms), len(self.measures)

    @property
    def factors(self) -> Factors:
        """The factor levels of algorithms and of data sets; ``factors.join(frame)`` adds them to a long table."""
        return Factors(
            algorithms=factor_frame(
                {a.name: (term.family, a.factors) for term in self._algorithm_terms for a in term.members}, "algorithm"
            ),
            datasets=factor_frame(
                {d.name: (term.family, d.factors) for term in self._dataset_terms for d in term.members}, "dataset"
            ),
        )

    def trials(self) -> Iterator[tuple[str, int, str]]:
        """Yield every trial as (data set, replication, algorithm), all algorithms of a replication together."""
        for problem in self.datasets:
            for replication in range(1, self.resampling.replications + 1):
                for candidate in self.algorithms:
                    yield problem.name, replication, candidate.name

    # ---- data and samples, again at any time --------------------------------------------------------------------

    def dataset(self, name: str) -> Dataset:
        """Return a data set; one that is resampled from a generator is drawn once, by the seed and its name."""
        problem = self._problem(name)
        if isinstance(problem, Dataset):
            return problem
        if isinstance(self.resampling, FreshDraws):
            raise InputError(
                f"{name!r} is drawn afresh in each replication and has no fixed data; use experiment.samples(...)."
            )
        if name not in self._drawn:
            self._drawn[name] = problem.dataset(rng_for(self.seed, "data set", name))
        return self._drawn[name]

    def sample(self, dataset: str, replication: int) -> Split:
        """Return the positions of a learning and a test sample: the same ones at any time.

        Parameters
        ----------
        dataset : str
            Name of a data set.
        replication : int
            From 1 to B.
        """
        if isinstance(self.resampling, FreshDraws):
            raise InputError("Fresh draws have no positions in a data set; use experiment.samples(...).")
        return self.resampling.split(self.dataset(dataset), replication, self.seed)

    def samples(self, dataset: str, replication: int) -> tuple[Sample, Sample]:
        """Return the observations of a learning and a test sample: the same ones at any time."""
        if isinstance(self.resampling, FreshDraws):
            problem = self._problem(dataset)
            assert isinstance(problem, Generator)  # checked when the experiment was made
            return self.resampling.draw(problem, replication, self.seed)
        split = self.sample(dataset, replication)
        data = self.dataset(dataset)
        return data.take(split.learn), data.take(split.test)

    def structure(self, dataset: str, replication: int) -> Split | None:
        """Return the split of a replication; None where samples are drawn afresh."""
        return None if isinstance(self.resampling, FreshDraws) else self.sample(dataset, replication)

    def reserved(self, dataset: str) -> Indices:
        """Return the positions that were set aside; none unless the resampling is a `Reserve`."""
        if isinstance(self.resampling, Reserve):
            return self.resampling.reserved(self.dataset(dataset), self.seed)
        self._problem(dataset)
        return np.array([], np.intp)

    def seed_of(self, dataset: str, replication: int, algorithm: str) -> int:
        """Return the seed that the algorithm gets in this trial, between 0 and 2³² - 1."""
        return seed_for(self.seed, "fit", dataset, replication, algorithm) % 2**32

    def place(self, part: Part, name: str) -> tuple[str, int]:
        """Return where a data set, algorithm or measure stands in the design: its part, and its entry from 0 on."""
        terms = {"datasets": self._dataset_terms, "algorithms": self._algorithm_terms}.get(part)
        entries = [[m.name] for m in self.measures] if terms is None else [[m.name for m in t.members] for t in terms]
        return part, next(i for i, names in enumerate(entries) if name in names)

    def _problem(self, name: str) -> Dataset | Generator:
        for problem in self.datasets:
            if problem.name == name:
                return problem
        known = [problem.name for problem in self.datasets]
        raise LabelError(
            f"The experiment has no data set {name!r}{nearest(name, known)} "
            f"Its data sets are {listing(known, most=12)}."
        )

    # ---- telling ------------------------------------------------------------------------------------------------

    def describe(self) -> Description:
        """Describe the design: in the formal notation of benchmark experiments, and for a paper's methods section."""
        from podium.setup.describe import describe

        return describe(self)

    def advice(self) -> list[Advice]:
        """Say what the design cannot answer, or answers badly; each with the reason and the way out."""
        from podium.setup.advice import advise

        return advise(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Experiment):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.seed, *(thing.name for thing in (*self.datasets, *self.algorithms))))

    def _identity(self) -> tuple[Any, ...]:
        """Return what makes two experiments equal: file forms, data, and else the very same objects."""
        things: list[Algorithm | Measure] = [*self.algorithms, *self.measures]
        return (
            self.name,
            identity_of(self.record()),
            self.resampling if self.resampling.spec is None else None,
            [None if thing.spec is not None else id(thing) for thing in things],
        )

    def __repr__(self) -> str:
        nouns = ("data set", "replication", "algorithm", "measure")
        sizes = [f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in zip(self.shape, nouns, strict=True)]
        title = f"Experiment {self.name!r}" if self.name else "Experiment"
        return f"{title}: {' × '.join(sizes)}"

    def _repr_html_(self) -> str:
        return self.describe()._repr_html_()


def _resampling(given: Any) -> Resampling:
    refuse_object(given)
    return resampling(given)  # under another name, because here the name is an argument's


def _text(name: object) -> str:
    if not isinstance(name, str):
        raise DesignError(f"`name` must be a text; got {name!r}.", ("name",))
    return name


def _whole(seed: object) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise DesignError(f"`seed` must be a whole number, 0 or greater; got {seed!r}.", ("seed",))
    return int(seed)
