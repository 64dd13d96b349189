"""`bradley_terry`: the worth of objects from paired comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from scipy.linalg import cho_solve
from scipy.optimize import least_squares

from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.blocks import Unit, all_pairs, best_first
from podium.analysis.comparison import Comparison
from podium.analysis.notes import Note, separation_text
from podium.analysis.procedure import check_adjust
from podium.analysis.relation import Relation
from podium.analysis.sandwich import covariance_between, larger_covariance
from podium.analysis.simultaneous import all_pairs_contrasts, control_contrasts, max_abs_contrasts
from podium.analysis.simultaneous.max_t import single_quantile, single_sf
from podium.analysis.trees.likelihood import PairModel, derivatives, factor_of, fit_pairs
from podium.analysis.trees.paired_comparisons import LOSS, TIE, WIN, PairedComparisons
from podium.analysis.trees.separation import Infinite, refuse_confounding, refuse_strangers, separation_of
from podium.arrays import FloatArray, IntArray
from podium.checks import (
    check_alpha,
    check_call,
    check_choice,
    check_flag,
    check_seed,
    expect,
    position,
    record,
)
from podium.errors import InputError, plural
from podium.results import MeasureInfo
from podium.typesetting import Table

BiasReduction: TypeAlias = Literal["auto", "always", "never"]

MAX_QUASI_OBJECTS = 300  # objects for which quasi standard errors are computed
MAX_JOINT_DIFFERENCES = 1000  # differences whose joint distribution is computed


@record(eq=False, repr=False, kw_only=True)
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
        Whether the estimates are Firth's, which are always finite.
    infinite : {"nothing", "worths", "ties", "order effect"}
        What would be infinite at the maximum of the likelihood: worths, where an object or a group always wins; ν, and
        worths with it, where objects win or tie against others but never lose; or the effect of order.
    separated : tuple of tuple of str
        Groups of objects, best first, such that no object of a later group ever won against one of an earlier group or,
        unless ν is infinite, tied with it. One group where there are no such groups.
    """

    _made_from: ClassVar = ((object, "Create one with podium.bradley_terry(pairs)."),)
    _ways_out: ClassVar = {Comparison: "Use model.compare().", Relation: "Use model.compare().relation()."}

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
    infinite: Infinite
    separated: tuple[tuple[str, ...], ...]

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
        """Standard errors of the log worths, as if all comparisons were independent; 0 for the baseline."""
        return pd.Series(np.sqrt(np.diag(self.covariance)), index=list(self.objects), name="se")

    @cached_property
    def quasi_se(self) -> pd.Series[float]:
        """Quasi standard errors: one per object; the squares of two nearly add up to the variance of their difference.

        They do not depend on the baseline (Firth & de Menezes 2004: least squares of the log ratios).
        """
        return pd.Series(quasi_errors(self.covariance), index=list(self.objects), name="quasi se")

    def frame(self) -> pd.DataFrame:
        """One row per object, best first: worth, log worth, its standard error, quasi standard error, totals."""
        table = pd.concat([self.worth, self.log_worth, self.se], axis=1)
        if len(self.objects) <= MAX_QUASI_OBJECTS:
            table["quasi se"] = self.quasi_se
        table = table.join(self.pairs.totals()[["wins", "losses", "ties"]])
        return table.iloc[worth_order(self.estimates, self.objects)].rename_axis("object")

    def probability(self, a: str, b: str) -> dict[str, float]:
        """Probabilities that a wins against b, that b wins, and of a tie; a is the first of the pair."""
        i, j = position(self.objects, a, "a"), position(self.objects, b, "b")
        if i == j:
            raise InputError(f"`a` and `b` must be two objects; got {a!r} twice.")
        one = np.exp(self.estimates[i] + self.order_effect)
        two = np.exp(self.estimates[j])
        tie = self.nu * np.exp((self.estimates[i] + self.estimates[j]) / 2)
        total = one + two + tie
        return {a: float(one / total), b: float(two / total), "tie": float(tie / total)}

    def clusters(self, unit: Unit | None = None) -> IntArray | None:
        """Cluster of each comparison; None if every comparison stands alone.

        Parameters
        ----------
        unit : {"dataset", "replication"}, optional
            What a cluster is: the comparisons of a data set, which is the default where there are several data sets, or
            those of a subject, which is a replication, a row, or who judged.
        """
        if unit is not None:
            check_choice(unit, get_args(Unit), "unit")
        several = len(set(self.pairs.dataset)) > 1
        if unit == "dataset" and not several:
            raise InputError(
                "`unit='dataset'` needs several data sets; these comparisons "
                + ("are of one." if self.pairs.dataset else "do not say which data set they are from.")
            )
        if unit != "replication" and several:
            labels: IntArray = pd.factorize(np.array(self.pairs.dataset, object))[0]
            found = labels[self.pairs.row]
        else:
            found = self.pairs.row
        sizes = np.bincount(found)
        if sizes.max() == 1 or np.count_nonzero(sizes) < 2:
            return None
        return np.asarray(np.cumsum(sizes > 0) - 1)[found]

    def covariance_of(self, unit: Unit | None = None) -> tuple[FloatArray, float]:
        """Covariance of the log worths that a comparison uses, and the degrees of freedom that belong to it.

        Where every comparison stands alone, it is that of the model. Comparisons of one data set, or of one user, are
        not independent: the covariance is then estimated from the variation between data sets, replications or users,
        and is nowhere smaller than that of the model (Liang & Zeger 1986).

        Parameters
        ----------
        unit : {"dataset", "replication"}, optional
            What is independent; data sets where there are several.
        """
        cluster = self.clusters(unit)
        if cluster is None:
            return self.covariance, np.inf
        ordered = bool(np.isfinite(self.order_effect_se))
        used = self.pairs if ordered else self.pairs.unordered()
        model = PairModel(used.first, used.second, len(self.objects), self.nu > 0, ordered)
        extra = [np.log(self.nu)] if model.ties else []
        extra += [self.order_effect] if ordered else []
        beta = np.concatenate([(self.estimates - self.estimates[0])[1:], extra])
        found = clustered_covariance(used, model, beta, cluster)
        return _relative(found, self.objects.index(self.baseline)), float(cluster.max())

    def compare(
        self,
        *,
        alpha: float = 0.05,
        control: str | None = None,
        adjust: str = "single-step",
        unit: Unit | None = None,
        seed: int = 0,
    ) -> Comparison:
        """Compare the log worths of all pairs, with simultaneous confidence intervals.

        Comparisons of one data set, or of one user, are not independent; see `covariance_of` for what is done about it.
        Duels, where every comparison is a separate subject, are treated as independent.

        Parameters
        ----------
        alpha : float, default 0.05
            Family-wise level.
        control : str, optional
            Compare all others with this object.
        adjust : str, default "single-step"
            Adjustment for the number of pairs; ``"single-step"`` uses the joint distribution of all differences.
        unit : {"dataset", "replication"}, optional
            What is independent: data sets, the default where there are several, or replications.
        seed : int, default 0
            Seed for that distribution, where it is computed by Monte Carlo.
        """
        check_alpha(alpha)
        check_seed(seed)
        adjust = check_adjust(adjust, control, ("single-step",))
        k = len(self.objects)
        order = worth_order(self.estimates, self.objects)
        names = tuple(self.objects[i] for i in order)
        covariance, df = self.covariance_of(unit)
        means, V = self.estimates[order], covariance[np.ix_(order, order)]
        if control is None:
            first, second = all_pairs(k)
        else:
            reference = position(names, control, "control")
            first, second = np.delete(np.arange(k), reference), np.full(k - 1, reference)
        estimate = means[first] - means[second]
        variance = np.diag(V)
        se = np.sqrt(np.maximum(variance[first] + variance[second] - 2 * V[first, second], 0.0))
        statistic = estimate / se
        freedom = np.full(len(se), df)
        alone = single_sf(np.abs(statistic), freedom)
        if adjust == "single-step":
            if len(se) > MAX_JOINT_DIFFERENCES:
                raise InputError(
                    f"The joint distribution of {len(se):,} differences is not computed; at most "
                    f"{MAX_JOINT_DIFFERENCES:,} are. Use adjust='holm', or compare fewer objects."
                )
            matrix = all_pairs_contrasts(k) if control is None else control_contrasts(k, reference)
            joint = max_abs_contrasts(matrix, V, seed=seed)
            adjusted = joint.sf(statistic, freedom)
            critical = np.full(len(se), float(np.max(joint.quantile(1 - alpha, df))))
        else:
            adjusted = adjust_pvalues(alone, adjust) if adjust != "none" else alone
            level = alpha if adjust == "none" else alpha / len(se)
            critical = single_quantile(1 - level, freedom)
        datasets = len(set(self.pairs.dataset))
        notes = []
        if datasets > 1 and unit == "replication" and datasets < self.pairs.rows:
            notes.append(Note("repeated subjects", datasets=datasets, rows=self.pairs.rows))
        if self.bias_reduced and self.infinite != "nothing":
            notes.append(Note("separated objects", infinite=self.infinite, groups=self.separated))
        whole = datasets > 1 and unit != "replication"
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
            measure=MeasureInfo(name="preference", direction="higher"),
            unit="dataset" if whole else "replication",
            n=datasets if whole else self.pairs.rows if datasets else max(round(float(self.pairs.weight.sum())), 1),
            datasets=datasets,
            alpha=alpha,
            adjust=adjust,
            control=control,
            se=se,
            df=freedom if np.isfinite(df) else None,
            means=means,
            critical_value=critical,
            notes=tuple(notes),
        )

    def _headlines(self) -> list[str]:
        lines = [
            f"Bradley–Terry model of {len(self.objects)} objects, "
            f"{plural(int(self.pairs.counts.sum()), 'comparison')}; log likelihood {self.loglik:.4g}"
            + (f"; ν = {self.nu:.3g}" if self.nu > 0 else ""),
        ]
        if np.isfinite(self.order_effect_se):
            lines.append(f"Effect of order: {self.order_effect:.3g}, standard error {self.order_effect_se:.2g}")
        if self.bias_reduced:
            why = "" if self.infinite == "nothing" else ": " + separation_text(self.infinite, self.separated)
            lines.append(f"Bias-reduced estimates{why}")
        if self.clusters() is not None:
            lines.append("Standard errors as if all comparisons were independent; compare() does not assume this")
        return lines

    def __repr__(self) -> str:
        worths = self.frame().round(4).to_string(max_rows=30)
        return "\n".join([*self._headlines(), worths])

    def _repr_html_(self) -> str:
        return Table.from_frame(self.frame(), "; ".join(self._headlines())).html()


def worth_order(log_worths: FloatArray, objects: Sequence[str]) -> IntArray:
    """Positions of the objects, best first; worths that are equal up to the precision of the fit by name."""
    return best_first(-log_worths, objects, np.full(len(objects), 1e3))


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
        What would be infinite is in `BradleyTerry.infinite`.

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
    >>> pairs = podium.PairedComparisons.from_results(podium.examples.load_demsar2006())
    >>> podium.bradley_terry(pairs).worth.round(3).to_dict()
    {'C4.5': 0.085, 'C4.5+m': 0.381, 'C4.5+cf': 0.114, 'C4.5+m+cf': 0.42}
    """
    expect(pairs, PairedComparisons, "pairs")
    check_choice(reduce_bias, get_args(BiasReduction), "reduce_bias")
    check_flag(order_effect, "order_effect")
    check_choice(pairs.objects[-1] if baseline is None else baseline, pairs.objects, "baseline")
    k, counts = len(pairs.objects), pairs.counts
    refuse_strangers(pairs)
    used = pairs if order_effect else pairs.unordered()
    ties = bool(counts[:, 2].any())
    model = PairModel(used.first, used.second, k, ties, order_effect)
    if order_effect:
        refuse_confounding(model, used.counts)
    found_out = separation_of(model, used.counts)
    separated = tuple(tuple(pairs.objects[i] for i in group) for group in found_out.groups)
    infinite = found_out.infinite
    if infinite != "nothing" and reduce_bias == "never":
        raise InputError(
            f"The maximum of the likelihood is infinite: {separation_text(infinite, separated)}. Use "
            "reduce_bias='auto'."
        )
    reduced = reduce_bias == "always" or (reduce_bias == "auto" and infinite != "nothing")
    found = fit_pairs(model, used.counts, reduce_bias=reduced)
    at = k - 1 if baseline is None else pairs.objects.index(baseline)
    whole = np.zeros((k, k))
    whole[1:, 1:] = found.covariance[: k - 1, : k - 1]
    return BradleyTerry(
        objects=pairs.objects,
        pairs=pairs,
        estimates=found.t - found.t[at],
        covariance=_relative(whole, at),
        baseline=pairs.objects[at],
        nu=float(np.exp(found.d)),
        nu_se=float(np.sqrt(found.covariance[k - 1, k - 1])) if ties else float("nan"),
        order_effect=found.g,
        order_effect_se=float(np.sqrt(found.covariance[-1, -1])) if order_effect else float("nan"),
        loglik=found.loglik,
        bias_reduced=reduced,
        infinite=infinite,
        separated=separated,
    )


def _relative(covariance: FloatArray, at: int) -> FloatArray:
    """Covariance of log worths relative to another object."""
    shift = np.eye(len(covariance))
    shift[:, at] -= 1.0
    return np.asarray(shift @ covariance @ shift.T)


def quasi_errors(covariance: FloatArray) -> FloatArray:
    """Quasi standard errors of a covariance matrix (Firth & de Menezes 2004)."""
    k = len(covariance)
    if k > MAX_QUASI_OBJECTS:
        raise InputError(f"Quasi standard errors are computed for up to {MAX_QUASI_OBJECTS} objects; there are {k}.")
    i, j = np.triu_indices(k, 1)
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    if k == 2:
        return np.asarray(np.sqrt(np.full(2, variance[0] / 2)))

    def off(x: FloatArray) -> FloatArray:
        return np.log((np.exp(x[i]) + np.exp(x[j])) / variance)

    found = least_squares(off, np.log(np.full(k, variance.mean() / 2)))
    return np.asarray(np.exp(found.x / 2))


def clustered_covariance(pairs: PairedComparisons, model: PairModel, beta: FloatArray, cluster: IntArray) -> FloatArray:
    """Covariance of the log worths, K × K, where comparisons of a cluster are not independent.

    A cluster is a data set, a replication or a user. On a replication every pair is compared by the same scores, and
    replications of a data set resemble each other. The covariance of the estimates is then larger than the model says.

    Parameters
    ----------
    pairs, model
        The comparisons, and the pairs of the model, which are the same.
    beta : ndarray
        Estimates: log worths relative to object 0, then ties and order where the model has them.
    cluster : ndarray of int
        The cluster of each comparison, counted from 0.
    """
    k, count = model.objects, int(cluster.max()) + 1
    counts = pairs.counts
    _, _, information, p = derivatives(model, counts, counts.sum(axis=1), beta)
    inverse = cho_solve(factor_of(information), np.eye(len(beta)))
    chance, outcome, weight = p[pairs.pair], pairs.outcome, pairs.weight
    scores = np.zeros((count, k + model.extra))
    for side, win in ((model.first, WIN), (model.second, LOSS)):
        left = (outcome == win) + 0.5 * (outcome == TIE) - chance[:, win] - 0.5 * chance[:, TIE]
        scores[:, :k] += np.bincount(cluster * k + side[pairs.pair], weight * left, count * k).reshape(count, k)
    if model.ties:
        scores[:, k] = np.bincount(cluster, weight * ((outcome == TIE) - chance[:, TIE]), count)
    if model.order_effect:
        scores[:, -1] = np.bincount(cluster, weight * ((outcome == WIN) - chance[:, WIN]), count)
    between = covariance_between(inverse, scores[:, 1:])
    whole = np.zeros((k, k))
    whole[1:, 1:] = larger_covariance(between[: k - 1, : k - 1], inverse[: k - 1, : k - 1])
    return whole
