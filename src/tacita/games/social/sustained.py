"""A network under a protocol, round by round: who discloses, what it is worth to whom, and who takes without giving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.games.social.exchange import Arcs, Exchange, arcs_of
from tacita.games.social.network import Network
from tacita.games.social.protocols import SocialProtocol

__all__ = ["KINDS", "SocialRun", "sustain"]

KINDS = ("followers", "free riders", "whitewashers", "deviators")
"""Who does what the assistant says; who never gives; who never gives and takes a new name when refused; who plays a pattern."""
_FOLLOWER, _RIDER, _WASHER, _DEVIATOR = range(4)


@dataclass(frozen=True, kw_only=True, eq=False)
class SocialRun:
    """What happened in a network under a protocol.

    Parameters
    ----------
    disclosing
        (rounds,): the share of users who gave something to somebody.
    arcs_used
        (rounds,): the share of all that could have been given that was.
    utility
        (rounds, kinds): the mean utility of the users of each kind, NaN where there are none.
    mean_utility
        (rounds,): that of all; times the users, the welfare.
    all_give, nobody_gives
        The mean utility when everybody gives to all neighbours, and when nobody does.
    each
        (N,): the mean utility of each user over the rounds.
    kinds
        (N,): the place of each user's kind in :data:`KINDS`.
    state
        Of the protocol after the last round, for :func:`~tacita.games.social.assistant.advise`.
    """

    disclosing: FloatArray
    arcs_used: FloatArray
    utility: FloatArray
    mean_utility: FloatArray
    all_give: float
    nobody_gives: float
    each: FloatArray = field(repr=False)
    kinds: IntArray = field(repr=False)
    state: FloatArray = field(repr=False)

    @property
    def sustained(self) -> float:
        """The mean utility of the last half of the rounds, as a share of that when all give."""
        late = self.mean_utility[len(self.mean_utility) // 2 :]
        return float(late.mean() / self.all_give) if self.all_give else 0.0

    def of_kind(self, kind: str) -> float:
        """Return the mean utility of the users of a kind in the last half of the rounds; NaN where there are none."""
        if kind not in KINDS:
            raise ParameterError(f"of_kind: 'kind' must be one of {', '.join(KINDS)}.")
        return float(self.utility[len(self.utility) // 2 :, KINDS.index(kind)].mean())

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "disclosing": self.disclosing.tolist(),
            "arcs_used": self.arcs_used.tolist(),
            "mean_utility": self.mean_utility.tolist(),
            "utility": {kind: self.utility[:, k].tolist() for k, kind in enumerate(KINDS) if (self.kinds == k).any()},
            "all_give": self.all_give,
            "nobody_gives": self.nobody_gives,
            "sustained": self.sustained,
        }


def sustain(
    network: Network,
    protocol: SocialProtocol,
    exchange: Exchange,
    *,
    rounds: int = 50,
    slips: float = 0.0,
    free_riders: float = 0.0,
    whitewashers: float = 0.0,
    turnover: float = 0.0,
    deviators: BoolArray | None = None,
    pattern: Sequence[float] = (0.0,),
    adaptive: bool = False,
    seed: Seed = 1,
) -> SocialRun:
    """Play rounds of an exchange among users who do what their assistants say, but those who do not.

    Parameters
    ----------
    network
        Who is linked to whom; what is given goes over one link.
    protocol
        What the assistants say.
    exchange
        What a round is worth.
    rounds
        How many.
    slips
        How likely a user does not give what he was asked for and meant to give; both sides see it.
    free_riders, whitewashers
        Shares of the users who never give; whitewashers take a new name after each round in which less than half of their
        neighbours gave them something.
    turnover
        How likely a user is replaced by a new one before a round, who does what his assistant says.
    deviators, pattern
        Users who give to shares of their neighbours that repeat from round to round, whatever they are asked for.
    adaptive
        Whether deviators do so only where their standing lets them for once, and otherwise what they are asked for.
    seed
        Repeats the run; runs with other shares, slips and patterns share their chance numbers, so that they can be compared.

    Raises
    ------
    ParameterError
        When a number is out of its range.

    Complexity
    ----------
    O(rounds links) time.

    References
    ----------
    Domingo-Ferrer (2011), section 5.
    Feldman, M., Papadimitriou, C., Chuang, J. and Stoica, I. (2006), Free-riding and whitewashing in peer-to-peer systems, IEEE
    Journal on Selected Areas in Communications 24: whitewashing and the cost that it lays on newcomers.

    Examples
    --------
    >>> from tacita.games.social.exchange import Disclosure
    >>> from tacita.games.social.generators import scale_free_network
    >>> from tacita.games.social.protocols import TitForTat
    >>> run = sustain(scale_free_network(200), TitForTat(), Disclosure((1.0,)), rounds=20, free_riders=0.1)
    >>> run.of_kind("free riders"), bool(run.of_kind("followers") > 2)
    (0.0, True)
    """
    _check(rounds, slips=slips, free_riders=free_riders, whitewashers=whitewashers, turnover=turnover)
    arcs = arcs_of(network)
    streams = Streams(seed).within("sustain")
    kinds = _kinds(network.users, free_riders, whitewashers, deviators, streams.stream("kinds"))
    shares = _pattern(pattern)
    slipping, leaving = streams.stream("slips"), streams.stream("turnover")
    rank = np.arange(len(arcs.tails)) - network.links.start[arcs.tails]
    gives = np.isin(kinds, (_FOLLOWER, _DEVIATOR))[arcs.tails]
    state = protocol.start(arcs)
    rows: list[tuple[float, float, list[float], float]] = []
    each = np.zeros(network.users)
    with task("Rounds of an exchange", rounds) as running:
        for number in range(rounds):
            new = (leaving.random(network.users) < turnover) & (kinds == _FOLLOWER)
            if new.any():
                state = protocol.welcome(state, new, arcs)
            asked = protocol.asks(state, arcs)
            meant = asked & gives
            if deviators is not None:
                share, leaves = float(shares[number % len(shares)]), kinds == _DEVIATOR
                if adaptive:
                    leaves &= protocol.is_tempted(state, arcs, share)
                meant = _deviating(meant, leaves, share, rank, arcs)
            given = meant & (slipping.random(len(meant)) >= slips)
            got, gave = arcs.share_of(given[arcs.back]), arcs.share_of(given)
            worth = arcs.degrees * exchange.per_link(got, gave)
            each += worth
            rows.append((float((gave > 0).mean()), _mean(given), _by_kind(worth, kinds), _mean(worth)))
            state = protocol.after(state, asked, given, arcs)
            refused = (kinds == _WASHER) & (got < 0.5) & (arcs.degrees > 0)
            if refused.any():
                state = protocol.welcome(state, refused, arcs)
            running.advance()
    all_of_them = np.ones(network.users)
    return SocialRun(
        disclosing=np.array([row[0] for row in rows]),
        arcs_used=np.array([row[1] for row in rows]),
        utility=np.array([row[2] for row in rows]),
        mean_utility=np.array([row[3] for row in rows]),
        all_give=_mean(arcs.degrees * exchange.per_link(all_of_them, all_of_them)),
        nobody_gives=0.0,
        each=each / rounds,
        kinds=kinds,
        state=state,
    )


def _kinds(
    users: int, free_riders: float, whitewashers: float, deviators: BoolArray | None, rng: np.random.Generator
) -> IntArray:
    drawn = rng.random(users)
    kinds = np.where(drawn < free_riders, _RIDER, np.where(drawn >= 1 - whitewashers, _WASHER, _FOLLOWER))
    if deviators is not None:
        chosen = np.asarray(deviators)
        if chosen.dtype != np.bool_ or chosen.shape != (users,):
            raise ParameterError("sustain: 'deviators' must say true or false of every user.")
        kinds[chosen] = _DEVIATOR
    return kinds.astype(np.int64)


def _deviating(meant: BoolArray, leaves: BoolArray, share: float, rank: IntArray, arcs: Arcs) -> BoolArray:
    """Return to whom is given when some give to a share of their neighbours, the first of them."""
    most = np.round(share * arcs.degrees)
    return np.where(leaves[arcs.tails], rank < most[arcs.tails], meant)


def _by_kind(worth: FloatArray, kinds: IntArray) -> list[float]:
    count = np.bincount(kinds, minlength=len(KINDS))
    total = np.bincount(kinds, weights=worth, minlength=len(KINDS))
    return [float(t / c) if c else float("nan") for t, c in zip(total, count, strict=True)]


def _mean(values: Any) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _pattern(given: Sequence[float]) -> FloatArray:
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise ParameterError("sustain: 'pattern' must be shares.") from None
    if found.ndim != 1 or not len(found) or not ((found >= 0) & (found <= 1)).all():
        raise ParameterError("sustain: 'pattern' must be shares between 0 and 1, at least one.")
    return found


def _check(rounds: int, **shares: float) -> None:
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= 10**6:
        raise ParameterError("sustain: 'rounds' must be a whole number from 1 to 1,000,000.")
    for name, share in shares.items():
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
            raise ParameterError(f"sustain: '{name}' must be a share, between 0 and 1.")
    if shares["free_riders"] + shares["whitewashers"] > 1:
        raise ParameterError("sustain: 'free_riders' and 'whitewashers' must be at most 1 together.")
