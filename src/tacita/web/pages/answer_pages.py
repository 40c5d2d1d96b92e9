"""The page of an answer by its id, its pictures, and the page on which one waits for a large table. None of them asks anew."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tacita.query.answer import Answer
from tacita.web.accounts.visitor import Visitor
from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.reception import Reception
from tacita.web.engine.port import DatasetFacts
from tacita.web.pages.addresses import address_of
from tacita.web.pages.asking import PageReply, reply_of
from tacita.web.pages.charts import ChartShelf, draw_residuals, draw_table
from tacita.web.pages.easier import easier_questions
from tacita.web.pages.explore_pages import offers_of
from tacita.web.pages.page_errors import PageWork, for_visitors
from tacita.web.pages.page_templates import show
from tacita.web.pages.results import result_of
from tacita.web.pages.wording import Labels, question_words, shortened

__all__ = ["AnswerPages"]

_NO_PICTURE = "This answer has no such picture."
_LONGEST_LABEL = 24
"""A label stands along an axis of a picture, which may be short; the page has it whole."""


class AnswerPages:
    """Pages of what was asked already.

    Parameters
    ----------
    reception
        Where answers are given again.
    """

    def __init__(self, reception: Reception) -> None:
        self.reception, self.shelf = reception, ChartShelf()

    def routes(self) -> list[Route]:
        """Return the addresses of these pages."""
        work: dict[str, PageWork] = {
            "/explore/answer/{id}": self.answer,
            "/explore/answer/{id}/chart.svg": partial(self.picture, "table"),
            "/explore/answer/{id}/residuals.svg": partial(self.picture, "plots"),
            "/explore/jobs/{id}": self.job,
        }
        return [Route(path, for_visitors(self.reception, make), methods=["GET"]) for path, make in work.items()]

    async def answer(self, request: Request, visitor: Visitor) -> Response:
        """Show an answer, or the refusal of a question."""
        found = await self.reception.answer(visitor, request.path_params["id"])
        facts = await self.reception.dataset(visitor, found.dataset)
        return await self._page(request, visitor, facts, reply_of(found), json.loads(found.body).get("request", {}))

    async def _page(
        self, request: Request, visitor: Visitor, facts: DatasetFacts, reply: PageReply, asked: dict[str, Any]
    ) -> Response:
        result = None
        if reply.answer is not None:
            result = await asyncio.to_thread(result_of, reply.answer, facts, self.reception.settings.title, request)
        said: dict[str, Any] = {
            "facts": facts,
            "offers": offers_of(facts.name, facts.requests),
            "page": "answer",
            "reply": reply,
            "result": result,
            "words": question_words(asked, Labels(facts.variables)),
            "change": address_of(facts.name, asked, edit="1"),
            "easier": easier_questions(facts.name, asked, Labels(facts.variables)),
        }
        return show(request, self.reception, visitor, "answer.html", **said)

    async def picture(self, part: str, request: Request, visitor: Visitor) -> Response:
        """Draw the table or the residual plots of an answer."""
        id = request.path_params["id"]
        made = self.shelf.get(f"{part} {id}") if await self.reception.knows(visitor, id) else None
        if made is None:
            found = await self.reception.answer(visitor, id)
            answer = reply_of(found).answer
            if answer is None or getattr(answer, part) is None:
                raise HttpRefusalError(404, "not_found", _NO_PICTURE)
            facts = await self.reception.dataset(visitor, found.dataset)
            made = await self.shelf.draw(f"{part} {id}", _drawing(part, answer, facts))
        headers = {"Cache-Control": "private, max-age=3600", "Content-Disposition": f'inline; filename="{part}.svg"'}
        return Response(made, media_type="image/svg+xml", headers=headers)

    async def job(self, request: Request, visitor: Visitor) -> Response:
        """Show how far a large table is; when it is there, go to it."""
        found = await self.reception.job(visitor, request.path_params["id"])
        reply = reply_of(found)
        if reply.answer is not None:
            return RedirectResponse(f"/explore/answer/{reply.id}", 303, headers={"Cache-Control": "no-store"})
        facts = await self.reception.dataset(visitor, found.dataset) if found.dataset else None
        plain = json.loads(found.body)
        if not reply.is_waiting and facts is not None:
            return await self._page(request, visitor, facts, reply, plain.get("request", {}))
        said: dict[str, Any] = {
            "reply": reply,
            "state": found.status,
            "progress": float(plain.get("progress", 0.0)),
            "facts": facts,
            "offers": offers_of(facts.name, facts.requests) if facts is not None else [],
            "page": "tabulate",
        }
        return show(request, self.reception, visitor, "job.html", **said)


def _drawing(part: str, answer: Answer, facts: DatasetFacts) -> Callable[[], bytes]:
    if part == "plots":
        return partial(draw_residuals, answer)
    labels = Labels(facts.variables)
    named = {name: shortened(labels[name], _LONGEST_LABEL) for name in answer.table.by}
    asked = {name: value for name, value in answer.request.items() if name not in ("where", "each")}
    title = question_words(asked, labels).partition(". Universe: ")[0]
    return partial(draw_table, answer, title, named)
