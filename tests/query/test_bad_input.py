"""Bad input: one shape for every refusal, a rule's name, a hint made of published metadata, an entry in the journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import FileError, ParameterError
from tacita.query.database import Database
from tacita.query.requests import KINDS_OF_REQUEST
from tests.query.builders import KEY, opened, survey

DB = opened(survey(), "internal")
SHAPE = {"status", "reasons", "hint", "id", "request"}


def _wide() -> dict[str, Any]:
    return {"kind": "tabulate", "by": ["occupation", "birth_country", "income", "tax", "savings"]}


BAD: dict[str, tuple[Any, str]] = {
    "unknown variable": ({"kind": "tabulate", "by": ["sexx"]}, "unknown_variable"),
    "unknown class": ({"kind": "tabulate", "by": ["sex"], "where": {"sex": ["x"]}}, "unknown_class"),
    "unknown bin": ({"kind": "tabulate", "by": ["sex"], "where": {"age": ["17 to 17.5"]}}, "unknown_class"),
    "empty universe": (
        {"kind": "tabulate", "by": ["sex"], "where": {"birth_country": ["Brazil"], "education": ["doctorate"]}},
        "set_size",
    ),
    "a million cells": (_wide(), "table_size"),
    "a key as response": ({"kind": "statistic", "response": "age", "statistic": "mean"}, "variable_use"),
    "an identifier": ({"kind": "tabulate", "by": ["person_id"]}, "unknown_variable"),
    "the weight": ({"kind": "statistic", "response": "weight", "statistic": "sum"}, "unknown_variable"),
    "no JSON": ("{", "request_form"),
    "no text": (b"\xff\xfe", "request_form"),
    "a list": ("[]", "request_form"),
    "a number": ("5", "request_form"),
    "no kind": ("{}", "request_form"),
    "unknown kind": ({"kind": "tabulat", "by": ["sex"]}, "request_form"),
    "a kind that is none": ({"kind": ["tabulate"]}, "request_form"),
    "unknown setting": ({"kind": "tabulate", "by": ["sex"], "having": "1=1"}, "request_form"),
    "a wrong type": ({"kind": "tabulate", "by": 5}, "request_form"),
    "no universe": ({"kind": "tabulate", "by": ["sex"], "where": {"any": []}}, "request_form"),
    "no class": ({"kind": "tabulate", "by": ["sex"], "where": {"sex": []}}, "request_form"),
    "SQL": ({"kind": "tabulate", "by": ["sex; DROP TABLE survey"]}, "unknown_variable"),
    "no character": ({"kind": "tabulate", "by": ["\ud800"]}, "request_form"),
    "no character in a class": ({"kind": "tabulate", "by": ["sex"], "where": {"sex": ["\udfff"]}}, "request_form"),
    "a very long name": ({"kind": "tabulate", "by": ["x" * 500_000]}, "unknown_variable"),
    "a very long text": ('{"kind": "tabulate", "by": ["' + "x" * 2_000_000 + '"]}', "request_form"),
    "deep": ('{"kind": "tabulate", "where": ' + '{"any": [' * 3000 + "]}" * 3000 + "}", "request_form"),
    "a number that is none": ('{"kind": "quantiles", "response": "income", "levels": [NaN]}', "request_form"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_has_one_shape(what: str) -> None:
    request, rule = BAD[what]
    before = len(list(DB.journal.entries()))
    answer = DB.ask(request, user="eve")
    plain = json.loads(answer.to_json())
    assert (plain["status"], plain["reasons"]) == ("refused", [rule])
    assert set(plain) == SHAPE
    assert len(plain["hint"]) < 400
    entries = list(DB.journal.entries())
    assert len(entries) == before + 1, "refusals are in the journal"
    assert (entries[-1].status, entries[-1].answer, entries[-1].rules[-1].rule) == ("refused", None, rule)


def test_a_request_as_an_object_and_as_json_is_the_same_question() -> None:
    request = tc.query.Tabulate(by=["sexx"])
    found = {
        DB.ask(form).to_json() for form in (request, request.to_plain(), request.to_json(), request.to_json().encode())
    }
    assert len(found) == 1


def test_a_user_may_be_called_anything() -> None:
    assert DB.ask({"kind": "tabulate", "by": ["sex"]}, user="x" * 10_000).status == "answered"
    assert DB.ask({"kind": "tabulate", "by": ["sex"]}, user="\ud800").status == "answered"


WORDS = st.one_of(
    st.sampled_from(["sex", "female", "any", "income", "kind", "tabulate", "", "age", "(missing)"]),
    st.text(max_size=8),
    st.integers(-3, 3),
    st.floats(),
    st.booleans(),
    st.none(),
)
PLAIN = st.recursive(
    WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
NAMES = ["by", "where", "response", "statistic", "predictors", "columns", "levels", "above", "level", "family", "unit"]


@given(
    kind=st.sampled_from(sorted(KINDS_OF_REQUEST)),
    settings=st.dictionaries(st.sampled_from(NAMES), PLAIN, max_size=4),
)
def test_whatever_is_asked_is_answered_or_refused(kind: str, settings: dict[str, Any]) -> None:
    answer = DB.ask({"kind": kind, **settings})
    assert answer.status in ("answered", "refused")
    assert json.loads(answer.to_json())
    assert answer.status == "answered" or set(answer.to_plain()) == SHAPE


# --- keys and files -------------------------------------------------------------------------------------------------------


def _open(**options: Any) -> Database:
    return opened(survey(), "internal", **options)


def test_a_key_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"The key file 'key' cannot be read"):
        _open(key=tmp_path / "key")


@pytest.mark.parametrize(
    "content", [b"", b"00", b"0123456789abcde", b"0f" * 15], ids=["empty", "hex", "bytes", "15 bytes"]
)
def test_a_key_file_that_is_short(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(FileError, match=r"The key file 'key' must hold .* at least 16 bytes") as caught:
        _open(key=tmp_path / "key")
    assert content == b"" or content.decode() not in str(caught.value).replace("16", "").replace("32", "")


def test_a_key_that_is_short_or_none() -> None:
    with pytest.raises(ParameterError, match="'key' must have at least 16 bytes, got 5"):
        _open(key=b"short")
    with pytest.raises(ParameterError, match="'key' must be bytes"):
        _open(key=5)


def test_a_journal_of_another_key_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    _open(journal=path)
    before = path.read_bytes()
    with pytest.raises(FileError, match="written with another key"):
        _open(journal=path, key=KEY[::-1])
    assert path.read_bytes() == before
