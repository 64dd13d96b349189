"""The works that a report cites: those behind the methods that it used."""

from __future__ import annotations

from dataclasses import dataclass

from podium.analysis.comparison import Comparison
from podium.show.report.analyses import Analyses


@dataclass(frozen=True)
class Reference:
    """One work.

    Attributes
    ----------
    key, kind : str
        Key and kind of its BibTeX entry.
    authors : tuple of (str, str)
        Surname and initials.
    year : int
    title : str
    where : str
        Journal, book or institution.
    volume : int or None
    pages : (int, int) or None
        The first and the last page.
    """

    key: str
    kind: str
    authors: tuple[tuple[str, str], ...]
    year: int
    title: str
    where: str
    volume: int | None = None
    pages: tuple[int, int] | None = None

    @property
    def short(self) -> str:
        """How a sentence names it: Demšar (2006)."""
        names = [surname for surname, _ in self.authors]
        who = names[0] if len(names) == 1 else " & ".join(names) if len(names) == 2 else f"{names[0]} et al."
        return f"{who} {self.year}"

    @property
    def text(self) -> str:
        """The entry in a list of references."""
        who = ", ".join(f"{initials} {surname}" for surname, initials in self.authors)
        volume = "" if self.volume is None else f" {self.volume}"
        pages = "" if self.pages is None else ", {}–{}".format(*self.pages)
        end = "" if self.title.endswith("?") else "."
        return f"{who} ({self.year}). {self.title}{end} {self.where}{volume}{pages}."

    def bibtex(self) -> str:
        """The entry for BibTeX."""
        place = {"article": "journal", "phdthesis": "school", "techreport": "institution", "book": "publisher"}[
            self.kind
        ]
        fields = {
            "author": " and ".join(map(", ".join, self.authors)),
            "title": "{" + self.title + "}",
            place: self.where,
            "year": str(self.year),
        }
        if self.volume is not None:
            fields["volume"] = str(self.volume)
        if self.pages is not None:
            fields["pages"] = "{}--{}".format(*self.pages)
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n{lines}\n}}"


# fmt: off
EUGSTER = Reference(
    "eugster2011", "phdthesis", (("Eugster", "M. J. A."),), 2011,
    "Benchmark Experiments: A Tool for Analyzing Statistical Learning Algorithms",
    "Ludwig-Maximilians-Universität München",
)
DEMSAR = Reference(
    "demsar2006", "article", (("Demšar", "J."),), 2006,
    "Statistical comparisons of classifiers over multiple data sets",
    "Journal of Machine Learning Research", volume=7, pages=(1, 30),
)
GARCIA = Reference(
    "garcia2008", "article", (("García", "S."), ("Herrera", "F.")), 2008,
    "An extension on statistical comparisons of classifiers over multiple data sets for all pairwise comparisons",
    "Journal of Machine Learning Research", volume=9, pages=(2677, 2694),
)
BENAVOLI = Reference(
    "benavoli2016", "article", (("Benavoli", "A."), ("Corani", "G."), ("Mangili", "F.")), 2016,
    "Should we really use post-hoc tests based on mean-ranks?",
    "Journal of Machine Learning Research", volume=17, pages=(1, 10),
)
ROMANO = Reference(
    "romano2005", "article", (("Romano", "J. P."), ("Wolf", "M.")), 2005,
    "Exact and approximate stepdown methods for multiple hypothesis testing",
    "Journal of the American Statistical Association", volume=100, pages=(94, 108),
)
NADEAU = Reference(
    "nadeau2003", "article", (("Nadeau", "C."), ("Bengio", "Y.")), 2003,
    "Inference for the generalization error",
    "Machine Learning", volume=52, pages=(239, 281),
)
ALPAYDIN = Reference(
    "alpaydin1999", "article", (("Alpaydın", "E."),), 1999,
    "Combined 5×2 cv F test for comparing supervised classification learning algorithms",
    "Neural Computation", volume=11, pages=(1885, 1892),
)
ULAS = Reference(
    "ulas2008", "techreport", (("Ulaş", "M. A."), ("Yıldız", "O. T."), ("Alpaydın", "E.")), 2008,
    "Cost-conscious comparison of supervised learning algorithms over multiple data sets",
    "Boğaziçi University, Department of Computer Engineering",
)
STROBL = Reference(
    "strobl2011", "article", (("Strobl", "C."), ("Wickelmaier", "F."), ("Zeileis", "A.")), 2011,
    "Accounting for individual differences in Bradley–Terry models by means of recursive partitioning",
    "Journal of Educational and Behavioral Statistics", volume=36, pages=(135, 153),
)
KEMENY = Reference(
    "kemeny1972", "book", (("Kemeny", "J. G."), ("Snell", "J. L.")), 1972,
    "Mathematical Models in the Social Sciences",
    "MIT Press",
)
# fmt: on

# The works behind a procedure of `compare`, and behind an adjustment.
OF_PROCEDURE = {
    "wilcoxon": (BENAVOLI,),
    "sign": (DEMSAR,),
    "nemenyi": (DEMSAR,),
    "corrected t": (NADEAU,),
    "5x2cv f": (ALPAYDIN,),
}
OF_ADJUSTMENT = {"shaffer": (GARCIA,), "bergmann-hommel": (GARCIA,), "holm": (GARCIA,), "step-down": (ROMANO,)}


def works_behind(found: Comparison) -> tuple[Reference, ...]:
    """List the works behind a comparison: its blocks, its procedure, and its adjustment for several pairs."""
    blocks = (DEMSAR,) if found.unit == "dataset" else ()
    adjustment = OF_ADJUSTMENT.get(found.adjust, ()) if len(found.first) > 1 else ()
    return (*blocks, *OF_PROCEDURE.get(found.procedure.lower(), ()), *adjustment)


def cited(analyses: Analyses) -> tuple[Reference, ...]:
    """List the works behind what the report shows."""
    found = analyses.comparison.value
    works: list[Reference] = [EUGSTER]
    if found is not None:
        works += works_behind(found)
    if analyses.domain.value is not None and analyses.domain.value.is_ordered:
        works.append(KEMENY)
    if analyses.multitest.value is not None:
        works.append(ULAS)
    if analyses.tree.value is not None:
        works.append(STROBL)
    return tuple(sorted(dict.fromkeys(works), key=lambda one: (one.key, one.year)))
