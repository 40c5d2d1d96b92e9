"""How far the topics of a released log are from those of the original, of everybody together and of each user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.traits import LogMeasureTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure
from tacita.logs.measures.matched import each_level, mean_of_known, profile_rows, row_sums, user_blocks

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["TopicDistance", "jensen_shannon", "total_variation"]


def total_variation(p: FloatArray, q: FloatArray) -> float:
    """Return half the sum of the absolute differences of two distributions.

    Examples
    --------
    >>> total_variation(np.array([0.5, 0.5, 0.0]), np.array([0.5, 0.25, 0.25]))
    0.25
    """
    return float(np.abs(p - q).sum() / 2)


def jensen_shannon(p: FloatArray, q: FloatArray) -> float:
    """Return the Jensen-Shannon divergence of two distributions in bits, from 0 to 1.

    Examples
    --------
    >>> jensen_shannon(np.array([1.0, 0.0]), np.array([0.0, 1.0])), jensen_shannon(np.array([1.0]), np.array([1.0]))
    (1.0, 0.0)
    """
    middle = (p + q) / 2
    return max(0.0, float(_relative_entropy(p, middle) + _relative_entropy(q, middle)) / 2)


def _relative_entropy(p: FloatArray, q: FloatArray) -> float:
    has = p > 0
    return float((p[has] * np.log2(p[has] / q[has])).sum())


@dataclass(frozen=True, kw_only=True)
class TopicDistance(LogMeasure):
    """Distance between the topics that people searched for and those of the released log.

    With p(c) the share of category c among all categories of the original's queries at a level, and q(c) that of the released
    log::

        TV = 1/2 sum over c of |p(c) - q(c)|
        JS = 1/2 sum of p log2(p / m) + 1/2 sum of q log2(q / m),   m = (p + q) / 2

    The value is the mean of the levels of TV, of everybody together.

    Protects nothing; it says what a release is worth to somebody who studies how much each topic is searched for.

    Returns
    -------
    LogFigure
        Percent, 0 for the same distribution. Parts in percent: ``level_1``, ... TV of a level; ``js_1``, ... the Jensen-Shannon
        divergence; ``users_1``, ... the mean over users of TV between what is theirs and what is their profile's. One value for
        each user: the mean of his levels, missing where none of his queries is classified.

    Complexity
    ----------
    O(L e) time for L levels and e pairs of a user and a category that occur; memory likewise.

    Notes
    -----
    A side without any classified query is as far away as can be, 100 %, from one that has some. Repetitions count.

    References
    ----------
    Lin, J. (1991), Divergence measures based on the Shannon entropy, IEEE Transactions on Information Theory 37(1), for the
    Jensen-Shannon divergence.

    Examples
    --------
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> tree = CategoryTree.from_paths([("Sports",), ("Arts",)])
    >>> every = np.arange(2)
    >>> topics = Classified.from_categories(tree, 2, every, every, every, depth=1)
    >>> log = QueryLog.from_columns(["ann", "ann", "bob", "bob"], ["goal", "opera", "goal", "goal"])
    >>> left = QueryLog.from_columns(["one", "one"], ["goal", "opera"])
    >>> made = AnonymisedLog(log=left, profile=np.zeros(2, np.int32), method="by hand", topics=topics)
    >>> TopicDistance().of(log, topics, made).value, TopicDistance().of(log, topics, made).per_user.tolist()
    (25.0, [0.0, 50.0])
    """

    name = "topic_distance"
    title = "Distance of topics"
    traits = LogMeasureTraits(needs_topics=True, better="lower")

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Compare the distributions of every level."""
        parts: dict[str, float] = {}
        own: list[FloatArray] = []
        for level, (users, profiles) in enumerate(each_level(log, topics, anonymised, self.speaker()), 1):
            before, after = (np.asarray(side.sum(axis=0), float).ravel() for side in (users, profiles))
            if not before.sum():
                continue
            p, q = _distribution(before), _distribution(after)
            parts[f"level_{level}"] = 100 * total_variation(p, q) if q.any() else 100.0
            parts[f"js_{level}"] = 100 * jensen_shannon(p, q) if q.any() else 100.0
            own.append(_of_users(users, profiles, anonymised))
            parts[f"users_{level}"] = float(np.nanmean(own[-1]))
        if not own:
            nothing = np.full(len(log.users), np.nan)
            return LogFigure(value=0.0, per_user=nothing, note="No query of the log is classified.")
        found = [figure for name, figure in parts.items() if name.startswith("level_")]
        return LogFigure(
            value=float(np.mean(found)),
            per_user=mean_of_known(np.array(own)),
            parts=parts,
            note="The mean of the levels.",
        )


def _distribution(counts: FloatArray) -> FloatArray:
    total = counts.sum()
    return np.asarray(counts / total if total else counts, np.float64)


def _of_users(users: sparse.csr_array, profiles: sparse.csr_array, anonymised: AnonymisedLog) -> FloatArray:
    """Return the total variation of each user in percent; missing where he has no category."""
    found = []
    for block in user_blocks(users.shape[0]):
        mine, his = users[block], profile_rows(profiles, anonymised.profile[block])
        sums, other = row_sums(mine), row_sums(his)
        apart = row_sums(abs(_scaled(mine, sums) - _scaled(his, other))) / 2
        found.append(100 * np.where(sums > 0, np.where(other > 0, apart, 1.0), np.nan))
    return np.concatenate(found)


def _scaled(rows: sparse.csr_array, sums: FloatArray) -> sparse.csr_array:
    """Return the rows as distributions; empty rows stay empty."""
    scaled = rows.copy()
    scaled.data = scaled.data / np.repeat(sums, np.diff(scaled.indptr))
    return scaled
