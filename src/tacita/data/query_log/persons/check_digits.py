"""Numbers with check digits: cards by the rule of Luhn, accounts by that of IBAN; all texts at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray
from tacita.data.query_log.persons.patterns import CARD, IBAN, IBAN_LENGTHS

__all__ = ["has_account", "has_card"]


def has_card(texts: pa.StringArray) -> BoolArray:
    """Return which texts have a number of 13 to 19 digits that fulfils the rule of Luhn; the first long one is looked at.

    Examples
    --------
    >>> has_card(pa.array(["visa 4111 1111 1111 1111", "4111 1111 1111 1112"])).tolist()
    [True, False]
    """
    digits = pc.struct_field(pc.extract_regex(texts, CARD), "card")
    digits = pc.fill_null(pc.replace_substring_regex(digits, "[^0-9]", ""), "")
    values = _letters(digits)
    length = np.array(pc.binary_length(digits))
    # From the right: every second digit is doubled, and its digits are added.
    number = np.where(values > 0, values.astype(np.int64) - ord("0"), 0)
    doubled = (length[:, None] - 1 - np.arange(values.shape[1])) % 2 == 1
    twice = 2 * number - 9 * (number > 4)
    total = np.where(doubled, twice, number).sum(axis=1)
    found: BoolArray = (length >= 13) & (length <= 19) & (total % 10 == 0) & (total > 0)
    return found


def has_account(texts: pa.StringArray) -> BoolArray:
    """Return which folded texts have an IBAN whose check digits are right; the first that looks like one is looked at.

    Examples
    --------
    >>> has_account(pa.array(["de89 3704 0044 0532 0130 00 bank", "de88370400440532013000"])).tolist()
    [True, False]
    """
    found = pc.struct_field(pc.extract_regex(texts, IBAN), "iban")
    found = pc.fill_null(pc.replace_substring(found, " ", ""), "")
    countries = pa.array(sorted(IBAN_LENGTHS))
    place = pc.fill_null(pc.index_in(pc.utf8_slice_codeunits(found, 0, 2), countries), -1).to_numpy(
        zero_copy_only=False
    )
    wanted = np.array([*(IBAN_LENGTHS[country] for country in countries.to_pylist()), 0])[place]
    values = _letters(found)
    is_whole = (wanted > 0) & (np.array(pc.binary_length(found)) >= wanted)
    rest = np.zeros(len(texts), np.int64)
    # The first four signs count last; a letter counts as two digits, from 10.
    for step in range(4, max(IBAN_LENGTHS.values()) + 4):
        here = np.where(step < wanted, step, step - wanted)
        sign = values[np.arange(len(values)), np.clip(here, 0, values.shape[1] - 1)].astype(np.int64)
        digit = sign - np.where(sign >= ord("a"), ord("a") - 10, ord("0"))
        grown = (rest * np.where(sign >= ord("a"), 100, 10) + digit) % 97
        rest = np.where(is_whole & (step < wanted + 4), grown, rest)
    is_right: BoolArray = is_whole & (rest == 1)
    return is_right


def _letters(texts: pa.StringArray) -> npt.NDArray[np.uint8]:
    """Return short ASCII texts as rows of their bytes, zeros behind the last."""
    width = max(int(pc.max(pc.binary_length(texts)).as_py() or 0), 1)
    padded = pc.utf8_rpad(texts, width, "\0")
    flat: npt.NDArray[np.uint8] = np.frombuffer(padded.buffers()[2] or b"", np.uint8)
    return flat[: width * len(texts)].reshape(len(texts), width)
