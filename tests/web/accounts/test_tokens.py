"""Tokens: their form, their secret, and what nobody can read out of what is kept."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.web.accounts.tokens import TokenFacts, digest_of, draw_token, is_same_secret, is_secret, split_token
from tests.effort import examples
from tests.web.accounts.children import BEGIN

GIVEN = {"user": "ann", "role": "researcher", "organisation": "", "datasets": ("survey",), "expires": None}


def test_a_token_has_256_bits_that_are_drawn_anew() -> None:
    made = [draw_token(**GIVEN, moment=BEGIN) for _ in range(20)]
    parts = [split_token(token.text) for token in made]
    assert all(part is not None and len(bytes.fromhex(part[1])) == 32 for part in parts)
    assert len({token.text for token in made}) == len({token.facts.id for token in made}) == 20
    assert all(token.text.startswith(f"tacita_{token.facts.id}_") for token in made)


def test_nothing_that_is_printed_shows_the_secret() -> None:
    made = draw_token(**GIVEN, moment=BEGIN)
    _, secret = split_token(made.text)
    assert secret not in repr(made)
    assert secret not in str(made.facts.to_plain())


def test_what_is_kept_is_the_hash() -> None:
    secret = "0f" * 32
    assert digest_of(secret) == hashlib.sha256(secret.encode()).hexdigest()
    assert is_same_secret(secret, digest_of(secret))
    assert not is_same_secret(secret, digest_of("f0" * 32))
    assert not is_same_secret(secret, None)


@given(st.text(max_size=200) | st.binary() | st.none())
@settings(max_examples=examples(30))
def test_what_is_no_token_is_none(text: object) -> None:
    assert split_token(text) is None
    assert not is_secret(text)


@pytest.mark.parametrize(
    "change", [str.upper, lambda t: t + " ", lambda t: t + "0", lambda t: t[:-1], lambda t: t + "\n"]
)
def test_a_token_is_taken_as_it_was_printed_only(change: object) -> None:
    assert split_token(change(draw_token(**GIVEN, moment=BEGIN).text)) is None


def test_facts_come_back_from_their_row() -> None:
    ends = datetime(2031, 1, 1, 12, tzinfo=UTC)
    facts = draw_token(**{**GIVEN, "datasets": ("ä b", 'c"d'), "expires": ends}, moment=BEGIN).facts
    assert TokenFacts.from_row(facts.to_row()) == facts
    assert facts.is_valid(ends.timestamp() - 1)
    assert not facts.is_valid(ends.timestamp())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"user": "anonymous:x"}, "must not begin with 'anonymous:'"),
        ({"user": ""}, "'user' must be a text"),
        ({"role": "boss"}, "'role' must be one of public, researcher, steward"),
        ({"organisation": "\t"}, "'organisation' must be a text"),
        ({"datasets": ()}, "'datasets' must be 1 to 1000 names"),
        ({"datasets": "survey"}, "'datasets' must be 1 to 1000 names"),
        ({"datasets": ("",)}, "'datasets' must be a text"),
        ({"expires": datetime(2031, 1, 1)}, "'expires' must have a time zone"),
        ({"expires": datetime(2029, 1, 1, tzinfo=UTC)}, "'expires' must lie in the future"),
    ],
)
def test_what_no_token_can_have_is_refused(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        draw_token(**{**GIVEN, **given}, moment=BEGIN)
