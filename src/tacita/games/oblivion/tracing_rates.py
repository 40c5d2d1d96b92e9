"""How often the real code names somebody of a coalition: measured, with an interval, for the payoffs of the games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameters import coerce
from tacita.core.progress import track
from tacita.games.oblivion.offices import accused

__all__ = ["CopyAttack", "TracingRate", "colluding_word", "tracing_rate"]

CopyAttack = Literal["mix", "majority", "minority", "erase"]
"""What a coalition does where its copies differ: takes one of them at random, the commoner or the rarer variant, or spoils it."""


@dataclass(frozen=True)
class TracingRate:
    """What was measured.

    Parameters
    ----------
    rate, low, high
        Share of trials in which somebody of the coalition was named, with its 95 percent interval.
    innocent
        Share of trials in which somebody else was.
    trials
        How many there were.
    """

    rate: float
    low: float
    high: float
    innocent: float
    trials: int


def colluding_word(words: npt.NDArray[np.uint8], attack: CopyAttack, rng: np.random.Generator) -> IntArray:
    """Return (length,): what a coalition makes of its copies; where all agree it can only leave what there is.

    Parameters
    ----------
    words
        (coalition, length): its codewords.
    attack
        What is done where they differ.
    rng
        Draws ties and mixtures.

    Examples
    --------
    >>> words = np.array([[0, 1, 1], [0, 1, 0], [0, 1, 0]], np.uint8)
    >>> rng = np.random.default_rng(1)
    >>> [colluding_word(words, attack, rng).tolist() for attack in ("majority", "minority", "erase")]
    [[0, 1, 0], [0, 1, 1], [0, 1, -1]]
    """
    size, length = words.shape
    ones = words.sum(axis=0, dtype=np.int64)
    drawn = np.asarray(words[rng.integers(0, size, length), np.arange(length)], np.int64)
    if attack == "mix":
        return drawn
    differ = (ones > 0) & (ones < size)
    if attack == "erase":
        return np.asarray(np.where(differ, -1, drawn), np.int64)
    if attack not in ("majority", "minority"):
        raise ParameterError(f"'attack' must be 'mix', 'majority', 'minority' or 'erase', got {attack!r}.")
    common = np.where(2 * ones == size, drawn, (2 * ones > size).astype(np.int64))
    rare = differ & (attack == "minority") & (2 * ones != size)
    return np.asarray(np.where(rare, 1 - common, common), np.int64)


def tracing_rate(
    recipients: int,
    length: int,
    coalition: int,
    rng: np.random.Generator,
    *,
    designed: int | None = None,
    attack: CopyAttack = "mix",
    false_accusation: float = 1e-3,
    trials: int = 100,
) -> TracingRate:
    """Measure how often a coalition is traced: fresh biases and codewords in each trial.

    Parameters
    ----------
    recipients, length
        Codewords, and positions of each.
    coalition
        How many put their copies together.
    rng
        Draws everything.
    designed
        Most colluders that the biases are drawn for; the coalition where it is left out.
    attack
        What they do.
    false_accusation
        Chance that any innocent recipient is named.
    trials
        How many.

    Raises
    ------
    ParameterError
        When the coalition is larger than the number of recipients.

    Complexity
    ----------
    O(trials x recipients x length).

    Examples
    --------
    >>> found = tracing_rate(50, 400, 2, np.random.default_rng(1), trials=20)
    >>> found.rate, found.innocent
    (1.0, 0.0)
    """
    whole = {"recipients": recipients, "length": length, "coalition": coalition, "trials": trials}
    for name, number in whole.items():
        coerce(number, Annotated[int, Interval(1)], owner="tracing_rate", name=name)
    if coalition > recipients:
        raise ParameterError(f"tracing_rate: 'coalition' must be at most 'recipients', {recipients}, got {coalition}.")
    from scipy.stats import beta  # loads when used

    from tacita.numeric.fingerprints.tardos import draw_biases, draw_codewords

    named, wrong = 0, 0
    for _ in track(range(trials), "Tracing"):
        p = draw_biases(length, designed or coalition, rng)
        words = draw_codewords(p, recipients, rng)
        found, _, _ = accused(colluding_word(words[:coalition], attack, rng), words, p, false_accusation)
        named += bool((found < coalition).any())
        wrong += bool((found >= coalition).any())
    low = 0.0 if named == 0 else float(beta.ppf(0.025, named, trials - named + 1))
    high = 1.0 if named == trials else float(beta.ppf(0.975, named + 1, trials - named))
    return TracingRate(named / trials, low, high, wrong / trials, trials)
