"""`table`: anything that podium computes, as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import pandas as pd

from podium.checks import check_call, check_choice, conversion_hint, describe
from podium.errors import InputError
from podium.results import Results
from podium.show.tables.algorithms import algorithms
from podium.show.tables.measures import measures
from podium.show.tables.pairs import check_options, pairs
from podium.show.tables.scores import scores
from podium.show.tables.wins import wins
from podium.typesetting import Table

Kind: TypeAlias = Literal["scores", "algorithms", "pairs", "wins", "measures"]

KINDS: Mapping[str, Callable[..., Table]] = {
    "scores": scores,
    "algorithms": algorithms,
    "pairs": pairs,
    "wins": wins,
    "measures": measures,
}


@check_call
def table(
    results: Results | Any,
    measure: str | None = None,
    *,
    kind: Kind = "scores",
    missing: str = "raise",
    **options: Any,
) -> Table:
    """Make a table for a paper.

    Parameters
    ----------
    results : Results
        Or something computed from them that has a table of its own: a `Comparison`, a `BayesComparison`, a DataFrame.
    measure : str, optional
        The measure, where there are several.
    kind : {"scores", "algorithms", "pairs", "wins", "measures"}
        Data sets × algorithms; one row per algorithm with rank, median, interval and effect size; one row per pair;
        wins, ties and losses of each algorithm against each other; algorithms × measures. The functions of
        `podium.show.tables` have these names.
    missing : str
        Policy for missing cells.
    **options
        Those of the function of that kind, such as ``control="lda"`` or ``digits=2``.

    Returns
    -------
    Table
        ``print(table)`` shows it; ``table.latex()``, ``table.markdown()``, ``table.html()``, ``table.frame()`` give it
        a form, ``table.write("table.tex")`` writes it.

    Examples
    --------
    >>> import podium
    >>> print(podium.table(podium.examples.load_demsar2006().select(datasets=["iris", "cmc", "lung cancer"])))
    AUC (higher is better) on 3 data sets; best mean first, best in bold.
    <BLANKLINE>
    Data set     C4.5+m+cf   C4.5+m     C4.5  C4.5+cf
    cmc             0.657   *0.661*   0.628     0.654
    iris            0.931    0.931   *0.936*    0.916
    lung cancer    *0.625*   0.583    0.583     0.563
    ─────────────────────────────────────────────────
    Mean rank       *1.83*    2.00     2.50      3.67
    ...
    """
    check_choice(kind, KINDS, "kind")
    if isinstance(results, Results):
        check_options("table", KINDS[kind], options.get("method"), options, also=["kind"])
        return KINDS[kind](results, measure, missing=missing, **options)
    given = [name for name, value, usual in (("measure", measure, None), ("kind", kind, "scores")) if value != usual]
    if isinstance(results, pd.DataFrame):
        _refuse(given, results)
        return Table.from_frame(results, **options)
    if callable(getattr(results, "table", None)) and not isinstance(results, type):
        _refuse(given, results)
        made: Table = results.table(**options)
        return made
    way = conversion_hint(results, Results)
    raise InputError(
        "`results` must be a Results, or a Comparison, BayesComparison or DataFrame computed from them; "
        f"got {describe(results)}. {way}"
    )


def _refuse(given: list[str], thing: object) -> None:
    if given:
        raise InputError(f"`{given[0]}` is for tables of Results; got {describe(thing)}, which is already a table.")
