"""The sample of a settings file is one, and says what is built in."""

from __future__ import annotations

import re

import pytest

from tacita.web.settings import ServerLimits, ServerSettings
from tests.deploy.places import DEPLOY


@pytest.fixture
def settings() -> ServerSettings:
    return ServerSettings.read(DEPLOY / "server.toml")


def test_the_sample_parses(settings: ServerSettings) -> None:
    (dataset,) = settings.datasets
    assert dataset.name == "survey"
    assert settings.hosts == ("data.example.org",)
    assert {rule.scope for rule in settings.budgets} == {"user", "organisation", "address", "dataset"}


def test_it_names_every_setting_of_a_data_set_and_every_limit_as_it_is_built_in(settings: ServerSettings) -> None:
    text = (DEPLOY / "server.toml").read_text(encoding="utf-8")
    assert settings.limits == ServerLimits()
    named = set(re.findall(r"^(\w+) =", text, re.MULTILINE))
    assert {one.name for one in ServerLimits.parameters()} <= named
    (dataset,) = settings.datasets
    assert {one.name for one in dataset.parameters()} - {"table", "previous"} <= named


def test_key_and_state_lie_where_the_unit_puts_them(settings: ServerSettings) -> None:
    unit = (DEPLOY / "tacita.service").read_text(encoding="utf-8")
    (dataset,) = settings.datasets
    name = re.search(r"^LoadCredential=([^:]+):", unit, re.MULTILINE)
    assert name is not None
    assert dataset.key == f"/run/credentials/tacita.service/{name[1]}"
    for place in (settings.accounts, dataset.journal):
        assert place.startswith("/var/lib/tacita/")
