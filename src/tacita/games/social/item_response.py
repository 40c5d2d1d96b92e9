"""A two-parameter logistic model of who discloses what: attitudes of users, sensitivities of attributes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.progress import task

__all__ = ["ItemResponse", "item_response", "response_likelihood"]

_NODES = 41
_STEEPEST, _FARTHEST = 8.0, 30.0
"""Bounds of the slopes and intercepts: where a likelihood grows for ever, it is as good as there."""
_BLOCK = 2**16


class _Patterns(NamedTuple):
    """Answers that are alike stand once."""

    yes: FloatArray  # (patterns, n)
    no: FloatArray
    users: FloatArray  # (patterns,)


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemResponse:
    """An estimated model ``P(R(i, j) = 1) = 1 / (1 + exp(-alpha_i (theta_j - beta_i)))``.

    Parameters
    ----------
    slopes
        (n,): alpha_i, how sharply attribute i separates users by attitude.
    difficulties
        (n,): beta_i, the sensitivity of Liu and Terzi: the attitude from which half of the users disclose it.
    attitudes
        (N,): the mean of theta_j given what user j disclosed; high: discloses readily.
    log_likelihood
        The marginal one, attitudes normal with mean 0 and variance 1.
    rounds, converged
        Of the EM algorithm, and whether it came to rest.
    at_bounds
        Attributes whose slope stands at the largest that is looked at: take their parameters for a direction, not a number.
    """

    slopes: FloatArray
    difficulties: FloatArray
    attitudes: FloatArray = field(repr=False)
    log_likelihood: float
    rounds: int
    converged: bool
    at_bounds: tuple[int, ...]

    @property
    def sensitivities(self) -> FloatArray:
        """(n,): ``1 - P_i(0)``, how likely a user of mean attitude does not disclose attribute i."""
        return np.asarray(1.0 - _logistic(-self.slopes * self.difficulties), np.float64)

    @property
    def visibility(self) -> FloatArray:
        """(N, n): P(R(i, j) = 1) at the attitude of each user."""
        return np.asarray(_logistic(self.slopes * (self.attitudes[:, None] - self.difficulties)), np.float64)


def item_response(
    disclosed: IntArray, *, rounds: int = 2000, tolerance: float = 1e-5, names: tuple[str, ...] | None = None
) -> ItemResponse:
    """Estimate slopes and difficulties of attributes and attitudes of users by EM.

    E: for each user the posterior of theta over nodes of Gauss and Hermite. M: for each attribute a logistic regression on the
    nodes, weighted by how many users are expected there, by Newton's method.

    Parameters
    ----------
    disclosed
        (N, n): 1 disclosed, 0 not, -1 not known.
    rounds
        At most so many.
    tolerance
        It has come to rest when no parameter moves by more.
    names
        Of the attributes, for messages.

    Raises
    ------
    DataError
        When an attribute is disclosed by all or by none of the users that are known.
    ParameterError
        When ``disclosed`` has other numbers, or fewer than two attributes.

    Complexity
    ----------
    O(N n log N) time once, and O(p n) for each node and round, p the different rows of answers; memory for blocks of rows.

    Notes
    -----
    Marginal likelihood instead of the joint one that Liu and Terzi maximise: with few attributes the joint estimates do not come
    near the truth however many users there are, because each user brings a parameter of his own.

    References
    ----------
    Liu and Terzi (2010), section 4.
    Bock, R. D. and Aitkin, M. (1981), Marginal maximum likelihood estimation of item parameters: application of an EM algorithm,
    Psychometrika 46, 443-459.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> attitudes = rng.normal(size=(2000, 1))
    >>> disclosed = (rng.random((2000, 4)) < 1 / (1 + np.exp(-1.5 * (attitudes - np.array([-1, 0, 1, 2]))))).astype(int)
    >>> found = item_response(disclosed)
    >>> bool(abs(found.difficulties - [-1, 0, 1, 2]).max() < 0.2)
    True
    """
    answers = _checked(disclosed, names)
    said, of_user = _patterns(answers)
    yes, no = said.yes, said.no
    theta, prior = _nodes()
    share = (said.users @ yes) / (said.users @ (yes + no))
    a, c = np.ones(answers.shape[1]), np.log(share / (1 - share))
    converged, number = False, 0
    with task("Estimating sensitivities", rounds) as running:
        for number in range(1, rounds + 1):  # noqa: B007 - how many there were is told
            expected, disclosing, _, _ = _expect(said, a, c, theta, prior)
            new_a, new_c = _maximise(expected, disclosing, a, c, theta)
            moved = max(np.abs(new_a - a).max(), np.abs(new_c - c).max())
            a, c = new_a, new_c
            running.advance()
            if moved < tolerance:
                converged = True
                break
    _, _, attitudes, likelihood = _expect(said, a, c, theta, prior)
    if a.sum() < 0:  # the model is the same with both turned round
        a, attitudes = -a, -attitudes
    safe = np.where(np.abs(a) < 1e-9, 1e-9, a)
    return ItemResponse(
        slopes=a,
        difficulties=-c / safe,
        attitudes=attitudes[of_user],
        log_likelihood=likelihood,
        rounds=number,
        converged=converged,
        at_bounds=tuple(np.flatnonzero((np.abs(a) >= _STEEPEST) | (np.abs(c) >= _FARTHEST)).tolist()),
    )


def response_likelihood(disclosed: IntArray, slopes: FloatArray, difficulties: FloatArray) -> float:
    """Return the marginal log-likelihood of a model: ``sum_j log E over theta of prod_i P(R(i, j) | theta)``.

    Examples
    --------
    >>> round(response_likelihood(np.array([[1, 0]]), np.array([0.0, 0.0]), np.zeros(2)), 4)
    -1.3863
    """
    answers = _checked(disclosed, None, is_estimated=False)
    a = np.asarray(slopes, np.float64)
    return _expect(_patterns(answers)[0], a, -a * np.asarray(difficulties, np.float64), *_nodes())[3]


# --- expectation and maximisation -------------------------------------------------------------------------------------------


def _nodes() -> tuple[FloatArray, FloatArray]:
    theta, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    return theta, weights / weights.sum()


def _patterns(answers: IntArray) -> tuple[_Patterns, IntArray]:
    """Return what was answered by whom at least, and for each user which of it."""
    different, of_user, users = np.unique(answers, axis=0, return_inverse=True, return_counts=True)
    yes, no = (different == 1).astype(np.float64), (different == 0).astype(np.float64)
    return _Patterns(yes, no, users.astype(np.float64)), of_user.reshape(-1)


def _expect(
    said: _Patterns, a: FloatArray, c: FloatArray, theta: FloatArray, prior: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Return (n, nodes) users who are expected at each node and those of them who disclose, attitudes, and the likelihood."""
    logit = np.outer(a, theta) + c[:, None]
    log_yes, log_no = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    with np.errstate(divide="ignore"):  # weights of far nodes may be too small for a float
        log_prior = np.log(prior)
    expected, disclosing = np.zeros_like(logit), np.zeros_like(logit)
    attitudes, likelihood = np.empty(len(said.users)), 0.0
    for start in range(0, len(said.users), _BLOCK):
        rows = slice(start, start + _BLOCK)
        yes, no, users = said.yes[rows], said.no[rows], said.users[rows, None]
        joint = yes @ log_yes + no @ log_no + log_prior
        most = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - most)
        total = posterior.sum(axis=1, keepdims=True)
        posterior /= total
        likelihood += float((users * (np.log(total) + most)).sum())
        attitudes[rows] = posterior @ theta
        posterior *= users
        disclosing += yes.T @ posterior
        expected += (yes + no).T @ posterior
    return expected, disclosing, attitudes, likelihood


def _maximise(
    expected: FloatArray, disclosing: FloatArray, a: FloatArray, c: FloatArray, theta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return slopes and intercepts of all attributes after steps of Newton's method, each at most 1."""
    a, c = a.copy(), c.copy()
    for _ in range(20):
        p = _logistic(np.outer(a, theta) + c[:, None])
        rest, w = disclosing - expected * p, expected * p * (1 - p)
        ga, gc = rest @ theta, rest.sum(axis=1)
        haa, hac, hcc = w @ theta**2, w @ theta, w.sum(axis=1)
        determinant = np.maximum(haa * hcc - hac**2, 1e-12)
        da, dc = (hcc * ga - hac * gc) / determinant, (haa * gc - hac * ga) / determinant
        a = np.clip(a + np.clip(da, -1, 1), -_STEEPEST, _STEEPEST)
        c = np.clip(c + np.clip(dc, -1, 1), -_FARTHEST, _FARTHEST)
        if max(np.abs(da).max(), np.abs(dc).max()) < 1e-8:
            break
    return a, c


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)), np.float64)


def _checked(disclosed: IntArray, names: tuple[str, ...] | None, *, is_estimated: bool = True) -> IntArray:
    found = np.asarray(disclosed)
    if found.dtype.kind not in "iub" or found.ndim != 2 or not len(found):
        raise ParameterError("item_response: 'disclosed' must be whole numbers, users by attributes.")
    found = found.astype(np.int64)
    if found.size and (found.min() < -1 or found.max() > 1):
        raise ParameterError("item_response: 'disclosed' must be 1 (disclosed), 0 (not) or -1 (not known).")
    if not is_estimated:
        return found
    if found.shape[1] < 2:
        raise ParameterError("item_response: there must be at least two attributes; one says nothing of attitudes.")
    flat = np.flatnonzero(((found != 1).all(axis=0)) | ((found != 0).all(axis=0)))
    if len(flat):
        named = ", ".join(f"'{names[i]}'" if names is not None else str(i + 1) for i in flat[:5])
        raise DataError(
            f"item_response: all users disclose attribute {named}, or none does, so that its sensitivity has no likeliest value; "
            "leave it out, or take naive_sensitivities."
        )
    return found
