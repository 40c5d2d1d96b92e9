"""The sample directory: categories in the manner of the Open Directory, and entries that its editors might have written."""

from __future__ import annotations

from functools import cache

import numpy as np

from tacita.core.streams import Streams
from tacita.data.directory.directory import Directory
from tacita.data.samples.query_logs.outline import LANGUAGES, OutlinedTopic, outlined_topics, word_lists

__all__ = ["topic_directory"]

_MOST_ENTRIES = 4


@cache
def topic_directory() -> Directory:
    """Make a small directory of topics in the manner of the Open Directory.

    About two thousand categories on up to eight levels: sixteen at the top, places under ``Regional``, and the same topics in
    German, Spanish, French, Italian and Polish under ``World``. Some words stand for several topics: java is a language, an
    island and a coffee.

    Returns
    -------
    Directory
        The same at every call.

    Notes
    -----
    Every word of a category stands in one of its entries at least, the more frequent ones in several. What lies above is
    named in some descriptions.

    Examples
    --------
    >>> from tacita.data.samples import topic_directory
    >>> directory = topic_directory()
    >>> directory.tree.depth
    8
    """
    rng = Streams(0).stream("topic_directory")
    topics = outlined_topics()
    words_of = {topic.path: topic.words for topic in topics}
    entries = [entry for topic in topics for entry in _entries(topic, words_of, rng)]
    return Directory.from_entries(entries)


def _entries(
    topic: OutlinedTopic, words_of: dict[tuple[str, ...], tuple[str, ...]], rng: np.random.Generator
) -> list[tuple[tuple[str, ...], str, str]]:
    """Deal the words of a category out to its entries; the first ones come back in each."""
    if not topic.words:
        return []
    count = min(_MOST_ENTRIES, 1 + len(topic.words) // 3)
    upwards = (words_of[topic.path[:depth]] for depth in range(len(topic.path) - 1, 0, -1))
    above = next((words for words in upwards if words), ())
    made = []
    for number in range(count):
        dealt = topic.words[number::count]
        often = [word for word in topic.words[: 1 + number % 3] if word not in dealt]
        chosen = (*often, *dealt)
        common = topic.shared[number::count]
        title = " ".join(chosen[: 1 + int(rng.integers(0, 2))]).title()
        context = above[:1] if number % 2 == 0 and topic.language == 0 else ()
        made.append((topic.path, title, _description(topic.language, (*chosen[1:], *common, *context) or chosen, rng)))
    return made


def _description(language: int, words: tuple[str, ...], rng: np.random.Generator) -> str:
    written = word_lists()["editors"]
    if language:
        opening, closing = written[LANGUAGES[language]]
    else:
        opening = written["openings"][int(rng.integers(len(written["openings"])))]
        closing = written["closings"][int(rng.integers(len(written["closings"])))]
    return f"{opening} {', '.join(words)}, {closing}"
