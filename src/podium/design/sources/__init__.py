"""Where data sets come from: frames and arrays, files, names, OpenML."""

from podium.design.sources.loading import dataset
from podium.design.sources.spec import dataset_from_spec

__all__ = ["dataset", "dataset_from_spec"]
