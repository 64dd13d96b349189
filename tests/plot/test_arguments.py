"""Arguments of plots and figures: what is refused, and what signatures and pages show."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from drawings import compared, pima, six
from made_results import several
from matplotlib.axes import Axes

import podium
from podium.errors import PodiumError
from podium.plot import drawing
from podium.plot.documentation import sections
from podium.plot.drawing import PLOTS


@pytest.fixture(autouse=True)
def no_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    yield
    plt.close("all")


RESULTS = several(m=3, b=4, k=3)
SIZE = "`size` must be 'screen', 'page', 'column', a width in inches or (width, height), each from 0.5 to 100; got "


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: podium.plot.percentile_intervals(RESULTS, kind="t"),
            "percentile_intervals() has no option 'kind'. It has 'results', 'measure', 'alpha', 'order', 'missing', "
            "'ax', 'size', 'orientation', 'palette', 'title'.",
        ),
        (
            lambda: podium.plot.box(RESULTS, order=["x", "yy", "z"]),
            "`order` names 'yy', which these results do not contain. The algorithms are 'x', 'y', 'z'. Did you mean 'y'?",
        ),
        (lambda: podium.plot.box(RESULTS, size="poster"), f"{SIZE}'poster'."),
        (
            lambda: podium.plot.box(RESULTS, palette={"x": "no colour"}),
            "`palette` gives 'x' a colour that matplotlib does not recognise: 'no colour'.",
        ),
        (
            lambda: podium.plot.box(RESULTS, ax=plt.figure().add_subplot(projection="polar")),
            "`ax` must be matplotlib axes, as plt.subplots() returns them; got a PolarAxes.",
        ),
        (
            lambda: podium.plot.save(podium.plot.box(RESULTS, size=(90, 90)), "x.png", dpi=600),
            "`dpi=600` makes a picture of 54,000 × 54,000 pixels, too many for 'png'. Use fewer dots per inch, or a "
            "vector format such as 'pdf'.",
        ),
    ],
)
def test_messages(call: Callable[[], object], message: str, tmp_path: Path) -> None:
    with pytest.raises(PodiumError) as caught:
        call()
    assert str(caught.value) == message
    assert list(tmp_path.iterdir()) == []


def test_the_modules_show_their_public_names_only() -> None:
    for home in (podium.plot, podium.plot.figures):
        assert [name for name in dir(home) if not name.startswith("__")] == sorted(home.__all__)


# One signature


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_has_the_options_of_its_numbers_and_of_its_drawing(name: str) -> None:
    """`help` shows them all, each with its meaning; none is hidden."""
    plot, shown = PLOTS[name], inspect.signature(getattr(podium.plot, name))
    computed = inspect.signature(plot.compute).parameters
    assert list(shown.parameters)[: len(computed)] == list(computed)
    assert {"ax", "size", "title"} <= set(shown.parameters)
    assert all(p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in shown.parameters.values())
    explained = sections(getattr(podium.plot, name))["Parameters"].split("\n")
    entries = [line.partition(" : ")[0] for line in explained if line and not line.startswith(" ")]
    words = [word for entry in entries for word in entry.split(", ")]
    assert words[: len(computed)] == list(computed)
    assert sorted(words) == sorted(shown.parameters)


def with_panels() -> list[str]:
    """Names of the plots that say that they return an array of axes."""
    returned = {name: inspect.signature(getattr(podium.plot, name)).return_annotation for name in podium.plot.__all__}
    return sorted(name for name, kind in returned.items() if kind == "ObjectArray")


def test_the_page_lists_the_plots_with_several_panels() -> None:
    page = (Path(__file__).parents[2] / "docs" / "exploring.md").read_text(encoding="utf-8")
    named = page.partition("The plots with several panels\n")[2].partition(")")[0]
    assert re.findall(r"`(\w+)`", named) == with_panels()


def test_axes_without_an_annotation_are_one_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "PLOTS", {})

    def spread(ax, numbers, *, title=None) -> None:
        """Draw nothing."""

    def annotated(ax: Axes, numbers, *, title=None) -> None:
        """Draw nothing."""

    annotated.__annotations__["ax"] = Axes  # as in a file whose annotations are not texts
    for draw in (spread, annotated):
        plot = podium.plot.plot_of(podium.plot.figures.box)(draw)
        shown = inspect.signature(plot)
        assert (shown.parameters["ax"].annotation, shown.return_annotation) == ("Axes | None", "Axes")
        assert "ndarray" not in plot.__doc__


# One axes, several panels, axes inside axes, another subject than results, and two arguments that are no options.
SUBJECTS: dict[str, Callable[[], object]] = {
    "box": six,
    "podium": six,
    "pvalues": lambda: compared("wilcoxon"),
    "hasse": lambda: podium.Relation.from_chain("a < b ~ c"),
    "fitted_boxes": lambda: podium.mixed(RESULTS),
    "monitor": lambda: podium.monitor(pima(), pair=("lda", "rf")),
    "distances": lambda: {chain: podium.Relation.from_chain(chain) for chain in ("a < b < c", "c < a < b")},
}


@pytest.mark.parametrize("name", SUBJECTS)
def test_axes_in_axes_out_and_finished_numbers_take_no_options(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw: Callable[..., Any] = getattr(podium.plot, name)
    numbers = PLOTS[name].compute(SUBJECTS[name]())
    several_panels = name in with_panels()
    figure, given = plt.subplots(1, 3 if several_panels else 1, layout="constrained")
    settings = dict(mpl.rcParams)
    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("shown"))
    drawn = draw(numbers, ax=given)
    if several_panels:
        assert drawn.tolist() == given[: len(drawn)].tolist()
    else:
        assert drawn is given
        assert isinstance(drawn, Axes)
    assert plt.get_fignums() == [figure.number]
    assert dict(mpl.rcParams) == settings
    for option in list(inspect.signature(PLOTS[name].compute).parameters)[1:]:
        with pytest.raises(PodiumError, match=f"`{option}` is already fixed in the given numbers"):
            draw(numbers, **{option: None})
