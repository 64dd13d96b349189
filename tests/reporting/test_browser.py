"""Reports in a real browser: nothing is loaded, nothing is cut, everything can be reached and read, also on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from report_sources import NAMES, SOURCES, hostile

import podium
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


@pytest.mark.parametrize("name", SOURCES)
def test_it_reads_well_everywhere(browser: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / "report.html"
    report = podium.report(SOURCES[name](), path)
    figures = [block for section in report.sections for block in section.blocks if isinstance(block, Figure)]
    assert [section.name for section in report.sections] == NAMES
    assert all(section.blocks for section in report.sections)
    assert all(figure.data is not None for figure in figures)
    assert path.stat().st_size < 4e6
    context = browser.new_context(offline=True)
    page = context.new_page()
    messages: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    assert page.locator("figure svg").count() == len(figures)
    assert page.locator("nav a").count() == len(NAMES)
    assert page.evaluate(LOST) == []
    assert page.evaluate("scrollY") == 0
    for opened in (False, True):
        if opened:
            page.evaluate(OPEN)
        for width in WIDTHS if not opened or name not in LONG else WIDTHS[:1]:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(FAULTS) == [], (width, opened)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(FAULTS) == []
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size({"width": PAPER, "height": 1000})
    page.evaluate(CLOSE)
    assert page.evaluate(BEYOND_PAPER) == []
    assert messages == []
    assert requests == [path.as_uri()]
    context.close()
    check_access(browser, path, opened=name not in LONG)


def check_access(browser: Any, path: Path, *, opened: bool) -> None:
    """Look for barriers; in the dark, colours can be the only new ones."""
    from axe_playwright_python.sync_playwright import Axe

    # The checker is a script of its own, so the page's policy is set aside for it.
    context = browser.new_context(offline=True, bypass_csp=True)
    page = context.new_page()
    page.goto(path.as_uri())
    if opened:
        page.evaluate(OPEN)
    left_out = [["svg > *"], *([] if opened else [["details > :not(summary)"]])]  # shapes of figures, long tables
    for scheme, options in (("light", None), ("dark", {"runOnly": {"type": "rule", "values": ["color-contrast"]}})):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, context={"exclude": left_out}, options=options)
        violations = [(one["id"], one["nodes"][0]["html"][:200]) for one in found.response["violations"]]
        assert violations == [], scheme
        assert found.response["passes"], scheme
    context.close()


def test_names_do_not_run(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    podium.report(hostile(), path, sections=["answer", "design"], title="<img src=x onerror=alert(1)>")
    context = browser.new_context(offline=True)
    page = context.new_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto(path.as_uri())
    assert page.title() == "<img src=x onerror=alert(1)>"
    assert page.query_selector("script, img, iframe, object, embed, form") is None
    assert dialogs == []
    context.close()
