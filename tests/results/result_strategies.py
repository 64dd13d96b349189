"""Random `Results`, with everything that can be odd about them."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from podium import MeasureInfo, Results

ODD = ["NA", "nan", "None", "01", "1", "-3", "True", "0.5", "-", '"', "a,b", "x;y", "line\nbreak", "cr\rlf\r\n.", "<b>"]
LETTERS = st.sampled_from("abzABZ019 _-.,;:'\"\t\n\r/|{}%äßşİ漢字😀é\u0301\u200b")
MEASURE_NAMES = ["accuracy", "fit_time", "Misclassification", "neg_log_loss", "score", "training time [ms]"]


def look(label: str) -> str:
    return " ".join(unicodedata.normalize("NFC", label).split())


# Strategies are made once: building and checking them takes longer than drawing from them.


@cache
def labels(max_size: int) -> st.SearchStrategy[list[str]]:
    free = st.text(LETTERS, min_size=1, max_size=6).map(str.strip).filter(bool)
    return st.lists(st.one_of(st.sampled_from(ODD), free), min_size=1, max_size=max_size, unique_by=look)


@cache
def cells(dtype: type, shape: tuple[int, ...]) -> st.SearchStrategy[np.ndarray]:
    return npst.arrays(dtype, shape, elements=ELEMENTS[dtype])


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 5e-324, 1.7976931348623157e308, -1e300, 0.1, 1 / 3]),
)
REASONS = st.sampled_from([0, 0, 0, 1, 2, 3, 4])
ELEMENTS = {bool: st.booleans(), np.float64: NUMBERS, np.uint8: REASONS, np.int64: st.integers(-1, 3)}
REPLICATIONS = st.one_of(st.lists(st.integers(-9, 10**9), min_size=1, max_size=4, unique=True), labels(4))
MEASURES = st.one_of(labels(3), st.lists(st.sampled_from(MEASURE_NAMES), min_size=1, max_size=3, unique=True))
FACTS = st.tuples(
    st.sampled_from(["lower", "higher"]),
    st.sampled_from(["", "s", "% of the slowest", 'a "b", c']),
    st.sampled_from([None, "linear", "log"]),
)
FIELDS = st.sets(st.sampled_from(["repeat", "fold", "n_learn", "n_test", "independent"]))
CHANCE = st.booleans()


@st.composite
def measures(draw: st.DrawFn) -> tuple[MeasureInfo, ...]:
    found = []
    for name in draw(MEASURES):
        direction, units, scale = draw(FACTS)
        found.append(MeasureInfo(name, direction, units=units, scale=scale))
    return tuple(found)


MEASURE_INFOS = measures()


def design_of(draw: st.DrawFn, m: int, b: int) -> np.ndarray:
    """Which replications each data set has; every label occurs somewhere."""
    design = draw(cells(bool, (m, b))) if draw(CHANCE) else np.ones((m, b), bool)
    design[~design.any(axis=1), 0] = True
    design[0, ~design.any(axis=0)] = True
    return design


@st.composite
def results(draw: st.DrawFn) -> Results:
    """Any results: missing cells with reasons, unequal designs, structure, several measures, odd labels."""
    datasets, algorithms = draw(labels(4)), draw(labels(4))
    replications = draw(REPLICATIONS)
    infos = draw(MEASURE_INFOS)
    shape = (len(datasets), len(replications), len(algorithms), len(infos))
    reasons = np.zeros(shape, np.uint8)
    if draw(CHANCE):
        reasons = draw(cells(np.uint8, shape))
    values = draw(cells(np.float64, shape))
    fields = draw(FIELDS)
    return Results(
        values=np.where(reasons > 0, np.nan, values),
        reasons=reasons,
        design=design_of(draw, *shape[:2]),
        structure={name: draw(cells(np.int64, shape[:2])) for name in fields},
        datasets=tuple(datasets),
        replications=tuple(replications),
        algorithms=tuple(algorithms),
        measures=infos,
    )
