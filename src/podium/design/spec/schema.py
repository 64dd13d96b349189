"""The JSON Schema of design files, derived from the dataclasses that read them; for editors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any, get_type_hints

from podium.checks import check_call
from podium.design import algorithm, measure
from podium.design.candidates import CANDIDATES
from podium.design.catalogue import fixed_entries
from podium.design.characteristics.characteristic import CHARACTERISTICS
from podium.design.characteristics.selection import SETS
from podium.design.generators import GENERATORS
from podium.design.measures import MEASURES, NamedMeasure
from podium.design.parameter import Parameter
from podium.design.predictions import KEEP
from podium.design.resampling import CrossValidation
from podium.design.resampling.schemes import CLASSES, SCHEMES
from podium.design.sources import spec as sources
from podium.design.sources.files import ENDINGS
from podium.design.spec.design import DesignEntry
from podium.design.spec.entry import SHARED, Schema, entry_schema, field_texts, value_schema
from podium.design.stopping import KINDS, Stopping


@check_call
def experiment_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of design files.

    Examples
    --------
    >>> import podium
    >>> podium.design.experiment_schema()["required"]
    ['datasets', 'algorithms', 'resampling', 'measures']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Design of a benchmark experiment",
        **entry_schema(DesignEntry),
        "$defs": {
            "dataset": {"anyOf": [*_dataset_names(), *_tables(), *(_generator(kind) for kind in GENERATORS)]},
            "algorithm": _algorithm(),
            "resampling": _resampling(),
            "measure": _measure(),
            "keep": {"anyOf": [{"enum": list(KEEP)}, {"type": "array", "items": {"enum": list(KEEP)}}]},
            "characteristics": _characteristics(),
            **_stopping(),
            **SHARED,
        },
    }


def _characteristics() -> Schema:
    names = {"enum": [*SETS, *CHARACTERISTICS]}
    return {"anyOf": [names, {"type": "array", "items": names}]}


def _stopping() -> dict[str, Schema]:
    name: Schema = {"type": "string", "minLength": 1}
    count: Schema = {"type": "integer", "minimum": 1}
    area: Schema = {
        "anyOf": [
            {"type": "number", "exclusiveMinimum": 0},
            {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}},
        ]
    }
    pair = {"type": "array", "minItems": 2, "maxItems": 2, "items": name}
    return {
        "stopping": {"anyOf": [{"enum": list(KINDS), "description": "Its kind."}, entry_schema(Stopping)]},
        "stage sizes": {"anyOf": [count, {"type": "array", "minItems": 1, "items": count}]},
        "interval": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}},
        "names": {"anyOf": [name, {"type": "array", "items": name}]},
        "pairs": {"anyOf": [pair, {"type": "array", "items": pair}]},
        "equivalence": {"anyOf": [area, {"type": "object", "additionalProperties": area}]},
    }


def _grid(parameters: Iterable[str]) -> Schema:
    """Allow levels for these parameters."""
    levels = {"type": "object", "propertyNames": {"enum": [*parameters]}}
    return {
        "allOf": [{"$ref": "#/$defs/grid"}],
        "if": {"type": "object"},
        "then": levels,
        "else": {"items": levels},
    }


# ---- data sets ------------------------------------------------------------------------------------------------------


def _dataset_names() -> list[Schema]:
    names, aliases = _names_and_aliases()
    endings = "|".join(ending.removeprefix(".") for ending in ENDINGS)
    return [
        {
            "enum": sorted({*names, *GENERATORS}),
            "description": "A data set or generator of the catalogue.",
        },
        {"type": "string", "pattern": rf"\.({endings})", "description": "A file."},
        {"type": "string", "pattern": "^[oO][pP][eE][nN][mM][lL]:[0-9]+$", "description": "A data set of OpenML."},
        {"enum": aliases, "description": "Another name of a data set of the catalogue."},
    ]


def _names_and_aliases() -> tuple[list[str], list[str]]:
    names = sorted(entry.name for entry in fixed_entries())
    return names, sorted({alias for entry in fixed_entries() for alias in entry.aliases} - set(names))


def _tables() -> list[Schema]:
    names, aliases = _names_and_aliases()
    named = {"enum": [*names, *aliases], "description": "Its name."}
    return [
        entry_schema(sources.NamedDatasetEntry, dataset=named),
        entry_schema(sources.FileEntry),
        entry_schema(sources.OpenMLEntry),
    ]


def _generator(kind: str) -> Schema:
    known = GENERATORS[kind]
    parameters = {name: _parameter(parameter) for name, parameter in known.parameters.items()}
    schema = entry_schema(
        sources.GeneratorEntry,
        generator={"const": kind, "description": _sentence(known.title)},
        grid=_grid(["n", *parameters]),
        **parameters,
    )
    schema["properties"]["n"]["default"] = known.n
    return schema


def _parameter(parameter: Parameter) -> Schema:
    if parameter.anything:
        return _description(_sentence(parameter.meaning))
    if parameter.choices:
        return {"enum": list(parameter.choices), **_description(_sentence(parameter.meaning))}
    limits = {"minimum": parameter.minimum, "maximum": parameter.maximum, "exclusiveMinimum": parameter.above}
    number: Schema = {
        "type": "integer" if parameter.whole else "number",
        **{key: limit for key, limit in limits.items() if limit is not None},
    }
    if isinstance(parameter.default, tuple):
        number = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}
    elif parameter.default is None:
        number = {**number, "type": [number["type"], "null"]}
    default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
    return {**number, **_description(_sentence(parameter.meaning)), "default": default}


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _description(text: str) -> Schema:
    return {"description": text} if text else {}


# ---- algorithms -----------------------------------------------------------------------------------------------------


def _algorithm() -> Schema:
    return {
        "anyOf": [
            {"enum": list(CANDIDATES), "description": "A candidate of podium."},
            *(_candidate(name) for name in CANDIDATES),
            entry_schema(algorithm.ClassEntry),
            entry_schema(algorithm.FactoryEntry),
        ]
    }


def _candidate(name: str) -> Schema:
    known = CANDIDATES[name]
    texts = {key: text for model in known.models.values() for key, text in field_texts(model).items()}
    parameters = {
        key: {**_parameter(replace(parameter, default=known.defaults[key])), **_description(texts.get(key, ""))}
        for key, parameter in known.parameters.items()
    }
    return entry_schema(
        algorithm.CandidateEntry,
        candidate={"const": name, "description": _sentence(known.description)},
        parameters={"type": "object", "properties": parameters, "additionalProperties": False},
        grid=_grid(parameters),
    )


# ---- resampling -----------------------------------------------------------------------------------------------------


def _resampling() -> Schema:
    schemes = {name: entry_schema(kind) for name, kind in CLASSES.items()}
    hints = get_type_hints(CrossValidation.five_by_two, include_extras=True)
    shortcut = {
        name: {**value_schema(hints[name]), "default": parameter.default}
        for name, parameter in signature(CrossValidation.five_by_two).parameters.items()
    }
    schemes["5x2cv"] = {
        "type": "object",
        "description": "Five repeats of 2-fold cross-validation.",
        "properties": shortcut,
        "additionalProperties": False,
    }
    return {
        "description": "How learning and test samples are drawn.",
        "anyOf": [
            {"enum": list(SCHEMES)},
            *(_one_key(name, {"anyOf": [schema, {"type": "null"}]}) for name, schema in schemes.items()),
            {
                "type": "object",
                "description": "A splitter of scikit-learn.",
                "required": ["class"],
                "properties": {"class": value_schema(str), "parameters": value_schema(Mapping[str, Any])},
                "additionalProperties": False,
            },
        ],
    }


def _one_key(name: str, schema: Schema) -> Schema:
    return {"type": "object", "required": [name], "properties": {name: schema}, "additionalProperties": False}


# ---- measures -------------------------------------------------------------------------------------------------------


def _measure() -> Schema:
    aliases = sorted({alias for known in MEASURES.values() for alias in known.aliases} - set(MEASURES))
    kinds: dict[tuple[str, ...], list[NamedMeasure]] = {}
    for known in MEASURES.values():
        kinds.setdefault(known.keys, []).append(known)
    return {
        "anyOf": [
            {"enum": list(MEASURES), "description": "A measure of podium."},
            {"enum": aliases, "description": "Another name of a measure of podium."},
            *(_measures_with_options(alike) for alike in kinds.values()),
            entry_schema(measure.ScorerEntry),
            entry_schema(measure.FunctionEntry),
        ]
    }


def _measures_with_options(alike: list[NamedMeasure]) -> Schema:
    """Return the schema of measures that have the same options."""
    names = [word for known in alike for word in (known.name, *known.aliases)]
    options = {name: _parameter(option) for known in alike for name, option in known.options.items()}
    if alike[0].loss:
        text = "The functional of the losses of the test sample: their mean, median or a quantile."
        quantile = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
        options["functional"] = {"anyOf": [{"enum": ["mean", "median"]}, quantile], "description": text}
    return entry_schema(measure.NamedMeasureEntry, measure={"enum": names, "description": "Its name."}, **options)
