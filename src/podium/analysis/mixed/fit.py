"""`mixed` fits a mixed-effects model to benchmark results; `MixedFit` is what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.comparison import Comparison
from podium.analysis.mixed.components import component_table, component_tests
from podium.analysis.mixed.contrasts import Reference, compare_means
from podium.analysis.mixed.design import Design, make_design
from podium.analysis.mixed.effects import Effect, blups, fitted_frame
from podium.analysis.mixed.estimate import Covariance, Estimate, Residual, estimate
from podium.analysis.mixed.globaltest import DegreesOfFreedom, global_test
from podium.analysis.mixed.likelihood import Method
from podium.analysis.mixed.telling import summary_html, summary_text
from podium.analysis.omnibus import Omnibus
from podium.analysis.simultaneous.maximum import ACCURACY
from podium.arrays import FloatArray
from podium.errors import InputError, listing
from podium.results import Results

if TYPE_CHECKING:
    from podium.analysis.mixed.covariances import CovarianceComparison


def mixed(
    results: Results,
    measure: str | None = None,
    *,
    model: Literal["auto", "block", "domain", "survey"] = "auto",
    covariance: Covariance = "scalar",
    method: Method = "REML",
    residual: Residual = "common",
    missing: str = "available",
) -> MixedFit:
    """Fit a mixed-effects model: algorithms are fixed, what was drawn at random is random.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    model : {"auto", "block", "domain", "survey"}
        - ``"block"``, one data set: value = algorithm + replication + residual. Where every data set has one
          replication, the data sets are the blocks.
        - ``"domain"``, data sets drawn from a domain: value = algorithm + data set + data set × algorithm +
          replication + residual, with all but the first random. It generalises to further data sets.
        - ``"survey"``, these data sets and no others: algorithm, data set and their interaction are fixed, the
          replications random. It generalises to further replications on the same data sets.

        ``"auto"`` takes ``"block"`` for one data set and ``"domain"`` for several.
    covariance : {"scalar", "unstructured"}
        How the effects of a data set on the algorithms vary together, in the domain model: one variance for data
        sets and one for data set × algorithm, or any covariance matrix of the algorithms. They can lead to different
        decisions: see `MixedFit.compare_covariances`.
    method : {"REML", "ML"}
        Restricted or full maximum likelihood.
    residual : {"common", "algorithm", "dataset"}
        One residual variance for all, one per algorithm, or one per data set.
    missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-value"}
        Policy for missing cells; ``"available"`` uses all values that are there.

    Returns
    -------
    MixedFit

    Notes
    -----
    Complete designs are solved from mean squares. Others by Newton's method on the restricted likelihood, of which
    only K × K matrices per data set are ever formed; the work does not depend on the number of replications beyond
    one pass through the values.

    References
    ----------
    M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms. Sections
    2.3.2 and 4.3. — M. J. A. Eugster, T. Hothorn, F. Leisch (2008). Exploratory and inferential analysis of benchmark
    experiments. Technical report 30, LMU München. — J. C. Pinheiro, D. M. Bates (2000). Mixed-Effects Models in S and
    S-PLUS. Springer.

    Examples
    --------
    >>> import podium
    >>> fit = podium.mixed(podium.datasets.load_ulas2008("accuracy"))
    >>> fit.components.round(2)
                 variance     sd  share  boundary
    dataset        211.32  14.54   0.82     False
    interaction     36.56   6.05   0.14     False
    replication      2.46   1.57   0.01     False
    residual         8.03   2.83   0.03     False
    """
    _check_choice("covariance", covariance, get_args(Covariance))
    _check_choice("method", method, get_args(Method))
    _check_choice("residual", residual, get_args(Residual))
    design = make_design(results, measure, model, missing)
    if residual == "dataset" and len(design.datasets) == 1:
        raise InputError("`residual='dataset'` needs several data sets with replications. Use 'common' or 'algorithm'.")
    if covariance == "unstructured" and design.model != "domain":
        raise InputError(
            "`covariance='unstructured'` is a choice of the domain model: several data sets, each with replications. "
            f"Here the model is {design.model!r}."
        )
    return MixedFit(design, covariance, method, residual, estimate(design, covariance, method, residual))


@dataclass(frozen=True, eq=False, repr=False)
class MixedFit:
    """A fitted mixed-effects model.

    Attributes
    ----------
    design : Design
        What it was fitted to: values, labels, measure, unit.
    covariance : {"scalar", "unstructured"}
    method : {"REML", "ML"}
    residual : {"common", "algorithm", "dataset"}
    estimate : Estimate
        The numbers behind the properties below.
    """

    _made_from: ClassVar = (
        (pd.DataFrame, "Read it and fit a model first: podium.mixed(podium.read(frame))."),
        (object, "podium.mixed(results) makes one."),
    )
    _ways_out: ClassVar = {
        "Results": "Use the results that the MixedFit was made from.",
        "Comparison": "Use fit.contrasts().",
    }

    design: Design
    covariance: Covariance
    method: Method
    residual: Residual
    estimate: Estimate

    @property
    def estimates(self) -> pd.Series[float]:
        """Mean performance of each algorithm; in the survey model its average over the data sets."""
        effects = self.estimate.solution.point.effects
        return self._by_algorithm(effects if effects.ndim == 1 else effects.mean(axis=0))

    @property
    def vcov(self) -> pd.DataFrame:
        """Covariance matrix of `estimates`."""
        vcov = self.estimate.solution.point.vcov
        names = list(self.design.algorithms)
        matrix = vcov if vcov.ndim == 2 else vcov.sum(axis=0) / len(vcov) ** 2
        return pd.DataFrame(matrix, index=names, columns=names)

    @property
    def se(self) -> pd.Series[float]:
        """Standard errors of `estimates`."""
        return self._by_algorithm(np.sqrt(np.diag(self.vcov.to_numpy())))

    @property
    def components(self) -> pd.DataFrame:
        """Variance components: variance, standard deviation, share of the total, and whether it ended at zero.

        With an unstructured covariance ``dataset`` is the mean covariance of two algorithms over data sets, and
        ``interaction`` the mean variance of one less that. Where residual variances differ, theirs is the mean.
        """
        return component_table(self)

    @property
    def effects_covariance(self) -> pd.DataFrame | None:
        """Covariance matrix of the effects of a data set on the algorithms; None without random data sets."""
        names = list(self.design.algorithms)
        G = self.effects_matrix
        return None if G is None else pd.DataFrame(G, index=names, columns=names)

    @property
    def residual_variances(self) -> pd.Series[float]:
        """Residual variance of each algorithm, of each data set, or the common one."""
        d = self.estimate.problem.split(self.estimate.solution.phi)[2]
        labels: Sequence[str] = ["common"]
        if self.residual != "common":
            labels = self.design.algorithms if self.residual == "algorithm" else self.design.datasets
        return pd.Series(d, index=list(labels), name="residual variance")

    @property
    def criterion(self) -> float:
        """-2 log of the restricted likelihood (REML) or of the likelihood (ML)."""
        return self.estimate.solution.point.criterion

    @property
    def loglik(self) -> float:
        """Log of the restricted likelihood (REML) or of the likelihood (ML)."""
        return -self.criterion / 2

    @property
    def parameters(self) -> int:
        """Number of variance parameters."""
        return self.estimate.problem.parameters

    @property
    def nobs(self) -> int:
        """Number of values."""
        return int(self.estimate.problem.within.cell_n.sum())

    @property
    def boundary(self) -> bool:
        """Whether a variance ended at zero, or a covariance matrix singular."""
        return bool(self.estimate.solution.boundary.any())

    @property
    def solver(self) -> str:
        """How the variances were found: ``"closed form"``, ``"Newton's method"``, ..."""
        return self.estimate.solution.solver

    @property
    def effects_matrix(self) -> FloatArray | None:
        """As `effects_covariance`, without labels."""
        return self.estimate.problem.split(self.estimate.solution.phi)[0]

    @property
    def cell_means(self) -> FloatArray:
        """Fitted mean of each algorithm on each data set, as an M × K array."""
        return self.estimate.problem.within.cell_mean + self.estimate.solution.point.offset

    @property
    def cell_vcov(self) -> FloatArray:
        """Covariance of the errors of `cell_means`, as an M × K × K array."""
        point = self.estimate.solution.point
        if point.vcov.ndim == 3:
            return point.vcov
        rest = np.eye(point.vcov.shape[0]) - point.posterior @ point.A
        return np.asarray(point.posterior + rest @ point.vcov @ np.swapaxes(rest, 1, 2))

    @property
    def residual_by_cell(self) -> FloatArray:
        """Residual variance of each cell, as an M × K array."""
        d = self.estimate.problem.split(self.estimate.solution.phi)[2]
        shape = self.estimate.problem.within.cell_n.shape
        return np.broadcast_to(d[:, None] if self.residual == "dataset" else d, shape)

    def blups(self, effect: Effect) -> pd.DataFrame:
        """Predict random effects (best linear unbiased predictions).

        Parameters
        ----------
        effect : {"dataset", "interaction", "cell", "replication"}
            - ``"dataset"``: how hard the data set is for all algorithms alike;
            - ``"interaction"``: how the algorithm likes the data set, beyond both their means;
            - ``"cell"``: the sum of the two;
            - ``"replication"``: what the replication does to all algorithms alike.

            An unstructured covariance has only the sum; there the mean of it over the algorithms is the effect of
            the data set, and the rest the interaction.

        Returns
        -------
        DataFrame
            Labels, ``estimate``, its standard error of prediction ``sd``, and ``conditional_sd``: the same as if the
            means of the algorithms were known.
        """
        return blups(self, effect)

    def frame(self) -> pd.DataFrame:
        """Return each value with what the model makes of it: columns value, fitted, residual."""
        return fitted_frame(self)

    def omnibus(
        self,
        *,
        effect: Literal["algorithm", "interaction"] = "algorithm",
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
        return global_test(self, effect=effect, df=df, alpha=alpha)

    def contrasts(
        self,
        contrasts: Literal["tukey", "control"] | npt.ArrayLike | pd.DataFrame = "tukey",
        *,
        control: str | None = None,
        alpha: float = 0.05,
        reference: Reference = "t",
        adjustment: str = "single-step",
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
        reference : {"t", "normal"}
            Distribution the statistics are compared with. The normal one is for many replications or data sets, and to
            reproduce what multcomp computes for lme4 models.
        adjustment : str
            ``"single-step"`` and ``"step-down"`` (of Holm's kind) use the joint distribution of all statistics, and so
            do their intervals. The adjustments of `podium.inference.adjust_pvalues` do not; their intervals are
            Bonferroni's, or those of one pair alone for ``"none"``.
        df : {"auto", "exact", "satterthwaite", "kenward-roger"}
            Degrees of freedom of the t distribution, each pair with its own (Games and Howell); see `omnibus`.
        equivalence : float or (float, float), optional
            Area [Δ1, Δ2] of differences that do not matter, or its half-width.
        relative : bool
            Whether the area is given as a fraction of the mean of the best algorithm (or of the control).
        dataset : str, optional
            In the survey model: compare on this data set. Without it, averages over all.
        seed : int
            Seed for the joint distribution; the same seed gives the same numbers.
        accuracy : float
            Standard error to aim at for p-values near the level, where these are found by Monte Carlo; what was reached
            stands in ``details["error"]``.
        """
        return compare_means(
            self,
            contrasts,
            control=control,
            alpha=alpha,
            reference=reference,
            adjustment=adjustment,
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
            One row per component: ``criterion`` of the model without it, ``statistic`` (rise of the criterion), and
            ``pvalue`` from the even mixture of χ² with 0 and 1 degrees of freedom, as zero is on the boundary
            (Self and Liang 1987).
        """
        return component_tests(self)

    def compare_covariances(self, *, alpha: float = 0.05) -> CovarianceComparison:
        """Fit the domain model with both covariance structures, compare their likelihood, and say what it means."""
        from podium.analysis.mixed.covariances import compare_covariances

        return compare_covariances(self, alpha=alpha)

    def summary(self) -> str:
        """Tell the fit in text."""
        return summary_text(self)

    def _by_algorithm(self, numbers: FloatArray) -> pd.Series[float]:
        return pd.Series(numbers, index=list(self.design.algorithms))

    def __repr__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return summary_html(self)


def _check_choice(argument: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if value not in allowed:
        raise InputError(f"`{argument}` must be one of {listing(allowed)}; got {value!r}.")
