"""Design files: plain scalars, lines, round trips, and every error with file and line."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import PredefinedSplit, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import podium
from podium.cli import main
from podium.design.sample import Sample
from podium.design.spec.document import parse_document, read_document, to_yaml
from podium.errors import DesignError, InputError
from slow_laws import few_examples

ROOT = Path(__file__).parents[2]

TOY = """\
name: toy
seed: 3
datasets:
  - monks1
  - generator: circle
    n: 100
algorithms:
  - lda
  - candidate: knn
    parameters:
      k: 5
resampling:
  bootstrap:
    replications: 20
measures:
  - misclassification
"""


def written(folder: Path, text: str, name: str = "toy.yaml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def says(error: type[Exception], text: str) -> Any:
    return pytest.raises(error, match=f"^{re.escape(text)}$")


# Plain scalars


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("true", True),
        ("no", "no"),
        ("null", None),
        ("~", None),
        ("", None),
        ("-7", -7),
        ("010", 10),
        ("1e-3", 0.001),
        ("1E5", 100000.0),
        (".5", 0.5),
        (".inf", math.inf),
        ("2/3", "2/3"),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        ("0x1F", "0x1F"),
        ("'7'", "7"),
        ('"true"', "true"),
        ("!!float 7", 7.0),
    ],
)
def test_words_mean_what_yaml_1_2_says(word: str, value: object) -> None:
    found = parse_document(f"key: {word}").data["key"]
    assert found == value
    assert type(found) is type(value)


def test_json_is_a_design_file_too() -> None:
    text = json.dumps({"a": [1, 2.5, "x", None, True], "b": {"c": {}}}, indent=2)
    assert parse_document(text).data == {"a": [1, 2.5, "x", None, True], "b": {"c": {}}}


def test_anchors_can_be_referred_to() -> None:
    assert parse_document("a: &x {b: [1]}\nc: *x").data == {"a": {"b": [1]}, "c": {"b": [1]}}


def test_lines_are_known() -> None:
    lines = parse_document(TOY).lines
    assert lines[("datasets", 1)] == 5
    assert lines[("datasets", 1, "n")] == 6
    assert lines[("algorithms", 1, "parameters", "k")] == 11
    assert parse_document(TOY).line(("algorithms", 1, "name")) == 9  # of the nearest place around it


texts = st.text(st.characters(exclude_categories=["Cs"]))  # as by default, but without a table of what UTF-8 can write
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@few_examples()
@given(st.dictionaries(texts, plain, max_size=5))
def test_what_is_written_is_read_again(design: dict[str, Any]) -> None:
    text = to_yaml(design)
    assert parse_document(text).data == design
    assert yaml.compose(text) is not None or not design  # any other reader can read it


@pytest.mark.parametrize(
    "text", ["no", "on", "1e-3", "010", "1:30", "~", "", " x", "2024-01-01", "a: b", "#", "- x", "="]
)
def test_text_that_looks_like_something_else_is_quoted_for_every_reader(text: str) -> None:
    assert yaml.safe_load(to_yaml({"key": text})) == {"key": text}
    assert parse_document(to_yaml({"key": text})).data == {"key": text}


# Round trips

DESIGNS: dict[str, dict[str, Any]] = {
    "names": {
        "datasets": ["monks1", "sonar"],
        "algorithms": ["lda", "constant"],
        "resampling": "bootstrap",
        "measures": ["misclassification"],
    },
    "one of a kind": {
        "datasets": "monks3",
        "algorithms": "rpart",
        "resampling": {"5x2cv": None},
        "measures": "accuracy",
    },
    "generators and grids": {
        "name": "sensitivity",
        "seed": 11,
        "datasets": [
            {"generator": "circle", "n": 60, "grid": {"d": [2, 5]}},
            {"generator": "spirals", "n": 80, "seed": 4, "name": "fixed spirals"},
        ],
        "algorithms": [{"candidate": "knn", "grid": [{"k": [1, 3]}, {"k": [5], "folds": [3, 4]}]}, "nb"],
        "resampling": {"subsampling": {"replications": 20, "fraction": "2/3", "stratify": True}},
        "measures": ["error", {"measure": "deviance", "functional": "median"}, {"measure": "recall", "positive": "1"}],
    },
    "classes": {
        "datasets": ["sonar"],
        "algorithms": [
            {"class": "sklearn.svm.SVC", "parameters": {"C": 1e-3, "kernel": "rbf"}, "name": "svm"},
            {
                "class": "sklearn.model_selection.GridSearchCV",
                "parameters": {"estimator": {"class": "sklearn.svm.SVC"}, "param_grid": {"C": [1, 10]}},
                "name": "tuned",
            },
            {"class": "sklearn.neighbors.KNeighborsClassifier", "grid": {"n_neighbors": [1, 5]}},
        ],
        "resampling": {
            "class": "sklearn.model_selection.StratifiedShuffleSplit",
            "parameters": {"n_splits": 4, "test_size": 0.3},
        },
        "measures": [{"scorer": "balanced_accuracy"}, "fit time"],
    },
    "regression": {
        "datasets": [{"generator": "friedman1", "n": 100, "name": "no"}],
        "algorithms": ["lm", "constant"],
        "resampling": {"fresh-draws": {"replications": 4, "n_test": 50, "test": "fixed"}},
        "measures": [{"measure": "absolute error", "functional": 0.9}, "r2"],
    },
    "reserve": {
        "datasets": ["iris"],
        "algorithms": ["lda", "constant"],
        "resampling": {
            "reserve": {"fraction": "1/3", "stratify": True, "then": {"cross-validation": {"folds": 2, "repeats": 5}}}
        },
        "measures": ["misclassification"],
    },
    "grouped": {
        "datasets": [{"dataset": "iris", "name": "flowers"}],
        "algorithms": ["lda"],
        "resampling": {"hold-out": {"fraction": 0.8}},
        "measures": ["auc"],
    },
}


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_a_design_comes_back_from_a_mapping_and_from_a_file(design: dict[str, Any], tmp_path: Path) -> None:
    first = podium.Experiment.from_dict(design)
    again = podium.Experiment.from_dict(first.to_dict())
    assert again == first
    assert again.to_dict() == first.to_dict()
    named = first.replace(name="round trip")
    file = named.to_file(tmp_path / "design.yaml")
    back = podium.Experiment.from_file(file)
    assert back == named
    assert back.fingerprint() == first.fingerprint()
    assert file.read_text(encoding="utf-8") == named.to_yaml() == back.to_yaml()
    assert [list(first.trials())[i] == list(back.trials())[i] for i in (0, -1)] == [True, True]
    for thing, other in zip(first.datasets, back.datasets, strict=True):
        assert np.array_equal(first.samples(thing.name, 1)[0].X, back.samples(other.name, 1)[0].X)


def test_objects_with_a_file_form_are_written() -> None:
    made = podium.Experiment(
        "sonar",
        {"svm": SVC(C=2.0), "nb": GaussianNB()},
        RepeatedKFold(n_splits=3, n_repeats=2),
        podium.Measure.named("misclassification"),
    )
    assert made.to_dict() == {
        "seed": 0,
        "datasets": ["sonar"],
        "algorithms": [
            {"class": "sklearn.svm.SVC", "parameters": {"C": 2.0}, "name": "svm"},
            {"class": "sklearn.naive_bayes.GaussianNB", "name": "nb"},
        ],
        "resampling": {
            "class": "sklearn.model_selection.RepeatedKFold",
            "parameters": {"n_splits": 3, "n_repeats": 2},
        },
        "measures": ["misclassification"],
    }


def test_the_text_reads_well() -> None:
    parts = podium.Experiment.from_dict(DESIGNS["generators and grids"]).to_yaml().split("\n\n")
    assert [part.split(":")[0] for part in parts] == ["name", "datasets", "algorithms", "resampling", "measures"]
    assert parts[0] == "name: sensitivity\nseed: 11"
    assert "  - candidate: knn\n    grid:\n      - k: [1, 3]\n      - k: [5]\n        folds: [3, 4]\n  - nb" in parts[2]
    assert "    fraction: 2/3\n    stratify: true" in parts[3]


def test_the_name_is_that_of_the_file_by_default(tmp_path: Path) -> None:
    text = "datasets: iris\nalgorithms: lda\nresampling: hold-out\nmeasures: accuracy\n"
    assert podium.Experiment.from_file(written(tmp_path, text, "first try.yaml")).name == "first try"
    assert podium.Experiment.from_file(written(tmp_path, "name: told\n" + text)).name == "told"


def test_paths_start_at_the_folder_of_the_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pd.DataFrame({"a": np.arange(20.0), "class": np.where(np.arange(20) % 2, "u", "v")})
    for folder in ("data", "designs", "elsewhere"):
        (tmp_path / folder).mkdir()
    table.to_csv(tmp_path / "data" / "mine.csv", index=False)
    text = (
        "datasets: {file: ../data/mine.csv, target: class}\nalgorithms: lda\nresampling: hold-out\nmeasures: accuracy\n"
    )
    first = podium.Experiment.from_file(written(tmp_path / "designs", text, "d.yaml"))
    moved = first.to_file(tmp_path / "d.yaml")
    assert read_document(moved).data["datasets"] == [{"file": "data/mine.csv", "target": "class"}]
    assert podium.Experiment.from_file(moved) == first
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert podium.Experiment.from_file(moved) == first
    here = podium.Experiment({"file": "../data/mine.csv", "target": "class"}, "lda", "hold-out", "accuracy", name="d")
    assert podium.Experiment.from_file(here.to_file(tmp_path / "designs" / "e.yaml")) == first


# What has no file form


def test_what_has_no_file_form_is_reported(tmp_path: Path) -> None:
    def own(learn: Sample) -> GaussianNB:
        return GaussianNB()

    data = podium.Dataset(np.arange(40.0).reshape(20, 2), np.arange(20) % 2, name="mine")
    algorithm = podium.Algorithm("own", own)
    measure = podium.Measure("zero", lambda model, learn, test: 0.0, direction="lower")

    def design(**changes: Any) -> podium.Experiment:
        arguments = {
            "datasets": "iris",
            "algorithms": "lda",
            "resampling": "hold-out",
            "measures": "accuracy",
            **changes,
        }
        return podium.Experiment(**arguments)

    text = r"The data set 'mine' was made from an object and has no file form\. Save the data to a file and use"
    with pytest.raises(DesignError, match=text):
        design(datasets=data).to_yaml()
    own_splits = PredefinedSplit(np.arange(150) % 2)
    for made in (design(algorithms=["lda", algorithm]), design(measures=measure), design(resampling=own_splits)):
        with pytest.raises(DesignError, match="has no file form"):
            made.to_file(tmp_path / "no.yaml")
        json.dumps(made.to_dict())  # it can still be shown and kept
        with pytest.raises(DesignError, match=r"was made from an object \(.*\) and has no file form\.$"):
            podium.Experiment.from_dict(made.to_dict())
    assert not (tmp_path / "no.yaml").exists()


@pytest.mark.parametrize("name", ["design.yaml", "design.yml", "design.json"])
def test_the_extension_of_a_design_file_chooses_its_format(name: str, tmp_path: Path) -> None:
    made = podium.Experiment("iris", ["lda", "constant"], "bootstrap", "accuracy", name="design")
    assert podium.Experiment.from_file(made.to_file(tmp_path / name)).fingerprint() == made.fingerprint()
    if name.endswith("json"):
        assert json.loads((tmp_path / name).read_text()) == made.to_dict()


# Errors name file and line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- monks1\n", 1),
        ("", 1),
        ("a: 1\nb: [1, 2\n", 3),
        ("a: 1\n\tb: 2\n", 2),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: *there\n", 1),
        ("a: 1\nb: x\x07y\n", 2),
        ("seed: 1\nname: a\nseed: 2\n", 3),
        ("a:\n  1: x\n", 2),
        ("a: !!python/object/apply:os.system ['true']\n", 1),
        ("a: !!int x\n", 1),
        ("a:\n  &x\n  - *x\n", 2),
    ],
)
def test_what_is_not_a_design_file_is_refused(text: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(DesignError, match=rf"^toy\.yaml:{line}: "):
        podium.Experiment.from_file(written(tmp_path, text))


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "none.yaml", "there is no such file"), (tmp_path, "it is a folder")):
        with pytest.raises(InputError, match=words):
            podium.Experiment.from_file(path)
    (tmp_path / "latin.yaml").write_bytes(b"seed: 1\nname: b\xf6se\n")
    with says(DesignError, "latin.yaml:2: The file is not UTF-8 text."):
        podium.Experiment.from_file(tmp_path / "latin.yaml")


# What is in a design, what is there instead, and the line that is named; one wrong entry of every kind: see
# `test_places_of_errors`.
WRONG: list[tuple[str, str, int]] = [
    ("seed: 3", "sed: 3", 2),
    ("- monks1", "- monks1\n  - monks1", 5),
    ("    n: 100", "    n: 100\n    grid:\n      d: 3", 8),
    ("- lda", "-", 8),
    ("- lda", "- knn", 9),
    ("bootstrap:\n    replications: 20", "cross-validation:\n    folds: 101", 5),
    ("bootstrap:\n    replications: 20", "fresh-draws:\n    replications: 20", 4),
    ("- misclassification", "- fit time\n  - r2", 17),
    ("measures:\n  - misclassification\n", "", 1),
    ("measures:\n  - misclassification\n", "measures:\n", 15),
    ("  - misclassification\n", "  []\n", 15),
]


@pytest.mark.parametrize(("right", "wrong", "line"), WRONG)
def test_errors_of_a_design_name_file_and_line(right: str, wrong: str, line: int, tmp_path: Path) -> None:
    assert right in TOY
    with pytest.raises(DesignError) as caught:
        podium.Experiment.from_file(written(tmp_path, TOY.replace(right, wrong)))
    assert (caught.value.file, caught.value.line) == ("toy.yaml", line)
    assert str(caught.value) == f"toy.yaml:{line}: {caught.value.message}"


# Paths inside an entry: parameters, nested objects, grids, entries with a name.
DEEP = [
    (
        "- lda",
        "- class: sklearn.pipeline.Pipeline\n    parameters:\n      steps:\n        - [svm, {class: sklearn.svm.SVCC}]",
        11,
        ("algorithms", 0, "parameters", "steps", 0, 1, "class"),
    ),
    ("      k: 5", "      folds: 5\n      k: -5", 12, ("algorithms", 1, "parameters", "k")),
    (
        "    n: 100",
        "    grid:\n      - d: [2]\n      - d: [3]\n        e: [1]",
        9,
        ("datasets", 1, "grid", 1, "e"),
    ),
    ("  - lda\n  - candidate", "  first: lda\n  5nn:\n    candidat", 10, ("algorithms", "5nn", "candidat")),
]
NAMED = TOY.replace("    parameters:\n      k: 5\n", "")


@pytest.mark.parametrize(("right", "wrong", "line", "path"), DEEP)
def test_errors_carry_the_path_of_the_offending_entry(
    right: str, wrong: str, line: int, path: tuple[str | int, ...], tmp_path: Path
) -> None:
    text = TOY if right in TOY and "candidat" not in wrong else NAMED
    assert right in text
    with pytest.raises(DesignError) as caught:
        podium.Experiment.from_file(written(tmp_path, text.replace(right, wrong)))
    assert (caught.value.path, caught.value.line) == (path, line)


def test_a_missing_data_file_is_an_error_with_file_and_line(tmp_path: Path) -> None:
    file = written(tmp_path, TOY.replace("- monks1", "- mine.csv"))
    with says(DesignError, f"toy.yaml:4: There is no file {str(tmp_path / 'mine.csv')!r}."):
        podium.Experiment.from_file(file)


def test_reading_a_design_runs_no_code_of_its_own(tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    text = TOY.replace("- lda", f"- !!python/object/apply:pathlib.Path.touch [{trap}]")
    with pytest.raises(DesignError, match=r"The tag !!python/object/apply:pathlib.Path.touch is not supported"):
        podium.Experiment.from_file(written(tmp_path, text))
    splitter = f"class: subprocess.Popen\n  parameters:\n    args: [touch, {trap}]"
    text = TOY.replace("bootstrap:\n    replications: 20", splitter)
    with pytest.raises(DesignError, match=r"^toy\.yaml:13: `class` 'subprocess\.Popen' is not a splitter: "):
        podium.Experiment.from_file(written(tmp_path, text), imports=True)
    with pytest.raises(DesignError, match=r"How many splits 'subprocess\.Popen' makes is unknown"):
        podium.Experiment.from_file(written(tmp_path, text))
    assert not trap.exists()


# The JSON Schema


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = podium.design.experiment_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_the_schema_accepts_what_can_be_read_and_what_is_written(
    design: dict[str, Any], validator: jsonschema.Draft202012Validator
) -> None:
    assert [e.message for e in validator.iter_errors(design)] == []
    assert [e.message for e in validator.iter_errors(podium.Experiment.from_dict(design).to_dict())] == []


def test_the_schema_accepts_names_in_front_of_entries(validator: jsonschema.Draft202012Validator) -> None:
    named = {
        "datasets": {"flowers": "iris"},
        "algorithms": {"3nn": {"candidate": "knn", "parameters": {"k": 3}}, "bayes": "nb"},
        "resampling": {"bootstrap": {"replications": 3}},
        "measures": {"error": "misclassification"},
    }
    assert [e.message for e in validator.iter_errors(named)] == []
    experiment = podium.Experiment.from_dict(named)
    assert [algorithm.name for algorithm in experiment.algorithms] == ["3nn", "bayes"]
    assert not validator.is_valid({**named, "algorithms": {"3nn": {"candidat": "knn"}}})


def test_the_schema_accepts_the_examples(validator: jsonschema.Draft202012Validator) -> None:
    files = sorted((ROOT / "examples").glob("*.yaml"))
    assert files
    for file in files:
        assert [e.message for e in validator.iter_errors(read_document(file).data)] == []
        podium.Experiment.from_file(file)


# One entry of a design each: the schema and the reader agree on all of them.
ENTRIES: list[tuple[str, Any]] = [
    ("seed", 3),
    ("seed", -1),
    ("name", "mine"),
    ("name", 3),
    ("datasets", {"dataset": "iris", "name": "flowers", "factors": {"size": 1}}),
    ("datasets", {"dataset": "iris", "task": "clustering"}),
    ("datasets", {"dataset": "iris", "drop": "species"}),
    ("datasets", {"dataset": "iris", "na_values": ["?"]}),
    ("datasets", {"dataset": "iris", "groups": 3}),
    ("datasets", {"dataset": "iris", "name": None}),
    ("datasets", {"openml": 0}),
    ("datasets", {"generator": "circle", "n": 50, "d": 3}),
    ("datasets", {"generator": "circle", "n": 0}),
    ("datasets", {"generator": "circle", "d": 0}),
    ("datasets", {"generator": "circle", "seed": 1.5}),
    ("datasets", {"generator": "circle", "grid": {"d": [2, 3]}}),
    ("datasets", {"generator": "circle", "grid": [{"d": [2]}, {"sides": [50, 60]}]}),
    ("datasets", {"generator": "circle", "grid": {"d": 3}}),
    ("algorithms", {"candidate": "knn", "parameters": {"k": 3}, "description": "neighbours"}),
    ("algorithms", {"candidate": "knn", "parameters": {"k": 0}}),
    ("algorithms", {"candidate": "knn", "parameters": {"k": None}}),
    ("algorithms", {"candidate": "knn", "parameters": {"neighbours": 3}}),
    ("algorithms", {"candidate": "knn", "encoding": "one-hot"}),
    ("algorithms", {"candidate": "knn", "description": ""}),
    ("algorithms", {"candidate": "knn", "grid": {"k": [1, 3]}}),
    ("algorithms", {"candidate": "knn", "grid": {"trees": [1, 3]}}),
    ("algorithms", {"class": "sklearn.svm.SVC", "encoding": "code"}),
    ("algorithms", {"class": "sklearn.svm.SVC", "candidate": "svm"}),
    ("resampling", {"bootstrap": {"replications": 0}}),
    ("resampling", {"bootstrap": {"test": "oob"}}),
    ("resampling", {"bootstrap": {"stratify": "yes"}}),
    ("resampling", {"hold-out": {"fraction": "2/3"}}),
    ("resampling", {"hold-out": {"fraction": 1.5}}),
    ("resampling", {"cross-validation": {"folds": 1}}),
    ("resampling", {"5x2cv": {"stratify": False}}),
    ("resampling", {"5x2cv": {"folds": 2}}),
    ("resampling", {"reserve": {"fraction": 0.5, "then": "5x2cv"}}),
    ("resampling", {"reserve": {"then": {"bootsrap": {}}}}),
    ("resampling", {"bootstrap": {}, "hold-out": {}}),
    ("measures", {"measure": "misclassification", "functional": 0.9}),
    ("measures", {"measure": "misclassification", "functional": 2}),
    ("measures", {"measure": "auc", "functional": "mean"}),
    ("measures", {"measure": "auc", "multiclass": "one-vs-rest"}),
    ("measures", {"measure": "auc", "multiclass": "all"}),
    ("measures", {"measure": "log loss", "clip": 1e-9, "name": "cross-entropy", "scale": "log"}),
    ("measures", {"measure": "fit time", "units": 3}),
    ("measures", {"scorer": "accuracy", "direction": "higher"}),
    ("measures", {"scorer": "accuracy", "direction": "up"}),
    ("measures", {"scorer": "accuracy", "positive": "a"}),
    ("measures", {"measure": "misclassification", "scorer": "accuracy"}),
]


@pytest.mark.parametrize(("key", "value"), ENTRIES, ids=str)
def test_the_schema_and_the_reader_agree(key: str, value: Any, validator: jsonschema.Draft202012Validator) -> None:
    design = {
        "datasets": ["iris"],
        "algorithms": ["lda"],
        "resampling": {"bootstrap": {"replications": 2}},
        "measures": ["accuracy"],
        key: value if key in ("seed", "name", "resampling") else [value],
    }
    try:
        podium.Experiment.from_dict(design)
        readable = True
    except DesignError:
        readable = False
    assert validator.is_valid(design) == readable


# The command line


def test_an_error_in_a_file_ends_the_command_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, TOY.replace("seed: 3", "sed: 3"))
    monkeypatch.chdir(tmp_path)
    assert main(["describe", "toy.yaml"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        "podium describe: toy.yaml:2: A design has no key 'sed'. It has 'datasets', 'algorithms', 'resampling', "
        "'measures', 'seed', 'name', 'keep', 'characteristics', 'stopping'. Did you mean 'seed'?\n"
    )
