"""What two files have in common: columns that an attacker can compare, whatever became of their scale."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacita.attack.files.label_ranges import EVERYTHING, ranges_of
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.microdata import Microdata

__all__ = [
    "ClassPair",
    "NumberPair",
    "compare",
    "is_as_it_was",
    "may_be_suppressed",
    "said_values",
    "shared_names",
    "steps_on",
]

_SUPPRESS = (
    "local_suppression",
    "generalise",
    "local_recode",
    "global_recode",
    "pram",
    "replace",
    "individual_ranking",
)
_MOST_FITS = 50_000_000


@dataclass(frozen=True, eq=False)
class NumberPair:
    """A column that both files have as numbers (dates are days); NaN is missing."""

    name: str
    known: FloatArray
    released: FloatArray


@dataclass(frozen=True, eq=False)
class ClassPair:
    """A column of which one file at least has classes.

    Parameters
    ----------
    name
        The column.
    known, released
        Codes of both files, -1 for missing.
    fits
        Which released class may stand for which known one: one row a known class. None where there are very many of both: then
        the codes of both files mean the same, and a class stands for itself.
    """

    name: str
    known: IntArray
    released: IntArray
    fits: BoolArray | None

    def frequencies(self) -> FloatArray:
        """Return the share of each released class among the records that have one."""
        size = self.fits.shape[1] if self.fits is not None else int(self.released.max(initial=-1)) + 1
        counts = np.bincount(self.released[self.released >= 0], minlength=size).astype(float)
        return np.asarray(counts / max(counts.sum(), 1.0))


def shared_names(known: Microdata, released: Microdata, leave: Collection[str] = ()) -> tuple[str, ...]:
    """Return the columns that both files have, in the order of the known one."""
    return tuple(name for name in known.names if name in released.schema and name not in leave)


def steps_on(target: FileTarget, name: str) -> tuple[KnownStep, ...]:
    """Return the steps that are known to have changed a column."""
    return tuple(step for step in target.steps if name in step.columns)


def may_be_suppressed(target: FileTarget, name: str) -> bool:
    """Whether a value that is missing in the release may have been there: nothing is known, or a step may suppress it."""
    return not target.steps or any(step.name in _SUPPRESS for step in steps_on(target, name))


def is_as_it_was(target: FileTarget, name: str) -> bool:
    """Whether no step is known to have changed the values of a column."""
    return not steps_on(target, name)


def compare(
    known: Microdata, released: Microdata, names: Collection[str], steps: Collection[KnownStep] = ()
) -> tuple[list[NumberPair], list[ClassPair]]:
    """Return the columns as numbers where both files have numbers, otherwise as classes with what fits what. O(n) a column.

    A released class fits a known value where it is the same, where a hierarchy of either file puts it above the value, where a
    documented step made it of the value, or where it is an interval that holds the value. A value that nothing stands for fits
    every label that nobody can read.
    """
    numbers, classes = [], []
    for name in names:
        scales = known.schema[name].scale, released.schema[name].scale
        if scales == ("numeric", "numeric"):
            numbers.append(NumberPair(name, known.float(name), released.float(name)))
            continue
        if scales == ("date", "date"):
            both = _days(known, name), _days(released, name)
            if both[0] is not None and both[1] is not None:
                numbers.append(NumberPair(name, both[0], both[1]))
                continue
        classes.append(_classes(known, released, name, steps))
    return numbers, classes


def said_values(data: Microdata, name: str) -> NDArray[np.generic]:
    """Return a released column as an attacker would say it: numbers, the middles of intervals, or words."""
    if data.schema[name].scale == "numeric":
        return data.float(name)
    found = data.codes(name)
    texts = [_text(category) for category in found.categories]
    ranges = ranges_of(texts)
    if texts and ranges.is_banded:
        return np.append(ranges.middle, np.nan)[found.values]
    words = np.array([*(str(category) for category in found.categories), ""], dtype=object)
    return np.asarray(words[found.values], dtype=object)


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _days(data: Microdata, name: str) -> FloatArray | None:
    """Return a column of dates as days since 1970; None where they cannot be read as such."""
    try:
        days = data.column(name).cast("date32").cast("int32").cast("float64")
    except ValueError:  # texts that are no dates
        return None
    return np.asarray(days.to_numpy(), float)


def _classes(known: Microdata, released: Microdata, name: str, steps: Collection[KnownStep]) -> ClassPair:
    mine, theirs = known.codes(name), released.codes(name)
    values, labels = [_text(c) for c in mine.categories], [_text(c) for c in theirs.categories]
    place = {label: i for i, label in enumerate(labels)}
    if len(values) * len(labels) > _MOST_FITS:
        far = len(labels) + np.arange(len(values))
        same = np.array([*(place.get(value, far[i]) for i, value in enumerate(values)), -1], np.int64)
        return ClassPair(name, same[mine.values], theirs.values, None)
    fits = np.zeros((len(values), len(labels)), bool)
    above = _labels_above(known, released, name, steps)
    for i, value in enumerate(values):
        for label in (value, *above.get(value, ())):
            if label in place:
                fits[i, place[label]] = True
    _add_intervals(fits, values, labels, known.schema[name].scale)
    fits[:, [label in EVERYTHING for label in labels]] = True
    # A value that nothing stands for was given a label that nobody can read: it may be any that stands for nobody else.
    fits[np.ix_(~fits.any(axis=1), ~fits.any(axis=0) & ~ranges_of(labels).is_read)] = True
    return ClassPair(name, mine.values, theirs.values, fits)


def _labels_above(
    known: Microdata, released: Microdata, name: str, steps: Collection[KnownStep]
) -> Mapping[str, tuple[str, ...]]:
    """Return for each value the labels that hierarchies and documented steps put above it."""
    above: dict[str, tuple[str, ...]] = {}
    for data in (known, released):
        hierarchy = data.schema[name].hierarchy
        for row in () if hierarchy is None else hierarchy.rows:
            for level in range(len(row) - 1):
                above[row[level]] = (*above.get(row[level], ()), *row[level + 1 :])
    for step in steps:
        table = dict(step.parameters.get("map", {}) or {}).get(name, {}) if step.name == "global_recode" else {}
        for value, label in table.items():
            above[str(value)] = (*above.get(str(value), ()), str(label))
    return above


def _add_intervals(fits: BoolArray, values: list[str], labels: list[str], scale: str) -> None:
    """Say which labels are intervals that hold a value, of numbers or of dates."""
    ranges = ranges_of([_as_years(label) for label in labels] if scale == "date" else labels)
    points = _points(values, scale)
    holds = (points[:, None] >= ranges.low) & (points[:, None] <= ranges.high)
    fits |= holds & ranges.is_read & ~np.isnan(points)[:, None]


def _points(values: list[str], scale: str) -> FloatArray:
    if scale != "date":
        ranges = ranges_of(values)
        return np.where(ranges.is_read & (ranges.low == ranges.high), ranges.low, np.nan)
    points = np.full(len(values), np.nan)
    for i, value in enumerate(values):
        try:
            day = np.datetime64(value[:10], "D")
        except ValueError:
            continue
        year = day.astype("datetime64[Y]")
        points[i] = 1970 + int(year.astype(int)) + int((day - year.astype("datetime64[D]")).astype(int)) / 366
    return points


def _as_years(label: str) -> str:
    """Return the name of a period as an interval of years: ``1980s``, ``1980-Q2``, ``1980-05``, ``1980-W07``, ``1980``."""
    year, rest = label[:4], label[4:]
    if not year.isdigit():
        return label
    start = float(year)
    if rest == "":
        return f"[{start}, {start + 1})"
    if rest == "s":
        return f"[{start}, {start + 10})"
    if rest.startswith("-Q") and rest[2:].isdigit():
        return f"[{start + (int(rest[2:]) - 1) * 0.245}, {start + int(rest[2:]) * 0.253})"
    if rest.startswith("-W") and rest[2:].isdigit():
        return f"[{start + (int(rest[2:]) - 2) * 7 / 366}, {start + (int(rest[2:]) + 1) * 7 / 366})"
    if len(rest) == 3 and rest[1:].isdigit():
        return f"[{start + (int(rest[1:]) - 1) * 30 / 366}, {start + int(rest[1:]) * 31 / 366})"
    return label
