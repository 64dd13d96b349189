"""What a reader sees: tables for papers, the report and the explorer."""

from podium.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
