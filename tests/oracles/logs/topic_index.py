"""The ranking of categories as its documentation says it, one document and one word at a time."""

from __future__ import annotations

import math
from collections import defaultdict

from tacita.data.directory.directory import Directory
from tacita.data.directory.stop_words import STOP_WORDS
from tacita.data.directory.words import words

__all__ = ["all_categories", "documents_of"]


def documents_of(directory: Directory) -> list[tuple[int, float, dict[str, float], list[str] | None]]:
    """Category, weight, counted words and, for a category, its name's words: of every category and then of every entry."""
    made: list[tuple[int, float, dict[str, float], list[str] | None]] = []
    for place in range(len(directory.tree)):
        path = directory.tree.path(place)
        about = "" if directory.about is None else directory.about[place].as_py() or ""
        fields = [(path[-1], 3.0), (" ".join(path[:-1]), 0.5), (about, 1.0)]
        made.append((place, 4.0, _counted(fields), words(path[-1])))
    for entry in range(len(directory)):
        fields = [(directory.title[entry].as_py(), 3.0), (directory.description[entry].as_py(), 1.0)]
        weight = 1.0 if directory.weight is None else float(directory.weight[entry])
        made.append((int(directory.category[entry]), weight, _counted(fields), None))
    return made


def all_categories(directory: Directory, text: str) -> list[tuple[int, float]]:
    """All categories of a text, best first, with what they are worth."""
    made = documents_of(directory)
    known = {word for _, _, counted, _ in made for word in counted}
    asked = list(dict.fromkeys(words(text)))
    telling = [word for word in asked if word not in STOP_WORDS] or asked
    telling = [word for word in telling if word in known]
    if not telling:
        return []
    worth: dict[int, float] = defaultdict(float)
    single = {word: _of_word(made, word) for word in telling}
    for number, (category, _, counted, _) in enumerate(made):
        if all(word in counted for word in telling):
            worth[category] += sum(single[word][number] for word in telling)
    found = {category: score for category, score in worth.items() if score > 0}
    if found:
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return _by_single_words(made, telling, single)


def _by_single_words(
    made: list[tuple[int, float, dict[str, float], list[str] | None]],
    telling: list[str],
    single: dict[str, list[float]],
) -> list[tuple[int, float]]:
    """Each word names its fifty best categories; those that most words name come first."""
    said: dict[int, list[float]] = defaultdict(list)
    for word in telling:
        worth: dict[int, float] = defaultdict(float)
        for number, (category, _, counted, _) in enumerate(made):
            if word in counted:
                worth[category] += single[word][number]
        for category, score in sorted(worth.items(), key=lambda item: (-item[1], item[0]))[:50]:
            said[category].append(score)
    return [
        (category, sum(scores))
        for category, scores in sorted(said.items(), key=lambda item: (-len(item[1]), -sum(item[1]), item[0]))
    ]


def _of_word(made: list[tuple[int, float, dict[str, float], list[str] | None]], word: str) -> list[float]:
    """What a word is worth in every document: BM25 with k1 = 1.2 and b = 0.75."""
    lengths = [sum(counted.values()) for _, _, counted, _ in made]
    mean = sum(lengths) / len(lengths)
    having = sum(word in counted for _, _, counted, _ in made)
    rarity = math.log(1 + (len(made) - having + 0.5) / (having + 0.5))
    worth = []
    for (_, weight, counted, name), length in zip(made, lengths, strict=True):
        times = counted.get(word, 0.0)
        score = weight * rarity * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / mean)) if times else 0.0
        worth.append(score * (2 if name == [word] else 1))
    return worth


def _counted(fields: list[tuple[str, float]]) -> dict[str, float]:
    """The words of a document; stop words count in names and titles alone."""
    counted: dict[str, float] = defaultdict(float)
    for text, times in fields:
        for word in words(text):
            if times == 3.0 or word not in STOP_WORDS:
                counted[word] += times
    return dict(counted)
