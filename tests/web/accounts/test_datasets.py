"""The steward's switch: ``tacita.web.accounts.datasets`` through the accounts, on both stores."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.web.accounts import Accounts, ClosedDataset, open_accounts
from tacita.web.accounts.accounts import CLOSED_SECONDS
from tacita.web.accounts.tokens import utc
from tests.web.accounts.children import HandClock


def test_closed_and_opened(accounts: Accounts, clock: HandClock) -> None:
    assert accounts.closed() == {}
    accounts.close_dataset("survey", "sue", "an attack\nwas seen")
    assert accounts.closed() == {"survey": ClosedDataset("sue", "an attack was seen", utc(clock()))}
    clock.go(seconds=9)
    accounts.close_dataset("survey", "tom", "again")
    assert accounts.closed()["survey"].by == "sue"
    accounts.open_dataset("survey", "tom")
    assert accounts.closed() == {}
    with pytest.raises(ParameterError, match="a data set that is closed"):
        accounts.open_dataset("survey", "tom")
    accounts.close_dataset("survey", "tom", "once more")
    assert accounts.closed()["survey"].why == "once more"


def test_it_survives_a_restart_and_others_see_it(place: str) -> None:
    assert CLOSED_SECONDS < 1
    with open_accounts(place) as one, open_accounts(place) as other:
        assert other.closed() == {}
        one.close_dataset("survey", "sue", "why")
        late = other._closed._clock() + CLOSED_SECONDS
        other._closed._clock = lambda: late
        assert set(other.closed()) == {"survey"}
    with open_accounts(place) as later:
        assert set(later.closed()) == {"survey"}


def test_what_is_given_back_is_a_copy(accounts: Accounts) -> None:
    accounts.closed()["x"] = None
    assert accounts.closed() == {}


@pytest.mark.parametrize("names", [("", "sue"), ("survey", "\n")])
def test_names_are_checked(accounts: Accounts, names: tuple[str, str]) -> None:
    with pytest.raises(ParameterError, match="must be a text"):
        accounts.close_dataset(*names, "why")
