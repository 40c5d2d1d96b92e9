"""What a server is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.web.settings import BUDGETS, ServerSettings

DATASET = {"name": "survey", "source": "a.csv", "key": "k", "journal": "j"}


def test_names_of_files_are_taken_from_beside_the_settings() -> None:
    made = ServerSettings.from_plain({"dataset": [{**DATASET, "policy": "p.toml"}]}, beside=Path("/x"))
    (dataset,) = made.datasets
    assert (dataset.source, dataset.key, dataset.journal, dataset.policy) == ("/x/a.csv", "/x/k", "/x/j", "/x/p.toml")
    assert made.accounts == "/x/accounts.sqlite"
    assert ServerSettings.from_plain({"dataset": [DATASET]}, beside=Path("/x")).datasets[0].policy == "mas"
    far = ServerSettings.from_plain({"dataset": [DATASET], "accounts": "postgresql://a@b/c"}, beside=Path("/x"))
    assert far.accounts == "postgresql://a@b/c"


def test_who_the_file_says_nothing_about_has_the_default_budget() -> None:
    """A file that bounds users only does not leave those without a token unbounded."""
    rows = [{"scope": "user", "questions": 10, "per": "hour"}, {"scope": "user", "questions": 50, "per": "day"}]
    made = ServerSettings.from_plain({"dataset": [DATASET], "budget": rows})
    assert [(rule.scope, rule.questions) for rule in made.budgets[:2]] == [("user", 10), ("user", 50)]
    assert made.budgets[2:] == tuple(rule for rule in BUDGETS if rule.scope != "user")
    assert ServerSettings.from_plain({"dataset": [DATASET]}).budgets == BUDGETS


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "at least one data set"),
        ({"dataset": [DATASET, DATASET]}, "each name once"),
        ({"dataset": [DATASET], "hots": []}, "Did you mean 'hosts'"),
        ({"dataset": DATASET}, r"\[\[dataset\]\]"),
        ({"dataset": [DATASET], "hosts": [1]}, "'hosts' as a list"),
        ({"dataset": [DATASET], "limits": []}, "'limits' as a table"),
        ({"dataset": [DATASET], "limits": {"body": 10}}, "'body' must be a whole number"),
        ({"dataset": [DATASET], "limits": {"bodi": 10}}, "bodi"),
        ({"dataset": [{**DATASET, "name": "../x"}]}, "'name' must have small letters"),
        ({"dataset": [{**DATASET, "open_to": "all"}]}, "'role' must be one of"),
        ({"dataset": [DATASET], "budget": [{"scope": "world"}]}, "scope"),
    ],
)
def test_what_settings_cannot_say(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        ServerSettings.from_plain(given)
