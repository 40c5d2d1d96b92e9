"""Strata that masking kept and an intruder can tell: each is attacked as a file of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns
from tacita.data.pairing import Pair

__all__ = ["attacked_parts"]


def attacked_parts(
    pair: Pair, by: Columns, rows: IntArray, owner: str
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Give for each stratum its rows in the original and in the masked file, and which of ``rows`` belong to it.

    ``rows`` are the paired records that are attacked, numbered as in the pair; the third answer counts among them. Without
    strata there is one part, the whole file.
    """
    if by == ():
        members = np.arange(len(pair.original))
        there = members if len(pair.masked) == len(members) else np.arange(len(pair.masked))
        yield members, there, np.arange(len(rows))
        return
    names = pair.original.schema.resolve(by, owner=owner, parameter="by")
    _check_unchanged(pair, names, owner)
    before, after = pair.original.groups(names), pair.masked.groups(names)
    theirs = before[pair.rows[rows]]
    for label in np.unique(theirs):
        mine = np.flatnonzero(theirs == label)
        there = after == after[pair.masked_rows[rows[mine[0]]]]
        yield np.flatnonzero(before == label), np.flatnonzero(there), mine


def _check_unchanged(pair: Pair, names: tuple[str, ...], owner: str) -> None:
    """Refuse strata that the release does not show as they were: the intruder cannot tell them."""
    for name in names:
        if name not in pair.masked.schema:
            raise MeasureError(
                f"{owner}: the stratum '{name}' is not in the masked file, so the intruder cannot tell it."
            )
        if not pair.is_unchanged(name):
            raise MeasureError(f"{owner}: the stratum '{name}' was changed as well, so the intruder cannot tell it.")
