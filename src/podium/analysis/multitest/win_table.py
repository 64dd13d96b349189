"""Win tables: on how many data sets one algorithm beats another, and what the sign test says about it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.analysis.adjustment import adjust_pvalues, adjustment_name
from podium.analysis.blocks import PAIR_POLICIES, all_pairs, one_measure, stopped_notes, to_blocks
from podium.analysis.comparison import Comparison
from podium.analysis.methods.pairwise.sign import sign_test
from podium.analysis.multitest import text
from podium.analysis.multitest.multitest import (
    Settings,
    check_settings,
    from_comparison,
    need_test,
    shortened,
    test_pairs,
)
from podium.analysis.multitest.tables import wins_table
from podium.analysis.notes import Note, few_blocks_inside
from podium.analysis.procedure import Procedure
from podium.arrays import BoolArray, FloatArray, Int64Array, lock
from podium.checks import check_alpha, check_call, record
from podium.errors import InputError
from podium.results import MeasureInfo, Results
from podium.results.missing import parse_policy
from podium.typesetting import Table


@record(eq=False, repr=False, kw_only=True)
class WinTable:
    """On how many data sets each algorithm beats each of the others.

    Attributes
    ----------
    algorithms, datasets : tuple of str
    wins : ndarray of int, shape (K, K)
        On how many data sets the row beats the column.
    common : ndarray of int, shape (K, K)
        On how many data sets both were compared.
    pvalue, adjusted : ndarray of float, shape (K, K)
        Two-sided sign test of wins against losses, draws left out; symmetric, 1 on the diagonal.
    measure : MeasureInfo
    method : str
        What a win is: a test, as in a sentence of a paper; empty where the better average wins.
    alpha : float
        Level of the sign tests, and of the tests behind the wins.
    adjust : str
        Adjustment of the sign tests for their number.
    notes : tuple of Note
    """

    _made_from: ClassVar = ((object, "Create one with podium.inference.win_table(results)."),)

    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    wins: Int64Array
    common: Int64Array
    pvalue: FloatArray
    adjusted: FloatArray
    measure: MeasureInfo
    method: str
    alpha: float
    adjust: str
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        lock(self, "wins", "common", "pvalue", "adjusted")

    @property
    def losses(self) -> Int64Array:
        """On how many data sets the row loses against the column."""
        return self.wins.T

    @property
    def draws(self) -> Int64Array:
        """On how many data sets neither beats the other."""
        return self.common - self.wins - self.wins.T

    @property
    def significant(self) -> BoolArray:
        """Which wins outnumber the losses by the sign test: the entries in bold."""
        return (self.adjusted <= self.alpha) & (self.wins > self.wins.T)

    def frame(self) -> pd.DataFrame:
        """Return the wins as a square table: on how many data sets the row beats the column."""
        return pd.DataFrame(self.wins, index=list(self.algorithms), columns=list(self.algorithms))

    def pairs(self) -> pd.DataFrame:
        """One row per pair, the one with more wins first: a, b, wins, draws, losses, pvalue, adjusted, decision."""
        first, second = all_pairs(len(self.algorithms))
        swap = self.wins[first, second] < self.wins[second, first]
        a, b = np.where(swap, second, first), np.where(swap, first, second)
        names = np.array(self.algorithms, object)
        return pd.DataFrame(
            {
                "a": names[a],
                "b": names[b],
                "wins": self.wins[a, b],
                "draws": self.draws[a, b],
                "losses": self.wins[b, a],
                "pvalue": self.pvalue[a, b],
                "adjusted": self.adjusted[a, b],
                "decision": np.where(self.significant[a, b], "better", "undecided"),
            }
        )

    def table(self) -> Table:
        """Return the wins as a table for a paper.

        ``print(table)`` shows it; ``table.latex()``, ``table.markdown()`` and ``table.html()`` give it a form.
        """
        return wins_table(self, text.what_wins(self))

    def text(self) -> str:
        """Describe the table in a paragraph."""
        return text.wins_paragraph(self)

    def latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        """Return the table for a LaTeX document (package booktabs), significant wins in bold."""
        return self.table().latex(caption=caption, label=label)

    def __repr__(self) -> str:
        return text.wins_lines(self)

    def _repr_html_(self) -> str:
        return self.table().html()


@check_call
def win_table(
    results: Results,
    measure: str | None = None,
    *,
    test: str | Procedure | None = None,
    alpha: float = 0.05,
    adjust: str = "none",
    missing: str = "raise",
    **options: Any,
) -> WinTable:
    """Count on how many data sets each algorithm beats each of the others, with the sign test of these counts.

    Parameters
    ----------
    results : Results
        Of two or more data sets.
    measure : str, optional
        The measure, where there are several.
    test : str or Procedure, optional
        What a win is: a significant difference on the data set by this test, any `method` of `compare` for
        replications. By default the better mean wins.
    alpha : float, default 0.05
        Level of the sign tests, and of `test`.
    adjust : str, default "none"
        Adjustment of the sign tests for the number of pairs, as in `compare`.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells. With ``"available"`` each pair is compared on the data sets and replications it has,
        with ``"drop-block"`` data sets on which `test` is no longer possible are left out.
    **options
        Those of the test, as in `compare`.

    Returns
    -------
    WinTable

    Notes
    -----
    The sign test over data sets treats them as independent. Without `adjust`, each of the K (K − 1) / 2 pairs is tested
    at level `alpha` by itself.

    Examples
    --------
    >>> import podium
    >>> accuracy = podium.examples.load_ulas2008()
    >>> podium.inference.win_table(accuracy, test="5x2cv F").frame().loc["svr"].to_dict()
    {'c45': 14, 'mdt': 14, 'mlp': 10, 'lnp': 10, 'svl': 8, 'sv2': 16, 'svr': 0, '5nn': 16}
    """
    check_alpha(alpha)
    chosen = one_measure(results, measure)
    if len(chosen.datasets) < 2:
        raise InputError(f"A win table needs several data sets; there is only {chosen.datasets[0]!r}.")
    policy = parse_policy(missing, allowed=PAIR_POLICIES)
    how = adjustment_name(adjust)  # of the sign tests, which have no joint distribution, whatever `test` is
    if test is None:
        need_test(options)
        blocks = to_blocks(chosen, unit="dataset", missing=policy, allowed=PAIR_POLICIES)
        first, second = all_pairs(len(blocks.algorithms))
        signs = np.sign(-blocks.measure.sign * blocks.differences(first, second))
        names, datasets, method, notes = blocks.algorithms, blocks.source.datasets, "", blocks.notes
    else:
        settings = check_settings(test, alpha, "none", "two-sided", policy, options, PAIR_POLICIES)
        resolved = chosen if policy == "available" else chosen.resolve_missing(policy)
        report = resolved.reports[-1] if policy != "available" else None
        notes = stopped_notes(chosen)
        notes += (Note("missing", report=report),) if report is not None and report.missing else ()
        names = resolved.algorithms
        first, second = all_pairs(len(names))
        tested = _tested(resolved, settings)
        datasets, dropped = tuple(tested), tuple(name for name in resolved.datasets if name not in tested)
        notes += (Note("left out", names=dropped, because="gaps"),) if dropped else ()
        signs = np.full((len(first), len(datasets)), np.nan)
        for m, found in enumerate(tested.values()):
            better = from_comparison(found)[0].astype(float)
            signs[:, m] = np.where(found.untested, np.nan, better[first, second] - better[second, first])
        method = found.method
        notes = (*few_blocks_inside({name: [one.notes] for name, one in tested.items()}), *notes)
    return _counted(
        signs, names, method=method, datasets=datasets, measure=chosen.measures[0], alpha=alpha, adjust=how, notes=notes
    )


def _tested(results: Results, settings: Settings) -> dict[str, Comparison]:
    """Compare all pairs on each data set; leave out those that lost replications, so that the test is impossible."""
    found: dict[str, Comparison] = {}
    short = shortened(results, settings.missing)
    for name in results.datasets:
        try:
            found[name] = test_pairs(results.select(dataset=name), settings, adjust="none")
        except InputError:
            if name not in short:
                raise
    if len(found) < 2:
        raise InputError(
            f"The test is possible on {len(found)} of {len(results.datasets)} data sets only after "
            f"missing={settings.missing!r}; a win table needs two."
        )
    return found


def _counted(signs: FloatArray, names: tuple[str, ...], **more: Any) -> WinTable:
    """Count wins and losses, one row of signs per pair, NaN where a pair was not compared."""
    k = len(names)
    first, second = all_pairs(k)
    wins, common = np.zeros((k, k), np.int64), np.zeros((k, k), np.int64)
    wins[first, second], wins[second, first] = (signs > 0).sum(axis=1), (signs < 0).sum(axis=1)
    common[first, second] = common[second, first] = (~np.isnan(signs)).sum(axis=1)
    pvalue, adjusted = np.ones((k, k)), np.ones((k, k))
    p = sign_test(np.nan_to_num(signs), intervals=False).two_sided
    pvalue[first, second] = pvalue[second, first] = p
    adjusted[first, second] = adjusted[second, first] = adjust_pvalues(p, more["adjust"])
    return WinTable(algorithms=names, wins=wins, common=common, pvalue=pvalue, adjusted=adjusted, **more)
