"""Lines, seals and hashes, against the words of the documentation."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.query.journal.chain import BEGIN, LONGEST, WRONG_SEAL, ChainedLine, JournalKeys, flaws, lines, read_line
from tests.query.journal.children import KEY, OTHER, written


@pytest.fixture
def some(tmp_path: Path) -> list[bytes]:
    return written(tmp_path / "j", 3).path.read_bytes().splitlines(keepends=True)


def test_the_hash_can_be_computed_by_anybody(some: list[bytes]) -> None:
    """As the page says: SHA-256 of the line without its hash."""
    before = "0" * 64
    for line in some:
        parsed = json.loads(line)
        without = {"entry": parsed["entry"], "seal": parsed["seal"]}
        plain = json.dumps(without, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        assert hashlib.sha256(plain).hexdigest() == parsed["hash"]
        assert parsed["entry"]["previous"] == before
        before = parsed["hash"]


def test_the_seal_needs_the_key(some: list[bytes]) -> None:
    found = read_line(some[1])
    own = KEY.derive("journal").derive("seal")
    assert hmac.compare_digest(own.digest(found.body).hex(), found.entry.seal)
    assert found.is_sealed_by(JournalKeys(KEY))
    assert not found.is_sealed_by(JournalKeys(OTHER))
    assert hashlib.sha256(found.body).hexdigest() != found.entry.seal


def test_every_journal_begins_alike_and_is_one_of_its_own(tmp_path: Path) -> None:
    first, second = (written(tmp_path / name, 0).path.read_bytes() for name in ("a", "b"))
    assert first.startswith(BEGIN)
    assert second.startswith(BEGIN)
    assert first != second


def test_keys_serve_one_purpose_each() -> None:
    keys = JournalKeys(KEY)
    assert keys.pseudonym("ada") == JournalKeys(KEY).pseudonym("ada") != JournalKeys(OTHER).pseudonym("ada")
    assert keys.pseudonym("ada") != keys.pseudonym("Ada")
    assert keys.answer_digest({"a": 1}, 5) == keys.answer_digest({"a": 1}, 5)
    assert keys.answer_digest({"a": 1}, 5) != keys.answer_digest({"a": 2}, 5)
    assert keys.answer_digest({"a": 1}, 5) != keys.answer_digest({"a": 1}, 6)
    assert repr(keys) == "JournalKeys(secret)"


def test_flaws_are_told_apart(some: list[bytes]) -> None:
    keys = JournalKeys(KEY)
    first, second, third, fourth = map(read_line, some)
    assert flaws(first, None, keys) == flaws(second, first.anchor, keys) == flaws(fourth, third.anchor, None) == []
    assert flaws(second, first.anchor, JournalKeys(OTHER)) == [WRONG_SEAL]
    assert flaws(fourth, first.anchor, keys) == ["entries before it are missing: 2"]
    assert flaws(second, second.anchor, keys) == ["it is repeated or out of order"]
    changed = read_line(some[1].replace(b'"refused"', b'"allowed"'))
    assert flaws(changed, first.anchor, None) == ["its content was changed"]
    other = read_line(some[1].replace(first.entry.hash.encode(), b"5" * 64))
    assert flaws(other, first.anchor, None) == ["its content was changed", "it does not follow the entry before it"]


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\n", b"{}\n", b"x" * 300 + b"\n", b"[" * 100_000 + b"\n", b"x" * (LONGEST + 1),
        b'{"entry":' + b"[" * 1000 + b',"hash":"' + b"0" * 64 + b'","seal":"' + b"0" * 64 + b'"}\n',
        b'{"entry":{},"hash":"' + b"0" * 64 + b'","seal":"' + b"0" * 64 + b'"}\n',
        b'{"entry":' + b"9" * 5000 + b',"hash":"' + b"0" * 64 + b'","seal":"' + b"0" * 64 + b'"}\n',
    ],
    ids=range(9),
)  # fmt: skip
def test_hostile_lines_cost_a_message(line: bytes) -> None:
    with pytest.raises(FileError, match="line of the journal"):
        read_line(line)


def test_a_line_without_its_end_is_none(some: list[bytes]) -> None:
    with pytest.raises(FileError, match="something else"):
        read_line(some[1][:-1])


@pytest.mark.parametrize("request_", [{"a": "x" * LONGEST}, {"a": 10**400}, {"a": None}], ids=range(3))
def test_what_could_not_be_read_again_is_not_written(request_: dict[str, object], some: list[bytes]) -> None:
    body = {**json.loads(some[1])["entry"], "request": request_}
    if request_["a"] is None:
        body["request"] = {"a": json.loads("[" * 60 + "]" * 60)}
    with pytest.raises(ParameterError, match="An entry of the journal must have at most"):
        ChainedLine.make(body, JournalKeys(KEY))


def test_lines_have_a_bounded_length() -> None:
    content = b"a\n" + b"b" * (3 * LONGEST) + b"\nc\nd"
    found = list(lines(io.BytesIO(content), len(content)))
    assert b"".join(found) == content
    assert max(map(len, found)) == LONGEST + 1
    assert found[0] == b"a\n"
    assert found[-2:] == [b"c\n", b"d"]
    assert list(lines(io.BytesIO(content), 1)) == [b"a"]
