"""`Experiment`: the whole design of a benchmark experiment."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from podium.checks import (
    check_call,
    check_choice,
    check_keys,
    check_path,
    check_seed,
    describe,
    did_you_mean,
    file_access,
    shown,
)
from podium.errors import DesignError, EntryPath, InputError, LabelError, listing
from podium.setup.advice import Advice, advise
from podium.setup.algorithm import Algorithm
from podium.setup.dataset import Dataset, Generator, Indices, Sample
from podium.setup.description import Description, describe_design
from podium.setup.factors import Factors, factor_frame
from podium.setup.measure import Measure
from podium.setup.predictions import Keep, check_keep
from podium.setup.resampling import FreshDraws, Resampling, Reserve, Split, resampling_scheme
from podium.setup.resampling.split import check_replication
from podium.setup.seeds import rng_for, seed_for
from podium.setup.spec.checks import check_design
from podium.setup.spec.design import Design, content_of, design_of, record_of
from podium.setup.spec.difference import Difference, differences
from podium.setup.spec.document import Document, read_document, to_yaml
from podium.setup.spec.parts import (
    Part,
    Term,
    algorithm_terms,
    dataset_terms,
    measure_terms,
    members,
    placed,
    refuse_object,
)


@check_call
@dataclass(frozen=True, eq=False, repr=False, init=False)
class Experiment:
    """The whole design of a benchmark experiment: M data sets × B replications × K algorithms × J measures.

    It is complete: with the same versions of the libraries, the design and its seed determine every learning sample,
    every test sample and every seed that an algorithm gets. It is immutable.

    Parameters
    ----------
    datasets : name, Dataset, Generator, mapping, `podium.grid`, or a list of these
        What is learned from: a name (``"monks3"``), a file, a `Dataset`, a `Generator`, or its mapping in a design
        file.
    algorithms : name, estimator, Algorithm, mapping, `podium.grid`, or a list of these
        The candidates: a name (``"lda"``), any object with ``fit``, an `Algorithm`, or its mapping in a design file.
    resampling : name, Resampling, mapping or splitter
        How learning and test samples are drawn; see `podium.setup.resampling_scheme`.
    measures : name, function, Measure, mapping, or a list of these
        What is measured.
    seed : int, default 0
        All randomness derives from it.
    name : str, optional
        Name of the experiment.
    folder : path, optional
        Where relative paths of data files start; default: the working directory.
    keep : {"predictions", "probabilities", "parameters"} or a list of these, optional
        What a run keeps of each trial besides its numbers: the predictions for the test sample, the class probabilities
        (or decision values), and the hyperparameters that a search has chosen. A measure that is added later is then
        taken from what was kept, without a fit.

    Attributes
    ----------
    datasets : tuple of Dataset and Generator
    algorithms : tuple of Algorithm
    resampling : Resampling
    measures : tuple of Measure
    seed : int
    name : str
    keep : tuple of str

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
    _made_from: ClassVar = (
        ((str, Path), "Use podium.Experiment.from_file({thing})."),
        (dict, "Use podium.Experiment.from_dict(design)."),
        (object, "Create one with podium.Experiment(datasets, algorithms, resampling, measures)."),
    )

    name: str
    seed: int
    datasets: tuple[Dataset | Generator, ...]
    algorithms: tuple[Algorithm, ...]
    resampling: Resampling
    measures: tuple[Measure, ...]
    keep: tuple[Keep, ...]
    _dataset_terms: tuple[Term[Any], ...]
    _algorithm_terms: tuple[Term[Any], ...]
    _measure_terms: tuple[Term[Any], ...]
    _drawn: dict[str, Dataset]
    _folder: Path

    def __init__(
        self,
        datasets: Any,
        algorithms: Any,
        resampling: Any,
        measures: Any,
        *,
        seed: int = 0,
        name: str = "",
        folder: str | Path | None = None,
        keep: Keep | Sequence[Keep] = (),
    ) -> None:
        where = _folder(folder)
        problems = dataset_terms(datasets, where)
        candidates = algorithm_terms(algorithms)
        measured = measure_terms(measures)
        with placed("resampling"):
            scheme = _resampling(resampling)
        with placed():
            kept = check_keep(keep)
        fields = {
            "name": _text(name),
            "seed": _whole(seed),
            "datasets": members(problems, "datasets"),
            "algorithms": members(candidates, "algorithms"),
            "resampling": scheme,
            "measures": members(measured, "measures"),
            "keep": kept,
            "_dataset_terms": problems,
            "_algorithm_terms": candidates,
            "_measure_terms": measured,
            "_folder": where,
            "_drawn": {},
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        check_design(self)

    # ---- the file form ----------------------------------------------------------------------------------------------

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a design file (YAML or JSON); an error names the file and the line.

        No code is run, except that the modules of classes named in the file are imported. Relative paths in the file
        start at its folder.
        """
        if not isinstance(path, str | Path):
            raise InputError(f"`path` must be the path of a design file; got {describe(path)}.")
        document = read_document(path)
        return cls._from_document(document, Path(path).resolve().parent)

    @classmethod
    def from_dict(cls, design: Mapping[str, Any], folder: str | Path | None = None) -> Self:
        """Make an experiment from its mapping in a design file."""
        return cls(**Design.arguments(design), folder=folder)

    @classmethod
    def _from_document(cls, document: Document, folder: Path) -> Self:
        try:
            arguments = Design.arguments(document.data)
            arguments.setdefault("name", Path(document.file).stem)
            return cls(**arguments, folder=folder)
        except DesignError as error:
            raise document.placed(error) from error

    def to_dict(self) -> dict[str, Any]:
        """Return the mapping of the experiment in a design file.

        An entry without a file form is written as its name and its kind, and cannot be read back.
        """
        return self._design()

    def to_yaml(self) -> str:
        """Return the text of the design file; an entry without a file form is an error."""
        return to_yaml(self._design(strict=True))

    def to_file(self, path: str | Path) -> Path:
        """Write the design file, YAML or JSON by the ending of its name; return the path.

        Paths of data files are written relative to the folder of the file.
        """
        target = check_path(path)
        if target.suffix not in (".yaml", ".yml", ".json"):
            raise InputError(f"`path` must end in .yaml, .yml or .json; got {target.name!r}.", path=("path",))
        design = self._design(strict=True)
        for entry in design["datasets"]:
            if isinstance(entry, dict) and "file" in entry and not Path(entry["file"]).is_absolute():
                here = os.path.relpath(self._folder / entry["file"], target.resolve().parent)
                entry["file"] = Path(here).as_posix()
        text = json.dumps(design, indent=2) + "\n" if target.suffix == ".json" else to_yaml(design)
        with file_access(path, "write"):
            target.write_text(text, encoding="utf-8")
        return target

    def _design(self, *, strict: bool = False) -> dict[str, Any]:
        return design_of(self, self._dataset_terms, self._algorithm_terms, self._measure_terms, strict=strict)

    def record(self) -> dict[str, Any]:
        """Return the design as plain values for a warehouse: grids expanded, everything with its identity as of now."""
        return record_of(self)

    def fingerprint(self) -> str:
        """Return a short text that changes when the design does.

        Data sets, algorithms and measures count by name and content (see `podium.setup.identify`). The name of the
        experiment and the versions of libraries do not count.
        """
        return hashlib.blake2b(content_of(self.record()).encode("ascii"), digest_size=8).hexdigest()

    def difference(self, earlier: Experiment | Mapping[str, Any]) -> list[Difference]:
        """List the differences from an earlier design: each of them extends, reduces or changes it.

        Parameters
        ----------
        earlier : Experiment or mapping
            The earlier design, its `record`, or the mapping of its design file.
        """
        if not isinstance(earlier, Experiment | Mapping):
            raise InputError(f"`earlier` must be an Experiment or the mapping of a design; got {shown(earlier)}.")
        if not isinstance(earlier, Experiment) and "format" not in earlier:
            earlier = type(self).from_dict(earlier, self._folder)
        return differences(earlier.record() if isinstance(earlier, Experiment) else earlier, self.record())

    def changes(self, earlier: Experiment | Mapping[str, Any]) -> list[str]:
        """List what has changed since an earlier design, so that outcomes of it are not those of this one.

        More or fewer replications, data sets, algorithms and measures are not changes. Of a changed data set, algorithm
        or measure, only its own outcomes are concerned; another seed or resampling changes all of them.
        """
        return [str(difference) for difference in self.difference(earlier) if difference.kind == "changes"]

    def replace(self, **arguments: Any) -> Self:
        """Return the same design with some arguments replaced.

        Examples
        --------
        >>> import podium
        >>> experiment = podium.Experiment("monks3", ["lda", "constant"], "bootstrap", "misclassification")
        >>> experiment.replace(seed=2).seed
        2
        """
        known = ("datasets", "algorithms", "resampling", "measures", "seed", "name", "folder", "keep")
        check_keys(arguments, known, "An experiment", "argument")
        same = {
            "datasets": self._dataset_terms,
            "algorithms": self._algorithm_terms,
            "resampling": self.resampling,
            "measures": self._measure_terms,
            "seed": self.seed,
            "name": self.name,
            "folder": self._folder,
            "keep": self.keep,
        }
        return type(self)(**{**same, **arguments})

    # ---- its parts ----------------------------------------------------------------------------------------

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

    # ---- data and samples, reproducible at any time ----------------------------------------------------------------

    def dataset(self, name: str) -> Dataset:
        """Return a data set; if a generator is resampled, its data set is drawn once, from the seed and its name."""
        problem = self._problem(name)
        if isinstance(problem, Dataset):
            return problem
        if isinstance(self.resampling, FreshDraws):
            raise InputError(
                f"{name!r} is drawn afresh in each replication, so it has no fixed data; use experiment.samples(...)."
            )
        if name not in self._drawn:
            self._drawn[name] = problem.dataset(rng_for(self.seed, "data set", name))
        return self._drawn[name]

    def sample(self, dataset: str, replication: int) -> Split:
        """Return the positions of a learning and a test sample: always the same ones.

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
        """Return the observations of a learning and a test sample: always the same ones."""
        if isinstance(self.resampling, FreshDraws):
            problem = self._problem(dataset)
            assert isinstance(problem, Generator)  # checked when the experiment was made
            return self.resampling.draw(problem, replication, self.seed)
        split = self.sample(dataset, replication)
        data = self.dataset(dataset)
        return data.take(split.learn), data.take(split.test)

    def structure(self, dataset: str, replication: int) -> Split | None:
        """Return the split of a replication; None if samples are drawn afresh."""
        return None if isinstance(self.resampling, FreshDraws) else self.sample(dataset, replication)

    def reserved(self, dataset: str) -> Indices:
        """Return the positions that were set aside; empty unless the resampling is a `Reserve`."""
        if isinstance(self.resampling, Reserve):
            return self.resampling.reserved(self.dataset(dataset), self.seed)
        self._problem(dataset)
        return np.array([], np.intp)

    def seed_of(self, dataset: str, replication: int, algorithm: str) -> int:
        """Return the seed that the algorithm gets in this trial, between 0 and 2³² - 1."""
        self._problem(dataset)
        check_replication(replication, self.resampling.replications)
        known = [candidate.name for candidate in self.algorithms]
        if not isinstance(algorithm, str) or algorithm not in known:
            raise LabelError(
                f"The experiment has no algorithm {shown(algorithm)}. Its algorithms are {listing(known, most=12)}."
                f"{did_you_mean(algorithm, known)}"
            )
        return seed_for(self.seed, "fit", dataset, replication, algorithm) % 2**32

    def path_of(self, part: Part, name: str) -> EntryPath:
        """Return the path of a data set, algorithm or measure in the design, such as ``("algorithms", 2)``."""
        parts = {"datasets": self._dataset_terms, "algorithms": self._algorithm_terms, "measures": self._measure_terms}
        check_choice(part, parts, "part")
        paths = {member.name: term.path for term in parts[part] for member in term.members}
        check_choice(name, paths, "name")
        return paths[name]

    def _problem(self, name: str) -> Dataset | Generator:
        for problem in self.datasets:
            if isinstance(name, str) and problem.name == name:
                return problem
        known = [problem.name for problem in self.datasets]
        raise LabelError(
            f"The experiment has no data set {shown(name)}. Its data sets are {listing(known, most=12)}."
            f"{did_you_mean(name, known)}"
        )

    # ---- description ------------------------------------------------------------------------------------------------

    def describe(self) -> Description:
        """Describe the design: in the formal notation of benchmark experiments, and for a paper's methods section."""
        return describe_design(self)

    def advice(self) -> list[Advice]:
        """List what the design cannot answer, or answers badly, each with the reason and a remedy."""
        return advise(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Experiment):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.seed, *(thing.name for thing in (*self.datasets, *self.algorithms))))

    def _identity(self) -> tuple[Any, ...]:
        """Return what makes two experiments equal: content, or the same object where that cannot be established."""
        record = self.record()
        things: list[Any] = [*self.datasets, *self.algorithms, *self.measures]
        entries = [entry for part in ("datasets", "algorithms", "measures") for entry in record[part].values()]
        return (
            self.name,
            content_of(record),
            [id(thing) if entry["identity"]["problem"] else None for thing, entry in zip(things, entries, strict=True)],
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
    return resampling_scheme(given)


def _folder(folder: Any) -> Path:
    if not isinstance(folder, str | Path | None):
        raise InputError(f"`folder` must be a path; got {describe(folder)}.")
    return Path.cwd() if folder is None else Path(folder).resolve()


def _text(name: object) -> str:
    if not isinstance(name, str):
        raise DesignError(f"`name` must be text; got {shown(name)}.", ("name",))
    return name


def _whole(seed: Any) -> int:
    with placed():
        check_seed(seed)
    return int(seed)
