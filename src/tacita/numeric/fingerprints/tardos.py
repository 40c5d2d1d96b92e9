"""Tardos codes: random codewords such that whatever a few recipients make of their copies still points at one of them.

References
----------
Tardos, G. (2008). Optimal probabilistic fingerprint codes. Journal of the ACM 55(2), article 10.
Skoric, B., Katzenbeisser, S., Celik, M. (2008). Symmetric Tardos fingerprinting codes for arbitrary alphabet sizes. Designs,
Codes and Cryptography 46, 137-166.
Nuida, K. et al. (2009). An improvement of discrete Tardos fingerprinting codes. Designs, Codes and Cryptography 52, 339-362.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError

__all__ = [
    "MOST_COLLUDERS",
    "accusation_scores",
    "bias_distribution",
    "draw_biases",
    "draw_codewords",
    "length_needed",
    "soft_scores",
    "symbol_scores",
]

MOST_COLLUDERS = 64
"""Larger coalitions want codes longer than any file has room for."""
_AT_ONCE = 2**22


def bias_distribution(coalition: int) -> tuple[FloatArray, FloatArray]:
    """Return the values that a bias may have and their probabilities, for coalitions of up to so many recipients.

    The expected score of a coalition must not depend on what it does: for f_x(p) = p^x (1 - p)^(c - x) and 0 < x < c,

        E_p[ sqrt(p (1 - p)) f_x'(p) ] = 0,

    and the density 1 / (pi sqrt(p (1 - p))) of Tardos gives it for all c. Since f' has degree c - 1, Gauss-Legendre quadrature
    with K = ceil(c / 2) points gives it exactly too (Nuida et al.): P(p_k) is proportional to w_k / sqrt(p_k (1 - p_k)).

    Parameters
    ----------
    coalition
        Most recipients who put their copies together.

    Raises
    ------
    ParameterError
        When ``coalition`` is below 1 or above 64.

    Complexity
    ----------
    O(c^3).

    Examples
    --------
    >>> values, chances = bias_distribution(4)
    >>> values.round(5).tolist(), chances.round(5).tolist()
    ([0.21132, 0.78868], [0.5, 0.5])
    """
    if not 1 <= coalition <= MOST_COLLUDERS:
        raise ParameterError(f"'coalition' must be in [1, {MOST_COLLUDERS}], got {coalition}.")
    nodes, weights = np.polynomial.legendre.leggauss((coalition + 1) // 2)
    values = np.asarray((1.0 + nodes) / 2.0, np.float64)
    chances = weights / np.sqrt(values * (1.0 - values))
    return values, np.asarray(chances / chances.sum(), np.float64)


def draw_biases(length: int, coalition: int, rng: np.random.Generator) -> FloatArray:
    """Return (length,): for each position of the code how often its symbol is 1; this is as secret as a key.

    Parameters
    ----------
    length
        Number of positions.
    coalition
        Most recipients who put their copies together.
    rng
        Where the draws come from.

    Raises
    ------
    ParameterError
        When ``length`` is below 1 or ``coalition`` is out of range.

    Complexity
    ----------
    O(length).

    Examples
    --------
    >>> draw_biases(3, 2, np.random.default_rng(1)).tolist()  # for two, half of the symbols are 1
    [0.5, 0.5, 0.5]
    """
    if length < 1:
        raise ParameterError(f"'length' must be at least 1, got {length}.")
    values, chances = bias_distribution(coalition)
    return np.asarray(values[rng.choice(len(values), size=length, p=chances)], np.float64)


def draw_codewords(p: FloatArray, recipients: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return (recipients, length): a codeword each, with every symbol 1 with the bias of its position.

    Parameters
    ----------
    p
        (length,): the biases.
    recipients
        Number of codewords.
    rng
        Where the draws come from. The codewords of fewer recipients are the first of those of more.

    Complexity
    ----------
    O(recipients x length).

    Examples
    --------
    >>> draw_codewords(np.array([0.1, 0.9]), 4, np.random.default_rng(1)).tolist()
    [[0, 0], [0, 0], [0, 1], [0, 1]]
    """
    _check_biases(p)
    if recipients < 0:
        raise ParameterError(f"'recipients' must not be negative, got {recipients}.")
    words = np.empty((recipients, len(p)), np.uint8)
    step = max(_AT_ONCE // len(p), 1)
    for first in range(0, recipients, step):
        words[first : first + step] = rng.random((min(step, recipients - first), len(p))) < p
    return words


def symbol_scores(p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what the symbols 0 and 1 of a codeword score where 1 was received: mean 0 and variance 1 under the bias.

        U_1 = sqrt((1 - p) / p),    U_0 = -sqrt(p / (1 - p)).

    Examples
    --------
    >>> [score.tolist() for score in symbol_scores(np.array([0.2]))]
    [[-0.5], [2.0]]
    """
    odds = np.sqrt(p / (1.0 - p))
    return -odds, 1.0 / odds


def soft_scores(weights: FloatArray, codewords: npt.NDArray[np.uint8], p: FloatArray) -> FloatArray:
    """Return (recipients,): S_r = sum_j w_j U(x_rj, p_j), where w_j says how far what was received leans to 1.

    Given weights and biases, the score of an innocent recipient has mean 0 and variance sum_j w_j^2, whatever a coalition did.

    Parameters
    ----------
    weights
        (length,): above 0 for a 1, below 0 for a 0, and 0 where nothing is known.
    codewords
        (recipients, length).
    p
        (length,): the biases.

    Complexity
    ----------
    O(recipients x length) time, in blocks.

    Examples
    --------
    >>> soft_scores(np.array([1.0, -0.5]), np.array([[1, 0], [0, 1]], np.uint8), np.array([0.5, 0.5])).tolist()
    [1.5, -1.5]
    """
    _check_biases(p)
    if weights.shape != p.shape or codewords.ndim != 2 or codewords.shape[1] != len(p):
        raise ParameterError("'received', 'codewords' and 'p' must have the same number of positions.")
    zero, one = symbol_scores(p)
    gain, base = weights * (one - zero), float(weights @ zero)
    scores = np.empty(len(codewords))
    step = max(_AT_ONCE // len(p), 1)
    for first in range(0, len(codewords), step):
        scores[first : first + step] = codewords[first : first + step].astype(np.float64) @ gain + base
    return scores


def accusation_scores(
    received: npt.NDArray[np.int64] | npt.NDArray[np.int8], codewords: npt.NDArray[np.uint8], p: FloatArray
) -> FloatArray:
    """Return (recipients,): the symmetric scores of Skoric et al. for a word that was received.

        S_r = sum over y_j = 1 of U(x_rj, p_j)  -  sum over y_j = 0 of U(x_rj, p_j).

    Parameters
    ----------
    received
        (length,): 0, 1, or -1 where a position was erased.
    codewords
        (recipients, length): 0 and 1.
    p
        (length,): the biases.

    Raises
    ------
    ParameterError
        When a symbol is none of these, or the lengths differ.

    Complexity
    ----------
    O(recipients x length).

    Examples
    --------
    >>> words = np.array([[1, 0, 1], [0, 0, 1]], np.uint8)
    >>> accusation_scores(np.array([1, 0, -1]), words, np.array([0.2, 0.5, 0.5])).tolist()
    [3.0, 0.5]
    """
    if not np.isin(received, (-1, 0, 1)).all():
        raise ParameterError("'received' must be 0, 1, or -1 where a position was erased.")
    weights = np.where(received < 0, 0.0, 2.0 * np.asarray(received, np.float64) - 1.0)
    return soft_scores(weights, codewords, p)


def length_needed(recipients: int, coalition: int, false_accusation: float, missed: float = 0.05) -> int:
    """Return how many positions it takes to name one of a coalition.

    A coalition of c has the expected score mu = 2 E[sqrt(p (1 - p))] for each position, whatever it does, so that one of them has
    at least m mu / c, while an innocent one has mean 0 and variance m. With z the upper quantiles of the normal distribution,

        m = (c / mu)^2 (z(false_accusation / n) + z(missed))^2.

    Parameters
    ----------
    recipients
        n: number of recipients.
    coalition
        c: most of them who put their copies together.
    false_accusation
        Chance that any innocent one is named.
    missed
        Chance that nobody of the coalition is named.

    Complexity
    ----------
    O(1).

    Notes
    -----
    This plans a code. What a trace says of a chance is a proven bound for the file in hand (``innocent.py``).

    Examples
    --------
    >>> length_needed(100, 4, 1e-4)
    983
    >>> length_needed(100, 1, 1e-4)
    41
    """
    values, chances = bias_distribution(coalition)
    for name, chance in (("false_accusation", false_accusation), ("missed", missed)):
        if not 0 < chance < 1:
            raise ParameterError(f"'{name}' must be above 0 and below 1, got {chance}.")
    if recipients < 1:
        raise ParameterError(f"'recipients' must be at least 1, got {recipients}.")
    mean = 2.0 * float(chances @ np.sqrt(values * (1.0 - values)))
    apart = float(norm.isf(false_accusation / recipients) + norm.isf(missed))
    return math.ceil((coalition / mean * apart) ** 2)


def _check_biases(p: FloatArray) -> None:
    if p.ndim != 1 or not len(p) or not (np.isfinite(p).all() and p.min() > 0 and p.max() < 1):
        raise ParameterError("'p' must be a row of probabilities above 0 and below 1.")
