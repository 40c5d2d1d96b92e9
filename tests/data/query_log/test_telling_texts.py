"""What an intruder reads in texts: addresses, numbers, names; and what he leaves alone."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tacita.data.query_log.telling_texts import telling_texts


@pytest.mark.parametrize(
    ("text", "is_telling"),
    [
        ("write to Mary.Smith@example.com now", True),
        ("tom@example", False),
        ("555-123-4567", True),
        ("+44 (20) 7946 0958 owner", True),
        ("ssn 123 45 6789", True),
        ("may 2006", False),
        ("world cup 1966 2006", False),
        ("linda harrowmoor", True),
        ("Linda J. Harrowmoor genealogy", True),
        ("linda o'brien", True),
        ("linda", False),
        ("cheap flights", False),
        ("linda harrowmoor wants to see all of leeds", False),
        ("", False),
    ],
)
def test_a_text_is_read_as_anybody_would(text: str, is_telling: bool) -> None:
    assert telling_texts(pa.array([text])).any.tolist() == [is_telling]


def test_a_surname_has_one_number() -> None:
    found = telling_texts(pa.array(["mary harrowmoor", "tea", "Tom Harrowmoor leeds", "tom yarwick", None]))
    assert found.surname.tolist() == [0, -1, 0, 1, -1]
    assert not found.has_address.any()


def test_no_text_is_no_text() -> None:
    assert telling_texts(pa.array([], pa.string())).any.tolist() == []
