"""Errors: one tree, sentences without values, suggestions, and nothing lost between processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from tacita.core import errors
from tacita.core.errors import SchemaError, TacitaError, TacitaWarning, did_you_mean

TREE = {
    "ParameterError": ValueError,
    "AttackError": ValueError,
    "ColumnError": LookupError,
    "SchemaError": ValueError,
    "DataError": ValueError,
    "FileError": OSError,
    "RecipeError": ValueError,
    "MeasureError": ValueError,
    "ReleaseError": ValueError,
    "UnknownMethodError": LookupError,
}


def _make(name: str) -> TacitaError:
    kind = getattr(errors, name)
    told = ["One thing.", "Another."] if name == "SchemaError" else "One thing."
    return kind(told, details={"values": [3]})


@pytest.mark.parametrize("name", TREE)
def test_errors_are_ours_and_of_a_common_kind(name: str) -> None:
    error = _make(name)
    assert isinstance(error, TacitaError)
    assert isinstance(error, TREE[name])


def test_the_tree_is_complete() -> None:
    ours = {
        n
        for n, c in vars(errors).items()
        if isinstance(c, type) and issubclass(c, TacitaError) and c is not TacitaError
    }
    assert ours == set(TREE)
    assert set(errors.__all__) >= ours


@pytest.mark.parametrize("name", TREE)
def test_details_are_not_in_the_message(name: str) -> None:
    error = _make(name)
    assert "3" not in str(error)
    assert "3" not in repr(error)
    assert error.details == {"values": [3]}


@pytest.mark.parametrize("name", TREE)
@pytest.mark.parametrize("carry", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy], ids=["pickle", "copy"])
def test_errors_come_back_from_another_process(name: str, carry: object) -> None:
    error = _make(name)
    back = carry(error)  # type: ignore[operator]
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert back.details == error.details
    assert getattr(back, "problems", None) == getattr(error, "problems", None)


def test_schema_error_lists_everything() -> None:
    assert str(SchemaError(["One thing."])) == "The schema has a problem: One thing."
    two = SchemaError(iter(["One thing.", "Another."]))
    assert str(two) == "The schema has 2 problems:\n  - One thing.\n  - Another."
    assert two.problems == ("One thing.", "Another.")


def test_warnings_have_one_root() -> None:
    assert issubclass(errors.RepeatedReleaseWarning, TacitaWarning)
    assert issubclass(TacitaWarning, UserWarning)


@pytest.mark.parametrize(
    ("name", "options", "hint"),
    [
        ("incom", ["age", "income"], " Did you mean 'income'?"),
        ("Income", ["age", "income"], " Did you mean 'income'?"),
        ("xyz", ["age", "income"], ""),
        ("age", [], ""),
        ("", ["age"], ""),
    ],
)
def test_did_you_mean(name: str, options: list[str], hint: str) -> None:
    assert did_you_mean(name, options) == hint
