"""A value or an option that is almost right gets a suggestion."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.cli import main


@pytest.fixture(autouse=True)
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"d1,{b},svm,{0.9 + 0.001 * b}\nd1,{b},knn,{0.8 + 0.002 * b}\n" for b in range(10)]
    Path("scores.csv").write_text("dataset,replication,algorithm,accuracy\n" + "".join(rows))


NEAR = {
    "show scores.csv --measure acuracy": "accuracy",
    "show scores.csv --direction loer": "lower",
    "show scores.csv --direction accuracy=graeter": "greater",
    "compare scores.csv --method QUADE": "quade",
    "compare scores.csv --method aligned_ranks --alpha 0.05": "aligned ranks",
    "compare scores.csv --adjust bq": "bh' or 'by",
    "domain scores.csv --weight acuracy=2": "accuracy",
    "sequential scores.csv --pair leader": "leaders",
    "show scores.csv --column algoritm=algorithm": "algorithm",
    "show scores.csv --column algorithm=algoritm": "algorithm",
    "plot box scores.csv --size screan": "screen",
    "explore scores.csv --format pnk": "png",
}


@pytest.mark.parametrize("command", NEAR)
def test_a_near_miss_gets_a_suggestion(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    assert capsys.readouterr().err.endswith(f" Did you mean '{NEAR[command]}'?\n")


def test_an_option_with_one_dash_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["show", "scores.csv", "-measure", "accuracy"])
    assert capsys.readouterr().err == (
        "podium show: unrecognized arguments: -measure accuracy. Did you mean '--measure'? See `podium show --help`.\n"
    )
