"""`Results`: the labelled, immutable M × B × K × J cube from which every analysis starts."""

from podium.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
