"""What a verdict on a table is based on, as hashes: whoever has the same cells, sums and levels gets the same ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray
from tacita.tables.model.relations import Relations
from tacita.tables.protect.problem import Problem

__all__ = ["Basis"]


_DIGITS = 12
"""Values count as equal when this many digits of them are: files and arithmetic lose the rest."""


@dataclass(frozen=True)
class Basis:
    """Hashes (SHA-256) of what a verdict is about.

    Parameters
    ----------
    cells
        Which cells are published, and their values: what every reader of the table has.
    relations
        The sums between them, in their order.
    rules
        What must not be learned and from whom: unsafe cells with their values and levels, bounds, and the cells that
        contributors know. Empty for an audit of the published table alone. It must stay inside: a guess at a hidden value
        could be tried out on it.

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2])], 3)
    >>> one = Basis.of_cells(np.array([3.0, 1.0, 2.0]), np.array([False, True, True]), rows)
    >>> one == Basis.of_cells(np.array([3.0, np.nan, np.nan]), np.array([False, True, True]), rows)
    True
    """

    cells: str
    relations: str
    rules: str = ""

    @classmethod
    def of_cells(cls, values: FloatArray, hidden: BoolArray, relations: Relations) -> Basis:
        """What readers see."""
        shown = np.where(hidden, 0.0, values)
        return cls(_hash(hidden, *_rounded(shown)), _hash(relations.start, relations.cells, relations.signs))

    @classmethod
    def of(cls, problem: Problem, hidden: BoolArray) -> Basis:
        """What an audit against protection levels looks at."""
        seen = cls.of_cells(problem.values, hidden, problem.relations)
        rules = _hash(*_arrays(problem, without=("relations", "cost", "locked")))
        return cls(seen.cells, seen.relations, rules)

    def to_plain(self) -> dict[str, str]:
        """Return the hashes that there are."""
        plain = {"cells": self.cells, "relations": self.relations, "rules": self.rules}
        return {name: f"sha256:{text}" for name, text in plain.items() if text}


def _rounded(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Digits and exponents of numbers; infinite and unknown ones keep their kind."""
    plain = np.where(np.isfinite(values), values, 0.0)
    size = np.where(plain == 0, 1.0, np.abs(plain))
    exponent = np.floor(np.log10(size))
    digits = np.rint(plain / 10.0**exponent * 10.0 ** (_DIGITS - 1))
    kind = np.where(np.isfinite(values), 0.0, np.where(np.isnan(values), 1.0, np.where(values > 0, 2.0, 3.0)))
    # A number just below a power of ten, rounded up, is that power.
    is_next = np.abs(digits) >= 10.0**_DIGITS
    return np.where(is_next, digits / 10, digits) + kind, exponent + is_next


def _arrays(part: Any, without: tuple[str, ...] = ()) -> Iterator[npt.NDArray[Any]]:
    """Give everything that a dataclass holds as arrays, one after the other; what is not there has no entries."""
    if part is None:
        yield np.empty(0)
    elif is_dataclass(part):
        for entry in fields(part):
            if entry.name not in without:
                yield from _arrays(getattr(part, entry.name))
    elif isinstance(part, (tuple, list)):
        for entry in part:
            yield from _arrays(entry)
    else:
        array = np.asarray(part)
        yield from _rounded(array) if array.dtype.kind == "f" else (array,)


def _hash(*arrays: npt.NDArray[Any]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        plain = np.ascontiguousarray(array)
        plain = plain.astype("<f8" if plain.dtype.kind == "f" else "<i8") if plain.dtype.kind in "fiub" else plain
        found.update(f"{plain.shape}:".encode())
        found.update(plain.tobytes() if plain.dtype.kind in "fi" else repr(plain.tolist()).encode())
    return found.hexdigest()
