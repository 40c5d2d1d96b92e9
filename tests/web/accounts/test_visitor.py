"""Visitors: roles in their order, data sets, ranges of addresses."""

from __future__ import annotations

import dataclasses

import pytest

from tacita.core.errors import ParameterError
from tacita.web.accounts.visitor import ROLES, Visitor, address_range, check_name
from tests.web.accounts.children import ANN, EVE


@pytest.mark.parametrize("own", ROLES)
@pytest.mark.parametrize("asked", ROLES)
def test_a_role_may_what_those_before_it_may(own: str, asked: str) -> None:
    visitor = dataclasses.replace(ANN, role=own)
    assert visitor.may(asked) == (ROLES.index(own) >= ROLES.index(asked))


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"got 'steard'\. Did you mean 'steward'\?"):
        ANN.may("steard")


def test_data_sets_are_those_that_are_named() -> None:
    assert ANN.may_see("survey")
    assert not ANN.may_see("register")
    assert dataclasses.replace(ANN, datasets=("*",)).may_see("register")


def test_somebody_without_a_token_is_known_by_the_range_of_the_address() -> None:
    assert Visitor("anonymous:198.51.100.0/24", "public", "", ("*",), "198.51.100.9") == EVE
    assert EVE.is_anonymous
    assert not ANN.is_anonymous
    assert not EVE.may("researcher")


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        (" 192.0.2.77 ", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2ff:5::9", "2001:db8:1:200::/56"),
        ("2001:db8:1:3ff:5::9", "2001:db8:1:300::/56"),
        ("fe80::1%eth0", "fe80::/56"),
        ("", "unknown"),
        ("localhost", "unknown"),
        ("192.0.2.777", "unknown"),
        ("192.0.2.77:8000", "unknown"),
        ("1" * 100_000, "unknown"),
    ],
)
def test_ranges(address: str, found: str) -> None:
    assert address_range(address) == found


@pytest.mark.parametrize("name", ["", " ann", "a\nb", "a\0b", "x" * 201, 7, None])
def test_what_is_no_name_is_refused_without_an_echo(name: object) -> None:
    with pytest.raises(ParameterError, match=r"^'user' must be a text of 1 to 200 printable characters") as found:
        check_name(name, "user")
    assert "x" * 201 not in str(found.value)
