"""One wrong entry of every kind in a design: the error has the path and the line of that entry."""

from __future__ import annotations

from pathlib import Path

import pytest

import podium
from podium.errors import DesignError
from podium.setup.spec.document import parse_document

# Every entry is on a line of its own.
DESIGN = """\
name: toy
seed: 3
datasets:
  - iris
  - generator: twonorm
    n: 100
    d: 4
    seed: 5
  - dataset: sonar
    name: echoes
    factors:
      size: 1
algorithms:
  - knn
  - candidate: rpart
    parameters:
      min_split: 3
  - class: sklearn.svm.SVC
    parameters:
      C: 1
      gamma: auto
    encoding: codes
    description: support vectors
  - class: sklearn.pipeline.Pipeline
    name: scaled
    parameters:
      steps:
        -
          - scale
          - class: sklearn.preprocessing.StandardScaler
            parameters:
              with_mean: true
        -
          - svm
          - class: sklearn.svm.SVC
  - class: sklearn.neighbors.KNeighborsClassifier
    name: nn
    grid:
      n_neighbors:
        - 1
        - 5
resampling:
  bootstrap:
    replications: 10
    stratify: true
measures:
  - misclassification
  - measure: auc
    multiclass: hand-till
  - scorer: accuracy
    direction: greater
    units: points
keep:
  - predictions
  - parameters
characteristics:
  - statlog
  - land.linear
stopping:
  kind: combination
  alpha: 0.05
  stages:
    - 2
    - 8
  maximum: 9
  measures:
    - misclassification
    - auc
  pairs:
    - [knn, rpart]
    - [rpart, SVC]
  equivalence:
    misclassification: 0.02
    auc: [-0.1, 0.1]
  reject: 0.01
"""

# A line, and what is there instead.
WRONG = [
    ("seed: 3", "seed: -1"),
    ("name: toy", "name: 3"),
    ("  - iris", "  - irsi"),
    ("    n: 100", "    n: many"),
    ("    d: 4", "    d: x"),
    ("    d: 4", "    sides: 4"),
    ("    seed: 5", "    seed: 1.5"),
    ("  - dataset: sonar", "  - dataset: sonnar"),
    ("    name: echoes", "    name: 3"),
    ("      min_split: 3", "      min_split: -3"),
    ("      min_split: 3", "      max_depth: 3"),
    ("  - candidate: rpart", "  - candidate: rprat"),
    ("  - class: sklearn.svm.SVC", "  - class: sklearn.svm.SVX"),
    ("  - class: sklearn.svm.SVC", "  - class: sklearn.svm.l1_min_c"),
    ("      C: 1", "      D: 1"),
    ("      gamma: auto", "      gama: auto"),
    ("    description: support vectors", "    description: ''"),
    ("              with_mean: true", "              without_mean: true"),
    ("      n_neighbors:", "      neighbours:"),
    ("  bootstrap:", "  bootstrp:"),
    ("    replications: 10", "    replications: x"),
    ("    stratify: true", "    stratify: 3"),
    ("  - misclassification", "  - misclasification"),
    ("  - measure: auc", "  - measure: f9"),
    ("    multiclass: hand-till", "    multiclass: nope"),
    ("    multiclass: hand-till", "    multclass: hand-till"),
    ("  - scorer: accuracy", "  - scorer: acc"),
    ("  - predictions", "  - prediction"),
    ("  - parameters", "  - paramters"),
    ("  - land.linear", "  - land.liner"),
    ("  kind: combination", "  kind: combi"),
    ("  alpha: 0.05", "  alpha: x"),
    ("    - 2", "    - 0"),
    ("  maximum: 9", "  maximum: 50"),
    ("    - auc", "    - uac"),
    ("    - [rpart, SVC]", "    - [rpart, rpart]"),
    ("    misclassification: 0.02", "    misclassification: -0.02"),
    ("    auc: [-0.1, 0.1]", "    auc: [0.1, 0.1]"),
    ("  reject: 0.01", "  reject: 0.1"),
    ("  reject: 0.01", "  accept: 2"),
    ("  reject: 0.01", "  exhaust: 3"),
    ("  reject: 0.01", "  bounds: [1, 0]"),
]


def test_the_design_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "toy.yaml"
    file.write_text(DESIGN, encoding="utf-8")
    assert podium.Experiment.from_file(file).name == "toy"


@pytest.mark.parametrize(("right", "wrong"), WRONG)
def test_an_error_is_at_the_wrong_entry(right: str, wrong: str, tmp_path: Path) -> None:
    lines = DESIGN.splitlines()
    line = lines.index(right)
    file = tmp_path / "toy.yaml"
    file.write_text("\n".join([*lines[:line], wrong, *lines[line + 1 :]]), encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        podium.Experiment.from_file(file)
    assert caught.value.line == line + 1
    assert caught.value.path in parse_document(file.read_text(encoding="utf-8")).lines
