"""New records: what every synthetic file has in common, whoever drew it: no identifiers, new households, weights that add up."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.selectors import all_columns
from tacita.data.bounds import bounds_of
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema

__all__ = ["NewWeights", "described_columns", "new_records", "shared_out"]

NewWeights: TypeAlias = Literal["draw", "equal"]
"""What becomes of weights: drawn like a column and scaled to the same total, or equal ones with that total."""

_ROUNDS = 50
"""Times that weights are scaled anew because some met a bound."""


def described_columns(schema: Schema) -> tuple[str, ...]:
    """Return the columns that describe the respondent: what a synthetic record must have values for."""
    return all_columns().pick(schema.columns)


def new_records(
    made: Microdata,
    original: Microdata,
    weights: NewWeights = "draw",
    *,
    households: IntArray | None = None,
    total: float | None = None,
) -> Microdata:
    """Make a synthetic file of drawn columns.

    Parameters
    ----------
    made
        Drawn columns; design columns may be missing or hold anything, except weights that were drawn.
    original
        The file that was learned from.
    weights
        ``draw``: the weights in ``made`` are scaled to the total of the original, within declared bounds; ``equal`` ones with
        that total.
    households
        Number of the household of each record; by default every record is alone.
    total
        What the weights add up to; by default, as in the original.

    Returns
    -------
    Microdata
        With the columns of the original, linked to none of its records: identifiers are empty, and numbers that only say
        "together" (households, clusters) count from 1.
    """
    schema, n = original.schema, len(made)
    numbers = np.arange(n, dtype=np.int64) if households is None else np.asarray(households, np.int64)
    columns: dict[str, pa.ChunkedArray | pa.Array] = {}
    for column in schema:
        kind = original.to_arrow().schema.field(column.name).type
        if "identifier" in column.roles:
            columns[column.name] = pa.nulls(n, kind)
        elif {"household", "cluster"}.intersection(column.roles):
            columns[column.name] = _numbered(numbers + 1, kind)
        elif column.name == schema.weight:
            columns[column.name] = pa.array(_scaled(made, original, weights, n, total))
        elif column.name in made.schema:
            columns[column.name] = made.to_arrow().column(column.name)
        else:
            raise DataError(
                f"Column '{column.name}' was not drawn, so a synthetic file cannot have it; drop it before."
            )
    table = pa.table({name: columns[name] for name in schema.names})
    file = Microdata(table, schema, frame_kind=original._frame_kind).with_files(original.files)
    return file.with_origin(original, np.full(n, -1, np.int64))


def _numbered(numbers: IntArray, kind: pa.DataType) -> pa.Array:
    if pa.types.is_integer(kind) and (not len(numbers) or numbers.max() < 2 ** (kind.bit_width - 1)):
        return pa.array(numbers).cast(kind)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return pa.array(numbers).cast(kind)
    return pa.array(numbers)


def _scaled(made: Microdata, original: Microdata, weights: NewWeights, n: int, total: float | None) -> FloatArray:
    name = str(original.schema.weight)
    total = float(np.nansum(original.numbers(name))) if total is None else total
    drawn = made.numbers(name) if weights == "draw" and name in made.schema else np.ones(n)
    drawn = np.where(np.isnan(drawn), np.nanmean(drawn) if (~np.isnan(drawn)).any() else 1.0, drawn)
    if not drawn.sum() > 0:
        drawn = np.ones(n)
    return _with_total(drawn, total, *bounds_of(original, name))


def _with_total(drawn: FloatArray, total: float, low: float, high: float) -> FloatArray:
    """Return weights in proportion to those drawn that have a total; none beyond the bounds, as far as these allow the total."""
    made = np.asarray(drawn * (total / max(float(drawn.sum()), 1e-300)))
    for _ in range(_ROUNDS):
        held = np.clip(made, low, high)
        free = (held > low) & (held < high)
        rest, share = total - held[~free].sum(), held[free].sum()
        if not share > 0 or not rest > 0 or np.array_equal(held, made):
            return np.asarray(held)
        made = np.where(free, held * (rest / share), held)
    return np.asarray(np.clip(made, low, high))


def shared_out(wanted: int, sizes: IntArray) -> IntArray:
    """Return how many records each stratum gets: its share, the largest remainders rounded up.

    Examples
    --------
    >>> shared_out(10, np.array([30, 30, 40])).tolist(), shared_out(1, np.array([1, 2])).tolist()
    ([3, 3, 4], [0, 1])
    """
    exact = sizes * (wanted / max(int(sizes.sum()), 1))
    counts: IntArray = np.floor(exact).astype(np.int64)
    counts[np.argsort(-(exact - counts), kind="stable")[: wanted - int(counts.sum())]] += 1
    return counts
