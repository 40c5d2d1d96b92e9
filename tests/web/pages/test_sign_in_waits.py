"""Waits after sign-ins that fail."""

from __future__ import annotations

from tacita.web.pages.sign_in_waits import SignInWaits


def test_each_failure_of_a_range_waits_twice_as_long_up_to_a_bound() -> None:
    waits = SignInWaits(first=1.0, longest=5.0)
    assert [waits.failed(f"192.0.2.{i}") for i in range(5)] == [1.0, 2.0, 4.0, 5.0, 5.0]
    assert waits.failed("198.51.100.1") == 1.0


def test_not_many_wait_at_once_and_whoever_has_waited_makes_room() -> None:
    waits = SignInWaits(at_once=2)
    assert [waits.failed("192.0.2.1") is None for _ in range(3)] == [False, False, True]
    waits.waited("192.0.2.200")
    assert waits.failed("192.0.2.1") is not None


def test_failures_are_forgotten_after_a_while() -> None:
    time = [0.0]
    waits = SignInWaits(first=1.0, forget=100.0, now=lambda: time[0])
    waits.failed("192.0.2.1")
    waits.waited("192.0.2.1")
    time[0] = 50.0
    assert waits.failed("192.0.2.1") == 2.0
    waits.waited("192.0.2.1")
    time[0] = 200.0
    assert waits.failed("192.0.2.1") == 1.0


def test_memory_is_bounded_and_those_who_wait_are_kept() -> None:
    waits = SignInWaits(first=1.0, most=10)
    waits.failed("192.0.2.1")
    for i in range(100):
        waits.failed(f"10.0.{i}.1")
        waits.waited(f"10.0.{i}.1")
    assert waits.failed("192.0.2.1") == 2.0
    assert len(waits._failures) <= 10


def test_a_wait_that_nobody_began_ends_nothing() -> None:
    waits = SignInWaits(at_once=1)
    waits.waited("192.0.2.1")
    assert waits.failed("192.0.2.1") is not None
    assert waits.failed("192.0.2.1") is None
