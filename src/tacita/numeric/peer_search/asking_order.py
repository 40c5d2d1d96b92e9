"""The order in which a peer asks his neighbours about one query: drawn by the seed, and found without keeping it.

By (2) the best peer to ask is one to whom the query was forwarded least often. So the neighbours are asked in turn; which of
equal ones comes first is a permutation drawn for each owner and query. It is computed where it is needed, by a small Feistel
network whose results above the number of neighbours are put through it again, so that a counter is all that is kept of F.

References
----------
Black, J., Rogaway, P. (2002). Ciphers with arbitrary finite domains. CT-RSA 2002: cycle walking over a Feistel network.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Int1, Whole, Word1, WordArray
from tacita.core.kernel import entry, kernel

__all__ = ["asking_order", "order_key", "place_in_order"]

Word = np.uint64

_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)
_ROUNDS = 10
"""More than large halves need: with halves of one or two bits, four rounds leave some places a tenth likelier than others."""


@kernel(inline=True)
def _mixed(word: Word) -> Word:
    word = (word ^ (word >> _30)) * _A
    word = (word ^ (word >> _27)) * _B
    return word ^ (word >> _31)


@kernel
def order_key(seed: WordArray, owner: Whole, query: Whole) -> Word:
    """Return the word that fixes the order in which an owner asks about a query."""
    return _mixed(_mixed(seed[0] + np.uint64(owner + 1) * _STEP) + np.uint64(query + 1) * _STEP)


@kernel
def place_in_order(key: Word, turn: Whole, size: Whole) -> np.int64:
    """Return which of ``size`` neighbours has this turn, of 0 to size - 1."""
    half = 1
    while (1 << (2 * half)) < size:
        half += 1
    mask, shift = np.uint64((1 << half) - 1), np.uint64(half)
    value = np.uint64(turn)
    while True:
        left, right = value >> shift, value & mask
        for number in range(_ROUNDS):
            mixed = _mixed((right + _STEP * np.uint64(number + 1)) ^ key) & mask
            left, right = right, left ^ mixed
        value = (left << shift) | right
        if np.int64(value) < size:
            return np.int64(value)


@entry
def asking_order(seed: Word1, owner: int, query: int, order: Int1) -> None:
    """Fill in the places of all neighbours in the order in which they are asked about a query. O(size)."""
    key = order_key(seed, owner, query)
    for turn in range(len(order)):
        order[turn] = place_in_order(key, turn, len(order))
