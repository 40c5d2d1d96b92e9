"""The OpenAPI document."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from tacita.query.requests import KINDS_OF_REQUEST
from tacita.query.requests.request import request_from_plain
from tacita.web.api.documents import REFUSAL, request_document


@pytest.mark.parametrize("kind", sorted(KINDS_OF_REQUEST))
def test_a_request_is_described_by_its_dataclass(kind: str) -> None:
    content = request_document(KINDS_OF_REQUEST[kind])["content"]["application/json"]
    schema = KINDS_OF_REQUEST[kind].json_schema()
    assert content["schema"]["properties"] == schema["properties"]
    assert "kind" not in content["schema"].get("required", [])
    assert request_from_plain({"kind": kind, **content["example"]}).kind == kind


def test_every_operation_may_be_refused_in_one_shape(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    operations: list[dict[str, Any]] = [one for path in document["paths"].values() for one in path.values()]
    assert len(operations) == 2 * len(KINDS_OF_REQUEST) + 7
    for one in operations:
        refused = [said for code, said in one["responses"].items() if int(code) >= 400]
        assert refused
        assert all(said["content"]["application/json"]["schema"] == REFUSAL for said in refused)
        assert "422" not in one["responses"]
