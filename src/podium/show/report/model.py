"""`Report`: sections, independent of the form they are printed in; each form is made in a module of its own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import ClassVar

from podium.checks import position, record
from podium.errors import InputError, join_names, plural
from podium.show.report.blocks import Figure, Section, Tabular
from podium.show.report.files import write_report
from podium.show.report.html import as_html, excerpt
from podium.show.report.latex import as_latex
from podium.show.report.markdown import as_markdown


@record(eq=False, repr=False, kw_only=True)
class Report:
    """A report, independent of the form it is printed in.

    Attributes
    ----------
    title : str
    subtitle : str
        What was compared, in a line.
    authors : tuple of str
    sections : tuple of Section
    caution : str
        What a reader must know first, such as that a run is not finished; empty without it.

    Examples
    --------
    >>> import podium
    >>> report = podium.report(podium.examples.load_demsar2006())
    >>> [section.name for section in report.sections][:3]
    ['answer', 'design', 'distributions']
    >>> print(report.section("answer").blocks[0].text)
    C4.5+m+cf has the best mean rank by AUC, followed by C4.5+m, C4.5+cf and C4.5.
    """

    _made_from: ClassVar = ((object, "Create one with podium.report(results)."),)

    title: str
    subtitle: str
    authors: tuple[str, ...]
    sections: tuple[Section, ...]
    caution: str = ""

    def __post_init__(self) -> None:
        blocks = [block for section in self.sections for block in section.blocks]
        for noun, kind in (("figures", Figure), ("tables", Tabular)):
            counts = Counter(block.name for block in blocks if isinstance(block, kind))
            twice = [name for name, count in counts.items() if count > 1]
            if twice:
                raise InputError(
                    f"The {noun} of a report must have different names; {join_names(twice)} is there twice."
                )

    def section(self, name: str) -> Section:
        """Return the section with a name."""
        return self.sections[position([section.name for section in self.sections], name, "name")]

    def html(self) -> str:
        """Return the report as one HTML page that needs nothing else: no network, no script."""
        return as_html(self)

    def markdown(self, figures: str = "figures") -> str:
        """Return the report in Markdown; its figures are expected in a folder, which `write` fills.

        Parameters
        ----------
        figures : str, default "figures"
            The folder that the text refers to.
        """
        return as_markdown(self, figures)

    def latex(self, figures: str = "figures") -> str:
        """Return the report as a LaTeX document; its figures are expected in a folder, which `write` fills.

        Parameters
        ----------
        figures : str, default "figures"
            The folder that the document refers to.
        """
        return as_latex(self, figures)

    def write(self, path: str | Path) -> Path:
        """Write the report to a file or a folder; the extension decides.

        Parameters
        ----------
        path : str or path
            ``.html``: one file. ``.md`` or ``.tex``: the text, with a folder of figures of the same name beside it.
            Without an extension, or with a trailing slash: a folder with all three, every table as CSV and every figure
            as SVG and PDF.

        Returns
        -------
        Path
        """
        return write_report(self, path)

    def __repr__(self) -> str:
        lines = [self.title, self.subtitle, *([self.caution] if self.caution else []), ""]
        lines += [f"  {section.title}: {plural(len(section.blocks), 'part')}" for section in self.sections]
        return "\n".join([*lines, "", "Write it with report.write('report.html')."])

    def _repr_html_(self) -> str:
        return excerpt(self)
