"""Social networks as games: a full best-response round by users and links, rounds of a protocol, and the search for deviations.

The networks are scale-free, three links for each user who joins. A round answers what all others show within ``distance`` links.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.oracles.games import social as oracle

from benchmarks.tables import ratio_of
from tacita.games.social.deviations import best_deviation
from tacita.games.social.exchange import Disclosure
from tacita.games.social.generators import scale_free_network
from tacita.games.social.network import Network
from tacita.games.social.protocols import Reputation, TitForTat
from tacita.games.social.selfish import best_responses, play_selfishly
from tacita.games.social.sensitivities import response_sensitivities
from tacita.games.social.social_study import made_sensitivities
from tacita.games.social.sustained import sustain

__all__ = ["run"]


def _seconds(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _round(network: Network, distance: int, every: int = 1, attributes: int = 10) -> dict[str, Any]:
    """All answer a network in which one user of so many has everything public; of few publishers more must be searched."""
    beta = made_sensitivities(attributes, distance)
    public = np.zeros((network.users, attributes), np.int32)
    public[::every] = distance
    best_responses(scale_free_network(10), np.zeros((10, attributes), np.int32), beta)  # loads the kernels
    play_selfishly(scale_free_network(10), np.zeros((10, attributes), np.int32), beta, turns="in turn", rounds=1)
    return {
        "case": f"best-response round, {distance} links far, {attributes} attributes, one of {every} public",
        "users": network.users,
        "seconds": _seconds(lambda: best_responses(network, public, beta, ties="stay")),
        "target": "<= 5 s",
    }


def _in_turn(network: Network) -> dict[str, Any]:
    beta, public = made_sensitivities(10, 2), np.full((network.users, 10), 2, np.int32)
    return {
        "case": "one round in turn, 2 links far, with its figures",
        "users": network.users,
        "seconds": _seconds(lambda: play_selfishly(network, public, beta, ties="stay", turns="in turn", rounds=1)),
    }


def _against_the_transcription(users: int) -> dict[str, Any]:
    network, beta = scale_free_network(users, 2), made_sensitivities(2, 2)
    reach = np.ones((users, 2), np.int32)
    edges = [(int(a), int(b)) for a, b in zip(network.tails, network.links.neighbour, strict=True) if a < b]
    best_responses(network, reach, beta)
    ours = min(_seconds(lambda: best_responses(network, reach, beta)) for _ in range(20))
    theirs = users * _seconds(lambda: oracle.best_of_all(0, users, edges, reach, beta))
    return {
        "case": "best-response round, against the transcription",
        "users": users,
        "seconds": ours,
        "transcription_s": theirs,
        "ratio": ratio_of(theirs, ours),
        "target": ">= 100",
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Time every case."""
    users = 10_000 if quick else 100_000
    rows: list[dict[str, Any]] = [
        {"case": "making the network", "users": users, "seconds": _seconds(lambda: scale_free_network(users))}
    ]
    network = scale_free_network(users)
    rows += [_round(network, distance, every) for distance in (1, 2, 3) for every in (1, 1000)]
    rows += [_in_turn(network), _against_the_transcription(20)]
    exchange = Disclosure((0.5, 1.0, 1.5))
    for protocol in (TitForTat(penance=4), Reputation()):
        played = _seconds(lambda p=protocol: sustain(network, p, exchange, rounds=20, slips=0.02, free_riders=0.1))
        searched = _seconds(lambda p=protocol: best_deviation(p, exchange))
        name = type(protocol).__name__
        rows.append({"case": f"20 rounds of {name}", "users": users, "seconds": played})
        rows.append({"case": f"best deviation from {name}", "seconds": searched})
    disclosed = (np.random.default_rng(1).random((users, 10)) < np.linspace(0.1, 0.9, 10)).astype(np.int64)
    rows.append(
        {
            "case": "sensitivities by item response, 10 attributes",
            "users": users,
            "seconds": _seconds(lambda: response_sensitivities(disclosed)),
        }
    )
    return rows
