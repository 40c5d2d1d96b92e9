"""What regression attacks share: whom they decline, what they cost, what they claim."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.attack.judge.stage_regression import stage_regression
from tacita.attack.regression.knowledge import AskedModels
from tacita.attack.regression.replies import declined_models, model_claims, seconds_for, worded_claims
from tests.attack.regression.builders import firms, served


def test_whom_they_decline() -> None:
    assert declined_models(stage_regression(firms(), wanted="turnover", known=["size"])[0]) == ""
    assert declined_models(served()) == ""
    assert "needs a server" in declined_models(object())
    assert "has classes" in declined_models(replace(served(), wanted="state"))
    assert "has classes" in declined_models(replace(served(), of="yes"))
    assert "catalogue" in declined_models(replace(served(), wanted="profit"))


def test_cost_follows_the_victims() -> None:
    target = stage_regression(firms(), wanted="turnover", known=["size"])[0]
    assert seconds_for(target, questions=2.0) == 2 * seconds_for(target.among(np.arange(150)), questions=2.0) > 0
    assert seconds_for(served(), questions=1.0) > 0


def test_nothing_is_claimed_surely_that_was_not_told() -> None:
    target = stage_regression(firms(2), wanted="turnover", known=["size"])[0]
    asked = AskedModels(target.fit, 3, {"tired": 2})
    said, sure = np.array([np.inf, 5.0]), np.array([True, True])
    claims = model_claims(target, asked, said, sure, "He was told.", ("a dummy",))
    assert np.isnan(claims.said[0])
    assert claims.is_sure is not None
    assert claims.is_sure.tolist() == [False, True]
    assert (claims.queries, claims.refused, claims.not_worded, claims.learned) == (
        3,
        {"tired": 2},
        ("a dummy",),
        "He was told.",
    )
    assert model_claims(target, asked, np.full(2, np.nan), None, "He was told.").learned == "Nothing was answered."


def test_every_victim_is_asked_about_in_words() -> None:
    target = replace(served(), known=({"state": "s"}, {"state": "n", "form": "a"}))
    claims = worded_claims(target, lambda _, wanted, words: (float(len(words.classes)), wanted == "turnover"), "Told.")
    assert claims.said.tolist() == [1.0, 2.0]
    assert claims.is_sure is not None
    assert claims.is_sure.all()
