"""Decisions of a stopping rule: how many replications were run, and which algorithms were left out early."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.analysis.notes import enumerated
from podium.errors import plural
from podium.show.report.analyses import Analyses
from podium.show.report.blocks import Block, Paragraph, Tabular
from podium.show.report.sections import SectionMaker, absent
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import percent

_OUTCOMES = {
    "open": "still open",
    "better": "better than b",
    "worse": "worse than b",
    "equivalent": "equivalent to b",
    "accepted": "undecided; the rule gave up",
    "left out": "undecided; a or b was left out",
}


FEWER = " Means of an algorithm that was left out earlier than others rest on fewer replications."


def _make(analyses: Analyses) -> list[Block]:
    results = analyses.results
    stopped = results.stopped.all(axis=3)  # by trial: data sets × replications × algorithms
    if not stopped.any():
        if analyses.decisions:
            return [Paragraph("A stopping rule was used, but it ended nothing early."), *_decided(analyses)]
        return [
            absent(
                "No stopping rule ended this experiment early; podium.run(experiment, stopping=…) runs one with a rule."
            )
        ]
    run = (~stopped & results.design[:, :, None]).sum(axis=1)  # with or without a value
    planned = run + stopped.sum(axis=1)
    saved, trials = int(stopped.sum()), int(planned.sum())
    rows = []
    for m, name in enumerate(results.datasets):
        early = [results.algorithms[k] for k in np.flatnonzero(run[m] < run[m].max())]
        rows.append(
            (
                Cell(name, name),
                Cell(int(planned[m].max()), f"{planned[m].max():,}"),
                Cell(int(run[m].max()), f"{run[m].max():,}"),
                Cell(", ".join(early), enumerated(early) if early else "–"),
            )
        )
    columns = (
        Column("Data set", "left", is_label=True),
        Column("Planned replications"),
        Column("Run"),
        Column("Left out earlier", "left"),
    )
    table = Table(title="Replications that were planned and run", columns=columns, rows=tuple(rows))
    said: list[Block] = [
        Paragraph(
            f"A stopping rule ended the experiment early: {saved:,} of {plural(trials, 'trial')} "
            f"({percent(saved / trials)}) {'was' if saved == 1 else 'were'} never run because the rule had decided. "
            "Trials that were not run do not count as missing."
            + (FEWER if (run < run.max(axis=1, keepdims=True)).any() else "")
        ),
        Tabular("stopping", table, 15),
    ]
    return said + _decided(analyses)


def _decided(analyses: Analyses) -> list[Block]:
    """The last decision about each pair, where the run kept them."""
    last = {one.dataset: one for one in analyses.decisions}  # by data set and stage, so the last stays
    if not last:
        return [
            absent(
                "A table of scores does not contain the decisions of the rule; a report on the warehouse of the run "
                "does."
            )
        ]
    rows = [
        {
            "Data set": one.dataset or "all together",
            "Measure": pair.measure,
            "a": pair.a,
            "b": pair.b,
            "a is": _OUTCOMES[pair.outcome],
            "Stage": pair.stage,
            "Replications": pair.replications,
            "Difference": pair.estimate,
        }
        for one in last.values()
        for pair in one.pairs
    ]
    ended = sum(one.ending == "maximum" and one.undecided > 0 for one in last.values())
    where = (
        f"on each of {len(last):,} data sets" if len(last) > 1 else f"on {next(iter(last)) or 'all data sets together'}"
    )
    text = (
        f"The table shows what the rule decided about each pair {where}. These decisions keep its error level, however "
        "often it looked."
    )
    if ended:
        which = f"{ended:,} of {len(last):,} data sets" if len(last) > 1 else "The run"
        text += f" {which} ended at the maximum number of replications with pairs still open."
    table = Table.from_frame(pd.DataFrame(rows), "Decisions of the stopping rule; differences are a − b", digits=3)
    return [Paragraph(text), Tabular("decisions", table, 15)]


STOPPING = SectionMaker("stopping", "Stopped early", 100, _make)
