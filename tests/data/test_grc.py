"""Rules of mu-ARGUS .grc files: reading, writing, applying."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacita.core.errors import FileError, SchemaError
from tacita.data.grc import CodeRange, Recoding

TEXT = """1: 1-10
2: 11,12, 15-19
3:20-
<MISSING> 98, 99
<CODELIST> ages.cdl
"""


def test_the_usual_forms() -> None:
    rules = Recoding.from_grc(TEXT)
    new = {value: rules.new_code(value, is_number=True) for value in ("1", "10", "11", "13", "17", "20", "500", "0")}
    assert new == {"1": "1", "10": "1", "11": "2", "13": "13", "17": "2", "20": "3", "500": "3", "0": "0"}
    assert rules.missing == ("98", "99")
    assert rules.codelist == "ages.cdl"
    assert rules.new_codes == ("1", "2", "3")


def test_open_ranges_and_lists_in_one_line() -> None:
    rules = Recoding.from_grc("1:3,5,7-\n2:-2\n")
    assert [rules.new_code(str(v), is_number=True) for v in range(1, 10)] == [
        "2",
        "2",
        "1",
        "4",
        "1",
        "6",
        "1",
        "1",
        "1",
    ]


def test_a_new_code_may_stand_for_missing() -> None:
    rules = Recoding.from_grc("9: 5-\n<MISSING> 9\n")
    assert rules.new_code("7", is_number=True) is None
    assert rules.new_code("9", is_number=True) is None
    assert rules.new_code("2", is_number=True) == "2"


def test_texts_are_texts() -> None:
    """A code with leading zeros is another code, unless the column holds numbers; words lie in no range of numbers."""
    rules = Recoding.from_grc("a: 1\nb: 2-5\nc: K-M\n")
    assert rules.new_code("01", is_number=False) == "01"
    assert rules.new_code("1.0", is_number=True) == "a"
    assert rules.new_code("unknown", is_number=False) == "unknown"
    assert rules.new_code("L", is_number=False) == "c"


@pytest.mark.parametrize(
    "text",
    [
        "1: 1-10\n2: 10-20\n",
        "1: -9\n2: 3,12\n",
        "1: 5-\n2: 7-\n",
        "a: K-M\nb: L\n",
        "a: K-M\nb: B-L\n",
        "a: 7\nb: 8, 7\n",
    ],
)
def test_overlapping_rules_are_refused(text: str) -> None:
    with pytest.raises(SchemaError, match=r"Rules 1 and 2 of the \.grc text overlap"):
        Recoding.from_grc(text)


@pytest.mark.parametrize("text", ["1: 1-10\n2: 11-\n3: -0.5\n", "a: K-M\nb: 2-5\nc: 01\nd: 1\n", "1: 3-5\n1: 4-9\n"])
def test_rules_that_do_not_contradict_each_other_are_read(text: str) -> None:
    assert Recoding.from_grc(text).rules


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6)), min_size=2, max_size=4))
def test_overlaps_are_those_of_the_codes(parts: list[tuple[int, int]]) -> None:
    text = "".join(f"n{i}: {low}-{low + more}\n" for i, (low, more) in enumerate(parts))
    codes = [code for low, more in parts for code in range(low, low + more + 1)]
    if len(set(codes)) == len(codes):
        assert len(Recoding.from_grc(text).rules) == len(parts)
    else:
        with pytest.raises(SchemaError, match="overlap"):
            Recoding.from_grc(text)


def test_quotes_hide_hyphens_and_commas() -> None:
    rules = Recoding.from_grc('coast: "A-1", "B,2"-"B,9"\n"a:b": "-5"\n')
    assert rules.new_code("A-1", is_number=False) == "coast"
    assert rules.new_code("B,5", is_number=False) == "coast"
    assert rules.new_code("-5", is_number=True) == "a:b"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "has no rule"),
        ("1 1-10", "Line 1 .* 'new code: old codes'"),
        ("1:", "Line 1 .* names no old code"),
        ("1: 1-2-3", "Line 1 .* cannot be read"),
        ("1: ,", "Line 1 .* cannot be read"),
        ("1: 2\n<SUBTOTAL> 3", "Line 2 .* not known"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        Recoding.from_grc(text)


def test_all_problems_at_once() -> None:
    with pytest.raises(SchemaError) as caught:
        Recoding.from_grc("1\n2:\n<X> y")
    assert len(caught.value.problems) == 3


CODES = st.text(
    st.characters(codec="ascii", exclude_characters='"\n\r\x0b\x0c\x1c\x1d\x1e\x85', min_codepoint=32), min_size=1
)


@given(st.lists(st.tuples(CODES, st.lists(st.tuples(CODES, CODES), min_size=1, max_size=3)), min_size=1, max_size=3))
def test_files_come_back(table: list[tuple[str, list[tuple[str, str]]]]) -> None:
    rules = Recoding(
        tuple((new, tuple(CodeRange(low, high) for low, high in old)) for new, old in table), ("9",), "x.cdl"
    )
    parts = [(new, part) for new, old in rules.rules for part in old]
    assume(not any(a != b and one.meets(two) for (a, one), (b, two) in itertools.combinations(parts, 2)))
    assert Recoding.from_grc(rules.to_grc()) == rules


def test_files(tmp_path: Path) -> None:
    rules = Recoding.from_grc(TEXT)
    assert Recoding.read(rules.write(tmp_path / "age.grc")) == rules
    (tmp_path / "old.grc").write_bytes("1: \u00e4".encode("cp1252"))
    assert Recoding.read(tmp_path / "old.grc").rules[0][1][0].low == "\u00e4"
    with pytest.raises(FileError, match=r"'none.grc' cannot be read"):
        Recoding.read(tmp_path / "none.grc")
