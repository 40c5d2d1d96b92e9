"""Bodies: what is too large, or comes too slowly, is refused before anybody reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from tacita.web.api.errors import HttpRefusalError, refusal_response

__all__ = ["BodyGuard"]


class BodyGuard:
    """Reads a request whole, within its limits, before the application sees it.

    Parameters
    ----------
    app
        What stands behind it.
    most
        Bytes of a body.
    patience
        Seconds within which it must have come.
    turned_away
        Told the name of the reason when a request is refused.

    Notes
    -----
    What was refused is not read to its end: the connection closes, so that nobody takes the rest for another request, and nobody
    keeps it open by sending on.
    """

    def __init__(
        self, app: ASGIApp, most: int, patience: float, turned_away: Callable[[str], object] = lambda _: None
    ) -> None:
        self.app, self.most, self.patience, self.turned_away = app, most, patience, turned_away

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            body = await asyncio.wait_for(self._body(scope, receive), self.patience)
        except TimeoutError:
            await self._refuse(HttpRefusalError(408, "slow", "The request came too slowly."), scope, receive, send)
            return
        except HttpRefusalError as error:
            await self._refuse(error, scope, receive, send)
            return
        if body is None:  # gone before the request was there
            return
        is_given = False

        async def given() -> MutableMapping[str, Any]:
            nonlocal is_given
            if is_given:
                return await receive()
            is_given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, given, send)

    async def _refuse(self, error: HttpRefusalError, scope: Scope, receive: Receive, send: Send) -> None:
        self.turned_away(error.rule)
        response = refusal_response(error)
        response.headers["Connection"] = "close"
        await response(scope, receive, send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]
        if len(lengths) > 1 or (lengths and not lengths[0].isdigit()):
            raise HttpRefusalError(400, "request_form", "The length of the request is not clear.")
        if lengths and (len(lengths[0]) > 20 or int(lengths[0]) > self.most):
            raise self._too_large()
        pieces, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            if size > self.most:
                raise self._too_large()
            if not message.get("more_body", False):
                return b"".join(pieces)

    def _too_large(self) -> HttpRefusalError:
        return HttpRefusalError(413, "body_size", f"A request may have {self.most:,} bytes at most.")
