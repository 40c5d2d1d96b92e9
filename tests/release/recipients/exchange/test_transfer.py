"""Oblivious transfer; it tests ``tacita.release.recipients.exchange.group`` too."""

from __future__ import annotations

import random

import pytest

from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.release.recipients.exchange.group import (
    GENERATOR,
    MODULUS,
    FixedBase,
    element_of,
    from_text,
    inverse,
    power,
    to_text,
)
from tacita.release.recipients.exchange.transfer import (
    ITEMS,
    DrawnItem,
    Sender,
    choose,
    commitment,
    constants,
    open_item,
)

OFFICE, RECIPIENT, SESSION = Key(bytes(range(50, 82))), Key(bytes(range(90, 122))), b"session"


def is_prime(n: int, rounds: int = 8) -> bool:
    """Miller and Rabin's test."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    draw = random.Random(1)
    for _ in range(rounds):
        x = pow(draw.randrange(2, n - 1), odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def test_the_modulus_is_that_of_rfc_3526_and_a_safe_prime() -> None:
    """2^2048 - 2^1984 - 1 + 2^64 ([2^1918 pi] + 124476): its first and last 64 bits are ones, and pi stands between."""
    assert MODULUS.bit_length() == 2048
    assert MODULUS % 2**64 == 2**64 - 1
    pi = (MODULUS - 2**2048 + 2**1984 + 1) // 2**64 - 124476
    assert abs(pi / 2**1918 - 3.141592653589793) < 1e-15
    assert is_prime(MODULUS)
    assert is_prime((MODULUS - 1) // 2)
    assert power(GENERATOR, (MODULUS - 1) // 2) == 1


@pytest.mark.parametrize("item", [0, 3])
def test_the_chosen_item_opens_and_no_other_does(item: int) -> None:
    sender = Sender(OFFICE, SESSION)
    choice = DrawnItem(item, 987654321)
    items = [bytes([i]) * 20 for i in range(ITEMS)]
    locked = sender.encrypt(7, commitment(choice, constants(SESSION), FixedBase(GENERATOR)), items)
    assert open_item(choice, FixedBase(sender.announced), SESSION, 7, locked) == items[item]
    announced = FixedBase(sender.announced)
    for other in set(range(ITEMS)) - {item}:
        with pytest.raises(DataError, match="does not open"):
            open_item(DrawnItem(other, 987654321), announced, SESSION, 7, locked)
    with pytest.raises(DataError, match="does not open"):
        open_item(choice, announced, SESSION, 8, locked)
    assert all(text not in b"".join(locked) for text in items)


def test_what_the_office_sees_fits_every_choice() -> None:
    """For each item there is a k that gives the same PK_0: here with a group in which logarithms are found by looking."""
    p, q, g = 23, 11, 4
    squares = [pow(g, e, p) for e in range(q)]
    for asked in squares:
        assert len([k for k in range(q) if pow(g, k, p) == asked]) == 1
        for c in squares:
            assert len([k for k in range(q) if c * pow(pow(g, k, p), -1, p) % p == asked]) == 1


def test_choices_are_drawn_evenly_and_again_the_same() -> None:
    drawn = [choose(RECIPIENT, SESSION, place).item for place in range(3000)]
    counts = [drawn.count(item) for item in range(ITEMS)]
    assert min(counts) > 500
    assert choose(RECIPIENT, SESSION, 3) == choose(RECIPIENT, SESSION, 3)
    assert choose(RECIPIENT, b"other", 3) != choose(RECIPIENT, SESSION, 3)


def test_an_element_that_is_no_square_tells_nothing_of_the_parity_of_r() -> None:
    sender = Sender(OFFICE, SESSION)
    not_a_square = next(x for x in range(2, 50) if power(x, (MODULUS - 1) // 2) != 1)
    assert sender._r % 2 == 0
    assert power(power(not_a_square, sender._r), (MODULUS - 1) // 2) == 1


def test_elements_as_texts() -> None:
    element = element_of(b"x")
    assert from_text(to_text(element)) == element
    assert element * inverse(element) % MODULUS == 1
    for bad in (None, 5, "", "zz" * 256, to_text(0), to_text(1), to_text(MODULUS - 1), "ff" * 256):
        with pytest.raises(DataError, match="no element of the group"):
            from_text(bad)
