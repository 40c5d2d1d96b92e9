"""Pages for people: choose a data set, ask, read the answer or the refusal, take it away, cite it.

In come addresses that people can keep; out come pages that need no script, no other host and no account for open data. Every
question passes the reception, as those of programs do. Read ``question_pages.py`` first, then ``results.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from tacita.web.api.reception import Reception

__all__ = ["STATIC", "add_pages"]

STATIC = Path(__file__).with_name("static")
"""The folder of style sheet and scripts."""


def add_pages(app: FastAPI, reception: Reception) -> None:
    """Add all pages to an application: those for everybody, signing in and out, and the steward's.

    Parameters
    ----------
    app
        The application.
    reception
        Where every question passes.
    """
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles

    from tacita.web.pages.answer_pages import AnswerPages
    from tacita.web.pages.explore_pages import ExplorePages
    from tacita.web.pages.page_errors import NothingHere
    from tacita.web.pages.question_pages import QuestionPages
    from tacita.web.pages.sessions import add_sessions
    from tacita.web.pages.steward import add_steward_pages

    for pages in (AnswerPages(reception), ExplorePages(reception), QuestionPages(reception)):
        app.router.routes.extend(pages.routes())
    app.router.routes.append(Mount("/static", StaticFiles(directory=STATIC), name="static"))
    add_sessions(app, reception)
    app.router.default = NothingHere(reception, app.router.default)
    add_steward_pages(app, reception)
