r"""What one peer decides: submit its own query, forward it and to whom, submit for others or ignore them (section 4).

The entropies are kept, not recomputed: with the counts n_q of N queries,
H = log2 N - (sum over q of n_q log2 n_q) / N, so one more query changes one term of the sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log2
from typing import TYPE_CHECKING

from tacita.data.directory.words import fold

if TYPE_CHECKING:
    import numpy as np

__all__ = ["CountedEntropy", "QueryDecisions", "same_query"]

_TIE = 1e-12
"""Entropies that differ by less are equal: rounding of the arithmetic."""


def same_query(text: str) -> str:
    """Return what two spellings of a query have in common: folded letters, single blanks.

    Examples
    --------
    >>> same_query("  Café   au lait ")
    'cafe au lait'
    """
    return " ".join(fold(text).split())


class CountedEntropy:
    """Shannon's entropy of relative frequencies, in bits, in constant time for each thing that is counted.

    Examples
    --------
    >>> seen = CountedEntropy()
    >>> for word in "abca":
    ...     seen.add(word)
    >>> seen.entropy, seen.after("b") > seen.entropy, seen.after("a") > seen.entropy
    (1.5, True, False)
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.total = 0
        self._sum = 0.0

    @property
    def entropy(self) -> float:
        """H; 0 where nothing was counted."""
        return _entropy(self.total, self._sum)

    def after(self, thing: str) -> float:
        """H with one more of this."""
        return _entropy(self.total + 1, self._sum + _step(self.counts[thing]))

    def add(self, thing: str) -> None:
        """Count one more."""
        self._sum += _step(self.counts[thing])
        self.counts[thing] += 1
        self.total += 1

    def take_back(self, thing: str) -> None:
        """Count one less of something that was counted."""
        self.counts[thing] -= 1
        self.total -= 1
        self._sum -= _step(self.counts[thing])
        if not self.counts[thing]:
            del self.counts[thing]


def _entropy(total: int, weighted: float) -> float:
    return max(0.0, log2(total) - weighted / total) if total else 0.0


def _step(count: int) -> float:
    """What the sum of n log2 n grows by, from a count to the next."""
    return (count + 1) * log2(count + 1) - (count * log2(count) if count else 0.0)


class QueryDecisions:
    """The strategies of section 4 as one peer plays them.

    Parameters
    ----------
    peers
        The names of the others.
    rng
        Decides between peers who are equally good.
    most_queries
        Different queries that are remembered at most; beyond them the peer submits for nobody, and forgets no own one.

    Notes
    -----
    Expression (2) has H(F^j); meant is H(F^i(x)) after forwarding to j, which is largest for the peer to whom x was forwarded
    least often: the entropy of relative frequencies grows most when the rarest becomes more frequent.

    What was decided is counted at once, so that two queries at the same time are two moves and not one.

    References
    ----------
    Domingo-Ferrer, J. (2011), Coprivacy, SORT special issue, section 4, expression (2).
    """

    def __init__(self, peers: Iterable[str], rng: np.random.Generator, *, most_queries: int = 1_000_000) -> None:
        self.peers = tuple(peers)
        self.submitted = CountedEntropy()  # Y^i(t)
        self.forwarded: dict[str, CountedEntropy] = {}  # F^i(x, t) for each x
        self._rng, self._most = rng, most_queries

    def takes_itself(self, query: str) -> bool:
        """Sii or Sij: whether an own query is submitted directly, H(Y(t+1)) >= H(Y(t)). Then it is counted in Y."""
        known = same_query(query)
        takes = self.submitted.after(known) >= self.submitted.entropy - _TIE
        if takes:
            self.submitted.add(known)
        return takes

    def takes_for_another(self, query: str) -> bool:
        """Tki or Tkk: whether a query of another peer is submitted, H(Y(t+1)) > H(Y(t)). Then it is counted in Y."""
        known = same_query(query)
        takes = self.submitted.after(known) > self.submitted.entropy + _TIE
        takes = takes and (known in self.submitted.counts or len(self.submitted.counts) < self._most)
        if takes:
            self.submitted.add(known)
        return takes

    def note_submission(self, query: str) -> None:
        """Count an own query in Y that nobody else took."""
        self.submitted.add(same_query(query))

    def take_back_submission(self, query: str) -> None:
        """Forget one that was decided on and never reached the database."""
        self.submitted.take_back(same_query(query))

    def whom_to_ask(self, query: str) -> list[str]:
        """Return the other peers, best first in the sense of (2), equally good ones in random order."""
        counts = self._forwards(query).counts
        order = self._rng.permutation(len(self.peers))
        return sorted((self.peers[place] for place in order.tolist()), key=lambda name: counts[name])

    def note_forward(self, query: str, peer: str) -> None:
        """Count in F(x) that a peer has seen the query, whether or not it helps."""
        known = same_query(query)
        self.forwarded.setdefault(known, CountedEntropy()).add(peer)

    def forward_entropy(self) -> float:
        """Return the mean of H(F(x)) over the queries that were forwarded, each as often as it was; 0 without any."""
        total = sum(seen.total for seen in self.forwarded.values())
        return sum(seen.total * seen.entropy for seen in self.forwarded.values()) / total if total else 0.0

    def _forwards(self, query: str) -> CountedEntropy:
        return self.forwarded.get(same_query(query)) or CountedEntropy()
