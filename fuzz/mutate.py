"""Damage to files: bytes, numbers, pieces, words, and what is inside a zip file."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Sequence

__all__ = ["damaged"]

_NUMBERS = (
    0,
    1,
    2,
    7,
    127,
    128,
    255,
    256,
    32767,
    65535,
    65536,
    2**24,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**63 - 1,
    2**64 - 1,
)
_WORDS = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b'"', b"'", b'"""', b"\n", b"\r", b"\r\n", b",", b";", b"\t", b"|", b"=", b"[", b"]", b"{",
    b"}", b"[[", b":", b".", b"#", b"@", b"-", b"+", b"(", b")", b"*", b"null", b"NaN", b"inf", b"-inf", b"1e400", b"1e-400",
    b"9" * 20, b"9" * 400, b"9" * 5000, b"0x1F", b"1_000", b"9007199254740993", b"+4930123", b"2024-02-30", b"=cmd|x", b"true",
    b"[" * 2000, b'{"a":' * 2000, b"a." * 3000, b"\xed\xa0\x80", b"\\u0000", b"\\", b"%s%n", b"../../x", b"\xe2\x80\xae",
)  # fmt: skip


def damaged(seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """Return one of the files with one to eight damages."""
    content = rng.choice(seeds)
    if content[:2] == b"PK" and rng.random() < 0.7:
        return _inside_zip(content, rng)
    return _some(content, seeds, rng)


def _some(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4, 8))):
        content = rng.choice(_WAYS)(content, seeds, rng)
    return content[: 1 << 20]


def _place(content: bytes, rng: random.Random) -> int:
    """A place, more often near the beginning and the end, where formats keep what they say of themselves."""
    size = len(content)
    if not size:
        return 0
    way = rng.random()
    if way < 0.3:
        return rng.randrange(min(size, 256))
    return max(0, size - 1 - rng.randrange(256)) if way < 0.5 else rng.randrange(size)


def _bit(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    if not content:
        return content
    at = _place(content, rng)
    return content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1 :]


def _byte(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]


def _number(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    at, width = _place(content, rng), rng.choice("BHIQ")
    value = rng.choice(_NUMBERS) & (256 ** struct.calcsize(width) - 1)
    packed = struct.pack(rng.choice("<>") + width, value)
    return content[:at] + packed + content[at + len(packed) :]


def _cut(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    return content[: _place(content, rng)]


def _drop(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + content[at + rng.choice((1, 2, 4, 8, 64, 512)) :]


def _repeat(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    at = _place(content, rng)
    piece = content[at : at + rng.choice((1, 4, 16, 128))]
    return content[:at] + piece * rng.choice((2, 3, 50)) + content[at:]


def _word(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    at, word = _place(content, rng), rng.choice(_WORDS)
    return content[:at] + word + content[at + (len(word) if rng.random() < 0.3 else 0) :]


def _splice(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    other = rng.choice(seeds)
    return content[: _place(content, rng)] + other[_place(other, rng) :]


def _swap(content: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    a, b = sorted((_place(content, rng), _place(content, rng)))
    n = min(16, b - a)
    return content[:a] + content[b : b + n] + content[a + n : b] + content[a : a + n] + content[b + n :]


_WAYS = (_bit, _bit, _byte, _byte, _number, _number, _cut, _drop, _repeat, _word, _word, _splice, _swap)


def _inside_zip(content: bytes, rng: random.Random) -> bytes:
    """Damage the parts of a zip file and pack them again, so that the damage gets past the check sums."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            parts = {name: file.read(name) for name in file.namelist()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError, EOFError):
        return _some(content, [content], rng)
    name = rng.choice(list(parts))
    parts[name] = _some(parts[name], [parts[name]], rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for part, inside in parts.items():
            file.writestr(part, inside)
    return out.getvalue()
