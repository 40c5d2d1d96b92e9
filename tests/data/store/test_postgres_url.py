"""Addresses are shown without credentials, whatever they look like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.data.store.postgres_url import is_postgres_url, shown_url, with_patience


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://db/survey", "postgresql://db/survey"),
        ("postgres://office:canary@db:5433/survey", "postgresql://db:5433/survey"),
        ("POSTGRESQL://office:canary@[::1]:5433/survey", "postgresql://[::1]:5433/survey"),
        ("postgresql://office:ca%40nary@db/survey?sslmode=require", "postgresql://db/survey"),
        ("postgresql:///survey?host=/run&user=office&password=canary", "postgresql:///survey"),
        ("postgresql://canary@db", "postgresql://db/"),
    ],
)
def test_user_password_and_options_are_left_out(url: str, shown: str) -> None:
    assert is_postgres_url(url)
    assert shown_url(url) == shown


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://office:can@ary@db/survey",
        "postgresql://office:can/ary@db/survey",
        "postgresql://office:can#ary@db/survey",
        "postgresql://office:canary@db:port/survey",
        "postgresql://office:canary@[db/survey",
        "postgresql://office:canary@db/survey\0",
    ],
)
def test_an_address_that_cannot_be_taken_apart_is_not_repeated(url: str) -> None:
    with pytest.raises(ParameterError, match="must have the form") as caught:
        shown_url(url)
    assert not {"canary", "ary", "can", "office"} & set(str(caught.value).replace("@", " ").replace("/", " ").split())


@given(st.text(min_size=12, max_size=20).map(lambda text: "Q" + text + "Z"))
def test_no_password_is_ever_shown(password: str) -> None:
    try:
        shown = shown_url(f"postgresql://u:{password}@db/survey")
    except ParameterError as error:
        shown = str(error)
    assert password not in shown


def test_patience_has_an_end() -> None:
    assert with_patience("postgresql://db/x").endswith("x?connect_timeout=15")
    assert with_patience("postgresql://db/x?sslmode=require").endswith("require&connect_timeout=15")
    assert with_patience("postgresql://db/x?connect_timeout=3").endswith("x?connect_timeout=3")


@pytest.mark.parametrize("source", ["postgres.parquet", "mysql://db/x", "/postgresql://x", "postgresql:/db"])
def test_other_names_are_files(source: str) -> None:
    assert not is_postgres_url(source)
