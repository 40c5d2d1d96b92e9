"""Design matrices of two files: columns become the same terms, in the same units, in the original and the masked file."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import file_codes

__all__ = ["Terms", "categorical_terms", "numeric_terms", "side_by_side"]


@dataclass(frozen=True)
class Terms:
    """Terms of a model: one name and two columns of numbers for each; NaN where the value is missing."""

    names: tuple[str, ...]
    original: FloatArray = field(repr=False)
    masked: FloatArray = field(repr=False)

    def complete(self) -> tuple[BoolArray, BoolArray]:
        """Return which records of the two files have a value for every term."""
        return _complete(self.original), _complete(self.masked)


def _complete(x: FloatArray) -> BoolArray:
    return np.asarray(~np.isnan(x).any(axis=1))


def numeric_terms(pair: Pair, name: str) -> Terms:
    """Return a numeric column, in units of its largest value in the original, so that squares do not overflow."""
    x, y = pair.files((name,))
    unit = float(np.nanmax(np.abs(x), initial=0.0)) or 1.0
    return Terms((name,), x / unit, y / unit)


def categorical_terms(pair: Pair, name: str) -> Terms:
    """Return 0-1 terms for all categories of the original but the first that occurs in it.

    Names have the position of the category, not the category, which is a value of the data. A category that only the
    masked file has is missing here: the original's model knows nothing of it.
    """
    codes = file_codes(pair, name)
    used = np.flatnonzero(np.bincount(codes.original, minlength=codes.size)[: codes.known])
    shown = used[1:]
    unknown = ~np.isin(np.arange(codes.size), used)
    levels = (np.arange(codes.size)[:, None] == shown).astype(np.float64)
    levels[unknown] = np.nan
    return Terms(tuple(f"{name}[{place + 1}]" for place in shown), levels[codes.original], levels[codes.masked])


def side_by_side(pair: Pair, terms: list[Terms]) -> Terms:
    """Return several terms, or none, as one matrix for each file."""
    rows, masked_rows = (len(pair.rows),) * 2 if pair.is_part else (len(pair.original), len(pair.masked))
    return Terms(
        tuple(name for term in terms for name in term.names),
        np.hstack([np.empty((rows, 0)), *(term.original for term in terms)]),
        np.hstack([np.empty((masked_rows, 0)), *(term.masked for term in terms)]),
    )
