"""What holds for every drawing: axes in, axes out, nothing shown, no setting changed, the same again."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from made_results import made, noisy, several, with_gaps
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex, to_rgb

import podium
from podium import plot
from podium.plot import figures
from podium.plot.colours import text_colour
from podium.plot.drawing import PLOTS
from podium.plot.figures.palette import PALETTE
from podium.plot.names import fit_names, text_width
from podium.plot.podium import columns, places_to_name
from podium.plot.scales import LogNumbers, LogTicks, spread_ticks
from podium.plot.style import local, whole_figure, write_title

DRAW = {
    "strip": plot.strip,
    "box": plot.box,
    "density": plot.density,
    "overlay": lambda r, **o: plot.density(r, overlay=True, **o),
    "histogram": plot.histogram,
    "intervals": plot.intervals,
    "percentile_intervals": plot.percentile_intervals,
    "podium": plot.podium,
    "podium lines": lambda r, **o: plot.podium(r, lines="algorithm", **o),
    "places": plot.places,
    "time": lambda r, **o: plot.time(r, **{"measure": "score"} if isinstance(r, podium.Results) else {}, **o),
}
every = pytest.mark.parametrize("name", DRAW)


@pytest.mark.parametrize("name", ["box", "podium", "places"])  # plain; axes inside axes and a legend; a colour bar
def test_axes_of_the_user_are_drawn_with_the_settings_of_the_user(name: str) -> None:
    figure, ax = plt.subplots(layout="constrained", dpi=40)
    assert DRAW[name](noisy(3, 8), ax=ax) is ax
    figure.canvas.draw()
    assert plt.get_fignums() == [figure.number]


@every
def test_it_is_the_same_again_and_from_finished_numbers(name: str, tmp_path: Path) -> None:
    """Also if names have dollar signs, which are no formulas, and for new figures of the width of a column."""
    results = noisy(2, 8, names=["cost $1", "a_b$c$^2"])
    compute = PLOTS[{"overlay": "density", "podium lines": "podium"}.get(name, name)].compute
    numbers = compute(results, **{"measure": "score"} if name == "time" else {})
    drawings = (DRAW[name](results, size="column"), DRAW[name](numbers, size="column"))
    assert [whole_figure(ax).get_figwidth() for ax in drawings] == [3.3, 3.3]
    one, two = (plot.save(ax, tmp_path / f"{i}.svg").read_text("utf-8") for i, ax in enumerate(drawings))
    assert one == two
    if name != "places":
        assert ">cost $1<" in one
        assert ">a_b$c$^2<" in one


# One value; no spread; one value each, for what needs a spread or has a legend.
@pytest.mark.parametrize(
    ("name", "table"),
    [
        *((name, table) for name in DRAW for table in ([[1.0]], [[1.0, 1.0], [1.0, 1.0]])),
        *((name, [[2.0, 5.0]]) for name in ("density", "histogram", "intervals", "podium lines")),
    ],
    ids=str,
)
def test_hardly_any_values_are_drawn_with_all_names_in_view(name: str, table) -> None:
    results = made(table)
    ax = DRAW[name](results, size=(5.0, 4.0))
    figure = whole_figure(ax)
    assert figure.get_size_inches().tolist() == [5, 4]
    figure.draw_without_rendering()
    assert np.isfinite([*ax.get_xlim(), *ax.get_ylim()]).all()
    legend = [text for legend in figure.legends for text in legend.get_texts()]
    shown = [text.get_text() for text in (*ax.get_yticklabels(), *legend)]
    assert set(results.algorithms) <= set(shown)


@every
def test_missing_cells_need_a_policy(name: str) -> None:
    results = with_gaps(noisy(3, 6), (0, 1, 2))
    with pytest.raises(podium.errors.MissingCellsError):
        DRAW[name](results)
    DRAW[name](results, missing="drop-block")


@every
def test_times_are_on_a_logarithmic_axis(name: str) -> None:
    values = 10 ** np.random.default_rng(1).normal(0, 1, (20, 3))
    labels = {"replication": range(20), "algorithm": ["a", "b", "c"]}
    results = podium.read(values, labels=labels, measure="fit time")
    draw = plot.time if name == "time" else DRAW[name]
    ax = draw(results)
    scale = ax.get_yscale() if name.startswith("podium") else ax.get_xscale()
    assert scale == ("linear" if name == "places" else "log")


def test_vector_formats_keep_text_as_text(tmp_path: Path) -> None:
    ax = plot.box(noisy(3, 8))
    assert "score (lower is better)" in plot.save(ax, tmp_path / "x.svg").read_text(encoding="utf-8")
    assert b"/Type3" not in plot.save(ax, tmp_path / "x.pdf").read_bytes()


@pytest.mark.parametrize("name", ["podium", "places"])  # axes inside axes and a legend; a colour bar
def test_a_file_is_as_matplotlib_saves_it(name: str, tmp_path: Path) -> None:
    one, two = (whole_figure(DRAW[name](noisy(3, 8))) for _ in range(2))
    saved = plot.save(one, tmp_path / "one.png", dpi=40)
    two.savefig(tmp_path / "two.png", dpi=40)
    assert saved.read_bytes() == (tmp_path / "two.png").read_bytes()
    assert "draw" not in vars(one)
    assert one.get_layout_engine() is not None


def test_a_huge_experiment_gives_a_bounded_file(tmp_path: Path) -> None:
    # All dots and lines as vectors would make a file of several megabytes; a PNG file has no more pixels than others.
    ax = plot.podium(noisy(30, 1_000), lines="algorithm")
    width, height = whole_figure(ax).get_size_inches()
    assert width < 20
    assert height < 10
    assert plot.save(ax, tmp_path / "x.svg", dpi=50).stat().st_size < 1_000_000


def test_long_titles_are_broken_between_words_and_within_them_only_if_they_must() -> None:
    _, ax = plt.subplots(figsize=(2, 2))
    with local("screen"):
        write_title(ax, None, "PimaIndiansDiabetes, 250 replications")
    assert ax.get_title(loc="left").split("\n") == ["PimaIndians", "Diabetes, 250", "replications"]


# Colours


def colours_of_dots(ax) -> set[str]:
    [dots] = [artist for artist in ax.collections if isinstance(artist, PathCollection)]
    return {to_hex(colour).upper() for colour in dots.get_facecolor()}


def test_an_algorithm_has_one_colour_in_all_figures() -> None:
    results = noisy(4, 20, names=["svm", "knn", "mine", "yours"])
    expected = set(plot.colours(results).values())
    assert colours_of_dots(plot.strip(results)) == expected
    assert colours_of_dots(plot.podium(results)) == expected


def test_a_palette_may_be_given_in_part() -> None:
    results = noisy(2, 20, names=["svm", "mine"])
    assert colours_of_dots(plot.strip(results, palette={"mine": "black"})) == {"#3F74C8", "#000000"}


# The podium


def test_columns_of_a_place_stand_within_it_in_order() -> None:
    x = columns(np.arange(3)[:, None], np.arange(3)[None, :], 3)
    assert (np.diff(x.ravel()) > 0).all()
    assert ((x >= np.arange(3)[:, None]) & (x <= np.arange(1, 4)[:, None])).all()


def test_the_bars_are_the_counts() -> None:
    results = noisy(3, 20, names=["svm", "knn", "rf"])
    ax = plot.podium(results)
    counts = podium.plot.figures.podium(results).counts
    [bars] = ax.child_axes[0].collections[-1:]
    heights = [path.vertices[:, 1].max() for path in bars.get_paths()]
    assert heights == counts.ravel().tolist()


def test_a_segment_has_the_colour_of_the_algorithm_in_the_lower_place() -> None:
    # Eugster, Hothorn & Leisch (2008), section 3.1.
    results = made([[1, 2], [4, 3], [5, 6]], names=["svm", "rf"])
    ax = plot.podium(results, lines="algorithm")
    lines = ax.collections[0]
    shades = [to_hex(colour).upper() for colour in lines.get_color()]
    palette = plot.colours(results)
    assert shades == [palette["svm"], palette["rf"], palette["svm"]]
    starts = [segment[0].tolist() for segment in lines.get_segments()]
    assert [start[1] for start in starts] == [1, 3, 5]


def test_places_are_named_as_far_as_there_is_room() -> None:
    assert places_to_name(6, 300, font=9) == [1, 2, 3, 4, 5, 6]
    assert places_to_name(30, 200, font=9) == [1, 5, 10, 15, 20, 25, 30]


# Names


@pytest.mark.parametrize("width", [30, 60, 120])
@pytest.mark.parametrize("lines", [1, 2, 4])
def test_names_fit_their_room_and_stay_different(width: int, lines: int) -> None:
    names = [f"a rather_long-name(with={i}, parameters={i})" for i in range(12)] + ["x", "GradientBoosting"]
    broken = fit_names(names, width, 8, lines=lines)
    assert len(set(broken)) == len(names)
    for name, text in zip(names, broken, strict=True):
        assert text == name or (text.count("\n") < lines and text_width(text, 8) <= width)
        if "…" not in text:
            assert text.replace("\n", "").replace(" ", "") == name.replace(" ", "")


@pytest.mark.parametrize("name", ["AVAVAVAVAVAVAVAV", "AAAAAAAAAAAAAAAA"])  # pairs that are closer, and further apart
def test_a_line_has_as_many_letters_as_fit(name: str) -> None:
    for width in range(7, 60):
        rows = fit_names([name], width, 8, lines=16)[0].split("\n")
        assert all(text_width(row, 8) <= width for row in rows)
        assert all(text_width(row + "A", 8) > width for row in rows[:-1] if row.endswith(name[1]))
        assert "".join(rows) == name


def test_names_that_would_become_equal_are_cut_around_their_difference() -> None:
    names = ["abcdefghijk-1-xyzxyzxyz", "abcdefghijk-2-xyzxyzxyz"]
    one, two = fit_names(names, 50, 8, lines=1)
    assert "1" in one and "2" in two


# Axes of values


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.03, 12, ["0.03", "0.1", "0.3", "1", "3", "10"]),
        (1.2, 9, ["2", "4", "6", "8"]),
        (1e-9, 1e3, ["$10^{-9}$", "$10^{-6}$", "$10^{-3}$", "$10^{0}$", "$10^{3}$"]),
        (210.0, 260.0, ["210", "220", "230", "240", "250", "260"]),
    ],
)
def test_logarithmic_axes_have_few_readable_numbers(low: float, high: float, expected: list[str]) -> None:
    ticks = LogTicks(120, 8, along=True).tick_values(low, high)
    assert LogNumbers().format_ticks(ticks) == expected


@pytest.mark.parametrize("high", [0.4, 0.75, 1.0, 1.3, 3.0, 4.4, 6.1, 9.0, 61.0, 105.0])
@pytest.mark.parametrize("length", [60, 100, 170, 400])
def test_numbers_of_a_linear_axis_have_round_steps(high: float, length: float) -> None:
    ax = plt.figure(dpi=40).add_subplot()
    ax.set_xlim(0, high)
    ax.set_ylim(0, high)
    for axis, integer in (("x", False), ("y", False), ("x", high > 3)):
        with local("screen"):
            spread_ticks(ax, axis, length, integer=integer)
        ticks = ax.get_xticks() if axis == "x" else ax.get_yticks()
        step = np.diff(ticks)[0]
        assert min(abs(step / 10 ** np.floor(np.log10(step) + 1e-9) - round_) for round_ in (1, 2, 2.5, 5)) < 1e-6
        assert not integer or (ticks == np.round(ticks)).all()


# Trellis


def test_a_trellis_has_a_panel_per_data_set_with_common_axes() -> None:
    grid = plot.trellis(several(m=3), kind="box", columns=2)
    assert [ax.get_title(loc="left") for ax in grid] == ["d1", "d2", "d3"]
    assert len({ax.get_xlim() for ax in grid}) == 1
    free = plot.trellis(several(m=3), kind="box", share_values=False)
    assert len({ax.get_xlim() for ax in free}) > 1
    podiums = plot.trellis(several(m=3), kind="podium")
    assert len({ax.child_axes[0].get_ylim() for ax in podiums}) == 1
    highest = max(numbers.counts.max() for numbers in figures.trellis(several(m=3), kind="podium").panels)
    assert podiums[0].child_axes[0].get_ylim()[1] >= highest


@pytest.mark.parametrize("kind", ["box", "podium"])
def test_a_trellis_draws_on_axes_given_and_hides_those_left_over(kind: str) -> None:
    figure, given = plt.subplots(2, 2, layout="constrained", dpi=40)
    grid = plot.trellis(several(m=3), kind=kind, ax=given)
    assert grid.tolist() == given.ravel()[:3].tolist()
    assert [ax.get_visible() for ax in given.ravel()] == [True, True, True, False]
    assert figure.legends == []
    figure.canvas.draw()


def test_panels_take_the_options_of_their_plot() -> None:
    lines = plot.trellis(several(m=2), kind="podium", options={"lines": "neutral", "ties": "shared"})
    plain = plot.trellis(several(m=2), kind="podium", options={"ties": "shared"})
    assert [len(ax.collections) for ax in lines] == [len(ax.collections) + 1 for ax in plain]


# Messages


def test_a_palette_of_all_results_serves_a_part_of_them() -> None:
    whole = noisy(3, 5, names=["a", "b", "c"])
    palette = plot.colours(whole) | {"b": "black"}
    assert plot.colours(whole.drop(algorithm="c"), palette) == {"a": palette["a"], "b": "black"}


def test_lines_on_filled_areas_show_on_every_colour_of_the_palette() -> None:
    # Web Content Accessibility Guidelines 2.2: relative luminance, and a contrast of 3 to 1 for graphics.
    for colour in PALETTE.values():
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour))
        luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        contrast = {"black": (luminance + 0.05) / 0.05, "white": 1.05 / (luminance + 0.05)}
        assert contrast[text_colour(colour)] >= 3, colour
