"""What users of a network give each other round after round, and what a round is worth: disclosure by PRF, or uploads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.games.social.network import Network
from tacita.games.social.scores import checked_sensitivities

__all__ = ["Arcs", "Disclosure", "Exchange", "Upload", "arcs_of"]


class Exchange(Protocol):
    """What a round is worth to a user."""

    def per_link(self, received: FloatArray, given: FloatArray) -> FloatArray:
        """Return the utility of a round for each link: ``received`` and ``given`` are shares of the neighbours."""

    @property
    def words(self) -> str:
        """What is given, for sentences."""


@dataclass(frozen=True)
class Disclosure:
    """Each round users show what is new to neighbours of their choice, and PRF of the round is the utility.

    With ``B = sum_i beta_i1``, V(i, j, 1) the share x of the neighbours to whom user j shows his attributes, and g the share of
    the neighbours who show him theirs: ``PRF(j) = d B g / (1 + B x)`` with d neighbours. When all show everything to all, this is
    PRF with l = 1.

    Parameters
    ----------
    sensitivities
        Of the attributes that are shown together; their sum alone matters to PRF.
    names
        What the attributes are called.

    References
    ----------
    Domingo-Ferrer (2011), section 5.

    Examples
    --------
    >>> Disclosure((0.25, 0.75)).per_link(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0])).tolist()
    [0.5, 1.0, 0.0]
    """

    sensitivities: tuple[float, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        found = checked_sensitivities(np.asarray(self.sensitivities), "Disclosure")
        if found.shape[1] != 1 or found.sum() <= 0:
            raise ParameterError(
                "Disclosure: 'sensitivities' must be one number for each attribute, one of them above 0."
            )
        if self.names and len(self.names) != len(found):
            raise ParameterError("Disclosure: 'names' must have one for each attribute.")
        object.__setattr__(self, "sensitivities", tuple(found[:, 0].tolist()))

    @property
    def burden(self) -> float:
        """B, what PR grows by when everything is shown to all neighbours."""
        return float(sum(self.sensitivities))

    def per_link(self, received: FloatArray, given: FloatArray) -> FloatArray:
        return np.asarray(self.burden * received / (1.0 + self.burden * given), np.float64)

    @property
    def words(self) -> str:
        return "disclose"


@dataclass(frozen=True)
class Upload:
    """Each round peers upload to neighbours of their choice: ``d (b g - c x)``, the sister game of file sharing.

    Parameters
    ----------
    benefit
        b, of what one neighbour uploads.
    cost
        c, of uploading to one neighbour; above 0.

    References
    ----------
    Babaioff, M., Chuang, J. and Feldman, M. (2007), Incentives in peer-to-peer systems, in Nisan et al., Algorithmic game theory,
    chapter 23.

    Examples
    --------
    >>> Upload(3, 1).per_link(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0])).tolist()
    [2.0, 3.0, -1.0]
    """

    benefit: float = 3.0
    cost: float = 1.0

    def __post_init__(self) -> None:
        numbers = (self.benefit, self.cost)
        if any(isinstance(x, bool) or not isinstance(x, (int, float)) or not np.isfinite(x) for x in numbers):
            raise ParameterError("Upload: 'benefit' and 'cost' must be finite numbers.")
        if not self.benefit > self.cost > 0:
            raise ParameterError(
                "Upload: 'benefit' must be above 'cost', and 'cost' above 0; otherwise nobody is tempted."
            )

    def per_link(self, received: FloatArray, given: FloatArray) -> FloatArray:
        return np.asarray(self.benefit * received - self.cost * given, np.float64)

    @property
    def words(self) -> str:
        return "upload"


class Arcs(NamedTuple):
    """Every link in both directions: who gives, to whom, and where the other direction stands."""

    tails: IntArray  # (arcs,)
    heads: IntArray
    back: IntArray
    degrees: IntArray  # (N,)

    def share_of(self, arcs: BoolArray) -> FloatArray:
        """(N,): the share of the arcs of each user where something holds; 0 for users without links."""
        return np.bincount(self.tails, weights=arcs, minlength=len(self.degrees)) / np.maximum(self.degrees, 1)


def arcs_of(network: Network) -> Arcs:
    """Return the links of a network in both directions.

    Examples
    --------
    >>> arcs_of(Network.of_edges([(0, 1), (1, 2)])).back.tolist()
    [1, 0, 3, 2]
    """
    return Arcs(network.tails, network.links.neighbour.astype(np.int64), network.backwards(), network.degrees)
