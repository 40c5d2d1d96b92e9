"""The JJ form of tau-ARGUS: a protection problem as numbered cells and relations.

The file begins with a 0 and the number of cells. A line a cell follows: number, value, cost, status, lower and upper bound,
lower, upper and sliding protection level. Then comes the number of relations, and a line for each of them::

    0 3 : 0 (-1) 1 (1) 2 (1)

which is the right-hand side (always 0), the number of cells, and each cell with its coefficient. The status is ``s`` for a
safe cell, ``u`` unsafe, ``z`` not to be hidden, and ``m`` hidden to protect others.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import FileError, ParameterError
from tacita.core.metadata import LARGE, read_text
from tacita.data.atomic import atomic_file
from tacita.tables.files.read_write import TableFile, check_free
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.protect.problem import Problem
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["read_jj", "write_jj"]


_STATUS = "suzm"
_TERM = re.compile(r"\s*([0-9]{1,15})\s*\(\s*([+-]?[0-9]{1,300}(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?)\s*\)")
_ROW = re.compile(r"\s*([+-]?(?:[0-9]{1,300}\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\s+([0-9]{1,15})\s*:(.*)")
_FAR = 1000.0
"""A bound that is not there is written as this many times the largest number of the problem."""


def read_jj(path: str | Path, *, additive: bool = True) -> TableFile:
    """Read a problem.

    Parameters
    ----------
    path
        The file.
    additive
        Whether a file whose values break its relations is refused. Without, whoever uses the table must repair its sums
        first (:func:`tacita.tables.adjustment.additivity.restore_additivity`): an audit of values that
        contradict each other proves nothing, and protectors refuse them.

    Returns
    -------
    TableFile
        A table with one dimension ``cell``, whose codes are the numbers of the cells, and its bounds and costs; the
        unsafe cells with their levels and the cells that must stay published; and the hidden cells, where some are
        marked ``m``.

    Raises
    ------
    FileError
        When the file is not of this form; the line is named.
    DataError
        When values break relations and that is not allowed; the relations are named.

    Notes
    -----
    The form has no dimensions, so nothing says whether relations are missing: they are taken on trust, and
    :attr:`TableFile.notes` says so. :func:`write_jj` writes what was read as it was, with the levels of safe cells too, which
    play no part.

    Some tools leave the status out; then a cell with a protection level is unsafe. Cells with the coefficient 0 are left out
    of a relation.
    """
    path = Path(path)
    text = read_text(path, "The JJ file", encodings=("utf-8-sig", "latin-1"), limits=LARGE)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) < 2 or _whole(path, lines[0]) != 0:
        raise FileError(f"'{path.name}' is no JJ file: it must begin with a 0 and the number of cells.")
    n = _whole(path, lines[1])
    if len(lines) < n + 3:
        raise FileError(f"'{path.name}' ends before its {n} cells and the number of relations.")
    numbers, status = _cells(path, lines[2 : n + 2], n)
    rows = lines[n + 3 :]
    if len(rows) != _whole(path, lines[n + 2]):
        raise FileError(f"'{path.name}' must have {_whole(path, lines[n + 2])} relations, got {len(rows)}.")
    relations = _relations(path, rows, n)
    values, cost, lower, upper, below, above, sliding = numbers.T.copy()
    primary, locked = status == "u", status == "z"
    levels = np.stack([below, above, sliding])
    below, above, sliding = (np.where(primary, side, 0.0) for side in levels)
    table = Table(
        (Dimension("cell", tuple(str(i) for i in range(n))),),
        np.arange(n, dtype=np.int64)[:, None],
        values,
        relations,
        response="value",
        responses=("value",),
        lower=lower,
        upper=upper,
        cost=cost,
    )
    if additive:
        table.check_additive()
    hidden = primary | (status == "m") if (status == "m").any() else None
    lacks = primary & (below <= 0) & (above <= 0) & (sliding <= 0)
    unsafe = Unsafe(primary, below, above, sliding, ("file",), primary[:, None], locked)
    note = f"The {len(relations)} sums are those of the file: nothing says whether it has them all."
    return TableFile(table, hidden, unsafe, lacks, notes=(note,), is_secret=True, levels=levels)


def _whole(path: Path, line: tuple[int, str]) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", line[1].strip()):
        raise FileError(f"Line {line[0]} of '{path.name}' must be a whole number.")
    return int(line[1])


def _cells(path: Path, lines: list[tuple[int, str]], n: int) -> tuple[FloatArray, npt.NDArray[np.str_]]:
    """Return (n, 7) numbers and the status of the cells, in the order of their numbers."""
    numbers, status = np.full((n, 7), np.nan), np.full(n, " ")
    for number, line in lines:
        words = line.split()
        has_status = len(words) == 9
        if len(words) not in (8, 9) or (has_status and words[3].lower() not in _STATUS):
            raise FileError(
                f"Line {number} of '{path.name}' must be a cell: number, value, cost, status (s, u, z or m), two bounds, "
                "three protection levels."
            )
        try:
            cell = int(words[0])
            found = [float(word.replace(",", ".")) for word in (*words[1:3], *words[4 if has_status else 3 :])]
        except ValueError:
            raise FileError(f"Line {number} of '{path.name}' has something else than numbers.") from None
        if not 0 <= cell < n or status[cell] != " ":
            raise FileError(f"Line {number} of '{path.name}' must have a cell of its own, numbered 0 to {n - 1}.")
        if any(math.isnan(value) for value in found) or not math.isfinite(found[0]):
            raise FileError(f"Line {number} of '{path.name}' has something else than numbers.")
        numbers[cell] = found
        status[cell] = words[3].lower() if has_status else ("u" if any(level > 0 for level in found[4:]) else "s")
    return numbers, status


def _relations(path: Path, rows: list[tuple[int, str]], n: int) -> Relations:
    start, cells, signs = [0], [], []
    for number, line in rows:
        found = _ROW.fullmatch(line)
        terms = _TERM.findall(found[3]) if found else []
        if not found or _TERM.sub("", found[3]).strip() or len(terms) != int(found[2]):
            raise FileError(f"Line {number} of '{path.name}' must be a relation: 0 n : cell (coefficient) ...")
        if float(found[1]) != 0:
            raise FileError(f"Line {number} of '{path.name}': the right-hand side of a relation must be 0.")
        if any(not math.isfinite(float(sign)) for _, sign in terms):
            raise FileError(f"Line {number} of '{path.name}' has a coefficient that is too large.")
        if any(int(cell) >= n for cell, _ in terms):
            raise FileError(f"Line {number} of '{path.name}' has a cell that is not among the {n} cells.")
        terms = [(cell, sign) for cell, sign in terms if float(sign) != 0]
        cells += [int(cell) for cell, _ in terms]
        signs += [float(sign) for _, sign in terms]
        start.append(len(cells))
    return Relations(np.array(start, np.int64), np.array(cells, np.int64), np.array(signs, np.float64), n)


def write_jj(
    problem: Problem | TableFile, path: str | Path, *, hidden: BoolArray | None = None, overwrite: bool = False
) -> Path:
    """Write a problem with all its values: a file that must stay inside.

    Parameters
    ----------
    problem
        The problem, or what :func:`read_jj` read, which is written as it was. Seats have no place in the form.
    path
        Where to.
    hidden
        (n,): hidden cells; those that are not unsafe get the status ``m``. None for those of a file that was read.
    overwrite
        Whether a file that is there may be replaced.

    Raises
    ------
    ParameterError
        When ``hidden`` does not fit, or the file that was read is no problem: cells without values, costs or verdict.

    Notes
    -----
    The form has no word for infinity: a bound that is not there becomes a thousand times the largest number of the
    problem. A cell that is locked or known beforehand gets the status ``z``; of what was read only one that was locked.
    """
    check_free(Path(path), overwrite)
    given = _of_file(problem) if isinstance(problem, TableFile) else _of_problem(problem)
    if hidden is None and isinstance(problem, TableFile):
        hidden = problem.hidden
    n = len(given.values)
    cover = np.zeros(n, bool) if hidden is None else np.asarray(hidden, bool)
    if cover.shape != (n,):
        raise ParameterError(f"write_jj: 'hidden' must have one entry for each of the {n} cells.")
    far = _FAR * max(1.0, *(float(np.abs(side).max(initial=0.0)) for side in (given.values, *given.levels)))
    lower, upper = (
        np.where(np.isneginf(given.lower), -far, given.lower),
        np.where(np.isposinf(given.upper), far, given.upper),
    )
    status = np.where(given.locked, "z", "s")
    status[cover] = "m"
    status[given.unsafe] = "u"
    columns = [given.values, given.cost, lower, upper, *given.levels]
    texts = [[_number(v) for v in column.tolist()] for column in columns]
    lines = ["0", str(n)]
    for cell, (value, cost, *rest) in enumerate(zip(*texts, strict=True)):
        lines.append(" ".join((str(cell), value, cost, str(status[cell]), *rest)))
    lines.append(str(len(given.relations)))
    for relation in range(len(given.relations)):
        cells, signs = given.relations.row(relation)
        terms = " ".join(f"{c} ({_number(s)})" for c, s in zip(cells.tolist(), signs.tolist(), strict=True))
        lines.append(f"0 {len(cells)} : {terms}")
    with atomic_file(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")
    return Path(path)


@dataclass(frozen=True, eq=False)
class _Lines:
    """What stands in the lines of a file."""

    relations: Relations
    values: FloatArray
    cost: FloatArray
    lower: FloatArray
    upper: FloatArray
    unsafe: BoolArray
    locked: BoolArray
    levels: FloatArray


def _of_problem(problem: Problem) -> _Lines:
    levels = np.stack([np.where(problem.unsafe, side, 0.0) for side in (problem.below, problem.above, problem.sliding)])
    return _Lines(
        problem.relations,
        problem.values,
        problem.cost,
        problem.lower,
        problem.upper,
        problem.unsafe,
        ~problem.can_hide,
        levels,
    )


def _of_file(found: TableFile) -> _Lines:
    table, unsafe = found.table, found.unsafe
    if table.cost is None or unsafe is None or np.isnan(table.values).any():
        raise ParameterError(
            "write_jj: the form needs the value and the cost of every cell and which are unsafe; make a Problem of the table."
        )
    low, high = table.bounds
    levels = np.stack([unsafe.below, unsafe.above, unsafe.sliding]) if found.levels is None else found.levels
    return _Lines(table.relations, table.values, table.cost, low, high, unsafe.cells, unsafe.locked, levels)


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
