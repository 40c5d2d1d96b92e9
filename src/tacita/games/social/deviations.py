"""The best that one user can do against a protocol which all others follow, found by search: epsilon as a figure.

The others answer by rules, so that a single user faces a decision process: his standing with his neighbours is the state, to whom
he discloses the move. Value iteration finds the best of all strategies, not only the best single round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.games.social.exchange import Exchange
from tacita.games.social.protocols import Moves, SocialProtocol, TitForTat

__all__ = ["Deviation", "best_deviation", "least_penance"]

_EXACT = 1e-10


@dataclass(frozen=True, kw_only=True)
class Deviation:
    """The best deviation of one user, all figures for one link and one round; a user with d links has d times as much.

    Parameters
    ----------
    follows
        What following the protocol is worth.
    once
        What hiding brings in the round in which one hides.
    gain
        ``(1 - continuation) V - follows``: what the best strategy of all brings on average over the rounds that the user
        expects to live through: epsilon. Where states are fractions, never too small.
    attained
        The same of the strategy that was found, played out.
    given
        The shares of the neighbours to whom it discloses, round by round, up to where it repeats itself.
    repeats_from
        The round from which it does.
    lasting
        What it brings on average in the rounds that repeat: the gain of who lives for ever; it may be below 0.
    continuation
        How likely there is a next round.
    """

    follows: float
    once: float
    gain: float
    attained: float
    given: tuple[float, ...]
    repeats_from: int
    lasting: float
    continuation: float

    @property
    def relative(self) -> float:
        """The gain as a share of what following is worth."""
        return self.gain / self.follows

    @property
    def pattern(self) -> tuple[float, ...]:
        """The shares that repeat."""
        return self.given[self.repeats_from :]

    def words(self) -> str:
        """Return it as a sentence."""
        if self.gain <= 1e-6 * abs(self.follows):
            return (
                f"Hiding brings {self.once:.3g} for each link in the round itself, and nothing in the long run: nobody gains by "
                f"leaving the protocol (continuation {self.continuation:g})."
            )
        shown = ", ".join(f"{100 * share:.0f} %" for share in self.pattern[:8]) + (
            ", ..." if len(self.pattern) > 8 else ""
        )
        return (
            f"Hiding brings {self.once:.3g} for each link in the round itself; the best deviation, disclosing to {shown} of the "
            f"neighbours in turn, brings {self.gain:.3g} a round in the long run, {100 * self.relative:.1f} % of what following "
            f"is worth (continuation {self.continuation:g})."
        )

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "follows": self.follows,
            "once": self.once,
            "gain": self.gain,
            "attained": self.attained,
            "relative": self.relative,
            "pattern": list(self.pattern),
            "lasting": self.lasting,
            "continuation": self.continuation,
        }


def best_deviation(
    protocol: SocialProtocol, exchange: Exchange, *, continuation: float = 0.95, groups: int | None = None
) -> Deviation:
    """Return the best strategy of one user against a protocol that all others follow without slips.

    ``V(s) = max over moves of u(received(s), given) + continuation V(next)``.

    Parameters
    ----------
    protocol
        What the others follow.
    exchange
        What a round is worth.
    continuation
        How likely there is a next round, from 0 to 0.999: at 0.95 a user expects twenty of them.
    groups
        Neighbours are treated in so many equal groups, each as one; 1 treats all alike. Without it what suits the protocol:
        reputations can be spent on a few of many neighbours.

    Raises
    ------
    ParameterError
        When a parameter is out of its range, or there are too many states.

    Complexity
    ----------
    O(M log(1 / exactness) / (1 - continuation)) time for M moves: with penance r and G groups, ``C(r + G, G)`` states of at most
    ``2^G`` moves.

    Notes
    -----
    PRF is convex in what one shows, so that hiding from all at once and being good to all afterwards beats doing it by turns; the
    search finds this and does not assume it.

    References
    ----------
    Domingo-Ferrer (2011), section 3: in an epsilon-correlated equilibrium nobody gains more than epsilon by deviating.
    Bellman, R. (1957), Dynamic programming, Princeton University Press.

    Examples
    --------
    >>> from tacita.games.social.exchange import Disclosure
    >>> generous = best_deviation(TitForTat(penance=1), Disclosure((3.0,)))
    >>> generous.pattern, round(generous.relative, 2)
    ((0.0, 1.0), 1.05)
    >>> best_deviation(TitForTat(penance=4), Disclosure((3.0,))).gain
    0.0
    """
    if isinstance(continuation, bool) or not isinstance(continuation, (int, float)) or not 0 <= continuation <= 0.999:
        raise ParameterError("best_deviation: 'continuation' must be a number from 0 to 0.999.")
    groups = protocol.groups if groups is None else groups
    above = protocol.moves(groups, generous=True)
    value, _ = _solve(above, exchange, continuation)
    below = protocol.moves(groups, generous=False)
    _, chosen = _solve(below, exchange, continuation)
    follows, hides = exchange.per_link(np.ones(2), np.array([1.0, 0.0])).tolist()
    path, repeats_from, worth = _played(below, chosen, exchange)
    whole = _discounted(worth, repeats_from, continuation)
    gain = (1 - continuation) * value[above.begin] - follows
    return Deviation(
        follows=follows,
        once=hides - follows,
        gain=0.0 if gain <= 1e-8 * abs(follows) else float(gain),
        attained=float((1 - continuation) * whole - follows),
        given=path,
        repeats_from=repeats_from,
        lasting=float(np.mean(worth[repeats_from:]) - follows),
        continuation=float(continuation),
    )


def least_penance(
    exchange: Exchange, *, continuation: float = 0.95, gain: float = 0.0, most: int = 30, groups: int = 1
) -> int | None:
    """Return the least penance with which tit-for-tat leaves nobody more than a share ``gain`` of what following is worth.

    None where no penance up to ``most`` does: users who do not expect to stay cannot be bound.

    Notes
    -----
    A user who hides once and does r rounds of penance has B in one of r + 1 rounds, and B / (1 + B) in each when he follows: for
    users who live for ever, r must reach B.

    Examples
    --------
    >>> from tacita.games.social.exchange import Disclosure, Upload
    >>> [least_penance(Disclosure((b,)), continuation=0.99) for b in (0.5, 1.0, 2.0, 4.0)]
    [1, 2, 3, 5]
    >>> least_penance(Upload(3, 1)), least_penance(Upload(3, 1), continuation=0.3)
    (1, None)
    """
    for penance in range(1, most + 1):
        found = best_deviation(TitForTat(penance=penance), exchange, continuation=continuation, groups=groups)
        if found.relative <= gain + 1e-9:
            return penance
    return None


# --- the search -------------------------------------------------------------------------------------------------------------


def _solve(moves: Moves, exchange: Exchange, continuation: float) -> tuple[FloatArray, IntArray]:
    """Return the value of each state, and the place of a best move in each."""
    sizes = np.diff(np.append(moves.first, len(moves.given)))
    worth = exchange.per_link(np.repeat(moves.received, sizes), moves.given)
    scale = float(np.abs(worth).max()) or 1.0
    rounds = 1 if continuation == 0 else math.ceil(math.log(_EXACT * (1 - continuation)) / math.log(continuation)) + 1
    value = np.zeros(len(moves.received))
    for _ in range(rounds):
        before = value
        value = np.maximum.reduceat(worth + continuation * before[moves.then], moves.first)
        if np.abs(value - before).max() <= _EXACT * scale * (1 - continuation):
            break
    best = worth + continuation * value[moves.then]
    # Of best moves the one that gives most, which is to follow the protocol wherever that is best.
    is_best = best >= np.repeat(np.maximum.reduceat(best, moves.first), sizes) - 1e-7 * scale
    ranked = np.where(is_best, moves.given, -1.0)
    most = np.repeat(np.maximum.reduceat(ranked, moves.first), sizes)
    hits = np.flatnonzero(ranked == most)
    state = np.repeat(np.arange(len(sizes)), sizes)[hits]
    return value, hits[np.unique(state, return_index=True)[1]]


def _played(moves: Moves, chosen: IntArray, exchange: Exchange) -> tuple[tuple[float, ...], int, FloatArray]:
    """Return what the chosen moves give until a state comes back, from where they repeat, and what each round is worth."""
    state, seen = moves.begin, {}
    given: list[float] = []
    received: list[float] = []
    while state not in seen:  # states are finite
        seen[state] = len(given)
        received.append(float(moves.received[state]))
        given.append(float(moves.given[chosen[state]]))
        state = int(moves.then[chosen[state]])
    return tuple(given), seen[state], exchange.per_link(np.array(received), np.array(given))


def _discounted(worth: FloatArray, repeats_from: int, continuation: float) -> float:
    """Add up a play that repeats itself from some round on."""
    powers = continuation ** np.arange(len(worth))
    cycle = len(worth) - repeats_from
    again = float((worth * powers)[repeats_from:].sum()) / (1 - continuation**cycle) if continuation else 0.0
    if not continuation:
        return float(worth[0])
    return float((worth * powers)[:repeats_from].sum()) + again
