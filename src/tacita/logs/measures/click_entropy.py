"""Click entropy: how much the results differ that people click after the same query, before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.traits import LogMeasureTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure

__all__ = ["ClickEntropy", "click_entropies"]


def click_entropies(log: QueryLog) -> tuple[FloatArray, FloatArray]:
    """Return the entropy in bits of what was clicked after each query that has clicks, and how many clicks it has. O(n log n).

    Examples
    --------
    >>> log = QueryLog.from_columns(["a", "b", "c"], ["tea", "tea", "jam"], url=["x.org", "y.org", "x.org"])
    >>> [side.tolist() for side in click_entropies(log)]
    [[1.0, 0.0], [2.0, 1.0]]
    """
    if log.url is None:
        return np.zeros(0), np.zeros(0)
    has = (log.query >= 0) & (log.url >= 0)
    if not has.any():
        return np.zeros(0), np.zeros(0)
    width = int(log.url.max()) + 1
    pairs, times = np.unique(log.query[has].astype(np.int64) * width + log.url[has], return_counts=True)
    _, query = np.unique(pairs // width, return_inverse=True)
    clicks = np.bincount(query, weights=times).astype(np.float64)
    share = times / clicks[query]
    bits = np.bincount(query, weights=-share * np.log2(share)).astype(np.float64)
    return bits + 0.0, clicks


@dataclass(frozen=True, kw_only=True)
class ClickEntropy(LogMeasure):
    """Difference of the mean click entropy of queries.

    The click entropy of a query q is ``H(q) = - sum over u of p(u | q) log2 p(u | q)``, with p(u | q) the share of its clicks
    that went to u: near 0 for queries that look for one site, large for vague ones. The value is
    ``|mean of H after - mean of H before|``, the means over the queries that have clicks.

    Protects nothing; it says whether a release is still good for studying how ambiguous queries are.

    Returns
    -------
    LogFigure
        Bits. Parts: ``before`` and ``after``; ``weighted before`` and ``weighted after``, where each query counts as often as
        it was clicked; ``clicks kept``, the percentage of lines with a click that are still there.

    Raises
    ------
    MeasureError
        When the original has no clicks.

    Complexity
    ----------
    O(n log n) for n lines.

    Notes
    -----
    A released log without clicks has entropy 0 throughout: the value is then all that was there.

    References
    ----------
    Dou, Z., Song, R. and Wen, J.-R. (2007), A large-scale evaluation and analysis of personalized search strategies, WWW 2007,
    for click entropy.

    Examples
    --------
    >>> log = QueryLog.from_columns(["a", "b", "c"], ["tea", "tea", "jam"], url=["x.org", "y.org", "x.org"])
    >>> made = AnonymisedLog(log=log.take(np.array([0, 2])), profile=np.zeros(3, np.int32), method="by hand")
    >>> found = ClickEntropy().of(log, None, made)
    >>> found.value, found.parts["before"], found.parts["after"]
    (0.5, 0.5, 0.0)
    """

    name = "click_entropy"
    title = "Difference of click entropy"
    traits = LogMeasureTraits(better="lower", unit="bits", upper=None)

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Compare the means."""
        del topics
        before, times = click_entropies(log)
        after, left = click_entropies(anonymised.log)
        if not len(before):
            raise MeasureError(f"{self.speaker()}: the original log has no clicks; leave this measure out.")
        parts = {
            "before": float(before.mean()),
            "after": float(after.mean()) if len(after) else 0.0,
            "weighted before": float(np.average(before, weights=times)),
            "weighted after": float(np.average(after, weights=left)) if len(after) else 0.0,
            "clicks kept": 100 * float(left.sum() / times.sum()),
        }
        note = "" if len(after) else "No click is left."
        return LogFigure(value=abs(parts["after"] - parts["before"]), parts=parts, note=note)
