"""Indivisible units: records are bound into groups once, and every query takes a group as a whole or not at all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.query.audit.members import MembersLike, check_records, members_mask

__all__ = ["bind_units", "whole_units"]


def bind_units(order: npt.ArrayLike, *, k: int) -> IntArray:
    """Bind records into units of k to 2k - 1 records that are neighbours in an order.

    Parameters
    ----------
    order
        (n,): what the records are sorted by. The values of a variable that queries condition on keep sets nearly as
        asked; numbers drawn with a secret key (``Key.record_order``) tell nobody who is bound to whom. Ties are taken
        as they stand.
    k
        Fewest records of a unit.

    Returns
    -------
    IntArray
        (n,): number of the unit of each record. The n mod k records that are left over go one each to the last units,
        and all to the last one when there are too few.

    Raises
    ------
    ParameterError
        When k is below 2.
    DataError
        When there are fewer than k records, or the order is not one number for each.

    Notes
    -----
    O(n log n) time. It is microaggregation of sets instead of values, by the simplest rule: neighbours in one order.
    Units must stay the same for all versions of the data, else the differences of two partitions give single records
    away.

    Examples
    --------
    >>> bind_units([30, 10, 50, 20, 40], k=2).tolist()
    [1, 0, 1, 0, 1]
    """
    values = np.asarray(order)
    if k < 2:
        raise ParameterError(f"bind_units: 'k' must be at least 2, got {k}.")
    if values.ndim != 1 or len(values) < k:
        raise DataError(f"bind_units: there must be one number for each of at least k={k} records.")
    count = len(values) // k
    sizes = np.full(count, k, dtype=np.int64)
    more, rest = divmod(len(values) - count * k, count)
    sizes += more
    sizes[count - rest :] += 1
    units = np.empty(len(values), dtype=np.int64)
    units[np.argsort(values, kind="stable")] = np.repeat(np.arange(count), sizes)
    return units


def whole_units(members: MembersLike, units: IntArray) -> BoolArray:
    """Return the records of the units that lie wholly inside a set.

    Whole units are closed under union, intersection and difference. Whatever an attacker makes from answered sets is
    a union of units, so it has no record or at least k of them; and every row space of such sets is constant on
    units.

    **Protects against** every difference attack on records, with no memory of what was answered. **Does not protect** a unit
    from being determined as a whole, nor a record whose unit has members that the attacker knows.

    Parameters
    ----------
    members
        Row numbers, each once, or booleans for all records.
    units
        (n,): number of the unit of each record, see :func:`bind_units`.

    Returns
    -------
    BoolArray
        (n,): the members whose whole unit is inside; the answer is computed for them.

    Notes
    -----
    A set is cut, not extended: an answer never speaks about records that were not asked for, and a set of fewer than k
    records becomes empty.

    Examples
    --------
    >>> import numpy as np
    >>> np.flatnonzero(whole_units([0, 1, 3], np.array([1, 0, 1, 0, 1]))).tolist()
    [1, 3]
    """
    mask = members_mask(members, check_records("whole_units", len(units)))
    outside = np.bincount(units[~mask], minlength=int(units.max()) + 1)
    return np.asarray(outside[units] == 0, dtype=np.bool_)
