"""The account: exact sums, refusal before work, kinds that do not mix, a state that can be written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.privacy.cost import Cost, epsilon_of_rho
from tacita.query.noise.dp.accountant import Accountant
from tests.effort import examples


def test_ten_tenths_are_one() -> None:
    account = Accountant(total=1.0)
    for _ in range(10):
        account.spend(Cost("pure", 0.1))
    assert account.left == 0
    assert account.answers == 10
    with pytest.raises(ParameterError, match="at most what is left, 0 of 1, got 1e-09"):
        account.spend(Cost("pure", 1e-9))
    assert account.affords(Cost("pure", 0.0))


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.floats(0, 0.5), max_size=12))
def test_no_more_than_the_total_is_spent(costs: list[float]) -> None:
    account = Accountant(total=1.0, measure="zcdp")
    for amount in costs:
        before, fits = account.spent, account.affords(Cost("zcdp", amount))
        if fits:
            account.spend(Cost("zcdp", amount))
        else:
            with pytest.raises(ParameterError):
                account.spend(Cost("zcdp", amount))
            assert account.spent == before
    assert account.spent <= 1.0
    assert sum(costs) > 1 - 1e-9 or account.answers == len(costs)


def test_kinds_of_cost() -> None:
    rho = Accountant(total=1.0, measure="zcdp", unit="household")
    rho.spend(Cost("pure", 0.5))
    rho.spend(Cost("zcdp", 0.25))
    assert rho.spent == 0.375
    assert rho.epsilon(1e-6) == epsilon_of_rho(0.375, 1e-6)
    with pytest.raises(ParameterError, match="'delta'"):
        rho.epsilon()
    pure = Accountant(total=1.0)
    with pytest.raises(ParameterError, match="cannot take a cost in rho"):
        pure.spend(Cost("zcdp", 0.1))
    pure.spend(Cost("pure", 0.25))
    assert pure.epsilon() == 0.25


def test_the_state_can_be_written() -> None:
    account = Accountant(total=0.7, measure="zcdp", unit="household")
    account.spend(Cost("pure", 0.3))
    again = Accountant.from_plain(json.loads(json.dumps(account.to_plain())))
    assert again.to_plain() == account.to_plain()
    assert (again.unit, again.measure, again.left) == ("household", "zcdp", account.left)
    assert repr(again) == "Accountant(measure='zcdp', unit='household', spent=0.045, total=0.7)"


@pytest.mark.parametrize(
    "change",
    [{"spent": "2"}, {"spent": "-1"}, {"total": "x"}, {"total": "1/0"}, {"answers": -1}, {"unit": "firm"}, None],
)
def test_a_damaged_state_is_refused(change: dict[str, object] | None) -> None:
    plain = {} if change is None else Accountant(total=1.0).to_plain() | change
    with pytest.raises(ParameterError, match="Accountant"):
        Accountant.from_plain(plain)


@pytest.mark.parametrize("bad", [{"total": 0.0}, {"total": float("inf")}, {"measure": "x"}, {"unit": "x"}])
def test_impossible_accounts_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=next(iter(bad))):
        Accountant(**({"total": 1.0} | bad))  # type: ignore[arg-type]
