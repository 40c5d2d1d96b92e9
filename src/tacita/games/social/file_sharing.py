"""File sharing, the sister game: to take without giving is dominant, the system collapses, and generosity saves it or not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.errors import ParameterError
from tacita.games.model.game import Game, check_profiles
from tacita.games.social.exchange import Upload

__all__ = ["Contributing", "contribution_level", "file_sharing_game"]


def file_sharing_game(peers: int = 2, *, exchange: Upload | None = None) -> Game:
    """Return the game of peers who each upload to all others or ride free.

    ``u_i = b (sum over j != i of s_j) / (N - 1) - c s_i`` with s = 1 for uploading. Riding free is strictly better whatever the
    others do, by c; when all upload, all are better off than when nobody does, by b - c.

    Parameters
    ----------
    peers
        How many.
    exchange
        Benefit and cost.

    Raises
    ------
    ParameterError
        When there are too many peers, or fewer than two.

    References
    ----------
    Babaioff, Chuang and Feldman (2007), section 23.2; Domingo-Ferrer (2011), section 5: a similar pessimistic result.

    Examples
    --------
    >>> game = file_sharing_game(2)
    >>> game.utilities[0].tolist()
    [[0.0, 3.0], [-1.0, 2.0]]
    """
    given = Upload() if exchange is None else exchange
    if isinstance(peers, bool) or not isinstance(peers, int) or peers < 2:
        raise ParameterError("file_sharing_game: 'peers' must be a whole number, at least 2.")
    check_profiles((2,) * peers)
    uploads = np.indices((2,) * peers).astype(np.float64)
    values = given.benefit * (uploads.sum(axis=0) - uploads) / (peers - 1) - given.cost * uploads
    names = tuple(f"peer {i + 1}" for i in range(peers))
    return Game(names, (("free-rides", "uploads"),) * peers, values, f"file sharing, {peers} peers")


@dataclass(frozen=True, kw_only=True)
class Contributing:
    """Shares of contributing peers at which nobody wants to change.

    Parameters
    ----------
    stable
        The share that the system comes back to; 0 where it collapses.
    unstable
        The share from below which it collapses; None where it collapses from everywhere.
    most_generous
        The largest generosity.
    """

    stable: float
    unstable: float | None
    most_generous: float

    def words(self) -> str:
        """Return it as a sentence."""
        if self.unstable is None:
            return "The system collapses: whatever share contributes, its cost is more than as many are ready to bear."
        return (
            f"The system holds with {100 * self.stable:.1f} % of the peers contributing, as long as it does not fall below "
            f"{100 * self.unstable:.1f} %."
        )

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"stable": self.stable, "unstable": self.unstable, "most_generous": self.most_generous}


def contribution_level(most_generous: float, *, penalty: float = 0.0) -> Contributing:
    """Return how many peers contribute where each has a generosity, drawn evenly from 0 to ``most_generous``.

    A peer contributes when his generosity, and what refusing costs him, reach the cost that is laid on contributors, ``1 / x``
    where the share x contributes: ``x = P(t >= 1 / x - penalty) = 1 - (1 / x - penalty) / t_m``. So
    ``x^2 (t_m) - x (t_m + penalty) + 1 = 0``, and without a penalty ``x = (1 +- sqrt(1 - 4 / t_m)) / 2``: a collapse below 4.

    Parameters
    ----------
    most_generous
        t_m, above 0.
    penalty
        What free riders lose of the system, in the same units, at least 0.

    References
    ----------
    Feldman, Papadimitriou, Chuang and Stoica (2006), section 2; Babaioff, Chuang and Feldman (2007), section 23.2.

    Examples
    --------
    >>> contribution_level(8).stable, contribution_level(3).stable
    (0.8535533905932737, 0.0)
    """
    for name, value, low in (("most_generous", most_generous, 1e-9), ("penalty", penalty, 0.0)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value < math.inf:
            raise ParameterError(f"contribution_level: '{name}' must be a finite number, at least {low:g}.")
    middle = most_generous + penalty
    inside = middle**2 - 4 * most_generous
    if inside < 0:
        return Contributing(stable=0.0, unstable=None, most_generous=float(most_generous))
    upper, lower = ((middle + sign * math.sqrt(inside)) / (2 * most_generous) for sign in (1, -1))
    if lower > 1:
        return Contributing(stable=0.0, unstable=None, most_generous=float(most_generous))
    return Contributing(stable=min(upper, 1.0), unstable=min(lower, 1.0), most_generous=float(most_generous))
