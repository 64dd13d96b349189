"""Sphinx configuration. Building needs no network; a warning is an error (scripts/docs)."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.ext.autosummary import Autosummary

import podium

HERE = Path(__file__).parent

project = "podium"
author = "The podium developers"
copyright = author
release = version = podium.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",  # the reader's browser fetches MathJax; without a network it shows the TeX source
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery", "auto_examples/*.ipynb", "auto_examples/*.py"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

suppress_warnings = ["sphinx_gallery.space_in_filename"]  # the project may be in a folder with a space in its name

autosummary_generate = False  # `write_api_pages` does it, from `podium.__all__`
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
numpydoc_show_class_members = False  # autodoc lists the members already

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"\.py$",  # run every script
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("matplotlib",),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 60,
    "plot_gallery": "True",
}

html_theme = "pydata_sphinx_theme"
html_title = f"podium {version}"
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


def write_api_pages() -> None:
    """Write ``api/podium.<name>.rst`` for every name in ``podium.__all__``; remove the other pages there."""
    wanted = {HERE / "api" / f"podium.{name}.rst": api_page(name) for name in podium.__all__}
    (HERE / "api").mkdir(exist_ok=True)
    for page in set((HERE / "api").glob("*.rst")) - set(wanted):
        page.unlink()
    for page, text in wanted.items():
        if not page.exists() or page.read_text(encoding="utf-8") != text:  # else Sphinx would build it again
            page.write_text(text, encoding="utf-8")


def write_schema() -> None:
    """Write the JSON Schema of design files, which the page on setting up offers for download."""
    schema = HERE / "schema" / "experiment.schema.json"
    schema.parent.mkdir(exist_ok=True)
    schema.write_text(json.dumps(podium.design.experiment_schema(), indent=2) + "\n", encoding="utf-8")


def api_page(name: str) -> str:
    """Return the page of one public name."""
    full, thing = f"podium.{name}", getattr(podium, name)
    if inspect.ismodule(thing):
        sys.modules.setdefault(full, thing)  # a public name may stand for a module of another name
        top = [getattr(podium, public) for public in podium.__all__]
        elsewhere = [inner for inner in thing.__all__ if any(getattr(thing, inner) is other for other in top)]
        # What has its own page is not described a second time.
        directive, options = (
            "automodule",
            [":members:", *([f":exclude-members: {', '.join(elsewhere)}"] if elsewhere else [])],
        )
    elif inspect.isclass(thing):
        # Methods that scikit-learn adds to an estimator refer to its own glossary.
        added = [inner for inner in vars(thing) if inner.startswith("set_") and inner.endswith("_request")]
        excluded = [f":exclude-members: {', '.join(sorted(added))}"] if added else []
        directive, options = "autoclass", [":members:", *excluded]
    else:
        directive, options = "autofunction", []
    lines = [full, "=" * len(full), "", f".. {directive}:: {full}", *(f"   {option}" for option in options)]
    return "\n".join(lines) + "\n"


class PublicNames(Autosummary):  # type: ignore[misc]
    """The directive ``public-names``: a table of ``podium.__all__``, each name with a link to its page."""

    has_content = False

    def run(self) -> list[Any]:
        """Make the table."""
        self.options["toctree"] = "api"
        self.content = StringList([f"~podium.{name}" for name in podium.__all__], source="podium.__all__")
        return list(super().run())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive; called by Sphinx."""
    write_api_pages()
    write_schema()
    app.add_directive("public-names", PublicNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
