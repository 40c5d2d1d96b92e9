"""Where a server listens, and what it must not do there."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

from tacita.core.errors import FileError, ParameterError
from tacita.web.guard.hosts import is_loopback

__all__ = ["Binding"]


@dataclass(frozen=True, kw_only=True)
class Binding:
    """An address to listen on.

    Parameters
    ----------
    host, port
        The address; port 0 takes a free one.
    certificate, certificate_key
        Files for HTTPS.
    allow_plain
        Whether plain HTTP may be spoken on an address that others can reach: behind a proxy that speaks HTTPS.
    trusts_proxy
        Addresses of proxies, or ranges of them, whose word is taken for where a request came from.

    Raises
    ------
    ParameterError
        When others could reach the server over plain HTTP and nobody said that they may, or everybody were a proxy.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    certificate_key: Path | None = None
    allow_plain: bool = False
    trusts_proxy: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ParameterError(f"'port' must be in [0, 65535], got {self.port}.")
        if (self.certificate is None) != (self.certificate_key is None):
            raise ParameterError("'certificate' and 'certificate_key' must be given together.")
        for path in (self.certificate, self.certificate_key):
            if path is not None and not path.is_file():
                raise FileError(f"There is no file '{path.name}'; HTTPS needs a certificate and its key.")
        for proxy in self.trusts_proxy:
            if not _is_proxy(proxy):
                raise ParameterError(
                    "'trusts_proxy' must have the addresses of proxies, such as 127.0.0.1 or 10.0.0.0/24; who is believed can "
                    "say that he comes from anywhere, and has a budget for each address."
                )
        if not is_loopback(self.host) and self.certificate is None and not self.allow_plain:
            raise ParameterError(
                "'host' must be of this machine only (127.0.0.1) over plain HTTP: tokens and answers could be read on their way. "
                "Give a certificate and its key, or 'allow_plain' ('--plain-http') where a proxy before the server speaks HTTPS."
            )

    @property
    def is_https(self) -> bool:
        """Whether HTTPS is spoken."""
        return self.certificate is not None

    def listen(self) -> socket.socket:
        """Take the address.

        Raises
        ------
        FileError
            When somebody else has it, or there is no such address.
        """
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((self.host, self.port))
            made.listen(1024)
        except OSError as error:
            made.close()
            raise FileError(f"Address {self.host}:{self.port} cannot be listened on: {error.strerror}.") from error
        made.set_inheritable(True)
        return made

    def url(self, port: int) -> str:
        """Return the address as people write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.is_https else 'http'}://{host}:{port}"


def _is_proxy(text: str) -> bool:
    """Whether a text is an address, or a range that is not everybody."""
    try:
        return ipaddress.ip_network(text).prefixlen > 0
    except ValueError:
        return False
