"""Hosts: a request that is meant for another server, as a page that rebinds its name would send, is refused."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from tacita.web.api.errors import HttpRefusalError, refusal_response

__all__ = ["HostGuard", "is_loopback", "name_of"]

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::[0-9]{1,5})?")


class HostGuard:
    """Lets through what is meant for this server.

    Parameters
    ----------
    app
        What stands behind it.
    hosts
        Names of the server; names of this machine's loopback are known beside them.
    turned_away
        Told the name of the reason when a request is refused.
    """

    def __init__(
        self, app: ASGIApp, hosts: tuple[str, ...] = (), turned_away: Callable[[str], object] = lambda _: None
    ) -> None:
        self.app, self.hosts, self.turned_away = app, frozenset(host.lower() for host in hosts), turned_away

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_ours(scope):
            error = HttpRefusalError(400, "host", "This server is not called so; see 'hosts' of its settings.")
            self.turned_away(error.rule)
            await refusal_response(error)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"host"]
        if len(given) != 1:
            return False
        name = name_of(given[0].decode("latin-1"))
        return name in self.hosts or is_loopback(name)


def name_of(host: str) -> str:
    """Return the name in a header ``Host``, without its port; empty where it is no name with or without a port.

    Examples
    --------
    >>> name_of("Data.example:8000"), name_of("[::1]:8000"), name_of("localhost:80@data.example")
    ('data.example', '::1', '')
    """
    found = _HOST.fullmatch(host)
    return "" if found is None else (found[1] or found[2]).lower()


def is_loopback(name: str) -> bool:
    """Whether a name or an address is this machine itself.

    Examples
    --------
    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("192.0.2.1")
    (True, True, False)
    """
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
