"""Bad input is refused by errors that name it; odd tables are fitted."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import podium
from podium.errors import CellValueError, InputError, LabelError, MissingCellsError

X = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=["a", "b", "c"])
HOLES = X.mask((X.index == 4)[:, None] & (X.columns == "b"))
TWO_ROWS = [1, 1] + [0] * 18


def test_the_estimator_passes_the_checks_of_scikit_learn() -> None:
    from sklearn.utils.estimator_checks import check_estimator  # slow to import

    check_estimator(podium.ArchetypalAnalysis(n_init=1, max_iter=20), on_skip=None)


def fit(table: Any = X, n_archetypes: int = 2, weights: Any = None, **options: Any) -> podium.ArchetypalAnalysis:
    return podium.ArchetypalAnalysis(n_archetypes, n_init=1, **options).fit(table, sample_weight=weights)


def own(**parts: Any) -> podium.archetypal.Family:
    return podium.archetypal.Family(name="own", **parts)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: podium.archetypes(X, k=[2, 30]),
            InputError,
            "`k` must not exceed the number of different rows; got 30, and `X` has 20 different rows. Ask for fewer.",
        ),
        (
            lambda: fit(X.assign(a=TWO_ROWS), 1, TWO_ROWS),
            InputError,
            "`X`: 1 column is constant in the rows with a positive weight: 'a'. Such a column cannot be standardised; "
            "leave it out, or use `scaling='none'`.",
        ),
        (
            lambda: fit(weights=np.r_[-1.0, np.ones(18), -2]),
            InputError,
            "`sample_weight` must not be negative; rows 0, 19 have a negative weight. A weight of 0 leaves a row out.",
        ),
        (
            lambda: podium.archetypes(HOLES),
            MissingCellsError,
            "`X`: 1 cell (row, column) is missing (NaN): (4, 'b'). Leave such rows out with X.dropna(), or leave the "
            "cells out of the loss with `missing='available'`.",
        ),
        (
            lambda: fit(pd.DataFrame({"a": [1, np.nan, 2, np.nan], "b": [np.nan, 1, np.nan, 3]}), missing="available"),
            MissingCellsError,
            "`X` must have rows without missing cells, because archetypes are combinations of such rows; every row has "
            "a missing cell. Leave out the columns with the most missing cells, or fill them in.",
        ),
        (
            lambda: podium.archetypes(podium.examples.load_ulas2008()),
            InputError,
            "`X` must be a table of numbers with a row for each observation, such as a DataFrame; got a Results. Use "
            "podium.archetypal.domain_archetypes(results) for the archetypes of Results.",
        ),
        (
            lambda: fit(family="robst"),
            InputError,
            "`family` must be one of 'classical', 'weighted', 'robust'; got 'robst'. Did you mean 'robust'?",
        ),
        (
            lambda: podium.plot.archetype_plane(podium.ArchetypalAnalysis(3)),
            InputError,
            "`archetypes` is an ArchetypalAnalysis that is not fitted; call fit(X) first.",
        ),
        (
            lambda: fit(family=own(loss=podium.archetypal.Loss("own", rho=np.square, weight=lambda u: u[:1]))),
            InputError,
            "`loss`: `weight` must return one number for each length.",
        ),
    ],
)
def test_messages(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call()


def test_names_of_options_from_other_packages() -> None:
    for make, wrong, right in (
        (podium.ArchetypalAnalysis, "seed", "random_state"),
        (podium.ArchetypalAnalysis, "n_components", "n_archetypes"),
        (lambda **options: podium.archetypes(X, **options), "n_components", "k"),
    ):
        with pytest.raises(LabelError, match=rf" Did you mean '{right}'\?$"):
            make(**{wrong: 2})


def test_new_rows_with_missing_cells_are_taken_one_by_one() -> None:
    model = podium.ArchetypalAnalysis(missing="available", n_init=1).fit(HOLES)
    every = model.transform(HOLES)
    assert model.transform(HOLES.loc[[4]]) == pytest.approx(every[[4]])
    assert np.isfinite(model.score(HOLES.loc[[4]]))


def test_numbers_and_pairs_as_column_names_are_kept() -> None:
    years = podium.ArchetypalAnalysis(2, n_init=1).fit(X.set_axis([2001, 2002, 2003], axis=1))
    assert list(years.solution_.frame()) == ["2001", "2002", "2003"]
    pairs = X.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]), axis=1)
    assert list(podium.ArchetypalAnalysis(2, n_init=1).fit(pairs).solution_.frame()) == ["a 1", "a 2", "b 1"]


@pytest.mark.parametrize("scaling", [None, "none"])
def test_outliers_beside_which_all_differences_are_lost(scaling: Any) -> None:
    far = pd.concat([X, X.iloc[:1] * 0 + 1e12], ignore_index=True)
    with pytest.raises(CellValueError, match="are so far out that beside them the differences of the others are lost"):
        podium.ArchetypalAnalysis(family="robust", scaling=scaling, n_init=1).fit(far)
    found = podium.ArchetypalAnalysis(family="robust", scaling="robust", n_init=2).fit(far)
    assert found.robust_weights_[20] == 0 and np.abs(found.archetypes_).max() < 10


def test_a_user_defined_family_and_loss() -> None:
    loss = podium.archetypal.Loss(
        "trim", rho=lambda u: np.minimum(u, 1) ** 2 / 2, weight=lambda u: (u < 1).astype(float)
    )
    aa = fit(family=own(loss=loss, start=lambda data, k, generator: np.arange(k)))
    assert set(aa.robust_weights_) <= {0.0, 1.0}


def test_frames_keep_names() -> None:
    named = X.set_axis([f"row {i}" for i in range(20)])
    aa = podium.ArchetypalAnalysis(2, n_init=1).fit(named)
    assert list(aa.solution_.frame().columns) == ["a", "b", "c"] and list(aa.solution_.frame().index) == ["A1", "A2"]
    assert list(aa.solution_.contributions().index)[:2] == ["row 0", "row 1"]
    out = podium.ArchetypalAnalysis(2, n_init=1).set_output(transform="pandas").fit_transform(named)
    assert list(out.columns) == ["A1", "A2"] and out.index[0] == "row 0"
    assert aa.score(named) == pytest.approx(aa.explained_)
    assert np.allclose(aa.inverse_transform(np.eye(2)), aa.archetypes_)


@pytest.mark.parametrize("scaling", ["standard", "robust", "none"])
@pytest.mark.parametrize("family", ["classical", "weighted", "robust"])
def test_values_near_the_end_of_double_precision(scaling: str, family: str) -> None:
    """No table, no weights and no new observations lead to an overflow; pytest turns its warning into an error."""
    aa = podium.ArchetypalAnalysis(2, family=family, scaling=scaling, n_init=1)
    tables = [[[1.7e308, 1], [-1.7e308, 2], [0, 3]], np.vstack([X.to_numpy(), [[1.7e308, 0, 0]]])]
    for table in tables if scaling == "robust" else [*tables, X * 1e300, X * 1e-160]:
        with pytest.raises(CellValueError, match="too large or too small for squares in double precision"):
            aa.fit(table)
    for weight in (1e200, 1e-200):
        with pytest.raises(InputError, match="must have its largest value between 1e-100 and 1e\\+100; got"):
            aa.fit(X, sample_weight=np.full(20, weight))
    aa.fit(X)
    for read in (aa.transform, aa.score):
        with pytest.raises(CellValueError, match="too far from those of `fit` for squares in double precision"):
            read(X.assign(b=1.7e308))
    if family == "weighted" and scaling == "none":
        with pytest.raises(InputError, match="must leave W X small enough for squares in double precision"):
            aa.fit(1e100 * X, sample_weight=1e99 * np.eye(20))


@cache
def odd_tables() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    base = rng.dirichlet([0.5] * 3, 20) @ np.array([[0, 0, 1], [4, 0, 2], [0, 4, 7.0]])
    frame = pd.DataFrame(base, columns=["a", "b", "c"])
    return {
        "one column": base[:, :1],
        "two rows": base[:2],
        "duplicates": np.repeat(base[:3], 5, axis=0),
        "one row that differs much": np.vstack([np.repeat(base[:2], 9, axis=0), [[1e6, 1e6, 1e6]]]),
        "large": 1e140 * base,
        "small": 1e-140 * base,
        "several scales": base * [1e-80, 1, 1e80],
        "far from the origin": base + 1e9,
        "collinear": np.column_stack([base, 2 * base[:, 0], base[:, 1] - base[:, 0]]),
        "on a line": np.outer(np.arange(20.0), [1, 2, 3]),
        "more columns than rows": rng.normal(size=(5, 20)),
        "binary": rng.random((20, 4)) < 0.3,
        "sparse": np.where(rng.random((20, 5)) < 0.2, rng.normal(size=(20, 5)), 0),
        "integers": (10 * frame).astype("int8"),
        "float32": frame.astype("float32"),
        "nullable": (10 * frame).astype(int).astype("Int64"),
        "index with duplicates": frame.set_axis([1, 1, 2, 2] * 5),
    }


STORED = ("integers", "float32", "nullable", "index with duplicates")
SHAPES = ("one column", "collinear", "on a line", "more columns than rows", "binary", "sparse")


@pytest.mark.parametrize("name", odd_tables())
def test_every_family_fits_odd_tables(name: str) -> None:
    table = odd_tables()[name]
    n = len(table)
    weights = np.random.default_rng(1).uniform(0.2, 1, n)
    holes = np.array(pd.DataFrame(table).astype(float))
    holes[n - n // 3 :, -1] = np.nan
    fits = (
        ({}, table, None),
        ({}, table, np.full(n, 0.3)),
        ({"family": "weighted"}, table, weights),
        ({"family": "weighted"}, table, 0.7 * np.eye(n) + 0.3 / n),
        ({"family": "robust"}, table, weights),
        ({"family": "robust", "loss": "huber"}, table, None),
        ({"family": "robust", "loss": "welsch", "scaling": "none"}, table, None),
        ({"missing": "available"}, holes, None),
        ({"missing": "available", "family": "robust"}, holes, None),
        ({"missing": "available", "family": "weighted"}, holes, weights),
    )
    if name in STORED:  # all families read numbers in the same way
        fits = fits[::4]
    elif name in SHAPES:  # every family meets three of these shapes
        fits = fits[SHAPES.index(name) % 2 :: 2]
    for options, data, given in fits:
        aa = podium.ArchetypalAnalysis(2, n_init=1, max_iter=10, **options).fit(data, sample_weight=given)
        for shares, axis in ((aa.coefficients_, 1), (aa.data_weights_, 0)):
            assert shares.min() >= 0 and np.abs(shares.sum(axis=axis) - 1).max() < 1e-12
        values = np.array(pd.DataFrame(data).astype(float))
        low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
        slack = 1e-9 * np.maximum(np.abs(low), np.abs(high))
        assert ((aa.archetypes_ >= low - slack) & (aa.archetypes_ <= high + slack)).all()
        assert np.isfinite([aa.rss_, aa.criterion_, aa.spectral_rss_]).all() and 0 <= aa.explained_ <= 1
        assert (np.diff(aa.history_) <= 0).all() and ((aa.robust_weights_ >= 0) & (aa.robust_weights_ <= 1)).all()
        assert aa.score(data) <= 1 and len(aa.solution_.contributions()) == n


def test_the_largest_number_of_iterations_is_kept() -> None:
    for family in ("classical", "robust"):
        aa = podium.ArchetypalAnalysis(3, family=family, max_iter=2, n_init=2).fit(X)
        assert aa.n_iter_ <= 2 and not aa.solution_.converged


def test_numbers_of_archetypes_come_in_any_form_and_order() -> None:
    assert podium.archetypes(X, np.array([1, 2]), n_init=1).k == (1, 2)
    assert podium.archetypes(X, (k for k in (2, 1)), n_init=1).k == (1, 2)


def test_a_fit_that_failed_leaves_nothing_to_use() -> None:
    analysis = podium.ArchetypalAnalysis()
    with pytest.raises(InputError, match="2 columns are constant"):
        analysis.fit(np.ones((2, 2)))
    with pytest.raises(NotFittedError):
        analysis.transform(np.ones((3, 2)))
