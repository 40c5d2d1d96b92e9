"""Poisson regression of the cells of a table on dummy variables, by Newton steps."""

from __future__ import annotations

import itertools

import numpy as np

__all__ = ["poisson_means_oracle"]


def poisson_means_oracle(
    counts: np.ndarray,
    margins: list[tuple[int, ...]],
    offset: np.ndarray | None = None,
    regressor: np.ndarray | None = None,
) -> np.ndarray:
    """Return the fitted means; one dummy for each cell of each margin, redundant ones dropped by least squares."""
    cells = list(itertools.product(*[range(size) for size in counts.shape]))
    columns = []
    for axes in margins:
        for values in itertools.product(*[range(counts.shape[a]) for a in axes]):
            columns.append([float(all(cell[a] == v for a, v in zip(axes, values, strict=True))) for cell in cells])
    if regressor is not None:
        columns.append((regressor.ravel() / regressor.mean()).tolist())
    design, f = np.array(columns).T, counts.ravel()
    shift = np.zeros(f.size) if offset is None else offset.ravel()
    mean = f + 0.5
    for _ in range(60):
        aim = np.log(mean) - shift + (f - mean) / mean
        root = np.sqrt(mean)
        beta = np.linalg.lstsq(design * root[:, None], aim * root, rcond=None)[0]
        mean = np.exp(design @ beta + shift)
    return mean.reshape(counts.shape)
