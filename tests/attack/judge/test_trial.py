"""Trials: an attack within its time, repeated by its seed, beside people who are not in what left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.judge.answers import Answers
from tacita.attack.judge.trial import FEWEST_VICTIMS, attack_each, attack_once
from tests.attack.toys import Toy, ToyTarget


def scene(n: int = 1000) -> tuple[ToyTarget, Answers]:
    wages = np.linspace(100, 10_000, n)
    return ToyTarget(shown=wages), Answers(truth={"wage": wages})


def test_what_lies_open_is_broken() -> None:
    found = attack_once(Toy(), *scene(), seed=1, name="wages")
    assert (found.standing, found.success, found.sure_right, found.queries) == ("broken", 1.0, 1000, 7)
    assert (found.target, found.knows) == ("wages", "what is shown")


def test_a_seed_repeats_it() -> None:
    found = [attack_once(Toy(off=50), *scene(), seed=seed).success for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_a_long_attack_is_tried_on_a_sample() -> None:
    found = attack_once(Toy(each=0.1), *scene(), seed=1, seconds=40)
    assert (found.victims, found.of) == (400, 1000)
    assert attack_once(Toy(each=1), *scene(), seed=1, seconds=1).victims == FEWEST_VICTIMS
    assert attack_once(Toy(each=0.1), *scene(150), seed=1, seconds=1).victims == 150


def test_who_asked_nothing_of_a_server_was_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Toy):
        """Ask nothing."""

        def run(self, target, rng):  # type: ignore[no-untyped-def]
            return tuple(replace(c, queries=0, said=np.full(len(c), np.nan)) for c in super().run(target, rng))

    assert attack_once(Silent(), *scene(), seed=1).standing == "held"
    monkeypatch.setattr(Silent, "traits", replace(Toy.traits, against="server"))
    assert attack_once(Silent(), *scene(), seed=1).standing == "not worded"


def test_what_cannot_be_tried_says_why() -> None:
    assert attack_once(Toy(), *scene(13), seed=1).reason == "Thirteen is one too many."
    assert attack_once(Toy(refuses=True), *scene(), seed=1).reason == "There is nothing to begin with."
    assert attack_once(Toy(), *scene(0), seed=1).reason == "There is no victim."


def test_what_is_told_of_others_as_well_is_no_disclosure() -> None:
    control = scene(300)
    found = attack_once(Toy(), *scene(), seed=1, control=control)
    assert (found.baseline, found.standing) == (1.0, "held")
    assert attack_each(Toy(refuses=True), *scene(), seed=1, control=control)[0].standing == "not run"


def test_a_control_that_cannot_be_run_changes_nothing() -> None:
    class Shy(Toy):
        """Say nothing of few."""

        def run(self, target, rng):  # type: ignore[no-untyped-def]
            if target.victims < 500:
                from tacita.core.errors import AttackError

                raise AttackError("Too few.")
            return super().run(target, rng)

    assert attack_once(Shy(), *scene(), seed=1, control=scene(300)).standing == "broken"


def test_a_control_that_knows_nothing_of_the_claims_is_not_run() -> None:
    ran = []

    class Counted(Toy):
        """Count how often it is run."""

        def run(self, target, rng):  # type: ignore[no-untyped-def]
            ran.append(target.victims)
            return super().run(target, rng)

    of_something_else = (scene(300)[0], Answers(truth={}, judged={"even": lambda said: np.ones(len(said), bool)}))
    assert attack_once(Counted(), *scene(), seed=1, control=of_something_else).standing == "broken"
    assert ran == [1000]
