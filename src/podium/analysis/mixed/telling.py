"""A fitted model in words."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.analysis.omnibus import format_p
from podium.errors import listing

if TYPE_CHECKING:
    from podium.analysis.mixed.covariances import CovarianceComparison
    from podium.analysis.mixed.fit import MixedFit

_MODELS = {
    "block": "algorithm + {row} + residual",
    "domain": "algorithm + data set + data set × algorithm + replication + residual",
    "survey": "algorithm × data set + replication + residual",
}
_FAMILIES = {"tukey": "all pairs", "control": "comparisons with a control", "custom": "contrasts"}


def formula(fit: MixedFit) -> str:
    """Write the model as a sum."""
    return _MODELS[fit.design.model].format(row="data set" if fit.design.row_name == "dataset" else "replication")


def method_name(fit: MixedFit, kind: str, reference: str) -> str:
    """Name a comparison as it would stand in a paper."""
    structure = f", {fit.covariance} covariance" if fit.design.model == "domain" else ""
    unequal = "" if fit.residual == "common" else f", residual variance by {place_name(fit.residual)}"
    return (
        f"{_FAMILIES[kind][0].upper() + _FAMILIES[kind][1:]} in a mixed-effects model ({fit.design.model}{structure}"
        f"{unequal}, {fit.method}), {reference} reference"
    )


def contrast_notes(fit: MixedFit, reference: str, adjustment: str, low: float, high: float) -> tuple[str, ...]:
    """What a reader of a comparison should know."""
    notes = [*fit.design.notes, f"Model: {fit.design.measure.name} = {formula(fit)}; {_random(fit)}"]
    report = fit.design.missing
    if report.missing and report.policy == "available":
        verb = "is" if report.missing == 1 else "are"
        notes.append(
            f"{report.missing:,} of {report.cells:,} cells {verb} missing; every value that is there was used."
        )
    if reference == "t":
        span = f"{low:.4g}" if round(low, 2) == round(high, 2) else f"{low:.4g} to {high:.4g}"
        degrees = "degree" if span == "1" else "degrees"
        notes.append(f"Statistics are compared with the t distribution with {span} {degrees} of freedom.")
    else:
        notes.append("Statistics are compared with the normal distribution, as if the variances were known.")
    if adjustment in ("single-step", "step-down"):
        notes.append("p-values and intervals hold for all comparisons together, by their joint distribution.")
    if adjustment == "step-down":
        notes.append(
            "The p-values are of the step-down procedure; the intervals are those of the single-step one, so that of a "
            "significant difference may hold zero."
        )
    elif adjustment not in ("single-step", "bonferroni", "none"):
        notes.append("The intervals are Bonferroni's, so that of a significant difference may hold zero.")
    notes.extend(boundary_notes(fit))
    return tuple(notes)


def _random(fit: MixedFit) -> str:
    if fit.design.model == "domain":
        return "data sets are random, so the outcome holds for further data sets of the domain."
    if fit.design.model == "survey":
        return "data sets are fixed, so the outcome holds for these data sets and no others."
    if fit.design.row_name == "dataset":
        return "data sets are random, so the outcome holds for further data sets of the domain."
    return "replications are random, so the outcome holds for this data set."


def boundary_notes(fit: MixedFit) -> list[str]:
    """Say which variances ended at zero."""
    if not fit.boundary:
        return []
    table = fit.components
    zero = [str(name) for name in table.index[table["boundary"]]]
    notes = []
    if "residual" in zero:
        zero.remove("residual")
        variances = fit.residual_variances
        least = variances.index[fit.estimate.solution.boundary[-len(variances) :]]
        notes.append(f"The estimated residual variance of {listing(least, quote=False)} is zero, or nearly so.")
    if fit.covariance == "unstructured" and "dataset" in zero:
        zero = [name for name in zero if name not in ("dataset", "interaction")]
        notes.append(
            "The estimated covariance of the algorithms over data sets is singular: fewer data sets or replications "
            "than it needs, or algorithms that move together. Read its standard errors with care."
        )
    if zero:
        names = " and ".join(place_name(name) for name in zero)
        notes.append(f"The estimated variance of {names} is zero: the data show no such variation beyond chance.")
    return notes


def place_name(name: str) -> str:
    """Name a source of variation as it is written in texts."""
    return {"dataset": "data set", "interaction": "data set × algorithm"}.get(name, name)


def summary_text(fit: MixedFit) -> str:
    """Estimates, components and criterion, as lines of text."""
    design = fit.design
    m, _, k = design.values.shape
    structure = f", {fit.covariance} covariance" if design.model == "domain" else ""
    label = "criterion" if fit.method == "REML" else "deviance"
    lines = [
        f"Mixed-effects model of {design.measure}",
        f"  model        {formula(fit)}",
        f"  fitted by    {fit.method}{structure}, {fit.solver}",
        f"  to           {fit.nobs} values{_gaps(fit)}: {design.n} {_units(design.unit, design.n)}, {k} algorithms"
        + (f", {m} data sets" if design.model == "survey" else ""),
        f"  {label:<12} {fit.criterion:.4f} with {fit.parameters} variance parameters",
        "  means",
    ]
    order = np.argsort(design.measure.sign * fit.estimates.to_numpy(), kind="stable")
    width = max(len(name) for name in design.algorithms)
    for i in order:
        lines.append(f"    {design.algorithms[i]:<{width}}  {fit.estimates.iloc[i]:.5g} (se {fit.se.iloc[i]:.3g})")
    lines.append("  standard deviations")
    for name, row in fit.components.iterrows():
        zero = ", singular" if fit.covariance == "unstructured" and name in ("dataset", "interaction") else ", at zero"
        share = f"{100 * row['share']:.1f} % of the variance{zero if row['boundary'] else ''}"
        lines.append(f"    {place_name(str(name)):<20}  {row['sd']:.4g} ({share})")
    if fit.residual != "common":
        sd = (fit.residual_variances**0.5).sort_values()
        ends = f"{sd.iloc[0]:.4g} ({sd.index[0]}) to {sd.iloc[-1]:.4g} ({sd.index[-1]})"
        lines.append(f"    {'  by ' + place_name(fit.residual):<20}  {ends}")
    return "\n".join(lines)


def summary_html(fit: MixedFit) -> str:
    """The same for a notebook: head lines, means and standard deviations."""
    told = summary_text(fit).split("\n")
    head = told[: told.index("  means")]
    means = pd.DataFrame({"mean": fit.estimates, "standard error": fit.se})
    means = means.iloc[np.argsort(fit.design.measure.sign * fit.estimates.to_numpy(), kind="stable")]
    parts = fit.components.rename(index=place_name, columns={"sd": "standard deviation"}).drop(columns="boundary")
    tables = "".join(table.to_html(float_format=lambda x: f"{x:.4g}", border=0) for table in (means, parts))
    lines = "<br>".join(escape(line.strip()) for line in head[1:])
    notes = "".join(f"<p>{escape(note)}</p>" for note in boundary_notes(fit))
    return f"<div><strong>{escape(head[0])}</strong><p>{lines}</p>{tables}{notes}</div>"


def _gaps(fit: MixedFit) -> str:
    report = fit.design.missing
    return f" ({report.missing:,} missing)" if report.missing and report.policy == "available" else ""


def _units(unit: str, n: int) -> str:
    word = "data set" if unit == "dataset" else "replication"
    return word if n == 1 else f"{word}s"


def covariance_text(found: CovarianceComparison) -> str:
    """Explain how two covariance structures compare."""
    m, k = len(found.scalar.design.datasets), len(found.scalar.design.algorithms)
    spread = found.se_range
    lines = [
        "The scalar covariance has one variance for data sets and one for data set × algorithm: every algorithm "
        f"varies alike over data sets, and every two are alike related ({found.scalar.parameters} variance "
        "parameters). The unstructured one lets each algorithm have its own variance and each pair its own covariance "
        f"({found.unstructured.parameters} parameters from {m} data sets).",
        f"Likelihood ratio {found.statistic:.2f} on {found.df} degrees of freedom, {format_p(found.pvalue)}; AIC "
        f"{found.aic['scalar']:.1f} (scalar) and {found.aic['unstructured']:.1f} (unstructured).",
        f"Standard error of a difference: {spread[0]:.3g} for every pair under the scalar covariance (about, where "
        f"cells are missing), from {spread[1]:.3g} to {spread[2]:.3g} under the unstructured one.",
    ]
    if found.changed:
        pairs = "; ".join(f"{a} – {b}: {one} (scalar), {two} (unstructured)" for a, b, one, two in found.changed)
        lines.append(f"Decisions that differ: {pairs}.")
    else:
        lines.append("Both lead to the same decisions.")
    if found.preferred == "unstructured":
        lines.append(
            "The data speak for the unstructured covariance: the scalar one takes pairs with very unequal variation "
            "for alike, and is too sure of some and too unsure of others."
        )
    else:
        lines.append(
            "The data do not speak against the scalar covariance, and it uses them better: its standard errors rest on "
            f"{(m - 1) * (k - 1)} degrees of freedom instead of {m - 1}."
        )
    return "\n".join(lines)
