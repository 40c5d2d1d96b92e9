from __future__ import annotations

import json

import numpy as np

from tacita.games.oblivion.forwarding_game import Forwarding
from tacita.games.oblivion.multicast import Multicast
from tacita.games.oblivion.oblivion_study import honest_map, study_oblivion


def test_the_map_and_the_formula_agree() -> None:
    for forwarders in (1, 2):
        found = honest_map(Forwarding(price=2.0), forwarders, points=6)
        assert (found.is_honest == (found.penalties[:, None] >= found.boundary)).all()
        assert 0 < found.is_honest.mean() < 1
    never = honest_map(Forwarding(reward=0.1), points=3)
    assert not never.is_honest.any()
    assert np.isinf(never.boundary).all()


def test_a_study_plays_with_what_was_measured() -> None:
    tree = Multicast(receivers=200, rounds=2)
    study = study_oblivion(Forwarding(), tree, 1, forwarders=1, trials=10, points=3)
    assert study.settings.tracing == study.rates[2].rate
    assert study.is_honest == (study.settings.penalty >= study.penalty)
    assert study.coprivacy.holds == study.is_honest
    assert study.protocol.is_right
    again = study_oblivion(Forwarding(), tree, 1, forwarders=1, trials=10, points=3)
    assert json.dumps(study.as_plain()) == json.dumps(again.as_plain())
