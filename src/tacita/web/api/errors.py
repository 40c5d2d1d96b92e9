"""The one shape of everything that is not answered: the name of a rule, and a hint made of public facts."""

from __future__ import annotations

from starlette.responses import Response

from tacita.web.engine.port import refused

__all__ = ["JSON", "HttpRefusalError", "refusal_response"]

JSON = "application/json"


class HttpRefusalError(Exception):
    """A request is refused before, or instead of, being asked of the engine.

    Parameters
    ----------
    code
        Status of HTTP.
    rule
        The name of the reason.
    hint
        What one may do; made of public facts only.
    retry_after
        Seconds after which it may be tried again; None where waiting does not help.
    """

    def __init__(self, code: int, rule: str, hint: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(rule)
        self.code, self.rule, self.hint, self.retry_after = code, rule, hint, retry_after


def refusal_response(error: HttpRefusalError) -> Response:
    """Return a refusal as a response."""
    headers = {"Cache-Control": "no-store"}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if error.code == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(refused(error.rule, error.hint), status_code=error.code, media_type=JSON, headers=headers)
