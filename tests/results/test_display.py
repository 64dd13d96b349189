"""How results show themselves, compared as whole texts."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

import podium
from podium import MeasureInfo, Results

SMALL = podium.read(
    pd.DataFrame({"dataset": ["iris", "wine"], "svm": [0.97, 0.98], "knn": [0.96, 0.71]}), measure="accuracy"
)
values = np.arange(24.0).reshape(2, 4, 3, 1)
reasons = np.zeros(values.shape, np.uint8)
reasons[0, 0, 0], reasons[0, 1, 0], reasons[0, 1, 1] = 2, 3, 3
GAPS = Results(
    values=np.where(reasons > 0, np.nan, values),
    reasons=reasons,
    design=np.array([[True, True, True, True], [True, True, False, False]]),
    datasets=("<iris>", "wine & co"),
    replications=(1, 2, 3, 4),
    algorithms=("svm", "knn", "tree"),
    measures=(MeasureInfo("fit time", "lower", units="s"),),
    structure={"repeat": np.array([[1, 1, 2, 2]] * 2), "fold": np.array([[1, 2, 1, 2]] * 2)},
)


def test_missing_cells_unequal_designs_and_structure() -> None:
    assert repr(GAPS) == (
        "Results: 2 data sets × 4 replications × 3 algorithms × 1 measure\n"
        "  data sets    <iris>, wine & co\n"
        "  replications 1 … 4 (2 × 2 cross-validation; 2 to 4 per data set)\n"
        "  algorithms   svm, knn, tree\n"
        "  measures     fit time (lower is better, s)\n"
        "  missing      3 of 18 cells (1 failed, 2 timeout)"
    )


def test_many_labels_are_shortened_and_counted() -> None:
    wide = podium.read(
        np.ones((40, 1500, 2, 2)),
        labels={
            "dataset": [f"data set {i}" for i in range(40)],
            "replication": [f"sample {i}" for i in range(1500)],
            "algorithm": ["a", "b"],
            "measure": ["accuracy", "fit_time"],
        },
    )
    lines = repr(wide).splitlines()
    assert lines[1].endswith("data set 4, data set 5, … (40)")
    assert lines[2].endswith("sample 5, sample 6, … (1,500)")


def test_line_breaks_in_labels_do_not_break_the_lines() -> None:
    assert repr(SMALL.rename(datasets={"iris": "i\nris\t1"})).splitlines()[1] == "  data sets    i ris 1, wine"


def test_notebooks_show_facts_and_first_rows_and_escape_what_labels_hold() -> None:
    shown = re.sub("<[^>]*>", "|", GAPS._repr_html_())
    assert "|data sets||&lt;iris&gt;, wine &amp; co|" in shown
    assert "|missing||3 of 18 cells (1 failed, 2 timeout)|" in shown
    assert "|fit time: 5 of 6 rows|" in shown
    assert "||&lt;iris&gt;||1||–||1||2||" in shown
