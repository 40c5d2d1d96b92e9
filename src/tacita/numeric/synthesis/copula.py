"""Draws of correlated shares: independent ones by a normal copula, or one in each stratum by a Latin hypercube.

Both start from independent normals z, made to have the correlations L, and look at the ranks of what the shares ``Phi(z)`` make.
Ties (few classes, a common number) make these correlate less than z does, so L is moved by what lacks until they correlate as
wanted:

    L <- L + (R - R(L)),      brought to a correlation matrix each time.

The copula does so on normals of its own and then draws any number of records. The Latin hypercube does so on its very records: in
each column every one of n equal strata has exactly one share, and only the pairing of columns is by the ranks of z. Where no
correlation matrix makes what is wanted (a column that follows from others, a gap that follows from a class), the nearest that was
met is taken, by the sum of squares.

References
----------
Nelsen, R. B. (2006), An introduction to copulas; Cario, M. C. and Nelson, B. L. (1997), Modeling and generating random vectors
with arbitrary marginal distributions and correlation matrix. Iman, R. L. and Conover, W. J. (1982), A distribution-free approach
to inducing rank correlation among input variables, Communications in Statistics B 11, 311-334; Florian, A. (1992), An efficient
sampling scheme: updated Latin hypercube sampling, Probabilistic Engineering Mechanics 7, 123-130 (the pairing improved by what it
lacks); Dandekar, R. A., Cohen, M. and Kirkendall, N. (2002), Sensitive micro data protection using Latin hypercube sampling
technique, Lecture Notes in Computer Science 2316, 117-125.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.synthesis.latent import LatentFile, latent_factor, rank_agreement

__all__ = ["copula_correlations", "copula_shares", "latin_shares"]

_FEWEST, _MOST = 1024, 8192
"""Records by which the latent correlations of a copula are sought: twice as many as were learnt from, within these limits."""
_ROUNDS = 30
_NEAR, _BETTER, _IDLE = 0.001, 0.98, 3
"""A round that comes nearer than so much ends the search, and so do rounds in a row without so much of what lacked before."""
_LATIN_ROUNDS = 8


def copula_correlations(file: LatentFile, rng: np.random.Generator) -> FloatArray:
    """Return latent correlations with which drawn records have the rank correlations of the file. 30 rounds of O(d^2)."""
    d = len(file.margins)
    n = max(min(2 * file.learnt_from, _MOST), _FEWEST, 8 * d)
    z = _whitened(rng.standard_normal((n, d)))
    return _sought(file, z, _shares_of, _ROUNDS)[0]


def copula_shares(correlations: FloatArray, n: int, rng: np.random.Generator) -> FloatArray:
    """Draw n records of correlated shares. O(n d^2) time.

    Examples
    --------
    >>> shares = copula_shares(np.array([[1.0, 0.9], [0.9, 1.0]]), 2000, np.random.default_rng(1))
    >>> bool(0.8 < np.corrcoef(shares.T)[0, 1] < 0.95), bool(abs(shares.mean() - 0.5) < 0.02)
    (True, True)
    """
    return _shares_of(rng.standard_normal((n, len(correlations))) @ latent_factor(correlations).T)


def latin_shares(file: LatentFile, n: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Draw n records of shares, one in each of n strata of every column, paired as the file's ranks. O(n d (d + log n)).

    Returns
    -------
    tuple
        The shares, and latent correlations by which further records can be drawn.
    """
    d = len(file.margins)
    strata = (np.arange(n)[:, None] + rng.random((n, d))) / max(n, 1)
    z = rng.standard_normal((n, d))
    if n <= d + 1:  # too few records for a correlation of their own
        correlations = copula_correlations(file, rng)
        return _paired(z @ latent_factor(correlations).T, strata), correlations
    correlations, shares = _sought(file, _whitened(z), lambda scores: _paired(scores, strata), _LATIN_ROUNDS)
    return shares, correlations


def _sought(
    file: LatentFile, z: FloatArray, shares_of: Callable[[FloatArray], FloatArray], rounds: int
) -> tuple[FloatArray, FloatArray]:
    """Return the latent correlations, and shares, whose ranks come nearest to those wanted."""
    latent = 2 * np.sin(np.pi / 6 * file.wanted)
    best, nearest, idle = (latent, np.empty(0)), np.inf, 0
    for _ in range(rounds):
        factor = latent_factor(latent)
        shares = shares_of(z @ factor.T)
        lacks = file.wanted - rank_agreement(file.ranks_at(shares) - 0.5)
        off = float((lacks * lacks).sum())
        idle = 0 if off < _BETTER * nearest else idle + 1
        if off < nearest:
            best, nearest = (latent, shares), off
        if np.abs(lacks).max(initial=0.0) <= _NEAR or idle == _IDLE:
            break
        latent = factor @ factor.T + lacks
    return best


def _shares_of(z: FloatArray) -> FloatArray:
    from scipy.special import ndtr  # loads when used

    return np.asarray(ndtr(z))


def _paired(scores: FloatArray, strata: FloatArray) -> FloatArray:
    """Return the strata of each column in the order of its scores."""
    made = np.empty_like(strata)
    for j in range(scores.shape[1]):
        made[np.argsort(scores[:, j], kind="stable"), j] = strata[:, j]
    return made


def _whitened(z: FloatArray) -> FloatArray:
    """Return normals whose sample is uncorrelated exactly, with variance 1."""
    q = np.linalg.qr(z - z.mean(axis=0))[0]
    return np.asarray(q * np.sqrt(len(z)))
