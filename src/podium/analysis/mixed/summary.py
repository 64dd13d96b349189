"""The summary of a fitted model, as text and as HTML."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd

from podium.analysis.blocks import best_first
from podium.analysis.mixed.fitted_model import FittedModel
from podium.analysis.notes import model_formula, source_name
from podium.typesetting import Table

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
