"""What goes wrong on a page is told on a page: the rule in words, and what one may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from tacita.web.accounts.visitor import Visitor
from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.reception import Reception
from tacita.web.pages.page_templates import show
from tacita.web.pages.refusals import refusal_words
from tacita.web.pages.sessions import visitor_of

__all__ = ["PageWork", "for_visitors"]

PageWork = Callable[[Request, Visitor], Awaitable[Response]]
"""Makes a page for a visitor."""


def for_visitors(reception: Reception, work: PageWork) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers a request for a page: finds who asks, and shows a refusal as a page.

    Parameters
    ----------
    reception
        Where visitors are known.
    work
        Makes the page.
    """

    async def answer(request: Request) -> Response:
        visitor = Visitor.anonymous("" if request.client is None else request.client.host)
        try:
            visitor = await visitor_of(request, reception)
            return await work(request, visitor)
        except HttpRefusalError as error:
            said = {"rules": refusal_words([error.rule]), "hint": error.hint}
            response = show(request, reception, visitor, "refused.html", code=error.code, **said)
            if error.retry_after is not None:
                response.headers["Retry-After"] = str(error.retry_after)
            return response

    return answer
