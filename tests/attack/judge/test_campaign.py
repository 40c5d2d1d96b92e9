"""Campaigns: all attacks that apply, one verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from tacita.attack.judge.answers import Answers
from tacita.attack.judge.campaign import Campaign, applicable, campaign
from tacita.attack.judge.grade import Grade
from tacita.core import registry
from tacita.core.errors import ParameterError
from tests.attack.toys import Toy, ToyTarget


@pytest.fixture
def toy() -> Iterator[None]:
    registry.register(Toy)
    yield
    registry.unregister(Toy)


def stage() -> tuple[ToyTarget, Answers, None]:
    wages = np.linspace(100, 10_000, 1000)
    return ToyTarget(shown=wages), Answers(truth={"wage": wages}), None


def of(*grades: Grade) -> Campaign:
    return Campaign(against="file", target="the file", grades=grades)


@pytest.mark.usefixtures("toy")
def test_every_attack_of_a_kind_is_there_unless_it_is_left_out() -> None:
    assert Toy() in applicable("file")
    assert Toy() not in applicable("table")
    assert Toy() not in applicable("file", without=["toy"])
    assert applicable("file", attacks=["toy"]) == [Toy()]
    with pytest.raises(ParameterError, match=r"no attack 'toi'\. Did you mean 'toy'"):
        applicable("file", attacks=["toi"])
    with pytest.raises(ParameterError, match="None of the chosen attacks is against published cells"):
        applicable("table", attacks=["toy"])


@pytest.mark.usefixtures("toy")
def test_an_attack_that_needs_a_method_is_run_where_a_method_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    monkeypatch.setattr(Toy, "traits", replace(Toy.traits, of_any=False))
    assert Toy() not in applicable("file")
    assert Toy() in applicable("file", faces=["toy"])


def test_a_campaign_has_one_grade_an_attack_and_a_verdict() -> None:
    found = campaign("file", stage, target="wages", attackers=[Toy(off=1e6), Toy()], seed=1)
    assert [one.standing for one in found.grades] == ["broken", "held"]
    assert (found.state, found.worst) == ("failed", found.grades[0])
    assert "wages: failed; 2 attacks run. The strongest is toy: broken; 100.0 %" in found.words()
    assert json.loads(found.to_json())["state"] == "failed"


def test_time_is_shared() -> None:
    found = campaign("file", stage, target="wages", attackers=[Toy(each=0.1), Toy(each=0.2)], seed=1, seconds=100)
    assert sorted(one.victims for one in found.grades) == [250, 500]
    with pytest.raises(ParameterError, match="'seconds' must be above 0"):
        campaign("file", stage, target="wages", attackers=[], seconds=0)


def test_states() -> None:
    held = Grade(attack="a", target="", victims=100, of=100, success=0.12, baseline=0.1)
    few = Grade(attack="b", target="", victims=100, of=100, success=0.02, sure=2, sure_right=2)
    skipped = Grade(attack="c", target="", reason="no keys")
    assert of(held, skipped).state == "passed"
    assert "none beats guessing by more than 5 points (the best, a, by 2.0)" in of(held, skipped).words()
    assert of(held, few).state == "review"
    assert of(skipped).state == "not judged"
    assert of(skipped).words() == "the file: not judged; no attack could be run."
