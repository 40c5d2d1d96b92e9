"""Anonymous search among peers: against whole entropies with dictionaries, and up to a million queries of 10 000 peers.

``transcription_s`` is the time of ``tests/oracles/games/peer_search.py``, which computes every entropy whole and looks at every
peer for (2). ``log_s`` is what making the log takes, ``measures_s`` what entropies and attackers take afterwards.
"""

from __future__ import annotations

import time
from typing import Any

from tests.oracles.games import peer_search as oracle

from benchmarks.tables import ratio_of
from tacita.games.search.community import Community, community_of_sample
from tacita.games.search.comparison import run_figures
from tacita.games.search.play import SearchRules, SearchRun, play_search
from tacita.games.search.profilers import colluding_peers, database_profile, found_by_history, single_peer
from tacita.games.search.sights import sight_of

__all__ = ["run"]

_MOST_SECONDS = 60.0


def _against_the_transcription() -> dict[str, Any]:
    community = community_of_sample(30, 1000, seed=1)
    play_search(community, seed=1)  # loads the kernels
    begin = time.perf_counter()
    made = play_search(community, seed=1)
    ours = time.perf_counter() - begin
    begin = time.perf_counter()
    theirs, _ = _transcribed(community, made)
    seconds = time.perf_counter() - begin
    if theirs != made.submitter.tolist():
        raise AssertionError("the two disagree")
    return {
        "case": "coprivate, against the transcription",
        "peers": community.peers,
        "queries": len(community),
        "seconds": ours,
        "transcription_s": seconds,
        "ratio": ratio_of(seconds, ours),
        "target": ">= 100",
    }


def _transcribed(community: Community, made: SearchRun) -> tuple[list[int], list[tuple[int, int, int]]]:
    neighbours = [made.topology.neighbours(peer).tolist() for peer in range(community.peers)]
    helpful = made.helpful.tolist()
    return oracle.play(
        community.owner.tolist(),
        community.query.tolist(),
        neighbours,
        helpful,
        made.rules.attempts,
        lambda *of: made.preferred(*of).tolist(),
    )


def _row(peers: int, queries: int, rules: SearchRules) -> dict[str, Any]:
    begin = time.perf_counter()
    community = community_of_sample(peers, queries, seed=1)
    log = time.perf_counter() - begin
    begin = time.perf_counter()
    made = play_search(community, rules, seed=1)
    played = time.perf_counter() - begin
    begin = time.perf_counter()
    run_figures(made)
    database_profile(sight_of(made))
    found_by_history(sight_of(made), seed=1)
    single_peer(made)
    colluding_peers(made, 5)
    return {
        "case": f"{rules.protocol}, {rules.topology}",
        "peers": peers,
        "queries": len(community),
        "seconds": played,
        "log_s": log,
        "measures_s": time.perf_counter() - begin,
        "target": f"<= {_MOST_SECONDS:.0f} s",
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Time the protocol against its transcription, and at sizes up to a million queries."""
    rows = [_against_the_transcription()]
    for peers, queries in ((100, 5000), (1000, 50_000)) if quick else ((1000, 100_000), (10_000, 1_000_000)):
        rows.append(_row(peers, queries, SearchRules()))
        rows.append(_row(peers, queries, SearchRules(topology="scale_free", free_riders=0.2)))
        rows.append(_row(peers, queries, SearchRules(protocol="crowds")))
    return rows
