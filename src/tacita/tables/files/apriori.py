"""A-priori files of tau-ARGUS (``.hst``): what the user knows about single cells before anything is protected.

A line a cell: its code in every dimension, a word, and numbers where the word takes some::

    North;small;u
    North;large;s
    Total;Total;p
    South;small;pl;20;35
    South;large;c;4

The words are those of tau-ARGUS, in small or capital letters: ``u`` unsafe, ``s`` safe, ``p`` to stay published, ``m`` and
``ml`` hidden to protect others (in an earlier table, say), ``pl`` with a lower and an upper protection level, ``c`` or ``w``
with a cost. An empty code stands for the total.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import FileError, ParameterError, did_you_mean
from tacita.core.metadata import LARGE, read_text
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.rules.apriori import Apriori, listed

__all__ = ["read_apriori"]


WORDS = {
    "u": "unsafe",
    "s": "safe",
    "p": "published",
    "m": "hidden",
    "ml": "hidden",
    "pl": "levels",
    "c": "cost",
    "w": "cost",
}
NUMBERS = {"unsafe": (0, 2), "safe": (0,), "published": (0,), "hidden": (0,), "levels": (1, 2), "cost": (1,)}
"""How many numbers may follow a word."""
SEPARATORS = (";", ",", "\t", "|")


def read_apriori(
    path: str | Path,
    table: Table,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    span: float = 30.0,
    expand_trivial: bool = True,
) -> Apriori:
    r"""Read an a-priori file for a table.

    Parameters
    ----------
    path
        The file; its name often ends in ``.hst``.
    table
        The table that it speaks of; codes stand in the order of its dimensions.
    separator
        What stands between the fields; found out when left out.
    encoding
        UTF-8 when left out, or Windows-1252 where that does not fit.
    span
        Protection level of an unsafe cell without levels, in percent of its value.
    expand_trivial
        Whether a line counts for all names of a cell: a group with a single member is one cell with two names.

    Returns
    -------
    Apriori
        :meth:`Apriori.over` puts it over the verdict of rules, :meth:`Apriori.priced` gives the table its costs.

    Raises
    ------
    FileError
        When the file cannot be read, or a line has a code that the table does not have, a word that is not known or a
        number that is none. Such lines are named together.

    Complexity
    ----------
    O((n + m) d) time for n cells, m lines and d dimensions.

    Notes
    -----
    Lines are taken in their order, and the last one about a cell counts; but ``p`` after ``s`` keeps both, and a cell that
    must stay published and be hidden is an error. Blanks around a code do not count where the code without them is
    known. Cells that are empty by structure are never unsafe. In linked tables of several responses a line speaks of the
    cells of all of them. Levels are in the unit of the values; tau-ARGUS reads two after ``pl``, one number stands for
    both here, and levels may stand after ``u`` too. ``ab`` (bounds), which tau-ARGUS reserves, is an error.

    References
    ----------
    de Wolf, P. P., Hundepool, A., Giessing, S., Salazar, J. J. and Castro, J. (2014), tau-ARGUS user's manual, section
    on a-priori information.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tacita.tables import table_from_cells
    >>> table = table_from_cells({"size": ["small", "middle", "large"], "value": [20.0, 30.0, 50.0]}, ["size"])
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "firms.hst"
    ...     _ = path.write_text("small;u\nsmall;pl;5;8\nlarge;p\n")
    ...     unsafe = read_apriori(path, table).over()
    >>> cell = int(table.find({"size": "small"})[0])
    >>> bool(unsafe.cells[cell]), float(unsafe.below[cell]), float(unsafe.above[cell]), int(unsafe.locked.sum())
    (True, 5.0, 8.0, 1)
    """
    path = Path(path)
    if not 0 <= span <= 100:
        raise ParameterError(f"read_apriori: 'span' must be in [0, 100], got {span:g}.")
    text = _text(path, encoding)
    width = len(table.dimensions)
    mark = _separator(path, text, width, separator)
    codebooks = [_Codes(dimension) for dimension in table.dimensions]
    said = _Statement(table, _twins(table.relations) if expand_trivial else {})
    problems: list[str] = []
    for line, fields in _lines(path, text, mark):
        try:
            if len(fields) <= width:
                raise FileError(f"there must be {width} codes and a word, got {len(fields)} fields.")
            places = tuple(codebook.place(code) for codebook, code in zip(codebooks, fields[:width], strict=True))
            said.take(line, places, *_command(fields[width:], mark))
        except FileError as error:
            problems.append(f"line {line}: {error}")
    if problems:
        raise FileError(listed(f"'{path.name}' does not fit the table", problems))
    return said.close(path.name, span)


# --- the file -------------------------------------------------------------------------------------------------------


def _text(path: Path, encoding: str | None) -> str:
    encodings = ("utf-8-sig", "cp1252") if encoding is None else (encoding,)
    return read_text(path, "The a-priori file", encodings=encodings, limits=LARGE)


def _separator(path: Path, text: str, width: int, given: str | None) -> str:
    if given is not None:
        if len(given) != 1 or given in '"\r\n':
            raise ParameterError(f"'separator' must be one character such as ; , | or a tab, got {given!r}.")
        return given
    first = next((line for line in text.splitlines() if line.strip()), "")
    for mark in SEPARATORS:
        try:
            fields = next(csv.reader([first], delimiter=mark), [])
        except csv.Error:  # a field without end
            continue
        if len(fields) > width and fields[width].strip().lower() in (*WORDS, "ab"):
            return mark
    # No separator makes sense of the first line; the likeliest one lets the message name what is wrong with it.
    found = max(SEPARATORS, key=first.count)
    if first and found not in first:
        raise FileError(f"'{path.name}': fields must be separated by ; , | or a tab; give another with separator=.")
    return found


def _lines(path: Path, text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(text.splitlines(), delimiter=mark, strict=True)
    try:
        for fields in reader:
            if any(entry.strip() for entry in fields):
                yield reader.line_num, fields
    except csv.Error:
        raise FileError(f"Line {reader.line_num} of '{path.name}' has a quotation mark out of place.") from None


class _Codes:
    """The codes of a dimension as a file may write them."""

    def __init__(self, dimension: Dimension) -> None:
        self._dimension = dimension
        bare: dict[str, list[int]] = {}
        for place, code in enumerate(dimension.codes):
            bare.setdefault(code.strip(), []).append(place)
        self._bare = {code: places[0] for code, places in bare.items() if len(places) == 1}

    def place(self, text: str) -> int:
        """Return the position of a code; an empty one is the total."""
        code = text.strip()
        if not code and self._dimension.total is not None:
            code = self._dimension.total
        place = self._dimension.places.get(text, self._bare.get(code.strip()))
        if place is None:
            hint = did_you_mean(code, self._dimension.codes)
            raise FileError(f"dimension '{self._dimension.name}' has no code '{code}'.{hint}")
        return place


def _command(fields: Sequence[str], mark: str) -> tuple[str, list[float]]:
    """Return what a line asks for and its numbers."""
    short = fields[0].strip().lower()
    if short not in WORDS:
        raise FileError(f"the word after the codes must be one of {', '.join(WORDS)}.")
    word = WORDS[short]
    given = [text.strip() for text in fields[1:]]
    while given and not given[-1]:  # a separator at the end of a line
        given.pop()
    if len(given) not in NUMBERS[word]:
        wanted = " or ".join(map(str, NUMBERS[word]))
        hint = " Protection levels stand after 'pl'." if word == "hidden" else ""
        raise FileError(f"'{short}' must have {wanted} numbers after it, got {len(given)}.{hint}")
    numbers = [_number(text, mark) for text in given]
    if word == "cost" and numbers[0] <= 0:
        raise FileError("a cost must be larger than 0.")
    return word, numbers


def _number(text: str, mark: str) -> float:
    try:
        found = float(text if mark == "," else text.replace(",", "."))
    except ValueError:
        found = math.nan
    if not (math.isfinite(found) and found >= 0):
        raise FileError("levels and costs must be numbers that are not negative.")
    return found


# --- what the lines say about the cells --------------------------------------------------------------------------------


class _Statement:
    """What the lines so far say."""

    def __init__(self, table: Table, twins: Mapping[int, Sequence[int]]) -> None:
        self.table, self.twins = table, twins
        self.by_codes: dict[tuple[int, ...], list[int]] = {}
        for cell, codes in enumerate(table.codes.tolist()):
            self.by_codes.setdefault(tuple(codes), []).append(cell)
        self.status: dict[int, str] = {}
        self.released: set[int] = set()
        self.levels: dict[int, tuple[float, float]] = {}
        self.cost: dict[int, float] = {}
        self.lines: dict[int, int] = {}

    def take(self, line: int, places: tuple[int, ...], word: str, numbers: list[float]) -> None:
        """Take one line in."""
        if places not in self.by_codes:
            raise FileError("the table has no cell with these codes.")
        for cell in dict.fromkeys(twin for named in self.by_codes[places] for twin in self.twins.get(named, (named,))):
            if word == "cost":
                self.cost[cell] = numbers[0]
            elif word != "levels":
                self._set(cell, word)
            if word in ("levels", "unsafe") and numbers:
                self.levels[cell] = (numbers[0], numbers[-1])
            self.lines[cell] = line

    def _set(self, cell: int, word: str) -> None:
        before = self.status.get(cell)
        if "published" in (before, word) and {before, word} & {"unsafe", "hidden"}:
            raise FileError(
                f"the cell {self.table.title(cell)} must stay published and be hidden; see line {self.lines[cell]}."
            )
        if word == "safe":
            self.released.add(cell)
            self.levels.pop(cell, None)
            word = "published" if before == "published" else "safe"
        elif word != "published":
            self.released.discard(cell)
        self.status[cell] = word

    def close(self, name: str, span: float) -> Apriori:
        """Return what all lines together say."""
        n, free = len(self.table), ~self.table.is_structural

        def cells(word: str) -> BoolArray:
            return _marked(n, [cell for cell, status in self.status.items() if status == word])

        return Apriori(
            table=self.table,
            name=name,
            unsafe=cells("unsafe") & free,
            safe=_marked(n, list(self.released)),
            published=cells("published"),
            hidden=cells("hidden") & free,
            below=_filled(n, {cell: level[0] for cell, level in self.levels.items() if free[cell]}),
            above=_filled(n, {cell: level[1] for cell, level in self.levels.items() if free[cell]}),
            cost=_filled(n, self.cost),
            lines=np.array([self.lines.get(cell, 0) for cell in range(n)], np.int64),
            span=span,
        )


def _marked(n: int, cells: Sequence[int]) -> BoolArray:
    found = np.zeros(n, bool)
    found[np.array(cells, np.int64)] = True
    return found


def _filled(n: int, given: Mapping[int, float]) -> FloatArray:
    found = np.full(n, np.nan)
    found[np.array(list(given), np.int64)] = list(given.values())
    return found


def _twins(relations: Relations) -> dict[int, list[int]]:
    """For each cell that a sum with a single part makes equal to another: all cells that are equal to it, itself too."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    matrix = relations.matrix
    pairs = matrix[np.flatnonzero(np.diff(matrix.indptr) == 2)]
    pairs = pairs[np.flatnonzero(np.asarray(pairs.sum(axis=1)).ravel() == 0)]
    ends = pairs.indices.reshape(-1, 2)
    graph = csr_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(relations.size, relations.size))
    group = connected_components(graph, directed=False)[1]
    members: dict[int, list[int]] = {}
    for cell in np.unique(ends).tolist():
        members.setdefault(int(group[cell]), []).append(cell)
    return {cell: alike for alike in members.values() for cell in alike}
