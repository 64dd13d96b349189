"""Numbers are written with the decimal mark of the reader, from facts; nothing else is."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.notes import Note
from podium.analysis.trees.covariates import CovariateSplit
from podium.errors import counted
from podium.numerals import confidence, current_mark, decimal_mark, interval_of, numeral, percent, separator, series_of
from podium.plot.scales import LogNumbers, plain_power
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import interval, number, pvalue

VALUES = (0.0, -0.5, 12345.678, 1e-9, np.float64(2.5), np.int64(1200), np.inf)


@pytest.mark.parametrize("form", ["", "g", ".3g", ".2f", "+.1f", ".1%", ".2e", ",", ",.1f"])
def test_with_a_point_a_number_is_written_as_by_python(form: str) -> None:
    assert [format(numeral(value), form) for value in VALUES] == [format(value, form) for value in VALUES]


def test_thousands_and_intervals_cannot_be_misread() -> None:
    with decimal_mark(","):
        assert f"{numeral(1234567.5):,}" == "1\u202f234\u202f567,5"
        assert f"{interval_of(-0.006, 1):g} {interval_of(1, 2):g}" == "[-0,006; 1] [1; 2]"
        assert f"{series_of((3, 39.5)):.4g} {series_of((3, 39)):.4g}" == "3; 39,5 3, 39"
        assert counted(12345, "row") == "12\u202f345 rows"
        assert [percent(share) for share in (0.975, 0.0001, 0.9999, 0.5)] == ["97,5%", "<0,1%", ">99,9%", "50%"]
        assert [number(x, 3) for x in (0.8312, -0.00001, 12345678.9)] == ["0,831", "0,000", "1,23e+07"]
        thousands = Table(title="", columns=(Column("n"),), rows=((Cell(1200, f"{numeral(1200):,}"),),))
        assert r"$1\, 200$" in thousands.latex()  # TeX has no letter for the thin space
        ends = Table(title="", columns=(Column("n"),), rows=((Cell((-0.25, 1.5), interval(-0.25, 1.5, 2)),),))
        assert "$[-0{,}25; 1{,}50]$" in ends.latex()  # a bare comma in a formula is followed by a space
        assert plain_power(2.5e7) == r"$2{,}5\cdot 10^{7}$"
        mixed = Table.from_frame(pd.DataFrame({"Split at": [0.25, "1.5"]}))  # a number, and a level that looks like one
        assert [(row[0].value, row[0].text) for row in mixed.rows] == [("0.25", "0,25"), ("1.5", "1.5")]
        assert (interval(0.1, 0.25, 2), pvalue(1e-9), pvalue(0.0502)) == ("[0,10; 0,25]", "<0,001", "0,0502")


def test_levels_are_never_rounded_to_certainty() -> None:
    alphas = (0.5, 0.05, 0.025, 0.001, 1e-5, np.float64(0.05) / 3)
    assert [f"{confidence(alpha):%}" for alpha in alphas] == ["50%", "95%", "97.5%", "99.9%", "99.999%", "98.333%"]
    with decimal_mark(","):
        assert f"{confidence(0.025):%}, {confidence(0.025)}" == "97,5%, 0,975"


def test_the_mark_holds_inside_the_block_only() -> None:
    axis = LogNumbers()
    with pytest.raises(ZeroDivisionError), decimal_mark(","):
        assert (current_mark(), separator()) == (",", "; ")
        with decimal_mark("."):
            assert f"{numeral(0.5)}" == "0.5"
        assert str(numeral(0.5)) == "0,5"
        assert (LogNumbers()(0.5), axis(0.5)) == ("0,5", "0.5")
        _ = 1 / 0
    assert (current_mark(), separator(), f"{numeral(0.5)}") == (".", ", ", "0.5")


def test_outcomes_keep_no_mark() -> None:
    """Sentences are made from facts whenever they are asked for, names in them as they are."""
    note = Note("permutations pairs", permutations=10_000, alpha=0.05, error=0.002)
    signs = Note("random signs", signs=10_000, error=0.002)
    results = podium.datasets.load_demsar2006()
    found = podium.compare(results, method="nemenyi")
    model = podium.bradley_terry(
        podium.PairedComparisons.from_results(results.replace(algorithms=("a", "b", "c", "d")))
    )
    makers = (
        lambda: str(note),
        lambda: str(signs),
        lambda: str(CovariateSplit(variable="ratio 0.5", threshold=0.25)),
        found.text,
        lambda: podium.friedman(results).text(),
        lambda: found.table().text(),
        lambda: str(model),
    )
    points = [make() for make in makers]
    with decimal_mark(","):
        commas = [make() for make in makers]
    assert [make() for make in makers] == points
    assert not re.search(r"\d\.\d", commas[-1])
    assert commas[:3] == [
        "The p-values are from 10\u202f000 random permutations within blocks; the standard error of a p-value of 0,05 "
        "is 0,002.",
        "The p-values are from 10\u202f000 random signs; the standard error of p = 0,05 is 0,002.",
        "ratio 0.5 <= 0,25",
    ]
    assert found.mean_ranks is not None
    ranks = sorted(zip(found.mean_ranks, found.algorithms, strict=True))
    assert "; ".join(f"{name} {rank:.2f}"[:-3] + "," + f"{rank:.2f}"[-2:] for rank, name in ranks) in commas[3]
