"""Samples of the messages of the setup, as whole texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import podium
from podium.design.algorithm import as_algorithm
from podium.errors import AmbiguousInputError, DesignError, InputError, LabelError

FRAME = pd.DataFrame({"dose": [1.5, 2.5, 3.5, 4.5], "cured": ["no", "no", "yes", "yes"]})
MESSAGES: list[tuple[type[Exception], Callable[[], Any], str]] = [
    (
        AmbiguousInputError,
        lambda: podium.Dataset(FRAME),
        "Which column of 'data' is the response? Name it with `target`, one of 'dose', 'cured'; without a response use "
        "task='unsupervised'.",
    ),
    (
        LabelError,
        lambda: podium.Dataset.named("snoar"),
        "There is no data set 'snoar'. `podium datasets` lists the names; a file needs its extension (.csv, .parquet, "
        ".arff), an OpenML number its prefix (openml:61). Did you mean 'sonar'?",
    ),
    (
        InputError,
        lambda: podium.Dataset.generated("friedman1", d=4),
        "`d` of the generator 'friedman1' must be a whole number of at least 5; got 4.",
    ),
    (
        InputError,
        lambda: podium.grid("knn", {"k": [1, 2, 1]}),
        "`grid` gives 'k' the level 1 twice. Levels must be written differently, because they name the candidates.",
    ),
    (
        InputError,
        lambda: as_algorithm({"class": "nowhere.at.All"}),
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
        lambda: podium.Measure.named("g"),
        "'g' stands for 2 measures: 'g measure' (harmonic mean of pd and 1 - pf) and 'g mean' (geometric mean of the "
        "recalls). Give one of these names.",
    ),
    (
        DesignError,
        lambda: podium.Experiment(["sonar", "iris", "sonar"], "lda", "bootstrap", "accuracy"),
        "The data set 'sonar' is given twice, as entry 1 and as entry 3 of `datasets`. Remove one of them, or rename it "
        "with `name`.",
    ),
]


@pytest.mark.parametrize(("kind", "wrong", "text"), MESSAGES)
def test_the_message_as_a_whole(kind: type[Exception], wrong: Callable[[], Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        wrong()
    assert str(caught.value) == text
    assert type(caught.value) is kind
