"""Accounting identities such as ``PTOTVAL = PEARNVAL + POTHVAL``: the parts are masked, the total is recomputed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.data.schema import Schema

__all__ = ["Identity", "check_totals", "parse_identities", "recompute_totals", "verify_identities"]

_DOUBLE, _SINGLE = 1e-9, 2.0**-22
"""Rounding that an identity allows for, relative to its terms, in double and in single precision."""
_TERM = re.compile(r"\s*([+-])?\s*(?:`([^`]+)`|([^\s+=`-][^\s+=`]*))")


@dataclass(frozen=True)
class Identity:
    """``total`` equals the signed sum of ``parts`` in every record."""

    total: str
    parts: tuple[tuple[float, str], ...]

    @classmethod
    def parse(cls, text: str) -> Identity:
        """Read ``total = part + part - part``; a name with blanks stands in backquotes.

        Examples
        --------
        >>> Identity.parse("profit = turnover - `total costs`")
        Identity(total='profit', parts=((1.0, 'turnover'), (-1.0, 'total costs')))
        """
        left, equals, right = text.partition("=")
        total = left.strip().strip("`")
        parts: list[tuple[float, str]] = []
        position = 0
        while right[position:].strip():
            term = _TERM.match(right, position)
            if term is None or (parts and term.group(1) is None):
                break
            parts.append((-1.0 if term.group(1) == "-" else 1.0, term.group(2) or term.group(3)))
            position = term.end()
        if not (equals and total and parts) or right[position:].strip():
            raise ParameterError(f"An identity must read 'total = part + part - part', got '{text}'.")
        return cls(total, tuple(parts))

    def value(self, columns: Mapping[str, FloatArray]) -> FloatArray:
        """Return the signed sum of the parts."""
        result = np.zeros_like(next(iter(columns.values())))
        for sign, name in self.parts:
            result = result + sign * columns[name]
        return result

    def holds(self, columns: Mapping[str, FloatArray], single: Collection[str] = ()) -> BoolArray:
        """Return where the identity holds to rounding; records with a missing term count as holding.

        With a column in single precision among its terms it can hold to seven digits only.
        """
        total, computed = columns[self.total], self.value(columns)
        scale = np.abs(total) + sum(np.abs(columns[name]) for _, name in self.parts)
        rough = any(name in single for name in (self.total, *(name for _, name in self.parts)))
        off = np.abs(total - computed) > (_SINGLE if rough else _DOUBLE) * scale
        return ~off  # a comparison with NaN is false: nothing to verify there


def parse_identities(texts: Sequence[str], schema: Schema, owner: str) -> tuple[Identity, ...]:
    """Read the identities and order them so that a total that is a part of another comes first."""
    identities = [Identity.parse(text) for text in texts]
    totals = [identity.total for identity in identities]
    for identity in identities:
        schema.resolve((identity.total, *(name for _, name in identity.parts)), owner=owner, scales={"numeric"})
    if len(set(totals)) < len(totals):
        raise ParameterError(f"{owner}: 'identities' computes a total twice.")
    ordered: list[Identity] = []
    while len(ordered) < len(identities):
        done = {identity.total for identity in ordered}
        ready = [i for i in identities if i not in ordered and all(n not in totals or n in done for _, n in i.parts)]
        if not ready:
            raise ParameterError(f"{owner}: 'identities' run in a circle: a total is part of itself.")
        ordered.extend(ready)
    return tuple(ordered)


def recompute_totals(
    columns: dict[str, FloatArray], identities: Sequence[Identity], owner: str
) -> dict[str, FloatArray]:
    """Return the columns with every total recomputed; a total that was missing stays missing.

    A total of which a part is missing cannot be recomputed and becomes missing, with a warning.
    """
    made = dict(columns)
    for identity in identities:
        gone = np.isnan(columns[identity.total])
        made[identity.total] = np.where(gone, np.nan, identity.value(made))
        lost = int((np.isnan(made[identity.total]) & ~gone).sum())
        if lost:
            warnings.warn(
                f"{owner}: the total '{identity.total}' became missing in {lost} record(s), because one of its parts is missing.",
                TacitaWarning,
                stacklevel=5,
            )
    return made


def verify_identities(
    columns: Mapping[str, FloatArray],
    identities: Sequence[Identity],
    owner: str,
    what: str,
    single: Collection[str] = (),
) -> None:
    """Raise where an identity does not hold in some record; the message has counts, never values."""
    for identity in identities:
        broken = int((~identity.holds(columns, single)).sum())
        if broken:
            raise DataError(
                f"{owner}: the identity for '{identity.total}' does not hold in {broken} records of the {what} data."
            )


def check_totals(chosen: tuple[str, ...], names: tuple[str, ...], identities: Sequence[Identity], owner: str) -> None:
    """Refuse a total among the columns to mask of which no part is masked: it would come out as it was."""
    moving = set(names)
    for identity in identities:
        if any(part in moving for _, part in identity.parts):
            moving.add(identity.total)
        elif identity.total in chosen:
            raise ColumnError(
                f"{owner}: 'columns' names '{identity.total}', a total of 'identities', but none of its parts; a total is "
                "recomputed from its parts, so name these."
            )
