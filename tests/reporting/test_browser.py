"""Reports in a real browser: nothing is loaded, nothing is cut, everything can be reached and read, also on paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from report_sources import NAMES, SOURCES, Made

from podium.reporting import Figure

WIDTHS = (400, 1000, 1600)

# What a reader would see as a fault: text beyond the window, an empty figure, letters cut by their box.
FAULTS = """() => {
  const faults = [];
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > room + 1) faults.push('page wider than the window');
  for (const e of document.querySelectorAll('h1,h2,p,li,figcaption,summary,nav a')) {
    const box = e.getBoundingClientRect();
    if (!box.width) continue;
    if (box.right > room + 1 || box.left < -1) faults.push('outside: ' + e.textContent.slice(0, 40));
    if (e.scrollWidth > e.clientWidth + 1) faults.push('cut: ' + e.textContent.slice(0, 40));
  }
  for (const e of document.querySelectorAll('.scroll caption span'))
    if (e.getBoundingClientRect().right > e.closest('.scroll').getBoundingClientRect().right + 1)
      faults.push('caption cut: ' + e.textContent.slice(0, 40));
  const blocks = [...document.querySelectorAll('main p, main li, main figure, main .scroll, main h2, main pre')]
    .filter(e => !e.closest('details:not([open])'));
  const boxes = blocks.map(e => e.getBoundingClientRect());
  for (let i = 1; i < blocks.length; i++) {
    if (!boxes[i].height || !boxes[i - 1].height || blocks[i - 1].contains(blocks[i])) continue;
    if (boxes[i].top < boxes[i - 1].bottom - 1) faults.push('overlap: ' + blocks[i].textContent.slice(0, 40));
  }
  for (const svg of document.querySelectorAll('figure svg'))
    if (svg.getBoundingClientRect().height < 40 || !svg.querySelector('path')) faults.push('empty figure');
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
LONG = ("a hundred algorithms", "uci", "ulas")  # whose long tables are many cells of the same kind
# Nothing can be scrolled on paper: which tables and figures are wider than it?
BEYOND_PAPER = """() => [...document.querySelectorAll('main table, main svg, main pre')]
  .filter(e => e.getBoundingClientRect().width && e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => e.textContent.slice(0, 80))"""
PAPER = 688  # pixels of a page of A4 between its margins
CLOSE = "() => { for (const e of document.querySelectorAll('details')) e.open = false }"
OPEN = "() => { for (const e of document.querySelectorAll('details')) e.open = true }"


# What an accessibility checker looks at: rows of a table are alike, and the shapes of a figure are one picture with a
# name, so a few rows and the frames of the figures are enough.
THIN = """() => {
  for (const e of document.querySelectorAll('details')) e.open = true;
  for (const e of document.querySelectorAll('svg')) e.replaceChildren();
  for (const e of document.querySelectorAll('tbody')) for (const row of [...e.rows].slice(2)) row.remove();
}"""
BARRIERS = """async options => {
  const found = await axe.run(document, {resultTypes: ['violations'], preload: false, ...options});
  return {
    violations: found.violations.map(one => one.id + ': ' + one.nodes[0].html.slice(0, 200)),
    passes: found.passes.map(one => one.id),
  };
}"""


@pytest.mark.parametrize("name", SOURCES)
def test_it_reads_well_everywhere(browser: Any, made: Callable[[str], Made], name: str) -> None:
    report, path = made(name).report, made(name).page
    figures = [block for section in report.sections for block in section.blocks if isinstance(block, Figure)]
    assert [section.name for section in report.sections] == NAMES
    assert all(section.blocks for section in report.sections)
    assert all(figure.data is not None for figure in figures)
    assert path.stat().st_size < 4e6
    context = browser.new_context(offline=True)
    page = context.new_page()
    messages: list[str] = []  # of the console, of errors, of dialogs
    requests: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("dialog", lambda dialog: (messages.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    assert page.title() == report.title
    assert page.query_selector("script, img, iframe, object, embed, form") is None
    assert page.locator("figure svg").count() == len(figures)
    assert page.locator("nav a").count() == len(NAMES)
    assert page.evaluate(LOST) == []
    assert page.evaluate("scrollY") == 0
    check_layout(page, opened_at=WIDTHS if name not in LONG else WIDTHS[:1])
    assert messages == []
    assert requests == [path.as_uri()]
    check_access(page)
    context.close()


def check_layout(page: Any, *, opened_at: Sequence[int]) -> None:
    """Look for faults at all widths, by light and in the dark, and on paper."""
    for opened, widths in ((False, WIDTHS), (True, opened_at)):
        page.evaluate(OPEN if opened else CLOSE)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(FAULTS) == [], (width, scheme, opened)
    page.evaluate(CLOSE)
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size({"width": PAPER, "height": 1000})
    assert page.evaluate(BEYOND_PAPER) == []


def check_access(page: Any) -> None:
    """Look for barriers; in the dark, colours can be the only new ones."""
    page.set_viewport_size({"width": 1000, "height": 900})
    page.evaluate(THIN)
    page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    colours = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    for scheme, options in (("light", {}), ("dark", colours)):
        page.emulate_media(media="screen", color_scheme=scheme)
        found = page.evaluate(BARRIERS, options)
        assert found["violations"] == [], scheme
        assert "color-contrast" in found["passes"], scheme


def test_the_checks_find_faults(browser: Any, made: Callable[[str], Made]) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(made("one algorithm").page.as_uri())
    assert page.evaluate(FAULTS) == []
    page.evaluate("document.querySelector('main p').style.whiteSpace = 'nowrap'")
    page.evaluate("document.querySelector('main p').textContent = 'x'.repeat(2000)")
    page.evaluate("document.querySelectorAll('main h2')[1].style.marginTop = '-200px'")
    page.evaluate("document.querySelectorAll('main h2')[2].style.color = '#fafafa'")
    faults = page.evaluate(FAULTS)
    assert {fault.split(":")[0] for fault in faults} >= {"overlap", "cut"}
    with pytest.raises(AssertionError, match="color-contrast"):
        check_access(page)
    context.close()
