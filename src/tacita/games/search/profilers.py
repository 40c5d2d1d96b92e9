"""What named attackers learn of the peers: the database alone, one peer, colluding peers, colluding peers with the database.

Entropies say how even a distribution is, not whose it is: a peer whose queries are all different has a large H(Y) when she
submits all of them herself. So what is learned is measured too.

- The **database** reads the queries under a name as those of its owner. It is right about a share of them (``precision``), and
  knows a share of the owner's different queries (``recall``). Or it takes the first name under which a query stands for somebody
  who has it, and is right about a share of the different queries (``first_right``). ``overlap`` is 1 less the total variation
  distance between the true distribution and the one under the name; the same by topics. Who knows what somebody searched for in
  the first half of the time looks for the name under which it stands: ``found`` is the share of the owners whose name comes
  first. ``found_later`` is the same where the database shows only the second half.
- **One peer** knows what was forwarded to him; the one who knows most of an owner counts.
- **c peers** drawn at random put together what they know. Of a query forwarded to d different ones of the N - 1 others they know
  with probability 1 - C(N - 1 - d, c) / C(N - 1, c).
- With the **database** they also know what stands under the owner's name, and which of that is their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.search.community import pair_counts
from tacita.games.search.entropies import occurrence
from tacita.games.search.play import SearchRun
from tacita.games.search.sights import Sight, sight_of

__all__ = ["colluding_peers", "database_profile", "found_by_history", "hit_probability", "single_peer"]

_TARGETS = 300
"""Owners who are looked for by their history."""
_FEWEST_SEARCHES = 3
"""In each half, so that there is something to look for."""


def database_profile(sight: Sight) -> dict[str, float]:
    """Return what the database alone learns from what stands under each name.

    Examples
    --------
    >>> from tacita.games.search.community import community_of_sample
    >>> from tacita.games.search.play import SearchRules, play_search
    >>> run = play_search(community_of_sample(50, 1000, seed=1), SearchRules(protocol="none"), seed=1)
    >>> found = database_profile(sight_of(run))
    >>> found["recall"], found["precision"]
    (1.0, 1.0)
    """
    true, seen = sight.community.asked, sight.seen()
    has_true, has_seen = np.diff(true.indptr), np.diff(seen.indptr)
    both = np.asarray(true.sign().multiply(seen.sign()).sum(axis=1)).ravel()
    active, visible = has_true > 0, has_seen > 0
    own = np.bincount(sight.name[sight.is_own], minlength=sight.community.peers)
    found = {
        "recall": float((both[active] / has_true[active]).mean()) if active.any() else 0.0,
        "precision": float((both[visible] / has_seen[visible]).mean()) if visible.any() else 0.0,
        "own_share": float(own.sum() / max(len(sight.name), 1)),
        "first_right": _first_right(sight),
        "overlap": _overlap(true, seen),
    }
    if sight.community.topic is not None:
        found["topic_overlap"] = _overlap(_by_topic(true, sight), _by_topic(seen, sight))
    return found


def _first_right(sight: Sight) -> float:
    """Return for how many of the different queries the first name under which each stands is that of somebody who has it."""
    query, where = np.unique(sight.query, return_index=True)
    true = sight.community.asked
    asked = np.repeat(np.arange(sight.community.peers, dtype=np.int64), np.diff(true.indptr)) * true.shape[1]
    claimed = sight.name[where].astype(np.int64) * true.shape[1] + query
    return float(np.isin(claimed, asked + true.indices).mean()) if len(query) else 0.0


def _by_topic(counts: Any, sight: Sight) -> Any:
    """Add up the columns of each topic; queries without one are left out."""
    topic = sight.community.topic
    if topic is None:
        return counts
    some = np.flatnonzero(topic >= 0).astype(np.int32)
    return counts @ pair_counts(some, topic[some], (len(topic), int(topic.max(initial=-1)) + 1))


def _overlap(true: Any, seen: Any) -> float:
    """Return the mean over owners with queries of sum over x of min(p_true(x), p_seen(x))."""
    from scipy import sparse  # loads when used

    shares, filled = [], []
    for counts in (true, seen):
        total = np.asarray(counts.sum(axis=1), np.float64).ravel()
        filled.append(total > 0)
        shares.append(sparse.csr_array(sparse.diags_array(1 / np.maximum(total, 1)) @ counts))
    common = np.asarray(shares[0].minimum(shares[1]).sum(axis=1)).ravel()
    return float(common[filled[0]].mean()) if filled[0].any() else 0.0


def found_by_history(sight: Sight, *, seed: Seed) -> dict[str, float]:
    """Look for the name of an owner whose searches in the first half of the time are known.

    Names are ranked by the cosine of what was searched for in the first half, and what stands under the name; a query that stands
    under few names counts more (its weight is the logarithm of N over their number). Of equal ranks the middle is taken.

    Returns
    -------
    dict
        ``found``: share of the owners whose own name comes first when all of what stands under each name is seen;
        ``found_later``: when the second half alone is; ``median_rank``, ``median_rank_later``; ``by_guessing``: what a guess
        finds; ``targets``: how many owners were looked for.
    """
    community = sight.community
    half = len(community) // 2
    first = community.owner[:half]
    known = pair_counts(first, community.query[:half], (community.peers, community.queries))
    late = np.bincount(community.owner[half:], minlength=community.peers)
    early = np.bincount(first, minlength=community.peers)
    able = np.flatnonzero((early >= _FEWEST_SEARCHES) & (late >= _FEWEST_SEARCHES))
    targets = np.sort(Streams(seed).stream("peer_search", "targets").permutation(able)[:_TARGETS])
    found: dict[str, float] = {"by_guessing": 1 / community.peers, "targets": len(targets)}
    for ending, begin in (("", 0), ("_later", half)):
        seen = sight.seen(begin)
        names = np.bincount(seen.indices, minlength=community.queries)
        weight = np.log(community.peers / np.maximum(names, 1))
        rank = _ranks(known[targets], seen, weight, targets) if len(targets) else np.full(1, np.nan)
        found[f"found{ending}"] = float((rank == 1).mean()) if len(targets) else float("nan")
        found[f"median_rank{ending}"] = float(np.median(rank))
    return found


def _ranks(known: Any, seen: Any, weight: FloatArray, targets: IntArray) -> FloatArray:
    """Return the rank of each target's own row among all rows, by the cosine of logarithmic counts."""
    from scipy import sparse  # loads when used

    sides = []
    for counts in (known, seen):
        damped = sparse.csr_array(counts, dtype=np.float64)
        damped.data = np.log1p(damped.data)
        damped = sparse.csr_array(damped @ sparse.diags_array(weight))
        norm = np.sqrt(np.asarray(damped.multiply(damped).sum(axis=1)).ravel())
        sides.append(sparse.csr_array(sparse.diags_array(1 / np.where(norm > 0, norm, 1)) @ damped))
    near = (sides[0] @ sides[1].T).toarray()
    own = near[np.arange(len(targets)), targets][:, None]
    ahead, equal = (near > own + 1e-12).sum(axis=1), (np.abs(near - own) <= 1e-12).sum(axis=1)
    return np.asarray(1 + ahead + (equal - 1) / 2, np.float64)


# --- peers ----------------------------------------------------------------------------------------------------------------


def hit_probability(different: IntArray, others: int, coalition: int) -> FloatArray:
    """Return how likely c of N - 1 others, drawn at random, have one of d among them: 1 - C(N - 1 - d, c) / C(N - 1, c).

    Examples
    --------
    >>> hit_probability(np.array([0, 1, 2]), 4, 2).round(4).tolist()
    [0.0, 0.5, 0.8333]
    """
    from scipy.special import gammaln  # loads when used

    rest = others - np.asarray(different, np.float64)
    none = gammaln(rest + 1) + gammaln(others - coalition + 1) - gammaln(others + 1)
    none -= gammaln(np.maximum(rest - coalition, 0) + 1)
    found = np.where(rest < coalition, 1.0, -np.expm1(np.minimum(none, 0)))
    return np.where(np.asarray(different) == 0, 0.0, found)


def single_peer(run: SearchRun) -> dict[str, float]:
    """Return what the one peer learns who is told most of an owner, on average over the owners.

    ``knows``: share of the owner's different queries. ``sure``: share of the requests whose sender is the owner, which is how
    often a peer is right who takes the sender for the owner.
    """
    pair, _ = run.community.pair
    owner = run.community.owner[run.line[run.by_owner]]
    receiver = run.receiver[run.by_owner]
    queries = np.diff(run.community.asked.indptr)
    active = queries > 0
    told = pair[run.line[run.by_owner]].astype(np.int64) * run.community.peers + receiver
    first = occurrence(told) == 0
    link = owner[first].astype(np.int64) * run.community.peers + receiver[first]
    links, count = np.unique(link, return_counts=True)
    most = np.zeros(run.community.peers, np.int64)
    np.maximum.at(most, links // run.community.peers, count)
    return {
        "knows": float((most[active] / queries[active]).mean()) if active.any() else 0.0,
        "sure": float(run.by_owner.mean()) if len(run.by_owner) else float("nan"),
    }


def colluding_peers(run: SearchRun, coalition: int) -> dict[str, float]:
    """Return what c peers drawn at random learn of an owner on average, alone and with the database.

    ``knows``, ``knows_with_database``: expected share of the owner's different queries. ``own_share_with_database``: share of the
    owner's own among the queries under her name, when those that the c peers sent her are taken out.

    Raises
    ------
    ParameterError
        When there are not so many others.
    """
    community = run.community
    others = community.peers - 1
    if isinstance(coalition, bool) or not isinstance(coalition, int) or not 1 <= coalition <= others:
        raise ParameterError(f"'coalition' must be a whole number from 1 to {others}, got {coalition}.")
    pair, pairs = community.pair
    sent = pair[run.line[run.by_owner]].astype(np.int64) * community.peers + run.receiver[run.by_owner]
    different = np.bincount(pair[run.line[run.by_owner]][occurrence(sent) == 0], minlength=pairs)
    hit = hit_probability(different, others, coalition)
    owner = np.zeros(pairs, np.int64)
    owner[pair] = community.owner
    query = np.zeros(pairs, np.int64)
    query[pair] = community.query
    seen = sight_of(run).seen()
    shown = (
        np.repeat(np.arange(community.peers, dtype=np.int64), np.diff(seen.indptr)) * community.queries + seen.indices
    )
    visible = np.isin(owner * community.queries + query, shown)
    queries = np.bincount(owner, minlength=community.peers)
    active = queries > 0

    def mean(known: FloatArray) -> float:
        sums = np.bincount(owner, weights=known, minlength=community.peers)
        return float((sums[active] / queries[active]).mean()) if active.any() else 0.0

    own, foreign = int((~run.helped).sum()), int(run.helped.sum()) * (1 - coalition / others)
    return {
        "knows": mean(hit),
        "knows_with_database": mean(np.where(visible, 1.0, hit)),
        "own_share_with_database": own / max(own + foreign, 1e-300),
    }
