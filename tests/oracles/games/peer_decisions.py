"""The rules of section 4 on whole lists of queries, each entropy computed anew as its definition says."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

__all__ = ["entropy_of", "forwards_to", "helps", "submits_itself"]


def entropy_of(things: Sequence[str]) -> float:
    """Shannon's entropy of the relative frequencies of a list."""
    shares = [things.count(thing) / len(things) for thing in set(things)]
    return -sum(share * log2(share) for share in shares)


def submits_itself(submitted: Sequence[str], query: str) -> bool:
    """Sii: H(Y with the query) >= H(Y)."""
    return not submitted or entropy_of([*submitted, query]) >= entropy_of(submitted) - 1e-11


def helps(submitted: Sequence[str], query: str) -> bool:
    """Tki: H(Y with the query) > H(Y)."""
    return bool(submitted) and entropy_of([*submitted, query]) > entropy_of(submitted) + 1e-11


def forwards_to(forwarded: Sequence[str], peers: Sequence[str]) -> set[str]:
    """Expression (2), as corrected: the peers whose seeing the query once more leaves the largest entropy."""
    after = {peer: entropy_of([*forwarded, peer]) for peer in peers}
    return {peer for peer in peers if after[peer] > max(after.values()) - 1e-11}
