from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.query_log.persons.check_digits import has_account, has_card
from tacita.data.query_log.persons.patterns import IBAN_LENGTHS

DIGITS = st.text("0123456789", min_size=11, max_size=21)


def luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 * (number > 9)
    return total % 10 == 0


@given(st.lists(DIGITS, max_size=5))
def test_cards_are_those_of_the_rule_of_luhn(numbers: list[str]) -> None:
    """Of more than 19 digits the first 19 are looked at."""
    expected = [len(digits) >= 13 and luhn(digits[:19]) and int(digits[:19]) > 0 for digits in numbers]
    assert has_card(pa.array(numbers, pa.string())).tolist() == expected
    spaced = pa.array([" ".join(digits) for digits in numbers], pa.string())
    assert has_card(spaced).tolist() == expected


@given(st.sampled_from(sorted(IBAN_LENGTHS)), st.data(), st.integers(0, 96))
def test_accounts_are_those_whose_rest_is_one(country: str, data: st.DataObject, wrong: int) -> None:
    length = IBAN_LENGTHS[country] - 4
    account = data.draw(st.text("0123456789abcxyz", min_size=length, max_size=length))
    whole = "".join(str(int(sign, 36)) for sign in account + country + "00")
    check = 98 - int(whole) % 97
    right = f"{country}{check:02d}{account}"
    other = f"{country}{(check + wrong) % 100:02d}{account}"
    rest = int("".join(str(int(sign, 36)) for sign in other[4:] + other[:4])) % 97
    spaced = " ".join(right[place : place + 4] for place in range(0, len(right), 4))
    found = has_account(pa.array([right, f"pay {spaced} now", other, right[:-1], None, ""]))
    assert found.tolist() == [True, True, rest == 1, False, False, False]
