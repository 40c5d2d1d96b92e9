"""The addresses of the API: answers as the library gives them, and one shape of everything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from tacita.query.requests import KINDS_OF_REQUEST
from tacita.web.engine import Keeper
from tests.web.conftest import Serve

ASKED: dict[str, dict[str, Any]] = {
    "tabulate": {"by": ["sex"]},
    "regress": {"response": "income", "predictors": ["age", "sex"]},
    "residuals": {"response": "income", "predictors": ["age", "sex"]},
    "correlate": {"columns": ["age", "income"]},
    "quantiles": {"response": "income"},
    "statistic": {"response": "income", "statistic": "mean"},
}
SHAPE = {"status", "reasons", "hint", "id", "request"}


def is_refused(response: Any, code: int, rule: str | None = None) -> None:
    """Check the one shape."""
    assert response.status_code == code, response.text
    assert response.headers["content-type"] == "application/json"
    said = response.json()
    assert set(said) == SHAPE
    assert said["status"] == "refused"
    assert rule is None or said["reasons"] == [rule]
    assert "Traceback" not in response.text
    assert "x-content-type-options" in response.headers


@pytest.mark.parametrize("kind", sorted(KINDS_OF_REQUEST))
def test_every_kind_is_what_the_library_says(kind: str, client: TestClient, keeper: Keeper) -> None:
    own = keeper.databases["households"].ask({"kind": kind, **ASKED[kind]}, user="library").to_json()
    for path in (f"/{kind}", f"/datasets/households/{kind}"):
        said = client.post(path, json=ASKED[kind])
        assert said.text == own
        assert said.status_code == (403 if kind == "statistic" else 200)


def test_the_same_answer_again(client: TestClient) -> None:
    first = client.post("/tabulate", json=ASKED["tabulate"])
    again = client.get(first.headers["location"])
    assert again.content == first.content
    tag = again.headers["etag"]
    assert client.get(first.headers["location"], headers={"If-None-Match": tag}).status_code == 304
    assert client.get(first.headers["location"], headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("form", "begins"), [("csv", b"sex,count"), ("arrow", b"\xff\xff\xff\xff"), ("sdmx-csv", b"STRUCTURE")]
)
def test_forms(form: str, begins: bytes, client: TestClient) -> None:
    said = client.post(f"/tabulate?format={form}", json=ASKED["tabulate"])
    assert said.status_code == 200
    assert said.content.startswith(begins)
    assert said.headers["content-disposition"].startswith("attachment")
    accepted = client.post("/tabulate", json=ASKED["tabulate"], headers={"Accept": said.headers["content-type"]})
    assert accepted.content == said.content


def test_forms_that_there_are_not(client: TestClient) -> None:
    is_refused(client.post("/tabulate?format=xml", json=ASKED["tabulate"]), 400, "format")
    is_refused(client.post("/regress?format=arrow", json=ASKED["regress"]), 406, "format")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 5000,
        b'{"by":["sex"],"by":["age"]}',
        b'{"by":["sex"],"\\u0062y":["age"]}',
        b"\xff\xfe",
        b'{"by":["\\ud800"]}',
        b'{"by":[NaN]}',
        b'{"by":["s\\u0000ex"]}',
        '{"by":["\u202esex"]}'.encode(),
        b'{"by":"sex"}',
        b'{"by":["sex"],"x":1}',
        b'{"by":["sex"],"where":{"age":[1e999]}}',
        b'{"kind":"regress","by":["sex"]}',
        b'{"by":["sex; DROP TABLE x--"]}',
        b'{"by":["sex"],"where":{"region":["x\' OR 1=1"]}}',
        b'{"by":["sex"],"response":"income; SELECT 1","statistic":"mean"}',
        b'{"by":["sex"],"statistic":"1; DROP TABLE x"}',
        b'{"by":["sex"],"each":"sex\' --"}',
    ],
)
def test_what_is_not_understood(body: bytes, client: TestClient) -> None:
    is_refused(client.post("/tabulate", content=body), 400)


def test_too_large(client: TestClient) -> None:
    is_refused(client.post("/tabulate", content=b"x" * (1 << 20)), 413, "body_size")


@pytest.mark.parametrize(
    "path",
    [
        "/datasets/../../etc/passwd",
        "/datasets/%2e%2e%2fetc",
        "/static/%2e%2e/%2e%2e/x",
        f"/answers/{'a' * 65}",
        "/answers/abc",
        "/jobs/abc",
        "/datasets/nope",
        "/datasets/%00",
        "/nope",
    ],
)
def test_nothing_there(path: str, client: TestClient) -> None:
    is_refused(client.get(path), 404)


def test_other_methods(client: TestClient) -> None:
    for method, path in (("GET", "/tabulate"), ("PUT", "/datasets"), ("DELETE", "/answers/abc")):
        said = client.request(method, path)
        is_refused(said, 405, "method")
        assert said.headers["allow"]


@pytest.mark.parametrize("given", [b"x", b"Bearer", b"Bearer ", b"Basic abc", b"Bearer nope", b"Bearer \xe4"])
def test_what_is_no_token(given: bytes, client: TestClient) -> None:
    said = client.get("/datasets", headers=[(b"authorization", given)])
    is_refused(said, 401, "token")
    assert said.headers["www-authenticate"] == "Bearer"


def test_refused_by_the_data(client: TestClient) -> None:
    few = {"by": ["sex"], "where": {"birth_country": ["Fiji"], "occupation": ["01"]}}
    said = client.post("/tabulate", json=few)
    is_refused(said, 403)
    assert said.json()["hint"] == ""
    assert "retry-after" not in said.headers


def test_data_sets_are_seen_by_their_roles_only(serve: Serve) -> None:
    client, accounts = serve(open_to="researcher")
    scoped = accounts.new_token(user="ann", role="researcher", datasets=("households",)).text
    elsewhere = accounts.new_token(user="bob", role="researcher", datasets=("other",)).text
    public = accounts.new_token(user="cat", role="public", datasets=("*",)).text
    for token in (None, elsewhere, public):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        assert client.get("/datasets", headers=headers).json() == {"datasets": []}
        is_refused(client.get("/datasets/households", headers=headers), 404, "unknown_dataset")
        body = json.dumps(ASKED["tabulate"])
        is_refused(client.post("/datasets/households/tabulate", content=body, headers=headers), 404, "unknown_dataset")
    headers = {"Authorization": f"bearer {scoped}"}
    answered = client.post("/datasets/households/tabulate", json=ASKED["tabulate"], headers=headers)
    assert answered.status_code == 200
    assert client.get(answered.headers["location"], headers=headers).status_code == 200
    is_refused(client.get(answered.headers["location"]), 404, "unknown_answer")
    tag = {"If-None-Match": answered.headers["etag"]}
    is_refused(client.get(answered.headers["location"], headers=tag), 404, "unknown_answer")


def test_published_facts(client: TestClient) -> None:
    (row,) = client.get("/datasets").json()["datasets"]
    assert (row["name"], row["is_closed"]) == ("households", False)
    assert "variables" not in row
    names = [variable["name"] for variable in client.get("/datasets/households/variables").json()["variables"]]
    assert "sex" in names
    assert client.get("/health").json() == {"status": "ok"}
    assert 'part="datasets"' in client.get("/metrics").text
