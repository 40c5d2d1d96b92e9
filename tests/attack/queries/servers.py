"""Servers of a small town for tests of attacks by questions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.attack.attacker import Attacker
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.grade import Grade
from tacita.attack.judge.trial import attack_once
from tacita.attack.queries.words import ServerWords
from tacita.attack.targets import ServerTarget
from tacita.study.red_team.queries import exact_answers, size_control
from tacita.study.red_team.town import town, town_target

__all__ = ["check_contract", "graded", "target_of", "words_of"]


def target_of(
    policy: Any = None, *, wanted: str = "income", victims: int = 12, **more: Any
) -> tuple[ServerTarget, Answers]:
    """A small town under a policy; exact answers by default."""
    return town_target(town(3, people=1500, victims=victims, **more), policy or exact_answers(), wanted=wanted)


def words_of(policy: Any = None, **more: Any) -> ServerWords:
    return ServerWords(target_of(policy, **more)[0])


def graded(attack: Attacker, policy: Any = None, **more: Any) -> Grade:
    return attack_once(attack, *target_of(policy, **more), seed=1)


def check_contract(attack: Attacker, **more: Any) -> None:
    """Same seed, same claims; no victim, nothing to do; another kind of target is declined."""
    target, _ = target_of(size_control(), **more)
    again, _ = target_of(size_control(), **more)
    one, two = (attack.run(t, np.random.default_rng(5))[0] for t in (target, again))
    assert one.said.tolist() == two.said.tolist()
    assert one.queries == two.queries > 0
    nobody = target.among(np.array([], np.int64))
    assert attack_once(attack, nobody, Answers(truth={target.wanted: np.array([])}), seed=1).standing == "not run"
    assert "server" in attack.declined(object())
    assert attack.cost(target) > attack.cost(nobody)
