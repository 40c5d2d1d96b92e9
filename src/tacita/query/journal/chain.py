"""The chain: how entries hang together, what a line of the file is, and what is wrong with one.

A line is ``{"entry":BODY,"hash":"HASH","seal":"SEAL"}``. BODY is the canonical JSON of the entry and has the hash of the entry
before it. SEAL is HMAC-SHA256 of BODY under a key that only the database has: who can write the file and has no key cannot
make an entry. HASH is SHA-256 of the line without the hash, ``{"entry":BODY,"seal":"SEAL"}``: who has no key can still check
that everything up to an anchor is as it was.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import Key, KeyLike
from tacita.core.metadata import MetadataLimits, parse_json
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.entry import JournalEntry, canonical_json

__all__ = ["BEGIN", "FORM", "LONGEST", "WRONG_SEAL", "ChainedLine", "JournalKeys", "flaws", "lines", "read_line"]

FORM = "tacita-journal-1"
LONGEST = 1 << 20
"""Bytes of a line, at most: what is longer is no entry and is not written."""

WRONG_SEAL = "its seal was not made with this key"

_LIMITS = MetadataLimits(size=LONGEST, keys=500_000, depth=40)
_ZERO = "0" * 64
_HEAD = b'{"entry":'
_END = re.compile(rb',"hash":"([0-9a-f]{64})","seal":"([0-9a-f]{64})"\}\n')
_END_LENGTH = len(',"hash":"","seal":""}\n') + 2 * 64
BEGIN = _HEAD + b'{"answer":null,"kind":"journal","number":0,"previous":"' + _ZERO.encode()
"""How every journal begins, so that no other file is taken for one."""


class JournalKeys:
    """The keys of a journal, each for one purpose, made from the key of the database.

    Parameters
    ----------
    key
        The key of the database: a key, bytes, or a file with a key.

    Notes
    -----
    A pseudonym is the same in every journal under one key, so that journals that follow each other can be read together. The
    digest of an answer is bound to its request: the same question with the same answer has the same digest, which shows
    that answers are consistent, while equal answers to different questions cannot be told from others. Without the key
    nobody can try out user names, or the few values that a small answer may have.
    """

    def __init__(self, key: KeyLike) -> None:
        own = Key.of(key).derive("journal")
        self._user, self._answer, self._seal = own.derive("user"), own.derive("answer"), own.derive("seal")

    def __repr__(self) -> str:
        return "JournalKeys(secret)"

    def pseudonym(self, user: str) -> str:
        """Return the pseudonym of a user: 32 hexadecimal digits."""
        return self._user.digest(user).hex()[:32]

    def answer_digest(self, request: object, answer: object) -> str:
        """Return the keyed digest of an answer to a request."""
        return self._answer.digest(canonical_json(request, "The request"), canonical_json(answer, "The answer")).hex()

    def seal(self, body: bytes) -> str:
        """Return the seal of an entry."""
        return self._seal.digest(body).hex()


@dataclass(frozen=True)
class ChainedLine:
    """One line of a journal, taken apart.

    Parameters
    ----------
    entry
        What it says.
    body
        The bytes that the seal and the hash are about, as they stand in the file.
    """

    entry: JournalEntry
    body: bytes

    @classmethod
    def make(cls, body: dict[str, object], keys: JournalKeys) -> tuple[ChainedLine, bytes]:
        """Seal an entry; return it and its line.

        Raises
        ------
        ParameterError
            When it cannot be read again as it is written: too long, too deep, or made of other than plain values.
        """
        content = canonical_json(body, "An entry of the journal")
        seal = keys.seal(content)
        own = _hash(content, seal)
        line = b'%b%b,"hash":"%b","seal":"%b"}\n' % (_HEAD, content, own.encode(), seal.encode())
        try:
            made = read_line(line)
        except FileError as error:
            raise ParameterError(
                f"An entry of the journal must have at most {LONGEST:,} bytes, 40 lists within each other and words in its "
                "places; ask for less at once."
            ) from error
        return made, line

    @property
    def anchor(self) -> Anchor:
        """The anchor of this entry."""
        return Anchor(self.entry.number, self.entry.hash)

    @property
    def is_unchanged(self) -> bool:
        """Whether the hash is that of the content."""
        return self.entry.hash == _hash(self.body, self.entry.seal)

    def is_sealed_by(self, keys: JournalKeys) -> bool:
        """Whether the seal was made with these keys."""
        return hmac.compare_digest(self.entry.seal, keys.seal(self.body))


def read_line(line: bytes) -> ChainedLine:
    """Read one line, with its end, within limits; hash and seal are not checked here.

    Raises
    ------
    FileError
        When it is no entry.
    """
    end = _END.fullmatch(line, max(len(line) - _END_LENGTH, 0)) if len(line) <= LONGEST else None
    if end is None or not line.startswith(_HEAD):
        raise FileError("A line of the journal must hold an entry, but it holds something else or is too long.")
    body = line[len(_HEAD) : end.start()]
    parsed = parse_json(body, "A line of the journal", limits=_LIMITS)
    return ChainedLine(JournalEntry.from_body(parsed, hash=end[1].decode(), seal=end[2].decode()), body)


def flaws(line: ChainedLine, before: Anchor | None, keys: JournalKeys | None) -> list[str]:
    """Say what is wrong with an entry that stands after another one.

    Parameters
    ----------
    line
        The entry.
    before
        Number and hash of the entry before it; None at the beginning of the chain.
    keys
        The keys, when they are known.
    """
    entry, found = line.entry, []
    expected = 0 if before is None else before.number + 1
    if not line.is_unchanged:
        found.append("its content was changed")
    if keys is not None and not line.is_sealed_by(keys):
        found.append(WRONG_SEAL)
    if entry.number > expected:
        found.append(f"entries before it are missing: {entry.number - expected}")
    elif entry.number < expected:
        found.append("it is repeated or out of order")
    elif entry.previous != (_ZERO if before is None else before.hash):
        found.append("it does not follow the entry before it")
    return found


def lines(file: BinaryIO, end: int) -> Iterator[bytes]:
    """Give the lines of a file up to a place; a line that is too long comes in pieces, of which none is an entry."""
    left = end - file.tell()
    while left > 0:
        line = file.readline(min(left, LONGEST + 1))
        if not line:
            return
        left -= len(line)
        yield line


def _hash(body: bytes, seal: str) -> str:
    return hashlib.sha256(b'%b%b,"seal":"%b"}' % (_HEAD, body, seal.encode())).hexdigest()
