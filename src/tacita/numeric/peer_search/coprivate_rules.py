"""The protocol of section 4: who submits herself, who is asked, who helps.

A peer with a query submits it herself (S_ii) when her entropy H(Y_i) does not fall by it. Otherwise she asks (S_ik) the neighbour
of (2), to whom she forwarded this query least often; he submits it (T_ki) when his own entropy rises, and ignores it (T_kk)
otherwise. Then she asks the second best, and so on; after ``attempts`` peers have ignored her she submits it herself.

References
----------
Domingo-Ferrer, J. (2011). Coprivacy. SORT special issue, 25-40: section 4 and expression (2).
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Int1, Word1
from tacita.core.kernel import entry
from tacita.numeric.peer_search.asking_order import order_key, place_in_order
from tacita.numeric.peer_search.stream import Fate, Requests, Stream, degree_of, friend_of
from tacita.numeric.peer_search.submitted import Submitted, submit, verdict_on

__all__ = ["follow_rules"]


@entry
def follow_rules(
    stream: Stream,
    first: int,
    last: int,
    attempts: int,
    seed: Word1,
    state: Submitted,
    forwarded: Int1,
    fate: Fate,
    requests: Requests,
) -> int:
    """Let the peers play lines first to last - 1; return how many requests there were.

    ``forwarded`` holds for each pair of owner and query how often it was forwarded: the neighbours are asked in turn, so the
    number says who is next. O(1) for each request.
    """
    number = 0
    for line in range(first, last):
        owner, query = np.int64(stream.owner[line]), np.int64(stream.query[line])
        key = owner * stream.queries + query + 1
        submitter = owner
        if verdict_on(state, owner, key) < 0:  # not S_ii
            fate.wished[line] = True
            degree = degree_of(stream, owner)
            order = order_key(seed, owner, query)
            for _ in range(min(attempts, degree)):
                turn = forwarded[stream.pair[line]] % degree
                asked = friend_of(stream, owner, place_in_order(order, turn, degree))  # S_ik with k of (2)
                forwarded[stream.pair[line]] += 1
                requests.line[number], requests.sender[number], requests.receiver[number] = line, owner, asked
                number += 1
                theirs = asked * stream.queries + query + 1
                if stream.helpful[asked] and verdict_on(state, asked, theirs) > 0:  # T_ki
                    submitter, key = asked, theirs
                    break
        submit(state, submitter, key)
        fate.submitter[line] = submitter
    return number
