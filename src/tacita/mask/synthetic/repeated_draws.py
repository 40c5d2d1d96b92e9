"""Repeated draws: records that are equal to an original one in all that was drawn or given, and how they are drawn again.

To draw again until there is no repeat would change shares: in groups with few combinations, such as children without an income,
most records are repeats. So a repeat is drawn again several times, from the column on with which its values leave one original
only, or from an earlier one, and among those that are no repeats one is chosen. Which one is drawn with chances p that keep the
shares of each column as they were drawn: with ``p_ik`` for option k of repeat i, each sum over the options with some value is
brought to the number of repeats that had it, column after column, until all fit (raking).

References
----------
Deming, W. E., Stephan, F. F. (1940), On a least squares adjustment of a sampled frequency table when the expected marginal totals
are known, Annals of Mathematical Statistics 11, 427-444.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray, WordArray
from tacita.core.streams import Streams
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.sequential import FittedColumns

__all__ = ["RepeatedDraws", "drawn_without_repeats", "repeated_draws"]

RepeatedDraws: TypeAlias = Literal["redraw_unique", "redraw", "keep"]
"""What becomes of a drawn record that is equal to an original one: it is drawn again where one original alone has its values, or
in any case, or left."""

_OPTIONS = 6
"""Times that each repeat is drawn again, so that there is a choice."""

_ROUNDS = 24
"""Times that a repeat is drawn again that had no other option."""

_PATIENCE = 4
"""Of these, times before one more column is drawn again."""

_SWEEPS = 20
_GROUPS = 10
"""Groups of a number whose shares are kept."""

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
    times = _times(_hashed(made, listed), np.sort(_hashed(original, listed)))
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
    again = _Again(
        fitted, original, streams, given or {}, [n for n in fitted.plan.order if n not in set(aside)], repeats
    )
    drawn = fitted.draw(n, streams, given)
    left = np.zeros(n, np.bool_)
    rows = np.flatnonzero(again.repeated(drawn, np.arange(n))) if repeats != "keep" else np.empty(0, np.int64)
    if not len(rows):
        return drawn, left
    start = _first_alone(again, drawn, rows)
    rng = streams.stream("repeats")
    options, good = [], []
    for turn in range(_OPTIONS):
        begin = start if turn % 2 == 0 else rng.integers(0, start + 1)
        options.append(again.draw(drawn, rows, begin))
        good.append(~again.repeated(options[-1], rows))
    chosen = _choose(drawn, rows, options, np.column_stack(good), again.order, rng)
    for k, option in enumerate(options):
        own = chosen == k
        drawn = {name: column.put(rows[own], option[name].of(own)) for name, column in drawn.items()}
    rows, start = rows[chosen < 0], start[chosen < 0]
    for turn in range(_ROUNDS):
        if not len(rows):
            return drawn, left
        option = again.draw(drawn, rows, np.maximum(start - turn // _PATIENCE, 0))
        own = ~again.repeated(option, rows)
        drawn = {name: column.put(rows[own], option[name].of(own)) for name, column in drawn.items()}
        rows, start = rows[~own], start[~own]
    left[rows] = True
    return drawn, left


@dataclass(frozen=True)
class _Again:
    """Draws records again from some column on, and says which are repeats."""

    fitted: FittedColumns
    original: Mapping[str, ColumnValues]
    streams: Streams
    given: Mapping[str, ColumnValues]
    order: list[str]
    repeats: RepeatedDraws

    @cached_property
    def originals(self) -> WordArray:
        """The hashes of the original records, sorted."""
        return np.sort(_hashed(self.original, [*self.given, *self.order]))

    def repeated(self, made: Mapping[str, ColumnValues], rows: IntArray) -> BoolArray:
        """Return which records are repeats; ``rows`` says whose given columns they have."""
        known = {name: column.of(rows) for name, column in self.given.items()}
        times = _times(_hashed({**known, **made}, [*self.given, *self.order]), self.originals)
        return np.asarray(times == 1 if self.repeats == "redraw_unique" else times > 0)

    def draw(self, drawn: Mapping[str, ColumnValues], rows: IntArray, begin: IntArray) -> dict[str, ColumnValues]:
        """Return records again whose columns before some place stay as they are."""
        made = {name: drawn[name].of(rows) for name in self.fitted.plan.order}
        for first in np.unique(begin).tolist():
            own = np.flatnonzero(begin == first)
            kept = {name: made[name].of(own) for name in self.order[:first]}
            known = {name: column.of(rows[own]) for name, column in self.given.items()}
            new = self.fitted.draw(len(own), self.streams, known, kept=kept)
            made = {name: column.put(own, new[name]) for name, column in made.items()}
        return made


def _choose(
    drawn: Mapping[str, ColumnValues],
    rows: IntArray,
    options: Sequence[Mapping[str, ColumnValues]],
    good: BoolArray,
    order: Sequence[str],
    rng: np.random.Generator,
) -> IntArray:
    """Return for each repeat one of its options, so that columns keep their shares; -1 where it has none."""
    has_any: BoolArray = np.asarray(good.any(axis=1))
    chances = good[has_any] / np.maximum(good[has_any].sum(axis=1, keepdims=True), 1)
    margins = []
    for name in order:
        cuts = _cuts(drawn[name])
        wanted = np.bincount(_grouped(drawn[name].of(rows[has_any]), cuts))
        groups = np.column_stack([_grouped(option[name].of(has_any), cuts) for option in options])
        margins.append((wanted, groups))
    for _ in range(_SWEEPS):
        for wanted, groups in margins:
            found = np.bincount(groups.ravel(), chances.ravel(), len(wanted))
            factor = np.ones(len(found))
            known = found[: len(wanted)] > 0
            factor[: len(wanted)][known] = wanted[known] / found[: len(wanted)][known]
            factor[len(wanted) :] = 0.0
            chances *= np.clip(factor, 1e-3, 1e3)[groups]
            chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1e-300)
    ends = np.cumsum(chances, axis=1)
    chosen = np.full(len(rows), -1, np.int64)
    chosen[has_any] = (ends < rng.random(len(ends))[:, None] * ends[:, -1:]).sum(axis=1)
    return chosen


def _cuts(column: ColumnValues) -> FloatArray | None:
    """Return where a number is cut into groups; none for classes."""
    if column.classes:
        return None
    there = column.values[column.there]
    return np.unique(np.quantile(there, np.arange(1, _GROUPS) / _GROUPS)) if there.size else np.empty(0)


def _grouped(column: ColumnValues, cuts: FloatArray | None) -> IntArray:
    """Return the group of each value; each kind of gap is one of its own."""
    groups = column.values.astype(np.int64) if cuts is None else np.searchsorted(cuts, column.values, side="right")
    return np.where(column.gaps > 0, column.gaps - 1, groups + column.kinds).astype(np.int64)


def _first_alone(again: _Again, drawn: Mapping[str, ColumnValues], rows: IntArray) -> IntArray:
    """Return for each repeat the first column, in the order, with which one original alone is left; else the last."""
    order, names = again.order, list(again.given)
    found = np.full(len(rows), len(order) - 1, np.int64)
    here = _hashed({name: column.of(rows) for name, column in {**again.given, **drawn}.items()}, names)
    there = _hashed(again.original, names)
    is_open = np.ones(len(rows), np.bool_)
    for place, name in enumerate(order):
        here, there = _with(here, drawn[name].of(rows)), _with(there, again.original[name])
        alone = is_open & (_times(here, np.sort(there)) == 1)
        found[alone] = place
        is_open &= ~alone
        if not is_open.any():
            break
    return found


def _times(words: WordArray, ordered: WordArray) -> IntArray:
    """Return how often each word is among others, which are sorted."""
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
