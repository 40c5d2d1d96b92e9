"""The plan of fingerprints: which columns have room for marks and how large, why others have none, and how long the code is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError, did_you_mean
from tacita.data.microdata import Microdata
from tacita.data.units import find_units
from tacita.numeric.fingerprints.noise_scale import NoiseScale, amplitudes, grid_decimals, noise_scale
from tacita.numeric.fingerprints.tardos import MOST_COLLUDERS
from tacita.numeric.statistics.linear_copies import depends_on

__all__ = ["FingerprintPlan", "MarkedColumn", "plan_fingerprints"]

MOST_POSITIONS = 8192
"""Longer codes gain little and cost time; a file with more marked cells has several for each symbol."""
MOST_EXCHANGED = 1536
"""The office's symbols in the asymmetric form, where each costs powers of large numbers on both sides."""
_FORM = "tacita-fingerprints-1"
_NEVER = ("identifier", "weight", "household", "cluster", "stratum", "linked")
_DIFFERENT = 0.5
"""A column is marked without being named when so many of its values stand in one record only."""


@dataclass(frozen=True)
class MarkedColumn:
    """A column that carries marks.

    Parameters
    ----------
    name
        As in the file.
    at, sd
        Masked values, and the standard deviation of the mask's noise there.
    decimals
        Grid of its values; None where they are continuous.
    lower, upper
        What no marked value leaves; None where there is no bound.
    by_unit
        Whether all members of a household share their value, and so their mark.
    """

    name: str
    at: tuple[float, ...]
    sd: tuple[float, ...]
    decimals: int | None
    lower: float | None
    upper: float | None
    by_unit: bool

    @property
    def scale(self) -> NoiseScale:
        """The noise at each value."""
        return NoiseScale(np.array(self.at), np.array(self.sd))


@dataclass(frozen=True)
class FingerprintPlan:
    """How the copies of a release are marked; with the masked file and the key it gives every copy again.

    Parameters
    ----------
    columns
        Those that carry marks.
    unmarked
        The other columns, each with the reason in a few words.
    share
        Distance of the two variants of a cell, in standard deviations of the mask's noise.
    coalition
        Most recipients who put their copies together.
    length
        Symbols of a codeword that the office draws.
    blocks
        Symbols that a recipient draws, in the asymmetric form; otherwise 0.
    """

    columns: tuple[MarkedColumn, ...]
    unmarked: tuple[tuple[str, str], ...]
    share: float
    coalition: int
    length: int
    blocks: int = 0

    def to_plain(self) -> dict[str, Any]:
        """Return the plan as JSON has it."""
        return {
            "form": _FORM,
            "share": self.share,
            "coalition": self.coalition,
            "length": self.length,
            "blocks": self.blocks,
            "columns": [{**vars(c), "at": list(c.at), "sd": list(c.sd)} for c in self.columns],
            "unmarked": dict(self.unmarked),
        }

    @classmethod
    def from_plain(cls, plain: Any) -> FingerprintPlan:
        """Read a plan; a damaged one is an error.

        Raises
        ------
        FileError
            When something is missing or is not what it must be.
        """
        try:
            if plain["form"] != _FORM:
                raise ValueError
            columns = tuple(_column(entry) for entry in plain["columns"])
            made = cls(
                columns=columns,
                unmarked=tuple((str(name), str(why)) for name, why in plain["unmarked"].items()),
                share=float(plain["share"]),
                coalition=int(plain["coalition"]),
                length=int(plain["length"]),
                blocks=int(plain["blocks"]),
            )
            is_sound = (
                columns
                and 0 < made.share <= 1
                and 1 <= made.coalition <= MOST_COLLUDERS
                and 1 <= made.length <= MOST_POSITIONS
                and 0 <= made.blocks <= MOST_POSITIONS
            )
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            is_sound = False
        if not is_sound:
            raise FileError("The plan of the fingerprints is damaged, or was written by another version.")
        return made


def plan_fingerprints(
    masked: Microdata,
    noise: Mapping[str, tuple[FloatArray, FloatArray] | float],
    *,
    bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
    columns: Iterable[str] | None = None,
    share: float = 0.1,
    coalition: int = 4,
    blocks: int = 0,
) -> FingerprintPlan:
    """Decide which columns of a masked file carry marks, how large, and how long the code is.

    Parameters
    ----------
    masked
        The public file of a release.
    noise
        For each column that the mask changed, the original and the masked values of the same records, or the standard deviation
        of its noise.
    bounds
        What columns are declared to lie within.
    columns
        Columns to mark; by default all numeric ones with noise in which at least half of the values stand in one record only.
        In the others, records may be safe because they are alike.
    share
        How far the two variants of a cell lie apart, in standard deviations of the noise.
    coalition
        Most recipients who put their copies together.
    blocks
        Symbols that recipients draw themselves.

    Raises
    ------
    ParameterError
        When a number is out of range.
    ColumnError
        When a named column is not there, or cannot be marked.
    DataError
        When no column has room for marks.

    Complexity
    ----------
    O(n d log n + n d^2) for n records and d numeric columns.

    Notes
    -----
    Never marked are identifiers, weights, numbers of households and clusters, strata, categories, and columns that are sums of
    others or parts of such sums: a mark would break the sum and show itself. A column that households share is marked by
    household.
    """
    if not 0 < share <= 1:
        raise ParameterError(f"'share' must be above 0 and at most 1, got {share}.")
    if not 1 <= coalition <= MOST_COLLUDERS:
        raise ParameterError(f"'coalition' must be in [1, {MOST_COLLUDERS}], got {coalition}.")
    if not 0 <= blocks <= MOST_POSITIONS:
        raise ParameterError(f"'blocks' must be in [0, {MOST_POSITIONS}], got {blocks}.")
    named = None if columns is None else tuple(columns)
    for name in named or ():
        if name not in masked.schema:
            raise ColumnError(f"Column '{name}' is not in the data.{did_you_mean(name, masked.names)}")
    sums = _in_sums(masked)
    reasons = {c.name: _reason(masked, c.name, noise, sums, is_named=named is not None) for c in masked.schema}
    for name in named or ():
        if reasons[name]:
            raise ColumnError(f"Column '{name}' cannot carry marks: {reasons[name]}.")
    chosen = [name for name in masked.names if not reasons[name] and (named is None or name in named)]
    units = find_units(masked, None, owner="Fingerprints")
    by_unit = set() if units is None else set(units.shared(masked, chosen))
    marked = tuple(
        _marked(masked.float(name), name, noise[name], (bounds or {}).get(name), name in by_unit) for name in chosen
    )
    room = sum(_expected(masked.float(c.name), c, share) for c in marked)
    if room < 1:
        why = "; ".join(f"'{name}': {text}" for name, text in reasons.items() if text)
        raise DataError(f"No column has room for marks inside the noise of the mask. {why}.")
    unmarked = tuple((name, reasons[name] or "not asked for") for name in masked.names if name not in chosen)
    return FingerprintPlan(
        columns=marked,
        unmarked=unmarked,
        share=share,
        coalition=coalition,
        length=int(max(min(MOST_EXCHANGED if blocks else MOST_POSITIONS, room - blocks), 1)),
        blocks=blocks,
    )


def _reason(
    masked: Microdata,
    name: str,
    noise: Mapping[str, tuple[FloatArray, FloatArray] | float],
    sums: frozenset[str],
    *,
    is_named: bool,
) -> str:
    """Say why a column carries no marks; empty where it may."""
    column = masked.schema[name]
    role = next((role for role in column.roles if role in _NEVER), None)
    if role is not None:
        return f"it is {'an' if role == 'identifier' else 'a'} {role}"
    if column.scale != "numeric":
        return f"its scale is {column.scale}"
    if name not in noise:
        return "nothing is known of noise in it"
    if name in sums:
        return "it is a sum of other columns, or part of one"
    if not _scale_of(noise[name]).sd.max(initial=0.0) > 0:
        return "the mask changed at most half of its values"
    if not is_named and _alone(masked.float(name)) < _DIFFERENT:
        return "most of its values stand in several records; name it to mark it nevertheless"
    return ""


def _in_sums(masked: Microdata) -> frozenset[str]:
    """Return the numeric columns that are linear combinations of others, and the others."""
    names = [c.name for c in masked.schema if c.scale == "numeric" and not set(c.roles) & set(_NEVER)]
    values = masked.floats(names)
    found: set[str] = set()
    for j, name in enumerate(names):
        rest = [i for i in range(len(names)) if i != j]
        parts = depends_on(values[:, j], values[:, rest]) if rest else ()
        if parts:
            found |= {name, *(names[rest[i]] for i in parts)}
    return frozenset(found)


def _alone(x: FloatArray) -> float:
    """Return the share of the values that stand in one record only."""
    known = x[np.isfinite(x)]
    return float((np.unique(known, return_counts=True)[1] == 1).sum() / len(known)) if len(known) else 0.0


def _scale_of(noise: tuple[FloatArray, FloatArray] | float) -> NoiseScale:
    if isinstance(noise, tuple):
        return noise_scale(*noise)
    if not (np.isfinite(noise) and noise >= 0):
        raise ParameterError(f"The standard deviation of noise must be a number of at least 0, got {noise}.")
    return NoiseScale(np.zeros(1), np.array([float(noise)]))


def _marked(
    x: FloatArray,
    name: str,
    noise: tuple[FloatArray, FloatArray] | float,
    declared: tuple[float | None, float | None] | None,
    by_unit: bool,
) -> MarkedColumn:
    scale, (lower, upper) = _scale_of(noise), declared or (None, None)
    if lower is None and np.nanmin(x) >= 0:
        lower = 0.0  # a negative value would show a mark
    return MarkedColumn(
        name=name,
        at=tuple(scale.at.tolist()),
        sd=tuple(scale.sd.tolist()),
        decimals=grid_decimals(x),
        lower=lower,
        upper=upper,
        by_unit=by_unit,
    )


def _expected(x: FloatArray, column: MarkedColumn, share: float) -> float:
    """Return about how many cells of a column will differ between their variants."""
    apart = amplitudes(x, column.scale, share, column.decimals)
    apart = np.where(x == 0, 0.0, apart)
    return float(
        np.minimum(apart * 10.0**column.decimals, 1.0).sum() if column.decimals is not None else (apart > 0).sum()
    )


def _column(entry: Any) -> MarkedColumn:
    at, sd = tuple(map(float, entry["at"])), tuple(map(float, entry["sd"]))
    decimals = None if entry["decimals"] is None else int(entry["decimals"])
    lower, upper = (None if entry[word] is None else float(entry[word]) for word in ("lower", "upper"))
    if not at or len(at) != len(sd) or sorted(set(at)) != list(at) or min(sd) < 0 or abs(decimals or 0) > 9:
        raise ValueError
    return MarkedColumn(str(entry["name"]), at, sd, decimals, lower, upper, bool(entry["by_unit"]))
