"""Slow clients: who does not take what he asked for is cut off."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["SlowGuard"]


class SlowGuard:
    """Ends a response that its reader does not take.

    Parameters
    ----------
    app
        What stands behind it.
    patience
        Seconds that one piece of a response may take to be sent.
    """

    def __init__(self, app: ASGIApp, patience: float) -> None:
        self.app, self.patience = app, patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def patiently(message: MutableMapping[str, Any]) -> None:
            await asyncio.wait_for(send(message), self.patience)

        try:
            await self.app(scope, receive, patiently)
        except TimeoutError:
            return  # the server closes the connection of a response that has no end
