"""Three trackers: attackers who find the sum of a small set from sums of sets of permitted size.

Each gets a callable that answers a sum over a set of records, or refuses with None, and returns what it finds out or None.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Ask", "double_tracker", "general_tracker", "individual_tracker"]

Ask = Callable[[set[int]], float | None]


def _total(answers: list[float | None], signs: list[int]) -> float | None:
    known = [sign * answer for sign, answer in zip(signs, answers, strict=True) if answer is not None]
    return sum(known) if len(known) == len(answers) else None


def individual_tracker(ask: Ask, a: set[int], b: set[int]) -> float | None:
    """The victims are those of A who are in B too: q(A and B) = q(A) - q(A and not B)."""
    return _total([ask(a), ask(a - b)], [1, -1])


def general_tracker(ask: Ask, victims: set[int], tracker: set[int], everybody: set[int]) -> float | None:
    """q(C) = q(C or T) + q(C or not T) - q(All), where q(All) = q(T) + q(not T), for 2k <= |T| <= n - 2k."""
    rest = everybody - tracker
    return _total([ask(victims | tracker), ask(victims | rest), ask(tracker), ask(rest)], [1, 1, -1, -1])


def double_tracker(ask: Ask, victims: set[int], inner: set[int], outer: set[int]) -> float | None:
    """q(C) = q(U) + q(C or T) - q(T) - q(not (C and T) and U), for T inside U."""
    return _total([ask(outer), ask(victims | inner), ask(inner), ask(outer - (victims & inner))], [1, 1, -1, -1])
