"""Who asks: languages, home towns, interests that some users share, illnesses, names, and how much each user searches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray
from tacita.data.samples.draws import Draw, pick, pick_within, zipf
from tacita.data.samples.query_logs.log_sample import KINDS
from tacita.data.samples.query_logs.outline import LANGUAGES
from tacita.data.samples.query_logs.vocabulary import Vocabulary

__all__ = ["MOST_INTERESTS", "LogUsers", "draw_log_users"]

MOST_INTERESTS = 6
_LANGUAGE_SHARES = (0.80, 0.06, 0.06, 0.04, 0.025, 0.015)
_INTEREST_COUNTS = (0.10, 0.20, 0.25, 0.20, 0.15, 0.10)
_CONCENTRATION = 0.8
"""Of the Dirichlet law of the interests: below 1 most users have a favourite."""
_ECCENTRIC, _SHARED, _STRAY, _AT_HOME = 0.25, 0.8, 0.12, 0.06
_COMMUNITIES, _COMMUNITY_INTERESTS = (48, 8, 8, 6, 5, 4), 4
_ILL, _VAIN, _LOOSE, _BAWDY = 0.15, 0.35, 0.25, 0.15
"""Shares of the users who ask about an illness of their own, their own names, what identifies them, what is for adults."""
_SPREAD = 1.45
"""Standard deviation of the logarithm of how much a user searches."""
_FAVOURITES = 4
_SICKBEDS = (
    "Conditions_and_Diseases",
    "Mental_Health",
    "Krankheiten",
    "Enfermedades",
    "Maladies",
    "Malattie",
    "Choroby",
)
_COUNTRIES = (
    ("United_States", "Canada", "United_Kingdom", "Ireland", "Australia", "New_Zealand"),
    ("Germany",),
    ("Spain", "Mexico"),
    ("France", "Quebec"),
    ("Italy",),
    ("Poland",),
)
"""Where users of each language live."""


@dataclass(frozen=True, eq=False, repr=False)
class LogUsers:
    """Users, one entry each.

    Parameters
    ----------
    language
        The place in ``LANGUAGES``.
    home
        The category of the town where the user lives.
    interests, share
        Up to six categories (-1 for none) and how much of the user's topical searches belongs to each; two more columns of
        ``share`` are for what any user asks, and for the home town.
    illness
        The category of an illness of the user's own; -1 for none.
    habits
        How many of a user's sessions are of each kind.
    favourites
        Sites that the user goes to again and again, as places in the vocabulary.
    sessions
        How many there are.
    """

    language: npt.NDArray[np.int64]
    home: npt.NDArray[np.int64]
    interests: npt.NDArray[np.int64]
    share: FloatArray
    illness: npt.NDArray[np.int64]
    habits: FloatArray
    favourites: npt.NDArray[np.int64]
    sessions: npt.NDArray[np.int64]

    def __len__(self) -> int:
        """How many users there are."""
        return len(self.language)


def draw_log_users(draw: Draw, n: int, words: Vocabulary, *, sessions: float) -> LogUsers:
    """Draw ``n`` users who have ``sessions`` sessions on average."""
    language = pick(draw("language"), _LANGUAGE_SHARES, n)
    interests, share = _interests(draw, words, language)
    illness = pick_within(draw("illness"), _sickbeds(words), language)
    is_ill = draw("illness", "has").random(n) < _ILL
    return LogUsers(
        language=language,
        home=pick_within(draw("home"), _towns(words), language),
        interests=interests,
        share=share,
        illness=np.where(is_ill, illness, -1),
        habits=_habits(draw, is_ill),
        favourites=pick(draw("favourites"), zipf(len(words.sites.starts) - 1, 0.9), n * _FAVOURITES).reshape(
            n, _FAVOURITES
        ),
        sessions=_activity(draw("sessions"), n, sessions),
    )


def _activity(rng: np.random.Generator, n: int, mean: float) -> npt.NDArray[np.int64]:
    """Log-normal numbers of at least 1, spread evenly over the quantiles, so that small logs have the size of large ones."""
    from scipy import special

    quantile = (rng.permutation(n) + rng.random(n)) / max(n, 1)
    drawn = mean * np.exp(_SPREAD * special.ndtri(quantile) - _SPREAD**2 / 2)
    whole = np.floor(drawn)
    sessions: npt.NDArray[np.int64] = np.maximum(1, whole + (rng.random(n) < drawn - whole)).astype(np.int64)
    return sessions


def _habits(draw: Draw, is_ill: BoolArray) -> FloatArray:
    """How much of each kind a user's sessions have; few users are vain or careless, but those are so again and again."""
    rng, n = draw("habits"), len(is_ill)
    habits = np.zeros((n, len(KINDS)))

    def some(share: float, high: float) -> FloatArray:
        drawn: FloatArray = (rng.random(n) < share) * rng.beta(1.5, 6, n) * high
        return drawn

    habits[:, KINDS.index("illness")] = is_ill * rng.uniform(0.02, 0.15, n)
    habits[:, KINDS.index("navigational")] = rng.beta(2.0, 4.5, n)
    habits[:, KINDS.index("vanity")] = some(_VAIN, 0.2)
    habits[:, KINDS.index("identifying")] = some(_LOOSE, 0.2)
    habits[:, KINDS.index("adult")] = some(_BAWDY, 0.9)
    habits[:, KINDS.index("none")] = 0.004
    habits[:, KINDS.index("topical")] = np.maximum(1 - habits.sum(axis=1), 0.1)
    return habits


# --- interests --------------------------------------------------------------------------------------------------------


def _interests(
    draw: Draw, words: Vocabulary, language: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Draw interests: those of a community for most users, any for eccentric ones; no interest twice."""
    n, shape = len(language), (len(language), MOST_INTERESTS)
    wanted = _topics_of_languages(words)
    any_of_them = pick_within(draw("interests"), wanted, np.repeat(language, MOST_INTERESTS)).reshape(shape)
    follows = draw("community", "follows").random(shape) < _SHARED
    follows &= (draw("community", "eccentric").random(n) >= _ECCENTRIC)[:, None]
    interests = np.where(follows, _community_interests(draw, wanted, language), any_of_them)
    weights = draw("interests", "share").gamma(_CONCENTRATION, size=shape)
    count = 1 + pick(draw("interests", "count"), _INTEREST_COUNTS, n)
    weights[np.arange(MOST_INTERESTS) >= count[:, None]] = 0
    for place in range(1, MOST_INTERESTS):
        weights[(interests[:, :place] == interests[:, place, None]).any(axis=1), place] = 0
    weights *= (1 - _STRAY - _AT_HOME) / weights.sum(axis=1, keepdims=True)
    at_home = np.where(language == 0, _AT_HOME, 0.0)
    share = np.column_stack([weights, 1 - weights.sum(axis=1) - at_home, at_home])
    return np.where(weights > 0, interests, -1), share


def _community_interests(draw: Draw, wanted: FloatArray, language: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each user and place one of the interests of the user's community."""
    communities = np.repeat(np.arange(len(LANGUAGES)), _COMMUNITIES)
    held = pick_within(draw("community", "interests"), wanted, np.repeat(communities, _COMMUNITY_INTERESTS))
    sizes = np.zeros((len(LANGUAGES), len(communities)))
    for place, count in enumerate(_COMMUNITIES):
        sizes[place, communities == place] = zipf(count, 0.6)
    own = pick_within(draw("community"), sizes, language)
    which = draw("community", "place").integers(0, _COMMUNITY_INTERESTS, (len(language), MOST_INTERESTS))
    return held.reshape(-1, _COMMUNITY_INTERESTS)[own[:, None], which]


def _topics_of_languages(words: Vocabulary) -> FloatArray:
    """For each language how likely each category is to be somebody's interest: neither the broadest nor the narrowest."""
    tree = words.tree
    first = np.array([tree.names[place] for place in tree.at_level(1)])
    broad = np.where(first == "World", 3, 2)
    fits = (tree.levels >= broad) & (tree.levels <= broad + 2) & (first != "Regional")
    likely = np.sqrt(words.weight_below())
    return np.stack([likely * (fits & (words.language == language)) for language in range(len(LANGUAGES))])


def _sickbeds(words: Vocabulary) -> FloatArray:
    """For each language how likely each category is to be an illness."""
    ill = _below(words, _SICKBEDS) & (np.diff(words.own.starts) > 0)
    return np.stack([ill * (words.language == language) * 1.0 for language in range(len(LANGUAGES))])


def _towns(words: Vocabulary) -> FloatArray:
    """For each language how many users live in each town."""
    tree = words.tree
    grandparents = [tree.parents[tree.parents[place]] if tree.levels[place] > 2 else -1 for place in range(len(tree))]
    is_town = np.array([above >= 0 and tree.names[above] == "Localities" for above in grandparents])
    found = [is_town & _below(words, countries) for countries in _COUNTRIES]
    return np.stack([np.where(towns, zipf(len(tree), 0.3), 0.0) for towns in found])


def _below(words: Vocabulary, names: tuple[str, ...]) -> BoolArray:
    """Whether each category lies below one of some name."""
    found = np.zeros(len(words.tree), bool)
    for place, name in enumerate(words.tree.names):
        if name in names:
            found[place + 1 : words.last[place]] = True
    return found
