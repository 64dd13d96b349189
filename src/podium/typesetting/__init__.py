"""A table as data, and one renderer for each form: text, Markdown, HTML, LaTeX, DataFrame."""

from podium.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
