"""A study holds selfish play against the protocol, and its parts agree with each other."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.social.generators import scale_free_network
from tacita.games.social.protocols import Reputation, TitForTat
from tacita.games.social.social_study import (
    SocialPopulation,
    SocialStudy,
    made_sensitivities,
    protocol_of,
    study_social,
)

NETWORK, BETA = scale_free_network(300, 3), made_sensitivities(3, 2)


@pytest.fixture(scope="module")
def study() -> SocialStudy:
    return study_social(
        NETWORK, BETA, protocol_of("tit-for-tat", BETA), population=SocialPopulation(free_riders=0.2), rounds=30
    )


def test_selfish_play_ends_as_ties_are_broken_and_the_protocol_holds(study: SocialStudy) -> None:
    assert study.selfish["hide"].disclosing[-1] == 0
    assert 0 < study.selfish["stay"].disclosing[-1] < study.selfish["publish"].disclosing[-1] < 0.6
    assert study.run is not None
    assert study.run.disclosing[-1] > 0.7
    assert study.run.sustained > 0.6


def test_the_least_penance_is_the_first_without_a_gain(study: SocialStudy) -> None:
    assert isinstance(study.protocol, TitForTat)
    gains = {setting: found.gain for setting, found in study.by_setting}
    assert gains[study.protocol.penance] == 0 < gains[study.protocol.penance - 1]
    assert study.epsilon is not None
    assert study.epsilon.searched.gain == 0


def test_troubles_take_from_welfare_and_who_takes_gets_nothing(study: SocialStudy) -> None:
    found = {name: (left, followers, takers) for name, left, followers, takers in study.troubles}
    assert found["none"][0] == pytest.approx(1)
    assert found["free riders 50 %"][0] < found["free riders 10 %"][0] < 1
    assert found["free riders 50 %"][2] == 0
    assert np.isnan(found["slips 5 %"][2])


def test_it_advises_the_user_with_most_neighbours(study: SocialStudy) -> None:
    assert study.advice is not None
    assert len(study.advice.neighbours) == NETWORK.degrees.max()
    assert {one.discloses for one in study.advice.neighbours} == {True, False}


def test_the_same_seed_gives_the_same_json(study: SocialStudy) -> None:
    again = study_social(NETWORK, BETA, study.protocol, population=study.population, rounds=30)
    assert json.dumps(again.as_plain()) == json.dumps(study.as_plain())
    assert "for one user" in again.words()[0]


def test_selfish_play_alone_and_reputation() -> None:
    alone = study_social(NETWORK, BETA, None, rounds=5)
    assert alone.run is None
    assert alone.as_plain()["protocol"] == "selfish"
    small = scale_free_network(60, 2)
    named = study_social(small, made_sensitivities(1, 1), Reputation(threshold=0.7), rounds=10)
    assert named.setting == "threshold"
    gains = [found.gain for _, found in named.by_setting]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] == 0


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ParameterError, match="'name' must be one of"):
        protocol_of("grim", BETA)
    with pytest.raises(ParameterError, match="no penance makes it pay"):
        protocol_of("tit-for-tat", BETA, continuation=0.1)
    assert protocol_of("tit-for-tat", BETA, continuation=0.1, penance=4) == TitForTat(penance=4)
    for attributes, distance in ((0, 1), (1, 0), (True, 1), (1.5, 1)):
        with pytest.raises(ParameterError, match="made_sensitivities"):
            made_sensitivities(attributes, distance)  # type: ignore[arg-type]
