"""What goes wrong on a page is told on a page: the rule in words, and what one may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tacita.web.accounts.visitor import Visitor
from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.reception import Reception
from tacita.web.pages.page_templates import show
from tacita.web.pages.refusals import refusal_words
from tacita.web.pages.sessions import visitor_of

__all__ = ["NothingHere", "PageWork", "for_visitors"]

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


class NothingHere:
    """Says that there is nothing at an address: on a page to a person who looks, in the common shape to programs.

    Parameters
    ----------
    reception
        Where visitors are known.
    otherwise
        What programs are told by.

    Notes
    -----
    Whoever asks for HTML by GET is taken for a person; a browser does, and programs do not unless they are told to.
    """

    def __init__(self, reception: Reception, otherwise: ASGIApp) -> None:
        self.reception, self.otherwise = reception, otherwise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for which there is nothing."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _wants_page(Request(scope)):
            await self.otherwise(scope, receive, send)
            return
        response = await for_visitors(self.reception, _nothing)(Request(scope, receive, send))
        await response(scope, receive, send)


def _wants_page(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "").lower()


async def _nothing(_request: Request, _visitor: Visitor) -> Response:
    raise HttpRefusalError(404, "not_found", "There is nothing at this address.")
