"""Refusals in words: every rule has some, and none tells a threshold."""

from __future__ import annotations

import re

import pytest

import tacita.query.restrictions  # noqa: F401  every restriction enters the registry
from tacita.core import registry
from tacita.web.pages.refusals import RULES, refusal_words
from tests.architecture.source import SRC

_RAISED = re.compile(r"(?:RefusalError|ModelViolation|HttpRefusalError|refused)\(\s*(?:\d+,\s*)?\"([a-z_]+)\"")


def rules_in_the_source() -> set[str]:
    """The names of rules that are written out where something is refused."""
    found: set[str] = set()
    for room in ("query", "web"):
        for path in (SRC / room).rglob("*.py"):
            text = re.sub(r">>> .*", "", path.read_text(encoding="utf-8"))
            found |= set(_RAISED.findall(text))
    return found


def test_every_rule_that_is_written_out_has_words() -> None:
    found = rules_in_the_source()
    assert {"universe_gamma", "no_records", "leverage", "correlation_influence", "unknown_dataset"} - found == {
        "universe_gamma"
    }
    assert found - set(RULES) == set()


def test_every_restriction_has_words_of_its_own() -> None:
    names = {method.name for method in registry.methods("restriction") if method.__module__.startswith("tacita.")}
    assert len(names) > 15
    assert names - set(RULES) == set()


@pytest.mark.parametrize("scope", ["user", "organisation", "address", "dataset"])
def test_every_budget_has_words(scope: str) -> None:
    assert f"budget_{scope}" in RULES


def test_words_tell_no_threshold_and_end_as_sentences() -> None:
    for rule, said in RULES.items():
        for text in said:
            assert not re.search(r"\d", text), rule
            assert text.endswith("."), rule


def test_a_rule_without_words_says_what_its_documentation_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULES, "set_size")
    (found,) = refusal_words(["set_size"])
    assert found.sentence.startswith("Refuse a universe of fewer than k records")
    assert found.title == "Set size"


def test_an_unknown_rule_is_still_told() -> None:
    one, two = refusal_words(["of_a_later_version", "waits", "waits"])
    assert (one.title, one.change) == ("Of a later version", "")
    assert two.rule == "waits"
