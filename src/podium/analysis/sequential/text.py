"""The texts of sequential outcomes, made from their fields."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from podium.analysis.notes import FIRST, enumerated, format_p
from podium.errors import plural
from podium.typesetting.html import described

if TYPE_CHECKING:
    from podium.analysis.sequential.outcome import Sequential, SequentialPair

KIND_NAMES = {
    "combination": "recursive combination test",
    "group sequential": "group sequential test",
    "betting": "confidence sequence by betting",
    "asymptotic": "asymptotic confidence sequence",
}


def title(found: Sequential) -> str:
    """Write the outcome in a line."""
    name = KIND_NAMES[found.kind].capitalize()
    if len(found.pairs) == 1:
        pair = found.pairs[0]
        return f"{name} of {pair.a} and {pair.b}: {_hopeless(found)}{_verdict(pair, found.alpha)}{_next(found)}"
    states = Counter(pair.state for pair in found.pairs)
    ended = len(found.pairs) - states["open"]
    shown = states["better"] + states["worse"]
    with_difference = f", {shown or 'none'} of them with a difference" if ended else ""
    saved = "" if len(found.continuing) == len(found.datasets) else f", {100 * found.saved:.0f}% of the trials saved"
    counts = f"{ended} ended{with_difference}{saved}{_next(found)}"
    return f"{name} of {_compared(found)}: {_hopeless(found)}{counts}"


def _hopeless(found: Sequential) -> str:
    """Say before anything else that the stages could not have shown a difference, whatever the results are."""
    hopeless = [note.facts for note in found.notes if note.code == "stages cannot decide"]
    sizes = {facts["sizes"] for facts in hopeless if facts["before"] is None}
    where = [name for name in found.datasets if found.sizes[name] in sizes]
    if not where:
        return ""
    on = "" if len(where) == len(found.datasets) else f"on {len(where)} of {len(found.datasets)} data sets "
    return f"{on}the stages are too small to show any difference; "


def _next(found: Sequential) -> str:
    """Say after how many replications what is open is tested again."""
    looks = sorted({look.replications for pair in found.pairs for look in pair.next_looks})
    return f"; next look after {' or '.join(str(n) for n in looks)} replications" if looks else ""


def _bounds(found: Sequential) -> list[str]:
    """Say where the next look at a single pair is, and what it must reach."""
    if len(found.pairs) > 1 or not found.pairs[0].next_looks:
        return []
    looks = found.pairs[0].next_looks
    each = [
        f"{look.reject:.4g} that {look.a} is {look.side}"
        + ("" if np.isnan(look.accept) else f" (and it ends above {look.accept:.4g})")
        for look in looks
    ]
    return [f"The next look is after {looks[0].replications} replications; it rejects up to p = {enumerated(each)}."]


def _verdict(pair: SequentialPair, alpha: float) -> str:
    if not pair.stage:
        return "not tested yet"
    after = f"after stage {pair.stage} ({pair.replications} replications), {format_p(pair.pvalue, alpha)}"
    return {
        "better": f"{pair.a} is better, {after}",
        "worse": f"{pair.b} is better, {after}",
        "equivalent": f"equivalent, {after}",
        "accepted": f"stopped without showing a difference, {after}",
        "left out": f"left out, {after}",
        "open": f"not decided, {after}",
    }[pair.state]


def paragraph(found: Sequential) -> str:
    """Describe the outcome in a paragraph."""
    sizes = set(found.sizes.values())
    stages = " or ".join(sorted({str(len(one)) for one in sizes}))
    how = {
        "combination": f"each stage was tested separately ({found.method}), and the p-values were combined recursively",
        "group sequential": f"all data so far were tested after each stage ({found.method}), against boundaries for "
        "all looks together",
        "betting": "the mean difference was tested by betting, which is valid after every replication",
        "asymptotic": "the mean difference was tested by an asymptotic confidence sequence, which is valid after "
        "every replication",
    }[found.kind]
    sentences = [
        *(str(note) for note in found.notes if note.code in FIRST),
        f"The replications of {_datasets(found)} are tested in {stages} stage{'s' * (stages != '1')}: {how}.",
        _error(found),
    ]
    if len(found.pairs) == 1:
        sentences.append(f"{found.pairs[0].a} and {found.pairs[0].b}: {_verdict(found.pairs[0], found.alpha)}.")
    else:
        sentences += _counts(found)
    sentences += _bounds(found)
    if len(found.continuing) < len(found.datasets):
        sentences.append(f"Stopping saves {100 * found.saved:.0f}% of the trials.")
    return " ".join([*sentences, *(str(note) for note in found.notes if note.code not in FIRST)])


def _datasets(found: Sequential) -> str:
    return found.datasets[0] if len(found.datasets) == 1 else f"{len(found.datasets)} data sets"


def _error(found: Sequential) -> str:
    about = {"group sequential": " for approximately normal statistics", "asymptotic": " for many replications"}
    so = about.get(found.kind, "")
    if len(found.pairs) <= 1:
        equal = ", and so is that of false equivalence" if found.equivalence is not None else ""
        return f"The probability of a false difference is at most {found.alpha:g}{so}, whenever the test stops{equal}."
    over = f"the {len(found.pairs)} hypotheses{_on_all(found)}"
    equal = ", and the same for false equivalence" if found.equivalence is not None else ""
    return (
        f"The probability of any false difference among {over} is at most {found.alpha:g}{so} ({_share(found)}){equal}."
    )


def _on_all(found: Sequential) -> str:
    return f" on all {len(found.datasets)} data sets" if len(found.datasets) > 1 else ""


def _share(found: Sequential) -> str:
    holm = "Holm's procedure after each stage"
    if len(found.datasets) == 1:
        return holm
    equal_share = f"an equal share of it for each data set, {found.alpha / len(found.datasets):.3g}"
    return equal_share if len(found.pairs) == len(found.datasets) else f"{equal_share}; there {holm}"


def _compared(found: Sequential) -> str:
    """Count pairs; those of several data sets or measures are comparisons."""
    several = len(found.datasets) > 1 or len(found.measures) > 1
    return plural(len(found.pairs), "comparison" if several else "pair")


def _counts(found: Sequential) -> list[str]:
    states = Counter(pair.state for pair in found.pairs)
    words = {
        "different": states["better"] + states["worse"],
        "equivalent": states["equivalent"],
        "stopped without showing a difference": states["accepted"],
        "left out": states["left out"],
        "not decided": states["open"],
    }
    listed = enumerated([f"{n} {name}" for name, n in words.items() if n])
    sentences = [f"Of {_compared(found)}: {listed}."]
    if found.dropped:
        several = len(found.datasets) > 1
        names = [
            f"{algorithm} after stage {stage}{f' of {dataset}' if several else ''}"
            for (dataset, algorithm), stage in found.dropped.items()
        ]
        sentences.append(f"Dropped because they were beaten: {enumerated(names)}.")
    return sentences


def html(found: Sequential) -> str:
    """Show the outcome in a notebook."""
    facts = [(f"{pair.dataset}: {pair.a}, {pair.b}", _verdict(pair, found.alpha)) for pair in found.pairs[:30]]
    return described(title(found), [*facts, ("in words", paragraph(found))])
