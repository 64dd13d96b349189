"""Any splitter of scikit-learn as a resampling scheme."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from typing import Any

from podium.checks import check_call, check_keys, check_mapping, is_whole, shown
from podium.design.dataset import Dataset
from podium.design.resampling.split import UNKNOWN, Split, check_split
from podium.design.seeds import seed_for
from podium.design.spec.objects import find
from podium.errors import InputError, at_path


@check_call
@dataclass(frozen=True, kw_only=True, eq=False)
class SklearnSplitter:
    """A scheme made from an object with ``split(X, y, groups)`` and ``get_n_splits()``.

    Parameters
    ----------
    splitter : object
        Such as ``sklearn.model_selection.StratifiedShuffleSplit(50)``. Its `random_state`, if it has one, is set from
        the seed of the experiment and the name of the data set.

    Examples
    --------
    >>> import podium
    >>> from sklearn.model_selection import ShuffleSplit
    >>> podium.design.SklearnSplitter(splitter=ShuffleSplit(50, test_size=0.2)).spec
    {'class': 'sklearn.model_selection.ShuffleSplit', 'parameters': {'n_splits': 50, 'test_size': 0.2}}
    """

    splitter: Any

    def __post_init__(self) -> None:
        lacking = [name for name in ("split", "get_n_splits") if not callable(getattr(self.splitter, name, None))]
        if lacking or isinstance(self.splitter, type):
            raise InputError(
                "`splitter` must be an object with the methods split(X, y, groups) and get_n_splits(), such as "
                f"sklearn.model_selection.ShuffleSplit(50); got {shown(self.splitter)}."
            )
        if self._number_of_splits() is None:
            raise InputError(
                f"The number of splits of `splitter` {type(self.splitter).__name__} depends on the data; use one "
                "with a fixed number."
            )

    @property
    def replications(self) -> int:
        """Number of splits the splitter makes."""
        number = self._number_of_splits()
        assert number is not None  # refused when it was made
        return number

    @property
    def spec(self) -> Mapping[str, Any] | None:
        """The scheme as it is written in a design file; None unless scikit-learn's class and plain parameters."""
        kind = type(self.splitter)
        if not kind.__module__.startswith("sklearn.model_selection"):
            return None
        parameters = _parameters(self.splitter)
        if not all(isinstance(value, int | float | str | bool) for value in parameters.values()):
            return None
        return {"class": f"sklearn.model_selection.{kind.__name__}", "parameters": parameters}

    def identified_by(self) -> tuple[Any, ...]:
        """Return the splitter, with all of its state."""
        return (self.splitter,)

    @property
    def folds(self) -> int | None:
        """Number of folds if the splitter cross-validates, else None."""
        from sklearn import model_selection

        if isinstance(self.splitter, model_selection.RepeatedKFold | model_selection.RepeatedStratifiedKFold):
            return int(self.splitter.cvargs["n_splits"])
        kinds = (
            model_selection.KFold,
            model_selection.StratifiedKFold,
            model_selection.GroupKFold,
            model_selection.StratifiedGroupKFold,
        )
        return self.replications if isinstance(self.splitter, kinds) else None

    @property
    def keeps_groups(self) -> bool:
        """Whether the splitter uses groups; scikit-learn's other splitters warn when they get some."""
        routing = getattr(self.splitter, "get_metadata_routing", None)
        return routing is None or bool(routing().split.requests.get("groups"))

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Take the split of one replication."""
        check_split(dataset, replication, self)
        splitter = deepcopy(self.splitter)
        if hasattr(splitter, "random_state") and getattr(splitter, "shuffle", True):
            splitter.random_state = seed_for(seed, "splitter", dataset.name) % 2**32
        y = None if dataset.y is None else dataset.y.to_numpy()
        try:
            splits = splitter.split(dataset.X, y, dataset.groups if self.keeps_groups else None)
            learn, test = next(islice(splits, int(replication) - 1, None))
        except (ValueError, StopIteration) as error:
            reason = f": {error}" if str(error) else "."
            if dataset.groups is None and self.keeps_groups:
                way = "podium.Dataset(..., groups=...)"
                reason += f" Name the column that holds the groups: {way}."
            raise InputError(
                f"`splitter` {type(splitter).__name__} cannot make split {replication} of {dataset.name!r}{reason}"
            ) from error
        place = (UNKNOWN, UNKNOWN)
        if self.folds is not None:
            repeat, fold = divmod(int(replication) - 1, self.folds)
            place = repeat + 1, fold + 1
        return Split(learn, test, *place)

    def describe(self) -> str:
        """Describe the scheme in words."""
        name, spec = type(self.splitter).__name__, self.spec
        if spec is None:
            return f"the splitter {name} ({self.replications} splits)"
        arguments = ", ".join(f"{key}={value!r}" for key, value in spec["parameters"].items())
        return f"scikit-learn's {name}({arguments})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SklearnSplitter):
            return NotImplemented
        return self.splitter is other.splitter or (self.spec is not None and self.spec == other.spec)

    def __hash__(self) -> int:
        return hash(type(self.splitter))

    def _number_of_splits(self) -> int | None:
        try:
            return int(self.splitter.get_n_splits())
        except (TypeError, ValueError, AttributeError):  # LeaveOneOut and others need the data
            return None


@dataclass(frozen=True, kw_only=True)
class NamedSplitter:
    """Stands for a splitter class that a design file names; it is imported when the first split is drawn.

    Its number of splits is taken from the parameters `n_splits` and `n_repeats`.
    """

    spec: Mapping[str, Any]

    def __post_init__(self) -> None:
        check_keys(self.spec, ("class", "parameters"), "A splitter", "key")
        parameters = check_mapping(self.spec.get("parameters") or {}, "`parameters`")
        splits = parameters.get("n_splits")
        if not is_whole(splits) or not is_whole(parameters.get("n_repeats", 1)):
            raise InputError(
                f"How many splits {self.spec['class']!r} makes is unknown before it is imported. Give its `parameters` "
                "the key `n_splits`; or allow the import: podium.Experiment.from_file(path, imports=True)."
            )

    @property
    def replications(self) -> int:
        """Number of splits, as the file gives it."""
        return int(self.spec["parameters"]["n_splits"]) * int(self.spec["parameters"].get("n_repeats", 1))

    def identified_by(self) -> tuple[Any, ...]:
        """Return the splitter, with all of its state."""
        return (splitter_from_spec(self.spec),)

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Take the split of one replication."""
        return splitter_from_spec(self.spec).split(dataset, replication, seed)

    def describe(self) -> str:
        """Describe the scheme in words."""
        return f"the splitter {str(self.spec['class']).rpartition('.')[2]} ({self.replications} splits)"


def splitter_from_spec(spec: Mapping[str, Any]) -> SklearnSplitter:
    """Make the scheme from its file form: the class by its dotted name, and its parameters."""
    check_keys(spec, ("class", "parameters"), "A splitter", "key")
    with at_path("class"):
        kind = find(spec["class"], "class")
        if not (isinstance(kind, type) and hasattr(kind, "split") and hasattr(kind, "get_n_splits")):
            raise InputError(
                f"`class` {spec['class']!r} is not a splitter: it lacks split(X, y, groups) or get_n_splits()."
            )
    with at_path("parameters"):
        parameters = check_mapping(spec.get("parameters") or {}, "`parameters`")
        check_keys(parameters, inspect.signature(kind).parameters, f"The splitter {kind.__name__}")
        try:
            return SklearnSplitter(splitter=kind(**parameters))
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"The splitter {kind.__name__} does not accept these `parameters`: {error}") from error


def _parameters(splitter: Any) -> dict[str, Any]:
    """Collect the parameters that differ from their defaults; without the random state, which podium sets."""
    stored = {**getattr(splitter, "cvargs", {}), **vars(splitter)}  # repeated splitters keep theirs in `cvargs`
    signature = inspect.signature(type(splitter)).parameters.values()
    return {
        p.name: stored[p.name]
        for p in signature
        if p.name in stored and p.name != "random_state" and (p.name == "n_splits" or stored[p.name] is not p.default)
    }
