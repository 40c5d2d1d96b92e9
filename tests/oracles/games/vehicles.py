"""Announcing cars with loops and dictionaries: distances one by one, voices in sets, players by going through all choices."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["coprivate_counts", "counted_steps", "mean_payoffs", "on_the_torus"]


def on_the_torus(a: Sequence[float], b: Sequence[float], side: float) -> float:
    """How far two places are apart where opposite sides are one."""
    return math.sqrt(sum(min(abs(x - y), side - abs(x - y)) ** 2 for x, y in zip(a, b, strict=True)))


def counted_steps(endorsements: Iterable[tuple[int, int, int]], dangers: int, threshold: int) -> list[int]:
    """When each danger has so many different voices, by going through time."""
    found = [-1] * dangers
    heard: list[set[int]] = [set() for _ in range(dangers)]
    for danger, voice, step in sorted(endorsements, key=lambda one: one[2]):
        heard[danger].add(voice)
        if len(heard[danger]) >= threshold and found[danger] < 0:
            found[danger] = step
    return found


def mean_payoffs(
    near: Sequence[int], endorses: Mapping[int, bool], voice: Mapping[int, int], players: int, threshold: int
) -> tuple[list[float], list[float]]:
    """Chance that one message counts and privacy of its announcers, over all ordered choices of players."""
    counts, private, choices = [0.0] * (players + 1), [0.0] * (players + 1), 0
    for chosen in itertools.permutations(near, players):
        choices += 1
        others = [car for car in near if car not in chosen and endorses[car]]
        for j in range(players + 1):
            announcers = [*others, *chosen[:j]]
            counts[j] += len({voice[car] for car in announcers}) >= threshold
            private[j] += math.log2(len(announcers)) / math.log2(len(near)) if j else 1.0
    return [value / choices for value in counts], [value / choices for value in private]


def coprivate_counts(functionality: Sequence[float], privacy: Sequence[float], ratio: float) -> set[int]:
    """How many announcing players are an equilibrium, word by word."""
    n = len(functionality) - 1

    def worth(j: int, announces: bool) -> float:
        return ratio * functionality[j] + (privacy[j] if announces else 1.0)

    return {
        j
        for j in range(n + 1)
        if (j == 0 or worth(j, True) >= worth(j - 1, False)) and (j == n or worth(j, False) >= worth(j + 1, True))
    }
