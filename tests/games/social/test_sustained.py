"""Protocols sustain disclosure where selfish play ends in nothing, with free riders, slips, newcomers and whitewashers."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.social.exchange import Disclosure, Upload
from tacita.games.social.generators import scale_free_network
from tacita.games.social.network import Network
from tacita.games.social.protocols import Reputation, SocialProtocol, TitForTat
from tacita.games.social.scores import prf
from tacita.games.social.sustained import KINDS, sustain

NETWORK = scale_free_network(1500, 3, seed=1)
EXCHANGE = Disclosure((0.5, 1.0))
BOTH = [TitForTat(penance=2), Reputation(threshold=0.7)]


@pytest.mark.parametrize("protocol", BOTH)
def test_without_trouble_all_disclose_and_welfare_is_that_of_all_publishing(protocol: SocialProtocol) -> None:
    run = sustain(NETWORK, protocol, EXCHANGE, rounds=8)
    assert run.disclosing.tolist() == [1.0] * 8
    assert run.mean_utility == pytest.approx(prf(NETWORK, np.ones((1500, 2)), np.array([0.5, 1.0])).mean())
    assert run.sustained == pytest.approx(1)
    assert run.nobody_gives == 0


@pytest.mark.parametrize("protocol", BOTH)
def test_free_riders_get_nothing_and_followers_still_disclose_to_each_other(protocol: SocialProtocol) -> None:
    run = sustain(NETWORK, protocol, EXCHANGE, rounds=30, free_riders=0.2)
    assert run.of_kind("free riders") == 0
    assert run.of_kind("followers") > 0.7 * run.all_give
    riders = run.kinds == KINDS.index("free riders")
    assert riders.mean() == pytest.approx(0.2, abs=0.04)
    # Among followers all goes on: (1 - 0.2)^2 of the arcs, whatever the free riders do.
    assert run.arcs_used[-1] == pytest.approx(
        (~riders)[NETWORK.tails][~riders[NETWORK.links.neighbour]].sum() / len(NETWORK.tails)
    )


def test_more_free_riders_leave_less_and_a_slip_costs_what_penance_costs() -> None:
    few, many = (sustain(NETWORK, TitForTat(), EXCHANGE, free_riders=s).sustained for s in (0.1, 0.5))
    assert few > many > 0.1
    slips = [
        sustain(NETWORK, TitForTat(penance=p), EXCHANGE, slips=0.05, rounds=60).arcs_used[-20:].mean() for p in (1, 5)
    ]
    # A link is whole for 10 rounds until one of both slips; then one of two arcs is used for as many rounds as the penance has.
    assert slips == pytest.approx([(19 + 1) / (20 + 2), (19 + 5) / (20 + 10)], abs=0.03)


def test_plain_retaliation_would_not_survive_slips() -> None:
    """Penance that is accepted is what keeps one slip from echoing: without it, both punish each other for ever."""
    run = sustain(NETWORK, TitForTat(), EXCHANGE, slips=0.1, rounds=200)
    assert run.arcs_used[-50:].mean() > 0.75
    assert run.arcs_used[100:150].mean() == pytest.approx(run.arcs_used[-50:].mean(), abs=0.01)


@pytest.mark.parametrize("make", [TitForTat, Reputation])
def test_whitewashers_live_on_trust_alone(make: type) -> None:
    kept = {
        newcomers: sustain(NETWORK, make(newcomers=newcomers), EXCHANGE, whitewashers=0.2, rounds=40)
        for newcomers in ("trust", "wait")
    }
    assert kept["trust"].of_kind("whitewashers") > kept["trust"].of_kind("followers")
    assert kept["wait"].of_kind("whitewashers") < 0.02 * kept["wait"].of_kind("followers")


def test_waiting_is_what_honest_newcomers_pay() -> None:
    trust, wait = (
        sustain(NETWORK, TitForTat(penance=3, newcomers=n), EXCHANGE, turnover=0.05, rounds=60)  # type: ignore[arg-type]
        for n in ("trust", "wait")
    )
    assert trust.arcs_used.tolist() == [1.0] * 60
    # A link is whole for 10 rounds until one of both is new, who then discloses for 3 rounds alone.
    assert wait.arcs_used[-30:].mean() == pytest.approx((20 + 3) / (20 + 6), abs=0.03)
    assert 0.9 < wait.sustained < 1


def test_uploads_collapse_without_and_are_sustained_with_tit_for_tat() -> None:
    run = sustain(NETWORK, TitForTat(), Upload(3, 1), free_riders=0.3, rounds=30)
    assert run.of_kind("followers") > 0
    assert run.of_kind("free riders") == 0
    nobody = sustain(NETWORK, TitForTat(), Upload(3, 1), free_riders=1.0, rounds=3)
    assert nobody.mean_utility.tolist() == [0, 0, 0]


def test_the_same_seed_gives_the_same_run() -> None:
    a, b, c = (sustain(NETWORK, TitForTat(), EXCHANGE, slips=0.1, turnover=0.02, rounds=9, seed=s) for s in (1, 1, 2))
    assert a.each.tobytes() == b.each.tobytes()
    assert a.each.tobytes() != c.each.tobytes()


def test_users_without_links_and_networks_without_any() -> None:
    run = sustain(Network.of_edges([], users=["a", "b"]), TitForTat(), EXCHANGE, rounds=2, whitewashers=1.0)
    assert run.mean_utility.tolist() == [0, 0]
    assert run.sustained == 0
    assert sustain(Network.of_edges([("a", "b")], users=["c"]), Reputation(), EXCHANGE, rounds=2).each[0] == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"rounds": 0}, "'rounds'"),
        ({"slips": 1.1}, "'slips'"),
        ({"free_riders": "x"}, "'free_riders'"),
        ({"free_riders": 0.6, "whitewashers": 0.6}, "at most 1 together"),
        ({"turnover": float("nan")}, "'turnover'"),
        ({"deviators": np.zeros(3)}, "'deviators'"),
        ({"pattern": (2.0,)}, "'pattern'"),
        ({"pattern": ()}, "'pattern'"),
        ({"pattern": ("x",)}, "'pattern'"),
    ],
)
def test_what_does_not_fit_is_refused(more: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        sustain(NETWORK, TitForTat(), EXCHANGE, **more)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'kind'"):
        sustain(NETWORK, TitForTat(), EXCHANGE, rounds=1).of_kind("angels")
