"""The semantic remain percentage: how much of what users searched for, by topic, is still in the profiles that stand for them."""

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

__all__ = ["SemanticRemain", "matched_counts"]


def matched_counts(users: sparse.csr_array, profiles: sparse.csr_array) -> FloatArray:
    """Return for each row the sum over the columns of the smaller of the two counts. O(entries)."""
    return row_sums(users.minimum(profiles))


@dataclass(frozen=True, kw_only=True)
class SemanticRemain(LogMeasure):
    """Share of the queries of a user, by topic, that the profile that stands for him still has.

    For a user i and a level l of the directory let M(i, c) be how often his queries fall into category c, and R(i, c) how often
    those of his profile do. Then (expression (4))::

        SRP(i, l) = rho / chi,   rho = sum over c of min(M(i, c), R(i, c)),   chi = sum over c of M(i, c)

    The figure of a level is the mean over the users who have a classified query there; the value is the mean of the levels.

    Protects nothing; it says what a release is worth to somebody who studies interests.

    Returns
    -------
    LogFigure
        Percent. Parts: ``level_1``, ``level_2``, ... each level by itself, as in the paper; ``cumulated_1``, ... the levels up to
        this one taken together, as in the first version; ``bound``, what is left in the worst case. One value for each user: the
        mean of his levels, missing where none of his queries is classified.

    Complexity
    ----------
    O(L e) time for L levels and e pairs of a user and a category that occur; memory likewise.

    Notes
    -----
    The paper counts "the number of queries of each category that are in the original log as well as in the centroid". Queries are
    lines here, repetitions included, and a category that both have counts as often as the one has it that has it less often: two
    searches about soccer are matched by two others about soccer. A query that falls into several categories counts in each, so
    that chi is the number of classified terms rather than of queries; with one category a query they are the same. Where nothing
    stands for a user, nothing of him remains.

    ``bound`` is expression (5) with chi as it must be, the number of queries of all users of the group: users without a common
    topic keep their quota, which is 1/k of theirs. It is shown as the mean over users of 1 over the number of users of their
    profile, and meant for methods that release as many queries as the average user of a group has.

    References
    ----------
    Erola, A., Castella-Roca, J., Navarro-Arribas, G. and Torra, V. (2011), Semantic microaggregation for the anonymization of
    query logs using the open directory project, SORT special issue, expressions (4) and (5).

    Erola, A., Castella-Roca, J., Navarro-Arribas, G. and Torra, V. (2010), Semantic microaggregation for the anonymization of
    query logs, PSD 2010, for the cumulated form.

    Examples
    --------
    >>> import numpy as np
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> tree = CategoryTree.from_paths([("Sports", "Soccer"), ("Arts",)])
    >>> def classified(categories):
    ...     every = np.arange(len(categories))
    ...     return Classified.from_categories(tree, len(categories), every, every, np.array(categories), depth=2)
    >>> log = QueryLog.from_columns(["ann", "ann", "bob", "bob"], ["goal", "opera", "goal", "foul"])
    >>> left = AnonymisedLog(
    ...     log=QueryLog.from_columns(["one", "one"], ["goal", "opera"]), profile=np.zeros(2, np.int32), method="by hand",
    ...     topics=classified([1, 2]),
    ... )
    >>> found = SemanticRemain().of(log, classified([1, 2, 1]), left)
    >>> found.value, found.parts["level_1"], found.parts["bound"]
    (75.0, 75.0, 50.0)
    """

    name = "semantic_remain"
    title = "Semantic remain percentage"
    traits = LogMeasureTraits(needs_topics=True)

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Match the counts of every level."""
        matched: list[FloatArray] = []
        asked: list[FloatArray] = []
        for users, profiles in each_level(log, topics, anonymised, self.speaker()):
            asked.append(row_sums(users))
            matched.append(_matched(users, profiles, anonymised))
        shares = [_shares(rho, chi) for rho, chi in zip(matched, asked, strict=True)]
        summed = [
            _shares(rho, chi) for rho, chi in zip(np.cumsum(matched, axis=0), np.cumsum(asked, axis=0), strict=True)
        ]
        parts = {f"level_{level}": _mean(share) for level, share in enumerate(shares, 1)}
        parts |= {f"cumulated_{level}": _mean(share) for level, share in enumerate(summed, 1)}
        sizes = anonymised.stands_for
        behind = (
            np.where(anonymised.profile >= 0, sizes[anonymised.profile], np.inf) if len(sizes) else np.array([np.inf])
        )
        parts["bound"] = float(np.mean(100.0 / behind))
        figures = [parts[f"level_{level}"] for level in range(1, len(shares) + 1)]
        nobody = not any((chi > 0).any() for chi in asked)
        return LogFigure(
            value=0.0 if nobody else float(np.nanmean(figures)),
            per_user=mean_of_known(np.array(shares)),
            parts={name: figure for name, figure in parts.items() if not np.isnan(figure)},
            note="No query of the log is classified." if nobody else "The mean of the levels.",
        )


def _matched(users: sparse.csr_array, profiles: sparse.csr_array, anonymised: AnonymisedLog) -> FloatArray:
    found = [
        matched_counts(users[block], profile_rows(profiles, anonymised.profile[block]))
        for block in user_blocks(users.shape[0])
    ]
    return np.concatenate(found) if found else np.zeros(0)


def _shares(rho: FloatArray, chi: FloatArray) -> FloatArray:
    """Return the percentages, missing where there is nothing to keep."""
    return np.asarray(np.divide(100.0 * rho, chi, out=np.full(len(chi), np.nan), where=chi > 0))


def _mean(shares: FloatArray) -> float:
    known = shares[~np.isnan(shares)]
    return float(known.mean()) if len(known) else float("nan")
