"""Documentation of figures and plots: what the arguments that many of them share mean is written here once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# Arguments, by name; a function that documents one of them itself keeps its own text.
SHARED = {
    "results": "results : Results",
    "measure": """\
measure : str, optional
    The measure, where there are several.""",
    "order": """\
order : sequence of str, optional
    The algorithms in the desired order, instead of the best mean first.""",
    "most": """\
most : int, default 12000
    Where there are more dots than this, an even selection of them is shown, with the extremes.""",
    "missing": """\
missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
    Policy for missing cells. With ``"available"`` the figure shows the blocks that all algorithms with a value
    have.""",
    "comparison": """\
comparison : Comparison
    The outcome of `podium.compare`.""",
    "domain": """\
domain : Domain
    What `podium.domain` returns.""",
    "tree": """\
tree : BradleyTerryTree
    What `podium.bradley_terry_tree` returns.""",
    "sequential": """\
sequential : Sequential
    The outcome of `podium.sequential`.""",
    "relation": "relation : Relation",
    "multitest": """\
multitest : MultiTest or Multi2Test
    The outcome of `podium.multitest`, or of `podium.multi2test`, of which the second pass is shown.""",
    "archetypes": """\
archetypes : ArchetypalAnalysis, ArchetypePath or DomainArchetypes
    What was fitted; of a path the solution at its elbow.""",
    "group": """\
group : iterable, optional
    A label for each observation, which gives it a colour; for a domain by default its algorithm.""",
    "ax": """\
ax : Axes, optional
    Axes to draw on; new ones by default.""",
    "size": """\
size : {"screen", "page", "column"}, float or (float, float)
    Size of a new figure and of the text: for a screen (7 inches wide), for the page of a paper (7 inches, smaller
    text), for one column of it (3.3 inches), or a width in inches; the height follows from what is drawn. Or width and
    height.""",
    "orientation": """\
orientation : {"horizontal", "vertical"}
    Whether the algorithms are drawn one above the other, which leaves room for long names, or side by side.""",
    "palette": """\
palette : mapping of str to str, optional
    Colours of algorithms, all or some; by default those of `podium.plot.colours`.""",
    "title": """\
title : str, optional
    Title above the axes; by default it says what the data are. Empty text for none.""",
}


def documented(function: Function) -> Function:
    """Decorate a function: shared arguments that its docstring leaves out are added to it.

    >>> @documented
    ... def box(results, *, reach=1.5):
    ...     "Draw boxes."
    >>> sections(box)["Parameters"]
    'results : Results'
    """
    parts = sections(function)
    parameters = completed(parts.pop("Parameters", ""), inspect.signature(function))
    if parameters:
        function.__doc__ = joined({"": parts.pop(""), "Parameters": parameters, **parts})
    return function


def completed(parameters: str, signature: inspect.Signature) -> str:
    """Add the shared arguments to a section of parameters, in the order of the signature."""
    own: dict[str, list[str]] = {}
    for line in parameters.splitlines():
        if not line.startswith(" "):
            entry = own.setdefault(line.partition(" : ")[0], [])
        entry.append(line)
    explained = {name for names in own for name in names.split(", ")}
    texts = {names.split(", ")[0]: "\n".join(lines) for names, lines in own.items()}
    texts |= {name: text for name, text in SHARED.items() if name not in explained}
    return "\n".join(texts[name] for name in signature.parameters if name in texts)


def sections(function: Callable[..., Any]) -> dict[str, str]:
    """Split a docstring in numpydoc's format into its sections; the text before the first has no name.

    >>> sections(documented)[""].splitlines()[0][:21]
    'Decorate a function: '
    """
    lines = (inspect.getdoc(function) or "").split("\n")
    heads = [i for i in range(len(lines) - 1) if lines[i + 1] and set(lines[i + 1]) == {"-"}] + [len(lines)]
    found = {"": "\n".join(lines[: heads[0]]).strip()}
    for start, stop in pairwise(heads):
        found[lines[start]] = "\n".join(lines[start + 2 : stop]).rstrip()
    return found


def joined(parts: dict[str, str]) -> str:
    """Join sections to a docstring."""
    return "\n\n".join(f"{head}\n{'-' * len(head)}\n{text}" if head else text for head, text in parts.items())
