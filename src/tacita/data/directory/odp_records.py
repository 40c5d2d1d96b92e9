"""The records of an Open Directory dump, one after the other: tolerant of what is not XML, and counting it.

The dump looks like XML and is none: it has control characters, entities that nobody declared, bytes in other encodings, tags
without an end. So it is taken for what it is, a text with marks: a record runs from one ``<Topic``, ``<Alias`` or
``<ExternalPage`` to the next one.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html.entities import html5
from pathlib import Path
from typing import IO, cast

from tacita.core.errors import FileError
from tacita.core.progress import task

__all__ = ["first_bytes", "is_closed", "opened", "readable", "records", "said_clearly", "tag_text"]

BLOCK = 1 << 22
"""How many bytes are read at a time."""
LONGEST = 1 << 20
"""A record of more characters than this is none; what a block has of it is given up."""

_STARTS = ("<Topic", "<Alias", "<ExternalPage")
_START = re.compile(r"(?=<(?:Topic|Alias|ExternalPage)[\s>])")
_END = re.compile(r"</(?:Topic|Alias|ExternalPage)\s*>|<(?:Topic|Alias)\b[^>]*/>")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NO_UTF8 = re.compile("[\udc80-\udcff]+")
_AMPERSAND = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31})?(;)?")
_HTML_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_XML = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def opened(path: Path) -> IO[bytes]:
    """Open a file that may be gzip, whatever its name says."""
    with path.open("rb") as raw:
        is_gzip = raw.read(2) == b"\x1f\x8b"
    return cast(IO[bytes], gzip.open(path, "rb")) if is_gzip else path.open("rb")


def first_bytes(path: Path, count: int) -> bytes:
    """Return the beginning of a file, unpacked where it is gzip; nothing where it cannot be unpacked."""
    try:
        with opened(path) as file:
            return file.read(count)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        return b""


def records(path: Path, broken: Counter[str], *, block: int = BLOCK) -> Iterator[str]:
    """Give the records of a file one after the other; O(block) memory.

    Parameters
    ----------
    path
        The file, plain or gzip.
    broken
        Where it is counted what was mended.
    block
        How many bytes are read at a time.

    Raises
    ------
    FileError
        When the file cannot be read, or is a gzip file that is damaged or cut off.
    """
    rest = ""
    for text in _blocks(path, broken, block):
        *whole, rest = _START.split(rest + text)
        yield from (piece for piece in whole if piece.startswith(_STARTS))
        if len(rest) > LONGEST:
            broken["records longer than a million characters"] += 1
            rest = ""
    if rest.startswith(_STARTS):
        yield rest


def is_closed(record: str) -> bool:
    """Whether a record has its end, as all but those have that are cut off."""
    return _END.search(record) is not None


def _blocks(path: Path, broken: Counter[str], block: int) -> Iterator[str]:
    """Give the text of a file in blocks that end with a whole character, cleaned."""
    rest = b""
    with said_clearly(path), opened(path) as file, task(f"Reading {path.name}", path.stat().st_size) as running:
        raw = getattr(getattr(file, "fileobj", None), "tell", None) or file.tell
        before = 0
        while data := file.read(block):
            data = rest + data
            cut = _whole_characters(data)
            data, rest = data[:cut], data[cut:]
            yield _cleaned(data, broken)
            running.advance(raw() - before)
            before = raw()
    if rest:
        yield _cleaned(rest, broken)


def _whole_characters(data: bytes) -> int:
    """Return how many bytes make whole characters: the last one, of four bytes at most, may go on in the next block."""
    for back in range(1, min(4, len(data)) + 1):
        if data[-back] & 0xC0 != 0x80:  # the first byte of a character, or a character of one byte
            return len(data) if data[-back] < 0x80 else len(data) - back
    return len(data)


def _cleaned(data: bytes, broken: Counter[str]) -> str:
    text = data.decode("utf-8", "surrogateescape")
    if not data.isascii():
        text, count = _NO_UTF8.subn(_western, text)
        broken["places that are not UTF-8"] += count
    text, count = _CONTROL.subn("", text)
    broken["control characters"] += count
    return text


def _western(found: re.Match[str]) -> str:
    """Read bytes that are not UTF-8 as editors of the time wrote them."""
    return found.group().encode("utf-8", "surrogateescape").decode("cp1252", "replace")


@contextmanager
def said_clearly(path: Path) -> Iterator[None]:
    """Turn the errors of the system and of gzip into ours."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FileError(f"'{path.name}' is a gzip file that is damaged or cut off; fetch it again.") from error
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"'{path.name}' cannot be read: {error.strerror or 'unknown reason'}.") from error


# --- what stands in a record ----------------------------------------------------------------------------------------------


def tag_text(record: str, tag: str, broken: Counter[str]) -> str | None:
    """Return the text of the first such tag of a record; where its end is lacking, up to the next tag."""
    start = record.find(f"<{tag}>")
    if start < 0:
        return None
    start += len(tag) + 2
    end = record.find(f"</{tag}>", start)
    if end < 0:
        broken["tags without an end"] += 1
        found = re.compile(r"\n|<").search(record, start)
        end = found.start() if found else len(record)
    return readable(record[start:end], broken)


def readable(text: str, broken: Counter[str]) -> str:
    """Return a text with its entities resolved, without tags of HTML, on one line."""
    if "&" in text:
        text = _AMPERSAND.sub(lambda found: _resolved(found, broken), text)
    if "<" in text:
        text = _HTML_TAG.sub(" ", text)
    return " ".join(text.split())


def _resolved(found: re.Match[str], broken: Counter[str]) -> str:
    name, end = found.group(1), found.group(2)
    if name is None:
        broken["bare ampersands"] += 1
        return found.group()
    if name.startswith("#"):
        number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        if end and (
            31 < number < 0xD800 or 0xE000 <= number < 0xFFFE or 0xFFFF < number < 0x110000 or number in (9, 10, 13)
        ):
            return chr(number)
        broken["numbers that are no character"] += 1
        return " "
    if end and name in _XML:
        return _XML[name]
    known = html5.get(f"{name};")
    if known is None:
        broken["entities that nobody knows" if end else "bare ampersands"] += 1
        return found.group()
    broken["entities that XML does not know" if end else "entities without a semicolon"] += 1
    return known
