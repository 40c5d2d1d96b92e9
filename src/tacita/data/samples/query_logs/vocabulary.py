"""What can be asked: the words of every category, those of no category, and how often each is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray
from tacita.core.streams import Streams
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.samples.draws import zipf
from tacita.data.samples.query_logs.outline import LANGUAGES, outlined_topics, word_lists
from tacita.data.samples.query_logs.ranked_lists import RankedLists, draw_between
from tacita.data.samples.query_logs.topic_directory import topic_directory

__all__ = ["Vocabulary", "vocabulary"]

_LEVEL_SHARES = (0.015, 0.06, 0.09, 0.06, 0.32, 0.25, 0.16, 0.045)
"""How much of what is asked belongs to a category of level 1, 2, ...; people mean something in particular."""
_REGIONAL = 0.2
"""How much less a category of places is wanted than another: there are many, and few of them are anybody's own."""
_WORD_POWER, _SITE_POWER = 0.9, 1.0
_SITE_FORMS = ("{}", "{}.com", "www.{}.com", "{}", "{}.com")


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary:
    """Terms, and lists of them to draw from.

    Parameters
    ----------
    tree
        The categories of the sample directory.
    terms
        Every word and phrase once.
    own, near
        For each category its own words; and those that it shares with its neighbours or that name what lies above.
    modifiers
        For each language the words that say what somebody wants.
    openings
        For each language how somebody begins who asks about an illness of his own.
    adult
        One list: what stands in no category of the directory.
    sites
        For each site in how many ways it is asked for.
    rare
        From which term on they stand in no category and no list: surnames, and numbers of models.
    upper, last
        0 and the sum of the weights up to each category; behind the last category below each one.
    language
        For each category the place in ``LANGUAGES``.
    """

    tree: CategoryTree
    terms: tuple[str, ...]
    own: RankedLists
    near: RankedLists
    modifiers: RankedLists
    openings: RankedLists
    adult: RankedLists
    sites: RankedLists
    rare: int
    upper: FloatArray
    last: npt.NDArray[np.int64]
    language: npt.NDArray[np.int64]

    def draw_below(self, rng: np.random.Generator, above: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Draw a category for each record: the one given or one below it, as often as it is wanted."""
        return draw_between(rng, self.upper, above, self.last[above])

    def weight_below(self) -> FloatArray:
        """Return how often each category or one below it is wanted."""
        return self.upper[self.last] - self.upper[:-1]


class _Terms:
    """Numbers terms in the order in which they come."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def codes(self, texts: Iterable[str]) -> list[int]:
        return [self.places.setdefault(text, len(self.places)) for text in texts]


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of the sample directory; the same at every call."""
    topics, lists, tree = outlined_topics(), word_lists(), topic_directory().tree
    terms = _Terms()
    own = [terms.codes(topic.words) for topic in topics]
    near = [terms.codes((*topic.shared, *_above(topic.path))) for topic in topics]
    modifiers = [terms.codes(lists["modifiers"][language]) for language in LANGUAGES]
    openings = [terms.codes(lists["illness"]["openings"]), *([] for _ in LANGUAGES[1:])]
    adult = [terms.codes(lists["adult"]["words"])]
    sites = [terms.codes(form.format(_joined(name, form)) for form in _SITE_FORMS) for name in lists["sites"]["names"]]
    rare = len(terms.places)
    terms.codes(_rare_words(lists["people"]["first_half"], lists["people"]["second_half"]))
    upper = np.concatenate([[0.0], np.cumsum(_wanted(tree, [len(words) for words in own]))])
    return Vocabulary(
        tree=tree,
        terms=tuple(terms.places),
        own=RankedLists.of(own, _WORD_POWER),
        near=RankedLists.of(near, 0.5),
        modifiers=RankedLists.of(modifiers, 0.7),
        openings=RankedLists.of(openings, 0.5),
        adult=RankedLists.of(adult, 1.0),
        sites=RankedLists.of(sites, _SITE_POWER),
        rare=rare,
        upper=upper,
        last=_ends(tree),
        language=np.array([topic.language for topic in topics]),
    )


def _rare_words(first_halves: Sequence[str], second_halves: Sequence[str]) -> list[str]:
    """What the long tail is made of: names that nobody has filed, and numbers of models."""
    names = [first + second for first in first_halves for second in second_halves]
    models = [f"{first[:2]}{number}" for first in first_halves for number in range(100, 1000, 13)]
    return [*names, *models]


def _joined(name: str, form: str) -> str:
    return name if form == "{}" else name.replace(" ", "")


@cache
def _first_words() -> dict[tuple[str, ...], tuple[str, ...]]:
    return {topic.path: topic.words[:1] for topic in outlined_topics()}


def _above(path: tuple[str, ...]) -> tuple[str, ...]:
    """What names the two nearest categories above, but the first level and the branch of a language."""
    least = 2 if path[0] == "World" else 0
    named = [_first_words()[path[:depth]] for depth in range(len(path) - 1, least, -1)]
    return tuple(word for words in named for word in words)[:2]


def _ends(tree: CategoryTree) -> npt.NDArray[np.int64]:
    """Behind the last category below each one, in a tree where these stand right behind it."""
    ends = np.arange(1, len(tree) + 1)
    for place in range(len(tree) - 1, -1, -1):
        if tree.parents[place] >= 0:
            ends[tree.parents[place]] = max(ends[tree.parents[place]], ends[place])
    return ends


def _wanted(tree: CategoryTree, words: Sequence[int]) -> FloatArray:
    """How often each category is wanted: the shares of the levels, and Zipf's law among the categories of a level."""
    rng = Streams(0).stream("vocabulary", "wanted")
    wanted: FloatArray = rng.permutation(zipf(len(tree), 0.7)) * (np.array(words) > 0)
    regional = np.array([path[0] == "Regional" for path in (topic.path for topic in outlined_topics())])
    wanted[regional] *= _REGIONAL
    for level, share in enumerate(_LEVEL_SHARES, 1):
        there = tree.levels == level
        wanted[there] *= share / wanted[there].sum()
    return wanted
