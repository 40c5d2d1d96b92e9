"""A variable as questions see it: its classes, its bins, what it may be used for, and its form in a file."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.catalogue.variable import MISSING, USES, Variable
from tacita.query.cutpoints.bins import Bins

BINS = Bins(cuts=(17, 29, 44), whole=True, tree=((0, 1), (2, 3)))
AGE = Variable(name="age", classes=BINS.labels, bins=BINS, is_numeric=True, uses=("universe", "table"))
SEX = Variable(name="sex", classes=("f", "m"), has_missing=True, uses=("universe", "table", "response"), label="Sex")


def test_missing_is_the_last_class() -> None:
    assert SEX.all_classes == ("f", "m", MISSING)
    assert SEX.size == 3
    assert [SEX.numbers(word) for word in ("f", "m", MISSING)] == [(0,), (1,), (2,)]
    assert AGE.all_classes == AGE.classes
    assert AGE.size == 4


def test_bins_are_cutpoints() -> None:
    assert AGE.is_cutpoint
    assert not SEX.is_cutpoint


def test_a_node_of_the_tree_stands_for_its_bins() -> None:
    assert AGE.classes == ("up to 17", "18 to 29", "30 to 44", "above 44")
    assert AGE.numbers("18 to 29") == (1,)
    assert AGE.numbers("up to 29") == (0, 1)
    assert AGE.numbers("above 29") == (2, 3)
    assert AGE.numbers("18 to 44") == (1, 2)
    assert AGE.numbers("all values") == (0, 1, 2, 3)


@pytest.mark.parametrize("word", ["x", "", "F", "0", MISSING + " ", "x" * 10_000])
def test_other_words_are_no_classes(word: str) -> None:
    with pytest.raises(ParameterError, match="Variable 'sex' has no class") as found:
        SEX.numbers(word)
    assert len(str(found.value)) < 200


@pytest.mark.parametrize("word", ["17", "18 to 30", "up to 20", "0", MISSING, "above 17.5", "exactly 18", "x" * 10_000])
def test_bins_are_never_cut(word: str) -> None:
    with pytest.raises(ParameterError, match="must be one of the published ones") as found:
        AGE.numbers(word)
    assert len(str(found.value)) < 300


def test_a_class_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(ParameterError, match="Did you mean 'north'"):
        Variable(name="region", classes=("north", "south")).numbers("nort")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"uses": ("table", "weight")}, f"a use must be one of {', '.join(USES)}, got 'weight'"),
        ({"classes": ("f", "f")}, "two classes have the same name"),
        ({"classes": ("f", MISSING)}, "declare that value as missing"),
        ({"classes": (), "uses": ("table",)}, "give it cutpoints"),
        ({"classes": (), "uses": ("universe",)}, "give it cutpoints"),
        ({"bins": BINS}, "classes must be the bins"),
        ({"bins": BINS, "classes": BINS.labels}, "'is_numeric' says which"),
        ({"is_numeric": True}, "'is_numeric' says which"),
        ({"name": ""}, "must have a name"),
    ],
)
def test_contradictions_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Variable(**{"name": "sex", "classes": ("f", "m"), **wrong})


def test_a_number_without_cutpoints_has_no_classes() -> None:
    made = Variable(name="income", is_numeric=True, has_missing=True, uses=("response",))
    assert made.classes == ()
    assert not made.is_cutpoint


# --- files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variable", [AGE, SEX, Variable(name="x", is_numeric=True, may_log=True, made_from_data=True)])
def test_the_form_of_a_file_is_read_back(variable: Variable) -> None:
    assert Variable.from_plain(variable.to_plain()) == variable


def test_the_form_shows_what_is_published() -> None:
    assert SEX.to_plain() == {
        "name": "sex",
        "label": "Sex",
        "classes": ["f", "m"],
        "has_missing": True,
        "uses": ["universe", "table", "response"],
    }
    assert set(AGE.to_plain()) == {"name", "bins", "is_numeric", "uses"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"classes": "f"}, "must be lists of texts"),
        ({"classes": ["f", 1]}, "must be lists of texts"),
        ({"classes": {"f": 1}}, "must be lists of texts"),
        ({"uses": "table"}, "must be lists of texts"),
        ({"uses": [["table"]]}, "a use must be one of"),
        ({"uses": [5]}, "a use must be one of"),
        ({"use": ["table"]}, "no setting 'use'. Did you mean 'uses'"),
        ({"is_numeric": "no"}, "'is_numeric' must be true or false"),
        ({"has_missing": 1}, "'has_missing' must be true or false"),
        ({"may_log": "true"}, "'may_log' must be true or false"),
        ({"made_from_data": 0}, "'made_from_data' must be true or false"),
        ({"bins": [1, 2]}, "'bins' must be a table"),
        ({"bins": {"cuts": [1]}}, "without 'classes' beside it"),
        ({"bins": {"cuts": [2, 1]}, "classes": [], "is_numeric": True}, "'cuts' must ascend"),
        ({"bins": {"cuts": "x"}, "classes": [], "is_numeric": True}, "Bins: 'cuts' must be"),
        ({"bins": {"cuts": [1]}, "classes": []}, "'is_numeric' says which"),
    ],
)
def test_other_forms_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Variable.from_plain({"name": "sex", "classes": ["f", "m"], **wrong})


@pytest.mark.parametrize("given", [None, 5, "sex", [], {}, {"name": 5}, {"name": None}, {"classes": ["f"]}])
def test_other_things_are_no_variables(given: Any) -> None:
    with pytest.raises(ParameterError, match="must be a table with 'name'"):
        Variable.from_plain(given)
