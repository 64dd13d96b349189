"""The summary of a fitted model, as text and as HTML."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd

from podium.analysis.mixed.fitted_model import FittedModel
from podium.analysis.notes import Note, model_formula, source_name

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
    order = np.lexsort((np.array(model.design.algorithms), model.design.measure.sign * model.estimates.to_numpy()))
    return pd.DataFrame({"mean": model.estimates, "se": model.se}).iloc[order]


_FAMILIES = {"tukey": "all pairs", "control": "comparisons with a control", "custom": "contrasts"}


def method_name(model: FittedModel, kind: str, distribution: str) -> str:
    """Name a comparison as it would stand in a paper."""
    structure = f", {model.covariance} covariance" if model.design.model == "domain" else ""
    unequal = "" if model.residual == "common" else f", residual variance by {source_name(model.residual)}"
    return (
        f"{_FAMILIES[kind]} in a mixed-effects model ({model.design.model}{structure}"
        f"{unequal}, {model.estimation}), {distribution} distribution"
    )


def contrast_notes(model: FittedModel, distribution: str, adjust: str, low: float, high: float) -> tuple[Note, ...]:
    """What a reader of a comparison should know."""
    design, report = model.design, model.design.missing
    notes = [*design.notes, Note("model", measure=design.measure.name, model=design.model, row=design.row_name)]
    if report.missing and report.policy == "available":
        notes.append(Note("cells used", missing=report.missing, cells=report.cells))
    notes.append(Note("t reference", low=low, high=high) if distribution == "t" else Note("normal reference"))
    if adjust in ("single-step", "step-down"):
        notes.append(Note("joint"))
    if adjust == "step-down":
        notes.append(Note("step-down"))
    elif adjust not in ("single-step", "bonferroni", "none"):
        notes.append(Note("bonferroni intervals"))
    return (*notes, *boundary_notes(model))


def boundary_notes(model: FittedModel) -> list[Note]:
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
        notes.append(Note("zero residual", levels=tuple(str(name) for name in least)))
    if model.covariance == "unstructured" and "dataset" in zero:
        zero = [name for name in zero if name not in ("dataset", "interaction")]
        notes.append(Note("singular covariance"))
    if zero:
        notes.append(Note("zero variance", sources=tuple(zero)))
    return notes
