"""Whether two tables have the same contributors by the same numbers, by the cells that both have."""

from __future__ import annotations

import numpy as np

from tacita.tables.model.contributions import Contributions
from tacita.tables.model.table import Table

__all__ = ["have_same_contributors"]


def have_same_contributors(one: Table, other: Table) -> bool:
    """Whether numbers of contributors mean the same in two tables.

    Numbers are those of the data, and data of another time may number others so. Cells that both tables have must agree: who is
    in cells of few contributors, and for one response who the largest are and what they have. Without such a cell nothing shows
    it.

    Parameters
    ----------
    one, other
        Tables with their contributors.

    Examples
    --------
    >>> import tacita as tc
    >>> firms = tc.samples.business_survey(200, seed=1)
    >>> one, two = (tc.tabulate(firms, ["region"], name) for name in ("turnover", "employees"))
    >>> later = tc.tabulate(tc.samples.business_survey(200, seed=2), ["region"], "turnover")
    >>> have_same_contributors(one, two), have_same_contributors(one, later)
    (True, False)
    """
    if one.units is None or other.units is None:
        return False
    mine, yours = _cells(one), _cells(other)
    shared = [(cell, yours[name]) for name, cell in mine.items() if name in yours]
    evidence = 0
    for a, b in shared:
        said = _agree(one.units, a, other.units, b, is_same=one.response == other.response)
        if said is False:
            return False
        evidence += said is True
    return evidence > 0


def _cells(table: Table) -> dict[frozenset[tuple[str, str]], int]:
    """Return cells by what is not a total; a code that is a sum of all others is one."""
    totals = {
        d.name: {code for code in d.codes if _is_everything(d.codes, dict(reversed(d.sums)), code)}
        for d in table.dimensions
    }
    found = {}
    for cell in range(len(table)):
        named = zip((d.name for d in table.dimensions), table.labels(cell), strict=True)
        found[frozenset((name, code) for name, code in named if code not in totals[name])] = cell
    return found


def _is_everything(codes: tuple[str, ...], sums: dict[str, tuple[str, ...]], code: str) -> bool:
    below, waiting = {code}, [code]
    while waiting:
        for part in sums.get(waiting.pop(), ()):
            if part not in below:
                below.add(part)
                waiting.append(part)
    return len(below) == len(codes) and len(codes) > 1


def _agree(one: Contributions, a: int, other: Contributions, b: int, *, is_same: bool) -> bool | None:
    """Whether two tables name the same contributors of a cell; None where they cannot be compared."""
    few = one.counts[a] == other.counts[b] and 0 < one.counts[a] <= min(one.depth, other.depth)
    if few and set(one.owners[a][one.owners[a] >= 0]) != set(other.owners[b][other.owners[b] >= 0]):
        return False
    if not is_same:
        return True if few else None
    if one.counts[a] != other.counts[b]:
        return False
    depth = min(one.depth, other.depth)
    mine, yours = one.amounts[a, :depth], other.amounts[b, :depth]
    if not np.allclose(mine, yours, rtol=1e-9, atol=0.0):
        return False
    # Contributors of equal amounts may be listed in any order.
    apart = np.append(np.diff(mine) != 0, True) & np.append(True, np.diff(mine) != 0) & (one.owners[a, :depth] >= 0)
    if one.counts[a] > depth:
        apart[-1] = False
    return (
        bool((one.owners[a, :depth] == other.owners[b, :depth])[apart].all())
        if apart.any()
        else (True if few else None)
    )
