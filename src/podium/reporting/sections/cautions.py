"""Diagnostics and cautions: what a reader should know before relying on the report."""

from __future__ import annotations

from podium.analysis.notes import enumerated, format_p
from podium.reporting.analyses import Analyses
from podium.reporting.blocks import Block, Paragraph, Points
from podium.reporting.sections import SectionMaker

MOST_MARGINAL = 6  # pairs that are named


def _make(analyses: Analyses) -> list[Block]:
    lines = [*_comparison(analyses), *_marginal(analyses), *_model(analyses), *analyses.implausible]
    lacking = analyses.results.design[:, :, None, None] & ~analyses.results.present
    if lacking.any():
        share = lacking.sum() / (analyses.results.design.sum() * lacking.shape[2] * lacking.shape[3])
        lines.append(
            f"{share:.1%} of the cells have no value. If whether a value is missing depends on how good it would have "
            "been, as with algorithms that fail on hard data, the order favours those that fail."
        )
    if not lines:
        return [Paragraph("None was found.")]
    return [Points(tuple(dict.fromkeys(lines)))]


def _comparison(analyses: Analyses) -> list[str]:
    found = analyses.comparison.value
    return [] if found is None else [str(note) for note in found.notes]


def _marginal(analyses: Analyses) -> list[str]:
    pairs = analyses.marginal
    if not pairs:
        return []
    named = [f"{a}/{b} ({format_p(p, analyses.alpha)})" for a, b, p in pairs]
    return [
        f"Close to the level {analyses.alpha:g}, so that a few more blocks could change the decision: "
        f"{enumerated(named, MOST_MARGINAL)}."
    ]


def _model(analyses: Analyses) -> list[str]:
    found = analyses.domain.value
    if found is None or found.comparison is None:
        return []
    return [f"Mixed-effects model: {note}" for note in found.comparison.notes]


CAUTIONS = SectionMaker("cautions", "Cautions", 110, _make)
