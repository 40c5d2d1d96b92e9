"""The look-up form of transition matrices that other tools use: a row for each count and result, with ends of intervals."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import FileError, ParameterError
from tacita.data.atomic import atomic_file

__all__ = ["LookupRow", "lookup_rows", "noise_of_lookup", "read_lookup", "write_lookup"]

MOST_BYTES = 10_000_000


class LookupRow(NamedTuple):
    """One possible result of a count.

    Parameters
    ----------
    i, j
        Count and result.
    p
        The probability of the result.
    upper
        Upper end of its interval: it is taken for numbers below this end and not below the one before.
    """

    i: int
    j: int
    p: float
    upper: float


def lookup_rows(noise: FloatArray) -> list[LookupRow]:
    """Return the rows of a matrix, (counts, 2 D + 1) by noise; results that never occur are left out."""
    bound, made = noise.shape[1] // 2, []
    for count, p in enumerate(noise):
        there = np.flatnonzero(p)
        ends = np.minimum(np.cumsum(p[there]), 1.0)
        ends[-1] = 1.0
        made += [
            LookupRow(count, int(place) + count - bound, float(p[place]), float(end))
            for place, end in zip(there, ends, strict=True)
        ]
    return made


def noise_of_lookup(rows: Iterable[Sequence[Any]]) -> FloatArray:
    """Return the matrix of rows of i, j and p, each count brought to a sum of exactly one.

    Raises
    ------
    ParameterError
        When counts have gaps, a pair stands twice, or probabilities are none.
    """
    listed = [(int(row[0]), int(row[1]), float(row[2])) for row in rows]
    listed = [row for row in listed if row[2] != 0]
    counts = sorted({i for i, _, _ in listed})
    if not listed or counts != list(range(len(counts))):
        raise ParameterError("A look-up form must have the counts 0, 1, 2, ... without a gap; add the rows that lack.")
    if len({row[:2] for row in listed}) < len(listed):
        raise ParameterError("A look-up form must have each pair of i and j once; strike what stands twice.")
    bound = max(1, *(abs(j - i) for i, j, _ in listed))
    made = np.zeros((len(counts), 2 * bound + 1))
    for i, j, p in listed:
        made[i, j - i + bound] = p
    total = made.sum(axis=1)
    if (made < 0).any() or min(j for _, j, _ in listed) < 0 or np.abs(total - 1).max() > 0.01:
        raise ParameterError("A look-up form must have results and probabilities from 0 up that sum to 1 for each i.")
    return np.asarray(made / total[:, None])


def write_lookup(rows: Sequence[LookupRow], path: str | Path) -> Path:
    """Write rows as CSV with the columns i, j, p, v and p_int_ub."""
    path, text = Path(path), io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["i", "j", "p", "v", "p_int_ub"])
    writer.writerows([row.i, row.j, repr(row.p), row.j - row.i, repr(row.upper)] for row in rows)
    with atomic_file(path) as temporary:
        temporary.write_text(text.getvalue(), encoding="ascii", newline="")
    return path


def read_lookup(path: str | Path) -> list[LookupRow]:
    """Read rows from CSV, separated by commas, semicolons or tabs; other columns than i, j and p are not needed.

    Raises
    ------
    FileError
        When the file cannot be read or is no such form.
    """
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FileError(f"'{path.name}' is too long for a look-up form.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise FileError(f"The file '{path.name}' cannot be read.") from None
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    names = [name.strip().strip('"') for name in first.split(separator)]
    if not {"i", "j", "p"} <= set(names):
        raise FileError(f"'{path.name}' must have the columns i, j and p; it is no look-up form.")
    places = [names.index(name) for name in ("i", "j", "p")]
    made: dict[int, float] = {}
    rows = []
    try:
        for line in csv.reader(text.splitlines()[1:], delimiter=separator):
            if not line:
                continue
            i, j, p = (line[place].strip() for place in places)
            count, share = int(float(i)), float(p.replace(",", "."))
            made[count] = made.get(count, 0.0) + share
            rows.append(LookupRow(count, int(float(j)), share, min(made[count], 1.0)))
    except (ValueError, IndexError):
        raise FileError(f"'{path.name}' must have numbers as i, j and p in every line.") from None
    return rows
