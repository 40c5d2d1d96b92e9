from __future__ import annotations

import pytest

from tacita.core.errors import ColumnError, ParameterError
from tacita.data.query_log.log_columns import AOL_HEADER, LogColumns, chosen_columns


def test_columns_are_known_by_the_names_of_tacita_and_aol() -> None:
    assert chosen_columns("a", ["query", "user", "time"], None).named() == {
        "user": "user",
        "query": "query",
        "time": "time",
    }
    found = chosen_columns("a", AOL_HEADER[:3], None)
    assert found.named() == {"user": "AnonID", "query": "Query", "time": "QueryTime"}
    with pytest.raises(ColumnError, match="among its 2"):
        chosen_columns("a", ["User", "Query"], None)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"user": "", "query": "q"}, "'user'"),
        ({"user": "u", "query": 3}, "'query'"),
        ({"user": "u", "query": "u"}, "a column of its own"),
        ({"user": "u", "query": "q", "time_format": "seconds"}, "without 'time'"),
        ({"user": "u", "query": "q", "time": "t", "time_format": "secons"}, "Did you mean 'seconds'"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, str], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        LogColumns(**given)  # type: ignore[arg-type]


def test_all_columns_that_lack_are_named_and_twins_refused() -> None:
    with pytest.raises(ColumnError, match=r"'usr' is not a column of 'a'. Did you mean 'user'\? 'q' is not"):
        chosen_columns("a", ["user", "text"], LogColumns(user="usr", query="q"))
    with pytest.raises(ColumnError, match="several columns of the name 'user'"):
        chosen_columns("a", ["user", "user", "query"], None)
