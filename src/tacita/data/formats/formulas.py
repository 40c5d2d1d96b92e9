"""Texts that a spreadsheet would run: a CSV file is safe to look at only when no cell of it is a formula.

A spreadsheet takes a field that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return for a formula, in
quotation marks or not, and a formula can fetch a page or start a program. A field that is a plain number with its sign
(``-9``, ``+4930123``) is harmless and stays.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import ParameterError, TacitaWarning

__all__ = ["FORMULAS", "Formulas", "check_formulas", "holds_text", "neutral", "neutral_texts"]

Formulas = Literal["keep", "warn", "neutralise"]
"""What to do about texts that a spreadsheet would run: leave them, leave and name them, or put an apostrophe before them."""
FORMULAS: tuple[Formulas, ...] = ("keep", "warn", "neutralise")

_START = "^[ ]*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]"
_NUMBER = r"^[+-]([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?$"


def holds_text(kind: pa.DataType) -> bool:
    """Whether a column of this type has texts."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def neutral(text: pa.Array) -> pa.Array:
    """Put an apostrophe before every text that a spreadsheet would run.

    Examples
    --------
    >>> neutral(pa.array(["=1+1", "-9", "north", None])).to_pylist()
    ["'=1+1", '-9', 'north', None]
    """
    hit = _is_formula(text)
    if not pc.any(hit).as_py():
        return text
    marked = pc.binary_join_element_wise(pa.scalar("'", text.type), text, pa.scalar("", text.type))
    return pc.if_else(hit, marked, text)


def neutral_texts(texts: Iterable[str]) -> list[str]:
    """Put an apostrophe before every text that a spreadsheet would run, for files that are written line by line.

    Examples
    --------
    >>> neutral_texts(["=1+1", "-9", "north"])
    ["'=1+1", '-9', 'north']
    """
    return [str(text) for text in neutral(pa.array(list(texts), pa.string())).to_pylist()]


def check_formulas(table: pa.Table, formulas: Formulas) -> None:
    """Warn of texts that a spreadsheet would run, by column and number; only for ``formulas="warn"``."""
    if formulas not in FORMULAS:
        raise ParameterError(f"'formulas' must be one of {', '.join(FORMULAS)}, got {formulas!r}.")
    if formulas != "warn":
        return
    found: list[str] = []
    for field, column in zip(table.schema, table.columns, strict=True):
        if holds_text(field.type):
            values = column.cast(field.type.value_type) if pa.types.is_dictionary(field.type) else column
            count = pc.sum(_is_formula(values)).as_py() or 0
            found += [f"'{field.name}' ({count})"] if count else []
    titles = _is_formula(pa.array(table.column_names, pa.string()))
    found += ["the names of columns"] if pc.any(titles).as_py() else []
    if found:
        warnings.warn(
            f"A spreadsheet would run texts of {', '.join(found)} as formulas, because they begin with =, +, - or @. "
            "Write with formulas='neutralise' (--neutralise-formulas) to put an apostrophe before them.",
            TacitaWarning,
            stacklevel=6,
        )


def _is_formula(text: pa.Array) -> pa.Array:
    start = pc.match_substring_regex(text, _START)
    return pc.fill_null(pc.and_(start, pc.invert(pc.match_substring_regex(text, _NUMBER))), False)
