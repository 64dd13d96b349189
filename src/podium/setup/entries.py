"""The entries of the catalogue: every fixed data set that can be had by name, with what it holds.

The figures stand here so that a list needs no data to be read; a test compares them with the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from podium.setup.dataset import Task

CC_BY = "CC BY 4.0"
Origin = Literal["bundled", "enumerated", "scikit-learn", "generator"]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What the catalogue says of a data set.

    Attributes
    ----------
    name, title : str
    origin : {"bundled", "enumerated", "scikit-learn", "generator"}
        A file of this package, made by program, part of scikit-learn, or drawn afresh.
    task : {"classification", "regression"}
    n, numeric, nominal, classes, incomplete : int
        Observations, numeric and nominal attributes, classes, observations with a missing value. For a generator:
        with its default parameters.
    source, licence, note : str
    target : str
        The response in a bundled file.
    as_nominal : tuple of str
        Attributes of a bundled file that are nominal although they hold numbers.
    aliases : tuple of str
        Other names in the literature; the case of letters does not matter.
    """

    name: str
    title: str
    origin: Origin
    n: int
    source: str
    task: Task = "classification"
    numeric: int = 0
    nominal: int = 0
    classes: int = 0
    incomplete: int = 0
    licence: str = ""
    note: str = ""
    target: str = "class"
    as_nominal: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


def _uci(authors: str, title: str, doi: str) -> str:
    return f"{authors}: {title}. UCI Machine Learning Repository, doi:10.24432/{doi}"


ENTRIES = (
    Entry(
        name="glass",
        title="kinds of glass by refractive index and oxides",
        origin="bundled",
        n=214,
        numeric=9,
        classes=6,
        source=_uci("B. German (1987)", "Glass Identification", "C5WW2P"),
        licence=CC_BY,
    ),
    Entry(
        name="heart",
        title="heart disease, Cleveland: narrowed coronary vessels present or absent",
        origin="bundled",
        n=303,
        numeric=6,
        nominal=7,
        classes=2,
        incomplete=6,
        source=_uci("A. Janosi, W. Steinbrunn, M. Pfisterer, R. Detrano (1989)", "Heart Disease", "C52P4X"),
        licence=CC_BY,
        note="The processed file of Cleveland; the stages 1 to 4 of the disease are joined to 'present'.",
        aliases=("Heart1",),
    ),
    Entry(
        name="hepatitis",
        title="hepatitis: patient dies or lives",
        origin="bundled",
        n=155,
        numeric=6,
        nominal=13,
        classes=2,
        incomplete=75,
        source=_uci("G. Gong (1988)", "Hepatitis", "C5Q59J"),
        licence=CC_BY,
    ),
    Entry(
        name="ionosphere",
        title="radar returns from the ionosphere, good or bad",
        origin="bundled",
        n=351,
        numeric=32,
        nominal=1,
        classes=2,
        source=_uci("V. Sigillito, S. Wing, L. Hutton, K. Baker (1989)", "Ionosphere", "C5W01B"),
        licence=CC_BY,
        note="The second attribute of the original, 0 in every row, is left out.",
        as_nominal=("a1",),
    ),
    Entry(
        name="liver",
        title="BUPA liver disorders: blood tests and drinking",
        origin="bundled",
        n=345,
        numeric=6,
        classes=2,
        source=_uci("BUPA Medical Research Ltd., R. S. Forsyth (1990)", "Liver Disorders", "C54G67"),
        licence=CC_BY,
        note="The response 'selector', used as the class throughout the literature, was made to split the data into "
        "two parts and is no diagnosis (J. McDermott, R. S. Forsyth 2016, Pattern Recognition Letters 73, 41–43).",
        target="selector",
        aliases=("bupa",),
    ),
    Entry(
        name="servo",
        title="rise time of a servomechanism",
        origin="bundled",
        task="regression",
        n=167,
        numeric=2,
        nominal=2,
        source=_uci("K. Ulrich (1993)", "Servo", "C5Q30F"),
        licence=CC_BY,
        target="rise-time",
    ),
    Entry(
        name="sonar",
        title="sonar echoes of a mine or a rock",
        origin="bundled",
        n=208,
        numeric=60,
        classes=2,
        source=_uci("T. Sejnowski, R. Gorman (1988)", "Connectionist Bench (Sonar, Mines vs. Rocks)", "C5T01Q"),
        licence=CC_BY,
    ),
    Entry(
        name="titanic",
        title="who survived the sinking of the Titanic",
        origin="bundled",
        n=2201,
        nominal=3,
        classes=2,
        source="British Board of Trade (1912); as in R. J. MacG. Dawson (1995), Journal of Statistics Education 3(3)",
        licence="public domain: counts from an official report",
        note="Kept as a table of counts; one row per person is made from it.",
        target="survived",
    ),
    Entry(
        name="votes",
        title="votes in the U.S. House of Representatives 1984: party",
        origin="bundled",
        n=435,
        nominal=16,
        classes=2,
        incomplete=203,
        source=_uci("J. Schlimmer (1987)", "Congressional Voting Records", "C5C01P"),
        licence=CC_BY,
        note="A missing value is neither yes nor no: the member abstained or the vote is not known.",
        aliases=("HouseVotes84",),
    ),
    Entry(
        name="wisconsin",
        title="breast cancer, Wisconsin (original): cell features by eye",
        origin="bundled",
        n=699,
        numeric=9,
        classes=2,
        incomplete=16,
        source=_uci("W. Wolberg (1990)", "Breast Cancer Wisconsin (Original)", "C5HP4Z"),
        licence=CC_BY,
        note="Scores from 1 to 10, numeric here; where they are to be nominal say nominal=[...].",
        aliases=("BreastCancer",),
    ),
    Entry(
        name="zoo",
        title="animals of a zoo: class of the animal kingdom",
        origin="bundled",
        n=101,
        numeric=1,
        nominal=15,
        classes=7,
        source=_uci("R. S. Forsyth (1990)", "Zoo", "C5R59V"),
        licence=CC_BY,
        note="The animal's name is left out.",
    ),
    Entry(
        name="balance",
        title="balance scale: all settings of weights and distances",
        origin="enumerated",
        n=625,
        numeric=4,
        classes=3,
        source=_uci("R. S. Siegler (1976)", "Balance Scale", "C5488X"),
        licence=CC_BY,
    ),
    Entry(
        name="monks1",
        title="monks problem 1: training file and all 432 points",
        origin="enumerated",
        n=556,
        nominal=6,
        classes=2,
        source="S. B. Thrun et al. (1991), J. Wnek: MONK's Problems. UCI Machine Learning Repository",
        licence=CC_BY,
        note="The 124 rows of the training file come first; their points come again among the 432.",
    ),
    Entry(
        name="monks2",
        title="monks problem 2: training file and all 432 points",
        origin="enumerated",
        n=601,
        nominal=6,
        classes=2,
        source="S. B. Thrun et al. (1991), J. Wnek: MONK's Problems. UCI Machine Learning Repository",
        licence=CC_BY,
        note="The 169 rows of the training file come first; their points come again among the 432.",
    ),
    Entry(
        name="monks3",
        title="monks problem 3: training file with class noise and all 432 points",
        origin="enumerated",
        n=554,
        nominal=6,
        classes=2,
        source="S. B. Thrun et al. (1991), J. Wnek: MONK's Problems. UCI Machine Learning Repository",
        licence=CC_BY,
        note="The 122 rows of the training file come first, six of them with a wrong class; their points come again "
        "among the 432.",
    ),
    Entry(
        name="tictactoe",
        title="tic-tac-toe: all boards at the end of a game",
        origin="enumerated",
        n=958,
        nominal=9,
        classes=2,
        source=_uci("D. W. Aha (1991)", "Tic-Tac-Toe Endgame", "C5688J"),
        licence=CC_BY,
        aliases=("tic-tac-toe",),
    ),
    Entry(
        name="breast_cancer",
        title="breast cancer, Wisconsin (diagnostic): cell features by image",
        origin="scikit-learn",
        n=569,
        numeric=30,
        classes=2,
        source="W. Wolberg, O. Mangasarian, N. Street, W. Street (1995); as in scikit-learn",
        licence=CC_BY,
        aliases=("wdbc",),
    ),
    Entry(
        name="diabetes",
        title="progress of diabetes in one year",
        origin="scikit-learn",
        task="regression",
        n=442,
        numeric=10,
        source="B. Efron, T. Hastie, I. Johnstone, R. Tibshirani (2004), Annals of Statistics 32; as in scikit-learn",
    ),
    Entry(
        name="digits",
        title="handwritten digits, 8 × 8 pixels",
        origin="scikit-learn",
        n=1797,
        numeric=64,
        classes=10,
        source="E. Alpaydin, C. Kaynak (1998): Optical Recognition of Handwritten Digits; as in scikit-learn",
        licence=CC_BY,
    ),
    Entry(
        name="iris",
        title="three kinds of iris by their flowers",
        origin="scikit-learn",
        n=150,
        numeric=4,
        classes=3,
        source="R. A. Fisher (1936), Annals of Eugenics 7; as in scikit-learn",
        licence=CC_BY,
    ),
    Entry(
        name="wine",
        title="three cultivars of wine by chemical analysis",
        origin="scikit-learn",
        n=178,
        numeric=13,
        classes=3,
        source="S. Aeberhard, M. Forina (1992): Wine; as in scikit-learn",
        licence=CC_BY,
    ),
)
