"""The data behind the figures of a report, as tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from podium.analysis.comparison import Comparison
from podium.reporting.analyses import Analyses
from podium.results import Results
from podium.typesetting import Table

MOST_DRAWN = 30  # algorithms that a figure of distributions can show


def best_of(analyses: Analyses, order: Sequence[str], most: int = MOST_DRAWN) -> Results:
    """Return the scores by the main measure of the first algorithms, `most` of them if a figure cannot show all."""
    known = [name for name in order if name in analyses.main.algorithms]
    return analyses.main if len(known) <= MOST_DRAWN else analyses.main.select(algorithms=known[:most])


def ranks_of(comparison: Comparison) -> Table:
    """Return the mean ranks of a comparison, best first."""
    assert comparison.mean_ranks is not None
    order = np.argsort(comparison.mean_ranks, kind="stable")
    frame = pd.DataFrame(
        {"Mean rank": comparison.mean_ranks[order]},
        index=pd.Index([comparison.algorithms[i] for i in order], name="Algorithm"),
    )
    return Table.from_frame(frame, "Mean ranks")


def places_of(analyses: Analyses) -> Table | None:
    """Return the summary of the algorithms, best first."""
    frame = analyses.summary.value
    if frame is None:
        return None
    return Table.from_frame(frame.rename_axis("Algorithm"), f"Summary of {analyses.info.name}", digits=3)
