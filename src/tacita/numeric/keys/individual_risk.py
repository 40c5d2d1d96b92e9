"""Individual risk: the chance that a link to a record of a sample hits the right person of the population.

A record's keys occur f times in the sample and F times in the population. An intruder who knows that somebody with these
keys is in the sample picks one of the F, so the risk is E[1/F | f]. With F given f negative binomial, F = f + NB(f, p), where
p is estimated by f / (sum of the weights of the f records),

    r = sum_{h >= f} 1/h C(h-1, f-1) p^f (1-p)^(h-f) = p^f / f 2F1(f, f; f+1; 1-p) = p / f 2F1(1, 1; f+1; 1-p).

The last form (Euler's transformation) is the series sum_j j! f! / (f+j)! (1-p)^j, which converges fast for large f or p. For
small f and p the recurrence r_f = o (1/(f-1) - r_(f-1)) with o = p / (1-p) < 1 and r_1 = o log(1/p) damps its errors. The
usual approximation has closed forms for f = 1, 2 and p / (f - (1-p)) from 3 on.

References
----------
Benedetti, R. and Franconi, L. (1998), Statistical and technological solutions for controlled data dissemination;
Franconi, L. and Polettini, S. (2004), Individual risk estimation in mu-Argus: a review.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, FloatArray, IntArray
from tacita.core.kernel import entry

__all__ = ["grouped_risk", "individual_risk"]


_BLOCK = 2**18
_FEW = 20
"""Frequencies from which the series needs few terms whatever p is."""


def individual_risk(fk: FloatArray, total: FloatArray, *, is_exact: bool = True) -> FloatArray:
    """Return E[1/F | f] for sample frequencies and estimated population frequencies. O(m).

    A population frequency below the sample's is taken as the sample's: then nobody else is there, and r = 1/f.

    Examples
    --------
    >>> individual_risk(np.array([1.0, 2.0]), np.array([1.0, 100.0])).round(4).tolist()
    [1.0, 0.0188]
    """
    f = np.asarray(fk, dtype=np.float64)
    p = np.asarray(np.maximum(total, f))
    np.divide(f, p, out=p)
    if is_exact:
        for start in range(0, len(p), _BLOCK):  # a block at a time, where the shares were
            part = slice(start, start + _BLOCK)
            p[part] = _expected_inverse(f[part], p[part])
        return p
    risk = p / (f - (1.0 - p))  # the approximation from f = 3 on
    few = (f < 3) & (p < 1)
    odds, log = p[few] / (1 - p[few]), -np.log(p[few])
    risk[few] = np.where(f[few] == 1, odds * log, odds - odds**2 * log)
    return np.asarray(risk)


@entry
def _expected_inverse(frequencies: Float1, shares: Float1) -> FloatArray:
    risk = np.empty(len(frequencies))
    for i in range(len(frequencies)):
        f, p = frequencies[i], shares[i]
        if f < _FEW and p < 0.5 and f == np.floor(f):
            odds = p / (1 - p)
            value = -odds * np.log(p)  # r_1
            for step in range(1, int(f)):
                value = odds * (1 / step - value)  # r_f from r_(f-1)
        else:
            total, term, j = 1.0, 1.0, 0.0
            while term > 1e-17 * total:
                j += 1
                term *= (1 - p) * j / (f + j)  # j! f! / (f+j)! (1-p)^j
                total += term
            value = p / f * total  # p / f 2F1(1, 1; f+1; 1-p)
        risk[i] = value
    return risk


def grouped_risk(risk: FloatArray, groups: IntArray, *, overwrite: bool = False) -> FloatArray:
    """Return for each record the chance that at least one member of its group is found: 1 - prod (1 - r). O(n).

    With ``overwrite`` the result stands where the risks were.
    """
    logs = np.minimum(risk, 1.0, out=risk if overwrite else None)
    np.negative(logs, out=logs)
    with np.errstate(divide="ignore"):
        np.log1p(logs, out=logs)  # minus infinity where a member is sure to be found
    found = ~np.isfinite(logs)
    logs[found] = 0.0
    sums = np.bincount(groups, weights=logs)
    sure = np.bincount(groups[found], minlength=len(sums)) > 0
    # Every group is there, so nothing is cut off.
    return np.take(np.where(sure, 1.0, -np.expm1(sums)), groups, out=logs, mode="clip")
