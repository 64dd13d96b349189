"""Tables of results: their numbers, what is bold, what is marked, and what they say about it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import podium
from podium.errors import InputError, LabelError, MissingCellsError


def made(
    values: np.ndarray, *, direction: str = "lower", names: list[str] | None = None, independent: bool = True
) -> podium.Results:
    """Results of data sets × replications × algorithms."""
    m, b, k = values.shape
    names = names or [f"a{i}" for i in range(k)]
    rows = [
        {"dataset": f"d{i}", "replication": j, "algorithm": names[c], "score": float(values[i, j, c])}
        for i in range(m)
        for j in range(b)
        for c in range(k)
        if not np.isnan(values[i, j, c])
    ]
    return podium.read(rows, direction=direction, independent=independent)


@pytest.fixture(scope="module")
def values() -> np.ndarray:
    rng = np.random.default_rng(3)
    return 0.2 + 0.1 * np.arange(4) + rng.normal(0, 0.02, (8, 10, 4)) + rng.normal(0, 0.05, (8, 1, 1))


def test_scores_are_means_with_standard_deviations(values: np.ndarray) -> None:
    table = podium.table(made(values))
    assert table.frame().to_numpy()[:-1].astype(float) == pytest.approx(values.mean(axis=1))
    assert table.frame("spread").to_numpy()[:-1].astype(float) == pytest.approx(values.std(axis=1, ddof=1))
    assert table.frame().loc["Mean rank"].tolist() == [1, 2, 3, 4]
    assert [[cell.bold for cell in row[1:]] for row in table.rows] == [[True, False, False, False]] * 8
    assert table.rows[0][1].text == f"{values[0, :, 0].mean():.4f} ± {values[0, :, 0].std(ddof=1):.4f}"
    assert "over 10 replications of each of 8 data sets; best mean first, best in bold" in table.title


def test_marks_are_the_decisions_of_compare(values: np.ndarray) -> None:
    results = made(values)
    table = podium.table(results)
    for row, dataset in zip(table.rows, results.datasets, strict=True):
        found = podium.compare(results.select(dataset=dataset), adjust="holm")
        worse = [found.pair("a0", name)["decision"] == "better" for name in ("a1", "a2", "a3")]
        assert [bool(cell.marks) for cell in row[2:]] == worse
    overall = podium.compare(results)
    assert [bool(cell.marks) for cell in table.foot[0][2:]] == [
        overall.pair("a0", name)["decision"] == "better" for name in ("a1", "a2", "a3")
    ]
    assert overall.method in table.notes[-1]
    assert podium.table(results, marks=False).notes == ()


def test_against_a_control_better_and_worse_have_their_marks(values: np.ndarray) -> None:
    table = podium.table(made(values), control="a1")
    assert [cell.marks for cell in table.rows[0][1:]] == [("∘",), (), ("•",), ("•",)]
    assert any("• worse than a1, ∘ better than a1" in note for note in table.notes)


def test_negated_values_and_shuffled_rows_change_nothing(values: np.ndarray) -> None:
    frame = made(values).to_long().sample(frac=1, random_state=0)
    shuffled = podium.table(podium.read(frame, direction="lower"))
    negated = podium.table(made(-values, direction="higher"))
    for other in (shuffled, negated):
        for one, two in zip(podium.table(made(values)).rows, other.rows, strict=True):
            assert [(cell.bold, cell.marks) for cell in one] == [(cell.bold, cell.marks) for cell in two]


def test_equal_numbers_are_all_bold() -> None:
    table = podium.table(made(np.array([[[0.5, 0.5, 0.7]], [[0.1, 0.2, 0.3]], [[0.2, 0.3, 0.4]]])))
    assert [cell.bold for cell in table.rows[0][1:]] == [True, True, False]
    assert [cell.text for cell in table.rows[0][1:]] == ["0.5", "0.5", "0.7"]


def test_missing_cells_are_refused_or_shown(values: np.ndarray) -> None:
    gaps = values.copy()
    gaps[2, :, 3] = np.nan
    with pytest.raises(MissingCellsError):
        podium.table(made(gaps))
    table = podium.table(made(gaps), missing="available")
    assert table.rows[2][4].text == "–"
    assert len(podium.table(made(gaps), missing="drop-algorithm").columns) == 4
    for kind in ("algorithms", "wins", "measures", "pairs"):
        assert podium.table(made(gaps), kind=kind, missing="available").rows


@pytest.mark.parametrize("policy", ["drop-block", "drop-algorithm", "available"])
def test_every_table_says_what_is_missing_and_what_was_left_out(values: np.ndarray, policy: str) -> None:
    gaps = values[:, :1].copy()
    gaps[2, :, 3] = np.nan
    report = str(made(gaps).resolve_missing(policy).reports[-1])
    for kind in ("scores", "algorithms", "wins", "measures", "pairs"):
        notes = podium.table(made(gaps), kind=kind, missing=policy).notes
        assert sum(report in note for note in notes) == 1
        assert not any("issing" in note for note in podium.table(made(values[:, :1]), kind=kind, missing=policy).notes)


def test_rows_keep_few_digits_where_scales_differ() -> None:
    rng = np.random.default_rng(0)
    scale = np.array([0.001, 1, 1000])[:, None, None]
    table = podium.table(made((1 + rng.random((3, 5, 3))) * scale, direction="lower"), marks=False)
    assert [len(row[1].text.split(" ± ")[0]) for row in table.rows] == [7, 4, 4]


def test_algorithms_have_rank_median_mad_interval_effect(values: np.ndarray) -> None:
    results = made(values)
    means = values.mean(axis=1)
    frame = podium.table(results, kind="algorithms").frame()
    assert frame["Mean rank"].tolist() == [1, 2, 3, 4]
    assert frame["Median"].tolist() == pytest.approx(np.median(means, axis=0).tolist())
    assert frame["MAD"].tolist() == pytest.approx(stats.median_abs_deviation(means, axis=0).tolist())
    # 8 values at 95%: from the smallest to the largest (Conover 1999, table of the binomial distribution)
    assert frame["95% interval"].tolist() == [pytest.approx((x.min(), x.max())) for x in means.T]
    effects = podium.inference.effect_sizes(results).set_index(["a", "b"])["superiority"]
    assert frame["Superiority"].tolist()[1:] == pytest.approx([1 - effects["a0", name] for name in ("a1", "a2", "a3")])
    assert frame["Its interval"].tolist()[1:] == [pytest.approx(podium.inference.superiority(0, 8, 8)[1:])] * 3
    assert frame["Magnitude"].tolist()[1:] == ["large"] * 3
    compared = podium.compare(results)
    assert frame["p"].tolist()[1:] == pytest.approx([compared.pair("a0", f"a{i}")["adjusted"] for i in (1, 2, 3)])
    by_mean = podium.table(results, kind="algorithms", statistic="mean", control="a2")
    low, high = stats.t.interval(0.95, 7, means[:, 1].mean(), stats.sem(means[:, 1]))
    assert by_mean.frame()["95% interval"]["a1"] == pytest.approx((low, high))
    assert by_mean.frame()["Superiority"].tolist()[:2] == [1, 1]


def test_wins_ties_losses_sum_to_the_blocks() -> None:
    demsar = podium.examples.load_demsar2006()
    table = podium.table(demsar, kind="wins")
    frame = table.frame()
    for row in frame.index:
        for column in frame.columns:
            if row != column:
                assert sum(frame.loc[row, column]) == 14
                assert frame.loc[row, column] == frame.loc[column, row][::-1]
    # Demšar (2006), table 6: C4.5+m+cf wins against C4.5 on 11, ties on 1
    assert frame.loc["C4.5+m+cf", "C4.5"] == (11, 1, 2)


def test_pairs_are_those_of_the_comparison() -> None:
    demsar = podium.examples.load_demsar2006()
    comparison = podium.compare(demsar, method="nemenyi")
    table = podium.table(comparison)
    assert [column.name for column in table.columns] == [
        "a",
        "b",
        "Difference",
        "Statistic",
        "Superiority",
        "Its interval",
        "p",
        "Decision",
    ]
    assert table.frame()["Superiority"].tolist() == pytest.approx(
        [comparison.superiority_of(a, b) for a, b in comparison.frame()[["a", "b"]].to_numpy()]
    )
    assert comparison.superiority is not None
    assert podium.inference.superiority(11, 2, 14)[0] == pytest.approx(comparison.superiority_of("C4.5+m+cf", "C4.5"))


def test_several_measures_stand_side_by_side(values: np.ndarray) -> None:
    both = made(values).to_trials().assign(seconds=lambda frame: 1 - frame["score"])
    results = podium.read(both, direction={"score": "lower", "seconds": "lower"})
    table = podium.table(results, kind="measures")
    assert [column.name for column in table.columns] == ["Algorithm", "score ↓", "seconds [s] ↓"]
    assert [row[1].bold for row in table.rows] == [True, False, False, False]
    assert [row[2].bold for row in table.rows] == [False, False, False, True]


def test_one_data_set_without_replications_has_no_test() -> None:
    table = podium.table(made(np.array([[[0.1, 0.2]]])))
    assert table.foot == () and table.notes == ()


def test_intervals_of_medians_cover() -> None:
    # The interval holds the k-th smallest to k-th largest value; its coverage is that of a binomial variable.
    rng = np.random.default_rng(0)
    samples = rng.normal(size=(500, 12))
    inside = [low <= 0 <= high for low, high in map(podium.summaries.median_interval, samples)]
    assert abs(np.mean(inside) - (1 - 2 * stats.binom.cdf(2, 12, 0.5))) < 3 * np.sqrt(0.05 * 0.95 / 500)
    assert np.isnan(podium.summaries.median_interval([1, 2, 3, 4, 5])).all()
    assert podium.summaries.median_interval([1, 2, 3, 4, 5, 6]) == (1, 6)


def test_measures_on_a_log_scale_have_geometric_means() -> None:
    rng = np.random.default_rng(0)
    seconds = np.exp(3 * rng.normal(size=(10, 1)) + 0.4 * rng.normal(size=(10, 3)) + np.log([1, 3, 23]))
    labels = {"dataset": None, "algorithm": ["fast", "medium", "slow"], "measure": ["fit time", "error"]}
    results = podium.read(np.stack([seconds, rng.random((10, 3))], axis=-1), labels=labels)
    table = podium.show.tables.measures(results)
    logs = np.log(seconds)
    np.testing.assert_allclose(table.frame().iloc[:, 0], np.exp(logs.mean(axis=0)))
    np.testing.assert_allclose(table.frame("spread").iloc[:, 0], np.exp(logs.std(axis=0, ddof=1)))
    assert "×/÷" in table.rows[0][1].text and "±" in table.rows[0][2].text
    assert r"\times /\div" in table.latex()
    seconds[0, 0] = 0.0  # a logarithm that does not exist
    results = podium.read(np.stack([seconds, rng.random((10, 3))], axis=-1), labels=labels)
    assert "×/÷" not in podium.show.tables.measures(results).text()


def test_cells_on_a_log_scale_have_three_digits_and_the_factor_as_many() -> None:
    steady = np.array([0.3131, 0.3133, 0.3132, 0.3135])[:, None, None] * [1.0, 10.0]
    labels = {"dataset": None, "replication": None, "algorithm": ["a", "b"]}
    results = podium.read(steady, labels=labels, measure="fit time")
    assert [row[1].text for row in podium.show.tables.measures(results, marks=False).rows] == [
        "0.313 ×/÷ 1.00",
        "3.13 ×/÷ 1.00",
    ]
    repeated = podium.read(np.stack([steady[:, 0], steady[::-1, 0]], axis=1), labels=labels, measure="fit time")
    assert podium.table(repeated, marks=False).rows[0][1].text == "0.313 ×/÷ 1.00"


@pytest.fixture(scope="module")
def seconds() -> np.ndarray:
    rng = np.random.default_rng(4)
    noise = 0.5 * rng.normal(size=(6, 10, 3))
    return np.exp(noise + 2 * np.arange(6)[:, None, None] + np.log([0.001, 0.0015, 23]))


def timed(seconds: np.ndarray) -> podium.Results:
    labels = {"dataset": None, "replication": None, "algorithm": ["fast", "medium", "slow"], "measure": ["fit time"]}
    return podium.read(seconds[..., None], labels=labels)


def test_scores_on_a_log_scale_have_geometric_means(seconds: np.ndarray) -> None:
    results, logs = timed(seconds), np.log(seconds)
    table = podium.show.tables.scores(results)
    assert table.frame().to_numpy()[:-1].astype(float) == pytest.approx(np.exp(logs.mean(axis=1)))
    assert table.frame("spread").to_numpy()[:-1].astype(float) == pytest.approx(np.exp(logs.std(axis=1, ddof=1)))
    assert table.title.startswith("Geometric mean ×/÷ geometric standard deviation of fit time")
    ranks = stats.rankdata(logs.mean(axis=1), axis=1).mean(axis=0)
    assert table.frame().loc["Mean rank"].astype(float).tolist() == pytest.approx(ranks.tolist())
    plain = podium.show.tables.scores(results, transform="identity")
    assert plain.frame().to_numpy()[:-1].astype(float) == pytest.approx(seconds.mean(axis=1))


def test_small_times_beside_large_ones_keep_their_digits(seconds: np.ndarray) -> None:
    for results in (timed(seconds), timed(seconds[:, :1])):
        for kind in ("scores", "measures"):
            table = podium.table(results, kind=kind, marks=False)
            for row in table.rows:
                for cell in row[1:]:
                    shown = float(cell.text.split(" ")[0])
                    assert shown == pytest.approx(cell.value, rel=0.05), (kind, cell)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"transform": np.log}, "`transform` must be one of 'log', 'identity'; got"),
        ({"kind": "rows"}, "`kind` must be one of"),
        ({"digts": 3}, r"table\(\) has no option 'digts'\. It has .*'digits'"),
    ],
)
def test_messages(values: np.ndarray, options: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, LabelError), match=message):
        podium.table(made(values), **options)


@pytest.mark.parametrize("kind", ["scores", "algorithms", "pairs", "wins", "measures"])
def test_tests_of_overlapping_replications_say_what_they_hold_for(values: np.ndarray, kind: str) -> None:
    one = made(values[:1], independent=False)
    untested = podium.table(one, kind=kind)
    assert untested.notes[0].startswith("Nothing was tested")
    assert not any(cell.marks or (kind == "wins" and cell.bold) for row in untested.rows for cell in row)
    chosen = podium.table(one, kind=kind, method="wilcoxon")
    assert chosen.notes[0].startswith("This outcome holds only for new resamples of this data set")
    corrected = podium.table(one, kind=kind, ratio=1 / 9)
    assert not any("resamples" in note for note in corrected.notes)
    assert "corrected resampled t test" in f"{corrected.title} {' '.join(corrected.notes)}".lower()


def test_tests_inside_data_sets_say_what_they_hold_for(values: np.ndarray) -> None:
    results = made(values, independent=False)
    untested = podium.table(results)
    assert untested.notes[0].startswith("In a data set nothing was tested")
    assert any("independent=True" in each for each in untested.advice)
    assert not any(cell.marks for row in untested.rows for cell in row)
    corrected = podium.table(results, ratio=1 / 9)
    assert not any("resamples" in note for note in corrected.notes)
    marks = podium.compare(results.select(dataset="d0"), ratio=1 / 9, adjust="holm").frame()
    worse = set(marks.query("a == 'a0' and decision == 'better'")["b"])
    names = [column.name for column in corrected.columns]
    assert {name for name, cell in zip(names, corrected.rows[0], strict=True) if cell.marks} == worse
    assert not any("resamples" in note for note in podium.table(results, marks=False).notes)


def test_pairs_whose_interval_contains_zero_are_named_below_their_table() -> None:
    rng = np.random.default_rng(9)
    for _ in range(30):
        found = podium.compare(made(rng.normal(size=(12, 1, 4)) + np.array([0, 0.6, 1, 1.4])))
        if found.holds_zero.any():
            break
    assert any(note.code == "interval contains 0" for note in found.notes)
    assert any("contain" in note and "adjusted in steps" in note for note in found.table().notes)


def test_a_global_test_that_finds_nothing_is_reported_below_the_tables() -> None:
    rng = np.random.default_rng(1)
    results = made(rng.normal(size=(12, 1, 3)))
    for kind in ("scores", "algorithms", "pairs", "wins"):
        table = podium.table(results, kind=kind, method="nemenyi")
        assert any(note.startswith("The global test finds no difference") for note in table.notes), kind


def test_advice_is_printed_but_not_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = {"dataset": None, "replication": None, "algorithm": ["a", "b", "c"]}
    results = podium.read(rng.random((3, 4, 3)), labels=labels, measure="accuracy", independent=True)
    for kind in ("scores", "algorithms", "wins", "measures", "pairs"):
        table = podium.table(results, kind=kind)
        assert any("'t' can, if differences are normal" in each for each in table.advice), kind
        assert "'t' can, if" in " ".join(table.text().split())
        assert any("be shown to differ at the 0.05 level" in note for note in table.notes)
        for form in ("tex", "md", "html", "txt", "json"):
            written = table.write(tmp_path / f"table.{form}").read_text()
            assert "'t' can" not in written and "ratio" not in written and "would be enough" not in written


def test_tests_that_cannot_reject_are_not_called_liberal() -> None:
    """Five replications: p is at least 2 · 2^-5 = 0.0625, and 0.19 by Holm's adjustment for three pairs."""
    rng = np.random.default_rng(0)
    values = 0.1 * np.arange(3) + 0.005 * rng.normal(size=(9, 5, 3))
    table = podium.table(made(values))
    assert "the smallest p-value that signed ranks can have is 0.19, adjusted for the number of pairs" in table.notes[0]
    assert "7 replications would be enough" in table.advice[0]
    assert "liberal" not in str(table) and "liberal" not in str(podium.table(made(values[:1])))
    more = np.concatenate([rng.normal(size=(1, 12, 3)) * 0.005 + 0.1 * np.arange(3), np.full((1, 12, 3), np.nan)])
    more[1, :5] = values[1]
    assert "On 1 of 2 data sets (d1) the test cannot" in str(podium.table(made(more)))
    corrected = podium.table(made(values, independent=False), ratio=1 / 9)
    assert all(cell.marks for row in corrected.rows for cell in row[2:])


@pytest.mark.parametrize("exponent", [600, 990, -600, -980])
def test_standard_deviations_of_values_of_any_size(exponent: int) -> None:
    values = 0.5 + np.random.default_rng(0).random((2, 6, 3))
    labels = {"dataset": None, "replication": None, "algorithm": ["a", "b", "c"]}

    def spreads(array: np.ndarray) -> list[list[float]]:
        table = podium.table(podium.read(array, labels=labels, measure="error"), marks=False)
        return [[cell.spread for cell in row[1:]] for row in table.rows]

    expected = np.ldexp(values.std(axis=1, ddof=1), exponent)
    np.testing.assert_allclose(np.sort(spreads(np.ldexp(values, exponent))), np.sort(expected), rtol=1e-12)


def test_a_table_of_measures_says_how_many_blocks_its_means_have() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0.8, 0.05, (8, 4, 3, 2))
    values[:2, :, 2, 0] = np.nan  # no value of c by acc on two data sets
    values[2, :, :, 1] = np.nan  # nor of anything by auc on another
    labels = {"dataset": None, "replication": None, "algorithm": list("abc"), "measure": ["acc", "auc"]}
    results = podium.read(values, labels=labels, direction="higher")
    available = podium.show.tables.measures(results, missing="available", marks=False)
    assert available.title.startswith("Mean ± standard deviation over 6 to 7 data sets; ")
    dropped = podium.show.tables.measures(results, "acc", missing="drop-block", marks=False)
    assert dropped.title.startswith("Mean ± standard deviation over 6 data sets; ")
    one = results.select(datasets=[results.datasets[3]], measure="acc")
    name = one.datasets[0]
    assert f" over the replications of {name}; " in podium.show.tables.measures(one, marks=False).title
    gap = one.values.copy()
    gap[0, 1, 0] = np.nan
    one = one.replace(values=gap)
    assert (
        f" over 3 replications of {name}; " in podium.show.tables.measures(one, missing="drop-block", marks=False).title
    )
    assert f" over 3 replications of {name}; " in podium.show.tables.measures(one, missing="available").title


@pytest.mark.parametrize("measure", ["error", "fit time"])
def test_an_algorithm_without_values_has_no_mean(measure: str) -> None:
    values = np.random.default_rng(0).lognormal(size=(12, 3))
    values[:, 1] = np.nan
    results = podium.read(values, labels={"replication": None, "algorithm": list("abc")}, measure=measure)
    table = podium.show.tables.measures(results, missing="available")
    assert sorted(row[0].text for row in table.rows) == ["a", "c"]
    compared = podium.compare(results, missing="available")
    assert compared.algorithms == ("a", "c")
    assert compared.missing is not None
    assert compared.missing.absent == (("b", "absent"),)


def test_an_algorithm_without_values_is_in_no_table_of_algorithms() -> None:
    rows = [
        {"dataset": f"d{i}", "algorithm": name, "error": None if name == "b" else i / 10 + k}
        for i in range(8)
        for k, name in enumerate("abc")
    ]
    table = podium.show.tables.algorithms(podium.read(rows), missing="available")
    assert [row[0].value for row in table.rows] == ["a", "c"]


def test_a_replication_without_any_value_is_left_out() -> None:
    rows = [
        {"dataset": f"d{i}", "replication": b, "algorithm": name, "error": None if i == b == 0 else i + 0.1 * b * k + k}
        for i in range(4)
        for b in range(4)
        for k, name in enumerate("abc")
    ]
    table = podium.show.tables.scores(podium.read(rows), missing="available")
    assert [row[0].text for row in table.rows][:4] == ["d0", "d1", "d2", "d3"]
