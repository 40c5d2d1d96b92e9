"""Noise in two layers: one belongs to a record and stays in all models, one belongs to the model and the members."""

from __future__ import annotations

import math

import numpy as np

from tacita.core.arrays import FloatArray, WordArray
from tacita.core.errors import DataError
from tacita.core.keyed import Key, KeyPart

__all__ = ["keyed_normals", "layered_noise", "step_of"]


def keyed_normals(key: Key, ids: WordArray, *parts: KeyPart) -> FloatArray:
    """Return one standard normal number for each record: always the same for the same key, record and parts.

    The keyed number of a record, 53 bits of it, goes through the inverse of the normal distribution function. O(n).

    Examples
    --------
    >>> key = Key(b"0123456789abcdef")
    >>> both = keyed_normals(key, np.array([7, 8], dtype=np.uint64), "noise")
    >>> bool(keyed_normals(key, np.array([8], dtype=np.uint64), "noise")[0] == both[1])
    True
    """
    from scipy.special import ndtri

    return np.asarray(ndtri(((key.record_order(ids, *parts) >> np.uint64(11)) + 0.5) * 2.0**-53))


def step_of(scale: float) -> int:
    """Return the k of the smallest power 2^k that is not below a scale.

    Raises
    ------
    DataError
        When the scale is not a number above 0: the model fits exactly.

    Examples
    --------
    >>> step_of(1.0), step_of(1.01), step_of(0.3)
    (0, 1, -1)
    """
    if not (math.isfinite(scale) and scale > 0):
        raise DataError("Residual plots need residuals that are not all 0; the model fits exactly.")
    return math.ceil(round(math.log2(scale), 9))  # what the order of adding changes stands far behind


def layered_noise(
    key: Key,
    ids: WordArray,
    scale: float,
    *,
    response: str,
    model: bytes,
    sigma: float,
    model_sigma: float,
) -> FloatArray:
    """Return the noise of each record's residual, in units of the response.

    With s the standard deviation of the residuals and c = 2^k the next power of two at or above s,

        n_j = sigma c Z1(response, k, j) + model_sigma s Z2(model, members, j),

    both Z standard normal, keyed by the record j, so that all synthetic points of one unit have one noise.

    Parameters
    ----------
    key
        Secret key, derived for the data version.
    ids
        (n,): what identifies each record.
    scale
        Standard deviation s of the residuals.
    response
        Name of the response.
    model
        Name of the model and of its universe's members.
    sigma, model_sigma
        Of the two layers, in standard deviations of the residuals.

    Returns
    -------
    FloatArray
        (n,): to be added to the residuals.

    Raises
    ------
    DataError
        When the scale is not above 0.

    Complexity
    ----------
    O(n): two passes of AES.

    Notes
    -----
    Let an attacker know all coefficients and the target's predictors, so that from every model m he can compute
    o_m = fitted_m + shown residual_m = y + n_m. Three things that he may do:

    *Averaging* over M models. One fresh seed for each model, o_m = y + s sigma Z_m, leaves him the variance s^2 sigma^2 / M,
    which is nothing for large M. Here the first layer is the same in all models whose s has the same k: the average keeps

        sigma^2 c^2 + model_sigma^2 s^2 / M.

    He may combine models with different k, whose Z1 are independent. The best weights are inverse to the variances, and the sum
    of 1 / (sigma 2^k)^2 over all k from the least on is 4/3 of its first term: whatever he asks, at least

        (3/4) sigma^2 s^2,    s the least residual standard deviation of his models,

    remains, a standard deviation of 0.87 sigma s.

    *Solving* two models for y. One seed for each response, on the scale of standardised residuals, is one unknown number: from
    o_A = y + s_A sigma Z and o_B = y + s_B sigma Z he gets y = (s_A o_B - s_B o_A) / (s_A - s_B) without any error. Here the
    first layer has the scale c and not s: within one k it is added to y itself, and no set of models tells y and y + sigma c Z1
    apart; between two k the numbers Z1 are independent.

    *Differencing* two models A, B of one k, in which the first layer cancels. What is to be learned is
    fitted_B - fitted_A of the target, hence its value of a predictor that only one of them has. It keeps the variance

        model_sigma^2 (s_A^2 + s_B^2),    about 2 model_sigma^2 s^2,

    where one seed for each response leaves (sigma (s_A - s_B))^2, near 0.

    The weakest place: with m *pairs* of models that differ by the same predictor, the difference keeps 2 model_sigma^2 s^2 / m,
    divided by the squared coefficient. The number of closely related models is for the policy to limit. A new data version has
    new noise for everybody: V versions in which a record stays the same divide the first layer's variance by V.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.2.1, where
    one seed for each dependent variable is advised.

    Examples
    --------
    >>> key, ids = Key(b"0123456789abcdef"), np.arange(3, dtype=np.uint64)
    >>> one = layered_noise(key, ids, 5.0, response="y", model=b"a", sigma=0.4, model_sigma=0.0)
    >>> other = layered_noise(key, ids, 7.9, response="y", model=b"b", sigma=0.4, model_sigma=0.0)
    >>> bool((one == other).all())
    True
    """
    k = step_of(scale)
    kept = keyed_normals(key, ids, "record", response, k)
    kept *= sigma * 2.0**k
    kept += model_sigma * scale * keyed_normals(key, ids, "model", model)
    return kept
