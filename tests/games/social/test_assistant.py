"""The assistant's figures are those of rounds played by hand, and its reasons those of the protocol."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.social.assistant import advise
from tacita.games.social.exchange import Disclosure
from tacita.games.social.network import Network
from tacita.games.social.protocols import Reputation, TitForTat
from tacita.games.social.sustained import sustain

TRIANGLE = Network.of_edges([("Ann", "Ben"), ("Ben", "Cem"), ("Cem", "Ann")])
EXCHANGE = Disclosure((1.0, 1.0), ("town", "school"))


def test_figures_by_hand() -> None:
    """Two neighbours, B = 2, penance 2: 4 / 3 for following; 4 for hiding, then nothing twice, then 4 / 3 again."""
    found = advise(TRIANGLE, "Ann", TitForTat(penance=2), EXCHANGE, horizon=4)
    assert (found.following, found.hiding) == pytest.approx((4 / 3, 4))
    assert found.later_following == pytest.approx(4 / 3)
    assert found.later_hiding == pytest.approx(4 / 9)
    assert found.risk == 2
    assert found.follows is True
    assert [one.discloses for one in found.neighbours] == [True, True]
    assert found.attributes == {"town": 1.0, "school": 1.0}


def test_it_says_so_when_the_protocol_does_not_hold_its_user() -> None:
    found = advise(TRIANGLE, "Ann", TitForTat(penance=1), EXCHANGE, horizon=2)
    assert found.follows is False
    assert "the protocol does not hold you" in found.words()


def test_after_a_run_with_a_free_rider_he_is_shown_nothing() -> None:
    state = np.zeros(6)
    arcs = list(zip(TRIANGLE.tails, TRIANGLE.links.neighbour, strict=True))
    state[arcs.index((1, 0))] = 2.0  # Ben owes Ann two rounds
    found = advise(TRIANGLE, "Ann", TitForTat(penance=2), EXCHANGE, state=state)
    assert {one.name: one.discloses for one in found.neighbours} == {"Ben": False, "Cem": True}
    assert "owed 2 rounds" in found.neighbours[0].why
    assert found.risk == 1
    assert found.as_plain()["neighbours"][0]["discloses"] is False


def test_the_state_of_a_run_is_taken() -> None:
    run = sustain(
        TRIANGLE, Reputation(threshold=0.9, memory=0.5), EXCHANGE, rounds=5, deviators=np.array([False, True, False])
    )
    found = advise(TRIANGLE, "Ann", Reputation(threshold=0.9, memory=0.5), EXCHANGE, state=run.state)
    assert {one.name: one.discloses for one in found.neighbours} == {"Ben": False, "Cem": True}


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(DataError):
        advise(TRIANGLE, "Dora", TitForTat(), EXCHANGE)
    with pytest.raises(ParameterError, match="'horizon'"):
        advise(TRIANGLE, "Ann", TitForTat(), EXCHANGE, horizon=1)
    with pytest.raises(ParameterError, match="'state'"):
        advise(TRIANGLE, "Ann", TitForTat(), EXCHANGE, state=np.zeros(5))
    with pytest.raises(ParameterError, match="no neighbours"):
        advise(Network.of_edges([("a", "b")], users=["c"]), "c", TitForTat(), EXCHANGE)
