"""How masked numbers are written, and what every mask of numeric columns checks of its result before it is handed out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, TacitaWarning
from tacita.core.parameters import Interval
from tacita.data.microdata import Microdata
from tacita.mask.identities import Identity
from tacita.numeric.statistics.decimals import MOST_DECIMALS, ceiled, decimals_of, floored, rounded

__all__ = [
    "Decimals",
    "as_stored",
    "check_exact",
    "check_finite",
    "decimals_for",
    "totals_aside_of_codes",
    "value_type",
    "warn_of_codes",
    "warn_of_unmasked",
    "within",
    "written",
]


_LARGEST_EXACT = 2.0**53
Decimals: TypeAlias = Literal["keep", "any"] | Annotated[int, Interval(0, MOST_DECIMALS)]
"""How many decimals masked values are written with: as many as the original has, as many as come, or a number."""


def value_type(data: Microdata, name: str) -> pa.DataType:
    """Return the type of a column's values, also of one that is stored as a dictionary."""
    kind = data.type_of(name)
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def check_exact(columns: Mapping[str, FloatArray], data: Microdata, owner: str) -> None:
    """Refuse numbers that floating point cannot hold: masking would change them without a word."""
    for name, values in columns.items():
        kind = value_type(data, name)
        digits = kind.scale if pa.types.is_decimal(kind) else 0
        if not (pa.types.is_integer(kind) or pa.types.is_decimal(kind)) or not values.size:
            continue
        if np.nanmax(np.abs(values), initial=0.0) * 10.0**digits >= _LARGEST_EXACT:
            raise DataError(
                f"{owner}: column '{name}' has numbers of 16 or more digits (2^53 or more), which cannot be computed with "
                "exactly. Is it an identifier? Otherwise divide it first."
            )


def as_stored(values: FloatArray, data: Microdata, name: str) -> FloatArray:
    """Return values as their column can hold them: with half the digits where it is stored in single precision."""
    return values.astype(np.float32).astype(np.float64) if pa.types.is_float32(value_type(data, name)) else values


def decimals_for(asked: Decimals, values: FloatArray, data: Microdata, name: str) -> int | None:
    """Return with how many decimals a column is written, given its original values; None where they are left as they are."""
    if asked == "any" or data.schema[name].scale != "numeric":
        return None
    if asked != "keep":
        return asked
    kind = value_type(data, name)
    return 0 if pa.types.is_integer(kind) else decimals_of(values, single=pa.types.is_float32(kind))


def written(values: FloatArray, data: Microdata, name: str, decimals: int | None) -> FloatArray:
    """Return values as their column holds them: with its decimals and in its precision.

    A rounded value that would be read as missing steps aside, on the side it came from.
    """
    if decimals is None:
        return as_stored(values, data, name)
    made, codes = rounded(values, decimals), _codes(data, name)
    if not codes:
        return as_stored(made, data, name)
    step = np.where(values < made, -1.0, 1.0) * 10.0**-decimals
    for _ in range(len(codes)):  # a step goes one way, so every code is met once at most
        hit = np.isin(made, codes)
        if not hit.any():
            break
        made = np.where(hit, rounded(made + step, decimals), made)
    return as_stored(made, data, name)


def totals_aside_of_codes(
    columns: Mapping[str, FloatArray], identities: Sequence[Identity], places: Mapping[str, int | None], data: Microdata
) -> dict[str, FloatArray]:
    """Return parts moved by a unit or two where their total would be read as missing; ``places`` has the parts that may move."""
    made, moved = dict(columns), {}
    for identity in identities:
        total, codes = identity.value(made), _codes(data, identity.total)
        part = next(((s, n) for s, n in identity.parts if places.get(n) is not None), None)
        if codes and part is not None:
            sign, name = part
            decimals, own = places[name] or 0, _codes(data, name)
            wrong = np.isin(rounded(total, decimals), codes) & ~np.isnan(columns[identity.total])
            for step in (1, -1, 2, -2) if wrong.any() else ():
                value, sum_of_parts = made[name] + step * 10.0**-decimals, total + sign * step * 10.0**-decimals
                fits = (
                    (made[name] != 0)
                    & ~np.isin(rounded(value, decimals), [*own, 0.0])
                    & ~np.isin(rounded(sum_of_parts, decimals), codes)
                )
                made[name] = moved[name] = np.where(wrong & fits, rounded(value, decimals), made[name])
                wrong &= ~fits
            total = identity.value(made)
        made[identity.total] = np.where(np.isnan(columns[identity.total]), np.nan, total)
    return moved


def within(values: FloatArray, low: float, high: float, decimals: int | None) -> FloatArray:
    """Return values cut at the bounds, at the last numbers inside them that can be written with so many decimals."""
    if decimals is not None:
        ends = np.array([low, high])
        grid = np.array([ceiled(ends, decimals)[0], floored(ends, decimals)[1]])
        low, high = grid if grid[0] <= grid[1] else ends
    return np.clip(values, low, high) if np.isfinite(low) or np.isfinite(high) else values


def _codes(data: Microdata, name: str) -> list[float]:
    """Return the numbers that stand for missing in a column."""
    column = data.schema[name]
    return [code for code in column.missing if isinstance(code, int | float)] if column.scale == "numeric" else []


def check_finite(columns: Mapping[str, FloatArray], owner: str) -> None:
    """Refuse a result with infinite values."""
    for name, values in columns.items():
        with np.errstate(invalid="ignore", over="ignore"):
            total = values.sum()
        if not np.isfinite(total) and np.isinf(values).any():
            raise DataError(
                f"{owner}: masked values of column '{name}' would be infinite; check the parameters, or rescale the column."
            )


def warn_of_codes(after: Mapping[str, FloatArray], data: Microdata, owner: str) -> None:
    """Warn where a masked value equals a code for missing: whoever reads the file would take it as missing."""
    for name, values in after.items():
        codes = _codes(data, name)
        count = int(np.isin(values, codes).sum()) if codes else 0
        if count:
            warnings.warn(
                f"{owner}: {count} masked value(s) of column '{name}' equal one of its codes for missing and will be read "
                "as missing; declare other codes, or mask it in another way.",
                TacitaWarning,
                stacklevel=4,
            )


def warn_of_unmasked(
    before: FloatArray, after: FloatArray, active: BoolArray, strata: IntArray | None, owner: str
) -> None:
    """Warn of records that came out as they were because nobody shares their stratum and their pattern of missing values.

    ``active`` says which values might have been changed. A mask that changes nothing at all was asked to. O(n d) time.
    """
    same = ((before == after) | ~active).all(axis=1) & active.any(axis=1)
    if not same.any() or same.all():
        return
    groups = np.zeros(len(before), np.int64) if strata is None else strata
    _, block, sizes = np.unique(
        np.column_stack([groups, np.packbits(active, axis=1)]), axis=0, return_inverse=True, return_counts=True
    )
    alone = int((same & (sizes[block.ravel()] == 1)).sum())
    if alone:
        warnings.warn(
            f"{owner}: {alone} record(s) came out as they were: nobody shares their stratum and their pattern of missing "
            "values. Use larger strata, or suppress these records.",
            TacitaWarning,
            stacklevel=4,
        )
