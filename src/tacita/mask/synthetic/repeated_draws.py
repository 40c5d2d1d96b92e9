"""Repeated draws: records that are equal to an original one in all that was drawn or given, and how they are drawn again.

A repeat is drawn again from the column on with which its columns, in the visit order, leave one original only: what comes before
is shared by several. Where that gives repeats again, from ever earlier columns. So a file keeps the shares of its first columns,
which it would not if whole records were drawn again: in groups with few combinations, such as children without an income,
most are repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, WordArray
from tacita.core.streams import Streams
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.sequential import FittedColumns

__all__ = ["RepeatedDraws", "drawn_without_repeats", "repeated_draws"]

RepeatedDraws: TypeAlias = Literal["redraw_unique", "redraw", "keep"]
"""What becomes of a drawn record that is equal to an original one: it is drawn again where one original alone has its values, or
in any case, or left."""

_ROUNDS = 30
"""Times that a repeat is drawn again."""

_PATIENCE = 6
"""Of these, times before one more column is drawn again."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def repeated_draws(
    made: Mapping[str, ColumnValues],
    original: Mapping[str, ColumnValues],
    names: Iterable[str],
    *,
    unique_only: bool = False,
) -> BoolArray:
    """Return which records of the one are equal to a record of the other in some columns. O(d n + n log n).

    With ``unique_only`` those that are equal to exactly one. Records are compared by a hash of 64 bits: with a million records in
    each file the chance that any is called a repeat by mistake is one in 18 million.

    Examples
    --------
    >>> one = {"a": ColumnValues.of_numbers(np.array([1.0, 2.0, np.nan]))}
    >>> two = {"a": ColumnValues.of_numbers(np.array([np.nan, 1.0, np.nan]))}
    >>> repeated_draws(one, two, ["a"]).tolist(), repeated_draws(one, two, ["a"], unique_only=True).tolist()
    ([True, False, True], [True, False, False])
    """
    listed = list(names)
    times = _times(_hashed(made, listed), _hashed(original, listed))
    return np.asarray(times == 1 if unique_only else times > 0)


def drawn_without_repeats(
    fitted: FittedColumns,
    n: int,
    original: Mapping[str, ColumnValues],
    streams: Streams,
    *,
    repeats: RepeatedDraws,
    given: Mapping[str, ColumnValues] | None = None,
    aside: Iterable[str] = (),
) -> tuple[dict[str, ColumnValues], BoolArray]:
    """Draw records, and repeats again; return which of them are repeats still.

    Parameters
    ----------
    fitted
        What was learned.
    n
        Number of records.
    original
        All original records.
    streams
        Where the random numbers come from.
    repeats
        Which repeats are drawn again.
    given
        The columns that are known of them.
    aside
        Columns in which records are not compared.
    """
    drawn = fitted.draw(n, streams, given)
    if repeats == "keep":
        return drawn, np.zeros(n, np.bool_)
    unique_only = repeats == "redraw_unique"
    order = [name for name in fitted.plan.order if name not in set(aside)]
    names = [*fitted.plan.given, *order]

    def again(rows: IntArray) -> IntArray:
        some = {name: column.of(rows) for name, column in {**(given or {}), **drawn}.items()}
        return rows[repeated_draws(some, original, names, unique_only=unique_only)]

    rows = again(np.arange(n))
    if not len(rows):
        return drawn, np.zeros(n, np.bool_)
    start = np.zeros(n, np.int64)
    start[rows] = _first_alone({**(given or {}), **drawn}, original, list(fitted.plan.given), order, rows, unique_only)
    for turn in range(_ROUNDS):
        back = np.maximum(start[rows] - turn // _PATIENCE, 0)
        for first in np.unique(back).tolist():
            own = rows[back == first]
            kept = {name: drawn[name].of(own) for name in order[:first]}
            known = {name: column.of(own) for name, column in (given or {}).items()}
            new = fitted.draw(len(own), streams, known, kept=kept)
            drawn = {name: column.put(own, new[name]) for name, column in drawn.items()}
        rows = again(rows)
        if not len(rows):
            break
    left = np.zeros(n, np.bool_)
    left[rows] = True
    return drawn, left


def _first_alone(
    made: Mapping[str, ColumnValues],
    original: Mapping[str, ColumnValues],
    given: list[str],
    order: list[str],
    rows: IntArray,
    unique_only: bool,
) -> IntArray:
    """Return for each repeat the first column, in the order, with which one original alone is left; else the last."""
    found = np.full(len(rows), len(order) - 1, np.int64)
    here, there = (_hashed(columns, given) for columns in ({k: c.of(rows) for k, c in made.items()}, original))
    open_ = np.ones(len(rows), np.bool_)
    for place, name in enumerate(order):
        here, there = _with(here, made[name].of(rows)), _with(there, original[name])
        alone = open_ & (_times(here, there) == 1) if unique_only or place < len(order) - 1 else open_
        found[alone] = place
        open_ &= ~alone
        if not open_.any():
            break
    return found


def _times(words: WordArray, among: WordArray) -> IntArray:
    """Return how often each word is among others."""
    ordered = np.sort(among)
    return np.asarray(np.searchsorted(ordered, words, "right") - np.searchsorted(ordered, words, "left"))


def _hashed(columns: Mapping[str, ColumnValues], names: list[str]) -> WordArray:
    total = np.zeros(len(next(iter(columns.values()))), np.uint64)
    for name in names:
        total = _with(total, columns[name])
    return total


def _with(total: WordArray, column: ColumnValues) -> WordArray:
    """Return hashes with one more column in them."""
    bits = (np.where(column.gaps > 0, 0.0, column.values) + 0.0).view(np.uint64)  # + 0.0: -0 and 0 are one
    with np.errstate(over="ignore"):
        return _mixed((total ^ bits) * _ODD + column.gaps.astype(np.uint64) + np.uint64(1))


def _mixed(words: WordArray) -> WordArray:
    """Return the words with their bits spread over all places (the finaliser of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * _MIX[0]
    words = (words ^ (words >> np.uint64(27))) * _MIX[1]
    return words ^ (words >> np.uint64(31))
