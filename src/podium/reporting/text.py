"""The methods paragraph of a report, made from what was done."""

from __future__ import annotations

from importlib.metadata import version

from podium.analysis.notes import blocks_in_words
from podium.analysis.text import adjustment_in_words
from podium.errors import counted
from podium.reporting.analyses import Analyses
from podium.reporting.references import EUGSTER, OF_ADJUSTMENT, OF_PROCEDURE, ULAS, ZEILEIS, Reference


def methods_paragraph(analyses: Analyses, entries: tuple[Reference, ...]) -> str:
    """Say what was compared and how, as a methods section would."""
    main, found = analyses.main, analyses.comparison.value
    sentences = [
        f"{counted(len(main.algorithms), 'algorithm')} {'was' if len(main.algorithms) == 1 else 'were'} studied on "
        f"{counted(len(main.datasets), 'data set')} by {analyses.info.name} ({analyses.info.direction} is better), "
        f"following the framework of benchmark experiments ({EUGSTER.short})."
    ]
    if found is not None:
        works = [*OF_PROCEDURE.get(found.procedure.lower(), ()), *OF_ADJUSTMENT.get(found.adjust, ())]
        names = "; ".join(one.short for one in entries if one in works)
        adjusted = f"; p-values are {adjustment_in_words(found)}" if len(found.first) > 1 else ""
        sentences.append(
            f"All pairs were compared by the {found.title} on "
            f"{blocks_in_words(found.unit, found.n, found.datasets)} at the {found.alpha:g} level{adjusted}"
            f"{f' ({names})' if names else ''}."
        )
    if analyses.stability.value is not None:
        stable = analyses.stability.value
        of = "data sets" if stable.unit == "dataset" else "replications"
        sentences.append(
            f"The stability of the order was assessed on {stable.resamples:,} bootstrap resamples of the {of}."
        )
    if analyses.domain.value is not None:
        sentences.append(
            "On each data set the algorithms were ordered by their own comparison; these orders were combined to the "
            "linear order with the least sum of symmetric difference distances."
        )
    if analyses.multitest.value is not None:
        name = "Multi²Test" if len(main.datasets) > 1 else "MultiTest"
        sentences.append(f"Performance and {analyses.costs[0]} were combined by {name} ({ULAS.short}).")
    if analyses.tree.value is not None:
        sentences.append(f"Characteristics of data sets were related to preferences by a tree ({ZEILEIS.short}).")
    sentences.append(f"All computations used podium {version('podium')}.")
    return " ".join(sentences)
