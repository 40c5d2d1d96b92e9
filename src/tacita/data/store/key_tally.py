"""Key tallies: the inner cells of a table with the exact sums of their records' keys.

The key of a record is a keyed hash of its identity, never of its data, so it stays the same through revisions. Sums of keys are
whole numbers: they are the same from one thread or several, in any order, from any engine and in any chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.data.store.key_tally_sums import numbered_cells
from tacita.data.store.record_order import order_of, to_ids
from tacita.data.tabulate import Tally, coded
from tacita.numeric.perturbation.set_keys import check_members, key_sums
from tacita.numeric.perturbation.whole_parts import WholeParts, whole_parts

__all__ = ["KeyTally", "in_order_of", "key_tally", "record_keys_of", "record_weights"]


@dataclass(frozen=True, eq=False)
class KeyTally:
    """Inner cells with their records' keys.

    Parameters
    ----------
    tally
        The inner cells: columns, codes and categories; responses only where a file has them.
    records
        (c,): number of records.
    sums
        (c, 2): sums of their keys.
    amounts
        Exact sums of what was added up beside: weights, or weighted amounts; None where there is nothing.
    words
        For each number of a contributor in the responses of the tally its keyed word; None where there are none.
    """

    tally: Tally = field(repr=False)
    records: IntArray = field(repr=False)
    sums: IntArray = field(repr=False)
    amounts: WholeParts | None = field(default=None, repr=False)
    words: npt.NDArray[np.uint64] | None = field(default=None, repr=False)


def record_keys_of(data: Microdata, identity: str, key: Key) -> IntArray:
    """Return (n, 2): the keys of the records of data in memory.

    Raises
    ------
    ColumnError
        When there is no such column.
    DataError
        When an identity is missing or stands twice, or is neither a whole number nor text.
    """
    data.schema[identity]  # raises with a suggestion where the name is unknown
    ids = to_ids(data.column(identity), identity)
    _check_distinct(ids, identity)
    return key.record_keys(ids)


def in_order_of(data: Microdata, identity: str) -> Microdata:
    """Return the data with their records in the order of their identities, whatever order they came in."""
    data.schema[identity]
    order = order_of(data.column(identity), identity)
    return data if order is None else data.take(order)


def key_tally(
    data: Microdata,
    by: Sequence[str],
    *,
    keys: IntArray,
    amounts: FloatArray | None = None,
    there: BoolArray | None = None,
    threads: int = 1,
) -> KeyTally:
    """Tally data in memory.

    Parameters
    ----------
    data
        The records.
    by
        The classifying columns.
    keys
        (n, 2): the keys of the records, see :func:`record_keys_of`.
    amounts
        (n,): what is added up beside, exactly: weights, or weighted amounts. None for nothing.
    there
        (n,): which records count; None for all.
    threads
        How many threads add up; the result does not depend on it.

    Notes
    -----
    O(n d) time where the combinations of codes are few, O(n d log n) where they are not.
    """
    check_members(len(data))
    codes, categories = coded(data, by)
    used = np.arange(len(data)) if there is None else np.flatnonzero(there)
    if there is not None:
        codes, keys = codes[used], keys[used]
    cell, inner = numbered_cells(codes)
    parts = np.array_split(np.arange(len(cell)), max(threads, 1))
    spans = [slice(int(part[0]), int(part[-1]) + 1) for part in parts if len(part)]

    def added(span: slice) -> IntArray:
        return key_sums(cell[span], keys[span], len(inner))

    table = np.zeros((len(inner), 3), dtype=np.int64)
    if len(spans) == 1:
        table = added(spans[0])
    elif spans:
        with ThreadPoolExecutor(threads) as pool:
            for found in pool.map(added, spans):
                table += found
    filled = table[:, 0] > 0
    exact = None if amounts is None else _exact(cell, amounts[used], len(inner), filled)
    tally = Tally(tuple(data.schema[name] for name in by), inner[filled], categories, ())
    return KeyTally(tally, table[filled, 0], table[filled, 1:], exact)


def _exact(cell: IntArray, amounts: FloatArray, cells: int, filled: BoolArray) -> WholeParts:
    """Add up broken numbers in whole parts, so that their order plays no part."""
    cut = whole_parts(amounts)
    made = np.zeros((cut.parts.shape[1], cells), np.int64)
    for one, column in zip(made, cut.parts.T, strict=True):
        np.add.at(one, cell, column)
    return WholeParts(cut.lowest, np.ascontiguousarray(made.T[filled]))


def record_weights(data: Microdata, name: str) -> FloatArray:
    """Return the weights of the records.

    Raises
    ------
    DataError
        When one is negative or missing.
    """
    values = data.float(name)
    bad = int((~(values >= 0)).sum())
    if bad:
        raise DataError(f"The weight '{name}' is negative or missing in {bad} records; weights must be 0 or more.")
    return values


def _check_distinct(ids: npt.NDArray[np.uint64], name: str) -> None:
    """Refuse identities that stand twice: the key of a record must be its own."""
    first = ids if ids.ndim == 1 else ids[:, 0]
    ordered = np.sort(first)
    twice = int((ordered[1:] == ordered[:-1]).sum())
    if twice and ids.ndim == 2:
        twice = len(ids) - len(np.unique(ids, axis=0))
    if twice:
        raise DataError(
            f"The identity '{name}' must be different for each record, but {twice} of {len(ids)} values repeat another one; "
            "name the column of the unit that is counted, one record for each."
        )
