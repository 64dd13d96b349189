"""`Experiment`: the whole design of a benchmark experiment."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import podium.results
from podium.checks import (
    check_call,
    check_choice,
    check_flag,
    check_keys,
    check_path,
    check_seed,
    check_text,
    describe,
    did_you_mean,
    plain_types,
    shown,
    write_text,
)
from podium.design.advice import Advice, advise
from podium.design.algorithm import Algorithm
from podium.design.characteristics.characteristic import Characteristic
from podium.design.characteristics.selection import Chosen, check_characteristics
from podium.design.dataset import Dataset, Generator
from podium.design.description import Description, describe_design
from podium.design.factors import Factors, factor_frame
from podium.design.measure import Measure
from podium.design.predictions import Keep, check_keep
from podium.design.resampling import FreshDraws, Resampling, Reserve, Split, as_resampling
from podium.design.resampling.schemes import named_scheme
from podium.design.resampling.split import check_replication
from podium.design.sample import Indices, Sample
from podium.design.seeds import rng_for, seed_for
from podium.design.spec.checks import check_design
from podium.design.spec.design import DesignEntry, content_of, design_of, fingerprint_of, record_of
from podium.design.spec.difference import Difference, differences
from podium.design.spec.document import Document, named_modules, read_document, to_yaml
from podium.design.spec.parts import (
    Part,
    ResolvedEntry,
    algorithm_entries,
    dataset_entries,
    measure_entries,
    members,
    placed,
    refuse_object,
)
from podium.design.stopping import Stopping, read_stopping
from podium.errors import DesignError, EntryPath, InputError, LabelError, join_names


@plain_types
class PlannedSplit(NamedTuple):
    """The samples of one replication of a data set.

    Attributes
    ----------
    dataset : str
    replication : int
    learn, test : ndarray of int
        Positions of the observations, see `Split`.
    repeat, fold : int
        Place in a cross-validation, counted from 1; -1 where the scheme has none.
    """

    dataset: str
    replication: int
    learn: Indices
    test: Indices
    repeat: int
    fold: int


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
        How learning and test samples are drawn; a scheme, its name or its file form, or a splitter of scikit-learn.
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
        computed from what was kept, without a fit.
    characteristics : str, Characteristic, mapping, or a sequence of these, optional
        Which characteristics of its learning samples a run keeps; see `podium.characterize`.
    stopping : Stopping, mapping or kind of rule, optional
        When a run may stop before all replications are drawn; `podium.run` takes it, too.

    Attributes
    ----------
    datasets : tuple of Dataset and Generator
    algorithms : tuple of Algorithm
    resampling : Resampling
    measures : tuple of Measure
    seed : int
    name : str
    keep : tuple of str
    characteristics : tuple of Characteristic
    stopping : Stopping or None

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
    characteristics: tuple[Characteristic, ...]
    stopping: Stopping | None
    _dataset_entries: tuple[ResolvedEntry[Any], ...]
    _algorithm_entries: tuple[ResolvedEntry[Any], ...]
    _measure_entries: tuple[ResolvedEntry[Any], ...]
    _drawn: dict[str, Dataset]
    _problems: dict[str, Dataset | Generator]
    _folder: Path
    _named: dict[str, Any]
    _document: Document | None

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
        characteristics: Chosen = (),
        stopping: Stopping | Mapping[str, Any] | str | None = None,
    ) -> None:
        where = _folder(folder)
        problems = dataset_entries(datasets, where)
        candidates = algorithm_entries(algorithms)
        measured = measure_entries(measures)
        with placed("resampling"):
            scheme = _resampling(resampling)
        with placed():
            kept = check_keep(keep)
            described = check_characteristics(characteristics, [a.name for entry in candidates for a in entry.members])
        with placed("stopping"):
            rule = read_stopping(stopping)
        with placed():
            check_text(name, "name")
            check_seed(seed)
        fields: dict[str, Any] = {
            "name": name,
            "seed": int(seed),
            "datasets": members(problems, "datasets"),
            "algorithms": members(candidates, "algorithms"),
            "resampling": scheme,
            "measures": members(measured, "measures"),
            "keep": kept,
            "characteristics": described,
            "stopping": rule,
            "_dataset_entries": problems,
            "_algorithm_entries": candidates,
            "_measure_entries": measured,
            "_folder": where,
            "_drawn": {},
            "_named": {},
            "_document": None,
        }
        fields["_problems"] = {problem.name: problem for problem in fields["datasets"]}
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        check_design(self)

    @staticmethod
    def _ways_out() -> dict[type, str]:
        return {podium.results.Results: "Use podium.run(experiment)."}  # which an experiment is set up without

    # ---- the file form ----------------------------------------------------------------------------------------------

    @classmethod
    def from_file(cls, path: str | Path, *, imports: bool = False) -> Self:
        """Read a design file (YAML or JSON); an error names the file and the line.

        No code that the file names is run. The modules that it names (`modules`) are imported by `podium.run`
        and `podium.preview`, and where the content of the code counts: in `record` and `fingerprint`. Relative paths
        in the file start at its folder.

        Parameters
        ----------
        path : path
        imports : bool, default False
            Whether to import the modules at once, which checks the code that the file names and its parameters.
        """
        if not isinstance(path, str | Path):
            raise InputError(f"`path` must be the path of a design file; got {describe(path)}.")
        document = read_document(path)
        try:
            arguments = DesignEntry.arguments(document.data)
            arguments.setdefault("name", Path(document.file).stem)
            made = cls._from_arguments(arguments, Path(path).resolve().parent, imports)
        except DesignError as error:
            raise document.placed(error) from error
        object.__setattr__(made, "_document", document)
        return made

    @classmethod
    def from_dict(cls, design: Mapping[str, Any], folder: str | Path | None = None, *, imports: bool = False) -> Self:
        """Make an experiment from its mapping in a design file; see `from_file`."""
        return cls._from_arguments(DesignEntry.arguments(design), folder, imports)

    @classmethod
    def _from_arguments(cls, arguments: Mapping[str, Any], folder: str | Path | None, imports: bool) -> Self:
        """Make an experiment; unless `imports`, code that it names is described by its name until it is needed."""
        check_flag(imports, "imports")
        named = {part: arguments[part] for part in _NAMING if not imports and named_modules(arguments, part)}
        parts: dict[str, Any] = {}
        if "algorithms" in named:
            parts["algorithms"] = algorithm_entries(named["algorithms"], named=True)
        if "measures" in named:
            parts["measures"] = measure_entries(named["measures"], named=True)
        if "resampling" in named:
            with placed("resampling"):
                refuse_object(named["resampling"])
                parts["resampling"] = named_scheme(named["resampling"])
        made = cls(**{**arguments, **parts}, folder=folder)
        made._named.update(named)
        return made

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that the design names and that are not imported yet; without those of scikit-learn and podium."""
        return named_modules(self._named) if self._named else ()

    def import_code(self) -> None:
        """Import the modules that the design names, and check the code and its parameters; `run` does so, too."""
        if not self._named:
            return
        given = dict(self._named)
        try:
            fields: dict[str, Any] = {}
            if "algorithms" in given:
                fields["_algorithm_entries"] = algorithm_entries(given["algorithms"])
                fields["algorithms"] = members(fields["_algorithm_entries"], "algorithms")
            if "measures" in given:
                fields["_measure_entries"] = measure_entries(given["measures"])
                fields["measures"] = members(fields["_measure_entries"], "measures")
            if "resampling" in given:
                with placed("resampling"):
                    fields["resampling"] = _resampling(given["resampling"])
            for field, value in fields.items():
                object.__setattr__(self, field, value)
            self._named.clear()
            check_design(self)
        except DesignError as error:
            raise error if self._document is None else self._document.placed(error) from error

    def to_dict(self) -> dict[str, Any]:
        """Return the mapping of the experiment in a design file.

        An entry without a file form is written as its name and its kind, and cannot be read back.
        """
        return self._design()

    def to_yaml(self) -> str:
        """Return the text of the design file; an entry without a file form is an error."""
        return to_yaml(self._design(strict=True))

    def to_file(self, path: str | Path) -> Path:
        """Write the design file, YAML or JSON by its extension; return the path.

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
        write_text(target, text)
        return target

    def _design(self, *, strict: bool = False) -> dict[str, Any]:
        return design_of(self, **self._entries(), strict=strict)

    def _entries(self) -> dict[str, tuple[ResolvedEntry[Any], ...]]:
        return {
            "datasets": self._dataset_entries,
            "algorithms": self._algorithm_entries,
            "measures": self._measure_entries,
        }

    def record(self) -> dict[str, Any]:
        """Return the design as plain values for a warehouse: grids expanded, everything with its identity as of now."""
        self.import_code()
        return record_of(self)

    def fingerprint(self) -> str:
        """Return a short text that changes when the design does.

        Data sets, algorithms and measures count by name and content (see `podium.design.identify`). The name of the
        experiment and the versions of libraries do not count.
        """
        return fingerprint_of(self.record())

    def difference(self, earlier: Experiment | Mapping[str, Any]) -> list[Difference]:
        """List the differences from an earlier design: each of them extends, reduces or changes it.

        Parameters
        ----------
        earlier : Experiment or mapping
            The earlier design, or its `record`.
        """
        if not isinstance(earlier, Experiment) and not (isinstance(earlier, Mapping) and "format" in earlier):
            raise InputError(f"`earlier` must be an Experiment or the record of one; got {shown(earlier)}.")
        return differences(earlier.record() if isinstance(earlier, Experiment) else earlier, self.record())

    def changes(self, earlier: Experiment | Mapping[str, Any]) -> list[str]:
        """List what has changed since an earlier design, so its outcomes do not apply to this one.

        More or fewer replications, data sets, algorithms and measures are not changes. A changed data set, algorithm or
        measure affects only its own outcomes; another seed or resampling affects all of them.
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
        check_keys(arguments, signature(Experiment).parameters, "An experiment", "argument")
        self.import_code()
        kept = ("resampling", "seed", "name", "keep", "characteristics", "stopping")
        same = {"folder": self._folder, **{name: getattr(self, name) for name in kept}}
        return type(self)(**{**self._entries(), **same, **arguments})

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
                {a.name: (entry.family, a.factors) for entry in self._algorithm_entries for a in entry.members},
                "algorithm",
            ),
            datasets=factor_frame(
                {d.name: (entry.family, d.factors) for entry in self._dataset_entries for d in entry.members},
                "dataset",
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

    def splits(self) -> Iterator[PlannedSplit]:
        """Yield the samples of every replication, for those who fit models in their own loop.

        Examples
        --------
        >>> import podium
        >>> experiment = podium.Experiment("iris", ["lda", "nb"], podium.CrossValidation(5), "accuracy")
        >>> for split in experiment.splits():
        ...     print(split.dataset, split.replication, len(split.learn), len(split.test))
        ...     break
        iris 1 120 30
        """
        for problem in self.datasets:
            for replication in range(1, self.resampling.replications + 1):
                drawn = self.sample(problem.name, replication)
                yield PlannedSplit(problem.name, replication, drawn.learn, drawn.test, drawn.repeat, drawn.fold)

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
            raise _unknown("algorithm", algorithm, known)
        return seed_for(self.seed, "fit", dataset, replication, algorithm) % 2**32

    def path_of(self, part: Part, name: str) -> EntryPath:
        """Return the path of a data set, algorithm or measure in the design, such as ``("algorithms", 2)``."""
        parts = self._entries()
        check_choice(part, parts, "part")
        paths = {member.name: entry.path for entry in parts[part] for member in entry.members}
        check_choice(name, paths, "name")
        return paths[name]

    def _problem(self, name: str) -> Dataset | Generator:
        if isinstance(name, str) and name in self._problems:
            return self._problems[name]
        raise _unknown("data set", name, list(self._problems))

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


def given_experiment(experiment: Any) -> Experiment:
    """Return the experiment that a user gives beside its scores: an object, or the path of its design file."""
    if isinstance(experiment, str | os.PathLike):
        return Experiment.from_file(Path(experiment))
    if not isinstance(experiment, Experiment):
        raise InputError(f"`experiment` must be an Experiment or a design file; got {describe(experiment)}.")
    return experiment


_NAMING = ("algorithms", "measures", "resampling")  # the parts of a design that may name code


def _unknown(noun: str, name: object, known: list[str]) -> LabelError:
    return LabelError(
        f"The experiment has no {noun} {shown(name)}. Its {noun}s are "
        f"{join_names(known, most=12)}.{did_you_mean(name, known)}"
    )


def _resampling(given: Any) -> Resampling:
    refuse_object(given)
    return as_resampling(given)


def _folder(folder: Any) -> Path:
    return Path.cwd() if folder is None else check_path(folder, "folder").resolve()
