"""Diagnostics and cautions: what a reader should know before relying on the report."""

from __future__ import annotations

import numpy as np

from podium.analysis.comparison import Comparison
from podium.analysis.notes import Note, enumerated, format_p
from podium.show.report.analyses import Analyses
from podium.show.report.blocks import Block, Paragraph, Points
from podium.show.report.sections import ON_INTERVALS, SectionMaker
from podium.typesetting.numbers import percent

MAX_MARGINAL_CASES = 6  # pairs or data sets that are named
# What a policy for missing cells does where an algorithm fails on hard data.
_BIAS = {
    "available": "the cells that the algorithms share are not typical: nothing failed there",
    "worst-rank": "ranking it last may be too strict or too mild",
    "worst-value": "counting the worst value for it may be too strict or too mild",
    "drop-block": "the blocks that are left are not typical: nothing failed there",
    "drop-algorithm": "the algorithms that are left are not typical: they never failed",
}


def _make(analyses: Analyses) -> list[Block]:
    found, domain = analyses.comparison.value, analyses.domain.value
    of_test = () if found is None else tuple(note for note in found.notes if _matters(note, found))
    model = () if domain is None or domain.comparison is None else domain.comparison.notes
    # Of the model a report shows no intervals; data sets without a value are named with the design.
    of_model = tuple(note for note in model if note.code not in (ON_INTERVALS, "left out"))
    gaps = _gaps(analyses)
    said = {"missing"} if gaps else set()
    warnings = [note for note in dict.fromkeys(of_test) if note.kind == "caution" and note.code not in said]
    cautions = [str(note) for note in warnings]
    if found is None and len(analyses.main.algorithms) > 1:
        cautions.append(f"No pair was tested. {analyses.comparison.problem}")
    cautions += [*_marginal(analyses), *_constant(analyses), *analyses.implausible, *gaps]
    cautions += [
        f"Mixed-effects model: {note}"
        for note in dict.fromkeys(of_model)
        if note.kind == "caution" and note.code not in said and note not in warnings
    ]
    blocks: list[Block] = [Points(tuple(cautions)) if cautions else Paragraph("No reason for caution was found.")]
    for title, notes in (("How the tests were made:", of_test), ("How the mixed-effects model was fitted:", of_model)):
        details = [str(note) for note in dict.fromkeys(notes) if note.kind == "detail"]
        if details:
            blocks += [Paragraph(title), Points(tuple(details))]
    return blocks


def _matters(note: Note, found: Comparison) -> bool:
    """Whether a note is about something that the report shows: intervals without ends are not shown."""
    return bool(np.isfinite(found.lower).any()) or note.code != ON_INTERVALS


def _gaps(analyses: Analyses) -> list[str]:
    lacking = analyses.lacking
    if not lacking.any():
        return []
    share = lacking.sum() / analyses.run.sum()
    return [
        f"{percent(share)} of the cells have no value. If whether a value is missing depends on how good it would have "
        f"been, as with algorithms that fail on hard data, {_BIAS[analyses.missing]}."
    ]


def _constant(analyses: Analyses) -> list[str]:
    names = analyses.constant
    if not names:
        return []
    it = "It says" if len(names) == 1 else "They say"
    return [
        f"On {enumerated(names, MAX_MARGINAL_CASES)} all values of {analyses.info.name} are the same. {it} nothing "
        "about which algorithm is better."
    ]


def _marginal(analyses: Analyses) -> list[str]:
    pairs = analyses.marginal
    if not pairs:
        return []
    named = [f"{a}/{b} ({format_p(p, analyses.alpha)})" for a, b, p in pairs]
    return [
        f"Close to the level {analyses.alpha:g}, so that a few more blocks could change the decision: "
        f"{enumerated(named, MAX_MARGINAL_CASES)}."
    ]


CAUTIONS = SectionMaker("cautions", "Cautions", 110, _make)
