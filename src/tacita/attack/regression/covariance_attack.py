"""The covariance attack: the covariance of coefficients gives counts and sums back, of any set that a dummy can be made for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.regression.knowledge import AskedModels, RegressionTarget, cover_of, dummies_of
from tacita.attack.regression.question import MadeColumn, ModelQuestion, either_of
from tacita.attack.regression.replies import declined_models, model_claims, seconds_for, worded_claims
from tacita.attack.regression.wording import AskedServer, VictimWords
from tacita.attack.targets import ServerTarget
from tacita.core.traits import AttackTraits

__all__ = ["CovarianceAttack", "class_sums"]


@dataclass(frozen=True, kw_only=True)
class CovarianceAttack(Attacker):
    """Learn a number from the covariances of coefficients of two regressions, each on a dummy of many respondents.

    The covariance matrix V of the coefficients and the residual variance s2 give ``X'X = s2 V^-1``, and with the coefficients b
    the sums ``X'y = X'X b``. For an intercept and a dummy these are n, the number of ones, the sum of all responses and the sum
    over the ones. Two dummies that differ by the victim only, each with many ones, differ by his response. Both models are over
    all records and no respondent has much leverage.

    Against a server with published variables, the sums of one class are read from two regressions on its variable, one over
    all classes of a second variable and one without the victim's: these universes differ by many, the sums of
    his class by him alone.

    Complexity
    ----------
    One question for each set of victims of whom the same is known, and two more: O(n) each.

    Notes
    -----
    Where the covariance is not told, the standard errors of the two coefficients do as well.

    References
    ----------
    Gomatam, S., Karr, A. F., Reiter, J. P. and Sanil, A. P. (2005), Data dissemination and disclosure limitation in a world
    without microdata, Statistical Science 20, 163-177.

    Examples
    --------
    >>> from tacita.attack.judge.stage_regression import stage_regression
    >>> firms = {"size": np.array([3.0, 8.0, 8.0, 40.0, 900.0]), "turnover": np.array([5.0, 9.0, 11.0, 60.0, 4000.0])}
    >>> target, truth = stage_regression(firms, wanted="turnover", known=["size"])
    >>> claims = CovarianceAttack().run(target, np.random.default_rng(1))[0]
    >>> claims.said[3:].round(4).tolist(), claims.is_sure[3:].tolist()
    ([60.0, 4000.0], [True, True])
    """

    name = "covariance_attack"
    title = "Covariances of coefficients"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="values that single each victim out, exactly or nearly",
        breaks="remote access that limits leverage and wants many ones in each dummy",
        held_by="a list of approved columns, records dropped at random, few figures",
    )

    def declined(self, target: Any) -> str:
        if isinstance(target, RegressionTarget) and not any(v.dtype.kind in "if" for v in target.known.values()):
            return "No number is known of the victims, which a dummy of many could be made of."
        return declined_models(target)

    def cost(self, target: Any) -> float:
        return seconds_for(target, questions=1.0 if isinstance(target, RegressionTarget) else 4.0)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        if isinstance(target, ServerTarget):
            learned = "Sums of a class were read from the errors of coefficients, with and without another class of the victim."
            lacking = ("dummies of the user's making that differ by one record",)
            return (worded_claims(target, _worded, learned, lacking),)
        asked = AskedModels(target.fit)
        covers: dict[MadeColumn, tuple[float, float]] = {}

        def told(victim: int) -> tuple[float, bool]:
            cover = cover_of(target, victim)
            if cover is None:
                return math.nan, False
            if cover not in covers:
                covers[cover] = _asked(asked, target.wanted, cover)
            total, ones = _asked(asked, target.wanted, either_of(dummies_of(target, victim), cover))
            more = ones - covers[cover][1]
            if not more > 0.5:
                return math.nan, False
            return (total - covers[cover][0]) / more, abs(more - 1) < 0.1

        said, sure = asked.for_each(target, told)
        learned = "The covariances of coefficients of two models gave sums that differ by the victim's response."
        return (model_claims(target, asked, said, sure, learned),)


def _asked(asked: AskedModels, wanted: str, dummy: MadeColumn) -> tuple[float, float]:
    answer = asked.ask(ModelQuestion(wanted, (dummy,), tells=("covariance",)))
    if answer is None and "not_told" in asked.refused:
        answer = asked.ask(ModelQuestion(wanted, (dummy,)))
    return (math.nan, math.nan) if answer is None else class_sums(answer)


def class_sums(answer: Mapping[str, Any]) -> tuple[float, float]:
    """Return the sum of the responses where a dummy is 1, and the number of its ones, from a regression on it alone.

    Examples
    --------
    >>> found = class_sums({"n": 4, "variance": 2.0, "errors": [1.0, 2**0.5], "coefficients": [3.0, 2.0]})
    >>> round(found[0], 9), round(found[1], 9)
    (10.0, 2.0)
    """
    variance = float(answer["variance"])
    if not variance > 0:
        return math.nan, math.nan
    if "covariance" in answer:
        gram = variance * np.linalg.inv(np.asarray(answer["covariance"], np.float64))
        sums = gram @ np.asarray(answer["coefficients"], np.float64)
        return float(sums[1]), float(gram[0, 1])
    constant, slope = (float(error) ** 2 / variance for error in answer["errors"])
    ones = 1 / (slope - constant) if slope > constant else math.nan
    return ones * float(np.sum(answer["coefficients"])), ones


def _worded(asked: AskedServer, wanted: str, words: VictimWords) -> tuple[float, bool]:
    """Difference the sums of the victim's class over all classes of a second variable and over all but his."""
    for name in words.named:
        for other in (n for n in words.classes if n != name):
            where = words.cell(name, other)
            models = [
                asked.model(wanted, [name], w)
                for w in (where, {**where, other: words.others[other]})
                if words.others[other]
            ]
            if len(models) < 2 or models[0] is None or models[1] is None:
                continue
            total, count = models[0].class_total(name, words.classes[name])
            rest, left = models[1].class_total(name, words.classes[name])
            if math.isfinite(total - rest) and count > left:
                return (total - rest) / (count - left), count - left == 1
    return math.nan, False
