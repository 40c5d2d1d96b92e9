"""What a report says about single variables: summaries before and after, and how many records changed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tacita.compare.scorecard import Scorecard
from tacita.core.arrays import FloatArray
from tacita.data.columns import same_buffers
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair, Pairing, pair_records
from tacita.data.schema import Column
from tacita.numeric.statistics.moments import column_mean, column_sd
from tacita.report.bins import LEAST

__all__ = [
    "CategorySummary",
    "NumberSummary",
    "PublicSummary",
    "changed_shares",
    "public_summary",
    "reported_columns",
    "summarise_categories",
    "summarise_numbers",
]


QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What the internal table shows."""
PUBLIC_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""What the external table shows; the ends of a column are single records."""


@dataclass(frozen=True)
class NumberSummary:
    """A numeric column of one file; mean and quantiles are None where there are no values."""

    values: int
    missing: int
    quantiles: tuple[float | None, ...]
    mean: float | None = None
    sd: float | None = None


@dataclass(frozen=True)
class CategorySummary:
    """A column of categories or dates of one file."""

    values: int
    missing: int
    categories: int


@dataclass(frozen=True)
class PublicSummary:
    """A column of the release as it may be published; a quantile is None where too few values lie beside it.

    ``quantiles`` is empty for categories, ``categories`` is None for numbers. ``grain`` is what quantiles are rounded to.
    """

    missing_share: float
    quantiles: tuple[float | None, ...] = ()
    grain: float = 1.0
    categories: int | None = None


def reported_columns(masked: Microdata) -> list[Column]:
    """Return the released columns that describe respondents; numbers of persons and households have no distribution."""
    return [column for column in masked.schema if not {"identifier", "household", "cluster"}.intersection(column.roles)]


def summarise_numbers(data: Microdata, name: str) -> NumberSummary:
    """Summarise a numeric column."""
    every = data.float(name)
    values = every[~np.isnan(every)]
    missing = len(every) - len(values)
    if not len(values):
        return NumberSummary(0, missing, (None,) * len(QUANTILES))
    table = values[:, np.newaxis]
    quantiles = tuple(float(q) for q in np.quantile(values, QUANTILES))
    sd = float(column_sd(table)[0]) if len(values) > 1 else None
    return NumberSummary(
        values=len(values), missing=missing, quantiles=quantiles, mean=float(column_mean(table)[0]), sd=sd
    )


def summarise_categories(data: Microdata, name: str) -> CategorySummary:
    """Summarise a column of categories or dates."""
    codes = data.codes(name).values
    there = codes[codes >= 0]
    return CategorySummary(len(there), len(codes) - len(there), len(np.unique(there)))


# --- what may be published ------------------------------------------------------------------------------------------------


def public_summary(masked: Microdata, name: str) -> PublicSummary:
    """Summarise a column of the release: no mean, which one record can dominate, no ends, nothing of fewer than ten."""
    missing = 100 * float(masked.is_missing(name).mean()) if len(masked) else 0.0
    if masked.schema[name].scale != "numeric":
        codes = masked.codes(name).values
        sizes = np.bincount(codes[codes >= 0])
        return PublicSummary(missing, categories=int((sizes >= LEAST).sum()))
    every = masked.float(name)
    values = np.sort(every[~np.isnan(every)])
    found = tuple(_public_quantile(values, q) for q in PUBLIC_QUANTILES)
    grain = _grain([q for q in found if q is not None], whole=bool(np.all(np.rint(values) == values)))
    return PublicSummary(missing, tuple(q if q is None else round(q / grain) * grain for q in found), grain)


def _public_quantile(ordered: FloatArray, q: float) -> float | None:
    """Return a quantile as the mean of the ten values around it, or None where ten do not lie on each side.

    Averaging keeps any one record's value out of the table.
    """
    centre = q * len(ordered)
    if min(centre, len(ordered) - centre) < LEAST:
        return None
    first = int(np.clip(round(centre) - LEAST // 2, 0, len(ordered) - LEAST))
    return float(ordered[first : first + LEAST].mean())


def _grain(quantiles: list[float], *, whole: bool) -> float:
    """Return what to round quantiles to: about a hundredth of their spread, whole numbers for a column that has them."""
    spread = max(quantiles) - min(quantiles) if quantiles else 0.0
    grain = 10.0 ** math.floor(math.log10(spread / 100)) if spread > 0 else 1e-3
    return max(grain, 1.0) if whole else grain


# --- what changed ---------------------------------------------------------------------------------------------------------


def changed_shares(card: Scorecard) -> dict[str, float | None]:
    """Return for each released column the percentage of records whose value changed; None where that is unknown.

    Columns that are new count as changed; unknown is everything where records are not paired with their own.
    """
    names = [column.name for column in reported_columns(card.masked)]
    if card.pairing not in ("link", "order"):
        return dict.fromkeys(names)
    how: Pairing = "link" if card.pairing == "link" else "order"
    pair = pair_records(card.original, card.masked, how)
    return {name: _changed(pair, name) if name in card.original.schema else 100.0 for name in names}


def _changed(pair: Pair, name: str) -> float | None:
    if not len(pair.rows):
        return None
    before, after = pair.original, pair.masked
    is_shared = same_buffers(before._column(name), after._column(name))
    if pair.is_aligned and is_shared and before.schema[name] == after.schema[name]:
        return 0.0
    if before.schema[name].scale == after.schema[name].scale == "numeric":
        x, y = pair.before(name), pair.after(name)
        same = (x == y) | (np.isnan(x) & np.isnan(y))
    else:
        a, b = before.codes(name), after.codes(name)
        place = {value: number for number, value in enumerate(dict.fromkeys([*a.categories, *b.categories]))}
        left = np.array([*(place[value] for value in a.categories), -1])[a.values[pair.rows]]
        right = np.array([*(place[value] for value in b.categories), -1])[b.values[pair.masked_rows]]
        same = left == right
    return 100 * float((~same).mean())
