"""Random forwarding, with which the protocol is compared: every query goes to a random neighbour, who may pass it on.

In Crowds a query goes to a random member. Each member who has it passes it on to another random one with probability p, and
submits it otherwise. With p = 0 the first one submits. A peer who never helps ignores what she is sent; then its owner tries
again, up to ``attempts`` times, and whoever else has it submits it.

References
----------
Reiter, M. K., Rubin, A. D. (1998). Crowds: anonymity for web transactions. ACM Transactions on Information and System Security 1,
66-92.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Whole, Word1, WordArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.random import draw_below, next_word
from tacita.numeric.peer_search.stream import Fate, Requests, Stream, degree_of, friend_of

__all__ = ["LONGEST_PATH", "forward_at_random"]

LONGEST_PATH = 64
"""Peers that one query passes after the first: at p = 0.75 a longer way comes up once in a hundred million."""
_32, _11 = np.uint64(32), np.uint64(11)
_UNIT = 2.0**-53


@kernel
def _any_friend(stream: Stream, peer: Whole, state: WordArray) -> np.int64:
    return friend_of(stream, peer, draw_below(next_word(state) >> _32, degree_of(stream, peer)))


@entry
def forward_at_random(
    stream: Stream, first: int, last: int, attempts: int, onward: float, state: Word1, fate: Fate, requests: Requests
) -> int:
    """Forward lines first to last - 1 at random; return how many requests there were. O(1) for each request."""
    number = 0
    for line in range(first, last):
        holder = np.int64(stream.owner[line])
        fate.wished[line] = True
        for _ in range(attempts if degree_of(stream, holder) > 0 else 0):
            asked = _any_friend(stream, holder, state)
            requests.line[number], requests.sender[number], requests.receiver[number] = line, holder, asked
            number += 1
            if stream.helpful[asked]:
                holder = asked
                break
        if holder != stream.owner[line]:
            for _ in range(LONGEST_PATH):
                if float(next_word(state) >> _11) * _UNIT >= onward:
                    break
                asked = _any_friend(stream, holder, state)
                requests.line[number], requests.sender[number], requests.receiver[number] = line, holder, asked
                number += 1
                if not stream.helpful[asked]:
                    break
                holder = asked
        fate.submitter[line] = holder
    return number
