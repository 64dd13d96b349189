"""Letters that the usual font does not have: drawn with another installed font, or reported."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from made_results import several
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text

from podium import plot
from podium.errors import MissingLettersWarning, PodiumWarning
from podium.plot import names
from podium.plot.style import local

RING = "\u20dd"  # a letter of STIXGeneral, which comes with matplotlib, and not of DejaVu Sans
NOWHERE = "\U0010fffd"  # a code point for private use, which no font should have


@pytest.fixture
def stix(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two fallbacks are installed: STIXGeneral, and one that has no face for bold text."""
    caches = (names.families, names._letters, names._width_in_ems)
    monkeypatch.setattr(names, "FALLBACKS", ("No Such Font", "STIXGeneral", "STIXSizeFiveSym"))
    monkeypatch.setattr(fontManager, "ttflist", list(fontManager.ttflist))
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_the_usual_font_comes_first() -> None:
    assert names.families()[0] == "DejaVu Sans"
    assert set(names.families()[1:]) <= set(names.FALLBACKS)
    assert names.missing_letters(["svm", "k-NN ± ∘•", "naïve Ævar Żółw Ωмега"]) == []


@pytest.mark.usefixtures("stix")
def test_a_font_that_is_installed_draws_what_the_usual_one_lacks(tmp_path: Path) -> None:
    assert names.families() == ("DejaVu Sans", "STIXGeneral", "STIXSizeFiveSym")
    assert names.missing_letters([RING, NOWHERE, "a"]) == [NOWHERE]
    ax = plot.box(several().rename(algorithms={several().algorithms[0]: f"a{RING}"}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns about a letter that no font has
        plot.save(ax, tmp_path / "box.png", dpi=40)
        plot.save(ax, tmp_path / "box.pdf")
        assert b"/FontFile2" in (tmp_path / "box.pdf").read_bytes()
        with local("page"):
            ax.figure.canvas.draw()


@pytest.mark.usefixtures("stix")
def test_bold_text_is_drawn_without_a_complaint_where_a_fallback_has_no_bold_face(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with local("page"):
        figure = Figure()
        figure.text(0.5, 0.5, "bold", weight="bold", size=7.31)  # matplotlib remembers the fonts of a size
        FigureCanvasAgg(figure).draw()
    assert caplog.messages == []


def test_where_the_user_sets_text_with_tex_names_are_no_commands() -> None:
    with mpl.rc_context({"text.usetex": True}):
        ax = plot.box(several().rename(algorithms={several().algorithms[0]: "50%_of_{it"}))
    assert not any(text.get_usetex() for text in ax.figure.findobj(Text))


def test_letters_that_no_font_has_are_reported_once(tmp_path: Path) -> None:
    ax = plot.box(several().rename(algorithms={several().algorithms[0]: f"a{NOWHERE}{NOWHERE}"}))
    for kind in ("png", "pdf"):
        with pytest.warns(MissingLettersWarning, match="such letters are drawn as boxes") as caught:
            plot.save(ax, tmp_path / f"box.{kind}", dpi=40)
        assert [warning.message.letters for warning in caught] == [(NOWHERE,)]
        assert caught[0].filename == __file__
    # No font is embedded: to take boxes out of a font with one for every letter takes seconds.
    assert b"/FontFile2" not in (tmp_path / "box.pdf").read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plot.save(ax, tmp_path / "box.svg")
    assert f"a{NOWHERE}{NOWHERE}" in (tmp_path / "box.svg").read_text(encoding="utf-8")
    assert issubclass(MissingLettersWarning, PodiumWarning)
