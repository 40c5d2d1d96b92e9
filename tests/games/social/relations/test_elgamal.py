"""The group is the standard one, sums are added under encryption, and blinding leaves nothing but whether it was 0."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.games.social.relations.elgamal import Ciphertext, group_of, whole_number

GROUP = group_of(768)


def is_prime(n: int) -> bool:
    """Miller and Rabin, with six bases."""
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for base in range(2, 8):
        x = pow(base, d, n)
        if x in (1, n - 1):
            continue
        if not any((x := x * x % n) == n - 1 for _ in range(s - 1)):
            return False
    return True


@pytest.mark.parametrize("bits", [768, 1024, 2048])
def test_the_modulus_is_a_safe_prime_with_the_digits_of_pi(bits: int) -> None:
    group = group_of(bits)
    assert group.p.bit_length() == bits
    assert is_prime(group.p)
    assert is_prime(group.order)
    assert pow(2, group.order, group.p) == 1  # 2 is a square, so it generates the squares and nothing else
    assert f"{group.p:x}".startswith("ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd1")


@given(st.integers(-300, 300), st.integers(-300, 300), st.integers(0, 10**6))
def test_what_is_held_is_added(one: int, other: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    secret = GROUP.exponent(rng)
    public = GROUP.power(2, secret)
    a, b = GROUP.encrypt(public, one, rng), GROUP.encrypt(public, other, rng)
    assert GROUP.holds_zero(GROUP.shift(GROUP.add(a, b), -one - other), secret)
    assert GROUP.holds_zero(GROUP.subtract(a, b), secret) == (one == other)
    assert GROUP.holds_zero(GROUP.blind(a, rng), secret) == (one == 0)
    assert not GROUP.holds_zero(GROUP.encrypt(public, 0, rng), secret + 1)


def test_two_encryptions_of_one_number_have_nothing_in_common() -> None:
    rng = np.random.default_rng(1)
    public = GROUP.power(2, GROUP.exponent(rng))
    a, b = GROUP.encrypt(public, 3, rng), GROUP.encrypt(public, 3, rng)
    assert a.a != b.a
    assert a.b != b.b


def test_after_blinding_small_numbers_are_small_no_more() -> None:
    rng = np.random.default_rng(2)
    secret = GROUP.exponent(rng)
    blinded = GROUP.blind(GROUP.encrypt(GROUP.power(2, secret), 7, rng), rng)
    held = blinded.b * GROUP.power(blinded.a, -secret) % GROUP.p
    assert held not in {GROUP.power(2, m) for m in range(-2000, 2000)}
    assert GROUP.is_element(held)


def test_what_is_no_element_is_seen() -> None:
    assert GROUP.is_element(4)
    assert not any(GROUP.is_element(x) for x in (0, 1, GROUP.p, GROUP.p - 1))
    assert not GROUP.is_element(GROUP.p - 4)


def test_other_lengths_are_refused_and_numbers_are_as_long_as_asked() -> None:
    with pytest.raises(ParameterError, match="'bits'"):
        group_of(512)
    assert max(whole_number(np.random.default_rng(s), 256).bit_length() for s in range(20)) == 256
    assert GROUP.shift(Ciphertext(4, 8), 1).b == 16
