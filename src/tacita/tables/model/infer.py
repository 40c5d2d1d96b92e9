"""Inferred dimensions: trees and further aggregates found in columns that depend on each other, or in codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.tabulate import as_code
from tacita.tables.model.dimension import TOTAL, Dimension

__all__ = ["infer_dimension", "infer_from_codes"]


def infer_dimension(data: Microdata, columns: Sequence[str], *, total: str = TOTAL) -> Dimension:
    """Find how the values of several columns add up.

    The first column has the finest values; each of the others must be a function of it. Columns that also are functions of
    each other become a tree; a column that cuts across it becomes further sums over the same values, and its values
    add up to the total as well.

    Parameters
    ----------
    data
        The records; those with a missing value in a column say nothing about it.
    columns
        The columns, the finest first: ``["district", "region", "urban"]``.
    total
        The code of the total.

    Returns
    -------
    Dimension
        Named like the first column. A value that stands in two columns with different members is called by column and
        value, such as ``region: North``.

    Raises
    ------
    ColumnError
        When a column is not a function of the first.

    Examples
    --------
    >>> import pyarrow as pa
    >>> rows = {"town": ["a", "b", "c"], "land": ["N", "N", "S"], "coast": ["yes", "no", "yes"]}
    >>> places = infer_dimension(Microdata.from_frame(pa.table(rows)), ["town", "land", "coast"])
    >>> dict(places.sums[1:])
    {'N': ('a', 'b'), 'S': ('c',), 'no': ('b',), 'yes': ('a', 'c'), 'Total': ('no', 'yes')}
    """
    if not columns:
        raise ParameterError("infer_dimension: 'columns' must name at least one column.")
    finest, rest = columns[0], list(columns[1:])
    fine = data.codes(finest)
    leaves = [as_code(value) for value in fine.categories]
    maps, groups = {}, {}
    for name in rest:
        codes = data.codes(name)
        maps[name] = _function(fine.values, codes.values, len(leaves), finest, name)
        groups[name] = [as_code(value) for value in codes.categories]
    # Coarser columns last, so that each can only nest the ones before it.
    chain: list[str] = []
    for name in sorted(rest, key=lambda n: -len(np.unique(maps[n][maps[n] >= 0]))):
        if (maps[name] >= 0).all() and (not chain or _nests(maps[chain[-1]], maps[name])):
            chain.append(name)
    across = [name for name in rest if name not in chain]
    return _assembled(finest, leaves, maps, groups, chain, across, total)


def _function(fine: IntArray, coarse: IntArray, size: int, finest: str, name: str) -> IntArray:
    """Return the value of a column for each value of the finest one, -1 where no record says it."""
    both = (fine >= 0) & (coarse >= 0)
    found = np.full(size, -1, np.int64)
    found[fine[both]] = coarse[both]
    torn = np.unique(fine[both][found[fine[both]] != coarse[both]])
    if len(torn):
        raise ColumnError(
            f"Column '{name}' must be a function of '{finest}', but {len(torn)} value(s) of '{finest}' have several of its "
            "values; correct the records, or leave the column out."
        )
    return found


def _nests(fine: IntArray, coarse: IntArray) -> bool:
    found = np.full(int(fine.max(initial=-1)) + 1, -1, np.int64)
    found[fine] = coarse
    return bool(np.array_equal(found[fine], coarse))


def _assembled(
    finest: str,
    leaves: list[str],
    maps: dict[str, IntArray],
    groups: dict[str, list[str]],
    chain: list[str],
    across: list[str],
    total: str,
) -> Dimension:
    """Put the tree and the sums that cut across it together."""
    names: dict[str, frozenset[int]] = {leaf: frozenset([i]) for i, leaf in enumerate(leaves)}
    names[total] = frozenset(range(len(leaves)))
    sums: list[tuple[str, tuple[str, ...]]] = []
    below, part_of = list(leaves), np.arange(len(leaves))
    for name in [*chain, *across]:
        if name in across:
            below, part_of = list(leaves), np.arange(len(leaves))
        used = np.unique(maps[name][maps[name] >= 0]).tolist()
        labels, level = {}, []
        for group in used:
            inside = np.flatnonzero(maps[name] == group)
            label = groups[name][group]
            members = frozenset(inside.tolist())
            if names.get(label, members) != members:
                label = f"{name}: {label}"
            if label not in names:
                names[label] = members
                parts = tuple(below[p] for p in dict.fromkeys(part_of[inside].tolist()))
                level.append((label, parts))
            labels[group] = label
        sums += level
        if name in across:
            if (maps[name] >= 0).all():
                sums.append((total, tuple(labels[group] for group in used)))
            continue
        place = {group: i for i, group in enumerate(used)}
        below, part_of = [labels[group] for group in used], np.array([place[g] for g in maps[name].tolist()], np.int64)
        top = tuple(below)
    first = top if chain else tuple(leaves)
    every = [total, *(label for label in names if label != total)]
    found = [(whole, parts) for whole, parts in sums if (whole, parts) != (total, first) and parts != (whole,)]
    return Dimension(finest, tuple(every), ((total, first), *found))


def infer_from_codes(
    name: str, codes: Iterable[str], *, lengths: Sequence[int] | None = None, total: str = TOTAL
) -> Dimension:
    """Find a tree in the codes themselves: ``10.12`` is part of ``10.1``, which is part of ``10``.

    Parameters
    ----------
    name
        The variable.
    codes
        The codes. Without ``lengths`` groups stand among them; with it they are made.
    lengths
        How many characters the code of each level has, such as ``(2, 4)`` for 10 and 10.1 over classes such as 10.12.
        Without it a code is part of the longest other code that it begins with; codes of unequal length without a
        hierarchy, such as 1 and 12, must not be read that way.
    total
        The code of the total, which may stand among the codes.

    Examples
    --------
    >>> infer_from_codes("activity", ["10", "10.1", "10.11", "10.12", "11"]).sums
    (('Total', ('10', '11')), ('10', ('10.1',)), ('10.1', ('10.11', '10.12')))
    >>> infer_from_codes("activity", ["10.11", "10.12", "11.05"], lengths=[2]).sums
    (('Total', ('10', '11')), ('10', ('10.11', '10.12')), ('11', ('11.05',)))
    """
    given = [code for code in dict.fromkeys(codes) if code != total]
    if lengths is not None:
        steps = sorted(set(lengths))
        if not steps or steps[0] < 1:
            raise ParameterError(
                f"infer_from_codes: 'lengths' must be whole numbers of 1 or more, got {list(lengths)}."
            )
        given = list(
            dict.fromkeys(part for code in given for part in (*(code[:n] for n in steps if n < len(code)), code))
        )
    known = set(given)
    children: dict[str, list[str]] = {total: []}
    for code in given:
        starts = (code[:n] for n in range(len(code) - 1, 0, -1))
        parent = next((start for start in starts if start in known), total)
        children.setdefault(parent, []).append(code)
    order, todo = [], [total]
    while todo:
        code = todo.pop()
        order.append(code)
        todo.extend(reversed(children.get(code, [])))
    return Dimension(name, tuple(order), tuple((code, tuple(children[code])) for code in order if children.get(code)))
