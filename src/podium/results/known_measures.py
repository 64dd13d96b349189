"""Measure names that bring their direction along."""

from __future__ import annotations

import re

from podium.results.measure_info import Direction, MeasureInfo, Scale

# Conventional names only: a name that could mean either ("score", "size") must be told.
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
_SECONDS = "fittime predicttime scoretime seconds secs"
_TIMES = """
    traintime trainingtime testtime testingtime inferencetime runtime time walltime cputime elapsed elapsedtime
    duration latency timetrain timepredict timeboth
"""
_SPACES = "memory peakmemory memoryusage space modelsize nparameters"

_KNOWN: dict[str, tuple[Direction, str, Scale | None]] = {
    **dict.fromkeys(_LOWER.split(), ("lower", "", None)),
    **dict.fromkeys(_GREATER.split(), ("greater", "", None)),
    **dict.fromkeys(_SECONDS.split(), ("lower", "s", "log")),
    **dict.fromkeys(_TIMES.split(), ("lower", "", "log")),
    **dict.fromkeys(_SPACES.split(), ("lower", "", "log")),
}
_SAMPLE = re.compile(r"(?:mean[_ ])?(?:test|val|valid|validation|train|cv|classif|regr)[_ .]", re.IGNORECASE)
_NEGATIVE = re.compile(r"neg[_ -]", re.IGNORECASE)
_UNIT = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]$")
_AVERAGING = ("macro", "micro", "weighted", "samples", "binary", "ovr", "ovo")


def known_measure(name: str) -> MeasureInfo | None:
    """Return what a conventional measure name implies, or None if the name implies nothing.

    Case, spaces and punctuation do not matter. A unit in brackets is taken as such, a prefix like ``test_`` or
    mlr3's ``classif.`` is looked through, and scikit-learn's ``neg_`` scorers are turned round.

    >>> known_measure("Misclassification").direction
    'lower'
    >>> known_measure("neg_log_loss").direction
    'greater'
    >>> known_measure("training time [ms]")
    MeasureInfo(name='training time [ms]', direction='lower', unit='ms', scale='log')
    >>> known_measure("score") is None
    True
    """
    bare = name.strip()
    told_unit = _UNIT.search(bare)
    if told_unit:
        bare = bare[: told_unit.start()]
    found = _KNOWN.get(_key(bare))
    if found is None:
        bare = _SAMPLE.sub("", bare, count=1) if _SAMPLE.match(bare) else bare
        negative = _NEGATIVE.match(bare)
        if negative:
            bare = bare[negative.end() :]
        key = _key(bare)
        for word in _AVERAGING:
            key = key.removesuffix(word)
        found = _KNOWN.get(key)
        if found is None:
            return None
        if negative:
            found = ("greater" if found[0] == "lower" else "lower", found[1], None)
    direction, unit, scale = found
    return MeasureInfo(name, direction, unit=told_unit[1].strip() if told_unit else unit, scale=scale)


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("²", "2"))
