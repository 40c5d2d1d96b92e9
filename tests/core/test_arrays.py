"""The types of arrays: each name stands for the kind of number that its docstring says."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

from tacita.core import arrays


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("FloatArray", np.float64),
        ("IntArray", np.int64),
        ("BoolArray", np.bool_),
        ("PlaceArray", np.int32),
        ("WordArray", np.uint64),
        ("SingleArray", np.float32),
    ],
)
def test_a_type_of_arrays_holds_one_kind_of_number(name: str, kind: type[Any]) -> None:
    _, dtype = get_args(getattr(arrays, name))
    assert get_args(dtype) == (kind,)


def test_every_type_is_exported() -> None:
    made = {name for name in vars(arrays) if name.endswith(("Array", "1", "2", "3")) and not name.startswith("_")}
    assert made | {"ArrayForm", "Whole"} == set(arrays.__all__)


@pytest.mark.parametrize("name", [name for name in arrays.__all__ if name[-1].isdigit()])
def test_an_exact_type_says_what_its_name_says(name: str) -> None:
    kind, form = get_args(getattr(arrays, name))
    dtype = get_args(get_args(kind)[1])[0]
    assert (np.dtype(form.dtype), form.ndim) == (np.dtype(dtype), int(name[-1]))
    assert form.frozen == name.startswith("Frozen")
