"""The general tracker: one set of about half of everybody, with which every small set can be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import everybody
from tacita.attack.queries.told import SetAttack, claims_about
from tacita.attack.queries.tracker_formulas import TRACKER_TRAITS, general_tracker
from tacita.attack.queries.tracker_search import find_tracker
from tacita.attack.queries.words import ServerWords

__all__ = ["GeneralTracker"]


@dataclass(frozen=True, kw_only=True)
class GeneralTracker(SetAttack):
    """Find a set T of about half of everybody, and ask for the victim's set joined with T and with the rest.

    q(C) = q(C or T) + q(C or not T) - q(T) - q(not T). All four sets are large wherever ``2k <= |T| <= n - 2k``.

    Complexity
    ----------
    O(1) questions to find T, then two a victim.

    Notes
    -----
    Size control with any k up to a quarter of everybody is broken by it. The auditor of sums refuses the last of the four sets.

    References
    ----------
    Denning, D. E., Denning, P. J. and Schwartz, M. D. (1979), The tracker: a threat to statistical database security, ACM
    Transactions on Database Systems 4, 76-96.

    Examples
    --------
    >>> GeneralTracker().name
    'general_tracker'
    """

    name = "general_tracker"
    traits = TRACKER_TRAITS

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        words = ServerWords(target)
        tracker = find_tracker(words)
        everyone = everybody(words.domain)
        return claims_about(
            target,
            words,
            lambda victim: None if tracker is None else general_tracker(words.look, victim, tracker, everyone),
            figures={"trackers": float(tracker is not None)},
        )
