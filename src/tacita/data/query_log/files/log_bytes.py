"""The bytes of a log in blocks of whole lines: unpacked, as UTF-8, and never more than a block and a line at once."""

from __future__ import annotations

import codecs
import io
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np

from tacita.core.errors import FileError, ParameterError
from tacita.core.progress import Task
from tacita.data.query_log.log_reading import ReadingTally

__all__ = ["LONGEST", "ByteStream", "LineBlock", "ahead", "beginning", "checked_encoding", "chunks", "line_blocks"]

LONGEST = 1 << 20
"""Bytes of a line above which it is left out."""

_CHUNK = 1 << 23
_PACKED = 1 << 16
"""Packed bytes at once: few, because what follows a member is copied, and a hostile file has members of twenty bytes."""
_GZIP = b"\x1f\x8b"
_MOST_TIMES, _LOOKED_AT = 200, 1 << 28
"""A log is never packed this many times smaller; it is looked at when so many bytes have come out."""
_MARKS = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_BROKEN = "tacita-broken-bytes"
codecs.register_error(_BROKEN, lambda error: ("\udc80", error.end))  # type: ignore[attr-defined]

T = TypeVar("T")


@dataclass(frozen=True)
class LineBlock:
    """Whole lines of a file.

    Parameters
    ----------
    text
        The bytes of the lines; each ends in a line feed, but perhaps the last of the file.
    first
        The number of the first line, from 1.
    """

    text: bytes
    first: int


def checked_encoding(encoding: str) -> str:
    """Return the name of an encoding as Python knows it."""
    try:
        found = codecs.lookup(encoding)
    except (LookupError, TypeError, ValueError):
        found = None
    if found is None or not found._is_text_encoding or found.name in ("idna", "punycode", "undefined"):
        raise ParameterError(f"read_log: 'encoding' must be a name such as utf-8 or cp1252, got {encoding!r}.")
    return "utf-8" if found.name == "utf-8-sig" else found.name


# --- blocks of lines ----------------------------------------------------------------------------------------------------------


def line_blocks(path: Path, encoding: str, tally: ReadingTally, running: Task) -> Iterator[LineBlock]:
    """Return the lines of a file in blocks; lines that are too long are counted and left out."""
    carry, line, is_long = b"", 1, False
    for chunk in ahead(chunks(path, encoding, running)):
        text = chunk
        if is_long:
            end = text.find(b"\n") + 1
            if not end:
                continue
            text, is_long, line = text[end:], False, line + 1
        end = text.rfind(b"\n") + 1
        if end:
            block = LineBlock(carry + text[:end], line)
            line += block.text.count(b"\n")
            carry = text[end:]
            yield block
        else:
            carry += text
        if len(carry) > LONGEST:
            tally.lines += 1
            tally.leave_out("too long", np.array([line]))
            carry, is_long = b"", True
    if carry:
        yield LineBlock(carry, line)


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Iterate, and have the next item made while this one is worked on."""
    end = object()
    with ThreadPoolExecutor(max_workers=1) as pool:
        coming = pool.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, items, end)
            yield item  # type: ignore[misc]


# --- bytes of a file ----------------------------------------------------------------------------------------------------------


def chunks(path: Path, encoding: str, running: Task | None = None, size: int = _CHUNK) -> Iterator[bytes]:
    """Return the bytes of a file, unpacked and as UTF-8, without its mark.

    Bytes that are no text in the encoding become bytes that are no text in UTF-8.
    """
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        decoder: codecs.IncrementalDecoder | None = None
        is_first = True
        for chunk in _gathered(_unpacked(path, file, running, size), size) if packed else _plain(file, running, size):
            if is_first:
                encoding = _marked(chunk, encoding)
                decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)(_BROKEN)
            text = chunk if decoder is None else _as_utf8(path, decoder, chunk)
            yield text.removeprefix(codecs.BOM_UTF8) if is_first else text
            is_first = False
        if decoder is not None:
            yield _as_utf8(path, decoder, b"", is_end=True)


def beginning(path: Path, encoding: str, size: int = 1 << 16) -> bytes:
    """Return the first bytes of a file, as :func:`chunks` does."""
    found = b""
    for chunk in chunks(path, encoding, size=size):
        found += chunk
        if len(found) >= size:
            break
    return found


class ByteStream(io.RawIOBase):
    """The bytes of a file, unpacked and as UTF-8, as something to read from."""

    def __init__(self, items: Iterator[bytes]) -> None:
        self._items = items
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, target: object) -> int:
        """Put the next bytes into ``target``; 0 at the end."""
        while not len(self._rest):
            chunk = next(self._items, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        room = memoryview(target).cast("B")  # type: ignore[arg-type]
        count = min(len(room), len(self._rest))
        room[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def _plain(file: BinaryIO, running: Task | None, size: int) -> Iterator[bytes]:
    while chunk := file.read(size):
        if running is not None:
            running.advance(len(chunk))
        yield chunk


def _gathered(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Put small pieces together, so that what is done for each block is done for few."""
    parts, length = list[bytes](), 0
    for piece in pieces:
        parts.append(piece)
        length += len(piece)
        if 2 * length >= size:
            yield b"".join(parts)
            parts, length = [], 0
    if parts:
        yield b"".join(parts)


def _unpacked(path: Path, file: BinaryIO, running: Task | None, size: int) -> Iterator[bytes]:
    """Unpack gzip, also of several members one after the other, as ``cat a.gz b.gz`` makes them."""
    unpack, came_in, came_out = zlib.decompressobj(31), 0, 0
    rest, is_full = b"", False
    try:
        while True:
            packed = rest
            if not rest and not is_full:  # a full chunk may have more behind it, with all of the input taken
                packed = file.read(_PACKED)
                if not packed:
                    break
                came_in += len(packed)
                if running is not None:
                    running.advance(len(packed))
            if unpack.eof:
                packed = packed.lstrip(b"\0")  # what fills the block of a tape
                unpack = zlib.decompressobj(31) if packed else unpack
            chunk = unpack.decompress(packed, size) if packed or is_full else b""
            rest, is_full = unpack.unused_data if unpack.eof and packed else unpack.unconsumed_tail, len(chunk) == size
            came_out += len(chunk)
            if came_out > _LOOKED_AT and came_out > _MOST_TIMES * came_in:
                raise _too_small(path)
            if chunk:
                yield chunk
    except zlib.error:
        raise _cut_off(path) from None
    if not unpack.eof:
        raise _cut_off(path)


def _too_small(path: Path) -> FileError:
    return FileError(
        f"'{path.name}' becomes more than {_MOST_TIMES} times larger when it is unpacked, as no log does. If it is one, unpack "
        "it first."
    )


def _cut_off(path: Path) -> FileError:
    return FileError(
        f"'{path.name}' must be a whole gzip file, but it is cut off or damaged. Fetch or make it again; what is whole of it "
        "can be unpacked with zcat."
    )


def _marked(start: bytes, encoding: str) -> str:
    """Return the encoding that a mark at the beginning tells, which cannot be UTF-8; otherwise the given one."""
    found = next((name for mark, name in _MARKS if start.startswith(mark)), encoding)
    return found if encoding == "utf-8" else encoding


def _as_utf8(path: Path, decoder: codecs.IncrementalDecoder, chunk: bytes, *, is_end: bool = False) -> bytes:
    try:
        return decoder.decode(chunk, is_end).encode("utf-8", "surrogatepass")
    except UnicodeError:
        raise FileError(f"'{path.name}' is no text in the encoding that was given; give its true one.") from None
