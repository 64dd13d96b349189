"""Conventional names of measures, which imply a direction."""

from __future__ import annotations

import dataclasses
import re
from math import inf
from typing import Any

from podium.results.measure_info import Direction, MeasureInfo, Scale

# Conventional names only: a name that could mean either ("score", "size") implies no direction.
_LOWER = """
    misclassification misclassificationerror misclassificationrate error errorrate testerror generalizationerror
    classificationerror zerooneloss 01loss loss hammingloss hingeloss balancederror balancederrorrate ber ce
    deviance logloss crossentropy negativeloglikelihood nll perplexity brier brierscore brierloss bbrier
    falsealarm falsealarmrate pf fpr falsepositiverate fnr falsenegativerate
    mse meansquarederror squarederror rmse rootmeansquarederror mae meanabsoluteerror absoluteerror medae
    medianabsoluteerror mape meanabsolutepercentageerror smape msle rmsle maxerror pinballloss rss
    expectedcalibrationerror ece regret rank averagerank meanrank
"""
_GREATER = """
    accuracy acc predictiveaccuracy balancedaccuracy bacc balacc top1 top5 top1accuracy top5accuracy topkaccuracy
    auc rocauc auroc aucroc areaunderroccurve prauc auprc averageprecision map
    precision recall sensitivity specificity tpr tnr pd truepositiverate truenegativerate npv ppv
    f1 f1score fmeasure fscore fbeta gmean gmeasure mcc matthewscorrcoef kappa cohenkappa jaccard iou dice
    r2 rsq rsquared explainedvariance concordanceindex cindex
    ari adjustedrand adjustedrandindex adjustedrandscore randindex nmi mutualinformation adjustedmutualinfoscore
    normalizedmutualinfoscore vmeasure silhouette silhouettescore loglikelihood
    ndcg mrr bleu rouge hitrate winrate throughput
"""
# Measures that lie between 0 and 1 (or are percentages), and others with limits; only where all definitions agree.
_SHARES = """
    misclassification misclassificationerror misclassificationrate errorrate classificationerror zerooneloss 01loss
    hammingloss balancederrorrate ber falsealarm falsealarmrate pf fpr falsepositiverate fnr falsenegativerate
    expectedcalibrationerror ece
    accuracy acc predictiveaccuracy balancedaccuracy bacc balacc top1 top5 top1accuracy top5accuracy topkaccuracy
    auc rocauc auroc aucroc areaunderroccurve prauc auprc averageprecision
    precision recall sensitivity specificity tpr tnr pd truepositiverate truenegativerate npv ppv
    f1 f1score fmeasure fscore fbeta gmean jaccard iou dice concordanceindex cindex randindex nmi vmeasure
    normalizedmutualinfoscore ndcg mrr hitrate winrate
"""
_CORRELATIONS = "mcc matthewscorrcoef kappa cohenkappa ari adjustedrand adjustedrandindex adjustedrandscore silhouette"
_LIMITS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(_SHARES.split(), (0.0, 1.0)),
    **dict.fromkeys(_CORRELATIONS.split(), (-1.0, 1.0)),
    **dict.fromkeys(("r2", "rsq", "rsquared", "explainedvariance"), (-inf, 1.0)),
}
# Measures in the units of the response, or their square, which data sets do not share.
_OF_RESPONSE = """
    mse meansquarederror squarederror rmse rootmeansquarederror mae meanabsoluteerror absoluteerror medae
    medianabsoluteerror maxerror pinballloss rss
"""
_SECONDS = "fittime predicttime scoretime seconds secs"
_TIMES = """
    traintime trainingtime testtime testingtime inferencetime runtime time walltime cputime elapsed elapsedtime
    duration latency timetrain timepredict timeboth
"""
_SPACES = "memory peakmemory memoryusage space modelsize nparameters"

_KNOWN: dict[str, tuple[Direction, str, Scale | None]] = {
    **dict.fromkeys(_LOWER.split(), ("lower", "", None)),
    **dict.fromkeys(_GREATER.split(), ("higher", "", None)),
    **dict.fromkeys(_SECONDS.split(), ("lower", "s", "log")),
    **dict.fromkeys(_TIMES.split(), ("lower", "", "log")),
    **dict.fromkeys(_SPACES.split(), ("lower", "", "log")),
}
_SAMPLE = re.compile(r"(?:mean[_ ])?(?:test|val|valid|validation|train|cv|classif|regr)[_ .]", re.IGNORECASE)
_NEGATIVE = re.compile(r"neg[_ -]|[-\u2212\u2013]\s*(?=[a-z0-9])", re.IGNORECASE)  # also a minus sign and a dash
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]$")
_AVERAGING = ("macro", "micro", "weighted", "samples", "binary", "ovr", "ovo")
# Only these count as units: other words in brackets may turn the measure into another one, such as "(std)".
_UNITS = """
    % percent pct s sec secs second seconds ms msec msecs millisecond milliseconds us \u00b5s \u03bcs microsecond
    microseconds ns nanosecond nanoseconds min mins minute minutes h hr hrs hour hours d day days
    b byte bytes kb mb gb tb kib mib gib tib 1/s samples/s images/s tokens/s
"""
# Punctuation that joins the words of a name; any other symbol may change what the name means.
_JOINED = re.compile(r"[a-z0-9_][a-z0-9_\s.^/'-]*%?")


def known_measure(name: str) -> MeasureInfo | None:
    """Return what a conventional measure name implies, or None if the name implies nothing.

    Case, spaces and the punctuation between words do not matter. Units in brackets are taken as such, and a prefix
    like ``test_`` or mlr3's ``classif.`` is ignored. A minus sign, or ``neg_`` as in scikit-learn's scorers, reverses
    the direction. Other words in brackets and other symbols imply nothing: the spread of an accuracy is not an
    accuracy.

    >>> known_measure("Misclassification").direction
    'lower'
    >>> known_measure("neg_log_loss").direction, known_measure("-RMSE").direction
    ('higher', 'higher')
    >>> known_measure("training time [ms]")
    MeasureInfo(name='training time [ms]', direction='lower', units='ms', scale='log')
    >>> known_measure("score") is None, known_measure("accuracy (std)") is None
    (True, True)
    """
    bare = name.strip()
    brackets = _BRACKETS.search(bare)
    given = brackets[1].strip() if brackets else ""
    if brackets:
        if given.lower() not in _UNITS.split():
            return None
        bare = bare[: brackets.start()]
    key, negative = _look_up(bare)
    if key not in _KNOWN:
        return None
    direction, units, scale = _KNOWN[key]
    if negative:
        direction, scale = "higher" if direction == "lower" else "lower", None
    return MeasureInfo(name, direction, units=given or units, scale=scale)


def known_facts(name: str) -> dict[str, Any]:
    """Return direction, units and scale that a name implies; empty if it implies nothing."""
    info = known_measure(name)
    return {} if info is None else dataclasses.asdict(info)


def known_time(name: str) -> bool:
    """Whether a name implies a time.

    >>> known_time("Training time [ms]"), known_time("memory")
    (True, False)
    """
    return _look_up(_BRACKETS.sub("", name.strip()))[0] in (*_SECONDS.split(), *_TIMES.split())


def in_units_of_response(info: MeasureInfo) -> bool:
    """Whether the name of a measure implies the units of the response, which differ between data sets.

    It does not where the units are given.

    >>> in_units_of_response(MeasureInfo("RMSE", "lower")), in_units_of_response(MeasureInfo("RMSE", "lower", "m"))
    (True, False)
    """
    return not info.units and _look_up(_BRACKETS.sub("", info.name.strip()))[0] in _OF_RESPONSE.split()


def known_limits(name: str) -> tuple[float, float] | None:
    """Return the limits of a measure that its name implies, or None; as fractions, whatever its units.

    >>> known_limits("test_accuracy"), known_limits("Cohen kappa"), known_limits("error")
    ((0.0, 1.0), (-1.0, 1.0), None)
    """
    key, negative = _look_up(_BRACKETS.sub("", name.strip()))
    limits = _LIMITS.get(key)
    if limits is None or known_measure(name) is None:
        return None
    return (-limits[1], -limits[0]) if negative else limits


def _look_up(bare: str, negative: bool = False) -> tuple[str, bool]:
    """Look a name up as it stands, then without its prefix and suffix: its key, and whether it is the negative."""
    key = _key(bare)
    if key in _KNOWN:
        return key, negative
    minus = _NEGATIVE.match(bare)
    if minus:
        return _look_up(bare[minus.end() :], not negative)
    sample = _SAMPLE.match(bare)
    if sample:
        return _look_up(bare[sample.end() :], negative)
    for word in _AVERAGING:
        key = key.removesuffix(word)
    return key, negative


def _key(name: str) -> str:
    """Return the letters and digits of a name; nothing if it has symbols that do more than join words."""
    plain = name.lower().replace("\u00b2", "2")
    return re.sub(r"[^a-z0-9]", "", plain) if _JOINED.fullmatch(plain) else ""
