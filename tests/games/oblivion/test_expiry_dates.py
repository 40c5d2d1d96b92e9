from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.expiry_dates import date_bits, may_be_used, read_date, signed_notice
from tacita.games.oblivion.pseudonyms import Signer
from tests.effort import examples

DAY = date(2026, 6, 30)
SOURCE = Signer(np.random.default_rng(1))


@settings(max_examples=examples(60))
@given(st.dates(date(2000, 1, 1), date(2179, 6, 6)), st.integers(24, 200))
def test_a_date_is_read_as_it_was_written(day: date, positions: int) -> None:
    assert read_date(date_bits(day, positions)) == day


def test_a_date_survives_losses_and_lies_of_a_minority() -> None:
    rng = np.random.default_rng(2)
    bits = date_bits(DAY, 24 * 9)
    spoiled = bits.copy()
    spoiled[rng.permutation(len(bits))[:90]] = -1
    assert read_date(spoiled) == DAY
    flipped = bits.copy().reshape(9, 24)
    for column in range(24):
        flipped[rng.permutation(9)[:4], column] ^= 1
    assert read_date(flipped.ravel()) == DAY


def test_random_marks_say_no_date() -> None:
    rng = np.random.default_rng(3)
    read = [read_date(rng.integers(0, 2, 240)) for _ in range(400)]
    assert sum(found is not None for found in read) < 10  # one in 256, but for ties
    assert read_date(np.full(100, -1)) is None


def test_a_client_uses_content_until_its_date() -> None:
    bits, notice = date_bits(DAY, 48), signed_notice("survey", DAY, SOURCE)
    assert may_be_used(bits, notice, DAY) == "may be used"
    assert may_be_used(bits, notice, DAY + timedelta(days=1)) == "expired"
    assert may_be_used(np.full(48, -1), notice, DAY) == "bare"
    assert may_be_used(bits, None, DAY) == "date differs"


def test_a_later_notice_does_not_help() -> None:
    """Neither one that the holder wrote over, nor one of the source for another date."""
    bits, later = date_bits(DAY, 48), DAY + timedelta(days=365)
    notice = signed_notice("survey", DAY, SOURCE)
    forged = replace(notice, expires=later)
    assert not forged.holds
    assert may_be_used(bits, forged, DAY + timedelta(days=1)) == "date differs"
    assert may_be_used(bits, signed_notice("survey", later, SOURCE), DAY + timedelta(days=1)) == "date differs"


@pytest.mark.parametrize("day", [date(1999, 12, 31), date(2179, 6, 7), "2026-06-30", None])
def test_days_that_cannot_be_written_are_refused(day: object) -> None:
    with pytest.raises(ParameterError, match="'expires'"):
        date_bits(day, 48)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="at least 24 positions"):
        date_bits(DAY, 23)
