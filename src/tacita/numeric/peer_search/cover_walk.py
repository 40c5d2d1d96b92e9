"""Cover queries from lists that evolve: each is taken from the peer's list, and may be replaced there by a related one.

What a search returns is modelled by who else asked: the related query is one of somebody who had the same one.

References
----------
Howe, D. C., Nissenbaum, H. (2009). TrackMeNot: resisting surveillance in web search. Lessons from the identity trail, 417-436.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Int1, Place1, Place2, Word1
from tacita.core.kernel import entry
from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word

__all__ = ["cover_walk"]

_32, _11 = np.uint64(32), np.uint64(11)
_UNIT = 2.0**-53


@entry
def cover_walk(
    name: Place1,
    seeds: Place2,
    evolve: float,
    asker_start: Int1,
    asker: Place1,
    asked_start: Int1,
    asked: Place1,
    state: Word1,
    query: Place1,
) -> None:
    """Fill in the query of each cover query, in the order in which they are sent. O(1) for each.

    Parameters
    ----------
    name
        Who sends each.
    seeds
        (N, L) the lists at the start; changed in place.
    evolve
        With which probability the entry that was taken is replaced.
    asker_start, asker, asked_start, asked
        Who had each query, and which queries each peer had, one entry a search.
    state
        A random word, changed in place.
    query
        Is filled in.
    """
    for cover in range(len(name)):
        place = draw_below(next_word(state) >> _32, seeds.shape[1])
        taken = seeds[name[cover], place]
        query[cover] = taken
        if float(next_word(state) >> _11) * _UNIT >= evolve:
            continue
        askers = int(asker_start[taken + 1] - asker_start[taken])
        if askers == 0:
            continue
        word = next_word(state)
        other = asker[asker_start[taken] + draw_below(word >> _32, askers)]
        queries = int(asked_start[other + 1] - asked_start[other])
        seeds[name[cover], place] = asked[asked_start[other] + draw_below(word & LOW_WORD, queries)]
