"""Run an experiment: plan its trials, run them in processes, keep every outcome whatever happens."""

from podium.lazy import lazy_names

# A worker process imports this package and needs none of them.
__getattr__, __dir__, __all__ = lazy_names(__name__)
