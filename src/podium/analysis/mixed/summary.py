"""The summary of a fitted model, as text and as HTML."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd

from podium.analysis.mixed.fitted_model import FittedModel
from podium.errors import listing

_SOLVERS = {
    "closed form": "closed form",
    "newton": "Newton's method",
    "quasi-newton": "Newton's method, then quasi-Newton on the Cholesky factor",
}


def summary_text(model: FittedModel) -> str:
    """Write the head lines, the means and the standard deviations as text."""
    lines = [_title(model), *(f"  {label:<12} {fact}" for label, fact in _head(model)), "  means"]
    means = _means(model)
    width = max(len(name) for name in model.design.algorithms)
    lines += [f"    {name:<{width}}  {mean:.5g} (se {se:.3g})" for name, mean, se in means.itertuples()]
    lines.append("  standard deviations")
    for name, row in model.components.iterrows():
        singular = model.covariance == "unstructured" and name in ("dataset", "interaction")
        ending = (", singular" if singular else ", at zero") if row["boundary"] else ""
        share = f"{100 * row['share']:.1f} % of the variance{ending}"
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
    tables = "".join(table.to_html(float_format=lambda x: f"{x:.4g}", border=0) for table in (means, parts))
    head = "<br>".join(escape(f"{label}: {fact}") for label, fact in _head(model))
    notes = "".join(f"<p>{escape(str(note))}</p>" for note in boundary_notes(model))
    return f"<div><strong>{escape(_title(model))}</strong><p>{head}</p>{tables}{notes}</div>"


def source_name(name: str) -> str:
    """Write out the name of a source of variation.

    >>> source_name("interaction"), source_name("residual")
    ('data set × algorithm', 'residual')
    """
    return {"dataset": "data set", "interaction": "data set × algorithm"}.get(name, name)


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
        counts += f", {len(design.datasets)} data sets"
    return [
        ("model", formula(design.model, design.row_name)),
        ("fitted by", f"{model.estimation}{structure}, {_SOLVERS[model.solver]}"),
        ("to", f"{model.nobs} values{gaps}: {counts}"),
        (
            "criterion" if model.estimation == "REML" else "deviance",
            f"{model.criterion:.4f} with {model.parameters} variance parameters",
        ),
    ]


def _means(model: FittedModel) -> pd.DataFrame:
    """Means with their standard errors, best first; equal ones by name."""
    order = np.lexsort((np.array(model.design.algorithms), model.design.measure.sign * model.estimates.to_numpy()))
    return pd.DataFrame({"mean": model.estimates, "se": model.se}).iloc[order]


_MODELS = {
    "block": "algorithm + {row} + residual",
    "domain": "algorithm + data set + data set × algorithm + replication + residual",
    "survey": "algorithm × data set + replication + residual",
}
_FAMILIES = {"tukey": "all pairs", "control": "comparisons with a control", "custom": "contrasts"}


def formula(kind: str, row_name: str) -> str:
    """Write a model as a sum."""
    return _MODELS[kind].format(row=source_name(row_name))


def method_name(model: FittedModel, kind: str, distribution: str) -> str:
    """Name a comparison as it would stand in a paper."""
    structure = f", {model.covariance} covariance" if model.design.model == "domain" else ""
    unequal = "" if model.residual == "common" else f", residual variance by {source_name(model.residual)}"
    return (
        f"{_FAMILIES[kind][0].upper() + _FAMILIES[kind][1:]} in a mixed-effects model ({model.design.model}{structure}"
        f"{unequal}, {model.estimation}), {distribution} distribution"
    )


def contrast_notes(model: FittedModel, distribution: str, adjust: str, low: float, high: float) -> tuple[str, ...]:
    """What a reader of a comparison should know."""
    notes = [
        *model.design.notes,
        f"Model: {model.design.measure.name} = {formula(model.design.model, model.design.row_name)}; {_random(model)}",
    ]
    report = model.design.missing
    if report.missing and report.policy == "available":
        verb = "is" if report.missing == 1 else "are"
        notes.append(
            f"{report.missing:,} of {report.cells:,} cells {verb} missing; every value that is there was used."
        )
    if distribution == "t":
        span = f"{low:.4g}" if round(low, 2) == round(high, 2) else f"{low:.4g} to {high:.4g}"
        degrees = "degree" if span == "1" else "degrees"
        notes.append(f"Statistics are compared with the t distribution with {span} {degrees} of freedom.")
    else:
        notes.append("Statistics are compared with the normal distribution, as if the variances were known.")
    if adjust in ("single-step", "step-down"):
        notes.append("p-values and intervals hold for all comparisons together, by their joint distribution.")
    if adjust == "step-down":
        notes.append(
            "The p-values are of the step-down procedure; the intervals are those of the single-step one, so that of a "
            "significant difference may hold zero."
        )
    elif adjust not in ("single-step", "bonferroni", "none"):
        notes.append("The intervals are Bonferroni's, so that of a significant difference may hold zero.")
    notes.extend(boundary_notes(model))
    return tuple(notes)


def _random(model: FittedModel) -> str:
    if model.design.model == "domain":
        return "data sets are random, so the outcome holds for further data sets of the domain."
    if model.design.model == "survey":
        return "data sets are fixed, so the outcome holds for these data sets and no others."
    if model.design.row_name == "dataset":
        return "data sets are random, so the outcome holds for further data sets of the domain."
    return "replications are random, so the outcome holds for this data set."


def boundary_notes(model: FittedModel) -> list[str]:
    """Say which variances ended at zero."""
    if not model.boundary:
        return []
    table = model.components
    zero = [str(name) for name in table.index[table["boundary"]]]
    notes = []
    if "residual" in zero:
        zero.remove("residual")
        variances = model.residual_variances
        least = variances.index[model.solution.boundary[-len(variances) :]]
        notes.append(f"The estimated residual variance of {listing(least, quote=False)} is zero, or nearly so.")
    if model.covariance == "unstructured" and "dataset" in zero:
        zero = [name for name in zero if name not in ("dataset", "interaction")]
        notes.append(
            "The estimated covariance of the algorithms over data sets is singular: fewer data sets or replications "
            "than it needs, or algorithms that move together. Read its standard errors with care."
        )
    if zero:
        names = " and ".join(source_name(name) for name in zero)
        notes.append(f"The estimated variance of {names} is zero: the data show no such variation beyond chance.")
    return notes
