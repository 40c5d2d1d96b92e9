"""Saturated models: a dummy for every combination of classes is the table of means, small cells included."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.regression.knowledge import AskedModels, RegressionTarget
from tacita.attack.regression.question import ModelQuestion, any_class
from tacita.attack.regression.replies import declined_models, model_claims, seconds_for
from tacita.attack.regression.wording import AskedServer, victim_words
from tacita.attack.targets import ServerTarget
from tacita.core.traits import AttackTraits

__all__ = ["SaturatedModel"]


@dataclass(frozen=True, kw_only=True)
class SaturatedModel(Attacker):
    """Learn numbers by a regression on every combination of classes, which is the table of their means.

    One question tells of all victims: the coefficient of a combination is the mean of its respondents, which for one respondent
    is his response. The standard error s / sqrt(q) tells how many q there are.

    Against a server with published variables only, two or three variables with classes are asked for with all
    interactions, in the universe of whatever else is known.

    Complexity
    ----------
    One question, O(n log n) for the server; one for each victim in the words of a server.

    References
    ----------
    Bleninger, P., Drechsler, J. and Ronning, G. (2011), Remote data access and the risk of disclosure from linear regression,
    SORT special issue: Privacy in statistical databases, section 5.

    Notes
    -----
    Only what is known exactly can be a class. Of a server's variables the first three that are known are interacted, because
    servers allow interactions of three at most.

    Examples
    --------
    >>> from tacita.attack.judge.stage_regression import stage_regression
    >>> firms = {"state": np.array(["N", "S", "S", "W"]), "turnover": np.array([5.0, 9.0, 11.0, 60.0])}
    >>> target, truth = stage_regression(firms, wanted="turnover", known=["state"])
    >>> SaturatedModel().run(target, np.random.default_rng(1))[0].said.tolist()
    [5.0, 10.0, 10.0, 60.0]
    """

    name = "saturated_model"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="classes of each victim",
        breaks="remote access that hides small cells of tables and fits any model",
        held_by="no interaction of all dummies, a least number of records behind each combination",
    )

    def declined(self, target: Any) -> str:
        if isinstance(target, RegressionTarget) and not _exact(target):
            return "Nothing is known exactly of the victims."
        return declined_models(target)

    def cost(self, target: Any) -> float:
        return seconds_for(target, questions=0.1 if isinstance(target, RegressionTarget) else 1.0)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        if isinstance(target, ServerTarget):
            return (_in_words(target),)
        asked = AskedModels(target.fit)
        said, sure = np.full(target.victims, np.nan), np.zeros(target.victims, bool)
        names = _exact(target)
        answer = asked.ask(ModelQuestion(target.wanted, (any_class(*names),)))
        if answer is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                alone = np.abs(float(answer["variance"]) / np.asarray(answer["errors"]) ** 2 - 1) < 0.1
            told = {
                row: (mean, one)
                for row, mean, one in zip(answer["classes"], answer["coefficients"], alone, strict=True)
            }
            rows = zip(*(target.known[name].tolist() for name in names), strict=True)
            found = [told.get(row, (np.nan, False)) for row in rows]
            said = np.array([mean for mean, _ in found], np.float64)
            sure = np.array([one for _, one in found], bool)
        learned = (
            "A regression on all combinations of classes gave the table of means, cells of one respondent included."
        )
        return (model_claims(target, asked, said, sure, learned),)


def _exact(target: RegressionTarget) -> tuple[str, ...]:
    return tuple(name for name in target.picks if name not in target.reach)


def _in_words(target: ServerTarget) -> Claims:
    asked = AskedServer(target.ask, target.most_queries)
    said = np.full(target.victims, np.nan)
    for victim in range(target.victims):
        words = victim_words(target, victim).by_names()
        names = list(words.named[:3])
        crossed = [list(some) for many in (2, 3) for some in combinations(names, many)]
        if not names:
            continue
        model = asked.model(target.wanted, names, words.cell(*names), crossed)
        label = ":".join(f"{name}[{words.classes[name]}]" for name in names)
        if model is not None and label in model.estimates:
            said[victim] = model.at(words)
    return model_claims(target, asked, said, None, "A regression on all interactions gave the means of cells.")
