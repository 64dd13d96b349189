"""Every form in, every form out, equal.

The long table, CSV, Parquet and JSON carry everything: values, labels, reasons, design, structure, and what is known
of the measures. The table of trials does so where one reason per trial is enough. Wide tables, nested dicts and
arrays carry values and labels.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from result_strategies import results

import podium
from podium import MeasureInfo, Results
from podium.errors import InputError
from podium.results.forms.roles import role_of
from podium.results.known_measures import known_measure
from slow_laws import few_examples


def same_values(one: Results, two: Results) -> bool:
    """Values, labels and measures agree; why a cell is missing, and structure, may not."""
    bare = [r.replace(reasons=None, structure={}) for r in (one, two)]
    return bare[0] == bare[1]


# Forms that carry everything. Drawing results takes as long as reading them, so that one draw serves several forms.


@few_examples()
@given(results(), st.randoms(use_true_random=False))
def test_long_frame_and_results_themselves(whole: Results, random) -> None:
    frame = whole.to_long()
    rows, columns = list(range(len(frame))), list(frame.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    assert podium.read(frame) == whole
    assert podium.read(frame.iloc[rows][columns]) == whole
    assert podium.read(frame.astype({"dataset": "category", "algorithm": "category"})) == whole
    assert podium.read(whole) == whole


@few_examples()
@given(results())
def test_files_and_json(whole: Results) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for ending in (".csv", ".csv.gz", ".parquet", ".json"):
            assert podium.read(whole.write(Path(folder) / f"results{ending}")) == whole, ending
    assert podium.read(json.loads(whole.to_json())) == whole


@few_examples()
@given(results())
def test_trials(whole: Results) -> None:
    try:
        frame = whole.to_trials()
    except InputError:
        codes = np.where(whole.missing, whole.reasons, 0).reshape(-1, whole.shape[3])
        mixed = any(len(set(row) - {0}) > 1 for row in codes.tolist())
        assert mixed or any(role_of(name) for name in whole.measure_names)
    else:
        assert podium.read(frame) == whole


# Forms that carry values and labels


@few_examples()
@given(results())
def test_wide(whole: Results) -> None:
    assume(not any(role_of(name) for name in whole.algorithms))
    assume(not all(known_measure(name) for name in whole.algorithms))
    for name in whole.measure_names:
        assert same_values(podium.read(whole.to_wide(name)), whole.select(measure=name))


@few_examples()
@given(results())
def test_nested(whole: Results) -> None:
    levels = ("dataset", "algorithm", "measure", "replication")
    again = podium.read(
        whole.to_nested(),
        levels=levels,
        direction=whole.directions,
        units={info.name: info.units for info in whole.measures},
        scale={info.name: info.scale for info in whole.measures},
    )
    assert same_values(again, whole)


@few_examples()
@given(results(), st.permutations(["dataset", "replication", "algorithm", "measure"]))
def test_array_with_its_axes_in_any_order_labelled_array_and_xarray(whole: Results, order: list[str]) -> None:
    values, names = whole.to_array()
    axes = list(names)
    again = podium.read(
        values.transpose([axes.index(axis) for axis in order]),
        labels={axis: names[axis] for axis in order},
        direction=whole.directions,
    )
    bare = [MeasureInfo(info.name, info.direction) for info in whole.measures]
    assert same_values(
        again.select(measures=whole.measure_names).replace(measures=bare),
        whole.complete().replace(measures=bare),
    )
    assert again.directions == whole.directions
    plain = podium.read(whole.to_array(), direction=whole.directions)
    assert plain.directions == whole.directions
    assert np.array_equal(plain.values, whole.values, equal_nan=True)
    assert (plain.datasets, plain.replications, plain.algorithms) == (
        whole.datasets,
        whole.replications,
        whole.algorithms,
    )
    assert podium.read(whole.to_xarray(), direction=whole.directions) == plain
