"""The calls of `scripts/numbers`, the only place that knows how podium's names are called.

A name may change here, a value may not: what a call returns is written under a key of its own, tables by position.
`python scripts/number_calls.py FILE [ROOT]` makes all calls with the podium that can be imported, and writes their
values; ROOT is the checkout with the reference data.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium

ROOT = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "tests" / "reference"

inference, relations, summaries, figures = podium.inference, podium.relations, podium.summaries, podium.plot.figures


def pick(found: Any, names: str) -> dict[str, Any]:
    """Attributes of an outcome, as ``"attribute"`` or ``"key=attribute"``; methods are called."""
    picked = {}
    for name in names.split():
        key, _, attribute = name.partition("=")
        value = getattr(found, attribute or key)
        picked[key] = value() if callable(value) else value
    return picked


demsar = cache(podium.examples.load_demsar2006)
ulas = cache(podium.examples.load_ulas2008)
pima = cache(podium.examples.load_pima)
monks3 = cache(lambda: podium.read(REFERENCE / "data" / "eugster" / "monks3raw.csv"))
error = cache(lambda: monks3().select(measure="Misclassification"))
chains = cache(lambda: {a: podium.Relation.from_chain(b) for a, b in podium.examples.load_uci_chains().items()})
domain = cache(lambda: podium.domain(uci(), method="mixed", workers=1, progress="quiet"))
subjects = cache(lambda: pd.read_csv(REFERENCE / "golden" / "bttree" / "synthetic.csv"))
pairs = cache(lambda: podium.PairedComparisons.from_frame(subjects()))
tree = cache(lambda: podium.bradley_terry_tree(pairs(), subjects().iloc[:, :6]))


@cache
def uci() -> Any:
    """Six data sets and 60 replications of the domain, with its missing cells."""
    read = podium.read(REFERENCE / "data" / "eugster" / "uci621raw.csv.gz").select(measure="Misclassification")
    return read.select(datasets=read.datasets[:6], replications=read.replications[:60])


@cache
def whole() -> Any:
    """The same without missing cells."""
    kept = ~uci().missing.any(axis=(0, 2, 3))
    return uci().select(replications=[name for name, there in zip(uci().replications, kept, strict=True) if there])


@cache
def gaps() -> Any:
    """Fourteen data sets, of which three lack a cell."""
    table = demsar().values[:, 0, :, 0].copy()
    table[[1, 4, 9], [0, 2, 3]] = np.nan
    labels = {"dataset": list(demsar().datasets), "algorithm": list(demsar().algorithms)}
    return podium.read(table, labels=labels, measure="AUC", direction="higher")


def table_of(name: str) -> pd.DataFrame:
    """A reference table."""
    return pd.read_csv(REFERENCE / "data" / "archetypes" / f"{name}.csv").select_dtypes("number")


@cache
def ran() -> Any:
    """Results of a small run."""
    experiment = podium.Experiment(
        ["iris", podium.Dataset.generated("twonorm", n=120)],
        ["lda", "5nn", "rpart", "constant"],
        podium.Subsampling(replications=4),
        ["misclassification", "accuracy"],
        seed=5,
    )
    return podium.run(experiment, executor="threads", workers=1, progress="quiet")


def comparison(found: Any) -> Any:
    """A comparison of all pairs."""
    names = "algorithms first second estimate statistic pvalue adjusted lower upper se df critical_value"
    return pick(found, names) | {"decisions": found.frame()["decision"], "notes": [note.code for note in found.notes]}


def compared(method: str | None, results: Callable[[], Any], **options: Any) -> Callable[[], Any]:
    """A comparison by a method."""
    return lambda: comparison(podium.compare(results(), method=method, **options))


def first_two() -> Any:
    """Scores of two algorithms."""
    return demsar().values[:, 0, :2, 0].T


def tested(found: Any) -> Any:
    """A global test."""
    return pick(found, "statistic pvalue df mean_ranks")


def bayes(method: str, results: Callable[[], Any], **options: Any) -> Callable[[], Any]:
    """A Bayesian comparison by a method."""
    names = "algorithms first second better equivalent worse estimate lower upper"
    return lambda: pick(inference.compare_bayes(results(), method=method, equivalence=0.01, **options), names)


def agreed(found: Any) -> Any:
    """A consensus."""
    return pick(found, "criterion bound") | {"relations": [one.frame() for one in found.relations]}


def archetypes(name: str, **options: Any) -> Callable[[], Any]:
    """Three archetypes of a table."""

    def fitted() -> Any:
        weight = table_of(f"weights_{name}").iloc[:, -1] if options.get("family") == "weighted" else None
        found = podium.ArchetypalAnalysis(3, **options).fit(table_of(name), sample_weight=weight)
        return pick(found, "archetypes=archetypes_ rss=rss_ criterion=criterion_ robust=robust_weights_")

    return fitted


def mixed(**options: Any) -> Callable[[], Any]:
    """A mixed model."""
    return lambda: pick(podium.mixed(uci(), **options), "estimates se vcov loglik components")


def wilcoxon() -> Any:
    """A comparison for figures."""
    return podium.compare(demsar(), method="wilcoxon")


PVALUES = [0.001, 0.01, 0.02, 0.03, 0.2, 0.9]
EXACT: Mapping[str, Callable[[], Any]] = {
    # comparisons
    "default demsar": compared(None, demsar),
    "default ulas": compared(None, ulas),
    "default monks3": compared(None, error),
    "default gaps": compared(None, gaps, missing="available"),
    "aligned ranks": compared("aligned ranks", demsar),
    "conover": compared("conover", demsar),
    "nemenyi": compared("nemenyi", demsar),
    "bonferroni-dunn": compared("bonferroni-dunn", demsar, control="C4.5"),
    "quade": compared("quade", demsar),
    "wnmt": compared("wnmt", demsar),
    "nwwm": compared("nwwm", demsar, control="C4.5"),
    "sign": compared("sign", demsar),
    "wilcoxon": compared("wilcoxon", demsar),
    "one-sided": compared("wilcoxon", demsar, alternative="better", control="C4.5"),
    "t": compared("t", pima, adjust="bonferroni"),
    "equivalence": compared("t", demsar, equivalence=0.02),
    "permutation t": compared("permutation t", demsar, seed=1),
    "bootstrap t": compared("bootstrap t", demsar, seed=1, resamples=400),
    "corrected t": compared("corrected t", pima, ratio=0.5),
    "5x2cv t": compared("5x2cv t", lambda: ulas().select(datasets=["australian"])),
    "5x2cv F": compared("5x2cv F", lambda: ulas().select(datasets=["australian"])),
    "adjustments": lambda: {
        name: inference.adjust_pvalues(PVALUES, name, n_algorithms=4)
        for name in ("holm", "hochberg", "bonferroni", "finner", "bh", "shaffer")
    },
    "friedman": lambda: tested(inference.friedman(demsar())),
    "iman davenport": lambda: tested(inference.iman_davenport(demsar())),
    "global quade": lambda: tested(inference.quade(ulas())),
    "global aligned ranks": lambda: tested(inference.aligned_ranks(demsar())),
    "skillings mack": lambda: tested(inference.skillings_mack(gaps())),
    "paired test": lambda: pick(inference.paired_test(*first_two()), "statistic pvalue estimate lower upper"),
    "effect sizes": lambda: inference.effect_sizes(demsar()),
    "cliffs delta": lambda: inference.cliffs_delta(*first_two()),
    "superiority": lambda: inference.superiority(17, 5, 25),
    "bayes correlated t": bayes("correlated t", pima, ratio=0.5),
    "bayes sign": bayes("sign", demsar, seed=1),
    "bayes signed rank": bayes("signed rank", demsar, seed=1),
    # summaries and tables
    "summary": lambda: summaries.summarize(error()),
    "intervals": lambda: summaries.intervals(error(), kind="bootstrap", seed=1, resamples=500),
    "orders": lambda: summaries.orders(error()),
    "places": lambda: summaries.places(error()),
    "worst case": lambda: summaries.worst_case(error(), m=25),
    "rank report": lambda: pick(inference.rank_report(ulas()), "values ranks"),
    "win table": lambda: pick(inference.win_table(ulas()), "algorithms datasets wins pvalue adjusted"),
    "table scores": lambda: podium.table(demsar()).frame(),
    "table algorithms": lambda: podium.table(demsar(), kind="algorithms").frame(),
    "table pairs": lambda: podium.table(demsar(), kind="pairs").frame(),
    "table wins": lambda: podium.table(ulas(), kind="wins").frame(),
    "table measures": lambda: podium.table(monks3(), kind="measures").frame(),
    # relations
    "preferences": lambda: {name: one.frame() for name, one in relations.preferences(ulas()).items()},
    "consensus linear": lambda: agreed(podium.consensus(chains(), "linear", all_optima=True)),
    "consensus weak": lambda: agreed(podium.consensus(chains(), "weak")),
    "consensus partial": lambda: agreed(podium.consensus(dict(list(chains().items())[:5]), "partial")),
    "overall consensus": lambda: agreed(relations.overall_consensus(ran())),
    "distances": lambda: relations.distances(chains()).matrix,
    "votes": lambda: [relations.borda(chains()).scores, relations.copeland(chains()).scores],
    "majority": lambda: relations.majority(chains()).margins,
    "stability": lambda: pick(relations.stability(demsar(), seed=1, resamples=300), "agreement better places"),
    # orders by cost, sequential tests
    "multitest": lambda: pick(
        podium.multitest(ulas(), cost=ulas("training time"), dataset="australian"), "order better means"
    ),
    "multi2test": lambda: pick(podium.multi2test(ulas(), cost=ulas("training time")), "order ranks=rank_values"),
    "combination test": lambda: pick(podium.combination_test([0.2, 0.04, 0.01], stages=4), "decision stage pvalue"),
    "sequential combination": lambda: podium.sequential(pima()).frame(),
    "sequential group": lambda: podium.sequential(pima(), kind="group sequential", stages=4).frame(),
    "boundaries": lambda: inference.boundaries(5).frame(),
    "confidence sequence": lambda: pick(
        inference.confidence_sequence(pima(), pair=("lda", "rf"), ratio=0.5), "estimate lower upper pvalue"
    ),
    "monitor": lambda: podium.monitor(pima().select(replications=pima().replications[:30])).frame(),
    # characteristics, the trials of a small run, figures
    "characteristics": lambda: podium.characterize(["iris", "zoo", "heart", "wine"]),
    "run": lambda: ran().values,
    "figure critical difference": lambda: pick(figures.critical_difference(wilcoxon()), "positions start end bars"),
    "figure multi comparison": lambda: pick(
        figures.multi_comparison(wilcoxon(), demsar()), "difference wins ties losses matrix"
    ),
    "figure density": lambda: pick(figures.density(error()), "grid density bandwidth"),
    "figure podium": lambda: pick(figures.podium(error(), seed=1), "counts dot_place dot_value line_value"),
}
ITERATIVE: Mapping[str, Callable[[], Any]] = {
    "compare mixed": compared("mixed", uci, missing="available"),
    "mixed": mixed(),
    "mixed unstructured": mixed(covariance="unstructured"),
    "mixed ML": mixed(estimation="ML"),
    "domain": lambda: [comparison(domain().comparison), domain().relation.frame(), agreed(domain().consensus)],
    "figure dataset effects": lambda: pick(figures.dataset_effects(podium.mixed(uci())), "dataset_effect effects sd"),
    "figure summary graph": lambda: pick(figures.summary_graph(domain()), "x y level stress"),
    "plackett luce": lambda: pick(inference.plackett_luce(ulas()), "worth log_worth se lower upper"),
    "bradley terry": lambda: podium.bradley_terry(pairs()).frame(),
    "bradley terry comparison": lambda: comparison(podium.bradley_terry(pairs()).compare(adjust="holm")),
    "bradley terry data sets": lambda: comparison(
        podium.bradley_terry(podium.PairedComparisons.from_results(whole())).compare()
    ),
    "tree": lambda: [tree().frame(), tree().worths()],
    "tree of data sets": lambda: podium.bradley_terry_tree(
        podium.PairedComparisons.from_results(ulas()),
        pd.DataFrame({"number": np.arange(38), "turn": np.arange(38) % 7}, index=ulas().datasets),
        permutations=499,
    ).frame(),
    "tree validation": lambda: pick(tree().validate(folds=3), "advised winner tree overall"),
    "archetypes toy": archetypes("toy"),
    "archetypes skel2": archetypes("skel2"),
    "archetypes robust": archetypes("toy_outliers", family="robust", n_init=5),
    "archetypes weighted": archetypes("toy", family="weighted"),
    "archetype path": lambda: [one.rss for one in podium.archetypes(table_of("ozone"), range(1, 6)).solutions],
    "domain archetypes": lambda: podium.archetypal.domain_archetypes(ulas(), k=3).contributions(),
}


def plain(value: Any) -> Any:
    """Numbers, text and None in lists and mappings; tables by position."""
    if isinstance(value, pd.DataFrame):
        return {"rows": plain(value.index.tolist()), "values": [plain(value.iloc[:, j]) for j in range(value.shape[1])]}
    if isinstance(value, pd.Series | pd.Index | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value if isinstance(value, int | float | str | None) else str(value)


def main() -> None:
    """Make all calls, and write what they return."""
    found = {}
    for iterative, calls in ((False, EXACT), (True, ITERATIVE)):
        for name, call in calls.items():
            try:
                values = plain(call())
            except Exception as error:  # one call that fails is a difference, not the end
                values = f"{type(error).__name__}: {error}"
                sys.stderr.write(f"{name} failed: {values}\n")
            found[name] = {"iterative": iterative, "values": values}
    Path(sys.argv[1]).write_text(json.dumps(found))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
