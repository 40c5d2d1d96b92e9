"""The cheapest local suppression, by trying every way to take keys from every record."""

from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np

from tests.oracles.numeric.frequencies import frequencies_oracle

__all__ = ["cheapest_suppression_oracle", "is_k_anonymous_oracle"]


def is_k_anonymous_oracle(
    codes: np.ndarray, views: tuple[tuple[int, ...], ...], k: int, missing: str, strata: np.ndarray | None = None
) -> bool:
    """Whether every record has k matches in every view, record against record, within strata."""
    strata = np.zeros(len(codes), dtype=int) if strata is None else strata
    for stratum in np.unique(strata):
        some = codes[strata == stratum]
        for view in views:
            if (frequencies_oracle(some[:, list(view)], np.ones(len(some)), missing) < k).any():
                return False
    return True


def _open_sets(
    row: int, codes: np.ndarray, views: tuple[tuple[int, ...], ...], k: int, missing: str, price: np.ndarray
) -> list[tuple[int, ...]]:
    """What a record may lose: anything, or under ``wildcard`` no more than it would need alone."""
    present = [j for j in range(codes.shape[1]) if codes[row, j] >= 0]
    every = list(chain.from_iterable(combinations(present, size) for size in range(len(present) + 1)))
    if missing != "wildcard":
        return every
    does = []
    for lost in every:
        trial = codes.copy()
        trial[row, list(lost)] = -1
        safe = all(frequencies_oracle(trial[:, list(view)], np.ones(len(trial)), missing)[row] >= k for view in views)
        if safe:
            does.append(lost)
    fewest = min(len(lost) for lost in does)
    cheapest = min(price[list(lost)].sum() for lost in does)
    return [lost for lost in every if len(lost) <= fewest or price[list(lost)].sum() <= cheapest + 1e-9]


def cheapest_suppression_oracle(
    codes: np.ndarray, views: tuple[tuple[int, ...], ...], k: int, missing: str, price: np.ndarray
) -> float:
    """Return the least cost over all combinations of what each record may lose."""
    sets = [_open_sets(row, codes, views, k, missing, price) for row in range(len(codes))]
    best = np.inf
    for choice in product(*sets):
        cost = sum(price[list(lost)].sum() for lost in choice)
        if cost >= best:
            continue
        trial = codes.copy()
        for row, lost in enumerate(choice):
            trial[row, list(lost)] = -1
        if is_k_anonymous_oracle(trial, views, k, missing):
            best = cost
    return float(best)
