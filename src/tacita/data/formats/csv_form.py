"""The form of a CSV file: encoding, separator and header, found by looking at it or taken from the caller."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tacita.core.errors import FileError, ParameterError
from tacita.data.formats.base import check_column_names

__all__ = ["SEPARATORS", "CsvForm", "fields_up_to", "find_form", "looks_like_value", "open_text"]

SEPARATORS = (",", ";", "\t", "|")
"""The separators that are looked for, the likeliest first."""

_VALUE = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?|\d{4}-\d\d-\d\d.*|\d\d?[./]\d\d?[./]\d{2,4}")
_SHORT = re.compile(r"\d{1,4}")
_SCAN = 1 << 22
_SAMPLE = 1 << 16
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True, kw_only=True)
class CsvForm:
    """How a CSV file is written.

    Parameters
    ----------
    encoding
        Name of the encoding, as Python knows it.
    separator
        The character between fields.
    names
        The header, blanks around the names removed.
    blank_lines
        Number of empty lines before the header.
    has_quotes
        Whether a quotation mark stands anywhere in the file; without one, every line end ends a record.
    """

    encoding: str
    separator: str
    names: tuple[str, ...]
    blank_lines: int
    has_quotes: bool


def find_form(path: Path, *, separator: str | None = None, encoding: str | None = None) -> CsvForm:
    """Return how the file is written; what the caller gave is taken as given.

    Notes
    -----
    Encoding: a byte order mark decides; otherwise UTF-8 when the whole file is valid UTF-8, and Windows-1252 when it
    is not. Separator: the one that cuts the first lines into the same number of fields, at least two, most often;
    when none does, the file has one column. A name that ends in ``.tsv`` means tabs.
    """
    _check_separator(separator)
    encoding, has_quotes = _find_encoding(path, encoding)
    sample, whole = _sample(path, encoding)
    if not sample.strip("\r\n\ufeff \t"):
        raise FileError(f"'{path.name}' must begin with a header line, but it holds only blank lines.")
    if "\0" in sample.lstrip("\r\n").split("\n", 1)[0]:
        raise FileError(
            f"'{path.name}' has zero bytes in its header, so it is no text, or text in an encoding of two bytes a "
            "character; check the file, or give its encoding= (utf-16-le, for example)."
        )
    if separator is None:
        separator = "\t" if path.suffix.lower() == ".tsv" else _find_separator(sample, whole)
    names, blank_lines = _header(path, encoding, separator)
    check_column_names(list(names))
    _check_header(path, encoding, names)
    return CsvForm(encoding=encoding, separator=separator, names=names, blank_lines=blank_lines, has_quotes=has_quotes)


def looks_like_value(name: str) -> bool:
    """Whether a name of a column is a number or a date, so that it may be a value of a first record.

    Examples
    --------
    >>> [looks_like_value(name) for name in ("age", "v1", "2024", "12.5", "2024-02-29")]
    [False, False, True, True, True]
    """
    return _VALUE.fullmatch(name) is not None


def _check_header(path: Path, encoding: str, names: tuple[str, ...]) -> None:
    """Raise when the first line is a record: messages name columns, and here the names would be data.

    Years and numbers of questions may be names beside others; a number or date in quotation marks is always one.
    """
    values = [name for name in names if looks_like_value(name)]
    if not values or (len(values) < len(names) and all(_SHORT.fullmatch(name) for name in values)):
        return
    sample, _ = _sample(path, encoding)
    start = sample.lstrip("\ufeff\r\n").split("\n", 1)[0]
    bare = [name for name in values if f'"{name}"' not in start]
    if bare:
        raise FileError(
            f"The first line of '{path.name}' must have the names of the columns, but {len(bare)} of its {len(names)} fields "
            "are numbers or dates, so it looks like a record. Put a line with names before it; if these are the names, "
            "put them in quotation marks.",
            details={"fields": bare[:10]},
        )


def open_text(path: Path, encoding: str) -> TextIO:
    """Open a text file with its line ends as they are and without its byte order mark."""
    return path.open(encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="")


@contextmanager
def fields_up_to(characters: int) -> Iterator[None]:
    """Let Python's reader of CSV take fields of so many characters, and no reader after it; the limit is the process's own."""
    before = csv.field_size_limit(characters)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _check_separator(separator: str | None) -> None:
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n'):
        raise ParameterError(f"'separator' must be one character such as , ; | or a tab, got {separator!r}.")


# --- encoding ---------------------------------------------------------------------------------------------------------------


def _find_encoding(path: Path, given: str | None) -> tuple[str, bool]:
    if given is not None:
        try:
            name = codecs.lookup(given).name
        except LookupError:
            raise ParameterError(f"'encoding' must be a name such as utf-8 or cp1252, got {given!r}.") from None
        decodes, has_quotes = _scan(path, name)
        if not decodes:
            raise FileError(f"'{path.name}' is not valid {given}; give its true encoding, or leave encoding= out.")
        return "utf-8" if name == "utf-8-sig" else name, has_quotes
    with path.open("rb") as file:
        start = file.read(4)
    marked = next((name for mark, name in _BOMS if start.startswith(mark)), None)
    for name in (marked,) if marked else ("utf-8", "cp1252"):
        decodes, has_quotes = _scan(path, name)
        if decodes:
            return name, has_quotes
    raise FileError(f"The encoding of '{path.name}' is neither UTF-8 nor Windows-1252; give it with encoding=.")


def _scan(path: Path, encoding: str) -> tuple[bool, bool]:
    """Return whether the whole file is valid in an encoding, and whether it has quotation marks."""
    decoder = codecs.getincrementaldecoder(encoding)()
    decodes, has_quotes = True, False
    with path.open("rb") as file:
        while decodes and (block := file.read(_SCAN)):
            has_quotes = has_quotes or b'"' in block
            decodes = _decodes(decoder, block, final=False)
    return decodes and _decodes(decoder, b"", final=True), has_quotes


def _decodes(decoder: codecs.IncrementalDecoder, block: bytes, *, final: bool) -> bool:
    try:
        decoder.decode(block, final)
    except UnicodeError:
        return False
    return True


# --- separator and header -----------------------------------------------------------------------------------------------------


def _sample(path: Path, encoding: str) -> tuple[str, bool]:
    """Return the beginning of the file, and whether that is all of it."""
    with open_text(path, encoding) as file:
        sample = file.read(_SAMPLE)
        return sample, not file.read(1)


def _find_separator(sample: str, whole: bool) -> str:
    scores: dict[str, tuple[float, int]] = {}
    uncut = []
    for separator in SEPARATORS:
        try:
            rows = [len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=separator) if row]
        except csv.Error:  # a carriage return amid a field
            continue
        if not whole and len(rows) > 1:
            rows.pop()  # the sample ends in the middle of it
        if rows[0] > 1:
            scores[separator] = (rows.count(rows[0]) / len(rows), rows[0])
        elif max(rows) == 1:
            uncut.append(separator)
    if scores:
        return max(scores, key=lambda separator: scores[separator])
    return uncut[0] if uncut else SEPARATORS[0]


def _header(path: Path, encoding: str, separator: str) -> tuple[tuple[str, ...], int]:
    with open_text(path, encoding) as file:
        reader = csv.reader(file, delimiter=separator, strict=True)
        try:
            for blank_lines, row in enumerate(reader):
                if row:
                    row[0] = row[0].removeprefix("\ufeff")  # utf-16-le, when given by name, keeps its mark
                    return tuple(name.strip() for name in row), blank_lines
        except csv.Error:
            pass
    raise FileError(f"The header of '{path.name}' cannot be read: a quotation mark in it is never closed.")
