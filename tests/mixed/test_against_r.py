"""A simulated, incomplete domain against lme4, lmerTest, pbkrtest and nlme; `data/reference.R` made the figures."""

from __future__ import annotations

import numpy as np
import pytest

from podium.analysis.mixed import mixed
from podium.results import Results


def test_scalar_domain_model(simulated: Results, r_figures: dict) -> None:
    for estimation, key in (("REML", "scalar_reml"), ("ML", "scalar_ml")):
        expected = r_figures[key]
        fit = mixed(simulated, estimation=estimation)
        assert fit.criterion == pytest.approx(expected["crit"], abs=1e-8)
        np.testing.assert_allclose(fit.estimates, list(expected["fixed"].values()), atol=1e-8)
        np.testing.assert_allclose(fit.se, list(expected["se"].values()), rtol=1e-6)
        variances = [expected["vc"][name] for name in ("ds|(Intercept)|", "dsalg|(Intercept)|", "samp|(Intercept)|")]
        np.testing.assert_allclose(fit.components["variance"][:3], variances, rtol=1e-5)
        assert fit.components.loc["residual", "variance"] == pytest.approx(expected["vc"]["Residual||"], rel=1e-6)


def test_unstructured_domain_model_with_a_singular_covariance(simulated: Results, r_figures: dict) -> None:
    expected = r_figures["unstructured"]
    fit = mixed(simulated, covariance="unstructured")
    assert fit.boundary
    assert fit.criterion == pytest.approx(expected["crit"], abs=1e-7)
    np.testing.assert_allclose(fit.estimates, list(expected["fixed"].values()), atol=1e-6)
    np.testing.assert_allclose(fit.se, list(expected["se"].values()), rtol=1e-4)
    G = fit.effects_covariance
    for name, value in expected["vc"].items():
        group, *names = name.split("|")
        if group == "ds":
            one, two = (part.removeprefix("alg") for part in names)
            assert G.loc[one, two or one] == pytest.approx(value, rel=1e-3, abs=1e-7)
    assert np.linalg.eigvalsh(G)[0] == pytest.approx(0, abs=1e-8)
    assert "is singular" in " ".join(map(str, fit.contrasts().notes))


def test_components_against_zero(simulated: Results, r_figures: dict) -> None:
    table = mixed(simulated).component_tests()
    expected = [r_figures[f"without_{name}"] for name in ("ds", "dsalg", "samp")]
    np.testing.assert_allclose(table["criterion"], expected, atol=1e-6)
    rise = np.array(expected) - r_figures["scalar_reml"]["crit"]
    np.testing.assert_allclose(table["statistic"], rise, atol=1e-6)
    # R: pchisq(3.2122, 1, lower = FALSE) / 2
    assert table.loc["dataset", "pvalue"] == pytest.approx(0.0365456, abs=1e-6)


def test_degrees_of_freedom(simulated: Results, r_figures: dict) -> None:
    fit = mixed(simulated)
    for df, key in (("satterthwaite", "sat"), ("kenward-roger", "kr")):
        expected = r_figures[key]
        test = fit.omnibus(df=df)
        assert test.statistic == pytest.approx(expected["F value"], rel=1e-6)
        assert test.df[1] == pytest.approx(expected["DenDF"], rel=1e-4)
        assert test.pvalue == pytest.approx(expected["Pr(>F)"], rel=1e-5)
        comparison = fit.contrasts(df=df)
        np.testing.assert_allclose(comparison.df, r_figures[f"{key}_df"], rtol=1e-5)
    np.testing.assert_allclose(comparison.se, r_figures["kr_se"], rtol=1e-6)


def test_predicted_effects_and_fitted_values(simulated: Results, r_figures: dict) -> None:
    fit = mixed(simulated)
    datasets = fit.blups("dataset").set_index("dataset")
    np.testing.assert_allclose(
        datasets["estimate"], [r_figures["ranef_ds"][name] for name in datasets.index], atol=1e-7
    )
    np.testing.assert_allclose(datasets["conditional_sd"], r_figures["ranef_ds_sd"], rtol=1e-6)
    cells = fit.blups("interaction")
    known = dict(zip(r_figures["ranef_dsalg"], r_figures["ranef_dsalg_sd"], strict=True))
    for row in cells.itertuples():
        key = f"{row.dataset}.{row.algorithm}"
        if key in known:
            assert row.estimate == pytest.approx(r_figures["ranef_dsalg"][key], abs=1e-7)
            assert row.conditional_sd == pytest.approx(known[key], rel=1e-6)
    # An algorithm that was never on a data set has no effect there that could be predicted, and all its variance.
    empty = cells[(cells["dataset"] == "d4") & (cells["algorithm"] == "a2")].iloc[0]
    assert empty["estimate"] == pytest.approx(0, abs=1e-12)
    assert empty["conditional_sd"] == pytest.approx(fit.components.loc["interaction", "sd"], rel=1e-9)
    rows = fit.blups("replication")
    known = dict(zip(r_figures["ranef_samp"], r_figures["ranef_samp_sd"], strict=True))
    for row in rows.itertuples():
        key = f"{row.dataset}.{row.replication}"
        assert row.estimate == pytest.approx(r_figures["ranef_samp"][key], abs=1e-7)
        assert row.conditional_sd == pytest.approx(known[key], rel=1e-6)
    np.testing.assert_allclose(fit.frame()["fitted"][:8], r_figures["fitted_head"], atol=1e-7)


def test_block_and_survey_model(simulated: Results, r_figures: dict) -> None:
    block = mixed(simulated.select(dataset="d1"))
    assert block.criterion == pytest.approx(r_figures["block"]["crit"], abs=1e-8)
    np.testing.assert_allclose(block.estimates, list(r_figures["block"]["fixed"].values()), atol=1e-8)
    np.testing.assert_allclose(block.se, list(r_figures["block"]["se"].values()), rtol=1e-6)
    survey = mixed(simulated.drop(datasets="d4"), model="survey")
    assert survey.criterion == pytest.approx(r_figures["survey"]["crit"], abs=1e-8)
    np.testing.assert_allclose(survey.components["variance"], r_figures["survey"]["vc"], rtol=1e-6)


@pytest.mark.parametrize(("residual", "key"), [("algorithm", "het_alg"), ("dataset", "het_ds")])
def test_unequal_residual_variances(simulated: Results, r_figures: dict, residual: str, key: str) -> None:
    expected = r_figures[key]
    fit = mixed(simulated, residual=residual)
    assert fit.criterion == pytest.approx(expected["crit"], abs=1e-6)
    assert fit.criterion <= expected["crit"] + 1e-9
    np.testing.assert_allclose(fit.estimates, list(expected["fixed"].values()), atol=1e-6)
    for name, variance in expected["sigma2"].items():
        assert fit.residual_variances[name] == pytest.approx(variance, rel=1e-4)
