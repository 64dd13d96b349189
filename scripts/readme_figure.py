"""Draw the figures of the README from bundled data: ``python scripts/readme_figure.py``.

The picture of the report needs Chromium, which ``scripts/setup`` installs.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")

import podium

IMAGES = Path(__file__).parents[1] / "docs" / "images"


def main() -> None:
    """Write the pictures."""
    results = podium.examples.load_ulas2008()
    ax = podium.plot.podium(results, lines="algorithm", size=(9, 5.4))
    ax.set_title("Eight classifiers on 38 data sets: who takes which place?", loc="left")
    IMAGES.mkdir(parents=True, exist_ok=True)
    podium.plot.save(ax, IMAGES / "podium.png", dpi=86)
    nemenyi = podium.compare(results, method="nemenyi")
    ax = podium.plot.critical_difference(nemenyi, size=(7, 2.4))
    podium.plot.save(ax, IMAGES / "critical-difference.png", dpi=110)
    photograph_report(results)


def photograph_report(results: podium.Results) -> None:
    """Take a picture of the first screen of a report."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = podium.report(results).write(Path(folder) / "report.html")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1000, "height": 780}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.screenshot(path=Path(folder) / "report.png")
        browser.close()
        picture = Image.open(Path(folder) / "report.png").convert("RGB")
        picture.quantize(32, dither=Image.Dither.NONE).save(IMAGES / "report.png", optimize=True)  # a third of the size


if __name__ == "__main__":
    main()
