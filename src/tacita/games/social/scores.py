"""Privacy scores of the users of a network, and what their privacy buys: PR, PRF and its dichotomous form."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, PlaceArray
from tacita.core.errors import ParameterError
from tacita.games.social.network import Network
from tacita.numeric.social_games.within import sums_within

__all__ = [
    "checked_sensitivities",
    "checked_visibility",
    "prf",
    "prf_2",
    "privacy_risk",
    "received",
    "visibility_of_reach",
]


def privacy_risk(visibility: FloatArray, sensitivities: FloatArray) -> FloatArray:
    """Return (N,): ``PR(j) = sum_i sum_k beta_ik V(i, j, k)``, the privacy score risk of each user.

    Parameters
    ----------
    visibility
        (N, n, l): V(i, j, k) at [j, i, k - 1], between 0 and 1, of the value of attribute i of user j to users at most k links
        away; or (N, n) where l = 1.
    sensitivities
        (n, l): beta_ik, at least 0; or (n,) where l = 1.

    Raises
    ------
    ParameterError
        When shapes or ranges do not fit.

    References
    ----------
    Liu, K. and Terzi, E. (2009), A framework for computing the privacy scores of users in online social networks, ICDM 2009.
    Domingo-Ferrer (2011), section 5.

    Examples
    --------
    >>> privacy_risk(np.array([[1, 1], [0, 1]]), np.array([0.5, 2.0])).tolist()
    [2.5, 2.0]
    """
    weights = checked_sensitivities(sensitivities, "privacy_risk")
    shown = checked_visibility(visibility, weights, "privacy_risk")
    return np.asarray(np.einsum("jik,ik->j", shown, weights), np.float64)


def received(network: Network, visibility: FloatArray, sensitivities: FloatArray) -> FloatArray:
    """Return (N,): ``sum over j' != j of sum_i sum_k beta_ik V(i, j', k) I(j, j', k)``, what a user learns from the others.

    I(j, j', k) is 1 when j and j' are exactly k links away from each other. O(users within l links) time for each user.

    Examples
    --------
    >>> path = Network.of_edges([(0, 1), (1, 2)])
    >>> to_two_links = np.array([[[1, 1]], [[1, 0]], [[0, 0]]])
    >>> received(path, to_two_links, np.array([[1.0, 0.25]])).tolist()
    [1.0, 1.0, 1.25]
    """
    weights = checked_sensitivities(sensitivities, "received")
    shown = checked_visibility(visibility, weights, "received", users=network.users)
    return sums_within(network.links, np.einsum("jik,ik->jk", shown, weights))


def prf(network: Network, visibility: FloatArray, sensitivities: FloatArray) -> FloatArray:
    """Return (N,): the privacy-functionality score ``PRF(j) = received(j) / (1 + PR(j))`` of each user of a network.

    Parameters
    ----------
    network
        Who is linked to whom.
    visibility, sensitivities
        As for :func:`privacy_risk`.

    Complexity
    ----------
    O(users within l links) time for each user.

    References
    ----------
    Domingo-Ferrer (2011), section 5.

    Examples
    --------
    >>> two = Network.of_edges([("User 1", "User 2")])
    >>> prf(two, np.array([[1], [1]]), np.array([1.0])).tolist()
    [0.5, 0.5]
    """
    return received(network, visibility, sensitivities) / (1.0 + privacy_risk(visibility, sensitivities))


def prf_2(visibility: FloatArray, sensitivities: FloatArray) -> FloatArray:
    """Return (N,): the dichotomous score of equation (3), where what is public is seen by everybody.

    ``PRF_2(j) = (sum over j' != j of sum_i beta_i V(i, j')) / (1 + sum_i beta_i V(i, j))``. O(N n) time.

    Parameters
    ----------
    visibility
        (N, n): whether each attribute is public.
    sensitivities
        (n,): beta_i.

    References
    ----------
    Domingo-Ferrer (2011), equation (3).

    Examples
    --------
    >>> prf_2(np.array([[0], [1]]), np.array([1.0])).tolist()
    [1.0, 0.0]
    """
    weights = checked_sensitivities(sensitivities, "prf_2")
    shown = checked_visibility(visibility, weights, "prf_2")
    if weights.shape[1] != 1:
        raise ParameterError("prf_2: 'sensitivities' must be one number for each attribute; prf has those by distance.")
    own = np.einsum("jik,ik->j", shown, weights)
    # What stands before and behind a user, not the whole less his own: zeros must add up to zero.
    before, behind = np.cumsum(own), np.cumsum(own[::-1])[::-1]
    others = np.concatenate([[0.0], before[:-1]]) + np.concatenate([behind[1:], [0.0]])
    return np.asarray(others / (1.0 + own), np.float64)


def visibility_of_reach(reach: PlaceArray, distance: int) -> FloatArray:
    """Return (N, n, l): V(i, j, k) = 1 where user j shows attribute i to those up to k links away or farther.

    Parameters
    ----------
    reach
        (N, n): up to how many links each attribute is shown; 0 hides it.
    distance
        l.

    Examples
    --------
    >>> visibility_of_reach(np.array([[0, 1, 2]]), 2).tolist()
    [[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]]
    """
    return (np.asarray(reach)[:, :, None] > np.arange(distance)).astype(np.float64)


def checked_sensitivities(given: FloatArray, owner: str) -> FloatArray:
    """Return (n, l) sensitivities, or say what they must be."""
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{owner}: 'sensitivities' must be numbers.") from None
    found = found[:, None] if found.ndim == 1 else found
    if found.ndim != 2 or not found.size:
        raise ParameterError(f"{owner}: 'sensitivities' must be (n,) or (n, l) with an attribute, got {found.shape}.")
    if not np.isfinite(found).all() or found.min() < 0:
        raise ParameterError(f"{owner}: 'sensitivities' must be finite and at least 0.")
    return found


def checked_visibility(given: FloatArray, weights: FloatArray, owner: str, *, users: int | None = None) -> FloatArray:
    """Return (N, n, l) visibilities that fit (n, l) sensitivities, or say what they must be."""
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{owner}: 'visibility' must be numbers.") from None
    found = found[:, :, None] if found.ndim == 2 else found
    if found.ndim != 3 or found.shape[1:] != weights.shape or (users is not None and len(found) != users):
        wanted = "N" if users is None else f"{users}"
        raise ParameterError(
            f"{owner}: 'visibility' must be ({wanted}, {', '.join(map(str, weights.shape))}) to fit the network and "
            f"the sensitivities, got {found.shape}."
        )
    if found.size and not (found.min() >= 0 and found.max() <= 1):
        raise ParameterError(f"{owner}: 'visibility' must be between 0 and 1, and not missing.")
    return found
