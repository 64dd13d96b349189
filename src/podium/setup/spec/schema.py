"""The JSON Schema of design files, made from what podium knows by name, so that editors complete and check them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from podium.setup.candidates import CANDIDATES
from podium.setup.dataset import TASKS
from podium.setup.entries import ENTRIES as DATA
from podium.setup.generators import GENERATORS
from podium.setup.measures import MEASURES
from podium.setup.resampling.resolve import SCHEMES
from podium.setup.spec.design import REQUIRED

Schema: TypeAlias = dict[str, Any]

_TEXT: Schema = {"type": "string", "minLength": 1}
_FLAG: Schema = {"type": "boolean"}
_ANY_OBJECT: Schema = {"type": "object"}

# Used in many places; they stand once in the schema and are referred to.
_SHARED: dict[str, Schema] = {
    "name": {**_TEXT, "description": "Name in tables and figures; the usual name if left out."},
    "factors": {
        "type": "object",
        "description": "Levels of the factors this entry stands for; they stay with the results.",
    },
    "levels": {"type": "array", "minItems": 1, "description": "The levels that are tried."},
    "grid": {
        "description": "Levels of parameters; every combination becomes an entry of its own.",
        "anyOf": [
            {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/levels"}},
            {"type": "array", "minItems": 1, "items": {"type": "object", "minProperties": 1}},
        ],
    },
    "fraction": {
        "description": "A number between 0 and 1, or a fraction such as 2/3.",
        "anyOf": [
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            {"type": "string", "pattern": "^[0-9]+/[0-9]+$"},
        ],
    },
    "stratify": {"type": "boolean", "description": "Keep the class frequencies."},
}


def _shared(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def experiment_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of design files.

    Examples
    --------
    >>> experiment_schema()["required"]
    ['datasets', 'algorithms', 'resampling', 'measures']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Design of a benchmark experiment",
        "description": "Data sets × replications × algorithms × measures, for podium.",
        "type": "object",
        "additionalProperties": False,
        "required": list(REQUIRED),
        "properties": {
            "name": {**_TEXT, "description": "Name of the experiment; the name of the file if left out."},
            "seed": {"type": "integer", "minimum": 0, "default": 1, "description": "All randomness derives from it."},
            "datasets": _one_or_more("#/$defs/dataset", "What is learned from."),
            "algorithms": _one_or_more("#/$defs/algorithm", "The candidates to be compared."),
            "resampling": {"$ref": "#/$defs/resampling"},
            "measures": _one_or_more("#/$defs/measure", "What is measured."),
        },
        "$defs": {
            "dataset": _dataset(),
            "algorithm": _algorithm(),
            "resampling": _resampling(),
            "measure": _measure(),
            **_SHARED,
        },
    }


def _one_or_more(ref: str, description: str) -> Schema:
    return {
        "description": description,
        "anyOf": [
            {"type": "array", "minItems": 1, "items": {"$ref": ref}},
            {"$ref": ref},
            {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"$ref": ref},
            },  # names and what they stand for
        ],
    }


def _mapping(properties: Mapping[str, Schema], required: list[str], description: str = "") -> Schema:
    told = {"description": description} if description else {}
    return {
        "type": "object",
        **told,
        "required": required,
        "properties": dict(properties),
        "additionalProperties": False,
    }


def _grid(parameters: Iterable[str]) -> Schema:
    """Allow levels for these parameters."""
    levels = dict.fromkeys(parameters, _shared("levels"))
    return {"allOf": [_shared("grid")], "properties": levels, "propertyNames": {"enum": [*levels]}}


# ---- data sets ------------------------------------------------------------------------------------------------------


def _dataset() -> Schema:
    names = sorted({*(entry.name for entry in DATA), *GENERATORS})
    aliases = sorted({alias for entry in DATA for alias in entry.aliases} - set(names))
    columns: dict[str, Schema] = {
        "target": {**_TEXT, "description": "Column with the response."},
        "task": {"enum": list(TASKS)},
        "nominal": {"type": "array", "items": _TEXT, "description": "Attributes that are nominal although numbers."},
        "drop": {"type": "array", "items": _TEXT, "description": "Columns to be left out."},
        "groups": {**_TEXT, "description": "Column that says which observations belong together."},
    }
    named = {"name": _shared("name"), "factors": _shared("factors")}
    missing: Schema = {"type": "array", "items": {"type": "string"}, "description": "What means missing in a CSV file."}
    return {
        "anyOf": [
            {"enum": names, "description": "A data set or data generating process of the catalogue."},
            {"type": "string", "pattern": r"\.(csv|tsv|txt|data|parquet|pq|arff)", "description": "A file."},
            {"type": "string", "pattern": "^[oO][pP][eE][nN][mM][lL]:[0-9]+$", "description": "A data set of OpenML."},
            {"enum": aliases, "description": "Another name of a data set of the catalogue."},
            _mapping({"dataset": {"enum": [*names, *aliases]}, **columns, **named}, ["dataset"]),
            _mapping({"file": _TEXT, **columns, "missing": missing, **named}, ["file"]),
            _mapping({"openml": {"type": "integer", "minimum": 1}, **columns, **named}, ["openml"]),
            *(_generator(kind) for kind in GENERATORS),
        ]
    }


def _generator(kind: str) -> Schema:
    known = GENERATORS[kind]
    parameters: dict[str, Schema] = {}
    for name, parameter in known.parameters.items():
        limits = {"minimum": parameter.minimum, "maximum": parameter.maximum}
        parameters[name] = {
            "type": "integer" if parameter.whole else "number",
            "description": f"{parameter.meaning[0].upper()}{parameter.meaning[1:]}.",
            "default": parameter.default,
            **{key: limit for key, limit in limits.items() if limit is not None},
        }
    properties: dict[str, Schema] = {
        "generator": {"const": kind, "description": f"{known.title[0].upper()}{known.title[1:]}."},
        "n": {"type": "integer", "minimum": 1, "default": known.n, "description": "Size of a sample."},
        **parameters,
        "seed": {"type": "integer", "description": "Draw one fixed data set with this seed."},
        "name": _shared("name"),
        "factors": _shared("factors"),
        "grid": _grid(["n", *parameters]),
    }
    return _mapping(properties, ["generator"])


# ---- algorithms -----------------------------------------------------------------------------------------------------


def _algorithm() -> Schema:
    told = {
        "name": _shared("name"),
        "description": {"type": "string", "description": "One sentence for a methods section."},
        "factors": _shared("factors"),
    }
    encoding: Schema = {
        "enum": ["one-hot", "treatment", "ordered", "codes"],
        "description": "Turn nominal attributes into numbers and fill missing values before the model sees them.",
    }
    anything: Schema = {**_ANY_OBJECT, "description": "Plain values, or objects {class: ..., parameters: ...}."}
    own = {"parameters": anything, "encoding": encoding, **told, "grid": _shared("grid")}
    return {
        "anyOf": [
            {"enum": list(CANDIDATES), "description": "A candidate of podium."},
            *(_candidate(name, told) for name in CANDIDATES),
            _mapping({"class": _TEXT, **own}, ["class"], "An importable class with fit, such as sklearn.svm.SVC."),
            _mapping({"factory": _TEXT, **own}, ["factory"], "An importable function f(learn) or f(learn, seed)."),
        ]
    }


def _candidate(name: str, told: Mapping[str, Schema]) -> Schema:
    known = CANDIDATES[name]
    properties: dict[str, Schema] = {
        "candidate": {"const": name, "description": known.description},
        "parameters": {
            "type": "object",
            "properties": {
                key: {"default": list(value) if isinstance(value, tuple) else value}
                for key, value in known.defaults.items()
            },
            "additionalProperties": False,
        },
        **told,
        "grid": _grid(known.parameters),
    }
    return _mapping(properties, ["candidate"])


def _object(description: str) -> Schema:
    return _mapping({"class": _TEXT, "parameters": _ANY_OBJECT}, ["class"], description)


# ---- resampling -----------------------------------------------------------------------------------------------------


def _count(least: int, default: int | None = None) -> Schema:
    return {"type": "integer", "minimum": least, **({} if default is None else {"default": default})}


def _resampling() -> Schema:
    stratify = _shared("stratify")
    schemes: dict[str, dict[str, Schema]] = {
        "bootstrap": {
            "replications": _count(1, 250),
            "test": {"enum": ["out-of-bag", "bootstrap"], "default": "out-of-bag"},
            "stratify": stratify,
        },
        "subsampling": {"replications": _count(1, 100), "fraction": _shared("fraction"), "stratify": stratify},
        "hold-out": {"fraction": _shared("fraction"), "stratify": stratify},
        "cross-validation": {
            "folds": _count(2, 10),
            "repeats": _count(1, 1),
            "stratify": stratify,
            "grouped": {**_FLAG, "default": False, "description": "Keep groups together."},
        },
        "5x2cv": {"stratify": {"allOf": [stratify], "default": True}},
        "fresh-draws": {
            "replications": _count(1, 100),
            "n_learn": _count(1),
            "n_test": _count(1, 1000),
            "test": {"enum": ["new", "fixed"], "default": "new"},
        },
        "reserve": {"fraction": _shared("fraction"), "then": {"$ref": "#/$defs/resampling"}, "stratify": stratify},
    }
    return {
        "description": "How learning and test samples are drawn.",
        "anyOf": [
            {"enum": list(SCHEMES)},
            *(
                _mapping({name: {"anyOf": [_mapping(parameters, []), {"type": "null"}]}}, [name])
                for name, parameters in schemes.items()
            ),
            _object("A splitter of scikit-learn."),
        ],
    }


# ---- measures -------------------------------------------------------------------------------------------------------


def _measure() -> Schema:
    shown: dict[str, Schema] = {
        "name": _shared("name"),
        "direction": {"enum": ["lower", "greater"], "description": "Which values are better."},
        "units": {"type": "string"},
        "scale": {"enum": ["linear", "log"]},
    }
    functional: Schema = {
        "description": "Over the losses of the test sample: their mean, median or a quantile.",
        "anyOf": [
            {"enum": ["mean", "median"]},
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        ],
    }
    options: dict[str, Schema] = {
        "functional": functional,
        "positive": {"description": "The class it is about."},
        "multiclass": {"enum": ["hand-till", "one-vs-rest"]},
        "clip": {"type": "number", "description": "Smallest probability."},
    }
    names = list(MEASURES)
    aliases = sorted({alias for known in MEASURES.values() for alias in known.aliases} - set(names))
    return {
        "anyOf": [
            {"enum": names, "description": "A measure of podium."},
            {"enum": aliases, "description": "Another name of a measure of podium."},
            _mapping({"measure": {"enum": [*names, *aliases]}, **options, **shown}, ["measure"]),
            _mapping({"scorer": _TEXT, **shown}, ["scorer"], "A scorer of scikit-learn."),
            _mapping({"function": _TEXT, **shown}, ["function"], "An importable f(model, learn, test) or f(fitted)."),
        ]
    }
