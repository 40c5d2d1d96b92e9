"""The steward's pages: what was asked and refused, what waits for a decision, what was spent, and the switch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tacita.web.accounts.visitor import Visitor
from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.reception import Reception
from tacita.web.engine.port import DatasetFacts
from tacita.web.pages.form_guard import check_form, read_form
from tacita.web.pages.page_errors import for_visitors
from tacita.web.pages.page_templates import show
from tacita.web.pages.sessions import visitor_of
from tacita.web.pages.steward_views import budget_rows, entry_rows, rule_rows
from tacita.web.pages.wording import Labels

__all__ = ["StewardPages", "add_steward_pages"]

_LAST, _MOST_LAST = 50, 500
_MOST_BUDGETS = 500
_LONGEST_REASON = 2000
_STATUSES = ("answered", "refused", "review", "allowed", "denied")

_Page = Callable[[Request, Visitor, DatasetFacts], Awaitable[Response]]


def add_steward_pages(app: FastAPI, reception: Reception) -> None:
    """Add the steward's pages to an application.

    Parameters
    ----------
    app
        The application.
    reception
        Where everything is asked.
    """
    app.router.routes.append(Route("/steward{rest:path}", StewardPages(reception, nothing=app.router.default)))


class StewardPages:
    """Everything under ``/steward``; for all but stewards there is nothing there.

    Parameters
    ----------
    reception
        Where everything is asked.
    nothing
        What the application says about an address that does not exist.

    Notes
    -----
    One route takes every address and every method, and looks at the visitor first. So the answer to others is what the
    application says about an address that does not exist, whatever they send: no redirect and no "method not allowed" tells
    them more.

    Pages show pseudonyms, as the journal has them, and names only in budgets, which are kept by name. What changes something is
    sent by POST, with the token of the form.
    """

    def __init__(self, reception: Reception, *, nothing: ASGIApp) -> None:
        self.reception, self.nothing = reception, nothing
        self._verified: dict[str, tuple[str, dict[str, Any]]] = {}
        self._shown: dict[str, _Page] = {
            "journal": self.journal,
            "refusals": self.refusals,
            "reviews": self.reviews,
            "explain": self.explain,
            "close": self.switch,
            "open": self.switch,
        }
        self._sent: dict[str, _Page] = {
            "reviews": self.decide,
            "explain": self.explained,
            "verify": self.verify,
            "close": self.switched,
            "open": self.switched,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive, send)
        if not await self._is_steward(request):
            await self.nothing(scope, receive, send)
            return
        response = await for_visitors(self.reception, self._response)(request)
        await response(scope, receive, send)

    async def _is_steward(self, request: Request) -> bool:
        """Whether the visitor is a steward; a token that is none is nobody's."""
        try:
            visitor = await visitor_of(request, self.reception)
        except HttpRefusalError as error:
            if error.code != 401:
                raise
            return False
        return visitor.may("steward")

    async def _response(self, request: Request, visitor: Visitor) -> Response:
        self.reception.check_steward(visitor)  # the session may have ended this very moment
        parts = request.path_params["rest"].strip("/").split("/")
        is_read = request.method in ("GET", "HEAD")
        if is_read and request.path_params["rest"] in ("", "/"):
            return await self.overview(request, visitor)
        if is_read and parts == ["budgets"]:
            return await self.budgets(request, visitor)
        pages = self._shown if is_read else self._sent if request.method == "POST" else {}
        if len(parts) != 2 or parts[1] not in pages or not request.path_params["rest"].startswith("/"):
            raise HttpRefusalError(404, "not_found", "There is nothing at this address.")
        return await pages[parts[1]](request, visitor, await self.reception.dataset(visitor, parts[0]))

    # --- what is looked at -----------------------------------------------------------------------------------------------

    async def overview(self, request: Request, visitor: Visitor) -> Response:
        """Show every data set: whether it is open, what was asked, what waits, and whether its journal is whole."""
        closed = await self.reception.closed()
        rows = []
        for facts in await self.reception.datasets(visitor):
            row: dict[str, Any] = {"facts": facts, "closed": closed.get(facts.name), "counts": None, "waiting": None}
            try:  # a journal that cannot be read must not hide the switch
                row["counts"] = (await self.reception.steward(visitor, facts.name, "refusals", {}))["statuses"]
                row["waiting"] = len(await self.reception.steward(visitor, facts.name, "reviews", {}))
            except HttpRefusalError:
                row["counts"] = None
            rows.append(row | {"verified": self._verified.get(facts.name)})
        return self._page(request, visitor, "overview", rows=rows)

    async def journal(self, request: Request, visitor: Visitor, facts: DatasetFacts) -> Response:
        """Show the last entries of a journal."""
        query = request.query_params
        chosen = {name: query.get(name, "").strip()[:100] for name in ("status", "rule", "kind")}
        last = _whole(query.get("last", ""), _LAST)
        given = {**chosen, "last": min(max(last, 1), _MOST_LAST)}
        entries = entry_rows(
            await self.reception.steward(visitor, facts.name, "journal", given), Labels(facts.variables)
        )
        return self._page(
            request, visitor, "journal", facts, entries=entries[::-1], chosen=given, statuses=_STATUSES, most=_MOST_LAST
        )

    async def refusals(self, request: Request, visitor: Visitor, facts: DatasetFacts) -> Response:
        """Show how often each rule said what."""
        found = await self.reception.steward(visitor, facts.name, "refusals", {})
        rows = rule_rows(found["rules"])
        most = max((row.denied + row.left for row in rows), default=0)
        return self._page(request, visitor, "refusals", facts, rows=rows, most=most, counts=found["statuses"])

    async def reviews(
        self, request: Request, visitor: Visitor, facts: DatasetFacts, *, wrong: str = "", code: int = 200
    ) -> Response:
        """Show what waits for a decision."""
        waiting = entry_rows(await self.reception.steward(visitor, facts.name, "reviews", {}), Labels(facts.variables))
        is_done = request.query_params.get("done") == "1"
        return self._page(
            request, visitor, "reviews", facts, code=code, waiting=waiting, is_done=is_done, wrong=wrong,
            longest=_LONGEST_REASON,
        )  # fmt: skip

    async def explain(
        self,
        request: Request,
        visitor: Visitor,
        facts: DatasetFacts,
        *,
        text: str = "",
        found: dict[str, Any] | None = None,
    ) -> Response:
        """Show the form for a request, and what every rule says about it."""
        return self._page(request, visitor, "explain", facts, text=text, found=found)

    async def budgets(self, request: Request, visitor: Visitor) -> Response:
        """Show what was spent beside the budgets."""
        dataset, rules = request.query_params.get("dataset", ""), self.reception.settings.budgets
        rows = budget_rows(await self.reception.spending(visitor), rules)
        kept = [row for row in rows if dataset in ("", row.dataset)]
        datasets = [facts.name for facts in await self.reception.datasets(visitor)]
        return self._page(
            request, visitor, "budgets", rules=rules, rows=kept[:_MOST_BUDGETS], more=max(len(kept) - _MOST_BUDGETS, 0),
            datasets=datasets, dataset=dataset,
        )  # fmt: skip

    async def switch(
        self, request: Request, visitor: Visitor, facts: DatasetFacts, *, wrong: str = "", code: int = 200
    ) -> Response:
        """Show the form that closes a data set, or opens it."""
        closes = request.url.path.endswith("/close")
        closed = (await self.reception.closed()).get(facts.name)
        return self._page(
            request, visitor, "switch", facts, code=code, closes=closes, closed=closed, wrong=wrong,
            longest=_LONGEST_REASON,
        )  # fmt: skip

    # --- what is done ----------------------------------------------------------------------------------------------------

    async def decide(self, request: Request, visitor: Visitor, facts: DatasetFacts) -> Response:
        """Allow or refuse what waits."""
        form = await self._form(request)
        decision, why = form.get("decision"), _reason(form)
        if decision not in ("allow", "refuse") or not why:
            wrong = "Say whether you allow or refuse the question, and why."
            return await self.reviews(request, visitor, facts, wrong=wrong, code=400)
        given = {"number": _whole(form.get("number", ""), -1), "allow": decision == "allow", "why": why}
        try:
            await self.reception.steward(visitor, facts.name, "decide", given)
        except HttpRefusalError as error:
            if error.code != 400:
                raise
            wrong = "This question does not wait any more; somebody else has decided."
            return await self.reviews(request, visitor, facts, wrong=wrong, code=409)
        return _go(f"/steward/{facts.name}/reviews?done=1")

    async def explained(self, request: Request, visitor: Visitor, facts: DatasetFacts) -> Response:
        """Show what every rule says about a request; the journal keeps that a steward has looked."""
        text = (await self._form(request)).get("request", "").strip()
        found = await self.reception.steward(visitor, facts.name, "explain", {"request": text}) if text else None
        return await self.explain(request, visitor, facts, text=text, found=found)

    async def verify(self, request: Request, visitor: Visitor, facts: DatasetFacts) -> Response:
        """Verify the journal and show what was found."""
        await self._form(request)
        found = await self.reception.steward(visitor, facts.name, "verify", {})
        self._verified[facts.name] = (datetime.now(UTC).strftime("%Y-%m-%d %H:%M"), found)
        return self._page(request, visitor, "verified", facts, found=found)

    async def switched(self, request: Request, visitor: Visitor, facts: DatasetFacts) -> Response:
        """Close a data set, or open it."""
        why = _reason(await self._form(request))
        if not why:
            return await self.switch(request, visitor, facts, wrong="Say why.", code=400)
        turn = self.reception.close_dataset if request.url.path.endswith("/close") else self.reception.open_dataset
        try:
            await turn(visitor, facts.name, why)
        except HttpRefusalError as error:
            if error.code != 400:
                raise
            return await self.switch(request, visitor, facts, wrong=error.hint, code=400)
        return _go("/steward")

    # --- pieces ----------------------------------------------------------------------------------------------------------

    async def _form(self, request: Request) -> dict[str, str]:
        """Read a form that was sent from a page of ours."""
        form = await read_form(
            request, 2 * self.reception.settings.limits.body
        )  # signs of JSON take three bytes in a form
        check_form(request, form)
        return form

    def _page(
        self,
        request: Request,
        visitor: Visitor,
        name: str,
        facts: DatasetFacts | None = None,
        *,
        code: int = 200,
        **said: Any,
    ) -> Response:
        template = f"steward/{name}.html"
        return show(request, self.reception, visitor, template, code=code, facts=facts, page=name, **said)


def _reason(form: dict[str, str]) -> str:
    """The reason of a form on one line."""
    return " ".join(form.get("why", "").split())[:_LONGEST_REASON]


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else otherwise


def _go(path: str) -> RedirectResponse:
    """Send the browser on, so that loading the page again sends nothing again."""
    return RedirectResponse(path, 303, headers={"Cache-Control": "no-store"})
