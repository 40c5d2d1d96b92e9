"""How much of a log left at all: lines, different queries, terms, users."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.traits import LogMeasureTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure
from tacita.logs.measures.matched import asked_times, text_places
from tacita.logs.terms import terms_of

__all__ = ["LinesKept"]


@dataclass(frozen=True, kw_only=True)
class LinesKept(LogMeasure):
    """Share of the lines of a log that its release has.

    ``100 * lines of the release / lines of the original``; nothing is asked about what stands in them.

    Protects nothing; a log of averages over groups of k users keeps 1/k of its lines by design.

    Returns
    -------
    LogFigure
        Percent. Parts in percent: ``texts`` and ``terms``, the different ones of the original that are still there; ``new
        texts``, those of the release that nobody ever asked; ``users``, those for whom a profile stands. In numbers: ``profiles``
        and ``fewest users`` that one stands for. One value for each user: the percentage of his lines whose text is
        somewhere in the release, missing where none of his lines has a text.

    Complexity
    ----------
    O(n + t) for n lines and t different texts and terms.

    Notes
    -----
    Noise added to counts can make it more than 100.

    References
    ----------
    Adar, E. (2007), User 4XXXXX9: anonymizing query logs, Query Log Analysis workshop at WWW 2007, who counts what a threshold
    leaves.

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "ann", "bob", "bob"], ["tea", "milk", "tea", "jam"])
    >>> made = AnonymisedLog(log=log.take(np.array([0, 2])).compact(), profile=np.array([0, 1], np.int32), method="by hand")
    >>> found = LinesKept().of(log, None, made)
    >>> found.value, round(found.parts["texts"], 1), found.per_user.tolist()
    (50.0, 33.3, [50.0, 50.0])
    """

    name = "lines_kept"
    title = "Lines kept"
    traits = LogMeasureTraits(upper=None)

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Count both sides."""
        del topics
        left, own, remaining = anonymised.log, asked_times(log), asked_times(anonymised.log)
        place = text_places(left.texts, log.texts)
        kept = np.zeros(len(log.texts), bool)
        kept[place[(place >= 0) & (remaining > 0)]] = True
        words = terms_of(log.texts)
        used = (own @ words.counts) > 0
        after = terms_of(left.texts)
        found = text_places(after.words.filter((remaining @ after.counts) > 0), words.words)
        parts = {
            "texts": _percent(int((kept & (own > 0)).sum()), int((own > 0).sum())),
            "terms": _percent(int((found >= 0).sum()), int(used.sum())),
            "new texts": _percent(int(((place < 0) & (remaining > 0)).sum()), int((remaining > 0).sum())),
            "users": _percent(int((anonymised.profile >= 0).sum()), len(log.users)),
            "profiles": float(len(left.users)),
            "fewest users": float(anonymised.smallest),
        }
        asked = log.asked
        total, still = asked.sum(axis=1), asked @ kept.astype(np.int64)
        per_user = np.divide(100.0 * still, total, out=np.full(len(log.users), np.nan), where=total > 0)
        return LogFigure(value=_percent(len(left), len(log)), per_user=per_user, parts=parts)


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0
