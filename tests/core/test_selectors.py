"""Rules for columns: words, alternatives, what a rule never selects."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.core.selectors import Selector, all_columns, keys, numeric, numeric_keys
from tacita.data.schema import Column

COLUMNS = (
    Column(name="id", scale="nominal", roles=("identifier",)),
    Column(name="house", scale="numeric", roles=("household",)),
    Column(name="age", scale="numeric", roles=("key",)),
    Column(name="sex", scale="nominal", roles=("key", "stratum")),
    Column(name="level", scale="ordinal", roles=("key",)),
    Column(name="income", scale="numeric", roles=("confidential", "key")),
    Column(name="birth", scale="date", roles=("linked",), linked_to="age"),
    Column(name="note", scale="nominal"),
    Column(name="size", scale="numeric"),
    Column(name="w", scale="numeric", roles=("weight",)),
)


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("keys", ("age", "sex", "level", "income")),
        ("numeric keys", ("age", "income")),
        ("categorical keys", ("sex", "level")),
        ("numeric ordinal keys", ("age", "level", "income")),
        ("confidential", ("income",)),
        ("strata", ("sex",)),
        ("linked", ("birth",)),
        ("other", ("note", "size")),
        ("nominal other", ("note",)),
        ("date columns", ("birth",)),
        ("numeric columns", ("age", "income", "size")),
        ("columns", ("age", "sex", "level", "income", "birth", "note", "size")),
        ("date keys", ()),
        ("date keys else numeric keys", ("age", "income")),
        ("date keys else date other else columns", ("age", "sex", "level", "income", "birth", "note", "size")),
        ("numeric keys else columns", ("age", "income")),
    ],
)
def test_what_a_rule_selects(rule: str, names: tuple[str, ...]) -> None:
    assert Selector(rule).pick(COLUMNS) == names


@pytest.mark.parametrize(
    "text", ["income", "", "numeric", "keys numeric", "metric keys", "keys else", "keys else income", "Numeric keys"]
)
def test_what_is_no_rule(text: str) -> None:
    assert not Selector.understands(text)
    with pytest.raises(ParameterError, match="A column rule must be made of the words numeric, ordinal, nominal, date"):
        Selector(text)


def test_names_for_common_rules() -> None:
    assert [str(rule) for rule in (numeric_keys(), numeric(), keys(), all_columns())] == [
        "numeric keys", "numeric columns", "keys", "columns",
    ]  # fmt: skip


def test_a_rule_shows_itself() -> None:
    assert repr(keys()) == "Selector('keys')"
    assert keys() == Selector("keys")
    assert hash(keys()) == hash(Selector("keys"))
