"""Every public function of inference, called with values of the wrong type and with options of other methods."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.compare import procedures
from podium.errors import LabelError, PodiumError
from podium.inference import PAIRWISE_TESTS
from podium.results import Results

WRONG = {
    "None": None,
    "True": True,
    "-1": -1,
    "0": 0,
    "2.5": 2.5,
    "nan": np.nan,
    "inf": np.inf,
    "text": "nonsense",
    "bytes": b"bytes",
    "()": (),
    "[]": [],
    "names": ["a", "b"],
    "mapping": {"a": 1},
    "object": object(),
    "function": len,
    "array": np.arange(3),
    "cube": np.zeros((2, 2, 2)),
    "frame": pd.DataFrame({"a": ["x"]}),
}
# Values of these that an argument accepts on purpose: by its name, or after that of the function or method.
ACCEPTED = {
    "adjust": ["None"],
    "aggregate": ["function"],
    "n_algorithms": ["None"],
    "control": ["None"],
    "direction": ["None"],
    "distribution": ["None"],
    "draws": ["None"],
    "equivalence": ["None", "2.5"],
    "intervals": ["None", "True"],
    "measure": ["None"],
    "omnibus": ["None", "True"],
    "permutations": ["None"],
    "seed": ["0"],
    "transform": ["None"],
    "unit": ["None"],
    "adjust_pvalues() pvalues": ["()", "[]"],
    "aligned_ranks() distribution": [],
    "bonferroni-dunn df": ["None", "2.5", "inf"],
    "cliffs_delta() a": ["array"],
    "cliffs_delta() b": ["array"],
    "cochran_q() distribution": [],
    "compare() distribution": [],
    "compare() method": ["None"],
    "compare() permutations": [],
    "compare() seed": [],
    "correlated t method": ["None"],
    "correlated t ratio": ["0", "2.5"],
    "correlated t strength": ["None"],
    "corrected t fold": ["None", "0"],
    "corrected t n_learn": ["None"],
    "corrected t n_test": ["None"],
    "corrected t ratio": ["0", "2.5"],
    "corrected t repeat": ["None", "0"],
    "hierarchical method": ["None"],
    "hierarchical ratio": ["0", "2.5"],
    "hierarchical strength": ["None"],
    "hierarchical warmup": ["0"],
    "friedman() distribution": [],
    "mixed accuracy": ["2.5"],
    "mixed covariance": ["None"],
    "mixed df": ["None"],
    "nemenyi df": ["None", "2.5", "inf"],
    "paired_test() a": ["array"],
    "paired_test() b": ["array"],
    "paired_test() permutations": [],
    "paired_test() seed": [],
    "skillings_mack() distribution": [],
    "quade() distribution": [],
    "sign ratio": ["None"],
    "sign strength": ["None", "2.5"],
    "signed rank ratio": ["None"],
    "signed rank strength": ["None", "2.5"],
    "superiority() losses": ["0"],
    "superiority() wins": ["0"],
    "outcome bayes.decision": ["None"],
    "outcome bayes.decimals": ["0"],
    "outcome bayes.frame": ["None"],
    "outcome bayes.text": ["None"],
    "outcome caption": ["None", "text"],
    "outcome label": ["None", "text"],
}
BAYES = {
    "sign": {},
    "signed rank": {"draws": 5},
    "correlated t": {"ratio": 0.1},
    "hierarchical": {"ratio": 0.1, "draws": 5, "warmup": 5},
}

ON_RESULTS = [
    "aligned_ranks",
    "cochran_q",
    "compare",
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


def check_refused(owner: str, argument: str, call: Callable[[object], object]) -> None:
    """Every wrong value ends in an error of podium, and every value that is accepted on purpose is accepted."""
    accepted = []
    for name, value in WRONG.items():
        try:
            call(value)
        except PodiumError as error:
            assert str(error)
        else:
            accepted.append(name)
    assert sorted(accepted) == sorted(ACCEPTED.get(f"{owner} {argument}", ACCEPTED.get(argument, [])))


def options_of(name: str) -> list[str]:
    found = inspect.signature(getattr(podium.inference, name)).parameters.values()
    return [p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def cases(names: list[str]) -> list[tuple[str, str]]:
    return [(name, argument) for name in names for argument in options_of(name)]


@pytest.mark.parametrize(("name", "argument"), cases(ON_RESULTS))
def test_functions_of_results(results: Results, name: str, argument: str) -> None:
    function = getattr(podium.inference, name)
    given = {"results": results, "method": "wilcoxon"} if name == "compare" else {"results": results}
    if name == "cochran_q":  # of outcomes 0 and 1, not of their means
        given = {"results": results.select(dataset="u")}
    check_refused(f"{name}()", argument, lambda value: function(**{**given, argument: value}))


@pytest.mark.parametrize(("name", "argument"), cases(["compare_bayes"]))
@pytest.mark.parametrize("method", BAYES)
def test_every_bayesian_method(results: Results, method: str, name: str, argument: str) -> None:
    chosen = results.select(dataset="u") if method == "correlated t" else results
    given = {"results": chosen, "method": method, **BAYES[method]}
    check_refused(method, argument, lambda value: podium.inference.compare_bayes(**{**given, argument: value}))


@pytest.mark.parametrize(("name", "argument"), cases(ON_NUMBERS))
def test_functions_of_numbers(name: str, argument: str) -> None:
    function = getattr(podium.inference, name)
    check_refused(f"{name}()", argument, lambda value: function(**{**GOOD[name], argument: value}))


@pytest.mark.parametrize("method", procedures())
def test_options_of_every_method(results: Results, method: str) -> None:
    """Each option of each procedure, offered to every procedure, with values of the wrong type."""
    of_one_dataset = method in ("corrected t", "5x2cv t", "5x2cv F", "k-fold t")
    given = results.select(dataset="u") if of_one_dataset else results
    control = "a" if method in ("nwwm", "bonferroni-dunn") else None
    own = procedures()[method].options
    for option in own:
        ratio = {"ratio": 0.1} if method == "corrected t" and option != "ratio" else {}
        check_refused(
            method,
            option,
            lambda value, o=option, r=ratio: podium.compare(given, method=method, control=control, **r, **{o: value}),
        )
    for option in sorted({option for other in procedures().values() for option in other.options} - {*own, "transform"}):
        with pytest.raises(PodiumError, match=f"has no option '{option}'"):
            podium.compare(given, method=method, control=control, **{option: 2.5})


def test_an_option_of_another_method_is_refused_with_the_methods_that_have_it(results: Results) -> None:
    with pytest.raises(podium.errors.InputError) as caught:
        podium.compare(results, method="nemenyi", zeros="pratt")
    assert str(caught.value) == (
        "`method='nemenyi'` has no option 'zeros'. It has 'df'. 'zeros' is an option of 'wilcoxon'."
    )
    with pytest.raises(podium.errors.InputError) as caught:
        podium.compare(results, method="mixed", adjustment="holm")
    assert "`method='mixed'` has no option 'adjustment'." in str(caught.value)
    assert str(caught.value).endswith("Did you mean 'adjust'?")
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
    calls = {
        "pair": lambda value: comparison.pair(value, "a"),
        "matrix": comparison.matrix,
        "relation": comparison.relation,
        "caption": lambda value: comparison.latex(caption=value),
        "label": lambda value: comparison.latex(label=value),
        "digits": lambda value: comparison.latex(digits=value),
        "bayes.pair": lambda value: bayes.pair("a", value),
        "bayes.text": bayes.text,
        "bayes.frame": bayes.frame,
        "bayes.decision": bayes.decision,
        "bayes.decimals": lambda value: bayes.latex(decimals=value),
        "note": podium.inference.Note,
    }
    for name, call in calls.items():
        check_refused("outcome", name, call)


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


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"measure": 3}, "`measure` must be a MeasureInfo; got an int."),
        ({"unit": "zz"}, "`unit` must be one of 'replication', 'dataset'; got 'zz'."),
        ({"notes": ("a",)}, "`notes[0]` must be a Note; got 'a'."),
        ({"algorithms": "abc"}, "`algorithms` must be a tuple; got 'abc'."),
        ({"control": "z"}, "`control` must be one of 'a', 'b', 'c'; got 'z'."),
        ({"omnibus": 3}, "`omnibus` must be an Omnibus; got an int."),
        ({"first": np.array([7, 8, 9])}, "`first` must be positions of the 3 algorithms, from 0."),
        ({"se": 3}, "`se` must be an ndarray; got an int."),
    ],
)
def test_a_comparison_is_not_replaced_by_broken_fields(
    results: Results, fields: dict[str, object], message: str
) -> None:
    with pytest.raises(podium.errors.InputError) as caught:
        podium.compare(results, method="wilcoxon").replace(**fields)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda r: podium.inference.Note("overlap", foo=1),
            "The note 'overlap' has no fact 'foo'. It has 'test', 'known'.",
        ),
        (lambda r: podium.inference.Note("overlap"), "The note 'overlap' needs the facts 'test', 'known'."),
        (
            lambda r: podium.compare(r, aggregate=lambda values: 1 / 0),
            "`aggregate`: <lambda> raised ZeroDivisionError: division by zero",
        ),
        (
            lambda r: podium.summarize(r, statistics=lambda values: 1 / 0),
            "`statistics`: <lambda> raised ZeroDivisionError: division by zero",
        ),
        (
            lambda r: podium.compare(r, method="wilcoxon").group_positions(most="x"),
            "`most` must be a whole number of at least 1; got 'x'.",
        ),
        (
            lambda r: podium.compare(r, equivalence=object()),
            "`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got an object.",
        ),
        (
            lambda r: podium.compare(r, equivalence=10**400),
            "`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got an int.",
        ),
        (
            lambda r: podium.summaries.intervals(r, kind="t", resamples=5),
            "`resamples=5` needs kind='bootstrap'; otherwise leave it out.",
        ),
        (
            lambda r: podium.summaries.worst_case(r, resamples=5),
            "`resamples=5` needs interval=True; otherwise leave it out.",
        ),
    ],
)
def test_messages(results: Results, call: Callable[[Results], object], message: str) -> None:
    with pytest.raises(podium.errors.InputError) as caught:
        call(results)
    assert str(caught.value) == message


def test_no_message_shows_a_memory_address(results: Results) -> None:
    for argument in ("method", "control", "adjust", "aggregate", "equivalence", "omnibus", "missing", "alternative"):
        with pytest.raises(podium.errors.InputError, match="got an object") as caught:
            podium.compare(results, **{argument: object()})
        assert "0x" not in str(caught.value)


def test_an_array_without_dimensions_is_a_number(results: Results) -> None:
    assert podium.compare(results, equivalence=np.array(3)).equivalence == (-3.0, 3.0)


def test_a_note_shows_its_sentence() -> None:
    note = podium.inference.Note("untested", untested=2, pairs=3)
    assert repr(note) == f"Note('untested': {str(note)!r})"


@pytest.mark.parametrize(
    ("lacking", "text"),
    [
        (
            [1],
            "'c' has 21 values, but on every data set some replication is missing, which missing='worst-rank' ranks "
            "last: nothing would be compared. Use 'drop-block', 'worst-value' or, with a test pair by pair, 'available'.",
        ),
        ([1, 2, 3, 4], "'c' has no value at all. Leave out algorithms that were never run."),
    ],
)
def test_an_algorithm_that_would_always_rank_last_is_refused_for_the_right_reason(
    lacking: list[int], text: str
) -> None:
    rng = np.random.default_rng(0)
    rows = [(d, r, a, rng.random()) for d in "ABCDEFG" for r in range(1, 5) for a in "abc"]
    frame = pd.DataFrame(rows, columns=["dataset", "replication", "algorithm", "accuracy"])
    frame.loc[(frame["algorithm"] == "c") & frame["replication"].isin(lacking), "accuracy"] = np.nan
    with pytest.raises(PodiumError) as error:
        podium.compare(podium.read(frame), missing="worst-rank")
    assert str(error.value) == text


def test_the_superiority_of_an_unknown_algorithm(results: Results) -> None:
    comparison = podium.compare(results)
    known = ", ".join(map(repr, comparison.algorithms))
    for name in ("nope", ["mlp"], pd.NA):
        with pytest.raises(LabelError) as error:
            comparison.superiority_of(name, comparison.algorithms[0])
        shown = "<NA>" if name is pd.NA else repr(name)
        assert str(error.value) == f"`a` must be one of {known}; got {shown}."


@pytest.mark.parametrize("alpha", [Fraction(1, 20), np.longdouble("0.05"), Decimal("0.05")], ids=type)
def test_numbers_that_floats_do_not_mix_with_are_refused(results: Results, alpha: object) -> None:
    for call in (podium.friedman, podium.compare):
        with pytest.raises(PodiumError, match=r"`alpha` must be a number between 0 and 0.5, such as 0.05; got"):
            call(results, alpha=alpha)
    with pytest.raises(PodiumError, match="`quantile` must be a number from 0 to 1; got"):
        podium.summaries.worst_case(results, quantile=alpha)


@pytest.mark.parametrize("adjust", [np.array(["holm", "bh"]), pd.DataFrame(), pd.NA], ids=["array", "frame", "NA"])
def test_an_adjustment_is_one_name(results: Results, adjust: object) -> None:
    with pytest.raises(PodiumError, match="`adjust` must be one of 'single-step', 'step-down', "):
        podium.compare(results, adjust=adjust)
