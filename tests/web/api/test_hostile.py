"""Hostile requests: whatever is sent, nothing fails, refusals have one shape, and no value of the data is quoted."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

import tacita as tc
from tacita.core.keyed import Key
from tacita.data.write import write
from tacita.query.requests import KINDS_OF_REQUEST
from tacita.web.accounts.accounts import open_accounts
from tacita.web.accounts.budget import BudgetRule
from tacita.web.api.app import make_app
from tacita.web.engine import Keeper, LocalEngine
from tacita.web.settings import DatasetSettings, ServerLimits, ServerSettings
from tests.effort import examples
from tests.web.api.test_routes import ASKED, SHAPE
from tests.web.conftest import BASE, Serve

CANARY = "zq4711canary"
NUMBER = 8675309.25
"""Values that stand once in the data of these tests, where nothing is published about them."""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server over data with two values that must never be seen: an income, and the name of a person."""
    folder, rng = tmp_path_factory.mktemp("town"), np.random.default_rng(1)
    income = np.round(rng.normal(3000, 500, 600), 0)
    income[17] = NUMBER
    table = {
        "name": [CANARY if i == 17 else f"person{i}" for i in range(600)],
        "sex": rng.choice(["f", "m"], 600),
        "part": rng.choice(["a", "b", "c"], 600),
        "age": rng.integers(18, 90, 600).astype(float),
        "income": income,
    }
    data = tc.Microdata.from_frame(
        pa.table(table), identifiers=["name"], keys=["sex", "part", "age"], confidential=["income"], strata=["part"]
    )
    write(data, folder / "town.parquet")
    data.schema.write(folder / "town.toml")
    Key.draw().write(folder / "town.key")
    files = {"source": "town.parquet", "schema": "town.toml", "key": "town.key", "journal": "town.journal"}
    dataset = DatasetSettings(name="town", **{name: str(folder / file) for name, file in files.items()})
    limits = ServerLimits(quantum=0, parts=100)
    made = ServerSettings(datasets=(dataset,), accounts=str(folder / "a.sqlite"), budgets=(), limits=limits)
    app = make_app(made, LocalEngine(Keeper.open(made)), open_accounts(made.accounts))
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


def check(response: Any, caplog: pytest.LogCaptureFixture | None = None) -> None:
    """Nothing failed, the shape is one of few, and no canary is in it; an answer may have what was asked for."""
    assert response.status_code < 500, response.text
    everything = response.text + str(dict(response.headers)) + ("" if caplog is None else caplog.text)
    for canary in (CANARY, "8675309"):
        assert canary not in everything
    assert "Traceback" not in everything
    if response.status_code >= 400:
        said = response.json()
        assert set(said) == SHAPE
        assert said["status"] == "refused"
        assert said["reasons"]
        assert len(response.text) < 20_000


# --- the document ---------------------------------------------------------------------------------------------------------


class _StaysOpen:
    """An application that is not closed with every client that Schemathesis makes."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        for said in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{said}.complete"})


@pytest.fixture(scope="module")
def document(town: TestClient) -> Any:
    return schemathesis.openapi.from_asgi("/openapi.json", _StaysOpen(town.app), headers={"Host": "localhost"})


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]


def test_responses_are_what_the_document_says(document: Any) -> None:
    operations = [found.ok() for found in document.get_all_operations()]
    assert len(operations) == 2 * len(KINDS_OF_REQUEST) + 7
    for operation in operations:

        @settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy() | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
        def conforms(case: Any) -> None:
            response = case.call(headers={"Host": "localhost"})
            case.validate_response(response, checks=CHECKS)
            for canary in (CANARY, "8675309", "Traceback"):
                assert canary not in response.text + str(dict(response.headers))

        conforms()


# --- universes ------------------------------------------------------------------------------------------------------------

TRICKS = [
    "",
    "any",
    "each",
    "\u202esex",
    "se\u0000x",
    "ＳＥＸ",
    "séx",
    "sex\u200b",
    "__class__",
    "1 OR 1=1",
    "*",
    CANARY,
]
NAMES = st.sampled_from(["sex", "part", "age", "income", "name", *TRICKS]) | st.text(max_size=5)
WORDS = st.sampled_from(["f", "m", "a", "b", "<20", "20-30", *TRICKS]) | st.text(max_size=5)
VALUES = WORDS | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
PIECES = st.dictionaries(NAMES, st.lists(VALUES, max_size=4) | VALUES, max_size=4)
UNIVERSES = st.recursive(
    PIECES,
    lambda inner: (
        st.fixed_dictionaries({"any": st.lists(inner, max_size=4)}) | st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=examples(150))
@given(
    where=UNIVERSES,
    by=st.lists(NAMES.filter(lambda name: name != CANARY), max_size=3),
    kind=st.sampled_from(sorted(KINDS_OF_REQUEST)),
)
def test_universes(where: Any, by: list[str], kind: str, town: TestClient) -> None:
    """Names of columns may be echoed to whoever sent them, so that no canary is among these."""
    asked = {"by": by} if kind == "tabulate" else {**ASKED[kind], **({} if kind != "correlate" else {"columns": by})}
    check(town.post(f"/{kind}", content=json.dumps({**asked, "where": where}).encode()))


@settings(max_examples=examples(100))
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_bytes(content: bytes, town: TestClient) -> None:
    check(town.post("/tabulate", content=content))
    check(town.post("/tabulate", content=b'{"by":["sex"],"where":' + content + b"}"))


# --- every field ----------------------------------------------------------------------------------------------------------

HOSTILE = [
    "'; DROP TABLE records; --",
    '" OR ""="',
    "1; SELECT * FROM records",
    "income) FROM records --",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "../../../etc/passwd",
    "%00",
    "\u0000",
    "\ud800",
    "\u202e",
    "x" * 100_000,
    1e308,
    -1,
    True,
    None,
    [],
    {},
    [["sex"]],
    {"sex": "f"},
]


@pytest.mark.parametrize(
    "kind", [*sorted({*KINDS_OF_REQUEST} - {"residuals"}), pytest.param("residuals", marks=pytest.mark.slow)]
)
def test_hostile_texts_in_every_field(kind: str, town: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, "httpx")  # the client of these tests
    names = [*KINDS_OF_REQUEST[kind].json_schema()["properties"], "none"]
    base = {"tabulate": {"by": ["sex"]}}.get(kind, ASKED[kind])
    for name in names:
        for hostile in HOSTILE:
            for value in (hostile, [hostile], {"sex": [hostile]}):
                check(town.post(f"/{kind}", content=json.dumps({**base, name: value}).encode()), caplog)


@pytest.mark.parametrize("hostile", [text for text in HOSTILE if isinstance(text, str) and len(text) < 100])
def test_hostile_texts_in_addresses_and_headers(hostile: str, town: TestClient) -> None:
    text = quote(hostile, safe="", errors="replace")
    for path in ("/datasets/{}", "/datasets/{}/tabulate", "/answers/{}", "/jobs/{}", "/{}", "/health?x={}"):
        said = town.get(path.format(text))
        assert said.status_code < 500
        assert "Traceback" not in said.text
    for name in ("dataset", "format"):
        said = town.post(f"/tabulate?{name}={text}", json={"by": ["sex"]})
        assert said.status_code in (400, 404)
    plain = hostile.encode("ascii", "ignore").replace(b"\0", b"")
    for header in (b"authorization", b"accept", b"if-none-match", b"content-type", b"cookie", b"x-forwarded-for"):
        said = town.post("/tabulate", json={"by": ["sex"]}, headers=[(header, plain)])
        assert said.status_code in (200, 400, 401)


# --- the canary -----------------------------------------------------------------------------------------------------------


def test_nothing_that_is_refused_quotes_a_record(town: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """Questions that fail because of what the records are: one person, no person, a constant, too few."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, "httpx")  # the client of these tests
    variables = {one["name"]: one for one in town.get("/datasets/town/variables").json()["variables"]}
    assert CANARY not in json.dumps(variables)
    assert "8675309" not in json.dumps(variables)
    assert "name" not in variables
    codes = set()
    ages = variables["age"]["bins"]["labels"] if "labels" in variables["age"].get("bins", {}) else []
    for where in ({}, {"sex": ["f"], "part": ["a"]}, *({"age": [one], "sex": ["f"], "part": ["a"]} for one in ages)):
        for kind, asked in {**ASKED, "tabulate": {"by": ["sex", "part", "age"]}}.items():
            response = town.post(f"/{kind}", json={**asked, "where": where})
            codes.add(response.status_code)
            check(response, caplog)
    check(town.get(f"/answers/{'0' * 32}"), caplog)
    assert 403 in codes


def test_other_methods_cost_nothing_and_tell_nothing(serve: Serve) -> None:
    client, accounts = serve(budgets=(BudgetRule(scope="address", questions=3, per="day"),))
    found = client.post("/tabulate", json={"by": ["sex"]})
    for method in ("HEAD", "OPTIONS", "TRACE", "PATCH", "PUT", "DELETE", "PROPFIND"):
        for path in ("/tabulate", found.headers["location"], "/datasets"):
            said = client.request(method, path, content=b'{"by":["sex"]}')
            assert said.status_code == 405
    for name in ("X-HTTP-Method-Override", "X-Method-Override"):
        assert client.get("/tabulate", headers={name: "POST"}).status_code == 405
    assert [row.spent for row in accounts.spending()] == [1]


def test_a_cookie_is_nothing_to_the_api(serve: Serve) -> None:
    """Another site may have a browser send cookies along; only the header counts here."""
    client, accounts = serve(open_to="researcher")
    token = accounts.new_token(user="ann", role="steward", datasets=("*",))
    session = accounts.new_session(token.facts.id)
    said = client.post("/tabulate", json={"by": ["sex"]}, headers={"Cookie": f"tacita_session={session}"})
    assert said.status_code in (400, 404)
    assert client.get("/datasets", headers={"Cookie": f"tacita_session={session}"}).json() == {"datasets": []}


def test_ids_of_answers_are_no_guess(demo: ServerSettings, tmp_path: Path) -> None:
    """They are made under the key: the same question to the same data has another id where the key is another."""
    ids = set()
    for number in range(2):
        Key.draw().write(tmp_path / f"{number}.key")
        dataset = replace(
            demo.datasets[0], key=str(tmp_path / f"{number}.key"), journal=str(tmp_path / f"{number}.jsonl")
        )
        keeper = Keeper.open(replace(demo, datasets=(dataset,)))
        ids.add(keeper.ask("households", b'{"by":["sex"]}', kind="tabulate", user="ann").id)
        keeper.jobs.close()
    assert len(ids) == 2
    assert all(len(id) == 32 for id in ids)
