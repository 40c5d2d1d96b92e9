"""When refusals leave."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.web.api import departure as module
from tacita.web.api.departure import Departure, exact_sleep, leaves_after


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
    departure = Departure(0.25, now=lambda: clock.now, sleep=clock.sleep, spread=0)
    begun = departure.now()
    clock.now += spent
    asyncio.run(departure.hold(begun))
    assert clock.now - begun == pytest.approx(left)


def test_without_a_quantum_nothing_is_held() -> None:
    clock = FakeClock()
    departure = Departure(0, now=lambda: clock.now, sleep=clock.sleep, spread=0)
    asyncio.run(departure.hold(clock.now - 0.1))
    assert clock.now == 1000.0


@pytest.mark.parametrize("late", [0.0, 0.0003, 0.0009])
@pytest.mark.parametrize("seconds", [0.0005, 0.002, 0.05])
def test_a_wait_does_not_show_what_the_loop_waited_too_long(
    late: float, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop wakes up at whole milliseconds; the rest is waited for on its own."""
    now = [7.0]

    async def coarse(asked: float) -> None:
        now[0] += asked + late

    async def in_thread(_: object, asked: float) -> None:
        now[0] += asked

    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(module.asyncio, "sleep", coarse)
    monkeypatch.setattr(module.asyncio, "to_thread", in_thread)
    waiting = exact_sleep(seconds)
    with pytest.raises(StopIteration):
        waiting.send(None)
    assert now[0] == pytest.approx(7.0 + seconds, abs=1e-12)


def test_a_random_part_of_a_quantum_is_added() -> None:
    left = []
    for number in (0.0, 0.5, 0.999):
        waited: list[float] = []

        async def sleep(seconds: float, waited: list[float] = waited) -> None:
            waited.append(seconds)

        departure = Departure(0.04, now=lambda: 5.0, sleep=sleep, random=lambda number=number: number)  # type: ignore[misc]
        asyncio.run(departure.hold(5.0 - 0.01))
        left.append(round(0.01 + waited[0], 6))
    assert left == [0.04, 0.045, 0.04999]
