"""The double tracker: a set within a larger one, where no set of half of everybody may be asked for with its rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.told import SetAttack, claims_about
from tacita.attack.queries.tracker_formulas import TRACKER_TRAITS, double_tracker
from tacita.attack.queries.tracker_search import find_double_tracker
from tacita.attack.queries.words import ServerWords

__all__ = ["DoubleTracker"]


@dataclass(frozen=True, kw_only=True)
class DoubleTracker(SetAttack):
    """Find sets T inside U, and ask for the victim's set joined with T, and for U without those of both.

    q(C) = q(U) + q(C or T) - q(T) - q(not (C and T) and U). T needs ``k <= |T| <= n - 2k`` and U ``2k <= |U| <= n - k``, so k
    may be up to a third of everybody.

    Complexity
    ----------
    O(1) questions to find T and U, then two a victim.

    Notes
    -----
    Size control is broken by it for larger k than by a general tracker; the auditor of sums holds it.

    References
    ----------
    Denning, D. E., Denning, P. J. and Schwartz, M. D. (1979), The tracker: a threat to statistical database security, ACM
    Transactions on Database Systems 4, 76-96.

    Examples
    --------
    >>> DoubleTracker().name
    'double_tracker'
    """

    name = "double_tracker"
    traits = TRACKER_TRAITS

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        words = ServerWords(target)
        found = find_double_tracker(words)
        return claims_about(
            target,
            words,
            lambda victim: None if found is None else double_tracker(words.look, victim, *found),
            figures={"trackers": float(found is not None)},
        )
