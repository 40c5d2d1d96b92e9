"""Differences of fits: two regressions over sets that differ by one respondent give his response back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.regression.knowledge import AskedModels, RegressionTarget, dummies_of
from tacita.attack.regression.question import ModelQuestion, variable
from tacita.attack.regression.replies import declined_models, model_claims, seconds_for, worded_claims
from tacita.attack.regression.wording import AskedServer, VictimWords, universe_without
from tacita.attack.targets import ServerTarget
from tacita.core.arrays import FloatArray
from tacita.core.traits import AttackTraits

__all__ = ["FitDifference", "gram_of"]


@dataclass(frozen=True, kw_only=True)
class FitDifference(Attacker):
    """Learn a number from two regressions, one with the victim and one without.

    A regression prints enough to know ``G = X'X`` and ``X'y = G b``. Over two sets that differ by one respondent, both differ
    by his products: ``G - G' = x x'``, which has rank one, and ``G b - G' b' = x y``, whose first entry is y. Neither set is
    small, and no respondent has much leverage.

    Against a server with published variables, the sets are a universe and the same universe less the victim's cell, worded
    as a union of pieces.

    Parameters
    ----------
    changes_predictor
        Whether the second regression has another predictor than the first, so that the two are not alike: the sum of the
        responses follows from either.

    Complexity
    ----------
    One question for each set of victims of whom the same is known, and one more: O(n) each.

    Notes
    -----
    ``G`` is read from what every regression prints: n, the residual variance and the standard errors. Of the two signs of the
    predictor's mean that of a size is taken.

    References
    ----------
    Gomatam, S., Karr, A. F., Reiter, J. P. and Sanil, A. P. (2005), Data dissemination and disclosure limitation in a world
    without microdata, Statistical Science 20, 163-177.

    Examples
    --------
    >>> from tacita.attack.judge.stage_regression import stage_regression
    >>> firms = {"size": np.array([3.0, 8.0, 8.0, 40.0, 900.0]), "turnover": np.array([5.0, 9.0, 11.0, 60.0, 4000.0])}
    >>> target, truth = stage_regression(firms, wanted="turnover", known=["size"])
    >>> claims = FitDifference().run(target, np.random.default_rng(1))[0]
    >>> claims.said.round(4).tolist(), claims.is_sure.tolist()
    ([5.0, 10.0, 10.0, 60.0, 4000.0], [True, False, False, True, True])
    """

    name = "fit_difference"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="values that single each victim out, exactly or nearly",
        breaks="remote access that looks at each model alone, with all figures printed",
        held_by="least differences of universes, records dropped at random, few figures",
    )

    changes_predictor: bool = True

    def declined(self, target: Any) -> str:
        if isinstance(target, RegressionTarget) and not _measured(target):
            return "No number is known of the victims, which a regression could be on."
        return declined_models(target)

    def cost(self, target: Any) -> float:
        return seconds_for(target, questions=1.0 if isinstance(target, RegressionTarget) else 4.0)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        if isinstance(target, ServerTarget):
            learned = "Regressions over a universe and the same without the victim's cell were differenced."
            return (worded_claims(target, self._worded, learned),)
        asked = AskedModels(target.fit)
        name = _measured(target)[0]
        whole = asked.ask(ModelQuestion(target.wanted, (variable(name),)))

        def told(victim: int) -> tuple[float, bool]:
            less = (
                None
                if whole is None
                else asked.ask(ModelQuestion(target.wanted, (variable(name),), without=dummies_of(target, victim)))
            )
            return (math.nan, False) if whole is None or less is None else _differenced(whole, less)

        said, sure = asked.for_each(target, told)
        learned = "Two regressions over sets that differ by the victim gave his response."
        return (model_claims(target, asked, said, sure, learned),)

    def _worded(self, asked: AskedServer, wanted: str, words: VictimWords) -> tuple[float, bool]:
        """Ask within each class of the victim, then among everybody; return what the smallest set tells."""
        first = words.measured[:1]
        second = words.measured[1:2] if self.changes_predictor and len(words.measured) > 1 else first
        found = []
        for where in [*({name: [words.classes[name]]} for name in words.named), {}]:
            if not first or not set(words.classes) - set(where):
                continue
            whole = asked.model(wanted, first, where)
            if whole is None:
                continue
            less = asked.model(wanted, second, universe_without(where, words.cell(), words.others))
            if less is None:
                continue
            (total, count), (rest, left) = whole.total(), less.total()
            if math.isfinite(total - rest) and count > left:
                found.append((count, (total - rest) / (count - left), count - left == 1))
        return min(found)[1:] if found else (math.nan, False)


def gram_of(answer: Mapping[str, Any]) -> FloatArray:
    """Return X'X of a regression on one variable, from n, the residual variance and the standard errors.

    Examples
    --------
    >>> gram_of({"n": 2, "variance": 1.0, "errors": [np.sqrt(2.5), np.sqrt(0.5)]}).round(9).tolist()
    [[2.0, 4.0], [4.0, 10.0]]
    """
    n, variance = float(answer["n"]), float(answer["variance"])
    constant, slope = (float(error) ** 2 for error in answer["errors"])
    if not variance > 0 or not slope > 0:
        return np.full((2, 2), np.nan)
    spread = variance / slope
    middle = math.sqrt(max((constant / variance - 1 / n) * spread, 0.0))
    return np.array([[n, n * middle], [n * middle, spread + n * middle**2]])


def _differenced(whole: Mapping[str, Any], less: Mapping[str, Any]) -> tuple[float, bool]:
    """Return the mean response of those who are in one set only, and whether this is one respondent: rank one."""
    gram, rest = gram_of(whole), gram_of(less)
    gone = gram - rest
    sums = gram @ np.asarray(whole["coefficients"]) - rest @ np.asarray(less["coefficients"])
    if not gone[0, 0] > 0 or not np.isfinite(sums[0]):
        return math.nan, False
    is_one = abs(gone[0, 0] - 1) < 1e-6 and abs(np.linalg.det(gone)) <= 1e-3 * max(abs(gone[1, 1]), 1.0)
    return float(sums[0] / gone[0, 0]), bool(is_one)


def _measured(target: RegressionTarget) -> tuple[str, ...]:
    return tuple(name for name, values in target.known.items() if values.dtype.kind in "if")
