"""Figures for the operator: none depends on data."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tacita.web.accounts.accounts import open_accounts
from tacita.web.api.app import make_app
from tacita.web.api.metrics import ServerMetrics
from tacita.web.demo import demo_settings
from tacita.web.engine import Keeper, LocalEngine
from tests.web.conftest import BASE

ASKED = [
    {"by": ["sex"]},
    {"by": ["sex", "marital"], "where": {"birth_country": ["Fiji"]}},
    {"by": ["region", "occupation"], "each": "region"},
    {"by": ["occupation", "age", "sex"]},
    {"by": ["none"]},
]


@pytest.mark.parametrize("rule", ["cell_size", "budget_user", "queue_full", "closed", "time_limit", "unavailable"])
def test_reasons_that_tell_something_are_not_counted(rule: str) -> None:
    metrics = ServerMetrics()
    before = metrics.text()
    metrics.turned_away(rule)
    assert metrics.text() == before
    metrics.turned_away("busy")
    assert 'rule="busy"' in metrics.text()


def test_figures_do_not_depend_on_data(tmp_path: Path) -> None:
    """The same questions to a small and to a large file, some refused here and answered there: the same text."""
    texts, codes = [], []
    for records in (60, 3000):
        folder = tmp_path / str(records)
        folder.mkdir()
        settings = replace(demo_settings(folder, records=records), budgets=())
        app = make_app(settings, LocalEngine(Keeper.open(settings)), open_accounts(settings.accounts))
        with TestClient(app, base_url=BASE) as client:
            codes.append([client.post("/tabulate", json=one).status_code for one in ASKED])
            texts.append(re.sub(r"(tacita_up_seconds\{.*\}) \d+", r"\1", client.get("/metrics").text))
    assert codes[0] != codes[1]
    assert texts[0] == texts[1]
    assert 'part="tabulate"' in texts[0]


def test_what_is_asked_is_not_told(client: TestClient) -> None:
    """Labels are our own words: nobody puts text into them."""
    for path in ("/datasets/canary4711", "/canary4711", "/answers/canary4711", "/tabulate?format=canary4711"):
        client.post(path, json={"by": ["canary4711"]}, headers={"X-Canary": "canary4711"})
        client.get(path)
    assert "canary" not in client.get("/metrics").text
