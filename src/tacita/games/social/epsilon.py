"""Epsilon in a network with slips: what users gain who leave a protocol, on the same chance numbers as if they had not."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.social.deviations import Deviation, best_deviation
from tacita.games.social.exchange import Exchange, arcs_of
from tacita.games.social.network import Network
from tacita.games.social.protocols import SocialProtocol
from tacita.games.social.sustained import sustain

__all__ = ["Epsilon", "measured_epsilon"]

_MOST_DEVIATORS = 2000
_SHARES = (0.0, 0.5, 0.75, 0.9)
"""What adaptive deviators disclose where they may."""


@dataclass(frozen=True, kw_only=True)
class Epsilon:
    """What leaving a protocol brings in a network, for each link and round.

    Parameters
    ----------
    searched
        The best deviation against users who never slip, found by dynamic programming.
    gains
        For each pattern that was played in the network the mean gain of those who played it, and its standard error.
    adaptive
        The same by share of those who disclose to this share of their neighbours wherever their standing lets them for once, and
        otherwise follow.
    follows
        What following is worth to them.
    deviators, rounds, slips
        How many users left the protocol at a time, for how many rounds, and how often everybody slips.
    """

    searched: Deviation
    gains: dict[tuple[float, ...], tuple[float, float]]
    adaptive: dict[float, tuple[float, float]]
    follows: float
    deviators: int
    rounds: int
    slips: float

    @property
    def best(self) -> tuple[float, ...]:
        """The pattern that brought most."""
        return max(self.gains, key=lambda pattern: self.gains[pattern][0])

    @property
    def gain(self) -> float:
        """What the best of all that was played brought, at least 0: one may always follow."""
        return max(self.gains[self.best][0], *(mean for mean, _ in self.adaptive.values()), 0.0)

    @property
    def relative(self) -> float:
        """The same as a share of what following is worth."""
        return self.gain / self.follows if self.follows else 0.0

    def words(self) -> str:
        """Return it as a sentence."""
        mean, error = self.gains[self.best]
        share = max(self.adaptive, key=lambda one: self.adaptive[one][0], default=None)
        if share is not None and self.adaptive[share][0] > max(mean, 0.0):
            mean, error = self.adaptive[share]
            return (
                f"Of all that was played in the network, disclosing to {100 * share:.0f} % of the neighbours wherever one's "
                f"standing lets one, and following otherwise, brought most: {mean:+.3g} (standard error {error:.2g}) for each "
                f"link and round, where following is worth {self.follows:.3g}."
            )
        shown = ", ".join(f"{100 * share:.0f} %" for share in self.best[:8]) + (", ..." if len(self.best) > 8 else "")
        if mean <= 0:
            return (
                f"None of {len(self.gains) + len(self.adaptive)} ways of leaving, played in the network with its slips, brought "
                f"anything: the best differed by {mean + 0.0:.3g} (standard error {error:.2g}) for each link and round from "
                f"following, which is worth {self.follows:.3g}."
            )
        return (
            f"Of {len(self.gains)} patterns played in the network, disclosing to {shown} of the neighbours in turn brought most: "
            f"{mean:+.3g} (standard error {error:.2g}) for each link and round, where following is worth {self.follows:.3g}."
        )

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "searched": self.searched.as_plain(),
            "played": [
                {"pattern": list(pattern), "gain": mean, "standard_error": error}
                for pattern, (mean, error) in self.gains.items()
            ],
            "adaptive": [
                {"share": share, "gain": mean, "standard_error": error}
                for share, (mean, error) in self.adaptive.items()
            ],
            "epsilon": self.gain,
            "relative": self.relative,
            "follows": self.follows,
            "deviators": self.deviators,
            "rounds": self.rounds,
            "slips": self.slips,
        }


def measured_epsilon(
    network: Network,
    protocol: SocialProtocol,
    exchange: Exchange,
    *,
    slips: float = 0.02,
    rounds: int = 60,
    continuation: float = 0.95,
    longest: int = 4,
    patterns: Iterable[tuple[float, ...]] | None = None,
    seed: Seed = 1,
) -> Epsilon:
    """Return what the best of many patterns of leaving a protocol brings, in a network whose users slip.

    Some users, no two of them linked, play a pattern while all others follow; the same users follow in a second run with the same
    chance numbers. What the two runs differ by, per link and round, is their gain.

    Parameters
    ----------
    network, protocol, exchange, slips, rounds
        As for :func:`~tacita.games.social.sustained.sustain`.
    continuation
        For the search (:func:`~tacita.games.social.deviations.best_deviation`).
    longest
        All patterns of hiding and disclosing up to this length are played, and the one that the search found; then
        adaptive deviators, who follow until their standing lets them hide.
    patterns
        Others in their place.
    seed
        Repeats the measurement.

    Notes
    -----
    The figure with slips is a lower bound of epsilon, for not all strategies are played; the search bounds it from above where
    nobody slips. The best of several means is a little too high by chance; the standard errors say how much.

    Examples
    --------
    >>> from tacita.games.social.exchange import Disclosure
    >>> from tacita.games.social.generators import scale_free_network
    >>> from tacita.games.social.protocols import TitForTat
    >>> found = measured_epsilon(scale_free_network(300), TitForTat(penance=1), Disclosure((3.0,)), slips=0.0, rounds=40)
    >>> found.best, round(found.gain, 3)
    ((0.0, 1.0), 0.75)
    """
    if isinstance(longest, bool) or not isinstance(longest, int) or not 1 <= longest <= 8:
        raise ParameterError("measured_epsilon: 'longest' must be a whole number from 1 to 8.")
    searched = best_deviation(protocol, exchange, continuation=continuation)
    tried = list(dict.fromkeys([searched.pattern, *necklaces(longest)] if patterns is None else patterns))
    chosen = _apart(network, seed)
    degrees = network.degrees[chosen]
    base = sustain(network, protocol, exchange, rounds=rounds, slips=slips, seed=seed).each[chosen] / degrees
    gains = {}
    for pattern in tried:
        run = sustain(
            network, protocol, exchange, rounds=rounds, slips=slips, deviators=chosen, pattern=pattern, seed=seed
        )
        gains[pattern] = _mean_and_error(run.each[chosen] / degrees - base)
    adaptive = {}
    for share in _SHARES:
        run = sustain(
            network, protocol, exchange, rounds=rounds, slips=slips, deviators=chosen, pattern=(share,), adaptive=True,
            seed=seed,
        )  # fmt: skip
        adaptive[share] = _mean_and_error(run.each[chosen] / degrees - base)
    return Epsilon(
        searched=searched,
        gains=gains,
        adaptive=adaptive,
        follows=float(base.mean()),
        deviators=int(chosen.sum()),
        rounds=rounds,
        slips=slips,
    )


def necklaces(longest: int) -> list[tuple[float, ...]]:
    """Return all patterns of 0 and 1 up to a length, each once however it is turned and repeated, but the one that always gives.

    Examples
    --------
    >>> necklaces(3)
    [(0.0,), (0.0, 1.0), (0.0, 0.0, 1.0), (0.0, 1.0, 1.0)]
    """
    found = []
    for length in range(1, longest + 1):
        for word in itertools.product((0.0, 1.0), repeat=length):
            turned = [word[i:] + word[:i] for i in range(length)]
            is_repeated = any(length % d == 0 and word == word[:d] * (length // d) for d in range(1, length))
            if word == min(turned) and not is_repeated and 0.0 in word:
                found.append(word)
    return found


def _apart(network: Network, seed: Seed) -> BoolArray:
    """Return users with links of whom no two are linked: those with a lower number than all neighbours, numbers drawn."""
    arcs, rng = arcs_of(network), Streams(seed).stream("measured_epsilon")
    drawn = rng.permutation(network.users)
    beaten = np.zeros(network.users, np.bool_)
    beaten[arcs.tails[drawn[arcs.tails] > drawn[arcs.heads]]] = True
    found = np.flatnonzero(~beaten & (arcs.degrees > 0))
    if not len(found):
        raise ParameterError("measured_epsilon: 'network' must have a link.")
    chosen = np.zeros(network.users, np.bool_)
    # Few of them, so that the others live among followers.
    chosen[found[: max(min(_MOST_DEVIATORS, network.users // 20), 1)]] = True
    return chosen


def _mean_and_error(gains: FloatArray) -> tuple[float, float]:
    error = float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else float("nan")
    return float(gains.mean()), error
