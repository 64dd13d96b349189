"""Reports in a real browser: nothing is loaded, nothing is cut, everything can be reached and read, also on paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from matplotlib.colors import to_hex
from report_sources import NAMES
from report_words import check_words

import podium
from podium import plot
from podium.show.report import Figure
from podium.show.report.dark_colours import on_dark

WIDTHS = (400, 1000, 1600)

# What a reader would see as a fault: text beyond the window, an empty figure, letters cut by their box. What is behind a
# click is looked at where it is open; a browser takes long to measure what is not shown.
FAULTS = """() => {
  const faults = [];
  const closed = 'details:not([open]) > :not(summary)';
  const all = names => [...document.querySelectorAll(names)].filter(e => !e.closest(closed));
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > room + 1) faults.push('page wider than the window');
  for (const e of all('h1,h2,p,li,pre,figcaption,summary,nav a')) {
    const box = e.getBoundingClientRect();
    if (!box.width) continue;
    if (box.right > room + 1 || box.left < -1) faults.push('outside: ' + e.textContent.slice(0, 40));
    if (e.scrollWidth > e.clientWidth + 1) faults.push('cut: ' + e.textContent.slice(0, 40));
  }
  for (const e of all('.scroll caption span'))
    if (e.getBoundingClientRect().right > e.closest('.scroll').getBoundingClientRect().right + 1)
      faults.push('caption cut: ' + e.textContent.slice(0, 40));
  for (const e of all('.scroll'))  // words go on in the next line, numbers do not
    if (e.scrollWidth > e.clientWidth + 1 && !e.querySelector('td.number')) faults.push('words cut: ' + e.ariaLabel);
  for (const e of document.querySelectorAll('section > details .note'))
    faults.push('note behind a click: ' + e.textContent.slice(0, 40));
  const blocks = all('main p, main li, main figure, main .scroll, main h2, main pre');
  const boxes = blocks.map(e => e.getBoundingClientRect());
  for (let i = 1; i < blocks.length; i++) {
    if (!boxes[i].height || !boxes[i - 1].height || blocks[i - 1].contains(blocks[i])) continue;
    if (boxes[i].top < boxes[i - 1].bottom - 1) faults.push('overlap: ' + blocks[i].textContent.slice(0, 40));
  }
  for (const svg of document.querySelectorAll('figure svg')) {
    const pixels = svg.dataset.points * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    if (pixels < 9) faults.push('letters of ' + pixels + ' pixels');
    if (svg.getBoundingClientRect().height < 40 || !svg.querySelector('path')) faults.push('empty figure');
    for (const e of svg.querySelectorAll('path[fill*=ffffff]'))  // it would hide the shade of more at an edge
      if (e.getBBox().width > svg.viewBox.baseVal.width / 2) faults.push('white ground');
  }
  return faults;
}"""
# Click each entry of the table of contents, and say which section is then not at hand.
LOST = """() => {
  document.documentElement.style.scrollBehavior = 'auto';
  const lost = [];
  for (const link of document.querySelectorAll('nav a')) {
    link.click();
    const top = document.querySelector(link.getAttribute('href')).getBoundingClientRect().top;
    if (top > innerHeight || top < -2) lost.push(link.textContent);
  }
  scrollTo(0, 0);
  return lost;
}"""
# Note the size of the smallest letters of each figure, in points as the figure was drawn.
LETTERS = """() => {
  for (const svg of document.querySelectorAll('figure svg')) {
    const sizes = [...svg.querySelectorAll('[transform*=scale]')].map(e => e.getAttribute('transform'))
      .map(text => /scale\\(([\\d.]+) -/.exec(text)).filter(found => found).map(found => 100 * found[1]);
    svg.dataset.points = Math.min(...sizes);
  }
}"""
# What is inside a figure has no part in the layout of the page, and the rows of a long table are alike: with one shape
# of each figure and sixty rows of each table, a page is laid out many times faster.
LIGHTER = """() => {
  for (const svg of document.querySelectorAll('figure svg')) svg.replaceChildren(svg.querySelector('path'));
  for (const body of document.querySelectorAll('tbody')) for (const row of [...body.rows].slice(60)) row.remove();
}"""
# Nothing can be scrolled or opened on paper: what is beyond its edge, and what is missing or odd there?
PAPER_FAULTS = """() => {
  const faults = [];
  for (const e of document.querySelectorAll('main table, main svg, main pre')) {
    const box = e.getBoundingClientRect();
    if (box.width && box.right > innerWidth + 1) faults.push('beyond the paper: ' + e.textContent.slice(0, 80));
  }
  const size = e => parseFloat(getComputedStyle(e).fontSize);
  for (const e of document.querySelectorAll('figcaption, caption, .note'))
    if (size(e) > size(document.body)) faults.push('larger than the text: ' + e.textContent.slice(0, 40));
  for (const e of document.querySelectorAll('tfoot'))
    if (getComputedStyle(e).display === 'table-footer-group') faults.push('last rows on each page');
  for (const e of document.querySelectorAll('section > details:has(table)'))
    if (!e.nextElementSibling?.getBoundingClientRect().height) faults.push('rows left out in silence');
  return faults;
}"""
# The tables that LIGHTER cuts; all others are looked at whole later.
OPEN_LONG = """() => {
  for (const e of document.querySelectorAll('details:has(tbody tr:nth-child(61))')) e.open = true;
}"""
PAPER = 688  # pixels of a page of A4 between its margins
CLOSE = "() => { for (const e of document.querySelectorAll('details')) e.open = false }"
OPEN = "() => { for (const e of document.querySelectorAll('details')) e.open = true }"


# What an accessibility checker looks at: rows of a table are alike, and the shapes of a figure are one picture with a
# name, so a few rows and the frames of the figures are enough.
THIN = """() => {
  for (const e of document.querySelectorAll('details')) e.open = true;
  for (const e of document.querySelectorAll('svg')) e.replaceChildren();
  for (const e of document.querySelectorAll('tbody')) for (const row of [...e.rows].slice(2)) row.remove();
  for (const e of document.querySelectorAll('.scroll,.paper')) e.style.backgroundImage = 'none';  // shades at the edges
}"""
BARRIERS = """async ([within, options]) => {
  const found = await axe.run(within ?? document, {resultTypes: ['violations'], preload: false, ...options});
  return {
    violations: found.violations.map(one => one.id + ': ' + one.nodes[0].html.slice(0, 200)),
    passes: found.passes.map(one => one.id),
    unknown: found.incomplete.map(one => one.id),
  };
}"""
# The contrast of figures: of all that is filled or drawn in black on white, and of the grounds that it stands on.
INKS = """() => {
  const paper = getComputedStyle(document.body).backgroundColor, inks = new Set(), grounds = new Set([paper]);
  for (const svg of document.querySelectorAll('figure svg')) {
    inks.add(getComputedStyle(svg).fill);
    for (const e of svg.querySelectorAll('[fill],[stroke]'))
      for (const name of ['fill', 'stroke']) {
        const given = e.getAttribute(name) ?? '';
        if (given.includes('#000000')) inks.add(getComputedStyle(e)[name]);
        if (given.includes('#ffffff')) grounds.add(getComputedStyle(e)[name]);
      }
  }
  return [[...inks], [...grounds]];
}"""
BLACK, WHITE = ["rgb(0, 0, 0)"], ["rgb(255, 255, 255)"]


class Window:
    """A page of a browser without a network; what it has complained about and asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.messages: list[str] = []  # of the console, of errors, of dialogs
        self.requests: list[str] = []
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("dialog", lambda dialog: (self.messages.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: Path) -> Any:
        self.page.goto("about:blank")
        self.messages.clear()
        self.requests.clear()
        self.page.emulate_media(media="screen", color_scheme="light")
        self.page.goto(path.as_uri())
        return self.page


@pytest.fixture(scope="module")
def more_flags() -> list[str]:
    """Pages are measured, not looked at: no frame is painted. Other browsers than the headless shell ignore this."""
    return ["--enable-begin-frame-control"]


@pytest.fixture(scope="module")
def window(browser: Any) -> Iterator[Window]:
    """One page for all reports, one after the other."""
    context = browser.new_context(offline=True)
    yield Window(context.new_page())
    context.close()


# No page of another source has a figure, a long table or a kind of block that none of these has; the words of the other
# reports are looked at in `test_reading`.
PAGES = [
    "one data set",
    "one replication",
    "one algorithm",
    "half missing",
    "all equal",
    "a hundred algorithms",
    "hostile",
    "costs",
    "ulas",
    "demo",  # its table of means and standard deviations is the widest on paper
]


@pytest.mark.parametrize("name", PAGES)
def test_it_reads_well_everywhere(window: Window, made: Callable[[str], Any], name: str) -> None:
    report, path = made(name).report, made(name).page
    figures = [block for section in report.sections for block in section.blocks if isinstance(block, Figure)]
    check_words(report)
    assert all(figure.data is not None for figure in figures)
    assert path.stat().st_size < 4e6
    page = window.open(path)
    assert page.title() == report.title
    assert page.query_selector("script, img, iframe, object, embed, form") is None
    assert page.locator("figure svg").count() == len(figures)
    assert page.locator("nav a").count() == len(NAMES)
    assert page.evaluate(LOST) == []
    assert page.evaluate("scrollY") == 0
    page.evaluate(LETTERS)
    page.evaluate(OPEN_LONG)
    assert page.evaluate(FAULTS) == []
    page.evaluate(CLOSE)
    check_figures(page)
    page.evaluate(LIGHTER)
    check_layout(page)
    assert window.messages == []
    assert window.requests == [path.as_uri()]
    check_access(page)


def check_layout(page: Any) -> None:
    """Look for faults on paper, and at all widths, by light and in the dark.

    What is behind a click is open by light and closed in the dark, which changes nothing but colours: see
    `test_a_dark_page_differs_in_colours_only`.
    """
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 1000})
    assert page.evaluate(PAPER_FAULTS) == []
    for scheme, opened, widths in (("light", True, WIDTHS), ("dark", False, reversed(WIDTHS))):
        page.emulate_media(media="screen", color_scheme=scheme)
        page.evaluate(OPEN if opened else CLOSE)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(FAULTS) == [], (width, scheme)


def check_figures(page: Any) -> None:
    """Look at the colours of the figures: black on white on paper, also in the dark, where the screen has light on dark."""
    drawn = page.locator("figure svg").count() > 0
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(INKS) == [BLACK if drawn else [], WHITE]
    page.emulate_media(media="screen", color_scheme="dark")
    inks, grounds = page.evaluate(INKS)
    assert grounds == ["rgb(20, 25, 31)"]  # of the page
    assert inks == (["rgb(232, 232, 232)"] if drawn else [])


def check_access(page: Any) -> None:
    """Look for barriers other than colours, which are the same on all pages."""
    page.evaluate(THIN)
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})  # where figures and tables must be scrolled
    page.emulate_media(media="screen", color_scheme="light")
    page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    found = page.evaluate(BARRIERS, [None, {"rules": {"color-contrast": {"enabled": False}}}])
    assert found["violations"] == []
    assert {"aria-allowed-role", "scrollable-region-focusable"} <= set(found["passes"])


def test_a_checker_finds_no_fault_of_colours(window: Window, made: Callable[[str], Any]) -> None:
    """On a page with all kinds of blocks, by light and in the dark."""
    page = window.open(made("costs").page)
    page.evaluate(THIN)
    page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    for scheme in ("light", "dark"):
        page.emulate_media(media="screen", color_scheme=scheme)
        colours = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
        found = page.evaluate(BARRIERS, [None, colours])
        assert found["violations"] == [], scheme
        assert (found["passes"], found["unknown"]) == (["color-contrast"], []), scheme


def test_p_values_can_be_read_in_their_cells_by_light_and_in_the_dark() -> None:
    ax = plot.pvalues(podium.compare(podium.examples.load_ulas2008(), method="wilcoxon"))
    cells = ax.collections[0]
    shades = {round(p, 6): cells.to_rgba(p) for p in cells.get_array().compressed()}
    seen = set()
    for text in ax.texts:
        column, row = map(round, text.get_position())
        shade, ink = (to_hex(one)[1:] for one in (shades[round(cells.get_array()[row, column], 6)], text.get_color()))
        seen.add(shade)
        assert contrast(shade, ink) > 4.5
        assert contrast(on_dark(shade), on_dark(ink)) > 4.5
    assert len(seen) == 4


def contrast(one: str, two: str) -> float:
    """Ratio of the luminances of two colours, as the guidelines for accessible pages define it."""
    coded = np.array([[int(colour[i : i + 2], 16) for i in (0, 2, 4)] for colour in (one, two)]) / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    dark, light = sorted(linear @ [0.2126, 0.7152, 0.0722] + 0.05)
    return float(light / dark)


def test_a_dark_page_differs_in_colours_only(made: Callable[[str], Any]) -> None:
    style = re.search("<style>(.*?)</style>", made("costs").page.read_text(encoding="utf-8"), re.DOTALL)
    assert style is not None
    dark = re.findall(r"@media ([^{]*prefers-color-scheme:dark[^{]*)\{(\S+?)\{(.*?)\}\}", style[1], re.DOTALL)
    assert [(where, of) for where, of, _ in dark] == [("screen and (prefers-color-scheme:dark)", ":root")] * 2
    assert style[1].count("prefers-color-scheme") == 2
    changed = dict(one.strip().split(":") for _, _, body in dark for one in body.split(";"))
    assert all(re.fullmatch("#[0-9a-f]{3,8}", value) for value in changed.values())
    assert {"--ink", "--paper", "--c-000000", "--c-ffffff"} <= set(changed)
    used = set(re.findall(r"[{;]([a-z-]+):[^;}]*var\(", style[1]))
    assert used <= {"background", "border", "border-bottom", "border-left", "border-top", "color", "fill", "outline"}


def test_the_checks_find_faults(window: Window, made: Callable[[str], Any]) -> None:
    page = window.open(made("one algorithm").page)
    page.set_viewport_size({"width": 1000, "height": 900})
    assert page.evaluate(FAULTS) == []
    page.evaluate("document.querySelector('main p').style.whiteSpace = 'nowrap'")
    page.evaluate("document.querySelector('main p').textContent = 'x'.repeat(2000)")
    page.evaluate("document.querySelectorAll('main h2')[1].style.marginTop = '-200px'")
    faults = page.evaluate(FAULTS)
    assert {fault.split(":")[0] for fault in faults} >= {"overlap", "cut"}


def test_the_checks_find_faults_of_figures(window: Window, made: Callable[[str], Any]) -> None:
    page = window.open(made("one replication").page)
    page.evaluate(LETTERS)
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    assert page.evaluate(FAULTS) == []
    svg = "document.querySelector('figure svg')"
    smallest = page.evaluate(
        f"{svg}.dataset.points * {svg}.getBoundingClientRect().width / {svg}.viewBox.baseVal.width"
    )
    assert 9 <= smallest < 12
    page.evaluate(f"{svg}.style.minWidth = 0")
    assert page.evaluate(FAULTS)[0].startswith("letters of ")
    page.evaluate(f"{svg}.style.minWidth = ''")
    check_figures(page)
    page.emulate_media(media="screen", color_scheme="light")
    page.evaluate("document.querySelectorAll('figure svg')[1].replaceChildren()")
    assert page.evaluate(FAULTS) == ["empty figure"]
    page.evaluate("document.documentElement.style.setProperty('--c-000000', '#000')")  # black also in the dark
    with pytest.raises(AssertionError, match="232"):
        check_figures(page)
