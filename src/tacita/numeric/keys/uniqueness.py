"""Population uniqueness from the frequencies of a sample: how many sample uniques nobody else in the population equals.

A class is a combination of key values. The sample of n out of N has c_j classes of size j, u in all; f = n / N. Each model gives
P = P(F = 1 | f = 1), the chance that a class of one record in the sample is one of one person in the population, and the
expected number of population uniques.

zayatz
    The shares c_j / u are taken for the shares of class sizes in the population; by Bayes' rule with hypergeometric H,
    P = c_1 H(1; N, 1, n) / sum_j c_j H(1; N, j, n); population uniques: c_1 P / f.
pitman
    The sampling formula of Ewens and Pitman. A person is of a new class with probability (theta + alpha u) / (theta + n) and of a
    given class of size j with (j - alpha) / (theta + n); the parameters maximise the likelihood
    prod_{i<u} (theta + i alpha) / prod_{i<n} (theta + i) prod_j ((1 - alpha) ... (j - 1 - alpha))^c_j. A sample unique stays
    unique when the other N - n persons miss it, P = prod_{i=n}^{N-1} (theta + i - 1 + alpha) / (theta + i); each of these
    persons is unique with probability (theta + alpha u) / (theta + n) prod_{i=n+1}^{N-1} (theta + i - 1 + alpha) / (theta + i).
negative binomial
    Slide negative binomial: F - 1 has the negative binomial distribution with size a and probability b. Of a class, the first
    person is in the sample with probability f, of the others NB(a, b') with b' = b / (b + f (1 - b)), so
    P(f = j) = (1 - f) NB(j) + f NB(j - 1). Then P = f b^a / P(f = 1), and there are K b^a population uniques among
    K = u / (1 - P(f = 0)) classes.
dankar
    The rule of Dankar et al. between these: Pitman's model where f is at most 0.1 (Zayatz's where its fit gives nothing), else
    the one of the other two with fewer population uniques.

References
----------
Zayatz, L. (1991), Estimation of the percent of unique population elements; Hoshino, N. (2001), Applying Pitman's sampling formula
to microdata disclosure risk assessment; Chen, G. and Keller-McNulty, S. (1998), Estimation of identification disclosure risk in
microdata; Dankar, F., El Emam, K., Neisa, A. and Roffey, T. (2012), Estimating the re-identification risk of clinical data sets,
BMC Medical Informatics and Decision Making 12:66 (the rule).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["Uniqueness", "UniquenessRule", "find_uniqueness", "negative_binomial", "pitman", "zayatz"]

UniquenessRule = Literal["pitman", "zayatz", "negative binomial", "dankar"]
_SMALL_FRACTION = 0.1
"""Up to this sampling fraction the rule of Dankar et al. takes Pitman's model."""


_EDGE = 1e-9
"""Parameters stay this far inside their open ranges."""
_FAR = 1e4
"""From here on three terms of Stirling's series are exact to rounding."""


@dataclass(frozen=True)
class Uniqueness:
    """What a model says.

    Parameters
    ----------
    chance
        P(F = 1 | f = 1).
    population
        Expected number of population uniques, in the sample or not.
    parameters
        The fitted parameters of the model by name.
    model
        Which model it is.
    """

    chance: float
    population: float
    parameters: dict[str, float] = field(default_factory=dict)
    model: str = ""


def find_uniqueness(rule: UniquenessRule, sizes: IntArray, population: float) -> Uniqueness:
    """Estimate by a model, or by the rule that chooses one.

    Parameters
    ----------
    rule
        One of the models, or ``dankar``.
    sizes
        (u,): records of each class, positive.
    population
        Persons in the population.

    Examples
    --------
    >>> sizes = np.array([1] * 30 + [2] * 10 + [5] * 4)
    >>> find_uniqueness("dankar", sizes, 7000.0).model, find_uniqueness("dankar", sizes, 140.0).model
    ('pitman', 'negative binomial')
    """
    if rule != "dankar":
        return replace(_MODELS[rule](sizes, population), model=rule)
    if not (sizes == 1).any():
        return replace(zayatz(sizes, population), model="zayatz")
    if sizes.sum() <= _SMALL_FRACTION * population:
        found = find_uniqueness("pitman", sizes, population)
        return found if _is_some(found) else find_uniqueness("zayatz", sizes, population)
    both = [find_uniqueness(name, sizes, population) for name in ("negative binomial", "zayatz")]
    return min((found for found in both if _is_some(found)), key=lambda found: found.population, default=both[1])


def _is_some(found: Uniqueness) -> bool:
    return bool(np.isfinite(found.population) and found.population > 0)


def zayatz(sizes: IntArray, population: float) -> Uniqueness:
    """Take the class sizes of the sample for those of the population. O(u + largest size).

    Examples
    --------
    >>> found = zayatz(np.array([1, 1, 2, 3]), 70.0)
    >>> round(found.chance, 4), round(found.population, 2)
    (0.3163, 6.33)
    """
    n = int(sizes.sum())
    each, counts = np.unique(sizes, return_counts=True)
    top = int(each[-1])
    # H(1; N, j, n) = j f prod_{i<j-1} (N - n - i) / (N - 1 - i); where the product meets a zero no class of that size fits
    i = np.arange(top - 1, dtype=np.float64)
    above = np.maximum(population - n - i, 0.0)
    with np.errstate(divide="ignore"):
        logs = np.concatenate([[0.0], np.cumsum(np.log(above) - np.log(np.maximum(population - 1 - i, 1.0)))])
    with np.errstate(under="ignore"):
        ways = each * np.exp(logs[each - 1]) * counts
    uniques = float(counts[0]) if each[0] == 1 else 0.0
    chance = uniques / float(ways.sum()) if uniques else 0.0  # P; f cancels
    return Uniqueness(chance, uniques * chance * population / n)


def pitman(sizes: IntArray, population: float) -> Uniqueness:
    """Fit Pitman's sampling formula by maximum likelihood. O(u) for each of some hundred steps."""
    from scipy.special import gammaln

    n, u = int(sizes.sum()), len(sizes)
    each, counts = np.unique(sizes, return_counts=True)
    steps = np.arange(1, u, dtype=np.float64)

    def loss(x: FloatArray) -> float:
        alpha, theta = _pitman_parameters(x)
        new = np.log(theta + alpha * steps).sum()
        old = counts @ (gammaln(each - alpha) - gammaln(1 - alpha))
        return float(gammaln(theta + n) - gammaln(theta + 1) - new - old)

    share = min(max(float(counts[0] if each[0] == 1 else 0) / u, 0.05), 0.95)
    alpha, theta = _pitman_parameters(_minimum(loss, np.array([np.log(share / (1 - share)), np.log(u)])))
    parameters = {"alpha": alpha, "theta": theta}
    rest = population - n
    stays = float(_log_ratio(theta + n - 1 + alpha, theta + n, rest))  # log P
    appears = (
        np.log(theta + alpha * u) - np.log(theta + n) + float(_log_ratio(theta + n + alpha, theta + n + 1, rest - 1))
    )
    chance = float(np.exp(stays))
    uniques = float(counts[0]) if each[0] == 1 else 0.0
    return Uniqueness(chance, uniques * chance + (rest * float(np.exp(appears)) if rest > 0 else 0.0), parameters)


def negative_binomial(sizes: IntArray, population: float) -> Uniqueness:
    """Fit the slide negative binomial model by maximum likelihood of the sizes that are seen. O(sizes) for each step."""
    n, u = int(sizes.sum()), len(sizes)
    f = min(n / population, 1.0)
    each, counts = np.unique(sizes, return_counts=True)

    def loss(x: FloatArray) -> float:
        a, b = _binomial_parameters(x)
        log_seen = np.log(-np.expm1(_log_unseen(a, b, f)))
        return float(u * log_seen - counts @ _log_sampled(each, a, b, f))

    best = min(
        (_minimum(loss, np.array([np.log(size), np.log(0.5 * n / population)])) for size in (0.1, 1.0, 10.0)), key=loss
    )
    a, b = _binomial_parameters(best)
    classes = u / -float(np.expm1(_log_unseen(a, b, f)))
    log_one = a * np.log(b)
    chance = float(np.exp(np.log(f) + log_one - _log_sampled(np.array([1]), a, b, f)[0]))
    return Uniqueness(
        min(chance, 1.0), classes * float(np.exp(log_one)), {"size": a, "probability": b, "classes": classes}
    )


_MODELS: dict[str, Callable[[IntArray, float], Uniqueness]] = {
    "pitman": pitman,
    "zayatz": zayatz,
    "negative binomial": negative_binomial,
}

# --- parts ------------------------------------------------------------------------------------------------------------------


def _pitman_parameters(x: FloatArray) -> tuple[float, float]:
    """Return 0 < alpha < 1 and theta > -alpha from two numbers without limits."""
    alpha = float(np.clip(1 / (1 + np.exp(-np.clip(x[0], -50, 50))), _EDGE, 1 - _EDGE))
    return alpha, float(np.exp(np.clip(x[1], -20, 40))) - alpha + _EDGE


def _binomial_parameters(x: FloatArray) -> tuple[float, float]:
    """Return a > 0 and 0 < b < 1 from two numbers without limits."""
    size, odds = np.exp(np.clip(x, [-12, -30], [12, 30]))
    return float(size), float(np.clip(odds / (1 + odds), _EDGE * _EDGE, 1 - _EDGE))


def _log_ratio(top: float, bottom: float, steps: float) -> float:
    """Return log prod_{i<steps} (top + i) / (bottom + i); between two close bases the terms of log Gamma would cancel."""
    if steps <= 0:
        return 0.0
    found = 0.0
    if bottom < _FAR:  # the first terms one by one, the rest where Stirling's series is exact
        first = int(min(np.ceil(steps), np.ceil(_FAR - bottom)))
        i = np.arange(first)
        found = float((np.log(top + i) - np.log(bottom + i)).sum())
        top, bottom, steps = top + first, bottom + first, steps - first
    if steps <= 0:
        return found
    d = top - bottom
    return found + _log_gamma_step(bottom + steps, d) - _log_gamma_step(bottom, d)


def _log_gamma_step(z: float, d: float) -> float:
    """Return log Gamma(z + d) / Gamma(z) for large z and small d, by Stirling's series with the large parts cancelled."""
    w = z + d
    return float((z - 0.5) * np.log1p(d / z) + d * np.log(w) - d + (1 / w - 1 / z) / 12 - (w**-3 - z**-3) / 360)


def _log_sampled(sizes: IntArray, a: float, b: float, f: float) -> FloatArray:
    """Return log P(f = j) of the slide negative binomial model after sampling."""
    thin = b / (b + f * (1 - b))
    with np.errstate(under="ignore"):
        later = np.log(f) + _log_binomial(sizes - 1, a, thin)
        first = np.full(len(sizes), -np.inf) if f >= 1 else np.log1p(-f) + _log_binomial(sizes, a, thin)
        return np.asarray(np.logaddexp(first, later))


def _log_unseen(a: float, b: float, f: float) -> float:
    """Return log P(f = 0)."""
    if f >= 1:
        return -np.inf
    return float(np.log1p(-f) + a * np.log(b / (b + f * (1 - b))))


def _log_binomial(k: IntArray, a: float, b: float) -> FloatArray:
    from scipy.special import gammaln

    return np.asarray(gammaln(k + a) - gammaln(a) - gammaln(k + 1) + a * np.log(b) + k * np.log1p(-b))


def _minimum(loss: Callable[[FloatArray], float], start: FloatArray) -> FloatArray:
    """Return the place of a minimum by Nelder and Mead, begun again from where it ended to leave a flat simplex."""
    from scipy.optimize import minimize

    for _ in range(2):
        start = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10, "maxiter": 600}).x
    return np.asarray(start, dtype=np.float64)
