"""Protocols by which users who each want a high PRF go on disclosing: tit-for-tat among neighbours, and reputation.

They are assistants: they say each round to whom a user should disclose, and the user may do otherwise. Both know penance. Who did
not disclose when he should have is shown nothing until he has disclosed again for a while, and he does not take it amiss that he
is shown nothing. Without this a single slip would have two users punish each other for ever.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.games.social.exchange import Arcs

__all__ = ["Moves", "Reputation", "SocialProtocol", "TitForTat"]

_MOST_PENANCE, _MOST_STATES = 60, 50_000
_GRID = 1000
"""Steps of a reputation, for the search of deviations."""


class Moves(NamedTuple):
    """What one user may do against a protocol that all others follow, as a decision process without chance.

    Moves of one state stand together. ``received`` and ``given`` are shares of the neighbours.
    """

    received: FloatArray  # (states,)
    first: IntArray  # (states,): where the moves of a state begin
    given: FloatArray  # (moves,)
    then: IntArray  # (moves,): the state that follows
    begin: int


class SocialProtocol(Protocol):
    """What a simulation, a search for deviations and an assistant ask of a protocol."""

    @property
    def groups(self) -> int:
        """In how many groups a search has somebody treat his neighbours unless it is told otherwise."""

    def start(self, arcs: Arcs) -> FloatArray:
        """Return the state before the first round: everybody is trusted."""

    def asks(self, state: FloatArray, arcs: Arcs) -> BoolArray:
        """(arcs,): where the assistant of the tail says: disclose."""

    def after(self, state: FloatArray, asked: BoolArray, disclosed: BoolArray, arcs: Arcs) -> FloatArray:
        """Return the state after a round."""

    def welcome(self, state: FloatArray, new: BoolArray, arcs: Arcs) -> FloatArray:
        """Return the state when some users are new, or say that they are."""

    def why(self, state: FloatArray, arcs: Arcs, arc: int) -> str:
        """Say in words why the assistant asks what it asks on one arc."""

    def is_tempted(self, state: FloatArray, arcs: Arcs, share: float) -> BoolArray:
        """(N,): whether a user's standing lets him disclose to this share of his neighbours for once."""

    def moves(self, groups: int, *, generous: bool) -> Moves:
        """Return what one user may do who treats his neighbours in so many groups."""


@dataclass(frozen=True, kw_only=True)
class TitForTat:
    """Disclose to who discloses to you: direct reciprocity, with penance, each link for itself.

    For each arc a count says how many rounds its tail owes its head. An assistant asks its user to disclose to a neighbour unless
    the neighbour owes him something and he owes the neighbour nothing. Who is asked and does not disclose owes ``penance``
    rounds; each disclosure takes one off.

    Parameters
    ----------
    penance
        So many rounds of disclosing without a return. One is contrite tit-for-tat. With B the sum of sensitivities, it takes more
        than B of them that hiding every now and then does not pay (see :func:`~tacita.games.social.deviations.least_penance`).
    newcomers
        Whether they are trusted at once, or disclose first, as if they had not when asked.

    Notes
    -----
    Protects against free riders. With ``newcomers="trust"`` it does not protect against users who take a new name whenever they
    are refused; with ``"wait"`` it does.

    References
    ----------
    Domingo-Ferrer, J. (2010), Rational privacy disclosure in social networks, MDAI 2010, LNCS 6408, 255-265, as described in
    Domingo-Ferrer (2011), section 5. The paper names the protocols and does not print them; the rules are ours.
    Boyd, R. (1989), Mistakes allow evolutionary stability in the repeated prisoner's dilemma, Journal of Theoretical Biology 136.

    Examples
    --------
    >>> TitForTat(penance=2, newcomers="wait")
    TitForTat(penance=2, newcomers='wait')
    """

    penance: int = 1
    newcomers: Literal["trust", "wait"] = "wait"

    def __post_init__(self) -> None:
        if (
            isinstance(self.penance, bool)
            or not isinstance(self.penance, int)
            or not 1 <= self.penance <= _MOST_PENANCE
        ):
            raise ParameterError(f"TitForTat: 'penance' must be a whole number from 1 to {_MOST_PENANCE}.")
        _check_newcomers(self.newcomers, "TitForTat")

    @property
    def groups(self) -> int:
        return 2

    def start(self, arcs: Arcs) -> FloatArray:
        return np.zeros(len(arcs.tails))

    def asks(self, state: FloatArray, arcs: Arcs) -> BoolArray:
        return np.asarray((state[arcs.back] == 0) | (state > 0), np.bool_)

    def after(self, state: FloatArray, asked: BoolArray, disclosed: BoolArray, arcs: Arcs) -> FloatArray:
        del arcs  # a link is for itself
        left = np.where(disclosed, np.maximum(state - 1, 0), state)
        left[asked & ~disclosed] = self.penance
        return left

    def welcome(self, state: FloatArray, new: BoolArray, arcs: Arcs) -> FloatArray:
        fresh = state.copy()
        fresh[new[arcs.heads]] = 0
        fresh[new[arcs.tails]] = self.penance if self.newcomers == "wait" else 0
        return fresh

    def why(self, state: FloatArray, arcs: Arcs, arc: int) -> str:
        own, other = int(state[arc]), int(state[arcs.back[arc]])
        if own:
            return (
                f"you have to disclose for {own} more round{'s' if own > 1 else ''} before you are shown anything again"
            )
        if other:
            return f"you are owed {other} round{'s' if other > 1 else ''} of disclosure first"
        return "you disclosed to each other whenever you were asked"

    def is_tempted(self, state: FloatArray, arcs: Arcs, share: float) -> BoolArray:
        del share  # whoever is not disclosed to takes it amiss
        return np.asarray(np.bincount(arcs.tails, weights=state, minlength=len(arcs.degrees)) == 0, np.bool_)

    def moves(self, groups: int, *, generous: bool) -> Moves:
        del generous  # counts are whole numbers, there is nothing to round
        _check_groups(groups, 8)
        if math.comb(groups + self.penance, groups) > _MOST_STATES:
            raise ParameterError(
                f"TitForTat: at most {_MOST_STATES:,} states are searched; take fewer groups or less penance."
            )
        states = list(itertools.combinations_with_replacement(range(self.penance + 1), groups))
        place = {state: number for number, state in enumerate(states)}
        first: list[int] = []
        given: list[float] = []
        then: list[int] = []
        for state in states:
            first.append(len(given))
            reached: dict[int, float] = {}
            for shown in itertools.product((False, True), repeat=groups):
                following = sorted(max(c - 1, 0) if s else self.penance for c, s in zip(state, shown, strict=True))
                # Of moves with one end that with the least given is best.
                share, end = sum(shown) / groups, place[tuple(following)]
                reached[end] = min(share, reached.get(end, 1.0))
            then += reached.keys()
            given += reached.values()
        received = np.array([state.count(0) / groups for state in states])
        return Moves(received, np.array(first), np.array(given), np.array(then), 0)


@dataclass(frozen=True, kw_only=True)
class Reputation:
    """Disclose to who discloses: indirect reciprocity, everybody with one reputation that all see.

    ``rho <- (1 - memory) rho + memory kept``, where ``kept`` is the share of the neighbours to whom a user disclosed among those
    he was asked for. An assistant asks to disclose to neighbours with ``rho >= threshold``, and to all as long as one's own is
    below. Not to disclose to who has a bad reputation costs none.

    Parameters
    ----------
    threshold
        The reputation from which one is shown something.
    memory
        How much a round counts, above 0 and at most 1.
    newcomers
        Whether they begin with the best reputation or with none.

    Notes
    -----
    Whatever lies between the threshold and 1 can be had for nothing: who discloses to a share ``threshold`` of his neighbours is
    as well off as who does to all. So is, on the other hand, who slips once in a while. A central place must keep the numbers.

    References
    ----------
    Domingo-Ferrer (2010), as described in Domingo-Ferrer (2011), section 5; the rules are ours.
    Nowak, M. A. and Sigmund, K. (2005), Evolution of indirect reciprocity, Nature 437, 1291-1298: standing.

    Examples
    --------
    >>> Reputation(threshold=0.8)
    Reputation(threshold=0.8, memory=0.2, newcomers='wait')
    """

    threshold: float = 0.9
    memory: float = 0.2
    newcomers: Literal["trust", "wait"] = "wait"

    def __post_init__(self) -> None:
        for name, low in (("threshold", 0.0), ("memory", 0.01)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low < value <= 1:
                raise ParameterError(f"Reputation: '{name}' must be above {low:g} and at most 1.")
        _check_newcomers(self.newcomers, "Reputation")

    @property
    def groups(self) -> int:
        return 20  # who has many neighbours hides from a few of them, as many as cost him nothing

    def start(self, arcs: Arcs) -> FloatArray:
        return np.ones(len(arcs.degrees))

    def asks(self, state: FloatArray, arcs: Arcs) -> BoolArray:
        is_good = self._is_good(state)
        return np.asarray(is_good[arcs.heads] | ~is_good[arcs.tails], np.bool_)

    def after(self, state: FloatArray, asked: BoolArray, disclosed: BoolArray, arcs: Arcs) -> FloatArray:
        n = len(arcs.degrees)
        dues = np.bincount(arcs.tails, weights=asked, minlength=n)
        kept = np.bincount(arcs.tails, weights=asked & disclosed, minlength=n)
        moved = (1 - self.memory) * state + self.memory * kept / np.maximum(dues, 1)
        return np.where(dues > 0, moved, state)

    def welcome(self, state: FloatArray, new: BoolArray, arcs: Arcs) -> FloatArray:
        del arcs  # a reputation is everywhere the same
        return np.where(new, 0.0 if self.newcomers == "wait" else 1.0, state)

    def why(self, state: FloatArray, arcs: Arcs, arc: int) -> str:
        own, other = state[arcs.tails[arc]], state[arcs.heads[arc]]
        if not self._is_good(own):
            return f"your reputation is {own:.2f}, below {self.threshold:g}: disclosing brings it back"
        if self._is_good(other):
            return f"the reputation is {other:.2f}, and to hide would cost you yours"
        return f"the reputation is {other:.2f}, below {self.threshold:g}, and to hide costs you none"

    def is_tempted(self, state: FloatArray, arcs: Arcs, share: float) -> BoolArray:
        del arcs  # a reputation is everywhere the same
        return self._is_good((1 - self.memory) * state + self.memory * share)

    def moves(self, groups: int, *, generous: bool) -> Moves:
        _check_groups(groups, 100)
        rho = np.arange(_GRID + 1) / _GRID
        shares = np.arange(groups + 1) / groups
        reached = ((1 - self.memory) * rho[:, None] + self.memory * shares) * _GRID
        then = (np.ceil(reached - 1e-6) if generous else np.floor(reached + 1e-6)).astype(np.int64)
        return Moves(
            self._is_good(rho).astype(np.float64),
            np.arange(_GRID + 1) * (groups + 1),
            np.tile(shares, _GRID + 1),
            np.clip(then, 0, _GRID).reshape(-1),
            _GRID,
        )

    def _is_good(self, reputation: FloatArray) -> BoolArray:
        return np.asarray(reputation >= self.threshold - 1e-9, np.bool_)


def _check_newcomers(given: str, owner: str) -> None:
    if given not in ("trust", "wait"):
        raise ParameterError(f"{owner}: 'newcomers' must be 'trust' or 'wait', got {given!r}.")


def _check_groups(groups: int, most: int) -> None:
    if isinstance(groups, bool) or not isinstance(groups, int) or not 1 <= groups <= most:
        raise ParameterError(f"best_deviation: 'groups' must be a whole number from 1 to {most}.")
