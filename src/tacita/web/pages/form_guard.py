"""The guard of forms: what changes something must come from a page of this server, opened by the one who sends it.

Two things are looked at, and each alone would do. What the browser says about where a request comes from cannot be forged by a
page elsewhere. And every form carries a token made of the secret of the session, which no other page can read.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request

from tacita.web.api.errors import HttpRefusalError

__all__ = ["COOKIE", "FIELD", "check_form", "check_same_site", "form_token", "own_path", "read_form", "secret_of"]

COOKIE = "tacita_session"
"""Name of the cookie that holds the secret of a session."""
FIELD = "form_token"
"""Name of the hidden field of every form."""

_MOST_FIELDS = 50
_LONGEST_PATH = 2000
_FORM = "application/x-www-form-urlencoded"


def secret_of(request: Request) -> tuple[str | None, str | None]:
    """Return the token of the ``Authorization`` header, and else the secret of the session's cookie.

    Notes
    -----
    A header of another kind than ``Bearer`` is none. Where there is a token the cookie is not looked at: a program that shows a
    token is never somebody else because of a cookie.
    """
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip(), None
    return None, request.cookies.get(COOKIE)


def form_token(request: Request) -> str:
    """Return the token that forms of this session carry; empty where there is no session.

    Notes
    -----
    It is SHA-256 of a word and of the secret of the session. So every process of a server finds the same one, it ends with the
    session, and who reads it in a page learns nothing about the secret.
    """
    secret = next((text for text in secret_of(request) if text), "")
    return hashlib.sha256(b"tacita form\0" + secret.encode("utf-8", "replace")).hexdigest() if secret else ""


def check_form(request: Request, form: Mapping[str, str]) -> None:
    """Raise unless a form was sent from a page of this server that was opened in this session.

    Raises
    ------
    HttpRefusalError
        403 when it was not.
    """
    check_same_site(request)
    token, given = form_token(request), form.get(FIELD, "")
    if not token or not hmac.compare_digest(token.encode(), given.encode("utf-8", "replace")):
        raise HttpRefusalError(
            403, "form_token", "The form is out of date; open its page again and send it from there."
        )


def check_same_site(request: Request) -> None:
    """Raise unless the browser says that a request comes from a page of this server.

    Raises
    ------
    HttpRefusalError
        403 when it says something else, or nothing.

    Notes
    -----
    ``Sec-Fetch-Site`` must be ``same-origin`` or ``none`` (the user himself), where it is sent. ``Origin`` must name the host
    that the request was sent to, and ``https`` where the request came by it; a page that tells no address sends ``null``, which
    counts as nothing. Where there is neither, ``Referer`` is looked at in the same way. A browser sends at least one of them.
    """
    fetched, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    origin = None if origin == "null" else origin
    said = [] if fetched is None else [fetched in ("same-origin", "none")]
    if origin is not None:
        said.append(_is_own(request, origin))
    elif fetched is None:
        said.append(_is_own(request, request.headers.get("referer", "")))
    if not all(said):
        raise HttpRefusalError(403, "other_site", "A form must be sent from a page of this server.")


def _is_own(request: Request, address: str) -> bool:
    try:
        found = urlsplit(address)
    except ValueError:
        return False
    host = request.headers.get("host", "").lower()
    schemes = ("https",) if request.url.scheme == "https" else ("http", "https")  # a proxy may have taken the https off
    return bool(host) and found.netloc.lower() == host and found.scheme in schemes


async def read_form(request: Request, most: int) -> dict[str, str]:
    """Read the fields of a form; of a field that stands twice, the first.

    Parameters
    ----------
    request
        The request.
    most
        Bytes that it may have.

    Raises
    ------
    HttpRefusalError
        413 when it is longer, 400 when it is no form.
    """
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > most:
            raise HttpRefusalError(413, "body_size", f"A request may have {most:,} bytes at most.")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HttpRefusalError(400, "request_form", f"A form must be sent as {_FORM}.")
    try:
        pairs = parse_qsl(
            content.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict", separator="&"
        )
    except ValueError:
        raise HttpRefusalError(400, "request_form", "The form cannot be read.") from None
    return dict(reversed(pairs))


def own_path(text: str, otherwise: str = "/") -> str:
    r"""Return a path of this server, or another one where the text is none.

    Notes
    -----
    Browsers take ``//host`` and ``/\host`` for other hosts, and pass over tabs and line ends within an address; none of these is
    a path here.

    Examples
    --------
    >>> own_path("/steward?last=5"), own_path("//elsewhere.example"), own_path("https://elsewhere.example")
    ('/steward?last=5', '/', '/')
    """
    is_path = text.startswith("/") and not text.startswith("//") and "\\" not in text and len(text) <= _LONGEST_PATH
    return text if is_path and text.isascii() and text.isprintable() and " " not in text else otherwise
