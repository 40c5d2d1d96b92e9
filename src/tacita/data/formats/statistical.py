"""SPSS, Stata and SAS files in: values, labels, measure and user-missing codes, through pyreadstat.

SPSS marks ordinary values as missing (up to three codes, or a range and a code): they become ``Column.missing``, and
:class:`~tacita.data.microdata.Microdata` takes them out. Stata and SAS have extra missing values (``.a`` to ``.z``)
that are no numbers: they become codes of text (``"a"``) beside their column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import FileError
from tacita.data.formats.base import FileContent, ReadRequest, check_column_names, damaged, optional_package

__all__ = ["read_dta", "read_por", "read_sas", "read_sav", "read_xpt"]

_DAY = 86_400
_SPSS_SECONDS = 12_219_379_200  # from 14 October 1582, SPSS's first day, to 1970
_SAS_DAYS = 3_653  # from 1 January 1960, the first day of Stata and SAS, to 1970
_LARGEST_WHOLE = 2.0**53
_ZLIB_FACTOR = 1100  # no byte of a compressed file stands for more bytes than that

_SPSS_DATE = re.compile(r"[AEJS]?DATE\d*")
_SPSS_TIME = re.compile(r"(DATETIME|YMDHMS)[\d.]*")
_SAS_DATE = re.compile(r"(DATE|DDMMYY|MMDDYY|YYMMDD|WEEKDATE|E8601DA|B8601DA|IS8601DA|MONYY|JULIAN)[\d.]*")
_SAS_TIME = re.compile(r"(DATETIME|E8601DT|B8601DT|IS8601DT|DATEAMPM|MDYAMPM)[\d.]*")
_WHOLE_FORMAT = re.compile(r"(F|N|COMMA|DOT)\d+(\.0)?|%-?\d+\.0f")
_MEASURES = {"nominal": "nominal", "ordinal": "ordinal", "scale": "numeric"}


def read_sav(path: Path, request: ReadRequest) -> FileContent:
    """Read an SPSS file (.sav or .zsav)."""
    return _read(path, request, "SPSS", "read_sav", _spss_time)


def read_por(path: Path, request: ReadRequest) -> FileContent:
    """Read an SPSS portable file (.por)."""
    return _read(path, request, "SPSS portable", "read_por", _spss_time)


def read_dta(path: Path, request: ReadRequest) -> FileContent:
    """Read a Stata file."""
    with path.open("rb") as file:
        modern = file.read(11) == b"<stata_dta>"
        file.seek(-min(64, path.stat().st_size), 2)
        # ReadStat reads a file without its end as if it had no value labels.
        if modern and b"</stata_dta>" not in file.read():
            raise damaged(path, "Stata")
    return _read(path, request, "Stata", "read_dta", _stata_time)


def read_sas(path: Path, request: ReadRequest) -> FileContent:
    """Read a SAS file (.sas7bdat)."""
    return _read(path, request, "SAS", "read_sas7bdat", _sas_time)


def read_xpt(path: Path, request: ReadRequest) -> FileContent:
    """Read a SAS transport file (.xpt)."""
    return _read(path, request, "SAS transport", "read_xport", _sas_time)


TimeRule = Callable[[str, pa.Array], pa.Array | None]
"""From a format and numbers to dates or time stamps; None where the format is of another kind."""


def _read(path: Path, request: ReadRequest, kind: str, function: str, time_rule: TimeRule) -> FileContent:
    lists, meta = _load(path, request, kind, function)
    names = list(meta.column_names)
    if not all(isinstance(name, str) and name in lists for name in names):
        raise damaged(path, kind)
    check_column_names(names)
    arrays: list[pa.Array] = []
    facts: dict[str, dict[str, Any]] = {}
    codes: dict[str, pa.Array] = {}
    for name in names:
        letters = sorted(meta.missing_user_values.get(name) or ())
        values, beside = _values(lists[name], letters, meta, name, time_rule)
        arrays.append(values)
        facts[name] = _facts(name, values, letters, meta)
        if beside is not None:
            codes[name] = beside
    return FileContent(table=pa.table(arrays, names=names), facts=facts, user_missing=codes)


def _load(path: Path, request: ReadRequest, kind: str, function: str) -> tuple[Mapping[str, Sequence[Any]], Any]:
    load = getattr(optional_package("pyreadstat", kind), function)
    options: dict[str, Any] = {} if function in ("read_xport", "read_por") else {"user_missing": True}
    options |= {"output_format": "dict", "disable_datetime_conversion": True}
    if function != "read_por":  # whose files say it
        options["encoding"] = request.encoding
    try:
        _, meta = load(str(path), metadataonly=True, **options)
        # The library makes room for as many records as the file says it has; a damaged count would fill the memory.
        most = path.stat().st_size * (_ZLIB_FACTOR if path.suffix.lower() == ".zsav" else 1)
        if (meta.number_rows or 0) > most:
            raise damaged(path, kind)
        lists, meta = load(str(path), **options)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a damaged file makes the library raise almost anything
        if request.encoding is not None:
            raise FileError(
                f"'{path.name}' cannot be read as {kind} file in the encoding {request.encoding!r}; "
                "check the file, or leave encoding= out."
            ) from None
        raise damaged(path, kind) from None
    return lists, meta


# --- values -------------------------------------------------------------------------------------------------------------------


def _values(
    cells: Sequence[Any], letters: Sequence[str], meta: Any, name: str, time_rule: TimeRule
) -> tuple[pa.Array, pa.Array | None]:
    """Return a column and its codes of text, if it has any."""
    storage = meta.readstat_variable_types.get(name, "double")
    if storage.startswith("string"):
        text = pa.array(cells, pa.string())
        # These formats have no missing text; a blank one is what their users mean by it.
        return pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text), None
    beside = None
    if letters:
        beside = pa.array([cell if isinstance(cell, str) else None for cell in cells], pa.string())
        cells = [None if isinstance(cell, str) else cell for cell in cells]
    numbers = pa.array(cells, pa.float64(), from_pandas=True)
    style = meta.original_variable_types.get(name) or ""
    times = time_rule(style, _without_codes(numbers, meta.missing_ranges.get(name)))
    if times is not None:
        return times, beside
    if (storage.startswith("int") or _WHOLE_FORMAT.fullmatch(style)) and _all_whole(numbers):
        return numbers.cast(pa.int64()), beside
    return numbers, beside


def _all_whole(numbers: pa.Array) -> bool:
    there = numbers.drop_null().to_numpy()
    return bool(np.all(np.abs(there) <= _LARGEST_WHOLE) and np.all(np.rint(there) == there))


def _without_codes(numbers: pa.Array, ranges: Sequence[Mapping[str, Any]] | None) -> pa.Array:
    """Take numeric codes out of what may become dates, which cannot hold them."""
    for limits in ranges or ():
        hit = pc.and_(pc.greater_equal(numbers, limits["lo"]), pc.less_equal(numbers, limits["hi"]))
        numbers = pc.if_else(hit, pa.scalar(None, pa.float64()), numbers)
    return numbers


def _spss_time(style: str, numbers: pa.Array) -> pa.Array | None:
    if _SPSS_DATE.fullmatch(style):
        return _days(pc.divide(pc.subtract(numbers, float(_SPSS_SECONDS)), float(_DAY)))
    return _moments(pc.subtract(numbers, float(_SPSS_SECONDS))) if _SPSS_TIME.fullmatch(style) else None


def _stata_time(style: str, numbers: pa.Array) -> pa.Array | None:
    if style.startswith(("%td", "%d", "%-td", "%-d")):
        return _days(pc.subtract(numbers, float(_SAS_DAYS)))
    if style.startswith(("%tc", "%tC", "%-tc", "%-tC")):
        return _moments(pc.subtract(pc.divide(numbers, 1000.0), float(_SAS_DAYS * _DAY)))
    return None


def _sas_time(style: str, numbers: pa.Array) -> pa.Array | None:
    if _SAS_DATE.fullmatch(style):
        return _days(pc.subtract(numbers, float(_SAS_DAYS)))
    return _moments(pc.subtract(numbers, float(_SAS_DAYS * _DAY))) if _SAS_TIME.fullmatch(style) else None


def _days(since_1970: pa.Array) -> pa.Array | None:
    return _counted(pc.floor(since_1970), pa.int32(), pa.date32())


def _moments(seconds_since_1970: pa.Array) -> pa.Array | None:
    return _counted(pc.round(pc.multiply(seconds_since_1970, 1e6)), pa.int64(), pa.timestamp("us"))


def _counted(units: pa.Array, whole: pa.DataType, kind: pa.DataType) -> pa.Array | None:
    """Return counted days or microseconds as times; a column with one that no calendar has stays numbers."""
    try:
        return units.cast(whole).cast(kind)
    except pa.ArrowInvalid:
        return None


# --- what the file says of a column -------------------------------------------------------------------------------------------


def _facts(name: str, values: pa.Array, letters: Sequence[str], meta: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    label = (meta.column_names_to_labels or {}).get(name)
    if label:
        facts["label"] = label
    whole = pa.types.is_integer(values.type)
    labels = tuple((_key(value, whole), text) for value, text in meta.variable_value_labels.get(name, {}).items())
    if labels:
        facts["labels"] = labels
    missing: list[Any] = list(letters)
    if not pa.types.is_temporal(values.type):
        for limits in meta.missing_ranges.get(name) or ():
            low, high = limits["lo"], limits["hi"]
            missing.append(_key(low, whole) if low == high else (low, high))
    if missing:
        facts["missing"] = tuple(missing)
    scale = _scale(values, _MEASURES.get(meta.variable_measure.get(name, "unknown")), labels, missing)
    if scale is not None:
        facts["scale"] = scale
    return facts


def _key(value: Any, whole: bool) -> Any:
    return int(value) if whole and isinstance(value, float) and value.is_integer() else value


def _scale(
    values: pa.Array, measure: str | None, labels: Sequence[tuple[Any, str]], missing: Sequence[Any]
) -> str | None:
    """Return the declared measure; without one, numbers that all have a label are categories."""
    if pa.types.is_temporal(values.type):
        return "date"
    if pa.types.is_string(values.type):
        return measure if measure == "ordinal" else "nominal"
    if measure is not None or not labels:
        return measure
    labelled = [float(value) for value, _ in labels if not isinstance(value, str)]
    rest = _without_codes(
        values.cast(pa.float64()),
        [
            {"lo": c[0], "hi": c[1]} if isinstance(c, tuple) else {"lo": c, "hi": c}
            for c in missing
            if not isinstance(c, str)
        ],
    ).drop_null()
    all_labelled = pc.all(pc.is_in(rest, value_set=pa.array(labelled, pa.float64()))).as_py()
    return "nominal" if len(rest) and all_labelled else None
