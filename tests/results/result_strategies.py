"""Random `Results`, with everything that can be odd about them."""

from __future__ import annotations

import unicodedata

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from podium import MeasureInfo, Results

ODD = ["NA", "nan", "None", "01", "1", "-3", "True", "0.5", "-", '"', "a,b", "x;y", "line\nbreak", "cr\rlf\r\n.", "<b>"]
LETTERS = st.sampled_from("abzABZ019 _-.,;:'\"\t\n\r/|{}%äßşİ漢字😀é\u0301\u200b")
MEASURE_NAMES = ["accuracy", "fit_time", "Misclassification", "neg_log_loss", "score", "training time [ms]"]


def look(label: str) -> str:
    return " ".join(unicodedata.normalize("NFC", label).split())


def labels(max_size: int) -> st.SearchStrategy[list[str]]:
    free = st.text(LETTERS, min_size=1, max_size=6).map(str.strip).filter(bool)
    return st.lists(st.one_of(st.sampled_from(ODD), free), min_size=1, max_size=max_size, unique_by=look)


def numbers() -> st.SearchStrategy[float]:
    return st.one_of(
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from([0.0, -0.0, 5e-324, 1.7976931348623157e308, -1e300, 0.1, 1 / 3]),
    )


@st.composite
def measures(draw: st.DrawFn) -> tuple[MeasureInfo, ...]:
    names = draw(st.one_of(labels(3), st.lists(st.sampled_from(MEASURE_NAMES), min_size=1, max_size=3, unique=True)))
    return tuple(
        MeasureInfo(
            name,
            draw(st.sampled_from(["lower", "greater"])),
            units=draw(st.sampled_from(["", "s", "% of the slowest", 'a "b", c'])),
            scale=draw(st.sampled_from([None, "linear", "log"])),
        )
        for name in names
    )


@st.composite
def designs(draw: st.DrawFn, m: int, b: int) -> np.ndarray:
    """Which replications each data set has; every label occurs somewhere."""
    design = draw(npst.arrays(bool, (m, b), elements=st.booleans())) if draw(st.booleans()) else np.ones((m, b), bool)
    design[~design.any(axis=1), 0] = True
    design[0, ~design.any(axis=0)] = True
    return design


@st.composite
def results(draw: st.DrawFn) -> Results:
    """Any results: missing cells with reasons, unequal designs, structure, several measures, odd labels."""
    datasets, algorithms = draw(labels(4)), draw(labels(4))
    replications = draw(st.one_of(st.lists(st.integers(-9, 10**9), min_size=1, max_size=4, unique=True), labels(4)))
    infos = draw(measures())
    shape = (len(datasets), len(replications), len(algorithms), len(infos))
    reasons = np.zeros(shape, np.uint8)
    if draw(st.booleans()):
        reasons = draw(npst.arrays(np.uint8, shape, elements=st.sampled_from([0, 0, 0, 1, 2, 3, 4])))
    values = draw(npst.arrays(np.float64, shape, elements=numbers()))
    fields = draw(st.sets(st.sampled_from(["repeat", "fold", "n_learn", "n_test", "independent"])))
    return Results(
        values=np.where(reasons > 0, np.nan, values),
        reasons=reasons,
        design=draw(designs(*shape[:2])),
        structure={name: draw(npst.arrays(np.int64, shape[:2], elements=st.integers(-1, 3))) for name in fields},
        datasets=tuple(datasets),
        replications=tuple(replications),
        algorithms=tuple(algorithms),
        measures=infos,
    )
