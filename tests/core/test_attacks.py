"""What a mask declares of its attacks."""

from __future__ import annotations

import pytest

from tacita.core.attacks import Attack, KnownAttack


def test_parameters_and_words_come_from_the_mask() -> None:
    attack = Attack(measure="m", knows="at most {p:g} %", takes=("p",), settings={"distance": "x"})
    assert attack.of(("a",), {"p": 14.0, "q": 1}) == KnownAttack(
        "m", ("a",), {"distance": "x", "p": 14.0}, "at most 14 %"
    )


def test_a_parameter_that_the_mask_has_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        Attack(measure="m", knows="", takes=("p",)).of((), {})
