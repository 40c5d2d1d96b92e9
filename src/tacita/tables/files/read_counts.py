"""Reading a published set of perturbed counts, as anybody can who has only what left."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import FileError, TacitaError
from tacita.core.metadata import LARGE, parse_json, read_text
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import grid_of, shape_of
from tacita.tables.model.table import Table

__all__ = ["SPREAD", "CountSet", "read_counts"]

SPREAD = 2
"""A deviation is told as at most this much more or less than it is: the invariant matrix moves by one, twice."""


@dataclass(frozen=True, eq=False)
class CountSet:
    """What a published set of counts says.

    Parameters
    ----------
    tables
        The tables, with all cells of their grids.
    bound
        The published bound of the deviations.
    marks
        For each table the reliability mark of each cell; empty where nothing is told.
    good, fair
        Up to which share of a count the mark is ``A``, and ``B``.
    """

    tables: list[Table] = field(repr=False)
    bound: int
    marks: list[list[str]] = field(repr=False)
    good: float
    fair: float

    @property
    def reaches(self) -> list[IntArray]:
        """For each table the bound of each cell that a reader concludes from its mark.

        The size told is at most the share of the mark, and a deviation is told within :data:`SPREAD` of what it is. A mark ``C``
        says nothing more than the published bound.
        """
        found = []
        for table, marks in zip(self.tables, self.marks, strict=True):
            share = np.array([{"A": self.good, "B": self.fair}.get(mark, np.inf) for mark in marks])
            told = np.where(
                np.isinf(share), np.inf, np.floor(np.where(np.isinf(share), 0.0, share) * table.values + 1e-9)
            )
            found.append(np.minimum(told + SPREAD, self.bound).astype(np.int64))
        return found


def read_counts(directory: str | Path) -> CountSet:
    """Read the ``public/`` side of what :func:`publish_counts` wrote.

    Parameters
    ----------
    directory
        The folder with ``about.json`` and the tables.

    Raises
    ------
    FileError
        When a file is not there, damaged, or does not fit the others.

    Complexity
    ----------
    O(n) for n cells.
    """
    folder = Path(directory)
    text = read_text(folder / "about.json", "The description of the tables", encodings=("utf-8",), limits=LARGE)
    plain = parse_json(text, "The description of the tables 'about.json'", limits=LARGE)
    try:
        bound, good, fair = int(plain["bound"]), float(plain["good"]), float(plain["fair"])
        dimensions = {
            name: Dimension(name, tuple(said["codes"]), tuple((total, tuple(of)) for total, of in said["sums"]))
            for name, said in plain["dimensions"].items()
        }
        tables = [(str(file), [dimensions[name] for name in names]) for file, names in plain["tables"].items()]
    except TacitaError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FileError("'about.json' lacks parts of the description of tables, or they do not fit together.") from None
    read = [_table(folder, file, each) for file, each in tables]
    return CountSet([table for table, _ in read], bound, [marks for _, marks in read], good, fair)


def _table(folder: Path, file: str, dimensions: list[Dimension]) -> tuple[Table, list[str]]:
    if Path(file).name != file:
        raise FileError("'about.json' must name files beside it.")
    columns = _columns(folder / file, [dimension.name for dimension in dimensions])
    sizes, strides = shape_of(dimensions)
    place = np.zeros(len(columns["value"]), np.int64)
    try:
        for dimension, stride in zip(dimensions, strides.tolist(), strict=True):
            place += stride * np.array([dimension.places[code] for code in columns[dimension.name]], np.int64)
        values: IntArray = np.array([int(text) for text in columns["value"]], np.int64)
    except (KeyError, ValueError, OverflowError):
        raise FileError(f"'{file}' must have whole counts, and codes that 'about.json' knows.") from None
    size = int(np.prod(sizes))
    if len(place) != size or len(np.unique(place)) != size or (values < 0).any():
        raise FileError(f"'{file}' must have each of its {size} cells once, with a count of at least 0.")
    order = np.argsort(place)
    codes, relations = grid_of(dimensions, np.arange(size, dtype=np.int64))
    table = Table(tuple(dimensions), codes, values[order].astype(np.float64), relations, responses=("",))
    marks = np.array(columns["reliability"], dtype=object)[order]
    return table, list(map(str, marks))


def _columns(path: Path, names: list[str]) -> dict[str, list[str]]:
    if not path.is_file():
        raise FileError(f"The file '{path.name}' cannot be read: it is not there, or it is no file.")
    wanted = [*names, "value", "reliability"]
    found: dict[str, list[Any]] = {name: [] for name in wanted}
    with path.open(encoding="utf-8", newline="") as file:
        try:
            for row in csv.DictReader(file, strict=True):
                for name in wanted:
                    found[name].append(row[name])
        except (KeyError, csv.Error, UnicodeDecodeError):
            raise FileError(f"'{path.name}' must be CSV with the columns {', '.join(wanted)}.") from None
    if any(text is None for texts in found.values() for text in texts):
        raise FileError(f"'{path.name}' has rows with too few fields.")
    return found
