"""The best deviation against figures by hand, against all strategies of a few rounds, and against the network itself."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.social.deviations import best_deviation, least_penance
from tacita.games.social.exchange import Disclosure, Exchange, Upload
from tacita.games.social.generators import complete_network, scale_free_network
from tacita.games.social.protocols import Reputation, SocialProtocol, TitForTat
from tacita.games.social.sustained import sustain


def test_hiding_every_other_round_beats_plain_tit_for_tat_where_sensitivities_are_above_1() -> None:
    """B = 3, undiscounted: hide and be shown, B; disclose and be shown nothing, 0; mean B / 2 against B / (1 + B)."""
    found = best_deviation(TitForTat(penance=1), Disclosure((1.0, 2.0)), continuation=0.999)
    assert found.pattern == (0.0, 1.0)
    assert found.lasting == pytest.approx(3 / 2 - 3 / 4)
    assert found.once == pytest.approx(3 - 3 / 4)
    # V = B / (1 - d^2), and (1 - d) V = B / (1 + d)
    assert found.gain == pytest.approx(3 / 1.999 - 3 / 4)


@pytest.mark.parametrize(
    ("benefit", "cost", "continuation"), [(3, 1, 0.32), (3, 1, 0.35), (2, 1.5, 0.74), (2, 1.5, 0.76)]
)
def test_uploads_are_sustained_exactly_when_what_is_lost_tomorrow_is_worth_the_cost(
    benefit: float, cost: float, continuation: float
) -> None:
    """Hiding once saves c and costs b one round later: nobody gains if and only if d b >= c."""
    found = best_deviation(TitForTat(), Upload(benefit, cost), continuation=continuation)
    assert (found.gain == 0) == (continuation * benefit >= cost)
    assert (least_penance(Upload(benefit, cost), continuation=continuation) == 1) == (found.gain == 0)


@pytest.mark.parametrize("burden", [0.5, 1.0, 1.9, 2.1, 4.5])
def test_penance_holds_from_the_sum_of_sensitivities_on(burden: float) -> None:
    assert least_penance(Disclosure((burden,)), continuation=0.99) == int(np.floor(burden)) + 1
    assert least_penance(Disclosure((burden,)), continuation=0.01) is None


def test_with_the_least_penance_nobody_gains_and_with_one_less_somebody_does() -> None:
    exchange = Disclosure((2.0, 1.5))
    least = least_penance(exchange, continuation=0.95)
    assert least is not None
    assert least > 1
    for groups in (1, 2, 3):
        assert best_deviation(TitForTat(penance=least), exchange, groups=groups).gain == 0
        assert best_deviation(TitForTat(penance=least - 1), exchange, groups=groups).gain > 0


def best_of_all(protocol: TitForTat, exchange: Exchange, rounds: int, groups: int, continuation: float) -> float:
    """All plans of so many rounds tried, on counts of what is owed to each group."""
    best = -np.inf
    for plan in itertools.product(itertools.product((0, 1), repeat=groups), repeat=rounds):
        owed, total = [0] * groups, 0.0
        for number, shown in enumerate(plan):
            got = sum(o == 0 for o in owed) / groups
            worth = exchange.per_link(np.array(got), np.array(sum(shown) / groups))
            total += continuation**number * float(worth)
            owed = [max(o - 1, 0) if s else protocol.penance for o, s in zip(owed, shown, strict=True)]
        best = max(best, total)
    return best


@pytest.mark.parametrize("penance", [1, 2])
def test_no_plan_of_a_few_rounds_is_better(penance: int) -> None:
    """At a small continuation what comes after seven rounds hardly counts."""
    protocol, exchange, d = TitForTat(penance=penance), Disclosure((2.5,)), 0.2
    found = best_deviation(protocol, exchange, continuation=d, groups=2)
    whole = (found.gain + found.follows) / (1 - d)
    plans = best_of_all(protocol, exchange, 6, 2, d)
    assert plans <= whole + 1e-9
    assert plans == pytest.approx(whole, abs=2 * d**6 * 2.5)


@pytest.mark.parametrize(
    ("protocol", "exchange"),
    [
        (TitForTat(penance=1), Disclosure((3.0,))),
        (TitForTat(penance=3), Disclosure((2.0, 2.0))),
        (Reputation(threshold=0.8), Disclosure((2.0,))),
        (Reputation(threshold=0.5, memory=0.5), Upload(3, 1)),
    ],
)
def test_in_a_network_the_deviation_brings_what_the_search_says(protocol: SocialProtocol, exchange: Exchange) -> None:
    """One user of a network whose degree the groups divide plays what was found; the others follow."""
    network = complete_network(9)
    found = best_deviation(protocol, exchange, continuation=0.9, groups=2)
    given = (*found.given, *found.pattern * 200)[:150]
    alone = np.zeros(9, np.bool_)
    alone[0] = True
    worth = [
        sustain(network, protocol, exchange, rounds=150, deviators=alone, pattern=given).utility[:, 3],
        sustain(network, protocol, exchange, rounds=150).mean_utility,
    ]
    discounted = [(1 - 0.9) * float((own * 0.9 ** np.arange(150)).sum()) / 8 for own in worth]
    assert discounted[1] == pytest.approx(found.follows, rel=1e-5)
    assert discounted[0] - discounted[1] == pytest.approx(found.attained, abs=1e-5)
    assert found.attained <= found.gain + 1e-9


def test_a_reputation_is_spent_down_to_the_threshold() -> None:
    """What lies between threshold and 1 is had for nothing, so that a stricter threshold leaves less to gain."""
    gains = [best_deviation(Reputation(threshold=t), Disclosure((1.0,))).gain for t in (0.5, 0.7, 0.9)]
    assert gains[0] > gains[1] > gains[2] > 0
    found = best_deviation(Reputation(threshold=0.5), Disclosure((1.0,)), groups=4)
    assert 0.5 <= np.mean(found.pattern) < 0.65
    assert found.attained == pytest.approx(found.gain, abs=0.02)


def test_who_does_not_expect_a_next_round_hides() -> None:
    found = best_deviation(TitForTat(penance=9), Disclosure((1.0,)), continuation=0)
    assert found.gain == found.once == 0.5
    assert found.given[0] == 0.0
    assert found.attained == pytest.approx(0.5)


def test_words() -> None:
    assert "nobody gains by leaving" in best_deviation(TitForTat(penance=2), Disclosure((1.0,))).words()
    assert (
        "disclosing to 0 %, 100 % of the neighbours in turn" in best_deviation(TitForTat(), Disclosure((3.0,))).words()
    )


@pytest.mark.parametrize("continuation", [1.0, -0.1, True, float("nan"), "x"])
def test_other_numbers_are_refused(continuation: object) -> None:
    with pytest.raises(ParameterError, match="'continuation'"):
        best_deviation(TitForTat(), Upload(), continuation=continuation)  # type: ignore[arg-type]


def test_the_gain_of_a_hub_is_as_many_times_larger() -> None:
    """All figures are for one link: in a network the same deviation of two users differs by their degrees alone."""
    network, exchange = scale_free_network(60, 2), Disclosure((3.0,))
    gains = []
    for place in (int(network.degrees.argmax()), int(network.degrees.argmin())):
        alone = np.arange(60) == place
        run = sustain(network, TitForTat(), exchange, rounds=40, deviators=alone, pattern=(0.0, 1.0))
        gains.append(run.each[place] / network.degrees[place])
    assert gains[0] == pytest.approx(gains[1]) == pytest.approx(1.5)
