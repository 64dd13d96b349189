"""Where data sets come from: frames and arrays, files, names, OpenML."""

from podium.setup.sources.loading import dataset
from podium.setup.sources.spec import dataset_from_spec

__all__ = ["dataset", "dataset_from_spec"]
