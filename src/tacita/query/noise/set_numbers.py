"""Keyed numbers for sets of records, as the query room names them; they are made where the tables make theirs.

See :mod:`tacita.numeric.perturbation.set_keys`: a set is known by the exact sums of two keyed hashes over its members and by how
many they are.
"""

from __future__ import annotations

from typing import TypeAlias

from tacita.core.arrays import IntArray
from tacita.numeric.perturbation.set_keys import checked_sets, keyed_uniforms, set_uniforms

__all__ = ["MemberHash", "checked_sets", "keyed_uniforms", "member_hashes", "set_uniforms"]

MemberHash: TypeAlias = tuple[int, int, int]
"""The two sums of a set and the number of its members."""


def member_hashes(sums: IntArray, counts: IntArray) -> list[MemberHash]:
    """Return each set as three whole numbers of Python, fit to be looked up."""
    return list(zip(sums[:, 0].tolist(), sums[:, 1].tolist(), counts.tolist(), strict=True))
