"""Attribute disclosure: how much better a confidential value can be guessed with the release than without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns, Interval, Length
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.scenario import LINKED_BY
from tacita.numeric.statistics.moments import standardise
from tacita.risk.sampled import SampledRisk

__all__ = ["AttributeDisclosure", "gain"]

_NORMAL_95 = 1.959963984540054


def gain(with_release: FloatArray, without: FloatArray) -> float:
    """Return by which part the release lowers the summed error; 0 where it does not, or where there was no error."""
    before = float(without.sum())
    return float(np.clip(1 - with_release.sum() / before, 0.0, 1.0)) if before > 0 else 0.0


class _Guess(NamedTuple):
    """Errors of the intruder about one column: with the release, without it, with the release but not the own record."""

    with_release: FloatArray
    without: FloatArray
    others_only: FloatArray
    there: BoolArray


@dataclass(frozen=True, kw_only=True)
class AttributeDisclosure(SampledRisk):
    """Share of the error about a confidential value that an intruder gets rid of by having the release.

    The intruder knows the true values of ``columns`` of a person and wants the value of ``target``. Without the release the best
    guess is one number for everybody, the median (or mean). With it the intruder takes the median (or mean) target of the
    masked records nearest to what is known. ``gain = 100 (1 - sum error with / sum error without)``, cut to [0, 100].

    Parameters
    ----------
    columns
        The variables that the intruder knows; by default the numeric keys, or all numeric columns where there are none. A
        target is left out of them while it is guessed.
    target
        What the intruder wants to learn; by default numeric confidential columns, or all numeric ones where there are none.
        The value is the mean over them.
    neighbours
        Numbers of nearest masked records that are tried; the one that serves the intruder best is used for each target.
    penalty
        ``absolute``: a guess counts by its distance from the truth, and medians are guessed. ``squared``: by the square of it,
        and means are guessed; then the gain is the share of the variance that is explained.

    Returns
    -------
    Measured
        The gain in percent. For each record its own gain as a share, cut to [0, 1] and averaged over the targets. As parts,
        for each target the gain, and the gain if the person's own record were not in the release.

    Raises
    ------
    MeasureError
        When no target is left that the intruder can guess from other columns.

    Complexity
    ----------
    Near O(n log n) for few columns and each number of neighbours, O(n d) memory.

    Notes
    -----
    A release that describes the population well lets everybody's value be guessed better, whether they took part or not. So
    the second part matters: what is gained beyond it comes from the person's own record and is disclosure in the strict
    sense.

    The number of neighbours is chosen on all original records (``sample`` drawn at random where there are more), so that a
    subset of records has the same one; for the gain without the own record it is chosen anew. Known values are
    standardised by the original; a missing one lies at the mean. Masked records without a target value take no part,
    persons without one are left out. A person at the median has nothing to gain: 0. Equally near masked records count in
    equal parts.

    Cutting at 0 means: a guess that is worse than the constant would not be used. For single records it also means that
    luck counts, so the mean of the records' gains is above the value.

    Above 100 000 paired records a sample is looked at, as in ``dld``; its interval is by linearisation of the ratio.

    References
    ----------
    Duncan, G. T. and Lambert, D. (1986), Disclosure-limited data dissemination, on inferential disclosure; the gain is the
    reduction of error as in Goodman, L. A. and Kruskal, W. H. (1954), Measures of association.

    Examples
    --------
    >>> import numpy as np
    >>> gain(np.array([1.0, 2.0]), np.array([4.0, 8.0]))
    0.75
    """

    name = "attribute_disclosure"
    title = "Gain in guessing confidential values"
    traits = MeasureTraits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, by_default=False)
    columns: Columns = LINKED_BY
    target: Columns = Selector("numeric confidential else numeric columns")
    neighbours: Annotated[tuple[Annotated[int, Interval(1)], ...], Length(1)] = (1, 3, 10, 30)
    penalty: Literal["absolute", "squared"] = "absolute"

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the gain in percent, averaged over the targets."""
        targets = pair.resolve(self.target, owner=type(self).__name__, scales=frozenset(self.traits.scales))
        rows = self.chosen(pair)
        guesses = {}
        for name in targets:
            guess = self._guess(pair, rows, name, [known for known in names if known != name])
            if guess is not None:
                guesses[name] = guess
        if not guesses:
            raise MeasureError(
                f"{type(self).__name__}: no 'target' can be guessed from other 'columns'; the target needs values in both "
                "files, and the intruder must know another column."
            )
        parts = {}
        for name, guess in guesses.items():
            parts[name] = 100 * gain(guess.with_release, guess.without)
            parts[f"{name}, own record left out"] = 100 * gain(guess.others_only, guess.without)
        value = float(np.mean([parts[name] for name in guesses]))
        note = f"intruder knows {', '.join(names)} and guesses {', '.join(guesses)}"
        gone = sum(int((~guess.there).sum()) for guess in guesses.values())
        note += f"; {gone} missing targets left out" if gone else ""
        if len(rows) == len(pair.rows):
            return Measured(value, per_record=_per_record(guesses), parts=parts, note=note)
        low, high = _interval(value, list(guesses.values()))
        shown = {**parts, "95 % interval from": low, "95 % interval to": high}
        return Measured(value, parts=shown, note=f"{note}; {self.sample_note(pair, low, high)}")

    def _guess(self, pair: Pair, rows: IntArray, name: str, known: list[str]) -> _Guess | None:
        """Guess one column for some of the paired records; None where nothing can be guessed."""
        truth, released = pair.original.float(name), pair.masked.float(name)
        usable = np.flatnonzero(~np.isnan(released))
        if not known or not usable.size or np.isnan(truth).all():
            return None
        from tacita.numeric.nearest.neighbour_means import Neighbours  # loads when used

        originals = pair.original.floats(known)
        x = np.ascontiguousarray(np.nan_to_num(standardise(originals)))
        y = np.nan_to_num(standardise(pair.masked.floats(known)[usable], like=originals))
        file = Neighbours(y, released[usable])
        typical = self.penalty == "absolute"
        constant = float(np.nanmedian(truth) if typical else np.nanmean(truth))
        k = self._best_k(file, x, truth)
        place = np.full(len(pair.masked), -1, dtype=np.int64)
        place[usable] = np.arange(len(usable))
        persons, own = pair.rows[rows], place[pair.masked_rows[rows]]
        there = ~np.isnan(truth[persons])
        aim = np.where(there, truth[persons], constant)

        def errors(guess: FloatArray | float) -> FloatArray:
            return np.where(there, self._error(guess, aim), 0.0)

        others = (errors(file.predict(x[persons], each, own, median=typical)) for each in self.neighbours)
        return _Guess(
            errors(file.predict(x[persons], k, median=typical)),
            errors(constant),
            min(others, key=lambda found: float(found.sum())),
            there,
        )

    def _error(self, guess: FloatArray | float, truth: FloatArray) -> FloatArray:
        away = np.abs(guess - truth)
        return np.asarray(away if self.penalty == "absolute" else away**2)

    def _best_k(self, file: Any, x: FloatArray, truth: FloatArray) -> int:
        """Return the number of neighbours with the smallest error over the original records."""
        if len(self.neighbours) == 1:
            return self.neighbours[0]
        rows = np.flatnonzero(~np.isnan(truth))
        if len(rows) > self.sample:
            rng = Streams(self.seed).stream(self.name, "neighbours")
            rows = np.sort(rng.choice(rows, self.sample, replace=False, shuffle=False))
        typical = self.penalty == "absolute"
        totals = [
            float(self._error(file.predict(x[rows], k, median=typical), truth[rows]).sum()) for k in self.neighbours
        ]
        # Equal but for rounding: the first, so that the order of the records cannot decide.
        return next(k for k, total in zip(self.neighbours, totals, strict=True) if total <= min(totals) * (1 + 1e-9))


def _per_record(guesses: dict[str, _Guess]) -> FloatArray:
    """Return the mean gain of each record over the targets that it has; 0 where it has none."""
    n = len(next(iter(guesses.values())).there)
    total, count = np.zeros(n), np.zeros(n, dtype=np.int64)
    for guess in guesses.values():
        ratio = np.divide(guess.with_release, guess.without, out=np.ones_like(guess.without), where=guess.without > 0)
        total += np.where(guess.there, np.clip(1 - ratio, 0.0, 1.0), 0.0)
        count += guess.there
    return np.asarray(total / np.maximum(count, 1))


def _interval(value: float, guesses: list[_Guess]) -> tuple[float, float]:
    """Return a 95 % interval for the mean gain of a sample, by linearisation of each ratio."""
    n = len(guesses[0].without)
    influence = np.zeros(n)
    for guess in guesses:
        before = guess.without.mean()
        if before > 0:
            ratio = guess.with_release.mean() / before
            influence += (guess.with_release - ratio * guess.without) / before / len(guesses)
    half = 100 * _NORMAL_95 * float(influence.std(ddof=1)) / np.sqrt(n) if n > 1 else 100.0
    return max(0.0, value - half), min(100.0, value + half)
