"""Distributions as few numbers: shares in common bins, shares of categories. Charts draw these, never the values.

Without an original the *publishable* picture is made: it reads the release alone, leaves out the tails (at least one
percent and at least ten records on each side), draws no bar of fewer than ten records and pools rare categories.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.data.microdata import Microdata
from tacita.report.words import plain_text

__all__ = ["LEAST", "CategoryShares", "Histogram", "Picture", "picture"]


LEAST = 10
"""Records that anything published must stand for; the usual threshold of output checking."""
TAIL = 0.01
"""Share of the values that a picture leaves out on each side."""
_MOST_BINS = 30
_MOST_CATEGORIES = 8


@dataclass(frozen=True, eq=False)
class Histogram:
    """Shares of the values, in percent, in bins that both files have in common.

    ``original`` is None in the publishable form.
    """

    edges: FloatArray
    masked: FloatArray
    original: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class CategoryShares:
    """Shares of the records, in percent, in each category; the last one may stand for several."""

    labels: tuple[str, ...]
    masked: FloatArray
    original: FloatArray | None = None


Picture = Histogram | CategoryShares


def picture(original: Microdata | None, masked: Microdata, name: str) -> Picture | None:
    """Return what can be drawn of a column; None where there is nothing to draw.

    Parameters
    ----------
    original
        The original file; None for the publishable form, which must not read it.
    masked
        The release.
    name
        A column that both have.
    """
    if original is not None and not _comparable(original, masked, name):
        original = None  # a recoded column has nothing to stand beside; what is left is the careful picture
    if masked.schema[name].scale in ("numeric", "date"):
        return _histogram(None if original is None else _values(original, name), _values(masked, name))
    return _tally(original, masked, name)


def _comparable(original: Microdata, masked: Microdata, name: str) -> bool:
    if name not in original.schema:
        return False
    before, after = original.schema[name].scale, masked.schema[name].scale
    return before == after or {before, after} == {"nominal", "ordinal"}


# --- numbers --------------------------------------------------------------------------------------------------------------


def _values(data: Microdata, name: str) -> FloatArray:
    """Return the values that are there; of dates the years."""
    if data.schema[name].scale == "numeric":
        values = data.float(name)
        return values[~np.isnan(values)]
    codes = data.codes(name)
    years = np.array([float(getattr(day, "year", np.nan)) for day in codes.categories] or [np.nan])
    found = years[codes.values[codes.values >= 0]]
    return np.asarray(found[~np.isnan(found)])


def _histogram(original: FloatArray | None, masked: FloatArray) -> Histogram | None:
    files = [masked] if original is None else [original, masked]
    if not all(len(values) for values in files) or (original is None and len(masked) < 4 * LEAST):
        return None
    low, high = _public_range(masked) if original is None else _full_range(files)
    bins = min(max(round(2 * min(len(v) for v in files) ** (1 / 3)), 5), _MOST_BINS)  # the rule of Rice
    whole = [_is_whole(values) for values in files]
    edges = _edges(low, high, bins, whole=all(whole) or (any(whole) and high - low >= bins))
    counts = [np.histogram(values, edges)[0].astype(np.float64) for values in files]
    if original is None:
        counts[0][counts[0] < LEAST] = 0
        return Histogram(edges, 100 * counts[0] / len(masked))
    return Histogram(edges, 100 * counts[1] / len(masked), 100 * counts[0] / len(original))


def _public_range(values: FloatArray) -> tuple[float, float]:
    """Return a range beyond which at least one percent and at least ten values lie on each side."""
    cut = max(math.ceil(TAIL * len(values)), LEAST)
    ordered = np.sort(values)
    return float(ordered[cut]), float(ordered[-1 - cut])


def _full_range(files: list[FloatArray]) -> tuple[float, float]:
    """Return the range of the middle values of all files, or everything where the middle is a single point."""
    ends = [np.quantile(values, [TAIL, 1 - TAIL]) for values in files]
    low, high = min(float(e[0]) for e in ends), max(float(e[1]) for e in ends)
    if low < high:
        return low, high
    return min(float(v.min()) for v in files), max(float(v.max()) for v in files)


def _is_whole(values: FloatArray) -> bool:
    return bool(np.all(np.rint(values) == values))


def _edges(low: float, high: float, bins: int, *, whole: bool) -> FloatArray:
    """Cut a range into bins whose ends are round, so that no edge is the value of a record."""
    if low >= high:
        half = max(abs(low) * 0.05, 0.5)
        return np.array([low - half, low + half])
    if whole:
        # Equally many whole numbers in each bin: otherwise the picture shows teeth that the data do not have.
        step = max(1, math.ceil((high - low + 1) / bins))
        return np.arange(math.floor(low), high + 1 + step, step) - 0.5
    grain = 10.0 ** math.floor(math.log10((high - low) / 100))
    return np.linspace(math.floor(low / grain) * grain, math.ceil(high / grain) * grain, bins + 1)


# --- categories -----------------------------------------------------------------------------------------------------------


def _tally(original: Microdata | None, masked: Microdata, name: str) -> CategoryShares | None:
    after = _counts(masked, name)
    before = None if original is None else _counts(original, name)
    if not sum(after.values()) or (before is not None and not sum(before.values())):
        return None
    known = list(dict.fromkeys([*(before or {}), *after]))
    if masked.schema[name].scale != "ordinal":
        size = after if before is None else before
        known.sort(key=lambda label: (-size.get(label, 0), label))
    shown = _frequent(known, after, before)
    pooled = [label for label in known if label not in shown]
    rest = f"other ({len(pooled)})"
    labels = [*shown, *([rest if rest not in shown else f"all {rest}"] if pooled else [])]

    def shares(counts: dict[str, int]) -> FloatArray:
        numbers = [counts.get(label, 0) for label in shown]
        if pooled:
            numbers.append(sum(counts.get(label, 0) for label in pooled))
        return 100 * np.array(numbers, dtype=np.float64) / sum(counts.values())

    after_shares = shares(after)
    if before is not None:
        return CategoryShares(tuple(labels), after_shares, shares(before))
    safe = after_shares * sum(after.values()) / 100 >= LEAST - 0.5  # even all rare categories together may be too few
    return CategoryShares(tuple(np.array(labels, dtype=object)[safe]), after_shares[safe]) if safe.any() else None


def _frequent(known: list[str], after: dict[str, int], before: dict[str, int] | None) -> list[str]:
    """Return the categories that get a bar of their own, in their order."""
    size = {label: max(after.get(label, 0), (before or {}).get(label, 0)) for label in known}
    allowed = [label for label in known if size[label] and (before is not None or size[label] >= LEAST)]
    if len(allowed) <= _MOST_CATEGORIES + 1 and len(allowed) == len(known):
        return allowed
    largest = set(sorted(allowed, key=lambda label: -size[label])[:_MOST_CATEGORIES])
    return [label for label in allowed if label in largest]


def _counts(data: Microdata, name: str) -> dict[str, int]:
    """Return how many records each category has, under its label where it has one."""
    codes = data.codes(name)
    shown = data.schema[name].shown
    sizes = np.bincount(codes.values[codes.values >= 0], minlength=len(codes.categories))
    found: dict[str, int] = {}
    for category, size in zip(codes.categories, sizes, strict=True):
        label = plain_text(shown(category))
        found[label] = found.get(label, 0) + int(size)
    return found
