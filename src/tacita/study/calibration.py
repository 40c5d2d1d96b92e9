"""The application of Bergeat (2015): local suppression, or subsampling and calibration, and the further questions it ends with.

A survey like the paper's is made 3-anonymous in the paper's two ways, (a) local suppression with its costs and (b) leaving
out rare records and raking on its five cross-variables, and in the two ways of its last page: rare records get (c) the
keys of a close safe record or (d) synthetic keys, raked on the same margins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.progress import track
from tacita.data.microdata import Microdata
from tacita.data.samples.victimisation import KEYS, VICTIM, victimisation_survey
from tacita.mask.randomise.replace import Replace
from tacita.mask.reweight.calibrate import Calibrate
from tacita.mask.reweight.margins import margin_targets
from tacita.mask.reweight.subsample import Subsample
from tacita.mask.suppress.local_suppression import LocalSuppression
from tacita.numeric.statistics.weighted import (
    WeightedFit,
    weighted_least_squares,
    weighted_logistic,
    weighted_quantiles,
)
from tacita.risk.k_anonymity import KAnonymity
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study

__all__ = ["calibration"]


_K = 3
_NAMES = tuple(KEYS)
_COSTS = (70.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0)
_MARGINS = tuple((name, "victim") for name in ("gender", "age", "urban_unit", "qualification", "household_size"))
_COARSE = ("gender", "age", "couple")
"""What a synthetic record keeps of the rare one."""

_WAYS = ("a: local suppression", "b: subsampling and calibration", "c: close donors", "d: synthetic keys")

PAPER_DELETIONS = (0, 4, 9, 25, 493, 351, 2296)
PAPER_RATES: dict[str, dict[str, tuple[tuple[float, float, float], ...]]] = {
    "household_size": {
        "original": ((87.3, 9.7, 3.0), (84.4, 12.1, 3.5), (82.5, 12.3, 5.2), (77.9, 16.0, 6.1)),
        "a": ((88.3, 9.0, 2.7), (85.7, 11.1, 3.2), (82.4, 12.2, 5.4), (77.6, 14.6, 7.8)),
        "b": ((87.3, 9.7, 3.0), (84.4, 12.1, 3.5), (82.5, 12.3, 5.2), (77.9, 16.0, 6.1)),
    },
    "couple": {
        "original": ((85.6, 11.1, 3.3), (79.5, 14.2, 6.3)),
        "a": ((85.6, 11.2, 3.2), (79.3, 14.3, 6.4)),
        "b": ((84.9, 11.6, 3.5), (79.2, 14.5, 6.3)),
    },
}
"""The printed tables: non-victims, victims of one act and multi-victims, in percent."""
_TITLES = {"household_size": "household size", "couple": "lives in a couple"}


@dataclass(frozen=True, eq=False)
class _Round:
    """What one survey gave."""

    at_risk: float
    dropped: int
    left: tuple[float, ...]
    deletions: FloatArray
    margins: float
    rates: dict[str, FloatArray]
    """By column: (ways + 1, categories, classes) in percent, the original first."""
    utility: FloatArray
    """(ways, statistics): distance from the original."""


@study(
    "calibration",
    summary="A survey made 3-anonymous by local suppression, by subsampling and calibration, by donors and synthetic keys.",
    reference="Bergeat (2015), Microdata protection: a method that combines subsampling and calibration, section 3",
    replicates=5,
)
def calibration(options: StudyOptions) -> StudyResult:
    """Protect a fresh survey in every replicate in all ways, and compare the tables."""
    rounds = [_one(options.seed + r) for r in track(range(options.replicates), "Surveys")]
    tables = [_deletion_table(rounds), *(_rate_table(rounds, name) for name in PAPER_RATES), _utility_table(rounds)]
    notes = (
        f"Means over {options.replicates} made-up survey(s) of 12,901 respondents; they have the paper's keys, and their "
        "weights are calibrated so that its printed rates hold. How the keys hang together is a guess, so numbers of "
        "deletions and drifts are like the paper's in kind, not in size.",
        "(a) costs 70, 60, 50, 40, 30, 20, 10 as in the paper, missing keys as wildcards; rates are those of the records "
        "whose value is left. (b) raking on gender, age, urban unit, qualification and household size, each by "
        "victimisation. (c) keys of the nearest safe record by Gower's distance with the same costs, then raking. "
        f"(d) keys drawn from safe records with the same {', '.join(_COARSE)}, then raking.",
        "Coefficients are of weighted regressions on all keys, records with a missing key left out; distances are in "
        "standard errors of the original. D9/D1 is the ratio of the ninth to the first decile of spending.",
    )
    return StudyResult(tuple(_findings(rounds)), notes, tuple(tables))


def _one(seed: int) -> _Round:
    original = victimisation_survey(seed=seed)
    rule = KAnonymity(columns=_NAMES, k=_K)
    files = _protected(original, seed)
    rates = {name: np.stack([_rates(data, name) for data in (original, *files)]) for name in PAPER_RATES}
    truth = _statistics(original)
    return _Round(
        at_risk=float(rule.assess(original)),
        dropped=len(original) - len(files[1]),
        left=tuple(float(rule.assess(data)) for data in files),
        deletions=np.array([files[0].is_missing(name).sum() for name in _NAMES], dtype=np.float64),
        margins=max(_off_margins(original, data) for data in files[1:]),
        rates=rates,
        utility=np.stack([_distances(truth, _statistics(data)) for data in files]),
    )


def _protected(original: Microdata, seed: int) -> tuple[Microdata, ...]:
    """Return the survey made 3-anonymous in the four ways."""
    targets = tuple(target.as_plain() for target in margin_targets(original, _MARGINS))
    raked = Calibrate(targets=targets)
    donor = Replace(keys=_NAMES, k=_K, costs=_COSTS)
    synthetic = Replace(keys=_NAMES, k=_K, scheme="synthetic", given=_COARSE)
    return (
        LocalSuppression(columns=_NAMES, k=_K, costs=_COSTS).apply(original),
        Subsample(keys=_NAMES, k=_K, margins=_MARGINS, distance="raking").apply(original),
        raked.apply(donor.apply(original, seed=seed)),
        raked.apply(synthetic.apply(original, seed=seed)),
    )


def _off_margins(original: Microdata, data: Microdata) -> float:
    """Return the largest relative deviation of a calibrated cell, counted anew from the records."""
    wanted, got = ({(t.columns, t.labels): t.total for t in margin_targets(d, _MARGINS)} for d in (original, data))
    return max(abs(got.get(cell, 0.0) - total) / total for cell, total in wanted.items())


def _rates(data: Microdata, name: str) -> FloatArray:
    """Return the weighted shares of the three classes by a column, in percent; records without a value are left out."""
    codes, victim, weights = data.codes(name).values, data.codes("victim").values, data.weights()
    table = np.zeros((len(KEYS[name]), len(VICTIM)))
    there = codes >= 0
    np.add.at(table, (codes[there], victim[there]), weights[there])
    return np.asarray(100 * table / table.sum(axis=1, keepdims=True))


# --- sophisticated statistics ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _FittedModels:
    logistic: WeightedFit
    linear: WeightedFit
    ratios: FloatArray


def _statistics(data: Microdata) -> _FittedModels:
    """Fit victimisation and spending on all keys, and take the ratio of deciles of spending by household size."""
    codes = np.stack([data.codes(name).values for name in _NAMES], axis=-1)
    whole = (codes >= 0).all(axis=1)
    design = [np.ones((int(whole.sum()), 1))]
    design += [np.eye(len(KEYS[name]))[codes[whole, j], 1:] for j, name in enumerate(_NAMES)]
    x, weights = np.hstack(design), data.weights()
    victim, spending = data.codes("victim").values > 0, data.float("spending")
    size = codes[:, _NAMES.index("household_size")]
    ratios = []
    for chosen in (np.ones(len(data), bool), *(size == s for s in range(len(KEYS["household_size"])))):
        low, high = weighted_quantiles(spending[chosen], weights[chosen], np.array([0.1, 0.9]))
        ratios.append(high / low)
    return _FittedModels(
        weighted_logistic(x, victim[whole].astype(np.float64), weights[whole]),
        weighted_least_squares(x, np.log(spending[whole]), weights[whole]),
        np.array(ratios),
    )


_DISTANCES = (
    "logistic regression of victimisation: mean distance of coefficients",
    "linear regression of log spending: mean distance of coefficients",
    "D9/D1 of spending, all: deviation in percent",
    "D9/D1 of spending by household size: largest deviation in percent",
)


def _distances(truth: _FittedModels, found: _FittedModels) -> FloatArray:
    off = [
        np.abs(b.coefficients - a.coefficients) / a.errors
        for a, b in ((truth.logistic, found.logistic), (truth.linear, found.linear))
    ]
    ratio = 100 * np.abs(found.ratios / truth.ratios - 1)
    return np.array([off[0].mean(), off[1].mean(), ratio[0], ratio[1:].max()])


# --- what is shown -----------------------------------------------------------------------------------------------------


def _findings(rounds: Sequence[_Round]) -> list[StudyFinding]:
    def mean(value: Callable[[_Round], float]) -> float:
        return float(np.mean([value(one) for one in rounds]))

    at_risk, dropped = mean(lambda r: r.at_risk), mean(lambda r: float(r.dropped))
    left, off = max(max(r.left) for r in rounds), max(r.margins for r in rounds)
    deletions = mean(lambda r: float(r.deletions.sum()))
    found = [
        StudyFinding(
            "records that violate 3-anonymity", "original", (at_risk,), "23.5 %", "22 to 25 %", 22 <= at_risk <= 25, "%"
        ),
        StudyFinding("records that violate 3-anonymity", "a, b, c, d", (left,), "0", "0", left == 0, "%"),
        StudyFinding("values deleted", "a", (deletions,), "3178", unit="count"),
        StudyFinding("records left out", "b", (dropped,), "3033", unit="count"),
        StudyFinding(
            "largest relative deviation of a raked margin",
            "b, c, d, in 1e-9",
            (1e9 * off,),
            "",
            "at most 1",
            off <= 1e-9,
        ),
    ]
    for name in PAPER_RATES:
        for way, label in enumerate(("a", "b", "c", "d"), 1):
            found.append(_drift(rounds, name, way, label))
    return found


def _drift(rounds: Sequence[_Round], name: str, way: int, label: str) -> StudyFinding:
    """Return the largest drift of a rate from the original, in percentage points."""
    drift = float(np.mean([np.abs(r.rates[name][way] - r.rates[name][0]).max() for r in rounds]))
    paper, required, met = "", "", None
    if label in PAPER_RATES[name]:
        printed = np.array(PAPER_RATES[name][label]) - np.array(PAPER_RATES[name]["original"])
        paper = f"{np.abs(printed).max():.1f}"
    if name == "household_size":
        required, met = ("above 0.1", drift > 0.1) if label == "a" else ("0", drift < 1e-6)
    return StudyFinding(f"largest drift of a rate by {_TITLES[name]}, points", label, (drift,), paper, required, met)


def _deletion_table(rounds: Sequence[_Round]) -> StudyTable:
    ours = np.mean([r.deletions for r in rounds], axis=0)
    rows = [
        (name, f"{cost:g}", f"{mine:.0f}", str(theirs))
        for name, cost, mine, theirs in zip(_NAMES, _COSTS, ours.tolist(), PAPER_DELETIONS, strict=True)
    ]
    rows.append(("all", "", f"{ours.sum():.0f}", str(sum(PAPER_DELETIONS))))
    heads = ("quasi-identifier", "cost", "deletions", "paper")
    return StudyTable("Local suppression: deletions per variable", heads, tuple(rows), heads[1:])


def _rate_table(rounds: Sequence[_Round], name: str) -> StudyTable:
    """Return the victimisation rates beside those of the paper."""
    ours, printed = np.mean([r.rates[name] for r in rounds], axis=0), PAPER_RATES[name]
    heads = (_TITLES[name], "class", "original", "a", "b", "c", "d", "paper original", "paper a", "paper b")
    rows = [
        (
            category,
            word,
            *(f"{ours[way, i, j]:.1f}" for way in range(len(_WAYS) + 1)),
            *(f"{printed[which][i][j]:.1f}" for which in ("original", "a", "b")),
        )
        for i, category in enumerate(KEYS[name])
        for j, word in enumerate(VICTIM)
    ]
    return StudyTable(f"Victimisation rates by {_TITLES[name]}, percent", heads, tuple(rows), heads[2:])


def _utility_table(rounds: Sequence[_Round]) -> StudyTable:
    mean = np.mean([r.utility for r in rounds], axis=0)
    heads = ("statistic", *_WAYS)
    rows = [(words, *(f"{mean[way, s]:.2f}" for way in range(len(_WAYS)))) for s, words in enumerate(_DISTANCES)]
    return StudyTable("Sophisticated statistics: distance from the original", heads, tuple(rows), heads[1:])
