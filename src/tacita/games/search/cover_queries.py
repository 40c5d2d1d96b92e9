"""Cover queries: a program submits fake queries of its own between the true ones, from a list that evolves.

Each peer has a list of queries, drawn at the start from what anybody asks, as from a feed of news. A cover query is taken from
the list; with a probability its entry is replaced by a related query, as a phrase from the page of results would be. Cover
queries come in bursts around true ones, or at any time. A classifier then tells fake from true: the attacker runs the program
himself, so that he has labelled queries of some peers, and judges those of the others.

References
----------
Howe, D. C., Nissenbaum, H. (2009). TrackMeNot: resisting surveillance in web search. Lessons from the identity trail, 417-436.
Peddinti, S. T., Saxena, N. (2010). On the privacy of web search based on query obfuscation: a case study of TrackMeNot. PETS
2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.search.community import Community
from tacita.games.search.entropies import occurrence
from tacita.games.search.sights import Sight
from tacita.numeric.compiled.random import stream_state
from tacita.numeric.peer_search.cover_walk import cover_walk

__all__ = ["Moments", "Told", "add_cover", "cover_features", "tell_cover"]

Moments = Literal["bursts", "spread"]
"""bursts: cover queries come around true ones of their peer, in any order. spread: they come at any time."""

_MOST_TRAINED = 200_000
"""Queries that the classifier learns from."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """How well a classifier tells cover queries from true ones, on peers that it has not learned from.

    Parameters
    ----------
    auc
        How likely it holds a true query for truer than a cover query; 0.5 for a coin.
    right
        Share of the queries that it calls rightly.
    by_guessing
        The same when all are called what is more frequent.
    queries
        How many it judged.
    kept
        One entry a query of the sight: whether it is called true; those of the peers that were learned from are left out as
        false.
    judged
        One entry a query of the sight: whether its peer was judged.
    """

    auc: float
    right: float
    by_guessing: float
    queries: int
    kept: BoolArray
    judged: BoolArray


def add_cover(
    community: Community,
    *,
    rate: float = 1.0,
    seeds: int = 20,
    evolve: float = 0.3,
    moments: Moments = "bursts",
    seed: Seed,
) -> Sight:
    """Return what the database sees when every peer's program adds cover queries.

    Parameters
    ----------
    community
        Peers and queries.
    rate
        How many cover queries there are for a true one, on average.
    seeds
        Length of each peer's list.
    evolve
        With which probability the entry that was taken is replaced.
    moments
        ``bursts`` or ``spread``.
    seed
        Draws everything.

    Notes
    -----
    A related query is one of a peer who had the same query: the simulation has no pages of results. Complexity: O(M (1 + rate)).

    Examples
    --------
    >>> from tacita.games.search.community import community_of_sample
    >>> sight = add_cover(community_of_sample(50, 1000, seed=1), rate=2, seed=1)
    >>> bool(sight.is_own.sum() == len(sight.community))
    True
    """
    if not 0 <= rate <= 1000:
        raise ParameterError(f"'rate' must be from 0 to 1000 cover queries for a true one, got {rate}.")
    if isinstance(seeds, bool) or not isinstance(seeds, int) or not 1 <= seeds <= 10_000:
        raise ParameterError(f"'seeds' must be a whole number from 1 to 10000, got {seeds}.")
    if not 0 <= evolve <= 1:
        raise ParameterError(f"'evolve' must be a probability, got {evolve}.")
    if moments not in get_args(Moments):
        raise ParameterError(f"'moments' must be one of {', '.join(get_args(Moments))}, got {moments!r}.")
    streams = Streams(seed).within("peer_search", "cover")
    rng = streams.stream("moments")
    total = len(community)
    behind = np.repeat(np.arange(total), rng.poisson(rate, total))  # with which true query each comes
    name = community.owner[behind]
    line = behind if moments == "bursts" else np.sort(rng.integers(0, max(total, 1), len(behind)))
    if moments == "spread":
        name = name[rng.permutation(len(name))]
    feed = community.query if total else np.zeros(1, np.int32)
    lists = feed[streams.stream("lists").integers(0, len(feed), (community.peers, seeds))]
    askers = _lists_of(community.query, community.owner, community.queries)
    asked = _lists_of(community.owner, community.query, community.peers)
    query = np.zeros(len(name), np.int32)
    state = stream_state(int(streams.stream("walk").integers(2**63)))
    cover_walk(np.ascontiguousarray(name), np.ascontiguousarray(lists), float(evolve), *askers, *asked, state, query)
    # A true query and its cover come in an order that says nothing of which is which.
    where = np.lexsort((rng.random(total + len(line)), np.concatenate([np.arange(total), line])))
    return Sight(
        community,
        np.concatenate([community.owner, name])[where],
        np.concatenate([community.query, query])[where],
        np.concatenate([np.arange(total), line])[where],
        np.concatenate([np.ones(total, np.bool_), np.zeros(len(name), np.bool_)])[where],
    )


def _lists_of(group: Any, item: Any, groups: int) -> tuple[IntArray, Any]:
    """Return where the items of each group begin, and the items."""
    start = np.zeros(groups + 1, np.int64)
    np.cumsum(np.bincount(group, minlength=groups), out=start[1:])
    return start, np.ascontiguousarray(item[np.argsort(group, kind="stable")])


def cover_features(sight: Sight) -> FloatArray:
    """Return what the database can see of each query: one row a query.

    Under how many names it stands (its popularity), how often it stands under this one, how many of the name's queries have its
    topic where topics are known, how long ago the name's last query was and how soon the next one is.
    """
    names, queries = sight.name.astype(np.int64), sight.query
    codes = names * sight.community.queries + queries
    _, where, count = np.unique(codes, return_inverse=True, return_counts=True)
    first = occurrence(codes) == 0
    popular = np.bincount(queries[first], minlength=sight.community.queries)[queries]
    total = np.bincount(names, minlength=sight.community.peers)[names]
    columns = [np.log(popular), np.log(count[where]), np.log(total)]
    if sight.community.topic is not None:
        topic = sight.community.topic[queries]
        pairs = names * (int(topic.max(initial=-1)) + 2) + topic + 1
        _, place, alike = np.unique(pairs, return_inverse=True, return_counts=True)
        columns += [np.log(alike[place] / total), (topic < 0).astype(float)]
    order = np.argsort(names, kind="stable")
    gap = np.diff(sight.line[order], prepend=0).astype(np.float64)
    gap[np.flatnonzero(np.diff(names[order], prepend=-1))] = len(sight.community)
    before, after = np.empty(len(order)), np.full(len(order), float(len(sight.community)))
    before[order] = gap
    after[order[:-1]] = gap[1:]
    return np.column_stack([*columns, np.log1p(before), np.log1p(after)])


def tell_cover(sight: Sight, *, seed: Seed) -> Told:
    """Tell cover queries from true ones: learn from half of the peers, judge the others.

    Notes
    -----
    Logistic regression on :func:`cover_features`, their squares and products. Complexity: O(queries).
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    rng = Streams(seed).stream("peer_search", "classifier")
    learned = np.zeros(sight.community.peers, np.bool_)
    learned[rng.permutation(sight.community.peers)[: sight.community.peers // 2]] = True
    seen = learned[sight.name]
    truth = sight.is_own
    trained = np.sort(rng.permutation(np.flatnonzero(seen))[:_MOST_TRAINED])
    judged = ~seen
    kept = np.zeros(len(truth), np.bool_)
    if len(np.unique(truth[trained])) < 2 or len(np.unique(truth[judged])) < 2:
        return Told(auc=float("nan"), right=float("nan"), by_guessing=float("nan"), queries=0, kept=kept, judged=judged)
    features = cover_features(sight)
    model = make_pipeline(
        StandardScaler(), PolynomialFeatures(2, include_bias=False), StandardScaler(), LogisticRegression(max_iter=200)
    )
    model.fit(features[trained], truth[trained])
    score = model.decision_function(features[judged])
    kept[judged] = score > 0
    share = float(truth[judged].mean())
    return Told(
        auc=_auc(score, truth[judged]),
        right=float((kept[judged] == truth[judged]).mean()),
        by_guessing=max(share, 1 - share),
        queries=int(judged.sum()),
        kept=kept,
        judged=judged,
    )


def _auc(score: FloatArray, truth: BoolArray) -> float:
    """Return the area under the curve by ranks; equal scores have the middle one."""
    from scipy.stats import rankdata

    positive = int(truth.sum())
    return float((rankdata(score)[truth].sum() - positive * (positive + 1) / 2) / (positive * (len(truth) - positive)))
