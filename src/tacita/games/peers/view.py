r"""What the back end learned: the queries that it saw under each name, against those that the owner of the name really had.

For each peer, with relative frequencies s of what was seen under its name and t of its own queries:

* H(s) and H(t), in bits;
* the distance :math:`\tfrac12 \sum_q |s_q - t_q|`: 0 when the profile that the database sees is the true one, 1 when they have
  nothing in common;
* exposed: the share of its own queries that came under its own name, sum of min(seen_q, own_q) over its own queries;
* own: the share of what came under its name that is its own.

Where two peers have the same query, one counts as the other; exposed and own are therefore never too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.metadata import LARGE, parse_json, read_text
from tacita.games.peers.decisions import same_query

__all__ = ["PeerExposure", "ViewMeasured", "measure_view", "read_seen"]


@dataclass(frozen=True)
class PeerExposure:
    """What the back end learned of one peer.

    Parameters
    ----------
    name
        The peer.
    queries, seen
        How many queries it had, and how many came under its name.
    entropy_true, entropy_seen
        H(t) and H(s), in bits.
    distance
        Between the two profiles, from 0 to 1; NaN where one of them is empty.
    exposed
        Share of its own queries that came under its own name; NaN where it had none.
    own
        Share of what came under its name that is its own; NaN where nothing came.
    """

    name: str
    queries: int
    seen: int
    entropy_true: float
    entropy_seen: float
    distance: float
    exposed: float
    own: float


@dataclass(frozen=True)
class ViewMeasured:
    """What the back end learned of all peers.

    Parameters
    ----------
    peers
        One for each peer.
    entropy_of_asker
        H(owner | name under which a query came): bits that the database lacks, on average, to tell whose a query is, when it
        knows how often each peer submits for each other one.
    """

    peers: tuple[PeerExposure, ...]
    entropy_of_asker: float

    def as_plain(self) -> dict[str, Any]:
        """Return what JSON can say."""
        return {"peers": [asdict(peer) for peer in self.peers], "entropy_of_asker": self.entropy_of_asker}


def measure_view(seen: Iterable[tuple[str, str]], true: Mapping[str, Sequence[str]]) -> ViewMeasured:
    """Measure what the back end saw against what the peers had.

    Parameters
    ----------
    seen
        Name and query, for each that came.
    true
        The queries of each peer.

    Raises
    ------
    DataError
        When a query came under a name that has no true queries to compare with.

    Complexity
    ----------
    O(n log n) for n queries.

    Notes
    -----
    Whose a query is that several peers had is spread over them as often as each had it.

    Examples
    --------
    >>> made = measure_view([("a", "x"), ("b", "y"), ("b", "z")], {"a": ["x", "y"], "b": ["z"]})
    >>> [(peer.name, peer.exposed, peer.own, peer.distance) for peer in made.peers], round(made.entropy_of_asker, 3)
    ([('a', 0.5, 1.0, 0.5), ('b', 1.0, 0.5, 0.5)], 0.667)
    """
    names = list(true)
    place = {name: number for number, name in enumerate(names)}
    known: dict[str, int] = {}
    pairs = [(name, same_query(query)) for name, query in seen]
    if any(name not in place for name, _ in pairs):
        raise DataError("measure_view: a query came under a name that has no true queries to compare with.")
    came = _counted(((place[name], query) for name, query in pairs), known)
    had = _counted(((place[name], same_query(query)) for name in names for query in true[name]), known)
    both, where = np.unique(np.concatenate([came[0], had[0]]), return_inverse=True)
    s, t = np.zeros(len(both)), np.zeros(len(both))
    s[where[: len(came[0])]], t[where[len(came[0]) :]] = came[1], had[1]
    peer, query = both >> 31, both & (2**31 - 1)
    count = len(names)
    sums = np.bincount(peer, s, count), np.bincount(peer, t, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        ps, pt = s / sums[0][peer], t / sums[1][peer]
        shared = np.bincount(peer, np.minimum(s, t), count)
        distance = np.bincount(peer, np.abs(ps - pt), count) / 2
        exposed, own = shared / sums[1], shared / sums[0]
    entropy = _entropies(peer, ps, count), _entropies(peer, pt, count)
    rows = zip(names, sums[1], sums[0], entropy[1], entropy[0], distance, exposed, own, strict=True)
    return ViewMeasured(
        tuple(PeerExposure(name, int(q), int(n), *map(float, rest)) for name, q, n, *rest in rows),
        _entropy_of_asker(peer, query, s, t, count),
    )


def _counted(pairs: Iterable[tuple[int, str]], known: dict[str, int]) -> tuple[IntArray, FloatArray]:
    """Return (peer, query) as one number each, different ones, with how often each is there."""
    rows = [(peer, known.setdefault(query, len(known))) for peer, query in pairs]
    table = np.array(rows, np.int64).reshape(-1, 2)
    keys, times = np.unique(table, axis=0, return_counts=True)
    return (keys[:, 0] << 31) + keys[:, 1], times.astype(np.float64)


def _entropies(group: IntArray, shares: FloatArray, count: int) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        terms = np.where(shares > 0, -shares * np.log2(shares), 0.0)
    return np.asarray(np.bincount(group, terms, count), np.float64)


def _entropy_of_asker(peer: IntArray, query: IntArray, s: FloatArray, t: FloatArray, count: int) -> float:
    """Mean over what came of H(owner | name), with the owners of a query in proportion to how often each had it."""
    from scipy import sparse  # loads when used

    owners = np.bincount(query, t)[query]  # how often each query was had by anybody
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = np.where(t > 0, t / owners, 0.0)
    shape = (count, int(query.max(initial=0)) + 1)
    flows = (
        sparse.csr_array((s, (peer, query)), shape=shape) @ sparse.csr_array((parts, (peer, query)), shape=shape).T
    ).tocoo()
    under = np.bincount(flows.row, flows.data, count)
    whole = float(under.sum())
    entropies = _entropies(flows.row, flows.data / np.maximum(under[flows.row], 1e-300), count)
    return float(under @ entropies) / whole if whole else 0.0


def read_seen(path: str | Path) -> list[tuple[str, str]]:
    """Read what a back end wrote into its view file; a last line that was cut off is left out.

    Raises
    ------
    FileError
        When it cannot be read, or is no view file.
    """
    lines = read_text(path, "The view", limits=LARGE).split("\n")
    found = [parse_json(line, "The view") for line in lines[:-1]]
    if not all(
        isinstance(one, dict) and set(one) == {"peer", "query"} and all(isinstance(v, str) for v in one.values())
        for one in found
    ):
        raise DataError(f"The view '{Path(path).name}' must have 'peer' and 'query' in each line.")
    return [(one["peer"], one["query"]) for one in found]
