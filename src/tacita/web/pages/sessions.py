"""Signing in and out: a token is shown once, and a cookie stands for it until the session ends."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tacita.web.accounts.visitor import Visitor
from tacita.web.api.reception import Reception
from tacita.web.pages.form_guard import COOKIE, check_form, check_same_site, own_path, read_form, secret_of
from tacita.web.pages.page_templates import show
from tacita.web.pages.sign_in_waits import SignInWaits

__all__ = ["SignInPages", "add_sessions", "visitor_of"]

_HOURS = 8
_WRONG = "This is no token, or it has ended or was revoked."
_TOO_MANY = "Too many sign-ins from your network have failed just now; try again in a minute."


async def visitor_of(request: Request, reception: Reception) -> Visitor:
    """Return who sends a request: by the token of its ``Authorization`` header, else by the session of its cookie.

    Raises
    ------
    HttpRefusalError
        401 when a token is given and is not one. A cookie that has ended is as good as none.
    """
    token, session = secret_of(request)
    return await reception.visitor(token=token, session=session, address=_address(request))


def add_sessions(app: FastAPI, reception: Reception, *, waits: SignInWaits | None = None) -> None:
    """Add the addresses of signing in and out to an application.

    Parameters
    ----------
    app
        The application.
    reception
        Where visitors are known.
    waits
        How long sign-ins wait that have failed.
    """
    from tacita.web.pages.page_errors import for_visitors  # which asks this file who visits

    pages = SignInPages(reception, waits or SignInWaits())
    for path, method, work in (
        ("/sign-in", "GET", pages.form),
        ("/sign-in", "POST", pages.sign_in),
        ("/sign-out", "POST", pages.sign_out),
    ):
        app.router.routes.append(Route(path, for_visitors(reception, work), methods=[method]))


class SignInPages:
    """The form of the sign-in, and what becomes of it.

    Parameters
    ----------
    reception
        Where visitors are known.
    waits
        How long sign-ins wait that have failed.

    Notes
    -----
    A session is drawn when somebody signs in, never taken from the request, and the one before it ends: nobody can be given a
    session that another one knows. The form has no token of its own, since there is no session; where it comes from is looked
    at, so no other page can sign somebody in. Neither a page nor a message shows what was typed.
    """

    def __init__(self, reception: Reception, waits: SignInWaits) -> None:
        self.reception, self.waits = reception, waits

    async def form(self, request: Request, visitor: Visitor) -> Response:
        """Show the form."""
        return self._page(request, visitor, own_path(request.query_params.get("next", "/")))

    async def sign_in(self, request: Request, _visitor: Visitor) -> Response:
        """Begin a session, or say that the token is none."""
        check_same_site(request)
        form = await read_form(request, self.reception.settings.limits.body)
        after, address = own_path(form.get("next", "/")), _address(request)
        session = await self.reception.begin_session(form.get("token", "").strip(), address=address)
        if session is None:
            return await self._failed(request, after)
        await self._end(request)
        response = RedirectResponse(after, 303, headers={"Cache-Control": "no-store"})
        response.set_cookie(COOKIE, session, max_age=3600 * _HOURS, path="/", secure=_is_secure(request), **_COOKIE)
        return response

    async def sign_out(self, request: Request, _visitor: Visitor) -> Response:
        """End the session."""
        check_form(request, await read_form(request, self.reception.settings.limits.body))
        await self._end(request)
        response = RedirectResponse("/", 303, headers={"Cache-Control": "no-store"})
        response.delete_cookie(COOKIE, path="/", secure=_is_secure(request), **_COOKIE)
        return response

    async def _end(self, request: Request) -> None:
        _, session = secret_of(request)
        if session:
            await self.reception.end_session(session)

    async def _failed(self, request: Request, after: str) -> Response:
        """Wait, then say the same to everybody."""
        address = _address(request)
        seconds = self.waits.failed(address)
        visitor = Visitor.anonymous(address)
        if seconds is None:
            response = self._page(request, visitor, after, wrong=_TOO_MANY, code=429)
            response.headers["Retry-After"] = "60"
            return response
        try:
            await asyncio.sleep(seconds)
        finally:
            self.waits.waited(address)
        response = self._page(request, visitor, after, wrong=_WRONG, code=401)
        response.headers["WWW-Authenticate"] = "Bearer"
        return response

    def _page(self, request: Request, visitor: Visitor, after: str, *, wrong: str = "", code: int = 200) -> Response:
        return show(request, self.reception, visitor, "sign_in.html", code=code, after=after, wrong=wrong)


_COOKIE: dict[str, Any] = {"httponly": True, "samesite": "strict"}
"""No script reads the cookie, and no request that another site causes carries it."""


def _address(request: Request) -> str:
    return "" if request.client is None else request.client.host


def _is_secure(request: Request) -> bool:
    return request.url.scheme == "https"
