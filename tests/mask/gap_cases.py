"""Small random files with gaps, strata, households and odd parameters, for every mask that promises k; each case is a number."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError
from tacita.core.vocabulary import MISSING_KEYS
from tacita.data.microdata import Microdata
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle
from tests.oracles.numeric.frequencies import frequencies_oracle

GAPS = (0.0, 0.01, 0.03, 0.08, 0.2, 0.4)


def draw(case: int) -> np.random.Generator:
    """Return the random numbers of a case; warm-up cases have negative numbers."""
    return np.random.default_rng([abs(case), int(case < 0)])


def random_file(rng: np.random.Generator, *, least: int = 1, most: int = 50) -> tuple[Microdata, list[str]]:
    """Return a file with one to five keys, some of them equal within households, and a stratum of the household or person."""
    n, d = int(rng.integers(least, most)), int(rng.integers(1, 6))
    house = np.sort(rng.integers(0, max(1, int(n * rng.choice([0.3, 0.6, 2.0]))), n))
    keys = [f"key{j}" for j in range(d)]
    columns: dict[str, Any] = {}
    for name in keys:
        values = rng.integers(0, int(rng.integers(1, 7)), n)
        if rng.random() < 0.5:
            values = values[np.searchsorted(house, house)]  # that of the first member
        gaps = rng.random(n) < rng.choice(GAPS)
        columns[name] = pa.array(values.astype(str), mask=gaps)
    columns["part"] = rng.integers(0, 2, n) if rng.random() < 0.5 else house % 2
    columns["house"] = pa.array(house, mask=rng.random(n) < rng.choice([0.0, 0.0, 0.1]))
    columns["tail"] = columns[keys[0]]
    linked = {"tail": keys[0]} if rng.random() < 0.3 else {}
    household = "house" if rng.random() < 0.6 else None
    data = Microdata.from_frame(
        pa.table(columns),
        keys=keys,
        household=household,
        linked=linked,
        scales=dict.fromkeys((*keys, "part", "tail"), "nominal"),
    )
    return data, keys


def codes_of(data: Microdata, names: list[str]) -> np.ndarray:
    """Number the values of each column from its Python values alone, -1 where there is none."""
    columns = []
    for name in names:
        values = data.to_arrow(codes=False).column(name).to_pylist()
        known = {value: i for i, value in enumerate(dict.fromkeys(v for v in values if v is not None))}
        columns.append([known.get(value, -1) for value in values])
    return np.array(columns, dtype=int).reshape(len(names), len(data)).T


def settings_of(rng: np.random.Generator, keys: list[str]) -> dict[str, Any]:
    """Return random parameters of a local suppression."""
    d, found = len(keys), {"columns": keys, "missing": MISSING_KEYS[int(rng.integers(3))], "k": int(rng.integers(2, 7))}
    price = int(rng.integers(4))
    if price == 1:
        found["costs"] = [float(c) for c in rng.integers(0, 4, d)]
    elif price == 2:
        found["costs"] = {name: float(10.0 ** rng.integers(-9, 9)) for name in keys}
    elif price == 3:
        found["importance"] = [int(rank) for rank in rng.integers(1, d + 1, d)]
    shape = int(rng.integers(4))
    if shape == 1:
        found["subsets"] = int(rng.integers(1, d + 1))
    elif shape == 2:
        lists = [rng.choice(keys, int(rng.integers(1, d + 1)), replace=False).tolist() for _ in range(3)]
        found["subsets"] = lists
    if rng.random() < 0.4:
        found["by"] = ["part"]
    found["effort"] = str(rng.choice(["fast", "normal"]))
    if rng.random() < 0.3:
        found["unit"] = False
    return found


def suppress(case: int) -> None:
    """Suppress and recount; the one refusal that is allowed says that a stratum has fewer than k records."""
    rng = draw(case)
    data, keys = random_file(rng)
    settings = settings_of(rng, keys)
    mask = tc.mask.LocalSuppression(**settings)
    strata = codes_of(data, ["part"])[:, 0] if "by" in settings else np.zeros(len(data), dtype=int)
    smallest = min(np.bincount(strata)[np.unique(strata)])
    if smallest < mask.k:
        with pytest.raises(DataError, match=f"got {smallest}"):
            mask.apply(data)
        return
    masked = mask.apply(data)
    check_suppressed(data, masked, keys, mask, strata)


def check_suppressed(
    data: Microdata, masked: Microdata, keys: list[str], mask: tc.mask.LocalSuppression, strata: np.ndarray
) -> None:
    """Recount record against record; what stays is true; nothing is read off another member of the household."""
    before, after = codes_of(data, keys), codes_of(masked, keys)
    original, left = ([file.to_arrow(codes=False).column(name).to_pylist() for name in keys] for file in (data, masked))
    for old, new in zip(original, left, strict=True):
        assert all(b is None or a == b for a, b in zip(old, new, strict=True))
    views = views_of(mask, keys)
    assert is_k_anonymous_oracle(after, views, mask.k, mask.missing, strata)
    gone = (after < 0) & (before >= 0)
    if data.schema.household is None or mask.unit is False:
        return
    house = np.array([-1 if h is None else h for h in data.to_arrow().column("house").to_pylist()])
    filled = after.copy()
    for j in range(len(keys)):
        homes = [np.flatnonzero(house == h) for h in np.unique(house[house >= 0])]
        if all(len(set(before[rows, j]) - {-1}) <= 1 for rows in homes):
            for rows in homes:
                told = set(after[rows, j]) - {-1}
                assert not told or not gone[rows, j].any(), "a suppressed value stands with another member"
                filled[rows, j] = max(after[rows, j])
    if mask.missing == "wildcard":
        assert is_k_anonymous_oracle(filled, views, mask.k, mask.missing, strata), "the intruder fills in gaps"


def views_of(mask: tc.mask.LocalSuppression, keys: list[str]) -> tuple[tuple[int, ...], ...]:
    """Return the sets of keys that are to be counted, by position."""
    if mask.subsets is None:
        return (tuple(range(len(keys))),)
    if isinstance(mask.subsets, int):
        return tuple(combinations(range(len(keys)), mask.subsets))
    return tuple(tuple(keys.index(name) for name in names) for names in mask.subsets)


def suppress_exactly(case: int) -> None:
    """The optimum of a tiny file is k-anonymous and not dearer than the search."""
    rng = draw(case)
    data, keys = random_file(rng, least=2, most=9)
    keys = keys[:3]
    settings = settings_of(rng, keys) | {"k": 2, "by": (), "effort": "exact"}
    exact = tc.mask.LocalSuppression(**settings)
    masked = exact.apply(data)
    check_suppressed(data, masked, keys, exact, np.zeros(len(data), dtype=int))
    quick = tc.mask.LocalSuppression(**settings | {"effort": "fast"}).apply(data)
    price = np.ones(len(keys))
    if isinstance(exact.costs, dict):
        price = np.array([exact.costs[name] for name in keys])
    elif exact.costs is not None:
        price = np.array(exact.costs)
    elif exact.importance is not None:
        price = np.array([10.0 * (len(keys) + 1 - rank) for rank in exact.importance])
    costs = [float(((codes_of(made, keys) < 0).sum(axis=0) * price).sum()) for made in (masked, quick)]
    assert costs[0] <= costs[1] * (1 + 1e-6) + 1e-6


def suppress_by_rule(case: int) -> None:
    """A rule ends with every risk at most the threshold, or says that it cannot."""
    rng = draw(case)
    data, keys = random_file(rng, most=25)
    keys = keys[:3]
    missing = MISSING_KEYS[int(rng.integers(3))]
    mask = tc.mask.LocalSuppression(columns=keys, rule="k_anonymity", threshold=0.0, missing=missing)
    if len(data) < 3:
        with pytest.raises(DataError, match="stay above the threshold"):
            mask.apply(data)
        return
    masked = mask.apply(data)
    assert is_k_anonymous_oracle(codes_of(masked, keys), (tuple(range(len(keys))),), 3, missing)


def group(case: int) -> None:
    """Masks that make groups of equal keys: every combination k times, gaps being one more value."""
    rng = draw(case)
    data, keys = random_file(rng, most=35)
    k = int(rng.integers(2, 6))
    masks = [
        tc.mask.LocalRecode(columns=keys, k=k),
        tc.mask.LocalRecode(columns=keys, k=k, direction="top down"),
        tc.mask.Generalise(columns=keys, k=k, suppress=float(rng.choice([0.0, 10.0, 50.0]))),
        tc.mask.MixedMicroaggregation(columns=keys, k=k),
    ]
    for mask in masks:
        try:
            masked = mask.apply(data, seed=1)
        except DataError:
            assert len(data) < k or (len(data) < 2 * k and isinstance(mask, tc.mask.MixedMicroaggregation)), mask.name
            continue
        codes = codes_of(masked, keys)
        found = frequencies_oracle(codes, np.ones(len(codes)), "own category")
        empty = (codes < 0).all(axis=1) if mask.name == "generalise" else np.zeros(len(codes), dtype=bool)
        assert (found[~empty] >= k).all() or len(data) < k, mask.name
        if mask.name in ("local_recode", "generalise"):
            check_households(data, masked, keys)


def check_households(data: Microdata, masked: Microdata, keys: list[str]) -> None:
    """What was one value for a household is still one: nobody shows more than another member."""
    if data.schema.household is None:
        return
    house = np.array([-1 if h is None else h for h in data.to_arrow().column("house").to_pylist()])
    before, after = codes_of(data, keys), codes_of(masked, keys)
    homes = [np.flatnonzero(house == h) for h in np.unique(house[house >= 0])]
    for j in range(len(keys)):
        if all(len(set(before[rows, j]) - {-1}) <= 1 for rows in homes):
            for rows in homes:
                there = rows[before[rows, j] >= 0]
                assert len(set(after[there, j])) <= 1, "one member shows more than another"
