"""Noise for sums, scaled to the largest contributors of a cell: signs belong to contributors, sizes to cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.keyed import Key
from tacita.numeric.perturbation.set_keys import keyed_uniforms, set_uniforms

__all__ = ["contributor_noise", "flexible_share"]


def flexible_share(
    size: FloatArray, *, small: float, large: float, point: float | None, power: float = 3.0
) -> FloatArray:
    """Return how large noise is as a share of a contribution: ``small`` up to a point, falling to ``large`` far beyond it.

    ``m(x) = large (1 + (small x - large f) / (large f) (2 f / (f + x))^q)`` from the point f on, which is ``small`` at f.

    Parameters
    ----------
    size
        Contributions, without sign.
    small, large
        Shares of small and of large contributions.
    point
        f; None for ``small`` everywhere.
    power
        q, how fast the share falls.

    References
    ----------
    Giessing, S. and Tent, R. (2019), Concepts for generalising tools implementing the cell key method to the case of continuous
    variables, UNECE work session on statistical data confidentiality.

    Examples
    --------
    >>> flexible_share(np.array([1.0, 100.0, 1e9]), small=0.25, large=0.05, point=100.0).round(3).tolist()
    [0.25, 0.25, 0.05]
    """
    if point is None:
        return np.full(np.shape(size), small)
    x = np.maximum(size, point)
    found = large * (1 + (small * x - large * point) / (large * point) * (2 * point / (point + x)) ** power)
    return np.asarray(np.where(size <= point, small, found))


def contributor_noise(
    amounts: FloatArray,
    contributors: npt.NDArray[np.uint64],
    sums: IntArray,
    counts: IntArray,
    *,
    key: Key,
    labels: tuple[str, ...],
    weights: FloatArray,
    spread: float,
    extra: FloatArray | None = None,
) -> FloatArray:
    """Return the noise of each sum: ``sum_k weights_k amounts_k d_k s_k``.

    d_k, minus or plus one, belongs to the contributor and is the same in every cell; s_k, uniform within ``spread`` around 1,
    belongs to the set of contributors of the cell and to k.

    Parameters
    ----------
    amounts, contributors
        (m, K): scaled sizes of the largest contributions, and a keyed word for who it is.
    sums, counts
        (m, 2) and (m,): the set behind each cell.
    key, labels
        The secret key, and what the numbers are for.
    weights
        (K,): what the largest, second largest, ... counts.
    spread
        Below 1.
    extra
        (m,): what is added to the size of the noise of the largest contribution; None for nothing.

    Notes
    -----
    Column by column, so that a cell does not depend on how many there are. O(m K).
    """
    noise = np.zeros(len(counts))
    signs = key.derive("sign", *labels)
    for k, weight in enumerate(weights[: amounts.shape[1]]):
        direction = np.where(keyed_uniforms(signs, contributors[:, k]) < 0.5, -1.0, 1.0)
        size = 1 + spread * (2 * set_uniforms(key, sums, counts, "size", str(k), *labels) - 1)
        if k == 0 and extra is not None:
            size = size + extra
        noise += weight * amounts[:, k] * direction * size
    return noise
