"""What is known of a measure besides its values: direction, unit, scale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from podium.errors import DirectionError, InputError, LabelError, listing

Direction: TypeAlias = Literal["lower", "greater"]
Scale: TypeAlias = Literal["linear", "log"]

DIRECTION_WORDS: Mapping[str, Direction] = {
    "lower": "lower",
    "smaller": "lower",
    "min": "lower",
    "minimize": "lower",
    "minimise": "lower",
    "greater": "greater",
    "higher": "greater",
    "larger": "greater",
    "max": "greater",
    "maximize": "greater",
    "maximise": "greater",
}


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """Name, direction, unit and scale of one measure.

    Parameters
    ----------
    name : str
        The name used everywhere for this measure.
    direction : {"lower", "greater"}
        Which values are better.
    unit : str, default ""
        Unit of the values, for axes and tables: ``"s"``, ``"%"``, ``"MB"``; empty for a plain number.
    scale : {"linear", "log"}, optional
        The scale on which differences of this measure are best looked at.

    Examples
    --------
    >>> MeasureInfo("fit time", "lower", unit="s", scale="log")
    MeasureInfo(name='fit time', direction='lower', unit='s', scale='log')
    """

    name: str
    direction: Direction
    unit: str = ""
    scale: Scale | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "direction", parse_direction(self.direction))
        if self.scale is not None and self.scale not in get_args(Scale):
            raise InputError(f"`scale` must be 'linear', 'log' or None; got {self.scale!r}.")

    @property
    def sign(self) -> Literal[1, -1]:
        """The factor that turns values into costs: 1 where lower is better, -1 where greater is."""
        return 1 if self.direction == "lower" else -1

    def __str__(self) -> str:
        unit = f", {self.unit}" if self.unit else ""
        return f"{self.name} ({self.direction} is better{unit})"


def parse_direction(word: str) -> Direction:
    """Read a direction word, as users of other tools write it.

    >>> parse_direction("Maximize")
    'greater'
    """
    direction = DIRECTION_WORDS.get(str(word).strip().lower())
    if direction is None:
        raise DirectionError(f"`direction` must be 'lower' or 'greater' (which is better); got {word!r}.")
    return direction


# Conventional names only: a name that could mean either way ("score", "value") must be told.
# The unit is given where the name fixes it; accuracy, for one, may come as a share or in per cent.
_LOWER = [
    "misclassification",
    "misclassificationerror",
    "misclassificationrate",
    "error",
    "errorrate",
    "testerror",
    "generalizationerror",
    "classificationerror",
    "zerooneloss",
    "01loss",
    "loss",
    "hammingloss",
    "hingeloss",
    "balancederror",
    "balancederrorrate",
    "ber",
    "deviance",
    "logloss",
    "crossentropy",
    "negativeloglikelihood",
    "nll",
    "perplexity",
    "brier",
    "brierscore",
    "brierloss",
    "falsealarm",
    "falsealarmrate",
    "pf",
    "fpr",
    "falsepositiverate",
    "fnr",
    "falsenegativerate",
    "mse",
    "meansquarederror",
    "squarederror",
    "rmse",
    "rootmeansquarederror",
    "mae",
    "meanabsoluteerror",
    "absoluteerror",
    "medae",
    "medianabsoluteerror",
    "mape",
    "meanabsolutepercentageerror",
    "smape",
    "msle",
    "rmsle",
    "maxerror",
    "pinballloss",
    "rss",
    "expectedcalibrationerror",
    "ece",
    "regret",
    "rank",
    "averagerank",
]
_GREATER = [
    "accuracy",
    "acc",
    "balancedaccuracy",
    "top1",
    "top5",
    "top1accuracy",
    "top5accuracy",
    "topkaccuracy",
    "auc",
    "rocauc",
    "auroc",
    "aucroc",
    "prauc",
    "auprc",
    "averageprecision",
    "map",
    "precision",
    "recall",
    "sensitivity",
    "specificity",
    "tpr",
    "tnr",
    "pd",
    "truepositiverate",
    "truenegativerate",
    "npv",
    "ppv",
    "f1",
    "f1score",
    "fmeasure",
    "fscore",
    "fbeta",
    "f1macro",
    "f1micro",
    "f1weighted",
    "gmean",
    "gmeasure",
    "g",
    "mcc",
    "matthewscorrcoef",
    "kappa",
    "cohenkappa",
    "jaccard",
    "iou",
    "dice",
    "r2",
    "rsquared",
    "explainedvariance",
    "d2",
    "concordanceindex",
    "cindex",
    "ari",
    "adjustedrand",
    "adjustedrandindex",
    "adjustedrandscore",
    "rand",
    "randindex",
    "nmi",
    "mutualinformation",
    "adjustedmutualinfoscore",
    "normalizedmutualinfoscore",
    "vmeasure",
    "silhouette",
    "silhouettescore",
    "loglikelihood",
    "ndcg",
    "mrr",
    "bleu",
    "rouge",
    "hitrate",
    "winrate",
    "throughput",
]
_TIMES = [
    "fittime",
    "predicttime",
    "scoretime",
    "traintime",
    "trainingtime",
    "testtime",
    "testingtime",
    "inferencetime",
    "runtime",
    "time",
    "walltime",
    "cputime",
    "elapsed",
    "elapsedtime",
    "duration",
    "seconds",
    "secs",
    "latency",
]
_SECONDS = {"fittime", "predicttime", "scoretime", "seconds", "secs"}
_SPACES = [
    "memory",
    "peakmemory",
    "memoryusage",
    "space",
    "modelsize",
    "size",
    "bytes",
    "nparameters",
    "parameters",
    "flops",
]
_AVERAGING = ("macro", "micro", "weighted", "samples", "binary", "ovr", "ovo")


def known_measure(name: str) -> MeasureInfo | None:
    """Return what a conventional measure name implies, or None if the name implies nothing.

    Case, spaces and punctuation do not matter; scikit-learn's ``neg_`` scorers are turned round.

    >>> known_measure("Misclassification").direction
    'lower'
    >>> known_measure("neg_log_loss").direction
    'greater'
    >>> known_measure("score") is None
    True
    """
    if re.match(r"neg[_ -]", name, flags=re.IGNORECASE):
        base = known_measure(name[4:])
        if base is None:
            return None
        return MeasureInfo(name, "greater" if base.direction == "lower" else "lower", base.unit)
    key = re.sub(r"[^a-z0-9]", "", name.lower().replace("²", "2"))
    for suffix in _AVERAGING:
        if key not in _GREATER:
            key = key.removesuffix(suffix)
    if key in _LOWER:
        return MeasureInfo(name, "lower")
    if key in _GREATER:
        return MeasureInfo(name, "greater")
    if key in _TIMES:
        return MeasureInfo(name, "lower", unit="s" if key in _SECONDS else "", scale="log")
    if key in _SPACES:
        return MeasureInfo(name, "lower", scale="log")
    return None


def describe_measures(
    names: Iterable[str],
    *,
    direction: str | Mapping[str, str] | None = None,
    maximize: bool | Mapping[str, bool] | None = None,
    unit: str | Mapping[str, str] | None = None,
    scale: Scale | Mapping[str, Scale] | None = None,
    stored: Mapping[str, MeasureInfo] | None = None,
) -> tuple[MeasureInfo, ...]:
    """Collect what is known of each measure: from the arguments, from the file, from its name.

    Arguments win over what a file says, and a file wins over what a name implies.
    """
    names = tuple(names)
    if maximize is not None:
        if direction is not None:
            raise InputError("Give `direction` or `maximize`, not both.")
        direction = (
            {name: _direction_word(flag) for name, flag in maximize.items()}
            if isinstance(maximize, Mapping)
            else _direction_word(maximize)
        )
    told_direction = _per_measure(direction, names, "direction")
    told_unit = _per_measure(unit, names, "unit")
    told_scale = _per_measure(scale, names, "scale")
    infos, undirected = [], []
    for name in names:
        implied = (stored or {}).get(name) or known_measure(name)
        word = told_direction.get(name) or (implied.direction if implied else None)
        if word is None:
            undirected.append(name)
            continue
        infos.append(
            MeasureInfo(
                name,
                parse_direction(word),
                unit=told_unit.get(name, implied.unit if implied else ""),
                scale=cast("Scale | None", told_scale.get(name, implied.scale if implied else None)),
            )
        )
    if undirected:
        raise DirectionError(
            f"Whether lower or greater is better is unknown for {listing(undirected)}. "
            f"Say so: direction={{{undirected[0]!r}: 'lower'}} or direction={{{undirected[0]!r}: 'greater'}}."
        )
    return tuple(infos)


def _direction_word(maximize: bool) -> str:
    return "greater" if maximize else "lower"


def _per_measure(told: str | Mapping[str, str] | None, names: tuple[str, ...], argument: str) -> Mapping[str, str]:
    """Spread one word over all measures; a mapping must name measures that exist."""
    if told is None:
        return {}
    if isinstance(told, str):
        return dict.fromkeys(names, told)
    unknown = [name for name in told if name not in names]
    if unknown:
        raise LabelError(
            f"`{argument}` names the measure {listing(unknown)}, which is not in the table; "
            f"the measures there are {listing(names, most=12)}."
        )
    return told
