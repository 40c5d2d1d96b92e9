"""The union tracker: several sets that do not meet; the victim is joined with one that he is not in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.told import SetAttack, claims_about
from tacita.attack.queries.tracker_formulas import TRACKER_TRAITS, union_tracker
from tacita.attack.queries.tracker_search import find_union_trackers
from tacita.attack.queries.words import ServerWords

__all__ = ["UnionTracker"]


@dataclass(frozen=True, kw_only=True)
class UnionTracker(SetAttack):
    """Find several sets that do not meet, and ask for the victim's set joined with one that has nothing of it.

    q(C) = q(C or T) - q(T) for a T with ``k <= |T| <= n - k - |C|``. Of three sets that do not meet a single person is in one at
    most, so there is always another.

    Complexity
    ----------
    O(1) questions to find the sets, then one to u a victim for u sets.

    Notes
    -----
    Size control is broken by it for nearly every k up to a half of everybody. The auditor of sums refuses the union.

    References
    ----------
    Schlörer, J. (1980), Disclosure from statistical databases: quantitative aspects of trackers, ACM Transactions on Database
    Systems 5, 467-492.

    Examples
    --------
    >>> UnionTracker().name
    'union_tracker'
    """

    name = "union_tracker"
    traits = TRACKER_TRAITS

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        words = ServerWords(target)
        trackers = find_union_trackers(words)
        return claims_about(
            target,
            words,
            lambda victim: union_tracker(words.look, victim, trackers),
            figures={"trackers": float(len(trackers))},
        )
