"""The game between drivers near one danger: to announce it or to stay silent, with the payoffs of a simulation.

Players are cars drawn from those that came near a danger; all other cars do what they do in the simulation. With j announcing
players, C_j different endorsements, K + j announcing cars among W near ones:

    functionality(j) = P(C_j >= t),    privacy(j) = E[log2(K + j) / log2(W)] of an announcer and 1 of a silent player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.coprivacy.finding import Concept, Coprivacy
from tacita.games.coprivacy.general import general_coprivacy
from tacita.games.coprivacy.help import Help
from tacita.games.model.game import Game
from tacita.games.vehicles.announcements import Announcements

__all__ = [
    "AnnouncementGame",
    "AnnouncingCoprivacy",
    "announcement_game",
    "announcing_coprivacy",
    "coprivate_ratios",
    "payoffs_by_count",
]

ANNOUNCE, SILENT = "announce", "stay silent"
MOST_DRIVERS = 12
_DRAWS = 16
"""Draws of players for each danger."""


@dataclass(frozen=True, eq=False)
class AnnouncementGame:
    """What announcing is worth, by how many of the players do it.

    Parameters
    ----------
    functionality
        (players + 1,): chance that the message counts in time when j players announce.
    privacy
        (players + 1,): privacy of an announcer when j players announce; 1 at j = 0, where there is none.
    """

    functionality: FloatArray
    privacy: FloatArray

    @property
    def players(self) -> int:
        """How many drivers decide."""
        return len(self.functionality) - 1

    @property
    def parts(self) -> dict[str, Game]:
        """The two games that general coprivacy weighs; the first strategy is to announce."""
        n = self.players
        names = tuple(f"driver {i}" for i in range(1, n + 1))
        choices = np.indices((2,) * n) == 0  # (players, profiles): whether a player announces
        count = choices.sum(axis=0)
        function = np.broadcast_to(self.functionality[count], (n, *count.shape))
        private = np.where(choices, self.privacy[count], 1.0)
        both = ((ANNOUNCE, SILENT),) * n
        made = {"functionality": function, "privacy": private}
        return {what: Game(names, both, np.array(values), what) for what, values in made.items()}

    @property
    def helps(self) -> tuple[Help, ...]:
        """The first driver announces, and another one endorses."""
        others = [f"driver {i}" for i in range(2, self.players + 1)]
        return tuple(Help(asker="driver 1", asks=ANNOUNCE, helper=name, helps=ANNOUNCE) for name in others)


def payoffs_by_count(found: Announcements, players: int, seed: Seed | None = None) -> tuple[FloatArray, FloatArray]:
    """Return (draws, players + 1) twice: whether a message counts, and the privacy of its announcers, for j announcing players.

    Parameters
    ----------
    found
        A simulation.
    players
        How many of the cars near a danger decide anew; dangers with fewer cars are left out.
    seed
        Draws the players.

    Complexity
    ----------
    O(sightings log sightings) for each of 16 draws.
    """
    seen, rule = found.sightings, found.endorsing
    steps = max(round(rule.deadline / seen.traffic.step), 1)
    near = (seen.is_real & found.is_judged)[seen.danger] & (seen.step - seen.appears[seen.danger] < steps)
    danger, car, endorses = seen.danger[near], seen.car[near], found.endorses[near]
    dangers = len(seen.is_real)
    sizes = np.bincount(danger, minlength=dangers)
    kept = np.flatnonzero(sizes >= players)
    if not len(kept):
        raise DataError(
            f"announcement_game: no danger had {players} cars near it in time; take more traffic, a longer deadline or fewer "
            "players."
        )
    rng = Streams(seen.seed if seed is None else seed).within("vehicles", "game").stream("players", str(players))
    starts = np.searchsorted(danger, danger)
    voices, counts, crowds = found.voice[car], [], []
    for _ in range(_DRAWS):
        order = np.lexsort((rng.random(len(danger)), danger))
        rank = np.empty(len(danger), np.int64)
        rank[order] = np.arange(len(danger))
        rank -= starts  # players are the first of each danger
        is_player = rank < players
        others = endorses & ~is_player
        # The number of players who must announce until a voice is heard: 0 for those of the others.
        heard = np.where(is_player, rank + 1, np.where(others, 0, players + 1)).astype(np.int8)
        first = np.full((dangers, int(found.voice.max()) + 1), players + 1, np.int8)
        np.minimum.at(first, (danger, voices), heard)
        counts.append(np.stack([(first[kept] <= j).sum(axis=1) for j in range(players + 1)], axis=1))
        crowds.append(np.bincount(danger[others], minlength=dangers)[kept])
    different, background = np.concatenate(counts), np.concatenate(crowds)
    announcers = np.maximum(background[:, None] + np.arange(players + 1), 1)
    private = np.log2(announcers) / np.log2(np.tile(sizes[kept], _DRAWS))[:, None]
    private[:, 0] = 1.0
    if rule.scheme == "named":
        private[:, 1:] = 0.0
    return (different >= rule.threshold).astype(np.float64), private


def announcement_game(found: Announcements, players: int = 3, seed: Seed | None = None) -> AnnouncementGame:
    """Make the game of a simulation.

    Parameters
    ----------
    found
        A simulation.
    players
        How many drivers near one danger decide, 2 to 12.
    seed
        Draws who they are; that of the traffic where it is left out.

    Raises
    ------
    ParameterError
        When there are too few or too many players.
    DataError
        When no danger had so many cars near it.

    References
    ----------
    Domingo-Ferrer (2011), section 6: the more cars originate an announcement, the more private they stay.

    Examples
    --------
    >>> from tacita.games.vehicles.announcements import Endorsing, announce
    >>> from tacita.games.vehicles.traffic import Traffic, drive
    >>> seen = drive(Traffic(roads="ring", length=10, density=10, minutes=30), seed=1)
    >>> game = announcement_game(announce(seen, Endorsing()), players=3)
    >>> bool((np.diff(game.privacy[1:]) > 0).all())
    True
    """
    if isinstance(players, bool) or not isinstance(players, int) or not 2 <= players <= MOST_DRIVERS:
        raise ParameterError(f"announcement_game: 'players' must be a whole number in [2, {MOST_DRIVERS}].")
    counts, private = payoffs_by_count(found, players, seed)
    return AnnouncementGame(counts.mean(axis=0), private.mean(axis=0))


def coprivate_ratios(game: AnnouncementGame) -> tuple[tuple[float, float], ...]:
    """Return between which ratios of weights, functionality to privacy, there is general coprivacy.

    j >= 2 announcing players are an equilibrium when none of them and none of the silent ones gains by changing:

        ratio (F(j) - F(j - 1)) >= 1 - P(j)    and    ratio (F(j + 1) - F(j)) <= 1 - P(j + 1) for j < n.

    Examples
    --------
    >>> coprivate_ratios(AnnouncementGame(np.array([0, 0, 1.0]), np.array([1, 0, 0.5])))
    ((0.5, inf),)
    """
    found: list[tuple[float, float]] = []
    n = game.players
    for j in range(2, n + 1):
        low = _quotient(1 - game.privacy[j], game.functionality[j] - game.functionality[j - 1])
        high = float("inf")
        if j < n:
            high = _quotient(1 - game.privacy[j + 1], game.functionality[j + 1] - game.functionality[j])
        if low <= high and low < float("inf"):
            found.append((low, high))
    joined: list[tuple[float, float]] = []
    for low, high in sorted(found):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


@dataclass(frozen=True, eq=False, kw_only=True)
class AnnouncingCoprivacy:
    """Whether drivers help each other to announce, where security is kept.

    Parameters
    ----------
    holds
        Whether there is general coprivacy, and few enough lies are believed.
    is_secure
        Whether few enough lies are believed; security is no matter of weights.
    believed
        Share of lies that were believed.
    coprivacy
        What was found of the game of functionality and privacy.
    ratios
        Between which ratios of weights there is coprivacy.
    """

    holds: bool | None
    is_secure: bool
    believed: float
    coprivacy: Coprivacy
    ratios: tuple[tuple[float, float], ...]

    def words(self) -> str:
        """Return it as sentences."""
        if not self.is_secure:
            return f"No general coprivacy: security cannot be traded off, and {self.believed:.1%} of the lies are believed."
        return self.coprivacy.words()

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "holds": self.holds,
            "is_secure": self.is_secure,
            "lies_believed": self.believed,
            "ratios": [list(pair) for pair in self.ratios],
            "coprivacy": self.coprivacy.as_plain(),
        }


def announcing_coprivacy(
    found: Announcements,
    *,
    weights: tuple[float, float] = (1.0, 1.0),
    players: int = 3,
    most_believed: float = 0.01,
    concept: Concept = "pure",
    seed: Seed | None = None,
) -> AnnouncingCoprivacy:
    """Return whether drivers who weigh functionality and privacy announce together.

    Parameters
    ----------
    found
        A simulation.
    weights
        How much functionality counts, and privacy.
    players
        How many drivers near one danger decide.
    most_believed
        Security: at most this share of the lies may be believed. Where nobody lies it is kept.
    concept
        Which equilibrium is asked for.
    seed
        Draws who the players are.

    Raises
    ------
    ParameterError
        When a weight is negative or no number.

    References
    ----------
    Domingo-Ferrer (2011), section 6: security cannot be traded off, so that the utility combines functionality and privacy.
    """
    if len(weights) != 2 or not all(np.isfinite(w) and w >= 0 for w in weights):
        raise ParameterError("announcing_coprivacy: 'weights' must be two numbers, at least 0.")
    game = announcement_game(found, players, seed)
    said = dict(zip(("functionality", "privacy"), weights, strict=True))
    coprivacy = general_coprivacy(game.parts, said, game.helps, concept)
    believed = found.believed
    is_secure = not believed > most_believed  # nobody lied: NaN
    return AnnouncingCoprivacy(
        holds=coprivacy.holds if is_secure else False,
        is_secure=is_secure, believed=believed, coprivacy=coprivacy, ratios=coprivate_ratios(game),
    )  # fmt: skip


def _quotient(above: float, below: float) -> float:
    """A ratio of weights; where the message does not depend on the player, privacy alone decides."""
    if below > 0:
        return float(max(above, 0.0) / below)
    return 0.0 if above <= 0 else float("inf")
