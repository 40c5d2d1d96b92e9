"""The application: API and pages over one reception, behind the guards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tacita._version import __version__
from tacita.web.accounts.accounts import Accounts
from tacita.web.api.errors import HttpRefusalError, refusal_response
from tacita.web.api.metrics import ServerMetrics
from tacita.web.api.reception import Reception
from tacita.web.api.routes import add_api
from tacita.web.engine.port import AnsweringEngine
from tacita.web.guard import BodyGuard, HeaderGuard, HostGuard, SlowGuard
from tacita.web.guard.headers import HEADERS
from tacita.web.settings import ServerSettings

__all__ = ["make_app"]

_RULES = {
    404: ("not_found", "There is nothing at this address."),
    405: ("method", "This address does not take such a request."),
}


def make_app(settings: ServerSettings, engine: AnsweringEngine, accounts: Accounts) -> FastAPI:
    """Build the application.

    Parameters
    ----------
    settings
        What the server is told.
    engine
        Who answers; it is closed with the application.
    accounts
        Who may ask, and how much.

    Returns
    -------
    FastAPI
        The application. Nothing in it is fetched from another host: the interactive documentation that FastAPI would show is off,
        and the document itself is at ``/openapi.json``.
    """
    reception, metrics = Reception(settings, engine, accounts), ServerMetrics()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        del app
        yield
        await engine.close()
        accounts.close()

    app = FastAPI(
        title=settings.title,
        version=__version__,
        description="Statistical questions about confidential data: statistics go out, records never.",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    add_api(app, reception, metrics)
    _add_pages(app, reception)
    _add_errors(app, metrics)
    limits, away = settings.limits, metrics.turned_away
    app.add_middleware(BodyGuard, most=limits.body, patience=limits.patience, turned_away=away)
    app.add_middleware(SlowGuard, patience=limits.patience)
    app.add_middleware(HostGuard, hosts=settings.hosts, turned_away=away)
    app.add_middleware(HeaderGuard)
    return app


def _add_pages(app: FastAPI, reception: Reception) -> None:
    from tacita.web.pages import add_pages

    add_pages(app, reception)


def _add_errors(app: FastAPI, metrics: ServerMetrics) -> None:
    """One shape for everything that goes wrong."""

    async def refused(request: Request, error: Exception) -> Response:
        del request
        if isinstance(error, HttpRefusalError):
            metrics.turned_away(error.rule)
            return refusal_response(error)
        code = error.status_code if isinstance(error, HTTPException) else 503
        rule, hint = _RULES.get(code, ("request_form", "") if code < 500 else ("unavailable", ""))
        metrics.turned_away(rule)
        headers: dict[str, Any] = dict(getattr(error, "headers", None) or {})
        made = refusal_response(HttpRefusalError(code, rule, hint))
        if not isinstance(error, HTTPException):  # made outside of the guards
            made.headers.update(HEADERS)
        if "Allow" in headers:
            made.headers["Allow"] = headers["Allow"]
        return made

    app.add_exception_handler(HttpRefusalError, refused)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(Exception, refused)
