"""One round of best responses in which every user sees what those before him chose in the same round."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Place1, Place2, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.social_games.within import Adjacency, is_one_told

__all__ = ["HIDE", "PUBLISH", "STAY", "take_turns"]

HIDE, STAY, PUBLISH = 0, 1, 2
"""What a user does with what costs and brings him nothing."""


@entry
def take_turns(
    links: Adjacency,
    order: Place1,
    sensitivities: Float2,
    least: Place2,
    free: Place2,
    most: Place2,
    ties: int,
    reach: Place2,
) -> int:
    """Let users choose one after another, in place; return how many changed something.

    A user to whom somebody shows something lowers PR as far as he may: from ``least`` up to ``free`` links costs nothing more. To
    one to whom nobody shows anything all from ``least`` to ``most`` is worth the same, nothing.

    Parameters
    ----------
    links
        The network.
    order
        The users in the order of their turns.
    sensitivities
        (n, l): of attribute i against users k links away.
    least, free, most
        (N, n): bounds of the links up to which an attribute is shown.
    ties
        HIDE, STAY or PUBLISH.
    reach
        (N, n): up to how many links each attribute is shown; is changed.
    """
    n, attributes = reach.shape
    worth = np.zeros((n, sensitivities.shape[1]))
    for user in range(n):
        _show(sensitivities, reach, user, worth)
    stamp = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    changed = 0
    for turn in range(len(order)):
        user = order[turn]
        is_told = is_one_told(links, worth, user, stamp, queue)
        differs = False
        for attribute in range(attributes):
            upper = free[user, attribute] if is_told else most[user, attribute]
            chosen = _choose(reach[user, attribute], least[user, attribute], upper, ties)
            if chosen != reach[user, attribute]:
                reach[user, attribute] = chosen
                differs = True
        if differs:
            changed += 1
            _show(sensitivities, reach, user, worth)
    return changed


@kernel
def _choose(now: int, lower: int, upper: int, ties: int) -> int:
    if ties == HIDE:
        return lower
    if ties == PUBLISH:
        return upper
    return min(max(now, lower), upper)


@kernel
def _show(sensitivities: FloatArray, reach: PlaceArray, user: int, worth: FloatArray) -> None:
    """Add up what a user shows to those at each distance."""
    for k in range(sensitivities.shape[1]):
        total = 0.0
        for attribute in range(reach.shape[1]):
            if reach[user, attribute] > k:
                total += sensitivities[attribute, k]
        worth[user, k] = total
