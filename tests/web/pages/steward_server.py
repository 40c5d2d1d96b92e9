"""A small server with sign-in and steward's pages, over a database that leaves some questions to a person."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from tacita.core.keyed import Key
from tacita.query.policy.policy import Policy
from tacita.query.restrictions.combinations import Combinations
from tacita.query.restrictions.table_size import TableSize
from tacita.web.accounts import Accounts, open_accounts
from tacita.web.api.errors import HttpRefusalError, refusal_response
from tacita.web.api.reception import Reception
from tacita.web.engine import Keeper, LocalEngine
from tacita.web.pages.sessions import add_sessions, visitor_of
from tacita.web.pages.sign_in_waits import SignInWaits
from tacita.web.pages.steward import add_steward_pages
from tacita.web.settings import DatasetSettings, ServerSettings
from tests.query.builders import KEY, opened, people

__all__ = ["OWN", "REVIEWED", "StewardServer", "form_token_in", "make_server"]

OWN = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
"""What a browser says about a form of this server."""
REVIEWED = {"kind": "tabulate", "by": ["sex", "region"]}
"""A question that waits for a person."""

_CODES = {"answered": 200, "review": 202, "refused": 403}
_REGIONS = ("north", "south", '"><script>alert(1)</script>')


@dataclass(frozen=True)
class StewardServer:
    """What a test needs of the server."""

    app: FastAPI
    accounts: Accounts
    keeper: Keeper

    def client(self, base_url: str = "http://127.0.0.1") -> TestClient:
        return TestClient(self.app, base_url=base_url, follow_redirects=False)

    def token(self, role: Any = "steward", user: str = "stella", datasets: tuple[str, ...] = ("*",)) -> str:
        return self.accounts.new_token(user=user, role=role, datasets=datasets).text

    def signed_in(self, role: Any = "steward", user: str = "stella") -> TestClient:
        client = self.client()
        answer = client.post("/sign-in", data={"token": self.token(role, user), "next": "/steward"}, headers=OWN)
        assert answer.status_code == 303
        return client

    def ask(self, request: dict[str, Any], token: str | None = None) -> Any:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.client().post(f"/datasets/town/{request['kind']}", content=json.dumps(request), headers=headers)


def make_server(folder: Path, *, waits: SignInWaits | None = None) -> StewardServer:
    """Make the server; nothing listens."""
    Key(KEY).write(folder / "key")
    counts: dict[tuple[str, ...], int] = {
        (sex, region, part): 12 + 3 * i for sex in "fm" for i, region in enumerate(_REGIONS) for part in "abcd"
    }
    rules = (Combinations(ask=(("sex", "region"),)), TableSize(cells=8))
    policy = Policy(requests=("tabulate",), restrictions=rules)
    journal = folder / "town.jsonl"
    db = opened(people(counts, ("sex", "region", "part")), policy, journal=journal)
    dataset = DatasetSettings(
        name="town", source="none", key=str(folder / "key"), journal=str(journal), title="Town & <i>country</i>"
    )
    settings = ServerSettings(datasets=(dataset,), accounts=str(folder / "accounts.sqlite"))
    keeper = Keeper(settings, {"town": db})
    accounts = open_accounts(settings.accounts)
    reception = Reception(settings, LocalEngine(keeper), accounts)
    return StewardServer(_app(reception, waits or SignInWaits(first=0.0)), accounts, keeper)


def form_token_in(page: str) -> str:
    """Return the token of the first form of a page."""
    found = re.search(r'name="form_token" value="([0-9a-f]{64})"', page)
    assert found is not None
    return found[1]


def _app(reception: Reception, waits: SignInWaits) -> FastAPI:
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    async def refuse(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HttpRefusalError)
        return refusal_response(error)

    async def ask(request: Request) -> Response:
        visitor, kind = await visitor_of(request, reception), request.path_params["kind"]
        reply = await reception.ask(visitor, request.path_params["dataset"], kind, await request.body())
        return Response(reply.body, _CODES[reply.status], media_type="application/json")

    async def answer(request: Request) -> Response:
        reply = await reception.answer(await visitor_of(request, reception), request.path_params["id"])
        return Response(reply.body, _CODES[reply.status], media_type="application/json")

    app.add_exception_handler(HttpRefusalError, refuse)
    app.add_route("/datasets/{dataset}/{kind}", ask, methods=["POST"])
    app.add_route("/answers/{id}", answer, methods=["GET"])
    add_sessions(app, reception, waits=waits)
    add_steward_pages(app, reception)
    return app
