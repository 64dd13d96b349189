"""Samples of the messages of the setup, as whole texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import AmbiguousInputError, DesignError, DirectionError, InputError, LabelError
from podium.setup.sources.arff import parse_arff

FRAME = pd.DataFrame({"dose": [1.5, 2.5, 3.5, 4.5], "cured": ["no", "no", "yes", "yes"]})
MESSAGES: list[tuple[type[Exception], Callable[[], Any], str]] = [
    (
        AmbiguousInputError,
        lambda: podium.dataset(FRAME),
        "Which column of 'data' is the response? Name it with `target`, one of 'dose', 'cured'; without a response use "
        "task='unsupervised'.",
    ),
    (
        AmbiguousInputError,
        lambda: podium.dataset(
            pd.DataFrame({"name": [f"person {i}" for i in range(12)], "y": list("ab") * 6}), target="y"
        ),
        "The column 'name' of 'data' holds 12 different texts in 12 rows and looks like an identifier. Leave it out with "
        "drop=['name'], or keep it with nominal=['name'].",
    ),
    (
        InputError,
        lambda: podium.Dataset(name="toy", X=FRAME.assign(dose=[1, np.inf, 2, -np.inf]), y=FRAME["cured"]),
        "The attribute 'dose' of 'toy' is infinite in rows 1, 3. Make these values missing (NaN) or finite.",
    ),
    (
        LabelError,
        lambda: podium.dataset("snoar"),
        "There is no data set 'snoar'. `podium datasets` lists the names; a file needs its extension (.csv, .parquet, "
        ".arff), an OpenML number its prefix (openml:61). Did you mean 'sonar'?",
    ),
    (
        InputError,
        lambda: parse_arff("@attribute a real\n@attribute c {k,l}\n@data\n1,k\n2,m\n", "odd.arff"),
        "odd.arff, line 5: the attribute 'c' has the levels 'k', 'l'; got 'm'.",
    ),
    (
        InputError,
        lambda: podium.generator("friedman1", d=4),
        "`d` of the generator 'friedman1' must be a whole number of at least 5; got 4.",
    ),
    (
        InputError,
        lambda: podium.grid("knn", {"k": [1, 2, 1]}),
        "`grid` gives 'k' the level 1 twice. Levels must be written differently, because they name the candidates.",
    ),
    (
        LabelError,
        lambda: podium.algorithm("knn", parameters={"kk": 3}),
        "The candidate 'knn' has no parameter 'kk'. It has 'k', 'folds'. Did you mean 'k'?",
    ),
    (
        InputError,
        lambda: podium.algorithm({"class": "nowhere.at.All"}),
        "`class` 'nowhere.at.All' cannot be imported: No module named 'nowhere'. Install the package; your own module is "
        "found if its folder is in the environment variable PYTHONPATH.",
    ),
    (
        LabelError,
        lambda: podium.HoldOut(replications=2),  # type: ignore[call-arg]
        "HoldOut() has no option 'replications'. It has 'fraction', 'stratify'. 'replications' is an option of "
        "'Subsampling'.",
    ),
    (
        AmbiguousInputError,
        lambda: podium.measure("g"),
        "'g' stands for 2 measures: 'g measure' (harmonic mean of pd and 1 - pf) and 'g mean' (geometric mean of the "
        "recalls). Give one of these names.",
    ),
    (
        DirectionError,
        lambda: podium.measure(lambda fitted: 1.0, name="x"),
        "It is unknown whether lower or greater values of 'x' are better. Set direction='lower' or direction='greater'.",
    ),
    (
        DesignError,
        lambda: podium.Experiment(["sonar", "iris", "sonar"], "lda", "bootstrap", "accuracy"),
        "The data set 'sonar' is given twice, as entry 1 and as entry 3 of `datasets`. Remove one of them, or rename it "
        "with `name`.",
    ),
    (
        DesignError,
        lambda: podium.Experiment("monks1", "lda", "fresh-draws", "accuracy"),
        "Fresh draws need a data generating process, but 'monks1' is a finite data set. Write {generator: monks1}, or "
        "resample it by bootstrap, subsampling or cross-validation.",
    ),
]


@pytest.mark.parametrize(("kind", "wrong", "text"), MESSAGES)
def test_the_message_as_a_whole(kind: type[Exception], wrong: Callable[[], Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        wrong()
    assert str(caught.value) == text
    assert type(caught.value) is kind
