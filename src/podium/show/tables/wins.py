"""Table of wins, ties and losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.analysis.compare import compare
from podium.checks import check_call
from podium.results import Results
from podium.show.tables.pairs import advice, cautions, check_options, how, missing_notes
from podium.typesetting import Cell, Column, Table


@check_call
def wins(
    results: Results,
    measure: str | None = None,
    *,
    method: str | None = None,
    alpha: float = 0.05,
    missing: str = "raise",
    **options: Any,
) -> Table:
    """Count, for each pair of algorithms, in how many blocks the row is better, equal, and worse than the column.

    Bold: the row is shown to be better than the column.

    Parameters
    ----------
    results : Results
    measure, method, alpha, missing
        As for `podium.compare`.
    **options
        Additional options of `podium.compare`, such as ``adjust``.

    Examples
    --------
    >>> import podium
    >>> podium.show.tables.wins(podium.examples.load_demsar2006()).frame("text").loc["C4.5+m"].tolist()
    ['5/3/6', '–', '10/1/3', '10/2/2']
    """
    check_options("wins", wins, method, options)
    found = compare(results, measure, method=method, alpha=alpha, missing=missing, **options)
    order = list(found.layout)
    place = {name: found.algorithms.index(name) for name in order}
    won, common = np.asarray(found.wins), np.asarray(found.common)
    better = {
        (str(a), str(b))
        for a, b, word in found.frame()[["a", "b", "decision"]].itertuples(index=False)
        if word == "better"
    }
    rows = []
    for row in order:
        cells = [Cell(row, row)]
        for column in order:
            i, j = place[row], place[column]
            counts = int(won[i, j]), int(common[i, j] - won[i, j] - won[j, i]), int(won[j, i])
            text = "/".join(map(str, counts))
            cells.append(Cell(None) if row == column else Cell(counts, text, bold=(row, column) in better))
        rows.append(tuple(cells))
    noun = "data sets" if found.unit == "dataset" else "replications"
    return Table(
        title=f"Wins, ties and losses of the row against the column by {found.measure} on {found.n} {noun}.",
        columns=(Column("Algorithm", "left", is_label=True), *(Column(name, is_name=True) for name in order)),
        rows=tuple(rows),
        notes=(
            *cautions(found),
            f"Bold: the row is shown to be better than the column ({how(found)}).",
            *missing_notes(found.missing),
        ),
        advice=advice(found),
    )
