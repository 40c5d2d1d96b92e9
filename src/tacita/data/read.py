"""Reading files: the ending of the name says the format, the schema what the columns are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import FileError, ParameterError, SchemaError, did_you_mean
from tacita.data.columns import infer_schema, take_out_missing
from tacita.data.formats.arrow_files import read_arrow, read_parquet
from tacita.data.formats.base import Facts, FileContent, ReadRequest
from tacita.data.formats.csv_read import read_csv
from tacita.data.formats.duck import read_duckdb
from tacita.data.formats.foreign import Foreign
from tacita.data.formats.values import type_table
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import read_declarations

__all__ = ["read"]


@dataclass(frozen=True)
class _ReadFormat:
    reader: Callable[[Path, ReadRequest], FileContent]
    options: tuple[str, ...] = ()


_CHILD = ("memory", "seconds")
"""Options of formats that are read in a child process."""
_CSV = _ReadFormat(read_csv, ("separator", "decimal", "encoding"))
_ARROW = _ReadFormat(read_arrow)
_DUCKDB = _ReadFormat(read_duckdb, ("table",))
_SPSS = _ReadFormat(Foreign("sav"), ("encoding", *_CHILD))
_FORMATS = {
    ".csv": _CSV,
    ".tsv": _CSV,
    ".txt": _CSV,
    ".parquet": _ReadFormat(read_parquet),
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".ipc": _ARROW,
    ".duckdb": _DUCKDB,
    ".db": _DUCKDB,
    ".sav": _SPSS,
    ".zsav": _SPSS,
    ".por": _ReadFormat(Foreign("por"), _CHILD),
    ".dta": _ReadFormat(Foreign("dta"), ("encoding", *_CHILD)),
    ".sas7bdat": _ReadFormat(Foreign("sas7bdat"), ("encoding", *_CHILD)),
    ".xpt": _ReadFormat(Foreign("xpt"), ("encoding", *_CHILD)),
    ".xlsx": _ReadFormat(Foreign("xlsx"), ("sheet", *_CHILD)),
}


def read(
    path: str | Path,
    *,
    schema: Schema | str | Path | None = None,
    table: str | None = None,
    sheet: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    memory: str | None = None,
    seconds: float | None = None,
) -> Microdata:
    r"""Read a file of microdata.

    Formats, by the ending of the name: CSV (.csv, .tsv, .txt), Parquet (.parquet), Arrow and Feather (.arrow,
    .feather, .ipc), DuckDB (.duckdb, .db), SPSS (.sav, .zsav, .por), Stata (.dta), SAS (.sas7bdat, .xpt), Excel (.xlsx).
    SPSS, Stata, SAS and Excel files are read in a child process with limits, so that a damaged or hostile one costs an
    error message.

    Parameters
    ----------
    path
        The file; the path is taken as it is, without patterns, addresses or a home directory.
    schema
        A schema file (TOML), which may leave out what can be inferred, or a complete :class:`Schema`. Labels, measure
        and missing codes that the file itself has are kept where a schema file does not say otherwise; missing codes
        of both are taken together.
    table
        Which table of a DuckDB database; can be left out when there is one only.
    sheet
        Which sheet of an Excel file; the first one by default.
    separator, decimal, encoding
        Of a CSV file (and the encoding of SPSS, Stata and SAS files); found out when left out.
    memory, seconds
        How much memory (``"4GB"``) and processor time reading an SPSS, Stata, SAS or Excel file may take. When left out, the
        environment says it (``TACITA_READ_MEMORY``, ``TACITA_READ_SECONDS``), or the size of the file.

    Returns
    -------
    Microdata
        The records. Missing values, declared missing codes and NaN are missing; codes are kept beside their column.

    Raises
    ------
    FileError
        When the file is not there, cannot be read, or contradicts itself; the message names the line where it can.
    SchemaError
        When schema and file contradict each other; all problems are listed at once.
    ParameterError
        When an option does not belong to the format of the file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "survey.csv"
    ...     _ = path.write_text("age;region\n31;01\n47;02\n")
    ...     data = read(path)
    >>> data
    Microdata: 2 records, 2 columns (other: age, region)
    >>> data.schema["age"].scale, data.schema["region"].scale
    ('numeric', 'nominal')
    """
    path = Path(path)
    known = _format_of(path)
    _check_file(path)
    path = path.absolute()  # no library takes one that begins with a slash for an address, an option or somebody's home
    declared = _declarations(schema)
    request = ReadRequest(
        declared=declared,
        table=table,
        sheet=sheet,
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        memory=memory,
        seconds=seconds,
    )
    _check_options(path, known, request)
    try:
        content = known.reader(path, request)
    except (FileError, ParameterError, SchemaError):
        raise
    except OSError as error:
        raise FileError(f"'{path.name}' cannot be read: {error.strerror or 'unknown reason'}.") from error
    _check_some(path, content, declared)
    data = _microdata(content, declared, schema if isinstance(schema, Schema) else None)
    return data.with_files([path, *([schema] if isinstance(schema, str | Path) else [])])


def _format_of(path: Path) -> _ReadFormat:
    suffix = path.suffix.lower()
    if suffix not in _FORMATS:
        hint = did_you_mean(suffix, _FORMATS) if suffix else ""
        raise FileError(
            f"The name of a file to read must end in one of {', '.join(_FORMATS)}, got '{path.name}'.{hint}"
        )
    return _FORMATS[suffix]


def _check_file(path: Path) -> None:
    if "\0" in str(path):
        raise FileError("The name of a file must not hold a zero byte.")
    if path.is_dir():
        raise FileError(f"'{path.name}' must be a file, but it is a directory.")
    try:
        size = path.stat().st_size
    except OSError as error:
        address = re.match(r"([A-Za-z][\w+.-]+:)/", str(path))
        hint = f" Only files on disk are read; fetch what stands under {address[1]}// first." if address else ""
        raise FileError(f"The file '{path}' cannot be read: {error.strerror}.{hint}") from error
    if size == 0:
        raise FileError(f"'{path.name}' is empty (0 bytes); even a file without records needs a header.")


def _check_options(path: Path, known: _ReadFormat, request: ReadRequest) -> None:
    for option in ("table", "sheet", "separator", "decimal", "encoding", "memory", "seconds"):
        if getattr(request, option) is not None and option not in known.options:
            allowed = f"only {', '.join(known.options)}" if known.options else "no such option"
            raise ParameterError(f"read: '{option}' has no meaning for '{path.name}'; its format takes {allowed}.")


def _check_some(path: Path, content: FileContent, declared: Facts) -> None:
    """Raise when schema and file share no column: then the first line may be a record, and its values are not quoted."""
    names = content.table.column_names
    if declared and not set(declared) & set(names) and not any(did_you_mean(name, names) for name in declared):
        raise SchemaError(
            [
                f"None of its {len(declared)} columns is in '{path.name}', which has {content.table.num_columns}. Check that "
                "they belong together, and that the file begins with a header."
            ]
        )


# --- file and schema together -------------------------------------------------------------------------------------------------


def _declarations(schema: Schema | str | Path | None) -> dict[str, dict[str, Any]]:
    if schema is None:
        return {}
    if isinstance(schema, Schema):
        words = [field.name for field in fields(Column) if field.name != "name"]
        return {column.name: {word: getattr(column, word) for word in words} for column in schema}
    return {name: dict(facts) for name, facts in read_declarations(schema).items()}


def _microdata(content: FileContent, declared: Facts, schema: Schema | None) -> Microdata:
    content = _fit(content, declared)
    if schema is None:
        schema = infer_schema(content.table, _together(content.facts, declared))
    table, codes = _all_codes(content, schema)
    return Microdata(table, schema, user_missing=codes, frame_kind="pyarrow")


def _together(found: Facts, declared: Facts) -> dict[str, dict[str, Any]]:
    """Put what the schema declares over what the file says; missing codes of both count."""
    both = {name: {**facts, **declared.get(name, {})} for name, facts in found.items()}
    both.update({name: dict(facts) for name, facts in declared.items() if name not in both})
    for name, facts in found.items():
        codes = [*declared.get(name, {}).get("missing", ()), *facts.get("missing", ())]
        if codes:
            both[name]["missing"] = tuple(dict.fromkeys(codes))
    return both


def _fit(content: FileContent, declared: Facts) -> FileContent:
    """Turn text into numbers or dates where the schema declares them, and dictionaries with codes into plain values."""
    table, codes = content.table, dict(content.user_missing)
    for position, field in enumerate(table.schema):
        facts = declared.get(field.name, {})
        kind = field.type
        if pa.types.is_dictionary(kind) and (facts.get("missing") or facts.get("scale") in ("numeric", "date")):
            kind = kind.value_type
            table = table.set_column(position, field.name, table.column(position).cast(kind))
        if _is_text(kind) and facts.get("scale") in ("numeric", "date"):
            typed, found = type_table(table.select([position]), declared, ".")
            table = table.set_column(position, field.name, typed.column(0))
            codes.update(found)
    return FileContent(table=table, facts=content.facts, user_missing=codes)


def _all_codes(content: FileContent, schema: Schema) -> tuple[pa.Table, Mapping[str, pa.Array]]:
    """Where a column has codes of text and of numbers, keep both, as text."""
    table, codes = content.table, dict(content.user_missing)
    for name, words in content.user_missing.items():
        if name not in schema or name not in table.column_names:
            continue  # the mismatch is reported by Microdata
        position = table.column_names.index(name)
        rest, found = take_out_missing(table.select([position]), schema.select([name]))
        if name in found:
            codes[name] = pc.coalesce(words, found[name].cast(words.type))
            table = table.set_column(position, name, rest.column(0))
    return table, codes


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
