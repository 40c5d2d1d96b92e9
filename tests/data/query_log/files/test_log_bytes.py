from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import FileError
from tacita.core.progress import task
from tacita.data.query_log.files import log_bytes
from tacita.data.query_log.files.log_bytes import ByteStream, ahead, beginning, checked_encoding, chunks, line_blocks
from tacita.data.query_log.log_reading import ReadingTally


@given(
    st.lists(st.sampled_from([b"a", b"bcd", b"\n", b"efghijk"]), max_size=30).map(b"".join),
    st.integers(1, 9),
    st.booleans(),
)
def test_blocks_have_all_lines_that_are_not_too_long(text: bytes, size: int, packed: bool) -> None:
    """Lines of more than six letters are left out, wherever the blocks are cut."""
    tally = ReadingTally(file="a")
    with pytest.MonkeyPatch.context() as patch, task("Reading log") as running:
        patch.setattr(log_bytes, "LONGEST", 6)
        patch.setattr(log_bytes, "chunks", lambda path, encoding, running: chunks(path, encoding, running, size))
        path = _written(text, packed)
        found: dict[int, bytes] = {}
        for block in line_blocks(path, "utf-8", tally, running):
            for number, line in enumerate(block.text.removesuffix(b"\n").split(b"\n"), block.first):
                found[number] = line
    lines = text.removesuffix(b"\n").split(b"\n") if text else []
    kept = {number: line for number, line in enumerate(lines, 1) if len(line) <= 6}
    assert {number: line for number, line in found.items() if len(line) <= 6} == kept
    assert set(kept) <= set(found) <= set(range(1, len(lines) + 1))
    long = {place for _, place in tally.first.get("too long", [])}
    assert not long & set(found)
    assert tally.lines == tally.broken.get("too long", 0) == len(lines) - len(found)


_FOLDER: list[Path] = []


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    _FOLDER[:] = [tmp_path]


def _written(text: bytes, packed: bool) -> Path:
    path = _FOLDER[0] / "a.txt"
    path.write_bytes(gzip.compress(text) if packed else text)
    return path


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=4), st.integers(1, 50))
def test_members_are_unpacked_one_after_the_other(members: list[bytes], size: int) -> None:
    path = _FOLDER[0] / "a.gz"
    path.write_bytes(b"".join(gzip.compress(member) for member in members))
    whole = b"".join(members)
    if not whole.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert b"".join(chunks(path, "utf-8", size=size)) == whole.removeprefix(b"\xef\xbb\xbf"[:size])


def test_many_empty_members_are_no_burden() -> None:
    """Each copies what follows it, so that a hostile file of them must not be taken in at once."""
    path = _FOLDER[0] / "a.gz"
    path.write_bytes(gzip.compress(b"") * 20_000 + gzip.compress(b"a"))
    assert list(chunks(path, "utf-8")) == [b"a"]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_gzip_file_that_is_cut_off_is_refused(cut: int) -> None:
    path = _written(b" ".join(b"%d" % (number * number) for number in range(90)), packed=True)
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(FileError, match="cut off or damaged"):
        list(chunks(path, "utf-8"))


def test_damage_within_is_found_by_the_check_sum() -> None:
    path = _written(bytes(range(256)) * 40, packed=True)
    content = bytearray(path.read_bytes())
    content[-6] ^= 1
    path.write_bytes(content)
    with pytest.raises(FileError, match="cut off or damaged"):
        list(chunks(path, "latin-1"))


def test_a_text_of_two_bytes_a_letter_may_be_cut_anywhere() -> None:
    path = _written("a日本\nb🙂\n".encode("utf-16"), packed=False)
    for size in range(1, 9):
        assert b"".join(chunks(path, "utf-16", size=size)).decode() == "a日本\nb🙂\n"


def test_the_beginning_is_short() -> None:
    path = _written(b"abc\n" * 100_000, packed=False)
    assert len(beginning(path, "utf-8", 1000)) == 1000
    assert checked_encoding("UTF8") == checked_encoding("utf-8-sig") == "utf-8"


def test_a_stream_of_chunks_is_a_file() -> None:
    stream = io.BufferedReader(ByteStream(iter([b"ab", b"", b"cdef", b"g"])))
    assert (stream.read(3), stream.read()) == (b"abc", b"defg")


def test_an_error_ahead_comes_where_its_item_would_be() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise FileError("here")

    coming = ahead(items())
    assert [next(coming), next(coming)] == [1, 2]
    with pytest.raises(FileError, match="here"):
        next(coming)
