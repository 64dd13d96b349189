"""The numbers of the figures of a domain."""

from __future__ import annotations

import itertools
import json

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.optimize import minimize

import podium
from podium.plot.figures.summary_graph import spring_layout


def test_the_summary_shows_the_relations(uci_domain) -> None:
    numbers = podium.plot.figures.summary(uci_domain)
    assert numbers.datasets == uci_domain.order
    names = np.array(numbers.algorithms)
    for row, dataset in enumerate(numbers.datasets):
        order = names[numbers.podium[row]].tolist()
        relation = uci_domain.relations[dataset]
        for a, b in relation.pairs():
            assert order.index(a) < order.index(b)
        borders = [relation.prefers(a, b) for a, b in itertools.pairwise(order)]
        assert numbers.border[row].tolist() == borders
        means = uci_domain.means.loc[dataset, order]
        assert np.allclose(numbers.values[row], means)
        for at, (a, b) in enumerate(itertools.pairwise(order)):
            if relation.chain and not borders[at]:  # indifferent: the statistic decides
                assert means[a] <= means[b]
    assert set(np.array(numbers.datasets)[~numbers.weak_order]) == {"Circle", "titanic"}
    worst = np.unravel_index(numbers.share.argmax(), numbers.share.shape)
    assert numbers.share[worst] == 1.0 and names[numbers.podium[worst]] == "lda"  # as section 4.2 says
    assert numbers.from_zero
    assert json.loads(numbers.to_json())["figure"] == "Summary"


def test_the_graph_shows_unique_winners_and_the_nearest_pairs(uci_domain) -> None:
    numbers = podium.plot.figures.summary_graph(uci_domain, nearest=10)
    won = {
        name: None if winner < 0 else numbers.algorithms[winner]
        for name, winner in zip(numbers.datasets, numbers.winner, strict=True)
    }
    assert won["Cards"] == "rf" and won["Heart1"] == "lda" and won["chess"] == "svm" and won["credit"] is None
    table = uci_domain.distances.frame()
    assert len(np.unique(table.to_numpy()[np.triu_indices(len(table), 1)])) == 24  # golden: distinct_levels
    for first, second, level in zip(numbers.first, numbers.second, numbers.level, strict=True):
        assert table.loc[numbers.datasets[first], numbers.datasets[second]] == numbers.levels[level]
    assert len(numbers.levels) == 10
    # Sub-domains B and C of figure 4.4: svm on one side, lda and rf on the other.
    side = dict(zip(numbers.datasets, numbers.x, strict=True))
    svm = [side[name] for name in ("chess", "Circle", "musk", "ringnorm", "Sonar")]
    others = [side[name] for name in ("Cards", "Heart1", "HouseVotes84", "liver", "PimaIndiansDiabetes")]
    assert max(others) < min(svm) or max(svm) < min(others)


def test_the_layout_has_small_stress() -> None:
    """Distances of points in the plane are reproduced; others come near what a general optimiser finds."""
    rng = np.random.default_rng(1)
    points = rng.normal(size=(12, 2))
    true = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    position, stress = spring_layout(true)
    found = np.sqrt(((position[:, None] - position[None]) ** 2).sum(axis=2))
    assert stress < 1e-8 and np.allclose(found, true, atol=1e-3)
    apart = rng.uniform(1, 3, (9, 9))
    apart = (apart + apart.T) / 2
    np.fill_diagonal(apart, 0)
    upper = np.triu_indices(9, 1)

    def energy(flat):
        spots = flat.reshape(9, 2)
        gaps = np.sqrt(((spots[upper[0]] - spots[upper[1]]) ** 2).sum(axis=1) + 1e-18)
        return float((((gaps - apart[upper]) / apart[upper]) ** 2).mean())

    best = min(minimize(energy, rng.normal(size=18)).fun for _ in range(2))
    assert spring_layout(apart)[1] <= 1.25 * best


@pytest.fixture(scope="module")
def plain_graph(uci_domain) -> podium.plot.figures.SummaryGraph:
    return podium.plot.figures.summary_graph(podium.domain(uci_domain.results, statistic="mean"))


def test_the_layout_does_not_depend_on_the_order_of_the_data_sets(uci_domain, plain_graph) -> None:
    shuffled = podium.domain(
        uci_domain.results.select(dataset=list(reversed(uci_domain.results.datasets))), statistic="mean"
    )
    one, two = plain_graph, podium.plot.figures.summary_graph(shuffled)
    assert one.datasets == two.datasets
    assert np.allclose(one.x, two.x, atol=1e-8) and np.allclose(one.y, two.y, atol=1e-8)


def symmetric_distances() -> dict[str, np.ndarray]:
    """Distances that leave a choice: points can be exchanged, and pictures be turned or mirrored."""
    steps = np.abs(np.subtract.outer(np.arange(6), np.arange(6))).astype(float)
    corners = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
    return {
        "two": 1 - np.eye(2),
        "all alike": np.zeros((6, 6)),
        "all equally far": 1 - np.eye(8),
        "a line": steps,
        "a circle": np.minimum(steps, 6 - steps),
        "a cube": np.abs(corners[:, None] - corners[None]).sum(axis=2),
        "twins": np.kron(np.array([[0.0, 4, 6], [4, 0, 8], [6, 8, 0]]), np.ones((2, 2))),
        "triplets": np.kron(np.minimum(steps, 6 - steps)[:5, :5], np.ones((3, 3))),
    }


@pytest.mark.parametrize("name", symmetric_distances())
def test_rounding_does_not_decide_on_the_layout(name: str) -> None:
    """Changes of the size of rounding errors, as another processor makes them, move nothing."""
    apart = symmetric_distances()[name]
    position, stress = spring_layout(apart)
    assert np.isfinite(position).all()
    rng = np.random.default_rng(0)
    for _ in range(3):
        rounding = 1e-14 * rng.normal(size=apart.shape)
        moved, other = spring_layout(apart * (1 + (rounding + rounding.T) / 2))
        assert np.abs(moved - position).max() < 1e-7 * max(np.abs(position).max(), 1.0)
        assert other == pytest.approx(stress, abs=1e-9)


def test_stacked_bars(uci) -> None:
    bars = podium.plot.figures.stacked(uci, missing="available")
    assert np.allclose(bars.width, uci.aggregate("mean", missing="available").values[:, 0, :, 0])
    assert np.allclose(bars.left[:, 1:], np.cumsum(bars.width, axis=1)[:, :-1])
    mosaic = podium.plot.figures.stacked(uci, kind="mosaic", missing="available")
    assert np.allclose(mosaic.width.sum(axis=1), 1) and np.isclose(mosaic.thickness.sum(), 21)
    # monks3 is much less hard than liver (section 4.2).
    thick = dict(zip(mosaic.datasets, mosaic.thickness, strict=True))
    assert thick["liver"] > 10 * thick["monks3"]


def test_the_dendrogram_of_a_domain_has_its_winners(uci_domain) -> None:
    numbers = podium.plot.figures.distances(uci_domain)
    won = dict(zip(numbers.labels, numbers.winners, strict=True))
    assert won["Cards"] == "rf" and won["credit"] == ""
    plain = podium.plot.figures.distances(uci_domain.relations)
    assert numbers.labels == uci_domain.order  # the same rows as the summary plot
    assert sorted(plain.labels) == sorted(numbers.labels) and plain.winners == ()
    # Turning branches changes no height: brackets join the same clusters.
    assert np.array_equal(np.sort(plain.links[:, 1, 1]), np.sort(numbers.links[:, 1, 1]))
    leaves = numbers.links[numbers.links[:, 0, 1] == 0][:, 0, 0]
    assert len(set(leaves)) == len(leaves)  # every leaf has a row of its own


def test_hundreds_of_data_sets_fit() -> None:
    """Rows become thinner and names fewer; a graph shows a bounded number of edges."""
    rng = np.random.default_rng(0)
    values = 10 + rng.normal(size=(70, 1, 4)) + rng.normal(size=(70, 2, 4)) * 0.1
    labels = {"dataset": [f"data set {i:03d}" for i in range(70)], "replication": None, "algorithm": list("abcd")}
    domain = podium.domain(podium.read(values, labels=labels, measure="error", direction="lower"), statistic="mean")
    numbers = podium.plot.figures.summary_graph(domain)
    assert len(numbers.levels) == 1 or len(numbers.first) <= 6 * 70
    assert len(podium.plot.figures.summary_graph(domain, nearest=4).levels) == 4
    for plot in (podium.plot.summary, podium.plot.dendrogram):
        ax = plot(domain, size="page")
        assert ax.figure.get_size_inches()[1] < 12
        assert 20 < len([tick for tick in ax.get_yticklabels() if tick.get_text()]) < 70


def test_the_layout_does_not_depend_on_the_names_of_the_data_sets(uci_domain, plain_graph) -> None:
    """Relabelling: every data set stays where it is, whatever the data sets are called."""
    one = plain_graph
    names = list(uci_domain.results.datasets)
    new = dict(zip(names, [f"n{i:02d}" for i in np.random.default_rng(1).permutation(len(names))], strict=True))
    two = podium.plot.figures.summary_graph(podium.domain(uci_domain.results.rename(datasets=new), statistic="mean"))
    here = dict(zip(two.datasets, zip(two.x, two.y, strict=True), strict=True))
    for name, x, y in zip(one.datasets, one.x, one.y, strict=True):
        assert here[new[name]] == pytest.approx((x, y), abs=1e-6)


def test_legends_count_numbers_in_names() -> None:
    values = np.random.default_rng(0).normal(size=(12, 1, 11))
    labels = {"dataset": [f"d{i}" for i in range(12)], "replication": [1], "algorithm": [f"a{k}" for k in range(11)]}
    domain = podium.domain(podium.read(values, labels=labels, measure="error", direction="lower"), statistic="mean")
    for draw in (podium.plot.summary, podium.plot.summary_graph, podium.plot.dendrogram):
        figure = draw(domain).figure
        legends = [*figure.legends, *(one.get_legend() for one in figure.axes if one.get_legend() is not None)]
        written = [text.get_text() for legend in legends for text in legend.texts]
        numbers = [int(text.removeprefix("a").split()[0]) for text in written if text.startswith("a")]
        assert len(numbers) > 3 and numbers == sorted(numbers), draw.__name__
        plt.close(figure)
