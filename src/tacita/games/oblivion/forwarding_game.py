"""The game of forwarding: a source sends content with an expiry date, receivers hand it on with marks, bare, or not at all.

Whoever forwards with marks has a cost and is rewarded; a bare copy is worth money, because it points at somebody else. A holder
of a bare copy leaks it at no risk of her own. A copy that is found, leaked or past its date, is traced to the last holder who had
marks of her own, with the chance that the code has, and that holder pays. Nobody rewrites the marks of her own block.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.games.coprivacy.finding import Concept, Coprivacy
from tacita.games.coprivacy.general import general_coprivacy
from tacita.games.coprivacy.help import Help
from tacita.games.equilibria.pure import pure_profiles
from tacita.games.model.game import Game, Profile
from tacita.games.model.outcomes import combined_utility

__all__ = [
    "HONEST",
    "Forwarding",
    "ForwardingGame",
    "forwarding_coprivacy",
    "forwarding_game",
    "honest_is_equilibrium",
    "needed_penalty",
]

SEND, WITHHOLD = "send", "withhold"
MARK, BARE, STOP = "mark", "bare", "stop"
OBEY, LEAK_BARE, LEAK = "obey", "leak if bare", "leak"
HONEST = (SEND, MARK, LEAK_BARE)
"""What source, forwarders and the last receiver do where the content is forgotten: she would leak a bare copy, and gets none."""
MOST_FORWARDERS = 8


@dataclass(frozen=True, kw_only=True)
class Forwarding(Parameterised):
    """What the players win and lose.

    Parameters
    ----------
    reward, cost
        What the source pays for a receiver who was served with marks, and what marking costs the forwarder.
    price, bare_cost
        What a receiver pays for a bare copy, and what it costs the forwarder.
    value
        What the content is worth to whoever gets it.
    spread, harm
        What each receiver is worth to the source, and what a copy that leaks or outlives its date costs her.
    gain
        What it brings to leak a copy, or to use it past its date.
    found
        Chance that such a copy is found.
    tracing
        Chance that the code names the last holder with marks; see :func:`tracing_rate`.
    innocent
        Chance that it names another given holder.
    penalty
        What the named one loses, her anonymity among it.
    opportunists
        Chance that a holder of a bare copy leaks it.
    """

    reward: Annotated[float, Interval(0)] = 1.0
    cost: Annotated[float, Interval(0)] = 0.4
    price: Annotated[float, Interval(0)] = 1.2
    bare_cost: Annotated[float, Interval(0)] = 0.1
    value: Annotated[float, Interval(0)] = 2.0
    spread: Annotated[float, Interval(0)] = 1.0
    harm: Annotated[float, Interval(0)] = 5.0
    gain: Annotated[float, Interval(0)] = 1.0
    found: Annotated[float, Interval(0, 1)] = 0.5
    tracing: Annotated[float, Interval(0, 1)] = 0.95
    innocent: Annotated[float, Interval(0, 1)] = 0.0001
    penalty: Annotated[float, Interval(0)] = 5.0
    opportunists: Annotated[float, Interval(0, 1)] = 0.5

    @property
    def premium(self) -> float:
        """What forwarding bare brings above forwarding with marks, before any penalty."""
        return (self.price - self.bare_cost) - (self.reward - self.cost)

    @property
    def deterrent(self) -> float:
        """What a leaked copy costs the last holder with marks in the mean: found x tracing x penalty."""
        return self.found * self.tracing * self.penalty


@dataclass(frozen=True, eq=False)
class ForwardingGame:
    """Source, forwarders in a chain, and a last receiver.

    Parameters
    ----------
    settings, forwarders
        What the players win and lose, and how many forward.
    parts
        The games of functionality and of privacy, which general coprivacy weighs.
    """

    settings: Forwarding
    forwarders: int
    parts: dict[str, Game]

    @property
    def helps(self) -> tuple[Help, ...]:
        """The source sends, and a forwarder marks: she helps to have the content forgotten."""
        named = [f"forwarder {i}" for i in range(1, self.forwarders + 1)]
        return tuple(Help(asker="source", asks=SEND, helper=name, helps=MARK) for name in named)

    @property
    def honest(self) -> Profile:
        """The profile in which all forward with marks and nobody leaks."""
        return (HONEST[0], *[HONEST[1]] * self.forwarders, HONEST[2])

    def weighed(self, privacy: float = 1.0) -> Game:
        """Return the game in which privacy counts so much, and functionality 1."""
        return combined_utility(self.parts, {"functionality": 1.0, "privacy": privacy}, name="forwarding")


def forwarding_game(settings: Forwarding, forwarders: int = 1) -> ForwardingGame:
    """Make the game of a chain.

    The first copy has the marks of the first forwarder. With m(i) the last holder up to i who has marks of her own,

        functionality: source spread x holders; forwarder value + (reward - cost | price - bare_cost | 0); receiver value + gain
        if she leaks; whoever got a bare copy paid its price, and an opportunist gains by leaking it;
        privacy: source -harm x leaks; holder j -found x penalty x (tracing x leaks of copies with m = j + innocent x others).

    Parameters
    ----------
    settings
        What the players win and lose.
    forwarders
        How many forward, 1 to 8.

    Complexity
    ----------
    O(6 x 3^forwarders) profiles.

    References
    ----------
    Domingo-Ferrer (2011), section 7, as a game by mechanism design.

    Examples
    --------
    >>> game = forwarding_game(Forwarding())
    >>> game.weighed().utility("forwarder 1", game.honest), honest_is_equilibrium(game)
    (2.6, True)
    """
    if isinstance(forwarders, bool) or not isinstance(forwarders, int) or not 1 <= forwarders <= MOST_FORWARDERS:
        raise ParameterError(f"forwarding_game: 'forwarders' must be a whole number in [1, {MOST_FORWARDERS}].")
    names = [f"forwarder {i}" for i in range(1, forwarders + 1)]
    strategies = {
        "source": [SEND, WITHHOLD], **{name: [MARK, BARE, STOP] for name in names}, "receiver": [LEAK_BARE, OBEY, LEAK],
    }  # fmt: skip
    parts = {
        "functionality": Game.from_function(strategies, lambda s: _outcome(settings, s)[0], name="functionality"),
        "privacy": Game.from_function(strategies, lambda s: _outcome(settings, s)[1], name="privacy"),
    }
    return ForwardingGame(settings, forwarders, parts)


def _outcome(a: Forwarding, profile: Profile) -> tuple[list[float], list[float]]:
    """What a profile is worth to the source, each forwarder and the receiver: as functionality, and as privacy."""
    n = len(profile) - 1  # holders: forwarders and the receiver
    works, private = [0.0] * (n + 1), [0.0] * (n + 1)
    if profile[0] == WITHHOLD:
        return works, private
    leaks = [0.0] * (n + 1)  # by whom the copy points at
    marked, holders = 1, 0
    for i in range(1, n + 1):
        holders += 1
        works[i] += a.value
        is_bare = marked != i
        works[i] -= a.price if is_bare else 0.0
        chance = a.opportunists if is_bare else 0.0
        if i == n:
            chance = 1.0 if profile[n] == LEAK or (profile[n] == LEAK_BARE and is_bare) else 0.0
        leaks[marked] += chance
        works[i] += chance * a.gain
        if i == n or profile[i] == STOP:
            break
        works[i] += a.reward - a.cost if profile[i] == MARK else a.price - a.bare_cost
        marked = i + 1 if profile[i] == MARK else marked
    works[0], private[0] = a.spread * holders, -a.harm * sum(leaks)
    for i in range(1, holders + 1):
        private[i] = -a.found * a.penalty * (a.tracing * leaks[i] + a.innocent * (sum(leaks) - leaks[i]))
    return works, private


def honest_is_equilibrium(game: ForwardingGame, privacy: float = 1.0) -> bool:
    """Return whether honest forwarding by all, without a leak, is a pure Nash equilibrium."""
    whole = game.weighed(privacy)
    return bool(pure_profiles(whole)[whole.place(game.honest)])


def forwarding_coprivacy(game: ForwardingGame, privacy: float = 1.0, concept: Concept = "pure") -> Coprivacy:
    """Return whether source and forwarders help each other: general coprivacy of functionality and privacy.

    Parameters
    ----------
    game
        The game.
    privacy
        How much privacy counts, against 1 for functionality.
    concept
        Which equilibrium is asked for.
    """
    return general_coprivacy(game.parts, {"functionality": 1.0, "privacy": privacy}, game.helps, concept)


def needed_penalty(settings: Forwarding, forwarders: int = 1, privacy: float = 1.0) -> float:
    """Return the smallest penalty at which honest forwarding is an equilibrium; infinity where none is.

    Nobody deviates from honest forwarding when

        reward >= cost                                              (else all stop),
        privacy x found x tracing x penalty >= gain                 (else the receiver leaks her marked copy),
        privacy x found x penalty x tracing x q >= premium          (else a forwarder goes bare),

    with q = 1 for the last forwarder, whose receiver leaks a bare copy for sure, and q = ``opportunists`` for those before her.

    Parameters
    ----------
    settings
        What the players win and lose; its penalty does not matter.
    forwarders, privacy
        As in :func:`forwarding_game` and :func:`forwarding_coprivacy`.

    Notes
    -----
    The receiver has the same gain from a bare copy, at the risk of being named for it by mistake; that must be smaller.

    Examples
    --------
    >>> round(needed_penalty(Forwarding()), 3), round(needed_penalty(Forwarding(tracing=0.5)), 3)
    (2.105, 4.0)
    """
    if settings.reward < settings.cost:
        return math.inf
    each = privacy * settings.found * settings.tracing
    wanted = max(settings.gain, settings.premium, 0.0)
    if forwarders > 1 and settings.premium > 0:
        wanted = max(wanted, settings.premium / settings.opportunists if settings.opportunists else math.inf)
    if wanted <= 0:
        return 0.0
    return float(np.divide(wanted, each)) if each > 0 else math.inf
