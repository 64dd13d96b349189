"""Every public function of plots, figures and summaries refuses wrong arguments with an error of podium's own."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from made_results import several
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import podium
from podium.errors import InputError, LabelError, PodiumError
from podium.figures.documentation import sections
from podium.plot import drawing
from podium.plot.drawing import PLOTS

MODULES = {"plot": podium.plot, "figures": podium.figures, "summaries": podium.summaries}
EXTENSIONS = {"plot.draws", "figures.panel"}  # decorators of functions
FUNCTIONS = {
    f"{module}.{name}": getattr(home, name)
    for module, home in MODULES.items()
    for name in home.__all__
    if inspect.isfunction(getattr(home, name)) and f"{module}.{name}" not in EXTENSIONS
}
FUNCTIONS["explore"] = podium.explore
every = pytest.mark.parametrize("name", FUNCTIONS)
every_plot = pytest.mark.parametrize("name", PLOTS)


@pytest.fixture(autouse=True)
def no_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    yield
    plt.close("all")


@cache
def results() -> podium.Results:
    return several(m=3, b=4, k=3)


@cache
def positive() -> podium.Results:
    return results().replace(values=np.abs(results().values))


@cache
def posterior() -> podium.inference.BayesComparison:
    return podium.inference.compare_bayes(results(), method="sign")


@cache
def pairs() -> podium.PairedComparisons:
    return podium.PairedComparisons.from_results(results())


@cache
def tree() -> podium.inference.BradleyTerryTree:
    return podium.bradley_terry_tree(pairs(), pd.DataFrame({"size": range(12)}), unit="replication", min_size=4)


@cache
def pima() -> podium.Results:
    return podium.datasets.load_pima()


@cache
def subjects() -> dict[str, Any]:
    """Something right for the first argument, by its name."""
    relation = podium.Relation.from_chain("a < b ~ c")
    fit = podium.mixed(results())
    labels = pd.MultiIndex.from_product([["x", "y"], ["one"], [1, 2]], names=["dataset", "scheme", "replication"])
    table = pd.DataFrame({"obs.n": [1.0, 2.0, 3.0, 4.0]}, index=labels)
    return {
        "results": results(),
        "algorithms": ["a", "b"],
        "comparison": podium.compare(results(), method="mixed"),
        "relation": relation,
        "relations": {"one": relation, "two": podium.Relation.from_chain("c < a < b")},
        "domain": podium.domain(results(), method="t"),
        "multitest": podium.multi2test(results(), cost=results().algorithms, test="t"),
        "fit": fit,
        "fits": fit,
        "model": podium.bradley_terry(pairs()),
        "tree": tree(),
        "archetypes": podium.archetypes(np.random.default_rng(0).normal(size=(20, 2)), k=3, restarts=1),
        "prototypes": podium.archetypal.prototypes(np.random.default_rng(0).normal(size=(20, 2)), restarts=1),
        "stability": podium.archetypal.prototype_stability(
            np.random.default_rng(0).normal(size=(20, 2)), 2, resamples=2, restarts=1
        ),
        "intervals": podium.summaries.intervals(results()),
        "values": [1.0, 2.0, 3.0],
        "drawing": Figure().add_subplot(),
        "table": table,
        "effect": podium.setup.ResamplingEffect(samples=table, whole=table.groupby(level=0).mean()),
        "monitor": podium.monitor(pima(), pair=("lda", "rf")),
        "sequential": podium.sequential(pima(), pair=("lda", "rf"), intervals=False),
        "sequence": podium.inference.confidence_sequence(pima(), pair=("lda", "rf")),
    }


def call(name: str, **options: object) -> object:
    """Call a function with right arguments, but for those given."""
    first = next(iter(inspect.signature(FUNCTIONS[name]).parameters))
    right = {first: subjects()[first]}
    if name in ("plot.time", "figures.time"):
        right["measure"] = "score"
    if name in ("plot.stacked", "figures.stacked"):
        right["results"] = positive()
    if name == "plot.save":
        right["path"] = "figure.png"
    if name in ("plot.multi_comparison", "figures.multi_comparison"):
        right["results"] = results()
    if name.endswith((".credible_intervals", ".simplex")):
        right["comparison"] = posterior()
    if name.endswith(".simplex"):
        right |= {"a": "x", "b": "y"}
    return FUNCTIONS[name](**right | options)


def wrong(default: object) -> list[object]:
    """Values that cannot be right for an argument with this default."""
    more: list[object] = ["many"] if isinstance(default, int | float) else [-3.5] if isinstance(default, str) else []
    return [object(), *more]


@every
def test_a_value_of_the_wrong_type_is_refused(name: str) -> None:
    for argument, parameter in inspect.signature(FUNCTIONS[name]).parameters.items():
        for value in wrong(parameter.default):
            with pytest.raises(PodiumError):
                call(name, **{argument: value})


@every
def test_an_option_of_another_function_is_refused_by_name(name: str) -> None:
    for option in ("bins", "equivalence", "kind"):
        if option not in inspect.signature(FUNCTIONS[name]).parameters:
            with pytest.raises(LabelError) as caught:
                call(name, **{option: 3})
            assert f"{name.split('.')[-1]}() has no option {option!r}. It has '" in str(caught.value)


@every
def test_a_call_without_arguments_lists_them(name: str) -> None:
    with pytest.raises(InputError) as caught:
        FUNCTIONS[name]()
    assert "missing a required argument" in str(caught.value)


def test_percentile_intervals_have_no_other_kinds() -> None:
    with pytest.raises(LabelError) as caught:
        podium.plot.percentile_intervals(results(), kind="t")
    assert str(caught.value) == (
        "percentile_intervals() has no option 'kind'. It has 'results', 'measure', 'alpha', 'order', 'missing', 'ax', "
        "'size', 'orientation', 'palette', 'title'."
    )


# Values of the right type that cannot be used

LARGE = 10**30


def trellis_numbers() -> podium.figures.Trellis:
    return podium.figures.trellis(results())


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "panel": (lambda: podium.figures.panel(3), "`compute` must be a function; got an int."),
    "draws": (lambda: podium.plot.draws(3), "`compute` must be a function; got an int."),
    "draws without a class": (
        lambda: podium.plot.draws(lambda results: 3),
        "`compute` must name the class of its numbers in its return annotation; it has none.",
    ),
    "canvas": (lambda: podium.plot.draws(podium.figures.box, canvas=3), "`canvas` must be a function; got an int."),
    "draw": (lambda: podium.plot.draws(podium.figures.box)(3), "`draw` must be a function; got an int."),
    "draw of nothing": (
        lambda: podium.plot.draws(podium.figures.box)(lambda: None),
        "`draw` must be a function of axes and numbers, such as `def draw(ax, numbers): ...`.",
    ),
    "order": (
        lambda: podium.plot.box(results(), order=[[]]),
        "`order` names [], which these results do not contain. The algorithms are 'x', 'y', 'z'.",
    ),
    "names": (
        lambda: podium.plot.colours(np.array("svm")),
        "`algorithms` must be names or a Results; got array('svm', dtype='<U3').",
    ),
    "names that are not text": (
        lambda: podium.figures.markers([["svm"], 3]),
        "`algorithms` must be names or a Results; got [['svm'], 3].",
    ),
    "size": (
        lambda: podium.plot.box(results(), size=(1e9, 1e9)),
        "`size` must be 'screen', 'page', 'column', a width in inches or (width, height), each from 0.5 to 100; "
        "got (1000000000.0, 1000000000.0).",
    ),
    "reach": (
        lambda: podium.plot.box(results(), reach=float("inf")),
        "`reach` must be a number from 0 to 1,000,000; got inf.",
    ),
    "bins": (
        lambda: podium.plot.histogram(results(), bins=LARGE),
        f"`bins` must be a whole number of at most 10000; got {LARGE}.",
    ),
    "columns": (
        lambda: podium.plot.trellis(results(), columns=LARGE),
        f"`columns` must be a whole number of at most {sys.maxsize}; got {LARGE}.",
    ),
    "decimals": (
        lambda: podium.plot.critical_difference(subjects()["comparison"], decimals=LARGE),
        f"`decimals` must be a whole number of at most 17; got {LARGE}.",
    ),
    "results of a matrix": (
        lambda: podium.figures.multi_comparison(podium.compare(results(), method="wilcoxon"), "nonsense"),
        "`results` must be a Results; got 'nonsense'. Use podium.read('nonsense').",
    ),
    "numbers of a trellis, and a measure": (
        lambda: podium.plot.trellis(trellis_numbers(), "score"),
        "`measure` is already fixed in the given numbers. Pass it to podium.figures.trellis(), or pass the results.",
    ),
    "numbers of a trellis, and a policy": (
        lambda: podium.plot.trellis(trellis_numbers(), missing="available"),
        "`missing` is already fixed in the given numbers. Pass it to podium.figures.trellis(), or pass the results.",
    ),
    "few dots": (
        lambda: podium.plot.save(subjects()["drawing"], "x.png", dpi=3),
        "`dpi` must be a number from 20 to 10,000; got 3.",
    ),
    "many dots": (
        lambda: podium.plot.save(podium.plot.box(results(), size=(90, 90)), "x.png", dpi=600),
        "`dpi=600` makes a picture of 54,000 × 54,000 pixels, too many for 'png'. Use fewer dots per inch, or a vector "
        "format such as 'pdf'.",
    ),
    "path": (
        lambda: podium.plot.save(subjects()["drawing"], "x\0.png"),
        "`path` must be a path; got 'x\\x00.png'.",
    ),
    "path of a folder": (
        lambda: (Path("x.png").mkdir(), podium.plot.save(subjects()["drawing"], "x.png")),
        "'x.png' cannot be written: it is a folder; name a file.",
    ),
    "folder": (lambda: podium.explore(results(), "x\0"), "`folder` must be a path; got 'x\\x00'."),
    "folder below a file": (
        lambda: (Path("x").touch(), podium.explore(results(), "x/y")),
        "'x/y' cannot be written: not a directory.",
    ),
    "formats": (
        lambda: podium.explore(results(), formats=[[]]),
        "`formats` must be extensions that matplotlib writes, such as 'png' or 'pdf'; got [].",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_value_that_cannot_be_used_is_refused_with_the_way_out(name: str) -> None:
    make, message = WRONG[name]
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value) == message


def test_the_modules_show_their_public_names_only() -> None:
    for home in (podium.plot, podium.figures):
        assert [name for name in dir(home) if not name.startswith("__")] == sorted(home.__all__)


# One signature


@every_plot
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
        plot = podium.plot.draws(podium.figures.box)(draw)
        shown = inspect.signature(plot)
        assert (shown.parameters["ax"].annotation, shown.return_annotation) == ("Axes | None", "Axes")
        assert "ndarray" not in plot.__doc__


@every_plot
def test_axes_in_axes_out_and_finished_numbers_take_no_options(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plot = PLOTS[name]
    first, *others = inspect.signature(plot.compute).parameters
    right = {"measure": "score"} if name == "time" else {"results": results()} if name == "multi_comparison" else {}
    if name == "simplex":
        right = {"a": "x", "b": "y"}
    bayesian = name in ("simplex", "credible_intervals")
    subject = positive() if name == "stacked" else posterior() if bayesian else subjects()[first]
    numbers = plot.compute(subject, **right)
    draw: Callable[..., Any] = getattr(podium.plot, name)

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

    for option in others:
        with pytest.raises(InputError) as caught:
            draw(numbers, **{option: None})
        assert str(caught.value).startswith(f"`{option}` is already fixed in the given numbers.")
