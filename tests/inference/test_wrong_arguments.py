"""Every public function of inference, called with values of the wrong type and with options of other methods."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.compare import procedures
from podium.errors import PodiumError
from podium.inference import PAIRWISE_TESTS
from podium.results import Results

WRONG = [
    None,
    True,
    -1,
    0,
    2.5,
    np.nan,
    np.inf,
    "nonsense",
    b"bytes",
    (),
    [],
    ["a", "b"],
    {"a": 1},
    object(),
    len,
    np.arange(3),
    np.zeros((2, 2, 2)),
    pd.DataFrame({"a": ["x"]}),
]

ON_RESULTS = [
    "aligned_ranks",
    "cochran_q",
    "compare",
    "compare_bayes",
    "effect_sizes",
    "friedman",
    "iman_davenport",
    "quade",
    "skillings_mack",
]
ON_NUMBERS = ["adjust_pvalues", "cliffs_delta", "paired_test", "superiority"]
GOOD = {
    "adjust_pvalues": {"pvalues": [0.01, 0.2, 0.3]},
    "cliffs_delta": {"a": [1.0, 2.0, 4.0], "b": [2.0, 2.0, 5.0]},
    "paired_test": {"a": [1.0, 2.0, 4.0], "b": [2.0, 2.0, 5.0]},
    "superiority": {"wins": 5, "losses": 2, "n": 8},
}


@pytest.fixture(scope="module")
def results() -> Results:
    values = np.random.default_rng(0).integers(0, 2, (6, 4, 3)).astype(float)
    labels = {"dataset": list("uvwxyz"), "replication": None, "algorithm": ["a", "b", "c"]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


def quietly_or_podium_error(call: Callable[[], object]) -> None:
    """A wrong value ends in an error of podium; some of these values happen to be good ones."""
    try:
        call()
    except PodiumError as error:
        assert str(error)


def options_of(name: str) -> list[str]:
    found = inspect.signature(getattr(podium.inference, name)).parameters.values()
    return [p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def cases(names: list[str]) -> list[tuple[str, str]]:
    return [(name, argument) for name in names for argument in options_of(name)]


@pytest.mark.parametrize(("name", "argument"), cases(ON_RESULTS))
def test_functions_of_results(results: Results, name: str, argument: str) -> None:
    function = getattr(podium.inference, name)
    for value in WRONG:
        arguments = {"results": results, "method": "wilcoxon"} if name == "compare" else {"results": results}
        if name == "compare_bayes":
            arguments |= {"method": "signed rank", "draws": 5}
        quietly_or_podium_error(lambda a=arguments, v=value: function(**{**a, argument: v}))


@pytest.mark.parametrize(("name", "argument"), cases(ON_NUMBERS))
def test_functions_of_numbers(name: str, argument: str) -> None:
    function = getattr(podium.inference, name)
    for value in WRONG:
        quietly_or_podium_error(lambda v=value: function(**{**GOOD[name], argument: v}))


@pytest.mark.parametrize("method", procedures())
def test_options_of_every_method(results: Results, method: str) -> None:
    """Each option of each procedure, offered to every procedure, with values of the wrong type."""
    one = results.select(dataset="u")
    control = "a" if method in ("nwwm", "bonferroni-dunn") else None
    for other in procedures().values():
        for option in other.options:
            for value in WRONG if option in procedures()[method].options else WRONG[:1]:
                for given in (results, one):
                    quietly_or_podium_error(
                        lambda g=given, o=option, v=value: (
                            podium.compare(g, method=method, control=control, ratio=0.1, **{o: v})
                            if method == "corrected t" and o != "ratio"
                            else podium.compare(g, method=method, control=control, **{o: v})
                        )
                    )


def test_an_option_of_another_method_is_refused_with_the_methods_that_have_it(results: Results) -> None:
    with pytest.raises(podium.errors.InputError) as caught:
        podium.compare(results, method="nemenyi", zeros="pratt")
    assert str(caught.value) == (
        "`method='nemenyi'` has no option 'zeros'. It has 'df'. 'zeros' is an option of 'wilcoxon'."
    )
    with pytest.raises(podium.errors.InputError) as caught:
        podium.compare(results, method="mixed", adjustment="holm")
    assert "`method='mixed'` has no option 'adjustment'." in str(caught.value)
    with pytest.raises(podium.errors.InputError) as caught:
        podium.inference.compare_bayes(results, method="signed rank", ratio=0.1)
    assert str(caught.value) == (
        "`method='signed rank'` has no option 'ratio'. It has 'strength', 'draws'. 'ratio' is an option of "
        "'correlated t', 'hierarchical'."
    )
    with pytest.raises(podium.errors.InputError) as caught:
        podium.inference.iman_davenport(results, distribution="chi2")
    assert str(caught.value) == (
        "iman_davenport() has no option 'distribution'. It has 'results', 'measure', 'unit', 'aggregate', 'missing', "
        "'alpha', 'ties'. 'distribution' is an option of 'aligned_ranks', 'cochran_q', 'friedman', 'quade', "
        "'skillings_mack'."
    )


def test_outcomes_refuse_wrong_arguments(results: Results) -> None:
    comparison = podium.compare(results, method="wilcoxon")
    bayes = podium.inference.compare_bayes(results, method="signed rank", draws=5)
    for value in WRONG:
        for call in (
            lambda v=value: comparison.pair(v, "a"),
            lambda v=value: comparison.matrix(v),
            lambda v=value: comparison.relation(v),
            lambda v=value: comparison.latex(caption=v),
            lambda v=value: comparison.latex(label=v),
            lambda v=value: comparison.latex(digits=v),
            lambda v=value: bayes.pair("a", v),
            lambda v=value: bayes.text(v),
            lambda v=value: bayes.frame(v),
            lambda v=value: bayes.decision(v),
            lambda v=value: bayes.latex(digits=v),
            lambda v=value: podium.inference.Note(v),
        ):
            quietly_or_podium_error(call)


@pytest.mark.parametrize("method", procedures())
def test_the_signature_of_compare_shows_the_options_of_every_method(method: str) -> None:
    """And its docstring says which methods have them."""
    entries = re.split(r"\n(?=\S)", inspect.getdoc(podium.compare) or "")
    for option in procedures()[method].options:
        assert option in inspect.signature(podium.compare).parameters
        entry = next(text for text in entries if re.match(rf"(\w+, )*{option}\b", text))
        assert f'``"{method}"``' in entry


@pytest.mark.parametrize("method", PAIRWISE_TESTS)
def test_the_signature_of_paired_test_shows_the_options_of_every_test(method: str) -> None:
    assert set(PAIRWISE_TESTS[method].options) <= set(inspect.signature(podium.inference.paired_test).parameters)


@pytest.mark.parametrize("name", podium.inference.GLOBAL_TESTS)
def test_global_tests_show_their_options(name: str) -> None:
    function = getattr(podium.inference, name)
    shown = inspect.signature(function).parameters
    assert {*podium.inference.GLOBAL_TESTS[name].options, "unit", "aggregate", "missing", "alpha"} <= set(shown)
    assert all(
        re.search(rf"^(\w+, )*{option}\b.* : ", function.__doc__, re.MULTILINE) for option in shown if option != "seed"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda results: podium.friedman(results, permutations=500),
            "`permutations=500` needs distribution='permutation'; otherwise leave it out.",
        ),
        (
            lambda results: podium.compare(results, method="wnmt", permutations=500),
            "`permutations=500` needs distribution='permutation'; otherwise leave it out.",
        ),
        (
            lambda results: podium.friedman(results, distribution="permutation", permutations=10**30),
            "`permutations` must be a whole number of at most 1000000000; got 1000000000000000000000000000000.",
        ),
        (
            lambda results: podium.inference.paired_test([1, 2, 3], [2, 2, 5], "t", fold=[1, 2, 3]),
            "`method='t'` has no option 'fold'. It has no options. 'fold' is an option of 'corrected t', '5x2cv t', "
            "'5x2cv F', 'k-fold t'.",
        ),
        (
            lambda results: podium.inference.paired_test([1, 2, 3], [2, 2, 5], "k-fold t", repeat=True, fold=[1, 2, 3]),
            "`repeat` must be whole numbers of at least 0, one per value; got True.",
        ),
        (
            lambda results: podium.inference.paired_test([1, 2, 3], [2, 2, 5], "corrected t", n_learn=9.5, n_test=1),
            "`n_learn` must be whole numbers of at least 1, one per value; got 9.5.",
        ),
    ],
)
def test_options_that_would_be_ignored_or_make_no_sense(
    results: Results, call: Callable[[Results], object], message: str
) -> None:
    with pytest.raises(podium.errors.InputError) as caught:
        call(results)
    assert str(caught.value) == message
