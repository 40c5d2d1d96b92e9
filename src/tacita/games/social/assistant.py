"""An assistant for one user of a network: to whom to disclose what now, what PRF it brings, and why."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ParameterError
from tacita.games.social.exchange import Arcs, Disclosure, arcs_of
from tacita.games.social.network import Network
from tacita.games.social.protocols import SocialProtocol

__all__ = ["Advice", "ToWhom", "advise"]


@dataclass(frozen=True)
class ToWhom:
    """What to do about one neighbour."""

    name: Hashable
    discloses: bool
    why: str


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What one user should do this round.

    Parameters
    ----------
    user
        Who asked.
    neighbours
        To whom to disclose and to whom not, with reasons.
    attributes
        What is disclosed, with its sensitivity.
    risk
        PR of this round when he follows.
    before
        PRF when nothing is disclosed by anybody to anybody: 0, where selfish play ends.
    following, hiding
        PRF of this round when he follows, and when he hides everything.
    later_following, later_hiding
        The mean PRF of the rounds after it, up to the horizon, when he follows from then on.
    horizon
        How many rounds are looked at, this one among them.
    """

    user: Hashable
    neighbours: tuple[ToWhom, ...]
    attributes: dict[str, float]
    risk: float
    before: float
    following: float
    hiding: float
    later_following: float
    later_hiding: float
    horizon: int

    @property
    def follows(self) -> bool:
        """Whether following is at least as good as hiding once, over the horizon."""
        later = self.horizon - 1
        return self.following + later * self.later_following >= self.hiding + later * self.later_hiding - 1e-12

    def words(self) -> str:
        """Return it in sentences."""
        shown = [one for one in self.neighbours if one.discloses]
        what = ", ".join(self.attributes)
        lines = [
            f"Disclose {what} to {len(shown)} of {len(self.neighbours)} neighbours."
            if shown
            else "Disclose nothing this round.",
            f"Your PRF this round is {self.following:.3g} if you do, {self.hiding:.3g} if you hide everything, and "
            f"{self.before:.3g} where nobody discloses; your privacy score risk is {self.risk:.3g} if you do and 0 if you hide.",
            f"In the {self.horizon - 1} rounds after it, PRF is {self.later_following:.3g} a round if you do now, and "
            f"{self.later_hiding:.3g} if you hide now.",
        ]
        if not self.follows:
            lines.append("Over these rounds, hiding now is worth more to you: the protocol does not hold you.")
        return " ".join(lines)

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "user": self.user,
            "neighbours": [{"name": o.name, "discloses": o.discloses, "why": o.why} for o in self.neighbours],
            "attributes": self.attributes,
            "risk": self.risk,
            "before": self.before,
            "following": self.following,
            "hiding": self.hiding,
            "later_following": self.later_following,
            "later_hiding": self.later_hiding,
            "horizon": self.horizon,
            "follow": self.follows,
        }


def advise(
    network: Network,
    user: Hashable,
    protocol: SocialProtocol,
    exchange: Disclosure,
    *,
    state: FloatArray | None = None,
    horizon: int = 20,
) -> Advice:
    """Tell one user to whom to disclose this round, with PRF before and after and what hiding would bring.

    The rounds up to the horizon are played twice, with him following and with him hiding everything this round alone; all others
    do what their assistants say. The decision stays his.

    Parameters
    ----------
    network
        Who is linked to whom.
    user
        Who asks.
    protocol
        What the assistants follow.
    exchange
        The attributes and how sensitive they are.
    state
        Of the protocol, as a run leaves it; without it everybody is trusted.
    horizon
        How many rounds the user looks ahead, from 2 on.

    Raises
    ------
    DataError
        When there is no such user.
    ParameterError
        When the user has no neighbours, the state is of another network, or the horizon is below 2.

    Complexity
    ----------
    O(horizon links) time.

    References
    ----------
    Domingo-Ferrer (2011), section 5: assistants to the human user, with whom the ultimate decision is.

    Examples
    --------
    >>> from tacita.games.social.protocols import TitForTat
    >>> triangle = Network.of_edges([("Ann", "Ben"), ("Ben", "Cem"), ("Cem", "Ann")])
    >>> found = advise(triangle, "Ann", TitForTat(penance=2), Disclosure((0.5, 0.5), ("town", "school")))
    >>> print(found.words())
    Disclose town, school to 2 of 2 neighbours. Your PRF this round is 1 if you do, 2 if you hide everything, and 0 where ...
    >>> found.follows
    True
    """
    place, arcs = network.place_of(user), arcs_of(network)
    if isinstance(horizon, bool) or not isinstance(horizon, int) or not 2 <= horizon <= 10_000:
        raise ParameterError("advise: 'horizon' must be a whole number from 2 to 10,000.")
    if arcs.degrees[place] == 0:
        raise ParameterError("advise: the user has no neighbours, so there is nobody to disclose to.")
    now = protocol.start(arcs) if state is None else np.asarray(state, np.float64)
    if now.shape != protocol.start(arcs).shape:
        raise ParameterError("advise: 'state' must be of this network and this protocol.")
    asked = protocol.asks(now, arcs)
    own = np.flatnonzero(arcs.tails == place)
    following = _ahead(now, place, protocol, exchange, arcs, horizon, hides=False)
    hiding = _ahead(now, place, protocol, exchange, arcs, horizon, hides=True)
    names = exchange.names or tuple(f"attribute {i + 1}" for i in range(len(exchange.sensitivities)))
    return Advice(
        user=user,
        neighbours=tuple(
            ToWhom(network.name_of(int(arcs.heads[arc])), bool(asked[arc]), protocol.why(now, arcs, int(arc)))
            for arc in own
        ),
        attributes=dict(zip(names, exchange.sensitivities, strict=True)),
        risk=float(exchange.burden * asked[own].mean()),
        before=0.0,
        following=following[0],
        hiding=hiding[0],
        later_following=float(np.mean(following[1:])),
        later_hiding=float(np.mean(hiding[1:])),
        horizon=horizon,
    )


def _ahead(
    state: FloatArray,
    place: int,
    protocol: SocialProtocol,
    exchange: Disclosure,
    arcs: Arcs,
    horizon: int,
    *,
    hides: bool,
) -> list[float]:
    """PRF of one user in each of the rounds to come."""
    is_own: BoolArray = arcs.tails == place
    found = []
    for number in range(horizon):
        asked = protocol.asks(state, arcs)
        given = asked & ~is_own if hides and number == 0 else asked
        got, gave = given[arcs.back][is_own].mean(), given[is_own].mean()
        found.append(float(is_own.sum() * exchange.per_link(np.asarray(got), np.asarray(gave))))
        state = protocol.after(state, asked, given, arcs)
    return found
