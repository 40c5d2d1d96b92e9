"""How likely each level of agreement is among matches and among others: EM after Fellegi and Sunter.

No matrix of pairs is kept. Agreement patterns are counted block by block, so memory grows with the number of different
patterns; the estimate with one match for each record needs no more than one row of pairs at a time, or the patterns of each
record where columns are few: of a few columns most originals agree with a record in the same way as many others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import (
    Bool1,
    Bool2,
    BoolArray,
    Byte2,
    Float1,
    Float2,
    FloatArray,
    Int1,
    IntArray,
    Place1,
    Place2,
    PlaceArray,
)
from tacita.core.kernel import entry
from tacita.core.progress import task
from tacita.numeric.compiled.threads import in_threads
from tacita.numeric.linkage.agreement import CHUNK, FINE_BITS, Positions, add_up, level_of

__all__ = ["Agreement", "count_patterns", "estimate_free", "estimate_one_each", "level_counts", "weights_of"]

LevelArray = npt.NDArray[np.uint8]

_PAIRS_AT_ONCE = 1 << 21
_MOST_KINDS_OF_PATTERNS = 1 << 16
"""Different patterns up to which those of each record are kept: five columns at seven limits."""
_MOST_PATTERNS = 1 << 23
"""Patterns that are kept of all records together: 64 megabytes."""
_ROWS_AT_ONCE = 64
_COARSE = 8
"""Chances are looked up in steps of 1/256 bit, which is 0.3 percent; a power for every pair would take most of the time."""
_FLOOR = 1e-9
"""Smallest probability of a level: keeps weights finite where a level never occurs."""
_STILL = 1e-3
"""EM ends when no probability moves by more: further rounds fit the sample, not the mask."""
_PRIOR = 0.5
"""What each level counts before any match is seen: a level that no match showed is unlikely, not impossible."""


class Agreement(NamedTuple):
    """Probability of each level in each column, among matches and among other pairs."""

    matches: FloatArray
    others: FloatArray
    rounds: int
    converged: bool


def weights_of(agreement: Agreement) -> PlaceArray:
    """Return log2(P(level | match) / P(level | other)) in parts of a bit."""
    bits = np.log2(agreement.matches) - np.log2(agreement.others)
    return np.asarray(np.rint(bits * (1 << FINE_BITS)), dtype=np.int32)


def _first_guess(d: int, kinds: int) -> FloatArray:
    """A match agrees at each level half as often as at the one before."""
    return np.tile(0.5 ** np.arange(1, kinds + 1) / (1 - 0.5**kinds), (d, 1))


# --- one match for each masked record --------------------------------------------------------------------------------


def estimate_one_each(positions: Positions, rows: IntArray, *, most_rounds: int = 200) -> Agreement:
    """Estimate by EM when each of these masked records has exactly one match among the originals.

    In the E step the chances of a record's originals are their likelihood ratios divided by the sum over all originals, so
    they sum to 1 for every record. Without that, pairs that agree because columns are correlated are taken for matches.
    O(rounds pairs d) time, O(n) memory; where columns are few, O(pairs d + rounds patterns) time and O(patterns) memory.
    """
    kinds = len(positions.limits) + 1
    matches = _first_guess(len(positions.originals), kinds)
    often = level_counts(positions, rows)
    others = _others(often, matches * 0)
    parts = [rows[a : a + _ROWS_AT_ONCE] for a in range(0, len(rows), _ROWS_AT_ONCE)]
    expected_matches = _from_patterns(positions, parts) or _from_pairs(positions, parts)
    with task("Estimating weights", None) as running:
        for rounds in range(1, most_rounds + 1):
            weights = weights_of(Agreement(matches, others, rounds, False))
            expected = expected_matches(weights)  # E step
            new = (expected + _PRIOR) / (expected.sum(axis=1, keepdims=True) + kinds * _PRIOR)  # M step
            moved, matches, others = float(np.abs(new - matches).max()), new, _others(often, expected)
            running.advance()
            if moved < _STILL:
                return Agreement(matches, others, rounds, True)
    return Agreement(matches, others, most_rounds, False)


def _odds() -> FloatArray:
    """The chances of originals that weigh 0, 1, 2, ... steps less than the best one, up to 40 bits."""
    return np.asarray(2.0 ** (-np.arange(40 << (FINE_BITS - _COARSE)) / (1 << (FINE_BITS - _COARSE))))


def _from_pairs(positions: Positions, parts: list[IntArray]) -> Callable[[PlaceArray], FloatArray]:
    """Return the E step that compares every pair anew: (d, levels) expected matches from weights."""
    has_gaps: BoolArray = np.asarray(positions.originals_gone.any(axis=1))
    odds = _odds()

    def expected(weights: PlaceArray) -> FloatArray:
        sums = in_threads(lambda part: _expected(*positions, has_gaps, part, weights, odds), parts)
        return np.asarray(np.sum(sums, axis=0))

    return expected


def _from_patterns(positions: Positions, parts: list[IntArray]) -> Callable[[PlaceArray], FloatArray] | None:
    """Return the same E step on patterns that are counted once for each record; None where that saves nothing."""
    d, n = positions.originals.shape
    kinds = len(positions.limits) + 1
    base = kinds + 1
    if not parts or base**d > _MOST_KINDS_OF_PATTERNS:
        return None
    trial = RowPatterns(*_patterns_of_rows(*positions, parts[0], base))
    each = len(trial.codes) / len(parts[0])
    if each > n / 2 or each * sum(map(len, parts)) > _MOST_PATTERNS:
        return None
    kept = [trial, *in_threads(lambda part: RowPatterns(*_patterns_of_rows(*positions, part, base)), parts[1:])]
    odds, levels = _odds(), np.arange(base**d)[:, None] // base ** np.arange(d) % base

    def expected(weights: PlaceArray) -> FloatArray:
        padded = np.hstack([weights, np.zeros((d, 1), np.int32)])  # a missing value says nothing
        weight = padded[np.arange(d), levels].sum(axis=1, dtype=np.int32)
        mass = np.sum(in_threads(lambda part: _mass_of_patterns(*part, weight, odds, n), kept), axis=0)
        return np.array([np.bincount(levels[:, j], weights=mass, minlength=base)[:kinds] for j in range(d)])

    return expected


def _others(often: FloatArray, expected: FloatArray) -> FloatArray:
    """Return the shares of levels among the pairs that are left when the expected matches are taken out."""
    left = np.maximum(often - expected, 0.0) + _PRIOR
    return np.asarray(left / left.sum(axis=1, keepdims=True))


@entry
def level_counts(positions: Positions, rows: Int1) -> FloatArray:
    """Count the levels of each column over all pairs of these masked records and all originals."""
    d, n = positions.originals.shape
    counts = np.zeros((d, len(positions.limits) + 1))
    for j in range(d):
        column, gone = positions.originals[j], positions.originals_gone[j]
        for row in rows:
            if positions.masked_gone[j, row]:
                continue
            place = positions.masked[j, row]
            for i in range(n):
                if not gone[i]:
                    counts[j, level_of(abs(column[i] - place), positions.limits)] += 1
    return counts


@entry
def _expected(
    originals: Place2,
    masked: Place2,
    originals_gone: Bool2,
    masked_gone: Bool2,
    limits: Place1,
    has_gaps: Bool1,
    rows: Int1,
    weights: Place2,
    odds: Float1,
) -> FloatArray:
    """Return the expected number of matches at each level of each column."""
    d, n = originals.shape
    sums, total, chance = np.zeros((d, len(limits) + 1)), np.empty(n, np.int32), np.empty(n)
    for row in rows:
        places, gone = masked[:, row].copy(), masked_gone[:, row].copy()
        for a in range(0, n, CHUNK):
            b = min(a + CHUNK, n)
            add_up(originals, originals_gone, has_gaps, places, gone, limits, weights, a, b, total[a:b])
        best, whole = total[:n].max(), 0.0
        for i in range(n):
            behind = (best - total[i]) >> _COARSE
            chance[i] = odds[behind] if behind < len(odds) else 0.0
            whole += chance[i]
        least = 1e-3 * whole / n  # what is left out sums to less than 1e-3
        for i in range(n):
            if chance[i] > least:
                for j in range(d):
                    if not (gone[j] or originals_gone[j, i]):
                        sums[j, level_of(abs(originals[j, i] - places[j]), limits)] += chance[i] / whole
    return sums


class RowPatterns(NamedTuple):
    """The patterns of some masked records as numbers, how many originals have each, and where each record's begin."""

    codes: PlaceArray
    counts: PlaceArray
    start: IntArray


@entry
def _patterns_of_rows(
    originals: Place2,
    masked: Place2,
    originals_gone: Bool2,
    masked_gone: Bool2,
    limits: Place1,
    rows: Int1,
    base: int,
) -> tuple[PlaceArray, PlaceArray, IntArray]:
    """Count the patterns of each of some masked records with all originals. O(pairs d) time."""
    d, n = originals.shape
    size = min(n, base**d)
    codes, counts = np.empty(len(rows) * size, np.int32), np.empty(len(rows) * size, np.int32)
    start, seen = np.zeros(len(rows) + 1, np.int64), np.zeros(base**d, np.int32)
    for r in range(len(rows)):
        here = _codes(originals, masked, originals_gone, masked_gone, limits, rows[r : r + 1], base)
        end = start[r]
        for i in range(n):
            if seen[here[i]] == 0:
                codes[end] = here[i]
                end += 1
            seen[here[i]] += 1
        for t in range(start[r], end):
            counts[t] = seen[codes[t]]
            seen[codes[t]] = 0
        start[r + 1] = end
    return codes[: start[-1]].copy(), counts[: start[-1]].copy(), start


@entry
def _mass_of_patterns(codes: Place1, counts: Place1, start: Int1, weight: Place1, odds: Float1, n: int) -> FloatArray:
    """Return the expected number of matches that have each pattern; chances as in :func:`_expected`."""
    mass = np.zeros(len(weight))
    chance = np.empty(np.diff(start).max())
    for r in range(len(start) - 1):
        a, b = start[r], start[r + 1]
        best, whole = weight[codes[a]], 0.0
        for t in range(a, b):
            best = max(best, weight[codes[t]])
        for t in range(a, b):
            behind = (best - weight[codes[t]]) >> _COARSE
            chance[t - a] = odds[behind] if behind < len(odds) else 0.0
            whole += counts[t] * chance[t - a]
        least = 1e-3 * whole / n  # what is left out sums to less than 1e-3
        for t in range(a, b):
            if chance[t - a] > least:
                mass[codes[t]] += counts[t] * chance[t - a] / whole
    return mass


# --- pairs that match independently of each other (Jaro) -------------------------------------------------------------


def count_patterns(positions: Positions, rows: IntArray) -> tuple[LevelArray, FloatArray]:
    """Return the agreement patterns that occur between some masked records and all originals, and how often.

    A pattern has one level for each column: 0 for the closest agreement, ``len(limits)`` for disagreement, one more where a
    value is missing in either file. O(pairs d) time; memory for the different patterns and one block of pairs.
    """
    d, n = positions.originals.shape
    base = len(positions.limits) + 2
    codes, counts = np.empty(0, np.int64), np.empty(0, np.int64)
    step = max(1, _PAIRS_AT_ONCE // max(n, 1))
    with task("Counting agreement patterns", len(rows)) as running:
        for a in range(0, len(rows), step):
            found, often = np.unique(_codes(*positions, rows[a : a + step], base), return_counts=True)
            codes, places = np.unique(np.concatenate([codes, found]), return_inverse=True)
            counts = np.bincount(places, weights=np.concatenate([counts, often])).astype(np.int64)
            running.advance(len(rows[a : a + step]))
    levels = np.empty((len(codes), d), np.uint8)
    for j in range(d):
        levels[:, j] = codes // base**j % base
    return levels, counts.astype(np.float64)


@entry
def _codes(
    originals: Place2,
    masked: Place2,
    originals_gone: Bool2,
    masked_gone: Bool2,
    limits: Place1,
    rows: Int1,
    base: int,
) -> IntArray:
    """Return the patterns of all pairs as numbers to the given base."""
    d, n = originals.shape
    codes = np.zeros(len(rows) * n, np.int64)
    for r in range(len(rows)):
        here, scale = codes[r * n : (r + 1) * n], 1
        for j in range(d):
            place, gone = masked[j, rows[r]], masked_gone[j, rows[r]]
            for i in range(n):
                missing = gone or originals_gone[j, i]
                here[i] += scale * (base - 1 if missing else level_of(abs(originals[j, i] - place), limits))
            scale *= base
    return codes


def estimate_free(
    levels: LevelArray, counts: FloatArray, share: float, *, kinds: int, most_rounds: int = 500
) -> Agreement:
    """Estimate by EM from counted patterns, each pair being a match with the same known chance.

    Parameters
    ----------
    levels, counts
        Agreement patterns and how often they occur.
    share
        The share of matches among the pairs: 1 over the number of originals.
    kinds
        The number of levels, without the one for missing values.
    most_rounds
        Largest number of rounds.
    """
    d = levels.shape[1]
    matches, others = np.ones((d, kinds + 1)), np.ones((d, kinds + 1))  # a missing value says nothing: 1 in both
    matches[:, :kinds] = _first_guess(d, kinds)
    for j in range(d):
        often = np.bincount(levels[:, j], weights=counts, minlength=kinds + 1)[:kinds]
        others[j, :kinds] = np.maximum(often / max(often.sum(), 1.0), _FLOOR)
    rounds, converged = _em(levels, counts, min(max(share, 1e-12), 0.5), matches, others, most_rounds)
    return Agreement(matches[:, :kinds], others[:, :kinds], rounds, converged)


@entry
def _em(
    levels: Byte2, counts: Float1, share: float, matches: Float2, others: Float2, most_rounds: int
) -> tuple[int, bool]:
    """Improve both tables in place until no probability of a match moves by more than 1e-6."""
    d, kinds = levels.shape[1], matches.shape[1] - 1
    prior = np.log((1 - share) / share)
    for rounds in range(1, most_rounds + 1):
        ratio = np.log(others) - np.log(matches)
        sum_m, sum_u = np.zeros((d, kinds + 1)), np.zeros((d, kinds + 1))
        for t in range(len(levels)):
            odds = prior
            for j in range(d):
                odds += ratio[j, levels[t, j]]
            chance = 1.0 / (1.0 + np.exp(min(odds, 700.0)))
            for j in range(d):
                sum_m[j, levels[t, j]] += counts[t] * chance
                sum_u[j, levels[t, j]] += counts[t] * (1.0 - chance)
        moved = 0.0
        for j in range(d):
            all_m, all_u = sum_m[j, :kinds].sum(), sum_u[j, :kinds].sum()
            for k in range(kinds):
                new = max(sum_m[j, k] / all_m, _FLOOR) if all_m > 0 else matches[j, k]
                moved = max(moved, abs(new - matches[j, k]))
                matches[j, k] = new
                if all_u > 0:
                    others[j, k] = max(sum_u[j, k] / all_u, _FLOOR)
        if moved < 1e-6:
            return rounds, True
    return most_rounds, False
