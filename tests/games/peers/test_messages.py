from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.peers.limits import LONGEST_QUERY, MOST_FRAME, MOST_HITS
from tacita.games.peers.messages import (
    BLOCK,
    REASONS,
    PeerMessage,
    SearchAnswer,
    SearchRefusal,
    SearchRequest,
    check_query,
    decode_message,
    encode_message,
    padded,
    unpadded,
)
from tacita.games.peers.noise import BrokenRulesError

CLEAN = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=120)
NUMBERS = st.integers(0, 2**53 - 1)
MESSAGES: st.SearchStrategy[PeerMessage] = st.one_of(
    st.builds(SearchRequest, NUMBERS, CLEAN.map(str.strip).filter(bool)),
    st.builds(SearchRefusal, NUMBERS, st.sampled_from(REASONS)),
    st.builds(
        SearchAnswer,
        NUMBERS,
        st.lists(st.tuples(CLEAN, st.floats(-1e6, 1e6)), max_size=MOST_HITS).map(tuple),
    ),
)


@given(MESSAGES)
def test_what_is_said_is_understood(message: PeerMessage) -> None:
    filled = padded(encode_message(message))
    assert len(filled) % BLOCK == 0
    assert decode_message(unpadded(filled)) == message


def _kind_of(read: Callable[[bytes], object], content: bytes) -> str:
    """``read``, or the kind of the rules that were broken; any other error is an error."""
    try:
        read(content)
    except BrokenRulesError as error:
        return error.kind
    return "read"


@given(st.binary(max_size=2 * BLOCK))
def test_whatever_comes_is_a_message_or_broken_rules(content: bytes) -> None:
    for read in (decode_message, unpadded):
        assert _kind_of(read, content) in {"form", "read"}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9), lambda x: st.lists(x, max_size=4), max_leaves=9
    )
)
def test_whatever_json_comes_is_a_message_or_broken_rules(value: object) -> None:
    for said in ({"ask": value, "query": value}, {"ask": 1, "query": value}, {"answer": 1, "hits": value}, value):
        assert _kind_of(decode_message, json.dumps(said).encode()) in {"form", "read"}


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[]",
        b"nonsense",
        b'{"ask":1}',
        b'{"ask":true,"query":"x"}',
        b'{"ask":-1,"query":"x"}',
        b'{"ask":1.0,"query":"x"}',
        b'{"ask":1,"query":""}',
        b'{"ask":1,"query":" x"}',
        b'{"ask":1,"query":"a\\u0000b"}',
        b'{"ask":1,"query":"a\\u001b[2Jb"}',
        b'{"ask":1,"query":"x","more":1}',
        b'{"refuse":1,"reason":"because"}',
        b'{"refuse":1,"reason":["busy"]}',
        b'{"answer":1,"hits":[["t",NaN]]}',
        b'{"answer":1,"hits":[["t",1e13]]}',
        b'{"answer":1,"hits":[["t"]]}',
        b'{"answer":1,"hits":"t"}',
        b"[" * 5000,
        b'{"ask":' + b"9" * 400 + b',"query":"x"}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_message_is_refused_without_its_content(said: bytes) -> None:
    with pytest.raises(BrokenRulesError) as caught:
        decode_message(said)
    assert caught.value.kind == "form"
    assert "because" not in str(caught.value)


def test_limits_of_what_is_said() -> None:
    decode_message(encode_message(SearchRequest(1, "x" * LONGEST_QUERY)))
    for message in (SearchRequest(1, "x" * (LONGEST_QUERY + 1)), SearchAnswer(1, (("t", 1.0),) * (MOST_HITS + 1))):
        with pytest.raises(BrokenRulesError):
            decode_message(encode_message(message))
    with pytest.raises(BrokenRulesError) as caught:
        padded(bytes(MOST_FRAME))
    assert caught.value.kind == "size"


def test_the_longest_answer_fits_into_a_frame() -> None:
    hits = (("\U0001f600" * 120, 123.4567),) * MOST_HITS
    assert len(padded(encode_message(SearchAnswer(2**53 - 1, hits)))) < MOST_FRAME


def test_lengths_say_little() -> None:
    lengths = {len(padded(encode_message(SearchRequest(7, "x" * size)))) for size in range(1, 400, 13)}
    assert lengths == {BLOCK}


@pytest.mark.parametrize(
    "filled", [b"", b"\0", bytes(BLOCK - 1), bytes(2 * BLOCK), b"\0\0\1" + bytes(BLOCK - 3), b"\xff" * BLOCK]
)
def test_what_does_not_fill_its_blocks_is_refused(filled: bytes) -> None:
    with pytest.raises(BrokenRulesError):
        unpadded(filled)


def test_queries_of_people_are_tidied() -> None:
    assert check_query("  two\u00a0 words\t") == "two words"
    assert check_query("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")  # a joiner belongs to the word
    for bad in ("", "  ", None, 7, "a\0b", "x" * (LONGEST_QUERY + 1), "\ud800"):
        with pytest.raises(ParameterError, match="1 to 512 characters"):
            check_query(bad)
