"""The finder of identifying texts, by queries of a kind that is known; the forms are those of ``planted.py``, no others."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.data.query_log.identifying import (
    REASONS,
    IdentifyingTexts,
    identifying,
    identifying_queries,
    rare_texts,
)
from tacita.data.query_log.query_log import QueryLog
from tacita.data.samples.query_logs.query_log import query_log
from tests.data.query_log.planted import harmless, planted


def found(*texts: str | None) -> list[tuple[str, ...]]:
    outcome = identifying(pa.array(texts, pa.string()))
    return [outcome.reasons_of(place) for place in range(len(outcome))]


def test_planted_queries_are_found_and_harmless_ones_are_mostly_not() -> None:
    """Each reason is found in 97 % of the queries that have it, a possible name in 80 %; one of seven others is flagged."""
    rng = random.Random(7)
    rows = [row for _ in range(150) for row in planted(rng)]
    others = [harmless(rng) for _ in range(3000)]
    outcome = identifying(pa.array([text for _, text in rows] + others))
    reasons = np.array([reason for reason, _ in rows])
    assert set(reasons) == set(REASONS)
    for reason in REASONS:
        recall = outcome.of(reason)[: len(rows)][reasons == reason].mean()
        assert recall >= (0.8 if reason == "possible name" else 0.97), reason
        wrong = outcome.of(reason)[len(rows) :].mean()
        assert wrong <= {"possible name": 0.15, "name": 0.03}.get(reason, 0.002), reason
    assert outcome.of()[len(rows) :].mean() < 0.17


def test_a_made_log_of_another_hand() -> None:
    """Its names, streets and numbers do not come from the lists and patterns that look for them."""
    made = query_log(users=400, seed=3)
    outcome = identifying(made.log.texts).of()
    hit = outcome[made.log.query] & (made.log.query >= 0)
    assert hit[made.is_of("vanity")].mean() > 0.75
    assert hit[made.is_of("identifying")].mean() > 0.97
    assert hit[made.is_of("topical")].mean() < 0.05


PERSONS = (
    "thelma arnold lilburn ga", "mr john q public", "Mrs. Ethel Rosenberg", "müller, hans berlin",
    "hans-peter müller", "o'brien patrick dublin", "María García López", "JOHN SMITH'S HOUSE",
    "221b baker street london", "10 downing st", "calle mayor 15 3º b madrid", "c/ aragó 255",
    "gran via de les corts catalanes 585", "12 bis rue victor hugo", "hauptstr. 5 münchen",
    "kerkstraat 12 amsterdam", "ul. marszałkowska 10", "5551234", "(555)1234567", "+44 20 7946 0958",
    "0033 1 42 68 53 00", "93 123 45 67", "ssn 123456789", "123 45 6789", "4111111111111111",
    "es9121000418450200051332", "12/25/1965", "25.12.65", "december 25, 1965", "né le 25 décembre 1965",
    "john.smith@gmail", "jsmith [at] example [dot] org", "linkedin.com/in/jsmith", "90210", "sw1a 1aa", "75008 paris",
    "k1a0b1", "192.168.0.1", "fe80::1ff:fe23:4567:890a", "00:1a:2b:3c:4d:5e", "x1234567l", "rssmra85t10a562s",
    "tracking 1z999aa10123456784", "５５５-１２３-４５６７", "4111 1111 1111 1111",
)  # fmt: skip


@pytest.mark.parametrize("text", PERSONS)
def test_texts_from_elsewhere_that_could_name_a_person(text: str) -> None:
    assert found(text) != [()]


NOT_CLAIMED = (
    "thelma", "wojnarowicz", "johnsmith", "jhon smiht", "license plate abc 1234", "am markt 3 weimar", "unter den linden 77",
    "иван петров", "王小明", "5*5*5*1*2*3*4", "٥٥٥١٢٣٤٥٦٧", "school where i work in lilburn",
)  # fmt: skip


@pytest.mark.parametrize("text", NOT_CLAIMED)
def test_what_the_documentation_says_is_not_found_is_not(text: str) -> None:
    """Whoever mends one of these takes it out of the list here, and out of the notes of ``identifying``."""
    assert found(text) == [()]


@pytest.mark.parametrize(
    ("text", "is_card"),
    [("4111 1111 1111 1111", True), ("4111-1111-1111-1111", True), ("4111 1111 1111 1112", False), ("0" * 16, False)],
)
def test_cards_have_a_check_digit(text: str, is_card: bool) -> None:
    assert ("card" in found(text)[0]) == is_card
    assert "long number" in found(text)[0]


def test_years_side_by_side_are_no_number() -> None:
    assert found("elections 2000 2004 2006", "1998 1999 2000") == [(), ()]


def test_a_word_that_stands_elsewhere_is_no_surname() -> None:
    others = ["cool ringtone", "ringtone free", "ringtone ringtone"]
    texts = ["daniel ringtone", *others, "daniel harrowmoor", None, ""]
    assert found(*texts) == [(), (), (), (), ("possible name",), (), ()]


def test_names_and_patterns_of_the_caller() -> None:
    texts = pa.array(["the zorkmid cafe", "ann de la xyz", "ann de la", "Customer C-1234", "ÅSA", None])
    outcome = identifying(
        texts, names=["Zorkmid", "ann de la XYZ", "asa", ""], patterns={"customer": r"\bc-[0-9]{4}\b", "name": "cafe"}
    )
    assert outcome.reasons == (*REASONS, "customer")
    assert outcome.of("name").tolist() == [True, True, False, False, True, False]
    assert outcome.of("customer").tolist() == [False, False, False, True, False, False]


def test_patterns_that_are_none_are_refused() -> None:
    with pytest.raises(ParameterError, match="pattern of 'mine'"):
        identifying(pa.array(["a"]), patterns={"mine": "(?=look)"})
    with pytest.raises(ParameterError, match="'patterns'"):
        identifying(pa.array(["a"]), patterns={"": "a"})


def test_texts_may_be_none_chunked_large_or_a_slice() -> None:
    texts = ["x", "jane miller", None, "me@example.com"]
    expected = [(), ("name",), (), ("e-mail",)]
    assert found() == []
    for column in (pa.chunked_array([texts[:2], texts[2:]]), pa.array(texts, pa.large_string())):
        outcome = identifying(column)  # type: ignore[arg-type]
        assert [outcome.reasons_of(place) for place in range(4)] == expected
    assert identifying(pa.array(texts).slice(1, 2)).of().tolist() == [True, False]


def test_outcomes_combine_and_show_no_text() -> None:
    outcome = identifying(pa.array(["canary smith", "jane miller", "tea"]))
    assert "canary" not in repr(outcome)
    assert repr(outcome) == "IdentifyingTexts: 2 of 3 texts (name 1, possible name 1)"
    more = outcome.with_reason("rare", np.array([False, False, True])).with_reason(
        "rare", np.array([True, False, False])
    )
    assert more.of("rare").tolist() == [True, False, True]
    assert more.reasons_of(0) == ("possible name", "rare")
    assert outcome.reasons == REASONS
    with pytest.raises(ParameterError, match="Did you mean 'telephone'"):
        outcome.of("telefone")
    with pytest.raises(DataError, match="a flag for each"):
        outcome.with_reason("rare", np.array([True]))
    with pytest.raises(ParameterError, match="64 reasons"):
        IdentifyingTexts(tuple(str(n) for n in range(65)), np.zeros(1, np.uint64))
    full = IdentifyingTexts(tuple(str(n) for n in range(64)), np.zeros(1, np.uint64))
    assert full.with_reason("63", np.array([True])).reasons_of(0) == ("63",)
    with pytest.raises(ParameterError, match="64 reasons"):
        full.with_reason("64", np.array([True]))


def test_rare_counts_users_not_lines() -> None:
    log = QueryLog.from_columns(["a", "a", "a", "b", "c"], ["tea", "tea", "milk", "milk", None])
    assert rare_texts(log, 2).tolist() == [True, False]
    assert rare_texts(log.take(np.array([2, 3])), 1).tolist() == [True, False]
    outcome = identifying_queries(log, rare=2)
    assert outcome.of("rare").tolist() == [True, False]
    assert identifying_queries(log).reasons == REASONS
    with pytest.raises(ParameterError, match="'users'"):
        rare_texts(log, 0)
