"""A design in formal notation and in words; ``podium describe``."""

from __future__ import annotations

import html
import platform
import re
import textwrap
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC

import podium
from podium.cli import main

ROOT = Path(__file__).parents[2]


def experiment(**changes: Any) -> podium.Experiment:
    arguments: dict[str, Any] = {
        "datasets": ["monks3", podium.Dataset.generated("circle", n=300)],
        "seed": 1,
        "algorithms": ["lda", podium.grid("knn", k=[1, 5])],
        "resampling": podium.Bootstrap(replications=100),
        "measures": ["misclassification", "fit time"],
        "name": "demo",
    }
    return podium.Experiment(**{**arguments, **changes})


def notation(**changes: Any) -> dict[str, str]:
    """The notation, each part as one text."""
    blocks = experiment(**changes).describe().notation
    return {b.heading: "\n".join([b.statement, *(" | ".join(row) for row in b.rows)]) for b in blocks}


def test_the_whole_description() -> None:
    made = experiment()
    libraries = [f"{name} {version(name)}" for name in ("numpy", "pandas", "scikit-learn", "scipy")]
    used = f"{', '.join([f'podium {podium.__version__}', *libraries])} and Python {platform.python_version()}"
    closing = f"the design was specified with {used} (fingerprint {made.fingerprint()})."
    text = str(made.describe())
    assert (
        text
        == f"""\
demo: algorithm comparison and hyperparameter tuning on two data sets

Data sets      𝔏_m = {{z_1, …, z_N}} ~ DGP_m, m = 1, …, M = 2
                 𝔏_1  monks3  classification, N = 554, 6 nominal attributes, 2 classes
                 𝔏_2  circle  classification, N = 300, 2 numeric attributes, 2 classes, drawn once
                              from circle(d=2)
Replications   b = 1, …, B = 100
                 𝔏_m^b  n = N observations drawn with replacement from 𝔏_m
                 𝔗_m^b  𝔏_m \\ 𝔏_m^b, the out-of-bag observations, 0.368 N on average
Algorithms     a_k(· | 𝔏_m^b) ~ 𝒜_k(DGP_m), k = 1, …, K = 3
                 a_1  lda       linear discriminant analysis
                 a_2  knn(k=1)  k nearest neighbours, k = 1
                 a_3  knn(k=5)  k nearest neighbours, k = 5
Measures       p̂_mbkj = p_j(a_k, 𝔏_m^b), estimated on 𝔗_m^b, j = 1, …, J = 2
                 p_1  misclassification  mean over 𝔗_m^b of I(y ≠ ŷ); lower is better
                 p_2  fit time           seconds of the fit, tuning included; lower is better
Factors        p_j(a_{{k,θ1}}, 𝔏_m^b) with 𝔏_m^b ~ DGP_m
                 θ1  k of knn  1, 5
Outcome        p̂_mbkj ~ 𝒫̂_mkj: 2 × 100 × 3 × 2 = 1,200 numbers from 600 fits
Design         treatments: algorithms; experimental units: data sets; blocks: learning samples
               within data sets; seed 1

For a methods section
  We compared three candidates on two classification data sets in a benchmark experiment (Hothorn et
  al., 2005). The data sets were monks3 (554 observations, 6 nominal attributes, 2 classes) and
  circle (300 observations, 2 numeric attributes, 2 classes, drawn once from circle(d=2)). Learning
  samples were drawn by bootstrapping (100 replications), with the out-of-bag observations as test
  sample (Efron, 1979). In each replication all algorithms were fitted to the same learning sample
  and measured on the same test sample, which was used neither to fit nor to tune any of them. The
  algorithms were lda (linear discriminant analysis) and knn (k nearest neighbours) in two settings:
  k = 1 and 5. Performance was measured by misclassification (lower is better) and fit time (in s,
  lower is better). The experiment comprises 600 fits. All random numbers derive from the seed 1;
{textwrap.fill(closing, 100, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)}

References
  T. Hothorn, F. Leisch, A. Zeileis, K. Hornik (2005). The design and analysis of benchmark
      experiments. Journal of Computational and Graphical Statistics 14(3), 675–699.
  B. Efron (1979). Bootstrap methods: another look at the jackknife. The Annals of Statistics 7(1),
      1–26."""
    )


def test_fresh_draws_speak_of_processes() -> None:
    process = podium.grid({"generator": "twonorm", "n": 50}, d=[5, 20])
    fresh = podium.FreshDraws(replications=30, n_test=500, test="fixed")
    parts = notation(datasets=process, resampling=fresh, algorithms=["lda", "nb"])
    assert parts["Processes"] == (
        "DGP_m known, m = 1, …, M = 2\n"
        "DGP_1 | twonorm(d=5) | classification, n = 50, 5 numeric attributes, 2 classes\n"
        "DGP_2 | twonorm(d=20) | classification, n = 50, 20 numeric attributes, 2 classes"
    )
    assert parts["Replications"] == (
        "b = 1, …, B = 30\n𝔏_m^b | n observations ~ DGP_m\n𝔗_m^b | 500 observations ~ DGP_m, drawn once, 𝔗_m^b = 𝔗_m"
    )
    assert parts["Factors"] == "p_j(a_k, 𝔏_m^b) with 𝔏_m^b ~ DGP_{m,θ2}\nθ2 | d of twonorm | 5, 20"
    told = experiment(datasets=process, resampling=fresh, algorithms=["lda", "nb"]).describe()
    assert told.title == "demo: algorithm comparison and sensitivity analysis on two data generating processes"
    assert "The processes were twonorm(d=5) (learning samples of 50 observations" in told.methods
    assert "Learning samples were drawn by sampling afresh from the data generating process" in told.methods


@pytest.mark.parametrize(
    ("scheme", "author"),
    [
        ("bootstrap", "B. Efron"),
        ("5x2cv", "T. G. Dietterich"),
        (podium.CrossValidation(), "M. Stone"),
        (podium.design.Reserve(then=podium.Subsampling()), "D. N. Politis"),
        ("hold-out", None),
    ],
)
def test_what_is_cited_is_listed(scheme: Any, author: str | None) -> None:
    told = experiment(resampling=scheme).describe()
    assert [reference.split(",")[0].split(" (")[0] for reference in told.references[1:]] == ([author] if author else [])
    cited = set(re.findall(r"\((?:[A-Z]\w+[^()]*), (\d{4})\)", told.methods))
    assert cited == {re.search(r"\((\d{4})\)", reference).group(1) for reference in told.references}


def test_notebooks_show_the_same() -> None:
    made = experiment(datasets=[{"dataset": "iris", "name": "<b>&"}])
    told = made.describe()
    page = html.unescape(re.sub("<[^>]*>", "|", told._repr_html_()))
    for block in told.notation:
        for text in (block.heading, block.statement, *(cell for row in block.rows for cell in row)):
            assert text in page
    assert told.methods in page
    assert made._repr_html_() == told._repr_html_()


# The command line


def test_the_command_describes_the_example_and_advises(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    file = str(ROOT / "examples" / "monks.yaml")
    made = podium.Experiment.from_file(file)
    assert main(["describe", file]) == 0
    advice = "\n\n".join(f"- {item}" for item in made.advice())
    assert capsys.readouterr().out == f"{made.describe()}\n\nAdvice\n\n{advice}\n"
    assert [item.topic for item in made.advice()] == ["few data sets"]
    assert main(["describe", file, "--no-advice"]) == 0
    assert capsys.readouterr().out == f"{made.describe()}\n"
    assert main(["describe", file, "--resolved"]) == 0
    assert capsys.readouterr().out == made.to_yaml()


def test_attributes_are_counted_as_a_data_set_counts_them() -> None:
    table = pd.DataFrame({"dose": np.arange(20.0), "ward": list("ab") * 10, "cured": ["no"] * 10 + ["yes"] * 10})
    told = experiment(datasets=podium.Dataset(table, target="cured", name="trial")).describe().methods
    assert "(20 observations, 1 numeric and 1 nominal attribute, 2 classes)" in told


class Kernel:
    def __call__(self, a: Any, b: Any) -> Any:
        return a @ b.T


def test_no_text_contains_a_memory_address() -> None:
    encoded = make_column_transformer((OneHotEncoder(), make_column_selector(dtype_include="category")))
    search = GridSearchCV(make_pipeline(encoded, SVC()), {"svc__C": [1, 10]})
    algorithms = [
        search,
        ("linear", SVC(kernel=lambda a, b: a @ b.T)),
        podium.grid(SVC(), kernel=["rbf", Kernel()]),
    ]
    made = experiment(algorithms=algorithms)
    assert [a.name for a in made.algorithms] == ["GridSearchCV", "linear", "SVC(kernel=rbf)", "SVC(kernel=Kernel)"]
    assert (
        "estimator = Pipeline(steps=[('columntransformer', ColumnTransformer(transformers=[('onehotencoder', "
        "OneHotEncoder(), make_column_selector)])), ('svc', SVC())]), param_grid = {'svc__C': [1, 10]}); linear (SVC of "
        "scikit-learn with kernel = <lambda>); and SVC (SVC of scikit-learn) in two settings: kernel = rbf and Kernel."
    ) in made.describe().methods
    for text in (str(made.describe()), made.describe()._repr_html_(), str(made.record()), str(made.to_dict())):
        assert "0x" not in text
    assert made.fingerprint() == experiment(algorithms=algorithms).fingerprint()
