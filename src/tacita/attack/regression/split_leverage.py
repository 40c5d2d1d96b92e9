"""Split leverage: two harmless dummies in one model, whose difference is the dummy of the victim."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.regression.knowledge import AskedModels, RegressionTarget, cover_of, dummies_of
from tacita.attack.regression.question import ModelQuestion, either_of
from tacita.attack.regression.replies import declined_models, model_claims, seconds_for
from tacita.attack.regression.wording import AskedServer, VictimWords, WordedModel, victim_words
from tacita.attack.targets import ServerTarget
from tacita.core.constraints import Interval
from tacita.core.traits import AttackTraits

__all__ = ["SplitLeverage"]


@dataclass(frozen=True, kw_only=True)
class SplitLeverage(Attacker):
    """Learn a number by a regression on two dummies of many respondents that differ by the victim only.

    A rule on single columns, such as at least three ones in each dummy, sees nothing: the one is 1 for a large group, the other
    for the same group and the victim. Their difference is his dummy, so the fitted value where one is 1 and the other 0 is
    his response. His leverage is 1 in the model, and in neither column.

    Against a server with published variables, the universe is three cells, (a, c), (d, b) and the victim's (a, b), and the
    model has the main effects alone: with the intercept they span his dummy. Where
    another person of his cell conspires, the victim's response is the sum of their fitted values less the other's response, and
    his leverage is about one half.

    Parameters
    ----------
    tries
        Pairs of other classes that are tried for each victim.

    Complexity
    ----------
    One question for each set of victims of whom the same is known, O(n) each; ``tries`` for each in the words of a server.

    Notes
    -----
    The paper proposes a least number of ones and does not look at spans. How the large group is chosen is open; here it is the
    other side of the middle of a number that is known.

    References
    ----------
    Bleninger, P., Drechsler, J. and Ronning, G. (2011), Remote data access and the risk of disclosure from linear regression,
    SORT special issue: Privacy in statistical databases, section 5 (the rule that it goes round).

    Examples
    --------
    >>> from tacita.attack.judge.stage_regression import stage_regression
    >>> firms = {"size": np.array([3.0, 8.0, 8.0, 40.0, 900.0]), "turnover": np.array([5.0, 9.0, 11.0, 60.0, 4000.0])}
    >>> target, truth = stage_regression(firms, wanted="turnover", known=["size"])
    >>> SplitLeverage().run(target, np.random.default_rng(1))[0].said[3:].round(4).tolist()
    [60.0, 4000.0]
    """

    name = "split_leverage"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="values that single each victim out, exactly or nearly",
        breaks="remote access that wants at least three ones in each dummy",
        held_by="a limit on leverage, least sizes of the pieces of a universe",
    )

    tries: Annotated[int, Interval(1)] = 4

    def declined(self, target: Any) -> str:
        if isinstance(target, RegressionTarget) and not any(v.dtype.kind in "if" for v in target.known.values()):
            return "No number is known of the victims, which a dummy of many could be made of."
        return declined_models(target)

    def cost(self, target: Any) -> float:
        return seconds_for(target, questions=4.0 if isinstance(target, RegressionTarget) else float(self.tries))

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        if isinstance(target, ServerTarget):
            return (self._in_words(target),)
        asked = AskedModels(target.fit)

        def told(victim: int) -> tuple[float, bool]:
            cover = cover_of(target, victim)
            if cover is None:
                return math.nan, False
            question = ModelQuestion(target.wanted, (either_of(dummies_of(target, victim), cover), cover), (1.0, 0.0))
            answer = asked.ask(question)
            if answer is None:
                return math.nan, False
            # The error of the difference is s / sqrt(q), for q respondents in one dummy only.
            level, spread = np.asarray(answer["errors"]), float(answer["variance"])
            more = spread / (float(level[1]) ** 2 - float(level[0]) ** 2) if level[1] > level[0] else math.nan
            return float(answer["fitted"]), abs(more - 1) < 0.1

        said, sure = asked.for_each(target, told)
        learned = (
            "Two dummies of many respondents differ by the victim, and the fitted value between them is his response."
        )
        return (model_claims(target, asked, said, sure, learned),)

    def _in_words(self, target: ServerTarget) -> Claims:
        asked = AskedServer(target.ask, target.most_queries)
        said, sure = np.full(target.victims, np.nan), np.zeros(target.victims, bool)
        for victim in range(target.victims):
            words = victim_words(target, victim).by_names()
            model = self._worded(asked, target.wanted, words)
            if model is not None:
                said[victim] = model.at(words)
                if target.insiders and target.insiders[victim]:
                    said[victim] += _less_insider(model, words, target.insiders[victim], target.wanted)
            sure[victim] = math.isfinite(said[victim])
        learned = "Main effects over three cells span the dummy of the victim's cell."
        return model_claims(target, asked, said, sure, learned)

    def _worded(self, asked: AskedServer, wanted: str, words: VictimWords) -> WordedModel | None:
        """Ask for main effects of two variables and a number, over three cells."""
        known = [name for name in words.measured if name in words.numbers]
        if len(words.named) < 2 or not known:
            return None
        one, two = words.named[:2]
        rest = words.cell(one, two, known[0])
        own, his = words.classes[one], words.classes[two]
        for other, another in list(zip(words.others[one], words.others[two], strict=False))[: self.tries]:
            pieces = [
                {**rest, one: [own], two: [his, another]},
                {**rest, one: [other], two: [his]},
            ]
            model = asked.model(wanted, [one, two, known[0]], {"any": pieces})
            if model is None:
                continue
            rare = {*model.absorbed.get(one, ()), *model.absorbed.get(two, ())}
            if not rare & {own, other, his, another}:  # otherwise the three cells are no longer told apart
                return model
        return None


def _less_insider(model: WordedModel, words: VictimWords, insider: Mapping[str, Any], wanted: str) -> float:
    """Return what is added for an insider of the same cell: both residuals add up to zero, so y + y' is the sum of the fitted."""
    numbers = {name: float(insider.get(name, value)) for name, value in words.numbers.items()}
    return model.at(replace(words, numbers=numbers)) - float(insider[wanted])
