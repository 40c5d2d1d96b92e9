"""Pauses: what a server asks for, within bounds."""

from __future__ import annotations

import pytest

from tacita.query.remote.patience import Patience, seconds_of


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("0", 0.0), (" 12 ", 12.0), ("1.5", None), ("-3", None), ("", None), ("١٢", None), ("9" * 30, None), ("inf", None),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("Thu, 99 Jan 1970", None),
    ],
)  # fmt: skip
def test_what_a_header_asks_for(said: str, seconds: float | None) -> None:
    assert seconds_of(said, now=100.0) == seconds


def test_pauses_grow_and_end() -> None:
    paused: list[float] = []
    patience = Patience(30.0, paused.append)
    while patience.pause():
        pass
    assert paused == sorted(paused)
    assert paused[0] < 0.2
    assert paused[-1] == 5.0
    assert 25 < sum(paused) <= 30


def test_pauses_may_be_numbered() -> None:
    paused: list[float] = []
    patience = Patience(30.0, paused.append, pauses=2)
    assert [patience.pause("1") for _ in range(3)] == [True, True, False]
    assert paused == [1.0, 1.0]


def test_a_server_that_asks_for_no_pause_gets_a_short_one() -> None:
    paused: list[float] = []
    assert Patience(1.0, paused.append).pause("0")
    assert 0 < paused[0] < 0.2


def test_what_is_longer_than_patience_is_not_waited_for() -> None:
    paused: list[float] = []
    assert not Patience(10.0, paused.append).pause("11")
    assert paused == []
