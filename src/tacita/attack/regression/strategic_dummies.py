"""Strategic dummies: a column that is 1 for one respondent only makes the fitted value his own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.regression.knowledge import AskedModels, RegressionTarget, dummies_of
from tacita.attack.regression.question import ModelQuestion, variable
from tacita.attack.regression.replies import declined_models, model_claims, seconds_for, worded_claims
from tacita.attack.regression.wording import AskedServer, VictimWords
from tacita.attack.targets import ServerTarget
from tacita.core.traits import AttackTraits

__all__ = ["StrategicDummies", "ones_by"]

Confirm = Literal["mean", "variance", "error", "residual", "none"]
_TELLS: dict[Confirm, tuple[str, ...]] = {"mean": ("moments",), "variance": ("moments",), "residual": ("zeros",)}


@dataclass(frozen=True, kw_only=True)
class StrategicDummies(Attacker):
    """Learn a number by a regression on a dummy that is 1 for the victim only.

    Each variable that is known exactly makes a dummy ``x = x0``, (2); one that is known nearly makes ``x - g < x0 < x + g``,
    (3), or ``(1 - d) x < x0 < (1 + d) x``; the product of all is 1 for whoever fits everything, (4). Where this is the victim
    alone, the fitted value is his response, whatever else stands in the model; where q respondents fit it is the mean of theirs.

    Against a server that has no columns of the user's making, three wordings are asked: the victim's cell as universe; a
    variable with classes in the universe of everything else that is known; an interaction of two such variables beside a number.

    Parameters
    ----------
    confirm
        How he finds out that the victim is alone: by the ``mean`` of the dummy, 1 / n; by its ``variance``, 1 / n - 1 / n^2; by
        the standard ``error`` of its coefficient, s sqrt(n / (q (n - q))) for q ones; by a ``residual`` that is zero; ``none``.

    Complexity
    ----------
    One question for each set of victims of whom the same is known: O(n) each for the server.

    Notes
    -----
    The paper prints 1 / n + 1 / n^2 for the variance. That the standard error tells the same is not in the paper: a server
    that hides means and variances of dummies prints it with every regression.

    References
    ----------
    Bleninger, P., Drechsler, J. and Ronning, G. (2011), Remote data access and the risk of disclosure from linear regression,
    SORT special issue: Privacy in statistical databases, sections 2.2 and 4.2, appendix A.2.

    Examples
    --------
    >>> from tacita.attack.judge.stage_regression import stage_regression
    >>> firms = {"size": np.array([3.0, 8.0, 8.0, 40.0, 900.0]), "turnover": np.array([5.0, 9.0, 11.0, 60.0, 4000.0])}
    >>> target, truth = stage_regression(firms, wanted="turnover", known=["size"])
    >>> claims = StrategicDummies().run(target, np.random.default_rng(1))[0]
    >>> claims.said.round(6).tolist(), claims.is_sure.tolist()
    ([5.0, 10.0, 10.0, 60.0, 4000.0], [True, False, False, True, True])
    """

    name = "strategic_dummies"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="exact or approximate values of some variables of each victim",
        breaks="remote access that fits any column of the user's making",
        held_by="a least number of ones of a dummy, sparse classes absorbed, least sizes of universes",
    )

    confirm: Confirm = "mean"

    def declined(self, target: Any) -> str:
        return declined_models(target)

    def cost(self, target: Any) -> float:
        return seconds_for(target, questions=1.0 if isinstance(target, RegressionTarget) else 3.0)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        if isinstance(target, ServerTarget):
            learned = "A universe, a class or an interaction that singles the victim out gave the mean of his cell."
            return (worded_claims(target, _worded, learned, ("a dummy of the user's making",)),)
        asked = AskedModels(target.fit)
        said, sure = asked.for_each(target, lambda victim: self._told(target, asked, victim))
        return (
            model_claims(target, asked, said, sure, "The fitted value at a dummy of one respondent is his response."),
        )

    def _told(self, target: RegressionTarget, asked: AskedModels, victim: int) -> tuple[float, bool]:
        regressors = (dummies_of(target, victim), *(variable(name) for name in target.further))
        at = (1.0, *(float(target.known[name][victim]) for name in target.further))
        answer = asked.ask(ModelQuestion(target.wanted, regressors, at, tells=_TELLS.get(self.confirm, ())))
        if answer is None and "not_told" in asked.refused:
            answer = asked.ask(ModelQuestion(target.wanted, regressors, at))
        if answer is None:
            return float("nan"), False
        return float(answer["fitted"]), self._is_alone(answer)

    def _is_alone(self, answer: Mapping[str, Any]) -> bool:
        if self.confirm == "residual":
            return bool(answer.get("zeros", 0) >= 1)
        return self.confirm != "none" and abs(ones_by(answer, self.confirm) - 1) < 0.1


def ones_by(answer: Mapping[str, Any], confirm: str) -> float:
    """Return how many ones a dummy has, from what a server prints; NaN where it does not print enough.

    The mean of q ones among n is q / n; the variance q / n - (q / n)^2 and the squared error s2 n / (q (n - q)) both give q (n
    - q), of which the smaller solution is taken.

    Examples
    --------
    >>> round(ones_by({"n": 50, "variances": [1 / 50 - 1 / 50**2]}, "variance"), 9)
    1.0
    """
    n = float(answer["n"])
    if confirm == "mean":
        return n * float(answer["means"][0]) if "means" in answer else float("nan")
    if confirm == "variance":
        product = n * n * float(answer["variances"][0]) if "variances" in answer else float("nan")
    else:
        error = float(answer["errors"][1])
        product = n * float(answer["variance"]) / error**2 if error > 0 else float("nan")
    inside = n * n - 4 * product
    return float(n - np.sqrt(inside)) / 2 if inside >= 0 else float("nan")


def _worded(asked: AskedServer, wanted: str, words: VictimWords) -> tuple[float, bool]:
    """Ask for the victim's cell as a universe, as a class, and as an interaction; return the first that is answered."""
    for number in words.measured[:1]:
        model = asked.model(wanted, [number], words.cell())
        if model is not None:
            total, count = model.total()
            value = total / count if np.isfinite(total) and count > 0 else model.at(words)
            return value, count == 1
    for name in words.named:
        model = asked.model(wanted, [name], words.cell(name))
        if model is not None and any(f"{name}[{words.classes[name]}]" == label for label in model.estimates):
            return model.at(words), model.class_total(name, words.classes[name])[1] == 1
    known = [name for name in words.measured if name in words.numbers]
    if len(words.named) > 1 and known:
        pair = list(words.named[:2])
        label = ":".join(f"{name}[{words.classes[name]}]" for name in pair)
        model = asked.model(wanted, [*pair, known[0]], words.cell(*pair, known[0]), [pair])
        if model is not None and label in model.estimates:
            return model.at(words), False
    return float("nan"), False
