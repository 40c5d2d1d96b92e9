"""Better groups: users change places between groups as long as more of their interests remain, by simulated annealing.

What remains of a user i is measured as the paper measures it, on what the profile of his group is expected to be: with a_j(c) the
count of user j in category c, Contrib_j his share of the group's lines, and |g| users in the group,

    P(c) = sum over j in g of min(Contrib_j, 1 / |g|) a_j(c),    remains_i = mean over levels of sum min(a_i, P) / sum a_i.

Where a category leaves only if several users of the group have it, P is 0 in the others. A proposal takes a user and one of his
near users in another group, and either moves him there or exchanges him for somebody of that group. One that changes the sum of
what remains by -loss is made with probability exp(-loss / T), and T falls geometrically.

References
----------
Kirkpatrick, S., Gelatt, C. D., Vecchi, M. P. (1983). Optimization by simulated annealing. Science 220, 671-680.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, Int1, IntArray, Place1, Place2, PlaceArray, Word1
from tacita.core.kernel import entry, kernel
from tacita.core.progress import task
from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word
from tacita.numeric.user_groups.counts import Counts, sparse_counts
from tacita.numeric.user_groups.near_users import NearUsers

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Interested", "improved_groups", "interested", "remaining"]

_WARM, _COLD = 0.05, 0.0004
"""First and last temperature, in users of whom everything remains; most exchanges of similar users change less than 0.1."""
_ROUNDS = 100
"""Temperatures between them."""
_EXPONENTIAL = -np.log((np.arange(4096) + 0.5) / 4096)
"""Quantiles of the exponential distribution: loss <= T * draw is the Metropolis rule, without a logarithm a proposal."""
_32, _52, _ONE = np.uint64(32), np.uint64(52), np.uint64(1)


class Interested(NamedTuple):
    """Users as the search sees them."""

    counts: Counts
    level: Place1  # (columns,) level of each column, from 0
    weight: Float2  # (n, levels) what one more shared query on a level adds to the sum of what remains
    lines: Float1  # (n,) how many lines each user has
    least: int  # users of a group who must have a category


class UserGroups(NamedTuple):
    """The groups, and what remains in each."""

    labels: Int1  # (n,)
    members: Place2  # (groups, 2 k - 1)
    size: Int1  # (groups,)
    value: Float1  # (groups,)


class Room(NamedTuple):
    """The expected profile of one group, wiped after each use."""

    profile: Float1  # (columns,)
    sharers: Place1  # (columns,)


def interested(users: sparse.csr_array, level: IntArray, lines: IntArray, least: int) -> Interested:
    """Prepare users for the search. O(entries)."""
    counts, n = sparse_counts(users), users.shape[0]
    depth = int(level.max(initial=0))
    user = np.repeat(np.arange(n), np.diff(counts.start))
    cell = user * depth + level[counts.column] - 1
    total = np.bincount(cell, weights=counts.amount, minlength=n * depth).reshape(n, depth)
    classified = np.maximum((total > 0).sum(axis=0), 1)
    weight = np.where(total > 0, n / np.maximum(total, 1) / classified / max(depth, 1), 0.0)
    return Interested(counts, (level - 1).astype(np.int32), weight, lines.astype(np.float64), least)


def remaining(known: Interested, labels: IntArray, k: int) -> float:
    """Return the expected share of interests that remains, from 0 to 1. O(entries) time."""
    groups = _grouped(labels, k)
    _value_all(known, groups)
    return float(groups.value.sum() / max(len(labels), 1))


def improved_groups(
    known: Interested, lists: NearUsers, labels: IntArray, k: int, *, moves: int, state: Word1
) -> IntArray:
    """Return groups of k to 2k - 1 users in which more remains, or the groups given.

    Parameters
    ----------
    known
        The users.
    lists
        Who is similar to whom.
    labels
        UserGroups from 0 of k to 2k - 1 users; they stay as they are.
    k
        Fewest users.
    moves
        How many exchanges are tried.
    state
        Random words, changed in place.

    Notes
    -----
    O(moves k e) time for e categories a user; O(n most + columns) memory.
    """
    groups = _grouped(labels, k)
    _value_all(known, groups)
    before = groups.value.sum()
    filled = (lists.near >= 0).sum(axis=1)
    movers = np.flatnonzero(filled).astype(np.int32)
    if len(movers) == 0 or len(groups.size) < 2:
        return labels
    each = -(-moves // _ROUNDS)
    with task("Improving groups of users", _ROUNDS) as running:
        for temperature in np.geomspace(_WARM, _COLD, _ROUNDS):
            _anneal(known, lists.near, filled.astype(np.int64), movers, groups, k, each, float(temperature), state)
            running.advance()
    _value_all(known, groups)
    return np.asarray(groups.labels) if groups.value.sum() > before else labels


def _grouped(labels: IntArray, k: int) -> UserGroups:
    size = np.bincount(labels).astype(np.int64)
    order = np.argsort(labels, kind="stable")
    members = np.full((len(size), 2 * k - 1), -1, np.int32)
    members[labels[order], np.arange(len(labels)) - (np.cumsum(size) - size)[labels[order]]] = order
    return UserGroups(labels.copy(), members, size, np.zeros(len(size)))


@entry
def _value_all(known: Interested, groups: UserGroups) -> None:
    room = Room(np.zeros(len(known.level)), np.zeros(len(known.level), np.int32))
    for group in range(len(groups.size)):
        groups.value[group] = _value(known, groups.members[group], groups.size[group], room)


@kernel
def _value(known: Interested, members: PlaceArray, size: int, room: Room) -> float:
    """Sum what remains of the members of one group."""
    counts, level, weight, lines, least = known
    total = 0.0
    for place in range(size):
        total += lines[members[place]]
    for place in range(size):
        it = members[place]
        share = min(lines[it] / total, 1.0 / size) if total > 0.0 else 0.0
        for at in range(counts.start[it], counts.start[it + 1]):
            room.profile[counts.column[at]] += share * counts.amount[at]
            room.sharers[counts.column[at]] += 1
    value = 0.0
    for place in range(size):
        it = members[place]
        for at in range(counts.start[it], counts.start[it + 1]):
            column = counts.column[at]
            if room.sharers[column] >= least:
                value += weight[it, level[column]] * min(float(counts.amount[at]), room.profile[column])
    for place in range(size):
        it = members[place]
        for at in range(counts.start[it], counts.start[it + 1]):
            room.profile[counts.column[at]] = 0.0
            room.sharers[counts.column[at]] = 0
    return value


@entry
def _anneal(
    known: Interested,
    near: Place2,
    filled: Int1,
    movers: Place1,
    groups: UserGroups,
    k: int,
    moves: int,
    temperature: float,
    state: Word1,
) -> None:
    """Try `moves` proposals at one temperature."""
    room = Room(np.zeros(len(known.level)), np.zeros(len(known.level), np.int32))
    labels, members, size, value = groups
    for _ in range(moves):
        first, second = next_word(state), next_word(state)
        user = movers[draw_below(first >> _32, len(movers))]
        friend = near[user, draw_below(first & LOW_WORD, filled[user])]
        a, b = labels[user], labels[friend]
        if a == b:
            continue
        limit = temperature * _EXPONENTIAL[second >> _52]
        at_a = _place_of(members[a], user)
        if second & _ONE and size[a] > k and size[b] < 2 * k - 1:
            size[a] -= 1
            members[a, at_a], members[a, size[a]] = members[a, size[a]], user
            members[b, size[b]] = user
            size[b] += 1
            new_a, new_b = _value(known, members[a], size[a], room), _value(known, members[b], size[b], room)
            if value[a] + value[b] - new_a - new_b <= limit:
                labels[user] = b
                value[a], value[b] = new_a, new_b
            else:
                size[a] += 1
                size[b] -= 1
            continue
        at_b = int(draw_below((second >> _ONE) & LOW_WORD, size[b]))
        if members[b, at_b] == friend:
            at_b = (at_b + 1) % size[b]
        other = members[b, at_b]
        members[a, at_a], members[b, at_b] = other, user
        new_a, new_b = _value(known, members[a], size[a], room), _value(known, members[b], size[b], room)
        if value[a] + value[b] - new_a - new_b <= limit:
            labels[user], labels[other] = b, a
            value[a], value[b] = new_a, new_b
        else:
            members[a, at_a], members[b, at_b] = user, other


@kernel
def _place_of(members: PlaceArray, user: int) -> int:
    place = 0
    while members[place] != user:
        place += 1
    return place
