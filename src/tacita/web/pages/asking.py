"""Asking from a page: the address becomes a request, the reception answers, and a refusal is a part of the page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from tacita.core.errors import TacitaError
from tacita.query.answer import Answer
from tacita.query.requests.request import request_from_plain
from tacita.web.accounts.visitor import Visitor
from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.reception import Reception
from tacita.web.engine.port import Reply
from tacita.web.pages.refusals import RefusalWords, refusal_words

__all__ = ["PageReply", "ask_from_page", "is_asking", "reply_of"]


@dataclass(frozen=True)
class PageReply:
    """What became of a question that a page has asked.

    Parameters
    ----------
    answer
        The answer, where there is one.
    refusal
        The rules that refused it, in words.
    hint
        What the user may read beside the rules.
    is_review
        Whether a person has to look at the question.
    id
        Id of the answer, of the question that a person looks at, or of the job of a large table.
    is_waiting
        Whether it is a large table that waits in the queue.
    code
        Status of HTTP.
    problem
        What is wrong with the question; then it was not asked, and cost nothing.
    """

    answer: Answer | None = None
    refusal: Sequence[RefusalWords] = ()
    hint: str = ""
    is_review: bool = False
    id: str = ""
    is_waiting: bool = False
    code: int = 200
    problem: str = ""


def is_asking(request: Request) -> bool:
    """Whether a visitor wants an answer now: a form that is edited, or a page that a browser only prepares, asks nothing.

    Notes
    -----
    A question costs a part of a budget. So a picture or a frame of another site, which is none of this visitor's doing, does not
    ask either; browsers say what a request is for.
    """
    headers = request.headers
    is_prepared = "prefetch" in headers.get("sec-purpose", headers.get("purpose", ""))
    is_embedded = headers.get("sec-fetch-dest", "document") not in ("document", "empty")
    return request.method == "GET" and "edit" not in request.query_params and not is_prepared and not is_embedded


async def ask_from_page(reception: Reception, visitor: Visitor, dataset: str, plain: Mapping[str, Any]) -> PageReply:
    """Ask a question for a page.

    Parameters
    ----------
    reception
        Whom to ask.
    visitor
        Who asks.
    dataset
        Name of the data set.
    plain
        The request ready for JSON.
    """
    try:
        request_from_plain(dict(plain))
    except TacitaError as error:
        return PageReply(problem=str(error))
    body = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
    try:
        return reply_of(await reception.ask(visitor, dataset, str(plain["kind"]), body))
    except HttpRefusalError as error:
        return PageReply(refusal=refusal_words([error.rule]), hint=error.hint, code=error.code)


def reply_of(reply: Reply) -> PageReply:
    """Read what the reception says."""
    if reply.status in ("queued", "running"):
        return PageReply(id=reply.id, is_waiting=True)
    answer = Answer.from_plain(json.loads(reply.body)) if reply.status != "unavailable" else Answer(status="refused")
    if answer.status == "answered":
        return PageReply(answer=answer, id=answer.id)
    rules = refusal_words(reply.reasons or answer.reasons)
    return PageReply(refusal=rules, hint=answer.hint, is_review=answer.status == "review", id=answer.id)
