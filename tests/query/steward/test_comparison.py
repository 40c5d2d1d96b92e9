"""The map of policies: one workload and one attacker for all."""

import pytest

from tacita.core.errors import ParameterError
from tacita.query import Policy, Tabulate
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.restrictions import TableSize
from tacita.query.steward.comparison import PolicyMap, compare_policies
from tacita.query.steward.linear_attacker import policy_risk
from tacita.query.steward.utility import policy_utility
from tacita.query.steward.workload import random_workload
from tests.query.builders import KEY, opened, policy_of, survey

EXACT = policy_of(TableSize(dimensions=9), name="exact counts")
NOISY = policy_of(TableSize(dimensions=9), cells=CellKeyNoise(), name="noisy", requests=["tabulate"])
CLOSED = policy_of(TableSize(), requests=["statistic"], name="closed")
DATA = survey(300)
CATALOGUE = opened(DATA, "tables").catalogue
ASKED = random_workload(CATALOGUE, 20, seed=1, kinds=["table"])
ATTACK = random_workload(CATALOGUE, 30, seed=2, kinds=["table"], about="health")


def compared(*policies: Policy) -> PolicyMap:
    return compare_policies(DATA, policies, ASKED, key=KEY, catalogue=CATALOGUE, attack=ATTACK, target="health")


def test_risk_and_loss_order_the_policies() -> None:
    found = compared(EXACT, NOISY, CLOSED)
    gains = [row.risk.gain for row in found.rows]
    losses = [row.utility.loss for row in found.rows]
    assert gains == sorted(gains, reverse=True)
    assert losses == sorted(losses)
    assert (losses[0], losses[-1], gains[-1]) == (0.0, 1.0, 0.0)
    assert [row.policy for row in found.frontier] == ["exact counts", "noisy", "closed"]
    assert list(found.to_rows()["policy"]) == ["exact counts", "noisy", "closed"]
    assert found.to_plain()[1]["utility"]["loss"] == losses[1]


def test_a_row_is_what_its_parts_measure_alone() -> None:
    row = compared(NOISY)["noisy"]
    db = opened(DATA, NOISY, catalogue=CATALOGUE)
    assert row.utility == policy_utility(db, ASKED)
    assert row.risk == policy_risk(db, ATTACK, target="health")


def test_the_same_key_gives_the_same_map() -> None:
    assert compared(NOISY) == compared(NOISY)
    other = compare_policies(
        DATA, [NOISY], ASKED, key=b"another key, 16 bytes or more", catalogue=CATALOGUE, attack=ATTACK, target="health"
    )
    assert other != compared(NOISY)


def test_what_is_beaten_is_not_on_the_frontier() -> None:
    found = compare_policies(
        DATA, {"a": NOISY, "worse": CLOSED, "b": CLOSED}, ASKED, key=KEY, catalogue=CATALOGUE, target="health"
    )
    assert {row.policy for row in found.frontier} == {"a", "worse", "b"}
    beaten = PolicyMap((*found.rows[:1], *(type(r)(r.policy, found.rows[0].risk, r.utility) for r in found.rows[1:])))
    assert [row.policy for row in beaten.frontier] == ["a"]


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="the same name"):
        compared(NOISY, NOISY)
    with pytest.raises(ParameterError, match="at least one policy"):
        compared()
    with pytest.raises(ParameterError, match="no policy 'x'"):
        compared(CLOSED)["x"]
    with pytest.raises(ParameterError, match="must have a question"):
        compare_policies(DATA, [EXACT], [], key=KEY, catalogue=CATALOGUE)
    assert len(compare_policies(DATA, ["tables"], [Tabulate(by=["sex"])], key=KEY, catalogue=CATALOGUE).rows) == 1
