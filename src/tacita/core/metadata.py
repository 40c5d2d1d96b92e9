"""Reading small text files that describe something: TOML and JSON, schemas, recipes, scores, hierarchies, journals.

Such a file may come from anybody, so nothing in it may cost more than an error message. Limits are checked before anything
is parsed, in one pass that is linear in the length of the text: how long it is, how deep it is nested, how many keys it has,
how many parts a dotted key has and how many digits a whole number has. The parsers of the standard library need quadratic
time and memory for a key of many parts, and stop with errors of the interpreter at deep nesting and at long numbers.
"""

from __future__ import annotations

import codecs
import json
import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, ParameterError, TacitaError, reason_of

__all__ = ["LARGE", "SMALL", "MetadataLimits", "parse_json", "parse_toml", "read_text"]


@dataclass(frozen=True)
class MetadataLimits:
    """How much a file of metadata may ask for.

    Parameters
    ----------
    size
        Bytes of the file.
    keys
        Keys, tables and entries of lists.
    depth
        Lists and tables within each other.
    parts
        Parts of a dotted key.
    digits
        Digits of a whole number.
    """

    size: int
    keys: int
    depth: int = 50
    parts: int = 16
    digits: int = 300


SMALL = MetadataLimits(size=16 << 20, keys=500_000)
"""Schemas, recipes, scores, searches, ledgers, recodings."""
LARGE = MetadataLimits(size=1 << 30, keys=100_000_000)
"""Tables, hierarchies, a-priori files, journals: a line for each cell, code or trial."""


# --- text --------------------------------------------------------------------------------------------------------------


def read_text(
    path: str | Path,
    what: str,
    *,
    encodings: Sequence[str] = ("utf-8-sig",),
    limits: MetadataLimits = SMALL,
) -> str:
    """Read a text file of bounded length.

    Parameters
    ----------
    path
        The file.
    what
        What the file is, for messages: "The recipe file".
    encodings
        Encodings that are tried one after the other.
    limits
        How long the file may be.

    Raises
    ------
    FileError
        When the file is not there, is no file, is too long, or is in none of the encodings.
    ParameterError
        When an encoding has a name that nobody knows.

    Notes
    -----
    The length is that of what is read and not what the file system says, so a device or a growing file ends too.
    """
    path = Path(path)
    for name in encodings:
        try:
            codecs.lookup(name)
        except LookupError:
            raise ParameterError(f"'encoding' must be a name such as utf-8 or cp1252, got {name!r}.") from None
    try:
        path.stat()
        if not path.is_file():  # a pipe would be waited for, perhaps for ever
            raise FileError(f"{what} '{path.name}' cannot be read: it is a directory, or something else than a file.")
        with path.open("rb") as file:
            content = file.read(limits.size + 1)
    except FileError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise FileError(f"{what} '{path.name}' cannot be read: {reason_of(error)}.") from error
    if len(content) > limits.size:
        raise FileError(f"{what} '{path.name}' must have at most {_bytes(limits.size)}, but it is longer.")
    for name in encodings:
        try:
            return content.decode(name)
        except UnicodeError:
            continue
    known = " or ".join({"utf-8-sig": "UTF-8", "utf-8": "UTF-8", "cp1252": "Windows-1252"}.get(n, n) for n in encodings)
    raise FileError(f"{what} '{path.name}' must be {known} text, but it is not valid {known}.")


def _bytes(size: int) -> str:
    return f"{size >> 30} GB" if size >= 1 << 30 else f"{size >> 20} MB" if size >= 1 << 20 else f"{size} bytes"


# --- TOML --------------------------------------------------------------------------------------------------------------

_TOML_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|$)'  # texts, which may hold anything
    r"|'''(?:[^']|'(?!''))*(?:'''|$)"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*"
    r"|[A-Za-z0-9_+\-]+"
    r"|[\[\]{}.=,\n]",
    re.DOTALL,
)


def parse_toml(
    text: str, what: str, *, limits: MetadataLimits = SMALL, error: type[TacitaError] = FileError
) -> dict[str, Any]:
    """Parse TOML within limits; nothing in it is ever evaluated.

    Parameters
    ----------
    text
        The TOML.
    what
        What it is, for messages: "The recipe".
    limits
        How much it may ask for.
    error
        Class of the error that is raised.

    Raises
    ------
    TacitaError
        Of the class ``error``, when it is no TOML or asks for more than the limits.

    Examples
    --------
    >>> parse_toml("a.b = [1, 2]", "The note")
    {'a': {'b': [1, 2]}}
    >>> parse_toml("a" + ".a" * 20_000 + " = 1", "The note")
    Traceback (most recent call last):
    ...
    tacita.core.errors.FileError: The note is too much for a file of its kind: a key has more than 16 parts.
    """
    problem = _toml_excess(text, limits)
    if problem is not None:
        raise error(f"{what} is too much for a file of its kind: {problem}.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as found:
        raise error(f"{what} is not valid TOML: {_without_content(str(found))}.") from None
    except (ValueError, OverflowError, RecursionError):
        raise error(f"{what} is not TOML that can be read: a number, a date or a nesting is out of bounds.") from None


def _toml_excess(text: str, limits: MetadataLimits) -> str | None:
    """Say what is too much in a text, or None; every character is looked at once."""
    if len(text) > limits.size:
        return f"it has more than {_bytes(limits.size)}"
    depth = keys = parts = 0
    for token in _TOML_TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            depth += 1
            keys += 1
            parts = 0
            if depth > limits.depth:
                return f"its lists and tables are nested more than {limits.depth} deep"
        elif first in "]}":
            depth = max(0, depth - 1)
        elif first == ".":
            parts += 1
            if parts >= limits.parts:
                return f"a key has more than {limits.parts} parts"
        elif first in "=,\n":
            keys += first != "\n"
            parts = 0
            if keys > limits.keys:
                return f"it has more than {limits.keys:,} keys and entries"
        elif first in "+-0123456789" and len(token[0]) > limits.digits:
            return f"a number has more than {limits.digits} digits"
    return None


def _without_content(message: str) -> str:
    """What the parser says, without the character or key that it quotes from the file."""
    place = re.search(r"\(at (line \d+, column \d+|end of document)\)", message)
    reason = re.sub(r"\s*\(at [^()]*\)\s*$", "", message)
    quote = r":? ?'(?!=|\]{1,2}')(?:[^'\\]|\\.)*'|:? ?\"[^\"]*\"|:? ?\(.*\)"  # = and ] are the parser's own words
    reason = re.sub(quote, "", reason).rstrip(": ")
    return f"{reason} ({place[1]})" if place else reason


# --- JSON --------------------------------------------------------------------------------------------------------------

_JSON_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


def parse_json(
    text: str | bytes, what: str, *, limits: MetadataLimits = SMALL, error: type[TacitaError] = FileError
) -> Any:
    """Parse JSON within limits: finite numbers, whole numbers of bounded length, bounded nesting.

    Parameters
    ----------
    text
        The JSON.
    what
        What it is, for messages: "The ledger".
    limits
        How much it may ask for.
    error
        Class of the error that is raised.

    Raises
    ------
    TacitaError
        Of the class ``error``, when it is no JSON or asks for more than the limits.

    Examples
    --------
    >>> parse_json('{"a": [1, 2.5, null]}', "The note")
    {'a': [1, 2.5, None]}
    >>> parse_json("[" * 100_000, "The note")
    Traceback (most recent call last):
    ...
    tacita.core.errors.FileError: The note is too much for a file of its kind: its lists and tables are nested more than 50 deep.
    """
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    problem = _json_excess(raw, limits)
    if problem is not None:
        raise error(f"{what} is too much for a file of its kind: {problem}.")
    try:
        return json.loads(
            text,
            parse_int=lambda digits: _whole(digits, limits),
            parse_float=_finite,
            parse_constant=_no_constant,
        )
    except _ExcessError as found:
        raise error(f"{what} is too much for a file of its kind: {found}.") from None
    except json.JSONDecodeError as found:
        raise error(f"{what} is not valid JSON (line {found.lineno}, column {found.colno}).") from None
    except (ValueError, RecursionError):  # not UTF-8, or nested without end
        raise error(f"{what} is not valid JSON.") from None


class _ExcessError(ValueError):
    pass


def _json_excess(raw: bytes, limits: MetadataLimits) -> str | None:
    if len(raw) > limits.size:
        return f"it has more than {_bytes(limits.size)}"
    brackets = raw.count(b"[") + raw.count(b"{")
    if brackets + raw.count(b",") > limits.keys:
        return f"it has more than {limits.keys:,} keys and entries"
    if brackets <= limits.depth:
        return None
    depth = 0
    for token in _JSON_TOKEN.finditer(raw):
        first = token[0][:1]
        if first in b"[{":
            depth += 1
            if depth > limits.depth:
                return f"its lists and tables are nested more than {limits.depth} deep"
        elif first in b"]}":
            depth -= 1
    return None


def _whole(digits: str, limits: MetadataLimits) -> int:
    if len(digits) > limits.digits:
        raise _ExcessError(f"a number has more than {limits.digits} digits")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _ExcessError("a number is too large to be kept")
    return value


def _no_constant(word: str) -> float:
    raise _ExcessError(f"it has {word.lstrip('-')}, which is no number of JSON")
