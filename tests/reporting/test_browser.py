"""A report in a real browser: nothing is loaded, nothing is cut, everything can be reached and read."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report_sources import SOURCES, hostile

import podium

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed; scripts/setup installs it")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module", params=["hostile", "costs"])
def page_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    results = hostile() if request.param == "hostile" else SOURCES["costs"]()
    podium.report(results, path)
    return path


# What a reader would see as a fault: text beyond the window, an empty figure, letters cut by their box.
FAULTS = """() => {
  const faults = [];
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > room + 1) faults.push('page wider than the window');
  for (const e of document.querySelectorAll('h1,h2,p,li,figcaption,summary,nav a')) {
    const box = e.getBoundingClientRect();
    if (!box.width) continue;
    if (box.right > room + 1 || box.left < -1) faults.push('outside: ' + e.textContent.slice(0, 40));
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow !== 'visible') faults.push('cut: ' + e.textContent);
  }
  const blocks = [...document.querySelectorAll('main p, main li, main figure, main .scroll, main h2')]
    .filter(e => e.getBoundingClientRect().height > 0 && !e.closest('details:not([open])'));
  for (let i = 1; i < blocks.length; i++) {
    if (blocks[i - 1].contains(blocks[i])) continue;
    if (blocks[i].getBoundingClientRect().top < blocks[i - 1].getBoundingClientRect().bottom - 1)
      faults.push('overlap: ' + blocks[i].textContent.slice(0, 40));
  }
  for (const svg of document.querySelectorAll('figure svg'))
    if (svg.getBoundingClientRect().height < 40 || !svg.querySelector('path')) faults.push('empty figure');
  return faults;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_reads_well_at_every_width(browser: Any, page_path: Path, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, offline=True)
    page = context.new_page()
    messages: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(page_path.as_uri())
    for width in (400, 1000, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(FAULTS) == [], width
    links = page.query_selector_all("nav a")
    assert len(links) == 13
    for link in links:
        target = link.get_attribute("href")
        link.click()
        page.wait_for_function(
            "target => { const top = document.querySelector(target).getBoundingClientRect().top;"
            " return (top < innerHeight && top > -2) }",
            arg=target,
        )
    for summary in page.query_selector_all("summary"):
        summary.evaluate("e => e.parentElement.open = true")
    assert page.evaluate(FAULTS) == []
    assert messages == []
    assert requests == [page_path.as_uri()]
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(browser: Any, page_path: Path, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    # The checker is a script of its own, so the page's policy is set aside for it.
    context = browser.new_context(color_scheme=scheme, offline=True, bypass_csp=True)
    page = context.new_page()
    page.goto(page_path.as_uri())
    found = Axe().run(page)
    violations = [(one["id"], one["nodes"][0]["html"][:200]) for one in found.response["violations"]]
    assert violations == []
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
