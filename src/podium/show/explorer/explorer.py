"""`explorer`: the interactive benchmark experiment plot and everything linked to it, in a browser."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from podium.checks import check_call, check_choice, check_path, check_seed, describe, expect, write_text
from podium.errors import InputError, plural
from podium.results.labels import Label
from podium.results.reading import check_reading
from podium.running.limits import Limits
from podium.show.explorer.absence import Absence
from podium.show.explorer.page import as_html, bokeh_scripts
from podium.show.explorer.payload import whole_payload
from podium.show.explorer.source import open_source
from podium.show.explorer.space import ShownModels, Space
from podium.typesetting.html import escape


@check_call
class Explorer:
    """An interactive view of an experiment; `podium.explorer` makes one.

    Attributes
    ----------
    space : Space
        The benchmark experiment space behind it.
    title : str
    models : {"extreme", "all", "none"}, sequence of replications, or None
        The replications whose models a saved page contains.
    seed : int
    """

    def __init__(
        self, space: Space, *, title: str = "", models: ShownModels | Sequence[Label] | None = None, seed: int = 0
    ) -> None:
        self.space = expect(space, Space, "space")
        self.title = title
        self.models = models
        self.seed = seed
        self._payload: dict[str, Any] | None = None

    @property
    def payload(self) -> dict[str, Any]:
        """The payload of a saved page, as plain values; computed once."""
        if self._payload is None:
            self._payload = whole_payload(self.space, self.title, self.models, seed=self.seed)
        return self._payload

    @property
    def absences(self) -> tuple[Absence, ...]:
        """What the page cannot show, and why."""
        return (self.payload and self.space.absences) or ()

    def html(self) -> str:
        """Return the page: one text that needs nothing else."""
        return as_html(self.payload)

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, which works without a network and can be sent to anyone.

        Parameters
        ----------
        path : str or path
            A file that ends in ``.html``.

        Returns
        -------
        Path
        """
        target = check_path(path)
        if target.suffix not in (".html", ".htm"):
            raise InputError(f"`path` must end in .html; got {target.name!r}.", path=("path",))
        write_text(target, self.html())
        return target

    def show(self) -> Path:
        """Open the page in a browser, from a temporary file that is removed when the process ends.

        Returns
        -------
        Path
            The file.
        """
        folder = tempfile.mkdtemp(prefix="podium-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = self.save(Path(folder) / "explorer.html")
        open_browser(path)
        return path

    def _repr_html_(self) -> str:
        lacking = "".join(f"<li>not shown: {escape(str(one))}</li>" for one in self.absences)
        return f"<div>{escape(repr(self))}. Use show() or save('explorer.html').<ul>{lacking}</ul></div>"

    def __repr__(self) -> str:
        m, b, k, j = self.space.results.shape
        sizes = [plural(m, "data set"), plural(b, "replication"), plural(k, "algorithm"), plural(j, "measure")]
        return f"Explorer {self.title!r}: {' × '.join(sizes)}"


def open_browser(path: Path) -> None:
    """Open a page in the user's browser, if there is one with a window of its own."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if type(browser) is not webbrowser.GenericBrowser:  # it would take over the terminal
        browser.open(path.resolve().as_uri())


@check_call
def explorer(
    source: Any,
    *,
    experiment: Any = None,
    models: ShownModels | Sequence[Label] | None = None,
    title: str | None = None,
    seed: int = 0,
    seconds_per_fit: float | None = None,
    memory_per_fit: int | None = None,
    **reading: Any,
) -> Explorer:
    """Explore an experiment in a browser: from the podium to the replication, its samples, its models and the data.

    Parameters
    ----------
    source : Results, Warehouse, path, or anything that `read` understands
        Scores; a warehouse, open or as a file or URL; or the design file of an experiment that was run.
    experiment : Experiment or path, optional
        The experiment that the scores are from, or its design file; a design file as `source` is both. Its data are
        shown, its samples drawn again and its models fitted again: its code is run. Without it only the scores are
        shown; what a warehouse has recorded of an experiment is not run.
    models : {"extreme", "all", "none"} or sequence of replications, optional
        The replications whose models a saved page contains: those in which an algorithm has its best or worst value of
        a measure, all, none, or those named. By default the extreme ones, unless they would need many fits.
    title : str, optional
    seed : int, default 0
        Of the first random break of ties.
    seconds_per_fit, memory_per_fit : float and int, optional
        Limits for one model, in seconds and bytes, as in `run`.
    **reading
        Options of `read` for a table that needs them, such as ``measure="accuracy"``.

    Returns
    -------
    Explorer
        ``save(path)`` writes one file that needs nothing else; ``show()`` opens it in a browser.

    References
    ----------
    M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms.
    Dissertation, Ludwig-Maximilians-Universität München, chapter 3.

    Examples
    --------
    >>> import podium
    >>> explorer = podium.explorer(podium.examples.load_pima())
    >>> explorer
    Explorer 'Explorer': 1 data set × 200 replications × 4 algorithms × 1 measure
    >>> print(explorer.absences[0])
    data: shown only with the experiment itself: experiment=...
    """
    check_reading(reading, explorer)
    bokeh_scripts()  # fails here if the extra is missing, before anything is computed
    check_seed(seed)
    if isinstance(models, str):
        check_choice(models, get_args(ShownModels), "models")
    elif models is not None and not isinstance(models, Sequence):
        raise InputError(f"`models` must be 'extreme', 'all', 'none' or replications; got {describe(models)}.")
    if title is not None:
        expect(title, str, "title")
    limits = Limits(seconds=seconds_per_fit, memory=memory_per_fit)
    space = Space(open_source(source, experiment, reading), limits)
    if not space.results.present.any():
        raise InputError("There is no value to explore: all cells of the results are missing.")
    design = space.source.experiment
    shown = title if title is not None else design.name if design is not None and design.name else "Explorer"
    return Explorer(space, title=shown, models=models, seed=seed)
