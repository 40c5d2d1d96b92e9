"""Tracing: which recipients a leaked file names, and how likely it would be to name an innocent one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaError, did_you_mean
from tacita.data.microdata import Microdata
from tacita.numeric.fingerprints.aligned import Alignment, align_records
from tacita.numeric.fingerprints.innocent import accusation_threshold, innocent_bounds
from tacita.numeric.fingerprints.noise_scale import in_noise_units
from tacita.numeric.fingerprints.received import received_weights
from tacita.numeric.fingerprints.straight import same_spread, straightened
from tacita.numeric.fingerprints.tardos import soft_scores
from tacita.release.recipients.copies import FingerprintedCopies

__all__ = ["LeakTrace", "Suspect", "chance_in_words", "leaked_weights", "trace_leak"]

_FEW = 0.5
"""Where fewer records are found, the leaked columns may be in other units."""
_CATEGORY = 1.0 / 3.0
"""Another category is as far as three standard deviations of noise."""


@dataclass(frozen=True)
class Suspect:
    """A recipient as a leaked file shows it.

    Parameters
    ----------
    name
        Of the recipient.
    score
        In standard deviations of an innocent one's.
    chance
        Bound on the chance that any of the recipients, all innocent, has such a score.
    """

    name: str
    score: float
    chance: float


@dataclass(frozen=True)
class LeakTrace:
    """What a leaked file tells.

    Parameters
    ----------
    suspects
        All recipients, the highest score first.
    false_accusation
        Greatest chance of naming an innocent recipient that was allowed.
    threshold
        Score from which a recipient is named, in the same standard deviations.
    records
        Of the leaked file.
    found
        Those whose masked record was found.
    by
        How: ``"order"`` or ``"nearest"``.
    columns
        Marked columns that the leaked file has.
    symbols
        Symbols of the code about which it tells something.
    """

    suspects: tuple[Suspect, ...]
    false_accusation: float
    threshold: float
    records: int
    found: int
    by: str
    columns: tuple[str, ...]
    symbols: int

    @property
    def named(self) -> tuple[str, ...]:
        """The recipients who are named; empty where nobody can be."""
        return tuple(s.name for s in self.suspects if s.chance <= self.false_accusation)

    def words(self) -> str:
        """Say in a sentence what came of it."""
        if not self.named:
            return f"Nobody can be named: no score is so high that an innocent one has it with chance {self.false_accusation:g}."
        worst = max(s.chance for s in self.suspects if s.name in self.named)
        who = " and ".join(f"'{name}'" for name in self.named)
        kind = "copy" if len(self.named) == 1 else "copies"
        return f"The file was made from the {kind} of {who}; chance of an error {chance_in_words(worst)}."

    def to_plain(self) -> dict[str, Any]:
        """Return the trace as JSON has it."""
        return {
            "named": list(self.named),
            "false_accusation": self.false_accusation,
            "threshold": self.threshold,
            "records": self.records,
            "found": self.found,
            "by": self.by,
            "columns": list(self.columns),
            "symbols": self.symbols,
            "suspects": [vars(s) for s in self.suspects],
        }


def chance_in_words(chance: float) -> str:
    """Show the bound on a chance.

    Examples
    --------
    >>> chance_in_words(0.0), chance_in_words(2.4e-7), chance_in_words(1.0)
    ('below 1e-99', 'at most 2.4e-07', 'at most 1')
    """
    return "below 1e-99" if chance < 1e-99 else f"at most {chance:.1e}" if chance < 1 else "at most 1"


def trace_leak(
    copies: FingerprintedCopies,
    leaked: Microdata,
    *,
    false_accusation: float = 1e-4,
    renamed: Mapping[str, str] | None = None,
) -> LeakTrace:
    """Name the recipients whose copies a leaked file was made from.

    Each leaked record goes to the masked one that it was made from, also when columns are in other units. The deviations of its
    marked cells are summed for each symbol of the code, and each recipient's codeword is scored against the sums. A recipient is
    named when the chance that any of n innocent ones has such a score, bounded by n exp(K(theta) - theta S), is at most
    ``false_accusation``.

    Parameters
    ----------
    copies
        All copies of the release, with masked file and key.
    leaked
        The leaked file: any rows, any order, any of the columns.
    false_accusation
        Greatest chance that anybody innocent is named.
    renamed
        The name in the release of columns that the leaked file calls otherwise.

    Raises
    ------
    ParameterError
        When ``false_accusation`` is no chance.
    ColumnError
        When the leaked file has none of the marked columns, or a renamed one is not there.
    DataError
        When a marked column of the leaked file has no numbers.

    Complexity
    ----------
    O((n + m) log m) for n leaked and m masked records, and O(length) for each recipient.

    Notes
    -----
    The bound holds whatever a coalition did, also one larger than the code was made for: a larger one is less likely to be named.
    """
    if not 0 < false_accusation < 1:
        raise ParameterError(f"'false_accusation' must be above 0 and below 1, got {false_accusation}.")
    weights, found, columns = leaked_weights(copies, leaked, renamed)
    length, names = copies.plan.length, copies.recipients
    weights, p = weights[:length], copies.biases[:length]
    sd = float(np.sqrt((weights**2).sum())) or 1.0
    scores = soft_scores(weights, copies.codewords(names), p)
    chances, high = np.ones(len(names)), scores > _worth_a_bound(weights, p, len(names))
    chances[high] = np.minimum(innocent_bounds(scores[high], weights, p) * len(names), 1.0)
    order = np.argsort(-scores, kind="stable")
    return LeakTrace(
        suspects=tuple(Suspect(names[i], float(scores[i] / sd), float(chances[i])) for i in order),
        false_accusation=false_accusation,
        threshold=accusation_threshold(weights, p, false_accusation / len(names)) / sd,
        records=len(leaked),
        found=found.found,
        by=found.by,
        columns=columns,
        symbols=int((weights != 0).sum()),
    )


def _worth_a_bound(weights: FloatArray, p: FloatArray, n: int) -> float:
    """Return a score below which n times the bound is above 1 anyway."""
    return accusation_threshold(weights, p, 1.0 / n) if n > 1 else 0.0


def leaked_weights(
    copies: FingerprintedCopies, leaked: Microdata, renamed: Mapping[str, str] | None = None
) -> tuple[FloatArray, Alignment, tuple[str, ...]]:
    """Return what a leaked file tells of each symbol, which record was which, and by which marked columns."""
    called = _called(copies, leaked, renamed or {})
    marked = [j for j, column in enumerate(copies.plan.columns) if column.name in called]
    if not marked:
        raise ColumnError(
            "The leaked file has none of the marked columns; if they have other names, say which is which (leaked=released)."
        )
    names = tuple(copies.plan.columns[j].name for j in marked)
    values = np.column_stack([_numbers(leaked, called[name]) for name in names])
    masked = [copies.variants[j].masked for j in marked]
    found = _aligned(copies, leaked, called, dict(zip(names, values.T, strict=True)))
    if found.found < _FEW * len(leaked):
        other = np.column_stack([same_spread(x, y) for x, y in zip(values.T, masked, strict=True)])
        again = _aligned(copies, leaked, called, dict(zip(names, other.T, strict=True)))
        values, found = (other, again) if again.found > found.found else (values, found)
    values = np.column_stack([straightened(x, found.rows, y) for x, y in zip(values.T, masked, strict=True)])
    length = copies.plan.length + copies.plan.blocks
    return received_weights(values, found.rows, [copies.variants[j] for j in marked], length), found, names


def _called(copies: FingerprintedCopies, leaked: Microdata, renamed: Mapping[str, str]) -> dict[str, str]:
    """Return for each column of the release what the leaked file calls it."""
    for theirs, ours in renamed.items():
        if theirs not in leaked.schema:
            raise ColumnError(f"Column '{theirs}' is not in the leaked file.{did_you_mean(theirs, leaked.names)}")
        if ours not in copies.masked.schema:
            raise ColumnError(f"Column '{ours}' is not in the release.{did_you_mean(ours, copies.masked.names)}")
    called = {name: name for name in leaked.names if name in copies.masked.schema and name not in renamed}
    return called | {ours: theirs for theirs, ours in renamed.items()}


def _numbers(leaked: Microdata, name: str) -> FloatArray:
    """Return a column of the leaked file as numbers, whatever scale was guessed for it."""
    if leaked.schema[name].scale == "numeric":
        return leaked.float(name)
    codes = leaked.codes(name)
    known = np.array([*(_number(value) for value in codes.categories), np.nan])
    found = np.asarray(known[codes.values], np.float64)
    if not np.isfinite(found).any():
        raise DataError(f"Column '{name}' of the leaked file must have numbers.")
    return found


def _number(value: object) -> float:
    try:
        return float(str(value).replace(",", "."))
    except ValueError:
        return float("nan")


def _aligned(
    copies: FingerprintedCopies, leaked: Microdata, called: Mapping[str, str], marked: Mapping[str, FloatArray]
) -> Alignment:
    """Find the masked record behind each leaked one, by marked columns and by what else the two files share."""
    pairs, scales = [], {c.name: c.scale for c in copies.plan.columns}
    for ours, theirs in called.items():
        if ours in marked:
            x, y = (in_noise_units(v, scales[ours]) for v in (marked[ours], copies.masked.float(ours)))
            pairs.append((x, y, 1.0))
            continue
        try:
            pairs.append(_unmarked(copies.masked, ours, leaked, theirs))
        except TacitaError:  # a column that cannot be compared helps nobody
            continue
    left, right = (np.column_stack([pair[side] for pair in pairs]) for side in (0, 1))
    return align_records(left, right, np.array([pair[2] for pair in pairs]))


def _unmarked(masked: Microdata, ours: str, leaked: Microdata, theirs: str) -> tuple[FloatArray, FloatArray, float]:
    """Return a column without marks in both files, and what a difference of 1 is."""
    if masked.schema[ours].scale == "numeric":
        x, y = _numbers(leaked, theirs), masked.float(ours)
        return x, y, 0.1 * float(np.nanstd(y)) if np.isfinite(y).any() else 1.0
    codes, other = masked.codes(ours), leaked.codes(theirs)
    places = {str(value): float(i) for i, value in enumerate(codes.categories)}
    known = np.array([*(places.get(str(value), np.nan) for value in other.categories), np.nan])
    y = np.where(codes.values < 0, np.nan, codes.values.astype(np.float64))
    return np.asarray(known[other.values], np.float64), y, _CATEGORY
