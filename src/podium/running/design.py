"""The design of an experiment in a warehouse: which of the trials there count for it, and which are refused."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from podium.arrays import BoolArray
from podium.checks import check_call, check_choice, describe
from podium.design.characteristics.recorded import characteristics_experiment
from podium.design.characteristics.selection import NAME
from podium.design.identity import Identity
from podium.design.resampling import FreshDraws
from podium.design.spec.design import fingerprint_of
from podium.design.spec.difference import changed_versions, differences
from podium.design.spec.parts import NOUNS, Part
from podium.errors import DesignChangedError, InputError, UnknownIdentityError, join_names
from podium.progress import logger
from podium.store.record import TrialIdentity, TrialRecord

if TYPE_CHECKING:
    from podium.design.experiment import Experiment
    from podium.store.warehouse import Warehouse

Acceptance: TypeAlias = Literal["versions", "unknown", "stopping"]
EarlierKind: TypeAlias = Literal["versions", "unknown", "changed"]

_PARTS: tuple[Part, ...] = ("datasets", "algorithms", "measures")


@check_call
@dataclass(frozen=True, kw_only=True)
class EarlierTrials:
    """Trials in a warehouse that were made with something other than what the experiment has now.

    Attributes
    ----------
    kind : {"versions", "unknown", "changed"}
        Whether they were made with other versions of libraries, are of unknown origin, or were made with other content
        of a data set, an algorithm or a measure.
    trials : int
        Their number.
    accepted : bool
        Whether they count; otherwise they stay in the warehouse and are run again.
    algorithms : tuple of str
        The algorithms that they are trials of.
    things : tuple of (str, str)
        What differs or is not known: ``"datasets"``, ``"algorithms"`` or ``"measures"``, and a name.
    versions : mapping of str to (str, str)
        Versions of libraries before and now.
    """

    kind: EarlierKind
    trials: int
    accepted: bool
    algorithms: tuple[str, ...]
    things: tuple[tuple[Part, str], ...]
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __str__(self) -> str:
        one = self.trials == 1
        were, count, are = ("was", "it counts", "it is") if one else ("were", "they count", "they are")
        again = "measured" if all(part == "measures" for part, _ in self.things) else "run"
        if self.kind == "unknown":
            return f"{_trials(self)} {'is' if one else 'are'} of unknown origin: {count}, as accepted."
        if self.kind == "changed":
            things = join_names((_noun(*thing) for thing in self.things), quote=False)
            return f"{_trials(self)} {were} made before {things} changed: {are} kept, and {again} again."
        libraries = "; ".join(
            f"with {name} {before}, now {after or 'not used'}" if before else f"without {name}, now {after}"
            for name, (before, after) in self.versions.items()
        )
        outcome = (
            f"{count}, as accepted"
            if self.accepted
            else f"{are} {again} again; accept='versions' keeps {'it' if one else 'them'}"
        )
        return f"{_trials(self)} {were} made {libraries}: {outcome}."


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """What an experiment and a warehouse agree on.

    Attributes
    ----------
    document : mapping
        The design as the warehouse stores it.
    earlier : tuple of EarlierTrials
        Trials there that were made with something else.
    problems : tuple of str
        Why the content of some things cannot be established: their trials cannot be resumed.
    """

    document: Mapping[str, Any]
    earlier: tuple[EarlierTrials, ...]
    problems: tuple[str, ...]

    def log(self) -> None:
        """Write what a user should know before the run to the log, as warnings unless it is as the user wants it."""
        for each in self.earlier:
            wanted = each.accepted or each.kind == "changed"
            logger.log(logging.INFO if wanted else logging.WARNING, "%s", each)
        for note in unidentified_notes(self.problems):
            logger.warning("%s", note)

    def stamped(self, record: TrialRecord) -> TrialRecord:
        """Return a new record with the identities of its data set, algorithm and measures."""
        datasets, algorithms, measures = (self.document["identities"][part] for part in _PARTS)
        identity = TrialIdentity(
            datasets[record.key.dataset][0],
            algorithms[record.key.algorithm][0],
            {name: measures[name][0] for name in record.values or record.undefined},
        )
        stamped = copy(record)  # `replace` would check all fields again, which takes longer than storing them
        object.__setattr__(stamped, "identity", identity)
        return stamped


def unidentified_notes(problems: Iterable[str]) -> list[str]:
    """Say what it means that the content of something cannot be established."""
    unknown = "It can be run, but resumed only with accept='unknown'."
    return [f"{problem[:1].upper()}{problem[1:]}. {unknown}" for problem in problems]


def check_accept(accept: object) -> frozenset[str]:
    """Return what a user accepts as a set."""
    if not isinstance(accept, Iterable) or (isinstance(accept, np.ndarray) and accept.ndim == 0):
        raise InputError(
            f"`accept` must be 'versions', 'unknown', 'stopping' or a list of them; got {describe(accept)}."
        )
    words = (accept,) if isinstance(accept, str) else tuple(accept)
    for word in words:
        check_choice(word, get_args(Acceptance), "accept")
    return frozenset(words)


def record_design(experiment: Experiment, warehouse: Warehouse, accept: Iterable[str] = ()) -> Agreement:
    """Record the design, unless it is the newest one already; refuse one that contradicts those before."""
    agreement = agree(experiment, warehouse, accept)
    if warehouse.design != agreement.document:
        warehouse.set_design(agreement.document, fingerprint_of(agreement.document["record"]))
    return agreement


def agree(experiment: Experiment, warehouse: Warehouse, accept: Iterable[str] = ()) -> Agreement:
    """Find out which trials of a warehouse count for an experiment.

    Raises
    ------
    DesignChangedError
        If the seed or the resampling is different.
    UnknownIdentityError
        If there are trials of unknown origin, and that is not accepted.
    """
    accepted = check_accept(accept)
    document = design_document(experiment)
    record = document["record"]
    accepted_rule = _check_stopping(warehouse, document, accepted)
    designs = [design["record"] for design in warehouse.designs() if design.get("record") is not None]
    _check_samples(warehouse.name, designs, record)
    settled = _settled(warehouse.design, record)
    stored = list(_stored(record, designs, warehouse.identities(), accepted, settled))
    settled_kinds = {s.kind for s in stored if (s.kind, s.part, s.name, s.key) in settled}
    document["accept"] = sorted((accepted - {"stopping"}) | settled_kinds | accepted_rule)
    document["identities"] = {
        part: {
            name: [
                now.key,
                *(s.key for s in stored if (s.part, s.name) == (part, name) and s.counts and s.key != now.key),
            ]
            for name, now in _identities(record, part).items()
        }
        for part in _PARTS
    }
    earlier = tuple(_earlier(document, stored, warehouse)) if any(each.kind for each in stored) else ()
    refused = [each for each in earlier if each.kind == "unknown" and not each.accepted]
    if refused:
        raise UnknownIdentityError(_refusal(warehouse.name, refused[0], record))
    problems = tuple(
        f"{_noun(part, name)}: {now.problem}"
        for part in _PARTS
        for name, now in _identities(record, part).items()
        if now.problem
    )
    return Agreement(document=document, earlier=earlier, problems=problems)


def design_document(experiment: Experiment) -> dict[str, Any]:
    """Return a design as a warehouse stores it, without what depends on the warehouse."""
    return {
        "datasets": [dataset.name for dataset in experiment.datasets],
        "algorithms": [algorithm.name for algorithm in experiment.algorithms],
        "replications": experiment.shape[1],
        "independent": isinstance(experiment.resampling, FreshDraws),
        "measures": [dataclasses.asdict(measure.info) for measure in experiment.measures],
        "experiment": experiment.to_dict(),
        "record": experiment.record(),
        **({"characteristics": characteristics_document(experiment)} if experiment.characteristics else {}),
        **_stopping_entry(experiment),
    }


def characteristics_document(experiment: Experiment) -> dict[str, Any]:
    """Return which characteristics of the learning samples a design names: as the measures of a trial of their own."""
    described = characteristics_experiment(experiment)
    record = described.record()
    return {
        "algorithms": [NAME],
        "measures": [dataclasses.asdict(measure.info) for measure in described.measures],
        "identities": {part: {name: [now.key] for name, now in _identities(record, part).items()} for part in _PARTS},
    }


def _stopping_entry(experiment: Experiment) -> dict[str, Any]:
    if experiment.stopping is None:
        return {}
    return {"stopping": experiment.stopping.resolved(experiment.shape[1], [m.name for m in experiment.measures])}


def _check_samples(warehouse: str, designs: Iterable[Mapping[str, Any]], record: Mapping[str, Any]) -> None:
    """Refuse a warehouse whose trials were made with other samples."""
    for design in designs:
        changes = [f"  {each}\n" for each in differences(design, record) if each.contradicts]
        if changes:
            raise DesignChangedError(
                f"The warehouse {warehouse!r} was made with another design:\n{''.join(changes)}"
                "Everything measured is kept. Use the old design, or another warehouse for the new one."
            )


def _check_stopping(warehouse: Warehouse, document: Mapping[str, Any], accepted: frozenset[str]) -> frozenset[str]:
    """Refuse a stopping rule other than that by which decisions were made; return what is accepted about it."""
    before = warehouse.design
    if before is None or not before.get("stopping"):
        return frozenset()
    old, new = before["stopping"], document.get("stopping")
    specs = [design.get("record", {}).get("stopping") for design in (before, document)]
    if specs[0] == specs[1] and new is not None and old["looks"] == new["looks"]:
        return frozenset({"stopping"} & set(before.get("accept", ())))
    if "stopping" in accepted:
        return frozenset({"stopping"})
    if not warehouse.decisions():
        return frozenset()
    changed = "this run has none" if new is None else _rule_changes(*specs)
    if new is not None and specs[0] == specs[1]:
        changed = f"its looks were after {old['looks']} replications and are after {new['looks']}"
    way = "runs all trials that are left" if new is None else "makes the decisions again, from all trials"
    raise DesignChangedError(
        f"In the warehouse {warehouse.name!r} another stopping rule has made decisions: {changed}. A rule that is "
        "changed after it has seen outcomes does not keep its level. Use the old rule, or another warehouse for the "
        f"new one; accept='stopping' {way}."
    )


def _rule_changes(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> str:
    """Say which keys of a stopping rule differ."""
    before, now = old or {}, new or {}
    changes = []
    for key in dict.fromkeys([*before, *now]):
        if before.get(key) != now.get(key):
            was, is_ = (f"{rule[key]!r}" if key in rule else "not given" for rule in (before, now))
            changes.append(f"`{key}` was {was} and is {is_}")
    return "; ".join(changes)


# ---- what the warehouse has, and whether it counts ------------------------------------------------------------------


class _Stored(NamedTuple):
    """An identity under which the warehouse has a data set, algorithm or measure of the experiment."""

    part: Part
    name: str
    key: str
    kind: EarlierKind | Literal[""]  # empty if it is what the experiment has now
    counts: bool
    versions: Mapping[str, tuple[str, str]]


def _identities(record: Mapping[str, Any], part: Part) -> dict[str, Identity]:
    """Read the identities in a record."""
    return {name: Identity(**entry["identity"]) for name, entry in record[part].items()}


def _settled(before: Mapping[str, Any] | None, record: Mapping[str, Any]) -> frozenset[tuple[str, str, str, str]]:
    """Return what the last run accepted, as kind, part, name and key: it holds until the thing itself changes."""
    if before is None:
        return frozenset()
    return frozenset(
        (kind, part, name, key)
        for kind in before.get("accept", ())
        for part in _PARTS
        for name, now in _identities(record, part).items()
        if (keys := before.get("identities", {}).get(part, {}).get(name)) and keys[0] == now.key
        for key in keys
    )


def _stored(
    record: Mapping[str, Any],
    designs: Sequence[Mapping[str, Any]],
    identities: Mapping[str, Mapping[str, Iterable[str]]],
    accepted: frozenset[str],
    settled: frozenset[tuple[str, str, str, str]],
) -> Iterator[_Stored]:
    for part in _PARTS:
        known = {identity.key: identity for each in designs for identity in _identities(each, part).values()}
        for name, now in _identities(record, part).items():
            for key in sorted(identities[part].get(name, ())):
                then = now if key == now.key else known.get(key)
                if key and (then is None or then.digest != now.digest):
                    yield _Stored(part, name, key, "changed", False, {})
                    continue
                unknown = then is None or not (then.established and now.established)
                versions = {} if then is None else changed_versions(then, now)
                kind: EarlierKind | Literal[""] = "versions" if versions else "unknown" if unknown else ""
                if unknown and "unknown" not in accepted and ("unknown", part, name, key) not in settled:
                    kind = "unknown"
                counts = not kind or kind in accepted or (kind, part, name, key) in settled
                yield _Stored(part, name, key, kind, counts, versions)


def _earlier(document: Mapping[str, Any], stored: Sequence[_Stored], warehouse: Warehouse) -> Iterator[EarlierTrials]:
    """Count the trials that were made with something else, each once, under the mildest kind."""
    included: set[str] = {""}
    before = _tried(document, stored, included, warehouse)
    for kind in get_args(EarlierKind):
        concerned = [each for each in stored if each.kind == kind]
        if not concerned:
            continue
        included.add(kind)
        after = _tried(document, stored, included, warehouse)
        gained, before = after & ~before, after
        if not gained.any():
            continue
        axes = {"datasets": gained.any(axis=(1, 2)), "algorithms": gained.any(axis=(0, 1))}
        has = {part: set(np.array(document[part], object)[axes[part]]) for part in axes}
        things = [each for each in concerned if each.part == "measures" or each.name in has[each.part]]
        yield EarlierTrials(
            kind=kind,
            trials=int(gained.sum()),
            accepted=all(each.counts for each in things),
            algorithms=tuple(name for name in document["algorithms"] if name in has["algorithms"]),
            things=tuple(dict.fromkeys((each.part, each.name) for each in things)),
            versions={library: pair for each in things for library, pair in each.versions.items()},
        )


def _tried(
    document: Mapping[str, Any], stored: Sequence[_Stored], kinds: Container[str], warehouse: Warehouse
) -> BoolArray:
    """Return which trials have been tried if identities of these kinds count; new measures are ignored."""
    keys: dict[str, dict[str, list[str]]] = {part: {name: [] for name in document[part]} for part in _PARTS[:2]}
    keys["measures"] = {each.name: [] for each in stored if each.part == "measures"}
    for each in stored:
        if each.kind in kinds:
            keys[each.part][each.name].append(each.key)
    measures = [entry for entry in document["measures"] if entry["name"] in keys["measures"]]
    return warehouse.status_codes({**document, "measures": measures, "identities": keys}) > 0


# ---- words ----------------------------------------------------------------------------------------------------------


def _refusal(warehouse: str, found: EarlierTrials, record: Mapping[str, Any]) -> str:
    lines = []
    for part, name in found.things:
        problem = record[part][name]["identity"]["problem"]
        lines.append(f"  {_noun(part, name)}: {problem or 'its content was not recorded'}\n")
    return (
        f"The warehouse {warehouse!r} has {_trials(found)} that this experiment would perhaps not "
        f"reproduce:\n{''.join(lines)}They are kept. accept='unknown' counts them as they are; or use another "
        "warehouse."
    )


def _trials(found: EarlierTrials) -> str:
    noun = "trial" if found.trials == 1 else "trials"
    return f"{found.trials:,} {noun} of {join_names(found.algorithms, quote=False)}"


def _noun(part: Part, name: str) -> str:
    return f"the {NOUNS[part]} {name!r}"
