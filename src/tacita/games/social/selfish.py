"""Selfish play: everybody answers the others as is best for his own PRF, and soon nobody shows anything.

What a user shows stands in the denominator of his own PRF alone, and what he learns depends on the others alone. So his best
responses are those with the least PR when anybody shows him something, and all there are when nobody does.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, PlaceArray
from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.games.social.network import Network
from tacita.games.social.scores import checked_sensitivities
from tacita.numeric.social_games.turns import HIDE, PUBLISH, STAY, take_turns
from tacita.numeric.social_games.within import sums_within, told_within

__all__ = ["SelfishPlay", "Ties", "best_responses", "play_selfishly"]

Ties: TypeAlias = Literal["hide", "stay", "publish"]
"""What a user does who gains nothing either way: hide, go on as before, or publish."""

_TIES = {"hide": HIDE, "stay": STAY, "publish": PUBLISH}


@dataclass(frozen=True, kw_only=True, eq=False)
class SelfishPlay:
    """How selfish play went.

    Parameters
    ----------
    reach
        (N, n): up to how many links each attribute is shown at the end.
    disclosing
        Before the first round and after each: the share of users who show something.
    mean_prf
        The same for the mean of PRF.
    changed
        How many users changed something in each round.
    ending
        ``settled``: nobody gains by a change, an equilibrium. ``cycle``: a state came back. ``unfinished``: rounds ran out.
    ties
        The rule by which it was played.
    """

    reach: PlaceArray = field(repr=False)
    disclosing: tuple[float, ...]
    mean_prf: tuple[float, ...]
    changed: tuple[int, ...]
    ending: Literal["settled", "cycle", "unfinished"]
    ties: Ties

    def words(self) -> str:
        """Return it as a sentence."""
        ends = {
            "settled": "after which nobody gains by a change",
            "cycle": "and the same states come again and again",
            "unfinished": "and it went on",
        }[self.ending]
        return (
            f"{100 * self.disclosing[0]:.1f} % of the users showed something at first and {100 * self.disclosing[-1]:.1f} % "
            f"after {len(self.changed)} rounds, {ends} (who gains nothing either way: {self.ties})."
        )

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "disclosing": list(self.disclosing),
            "mean_prf": list(self.mean_prf),
            "changed": list(self.changed),
            "ending": self.ending,
            "ties": self.ties,
        }


def best_responses(
    network: Network,
    reach: PlaceArray,
    sensitivities: FloatArray,
    *,
    ties: Ties = "hide",
    least: PlaceArray | int = 0,
    most: PlaceArray | int | None = None,
) -> PlaceArray:
    """Return (N, n): for every user a best response to what all others show, all answering at once.

    ``argmax over r of received(j) / (1 + sum_i sum over k <= r_i of beta_ik)``: where ``received(j)`` is above 0, the least reach
    and whatever more costs nothing; where it is 0, every reach.

    Parameters
    ----------
    network
        Who is linked to whom.
    reach
        (N, n): up to how many links each user shows each attribute now; 0 hides it.
    sensitivities
        (n, l) or (n,): beta_ik. With l = 1 a choice is dichotomous: to hide from or to show to those one link away.
    ties
        Which of several best responses it is: that with least, the one nearest to what is now, or that with most.
    least, most
        Bounds of the reach: one number, or (N, n) of them; by default from 0 to l.

    Raises
    ------
    ParameterError
        When something does not fit.

    Complexity
    ----------
    O(users within l links) time for each user.

    References
    ----------
    Domingo-Ferrer (2011), section 5 and Example 2.

    Examples
    --------
    >>> two = Network.of_edges([(1, 2)])
    >>> best_responses(two, np.array([[1], [1]]), np.array([1.0])).tolist()
    [[0], [0]]
    >>> best_responses(two, np.array([[0], [1]]), np.array([1.0]), ties="stay").tolist()
    [[0], [1]]
    """
    weights, now, low, free, high = _checked(network, reach, sensitivities, ties, least, most)
    return _at_once(told_within(network.links, _shown(now, weights)), now, low, free, high, ties)


def play_selfishly(
    network: Network,
    reach: PlaceArray,
    sensitivities: FloatArray,
    *,
    ties: Ties = "hide",
    turns: Literal["together", "in turn"] = "together",
    rounds: int = 100,
    least: PlaceArray | int = 0,
    most: PlaceArray | int | None = None,
    seed: Seed = 1,
) -> SelfishPlay:
    """Play rounds of best responses until nobody gains by a change, a state comes back, or the rounds run out.

    Parameters
    ----------
    network, sensitivities, ties, least, most
        As for :func:`best_responses`.
    reach
        What is shown at first.
    turns
        Whether all answer the round before together, or each in turn, in an order drawn anew for each round, with what those
        before him chose.
    rounds
        At most so many.
    seed
        Repeats the orders.

    Notes
    -----
    With ``ties="hide"`` one round is enough to hide everything that may be hidden, from any start: both answers that a user may
    have hold it. With ``ties="stay"`` users whom nobody shows anything go on publishing, which are the further equilibria of
    Example 2. With ``ties="publish"`` and in turn, those remain publishing who do not see each other, and who sees one hides;
    together, all change at once and the state comes back. The errata of the paper: collapse depends on how ties are broken.

    Examples
    --------
    >>> ring = Network.of_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> all_public = np.ones((4, 1), np.int32)
    >>> play_selfishly(ring, all_public, np.array([1.0])).disclosing
    (1.0, 0.0, 0.0)
    >>> play_selfishly(ring, all_public, np.array([1.0]), ties="publish", turns="in turn").disclosing[-1]
    0.5
    >>> play_selfishly(ring, all_public, np.array([1.0]), ties="publish").ending
    'cycle'
    """
    weights, now, low, free, high = _checked(network, reach, sensitivities, ties, least, most)
    if turns not in ("together", "in turn"):
        raise ParameterError("play_selfishly: 'turns' must be 'together' or 'in turn'.")
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise ParameterError("play_selfishly: 'rounds' must be a whole number, at least 1.")
    rng = Streams(seed).stream("play_selfishly")
    shares, means, changes = [_share(now)], [_mean_prf(network, now, weights)], []
    ending: Literal["settled", "cycle", "unfinished"] = "unfinished"
    seen = {_state(now)}
    with task("Rounds of selfish play", rounds) as running:
        for _ in range(rounds):
            running.advance()
            before = now
            if turns == "together":
                now = _at_once(told_within(network.links, _shown(now, weights)), now, low, free, high, ties)
                changes.append(int((now != before).any(axis=1).sum()))
            else:
                order = rng.permutation(network.users).astype(np.int32)
                now = before.copy()
                changes.append(take_turns(network.links, order, weights, low, free, high, _TIES[ties], now))
            shares.append(_share(now))
            means.append(_mean_prf(network, now, weights))
            if changes[-1] == 0:
                ending = "settled"
                break
            if turns == "together" and _state(now) in seen:
                ending = "cycle"
                break
            seen.add(_state(now))
    return SelfishPlay(
        reach=now,
        disclosing=tuple(shares),
        mean_prf=tuple(means),
        changed=tuple(changes),
        ending=ending,
        ties=ties,
    )


# --- one round --------------------------------------------------------------------------------------------------------------


def _shown(reach: PlaceArray, weights: FloatArray) -> FloatArray:
    """(N, l): sum over attributes of beta_ik where user j shows attribute i to those k links away."""
    levels = range(weights.shape[1])
    return np.stack([(reach > k).astype(np.float64) @ weights[:, k] for k in levels], axis=1)


def _at_once(
    is_told: BoolArray, now: PlaceArray, low: PlaceArray, free: PlaceArray, high: PlaceArray, ties: Ties
) -> PlaceArray:
    upper = np.where(is_told[:, None], free, high)
    if ties == "hide":
        return low.copy()
    return np.asarray(upper if ties == "publish" else np.clip(now, low, upper), np.int32)


def _share(reach: PlaceArray) -> float:
    return float((reach > 0).any(axis=1).mean())


def _mean_prf(network: Network, reach: PlaceArray, weights: FloatArray) -> float:
    shown = _shown(reach, weights)
    return float((sums_within(network.links, shown) / (1.0 + shown.sum(axis=1))).mean())


def _state(reach: PlaceArray) -> bytes:
    return hashlib.blake2b(reach.tobytes(), digest_size=16).digest()


# --- what may be played --------------------------------------------------------------------------------------------------------


def _checked(
    network: Network,
    reach: PlaceArray,
    sensitivities: FloatArray,
    ties: str,
    least: PlaceArray | int,
    most: PlaceArray | int | None,
) -> tuple[FloatArray, PlaceArray, PlaceArray, PlaceArray, PlaceArray]:
    """Return sensitivities, reach, its lower bound, how far it costs nothing more than there, and its upper bound."""
    owner = "best_responses"
    if ties not in _TIES:
        raise ParameterError(f"{owner}: 'ties' must be 'hide', 'stay' or 'publish', got {ties!r}.")
    weights = np.ascontiguousarray(checked_sensitivities(sensitivities, owner))
    shape = (network.users, weights.shape[0])
    distance = weights.shape[1]
    now = _places(reach, shape, 0, distance, "reach")
    low = _places(least, shape, 0, distance, "least")
    high = _places(distance if most is None else most, shape, 0, distance, "most")
    if not ((low <= now) & (now <= high)).all():
        raise ParameterError(f"{owner}: 'reach' must be between 'least' and 'most' for every user and attribute.")
    return weights, now, low, np.minimum(_free(weights)[np.arange(shape[1]), low], high).astype(np.int32), high


def _free(weights: FloatArray) -> PlaceArray:
    """(n, l + 1): the farthest reach that costs no more than reach r."""
    attributes, distance = weights.shape
    free = np.empty((attributes, distance + 1), np.int32)
    free[:, distance] = distance
    for r in range(distance - 1, -1, -1):
        free[:, r] = np.where(weights[:, r] == 0, free[:, r + 1], r)
    return free


def _places(given: PlaceArray | int, shape: tuple[int, int], low: int, high: int, name: str) -> PlaceArray:
    found = np.asarray(given)
    if found.dtype.kind not in "iub":
        raise ParameterError(f"best_responses: '{name}' must be whole numbers.")
    if found.ndim and found.shape != shape:
        raise ParameterError(f"best_responses: '{name}' must be {shape}, users by attributes, got {found.shape}.")
    if found.size and not (found.min() >= low and found.max() <= high):
        raise ParameterError(f"best_responses: '{name}' must be between {low} and {high}, the farthest distance.")
    return np.ascontiguousarray(np.broadcast_to(found, shape), np.int32)
