"""The pages that ask: a form, and below it the answer or the refusal to what the address of the page asks for."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tacita.web.accounts.visitor import Visitor
from tacita.web.api.reception import Reception
from tacita.web.engine.port import DatasetFacts
from tacita.web.pages.addresses import MOST_PIECES_SHOWN, PAGES, plain_request
from tacita.web.pages.asking import PageReply, ask_from_page, is_asking
from tacita.web.pages.easier import easier_questions
from tacita.web.pages.explore_pages import OFFERS, offers_of
from tacita.web.pages.forms import catalogue_of, question_form, universe_form
from tacita.web.pages.page_errors import for_visitors
from tacita.web.pages.page_templates import show
from tacita.web.pages.results import result_of
from tacita.web.pages.wording import Labels, question_words

__all__ = ["QuestionPages"]

_STEPS = {
    "tabulate": (
        "Choose the variable of the rows, and one of the columns if you like.",
        "Choose what is shown: how many, percentages, or the mean or total of a number.",
    ),
    "regress": (
        "Choose the response: the variable that is explained.",
        "Move predictors into the equation; tick how each stands in it, and interactions.",
    ),
    "quantiles": ("Choose a variable.", "Tick the levels: 0.5 is the median."),
    "correlate": ("Tick two variables or more.", "Choose Pearson's correlation, or Spearman's, which looks at ranks."),
    "statistic": ("Choose a number.", "Choose the variable that it is about."),
}
"""How each kind of question is put together."""


class QuestionPages:
    """The pages that ask.

    Parameters
    ----------
    reception
        Where every question passes.

    Notes
    -----
    What is asked stands in the address, so a page can be kept, sent and opened again. Opening it asks again, which costs a
    question; the page of an answer, which has the id in its address, does not.
    """

    def __init__(self, reception: Reception) -> None:
        self.reception = reception

    def routes(self) -> list[Route]:
        """Return the addresses of these pages."""
        return [
            Route(
                f"/explore/{{dataset}}/{PAGES[kind]}",
                for_visitors(self.reception, partial(self.page, kind)),
                methods=["GET"],
            )
            for kind in OFFERS
        ]

    async def page(self, kind: str, request: Request, visitor: Visitor) -> Response:
        """Show the form, and ask where the address asks for something."""
        facts = await self.reception.dataset(visitor, request.path_params["dataset"])
        plain = plain_request(kind, request.query_params)
        reply = PageReply()
        if plain is not None and is_asking(request):
            reply = await ask_from_page(self.reception, visitor, facts.name, plain)
        if reply.is_waiting:
            return RedirectResponse(f"/explore/jobs/{reply.id}", 303, headers={"Cache-Control": "no-store"})
        said = await asyncio.to_thread(self._said, kind, request, facts, reply)
        if kind == "regress" and reply.answer is not None and request.query_params.get("plots") == "1":
            said["plots"] = await self._plots(request, visitor, facts, {**(plain or {}), "kind": "residuals"})
        response = show(request, self.reception, visitor, "question.html", code=reply.code, **said)
        if reply.code in (429, 503):
            response.headers["Retry-After"] = "5"
        return response

    async def _plots(
        self, request: Request, visitor: Visitor, facts: DatasetFacts, plain: dict[str, Any]
    ) -> dict[str, Any]:
        """Ask for the residual plots of the model above them: another question, which may be refused."""
        reply = await ask_from_page(self.reception, visitor, facts.name, plain)
        return {"reply": reply, "result": self._result(request, facts, reply)}

    def _said(self, kind: str, request: Request, facts: DatasetFacts, reply: PageReply) -> dict[str, Any]:
        query, variables = request.query_params, catalogue_of(facts)
        pieces = universe_form(query, variables)
        plain, labels = plain_request(kind, query) or {}, Labels(facts.variables)
        return {
            "kind": kind,
            "page": kind,
            "title": OFFERS[kind][0],
            "facts": facts,
            "offers": offers_of(facts.name, facts.requests),
            "action": request.url.path,
            "form": question_form(kind, query, facts, variables),
            "steps": _STEPS[kind],
            "pieces": pieces,
            "may_add": len(pieces) < MOST_PIECES_SHOWN,
            "reply": reply,
            "words": question_words(plain, labels) if plain and not reply.problem else "",
            "easier": easier_questions(facts.name, plain, labels) if reply.refusal else [],
            "result": self._result(request, facts, reply),
            "plots": None,
        }

    def _result(self, request: Request, facts: DatasetFacts, reply: PageReply) -> dict[str, Any] | None:
        if reply.answer is None:
            return None
        return result_of(reply.answer, facts, self.reception.settings.title, request)
