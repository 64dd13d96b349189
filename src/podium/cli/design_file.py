"""Design files given to verbs that show a run: how they differ from the design in the warehouse."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from podium.errors import PodiumError

if TYPE_CHECKING:
    import podium
    from podium.design.spec.difference import Difference

_MAX_DIFFERENCES = 5  # differences that are shown


def note_differences(verb: str, file: str, warehouse: podium.Warehouse) -> None:
    """Say on the standard error stream if a design file is not what the results in a warehouse were made by.

    What the file says is compared, not the data and the code that it names: neither is read here.
    """
    from podium.design.experiment import Experiment
    from podium.design.spec.design import form_in, form_of
    from podium.design.spec.difference import differences

    record = (warehouse.design or {}).get("record")
    if record is None:
        return
    try:
        experiment = Experiment.from_file(file)
        changes = differences(form_in(record), form_of(experiment))
    except PodiumError as error:
        say(verb, f"{file} was not compared with the design of these results in {warehouse.name}: {error}")
        return
    changes = [change for change in changes if not _needs_code(change, experiment.modules)]
    if changes:
        say(verb, f"{file} differs from the design of these results in {warehouse.name}: {difference_text(changes)}")


def difference_text(changes: Iterable[Difference]) -> str:
    """List the first differences."""
    texts = [str(change) for change in changes]
    return "; ".join(
        [
            *texts[:_MAX_DIFFERENCES],
            *([f"{len(texts) - _MAX_DIFFERENCES} more"] if len(texts) > _MAX_DIFFERENCES else []),
        ]
    )


def announce_imports(verb: str, file: str) -> None:
    """Name the modules that a design file names, before they are imported."""
    from podium.design import design_modules

    modules = design_modules(file)
    if modules:
        say(verb, f"imports {', '.join(modules)}, named by {file}")


def say(verb: str, text: str) -> None:
    """Write a message of a verb to the standard error stream, in one line."""
    print(f"podium {verb}: {' '.join(text.split())}", file=sys.stderr)


def _needs_code(change: Difference, modules: Iterable[str]) -> bool:
    """Whether only the code of a module tells if two entries differ: parameters may be written or left at defaults."""
    return (
        change.kind == "changes" and change.old is not None and any(f"{name}." in str(change.new) for name in modules)
    )
