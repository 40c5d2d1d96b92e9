"""From text to values: what a column of text holds, decided for the column as a whole.

The rules, in their order. A column is

1. numbers, when every value is one (blanks around it allowed), none has a leading zero or is a whole number with a plus
   sign (``01`` and ``+4930123`` are codes, not numbers), and 64 bits keep all of them: no whole number is too long, none
   is too large or too small (``1e400``, ``1e-400``), and none loses digits before its decimal sign. Then ``NA``, ``NaN``,
   ``N/A``, ``NULL``, ``null``, ``nan`` and ``.`` are missing;
2. dates, when every value is one of the form ``yyyy-mm-dd`` (or, with a time of day, a time stamp); the same words
   are missing;
3. true and false, when every value is;
4. text otherwise, kept as it is: there ``NA`` is Namibia.

What the schema declares goes first: a declared number may have leading zeros and plus signs, declared categories of text
keep a column text, and declared missing codes are taken out before anything is decided. Everything works on whole columns.
A column that is text only because numbers would lose something is named in a warning.
"""

from __future__ import annotations

import datetime
import re
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import FileError, SchemaError, TacitaWarning
from tacita.data.formats.base import Facts

__all__ = [
    "EXACT_WHOLE",
    "HEAD",
    "Typed",
    "find_decimal",
    "finish_text",
    "has_decimal_commas",
    "is_declared_text",
    "starts_as_text",
    "type_column",
    "type_table",
]

_MISSING_WORDS = pa.array(["", "NA", "NaN", "N/A", "NULL", "null", "nan", "."])
_LOGICAL_WORDS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"))
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?(?i:inf(inity)?|nan)$"
_DATE = re.compile(r"\d{4}-\d\d-\d\d([ T][\d:.]+)?")
HEAD = 1000
"""So many first records may show that a column is text."""
_CODE_LIKE = r"^[+-]?0[0-9xX]"
_HEXADECIMAL = r"^[+-]?0[xX]"
_WHOLE = r"^[+-]?[0-9]+$"
_PLUS = r"^\+[0-9]+$"
_NOT_ZERO = r"^[+-]?[0.]*[1-9]"
_LONG = re.compile(r"[+-]?[0-9]+")
EXACT_WHOLE = 2.0**53
"""Beyond it not every whole number has a double of its own."""


@dataclass(frozen=True)
class Typed:
    """A column after typing.

    Parameters
    ----------
    values
        The values; numeric missing codes are still among them.
    codes
        Text that stands for a missing value in a column that is not text, or numeric codes in one that is.
    misfits
        Values that are not what the schema declares; then ``values`` is of no use.
    lost
        What numbers would have lost, for a column that is text because of that.
    """

    values: pa.ChunkedArray
    codes: pa.Array | None = None
    misfits: pa.ChunkedArray | None = None
    lost: str = ""


def type_table(table: pa.Table, declared: Facts, decimal: str) -> tuple[pa.Table, dict[str, pa.Array]]:
    """Type every column of a table of text; return it with the missing codes that its types cannot hold.

    Raises
    ------
    SchemaError
        When values are not what the schema declares: the columns and how many values, never the values.

    Warns
    -----
    TacitaWarning
        When a column stays text because numbers would lose something.
    """
    names = table.column_names
    with ThreadPoolExecutor(max_workers=4) as pool:  # Arrow works outside the interpreter's lock
        typed = list(pool.map(lambda name: type_column(table.column(name), declared.get(name, {}), decimal), names))
    misfits = {name: made.misfits for name, made in zip(names, typed, strict=True) if made.misfits is not None}
    if misfits:
        raise SchemaError(
            [_misfit(name, declared[name], len(values), decimal) for name, values in misfits.items()],
            details={name: values.slice(0, 10).to_pylist() for name, values in misfits.items()},
        )
    for name, made in zip(names, typed, strict=True):
        if made.lost:
            warnings.warn(
                f"Column '{name}' looks like numbers but stays text, because {made.lost}. Declare categories for it, or "
                'scale = "numeric" in the schema if its values are numbers.',
                TacitaWarning,
                stacklevel=5,
            )
    codes = {name: made.codes for name, made in zip(names, typed, strict=True) if made.codes is not None}
    return pa.table([made.values for made in typed], names=names), codes


def _misfit(name: str, facts: Mapping[str, Any], count: int, decimal: str) -> str:
    form = (
        f"numbers with the decimal sign '{decimal}' that 64 bits can keep"
        if facts["scale"] == "numeric"
        else "dates as yyyy-mm-dd"
    )
    return (
        f"Column '{name}' is declared {facts['scale']}, so its values must be {form}, but {count} "
        f"{'is' if count == 1 else 'are'} not. Declare the codes among them as missing, or another scale."
    )


def type_column(text: pa.ChunkedArray, facts: Mapping[str, Any], decimal: str) -> Typed:
    """Type one column of text by the rules above."""
    scale = facts.get("scale")
    if is_declared_text(facts):
        return _as_text(text, facts)
    rest, codes = _take_out_words(text, facts)
    if scale == "numeric":
        numbers, lost = _numbers(rest, decimal, lenient=True)
        if numbers is not None:
            return Typed(numbers, codes)
        return Typed(rest, misfits=_lossy(rest, decimal) if lost else _misfits(rest, decimal))
    if rest.null_count == len(rest) or (scale != "date" and starts_as_text(rest, decimal)):
        return _as_text(text, facts)
    lost = ""
    if scale != "date":
        numbers, lost = _numbers(rest, decimal)
        if numbers is not None:
            return Typed(numbers, codes)
    dates = _dates(rest)
    if dates is not None:
        return Typed(dates, codes)
    if scale == "date":
        return Typed(rest, misfits=_not_dates(rest))
    logical = _logical(rest)
    return replace(_as_text(text, facts), lost=lost) if logical is None else Typed(logical, codes)


def starts_as_text(text: pa.ChunkedArray, decimal: str) -> bool:
    """Whether the first records alone show that a column is text; most columns of text are known by then."""
    head = text.slice(0, HEAD)
    no_number = len(_misfits(head, decimal)) > 0 or _has_code_like(pc.utf8_trim_whitespace(head))
    return no_number and len(_not_dates(head)) > 0 and _logical(head) is None


def is_declared_text(facts: Mapping[str, Any]) -> bool:
    """Whether a column is declared to have categories that are all text."""
    categories = facts.get("categories")
    return bool(categories) and all(isinstance(value, str) for value in categories or ())


# --- missing codes ----------------------------------------------------------------------------------------------------------


def _take_out_words(text: pa.ChunkedArray, facts: Mapping[str, Any]) -> tuple[pa.ChunkedArray, pa.Array | None]:
    """Make declared codes of text null; return them beside the column."""
    words = [code for code in facts.get("missing", ()) if isinstance(code, str)]
    if not words:
        return text, None
    return _split(text, pc.utf8_trim_whitespace(text), words)


def _as_text(text: pa.ChunkedArray, facts: Mapping[str, Any]) -> Typed:
    """Keep a column as text; declared codes that are numbers are looked for as they would be written."""
    numbers = [code for code in facts.get("missing", ()) if isinstance(code, int | float)]
    words = [str(code) for code in numbers]
    words += [str(int(code)) for code in numbers if isinstance(code, float) and code.is_integer()]
    return Typed(*_split(text, text, words)) if words else Typed(text)


def finish_text(text: pa.ChunkedArray, facts: Mapping[str, Any]) -> tuple[pa.ChunkedArray, pa.Array | None]:
    """Return a column that stays text, and the declared codes of numbers that stood in it."""
    typed = _as_text(text, facts)
    return typed.values, typed.codes


def _split(
    text: pa.ChunkedArray, compared: pa.ChunkedArray, words: list[str]
) -> tuple[pa.ChunkedArray, pa.Array | None]:
    hit = pc.is_in(compared, value_set=pa.array(words, compared.type))
    if not pc.any(hit).as_py():
        return text, None
    nothing = pa.scalar(None, text.type)
    codes = pc.if_else(hit, compared, nothing).combine_chunks()
    return pc.if_else(hit, nothing, text), codes


# --- numbers ----------------------------------------------------------------------------------------------------------------


def _numbers(text: pa.ChunkedArray, decimal: str, *, lenient: bool = False) -> tuple[pa.ChunkedArray | None, str]:
    """Return a column as numbers, or None where it holds something else, and what numbers would have lost.

    ``lenient`` is for declared numbers: leading zeros, plus signs and columns without any value are allowed.
    """
    quick = _quick_numbers(text, decimal)
    if quick is not None:
        return quick, ""
    tidy = _tidy(text, decimal)
    if tidy is None or _has_code_like(tidy, _HEXADECIMAL if lenient else _CODE_LIKE):
        return None, ""
    plus = 0 if lenient else _count(pc.match_substring_regex(tidy, _PLUS))
    if plus or pc.any(pc.starts_with(tidy, "+")).as_py():
        tidy = pc.replace_substring_regex(tidy, r"^\+([0-9.])", r"\1")
    whole = _cast(tidy, pa.int64())
    if whole is None:
        floats = _cast(tidy, pa.float64())
        if floats is None or not (lenient or _some_finite(floats)):
            return None, ""
        lossy = _count(_is_lossy(tidy, floats, lenient=lenient))
        if lossy and not lenient and pc.all(pc.match_substring_regex(tidy, _WHOLE)).as_py():
            return None, ""  # long whole numbers are codes, as those of accounts
        if lossy:
            return None, f"{lossy} of its values are too large, too small or too long to be kept as numbers"
        whole = floats
    if plus:
        return None, f"{plus} of its values are whole numbers with a plus sign, as telephone numbers are"
    return (whole if lenient or whole.null_count < len(whole) else None), ""


def _quick_numbers(text: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray | None:
    """Return a column as numbers where its text can be taken as it stands; None says: look closer."""
    values = _cast(text, pa.int64())
    if values is None:
        values = _cast(text, pa.float64()) if decimal == "." else None
        if values is None:
            return None
        # Only whole numbers, and yet no integers: a plus sign or a word such as NaN stood in the way.
        if pc.all(pc.or_(pc.equal(values, pc.round(values)), pc.is_nan(values))).as_py():
            return None
        if pc.any(pc.starts_with(text, "+")).as_py() or not _some_finite(values) or _count(_is_lossy(text, values)):
            return None
    return None if values.null_count == len(values) or _has_code_like(text) else values


def _tidy(text: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray | None:
    """Return the text without blanks around it, words for missing as null, with a decimal point."""
    tidy = pc.utf8_trim_whitespace(text)
    tidy = pc.if_else(pc.is_in(tidy, value_set=_MISSING_WORDS.cast(tidy.type)), pa.scalar(None, tidy.type), tidy)
    if decimal != ".":
        if pc.any(pc.match_substring(tidy, ".")).as_py():
            return None
        tidy = pc.replace_substring(tidy, decimal, ".")
    return tidy


def _has_code_like(text: pa.ChunkedArray, pattern: str = _CODE_LIKE) -> bool:
    """Whether a value has a leading zero, as codes have (``01``, ``-007``), or is hexadecimal, which Arrow would read."""
    zero = pc.or_(pc.starts_with(text, "0"), pc.or_(pc.starts_with(text, "-0"), pc.starts_with(text, "+0")))
    suspects = text.filter(zero)
    return bool(pc.any(pc.match_substring_regex(suspects, pattern)).as_py())


def _some_finite(floats: pa.ChunkedArray) -> bool:
    """Whether there is a number at all, and not words for infinity and for what is no number only."""
    return bool(pc.any(pc.is_finite(floats)).as_py())


def _is_lossy(text: pa.ChunkedArray, floats: pa.ChunkedArray, *, lenient: bool = False) -> pa.ChunkedArray:
    """Mark the numbers that a double does not keep: turned into infinity or zero, or changed before the decimal sign.

    Digits behind the decimal sign beyond the 17 that a double has are rounded, as everywhere; so is what is written with
    an exponent. A whole number beyond 64 bits is a code, unless numbers are declared (``lenient``).
    """
    infinite = pc.and_(pc.is_inf(floats), pc.match_substring_regex(text, "[0-9]"))
    vanished = pc.and_(pc.equal(floats, 0.0), pc.match_substring_regex(text, _NOT_ZERO))
    lossy = pc.fill_null(pc.or_(infinite, vanished), False)
    large = pc.and_(pc.is_finite(floats), pc.greater_equal(pc.abs(floats), EXACT_WHOLE))
    large = pc.fill_null(pc.and_(large, pc.invert(pc.match_substring_regex(text, "[eE]"))), False)
    if not pc.any(large).as_py():
        return lossy
    suspects = pc.unique(text.filter(large)).to_pylist()
    changed = [
        value
        for value in suspects
        if Decimal(value) != Decimal(float(value))
        or (not lenient and _LONG.fullmatch(value) and not -(2**63) <= Decimal(value) < 2**63)
    ]
    return pc.or_(lossy, pc.fill_null(pc.is_in(text, value_set=pa.array(changed, text.type)), False))


def _lossy(text: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray:
    tidy = _tidy(text, decimal)
    plain = pc.replace_substring_regex(tidy, r"^\+([0-9.])", r"\1")
    return text.filter(_is_lossy(plain, plain.cast(pa.float64()), lenient=True))


def _count(marks: pa.ChunkedArray) -> int:
    return int(pc.sum(marks).as_py() or 0)


def _misfits(text: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray:
    trimmed = pc.utf8_trim_whitespace(text)
    words = pc.is_in(trimmed, value_set=_MISSING_WORDS.cast(trimmed.type))
    pattern = _NUMBER if decimal == "." else _NUMBER.replace(r"\.", decimal)
    return trimmed.filter(pc.invert(pc.or_(words, pc.match_substring_regex(trimmed, pattern)))).drop_null()


def _cast(text: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | None:
    try:
        text.slice(0, HEAD).cast(kind)  # a refusal takes Arrow far longer than a success
        return text.cast(kind)
    except pa.ArrowInvalid:
        return None


# --- dates, true and false ----------------------------------------------------------------------------------------------------


def _dates(text: pa.ChunkedArray) -> pa.ChunkedArray | None:
    tidy = _tidy(text, ".")
    if tidy is None or tidy.null_count == len(tidy):
        return None
    days = _cast(tidy, pa.date32())
    return days if days is not None else _cast(tidy, pa.timestamp("us"))


def _not_dates(text: pa.ChunkedArray) -> pa.ChunkedArray:
    trimmed = pc.utf8_trim_whitespace(text)
    words = pc.is_in(trimmed, value_set=_MISSING_WORDS.cast(trimmed.type))
    there = trimmed.filter(pc.invert(words)).drop_null()
    # The calendar is asked once for every different value, and only in an error or for the first records.
    odd = [value for value in pc.unique(there).to_pylist() if not _is_date(value)]
    return there.filter(pc.is_in(there, value_set=pa.array(odd, there.type)))


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text[:10])
    except ValueError:
        return False
    return _DATE.fullmatch(text) is not None


def _logical(text: pa.ChunkedArray) -> pa.ChunkedArray | None:
    for words in _LOGICAL_WORDS:
        if pc.all(pc.is_in(text.drop_null(), value_set=pa.array(words, text.type))).as_py():
            return pc.equal(text, words[0])
    return None


# --- the decimal sign of a file -------------------------------------------------------------------------------------------------


def find_decimal(table: pa.Table, declared: Facts) -> str:
    """Return the decimal sign of a file whose fields are not separated by commas.

    A comma is it when some column is numbers only when read so. When another column has decimal points, the file
    contradicts itself (``1.500`` may be one and a half or fifteen hundred) and the caller must say what is right.
    """
    found = list(_columns_with(",", table, declared))
    comma = next(iter(found), None)
    point = None if comma is None else next(_columns_with(".", table, declared), None)
    if point is not None:
        raise FileError(
            f"Column '{comma}' has decimal commas and column '{point}' has decimal points; "
            "say which is right with decimal=',' or decimal='.'."
        )
    if comma is not None and all(_may_be_thousands(table.column(name)) for name in found):
        warnings.warn(
            f"Column '{comma}': every comma has three digits behind it and is read as a decimal sign, but it may separate "
            "thousands. Say decimal=',' if it is right; if not, remove these commas.",
            TacitaWarning,
            stacklevel=4,
        )
    return "." if comma is None else ","


def has_decimal_commas(table: pa.Table, declared: Facts) -> bool:
    """Whether some column is numbers only when its commas are decimal signs."""
    return next(_columns_with(",", table, declared), None) is not None


def _may_be_thousands(text: pa.ChunkedArray) -> bool:
    signs = pc.utf8_trim_whitespace(text.filter(pc.match_substring(text, ",")))
    return bool(pc.all(pc.match_substring_regex(signs, r"^[+-]?[1-9][0-9]{0,2},[0-9]{3}$")).as_py())


def _columns_with(sign: str, table: pa.Table, declared: Facts) -> Iterator[str]:
    """Give the columns that hold numbers with this decimal sign in at least one of them."""
    for name in table.column_names:
        facts = declared.get(name, {})
        if is_declared_text(facts):
            continue
        text, _ = _take_out_words(table.column(name), facts)
        if len(_misfits(text.slice(0, HEAD), sign)) > 0:
            continue
        signs = text.filter(pc.match_substring(text, sign))
        used = pc.any(pc.match_substring_regex(signs, f"[0-9][{sign}]|[{sign}][0-9]")).as_py()
        if used and _numbers(text, sign)[0] is not None:
            yield str(name)
