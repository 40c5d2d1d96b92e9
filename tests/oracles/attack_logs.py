"""Whose profile some texts fit best, one pair at a time."""

from __future__ import annotations

import math

__all__ = ["slow_scores"]


def slow_scores(known: list[set[int]], profiles: list[set[int]]) -> list[list[float]]:
    """Return for each victim and profile the sum of ``log(P / n)`` over the things that both have."""
    in_how_many = {thing: sum(thing in profile for profile in profiles) for profile in profiles for thing in profile}
    return [
        [sum(math.log(len(profiles) / in_how_many[t]) for t in mine & profile) for profile in profiles]
        for mine in known
    ]
