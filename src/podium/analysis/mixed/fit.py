"""`mixed` fits a mixed-effects model to benchmark results and returns a `MixedFit`."""

from __future__ import annotations

from html import escape
from typing import ClassVar, Literal, Self, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.blocks import best_first
from podium.analysis.comparison import Comparison
from podium.analysis.mixed.contrasts import Distribution, compare_means
from podium.analysis.mixed.covariances import (
    CovarianceComparison,
    compare_covariances,
    component_tests,
    covariance_ratio,
)
from podium.analysis.mixed.degrees_of_freedom import DegreesOfFreedom
from podium.analysis.mixed.design import Design, ModelChoice, make_design
from podium.analysis.mixed.f_tests import TestedEffect, f_test
from podium.analysis.mixed.fitted_model import Covariance, FittedModel, Residual, fit_model
from podium.analysis.mixed.likelihood import Estimation
from podium.analysis.mixed.random_effects import Effect, blups, fitted_frame
from podium.analysis.notes import Note, model_formula, source_name
from podium.analysis.omnibus import Omnibus
from podium.analysis.simultaneous.max_t import ACCURACY
from podium.analysis.transform import Transform
from podium.checks import check_alpha, check_call, check_choice, record
from podium.errors import InputError
from podium.results import Results
from podium.typesetting import Table

_SOLVERS = {
    "closed form": "closed form",
    "newton": "Newton's method",
    "quasi-newton": "Newton's method, then quasi-Newton on the Cholesky factor",
}
MAX_COMPARED = 12  # algorithms up to which both covariances are fitted
PRETEST_LEVEL = 0.05  # at which the scalar covariance is given up
NOTED_LEVEL = 0.01  # at which a scalar covariance that is kept has a note


@check_call
def mixed(
    results: Results,
    measure: str | None = None,
    *,
    model: ModelChoice = "auto",
    covariance: Covariance = "scalar",
    estimation: Estimation = "REML",
    residual: Residual = "common",
    missing: str = "available",
    transform: Transform | None = None,
) -> MixedFit:
    """Fit a mixed-effects model: algorithms are fixed effects, replications (and data sets) are random.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    model : {"auto", "block", "domain", "survey"}
        - ``"block"``, one data set: value = algorithm + replication + residual. Where every data set has one
          replication, the data sets are the blocks.
        - ``"domain"``, data sets drawn from a domain: value = algorithm + data set + data set × algorithm +
          replication + residual, with all but the first random. It generalises to new data sets.
        - ``"survey"``, these data sets and no others: algorithm, data set and their interaction are fixed,
          replications random. It generalises to new replications on the same data sets.

        ``"auto"`` takes ``"block"`` for one data set and ``"domain"`` for several.
    covariance : {"scalar", "unstructured"}
        Covariance of the effects of a data set on the algorithms, in the domain model: one variance for data sets and
        one for data set × algorithm, or any covariance matrix. The two can lead to different decisions: see
        `MixedFit.compare_covariances`.
    estimation : {"REML", "ML"}
        Restricted or full maximum likelihood.
    residual : {"common", "algorithm", "dataset"}
        One residual variance for all, one per algorithm, or one per data set.
    missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-value"}
        Policy for missing cells; ``"available"`` uses every value that is present.
    transform : {"log", "identity"} or function, optional
        What the model is fitted to: logarithms, the values as measured, or any increasing function of them. By default
        logarithms where the scale of the measure is ``"log"`` (times are an example) and all values are positive.
        Differences of logarithms are ratios, and comparisons report them as such.

    Returns
    -------
    MixedFit

    Notes
    -----
    Complete designs are solved in closed form from mean squares, all others by Newton's method on the restricted
    likelihood. No matrix larger than K × K per data set is formed, and after one pass through the values the work does
    not depend on the number of replications.

    References
    ----------
    M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms. Sections
    2.3.2 and 4.3. — M. J. A. Eugster, T. Hothorn, F. Leisch (2008). Exploratory and inferential analysis of benchmark
    experiments. Technical report 30, LMU München. — J. C. Pinheiro, D. M. Bates (2000). Mixed-Effects Models in S and
    S-PLUS. Springer.

    Examples
    --------
    >>> import podium
    >>> fit = podium.mixed(podium.examples.load_ulas2008("accuracy"))
    >>> fit.components.round(2)
                 variance     sd  share  boundary
    dataset        211.32  14.54   0.82     False
    interaction     36.56   6.05   0.14     False
    replication      2.46   1.57   0.01     False
    residual         8.03   2.83   0.03     False
    """
    check_structure(covariance, estimation, residual)
    return fit_design(make_design(results, measure, model, missing, transform), covariance, estimation, residual)


def check_structure(covariance: Covariance, estimation: Estimation, residual: Residual) -> None:
    """Check the options of a model."""
    check_choice(covariance, get_args(Covariance), "covariance")
    check_choice(estimation, get_args(Estimation), "estimation")
    check_choice(residual, get_args(Residual), "residual")


def fit_design(design: Design, covariance: Covariance, estimation: Estimation, residual: Residual) -> MixedFit:
    """Fit the model of a design; refuse variance structures that it does not have."""
    if residual == "dataset" and design.model == "block":
        raise InputError("`residual='dataset'` needs several data sets with replications. Use 'common' or 'algorithm'.")
    if covariance == "unstructured" and design.model != "domain":
        raise InputError(
            "`covariance='unstructured'` needs the domain model: several data sets, each with replications. Here the "
            f"model is {design.model!r}."
        )
    return fit_model(MixedFit, design, covariance, estimation, residual)


def fit_with_covariance(
    design: Design, covariance: Covariance | None, estimation: Estimation, residual: Residual
) -> tuple[MixedFit, tuple[Note, ...]]:
    """Fit the model of a design with the covariance that is asked for, or by default the one that the data call for.

    That is the unstructured one where a likelihood ratio test rejects the scalar one and there are two data sets or
    more for each algorithm. A note says so, or that the unstructured one would fit better.
    """
    fit = fit_design(design, "scalar" if covariance is None else covariance, estimation, residual)
    m, k = design.datasets, len(design.algorithms)
    if design.model != "domain" or fit.covariance != "scalar" or residual != "common":
        return fit, ()
    if not k + 1 < m or k > MAX_COMPARED:
        return fit, ()
    other = fit_model(MixedFit, design, "unstructured", estimation, residual)
    ratio = covariance_ratio(fit, other)
    facts = {"ratio": ratio.statistic, "df": ratio.df, "pvalue": ratio.pvalue}
    if covariance is None and m >= 2 * k and ratio.pvalue <= PRETEST_LEVEL:
        return other, (Note("chosen unstructured", **facts),)
    return fit, (Note("better covariance", **facts),) if ratio.pvalue <= NOTED_LEVEL else ()


@record(eq=False, repr=False, kw_only=True)
class MixedFit(FittedModel):
    """A fitted mixed-effects model: estimates, predictions, tests and comparisons.

    Attributes
    ----------
    design : Design
        The data it was fitted to: values, labels, measure, unit.
    covariance : {"scalar", "unstructured"}
    estimation : {"REML", "ML"}
    residual : {"common", "algorithm", "dataset"}
    objective, solution, strata, size
        The numbers behind the properties: criterion, variance parameters, sums of squares; of the values over `size`.
    """

    _made_from: ClassVar = (
        (Results, "Fit a model first: podium.mixed(results)."),
        (Comparison, "Fit a model to the results it was made from: podium.mixed(results)."),
        (pd.DataFrame, "Read it and fit a model first: podium.mixed(podium.read(frame))."),
        (object, "Create one with podium.mixed(results)."),
    )
    _ways_out: ClassVar = {
        Results: "Use the results that the MixedFit was made from.",
        Comparison: "Use fit.contrasts().",
    }

    def blups(self, effect: Effect) -> pd.DataFrame:
        """Predict random effects (best linear unbiased predictions).

        Parameters
        ----------
        effect : {"dataset", "interaction", "cell", "replication"}
            - ``"dataset"``: how a data set shifts the performance of all algorithms;
            - ``"interaction"``: how an algorithm deviates on a data set, beyond the effects of both;
            - ``"cell"``: the sum of the two;
            - ``"replication"``: how a replication shifts the performance of all algorithms.

            An unstructured covariance has only the sum; there its mean over the algorithms counts as the effect of
            the data set, and the rest as the interaction.

        Returns
        -------
        DataFrame
            Labels, ``estimate``, its standard error of prediction ``sd``, and ``conditional_sd``: the same with the
            means of the algorithms treated as known.
        """
        return blups(self, effect)

    def frame(self) -> pd.DataFrame:
        """Return each value with its fitted value and residual: columns value, fitted, residual."""
        return fitted_frame(self)

    def omnibus(
        self,
        *,
        effect: TestedEffect = "algorithm",
        df: DegreesOfFreedom = "auto",
        alpha: float = 0.05,
    ) -> Omnibus:
        """Test that all algorithms have the same mean: the F test.

        Parameters
        ----------
        effect : {"algorithm", "interaction"}
            ``"interaction"``, in the survey model: test that their differences are the same on all data sets
            (degrees of freedom exact or Satterthwaite's).
        df : {"auto", "exact", "satterthwaite", "kenward-roger"}
            ``"auto"`` is exact where the design is complete (mean squares; Hotelling's test with an unstructured
            covariance), Kenward and Roger's for an unstructured covariance, Satterthwaite's otherwise.
        alpha : float
            Level of the decision.
        """
        return f_test(self, effect=effect, df=df, alpha=alpha)

    def contrasts(
        self,
        contrasts: Literal["tukey", "control"] | npt.ArrayLike | pd.DataFrame = "tukey",
        *,
        control: str | None = None,
        alpha: float = 0.05,
        distribution: Distribution = "t",
        adjust: str = "single-step",
        df: DegreesOfFreedom = "auto",
        equivalence: float | tuple[float, float] | None = None,
        relative: bool = False,
        dataset: str | None = None,
        seed: int = 0,
        accuracy: float = ACCURACY,
    ) -> Comparison:
        """Compare means of algorithms, with simultaneous confidence intervals.

        Parameters
        ----------
        contrasts : {"tukey", "control"}, array or DataFrame
            All pairs, all others against `control`, or any contrasts: one per row, one column per algorithm in
            the order of `estimates` (a DataFrame by name).
        control : str, optional
            The algorithm all others are compared with.
        alpha : float
            Family-wise level.
        distribution : {"t", "normal"}
            Distribution the statistics are compared with. The normal one is for many replications or data sets, and to
            reproduce what multcomp computes for lme4 models.
        adjust : str
            ``"single-step"`` and ``"step-down"`` (as Holm) use the joint distribution of all statistics, and so do
            their intervals. The adjustments of `podium.inference.adjust_pvalues` do not; their intervals are
            Bonferroni's, or those of one pair alone for ``"none"``.
        df : {"auto", "exact", "satterthwaite", "kenward-roger"}
            Degrees of freedom of the t distribution, each pair with its own (Games and Howell); see `omnibus`.
        equivalence : float or (float, float), optional
            Area [Δ1, Δ2] of differences that do not matter, or its half-width.
        relative : bool
            Whether the area is given as a fraction of the mean of the best algorithm (or of the control). Logarithms
            need it: there ``equivalence=0.1`` is a ratio of at most 1.1.
        dataset : str, optional
            In the survey model: compare on this data set. Without it, averages over all.
        seed : int
            Seed for the joint distribution; the same seed gives the same numbers.
        accuracy : float
            Target standard error of p-values near the level, where these are computed by Monte Carlo; the standard
            error reached is in ``details["error"]``.
        """
        return compare_means(
            self,
            contrasts,
            control=control,
            alpha=alpha,
            distribution=distribution,
            adjust=adjust,
            df=df,
            equivalence=equivalence,
            relative=relative,
            dataset=dataset,
            seed=seed,
            accuracy=accuracy,
        )

    def component_tests(self) -> pd.DataFrame:
        """Test each variance component against zero by its likelihood ratio.

        Returns
        -------
        DataFrame
            One row per component: ``criterion`` of the model without it, ``statistic`` (increase of the criterion),
            and ``pvalue`` from the even mixture of χ² with 0 and 1 degrees of freedom, as zero is on the boundary
            (Self and Liang 1987).
        """
        return component_tests(self)

    def compare_covariances(self, *, alpha: float = 0.05) -> CovarianceComparison[Self]:
        """Fit the domain model with both covariance structures; compare likelihoods, intervals and decisions."""
        check_alpha(alpha)
        if self.design.model != "domain":
            raise InputError(
                f"Only the domain model has covariance structures to compare; this model is {self.design.model!r}."
            )
        fits = {self.covariance: self}
        for structure in get_args(Covariance):
            if structure not in fits:
                fits[structure] = fit_model(type(self), self.design, structure, self.estimation, self.residual)
        comparisons = {structure: fit.contrasts(alpha=alpha) for structure, fit in fits.items()}
        return compare_covariances(fits["scalar"], fits["unstructured"], comparisons)

    def summary(self) -> str:
        """Describe model, data, means and variance components in text."""
        return summary_text(self)

    def __repr__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return summary_html(self)


def summary_text(model: FittedModel) -> str:
    """Write the head lines, the means and the standard deviations as text."""
    lines = [_title(model), *(f"  {label:<12} {fact}" for label, fact in _head(model)), "  means"]
    means = _means(model)
    width = max(len(name) for name in model.design.algorithms)
    logged = model.design.transform == "log"
    lines += [
        f"    {name:<{width}}  {mean:.5g} (se {se:.3g}{f'; geometric mean {np.exp(mean):.4g}' if logged else ''})"
        for name, mean, se in means.itertuples()
    ]
    lines.append("  standard deviations")
    for name, row in model.components.iterrows():
        singular = model.covariance == "unstructured" and name in ("dataset", "interaction")
        ending = (", singular" if singular else ", at zero") if row["boundary"] else ""
        share = f"{abs(100 * row['share']):.1f}% of the variance{ending}"
        lines.append(f"    {source_name(str(name)):<20}  {row['sd']:.4g} ({share})")
    if model.residual != "common":
        sd = (model.residual_variances**0.5).sort_values()
        ends = f"{sd.iloc[0]:.4g} ({sd.index[0]}) to {sd.iloc[-1]:.4g} ({sd.index[-1]})"
        lines.append(f"    {'  by ' + source_name(model.residual):<20}  {ends}")
    return "\n".join(lines)


def summary_html(model: FittedModel) -> str:
    """Write the same for a notebook, with tables."""
    means = _means(model).rename(columns={"se": "standard error"})
    parts = model.components.rename(index=source_name, columns={"sd": "standard deviation"}).drop(columns="boundary")
    tables = "".join(Table.from_frame(frame, digits=4).html() for frame in (means, parts))
    head = "<br>".join(escape(f"{label}: {fact}") for label, fact in _head(model))
    notes = "".join(f"<p>{escape(str(note))}</p>" for note in model.notes)
    return f"<div><strong>{escape(_title(model))}</strong><p>{head}</p>{tables}{notes}</div>"


def _title(model: FittedModel) -> str:
    return f"Mixed-effects model of {model.design.measure}"


def _head(model: FittedModel) -> list[tuple[str, str]]:
    """Facts about model and data, each with its label."""
    design, report = model.design, model.design.missing
    structure = f", {model.covariance} covariance" if design.model == "domain" else ""
    gaps = f" ({report.missing:,} missing)" if report.missing and report.policy == "available" else ""
    blocks = "data set" if design.unit == "dataset" else "replication"
    counts = f"{design.n} {blocks}{'' if design.n == 1 else 's'}, {len(design.algorithms)} algorithms"
    if design.model == "survey":
        counts += f", {design.datasets} data sets"
    return [
        ("model", model_formula(design.model, design.row_name)),
        ("fitted by", f"{model.estimation}{structure}, {_SOLVERS[model.solver]}"),
        ("to", f"{model.nobs} values{gaps}: {counts}"),
        (
            "criterion" if model.estimation == "REML" else "deviance",
            f"{model.criterion:.4f} with {model.parameters} variance parameters",
        ),
    ]


def _means(model: FittedModel) -> pd.DataFrame:
    """Means with their standard errors, best first; equal ones by name."""
    order = best_first(np.asarray(model.design.measure.sign * model.estimates, float), model.design.algorithms)
    return pd.DataFrame({"mean": model.estimates, "se": model.se}).iloc[order]
