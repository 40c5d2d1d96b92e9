"""Found rules: conditions on one column under which the state of another (a gap, a spike) is always the same.

Of the old records, a condition is a set of classes, a kind of gap, or a range of a number; it determines the state if all records
that meet it have the same. That may be chance: with a share p of records in a state, m records have it by chance with p^m. A
condition counts where that is below one in a million and at least 20 records meet it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.rules import ColumnTest

__all__ = ["FoundRule", "find_rules"]

_FEWEST = 20
_UNLIKELY = np.log(1e6)
_MOST = 12
"""Rules that are looked for in one column."""


@dataclass(frozen=True)
class FoundRule:
    """A condition under which a column is always in one state.

    Parameters
    ----------
    state
        The state.
    tests
        The condition: claims that hold together.
    count
        Old records that meet it.
    """

    state: int
    tests: tuple[ColumnTest, ...]
    count: int

    def holds(self, columns: Mapping[str, ColumnValues]) -> BoolArray:
        """Return the records that meet the condition."""
        return np.asarray(np.logical_and.reduce([test.holds(columns) for test in self.tests]))


def find_rules(state: IntArray, columns: Mapping[str, ColumnValues]) -> tuple[FoundRule, ...]:
    """Find the conditions on single columns that determine the state; each counts the records that those before it leave.

    O(n d) time for each rule that is found.

    Examples
    --------
    >>> age = np.tile(np.arange(60.0), 3)
    >>> found = find_rules((age < 15).astype(np.int64), {"age": ColumnValues.of_numbers(age)})
    >>> [(rule.state, rule.tests[0].how, rule.tests[0].values, rule.count) for rule in found]
    [(0, '>', (14.5,), 135)]
    """
    share = np.bincount(state) / max(len(state), 1)
    with np.errstate(divide="ignore"):
        needed = np.maximum(_FEWEST, np.ceil(_UNLIKELY / -np.log(np.minimum(share, 1 - 1e-12))))
    left, now = np.arange(len(state)), dict(columns)
    found: list[FoundRule] = []
    while len(found) < _MOST and len(left) and (state[left] != state[left[0]]).any():
        here = state[left]
        options = [rule for name, column in now.items() for rule in _of_column(here, needed, name, column)]
        if not options:
            break
        best = max(options, key=lambda rule: rule.count)
        found.append(best)
        kept = ~best.holds(now)
        left, now = left[kept], {name: column.of(kept) for name, column in now.items()}
    return tuple(found)


def _of_column(state: IntArray, needed: FloatArray, name: str, column: ColumnValues) -> Iterator[FoundRule]:
    """Give the conditions on one column that enough records meet."""
    there = column.there
    if column.kinds:
        table = _counted(column.gaps.astype(np.int64), column.kinds + 1, state, len(needed))
        for one, kinds in _pure(table, needed):
            if 0 not in kinds:
                yield FoundRule(
                    one, (ColumnTest(name, "missing", kinds),), int(table[list(map(int, kinds)), one].sum())
                )
            elif others := tuple(float(k) for k in range(1, len(table)) if k not in kinds):
                test = ColumnTest(name, "missing", others, negated=True)
                yield FoundRule(one, (test,), int(table[list(map(int, kinds)), one].sum()))
    if column.classes and not column.is_ordered:
        table = _counted(column.values[there].astype(np.int64), column.classes, state[there], len(needed))
        for one, classes in _pure(table, needed):
            yield FoundRule(one, (ColumnTest(name, "in", classes),), int(table[list(map(int, classes)), one].sum()))
    elif there.any():
        found = _of_numbers(state[there], len(needed), name, column.values[there])
        yield from (rule for rule in found if rule.count >= needed[rule.state])


def _counted(codes: IntArray, classes: int, state: IntArray, states: int) -> IntArray:
    """Return the (classes, states) counts."""
    return np.bincount(codes * states + state, minlength=classes * states).reshape(classes, states)


def _pure(table: IntArray, needed: FloatArray) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Give for each state the classes that have no other, each of them with enough records: a union of rare ones is chance."""
    pure = (table > 0).sum(axis=1) == 1
    for one in range(table.shape[1]):
        chosen = np.flatnonzero(pure & (table[:, one] >= needed[one]))
        if len(chosen):
            yield one, tuple(map(float, chosen.tolist()))


def _of_numbers(state: IntArray, states: int, name: str, values: FloatArray) -> Iterator[FoundRule]:
    for one in range(states):
        own, rest = values[state == one], values[state != one]
        if not len(own) or not len(rest):
            continue
        first, last = float(rest.min()), float(rest.max())
        below, above = own[own < first], own[own > last]
        if len(below):
            yield FoundRule(one, (ColumnTest(name, "<", (_between(float(below.max()), first),)),), len(below))
        if len(above):
            yield FoundRule(one, (ColumnTest(name, ">", (_between(last, float(above.min())),)),), len(above))
        low, high = float(own.min()), float(own.max())
        if first < low and high < last and not ((rest >= low) & (rest <= high)).any():
            tests = (
                ColumnTest(name, ">", (_between(float(rest[rest < low].max()), low),)),
                ColumnTest(name, "<", (_between(high, float(rest[rest > high].min())),)),
            )
            yield FoundRule(one, tests, len(own))


def _between(low: float, high: float) -> float:
    """Return a number above the one and below the other, where there is one."""
    return low + (high - low) / 2
