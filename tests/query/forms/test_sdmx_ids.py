"""Ids by the rules of SDMX: valid, different, the same in every table."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.forms.sdmx_ids import class_ids, component_ids, sdmx_version
from tests.effort import examples

COMPONENT = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
CODE = re.compile(r"[A-Za-z0-9_@$-]+")
NAMES = st.lists(
    st.text(max_size=6) | st.sampled_from(["a", "A", "a!", "-a", "a_2", "OBS VALUE"]), unique=True, max_size=8
)


@settings(max_examples=examples(30))
@given(NAMES)
def test_ids_of_variables_are_valid_and_different(names: list[str]) -> None:
    made = component_ids(names, ["OBS_VALUE"])
    assert all(COMPONENT.fullmatch(word) for word in made)
    assert len({*made, "OBS_VALUE"}) == len(names) + 1


@settings(max_examples=examples(30))
@given(NAMES)
def test_ids_of_classes_are_valid_and_different_and_no_formulas(classes: list[str]) -> None:
    made = class_ids([*classes, "(missing)"])
    assert all(CODE.fullmatch(word) and word[0] not in "=+-@" for word in made)
    assert len(set(made)) == len(made) == len(classes) + 1
    assert made[-1] == "_U"


def test_a_class_called_like_the_unknown_one_is_another() -> None:
    assert class_ids(["_U", "(missing)"]) == ["U", "_U"]


def test_many_classes_that_look_the_same() -> None:
    made = class_ids([f"{i:015b}".replace("0", "!").replace("1", "?") + "x" for i in range(20_000)])
    assert made[:2] == ["x", "x_2"]
    assert len(set(made)) == 20_000


@pytest.mark.parametrize("version", ["1.0", "1.0.0", "0.9.12", "2.0.0-draft", "1.0.0-a.b"])
def test_versions_of_the_standard_stay(version: str) -> None:
    assert sdmx_version(version) == version


@pytest.mark.parametrize(
    ("version", "made"),
    [("", "1.0.0"), ("7", "1.0.0-7"), ("007", "1.0.0-v007"), ("2024-03", "1.0.0-2024-03"), ("01.2", "1.0.0-01-2"),
     ("é)(,", "1.0.0-e")]
)  # fmt: skip
def test_other_versions_are_extensions(version: str, made: str) -> None:
    assert sdmx_version(version) == made
