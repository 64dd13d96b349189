"""One wrong entry of every kind in a design: the error has the path and the line of that entry."""

from __future__ import annotations

from pathlib import Path

import pytest

import podium
from podium.design.spec.document import parse_document
from podium.errors import DesignError

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
keep:
  - parameters
characteristics:
  - statlog
  - land.linear
stopping:
  alpha: 0.05
  stages:
    - 2
    - 8
  measures:
    - misclassification
    - auc
  pairs:
    - [knn, rpart]
    - [rpart, SVC]
  equivalence:
    misclassification: 0.02
  reject: 0.01
"""

# A line, and what is there instead.
WRONG = [
    ("seed: 3", "seed: -1"),
    ("  - iris", "  - irsi"),
    ("    d: 4", "    d: x"),
    ("    d: 4", "    sides: 4"),
    ("  - dataset: sonar", "  - dataset: sonnar"),
    ("      min_split: 3", "      min_split: -3"),
    ("      min_split: 3", "      max_depth: 3"),
    ("  - candidate: rpart", "  - candidate: rprat"),
    ("  - class: sklearn.svm.SVC", "  - class: sklearn.svm.l1_min_c"),
    ("      C: 1", "      D: 1"),
    ("              with_mean: true", "              without_mean: true"),
    ("      n_neighbors:", "      neighbours:"),
    ("  bootstrap:", "  bootstrp:"),
    ("    replications: 10", "    replications: x"),
    ("  - misclassification", "  - misclasification"),
    ("    multiclass: hand-till", "    multiclass: nope"),
    ("  - scorer: accuracy", "  - scorer: acc"),
    ("  - parameters", "  - paramters"),
    ("  - land.linear", "  - land.liner"),
    ("  alpha: 0.05", "  alpha: x"),
    ("    - 2", "    - 0"),
    ("    - auc", "    - uac"),
    ("    - [rpart, SVC]", "    - [rpart, rpart]"),
    ("    misclassification: 0.02", "    misclassification: -0.02"),
    ("  reject: 0.01", "  reject: 0.1"),
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
