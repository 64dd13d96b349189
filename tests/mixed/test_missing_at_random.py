"""The domain of the dissertation with 5% of its cells missing at random, against R; `data/missing.R` made the figures.

Tolerances: fixed effects 1e-8, criterion 1e-5, variances 1e-4 (lme4 with tight settings is good to some 1e-5), p-values
and interval ends 1e-3 (multcomp's are means over 20 seeds).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from podium.analysis.mixed import mixed
from podium.results import Results

GROUPS = {"ds": "dataset", "dsalg": "interaction", "samp": "replication", "Residual": "residual"}


@pytest.fixture(scope="module")
def domain(uci_common: Results) -> Results:
    gone = np.random.default_rng(5).random(uci_common.values.shape) < 0.05
    return uci_common.replace(values=np.where(gone, np.nan, uci_common.values))


@pytest.fixture(scope="module")
def figures() -> dict:
    return json.loads((Path(__file__).parent / "data" / "missing.json").read_text(encoding="utf-8"))


def test_scalar_model(domain: Results, figures: dict) -> None:
    fit = mixed(domain)
    assert fit.nobs == figures["n"]
    assert fit.criterion == pytest.approx(figures["criterion"], abs=1e-5)
    assert fit.criterion <= figures["criterion"] + 1e-9
    for name, mean in fit.estimates.items():
        assert mean == pytest.approx(figures["fixed"][f"alg{name}"], abs=1e-8)
        assert fit.se[name] == pytest.approx(figures["se"][f"alg{name}"], rel=1e-4)
    for group, variance in figures["variances"].items():
        assert fit.components.loc[GROUPS[group], "variance"] == pytest.approx(variance, rel=1e-4)
    effects = fit.blups("dataset").set_index("dataset")["estimate"]
    for name, effect in figures["dataset"].items():
        assert effects[name] == pytest.approx(effect, abs=1e-5)


def test_simultaneous_intervals(domain: Results, figures: dict) -> None:
    comparison = mixed(domain).contrasts(distribution="normal")
    rows = zip(figures["contrast"], figures["p"], figures["lower"], figures["upper"], strict=True)
    for contrast, p, lower, upper in rows:
        pair = comparison.pair(*contrast.split(" - "))
        assert pair["adjusted"] == pytest.approx(p, abs=1e-3)
        assert pair["lower"] == pytest.approx(lower, abs=1e-3 * (upper - lower) / 2)
        assert pair["upper"] == pytest.approx(upper, abs=1e-3 * (upper - lower) / 2)


def test_global_test(domain: Results, figures: dict) -> None:
    test = mixed(domain).omnibus()
    expected = figures["satterthwaite"]
    assert test.statistic == pytest.approx(expected["F value"], rel=1e-4)
    assert test.df == pytest.approx((expected["NumDF"], expected["DenDF"]), rel=1e-3)
    assert test.pvalue == pytest.approx(expected["Pr(>F)"], rel=1e-3)


def test_unstructured_model_ends_below_lme4(domain: Results, figures: dict) -> None:
    # lme4 stops above the optimum; so its standard errors are off by some 1e-3.
    expected = figures["unstructured"]
    fit = mixed(domain, covariance="unstructured")
    assert fit.criterion <= expected["criterion"]
    assert fit.criterion == pytest.approx(expected["criterion"], abs=0.05)
    for name, mean in fit.estimates.items():
        assert mean == pytest.approx(expected["fixed"][f"alg{name}"], abs=1e-5)
        assert fit.se[name] == pytest.approx(expected["se"][f"alg{name}"], rel=1e-2)
