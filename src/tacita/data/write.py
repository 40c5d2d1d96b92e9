"""Writing files: whole or not at all, and the same data give the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, FileError, ParameterError, did_you_mean
from tacita.data.atomic import atomic_file
from tacita.data.formats.arrow_files import write_arrow, write_parquet
from tacita.data.formats.base import WriteRequest
from tacita.data.formats.csv_write import check_csv_options, write_csv
from tacita.data.formats.duck import check_replaceable, write_duckdb
from tacita.data.formats.formulas import Formulas
from tacita.data.formats.full_disk import full_disk
from tacita.data.formats.statistical_write import write_dta, write_sav
from tacita.data.microdata import Microdata
from tacita.data.public_side import as_public

__all__ = ["write", "write_release_data"]


@dataclass(frozen=True)
class _WriteFormat:
    writer: Callable[[Microdata, Path, WriteRequest], None]
    options: tuple[str, ...] = ()


_CSV = _WriteFormat(write_csv, ("separator", "decimal", "formulas"))
_ARROW = _WriteFormat(write_arrow)
_DUCKDB = _WriteFormat(write_duckdb, ("table",))
_SPSS = _WriteFormat(write_sav)
_FORMATS = {
    ".csv": _CSV,
    ".tsv": _CSV,
    ".txt": _CSV,
    ".parquet": _WriteFormat(write_parquet),
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".ipc": _ARROW,
    ".duckdb": _DUCKDB,
    ".db": _DUCKDB,
    ".sav": _SPSS,
    ".zsav": _SPSS,
    ".dta": _WriteFormat(write_dta),
}
_READ_ONLY = (".sas7bdat", ".xpt", ".xlsx")


def write(
    data: Microdata,
    path: str | Path,
    *,
    separator: str = ",",
    decimal: str = ".",
    table: str | None = None,
    overwrite: bool = False,
    formulas: Formulas = "keep",
    rows: IntArray | None = None,
) -> Path:
    """Write data as they are to a file; the ending of its name says the format.

    Formats: CSV (.csv, .tsv, .txt), Parquet (.parquet), Arrow and Feather (.arrow, .feather, .ipc), DuckDB (.duckdb,
    .db), SPSS (.sav, .zsav), Stata (.dta). The same data give the same bytes, except for DuckDB, which draws a random
    identifier for every database.

    Parameters
    ----------
    data
        What to write, direct identifiers included; see :func:`write_release_data` for a release.
    path
        Where to. The file appears under its name when it is complete.
    separator
        Of a CSV file; a file that ends in .tsv has tabs unless another separator than the comma is given.
    decimal
        Decimal sign of a CSV file; a comma needs another separator than the comma.
    table
        Name of the table in a DuckDB database, ``data`` by default.
    overwrite
        Whether a file that is there may be replaced.
    formulas
        What a CSV file does about texts that a spreadsheet would run (they begin with ``=``, ``+``, ``-``, ``@``, a tab or a
        carriage return, and are no plain numbers): ``"keep"`` them, ``"warn"`` of them, or ``"neutralise"`` them by an
        apostrophe before them.
    rows
        Which records to write, by number, and in which order; by default all, in theirs. A CSV file is written so without a
        copy of them all.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    FileError
        When the file exists, its format is unknown or cannot hold the data, or the directory cannot be written to.
    ParameterError
        When an option does not belong to the format of the file.
    DataError
        When there is no column to write.

    Warns
    -----
    TacitaWarning
        When missing codes of text stand in a column of numbers and the format cannot hold them.
    """
    path = Path(path)
    known = _format_of(path)
    if path.suffix.lower() == ".tsv" and separator == ",":
        separator = "\t"
    if known is not _CSV and rows is not None:
        data, rows = data.take(rows), None
    request = WriteRequest(separator=separator, decimal=decimal, table=table, formulas=formulas, rows=rows)
    _check_options(path, known, request)
    if not len(data.schema):
        raise DataError(f"'{path.name}' needs at least one column, but the data have none.")
    _check_free(path, known, table, overwrite)
    try:
        with atomic_file(path) as temporary:
            known.writer(data, temporary, request)
    except FileError:
        raise
    except OSError as error:
        reason = full_disk(error, path.parent) or error.strerror or "unknown reason"
        raise FileError(f"'{path.name}' cannot be written: {reason}. Nothing was changed.") from error
    return path


def write_release_data(
    data: Microdata,
    path: str | Path,
    *,
    separator: str = ",",
    decimal: str = ".",
    table: str | None = None,
    overwrite: bool = False,
    formulas: Formulas = "warn",
    rows: IntArray | None = None,
) -> Path:
    """Write data that leave the house: like :func:`write`, but never a direct identifier, and no unused description.

    Columns with the role ``identifier`` are dropped, whatever the mask did to them. Value labels and missing codes that no
    record has any more are left out, unless their column is declared ``public`` (:func:`as_public`). Texts of a CSV file
    that a spreadsheet would run are named in a warning, or neutralised. ``rows`` says which
    records, and in which order.
    """
    kept = as_public(data)
    if formulas == "warn" and "separator" not in _format_of(Path(path)).options:
        formulas = "keep"
    how: dict[str, Any] = {"separator": separator, "decimal": decimal, "table": table}
    return write(kept, path, **how, overwrite=overwrite, formulas=formulas, rows=rows)


def _format_of(path: Path) -> _WriteFormat:
    suffix = path.suffix.lower()
    if suffix in _READ_ONLY:
        raise FileError(
            f"Files that end in {suffix} are read but not written here, got '{path.name}'; "
            "write .csv, .parquet, .sav or .dta instead."
        )
    if suffix not in _FORMATS:
        hint = did_you_mean(suffix, _FORMATS) if suffix else ""
        raise FileError(
            f"The name of a file to write must end in one of {', '.join(_FORMATS)}, got '{path.name}'.{hint}"
        )
    return _FORMATS[suffix]


def _check_options(path: Path, known: _WriteFormat, request: WriteRequest) -> None:
    if "separator" in known.options:
        check_csv_options(request)
    given = {
        "separator": request.separator != ",",
        "decimal": request.decimal != ".",
        "table": request.table is not None,
        "formulas": request.formulas != "keep",
    }
    for option, is_given in given.items():
        if is_given and option not in known.options:
            allowed = f"only {', '.join(known.options)}" if known.options else "no such option"
            raise ParameterError(f"write: '{option}' has no meaning for '{path.name}'; its format takes {allowed}.")


def _check_free(path: Path, known: _WriteFormat, table: str | None, overwrite: bool) -> None:
    if not path.exists():
        return
    if not overwrite:
        raise FileError(
            f"'{path.name}' exists already; choose another name, or allow overwriting it with overwrite=True."
        )
    if known is _DUCKDB and path.is_file():
        check_replaceable(path, table)
