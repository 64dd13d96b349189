"""Set up: data sets, algorithms, resampling, measures, and the experiment that joins them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.lazy import lazy_names

if TYPE_CHECKING:
    from podium.setup.advice import Advice
    from podium.setup.characteristics.characteristic import CHARACTERISTICS, Characteristic
    from podium.setup.characteristics.data_view import DataView
    from podium.setup.characteristics.reductions import REDUCTIONS, histogram, quantiles
    from podium.setup.characteristics.resampling_effect import ResamplingEffect, resampling_effect
    from podium.setup.dataset import Sample
    from podium.setup.description import Description
    from podium.setup.evaluation import Outcome, fit_and_measure, fit_model
    from podium.setup.factors import Factors, Grid
    from podium.setup.fitted import Fitted
    from podium.setup.formal_notation import Block
    from podium.setup.identity import Identity, identify
    from podium.setup.predictions import Kept
    from podium.setup.resampling import Resampling, Reserve, SklearnSplitter, Split, resampling_scheme
    from podium.setup.spec.difference import Difference
    from podium.setup.spec.imports import design_modules
    from podium.setup.spec.schema import experiment_schema
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "advice": "Advice",
            "characteristics.characteristic": "CHARACTERISTICS Characteristic",
            "characteristics.data_view": "DataView",
            "characteristics.reductions": "REDUCTIONS histogram quantiles",
            "characteristics.resampling_effect": "ResamplingEffect resampling_effect",
            "dataset": "Sample",
            "description": "Description",
            "evaluation": "Outcome fit_and_measure fit_model",
            "factors": "Factors Grid",
            "formal_notation": "Block",
            "fitted": "Fitted",
            "identity": "Identity identify",
            "predictions": "Kept",
            "resampling": "Resampling Reserve SklearnSplitter Split resampling_scheme",
            "spec.difference": "Difference",
            "spec.imports": "design_modules",
            "spec.schema": "experiment_schema",
        },
    )

__all__ = [
    "CHARACTERISTICS",
    "REDUCTIONS",
    "Advice",
    "Block",
    "Characteristic",
    "DataView",
    "Description",
    "Difference",
    "Factors",
    "Fitted",
    "Grid",
    "Identity",
    "Kept",
    "Outcome",
    "Resampling",
    "ResamplingEffect",
    "Reserve",
    "Sample",
    "SklearnSplitter",
    "Split",
    "design_modules",
    "experiment_schema",
    "fit_and_measure",
    "fit_model",
    "histogram",
    "identify",
    "quantiles",
    "resampling_effect",
    "resampling_scheme",
]
