"""Reading and writing tables; the ending of the name says the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import FileError, ParameterError, did_you_mean
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["TableFile", "check_free", "read_table", "write_table"]


ENDINGS = (".csv", ".json", ".jj")


@dataclass(frozen=True, eq=False)
class TableFile:
    """What a file of a table says.

    Parameters
    ----------
    table
        The table; the value of a cell that the file does not tell is NaN.
    hidden
        (n,): cells that the file calls hidden; None where it does not speak of that.
    unsafe
        The unsafe cells with their protection levels; None where the file has none.
    lacks_levels
        (n,): unsafe cells of which the file gives no level; None where it speaks of no unsafe cell.
    unlisted
        (n,): cells that stand in sums but not in the file, and follow from no published cells: they are not published,
        and nobody asked to protect them; None where there are none.
    notes
        What was added to the file because it follows, and what is taken from it on trust.
    is_secret
        Whether the file stays inside by its own words, so that it may have values of hidden cells; None where it does not
        say.
    levels
        (3, n): levels of all cells as they stand in the file, those of safe cells too; None where it has none.
    """

    table: Table
    hidden: BoolArray | None = field(default=None, repr=False)
    unsafe: Unsafe | None = field(default=None, repr=False)
    lacks_levels: BoolArray | None = field(default=None, repr=False)
    unlisted: BoolArray | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    is_secret: bool | None = None
    levels: FloatArray | None = field(default=None, repr=False)

    def unsafe_by(self, span: float = 30.0) -> Unsafe | None:
        """Return the unsafe cells; those without levels in the file get ``span`` percent of their value as levels.

        A level cannot ask for more than what everybody knows beforehand leaves open; it ends at these bounds.
        """
        if self.unsafe is None or self.lacks_levels is None or not self.lacks_levels.any():
            return self.unsafe
        low, high = self.table.bounds
        values, lacks = self.table.values, self.lacks_levels
        reach = span / 100 * np.abs(values)
        return replace(
            self.unsafe,
            below=np.where(lacks, np.minimum(reach, values - low), self.unsafe.below),
            above=np.where(lacks, np.minimum(reach, high - values), self.unsafe.above),
        )


def read_table(
    path: str | Path,
    dimensions: Sequence[Dimension | str] | None = None,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    response: str = "",
    absent_is_empty: bool = False,
    absent_is_hidden: bool = False,
    blank_is_hidden: bool = False,
    totals: Mapping[str, str] | None = None,
    additive: bool = True,
) -> TableFile:
    """Read a table.

    Forms, by the ending of the name: CSV (.csv, one row a cell), JSON (.json, as :func:`write_table` makes it), and the
    JJ form of tau-ARGUS (.jj: a cell is known by its number, and the relations stand in the file).

    Parameters
    ----------
    path
        The file.
    dimensions
        For CSV: the dimensions with their sums. A name alone, and every column that is no value, count or status where
        nothing is given, stands for codes and their total.
    separator, decimal, encoding
        For CSV: found out when left out.
    response
        For CSV: name of the variable that is summed; empty for counts.
    absent_is_empty
        For CSV: whether inner cells that are not listed are empty.
    absent_is_hidden
        For CSV: whether inner cells that are not listed are hidden.
    blank_is_hidden
        For CSV: whether a cell is hidden that has no value and no status, or a sign (``x``, ``c``, ``:``, ``..``, ``*``)
        in place of a value.
    totals
        For CSV: the code of the total of each dimension that has another word for it than total or all; an empty text
        says that no row has the total.
    additive
        For JJ: whether a file whose values break its relations is refused.

    Notes
    -----
    A CSV file may have the largest contributions of each cell (the MAXSCORE variables of tau-ARGUS) in columns ``largest_1``,
    ``largest_2`` and so on. Then the p % and dominance rules work on it as on microdata.

    A total that a CSV file does not list is not published (:attr:`TableFile.unlisted`) unless it follows from cells that
    are.

    Raises
    ------
    FileError
        When the file cannot be read or is damaged; the message names the line where it can.
    DataError
        When the cells do not make a table.
    """
    path = Path(path)
    if not path.is_file():
        raise FileError(f"The file '{path}' cannot be read: it is not there, or it is no file.")
    ending = _ending(path)
    if absent_is_empty and absent_is_hidden:
        raise ParameterError("read_table: cells that are not listed are empty or hidden, not both.")
    if ending == ".csv":
        from tacita.tables.files.csv_form import read_csv_table

        return read_csv_table(
            path,
            dimensions,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            response=response,
            absent_is_empty=absent_is_empty,
            absent_is_hidden=absent_is_hidden,
            blank_is_hidden=blank_is_hidden,
            totals=totals,
        )
    given = {
        "dimensions": dimensions, "separator": separator, "decimal": decimal, "encoding": encoding, "totals": totals,
        "absent_is_empty": absent_is_empty or None, "absent_is_hidden": absent_is_hidden or None,
    }  # fmt: skip
    for word, value in given.items():
        if value is not None:
            raise ParameterError(f"read_table: '{word}' has no meaning for '{path.name}'; only CSV files take it.")
    if ending == ".json":
        from tacita.tables.files.json_form import read_json_table

        return read_json_table(path)
    from tacita.tables.files.jj import read_jj

    return read_jj(path, additive=additive)


def write_table(
    table: Table,
    path: str | Path,
    *,
    hidden: BoolArray | None = None,
    unsafe: Unsafe | None = None,
    secret: bool = False,
    include: Sequence[str] = (),
    separator: str = ",",
    decimal: str = ".",
    overwrite: bool = False,
) -> Path:
    """Write a table as CSV or JSON, whole or not at all.

    Parameters
    ----------
    table
        The table.
    path
        Where to; the name must end in .csv or .json. A problem is written in the JJ form by
        :func:`tacita.tables.files.jj.write_jj`.
    hidden
        (n,): hidden cells. Unless the file is secret, their values and counts do not leave.
    unsafe
        Unsafe cells and their levels, for secret files.
    secret
        Whether the file stays inside: then it has the values of hidden cells, which cells are unsafe, and (JSON) counts,
        shadow, cost, the largest contributors, and bounds that are numbers of their own. Such a bound may have been made
        from the value, so it does not leave.
    include
        For CSV: further columns, of ``count``, ``lower``, ``upper``, ``shadow``, ``cost``, and ``largest`` for the largest
        contributions in secret files. Counts of an adjusted table may give its values away, so they stand in a file only when
        asked for.
    separator, decimal
        For CSV.
    overwrite
        Whether a file that is there may be replaced.

    Returns
    -------
    Path
        Where the table is.
    """
    path = Path(path)
    ending = _ending(path)
    check_free(path, overwrite)
    if hidden is not None:
        hidden = np.asarray(hidden, bool)
        if hidden.shape != (len(table),):
            raise ParameterError(f"write_table: 'hidden' must have one entry for each of the {len(table)} cells.")
    if unsafe is not None and not secret:
        raise ParameterError(
            "write_table: which cells are unsafe is secret; write it with secret=True, or leave it out."
        )
    if ending == ".csv":
        from tacita.tables.files.csv_form import write_csv_table

        return write_csv_table(
            table,
            path,
            hidden=hidden,
            unsafe=unsafe,
            secret=secret,
            include=include,
            separator=separator,
            decimal=decimal,
        )
    if ending == ".json":
        from tacita.tables.files.json_form import write_json_table

        return write_json_table(table, path, hidden=hidden, unsafe=unsafe, secret=secret)
    raise ParameterError("write_table: the JJ form holds a whole problem with costs and levels; use write_jj.")


def check_free(path: Path, overwrite: bool) -> None:
    """Raise when a file is there that may not be replaced."""
    if path.exists() and not overwrite:
        raise FileError(
            f"'{path.name}' exists already; choose another name, or allow overwriting it with overwrite=True."
        )


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        hint = did_you_mean(ending, ENDINGS) if ending else ""
        raise FileError(f"The name of a file of a table must end in {', '.join(ENDINGS)}, got '{path.name}'.{hint}")
    return ending
