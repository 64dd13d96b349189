"""`Design`: the blocks of one measure, arranged for a mixed model."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.blocks import Blocks, Unit, one_measure, overlap_notes, stopped_notes
from podium.analysis.notes import Note
from podium.analysis.transform import Transform, transform_results
from podium.arrays import FloatArray
from podium.checks import check_choice, record
from podium.errors import InputError, join_names
from podium.results import MeasureInfo, Results
from podium.results.labels import Label

Model: TypeAlias = Literal["block", "domain", "survey"]
ModelChoice: TypeAlias = Literal["auto", "block", "domain", "survey"]


@record(eq=False, repr=False, kw_only=True)
class Design(Blocks):
    """The blocks of one measure, arranged for a model.

    The blocks are what the model generalises to: replications of one data set, data sets (with the means of their
    replications as values), or in the survey model the replications of all data sets.

    Attributes
    ----------
    model : {"block", "domain", "survey"}
        One data set; data sets drawn from a domain; data sets taken as they are.
    transform : str
        ``"identity"``, ``"log"`` or the name of a function: how the values were obtained from those that were measured.
    measured : MeasureInfo
        The measure before the transformation; `measure` is what the values are.
    overlap : bool
        Whether the blocks are replications of one data set that overlap.
    values, labels, algorithms, measure, unit, source, missing, structure, aggregate, notes
        See `podium.analysis.blocks.Blocks`.
    """

    model: Model
    transform: str = "identity"
    measured: MeasureInfo
    overlap: bool = False

    @property
    def row_name(self) -> Unit:
        """What a row of the `cube` is: a replication, or a data set where each has a single replication."""
        return "dataset" if self.model == "block" and self.datasets > 1 else "replication"

    @property
    def rows(self) -> tuple[Label, ...]:
        """Labels of the rows of the `cube`."""
        return self.source.datasets if self.row_name == "dataset" else self.source.replications

    @property
    def cube(self) -> FloatArray:
        """Values by data set, row and algorithm, shape (M, B, K); NaN where a cell is missing.

        Data sets with a single replication are the rows of one block design: shape (1, M, K).
        """
        return super().cube.transpose(1, 0, 2) if self.row_name == "dataset" else super().cube

    @property
    def complete(self) -> bool:
        """Whether every data set has the same number of rows and no cell is missing."""
        return not np.isnan(self.cube).any()


def make_design(
    results: Results,
    measure: str | None,
    model: ModelChoice,
    missing: str,
    transform: Transform | None = None,
    *,
    in_units: bool = False,
) -> Design:
    """Select the measure, resolve missing cells, transform, choose the model, and refuse what cannot be fitted."""
    check_choice(model, get_args(ModelChoice), "model")
    resolved = one_measure(results, measure).resolve_missing(missing)
    report = replace(resolved.reports[-1], common=None)  # the model uses every cell
    if report.absent:
        resolved = resolved.drop(algorithms=[name for name, _ in report.absent])
    source, transformed, measured, notes = transform_results(resolved, transform, in_units=in_units)
    if transformed != "identity":
        notes = (Note("transformed", measure=measured.name, transform=transformed),)
    gone = tuple(source.datasets[m] for m, values in enumerate(source.values) if np.isnan(values).all())
    if gone:
        source = source.drop(dataset=list(gone))
        notes = (*notes, Note("left out", names=gone, because="no value"))
    filled = ~np.isnan(source.values).all(axis=(2, 3))
    single = len(source.datasets) > 1 and filled.sum(axis=1).max() == 1
    kind = _kind(model, len(source.datasets), single)
    if single:  # the replications may have different names
        source = source.aggregate("mean", missing="available")
    notes = (*stopped_notes(one_measure(results, measure)), *notes)
    on_overlap: tuple[Note, ...] = ()
    if len(source.datasets) == 1:
        there = {name: array[source.design] for name, array in source.structure.items()}
        on_overlap = overlap_notes("mixed-effects model", there)
    values, labels = _domain_blocks(source) if kind == "domain" or single else _row_blocks(source)
    design = Design(
        model=kind,
        transform=transformed,
        measured=measured,
        values=values,
        labels=labels,
        algorithms=source.algorithms,
        measure=source.measures[0],
        unit="dataset" if kind == "domain" or single else "replication",
        source=source,
        missing=report,
        overlap=bool(on_overlap),
        notes=(*on_overlap, *notes),
    )
    _check(design)
    return design


def _domain_blocks(source: Results) -> tuple[FloatArray, tuple[Label, ...]]:
    """One block per data set: the means of its replications."""
    values = source.values[..., 0]
    count = (~np.isnan(values)).sum(axis=1)
    means = np.where(count > 0, np.nansum(values, axis=1) / np.maximum(count, 1), np.nan)
    return means, source.datasets


def _row_blocks(source: Results) -> tuple[FloatArray, tuple[Label, ...]]:
    """One block per replication of any data set that has a value."""
    values = source.values[..., 0]
    filled = ~np.isnan(values).all(axis=2)
    return values[filled], tuple(source.replications[b] for b in np.nonzero(filled)[1])


def _kind(model: ModelChoice, m: int, single: bool) -> Model:
    alone = m == 1 or single
    if model == "auto":
        return "block" if alone else "domain"
    if model == "block" and m > 1 and not single:
        raise InputError(
            f"`model='block'` is for one data set, and there are {m}. Select one, or use 'domain' (data sets drawn "
            "from a domain) or 'survey' (these data sets and no others)."
        )
    if model in ("domain", "survey") and m == 1:
        raise InputError(f"`model={model!r}` needs several data sets, and there is one. Use 'block'.")
    if model in ("domain", "survey") and single:
        raise InputError(
            f"`model={model!r}` needs replications within data sets, and every data set has one. Use 'block': the data "
            "sets are then the blocks."
        )
    return "block" if alone else "survey" if model == "survey" else "domain"


def _check(design: Design) -> None:
    """Refuse designs in which the variances or means cannot be estimated."""
    values, names = design.cube, design.algorithms
    if len(names) < 2:
        raise InputError(f"A comparison needs two algorithms or more; got {join_names(names)}.")
    there = ~np.isnan(values)
    rows = int(there.any(axis=2).sum())
    if design.model == "block" and rows < 2:
        raise InputError(
            f"A mixed model needs replications; {design.source.datasets[0]!r} has one. With one value per algorithm no "
            "difference can be distinguished from chance."
        )
    cells = there.any(axis=1)
    left = int(there.sum()) - int(cells.sum()) - (rows - len(values))
    if left <= 0:
        raise InputError(
            f"Nothing is left to estimate the residual variance from: {int(there.sum())} values, {int(cells.sum())} "
            f"means of algorithms on data sets and {rows - len(values)} additional rows. More replications, or more "
            "complete ones, are needed."
        )
    if design.model == "survey" and not cells.all():
        m, k = np.argwhere(~cells)[0]
        raise InputError(
            f"`model='survey'` needs every algorithm on every data set; {names[k]!r} has no value on "
            f"{design.source.datasets[m]!r} ({int((~cells).sum())} such cells). Leave out the data set or the "
            "algorithm, or use 'domain'."
        )


def constant_error(design: Design, of: str, pronoun: str) -> InputError:
    """Make the error for differences that are the same in all blocks: `of` says which, `pronoun` stands for them."""
    where, what = ("data sets", "a data set") if design.unit == "dataset" else ("replications", "a replication")
    return InputError(
        f"{of} not vary over the {where}, so there is nothing to compare {pronoun} with. If {what} is a copy of "
        "another one, leave it out."
    )
