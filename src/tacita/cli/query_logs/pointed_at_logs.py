"""How the commands of ``tacita logs`` read what they are pointed at: logs, topic directories, releases, anonymisers by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.cli.settings import setting
from tacita.core.errors import ColumnError, FileError, ParameterError

if TYPE_CHECKING:
    from tacita.data.directory.classified import Classified
    from tacita.data.directory.topic_index import TopicIndex
    from tacita.data.query_log.query_log import QueryLog
    from tacita.logs.anonymiser import AnonymisedLog, Anonymiser

__all__ = [
    "SAMPLE",
    "anonymiser_of",
    "columns_of",
    "directory_of",
    "index_of",
    "log_of",
    "release_of",
    "topics_in_words",
    "topics_of",
]

SAMPLE = "sample"
"""Stands for the small directory that comes with the package."""


def anonymiser_of(name: str, k: int | None, settings: list[str]) -> Anonymiser:
    """Return an anonymiser by name with its parameters; ``k`` is one of them."""
    from tacita.core import registry

    kind = registry.find("anonymiser", name)
    given: dict[str, Any] = dict(setting(text) for text in settings)
    if k is not None:
        if "k" not in {parameter.name for parameter in kind.parameters()}:
            raise ParameterError(f"'{name}' has no k; 'tacita methods {name}' shows its parameters.")
        given.setdefault("k", k)
    return kind.from_plain(given)  # type: ignore[return-value]


def columns_of(*named: str | None) -> Any:
    """Return which columns of a file are what: user, query, time, rank, address, form of times; None where none was said."""
    from tacita.data.query_log.log_columns import LogColumns

    words = ("user", "query", "time", "rank", "url", "time_format")
    given: Mapping[str, Any] = {word: name for word, name in zip(words, named, strict=True) if name is not None}
    return LogColumns(**given) if given else None


def log_of(file: Path, columns: Any, encoding: str, separator: str | None) -> QueryLog:
    """Read a log; what lacks is asked for in the words of the command line."""
    from tacita.data.query_log.read import read_log

    try:
        return read_log(file, columns=columns, encoding=encoding, separator=separator)
    except ColumnError as error:
        raise ColumnError(
            f"{error} On the command line: --user NAME --query NAME, and --time, --rank, --url."
        ) from None


def directory_of(name: str, languages: list[str] | None = None) -> Any:
    """Read a topic directory, or take the small one of the package."""
    if name == SAMPLE:
        from tacita.data import samples

        found = samples.topic_directory()
        return found if not languages else found.in_languages(languages)
    from tacita.data.directory.read_directory import read_directory

    return read_directory(name, languages=languages)


def index_of(name: str) -> TopicIndex:
    """Open an index, or make one of a directory in memory."""
    from tacita.data.directory.topic_file import is_index
    from tacita.data.directory.topic_index import TopicIndex

    if name != SAMPLE and is_index(Path(name)):
        return TopicIndex.open(name)
    return TopicIndex.build(directory_of(name))


def topics_of(log: QueryLog, directory: str, levels: int, categories: int, by: str) -> Classified:
    """Classify the texts of a log."""
    return index_of(directory).classify(log.texts, categories=categories, depth=levels, by=by)  # type: ignore[arg-type]


def topics_in_words(directory: str | None, levels: int, categories: int, by: str) -> str:
    """Say what topics come from, as it is recorded in a release."""
    if directory is None:
        return ""
    return f"{Path(directory).name}, {levels} levels, {categories} categories of each {'term' if by == 'terms' else 'query'}"


def release_of(
    place: Path, original: QueryLog, directory: str | None, levels: int, categories: int, by: str
) -> tuple[AnonymisedLog, Classified | None]:
    """Read a release that ``anonymise`` wrote, with its topics and those of the original."""
    from tacita.compare.logs.released_topics import released_topics
    from tacita.data.query_log.read import read_log
    from tacita.logs.anonymiser import AnonymisedLog
    from tacita.release.log_release import FORMATS, read_profiles

    files = [place / "public" / f"log.{ending}" for ending in FORMATS]
    there = [file for file in files if file.is_file()]
    if not there:
        raise FileError(f"'{place.name}' has no released log in public/; give the directory that 'anonymise' wrote.")
    released = read_log(there[0])
    profile = read_profiles(place / "internal", original, released)
    if directory is None:
        return AnonymisedLog(log=released, profile=profile, method="read from its release"), None
    found = index_of(directory)
    how: dict[str, Any] = {"categories": categories, "depth": levels, "by": by}
    topics = found.classify(original.texts, **how)
    left = released_topics(released.texts, found.classify(released.texts, **how))
    return AnonymisedLog(log=released, profile=profile, method="read from its release", topics=left), topics
