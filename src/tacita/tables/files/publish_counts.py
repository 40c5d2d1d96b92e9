"""Publish tables of perturbed counts: what may leave, with reliability marks, in ``public/``, and the truth in ``internal/``."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import KeyLike
from tacita.core.parameters import Interval, coerce
from tacita.data.atomic import atomic_directory
from tacita.data.disk.documents import put_documents
from tacita.tables.files.csv_form import check_names
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table
from tacita.tables.perturbation.keyed_table import checked_key
from tacita.tables.perturbation.user_information import perturb_deviations
from tacita.tables.protect.protected import Protected
from tacita.tables.readers.joint_cells import ReadTables, cell_numbers, read_tables

__all__ = ["publish_counts"]

_OWNER = "publish_counts"
KIND = "published counts"
"""What the list of files calls such a directory."""


def publish_counts(
    published: Sequence[Table | Protected],
    directory: str | Path,
    *,
    true: Sequence[Table],
    key: KeyLike,
    reach: Annotated[int, Interval(0)],
    smallest: Annotated[int, Interval(1)] = 3,
    good: float = 0.05,
    fair: float = 0.2,
    overwrite: bool = False,
) -> Path:
    """Write a set of tables of perturbed counts with a reliability mark on each cell.

    ``public/`` has a CSV file for each table, with all cells of its grid: codes, count, and the mark ``A`` (good), ``B`` (fair)
    or ``C`` (poor); and ``about.json`` with the bound of the noise, how often each size of a deviation was told, and how codes
    add up. :func:`read_counts` reads them. ``internal/`` has the same tables with the true counts.

    Protects the deviations themselves: a mark comes from a deviation that was perturbed with all frequencies kept. The same cell
    has the same mark in every table. A cell shown as 0 has none, so that nothing tells which zeros are true. Does not protect
    against readers who compare two publications of the same people with other noise. A good mark narrows the bound of a cell a
    little, see :attr:`CountSet.reaches`.

    Parameters
    ----------
    published
        The tables as they are to leave; cells that they share must be the same.
    directory
        Where ``public/`` and ``internal/`` are made.
    true
        The same tables with true counts.
    key
        The secret key, which decides how deviations are perturbed.
    reach
        The bound of the noise, which is published. No count may be further from the truth.
    smallest
        The smallest count but 0 that may leave.
    good, fair
        A cell is marked ``A`` when the size of its perturbed deviation is at most this share of its count, ``B`` by the second.
    overwrite
        Whether an earlier set in the same directory is replaced.

    Raises
    ------
    ParameterError
        When the key is short or one of an example, the shares do not rise, or the tables do not fit each other.
    DataError
        When tables differ about a cell they share, a small count would leave, or a count is beyond ``reach``. Nothing is
        written then.
    FileError
        When the directory exists or cannot be written; nothing is left half-written.

    Complexity
    ----------
    O(n log n) for the n cells of all tables, the empty ones included.
    """
    bound: int = coerce(reach, Annotated[int, Interval(0)], owner=_OWNER, name="reach")
    least: int = coerce(smallest, Annotated[int, Interval(1)], owner=_OWNER, name="smallest")
    if not 0 <= good <= fair:
        raise ParameterError(f"{_OWNER}: 'good' must be from 0 to 'fair', got {good:g} and {fair:g}.")
    secret = checked_key(key)
    dimensions = [_dimensions(given) for given in published]
    if dimensions != [_dimensions(given) for given in true]:
        raise ParameterError(f"{_OWNER}: 'true' must have the tables of 'published', in the same order.")
    for each in dimensions:
        check_names(each)
    joint = read_tables(published, owner=_OWNER)
    truth = joint.counts(true)
    _check(joint, truth, bound, least)
    shown = joint.most
    rows = np.flatnonzero(shown > 0)
    rng = secret.generator("told deviations of a set", len(rows))
    told = np.abs(perturb_deviations((shown - truth)[rows], rng.random(len(rows)), rng))
    share = told / shown[rows]
    marks = np.full(len(joint), "", dtype=object)
    marks[rows] = np.where(share <= good, "A", np.where(share <= fair, "B", "C"))
    sizes = {str(size): int(times) for size, times in zip(*np.unique(told, return_counts=True), strict=True)}
    every = {
        d.name: {"codes": list(d.codes), "sums": [[total, list(of)] for total, of in d.sums]} for d in joint.dimensions
    }
    about: dict[str, Any] = {
        "bound": bound, "smallest": least, "good": good, "fair": fair, "deviations": sizes,
        "tables": {f"table-{n}.csv": [d.name for d in each] for n, each in enumerate(dimensions, 1)},
        "dimensions": every,
    }  # fmt: skip
    with atomic_directory(directory, overwrite, kind=KIND, private=["internal"]) as made:
        (made / "public").mkdir()
        (made / "internal").mkdir(mode=0o700)
        for number, each in enumerate(dimensions, 1):
            counts = {"value": shown, "reliability": marks}
            _write(made / "public" / f"table-{number}.csv", each, joint, counts)
            _write(made / "internal" / f"table-{number}.csv", each, joint, {"true": truth, "published": shown})
        text = json.dumps(about, indent=2, ensure_ascii=False) + "\n"
        put_documents(made, {"public/about.json": text.encode("utf-8")})
    return Path(directory)


def _dimensions(given: Table | Protected) -> tuple[Dimension, ...]:
    return (given.table if isinstance(given, Protected) else given).dimensions


def _check(joint: ReadTables, truth: IntArray, reach: int, smallest: int) -> None:
    """Refuse what must not leave."""
    differ = int((joint.least != joint.most).sum())
    if differ:
        raise DataError(f"{_OWNER}: tables differ about {differ} cells that they share, which averages the noise out.")
    small = int(((joint.most > 0) & (joint.most < smallest)).sum())
    if small:
        raise DataError(
            f"{_OWNER}: {small} cells have counts from 1 to {smallest - 1}; protect them, or lower 'smallest'."
        )
    far = int((np.abs(joint.most - truth) > reach).sum())
    if far:
        raise DataError(f"{_OWNER}: {far} counts are further from the truth than 'reach' says.")


def _write(path: Path, dimensions: Sequence[Dimension], joint: ReadTables, columns: Mapping[str, Any]) -> None:
    """Write one table: all cells of its grid, in their order."""
    shape = [len(dimension.codes) for dimension in dimensions]
    codes = np.stack([axis.ravel() for axis in np.indices(shape)], axis=1)
    place = np.searchsorted(joint.numbers, cell_numbers(joint.dimensions, dimensions, codes))
    texts = [np.array(dimension.codes, dtype=object)[codes[:, axis]] for axis, dimension in enumerate(dimensions)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*(dimension.name for dimension in dimensions), *columns])
        writer.writerows(zip(*texts, *(column[place] for column in columns.values()), strict=True))
