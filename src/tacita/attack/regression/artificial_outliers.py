"""Artificial outliers: a column that is huge for one respondent makes the fitted value his own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.regression.knowledge import AskedModels, RegressionTarget, exactly
from tacita.attack.regression.question import ModelQuestion, far_out, variable
from tacita.attack.regression.replies import declined_models, model_claims, seconds_for
from tacita.attack.regression.wording import AskedServer, victim_words
from tacita.attack.targets import ServerTarget
from tacita.core.constraints import Interval
from tacita.core.traits import AttackTraits

__all__ = ["ArtificialOutliers"]


@dataclass(frozen=True, kw_only=True)
class ArtificialOutliers(Attacker):
    """Learn a number by a regression on 1 / (distance to the victim + eps).

    The column ``z = 1 / (|x - x0| + eps)``, (1), is ``1 / eps`` for the victim and small for all others, so that he has nearly
    all leverage: the fitted value at ``1 / eps`` tends to his own response as eps goes to 0. Of several variables x is the
    distance of the pair: each further variable that differs adds one. Where q respondents share what is known, the fitted value
    tends to the mean of their responses.

    Against a server that has no columns of the user's making, the nearest wording is asked: a number and its square, within
    the victim's bin.

    Parameters
    ----------
    eps
        The smaller, the nearer the fitted value comes.
    confirms
        Whether it is asked how many respondents have the largest z; only one that is alone is claimed for sure.

    Complexity
    ----------
    One or two questions for each set of victims of whom the same is known: O(n) each for the server.

    Notes
    -----
    The paper interacts variables by their product, which is not unique whenever the pair is; here the pair is coded. Its
    ``Delta`` of the unique is not zero for the same reason, and because eps is not zero.

    References
    ----------
    Bleninger, P., Drechsler, J. and Ronning, G. (2011), Remote data access and the risk of disclosure from linear regression,
    SORT special issue: Privacy in statistical databases, section 2.1 and appendix A.1.

    Examples
    --------
    >>> from tacita.attack.judge.stage_regression import stage_regression
    >>> people = {"age": np.array([20.0, 31.0, 47.0, 80.0]), "income": np.array([900.0, 2000.0, 3100.0, 1700.0])}
    >>> target, truth = stage_regression(people, wanted="income", known=["age"])
    >>> claims = [ArtificialOutliers(eps=eps).run(target, np.random.default_rng(1))[0] for eps in (1.0, 1e-6)]
    >>> [round(float(one.said[3])) for one in claims]
    [1715, 1700]
    """

    name = "artificial_outliers"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="exact values of some variables of each victim",
        breaks="remote access that fits any column of the user's making",
        held_by="a list of approved transformations, or a limit on leverage",
    )

    eps: Annotated[float, Interval(0, closed="neither")] = 1e-4
    confirms: bool = True

    def declined(self, target: Any) -> str:
        if isinstance(target, RegressionTarget) and not target.numbers:
            return "No number is known exactly of the victims."
        return declined_models(target)

    def cost(self, target: Any) -> float:
        return seconds_for(target, questions=2.0)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        if isinstance(target, ServerTarget):
            return (_in_words(target),)
        asked = AskedModels(target.fit)
        said, sure = asked.for_each(target, lambda victim: self._told(target, asked, victim))
        return (
            model_claims(
                target, asked, said, sure, "The fitted value at an artificial outlier is the response of the victim."
            ),
        )

    def _told(self, target: RegressionTarget, asked: AskedModels, victim: int) -> tuple[float, bool]:
        first = target.numbers[0]
        others = [exactly(target, name, victim) for name in target.picks if name not in (first, *target.reach)]
        z = far_out(first, float(target.known[first][victim]), self.eps, *others)
        regressors = (z, *(variable(name) for name in target.further))
        at = (1 / self.eps, *(float(target.known[name][victim]) for name in target.further))
        answer = asked.ask(ModelQuestion(target.wanted, regressors, at, tells=("maximum",) if self.confirms else ()))
        if answer is None and self.confirms and "not_told" in asked.refused:
            answer = asked.ask(ModelQuestion(target.wanted, regressors, at))
        if answer is None:
            return float("nan"), False
        return float(answer["fitted"]), answer.get("maximum") == 1


def _in_words(target: ServerTarget) -> Claims:
    """Ask for a number and its square within the victim's bin: the most leverage that approved words give to one record."""
    asked = AskedServer(target.ask, target.most_queries)
    said = np.full(target.victims, np.nan)
    for victim in range(target.victims):
        words = victim_words(target, victim)
        for name in (n for n in words.measured if n in words.numbers):
            where = {name: [words.classes[name]]} if name in words.classes else {}
            model = asked.model(target.wanted, [name, {"variable": name, "transform": "square"}], where)
            if model is not None:
                said[victim] = model.at(words)
                break
    learned = "A number and its square within the victim's bin were asked for; the fitted value was taken for his."
    return model_claims(target, asked, said, None, learned, ("a column 1 / (|x - x0| + eps)",))
