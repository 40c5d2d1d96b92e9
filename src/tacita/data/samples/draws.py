"""What all sample generators share: drawing categories, texts and numbers as Arrow columns, putting a file together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.parameters import Interval, coerce
from tacita.core.streams import Seed, Streams, check_seed
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema

__all__ = [
    "BoolArray",
    "Draw",
    "FloatArray",
    "IntArray",
    "assemble",
    "check_size",
    "compact",
    "curve",
    "numbered",
    "pick",
    "pick_within",
    "streams_of",
    "texts",
    "zipf",
]

Draw: TypeAlias = Callable[..., np.random.Generator]
"""Gives the random stream of a column (and block): ``draw("age")``."""


def check_size(n: object, *, owner: str) -> int:
    """Return the number of records, or say what it must be."""
    size: int = coerce(n, Annotated[int, Interval(0)], owner=owner, name="n")
    return size


def streams_of(sample: str, seed: Seed) -> Draw:
    """Return the streams of one sample: one for each column, so that a further column changes no other."""
    streams = Streams(check_seed(seed, owner=sample))

    def draw(*labels: str) -> np.random.Generator:
        return streams.stream(sample, *labels)

    return draw


# --- drawing --------------------------------------------------------------------------------------------------------


def pick(rng: np.random.Generator, shares: Sequence[float] | FloatArray, n: int) -> IntArray:
    """Draw ``n`` category numbers with the given shares (they need not sum to 1).

    Examples
    --------
    >>> pick(np.random.default_rng(1), [0, 1, 0], 4)
    array([1, 1, 1, 1])
    """
    return pick_within(rng, np.asarray([shares], dtype=np.float64), np.zeros(n, dtype=np.int64))


def pick_within(rng: np.random.Generator, shares: FloatArray, group: npt.NDArray[Any]) -> IntArray:
    """Draw one category number for each record, with the shares of the record's group.

    One sorted list holds the cumulative shares of all groups, those of group g between g and g + 1; a record looks up
    g plus a uniform number. O(n log(groups x categories)) time.

    Examples
    --------
    >>> pick_within(np.random.default_rng(1), np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([0, 1, 1, 0]))
    array([0, 1, 1, 0])
    """
    groups, categories = shares.shape
    upper = np.cumsum(shares, axis=1)
    upper /= upper[:, -1:]
    edges = (upper + np.arange(groups)[:, None]).ravel()
    found: IntArray = np.searchsorted(edges, rng.random(len(group)) + group, side="right") - group * categories
    # The sum may round up to the next group's start; that draw belongs to the last category.
    np.minimum(found, categories - 1, out=found)
    return found


def curve(points: Mapping[int, float], values: npt.ArrayLike) -> FloatArray:
    """Return the height at ``values`` of a line through some points, level beyond its ends.

    Examples
    --------
    >>> curve({0: 0.0, 10: 1.0}, [5, 20])
    array([0.5, 1. ])
    """
    return np.interp(np.asarray(values, dtype=np.float64), list(points), list(points.values()))


def zipf(count: int, power: float) -> FloatArray:
    """Return shares that fall with the rank: 1 / rank^power, scaled to sum to 1."""
    shares: FloatArray = np.arange(1, count + 1, dtype=np.float64) ** -power
    shares /= shares.sum()
    return shares


# --- columns --------------------------------------------------------------------------------------------------------


def compact(codes: npt.NDArray[Any], categories: Sequence[str], missing: BoolArray | None = None) -> pa.Array:
    """Return category numbers as a dictionary column of one byte a record (at most 128 categories)."""
    indices = pa.array(codes.astype(np.int8), mask=missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(categories, pa.string()))


def texts(codes: npt.NDArray[Any], categories: Sequence[str], missing: BoolArray | None = None) -> pa.Array:
    """Return category numbers as a column of texts.

    Examples
    --------
    >>> texts(np.array([1, 0]), ["no", "yes"]).to_pylist()
    ['yes', 'no']
    """
    return pa.array(categories, pa.string()).take(pa.array(codes, pa.int64(), mask=missing))


def numbered(prefix: str, numbers: npt.NDArray[Any], width: int) -> pa.Array:
    """Return numbers as texts such as ``P000017``."""
    digits = pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width, "0")
    return pc.binary_join_element_wise(pa.scalar(prefix), digits, "")


def assemble(arrays: Mapping[str, Any], columns: Sequence[Column]) -> Microdata:
    """Put a file together in the order of its schema."""
    return Microdata(pa.table({column.name: arrays[column.name] for column in columns}), Schema(tuple(columns)))
