from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.query_log.files.utf8 import bad_bytes, not_utf8

PIECES = st.sampled_from(
    [b"a", b"\n", b"\x80", b"\xbf", b"\xc3", b"\xa9", b"\xc0", b"\xe0", b"\xed", b"\xa0", b"\x9f", b"\xf0", b"\x90", b"\x8f",
     b"\xf4", b"\xf5", b"\xff", "é".encode(), "日".encode(), "🙂".encode(), "\ufeff".encode()]
)  # fmt: skip
BYTES = st.lists(PIECES, max_size=14).map(b"".join) | st.binary(max_size=12)


def decodes(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeError:
        return False
    return True


@given(BYTES)
def test_lines_are_bad_where_python_says_so(text: bytes) -> None:
    lines = text.split(b"\n")
    starts = np.cumsum([0, *(len(line) + 1 for line in lines[:-1])])
    found = np.zeros(len(lines), bool)
    found[np.searchsorted(starts, bad_bytes(text), side="right") - 1] = True
    assert found.tolist() == [not decodes(line) for line in lines]


@given(st.lists(st.none() | BYTES, max_size=6), st.integers(0, 3))
def test_entries_are_bad_where_python_says_so(texts: list[bytes | None], skipped: int) -> None:
    values = pa.array(texts, pa.binary()).slice(skipped)
    assert not_utf8(values).tolist() == [text is not None and not decodes(text) for text in texts[skipped:]]


@pytest.mark.parametrize("first", range(0x80, 0x100))
def test_no_character_is_put_together_of_two_entries(first: int) -> None:
    assert not_utf8(pa.array([bytes([first]), b"\xa9\x80\x80"])).tolist() == [True, True]
