"""`Note`: something a reader of an outcome should know, and the one catalogue of sentences that words it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any, Literal, TypeAlias

import numpy as np

from podium.checks import check_choice, check_keys, record
from podium.errors import InputError, join_names, plural
from podium.typesetting.numbers import written_p

FIRST = (
    "stopped",
    "no test",
    "overlap",
    "few blocks",
    "few blocks inside",
    "stages cannot decide",
)  # notes without which an outcome would be misread: they go before the decisions
# Notes without which a table of decisions would be misread: they stand below it.
BELOW = (*FIRST, "gate", "interval contains 0", "untested", "missing")
# Notes that say how a test was chosen and made; all others are reasons to be careful.
DETAILS = frozenset(
    {
        "accuracy",
        "chosen",
        "chosen unstructured",
        "random draws",
        "ratio",
        "reduced",
        "relative area",
        "stratum",
        "transformed",
    }
)
# Where the size of the test sample over that of the learning sample comes from.
RatioSource: TypeAlias = Literal["given", "fresh draws", "bootstrap", "sample sizes", "folds"]
MANY = 12  # names, or pairs, that can be read in a sentence


@record(init=False, repr=False)
class Note:
    """Something a reader of an outcome should know: a code, and the facts it is about.

    ``str(note)`` words it. Code that acts on a note reads `code` and `facts`, never the sentence.

    Attributes
    ----------
    code : str
        Which sentence of the catalogue. ``"own"`` is for your own sentence, in the fact ``sentence``.
    facts : mapping
        What the sentence is about: numbers, names. Given as keyword arguments, ``**facts``.

    Examples
    --------
    >>> import podium
    >>> note = podium.inference.Note("untested", untested=2, pairs=3)
    >>> note
    Note('untested': '2 of 3 pairs have fewer than two blocks in common and were not tested.')
    >>> note.facts["untested"]
    2
    """

    code: str
    facts: Mapping[str, Any]

    def __init__(self, code: str, /, **facts: Any) -> None:
        check_choice(code, SENTENCES, "code")
        sentence = SENTENCES[code]
        known = _fields(sentence) if isinstance(sentence, str) else list(inspect.signature(sentence).parameters)
        check_keys(facts, known, f"The note {code!r}", "fact")
        lacking = [name for name in known if name not in facts]
        if lacking:
            raise InputError(
                f"The note {code!r} needs {'the fact' if len(lacking) == 1 else 'the facts'} {join_names(lacking)}."
            )
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "facts", facts)

    @property
    def kind(self) -> Literal["caution", "detail"]:
        """``"detail"`` if the note says how a test was chosen and made, ``"caution"`` if it warns of something."""
        return "detail" if self.code in DETAILS else "caution"

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"Note({self.code!r}: {str(self)!r})"

    def __str__(self) -> str:
        return f"{self.finding} {self.advice}".rstrip()

    @property
    def finding(self) -> str:
        """What readers of a paper should know, in words."""
        sentence = SENTENCES[self.code]
        return sentence.format(**self.facts) if isinstance(sentence, str) else sentence(**self.facts)

    @property
    def advice(self) -> str:
        """What the user of podium can do about it; empty if nothing."""
        return ADVICE[self.code](**self.facts) if self.code in ADVICE else ""


def _fields(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name]


def format_p(p: float, alpha: float = 0.05) -> str:
    """Write a p-value with three decimals; with more where three would not show on which side of alpha it lies.

    >>> format_p(0.03141), format_p(1e-9), format_p(0.0502), format_p(0.0502, 0.1)
    ('p = 0.031', 'p < 0.001', 'p = 0.0502', 'p = 0.050')
    """
    return "p undefined" if np.isnan(p) else " ".join(["p", *written_p(p, alpha)])


def blocks_in_words(unit: str, n: int, datasets: int) -> str:
    """Say how many blocks there are, and of what kind.

    >>> blocks_in_words("replication", 250, 1), blocks_in_words("replication", 24, 6)
    ('250 replications of one data set', '24 replications of 6 data sets')
    >>> blocks_in_words("dataset", 38, 38), blocks_in_words("replication", 7, 0)
    ('38 data sets', '7 comparisons')
    """
    if datasets == 0:  # duels, which have no data sets
        return plural(n, "comparison")
    if unit == "dataset":
        return f"{n} data sets"
    return f"{n} replications of {'one data set' if datasets == 1 else f'{datasets} data sets'}"


def enumerated(items: Sequence[str], most: int = MANY) -> str:
    """Join items as in a sentence, and count those beyond the first few.

    >>> enumerated(["a", "b", "c"]), enumerated(["a", "b", "c"], 2)
    ('a, b and c', 'a, b and 1 more')
    """
    shown = list(items[:most])
    if len(items) > most:
        return ", ".join(shown) + f" and {len(items) - most} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _reduced(least: int, most: int, statistic: str, datasets: int) -> str:
    replications = f"{least}" if least == most else f"{least} to {most}"
    return (
        f"The {replications} replications of each data set were reduced to their {statistic} first: the blocks are the "
        f"{datasets} data sets, and more replications do not make more blocks."
    )


def _stopped(datasets: Sequence[str], replications: int, algorithms: Sequence[str]) -> str:
    parts = []
    if datasets:
        parts.append(f"ended {enumerated(list(datasets))} {plural(replications, 'replication')} early")
    if algorithms:
        parts.append(f"left out {enumerated(list(algorithms))} once beaten")
    return (
        f"A stopping rule {' and '.join(parts)}: trials that were not run do not count as missing. When the rule "
        "stopped depends on the outcomes it saw, so a test for a number of replications that was fixed in advance does "
        "not keep its level here, and differences look larger than they are; the decisions of the rule do keep it."
    )


def _ratio_source(source: RatioSource, folds: int | None) -> str:
    return {
        "given": "as given",
        "fresh draws": "samples drawn afresh",
        "bootstrap": "out-of-bag over distinct in-bag examples of the bootstrap",
        "sample sizes": "test over learning sample",
        "folds": f"{folds} folds",
    }[source]


def _short_blocks(blocks: int) -> str:
    return f"{plural(blocks, 'block')} with fewer than two values {'was' if blocks == 1 else 'were'} left out."


Choice: TypeAlias = Literal["wilcoxon", "one pair", "permutation t", "wnmt", "corrected t", "ratio"]
WITHOUT_THE_RATIO = "Without it, nothing would be tested, because it is not known how much the samples overlap."
_CHOSEN: Mapping[Choice, str] = {
    "wilcoxon": ": the signed rank test compares each pair by itself, whatever the other algorithms do, and assumes "
    "symmetric differences, not normal ones; the adjustment controls the error over all pairs.",
    "one pair": ": with one pair there is nothing to adjust, and the signed rank test assumes symmetric differences, "
    "not normal ones.",
    "permutation t": ": random signs, the same for all pairs of a block, control the error over all pairs and assume "
    "symmetric differences, not normal ones.",
    "wnmt": ", with missing cells ranked last: mean ranks can use cells without a value.",
    "corrected t": ": learning samples drawn from one data set overlap, and the corrected t test allows for that.",
    "ratio": " because `ratio` was given: the corrected t test allows for overlapping learning samples. "
    + WITHOUT_THE_RATIO,
}


def _chosen(why: Choice, algorithms: int, unit: str, n: int, shared: tuple[int, int] | None) -> str:
    who = "two algorithms" if algorithms == 2 else f"{algorithms} algorithms"
    of_pairs = ""
    if shared is not None and shared[0] < n:
        least, most = shared
        of_pairs = f", of which pairs share {least if least == most else f'{least} to {most}'}"
    return f"Chosen for {who} on {blocks_in_words(unit, n, 1)}{of_pairs}{_CHOSEN[why]}"


def _no_test(algorithms: int, n: int) -> str:
    return (
        f"Nothing was tested: how the {n} replications were drawn is not known. Resamples of one data set overlap, and "
        "a test that treats them as independent calls equal algorithms different far too often."
    )


def _for_no_test(algorithms: int, n: int) -> str:
    return (
        "What would decide: the repeat and fold of each replication, or the sizes of its samples (columns repeat, "
        "fold, n_learn, n_test), or their `ratio`; for independent replications, such as questions or images, "
        "independent=True when the scores are read; or a `method` of your own choice."
    )


def _few_blocks(
    algorithms: int, unit: str, n: int, alpha: float, least: float, adjusted: float, pairs: int, needed: int
) -> str:
    noun = "data sets" if unit == "dataset" else "replications"
    after = f", {adjusted:.2g} after the adjustment for {pairs} pairs" if pairs > 1 else ""
    who = "two algorithms cannot" if algorithms == 2 else f"no pair of {algorithms} algorithms can"
    return (
        f"With {n} {noun} {who} be shown to differ at the {alpha:g} level by "
        f"signed ranks: the smallest p-value that they can have is {least:.2g}{after}."
    )


def _for_few_blocks(unit: str, n: int, alpha: float, least: float, needed: int, **_: object) -> str:
    start = (
        f"To show a difference, {needed} {'data sets' if unit == 'dataset' else 'replications'} would be enough. With"
    )
    models = "'t' can, if differences are normal, and 'mixed', if effects are normal and of equal variance."
    if least > alpha:
        return f"{start} fewer, {models}"
    return f"{start} {n}, 'permutation t' with adjust='step-down' can, which tests all pairs together; {models}"


def few_blocks_inside(tests: Mapping[str, Sequence[Sequence[Note]]]) -> tuple[Note, ...]:
    """Say on which data sets no test can show a difference, from the notes of all tests on each."""
    facts = {
        name: [note.facts for notes in given for note in notes if note.code == "few blocks"]
        for name, given in tests.items()
        if given and all(any(note.code == "few blocks" for note in notes) for notes in given)
    }
    if not facts:
        return ()
    every = [one for found in facts.values() for one in found]
    return (
        Note(
            "few blocks inside",
            datasets=tuple(facts),
            of=len(tests),
            replications=(min(one["n"] for one in every), max(one["n"] for one in every)),
            alpha=every[0]["alpha"],
            least=min(one["adjusted"] for one in every),
            adjusted=any(one["pairs"] > 1 for one in every),
            needed=max(one["needed"] for one in every),
        ),
    )


def _few_blocks_inside(
    datasets: Sequence[str],
    of: int,
    replications: tuple[int, int],
    alpha: float,
    least: float,
    adjusted: bool,
    needed: int,
) -> str:
    few, many = replications
    where = f"{len(datasets)} of {of} data sets"
    if len(datasets) == of:
        where = "the data set" if of == 1 else f"all {of} data sets"
    which = "" if len(datasets) == of else f" ({enumerated(list(datasets))})"
    after = ", adjusted for the number of pairs" if adjusted else ""
    return (
        f"On {where}{which} the test cannot show any difference at the {alpha:g} level: with "
        f"{few if few == many else f'{few} to {many}'} replications the smallest p-value that signed ranks can have is "
        f"{least:.2g}{after}."
    )


def _for_few_blocks_inside(needed: int, **_: object) -> str:
    return (
        f"To show a difference there, {needed} replications would be enough. With fewer, 't' or, with `ratio`, "
        "'corrected t' can, if differences are normal."
    )


def _overlap(test: str, known: bool) -> str:
    return (
        "This outcome holds only for new resamples of this data set, not for the population behind it: "
        f"replications drawn from one data set overlap, and the {test} treats them as independent. For the population "
        "it is far too liberal."
    )


def _for_overlap(test: str, known: bool) -> str:
    needs = (
        " It needs `ratio`, the size of the test sample divided by that of the learning sample, such as 1/9 for "
        "10-fold cross-validation or 0.58 for a bootstrap."
    )
    return f"'corrected t' allows for the overlap.{'' if known else needs}"


def _another_quantity(probabilities: Literal["averages", "next data set"]) -> str:
    said = {
        "averages": "The probabilities say on which side most averages of two data sets lie; estimates and intervals "
        "are of the mean difference",
        "next data set": "The first probability, that an outcome is the most probable one on the next data set, grows "
        "with the number of data sets; the second, of the outcome itself, does not, because data sets differ. "
        "Estimates and intervals are of the mean difference over data sets",
    }[probabilities]
    return f"{said}, a different quantity, so they may lead to another conclusion."


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    return enumerated([f"{a}/{b}" for a, b in pairs])


def _interval_contains_zero(pairs: Sequence[tuple[str, str]], even: int, ends: bool, adjust: str) -> str:
    one = len(pairs) == 1
    if ends:
        return (
            f"The interval{'' if one else 's'} of {_pairs(pairs)} end{'s' if one else ''} at {even}, because many "
            "blocks have no difference: the test leaves these out, and shows which is better in the others."
        )
    which = "those of a single step" if adjust == "step-down" else "Bonferroni's"
    return (
        f"The interval{'' if one else 's'} of {_pairs(pairs)} contain{'s' if one else ''} {even}, although the p-value"
        f"{' shows' if one else 's show'} a difference: the p-values are adjusted in steps ({adjust!r}), for "
        f"which there are no two-sided intervals; the intervals are {which}."
    )


def _no_interval(pairs: int) -> str:
    start = "There is no interval" if pairs == 1 else f"{pairs} pairs have no interval"
    return (
        f"{start}: the 5×2 cv F test rejects every common difference of the ten folds, because they vary more between "
        "the repeats than within them. Its p-value is then no evidence of a difference of means; use 'corrected t'."
    )


def _gate(method: str, pvalue: float, alpha: float) -> str:
    return (
        f"The global test finds no difference ({method}, {format_p(pvalue, alpha)}): no pair is called different, and "
        "all algorithms form one group. The p-values of the pairs are still shown."
    )


def _zero_variance(sources: Sequence[str], unit: str, n: int) -> str:
    names = enumerated(list(map(source_name, sources)))
    blocks = "data sets" if unit == "dataset" else "replications"
    start = f"The estimated variance of {names} is" if len(sources) == 1 else f"The estimated variances of {names} are"
    return f"{start} zero; an estimate from {n} {blocks} does not show that there is no such variation."


def _transformed(measure: str, transform: str) -> str:
    if transform == "log":
        return f"Logarithms of {measure} were compared, so differences are ratios."
    return f"Values were compared as {transform} of {measure}; estimates and intervals are on that scale."


def _as_measured(measure: str, because: Literal["default", "units", "zeros"]) -> str:
    reason = {
        "default": "the values were compared as measured; transform='log' compares ratios",
        "units": "the area of equivalence is in its units: the values were compared as measured. With relative=True "
        "ratios are compared",
        "zeros": "some values are not positive: they were used as measured",
    }[because]
    return f"The scale of {measure} is logarithmic, but {reason}."


def _left_out(names: Sequence[str], because: Literal["no cost", "no value", "gaps"]) -> str:
    reason = {
        "no cost": "a cost is not known",
        "no value": f"{'it has' if len(names) == 1 else 'they have'} no value at all",
        "gaps": "the test needs every replication",
    }[because]
    return f"Left out because {reason}: {join_names(names)}."


def _missing_replications(policy: str, cells: int) -> str:
    rule = "an algorithm with a missing replication of a data set comes last on it"
    if policy == "available":
        rule = (
            "each pair is tested on the replications that both have, and an algorithm without any value on a data set "
            "comes last on it"
        )
    return f"Missing: {plural(cells, 'cell')}; {rule}."


def _random_draws(draws: int, of: Literal["permutations", "signs", "resamples"], p: float, error: float) -> str:
    words = {
        "permutations": "random permutations within blocks",
        "signs": "random signs",
        "resamples": "samples drawn from the differences",
    }[of]
    return f"P-values are from {draws:,} {words}; the standard error of p = {p:.2g} is {error:.1g}."


def _stratum(source: str) -> str:
    return (
        f"Standard errors and degrees of freedom are those of the stratum of {source_name(source)} and do not rely on "
        "that zero."
    )


def _separate(datasets: int, algorithms: int) -> str:
    return (
        f"{datasets} data sets are too few for the joint distribution of the differences of {algorithms} algorithms, "
        "each with its own variance; the adjustment does not use it."
    )


def _f_and_pairs(pairs: bool, adjusted: bool) -> str:
    if not pairs:
        return (
            "The F test shows that the algorithms differ, but no pair reaches the level: it is not shown which ones "
            "differ."
        )
    own = ", and their p-values are adjusted for all pairs without it" if adjusted else ""
    return (
        "The F test weighs all differences together and does not reach the level; the tests of pairs look at each "
        f"difference on its own{own}."
    )


def model_formula(model: str, row: str) -> str:
    """Write a mixed model as a sum.

    >>> model_formula("block", "replication")
    'algorithm + replication + residual'
    """
    return {
        "block": f"algorithm + {source_name(row)} + residual",
        "domain": "algorithm + data set + data set × algorithm + replication + residual",
        "survey": "algorithm × data set + replication + residual",
    }[model]


def source_name(source: str) -> str:
    """Name a source of variation as it is written in texts.

    >>> source_name("dataset"), source_name("residual")
    ('data set', 'residual')
    """
    return {"dataset": "data set", "interaction": "data set × algorithm"}.get(source, source)


def _no_variation(unit: str) -> str:
    where = "on every data set" if unit == "dataset" else "in every replication"
    return (
        f"The algorithms differ by the same amounts {where}: there is no variation, and a difference is either zero or "
        "certain."
    )


def _better_covariance(ratio: float, df: int, pvalue: float) -> str:
    return (
        "The algorithms vary unequally over the data sets: an unstructured covariance fits better (likelihood ratio "
        f"{ratio:.1f} on {df} degrees of freedom, {format_p(pvalue)}) and may change decisions. See "
        "covariance='unstructured' and MixedFit.compare_covariances."
    )


def _chosen_unstructured(ratio: float, df: int, pvalue: float) -> str:
    return (
        "The algorithms vary unequally over the data sets, so the covariance of the model is unstructured (likelihood "
        f"ratio against the scalar one {ratio:.1f} on {df} degrees of freedom, {format_p(pvalue)})."
    )


def _relative_area(low: float, high: float, algorithm: str, control: bool, mean: float) -> str:
    parts = f"{100 * high:g}%" if low == -high else f"{100 * low:g}% to {100 * high:g}%"
    role = "the control" if control else "the best"
    return f"The area of equivalence is {parts} of the mean of {algorithm} ({role}), {mean:.4g}."


def _equal_costs(groups: Sequence[Sequence[str]]) -> str:
    listed = "; ".join(enumerated(list(group)) for group in groups[:MANY])
    more = f"; and {len(groups) - MANY} more groups" if len(groups) > MANY else ""
    return (
        f"Equal costs leave no prior preference between {listed}{more}: among them a significant test decides, and "
        "where there is none, the better mean."
    )


def _cycles(cycles: Sequence[Sequence[str]]) -> str:
    listed = "; ".join(enumerated(list(cycle)) for cycle in cycles[:MANY])
    return (
        f"Tests of equally costly algorithms contradict each other in a cycle: {listed}. No order respects all of "
        "them; the best mean of a cycle comes first."
    )


def _stages_in_words(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    each = plural(low, "replication") if low == high else f"{low} to {high} replications"
    return f"{plural(len(sizes), 'stage')} of {each}"


def _stages_cannot(sizes: Sequence[int], pairs: int, alpha: float, before: int | None) -> str:
    among = "" if pairs == 1 else f" among {pairs} hypotheses"
    start = f"With {_stages_in_words(sizes)} no difference{among} can be shown"
    if before is not None:
        return (
            f"{start} before stage {before}, however clear it is: tests of so few replications cannot reach the "
            "bounds. Use larger stages, or a larger first one."
        )
    return (
        f"{start} at the {alpha:g} level at all, however clear it is: the tests of so few replications cannot reach "
        "the bounds. Use larger stages or fewer comparisons."
    )


def _folds_in_stages(folds: int) -> str:
    return (
        f"The {folds} folds of a cross-validation depend on each other: their test samples are disjoint. Stages "
        "of "
        "whole repeats keep folds together; the folds inside are still treated as independent."
    )


def separation_text(infinite: str, groups: Sequence[Sequence[str]]) -> str:
    """Say why the maximum of the likelihood of a Bradley–Terry model is infinite."""
    if infinite == "order effect":
        return "the effect of order would be infinite, because no outcome contradicts a larger one"
    if len(groups) == 1:
        return "all comparisons are ties"
    order = " | ".join(enumerated(list(group)) for group in groups)
    what = "won against" if infinite == "ties" else "won or tied against"
    return f"no object of a later group ever {what} one of an earlier group: {order}"


def _separated(infinite: str, groups: Sequence[Sequence[str]]) -> str:
    return (
        "Estimates are bias-reduced (Firth 1993), because those of maximum likelihood are infinite: "
        f"{separation_text(infinite, groups)}."
    )


# Each sentence is a template of the facts, or a function of them.
SENTENCES: Mapping[str, str | Callable[..., str]] = {
    "own": "{sentence}",
    # blocks
    "missing": "Missing cells: {report}.",
    "left out": _left_out,
    "missing replications": _missing_replications,
    "stopped": _stopped,
    "reduced": _reduced,
    "these data sets only": (
        "The mean is that over these {datasets} data sets, so the outcome holds for them and no others."
    ),
    "short blocks": _short_blocks,
    "repeated subjects": (
        "The {rows} replications come from {datasets} data sets and are treated as independent; they are not, so "
        "p-values are too small."
    ),
    "separated objects": _separated,
    # why this procedure
    "few blocks": _few_blocks,
    "few blocks inside": _few_blocks_inside,
    "chosen": _chosen,
    "no test": _no_test,
    # tests
    "overlap": _overlap,
    "ratio": lambda ratio, source, folds: (
        f"Learning samples overlap: the test sample is {ratio:.4g} times the learning sample "
        f"({_ratio_source(source, folds)})."
    ),
    "random draws": _random_draws,
    "caution": "{caution}",
    "no interval": _no_interval,
    "interval contains 0": _interval_contains_zero,
    "few blocks for F": lambda n: (
        f"With {n} blocks the F distribution is only an approximation. With fewer than ten it may reject too often: in "
        "up to 8% at a level of 5%, and in 19% with three algorithms and three blocks. The Friedman test by "
        "permutations keeps the level."
    ),
    "untested": lambda untested, pairs: (
        f"{untested} of {pairs} pairs {'has' if untested == 1 else 'have'} fewer than two blocks in common and "
        f"{'was' if untested == 1 else 'were'} not tested."
    ),
    "gate": _gate,
    # Bayesian comparisons
    "another quantity": _another_quantity,
    "not converged": (
        "The chains have not converged (split R-hat up to {rhat:.3f}, effective sample size down to {size:.0f}): use "
        "more draws before you rely on these probabilities."
    ),
    # scales
    "transformed": _transformed,
    "as measured": _as_measured,
    # mixed models
    "no variation": _no_variation,
    "accuracy": lambda points, error, accuracy: (
        f"The joint distribution is from {points:,} quasi-random directions, the most that are drawn: the "
        f"Monte Carlo standard error of a p-value near 0.05 is {error:.2g}, above the `accuracy` "
        f"of {accuracy:.2g}."
    ),
    "zero residual": (
        lambda levels: f"The estimated residual variance of {join_names(levels, quote=False)} is zero, or nearly so."
    ),
    "singular covariance": (
        "The estimated covariance of the algorithms over data sets is singular: there are fewer data sets or "
        "replications than it needs, or some algorithms vary together. Interpret its standard errors with care."
    ),
    "zero variance": _zero_variance,
    "stratum": _stratum,
    "separate": _separate,
    "F and pairs": _f_and_pairs,
    "resamples of a data set": (
        "Verdicts from the replications of one data set hold for new resamples of it. They treat these as "
        "independent, which overlapping learning samples are not, and are not adjusted for the number of data sets."
    ),
    # MultiTest
    "equal costs": _equal_costs,
    "cycles": _cycles,
    "unknown cost": lambda cells, cost: (
        f"Not known, and so counted as the highest: {plural(cells, 'value')} of {cost}."
    ),
    # sequential tests
    "sequential resamples": lambda: (
        "The error level holds for new resamples of the same data: given the data, resamples are independent draws. It "
        "does not hold for the population behind them, because all resamples share these data: a difference that is "
        "due to them alone becomes significant in the long run. Use fresh draws where you can; otherwise see "
        "kind='group sequential' with method='corrected t'."
    ),
    "folds in stages": _folds_in_stages,
    "stages split repeats": (
        "Some stages end within a repeat of the cross-validation: its {folds} folds depend on each other, so the "
        "stages do, too. Use stages of whole repeats."
    ),
    "stages cannot decide": _stages_cannot,
    "leaders": (
        "The leaders were chosen by the same values that are tested, so the p-values are descriptive and do not keep "
        "a level."
    ),
    "better covariance": _better_covariance,
    "chosen unstructured": _chosen_unstructured,
    "relative area": _relative_area,
}

# What the user of podium can do about some of them; it has no place in a paper.
ADVICE: Mapping[str, Callable[..., str]] = {
    "few blocks": _for_few_blocks,
    "few blocks inside": _for_few_blocks_inside,
    "overlap": _for_overlap,
    "no test": _for_no_test,
    "stopped": lambda datasets, replications, algorithms: "`Warehouse.decisions` returns these decisions.",
}
