"""LaTeX sets what podium writes, in two columns, without a line that is too wide."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import podium

NAMES = [
    "XGBoost (tuned)",
    "a_b & 50% {x}",
    "[0, 1] *",
    "支持向量机",
    "naïve Bayes",
    "C4.5--m",
    "k-NN $\\alpha$",
    "#7 ~^\\",
    "<γ>",
    '"q"',
]
DOCUMENT = r"""\documentclass[10pt,twocolumn]{article}
\usepackage[paperwidth=8.5in,textwidth=7in,columnsep=0.4in]{geometry}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def has_tex() -> bool:
    found = shutil.which("pdflatex") and shutil.which("kpsewhich")
    return bool(found) and subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode == 0


@pytest.mark.skipif(not has_tex(), reason="pdflatex is not installed; scripts/setup installs it")
def test_tables_compile_and_fit(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": f"data_{m}", "replication": b, "algorithm": name, "error %": 0.1 * k + rng.normal(0, 0.03)}
        for m in range(7)
        for b in range(6)
        for k, name in enumerate(NAMES)
    ]
    results = podium.read(rows, direction="lower")
    few = results.select(algorithms=NAMES[:3])
    comparison = podium.compare(few, method="t")
    tables = [
        podium.table(results, method="t"),
        podium.table(few, control=NAMES[0]),
        podium.table(results, kind="algorithms", method="t"),
        podium.table(results, kind="wins", method="t"),
        podium.table(few, kind="measures"),
        comparison.table(),
        podium.inference.compare_bayes(few, equivalence=0.01, method="signed rank", draws=200).table(),
        podium.table(podium.summarize(few), title="Summary"),
    ]
    body = "\n".join(table.latex(label=f"tab:{i}") + "\\clearpage" for i, table in enumerate(tables))
    body += tables[1].latex(width=3.3) + "\n\n" + tables[0].latex(environment="tabular", width=3.3)
    (tmp_path / "paper.tex").write_text(DOCUMENT % body, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert re.findall(r"Overfull \\hbox \([0-9.]+pt too wide\)", done.stdout) == []
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000
