"""A paragraph on the methods, with its references."""

from __future__ import annotations

from importlib.metadata import version

from podium.analysis.domain import Domain
from podium.analysis.multitest import Multi2Test
from podium.analysis.notes import blocks_in_words, enumerated
from podium.analysis.text import adjustment_in_words
from podium.errors import plural
from podium.show.report.analyses import Analyses
from podium.show.report.blocks import Block, Code, Paragraph, Points
from podium.show.report.references import EUGSTER, KEMENY, STROBL, ULAS, Reference, cited, works_behind
from podium.show.report.sections import SectionMaker


def _make(analyses: Analyses) -> list[Block]:
    entries = cited(analyses)
    return [
        Paragraph(methods_paragraph(analyses, entries)),
        Points(tuple(entry.text for entry in entries)),
        Code("\n\n".join(entry.bibtex() for entry in entries), "BibTeX"),
    ]


def methods_paragraph(analyses: Analyses, entries: tuple[Reference, ...]) -> str:
    """Say what was compared and how, as a methods section would."""
    main, found = analyses.main, analyses.comparison.value
    sentences = [
        f"{plural(len(main.algorithms), 'algorithm')} {'was' if len(main.algorithms) == 1 else 'were'} studied on "
        f"{plural(len(main.datasets), 'data set')} by {analyses.info.name} ({analyses.info.direction} is better), "
        f"following the framework of benchmark experiments ({EUGSTER.short})."
    ]
    if found is not None and not found.untested.all():
        works = works_behind(found)
        names = "; ".join(one.short for one in entries if one in works)
        adjusted = f"; p-values are {adjustment_in_words(found)}" if len(found.first) > 1 else ""
        sentences.append(
            f"{'All pairs' if len(found.first) > 1 else 'They'} were compared by the {found.method} on "
            f"{blocks_in_words(found.unit, found.n, found.datasets)} at the {found.alpha:g} level{adjusted}"
            f"{f' ({names})' if names else ''}."
        )
    if analyses.stability.value is not None and len(main.algorithms) > 1:
        stable = analyses.stability.value
        of = "data sets" if stable.unit == "dataset" else "replications"
        sentences.append(
            f"The stability of the order by {analyses.criterion} was assessed on {stable.resamples:,} "
            f"bootstrap resamples of the {of}."
        )
    if analyses.domain.value is not None:
        sentences += _domain(analyses.domain.value)
    if analyses.multitest.value is not None:
        name = "Multi²Test" if isinstance(analyses.multitest.value, Multi2Test) else "MultiTest"
        sentences.append(f"Performance and {analyses.costs[0]} were combined by {name} ({ULAS.short}).")
    if analyses.tree.value is not None:
        sentences.append(
            "Characteristics of data sets were related to preferences by a tree of Bradley–Terry models "
            f"({STROBL.short})."
        )
    sentences.append(f"All computations used podium {version('podium')}.")
    return " ".join(sentences)


def _domain(found: Domain) -> list[str]:
    tests = list(dict.fromkeys(one.method for local in found.local.values() for one in local.comparisons.values()))
    how = f"by the {enumerated(tests)}" if tests else "by their values"
    sentence = f"On each data set the algorithms were ordered {how}"
    if found.is_ordered:
        sentence += (
            "; these orders were combined into the linear orders with the least sum of symmetric difference distances "
            f"({KEMENY.short})"
        )
    sentences = [f"{sentence}."]
    if found.comparison is not None:
        sentences.append("A mixed-effects model was fitted to the values of all data sets.")
    return sentences


METHODS = SectionMaker("methods", "Methods and references", 120, _make)
