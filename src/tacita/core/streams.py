"""Seeded streams: independent random numbers for every step and column of a recipe.

A stream is found by what it is for (method, its parameters, column, how often these occurred before), not by when it is
asked for. Adding a step, masking a further column or running steps in another process therefore never changes the noise
of the others, and two settings of a method never share their noise, which could be taken out by their difference.
"""

from __future__ import annotations

import hashlib
import secrets
import warnings
from collections import Counter
from typing import TypeAlias

import numpy as np

from tacita.core.errors import ParameterError, TacitaWarning

__all__ = ["LEAST_BITS", "SEED_BITS", "Seed", "Streams", "check_seed", "draw_seed", "warn_short_seed"]

Seed: TypeAlias = int
SEED_BITS = 128
LEAST_BITS = 64
"""Seeds with fewer bits can be found by trying them all."""
_SCHEME = "tacita-stream-1"


def draw_seed() -> Seed:
    """Draw a fresh seed of 128 bits from the operating system."""
    return secrets.randbits(SEED_BITS)


def check_seed(seed: object, *, owner: str) -> Seed:
    """Return ``seed`` as a Python integer, or say what a seed must be."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise ParameterError(f"{owner}: 'seed' must be a non-negative integer, got {type(seed).__name__}.")
    if seed < 0:
        raise ParameterError(f"{owner}: 'seed' must be a non-negative integer, got a negative one.")
    return int(seed)


def warn_short_seed(seed: Seed, *, owner: str) -> None:
    """Warn of a seed that an intruder can find by trying; for the moment at which something is written to leave."""
    if seed.bit_length() < LEAST_BITS:
        warnings.warn(
            f"{owner}: the seed has fewer than {LEAST_BITS} bits. Whoever tries all such seeds finds it and can undo what was "
            "drawn; for a real release give no seed, so that one is drawn from the system.",
            TacitaWarning,
            stacklevel=3,
        )


class Streams:
    """The random streams of one seed.

    Parameters
    ----------
    seed
        A non-negative integer; whoever knows it can repeat, and so undo, the noise.

    Notes
    -----
    A stream's Philox key is SHA-256 of the seed and the stream's labels. Philox is counter based and has no
    published way to find its state from its output; it is not claimed to be a cipher.

    Examples
    --------
    >>> a = Streams(7).stream("rank_swap", "income").random()
    >>> b = Streams(7).stream("rank_swap", "income").random()
    >>> a == b
    True
    """

    def __init__(self, seed: Seed) -> None:
        self.seed = check_seed(seed, owner="Streams")
        self._labels: tuple[str, ...] = ()
        self._used: Counter[tuple[str, ...]] = Counter()

    def within(self, *labels: str) -> Streams:
        """Return the streams of one part of the work: every label asked for there stands below these."""
        made = Streams(self.seed)
        made._labels, made._used = (*self._labels, *labels), self._used
        return made

    def stream(self, *labels: str) -> np.random.Generator:
        """Return the generator for these labels; asking again gives the next one of the same labels."""
        named = (*self._labels, *labels)
        occurrence = self._used[named]
        self._used[named] += 1
        return self._generator((*named, str(occurrence)))

    def _generator(self, labels: tuple[str, ...]) -> np.random.Generator:
        # Length prefixes keep ("ab", "c") and ("a", "bc") apart.
        text = "".join(f"{len(part)}:{part}" for part in (_SCHEME, str(self.seed), *labels))
        digest = hashlib.sha256(text.encode("utf-8")).digest()
        key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
        return np.random.Generator(np.random.Philox(key=key))
