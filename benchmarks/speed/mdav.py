"""MDAV against the plain compiled loop over all records, and its growth with the number of records."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numba as nb
import numpy as np

from benchmarks.tables import ratio_of, timed
from tacita.numeric.microaggregation.mdav.mdav import mdav_partition

__all__ = ["run"]

K = 3


@nb.njit(cache=True)
def _squared(x: np.ndarray, row: int, q: np.ndarray) -> float:
    total = 0.0
    for j in range(q.size):
        total += (x[row, j] - q[j]) * (x[row, j] - q[j])
    return total


@nb.njit(cache=True)
def plain_mdav(x: np.ndarray, k: int) -> np.ndarray:
    """Row by row: three passes over the records left for each pair of groups. O(n^2 d / k) time."""
    n, d = x.shape
    labels, left, size, group = np.full(n, -1), np.arange(n), n, 0
    total, distances = np.zeros(d), np.empty(n)
    for i in range(n):
        total += x[i]
    near, rows = np.empty(k), np.empty(k, np.int64)
    while size >= 2 * k:
        pairs = 2 if size >= 3 * k else 1
        centre = total / size
        seed, best = -1, -1.0
        for i in range(size):
            distance = _squared(x, left[i], centre)
            if distance > best:
                seed, best = left[i], distance
        for s in range(pairs):
            q, partner, best, count = x[seed].copy(), -1, -1.0, 0
            for i in range(size):
                distances[i] = _squared(x, left[i], q)
                if s == 0 and pairs == 2 and distances[i] > best and left[i] != seed:
                    partner, best = left[i], distances[i]
            for i in range(size):
                row, distance = left[i], distances[i]
                if row in (seed, partner) or (count == k - 1 and distance >= near[count - 1]):
                    continue
                count = min(count + 1, k - 1)
                place = count - 1
                while place > 0 and near[place - 1] > distance:
                    near[place], rows[place] = near[place - 1], rows[place - 1]
                    place -= 1
                near[place], rows[place] = distance, row
            rows[k - 1] = seed
            for row in rows:
                labels[row] = group
                total -= x[row]
            group += 1
            kept = 0
            for i in range(size):
                if labels[left[i]] < 0:
                    left[kept] = left[i]
                    kept += 1
            size, seed = kept, partner
    for i in range(size):
        labels[left[i]] = group
    return labels


def _standardised(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray((x - x.mean(axis=0)) / x.std(axis=0))


def _normal(n: int, d: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((n, d))


def _log_normal(n: int, d: int) -> np.ndarray:
    return _standardised(np.exp(_normal(n, d)))


def _correlated(n: int, d: int) -> np.ndarray:
    """Three factors and noise."""
    rng = np.random.default_rng(2)
    return _standardised(rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) + 0.3 * _normal(n, d))


def _sphere(n: int, d: int) -> np.ndarray:
    """All records equally far from the centre: nothing a bound could leave out easily."""
    x = _normal(n, d)
    return x / np.sqrt((x**2).sum(axis=1, keepdims=True))


def _against_plain(case: str, x: np.ndarray, target: str) -> dict[str, Any]:
    """Times of one run each, ours twice because it is short; both compiled before."""
    plain_mdav(x[:100], K)
    ours = timed(lambda: mdav_partition(x, K), repeats=2)
    start = time.perf_counter()
    labels = plain_mdav(x, K)
    plain = time.perf_counter() - start
    if not np.array_equal(labels, mdav_partition(x, K)):
        raise AssertionError(f"the plain loop gives another partition for {case}")
    n, d = x.shape
    return {
        "case": case,
        "n": n,
        "d": d,
        "ours_s": ours,
        "plain_s": plain,
        "ratio": ratio_of(plain, ours),
        "target": target,
    }


def _against_oracle(n: int) -> dict[str, Any]:
    """Against the obvious numpy version that the tests compare with."""
    from tests.oracles.numeric.mdav import mdav_partition_oracle

    x = _normal(n, 5)
    ours = timed(lambda: mdav_partition(x, K))
    start = time.perf_counter()
    mdav_partition_oracle(x, K)
    slow = time.perf_counter() - start
    return {
        "case": "normal, numpy oracle",
        "n": n,
        "d": 5,
        "ours_s": ours,
        "plain_s": slow,
        "ratio": ratio_of(slow, ours),
    }


def _growth(
    case: str, make: Callable[[int, int], np.ndarray], sizes: tuple[int, int], target: str
) -> list[dict[str, Any]]:
    times = []
    for n in sizes:
        x = make(n, 5)
        mdav_partition(x[:1000], K)
        runs = []
        for _ in range(2):
            start = time.perf_counter()
            mdav_partition(x, K)
            runs.append(time.perf_counter() - start)
        times.append(min(runs))
    rows: list[dict[str, Any]] = [
        {"case": f"growth, {case}", "n": n, "d": 5, "ours_s": t} for n, t in zip(sizes, times, strict=True)
    ]
    exponent = math.log(times[1] / times[0]) / math.log(sizes[1] / sizes[0])
    rows.append({"case": f"growth exponent, {case}", "d": 5, "ratio": exponent, "target": target})
    return rows


def run(quick: bool) -> list[dict[str, Any]]:
    """Time MDAV with k = 3 on several kinds of data."""
    # The targets are for 100 000 records and more: the plain loop grows like n^2, ours does not.
    n, five, twenty, nine = (20_000, "", "", "") if quick else (100_000, ">= 5", ">= 20", ">= 9")
    sizes = (20_000, 100_000) if quick else (100_000, 1_000_000)
    return [
        _against_oracle(2000),
        _against_plain("normal", _normal(n, 5), five),
        _against_plain("log-normal", _log_normal(n, 5), twenty),
        _against_plain("normal", _normal(n, 13), nine),
        _against_plain("log-normal", _log_normal(n, 13), nine),
        _against_plain("correlated", _correlated(n, 13), nine),
        _against_plain("sphere", _sphere(n, 13), nine),
        *_growth("normal", _normal, sizes, "<= 1.3"),
        *_growth("log-normal", _log_normal, sizes, "<= 1.6"),
    ]
