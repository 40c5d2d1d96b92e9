"""How much a group of records gives away about a confidential value: diversity, closeness, likeness.

Records with equal keys form a group; what an intruder learns is the distribution p of the confidential value within it,
compared with its distribution q in the whole file.

======================  ===============================================================================================
distinct l              number of different values in the group
entropy l               exp H(p)
recursive c             smallest c for which r_1 < c (r_l + ... + r_m) fails no more: r_1 / (r_l + ... + r_m),
                        r the sorted frequencies of the group
t, equal distance       1/2 sum |p - q|
t, ordered distance     sum_i |sum_(j <= i) (p_j - q_j)| / (m - 1), the values in their order
t, hierarchical         sum over inner nodes N of (height of N) / (height of the tree) min(pos N, neg N), pos and neg the
                        surplus and deficit of p over q that children of N have to give and to take
delta                   max |log(p / q)| over values of the file (infinite where one is absent from the group)
beta                    max (p - q) / q over values with p > q
======================  ===============================================================================================

References
----------
Machanavajjhala, A. et al. (2007), l-diversity; Li, N., Li, T. and Venkatasubramanian, S. (2007), t-closeness (sections 4.1 and
4.2: the three distances); Brickell, J. and Shmatikov, V. (2008), The cost of privacy (delta-disclosure); Cao, J. and Karras, P.
(2012), Publishing microdata with a robust privacy guarantee (beta-likeness).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.keys.frequencies import number_words

__all__ = [
    "GroupValues",
    "beta_likeness",
    "delta_disclosure",
    "distinct_values",
    "entropy_values",
    "equal_distance",
    "group_values",
    "hierarchical_distance",
    "ordered_distance",
    "recursive_ratio",
]


_CELLS = 2**22
"""Entries of the dense tables that the hierarchical distance works on."""


@dataclass(frozen=True, eq=False)
class GroupValues:
    """Counts of confidential values in groups, for the pairs that occur, ordered by group and value.

    Parameters
    ----------
    group, value, count
        (e,): group and value of each pair that occurs, and its number of records.
    sizes
        (g,): records of each group.
    overall
        (v,): share of each value in the whole file.
    """

    group: IntArray = field(repr=False)
    value: IntArray = field(repr=False)
    count: FloatArray = field(repr=False)
    sizes: FloatArray = field(repr=False)
    overall: FloatArray = field(repr=False)

    @property
    def share(self) -> FloatArray:
        """(e,): p of each pair that occurs."""
        return self.count / self.sizes[self.group]

    def sums(self, amounts: FloatArray) -> FloatArray:
        """Add up amounts of pairs within groups."""
        return np.asarray(np.bincount(self.group, weights=amounts, minlength=len(self.sizes)), dtype=np.float64)


def group_values(labels: IntArray, values: IntArray, n_values: int, *, groups: int | None = None) -> GroupValues:
    """Count confidential values (codes from 0) within groups, which are as many as labels say unless given. O(n)."""
    groups = int(labels.max(initial=-1)) + 1 if groups is None else groups
    _, known, counts = number_words(labels * n_values + values, max(groups * n_values, 1))
    sizes = np.bincount(labels, minlength=groups).astype(np.float64)
    overall = np.bincount(values, minlength=n_values) / max(len(values), 1)
    return GroupValues(
        group=known // n_values, value=known % n_values, count=counts.astype(np.float64), sizes=sizes, overall=overall
    )


def distinct_values(table: GroupValues) -> FloatArray:
    """Return the number of different values in each group."""
    return table.sums(np.ones(len(table.group)))


def entropy_values(table: GroupValues) -> FloatArray:
    """Return exp H(p) of each group: the number of equally frequent values that would be as uncertain."""
    p = table.share
    return np.asarray(np.exp(table.sums(-p * np.log(p))))


def recursive_ratio(table: GroupValues, least: int) -> FloatArray:
    """Return r_1 / (r_l + ... + r_m) of each group for l = ``least``; infinite with fewer values."""
    order = np.lexsort((-table.count, table.group))
    group, count = table.group[order], table.count[order]
    start = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])) if len(group) else group
    place = np.arange(len(group)) - np.repeat(start, np.diff(np.append(start, len(group))))
    top = np.zeros(len(table.sizes))
    top[group[place == 0]] = count[place == 0]
    tail = np.bincount(group[place >= least - 1], weights=count[place >= least - 1], minlength=len(table.sizes))
    return np.asarray(np.divide(top, tail, out=np.full(len(top), np.inf), where=tail > 0))


def equal_distance(table: GroupValues) -> FloatArray:
    """Return 1/2 sum |p - q| of each group, where all values are equally far from each other."""
    p, q = table.share, table.overall[table.value]
    # Values that a group lacks add q each; together 1 minus what its own values have.
    return np.asarray(0.5 * (table.sums(np.abs(p - q)) + 1.0 - table.sums(q)))


def ordered_distance(table: GroupValues) -> FloatArray:
    """Return the earth mover's distance of each group along the order of the values, from 0 to 1. O(e log e + g).

    Between two values that occur in the group, P is constant while Q grows, so the sum of |P - Q| over a stretch comes from
    prefix sums of Q, split where Q crosses P.
    """
    m = len(table.overall)
    if m < 2:
        return np.zeros(len(table.sizes))
    q_cum = np.cumsum(table.overall)
    q_sum = np.concatenate([[0.0], np.cumsum(q_cum)])  # q_sum[i] = Q_0 + ... + Q_(i-1)
    share = table.share
    running = np.cumsum(share)
    first = np.concatenate([[True], table.group[1:] != table.group[:-1]]) if len(share) else np.empty(0, bool)
    before = running - share
    level = running - before[first][np.cumsum(first) - 1] if len(share) else running
    # Stretch of positions [value, next value of the group) on which P equals `level`; the last one ends at m - 1.
    stop = np.append(table.value[1:], m - 1)
    stop[np.append(first[1:], True)] = m - 1
    total = table.sums(_stretch(q_cum, q_sum, np.minimum(table.value, m - 1), stop, level))
    zero = np.zeros(int(first.sum()))
    ahead = _stretch(q_cum, q_sum, np.zeros(len(zero), np.int64), table.value[first], zero)
    total[table.group[first]] += ahead
    return np.asarray(total / (m - 1))


def _stretch(q_cum: FloatArray, q_sum: FloatArray, start: IntArray, stop: IntArray, level: FloatArray) -> FloatArray:
    """Return sum over start <= i < stop of |level - Q_i|; Q rises, so it crosses the level once."""
    stop = np.maximum(stop, start)
    cross = np.clip(np.searchsorted(q_cum, level, side="right"), start, stop)
    below = level * (cross - start) - (q_sum[cross] - q_sum[start])
    above = (q_sum[stop] - q_sum[cross]) - level * (stop - cross)
    return np.asarray(np.maximum(below + above, 0.0))


def hierarchical_distance(table: GroupValues, ancestors: IntArray) -> FloatArray:
    """Return the earth mover's distance of each group when values are as far apart as the height of their common ancestor.

    Parameters
    ----------
    ancestors
        (levels, v): node of each value at every level above the values, the finest first; the last level is the root.

    Notes
    -----
    Going up a level, what the children of a node have too much is moved to those that have too little, at the cost of that
    level's height; the rest is carried up. O((g nodes) levels) time.
    """
    g, v = len(table.sizes), len(table.overall)
    total, rows = np.empty(g), max(1, _CELLS // max(v, 1))
    cuts = np.searchsorted(table.group, np.arange(0, g + rows, rows))
    for block, start in enumerate(range(0, g, rows)):
        pairs = slice(int(cuts[block]), int(cuts[block + 1]))
        extra = np.tile(-table.overall, (min(rows, g - start), 1))
        extra[table.group[pairs] - start, table.value[pairs]] += table.share[pairs]
        total[start : start + rows] = _carried_up(extra, ancestors)
    return total


def _carried_up(extra: FloatArray, ancestors: IntArray) -> FloatArray:
    """Return the cost of evening out surpluses (groups, values) along the tree."""
    levels, below = len(ancestors), np.arange(extra.shape[1])
    total = np.zeros(len(extra))
    for height in range(1, levels + 1):
        above = ancestors[height - 1]
        belongs = np.zeros((extra.shape[1], int(above.max(initial=-1)) + 1))
        belongs[below, above] = 1.0
        positive, net = np.maximum(extra, 0.0) @ belongs, extra @ belongs
        total += height / levels * np.minimum(positive, positive - net).sum(axis=1)
        extra, below = net, above
    return total


def delta_disclosure(table: GroupValues) -> FloatArray:
    """Return max |log(p / q)| of each group; infinite where a value of the file is absent from it."""
    spread = np.abs(np.log(table.share / table.overall[table.value]))
    largest = np.zeros(len(table.sizes))
    np.maximum.at(largest, table.group, spread)
    lacks = distinct_values(table) < np.count_nonzero(table.overall)
    return np.asarray(np.where(lacks, np.inf, largest))


def beta_likeness(table: GroupValues, *, is_enhanced: bool = False) -> FloatArray:
    """Return max (p - q) / q of each group over values with p > q.

    The enhanced form must not exceed min(beta, -log q) for any value, so each gain is first divided by the part of
    beta that -log q allows; the result compares with beta in both forms when beta is below all -log q.
    """
    q = table.overall[table.value]
    gain = np.maximum(table.share / q - 1.0, 0.0)
    if is_enhanced:
        gain = np.where(gain > -np.log(q), np.inf, gain)
    largest = np.zeros(len(table.sizes))
    np.maximum.at(largest, table.group, gain)
    return largest
