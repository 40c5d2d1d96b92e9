"""Random integers inside compiled loops: the splitmix64 generator, one word of state.

A search draws two words a proposal, tens of millions a second; a numpy Generator inside a kernel costs more than the
proposal itself. The state is an array of one word, so a loop owns its stream and threads cannot disturb each other.

References
----------
Steele, G. L., Lea, D., Flood, C. H. (2014). Fast splittable pseudorandom number generators. OOPSLA 2014, fig. 15.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import WordArray
from tacita.core.kernel import kernel

__all__ = ["LOW_WORD", "draw_below", "next_word", "stream_state"]

Word = np.uint64

LOW_WORD = np.uint64(0xFFFFFFFF)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def stream_state(seed: int, *place: int) -> WordArray:
    """Return the state of the stream that belongs to `seed` (any non-negative integer) and a place in the work."""
    state: WordArray = np.random.SeedSequence(seed, spawn_key=place).generate_state(1, np.uint64).astype(np.uint64)
    return state


@kernel(inline=True)
def next_word(state: WordArray) -> Word:
    """Advance the state and return 64 random bits."""
    state[0] += _STEP
    word: Word = state[0]
    word = (word ^ (word >> _30)) * _MIX_A
    word = (word ^ (word >> _27)) * _MIX_B
    return word ^ (word >> _31)


@kernel(inline=True)
def draw_below(half: Word, bound: int) -> np.int64:
    """Map 32 random bits to 0..bound-1; the bias is below bound / 2^32."""
    return np.int64((half * np.uint64(bound)) >> _32)
