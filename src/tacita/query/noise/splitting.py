"""What an attacker has left of the noise who splits a set in many ways and adds up the parts.

A split of a set S into p parts gives an estimate ``y_j = N + noise`` of its count N from p answers. With layered noise
(standard deviations s for sets, c for conditions, r for records; S described by C conditions, N members) the covariance of
two estimates is ``p_j p_k C c^2 + N r^2``, and of one with itself p_j (s^2 + c^2) more: every part repeats the conditions of
S, adds one of its own and a set of its own, while the records add up to the same whatever the split.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.query.noise.output_noise import LayeredNoise

__all__ = ["miss_probability", "remaining_variance", "variance_at_depth"]


def remaining_variance(
    noise: LayeredNoise,
    parts: Sequence[int],
    *,
    conditions: int = 1,
    members: int = 0,
    direct: bool = False,
    attacker: Literal["average", "best"] = "best",
) -> float:
    """Return the variance of the attacker's estimate of a set's count.

    Parameters
    ----------
    noise
        The layers. Noise keyed by sets alone, such as cell keys, is ``LayeredNoise(sd_set=..., sd_record=0)``.
    parts
        For each answered split the number of its parts, at least 2.
    conditions
        C, how many conditions describe the set.
    members
        How many records the set has, for the layer of records.
    direct
        Whether the answer about the set itself is used as well.
    attacker
        ``average`` takes the mean of all estimates; ``best`` the linear unbiased estimate of least variance.

    Notes
    -----
    The best weights minimise w' S w with weights that add up to 1. The layer of records is the same in every estimate, so no
    weights touch it. Complexity: O(t + k^3) for t splits into k different numbers of parts.

    Examples
    --------
    Cell keys of variance 2 after 200 splits in two, and layers after the same:

    >>> remaining_variance(LayeredNoise(sd_set=2**0.5, sd_record=0), [2] * 200).__round__(6)
    0.02
    >>> remaining_variance(LayeredNoise(sd_set=2**0.5, sd_record=0.5), [2] * 200, members=40).__round__(6)
    10.02
    """
    if not len(parts) and not direct:
        raise ParameterError("remaining_variance: there must be a split, or the direct answer.")
    if any(p < 2 for p in parts):
        raise ParameterError("remaining_variance: 'parts' must be at least 2 for each split.")
    # Splits into equally many parts are alike, and the best weights of them equal: one estimate stands for all.
    p, often = np.unique(np.array([1] * direct + list(parts), dtype=float), return_counts=True)
    own = np.where(p > 1, p * (noise.sd_set**2 + noise.sd_condition**2), noise.sd_set**2) / often
    covariance = conditions * noise.sd_condition**2 * np.outer(p, p) + np.diag(own)
    weights = often / often.sum() if attacker == "average" else _best_weights(covariance)
    return max(float(weights @ covariance @ weights), 0.0) + members * noise.sd_record**2


def _best_weights(covariance: FloatArray) -> FloatArray:
    """Return the weights that add up to 1 with the least variance, also where the covariance is singular."""
    t = len(covariance)
    system = np.ones((t + 1, t + 1))
    system[:t, :t] = covariance
    system[t, t] = 0.0
    return np.asarray(np.linalg.lstsq(system, np.append(np.zeros(t), 1.0), rcond=None)[0][:t])


def variance_at_depth(variance: float, limit: int, depth: int) -> float:
    """Return what an attacker has left who uses every allowed split of a set, and of its parts, and of theirs.

    Noise of one variance V for each set, ``limit`` splits in two for each: a set without further splits has ``v_0 = V``;
    with parts known to v_d its own best estimate has ``1 / v_(d+1) = 1 / V + limit / (2 v_d)``.

    Parameters
    ----------
    variance
        V.
    limit
        How many decompositions of each set are answered.
    depth
        How often parts are split again.

    Notes
    -----
    Parts of different splits are taken as independent, which helps the attacker. With a limit of 2 or more it falls without
    end as the depth grows; small universes must be refused, or noise have a layer that adds up as records do.

    Examples
    --------
    >>> [round(variance_at_depth(3.0, 5, depth), 3) for depth in (0, 1, 2)]
    [3.0, 0.857, 0.308]
    """
    left = variance
    for _ in range(depth if variance > 0 else 0):
        left = 1 / (1 / variance + limit / (2 * left))
    return left


def miss_probability(variance: float) -> float:
    """Return the chance that an estimate with normal error of this variance, rounded to a whole number, is not the true count.

    It is ``P(abs(error) > 1/2)``.

    Examples
    --------
    Uniform noise within r has the variance r (r + 1) / 3; after 200 splits in two, r = 2, 3, 5 leave

    >>> [round(100 * miss_probability(2 * r * (r + 1) / 3 / 200), 2) for r in (2, 3, 5)]
    [0.04, 1.24, 11.38]
    """
    from math import erfc, sqrt

    return erfc(0.5 / sqrt(2 * variance)) if variance > 0 else 0.0
