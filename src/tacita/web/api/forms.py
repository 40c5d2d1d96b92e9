"""Which form a visitor gets his answer in: by ``format`` in the address, else by what he accepts, else JSON."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from tacita.query.answer import Answer
from tacita.query.forms import FORMS, offered_forms
from tacita.web.api.errors import JSON, HttpRefusalError
from tacita.web.engine.port import NOT_UNDERSTOOD, DatasetFacts, Reply

__all__ = ["etag", "form_wanted", "is_unchanged", "reply_response"]

_NOT_UNDERSTOOD = NOT_UNDERSTOOD - {"not_offered"}
_CODES = {"answered": 200, "review": 202, "queued": 202, "running": 202, "unavailable": 503}


def form_wanted(request: Request) -> str:
    """Return the name of the form that is asked for.

    Raises
    ------
    HttpRefusalError
        400 when the address names a form that there is not.
    """
    named = request.query_params.get("format")
    if named is not None:
        if named not in FORMS:
            raise HttpRefusalError(400, "format", f"'format' must be one of {', '.join(FORMS)}.")
        return named
    accepted = request.headers.get("accept", "")
    for name, form in FORMS.items():
        if name != "json" and form.media_type.partition(";")[0] in accepted:
            return name
    return "json"


def etag(id: str, form: str) -> str:
    """Return the tag of an answer in a form: the same question has the same answer for ever."""
    return f'"{id}.{form}"'


def is_unchanged(request: Request, tag: str) -> bool:
    """Whether the visitor has this very answer already."""
    given = request.headers.get("if-none-match", "")
    return tag in [part.strip().removeprefix("W/") for part in given.split(",")]


def reply_response(reply: Reply, form: str, facts: DatasetFacts | None = None) -> Response:
    """Return what the engine said as a response.

    Parameters
    ----------
    reply
        What it said.
    form
        Name of the form that is wanted; what is not answered is JSON always.
    facts
        The data set, for forms that name it.

    Raises
    ------
    HttpRefusalError
        406 when the answer has no such form.
    """
    headers = {"Cache-Control": "private, no-cache" if reply.status == "answered" else "no-store"}
    if reply.status in ("queued", "running"):
        headers |= {"Location": f"/jobs/{reply.id}", "Retry-After": "1"}
    if reply.status != "answered":
        return Response(reply.body, status_code=_code(reply), media_type=JSON, headers=headers)
    headers |= {"ETag": etag(reply.id, form), "Location": f"/answers/{reply.id}", "Vary": "Accept, Authorization"}
    if form == "json":
        return Response(reply.body, media_type=JSON, headers=headers)
    answer = Answer.from_plain(json.loads(reply.body))
    if form not in offered_forms(answer):
        raise HttpRefusalError(406, "format", f"This answer has the forms {', '.join(offered_forms(answer))}.")
    made = FORMS[form]
    version = "" if facts is None else facts.version
    content = made.write(answer, reply.dataset, version)
    headers["Content-Disposition"] = f'attachment; filename="{reply.dataset}-{reply.id[:8]}{made.suffix}"'
    return Response(content, media_type=made.media_type, headers=headers)


def _code(reply: Reply) -> int:
    if reply.status != "refused":
        return _CODES.get(reply.status, 503)
    if "queue_full" in reply.reasons:
        return 429
    return 400 if _NOT_UNDERSTOOD.issuperset(reply.reasons) else 403
