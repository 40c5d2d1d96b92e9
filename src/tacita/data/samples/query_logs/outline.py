"""Topics as somebody wrote them down: outlines of categories with their words, by language, and the words of no topic."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["LANGUAGES", "OutlinedTopic", "outlined_topics", "read_outline", "said", "word_lists"]

LANGUAGES = ("English", "Deutsch", "Español", "Français", "Italiano", "Polski")
"""The languages of the directory, as its branch ``World`` calls them."""

_FOLDER = Path(__file__).parent
_TOWN = "@"
_MOST_SHARED = 8
_LEAST_WORDS = 2
"""A town that is filed under fewer words of its own has no categories below it."""


@dataclass(frozen=True)
class OutlinedTopic:
    """A category: where it stands, what people say who mean it (the most frequent first), and in which language.

    Parameters
    ----------
    path
        The names from the first level down.
    words
        Words and phrases of its own; empty for a category that only holds others together.
    shared
        Words that it has in common with its neighbours; who means it says them beside one of its own.
    """

    path: tuple[str, ...]
    words: tuple[str, ...]
    shared: tuple[str, ...] = ()

    @property
    def language(self) -> int:
        """The place of its language in ``LANGUAGES``."""
        named = self.path[1] if self.path[0] == "World" and len(self.path) > 1 else "English"
        return LANGUAGES.index(named)


@cache
def word_lists() -> dict[str, dict[str, Any]]:
    """Return the words that belong to no topic: modifiers, sites, names of people, what editors write."""
    return tomllib.loads((_FOLDER / "words.toml").read_text(encoding="utf-8"))


@cache
def outlined_topics() -> tuple[OutlinedTopic, ...]:
    """Return all categories sorted by their paths, so that whatever lies below one stands right behind it."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for file in sorted((_FOLDER / "topics").glob("*.txt")):
        for path, words in read_outline(file.read_text(encoding="utf-8").splitlines()):
            for depth in range(1, len(path)):
                found.setdefault(path[:depth], ())
            found[path] = tuple(dict.fromkeys((*found.get(path, ()), *words)))
    generic = frozenset(word_lists()["names"]["generic"])
    shared = tomllib.loads((_FOLDER / "shared.toml").read_text(encoding="utf-8"))
    made = []
    for place, (path, listed) in enumerate(sorted(found.items())):
        spoken = _spoken(path, listed, generic)
        made.append(OutlinedTopic(path, spoken, _shared(path, shared, place, but=spoken) if spoken else ()))
    return tuple(made)


def read_outline(lines: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Read an outline: a line a category, one space deeper for each level, ``Name: word word several_words``.

    ``@ Town: words`` stands for the town below its letter, as the Open Directory files it, with what every town has.

    Examples
    --------
    >>> for path, words in read_outline(["Arts: culture", " Music: songs hip_hop"]):
    ...     print(path, words)
    ('Arts',) ('culture',)
    ('Arts', 'Music') ('songs', 'hip hop')
    """
    path: tuple[str, ...] = ()
    for line in lines:
        name, _, listed = line.strip().partition(":")
        words = tuple(word.replace("_", " ") for word in listed.split())
        depth = len(line) - len(line.lstrip(" "))
        if name.startswith(_TOWN):
            yield from _town(path[:depth], name.removeprefix(_TOWN).strip(), words)
        else:
            path = (*path[:depth], name)
            yield path, words


def _town(
    above: tuple[str, ...], name: str, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    town, path = said(name)[0], (*above, "Localities", name[0], name)
    aspects: dict[str, list[str]] = word_lists()["aspects"]
    firsts = tuple(f"{town} {word}" for aspect in aspects.values() for word in aspect[:2])
    yield path, (*words, f"{town} weather", f"{town} map", *firsts)
    if len(words) >= _LEAST_WORDS:
        for aspect, wanted in aspects.items():
            yield (*path, aspect), tuple(f"{town} {word}" for word in wanted)


def said(name: str) -> tuple[str, ...]:
    """Return what somebody says who means a category of this name.

    Examples
    --------
    >>> said("Stocks_and_Bonds"), said("Big_Band")
    (('stocks', 'bonds'), ('big band',))
    """
    return tuple(name.lower().replace("_", " ").split(" and "))


def _spoken(path: tuple[str, ...], words: tuple[str, ...], generic: frozenset[str]) -> tuple[str, ...]:
    """The name and the words; a name that says nothing by itself follows the one above it."""
    names = said(path[-1])
    if not words and (names[0] in generic or len(path[-1]) == 1):
        return ()
    if path[-1] in word_lists()["aspects"]:
        return words  # the town stands in each of them
    if names[0] in generic:
        names = _after_those_above(path, generic)
    return tuple(dict.fromkeys((*names, *words)))


def _after_those_above(path: tuple[str, ...], generic: frozenset[str]) -> tuple[str, ...]:
    """The names from the nearest that says something down: ``("phoenix suns players",)``."""
    spoken: list[str] = []
    for name in reversed(path):
        words = said(name)
        spoken.append(words[0])
        if words[0] not in generic:
            break
    return (" ".join(reversed(spoken)),)


def _shared(path: tuple[str, ...], lists: dict[str, list[str]], place: int, *, but: tuple[str, ...]) -> tuple[str, ...]:
    """Some words of the nearest list above: neighbours have different ones, and each begins at another."""
    near = next((lists[key] for depth in range(len(path), 0, -1) if (key := "/".join(path[:depth])) in lists), [])
    turned = [near[(place * 5 + step) % len(near)] for step in range(len(near))]
    return tuple(word for word in turned if word not in but)[:_MOST_SHARED]
