"""Rank correlation of how often each query, and each term, was asked before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import LogMeasureTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure
from tacita.logs.measures.matched import asked_times, text_places
from tacita.logs.terms import terms_of
from tacita.numeric.statistics.ranks import rank_correlations

__all__ = ["QueryFrequencyCorrelation"]


@dataclass(frozen=True, kw_only=True)
class QueryFrequencyCorrelation(LogMeasure):
    """Rank correlation of how often queries were asked in the original and in the released log.

    Spearman's correlation over all texts of the two logs; a text that a log lacks was asked 0 times there, and ties share their
    middle rank. For terms each occurrence in a line counts.

    Protects nothing; it says whether a list of what is asked most would look the same.

    Returns
    -------
    LogFigure
        From -1 to 1, for queries. Parts: ``queries``, the same; ``terms``; ``queries kept`` and ``terms kept``, the correlation
        over what is in both logs.

    Complexity
    ----------
    O(n + t log t) for n lines and t different texts and terms.

    Notes
    -----
    Nothing in common has correlation 0. Where all frequencies of one side are the same, there is no order to keep: 1 where those
    of the other are as well and nothing is lost, 0 elsewhere. A log with many queries that were asked once has many ties; most of
    the correlation is then about whether they are still there.

    References
    ----------
    Spearman, C. (1904), The proof and measurement of association between two things, American Journal of Psychology 15(1).

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "ann", "bob", "bob", "eve", "eve"], ["tea", "milk", "tea", "milk", "tea", "jam"])
    >>> left = QueryLog.from_columns(["one", "one", "one"], ["tea", "tea", "milk"])
    >>> made = AnonymisedLog(log=left, profile=np.zeros(3, np.int32), method="by hand")
    >>> round(QueryFrequencyCorrelation().of(log, None, made).value, 6)
    1.0
    """

    name = "query_frequency_correlation"
    title = "Correlation of query frequencies"
    traits = LogMeasureTraits(unit="", upper=1.0)

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Correlate the frequencies of texts, then of terms."""
        del topics
        before, after = asked_times(log), asked_times(anonymised.log)
        queries = _side_by_side(log.texts, before, anonymised.log.texts, after)
        own, left = terms_of(log.texts), terms_of(anonymised.log.texts)
        terms = _side_by_side(own.words, before @ own.counts, left.words, after @ left.counts)
        parts = {"queries": _correlation(queries), "terms": _correlation(terms)}
        for name, both in (("queries kept", queries), ("terms kept", terms)):
            parts[name] = _correlation(both[(both > 0).all(axis=1)])
        return LogFigure(value=parts["queries"], parts=parts)


def _side_by_side(names: pa.StringArray, counts: IntArray, others: pa.StringArray, left: IntArray) -> FloatArray:
    """Return the counts of both logs, a row for each text that either has; 0 where one lacks it."""
    place = text_places(others, names)
    found = np.zeros((len(names) + int((place < 0).sum()), 2))
    found[: len(names), 0] = counts
    found[place[place >= 0], 1] = left[place >= 0]
    found[len(names) :, 1] = left[place < 0]
    return found[(found > 0).any(axis=1)]


def _correlation(both: FloatArray) -> float:
    """Return Spearman's correlation; of frequencies that are all alike as the notes say."""
    if not len(both):
        return 0.0
    varies = [bool(side.min() < side.max()) for side in both.T]
    if not all(varies):
        return float(not any(varies) and bool((both > 0).all()))
    return float(rank_correlations(both)[0, 1])
