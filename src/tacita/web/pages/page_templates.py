"""Templates of the pages: every value is escaped, and every page is told who visits."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tacita.report.words import count
from tacita.web.accounts.visitor import Visitor
from tacita.web.api.reception import Reception
from tacita.web.pages.form_guard import FIELD, form_token
from tacita.web.pages.wording import straight

__all__ = ["page_environment", "show"]


@cache
def page_environment() -> Environment:
    """Return what finds the templates; whatever is put into one is escaped, and a name that is missing is an error."""
    folder = Path(__file__).with_name("templates")
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["thousands"] = count
    made.filters["straight"] = straight
    made.filters["in_json"] = lambda value: json.dumps(
        value, indent=2, ensure_ascii=False
    )  # |tojson would not be escaped
    return made


def show(
    request: Request, reception: Reception, visitor: Visitor, template: str, *, code: int = 200, **said: Any
) -> HTMLResponse:
    """Return a page.

    Parameters
    ----------
    request, reception, visitor
        What was asked for, of whom, by whom.
    template
        Name of the template.
    code
        Status of HTTP.
    **said
        What the template is told beside ``settings``, ``visitor``, ``path`` (of the page), ``here`` (the path and what stands
        behind its ``?``), ``form_field`` and ``form_token`` (of the hidden field of its forms).

    Notes
    -----
    No copy is kept on the way: a page may show what only this visitor may see.
    """
    text = (
        page_environment()
        .get_template(template)
        .render(
            settings=reception.settings,
            visitor=visitor,
            path=request.url.path,
            here=_here(request),
            form_field=FIELD,
            form_token=form_token(request),
            **said,
        )
    )
    return HTMLResponse(text, status_code=code, headers={"Cache-Control": "no-store"})


def _here(request: Request) -> str:
    """The address of the page on this server, so that who signs in comes back to the question that stands in it."""
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
