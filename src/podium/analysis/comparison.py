"""`Comparison`: pairs of algorithms, compared; the outcome of every pairwise test."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from podium.analysis import text
from podium.analysis.notes import Note
from podium.analysis.pairs import Pairs
from podium.analysis.relation import Relation
from podium.checks import check_choice, record
from podium.errors import InputError, join_names
from podium.results import Results
from podium.typesetting import Table


@record(eq=False, repr=False, kw_only=True)
class Comparison(Pairs):
    """All pairs of algorithms, or all against a control.

    The arrays hold one entry per pair; pair i compares ``algorithms[first[i]]`` (called a) with
    ``algorithms[second[i]]`` (called b), and `estimate` is a minus b.

    Attributes
    ----------
    method : str
        Name of the procedure, as in a sentence of a paper.
    procedure : str
        Name of the procedure in the registry: ``"nemenyi"``, ``"wilcoxon"``, ``"mixed"``, ...
    algorithms : tuple of str
        With your own `contrasts`: the sides that these compare.
    first, second : ndarray of int
        Positions of a and b.
    estimate : ndarray of float
        Estimated difference a - b, of what `estimand` names.
    statistic, pvalue, adjusted : ndarray of float
        Test statistic, p-value of the pair alone, and p-value adjusted for all pairs. NaN where a procedure has none.
    lower, upper : ndarray of float
        Ends of the (simultaneous) confidence interval of the difference; NaN where a procedure has none.
    estimand : str
        Of what the difference is estimated: ``"mean"``, ``"mean over data sets"``, ``"mean log"``,
        ``"mean transformed"``, ``"mean rank"``, ``"weighted mean rank"`` (Quade), ``"mean aligned rank"``,
        ``"pseudomedian"`` (Hodges–Lehmann), ``"net share"`` of blocks,
        ``"first fold"``.
    in_units : bool
        Whether estimates and intervals are in the units of the measure.
    transform : str
        Of what the means were taken: ``"identity"`` (the values), ``"log"`` or the name of a function. With ``"log"``
        the estimates are logarithms of ratios, and `means` are geometric means.
    sign : {1, -1}
        1 if a negative estimate favours a (costs, ranks), -1 if a positive one does.
    measure : MeasureInfo
    unit : {"replication", "dataset"}
        What the outcome generalises to: replications, or data sets of a domain.
    n : int
        Number of blocks.
    datasets : int
        Number of data sets behind them; 0 for duels, which have none.
    alpha : float
        Family-wise level of the decisions, unless `adjust` controls something else.
    adjust : str
        How `adjusted` was obtained.
    alternative : {"two-sided", "better", "worse"}
        Against which alternative a was tested.
    control : str or None
        The algorithm against which all others are compared.
    dataset : str or None
        The data set that the estimates are for, where one of several was requested.
    equivalence : (float, float) or None
        The area [Δ1, Δ2] of differences that do not matter.
    equivalence_interval : (ndarray, ndarray) or None
        Lower and upper ends of the interval of the mean difference that is compared with that area; None where it is
        that of `lower` and `upper`.
    equivalence_pvalue : ndarray of float or None
        P-values of two one-sided tests by the procedure itself; see `equivalence_pvalues`.
    omnibus : Omnibus or None
        The global test before it.
    gated : bool
        Whether pairs may be called different only if `omnibus` is significant.
    signed : bool
        Whether the statistic changes its sign with the order of the pair; F statistics do not.
    se, df : ndarray of float or None
        Standard error and degrees of freedom of each pair.
    critical_value : ndarray of float or None
        How many standard errors each difference must reach.
    critical_difference : float or None
        How far apart two mean ranks must be.
    means, mean_ranks : ndarray of float or None
        Of each algorithm, over the blocks that all have (a mixed model: over all); the ranks are those that are
        compared, if ranks are.
    wins, common : ndarray of int, shape (K, K), or None
        In how many blocks the row is better than the column, and how many blocks they have in common; of a data set
        they compare the replications that both have.
    contrasts : DataFrame or None
        Your own contrasts, one row each, algorithms as columns.
    exact : bool
        Whether the p-values were counted over all arrangements.
    permutations : int
        Number of random permutations behind the p-values; 0 if none.
    least_pvalue : float or None
        The smallest p-value that the test of a pair can have with so few blocks; None if it is not known. `powerless`
        says whether it is too large for any pair to be called different.
    overlap : bool
        Whether replications of one data set were treated as independent, although they overlap.
    missing : MissingReport or None
        What was done about missing cells.
    details : mapping
        What else a procedure computed.
    notes : tuple of Note
        Why this procedure, and what a reader should know.
    """

    _made_from: ClassVar = (
        (Results, "Compare first: podium.compare(results)."),
        (pd.DataFrame, "Read it and compare first: podium.compare(podium.read(frame))."),
        (object, "Create one with podium.compare(results)."),
    )
    _ways_out: ClassVar = {
        Results: "Use the results that the Comparison was made from.",
        Relation: "Use comparison.relation().",
    }

    def relation(self, by: Literal["significance", "relevance"] = "significance") -> Relation:
        """Turn the decisions into a preference relation: a ≺ b where a is significantly (or relevantly) better.

        All other pairs are indifferent in it, whatever the reason: equivalent, undecided, or not tested at all because
        they have too few blocks in common (see `untested`). Indifferent does not mean that the two are equally good.
        """
        check_choice(by, ("significance", "relevance"), "by")
        if self.control is not None:
            raise InputError(
                f"A relation needs all pairs; this comparison has only those against the control {self.control!r}. "
                "Compare all pairs: leave `control` out."
            )
        k = len(self.algorithms)
        compared = np.zeros((k, k), bool)
        compared[np.minimum(self.first, self.second), np.maximum(self.first, self.second)] = True
        pairs = int(compared.sum())
        if pairs < k * (k - 1) // 2:
            raise InputError(
                f"A relation needs all pairs; this comparison has {pairs} of the {k * (k - 1) // 2} of "
                f"{join_names(self.algorithms, most=12)}. Compare all pairs: podium.compare(results)."
            )
        if by == "relevance" and self.equivalence is None:
            raise InputError(
                "`by='relevance'` needs a comparison with an area of equivalence, such as equivalence=(-0.01, 0.01)."
            )
        differs = self.significant if by == "significance" else self.relevant
        leads = self._first_leads()
        better, worse = np.where(leads, self.first, self.second), np.where(leads, self.second, self.first)
        strict = np.zeros((k, k), bool)
        strict[better[differs], worse[differs]] = True
        return Relation.from_strict(strict, self.algorithms)

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        return text.paragraph(self)

    def table(self, *, digits: int = 2) -> Table:
        """Return a table of all pairs: difference or ratio, interval, statistic, superiority, p, decision.

        What the procedure does not have is left out. ``print(table)``, ``table.latex()``, ``table.markdown()``,
        ``table.html()`` and ``table.frame()`` give it a form.

        Parameters
        ----------
        digits : int, default 2
            Significant digits of the uncertainty (half an interval); differences have as many decimals.
        """
        return text.table(self, digits=digits)

    def latex(self, *, caption: str | None = None, label: str | None = None, digits: int = 2) -> str:
        """Return the table of all pairs for a LaTeX document (package booktabs); see `Table.latex`.

        Parameters
        ----------
        caption, label : str, optional
            The caption defaults to a sentence on the procedure.
        digits : int, default 2
            As for `table`.
        """
        return self.table(digits=digits).latex(caption=caption, label=label)

    def __repr__(self) -> str:
        return text.lines(self)

    def _repr_html_(self) -> str:
        return text.html(self)


def with_interval_notes(found: Comparison) -> Comparison:
    """Name, in notes, the pairs that are called different although their interval contains no difference, and say why.

    That is 0 for a difference, and 1 for a ratio.
    """
    at_zero, names = (found.lower == 0) | (found.upper == 0), found.algorithms
    ends = np.isfinite(found.lower) | np.isfinite(found.upper)  # an interval without an end is not shown
    notes = [note for note in found.notes if note.code != "interval contains 0"]
    even = 1 if found.transform == "log" else 0
    for at_end in (True, False):
        chosen = np.flatnonzero(found.holds_zero & ends & (at_zero == at_end))
        pairs = tuple((names[found.first[i]], names[found.second[i]]) for i in chosen)
        facts = {"pairs": pairs, "even": even, "ends": at_end, "adjust": found.adjust}
        notes += [Note("interval contains 0", **facts)] if pairs else []
    return found._with(notes=tuple(notes))
