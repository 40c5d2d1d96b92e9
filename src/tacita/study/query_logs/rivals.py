"""The methods side by side: what each leaves of interests and lines, and who is told by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tacita.compare.logs.measure_log import LogCard, measure_log
from tacita.compare.logs.released_topics import last_words, released_topics
from tacita.core.errors import TacitaError
from tacita.core.progress import task
from tacita.data.directory.classified import Classified
from tacita.data.directory.directory import Directory
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.directory.wordnet import read_wordnet
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.rivals.infrequent_removal import InfrequentRemoval
from tacita.logs.rivals.private_queries import PrivateQueries
from tacita.logs.rivals.random_groups import RandomGroups
from tacita.logs.rivals.selected_removal import SelectedRemoval
from tacita.logs.rivals.syntactic_microaggregation import SyntacticMicroaggregation
from tacita.logs.rivals.wordnet_generalisation import WordnetGeneralisation
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.study.query_logs.material import CATEGORIES, LEVELS, LogMaterial

__all__ = ["WORDNET", "RivalRow", "rivals"]

WORDNET = Path("/usr/share/wordnet")
"""Where Debian's package ``wordnet-base`` puts its database."""
K = 5
MEASURES = ("semantic_remain", "lines_kept", "query_frequency_correlation", "profile_linkage", "lonely_queries")


@dataclass(frozen=True, eq=False)
class RivalRow:
    """One method: its card, or why there is none."""

    words: str
    card: LogCard | None
    note: str = ""


def rivals(found: LogMaterial, seed: int, *, wordnet: Path = WORDNET) -> list[RivalRow]:
    """Anonymise a log by each method with its usual parameters, and measure all of them by the same directory."""
    ways: list[tuple[str, Callable[[], AnonymisedLog]]] = [
        (words, _by(found, method, seed))
        for words, method in (
            ("semantic, as published, k = 5", SemanticMicroaggregation(k=K, mode="paper", partition="paper")),
            ("semantic, improved partition, k = 5", SemanticMicroaggregation(k=K, mode="paper")),
            ("semantic, safe, k = 5", SemanticMicroaggregation(k=K)),
            ("groups at random, k = 5", RandomGroups(k=K, mode="paper")),
            ("groups by spelling, k = 5", SyntacticMicroaggregation(k=K, mode="paper")),
            ("infrequent queries removed, 5 askers", InfrequentRemoval(askers=K)),
            ("infrequent removed, users split", InfrequentRemoval(askers=K, splits_users=True)),
            ("selected queries removed", SelectedRemoval()),
            ("differentially private choice", PrivateQueries()),
        )
    ]
    ways.append(("generalised by WordNet, k = 5", lambda: _by_wordnet(found, seed, wordnet)))
    rows = []
    with task("Comparing methods", len(ways)) as running:
        for words, make in ways:
            try:
                card = measure_log(found.log, make(), found.topics(CATEGORIES[-1]), measures=MEASURES)
                rows.append(RivalRow(words, card))
            except TacitaError as error:
                rows.append(RivalRow(words, None, str(error)))
            running.advance(note=words)
    return rows


def _by(found: LogMaterial, method: Anonymiser, seed: int) -> Callable[[], AnonymisedLog]:
    def make() -> AnonymisedLog:
        made = method.apply(found.log, found.topics(CATEGORIES[-1]), seed=seed)
        return made if made.topics is not None else _read(found, made, made.log.texts)

    return make


def _by_wordnet(found: LogMaterial, seed: int, place: Path) -> AnonymisedLog:
    """Generalise by WordNet, and read what is released as a searcher would: the last word of a path, by the directory."""
    words: Directory = read_wordnet(place)
    topics = TopicIndex.build(words).classify(found.log.texts, categories=1, depth=LEVELS + DEEPER)
    made = WordnetGeneralisation(k=K).apply(found.log, topics, seed=seed)
    return _read(found, made, last_words(made.log.texts))


DEEPER = 10
"""WordNet's tree begins with general words; its topics lie so many levels deeper than those of a directory of the Web."""


def _read(found: LogMaterial, made: AnonymisedLog, texts: Any) -> AnonymisedLog:
    told: Classified = found.index.classify(texts, categories=CATEGORIES[-1], depth=LEVELS)
    return replace(made, topics=released_topics(texts, told))


def figure(row: RivalRow, name: str, part: str = "") -> Any:
    """Return a value or a part of a row's card; NaN where there is none."""
    if row.card is None or name not in row.card:
        return np.nan
    measured = row.card.figures[name]
    return measured.parts.get(part, np.nan) if part else measured.value
