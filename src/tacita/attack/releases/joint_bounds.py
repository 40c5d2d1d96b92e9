"""What releases tell together: bounds of all cells, with what counts and totals say of each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tacita.attack.claims import Claims
from tacita.attack.tables.known_bounds import claimed_cells
from tacita.attack.targets import ReleasesTarget, TableTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve.cell_intervals import CellSystem

__all__ = ["joint_table", "solved", "sure_of"]

_ROUNDS = 10
_SMALL = 1e-6


def solved(target: ReleasesTarget, releases: Iterable[int], tolerance: float) -> Claims:
    """Return claims of the victims from some of the releases.

    Parameters
    ----------
    target
        Everything that was released.
    releases
        The numbers of those that are looked at.
    tolerance
        Share of its lower end that half of the interval of a total may be for it to count as known; of counts one whole number
        must be left.

    Raises
    ------
    AttackError
        When releases contradict each other.
    """
    chosen = tuple(releases)
    table = joint_table(target, chosen)
    counted = target.is_counted[target.tables.wanted]
    ends, alone = None, np.ones(target.victims, bool)
    if table is not None:
        single = np.full(target.victims, -1, np.int64) if target.single is None else target.single
        people = np.flatnonzero(single >= 0)
        asked = np.concatenate([target.tables.wanted, single[people]])
        ends = CellSystem(table.relations, table.lower, table.upper).intervals(asked)
    if table is not None and ends is not None:
        low, high = ends[0][target.victims :], ends[1][target.victims :]
        alone[people] = (np.ceil(low - _SMALL) >= 1) & (np.floor(high + _SMALL) <= 1)
        low, high = ends[0][: target.victims], ends[1][: target.victims]
        ends = (np.where(counted, np.ceil(low - _SMALL), low), np.where(counted, np.floor(high + _SMALL), high))
    told = " and ".join(target.names[i] for i in _contradiction(target, chosen)) if ends is None else ""
    claims = claimed_cells(
        target.tables,
        ends,
        tolerance=np.where(counted, 0.0, tolerance),
        guesses=False,
        impossible=f"{told} contradict each other: they are not of one population, or values were changed.",
    )[0]
    if alone.all():
        return claims
    # The total of a group is the amount of a person for whom it is known that nobody else is in it.
    return replace(claims, said=np.where(alone, claims.said, np.nan), is_sure=sure_of(claims) & alone)


def sure_of(claims: Claims) -> BoolArray:
    """Return which claims are made without doubt."""
    return np.zeros(len(claims), bool) if claims.is_sure is None else claims.is_sure.copy()


def joint_table(target: ReleasesTarget, releases: Iterable[int]) -> TableTarget | None:
    """Return what some releases tell together, with what counts say of totals and totals of counts; None where nothing fits.

    Notes
    -----
    Where the most that a count can be is below one, nobody is there and the total is 0; where the least that a total can be is
    above 0, somebody is there. Each may tell the other something new, so that both are asked in turn until nothing changes.
    """
    table = target.together(releases)
    lower, upper = table.lower.copy(), table.upper.copy()
    unseen = len(lower) - len(target.is_counted)
    counted = np.concatenate([target.is_counted, np.zeros(unseen, bool)])
    lower[counted] = np.ceil(lower[counted] - 1e-9)
    upper[counted] = np.floor(upper[counted] + 1e-9)
    links = np.zeros((0, 2), np.int64) if target.links is None else target.links
    for _ in range(_ROUNDS if len(links) and _tells_counts(target, releases) else 0):
        found = _told(table, lower, upper, links)
        if found is None:
            return None
        empty, there = found
        if not len(empty) and not len(there):
            break
        upper[empty], lower[empty] = 0.0, np.maximum(lower[empty], 0.0)
        lower[there] = np.maximum(lower[there], 1.0)
    if (lower > upper).any():
        lower_is_known = lower > upper + 1e-9 * np.maximum(np.abs(upper), 1.0)
        if lower_is_known.any():
            return None
    shown = np.where(lower == upper, lower, np.nan)
    return replace(table, lower=lower, upper=upper, shown=shown)


def _tells_counts(target: ReleasesTarget, releases: Iterable[int]) -> bool:
    """Whether some of the releases say anything of counts."""
    counted = target.is_counted
    shows = [target.shows[i] for i in releases]
    return any(bool(counted[told.cells].any()) or told.means is not None for told in shows)


def _told(
    table: TableTarget, lower: FloatArray, upper: FloatArray, links: IntArray
) -> tuple[IntArray, IntArray] | None:
    """Return totals of nobody, and counts of somebody, that are news."""
    total, count = links.T
    system = CellSystem(table.relations, lower, upper)
    open_totals, open_counts = (upper[total] > 0) | (lower[total] < 0), lower[count] < 1
    asked = np.unique(count[open_totals])
    ends = system.intervals(asked, done=lambda _, high: np.asarray(high >= 1.0 - _SMALL, bool))
    if ends is None:
        return None
    nobody = asked[ends[1] < 1.0 - _SMALL]
    empty = total[open_totals & np.isin(count, nobody)]
    asked = np.unique(total[open_counts & ~np.isin(total, empty)])
    ends = system.intervals(asked, done=lambda low, _: np.asarray(low <= 0.0, bool))
    if ends is None:
        return None
    size = np.maximum(np.where(np.isfinite(ends[1]), ends[1], 1.0), 1.0)
    something = asked[ends[0] > _SMALL * size]
    return empty, count[open_counts & np.isin(total, something)]


def _contradiction(target: ReleasesTarget, releases: Sequence[int]) -> tuple[int, ...]:
    """Return releases that contradict each other: one, two, or all of them."""
    for size in (1, 2):
        for some in itertools.combinations(releases, size):
            table = joint_table(target, some)
            cells = np.concatenate([np.zeros(0, np.int64), *(target.shows[i].cells for i in some)])
            if table is None:
                return some
            if CellSystem(table.relations, table.lower, table.upper).intervals(np.unique(cells)[:1]) is None:
                return some
    return tuple(releases)
