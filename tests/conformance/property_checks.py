"""One check for each property that a mask can claim to preserve. The architecture tests see that none is forgotten."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.numeric.statistics.decimals import decimals_of

__all__ = ["PROPERTY_CHECKS"]


def marginals(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """Every column has exactly its own values, in another order."""
    for name in names:
        before, after = (d.to_arrow().column(name).to_pylist() for d in (original, masked))
        assert Counter(before) == Counter(after), f"the values of '{name}' are other ones"


def means(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """Every numeric column keeps its mean, to rounding of its values."""
    for name in names:
        if original.schema[name].scale != "numeric" or not np.isfinite(original.float(name)).any():
            continue
        x, y = original.float(name), masked.float(name)
        slack, places = 1e-9 * np.nanmax(np.abs(x)), decimals_of(x)
        slack += 0.5 * 10.0**-places if places is not None and "marginals" not in mask.traits.preserves else 0.0
        assert abs(np.nanmean(x) - np.nanmean(y)) <= slack, f"the mean of '{name}' moved"


def ranks(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """A larger value never becomes smaller than a smaller one."""
    for name in names:
        x, y = original.numbers(name), masked.numbers(name)
        there = ~np.isnan(x)
        x, y = x[there], y[there]
        assert not np.isnan(y).any()
        levels = [y[x == value] for value in np.unique(x)]
        for lower, upper in itertools.pairwise(levels):
            assert lower.max() <= upper.min(), f"the order of '{name}' changed"


def rows(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """Every record that comes out is one that went in."""
    origin = masked.origin_rows()
    assert (origin >= 0).all()
    place = {int(row): i for i, row in enumerate(original.origin_rows())}
    source = original.take(np.array([place[int(row)] for row in origin], dtype=np.int64))
    assert source.to_arrow().equals(masked.to_arrow())


def k_anonymity(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """Every combination of the masked columns occurs k times; a record of which nothing is left shows nothing."""
    columns = [masked.to_arrow(codes=False).column(name).to_pylist() for name in names]
    counts = Counter(row for row in zip(*columns, strict=True) if any(value is not None for value in row))
    assert min(counts.values(), default=mask.k) >= mask.k


def zeros(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """A value is zero exactly where it was zero."""
    for name in names:
        assert np.array_equal(original.numbers(name) == 0, masked.numbers(name) == 0)


def _plain(
    mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return given columns with an intercept, old and new values; records with gaps and bounds are masked anew without these."""
    there = ~np.isnan(original.floats(names)).any(axis=1)
    if not there.all() or any(column.bounds is not None for column in original.schema):
        schema = Schema(tuple(replace(column, bounds=None) for column in original.schema))
        original = original.with_schema(schema).take(np.flatnonzero(there))
        masked = mask.apply(original, seed=1)
    chosen = getattr(mask, "given", ())
    given = original.schema.resolve(chosen, owner="mask") if chosen != () else ()
    x = np.hstack([np.ones((len(original), 1)), *(original.numbers(name)[:, None] for name in given)])
    return x, original.floats(names), masked.floats(names)


def coefficients(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """Regressing new values on the given columns gives the coefficients of the old ones."""
    x, before, after = _plain(mask, original, masked, names)
    old, new = (np.linalg.lstsq(x, y, rcond=None)[0] for y in (before, after))
    np.testing.assert_allclose(new, old, rtol=1e-9, atol=1e-9 * np.abs(before).max(initial=1.0))


def covariances(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """Means and covariances of new values are those of the old ones."""
    _, before, after = _plain(mask, original, masked, names)
    _same_moments(before, after)


def group_moments(mask: Any, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> None:
    """The same within every group; the mask forms its groups again, without chance, and a group has k records or more."""
    _, before, after = _plain(mask, original, masked, names)
    labels = mask.find_groups(before) if hasattr(mask, "find_groups") else np.zeros(len(before), np.int64)
    assert not len(labels) or np.bincount(labels).min() >= mask.k
    for group in np.unique(labels):
        _same_moments(before[labels == group], after[labels == group])


def _same_moments(before: FloatArray, after: FloatArray) -> None:
    if len(before) < 2:
        return
    scale = np.abs(before).max(initial=1.0)
    np.testing.assert_allclose(after.mean(axis=0), before.mean(axis=0), rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(np.cov(after.T), np.cov(before.T), rtol=1e-9, atol=1e-9 * scale**2)


PROPERTY_CHECKS: dict[str, Callable[[Any, Microdata, Microdata, tuple[str, ...]], None]] = {
    "marginals": marginals,
    "means": means,
    "ranks": ranks,
    "rows": rows,
    "k-anonymity": k_anonymity,
    "zeros": zeros,
    "coefficients": coefficients,
    "covariances": covariances,
    "group moments": group_moments,
}
