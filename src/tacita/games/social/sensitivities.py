"""How sensitive attributes are and how visible values, estimated from what users disclosed, as Liu and Terzi do."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.games.social.item_response import item_response

__all__ = ["naive_sensitivities", "naive_visibility", "response_sensitivities"]


def naive_sensitivities(disclosed: IntArray) -> FloatArray:
    """Return (n, l): ``beta_ik = (N - |{j : R(i, j) >= k}|) / N``, the share of users who do not show attribute i to k links.

    Parameters
    ----------
    disclosed
        (N, n): up to how many links each user shows each attribute; 0 hides it, -1 is not known. Users of an attribute who are
        not known do not count for it.

    Raises
    ------
    ParameterError
        When it is no matrix of whole numbers from -1 on.
    DataError
        When nothing is known of an attribute.

    Complexity
    ----------
    O(N n l) time.

    Notes
    -----
    Liu and Terzi count who shows an attribute at level k exactly; here V(i, j, k) is what users *at most* k links away see, so
    who shows it farther counts too. With l = 1 both are (N - |R_i|) / N. With l = 2 and more the sensitivity rises with k: fewer
    users show something farther. PR adds up the levels.

    References
    ----------
    Liu, K. and Terzi, E. (2010), A framework for computing the privacy score of users in online social networks, ACM
    Transactions on Knowledge Discovery from Data 5, 6, section 3.

    Examples
    --------
    >>> naive_sensitivities(np.array([[1, 0], [1, 0], [1, 1], [0, -1]])).tolist()
    [[0.25], [0.6666666666666666]]
    """
    reach, distance = _checked(disclosed, "naive_sensitivities")
    known = (reach >= 0).sum(axis=0)
    shown = np.stack([(reach >= k).sum(axis=0) for k in range(1, distance + 1)], axis=1)
    return np.asarray((known[:, None] - shown) / known[:, None], np.float64)


def naive_visibility(disclosed: IntArray) -> FloatArray:
    """Return (N, n, l): ``P_ijk = |R_i| / N |R^j| / n``, how visible a value would be if users and attributes were independent.

    ``|R_i|`` are the users who show attribute i to k links or farther, ``|R^j|`` the attributes that user j shows so.

    Parameters
    ----------
    disclosed
        As for :func:`naive_sensitivities`.

    Complexity
    ----------
    O(N n l) time and memory.

    References
    ----------
    Liu and Terzi (2010), section 3.

    Examples
    --------
    >>> naive_visibility(np.array([[1, 0], [1, 1]]))[:, :, 0].tolist()
    [[0.5, 0.25], [1.0, 0.5]]
    """
    reach, distance = _checked(disclosed, "naive_visibility")
    known = reach >= 0
    found = np.empty((*reach.shape, distance))
    for k in range(1, distance + 1):
        shown = reach >= k
        of_user = shown.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
        found[:, :, k - 1] = of_user[:, None] * (shown.sum(axis=0) / known.sum(axis=0))
    return found


def response_sensitivities(disclosed: IntArray, *, names: tuple[str, ...] | None = None) -> FloatArray:
    """Return (n, l): how likely a user of mean attitude hides attribute i from those k links away, by item response theory.

    For each k a two-parameter logistic model of who shows an attribute to k links or farther is estimated
    (:func:`~tacita.games.social.item_response.item_response`); the sensitivity is
    ``1 - P_i(0) = 1 / (1 + exp(-alpha_i beta_i))``.

    Parameters
    ----------
    disclosed
        As for :func:`naive_sensitivities`.
    names
        Of the attributes, for messages.

    Raises
    ------
    DataError
        When all or none show an attribute at some distance, so that no finite sensitivity is the likeliest.

    Complexity
    ----------
    O(N n) time for each node, round and distance.

    Notes
    -----
    Liu and Terzi take beta_i itself, which has no bounds and may be below zero, and PRF asks for sensitivities of at least 0.
    What is returned ranks attributes of equal slope as beta_i does, and is comparable with the naive estimate, which it equals
    where all users have the same attitude.

    References
    ----------
    Liu and Terzi (2010), section 4.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> open_minded = rng.normal(size=500)
    >>> disclosed = (rng.random((500, 3)) < 1 / (1 + np.exp(np.array([-1, 0, 2]) - open_minded[:, None]))).astype(int)
    >>> found = response_sensitivities(disclosed)[:, 0]
    >>> bool(found[0] < found[1] < found[2])
    True
    """
    reach, distance = _checked(disclosed, "response_sensitivities")
    levels = []
    for k in range(1, distance + 1):
        answers = np.where(reach < 0, -1, (reach >= k).astype(np.int64))
        levels.append(item_response(answers, names=names).sensitivities)
    return np.stack(levels, axis=1)


def _checked(disclosed: IntArray, owner: str) -> tuple[IntArray, int]:
    found = np.asarray(disclosed)
    if found.dtype.kind not in "iub" or found.ndim != 2 or not found.size:
        raise ParameterError(f"{owner}: 'disclosed' must be whole numbers, users by attributes, with one of each.")
    found = found.astype(np.int64)
    if found.min() < -1 or found.max() > 1000:
        raise ParameterError(f"{owner}: 'disclosed' must be from -1 (not known) to a number of links.")
    empty = int((found < 0).all(axis=0).sum())
    if empty:
        raise DataError(f"{owner}: nothing is known of {empty} attributes; leave them out.")
    return found, max(int(found.max()), 1)
