"""Why an index names the categories that it names: for the owner of a log, since it repeats texts and titles."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ExplainedTopic", "ExplainedWord", "TopicExplanation"]


@dataclass(frozen=True, repr=False)
class ExplainedWord:
    """A word of a text: as it was written, the word of the index that it was taken for, and where that stands."""

    written: str
    meant: str
    documents: int
    is_stop_word: bool


@dataclass(frozen=True, repr=False)
class ExplainedTopic:
    """A category: its path, what it is worth, how many entries speak for it, and what some of them are called."""

    path: tuple[str, ...]
    score: float
    entries: int
    titles: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class TopicExplanation:
    """Why a text has its categories.

    Parameters
    ----------
    words
        The words of the text.
    together
        Whether there is a document with all words; otherwise each word spoke for itself.
    topics
        The categories, best first.
    """

    words: tuple[ExplainedWord, ...]
    together: bool
    topics: tuple[ExplainedTopic, ...]

    def __repr__(self) -> str:
        return f"TopicExplanation of {len(self.words)} words, {len(self.topics)} categories"

    def lines(self) -> list[str]:
        """Return all of it, one thing a line, with the texts."""
        said = []
        for word in self.words:
            if word.is_stop_word:
                said.append(f"{word.written}: a stop word")
            elif not word.meant:
                said.append(f"{word.written}: not in the index")
            else:
                taken = "" if word.meant == word.written else f" taken for {word.meant},"
                said.append(f"{word.written}:{taken} in {word.documents} documents")
        said.append(
            "All words stand together." if self.together else "No document has all words; each speaks for itself."
        )
        for topic in self.topics:
            titles = f": {'; '.join(topic.titles)}" if topic.titles else ""
            said.append(f"{' > '.join(topic.path)} ({topic.score:.2f}, {topic.entries} entries{titles})")
        return said
