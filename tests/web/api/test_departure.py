"""When refusals leave."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.web.api.departure import Departure, leaves_after


class FakeClock:
    """A clock that moves only when somebody sleeps, or works."""

    def __init__(self) -> None:
        self.now = 1000.0

    async def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.now += seconds


@given(spent=st.floats(0, 60), quantum=st.floats(0.001, 10))
def test_every_refusal_leaves_at_a_doubled_quantum(spent: float, quantum: float) -> None:
    leaves = leaves_after(spent, quantum)
    assert leaves >= spent
    assert leaves == quantum or leaves < 2 * spent
    times = leaves / quantum
    while times > 1:
        times /= 2
    assert times == 1


@pytest.mark.parametrize(("spent", "left"), [(0.0, 0.25), (0.001, 0.25), (0.249, 0.25), (0.26, 0.5), (0.9, 1.0)])
def test_a_refusal_is_held_until_then(spent: float, left: float) -> None:
    clock = FakeClock()
    departure = Departure(0.25, now=lambda: clock.now, sleep=clock.sleep)
    begun = departure.now()
    clock.now += spent
    asyncio.run(departure.hold(begun))
    assert clock.now - begun == pytest.approx(left)


def test_without_a_quantum_nothing_is_held() -> None:
    clock = FakeClock()
    departure = Departure(0, now=lambda: clock.now, sleep=clock.sleep)
    asyncio.run(departure.hold(clock.now - 0.1))
    assert clock.now == 1000.0
