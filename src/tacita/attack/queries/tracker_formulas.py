"""The formulas of trackers: what is told about a small set follows from what is told about sets of permitted size.

Each takes a callable that tells something additive about a set, or None where it refuses, and sets of any kind that know
``|``, ``&`` and ``-``: Python's own of record numbers, or sets of published classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self, TypeAlias, TypeVar

from tacita.core.traits import AttackTraits

__all__ = [
    "TRACKER_TRAITS",
    "SetLike",
    "Tell",
    "double_tracker",
    "general_tracker",
    "individual_tracker",
    "signed_total",
    "union_tracker",
]

TRACKER_TRAITS = AttackTraits(
    against="server",
    learns="value",
    knows="classes that nobody else has together",
    breaks="exact answers about sets that are not small",
    held_by="an auditor of sums; records dropped or noise for every set",
)
"""What trackers are against, and what holds them."""


class SetLike(Protocol):
    """What the formulas need of a set."""

    def __or__(self, other: Any, /) -> Self: ...

    def __and__(self, other: Any, /) -> Self: ...

    def __sub__(self, other: Any, /) -> Self: ...


S = TypeVar("S", bound=SetLike)

Tell: TypeAlias = Callable[[S], Any]
"""Tells something additive about a set, such as a sum; None where it refuses."""


def signed_total(answers: Sequence[Any], signs: Sequence[int]) -> Any:
    """Return the answers added up with their signs; None where one was refused."""
    if any(answer is None for answer in answers):
        return None
    return sum(sign * answer for sign, answer in zip(signs, answers, strict=True))


def individual_tracker(tell: Tell[S], a: S, b: S) -> Any:
    """The victims are those of A who are in B too: q(A and B) = q(A) - q(A and not B).

    Examples
    --------
    >>> individual_tracker(sum, {1, 5, 9}, {5})
    5
    """
    return signed_total([tell(a), tell(a - b)], [1, -1])


def general_tracker(tell: Tell[S], victims: S, tracker: S, everyone: S) -> Any:
    """q(C) = q(C or T) + q(C or not T) - q(All), where q(All) = q(T) + q(not T), for 2k <= |T| <= n - 2k.

    Examples
    --------
    >>> general_tracker(sum, {3}, {1, 2}, {1, 2, 3, 4})
    3
    """
    rest = everyone - tracker
    return signed_total([tell(victims | tracker), tell(victims | rest), tell(tracker), tell(rest)], [1, 1, -1, -1])


def double_tracker(tell: Tell[S], victims: S, inner: S, outer: S) -> Any:
    """q(C) = q(U) + q(C or T) - q(T) - q(not (C and T) and U), for T inside U, k <= |T| <= n - 2k, 2k <= |U| <= n - k.

    Examples
    --------
    >>> double_tracker(sum, {3}, {2, 3}, {1, 2, 3, 4})
    3
    """
    less = outer - (victims & inner)
    return signed_total([tell(outer), tell(victims | inner), tell(inner), tell(less)], [1, 1, -1, -1])


def union_tracker(tell: Tell[S], victims: S, trackers: Sequence[S]) -> Any:
    """q(C) = q(C or T) - q(T) for the first of some disjoint T that has none of the victims and that is answered.

    Examples
    --------
    >>> union_tracker(sum, {3}, [{2, 3}, {4, 5}])
    3
    """
    for tracker in trackers:
        if victims & tracker:
            continue
        found = signed_total([tell(victims | tracker), tell(tracker)], [1, -1])
        if found is not None:
            return found
    return None
