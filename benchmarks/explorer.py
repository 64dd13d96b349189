"""Sizes and times of the explorer: the size of the page, and how long a browser needs to load it and to handle a click.

Run with ``python benchmarks/explorer.py [--quick]``. Times are CPU seconds of Python and of the page's main thread.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from timing import parser

import podium

CASES = {
    "250 replications × 6 algorithms × 2 measures": (1, 250, 6, 2),
    "10,000 replications × 6 algorithms × 2 measures": (1, 10_000, 6, 2),
    "300 data sets × 30 replications × 6 algorithms": (300, 30, 6, 1),
}


def made(m: int, b: int, k: int, j: int) -> podium.Results:
    rng = np.random.default_rng(1)
    values = rng.gamma(3, 1, (m, b, 1, j)) + rng.normal(0, 0.3, (m, b, k, j)) + 0.2 * np.arange(k)[:, None]
    axes = {
        "dataset": [f"data {i + 1}" for i in range(m)],
        "replication": range(1, b + 1),
        "algorithm": [f"a{i + 1}" for i in range(k)],
        "measure": ["error", "loss"][:j],
    }
    index = pd.MultiIndex.from_product(axes.values(), names=list(axes))
    frame = pd.DataFrame({"value": np.abs(values).ravel()}, index=index).reset_index()
    return podium.read(frame, direction="lower")


def busy(session: Any) -> float:
    """CPU seconds of the main thread of the page."""
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def main() -> None:
    cases = {"20 replications × 3 algorithms": (1, 20, 3, 1)} if parser(__doc__).parse_args().quick else CASES
    from playwright.sync_api import sync_playwright

    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        sys.exit("Chromium is not installed; scripts/setup installs it")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, sizes in cases.items():
            results = made(*sizes)
            start = time.process_time()
            path = podium.explorer(results).save(Path(folder) / "explorer.html")
            python = time.process_time() - start
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            begun = time.perf_counter()
            page.goto(path.as_uri())
            page.wait_for_function("document.documentElement.dataset.ready === 'true'")
            wall, cpu = time.perf_counter() - begun, busy(session)
            if sizes[0] > 1:
                page.evaluate("podium.change({view: 'data', d: 7})")
                page.evaluate("podium.settled()")
            clicks = []
            for b in range(3, 14):
                before = busy(session)
                page.evaluate(
                    "(b) => { podium.select([b]); return new Promise((done) => "
                    "requestAnimationFrame(() => requestAnimationFrame(() => done(1)))); }",
                    b,
                )
                clicks.append(busy(session) - before)
            print(
                f"{name}: {path.stat().st_size / 1e6:.2f} MB, Python {python:.1f} s, ready after {cpu:.2f} s CPU "
                f"({wall:.2f} s on the clock), a selection {1000 * statistics.median(clicks):.0f} ms CPU"
            )
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
