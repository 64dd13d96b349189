"""`bradley_terry`: the worth of objects from paired comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from scipy.optimize import least_squares
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.comparison import Comparison
from podium.analysis.notes import Note
from podium.analysis.procedure import check_adjust
from podium.analysis.simultaneous import all_pairs_contrasts, control_contrasts, max_abs_contrasts
from podium.analysis.simultaneous.max_t import single_quantile, single_sf
from podium.analysis.trees.likelihood import Pairs, fit_pairs
from podium.analysis.trees.paired_comparisons import PairedComparisons
from podium.arrays import FloatArray
from podium.checks import check_alpha, check_call, check_choice, check_flag, check_types, expect
from podium.errors import InputError, counted, listing
from podium.results import MeasureInfo
from podium.typesetting import Table

BiasReduction: TypeAlias = Literal["auto", "always", "never"]

MOST_FOR_QUASI = 300  # objects for which quasi standard errors are computed
MOST_FOR_JOINT = 1000  # differences whose joint distribution is computed


@check_call
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BradleyTerry:
    """A fitted Bradley–Terry model.

    Attributes
    ----------
    objects : tuple of str
    pairs : PairedComparisons
        What it was fitted to.
    estimates : ndarray of float
        Log worths; that of the baseline is 0.
    covariance : ndarray of float
        Covariance matrix of `estimates`; zeros for the baseline.
    baseline : str
        The object whose log worth is 0.
    nu : float
        Tie parameter ν: a tie of two equal objects is ν times as likely as a win; 0 if there are no ties.
    nu_se : float
        Standard error of log ν; NaN without ties.
    order_effect : float
        Log odds by which the first of a pair is favoured; 0 if the model has no such effect.
    order_effect_se : float
    loglik : float
        Log likelihood.
    bias_reduced : bool
        Whether the estimates are Firth's, which are finite where an object always wins or always loses.
    separated : tuple of tuple of str
        Groups of objects, best first, such that no object of a later group ever won against one of an earlier group or
        tied with it. One group if the maximum of the likelihood is finite.
    """

    _made_from: ClassVar = ((object, "Create one with podium.bradley_terry(pairs)."),)
    _ways_out: ClassVar = {"Comparison": "Use model.compare().", "Relation": "Use model.compare().relation()."}

    objects: tuple[str, ...]
    pairs: PairedComparisons
    estimates: FloatArray
    covariance: FloatArray
    baseline: str
    nu: float
    nu_se: float
    order_effect: float
    order_effect_se: float
    loglik: float
    bias_reduced: bool
    separated: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        check_types(self)

    @property
    def worth(self) -> pd.Series[float]:
        """Worths, which sum to 1, in the order of the objects."""
        scaled = np.exp(self.estimates - self.estimates.max())
        return pd.Series(scaled / scaled.sum(), index=list(self.objects), name="worth")

    @property
    def log_worth(self) -> pd.Series[float]:
        """Log worths relative to the baseline."""
        return pd.Series(self.estimates, index=list(self.objects), name="log worth")

    @property
    def se(self) -> pd.Series[float]:
        """Standard errors of the log worths; 0 for the baseline."""
        return pd.Series(np.sqrt(np.diag(self.covariance)), index=list(self.objects), name="se")

    @cached_property
    def quasi_se(self) -> pd.Series[float]:
        """Quasi standard errors: one per object, whose squares add up to the variance of each difference, nearly.

        They do not depend on the baseline (Firth & de Menezes 2004: least squares of the log ratios).
        """
        k = len(self.objects)
        if k > MOST_FOR_QUASI:
            raise InputError(f"Quasi standard errors are computed for up to {MOST_FOR_QUASI} objects; there are {k}.")
        i, j = np.triu_indices(k, 1)
        V = self.covariance
        variance = V[i, i] + V[j, j] - 2 * V[i, j]
        if k == 2:
            quasi = np.full(2, variance[0] / 2)
        else:
            start = np.log(np.full(k, variance.mean() / 2))

            def off(x: FloatArray) -> FloatArray:
                ratio: FloatArray = np.log((np.exp(x[i]) + np.exp(x[j])) / variance)
                return ratio

            found = least_squares(off, start)
            quasi = np.exp(found.x)
        return pd.Series(np.sqrt(quasi), index=list(self.objects), name="quasi se")

    def frame(self) -> pd.DataFrame:
        """One row per object, best first: worth, log worth, its standard error, quasi standard error, totals."""
        table = pd.concat([self.worth, self.log_worth, self.se], axis=1)
        if len(self.objects) <= MOST_FOR_QUASI:
            table["quasi se"] = self.quasi_se
        table = table.join(self.pairs.totals()[["wins", "losses", "ties"]])
        return table.sort_values("worth", ascending=False, kind="stable").rename_axis("object")

    def probability(self, a: str, b: str) -> dict[str, float]:
        """Probabilities that a wins against b, that b wins, and of a tie; a is the first of the pair."""
        place = {name: i for i, name in enumerate(self.objects)}
        unknown = [name for name in (a, b) if name not in place]
        if unknown:
            raise InputError(f"{listing(unknown)} is not an object of the model: {listing(self.objects, most=12)}.")
        one = np.exp(self.estimates[place[a]] + self.order_effect)
        two = np.exp(self.estimates[place[b]])
        tie = self.nu * np.exp((self.estimates[place[a]] + self.estimates[place[b]]) / 2)
        total = one + two + tie
        return {a: float(one / total), b: float(two / total), "tie": float(tie / total)}

    def compare(
        self, *, alpha: float = 0.05, control: str | None = None, adjust: str = "single-step", seed: int = 0
    ) -> Comparison:
        """Compare the log worths of all pairs, with simultaneous confidence intervals.

        Comparisons of one subject are treated as independent; where subjects or data sets repeat, p-values are too
        small, and the note says so.

        Parameters
        ----------
        alpha : float, default 0.05
            Family-wise level.
        control : str, optional
            Compare all others with this object.
        adjust : str, default "single-step"
            Adjustment for the number of pairs; ``"single-step"`` uses the joint distribution of all differences.
        seed : int, default 0
            Seed for that distribution, where it is computed by Monte Carlo.
        """
        check_alpha(alpha)
        adjust = check_adjust(adjust, control, ("single-step",))
        k = len(self.objects)
        order = np.argsort(-self.estimates, kind="stable")
        names = tuple(self.objects[i] for i in order)
        means, V = self.estimates[order], self.covariance[np.ix_(order, order)]
        if control is None:
            first, second = np.triu_indices(k, 1)
        else:
            if control not in names:
                raise InputError(f"`control` must be one of {listing(names, most=12)}; got {control!r}.")
            first = np.delete(np.arange(k), names.index(control))
            second = np.full(k - 1, names.index(control))
        estimate = means[first] - means[second]
        variance = np.diag(V)
        se = np.sqrt(np.maximum(variance[first] + variance[second] - 2 * V[first, second], 0.0))
        statistic = estimate / se
        normal = np.full(len(se), np.inf)
        alone = single_sf(np.abs(statistic), normal)
        if adjust == "single-step":
            if len(se) > MOST_FOR_JOINT:
                raise InputError(
                    f"The joint distribution of {len(se):,} differences is not computed; at most {MOST_FOR_JOINT:,} "
                    "are. Use adjust='holm', or compare fewer objects."
                )
            matrix = all_pairs_contrasts(k) if control is None else control_contrasts(k, names.index(control))
            joint = max_abs_contrasts(matrix, V, seed=seed)
            adjusted, critical = joint.sf(statistic), np.full(len(se), float(joint.quantile(1 - alpha)))
        else:
            adjusted = adjust_pvalues(alone, adjust) if adjust != "none" else alone
            level = alpha if adjust == "none" else alpha / len(se)
            critical = single_quantile(1 - level, normal)
        repeated = len(set(self.pairs.dataset)) < len(self.pairs.dataset)
        notes = (
            [Note("repeated subjects", datasets=len(set(self.pairs.dataset)), rows=self.pairs.rows)] if repeated else []
        )
        if self.bias_reduced:
            notes.append(Note("separated objects", groups=self.separated))
        return Comparison(
            method="Bradley–Terry model" + (" with ties" if self.nu > 0 else ""),
            procedure="bradley_terry",
            algorithms=names,
            first=first,
            second=second,
            estimate=estimate,
            statistic=statistic,
            pvalue=alone,
            adjusted=np.asarray(adjusted),
            lower=estimate - critical * se,
            upper=estimate + critical * se,
            estimand="log worth",
            in_units=False,
            sign=-1,
            measure=MeasureInfo(name="preference", direction="greater"),
            unit="replication",
            n=self.pairs.rows,
            datasets=max(len(set(self.pairs.dataset)), 1),
            alpha=alpha,
            adjust=adjust,
            control=control,
            se=se,
            means=means,
            critical_value=critical,
            notes=tuple(notes),
        )

    def _headlines(self) -> list[str]:
        lines = [
            f"Bradley–Terry model of {len(self.objects)} objects, "
            f"{counted(int(self.pairs.counts.sum()), 'comparison')}; log likelihood {self.loglik:.4g}"
            + (f"; ν = {self.nu:.3g}" if self.nu > 0 else ""),
        ]
        if self.bias_reduced:
            lines.append(
                "Bias-reduced estimates" + (": " + _separation(self.separated) if len(self.separated) > 1 else ".")
            )
        return lines

    def __repr__(self) -> str:
        return "\n".join([*self._headlines(), self.frame().round(4).to_string(max_rows=30)])

    def _repr_html_(self) -> str:
        return Table.from_frame(self.frame(), "; ".join(self._headlines())).html()


def _separation(groups: tuple[tuple[str, ...], ...]) -> str:
    return "no one of a later group ever won or tied against an earlier one: " + " | ".join(
        ", ".join(group) for group in groups
    )


@check_call
def bradley_terry(
    pairs: PairedComparisons,
    *,
    baseline: str | None = None,
    order_effect: bool = False,
    reduce_bias: BiasReduction = "auto",
) -> BradleyTerry:
    """Fit a Bradley–Terry model with ties (Davidson 1970; Critchlow & Fligner 1991).

    Parameters
    ----------
    pairs : PairedComparisons
    baseline : str, optional
        The object whose log worth is 0; the last one by default. Worths do not depend on it.
    order_effect : bool, default False
        Whether the first of a pair may have an advantage (home, first move, first answer shown).
    reduce_bias : {"auto", "always", "never"}
        Firth's bias reduction, which is finite for every table. ``"auto"`` uses it where the estimates would be
        infinite otherwise: an object, or a group, always wins or always loses. ``"never"`` refuses such a table.

    Returns
    -------
    BradleyTerry

    References
    ----------
    R. A. Bradley, M. E. Terry (1952). Rank analysis of incomplete block designs. I. Biometrika 39, 324–345. —
    R. R. Davidson (1970). Journal of the American Statistical Association 65, 317–328. — D. Firth (1993). Biometrika
    80, 27–38. — D. Firth, R. X. de Menezes (2004). Quasi-variances. Biometrika 91, 65–80.

    Examples
    --------
    >>> import podium
    >>> pairs = podium.PairedComparisons.from_results(podium.datasets.load_demsar2006())
    >>> podium.bradley_terry(pairs).worth.round(3).to_dict()
    {'C4.5': 0.085, 'C4.5+m': 0.381, 'C4.5+cf': 0.114, 'C4.5+m+cf': 0.42}
    """
    expect(pairs, PairedComparisons, "pairs")
    check_choice(reduce_bias, get_args(BiasReduction), "reduce_bias")
    check_flag(order_effect, "order_effect")
    check_choice(pairs.objects[-1] if baseline is None else baseline, pairs.objects, "baseline")
    k, counts = len(pairs.objects), pairs.counts
    refuse_strangers(pairs)
    separated = _groups(pairs)
    infinite = len(separated) > 1 or (pairs.ties and counts[:, :2].sum() == 0)
    if order_effect:
        infinite = infinite or counts[:, 0].sum() == 0 or counts[:, 1].sum() == 0
    if infinite and reduce_bias == "never":
        raise InputError(
            f"The maximum of the likelihood is infinite: {_separation(separated)}. Use reduce_bias='auto'."
        )
    reduced = reduce_bias == "always" or (reduce_bias == "auto" and infinite)
    used = pairs if order_effect else pairs.unordered()
    model = Pairs(used.first, used.second, k, pairs.ties, order_effect)
    found = fit_pairs(model, used.counts, reduce_bias=reduced)
    at = k - 1 if baseline is None else pairs.objects.index(baseline)
    whole = np.zeros((k, k))
    whole[1:, 1:] = found.covariance[: k - 1, : k - 1]
    shift = np.eye(k)
    shift[:, at] -= 1.0
    return BradleyTerry(
        objects=pairs.objects,
        pairs=pairs,
        estimates=found.t - found.t[at],
        covariance=shift @ whole @ shift.T,
        baseline=pairs.objects[at],
        nu=float(np.exp(found.d)),
        nu_se=float(np.sqrt(found.covariance[k - 1, k - 1])) if pairs.ties else float("nan"),
        order_effect=found.g,
        order_effect_se=float(np.sqrt(found.covariance[-1, -1])) if order_effect else float("nan"),
        loglik=found.loglik,
        bias_reduced=reduced,
        separated=separated,
    )


def refuse_strangers(pairs: PairedComparisons) -> None:
    """Refuse objects that cannot be compared, not even through others."""
    k = len(pairs.objects)
    met = pairs.counts.sum(axis=1) > 0
    graph = csr_array((np.ones(int(met.sum())), (pairs.first[met], pairs.second[met])), shape=(k, k))
    count, label = connected_components(graph, directed=False)
    if count > 1:
        groups = [[name for name, at in zip(pairs.objects, label, strict=True) if at == one] for one in range(count)]
        shown = "; ".join(f"{{{listing(group, most=6)}}}" for group in groups[:6])
        raise InputError(
            f"These groups of objects never met, so their worths cannot be compared: {shown}"
            f"{f' and {count - 6} more' if count > 6 else ''}. Leave objects out, or fit each group alone."
        )


def _groups(pairs: PairedComparisons) -> tuple[tuple[str, ...], ...]:
    """Strongly connected groups of the graph of wins and ties, best first (Ford 1957)."""
    k, counts = len(pairs.objects), pairs.counts
    up = (counts[:, 0] > 0) | (counts[:, 2] > 0)
    down = (counts[:, 1] > 0) | (counts[:, 2] > 0)
    start = np.concatenate([pairs.first[up], pairs.second[down]])
    end = np.concatenate([pairs.second[up], pairs.first[down]])
    graph = csr_array((np.ones(len(start)), (start, end)), shape=(k, k))
    count, label = connected_components(graph, directed=True, connection="strong")
    if count == 1:
        return (pairs.objects,)
    # Between groups wins go one way only: a group is as high as the longest chain of wins below it.
    above = np.zeros((count, count), bool)
    above[label[start], label[end]] = True
    np.fill_diagonal(above, False)
    height = np.zeros(count, int)
    for _ in range(count):
        new = np.array([1 + height[row].max() if row.any() else 0 for row in above])
        if np.array_equal(new, height):
            break
        height = new
    order = sorted(range(count), key=lambda one: (-height[one], int(np.flatnonzero(label == one)[0])))
    return tuple(tuple(name for name, at in zip(pairs.objects, label, strict=True) if at == one) for one in order)
