from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.query_log.files import cut_lines as module
from tacita.data.query_log.files.cut_lines import cut_lines
from tacita.data.query_log.files.log_bytes import LineBlock

PIECES = [b"a", b"bc", b"\t", b"\t\t", b"\n", b"\r\n", b"\r", b"\0", b"\xff", b'"']
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join)


@given(TEXTS)
def test_fields_are_those_of_a_split(text: bytes) -> None:
    plain = [line.removesuffix(b"\r") for line in text.split(b"\n")]
    expected = [(number, line.split(b"\t")) for number, line in enumerate(plain, 7) if line]
    cut = cut_lines(LineBlock(text, 7), b"\t")
    assert cut.number.tolist() == [number for number, _ in expected]
    assert cut.fields.tolist() == [len(fields) for _, fields in expected]
    everything = np.arange(len(expected))
    assert cut.whole(everything).to_pylist() == [b"\t".join(fields) or None for _, fields in expected]
    for place in range(4):
        lines = np.flatnonzero(cut.fields > place)
        assert cut.field(place, lines).to_pylist() == [expected[line][1][place] or None for line in lines]
    for why, sign in (("zero byte", b"\0"), ("encoding", b"\xff")):
        flags = cut.wrong.get(why, np.zeros(len(expected), bool))  # type: ignore[call-overload]
        assert flags.tolist() == [sign in b"\t".join(fields) for _, fields in expected]


@given(st.lists(st.sampled_from([b"ab", b"ac", b"a", b"abc", b""]), max_size=9))
def test_lines_that_are_the_same(lines: list[bytes]) -> None:
    cut = cut_lines(LineBlock(b"\n".join(lines), 1), b"\t")
    assert cut.are(b"ab").tolist() == [line == b"ab" for line in lines if line]


def test_lines_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 3)
    assert cut_lines(LineBlock(b"abc\nabcd\n", 1), b"\t").wrong["too long"].tolist() == [False, True]
