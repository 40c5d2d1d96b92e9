"""Keys as parameters: a key or a path, and nothing that would be a key in a text."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.core.value_forms import MISFIT
from tacita.tables.perturbation.key_form import KeyForm


def test_a_key_or_a_path_fits() -> None:
    key = Key(bytes(range(3, 67, 2)))
    assert KeyForm().fit(key) is key
    assert KeyForm().fit("a.key") == "a.key"
    assert all(KeyForm().fit(value) is MISFIT for value in (None, 7, b"0123456789abcdef", ["a"]))


def test_the_error_says_what_is_wanted_and_not_the_value() -> None:
    with pytest.raises(ParameterError, match="a secret key or the path of a key file") as error:
        tc.tables.CellKey(key=b"4711471147114711")
    assert "4711" not in str(error.value)
