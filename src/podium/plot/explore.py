"""All tables and figures for a first look, written into a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.backend_bases import FigureCanvasBase

from podium.analysis.blocks import ordered_blocks
from podium.analysis.describe import intervals, orders, places, quartile_chart, summarize, worst_case
from podium.checks import (
    check_call,
    check_path,
    check_seed,
    describe,
    did_you_mean,
    expect,
    file_access,
    is_whole,
    shown,
    write_text,
)
from podium.errors import InputError
from podium.plot.colours import colours
from podium.plot.drawing import PLOTS
from podium.plot.figures.time import is_time
from podium.plot.save import figure_of, save
from podium.plot.style import Size, check_size
from podium.plot.trellis import trellis
from podium.results import Results
from podium.results.labels import natural_key
from podium.results.missing import parse_policy

PANELS_ON_A_PAGE = 24

FOR_VALUES = {"worst-rank": "available"}  # what becomes of a policy where it does not apply


@check_call
def explore(
    results: Results,
    folder: str | Path = "exploration",
    *,
    measures: Sequence[str] | None = None,
    formats: str | Sequence[str] = ("png",),
    size: Size = "screen",
    seed: int = 0,
    missing: str = "available",
) -> list[Path]:
    """Write all summaries and figures for a first look into a folder.

    For each measure: tables of summaries, orders, intervals, worst case and places; the quartile chart; and the
    strip, box, density, histogram, interval, podium and place figures; for times, one on a logarithmic
    axis; for several data sets, also the box, strip and podium plots of each. ``contents.md`` lists them all.

    Parameters
    ----------
    results : Results
    folder : str or path, default "exploration"
        It is created if it does not exist; files of the same names are replaced.
    measures : sequence of str, optional
        Some of the measures; by default all.
    formats : str or sequence of str, default ("png",)
        File formats of the figures: ``"png"``, ``"svg"``, ``"pdf"``.
    size : {"screen", "page", "column"}, float or (float, float)
        Size of the figures.
    seed : int, default 0
        Seed for ties on the podium that are broken at random.
    missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-value", "worst-rank"}
        Policy for missing cells; ``contents.md`` says how many there are. ``"worst-rank"`` applies to places; for
        everything else it means ``"available"``.

    Returns
    -------
    list of Path
        The files, in the order of ``contents.md``, which comes last.

    Examples
    --------
    >>> import podium, tempfile
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris", algorithms=["c45", "svl"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = podium.explore(iris, folder, formats="svg")
    >>> [path.name for path in written[:3]]
    ['summary.csv', 'orders.csv', 'intervals.csv']
    """
    expect(results, Results, "results")
    check_size(size)
    check_seed(seed)
    if measures is not None and (isinstance(measures, str) or not isinstance(measures, Sequence)):
        raise InputError(f"`measures` must be a list of names; got {describe(measures)}.")
    policy = parse_policy(missing)
    formats = [formats] if isinstance(formats, str) else formats
    if not isinstance(formats, Sequence):
        raise InputError(f"`formats` must be one extension or several, such as 'png'; got {describe(formats)}.")
    known = FigureCanvasBase.get_supported_filetypes()
    unknown = [ending for ending in formats if not isinstance(ending, str) or ending not in known]
    if unknown or not formats:
        raise InputError(
            "`formats` must be extensions that matplotlib writes, such as 'png' or 'pdf'; got "
            f"{shown(unknown[0] if unknown else formats)}.{did_you_mean(unknown[0], known) if unknown else ''}"
        )
    folder = check_path(folder, "folder")
    chosen = results if measures is None else results.select(measures=list(measures))
    with file_access(folder, "write", "folder"):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"`folder` must be a folder; {str(folder)!r} is a file. Name another one.")
        folder.mkdir(parents=True, exist_ok=True)
        return _write(chosen, folder, colours(results), formats, size, seed, policy)


def _write(
    chosen: Results,
    folder: Path,
    palette: Mapping[str, str],
    formats: Sequence[str],
    size: Size,
    seed: int,
    policy: str,
) -> list[Path]:
    written: list[Path] = []
    contents = [f"# {_count(chosen)}", ""]
    for name in chosen.measure_names:
        one = chosen.select(measure=name)
        prefix = f"{_slug(name)}-" if len(chosen.measures) > 1 else ""
        contents += [f"## {one.measures[0]}", ""]
        for file, caption in _tables(one, policy, folder, prefix):
            written.append(file)
            contents += _entry(file, caption)
        for stem, caption, draw in _figures(one, policy, palette, size, seed):
            drawing = draw()
            for ending in formats:
                written.append(save(drawing, folder / f"{prefix}{stem}.{ending}"))
                contents += _entry(written[-1], caption)
            plt.close(figure_of(drawing))
        contents.append("")
    listing = folder / "contents.md"
    write_text(listing, "\n".join(contents) + "\n", "folder")
    return [*written, listing]


def _tables(one: Results, policy: str, folder: Path, prefix: str) -> Iterator[tuple[Path, list[str]]]:
    values = FOR_VALUES.get(policy, policy)
    frames: dict[str, Callable[[], pd.DataFrame]] = {
        "summary": lambda: summarize(one, missing=values),
        "orders": lambda: orders(one, missing=values),
        "intervals": lambda: intervals(one, missing=values),
        "worst-case": lambda: worst_case(one, quantile=0.95, missing=values),
        "places": lambda: places(one, missing=policy),
    }
    for name, make in frames.items():
        frame = make()
        path = folder / f"{prefix}{name}.csv"
        write_text(path, frame.to_csv(), "folder")
        yield path, _notes(frame)
    chart = quartile_chart(one, missing=values)
    path = folder / f"{prefix}quartiles.txt"
    write_text(path, f"{chart}\n", "folder")
    yield path, [chart.warning] if chart.warning else []


def _figures(
    one: Results, policy: str, palette: Mapping[str, str], size: Size, seed: int
) -> Iterator[tuple[str, list[str], Callable[[], Any]]]:
    simple = ("strip", "box", "density", "histogram", "percentile_intervals")
    draw = {name: PLOTS[name].function() for name in (*simple, "podium", "places", "time")}
    values: dict[str, Any] = {"missing": FOR_VALUES.get(policy, policy), "palette": palette, "size": size}
    whole: dict[str, Any] = {**values, "missing": policy}
    for name in simple:
        yield name.replace("_", "-"), [], partial(draw[name], one, **values)
    ties = [f"ties broken at random, seed {seed}"]
    yield "podium", ties, partial(draw["podium"], one, seed=seed, **whole)
    yield "podium-lines", ties, partial(draw["podium"], one, lines="algorithm", seed=seed, **whole)
    yield "places", ["ties share their places"], partial(draw["places"], one, missing=whole["missing"], size=size)
    if is_time(one.measures[0]) and (one.values > 0).any():
        yield "time", [], partial(draw["time"], one, **values)
    if len(one.datasets) > 1 and one.design.sum(axis=1).max() > 1:
        order = ordered_blocks(one, missing="available").algorithms
        for number, page in _pages(one):
            for kind in ("box", "strip"):
                yield f"trellis-{kind}{number}", [], partial(trellis, page, kind=kind, order=order, **values)
            options = {"lines": "algorithm", "seed": seed}
            panels = partial(trellis, page, kind="podium", options=options, order=order, **whole)
            yield f"trellis-podium{number}", ties, panels


def _pages(one: Results) -> Iterator[tuple[str, Results]]:
    """Split many data sets into pages of a trellis."""
    names = sorted(one.datasets, key=natural_key)
    starts = range(0, len(names), PANELS_ON_A_PAGE)
    for number, start in enumerate(starts, 1):
        yield f"-{number}" if len(starts) > 1 else "", one.select(datasets=names[start : start + PANELS_ON_A_PAGE])


def _notes(frame: pd.DataFrame) -> list[str]:
    """Write what the columns of a table mean; one line for all places, whose columns are numbers."""
    legend: Mapping[Any, str] = frame.attrs["legend"]
    places = [column for column in frame.columns if is_whole(column)]
    notes = [f"{places[0]} to {places[-1]}: {legend[places[0]]}"] if places else []
    return notes + [f"{column}: {legend[column]}" for column in frame.columns if column not in places]


def _entry(path: Path, notes: Sequence[str]) -> list[str]:
    return [f"- `{path.name}`", *(f"  - {note}" for note in notes)]


def _count(results: Results) -> str:
    m, b, k, _ = results.shape
    sets = results.datasets[0] if m == 1 else f"{m} data sets"
    gaps = int((~results.present).sum())
    missing = f", {gaps:,} of {results.present.size:,} cells missing" if gaps else ""
    return f"{sets}: {k} algorithms, {b} replications{missing}"


def _slug(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name).strip("-").lower() or "measure"
