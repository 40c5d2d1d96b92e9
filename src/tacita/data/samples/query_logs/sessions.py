"""Sessions: when each user sits down, with which question, and in which words it begins.

A session has places for words: what the user wants of the topic, four words that mean it, the home town,
and something that no directory knows. A question begins
with some of the places filled; ``refinement.py`` fills and empties others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray
from tacita.data.query_log.query_log import Codes
from tacita.data.samples.draws import Draw, pick, pick_within
from tacita.data.samples.query_logs.log_sample import KINDS
from tacita.data.samples.query_logs.log_users import LogUsers
from tacita.data.samples.query_logs.personal import PERSONAL
from tacita.data.samples.query_logs.vocabulary import Vocabulary

__all__ = ["ANCHOR", "PLACES", "Sessions", "draw_sessions"]

PLACES = 7
FRONT, ANCHOR, SECOND, THIRD, FOURTH, TOWN, RARE = range(PLACES)
_FILLED = (0.09, 1.0, 0.66, 0.29, 0.09, 0.02, 0.12)
"""How often a question about a topic begins with each place filled."""
_AGAIN = 0.18
"""How many sessions begin with a question that the user asked before."""
_DAYS = 92
_DAY = 86_400
_HOURS = (
    3.0,
    1.8,
    1.1,
    0.8,
    0.8,
    1.2,
    2.0,
    3.2,
    4.2,
    4.8,
    5.1,
    5.3,
    5.4,
    5.5,
    5.6,
    5.7,
    5.8,
    5.9,
    6.1,
    6.6,
    7.0,
    6.8,
    5.6,
    4.2,
)
_WEEK = (1.0, 1.0, 1.0, 0.97, 0.9, 0.95, 1.05)

Codes64: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Sessions:
    """Sessions, one entry each, sorted by user and time.

    Parameters
    ----------
    user
        The user.
    start
        Seconds since the log began.
    kind
        The place in ``KINDS``.
    category
        What it is about; -1 for no topic.
    site
        The site that is meant, as a place in the vocabulary; -1 for none.
    words
        For each place a term, -1 for none.
    filled
        Which places the first question uses.
    """

    user: Codes64
    start: Codes64
    kind: Codes64
    category: Codes64
    site: Codes64
    words: Codes
    filled: BoolArray

    def __len__(self) -> int:
        """How many sessions there are."""
        return len(self.user)


def draw_sessions(draw: Draw, users: LogUsers, words: Vocabulary) -> Sessions:
    """Draw the sessions of all users; some begin with a question of an earlier one."""
    user = np.repeat(np.arange(len(users)), users.sessions)
    start = _starts(draw, user)
    order = np.lexsort([start, user])
    kind = pick_within(draw("kind"), users.habits, user)
    category = _categories(draw, users, words, user, kind)
    site = _sites(draw, users, words, user, kind)
    chosen = _words(draw, users, words, user=user, kind=kind, category=category, site=site)
    filled = _filled(draw, kind, chosen)
    source = _asked_before(draw, user)
    return Sessions(user, start[order], kind[source], category[source], site[source], chosen[source], filled[source])


def _starts(draw: Draw, user: Codes64) -> Codes64:
    """Days by the week, hours by the clock of each user."""
    rng, n = draw("start"), len(user)
    day = pick(rng, np.resize(_WEEK, _DAYS), n)
    hour = (pick(rng, _HOURS, n) + rng.integers(-3, 4, int(user.max(initial=-1)) + 1)[user]) % 24
    return day * _DAY + hour * 3600 + rng.integers(0, 3600, n)


def _asked_before(draw: Draw, user: Codes64) -> Codes64:
    """Which session each one begins like: itself, or any earlier one of the user, so that what was asked often is asked again."""
    rng, n = draw("again"), len(user)
    place = np.arange(n)
    first = np.searchsorted(user, user)
    source = np.where(rng.random(n) < _AGAIN, first + (rng.random(n) * (place - first)).astype(np.int64), place)
    while (source[source] != source).any():
        source = source[source]
    return source


def _categories(draw: Draw, users: LogUsers, words: Vocabulary, user: Codes64, kind: Codes64) -> Codes64:
    """What a session is about: something below an interest, what anybody may ask, the home town, or the illness."""
    topical, ill = kind == KINDS.index("topical"), kind == KINDS.index("illness")
    which = pick_within(draw("interest"), users.share, user)
    everything = _anything(draw, users, words, user)
    above = np.column_stack([users.interests, np.full(len(users), -1), users.home])[user, which]
    below = words.draw_below(draw("category"), np.where(above >= 0, above, everything))
    found = np.where(topical, below, -1)
    return np.where(ill, words.draw_below(draw("category", "illness"), np.maximum(users.illness[user], 0)), found)


def _anything(draw: Draw, users: LogUsers, words: Vocabulary, user: Codes64) -> Codes64:
    """A category of the first level, or of the first below the branch of the user's language."""
    tree = words.tree
    world = tree.names.index("World")
    level_of = np.where((words.language > 0) | (np.arange(len(tree)) == world), 3, 1)
    shares = []
    for language in range(int(words.language.max()) + 1):
        shares.append(words.weight_below() * ((tree.levels == level_of) & (words.language == language)))
    return pick_within(draw("anything"), np.stack(shares), users.language[user])


def _sites(draw: Draw, users: LogUsers, words: Vocabulary, user: Codes64, kind: Codes64) -> Codes64:
    """Mostly one of the user's favourites, else any."""
    rng, n, sites = draw("site"), len(user), len(words.sites.starts) - 1
    favourite = users.favourites[user, pick(rng, [8, 4, 2, 1], n)]
    any_site = pick(rng, 1 / np.arange(1, sites + 1), n)
    site = np.where(rng.random(n) < 0.75, favourite, any_site)
    return np.where(kind == KINDS.index("navigational"), site, -1)


def _words(
    draw: Draw, users: LogUsers, words: Vocabulary, *, user: Codes64, kind: Codes64, category: Codes64, site: Codes64
) -> Codes:
    """Fill the places; a word stands in one place at most."""
    n, at = len(user), np.maximum(category, 0)
    chosen = np.full((n, PLACES), -1, np.int32)
    language = users.language[user]
    chosen[:, ANCHOR] = words.own.draw(draw("words", "anchor"), at)
    for place in (SECOND, THIRD, FOURTH):
        rng = draw("words", str(place))
        draws = (words.own.draw(rng, at), words.near.draw(rng, at), words.modifiers.draw(rng, language))
        chosen[:, place] = np.stack(draws)[pick(rng, _SOURCES, n), np.arange(n)]
    chosen[:, FRONT] = words.modifiers.draw(draw("words", "front"), language)
    chosen[:, TOWN] = words.own.values[words.own.starts[users.home]][user]
    chosen[:, RARE] = words.rare + draw("words", "rare").integers(0, len(words.terms) - words.rare, n)
    ill = kind == KINDS.index("illness")
    chosen[ill, FRONT] = words.openings.draw(draw("words", "illness"), language[ill])
    chosen[category < 0, :TOWN] = -1
    goes, bawdy = site >= 0, kind == KINDS.index("adult")
    chosen[goes, ANCHOR] = words.sites.draw(draw("words", "site"), site[goes])
    for place in (ANCHOR, SECOND, THIRD):
        chosen[bawdy, place] = words.adult.draw(
            draw("words", "adult", str(place)), np.zeros(int(bawdy.sum()), np.int64)
        )
    _personal(draw, words, chosen, user, kind, len(users))
    in_order = (ANCHOR, FRONT, SECOND, THIRD, FOURTH, TOWN, RARE)  # the anchor is never given up: no question is empty
    for number, place in enumerate(in_order):
        chosen[(chosen[:, in_order[:number]] == chosen[:, place, None]).any(axis=1), place] = -1
    return chosen


_SOURCES = (0.5, 0.38, 0.12)
"""How often a further word is one of the category's own, one near it, or a modifier."""


def _personal(draw: Draw, words: Vocabulary, chosen: Codes, user: Codes64, kind: Codes64, users: int) -> None:
    """Texts of single users stand behind the terms: a dash, all names, and then all of each of ``PERSONAL``."""
    dash = len(words.terms)
    which = draw("words", "personal").integers(0, len(PERSONAL), len(user))
    vain, loose = kind == KINDS.index("vanity"), kind == KINDS.index("identifying")
    chosen[vain, ANCHOR] = dash + 1 + user[vain]
    chosen[loose, ANCHOR] = dash + 1 + (1 + which[loose]) * users + user[loose]
    chosen[kind == KINDS.index("none"), ANCHOR] = dash


def _filled(draw: Draw, kind: Codes64, chosen: Codes) -> BoolArray:
    """Which places a session begins with; who asks for the own name adds the town now and then."""
    often: FloatArray = np.tile(np.array(_FILLED), (len(KINDS), 1))
    often[KINDS.index("illness"), FRONT] = 0.45
    often[:, TOWN] = [_FILLED[TOWN], 0.0, 0.0, 0.35, 0.1, 0.05, 0.0]
    often[:, RARE] = [_FILLED[RARE], 0.0, 0.0, 0.0, 0.0, _FILLED[RARE], 0.0]
    filled: BoolArray = (draw("filled").random(chosen.shape) < often[kind]) & (chosen >= 0)
    return filled
