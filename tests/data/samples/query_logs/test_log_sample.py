"""The log with its truth: what it shows, and what it says about a kind that there is not."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.data.samples import query_log


def test_its_repr_shows_no_text_and_no_name() -> None:
    sample = query_log(30, seed=1)
    shown = f"{sample!r} {sample} {sample.log!r} {sample.directory!r}"
    assert shown.startswith("LogSample of ")
    hidden = [text for text in (*sample.log.texts.to_pylist(), *sample.names.to_pylist()) if len(text) > 4]
    known = {"users", "query", "queries", "different", "lines", "directory", "entries", "categories"}
    assert not [text for text in hidden if text in shown and text not in known]
    assert not [number for number in sample.log.users.to_pylist() if number in shown.split()]


def test_an_unknown_kind_is_an_error_with_a_hint() -> None:
    with pytest.raises(ParameterError, match=r"'kinds' must be among topical, .* Did you mean 'vanity'"):
        query_log(3, seed=1).is_of("vanty")


def test_several_kinds_at_once() -> None:
    sample = query_log(30, seed=1)
    both = sample.is_of("topical", "navigational")
    assert both.sum() == sample.is_of("topical").sum() + sample.is_of("navigational").sum()
    assert not sample.is_of().any()
