"""The members of a query, as every rule here reads them: row numbers without repetition, or one boolean for each record."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError, ParameterError

__all__ = ["MembersLike", "check_limit", "check_records", "members_mask"]

MembersLike: TypeAlias = npt.ArrayLike
"""Row numbers (in any order, each once), or a boolean for each record."""


def members_mask(members: MembersLike, n_records: int) -> BoolArray:
    """Return for each record whether it is a member.

    Parameters
    ----------
    members
        Row numbers, each once, or booleans for all records.
    n_records
        Records of the data set.

    Raises
    ------
    DataError
        When they are not numbers of records, or a record is named twice.

    Examples
    --------
    >>> members_mask([2, 0], 4).tolist()
    [True, False, True, False]
    """
    given = np.asarray(members)
    if given.ndim != 1:
        raise DataError(f"The members of a query must be one list of row numbers, got {given.ndim} dimensions.")
    if given.dtype == np.bool_:
        if len(given) != n_records:
            raise DataError(f"A mask of members must have one value for each of {n_records} records, got {len(given)}.")
        return given.copy()
    mask = np.zeros(n_records, dtype=np.bool_)
    if not len(given):
        return mask
    if given.dtype.kind not in "iu":
        raise DataError("The members of a query must be whole row numbers or booleans; convert them.")
    if int(given.min()) < 0 or int(given.max()) >= n_records:
        raise DataError(f"The row numbers of members must be in [0, {n_records}); some are not.")
    mask[given] = True
    if int(np.count_nonzero(mask)) != len(given):
        raise DataError("The members of a query must be different records; some row numbers stand there twice.")
    return mask


def check_records(owner: str, n_records: int) -> int:
    """Return the number of records if there is at least one."""
    if n_records < 1:
        raise ParameterError(f"{owner}: 'n_records' must be at least 1, got {n_records}.")
    return int(n_records)


def check_limit(owner: str, limit: int, *, least: int = 2) -> int:
    """Return the limit if it is large enough to forbid something."""
    if limit < least:
        raise ParameterError(f"{owner}: 'limit' must be at least {least}, got {limit}.")
    return int(limit)
