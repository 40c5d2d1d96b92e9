"""Estimates from inside: how far the upper bound of a cell must be when a contributor takes off what it has.

A rule about estimates looks at a victim v, at what the attacker has himself (o), at what goes with it (the largest others
who act together with him, g) and at the total X: the cell is safe from him when ``a v + b (o + g) <= X``. With X replaced by
the upper bound that the attacker finds for a hidden cell, this is what must hold from his place:

    u - X >= a v + b (o + g) - X

The p % rule has a = 1 + p / 100 and b = 1, the pq rule a = 1 + p / q, dominance (n, k) a = b = 100 / k, or b = 0 for n = 1.
For the second largest contributor who attacks the largest this is the level that the cell has from outside.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.table import Table
from tacita.tables.rules.inside import Inside
from tacita.tables.rules.rule import LEAST_SHARE

__all__ = ["estimates_from_inside"]


def estimates_from_inside(
    table: Table,
    found: Contributions,
    unsafe: BoolArray,
    total: FloatArray,
    *,
    victim: float,
    attacker: float,
    partners: int = 0,
    may_be_victim: BoolArray | None = None,
    unlisted: bool = True,
    is_holding: bool = False,
) -> Inside:
    """Return what a rule about estimates asks of unsafe cells from everybody's own place, in units of ``total``.

    Parameters
    ----------
    table
        The table, for its members.
    found
        The largest contributions at the level of the rule.
    unsafe
        (n,): unsafe cells.
    total
        (n,): sizes of the cells.
    victim, attacker
        The numbers a and b of the rule.
    partners
        How many others act together with the attacker in the cell.
    may_be_victim
        For each contributor whether it is to be protected; None for all.
    unlisted
        Whether somebody smaller than all that the table keeps may be the victim where none of those is.
    is_holding
        Whether the rule looks at holdings.

    Notes
    -----
    Nothing is asked of the lower side: these rules are about estimates from above. Nothing is asked from a seat that the
    rule holds for whatever it finds; it may find the cell. A level that is asked for at all is at least a thousandth of what
    the others have: solvers cannot tell less. With weights the attacker takes its amount off once, as the
    expansion of the rule does. Where it is not known which contributors are under one control, the victim of a holding is
    the largest other holding, which is not smaller than any member of it.
    """
    amounts, owners = found.expanded_with_owners(found.depth)
    sizes = np.abs(amounts)
    open_ = np.ones(sizes.shape, bool)
    if may_be_victim is not None:
        open_ = (owners >= 0) & may_be_victim[np.maximum(owners, 0)]
    last = np.where((found.counts > found.depth) & unlisted, sizes[:, -1], 0.0)
    cells = np.flatnonzero(unsafe)

    def asked(at: IntArray, own: FloatArray, excluded: BoolArray) -> FloatArray:
        """The level of cells when the excluded contributions are the attacker's own."""
        free = np.where(excluded, 0.0, sizes[at])
        can = open_[at] & ~excluded
        first = np.argmax(np.where(can, free, -1.0), axis=1)
        some = can.any(axis=1)
        rows = np.arange(len(at))
        v = np.where(some, free[rows, first], last[at])
        free[rows[some], first[some]] = 0.0
        g = -np.sort(-free, axis=1)[:, :partners].sum(axis=1) if partners else 0.0
        need = victim * v + attacker * (own + g) - total[at]
        least = np.maximum(need, LEAST_SHARE * np.maximum(total[at] - own, 0.0))
        return np.where((need > 1e-9 * total[at]) & (v > 0), least, 0.0)

    most = np.zeros((len(table), 3))
    most[cells, 1] = asked(cells, np.zeros(len(cells)), np.zeros((len(cells), sizes.shape[1]), bool))
    members = table.members
    if members is None:
        return Inside.of(most, cells[:0], cells[:0], np.empty((0, 3)))
    entry = np.flatnonzero(unsafe[members.cells])
    at, seat, own = members.cells[entry], members.of_entry[entry], np.abs(members.amounts[entry])
    number, of_holding = members.numbers[seat], members.is_holding[seat]
    if is_holding:  # a member of a holding has less than the holding, and the same victims
        entry_kept = of_holding if of_holding.any() else np.ones(len(seat), bool)
        at, seat, own, number = at[entry_kept], seat[entry_kept], own[entry_kept], number[entry_kept]
        level = asked(at, own, owners[at] == number[:, None])
    else:
        mine = owners[at] == number[:, None]
        if of_holding.any() and members.groups is not None:
            group = np.where(owners >= 0, members.groups[np.clip(owners, 0, len(members.groups) - 1)], -1)
            mine = np.where(of_holding[:, None], (group[at] == number[:, None]) & (group[at] >= 0), mine)
        elif of_holding.any():
            mine &= ~of_holding[:, None]
        level = asked(at, own, mine)
        if of_holding.any() and members.groups is None and table.holdings is not None:
            level[of_holding] = _by_holdings(table.holdings, at, own, number, of_holding, total, victim, attacker)
    levels = np.zeros((len(at), 3))
    levels[:, 1] = level
    return Inside.of(most, at, seat, levels)


def _by_holdings(
    found: Contributions,
    at: IntArray,
    own: FloatArray,
    number: IntArray,
    of_holding: BoolArray,
    total: FloatArray,
    victim: float,
    attacker: float,
) -> FloatArray:
    """Levels from holdings where nobody knows who belongs to them."""
    at, own, number = at[of_holding], own[of_holding], number[of_holding]
    other = np.where(found.owners[at] == number[:, None], 0.0, np.abs(found.amounts[at])).max(axis=1)
    need = victim * other + attacker * own - total[at]
    least = np.maximum(need, LEAST_SHARE * np.maximum(total[at] - own, 0.0))
    return np.where((need > 1e-9 * total[at]) & (other > 0), least, 0.0)
