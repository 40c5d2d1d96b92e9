"""SPSS and Stata files out, through pyreadstat: labels, measure and user-missing codes as they came in.

Both formats keep whole numbers exactly up to 2^53, have no missing text (a blank stands for it), count time in numbers
from a day of their own, and store the time of writing; that is overwritten, so that the same data give the same bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import FileError
from tacita.data.formats.base import WriteRequest, optional_package
from tacita.data.formats.full_disk import full_disk
from tacita.data.formats.outgoing import is_number, is_text, outgoing, text_codes
from tacita.data.microdata import Microdata
from tacita.data.schema import Column

__all__ = ["write_dta", "write_sav"]

_SAV_DATE = (92, b"01 Jan 7000:00:00")  # place and fixed content of date and time in the header
_DTA_DATE = b"<timestamp>\x11"
_DTA_FIXED = b"01 Jan 1970 00:00"
_LARGEST_WHOLE = 2**53
_LARGEST_LONG = 2_147_483_620  # the largest whole number that Stata keeps in four bytes
_LARGEST_FLOAT = 8.9e307  # beyond it Stata keeps its missing values
_SAV_NAME = re.compile(r"[^\W\d_][\w.$#@]*")
_DTA_NAME = re.compile(r"[^\W\d]\w*")
_SAV_WORDS = frozenset(("all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"))
_DTA_WORDS = frozenset(
    ("byte", "double", "float", "if", "in", "int", "long", "strl", "using", "with", "_all", "_b", "_coef", "_cons")
) | frozenset(("_n", "_pi", "_pred", "_rc", "_skip"))
_MEASURES = {"nominal": "nominal", "ordinal": "ordinal", "numeric": "scale", "date": "scale"}
_LETTER = r"^[a-z]$"


@dataclass(frozen=True)
class _Style:
    """How a program counts time, and the formats it shows whole numbers, dates and time stamps in."""

    name: str
    day: float
    second: float
    first_day: int
    short: str
    long: str
    date: str
    moment: str


_SPSS = _Style("SPSS", 86_400.0, 1.0, -141_428, "F8.0", "F17.0", "DATE11", "DATETIME20")
_STATA = _Style("Stata", 1.0, 1_000.0, -3_653, "%12.0f", "%17.0f", "%td", "%tc")


def write_sav(data: Microdata, path: Path, request: WriteRequest) -> None:
    """Write an SPSS file (.sav, or .zsav with compression)."""
    del request  # nothing to choose in this format
    pyreadstat = optional_package("pyreadstat", "SPSS")
    _check_names(data.names, _SAV_NAME, _SAV_WORDS, 64, "SPSS")
    source = outgoing(data, "SPSS")
    table = _plain(source, _SPSS)
    facts = {column.name: column for column in data.schema}
    _write(
        pyreadstat.write_sav,
        _frame(table, {}, "SPSS"),
        path,
        "SPSS",
        **_descriptions(facts, table, letters=False),
        compress=path.suffix.lower() == ".zsav",
        missing_ranges={name: ranges for name in table.column_names if (ranges := _ranges(facts[name], source))},
        variable_measure={name: _MEASURES[column.scale] for name, column in facts.items()},
        variable_format=_formats(source, table, _SPSS),
    )
    place, fixed = _SAV_DATE
    _overwrite(path, place, fixed)


def write_dta(data: Microdata, path: Path, request: WriteRequest) -> None:
    """Write a Stata file (version 14 and later)."""
    del request  # nothing to choose in this format
    pyreadstat = optional_package("pyreadstat", "Stata")
    _check_names(data.names, _DTA_NAME, _DTA_WORDS, 32, "Stata")
    source = outgoing(data, "Stata", keeps=lambda codes: pc.match_substring_regex(codes, _LETTER))
    table = _plain(source, _STATA)
    facts = {column.name: column for column in data.schema}
    letters = text_codes(data, source)
    _write(
        pyreadstat.write_dta,
        _frame(table, letters, "Stata"),
        path,
        "Stata",
        **_descriptions(facts, table, letters=True),
        version=14,
        missing_user_values=_letters_in_use(facts, table, letters),
        variable_format=_formats(source, table, _STATA),
    )
    with path.open("rb") as file:
        place = file.read(4096).index(_DTA_DATE)
    _overwrite(path, place + len(_DTA_DATE), _DTA_FIXED)


def _write(function: Any, frame: Any, path: Path, kind: str, **settings: Any) -> None:
    pyreadstat = optional_package("pyreadstat", kind)
    try:
        function(frame, str(path), **settings)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, TypeError, ValueError, OverflowError) as error:
        reason = full_disk(error, path.parent)
        if reason is not None:
            raise FileError(f"The {kind} file cannot be written: {reason}. Nothing was changed.") from None
        # Its messages quote values and labels, so they go into the details only.
        raise FileError(
            f"{kind} cannot hold these data; check the names and labels of the columns and the missing codes.",
            details={"reason": str(error)},
        ) from None


def _overwrite(path: Path, place: int, fixed: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(fixed)


# --- values -------------------------------------------------------------------------------------------------------------------


def _check_names(
    names: tuple[str, ...], pattern: re.Pattern[str], reserved: frozenset[str], longest: int, kind: str
) -> None:
    lower = [name.lower() for name in names]
    bad = [
        name
        for name in names
        if not pattern.fullmatch(name)
        or len(name.encode()) > longest
        or name.lower() in reserved
        or re.fullmatch(r"str\d+", name) is not None
        or lower.count(name.lower()) > 1
    ]
    if bad:
        raise FileError(
            f"Names of {kind} columns must have at most {longest} letters, digits and underscores, begin with a letter, "
            f"be no word of its language and differ in more than upper and lower case; rename: {', '.join(bad)}."
        )


def _plain(table: pa.Table, style: _Style) -> pa.Table:
    """Return the table in the few types that these formats have: int32, float64 and text."""
    columns = zip(table.column_names, table.columns, strict=True)
    arrays = [_plain_array(_one_array(column), name, style) for name, column in columns]
    return pa.table(arrays, names=table.column_names)


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays([pa.array([], column.type), *column.chunks])


def _plain_array(array: pa.Array, name: str, style: _Style) -> pa.Array:
    held = array.type
    if is_text(held):
        return array.fill_null("")
    if pa.types.is_boolean(held):
        return array.cast(pa.int32())
    if pa.types.is_integer(held):
        return _whole_numbers(array, name, style.name)
    if pa.types.is_null(held) or is_number(held):
        return _floats(array.cast(pa.float64()), name, style.name)
    if pa.types.is_date(held):
        days = array.cast(pa.date32()).cast(pa.int32()).cast(pa.float64())
        return pc.multiply(pc.subtract(days, float(style.first_day)), style.day)
    if pa.types.is_timestamp(held):
        micros = array.cast(pa.timestamp("us", held.tz), safe=False).cast(pa.int64())
        seconds = pc.divide(pc.subtract(micros, style.first_day * 86_400_000_000).cast(pa.float64(), safe=False), 1e6)
        return pc.multiply(seconds, style.second)
    raise FileError(f"Column '{name}' holds {held}, which {style.name} cannot hold; convert it or leave it out.")


def _whole_numbers(array: pa.Array, name: str, kind: str) -> pa.Array:
    largest = max((abs(int(end)) for end in pc.min_max(array).as_py().values() if end is not None), default=0)
    if largest <= _LARGEST_LONG:
        return array.cast(pa.int32())
    if largest > _LARGEST_WHOLE:
        raise FileError(
            f"Column '{name}' has whole numbers beyond 2^53, which {kind} cannot hold exactly; make the column text."
        )
    return array.cast(pa.float64())


def _floats(array: pa.Array, name: str, kind: str) -> pa.Array:
    count = int((np.abs(array.drop_null().to_numpy()) > _LARGEST_FLOAT).sum())
    if count:
        raise FileError(
            f"Column '{name}' has {count} infinite or extreme value{'s' if count > 1 else ''}, which {kind} cannot hold; "
            "recode them or make them missing."
        )
    return array


def _frame(table: pa.Table, letters: dict[str, pa.Array], kind: str) -> Any:
    """Return the frame that pyreadstat takes; columns with Stata's codes mix numbers and letters."""
    pandas = optional_package("pandas", kind)
    frame = table.to_pandas()
    for name, codes in letters.items():
        pairs = zip(table.column(name).to_pylist(), codes.to_pylist(), strict=True)
        mixed = [_letter(code) if number is None else number for number, code in pairs]
        frame[name] = pandas.Series(mixed, dtype=object)
    return frame


def _letter(code: str | None) -> str | None:
    return code if code is not None and re.match(_LETTER, code) else None


# --- descriptions -------------------------------------------------------------------------------------------------------------


def _descriptions(facts: dict[str, Column], table: pa.Table, *, letters: bool) -> dict[str, Any]:
    """Return variable labels and value labels; labels of values that the type cannot hold are left out."""
    value_labels = {}
    for name, column in facts.items():
        kind = table.schema.field(name).type
        kept = {value: text for value, text in column.labels if _fits(value, kind, letters)}
        if kept:
            value_labels[name] = {_as_label_key(value, kind): text for value, text in kept.items()}
    return {
        "column_labels": {name: column.label for name, column in facts.items() if column.label},
        "variable_value_labels": value_labels,
    }


def _fits(value: Any, kind: pa.DataType, letters: bool) -> bool:
    if isinstance(value, str):
        return not letters if is_text(kind) else letters and re.match(_LETTER, value) is not None
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_number(kind):
        return False
    # Stata labels whole numbers only, and so does every column of whole numbers.
    return float(value).is_integer() if letters or pa.types.is_integer(kind) else True


def _as_label_key(value: Any, kind: pa.DataType) -> Any:
    return int(value) if pa.types.is_integer(kind) and not isinstance(value, str) else value


def _ranges(column: Column, source: pa.Table) -> list[Any]:
    """Return SPSS's missing values of a column: at most three codes, or one range and one code."""
    kind = source.schema.field(column.name).type
    text = is_text(kind)
    if not text and not is_number(kind):
        return []
    codes = [code for code in column.missing if not isinstance(code, tuple) and isinstance(code, str) == text]
    spans = [code for code in column.missing if isinstance(code, tuple) and not text]
    too_long = text and any(len(str(code).encode()) > 8 for code in codes)
    if len(spans) > 1 or len(codes) > (1 if spans else 3) or too_long:
        raise FileError(
            f"Column '{column.name}': SPSS can mark three codes (text of at most eight characters) or one range and "
            f"one code as missing, but {len(codes)} codes and {len(spans)} ranges are declared; declare fewer."
        )
    return [{"lo": float(low), "hi": float(high)} for low, high in spans] + list(codes)


def _letters_in_use(facts: dict[str, Column], table: pa.Table, letters: dict[str, pa.Array]) -> dict[str, list[str]]:
    """Return for each column of numbers the letters that its codes, its schema or its labels name."""
    used = {}
    for name, column in facts.items():
        if is_number(table.schema.field(name).type):
            named = {*column.missing, *(value for value, _ in column.labels)}
            if name in letters:
                named |= set(pc.unique(letters[name]).to_pylist())
            found = sorted(code for code in named if isinstance(code, str) and re.match(_LETTER, code))
            if found:
                used[name] = found
    return used


def _formats(source: pa.Table, table: pa.Table, style: _Style) -> dict[str, str]:
    """Return formats without decimals for whole numbers, so that they are read as such again, and those of time."""
    formats = {}
    for name, kind in zip(table.column_names, source.schema.types, strict=True):
        if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
            formats[name] = style.short if pa.types.is_int32(table.schema.field(name).type) else style.long
        elif pa.types.is_date(kind):
            formats[name] = style.date
        elif pa.types.is_timestamp(kind):
            formats[name] = style.moment
    return formats
