"""The addresses of the API: every kind of request of the library has one, made from its dataclass."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from tacita.query.forms import FORMS
from tacita.query.requests import KINDS_OF_REQUEST
from tacita.web.accounts.visitor import Visitor
from tacita.web.api.documents import ANSWER, QUEUED, REFUSAL, request_document
from tacita.web.api.errors import JSON, HttpRefusalError
from tacita.web.api.forms import etag, form_wanted, is_unchanged, reply_response
from tacita.web.api.metrics import ServerMetrics
from tacita.web.api.reception import Reception

__all__ = ["add_api", "visitor_by_token"]

_LONGEST_ID = 64
_REFUSED: dict[int | str, dict[str, Any]] = {
    code: {"description": words, "content": {JSON: {"schema": REFUSAL}}}
    for code, words in (
        (400, "Not understood: the rule, and what the catalogue has."),
        (401, "The token is none."),
        (403, "Refused: the name of the rule."),
        (404, "There is nothing of that name."),
        (406, "The answer has no such form."),
        (413, "Too large."),
        (429, "The budget is used up, or too many questions are under way."),
        (503, "Unavailable, closed or busy; ask again later."),
    )
}


async def visitor_by_token(request: Request, reception: Reception) -> Visitor:
    """Return who asks, by the token in the header ``Authorization``."""
    given = request.headers.get("authorization")
    address = request.client.host if request.client else ""
    if given is None:
        return await reception.visitor(address=address)
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise HttpRefusalError(401, "token", "Write 'Authorization: Bearer TOKEN'.")
    return await reception.visitor(token=token.strip(), address=address)


def add_api(app: FastAPI, reception: Reception, metrics: ServerMetrics) -> None:
    """Give an application the addresses of the API."""
    _add_facts(app, reception, metrics)
    _add_answers(app, reception, metrics)
    for kind in KINDS_OF_REQUEST:
        _add_kind(app, reception, metrics, kind)


def _add_kind(app: FastAPI, reception: Reception, metrics: ServerMetrics, kind: str) -> None:
    """The two addresses of a kind of request: of a data set, and of the only one."""
    asked = KINDS_OF_REQUEST[kind]

    async def ask(request: Request) -> Response:
        metrics.asked(kind)
        visitor = await visitor_by_token(request, reception)
        form = form_wanted(request)
        name = request.path_params.get("dataset", request.query_params.get("dataset"))
        reply = await reception.ask(visitor, name, kind, await request.body())
        facts = None if form == "json" else await reception.dataset(visitor, reply.dataset)
        return reply_response(reply, form, facts)

    for path, more in ((f"/datasets/{{dataset}}/{kind}", [_in_path("dataset")]), (f"/{kind}", [_in_query("dataset")])):
        app.add_api_route(
            path,
            ask,
            methods=["POST"],
            summary=asked.summary(),
            operation_id=f"{kind}{'' if 'dataset}' in path else '_only'}",
            tags=["questions"],
            responses={**_answers(), **_REFUSED},
            response_class=Response,
            openapi_extra={"parameters": [*more, _in_query("format")], "requestBody": request_document(asked)},
        )


def _add_facts(app: FastAPI, reception: Reception, metrics: ServerMetrics) -> None:
    async def datasets(request: Request) -> Response:
        metrics.asked("datasets")
        visitor = await visitor_by_token(request, reception)
        closed = await reception.closed()
        rows = []
        for one in await reception.datasets(visitor):
            plain = {k: v for k, v in one.to_plain().items() if k != "variables"}
            rows.append({**plain, "is_closed": one.name in closed})
        return _plain({"datasets": rows})

    async def dataset(request: Request) -> Response:
        metrics.asked("datasets")
        visitor = await visitor_by_token(request, reception)
        found = await reception.dataset(visitor, request.path_params["dataset"])
        return _plain({**found.to_plain(), "is_closed": found.name in await reception.closed()})

    async def variables(request: Request) -> Response:
        metrics.asked("datasets")
        visitor = await visitor_by_token(request, reception)
        found = await reception.dataset(visitor, request.path_params["dataset"])
        return _plain({"variables": list(found.variables)})

    async def health() -> Response:
        await reception.datasets(await reception.visitor())
        return _plain({"status": "ok"})

    async def figures() -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    path = [_in_path("dataset")]
    _get(app, "/datasets", datasets, "List the data sets that you may ask about.")
    _get(app, "/datasets/{dataset}", dataset, "Say what is published about a data set.", path)
    _get(app, "/datasets/{dataset}/variables", variables, "List variables with classes and cutpoints.", path)
    _get(app, "/health", health, "Say whether the server answers.")
    text: dict[int | str, dict[str, Any]] = {
        200: {"description": "Figures.", "content": {"text/plain": {"schema": {}}}}
    }
    _get(app, "/metrics", figures, "Figures of this process for Prometheus; none depends on data.", answers=text)


def _add_answers(app: FastAPI, reception: Reception, metrics: ServerMetrics) -> None:
    async def answer(request: Request) -> Response:
        metrics.asked("answers")
        visitor, form = await visitor_by_token(request, reception), form_wanted(request)
        name = _id(request)
        if is_unchanged(request, etag(name, form)) and await reception.knows(visitor, name):
            return Response(status_code=304, headers={"ETag": etag(name, form)})
        reply = await reception.answer(visitor, name)
        return reply_response(reply, form, await reception.dataset(visitor, reply.dataset))

    async def job(request: Request) -> Response:
        metrics.asked("jobs")
        visitor, form = await visitor_by_token(request, reception), form_wanted(request)
        reply = await reception.job(visitor, _id(request))
        return reply_response(reply, form)

    more = [_in_path("id"), _in_query("format")]
    _get(app, "/answers/{id}", answer, "Give an answer again, by its id.", more, _answers())
    _get(app, "/jobs/{id}", job, "Say how far a large table is, or give its answer.", more, _answers())


def _get(
    app: FastAPI,
    path: str,
    call: Callable[..., Awaitable[Response]],
    summary: str,
    parameters: list[dict[str, Any]] | None = None,
    answers: dict[int | str, dict[str, Any]] | None = None,
) -> None:
    content = {JSON: {"schema": {"type": "object"}}}
    said: dict[int | str, dict[str, Any]] = answers or {200: {"description": "As asked.", "content": content}}
    extra = {"parameters": parameters or []}
    name = call.__name__
    responses: dict[int | str, dict[str, Any]] = {**said, **_REFUSED}
    app.add_api_route(
        path,
        call,
        methods=["GET"],
        summary=summary,
        operation_id=name,
        responses=responses,
        response_class=Response,
        openapi_extra=extra,
    )


def _answers() -> dict[int | str, dict[str, Any]]:
    others: dict[str, Any] = {
        form.media_type.partition(";")[0]: {"schema": {}} for name, form in FORMS.items() if name != "json"
    }
    return {
        200: {"description": "The answer.", "content": {JSON: {"schema": ANSWER}, **others}},
        202: {
            "description": "A person has to look at it, or it waits in the queue.",
            "content": {JSON: {"schema": QUEUED}},
        },
    }


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _in_query(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "enum": list(FORMS)} if name == "format" else {"type": "string"}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _id(request: Request) -> str:
    name = str(request.path_params["id"])
    if len(name) > _LONGEST_ID or not name.isalnum():
        raise HttpRefusalError(404, "unknown_answer", "There is no such answer.")
    return name


def _plain(value: Any) -> Response:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8"), media_type=JSON, headers={"Cache-Control": "no-store"})
