"""Edges of a scale-free graph: each new node links to old ones in proportion to how many links they have.

References
----------
Batagelj, V., Brandes, U. (2005). Efficient generation of large random networks. Physical Review E 71, 036113: algorithm 5.
Barabasi, A.-L., Albert, R. (1999). Emergence of scaling in random networks. Science 286, 509-512.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Place1, Word1
from tacita.core.kernel import entry
from tacita.numeric.compiled.random import draw_below, next_word

__all__ = ["preferential_edges"]

_32 = np.uint64(32)


@entry
def preferential_edges(links: int, state: Word1, ends: Place1) -> None:
    """Fill in the ends of all edges, two for each: edge e is of node e // links, and an end of it or of an earlier one.

    Loops and edges that come twice are left to the caller to drop. O(edges).
    """
    for edge in range(len(ends) // 2):
        ends[2 * edge] = edge // links
        ends[2 * edge + 1] = ends[draw_below(next_word(state) >> _32, 2 * edge + 1)]
