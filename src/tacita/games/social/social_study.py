"""A network played selfishly and under a protocol, with what leaving the protocol brings and what troubles do to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed
from tacita.games.social.assistant import Advice, advise
from tacita.games.social.deviations import Deviation, best_deviation, least_penance
from tacita.games.social.epsilon import Epsilon, measured_epsilon
from tacita.games.social.exchange import Disclosure
from tacita.games.social.network import Network
from tacita.games.social.protocols import Reputation, SocialProtocol, TitForTat
from tacita.games.social.selfish import SelfishPlay, Ties, play_selfishly
from tacita.games.social.sustained import SocialRun, sustain

__all__ = ["PROTOCOLS", "SocialPopulation", "SocialStudy", "made_sensitivities", "protocol_of", "study_social"]

ProtocolName: TypeAlias = Literal["selfish", "tit-for-tat", "reputation"]
PROTOCOLS = ("selfish", "tit-for-tat", "reputation")
_PENANCES, _THRESHOLDS = range(1, 11), (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
_EPSILON_ROUNDS, _EPSILON_LINKS = 60, 100_000


@dataclass(frozen=True, kw_only=True)
class SocialPopulation:
    """Who lives in a network besides those who follow, and how often these slip and leave; all are shares.

    Parameters
    ----------
    slips, free_riders, whitewashers, turnover
        As for :func:`~tacita.games.social.sustained.sustain`.
    """

    slips: float = 0.02
    free_riders: float = 0.1
    whitewashers: float = 0.0
    turnover: float = 0.0

    def play(
        self, network: Network, protocol: SocialProtocol, exchange: Disclosure, rounds: int, seed: Seed
    ) -> SocialRun:
        """Play rounds of an exchange in a network with this population."""
        return sustain(
            network,
            protocol,
            exchange,
            rounds=rounds,
            slips=self.slips,
            free_riders=self.free_riders,
            whitewashers=self.whitewashers,
            turnover=self.turnover,
            seed=seed,
        )

    def as_plain(self) -> dict[str, float]:
        """Return it ready for JSON."""
        return {
            "slips": self.slips,
            "free_riders": self.free_riders,
            "whitewashers": self.whitewashers,
            "turnover": self.turnover,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class SocialStudy:
    """What was found of a network.

    Parameters
    ----------
    network, sensitivities
        What was played on.
    protocol
        None for selfish play.
    selfish
        Play in turn from everything public, for each rule of ties.
    run
        The network under the protocol.
    troubles
        What is left of welfare, as a share of that when all publish, and PRF of followers and of who takes, for each trouble.
    epsilon
        What leaving the protocol brings.
    by_setting
        The best deviation by penance or threshold.
    advice
        For the user with most neighbours, after the last round.
    """

    network: Network
    sensitivities: FloatArray
    protocol: SocialProtocol | None
    population: SocialPopulation
    selfish: dict[Ties, SelfishPlay]
    run: SocialRun | None = None
    troubles: tuple[tuple[str, float, float, float], ...] = ()
    epsilon: Epsilon | None = None
    by_setting: tuple[tuple[float, Deviation], ...] = ()
    advice: Advice | None = None

    @property
    def setting(self) -> str:
        """What the best deviation is shown by."""
        return "threshold" if isinstance(self.protocol, Reputation) else "penance"

    def words(self) -> list[str]:
        """Return what was found in sentences."""
        degrees = self.network.degrees
        said = [
            f"{self.network.users:,} users, {len(self.network.links.neighbour) // 2:,} links, up to {degrees.max():,} of them "
            f"for one user; {len(self.sensitivities)} attributes, shown up to {self.sensitivities.shape[1]} links away.",
            *(play.words() for play in self.selfish.values()),
        ]
        if self.run is not None and self.epsilon is not None:
            late = self.run.disclosing[len(self.run.disclosing) // 2 :].mean()
            said += [
                f"Under the protocol {100 * late:.1f} % of the users disclose in the last half of the rounds, and mean PRF is "
                f"{100 * self.run.sustained:.1f} % of what it is when all publish to all neighbours ({self.run.all_give:.3g}); "
                "when nobody publishes it is 0.",
                self.epsilon.searched.words(),
                self.epsilon.words(),
            ]
        return said

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "users": self.network.users,
            "links": len(self.network.links.neighbour) // 2,
            "merged": self.network.merged,
            "sensitivities": self.sensitivities.tolist(),
            "protocol": "selfish" if self.protocol is None else str(self.protocol),
            "population": self.population.as_plain(),
            "selfish": {ties: play.as_plain() for ties, play in self.selfish.items()},
            "run": None if self.run is None else self.run.as_plain(),
            "troubles": [
                {"trouble": name, "sustained": left, "followers": followers, "takers": takers}
                for name, left, followers, takers in self.troubles
            ],
            "epsilon": None if self.epsilon is None else self.epsilon.as_plain(),
            self.setting: [{self.setting: value, **found.as_plain()} for value, found in self.by_setting],
            "advice": None if self.advice is None else self.advice.as_plain(),
        }


def study_social(
    network: Network,
    sensitivities: FloatArray,
    protocol: SocialProtocol | None,
    *,
    population: SocialPopulation | None = None,
    rounds: int = 50,
    continuation: float = 0.95,
    seed: Seed = 1,
) -> SocialStudy:
    """Play a network selfishly and under a protocol, search for deviations, and try troubles.

    Parameters
    ----------
    network
        Who is linked to whom.
    sensitivities
        (n, l): beta_ik. Protocols go over one link, so that beta_i1 counts for them.
    protocol
        What the assistants follow; None: selfish play alone.
    population
        Who lives there besides those who follow.
    rounds
        Of selfish play at most, and of the protocol.
    continuation
        How likely there is a next round, for the search of deviations.
    seed
        Repeats everything.

    Examples
    --------
    >>> from tacita.games.social.generators import scale_free_network
    >>> found = study_social(scale_free_network(200), made_sensitivities(2, 1), TitForTat(penance=2), rounds=20)
    >>> found.selfish["hide"].disclosing[-1], found.run.sustained > 0.7
    (0.0, True)
    """
    living = SocialPopulation() if population is None else population
    public = np.full((network.users, len(sensitivities)), sensitivities.shape[1], np.int32)
    rules: tuple[Ties, ...] = ("hide", "stay", "publish")
    selfish = {
        ties: play_selfishly(network, public, sensitivities, ties=ties, turns="in turn", rounds=rounds, seed=seed)
        for ties in rules
    }
    facts: dict[str, Any] = {
        "network": network, "sensitivities": sensitivities, "protocol": protocol, "population": living, "selfish": selfish
    }  # fmt: skip
    if protocol is None:
        return SocialStudy(**facts)
    exchange = Disclosure(tuple(sensitivities[:, 0].tolist()))
    run = living.play(network, protocol, exchange, rounds, seed)
    epsilon = measured_epsilon(
        network, protocol, exchange, slips=living.slips, rounds=min(rounds, _EPSILON_ROUNDS), continuation=continuation,
        longest=4 if len(network.links.neighbour) <= _EPSILON_LINKS else 2, seed=seed,
    )  # fmt: skip
    most = int(network.degrees.argmax())
    return SocialStudy(
        **facts,
        run=run,
        troubles=tuple(_troubles(network, protocol, exchange, rounds, seed)),
        epsilon=epsilon,
        by_setting=tuple(_by_setting(protocol, exchange, continuation)),
        advice=advise(network, network.name_of(most), protocol, exchange, state=run.state),
    )


def made_sensitivities(attributes: int, distance: int) -> FloatArray:
    """Return (n, l): ``beta_ik = i k / n``, attributes from little to very sensitive, the more so the farther they are shown.

    Examples
    --------
    >>> made_sensitivities(2, 2).tolist()
    [[0.5, 1.0], [1.0, 2.0]]
    """
    for name, value, most in (("attributes", attributes, 1000), ("distance", distance, 20)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise ParameterError(f"made_sensitivities: '{name}' must be a whole number from 1 to {most}.")
    return np.arange(1, attributes + 1)[:, None] * np.arange(1, distance + 1) / attributes


def protocol_of(
    name: str,
    sensitivities: FloatArray,
    *,
    penance: int | None = None,
    threshold: float = 0.9,
    newcomers: Literal["trust", "wait"] = "wait",
    continuation: float = 0.95,
) -> SocialProtocol | None:
    """Return a protocol by its name; without a penance the least that leaves nobody a gain.

    Raises
    ------
    ParameterError
        When there is none of that name, or no penance binds users who expect so few rounds.

    Examples
    --------
    >>> protocol_of("tit-for-tat", made_sensitivities(3, 1))
    TitForTat(penance=3, newcomers='wait')
    """
    if name not in PROTOCOLS:
        raise ParameterError(f"protocol_of: 'name' must be one of {', '.join(PROTOCOLS)}, got {name!r}.")
    if name == "selfish":
        return None
    if name == "reputation":
        return Reputation(threshold=threshold, newcomers=newcomers)
    if penance is None:
        exchange = Disclosure(tuple(sensitivities[:, 0].tolist()))
        penance = least_penance(exchange, continuation=continuation)
        if penance is None:
            raise ParameterError(
                f"protocol_of: with a 'continuation' of {continuation:g} no penance makes it pay to disclose attributes whose "
                f"sensitivities add up to {exchange.burden:g}; take fewer or less sensitive ones, or say a 'penance'."
            )
    return TitForTat(penance=penance, newcomers=newcomers)


def _troubles(
    network: Network, protocol: SocialProtocol, exchange: Disclosure, rounds: int, seed: Seed
) -> Iterable[tuple[str, float, float, float]]:
    """Give what each trouble alone leaves of welfare."""
    none = SocialPopulation(slips=0.0, free_riders=0.0)
    tried = {
        "none": none,
        "slips 5 %": replace(none, slips=0.05),
        "slips 20 %": replace(none, slips=0.2),
        "free riders 10 %": replace(none, free_riders=0.1),
        "free riders 50 %": replace(none, free_riders=0.5),
        "whitewashers 10 %": replace(none, whitewashers=0.1),
        "newcomers 5 % a round": replace(none, turnover=0.05),
    }
    for name, trouble in tried.items():
        run = trouble.play(network, protocol, exchange, rounds, seed)
        takers = [run.of_kind(kind) for kind in ("free riders", "whitewashers")]
        taken = [value for value in takers if not np.isnan(value)]
        yield name, run.sustained, run.of_kind("followers"), taken[0] if taken else float("nan")


def _by_setting(
    protocol: SocialProtocol, exchange: Disclosure, continuation: float
) -> Iterable[tuple[float, Deviation]]:
    if isinstance(protocol, Reputation):
        for threshold in _THRESHOLDS:
            changed: SocialProtocol = Reputation(threshold=threshold, memory=protocol.memory)
            yield threshold, best_deviation(changed, exchange, continuation=continuation)
    else:
        for penance in _PENANCES:
            yield float(penance), best_deviation(TitForTat(penance=penance), exchange, continuation=continuation)
