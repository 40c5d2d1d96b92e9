"""The address of a server, and whether a secret may travel there."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from tacita.core.errors import ParameterError

__all__ = ["ServerAddress", "checked_token"]

_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}")
_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_TOKEN = re.compile(r"[\x21-\x7e]{1,4096}")


@dataclass(frozen=True)
class ServerAddress:
    """Where a server is.

    Parameters
    ----------
    is_secure
        Whether it is asked over TLS.
    host, port
        The machine.
    path
        What stands before every path of the server; empty, or with a slash in front.

    Examples
    --------
    >>> ServerAddress.of("https://stat.example/api/")
    ServerAddress(is_secure=True, host='stat.example', port=443, path='/api')
    >>> str(ServerAddress.of("http://[::1]:8000"))
    'http://[::1]:8000'
    """

    is_secure: bool
    host: str
    port: int
    path: str = ""

    @classmethod
    def of(cls, url: str, *, allow_plain: bool = False) -> ServerAddress:
        """Read an address.

        Parameters
        ----------
        url
            ``https://HOST[:PORT][/PATH]``, or ``http://`` to this machine.
        allow_plain
            Whether ``http://`` may go to another machine, where everybody on the way can read questions, answers and the token.

        Raises
        ------
        ParameterError
            When it is no such address. It is not repeated in the message: there might be a password in it.
        """
        wanted = "'url' must be an address such as https://stat.example/api"
        try:
            found = urlsplit(url if isinstance(url, str) else "")
            host, port = found.hostname or "", found.port
        except ValueError:
            raise ParameterError(f"{wanted}, with a number for a port.") from None
        if found.scheme not in ("https", "http") or not _HOST.fullmatch(host):
            raise ParameterError(f"{wanted}.")
        if found.username is not None or found.password is not None:
            raise ParameterError(f"{wanted}, without a user or a password in it; give a token as 'token'.")
        path = found.path.rstrip("/")
        if found.query or found.fragment or not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/")):
            raise ParameterError(f"{wanted}, with a plain path and nothing behind it.")
        made = cls(found.scheme == "https", host, port or (443 if found.scheme == "https" else 80), path)
        if not made.is_secure and not made.is_loopback and not allow_plain:
            raise ParameterError(
                "'url' must begin with https:// where the server is another machine: everybody on the way could read the token "
                "and the answers. Where that is meant, give allow_plain=True."
            )
        return made

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host.lower() == "localhost"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.is_secure else 80
        port = "" if self.port == usual else f":{self.port}"
        return f"{'https' if self.is_secure else 'http'}://{host}{port}{self.path}"


def checked_token(token: str | None) -> str | None:
    """Return a token that can stand in a header.

    Raises
    ------
    ParameterError
        When it cannot; the message does not have it.
    """
    if token is not None and (not isinstance(token, str) or not _TOKEN.fullmatch(token)):
        raise ParameterError(
            "'token' must be a text of plain letters, digits and signs, without spaces, as the server gave it."
        )
    return token
