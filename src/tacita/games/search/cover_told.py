"""Telling cover queries from true ones, as the database would: a classifier that learned from the attacker's own peers.

The attacker runs the program himself, so that he has labelled queries of some peers, and judges those of the others.

References
----------
Peddinti, S. T., Saxena, N. (2010). On the privacy of web search based on query obfuscation: a case study of TrackMeNot. PETS
2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.streams import Seed, Streams
from tacita.games.search.entropies import occurrence
from tacita.games.search.sights import Sight

__all__ = ["CoverTold", "cover_features", "tell_cover"]

_MOST_TRAINED = 200_000
"""Queries that the classifier learns from."""
_BLOCK = 100_000
"""Queries that are judged at a time."""
_FAR = 5.0
"""Standard deviations."""
_STEPS = 50


@dataclass(frozen=True, kw_only=True)
class CoverTold:
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


def tell_cover(sight: Sight, *, seed: Seed) -> CoverTold:
    """Tell cover queries from true ones: learn from half of the peers, judge the others.

    Notes
    -----
    Logistic regression with a ridge on :func:`cover_features`, their squares and products. Complexity: O(queries).
    """
    rng = Streams(seed).stream("peer_search", "classifier")
    learned = np.zeros(sight.community.peers, np.bool_)
    learned[rng.permutation(sight.community.peers)[: sight.community.peers // 2]] = True
    seen = learned[sight.name]
    truth = sight.is_own
    trained = np.sort(rng.permutation(np.flatnonzero(seen))[:_MOST_TRAINED])
    judged = ~seen
    kept = np.zeros(len(truth), np.bool_)
    if len(np.unique(truth[trained])) < 2 or len(np.unique(truth[judged])) < 2:
        return CoverTold(
            auc=float("nan"), right=float("nan"), by_guessing=float("nan"), queries=0, kept=kept, judged=judged
        )
    features = cover_features(sight)
    known = features[trained]
    middle, spread = known.mean(axis=0), known.std(axis=0)
    scaled = (features - middle) / np.where(spread > 0, spread, 1)
    weights = _fitted(_with_products(scaled[trained]), truth[trained])
    blocks = np.array_split(scaled[judged], int(judged.sum()) // _BLOCK + 1)
    score = np.concatenate([_with_products(block) @ weights for block in blocks])
    kept[judged] = score > 0
    share = float(truth[judged].mean())
    return CoverTold(
        auc=_auc(score, truth[judged]),
        right=float((kept[judged] == truth[judged]).mean()),
        by_guessing=max(share, 1 - share),
        queries=int(judged.sum()),
        kept=kept,
        judged=judged,
    )


def _with_products(x: FloatArray) -> FloatArray:
    """Return one, the columns, and the products of any two of them; values far out are cut off before."""
    x = np.clip(x, -_FAR, _FAR)
    first, second = np.triu_indices(x.shape[1])
    return np.column_stack([np.ones(len(x)), x, x[:, first] * x[:, second]])


def _fitted(x: FloatArray, truth: BoolArray) -> FloatArray:
    """Return the weights of a logistic regression with the penalty |w|^2 / 2, by Newton's method; the first has no penalty."""
    penalty = np.ones(x.shape[1])
    penalty[0] = 1e-6  # next to none, so that the equations always have one solution
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (truth - chance) - penalty * weights
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _auc(score: FloatArray, truth: BoolArray) -> float:
    """Return the area under the curve by ranks; equal scores have the middle one."""
    from scipy.stats import rankdata

    positive = int(truth.sum())
    return float((rankdata(score)[truth].sum() - positive * (positive + 1) / 2) / (positive * (len(truth) - positive)))
