"""All ways of searching side by side, on one community, for the same attackers; and what changes the protocol of section 4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.games.search.community import Community
from tacita.games.search.cover_queries import add_cover
from tacita.games.search.cover_told import tell_cover
from tacita.games.search.entropies import entropies_over_time, entropy_against_database, entropy_against_peers
from tacita.games.search.interactions import check_interactions
from tacita.games.search.keyword_masking import Fakes, mask_queries
from tacita.games.search.play import SearchRules, SearchRun, play_search
from tacita.games.search.profilers import colluding_peers, database_profile, found_by_history, single_peer
from tacita.games.search.sights import Sight, check_submissions, sight_of
from tacita.games.search.topology import TopologyKind

__all__ = ["SearchComparison", "compare_search", "run_figures"]

_CUTS = 20
"""Points of a line over time."""
_RIDERS = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
_ATTEMPTS = (1, 2, 3, 5, 10, 20)
_TOPOLOGIES: tuple[TopologyKind, ...] = ("complete", "random", "ring", "scale_free")
_FEWEST_FORWARDS = 2
"""Of a query forwarded once the entropy is 0, whoever it went to."""


@dataclass(frozen=True, eq=False)
class SearchComparison:
    """What came out, as rows of numbers.

    Parameters
    ----------
    community
        Whose queries were played.
    rules
        Those of the protocol.
    coalition
        How many peers collude.
    ways
        One row a way of searching.
    over_time
        One row for each way and moment.
    sweeps
        One list of rows for each of ``free_riders``, ``attempts``, ``topology`` and ``peers``.
    checked
        What :func:`check_interactions` found.
    """

    community: Community
    rules: SearchRules
    coalition: int
    ways: tuple[Mapping[str, Any], ...]
    over_time: tuple[Mapping[str, Any], ...]
    sweeps: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    checked: Mapping[str, int] = field(default_factory=dict)

    def way(self, name: str) -> Mapping[str, Any]:
        """Return the row of a way."""
        for row in self.ways:
            if row["way"] == name:
                return row
        raise ParameterError(f"There is no way '{name}' here, only {', '.join(str(row['way']) for row in self.ways)}.")

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON; numbers that there are none of are null."""
        community, rules = self.community, self.rules
        found = {
            "community": {
                "peers": community.peers,
                "queries": len(community),
                "different_queries": community.queries,
                "notes": list(community.notes),
            },
            "rules": {name: getattr(rules, name) for name in rules.__dataclass_fields__},
            "coalition": self.coalition,
            "ways": [dict(row) for row in self.ways],
            "over_time": [dict(row) for row in self.over_time],
            "sweeps": {name: [dict(row) for row in rows] for name, rows in self.sweeps.items()},
            "checked": dict(self.checked),
        }
        return {name: _without_nan(value) for name, value in found.items()}


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_without_nan(entry) for entry in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def run_figures(run: SearchRun) -> dict[str, float]:
    """Return the utilities of section 4, on average, and what happened.

    ``entropy_database`` is the mean of H(Y_i) over the peers with a query, ``entropy_database_by_query`` the mean over the
    queries (of the peer who has it); ``riders`` and ``helpers`` are those of two kinds of peers. ``entropy_peers`` is the mean
    of H(F_i(x)) over what was forwarded at least twice. ``evenness_database`` and ``evenness_peers`` are means of the entropy
    over the largest one that so many submissions, or so many forwards to so many neighbours, can have.
    """
    bits = entropy_against_database(run)[0]
    own = np.bincount(run.community.owner, minlength=run.community.peers)
    submitted = np.bincount(run.submitter, minlength=run.community.peers)
    active, several = own > 0, submitted > 1
    found = entropy_against_peers(run)
    often = found.times >= _FEWEST_FORWARDS
    hidden = found.bits[often]
    largest = _most_even(found.times[often], run.topology.degrees[found.owner[often]])
    return {
        "entropy_database": _mean(bits[active]),
        "entropy_database_by_query": float((bits * own).sum() / max(own.sum(), 1)),
        "evenness_database": _mean(bits[several] / np.log2(submitted[several])),
        "helpers": _mean(bits[active & run.helpful]),
        "riders": _mean(bits[active & ~run.helpful]),
        "entropy_peers": _mean(hidden),
        "evenness_peers": _mean(hidden[largest > 0] / largest[largest > 0]),
        **run.facts(),
    }


def _most_even(times: IntArray, places: IntArray) -> FloatArray:
    """Return the largest entropy of so many things in so many places: as many in each, or one more."""
    each, more = times // places, times % places
    weight = more * (each + 1) * np.log2(each + 1) + (places - more) * each * np.log2(np.maximum(each, 1))
    return np.asarray(np.log2(times) - weight / times, np.float64)


def _mean(values: Any) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def compare_search(
    community: Community,
    rules: SearchRules | None = None,
    *,
    compare: bool = True,
    coalition: int = 5,
    k: int = 3,
    rate: float = 1.0,
    seed: Seed,
) -> SearchComparison:
    """Play the protocol, and what it is compared with, and measure what each hides.

    Parameters
    ----------
    community
        Peers and queries.
    rules
        Of the protocol; the others are played with the same free riders, attempts and graph.
    compare
        Whether the others are played too, and what changes the protocol is varied; else the protocol alone.
    coalition
        How many peers collude; fewer where there are not so many.
    k
        How many keywords a masked query has.
    rate
        How many cover queries there are for a true one.
    seed
        Same seed, same numbers.

    Notes
    -----
    Complexity: about 30 plays of the stream with ``compare``, one without.

    Examples
    --------
    >>> from tacita.games.search.community import community_of_sample
    >>> found = compare_search(community_of_sample(50, 1000, seed=1), compare=False, seed=1)
    >>> [row["way"] for row in found.ways]
    ['coprivate']
    """
    rules = SearchRules() if rules is None else rules
    if isinstance(coalition, bool) or not isinstance(coalition, int) or coalition < 1:
        raise ParameterError("'coalition' must be a whole number, at least 1.")
    if compare:
        check_submissions(community, k, "k")
        check_submissions(community, 1 + rate, "rate")
    together = min(coalition, community.peers - 1)
    protocols = dict.fromkeys(("none", "random", "crowds", "coprivate") if compare else (rules.protocol,))
    steps = len(protocols) + (3 + len(_RIDERS) * 2 + len(_ATTEMPTS) + len(_TOPOLOGIES) + 4 if compare else 0)
    ways: list[Mapping[str, Any]] = []
    over_time: list[Mapping[str, Any]] = []
    checked: dict[str, int] = {}
    with task("Comparing ways of searching", steps) as running:
        for protocol in protocols:
            run = play_search(community, replace(rules, protocol=protocol), seed=seed)
            ways.append(_way_of_run(run, together, seed))
            over_time += _over_time(run)
            if protocol == "coprivate":
                checked = check_interactions(run, seed=seed)
            running.advance()
        sweeps: dict[str, tuple[Mapping[str, Any], ...]] = {}
        if compare:
            for row in _standalone(community, k, rate, seed):
                ways.append(row)
                running.advance()
            for name, variants in _variants(community, replace(rules, protocol="coprivate"), seed).items():
                rows = []
                for value, group, how in variants:
                    run = play_search(group, how, seed=seed)
                    facts = {"value": value, "protocol": how.protocol, **run_figures(run)}
                    facts["peer_knows"] = single_peer(run)["knows"]
                    facts["coalition_knows"] = colluding_peers(run, min(together, group.peers - 1))["knows"]
                    rows.append(facts)
                    running.advance()
                sweeps[name] = tuple(rows)
    return SearchComparison(community, rules, together, tuple(ways), tuple(over_time), sweeps, checked)


def _way_of_run(run: SearchRun, coalition: int, seed: Seed) -> dict[str, Any]:
    sight = sight_of(run)
    together = colluding_peers(run, coalition)
    return {
        "way": run.rules.protocol,
        "submissions_per_query": 1.0,
        **run_figures(run),
        **_profile(sight, seed),
        **{f"peer_{name}": value for name, value in single_peer(run).items()},
        **{f"coalition_{name}": value for name, value in together.items()},
    }


def _profile(sight: Sight, seed: Seed) -> dict[str, float]:
    return {**database_profile(sight), **found_by_history(sight, seed=seed)}


def _standalone(community: Community, k: int, rate: float, seed: Seed) -> Iterable[dict[str, Any]]:
    """The relatives that need no peers: no one else learns anything, and the database answers more."""
    own = np.bincount(community.owner, minlength=community.peers)

    def figures(sight: Sight) -> dict[str, Any]:
        bits, profile = sight.entropies(), _profile(sight, seed)
        return {
            "submissions_per_query": len(sight.name) / max(len(community), 1),
            "entropy_database": _mean(bits[own > 0]),
            "entropy_database_by_query": float((bits * own).sum() / max(own.sum(), 1)),
            **profile,
            "peer_knows": 0.0,
            "coalition_knows": 0.0,
            "coalition_knows_with_database": profile["recall"],
        }

    kinds: tuple[Fakes, ...] = ("kept", "fresh") if community.queries >= k else ()
    for fakes in kinds:
        masked = mask_queries(community, k, fakes=fakes, seed=seed)
        bits = masked.entropies()
        yield {
            "way": f"masked, {fakes} fakes",
            **figures(masked.sight()),
            "target_entropy": _mean(bits),
            "least_target_entropy": float(bits.min(initial=np.log2(k))),
            "target_entropy_holds": masked.holds(),
            "told": masked.told_at_once(),
            "told_by_history": masked.told_by_history(),
        }
    sight = add_cover(community, rate=rate, seed=seed)
    told = tell_cover(sight, seed=seed)
    left = sight.is_own[told.kept]
    yield {
        "way": "cover queries",
        **figures(sight),
        "told": told.right,
        "told_by_guessing": told.by_guessing,
        "auc": told.auc,
        "own_share_after": float(left.mean()) if len(left) else float("nan"),
    }


def _variants(
    community: Community, rules: SearchRules, seed: Seed
) -> Mapping[str, list[tuple[Any, Community, SearchRules]]]:
    """What is varied: free riders, attempts, the graph, and the number of peers."""
    order = Streams(seed).stream("peer_search", "sizes").permutation(community.peers)
    sizes = sorted({max(2, community.peers // part) for part in (8, 4, 2, 1)})
    even = max(2, rules.degree // 2 * 2)
    return {
        "free_riders": [
            (share, community, replace(rules, protocol=protocol, free_riders=share))
            for protocol in ("coprivate", "random")
            for share in _RIDERS
        ],
        "attempts": [(times, community, replace(rules, attempts=times)) for times in _ATTEMPTS],
        "topology": [(kind, community, replace(rules, topology=kind, degree=even)) for kind in _TOPOLOGIES],
        "peers": [(size, community.of_peers(np.sort(order[:size])), rules) for size in sizes],
    }


def _over_time(run: SearchRun) -> list[dict[str, Any]]:
    """Return entropies and the share of coprivate interactions at moments of the stream."""
    community, total = run.community, len(run.community)
    cuts = np.unique(np.linspace(0, total, _CUTS + 1).round().astype(np.int64))[1:]
    pair, pairs = community.pair
    line = run.line[run.by_owner]
    hidden = entropies_over_time(pair[line], run.receiver[run.by_owner], pairs, np.searchsorted(line, cuts))
    shown = entropies_over_time(run.submitter, community.query, community.peers, cuts)
    rows, before = [], 0
    for cut, (_, bits), (times, secret) in zip(cuts.tolist(), shown, hidden, strict=True):
        own = np.bincount(community.owner[:cut], minlength=community.peers)
        rows.append(
            {
                "way": run.rules.protocol,
                "queries": cut,
                "entropy_database": _mean(bits[own > 0]),
                "entropy_database_by_query": float((bits * own).sum() / max(own.sum(), 1)),
                "entropy_peers": _mean(secret[times >= _FEWEST_FORWARDS]),
                "helped": float(run.helped[before:cut].mean()),
                "wished_help": float(run.wished[before:cut].mean()),
            }
        )
        before = cut
    return rows
