"""Numbers and names as a reader wants them: read back, they are what was written, to the digits that were asked for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.report.words import (
    GAP,
    NOTHING,
    coarse,
    count,
    decimals_of_spread,
    fixed,
    names_in_words,
    plain_text,
    quantity,
    significant,
    title_of,
)


def back(text: str) -> float:
    return float(text.replace(GAP, "").replace("−", "-"))


@given(st.floats(-1e14, 1e14), st.integers(0, 6))
def test_fixed_numbers_come_back(value: float, decimals: int) -> None:
    text = fixed(value, decimals)
    assert back(text) == pytest.approx(round(value, decimals), abs=0.51 * 10.0**-decimals)
    assert "-" not in text
    assert not (text.startswith("−") and back(text) == 0), "no zero has a minus"


@given(st.floats(1e-5, 1e12).flatmap(lambda v: st.sampled_from([v, -v])), st.integers(1, 6))
def test_significant_digits_come_back(value: float, digits: int) -> None:
    assert back(significant(value, digits)) == pytest.approx(value, rel=0.51 * 10.0 ** (1 - digits))


@pytest.mark.parametrize("nothing", [None, math.nan, math.inf])
def test_no_number_is_a_dash(nothing: float | None) -> None:
    assert fixed(nothing, 2) == significant(nothing) == quantity(nothing, "%") == NOTHING


def test_groups_begin_with_five_digits() -> None:
    assert count(9999) == "9999"
    assert count(12345) == f"12{GAP}345"
    assert count(-1234567) == f"−1{GAP}234{GAP}567"


@pytest.mark.parametrize(("value", "text"), [(0.2, "0.20"), (0.001, "below 0.01"), (14.02, "14.0"), (0.0, "0")])
def test_percentages_have_no_thousandths(value: float, text: str) -> None:
    assert quantity(value, "%") == f"{text}{GAP}%"


@given(st.floats(0.5, 1e6))
def test_the_public_sees_two_digits(value: float) -> None:
    rounded, text = coarse(value, "%")
    assert rounded == pytest.approx(value, rel=0.06, abs=0.5)
    assert rounded == round(rounded), "no finer than whole percent"
    assert text.endswith(f"{GAP}%")
    assert coarse(value)[0] == pytest.approx(value, rel=0.051)


def test_small_percentages_are_one_word() -> None:
    assert coarse(0.0001, "%") == coarse(0.49, "%") == (0.0, f"below 1{GAP}%")
    assert coarse(0.0, "%")[0] == 0.0


@pytest.mark.parametrize(("spread", "decimals"), [(0.0, 2), (math.inf, 2), (1e-30, 8), (1.0, 2), (99.0, 1), (1e9, 0)])
def test_decimals_follow_the_spread(spread: float, decimals: int) -> None:
    assert decimals_of_spread(spread) == decimals


def test_names_and_titles() -> None:
    assert names_in_words(list("abc"), limit=3) == "a, b, c"
    assert names_in_words(list("abcd"), limit=3) == "a, b, c and 1 more"
    assert title_of("k_anonymity") == "K anonymity"


def test_text_from_data_is_short_and_printable() -> None:
    assert plain_text("a\x00\x07b\x85c") == "a b c"
    assert len(plain_text("x" * 1_000_000)) == 100
    assert plain_text("x" * 101).endswith("…")
