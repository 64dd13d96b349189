"""Decisions of a stopping rule: how many replications were run, and which algorithms were left out early."""

from __future__ import annotations

import numpy as np

from podium.analysis.notes import enumerated
from podium.errors import counted
from podium.reporting.analyses import Analyses
from podium.reporting.blocks import Block, Paragraph, Tabular
from podium.reporting.sections import SectionMaker, absent
from podium.typesetting import Cell, Column, Table


def _make(analyses: Analyses) -> list[Block]:
    results = analyses.results
    stopped = results.stopped.all(axis=3)  # by trial: data sets × replications × algorithms
    if not stopped.any():
        return [absent("No stopping rule ended this experiment early; podium.run(experiment, stopping=…) can.")]
    run = (~stopped & results.present.any(axis=3)).sum(axis=1)
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
        Column("Left out before", "left"),
    )
    table = Table(title="Replications that were planned and run", columns=columns, rows=tuple(rows))
    return [
        Paragraph(
            f"A stopping rule ended the experiment early: {counted(saved, 'trial')} of {trials:,} "
            f"({saved / trials:.0%}) {'was' if saved == 1 else 'were'} never run because the rule had decided. These "
            "cells are planned, not missing at random; means of an algorithm that was left out rest on fewer "
            "replications."
        ),
        Tabular("stopping", table, 15),
    ]


STOPPING = SectionMaker("stopping", "Stopped early", 100, _make)
