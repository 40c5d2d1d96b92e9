"""What was found a moment ago is forgotten in time."""

from __future__ import annotations

from tacita.web.accounts.remembered import ShortMemory
from tests.web.accounts.children import HandClock


def test_things_are_forgotten_in_time() -> None:
    clock = HandClock()
    memory = ShortMemory[str](2, clock=clock)
    memory.put("a", "x")
    clock.go(seconds=1.9)
    assert memory.get("a") == "x"
    clock.go(seconds=0.1)
    assert memory.get("a") is None


def test_there_are_never_more_than_it_may_hold() -> None:
    memory = ShortMemory[int](60, most=3)
    for number in range(10):
        memory.put(str(number), number)
        assert memory.get(str(number)) == number
        assert len(memory._things) <= 3


def test_everything_can_be_forgotten() -> None:
    memory = ShortMemory[int](60)
    memory.put("a", 1)
    memory.clear()
    assert memory.get("a") is None
