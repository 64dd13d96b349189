"""How a drawing becomes a plot: `plot_of` joins it with the function that computes its numbers.

A plot is one file in this folder: a function that draws numbers on axes, decorated with the function of
`podium.plot.figures` that computes them. `podium.plot` finds it automatically.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeAlias, get_type_hints

from matplotlib.artist import Artist

from podium.checks import bind_arguments, check_choice, describe, expect, is_utf8, shown
from podium.errors import InputError
from podium.plot.canvas import Canvas, MakeCanvas, usual_proportions
from podium.plot.categorical import ORIENTATIONS
from podium.plot.colours import colours
from podium.plot.documentation import completed, joined, sections
from podium.plot.legend import draw_legend
from podium.plot.namespace import Registered
from podium.plot.style import check_size, local
from podium.results import Results

__all__ = ["plot_of"]

Draw: TypeAlias = Callable[..., Sequence[Artist] | None]

AX_OF_PANELS = """\
ax : ndarray of Axes, optional
    Axes to draw on, one per panel; new ones by default."""

_KEYWORD = inspect.Parameter.KEYWORD_ONLY
PALETTE = inspect.Parameter("palette", _KEYWORD, default=None, annotation="Mapping[str, str] | None")


@dataclass(frozen=True, eq=False)
class Plot:
    """A drawing with all it needs to become a function of `podium.plot`.

    Attributes
    ----------
    draw : callable
        ``draw(ax, numbers, *, ...)`` draws on axes. Of its options, `palette`, `title` and `orientation` are checked
        here; `palette` arrives with a colour for every algorithm. It returns the marks of the legend that the canvas
        has left room for, if there is one. `legend` is not an option of the plot: it is that legend, for a drawing that
        depends on its size.
    compute : callable
        Function that computes the numbers.
    canvas : callable
        Makes the axes.
    """

    draw: Draw
    compute: Callable[..., Any]
    canvas: MakeCanvas

    @property
    def name(self) -> str:
        """Name of the plot."""
        return self.draw.__name__

    @property
    def kind_of_numbers(self) -> type:
        """Class of the numbers."""
        kind: type = get_type_hints(self.compute)["return"]
        return kind

    @property
    def drawing_options(self) -> dict[str, inspect.Parameter]:
        """Options that concern the drawing only, with their defaults."""
        own = [p for p in inspect.signature(self.draw).parameters.values() if p.kind is p.KEYWORD_ONLY]
        return {p.name: PALETTE if p.name == "palette" else p for p in own if p.name != "legend"}

    @property
    def axes(self) -> str:
        """What the plot draws on and returns: as the drawing says, else ``"Axes"``."""
        given = next(iter(inspect.signature(self.draw).parameters.values())).annotation
        return "Axes" if given is inspect.Parameter.empty else str(getattr(given, "__name__", given))

    @property
    def signature(self) -> inspect.Signature:
        """Arguments of the numbers, then those of the drawing."""
        computed = inspect.signature(self.compute).parameters.values()
        frame = [
            inspect.Parameter("ax", _KEYWORD, default=None, annotation=f"{self.axes} | None"),
            inspect.Parameter("size", _KEYWORD, default="screen", annotation="Size"),
        ]
        return inspect.Signature([*computed, *frame, *self.drawing_options.values()], return_annotation=self.axes)

    def function(self) -> Callable[..., Any]:
        """Make the public function."""
        signature = self.signature

        def plot(*arguments: object, **options: object) -> Any:
            bound = bind_arguments(self.name, signature, arguments, options)
            return self._call(dict(bound.arguments))

        plot.__name__ = plot.__qualname__ = self.name
        plot.__module__ = self.draw.__module__
        plot.__doc__ = self._doc()
        plot.__signature__ = signature  # type: ignore[attr-defined]
        plot.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
        plot.__annotations__["return"] = signature.return_annotation
        return plot

    def _call(self, given: dict[str, Any]) -> Any:
        ax, size = given.pop("ax", None), check_size(given.pop("size", "screen"))
        options = {name: given.pop(name, option.default) for name, option in self.drawing_options.items()}
        check_options(options)
        subject = next(iter(given.values()))
        numbers = self._numbers(subject, given)
        if "palette" in options:
            named = subject.algorithms if isinstance(subject, Results) else numbers.algorithms
            options["palette"] = colours(named, options["palette"])
        with local(size):
            canvas = self.canvas(ax, numbers, size, options)
            self.draw_on(canvas, numbers, options)
        return canvas.axes

    def _numbers(self, subject: object, given: Mapping[str, Any]) -> Any:
        if not isinstance(subject, self.kind_of_numbers):
            return self.compute(**given)
        fixed = list(given)[1:]
        if fixed:
            raise InputError(
                f"`{fixed[0]}` is already fixed in the given numbers. Pass it to the function that computes them, "
                f"{self.compute.__name__}(), or pass what they are computed from."
            )
        return subject

    def draw_on(self, canvas: Canvas, numbers: object, options: Mapping[str, Any]) -> None:
        """Draw numbers on a canvas."""
        more = {"legend": canvas.legend} if "legend" in inspect.signature(self.draw).parameters else {}
        marks = self.draw(canvas.axes, numbers, **options, **more)
        if canvas.legend is not None and marks:
            draw_legend(canvas.axes, marks, canvas.legend)

    def _doc(self) -> str:
        of_numbers, of_drawing = sections(self.compute), sections(self.draw)
        subject, *computed = of_numbers.get("Parameters", "").split("\n")
        module = "podium.plot.figures." if self.compute.__module__.startswith("podium.plot.figures.") else ""
        subject += f", or {module}{self.kind_of_numbers.__name__}"
        several = not self.axes.endswith("Axes")
        own = [subject, *computed, *([AX_OF_PANELS] if several else []), of_drawing.get("Parameters", "")]
        parts = {
            "": of_drawing[""],
            "Parameters": completed("\n".join(filter(None, own)), self.signature),
            "Returns": "ndarray of Axes\n    One per panel." if several else "Axes",
        }
        parts |= {head: text for head, text in of_drawing.items() if head not in parts}
        if "References" in of_numbers:
            parts.setdefault("References", of_numbers["References"])
        return joined(parts)


# All plots, by name.
PLOTS: Registered[Plot] = Registered("podium.plot")


def plot_of(
    compute: Callable[..., Any], *, canvas: Callable[..., Any] = usual_proportions
) -> Callable[[Draw], Callable[..., Any]]:
    """Turn a function that draws numbers into a plot.

    The plot takes the arguments of both functions, those of the numbers and the keyword-only ones of the drawing, and
    `ax` and `size`. It also takes finished numbers instead of what they are computed from. Its signature and its
    documentation are joined from both.

    Parameters
    ----------
    compute : callable
        Function that computes the numbers. Its return annotation is the class of the numbers.
    canvas : callable, optional
        What makes the axes; see `podium.plot.canvas`.

    Examples
    --------
    >>> import podium
    >>> @podium.plot.plot_of(podium.plot.figures.box)
    ... def spread(ax, numbers, *, title=None):
    ...     "Draw the distances of the quartiles as bars."
    ...     ax.barh(numbers.algorithms, numbers.quartiles[:, 2] - numbers.quartiles[:, 0])
    >>> spread(podium.examples.load_ulas2008(), ax=None, reach=2)
    <Axes: >
    >>> list(inspect.signature(spread).parameters)
    ['results', 'measure', 'reach', 'order', 'most', 'missing', 'ax', 'size', 'title']
    """
    if "return" not in expect(compute, FunctionType, "compute").__annotations__:
        raise InputError("`compute` must name the class of its numbers in its return annotation; it has none.")
    expect(canvas, FunctionType, "canvas")

    def decorate(draw: Draw) -> Callable[..., Any]:
        if len(inspect.signature(expect(draw, FunctionType, "draw")).parameters) < 2:
            raise InputError("`draw` must be a function of axes and numbers, such as `def draw(ax, numbers): ...`.")
        plot = Plot(draw, compute, canvas)
        PLOTS[plot.name] = plot
        return plot.function()

    return decorate


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse wrong values of the options that many plots share."""
    if "orientation" in options:
        check_choice(options["orientation"], ORIENTATIONS, "orientation")
    for name, kind, noun in (("title", str, "text"), ("palette", Mapping, "a mapping from names to colours")):
        value = options.get(name)
        if value is not None and not isinstance(value, kind):
            raise InputError(f"`{name}` must be {noun} or None; got {describe(value)}.")
        if isinstance(value, str) and not is_utf8(value):  # no font has it, and no file can hold it
            raise InputError(f"`{name}` must be text without lone surrogates; got {shown(value)}.")
