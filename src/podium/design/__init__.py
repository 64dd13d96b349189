"""Set up: data sets, algorithms, resampling, measures, and the experiment that joins them."""

from podium.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
